//! `guest doctor`: which tools of a language are there, and the one line that installs each that is not.

use std::path::Path;
use std::process::Command;

use serde::Serialize;

use crate::build::tool;
use crate::build::{c, javascript, python, rust};
use crate::{Language, kit};

/// A tool that a language needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it says about its version; none where it was not found.
    pub found: Option<String>,
    /// The version that is needed at the least, where it matters.
    pub needed: Option<String>,
    /// Whether it is there and new enough.
    pub good: bool,
    /// The line that installs it.
    pub install: String,
}

/// The tools of a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tools {
    /// The language.
    pub language: Language,
    /// Whether all of them are there.
    pub complete: bool,
    /// What there is to be.
    pub tools: Vec<Tool>,
}

/// Looks for the tools of these languages, those that belong to a guest in its directory.
#[must_use]
pub fn look(languages: &[Language], directory: &Path) -> Vec<Tools> {
    let of = |language: &Language| {
        let tools = match language {
            Language::Rust => of_rust(),
            Language::C => of_c(),
            Language::JavaScript => of_javascript(directory),
            Language::Python => of_python(directory),
        };
        Tools { language: *language, complete: tools.iter().all(|tool| tool.good), tools }
    };
    languages.iter().map(of).collect()
}

fn of_rust() -> Vec<Tool> {
    let target = rust::has_target().then(|| "installed".to_owned());
    vec![
        program("cargo", Command::new(rust::program()).arg("--version"), None, rust::INSTALL_RUST),
        program("rustc", Command::new("rustc").arg("--version"), Some(&kit::rust_version()), "rustup update stable"),
        Tool {
            name: rust::TARGET,
            good: target.is_some(),
            found: target,
            needed: None,
            install: rust::INSTALL_TARGET.to_owned(),
        },
    ]
}

fn of_c() -> Vec<Tool> {
    let tool = |name| program(name, Command::new(name).arg("--version"), None, c::INSTALL);
    vec![tool("clang"), tool("wasm-ld")]
}

fn of_javascript(directory: &Path) -> Vec<Tool> {
    vec![
        program(
            "node",
            Command::new("node").arg("--version"),
            Some("20.0"),
            "https://nodejs.org, or your system's package `nodejs`",
        ),
        program(
            "npm",
            Command::new("npm").arg("--version"),
            None,
            "https://nodejs.org, or your system's package `npm`",
        ),
        found("componentize-qjs", javascript::version(directory), javascript::INSTALL),
    ]
}

fn of_python(directory: &Path) -> Vec<Tool> {
    vec![
        program("python3", Command::new("python3").arg("--version"), Some("3.10"), "your system's package `python3`"),
        found("componentize-py", python::version(directory), python::INSTALL),
    ]
}

fn found(name: &'static str, version: Option<String>, install: &str) -> Tool {
    Tool { name, good: version.is_some(), found: version, needed: None, install: install.to_owned() }
}

fn program(name: &'static str, command: &mut Command, needed: Option<&str>, install: &str) -> Tool {
    let said = tool::said(command).and_then(|text| text.lines().next().map(ToOwned::to_owned));
    let old = said.as_deref().zip(needed).is_some_and(|(said, needed)| numbers(said) < numbers(needed));
    let (good, needed) = (said.is_some() && !old, needed.map(ToOwned::to_owned));
    Tool { name, good, found: said, needed, install: install.to_owned() }
}

/// The first two numbers of a version: `v20.1.2` and `rustc 1.95.0 (…)` alike.
fn numbers(text: &str) -> (u32, u32) {
    let from = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let mut parts = text.get(from..).unwrap_or_default().split(|c: char| !c.is_ascii_digit());
    let mut next = || parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    (next(), next())
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(numbers("rustc 1.95.0 (abc 2026-01-01)"), (1, 95));
        assert!(numbers("v20.1.2") > numbers("9.9") && numbers("Python 3.9.2") < numbers("3.10"));
        assert_eq!(numbers("none"), (0, 0));
    }
}
