//! Measures a guard's rules on a set of test text: precision, recall, F1 and the share of unsure answers, by group.
//!
//! `measure scope FILE...` and `measure privacy FILE...` read the sets of `evals/guards/requests`; `--wrong` adds every
//! item that came out wrong. It calls the same functions as the components do, natively, and decides nothing itself.

mod privacy_set;
mod scope_set;
mod score;

use std::process::ExitCode;

use serde::de::DeserializeOwned;

const USAGE: &str = "measure scope|privacy [--wrong] FILE...";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let wrong = arguments.iter().position(|argument| argument == "--wrong").map(|at| arguments.remove(at)).is_some();
    let said = match arguments.split_first() {
        Some((set, files)) if set == "scope" && !files.is_empty() => {
            read(files).map(|items| scope_set::run(&items, wrong))
        }
        Some((set, files)) if set == "privacy" && !files.is_empty() => {
            read(files).map(|items| privacy_set::run(&items, wrong))
        }
        _ => Err(USAGE.to_owned()),
    };
    match said {
        Ok(table) => {
            println!("{table}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The items of JSON lines.
fn read<T: DeserializeOwned>(files: &[String]) -> Result<Vec<T>, String> {
    let mut items = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            items.push(serde_json::from_str(line).map_err(|error| format!("{file}, line {}: {error}", at + 1))?);
        }
    }
    Ok(items)
}
