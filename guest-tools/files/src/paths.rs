//! How a path that a model wrote becomes a place: a granted directory and the way on from it.
//!
//! Models write `./classes/3B.md`, `workspace/classes/3B.md` or `classes\3B.md` and mean the same file: what has one
//! meaning is understood, what has two is refused.

use ta_guest::granted::{self, granted_name, path_from};
use ta_guest::tool::Failure;
use ta_guest::workspace::Granted;

use crate::files::Files;

/// What models call the workspace itself.
const WORKSPACE: &str = "workspace";

/// A place in a granted directory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// The granted name.
    pub(crate) directory: String,
    /// The path from there; `.` is the directory itself.
    pub(crate) path: String,
    /// The path below the workspace, as messages show it.
    pub(crate) shown: String,
    /// Whether the directory was granted for writing.
    pub(crate) writable: bool,
}

/// The path below the workspace that `path` means: parts joined by `/`, `.` for the workspace itself.
///
/// # Errors
/// A failure when it leads outside, is absolute or holds a control character.
pub(crate) fn clean(files: &impl Files, path: &str) -> Result<String, Failure> {
    if path.chars().any(char::is_control) {
        return Err(Failure::new("arguments", "`path`: a path holds no line breaks or control characters."));
    }
    let slashed = path.trim().replace('\\', "/");
    let relative = match slashed.strip_prefix('/') {
        // The root of a sandbox that other tools have.
        Some(rest) if rest == WORKSPACE || rest.starts_with("workspace/") => {
            rest.get(WORKSPACE.len()..).unwrap_or_default()
        }
        Some(rest) => return Err(absolute(path, rest)),
        None if slashed.chars().nth(1) == Some(':') => {
            return Err(absolute(path, slashed.get(2..).unwrap_or_default()));
        }
        None => slashed.as_str(),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in relative.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            // Links are never followed, so going up is the same in the text as on the disk.
            ".." => parts.pop().map(|_| ()).ok_or_else(|| outside(path))?,
            _ => parts.push(part),
        }
    }
    if parts.first() == Some(&WORKSPACE) && !has_directory_workspace(files) {
        parts.remove(0);
    }
    Ok(if parts.is_empty() { ".".into() } else { parts.join("/") })
}

/// The granted directory with the longest name that `path`, a clean one, lies in.
pub(crate) fn locate(granted: &[Granted], path: &str) -> Option<Place> {
    granted::locate(granted, path).map(|place| Place {
        directory: place.directory,
        path: place.path,
        shown: path.into(),
        writable: place.writable,
    })
}

/// What stands directly below `path` on the way to granted directories that lie deeper: names without their path.
pub(crate) fn granted_below(granted: &[Granted], path: &str) -> Vec<String> {
    let first = |rest: &str| rest.split('/').next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = granted
        .iter()
        .filter_map(|granted| path_from(path, granted_name(granted)).filter(|rest| *rest != ".").map(first))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Whether `workspace/…` may mean a directory of that name inside the workspace.
fn has_directory_workspace(files: &impl Files) -> bool {
    let granted = files.granted();
    match locate(&granted, WORKSPACE) {
        Some(place) => files.entries(&place.directory, &place.path).is_ok(),
        None => !granted_below(&granted, WORKSPACE).is_empty(),
    }
}

fn absolute(path: &str, rest: &str) -> Failure {
    let rest = rest.trim_start_matches('/');
    let example = if rest.is_empty() { "classes/3B.md" } else { rest };
    Failure::new("outside", format!("`{path}` is absolute. Give the path below the workspace, such as `{example}`."))
}

fn outside(path: &str) -> Failure {
    Failure::new(
        "outside",
        format!("`{path}` leads outside the workspace. Give a path below it, such as `classes/3B.md`."),
    )
}

#[cfg(test)]
mod tests {
    use super::{clean, granted_below};
    use crate::testing::{Table, granted};

    #[test]
    fn what_has_one_meaning_is_understood() {
        let files = Table::new(&[(".", false)], &[("classes/3B.md", "")]);
        for path in [
            "classes/3B.md",
            "./classes/3B.md",
            " classes//3B.md/ ",
            "classes\\3B.md",
            "workspace/classes/3B.md",
            "./workspace/./classes/3B.md",
            "/workspace/classes/3B.md",
            "lessons/../classes/3B.md",
        ] {
            assert_eq!(clean(&files, path).unwrap(), "classes/3B.md", "{path}");
        }
        for path in ["", ".", "./", "workspace", "/workspace/", "classes/.."] {
            assert_eq!(clean(&files, path).unwrap(), ".", "{path}");
        }
    }

    #[test]
    fn a_directory_named_workspace_keeps_its_name() {
        let files = Table::new(&[(".", false)], &[("workspace/a.md", "")]);
        assert_eq!(clean(&files, "workspace/a.md").unwrap(), "workspace/a.md");
        assert_eq!(clean(&files, "/workspace/workspace/a.md").unwrap(), "workspace/a.md");
        let files = Table::new(&[("workspace/notes", false)], &[]);
        assert_eq!(clean(&files, "workspace/notes/a.md").unwrap(), "workspace/notes/a.md");
    }

    #[test]
    fn what_leads_outside_is_refused() {
        let files = Table::new(&[(".", true)], &[]);
        for path in
            ["/etc/passwd", "..", "../x", "a/../../x", "C:\\Users\\x", "c:x", "workspace/../../x", "/workspace/../x"]
        {
            assert_eq!(clean(&files, path).unwrap_err().code, "outside", "{path}");
        }
        assert_eq!(
            clean(&files, "/classes/3B.md").unwrap_err().message,
            "`/classes/3B.md` is absolute. Give the path below the workspace, such as `classes/3B.md`."
        );
        assert_eq!(clean(&files, "a\0b").unwrap_err().code, "arguments");
    }

    #[test]
    fn the_way_to_granted_directories_can_be_walked() {
        let all = granted(&[("curriculum/cfe", false), ("curriculum/sqa/n5", false), ("classes", false)]);
        assert_eq!(granted_below(&all, "."), ["classes", "curriculum"]);
        assert_eq!(granted_below(&all, "curriculum"), ["cfe", "sqa"]);
        assert!(granted_below(&all, "lessons").is_empty());
    }
}
