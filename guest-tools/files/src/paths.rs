//! How a path that a model wrote becomes a place: a granted directory and the way on from it.
//!
//! Models write `./classes/3B.md`, `workspace/classes/3B.md` or `classes\3B.md` and mean the same file: what has one
//! meaning is understood, what has two is refused.

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
        return Err(Failure::new(
            "arguments",
            "`path`: a path holds no line breaks or control characters.",
        ));
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
    let rest_of = |granted: &Granted| below(&name_of(granted), path).map(str::to_owned);
    let best = granted
        .iter()
        .filter(|granted| rest_of(granted).is_some())
        .max_by_key(|granted| depth(granted))?;
    let rest = rest_of(best)?;
    Some(Place {
        directory: best.name.clone(),
        path: rest,
        shown: path.into(),
        writable: best.writable,
    })
}

/// What stands directly below `path` on the way to granted directories that lie deeper: names without their path.
pub(crate) fn granted_below(granted: &[Granted], path: &str) -> Vec<String> {
    let first = |rest: &str| rest.split('/').next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = granted
        .iter()
        .map(name_of)
        .filter_map(|name| below(path, &name).filter(|rest| *rest != ".").map(first))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The name of a granted directory, without marks that say nothing.
pub(crate) fn name_of(granted: &Granted) -> String {
    let name = granted.name.trim_start_matches("./").trim_end_matches('/');
    if name.is_empty() { ".".into() } else { name.into() }
}

/// `path` as seen from `directory`, when it lies there; `.` is the directory itself.
fn below<'a>(directory: &str, path: &'a str) -> Option<&'a str> {
    if directory == path {
        return Some(".");
    }
    if directory == "." {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix('/')
}

fn depth(granted: &Granted) -> usize {
    let name = name_of(granted);
    if name == "." { 0 } else { name.len() }
}

/// Whether `workspace/…` may mean a directory of that name inside the workspace.
fn has_directory_workspace(files: &impl Files) -> bool {
    let granted = files.granted();
    if locate(&granted, WORKSPACE).is_none() {
        return !granted_below(&granted, WORKSPACE).is_empty();
    }
    locate(&granted, WORKSPACE).is_some_and(|place| files.entries(&place.directory, &place.path).is_ok())
}

fn absolute(path: &str, rest: &str) -> Failure {
    let rest = rest.trim_start_matches('/');
    let example = if rest.is_empty() { "classes/3B.md" } else { rest };
    Failure::new(
        "outside",
        format!("`{path}` is absolute. Give the path below the workspace, such as `{example}`."),
    )
}

fn outside(path: &str) -> Failure {
    Failure::new(
        "outside",
        format!("`{path}` leads outside the workspace. Give a path below it, such as `classes/3B.md`."),
    )
}

#[cfg(test)]
mod tests {
    use super::{clean, granted_below, locate};
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
        for path in [
            "/etc/passwd",
            "..",
            "../x",
            "a/../../x",
            "C:\\Users\\x",
            "c:x",
            "workspace/../../x",
            "/workspace/../x",
        ] {
            assert_eq!(clean(&files, path).unwrap_err().code, "outside", "{path}");
        }
        assert_eq!(
            clean(&files, "/classes/3B.md").unwrap_err().message,
            "`/classes/3B.md` is absolute. Give the path below the workspace, such as `classes/3B.md`."
        );
        assert_eq!(clean(&files, "a\0b").unwrap_err().code, "arguments");
    }

    #[test]
    fn the_longest_granted_name_wins() {
        let all = granted(&[(".", false), ("lessons", true), ("lessons/old", false), ("les", true)]);
        let found = |path| {
            locate(&all, path)
                .map(|place| (place.directory, place.path, place.writable))
                .unwrap()
        };
        assert_eq!(found("lessons/a.md"), ("lessons".into(), "a.md".into(), true));
        assert_eq!(found("lessons"), ("lessons".into(), ".".into(), true));
        assert_eq!(found("lessons/old/a.md"), ("lessons/old".into(), "a.md".into(), false));
        assert_eq!(found("lessonsplan.md"), (".".into(), "lessonsplan.md".into(), false));
        assert_eq!(locate(&granted(&[("lessons/", true)]), "classes/3B.md"), None);
        assert_eq!(
            locate(&granted(&[("./lessons/", true)]), "lessons/a.md")
                .unwrap()
                .directory,
            "./lessons/"
        );
    }

    #[test]
    fn the_way_to_granted_directories_can_be_walked() {
        let all = granted(&[
            ("curriculum/cfe", false),
            ("curriculum/sqa/n5", false),
            ("classes", false),
        ]);
        assert_eq!(granted_below(&all, "."), ["classes", "curriculum"]);
        assert_eq!(granted_below(&all, "curriculum"), ["cfe", "sqa"]);
        assert!(granted_below(&all, "lessons").is_empty());
    }
}
