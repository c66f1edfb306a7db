//! `validate`: every file, or the journal, looked through.

use ta_runtime::{Host, RuntimeError, journal_check, validate};

use crate::args::Output;
use crate::commands::print_json;
use crate::exit::{self, Code};
use crate::{project, render};

type Result<T> = std::result::Result<T, RuntimeError>;

/// Checks the journal, where one is named, else every file.
pub(crate) async fn run(host: &Host, journal: Option<&str>, verbose: bool, output: Output) -> Result<Code> {
    match journal {
        Some(id) => validate_journal(host, id, output).await,
        None => validate_all(host, output, verbose).await,
    }
}

async fn validate_journal(host: &Host, id: &str, output: Output) -> Result<Code> {
    let report = journal_check::journal(host, Some(id).filter(|id| !id.is_empty())).await?;
    match output {
        Output::Text => render::journal(&report),
        _ => print_json(&report),
    }
    Ok(if report.problems.is_empty() { exit::SUCCESS } else { exit::CONFIGURATION })
}

async fn validate_all(host: &Host, output: Output, verbose: bool) -> Result<Code> {
    let report = validate::validate(host).await?;
    match output {
        Output::Text => {
            project::checks(&report.checked, verbose);
            render::validation(&report);
        }
        _ => print_json(&report),
    }
    Ok(if report.problems.is_empty() { exit::SUCCESS } else { exit::CONFIGURATION })
}
