//! `curriculum check`: the files of a workspace, or of a directory, as a whole.

use std::path::{Path, PathBuf};

use ta_import::check::Severity;
use ta_import::framework::Framework;
use ta_runtime::RuntimeError;
use ta_runtime::surface::{Problem, visible};

use super::{CURRICULUM, FRAMEWORKS, PAPERS, Result, framework, markdown, unreadable};
use crate::args::Output;
use crate::exit::{self, Code};
use crate::out::outln;

/// A pattern file that cannot be used would leave its files unchecked, so it is an error of its own.
fn check_patterns(workspace: &Path) -> Result<()> {
    let directory = workspace.join(FRAMEWORKS);
    let Ok(entries) = std::fs::read_dir(&directory) else { return Ok(()) };
    let mut problems = Vec::new();
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "toml")) {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let read = Framework::read(&file, &text, &mut problems);
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if let Some(name) = read.map(|it| it.name).filter(|name| name != stem) {
            let message = format!("the name `{name}` is not the file's, `{stem}`");
            problems.push(Problem::new("field.value", &file, message, "rename one of them").field("name"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(RuntimeError::problems("the directory of pattern files", problems)) }
}

pub(super) fn check_all(workspace: &Path, directory: Option<&Path>, output: Output) -> Result<Code> {
    let own = workspace.join(CURRICULUM);
    let curriculum = directory.unwrap_or(&own);
    if !curriculum.is_dir() {
        let message = format!("{} is no directory", curriculum.display());
        return Err(RuntimeError::usage("import.missing", message, "give the directory of the curriculum files"));
    }
    let files = markdown(curriculum, &format!("{}/", curriculum.display()))?;
    let papers = if directory.is_some() {
        Vec::new()
    } else {
        markdown(&workspace.join(PAPERS), &format!("{}/", workspace.join(PAPERS).display()))?
    };
    check_patterns(workspace)?;
    let report = ta_import::check::check(&files, &papers, |name| framework(workspace, name).ok());
    if output == Output::Text {
        for finding in &report.findings {
            let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
            outln!("{}:{}: {severity}: {} [{}]", finding.file, finding.line, visible(&finding.message), finding.kind);
        }
        let errors = report.findings.iter().filter(|it| it.severity == Severity::Error).count();
        let levels: Vec<String> = report.levels.iter().map(|(level, count)| format!("{level} {count}")).collect();
        outln!(
            "{} outcomes in {} files ({}); {} verified, {} unverified; {} questions and sections, {} tagged; {errors} errors, {} warnings",
            report.outcomes,
            report.files,
            levels.join(", "),
            report.verified,
            report.unverified,
            report.paper_items,
            report.paper_items_tagged,
            report.findings.len() - errors
        );
    } else {
        let object = serde_json::to_value(&report).unwrap_or_default();
        outln!("{object}");
    }
    Ok(if report.has_errors() { exit::CONFIGURATION } else { exit::SUCCESS })
}
