//! The classes of a workspace, and which of them a request names.

use ta_core::class_profile::class_in;
use ta_core::hook::Subject;
use ta_sandbox::{Workspace, WorkspaceErrorCode};

use crate::error::RuntimeError;

/// The kind of what a run is about here.
pub const KIND: &str = "class";

/// A class as what a run is about.
#[must_use]
pub fn subject(id: String) -> Subject {
    Subject { kind: KIND.to_owned(), id }
}

/// The classes that the workspace has a profile of.
///
/// # Errors
/// Where the directory cannot be read; a workspace without `classes/` has no classes.
pub fn classes(workspace: &Workspace) -> Result<Vec<String>, RuntimeError> {
    match workspace.entries("classes") {
        Ok(entries) => {
            let files = entries.into_iter().filter(|entry| entry.file);
            Ok(files.filter_map(|entry| entry.name.strip_suffix(".md").map(ToOwned::to_owned)).collect())
        }
        Err(error) if error.code == WorkspaceErrorCode::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// The class that the request names. A request that names a class which is not there is an error, before anything is
/// spent on it.
///
/// # Errors
/// `class.unknown`.
pub fn named(request: &str, classes: &[String]) -> Result<Option<String>, RuntimeError> {
    if let Some(class) = class_in(request, classes) {
        return Ok(Some(class.to_owned()));
    }
    let Some(unknown) = like_a_class(request) else { return Ok(None) };
    let hint = match classes {
        [] => format!("write a profile `classes/{unknown}.md` in the workspace; there is none yet"),
        _ => format!("the classes are: {}; name one of them or write `classes/{unknown}.md`", classes.join(", ")),
    };
    Err(RuntimeError::configuration("class.unknown", format!("there is no class `{unknown}` in the workspace"), hint))
}

/// A word like `3B` where a class would stand: after `for`, `class`, `with`, or first before a colon. `2D shapes` is none.
fn like_a_class(request: &str) -> Option<String> {
    let words: Vec<&str> = request.split_whitespace().collect();
    words.iter().enumerate().find_map(|(index, word)| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let before = index.checked_sub(1).and_then(|index| words.get(index)).map(|word| word.to_lowercase());
        let placed = match before.as_deref() {
            Some("for" | "class" | "with" | "group" | "set") => true,
            None => word.ends_with(':'),
            _ => false,
        };
        let mut letters = bare.chars();
        let digit = letters.next().is_some_and(|c| c.is_ascii_digit());
        let rest: Vec<char> = letters.collect();
        let shaped = digit && matches!(rest.len(), 1 | 2) && rest.iter().all(char::is_ascii_alphabetic);
        let ordinal =
            matches!(bare.to_lowercase().as_str(), "1st" | "2nd" | "3rd") || bare.to_lowercase().ends_with("th");
        (placed && shaped && !ordinal).then(|| bare.to_uppercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_that_is_not_there() {
        let classes = ["1B".to_owned(), "3B".to_owned()];
        assert_eq!(named("iteration for 3B", &classes).unwrap().as_deref(), Some("3B"));
        assert_eq!(named("2D shapes for 1B", &classes).unwrap().as_deref(), Some("1B"));
        assert_eq!(named("2D shapes", &classes).unwrap(), None);
        assert_eq!(named("loops for 4th years", &classes).unwrap(), None);
        let error = named("loops for 9z, please", &classes).unwrap_err();
        assert_eq!(error.message, "there is no class `9Z` in the workspace");
        assert!(error.hint.contains("1B, 3B"));
        assert!(named("4C: fractions", &classes).is_err());
    }
}
