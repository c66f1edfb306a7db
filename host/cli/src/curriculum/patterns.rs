//! Pattern files: how the codes of other curricula are written. The plugin reads them; here they are found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;
use ta_runtime::surface::Problem;
use ta_runtime::{Host, RuntimeError};

use super::{Maker, Result, problems, texts};

/// The directory of the workspace that holds them.
const FRAMEWORKS: &str = "frameworks";
/// The curriculum that needs none.
const BUILT_IN: &str = "cfe";
/// What says whether one can be used.
const CHECK: &str = "check_patterns";

/// A pattern file.
#[derive(Debug, Clone, Serialize)]
pub(super) struct PatternFile {
    /// Its path, as a person would name it.
    pub(super) file: String,
    /// What it holds.
    pub(super) text: String,
}

/// The pattern file of a curriculum, by its name or as a file; none for the one that is built in.
pub(super) async fn of(host: &Host, maker: &Maker, name: &str) -> Result<Option<PatternFile>> {
    if name.eq_ignore_ascii_case(BUILT_IN) {
        return Ok(None);
    }
    let is_file = Path::new(name).extension().is_some_and(|it| it.eq_ignore_ascii_case("toml"));
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    if !is_file && !plain {
        let message = format!("`{name}` is no name of a curriculum");
        let hint = "give a name, or a pattern file that ends in .toml";
        return Err(RuntimeError::usage("framework.unknown", message, hint));
    }
    let directory = host.config.workspace.join(FRAMEWORKS);
    let path = if is_file { PathBuf::from(name) } else { directory.join(format!("{name}.toml")) };
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let message = format!("there is no pattern file for `{name}`: {}: {error}", path.display());
        let hint = "write one: docs/formats.md says how; `cfe` is built in";
        RuntimeError::usage("framework.unknown", message, hint)
    })?;
    let file = PatternFile { file: path.display().to_string(), text };
    match checked(host, maker, &file).await? {
        (_, problems) if problems.is_empty() => Ok(Some(file)),
        (_, problems) => Err(RuntimeError::problems("the pattern file", problems)),
    }
}

/// The name that a pattern file gives its curriculum, and what is wrong with the file.
async fn checked(host: &Host, maker: &Maker, file: &PatternFile) -> Result<(Option<String>, Vec<Problem>)> {
    let answer = maker.make(host, CHECK, &file.file, &json!(file)).await?;
    let name = answer.get("name").and_then(|name| name.as_str()).map(ToOwned::to_owned);
    Ok((name, answer.as_object().map(problems).transpose()?.unwrap_or_default()))
}

/// All pattern files of a workspace, by the names of their curricula.
pub(super) fn all(workspace: &Path) -> Result<BTreeMap<String, PatternFile>> {
    let directory = workspace.join(FRAMEWORKS);
    let files = texts(&directory, "", |name| name.ends_with(".toml"))?;
    let named = files.into_iter().map(|(name, text)| {
        let file = directory.join(&name).display().to_string();
        (name.trim_end_matches(".toml").to_owned(), PatternFile { file, text })
    });
    Ok(named.collect())
}

/// A pattern file that cannot be used would leave its files unchecked, so it is an error of its own.
pub(super) async fn check(host: &Host, maker: &Maker, all: &BTreeMap<String, PatternFile>) -> Result<()> {
    let mut found = Vec::new();
    for (stem, file) in all {
        let (name, problems) = checked(host, maker, file).await?;
        found.extend(problems);
        if let Some(name) = name.filter(|name| name != stem) {
            let message = format!("the name `{name}` is not the file's, `{stem}`");
            found.push(Problem::new("field.value", &file.file, message, "rename one of them").field("name"));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(RuntimeError::problems("the directory of pattern files", found)) }
}
