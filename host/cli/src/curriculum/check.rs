//! `curriculum check`: the files of a workspace, or of a directory, as a whole.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use ta_runtime::surface::visible;
use ta_runtime::{Host, RuntimeError};

use super::{CURRICULUM, Maker, PAPERS, Result, markdown, patterns, told};
use crate::args::Output;
use crate::exit::{self, Code};
use crate::out::outln;

/// What checks them.
const CHECK: &str = "check_curriculum";

/// What was found.
#[derive(Deserialize)]
struct Checked {
    report: Value,
    /// The report in lines for a person.
    lines: Vec<String>,
    /// Whether something is wrong.
    wrong: bool,
}

pub(super) async fn check_all(host: &Host, directory: Option<&Path>, output: Output) -> Result<Code> {
    let workspace = &host.config.workspace;
    let own = workspace.join(CURRICULUM);
    let curriculum = directory.unwrap_or(&own);
    if !curriculum.is_dir() {
        let message = format!("{} is no directory", curriculum.display());
        return Err(RuntimeError::usage("import.missing", message, "give the directory of the curriculum files"));
    }
    let files = markdown(curriculum, &format!("{}/", curriculum.display()))?;
    let papers = match directory {
        Some(_) => Vec::new(),
        None => markdown(&workspace.join(PAPERS), &format!("{}/", workspace.join(PAPERS).display()))?,
    };
    let maker = Maker::of(host, CHECK).await?;
    let all = patterns::all(workspace)?;
    patterns::check(host, &maker, &all).await?;
    let arguments = json!({ "files": files, "papers": papers, "patterns": all });
    let checked: Checked = told(maker.make(host, CHECK, CURRICULUM, &arguments).await?)?;
    if output == Output::Text {
        for line in &checked.lines {
            outln!("{}", visible(line));
        }
    } else {
        outln!("{}", checked.report);
    }
    Ok(if checked.wrong { exit::CONFIGURATION } else { exit::SUCCESS })
}
