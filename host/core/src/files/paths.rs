//! Which paths are paths of a workspace at all.

use super::{WorkspaceError, WorkspaceErrorCode};

/// A path, in bytes.
const PATH_BYTES_MAX: usize = 1_024;

/// The names along a path, checked. `.` and the empty path are the directory itself.
///
/// # Errors
/// `path.outside`, with what is wrong.
pub fn names(path: &str) -> Result<Vec<&str>, WorkspaceError> {
    let outside = |why: &str| {
        let shown: String = path.chars().take(120).flat_map(char::escape_default).collect();
        Err(WorkspaceError::new(
            WorkspaceErrorCode::Outside,
            format!("`{shown}` is no path below the workspace: {why}"),
        ))
    };
    if path.len() > PATH_BYTES_MAX {
        return outside("it is too long");
    }
    if path.starts_with('/') {
        return outside("it is absolute");
    }
    if path.chars().any(|c| c.is_control() || c == '\\' || looks_like_another(c)) {
        return outside("it holds characters that no path may hold");
    }
    if path == "." || path.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<&str> = path.strip_prefix("./").unwrap_or(path).split('/').collect();
    for name in &found {
        match *name {
            "" => return outside("it has an empty name or ends in `/`"),
            "." | ".." => return outside("it goes up"),
            // `C:` would be a drive, `file:stream` another file, on systems that have them.
            _ if name.contains(':') => return outside("it holds a `:`"),
            _ if name.ends_with(['.', ' ']) || name.starts_with(' ') => {
                return outside("a name begins or ends in a space or ends in a dot");
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Characters that a person, a font or a file system may take for `.`, `/` or `\`, or not see at all.
fn looks_like_another(c: char) -> bool {
    matches!(c,
        '\u{2024}'..='\u{2026}' | '\u{FE52}' | '\u{FF0E}' | '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{FF0F}' | '\u{FF3C}' | '\u{FE68}' | '\u{2216}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{FFF9}'..='\u{FFFD}' | '\u{E0000}'..='\u{E007F}')
}

/// A path below a directory that is itself below the workspace.
///
/// # Errors
/// As for [`names`].
pub fn join(directory: &str, path: &str) -> Result<String, WorkspaceError> {
    let below = names(path)?.join("/");
    Ok(match (directory, below.as_str()) {
        ("." | "", "") => ".".to_owned(),
        ("." | "", below) => below.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, below) => format!("{directory}/{below}"),
    })
}

/// Whether a name along the path is hidden: there lie keys, journals and histories, and guests neither see nor read them.
#[must_use]
pub fn hidden_path(path: &str) -> bool {
    path.split('/').any(|name| name.starts_with('.') && name != ".")
}

/// Whether the path is the host's own: hidden names, and files that decide what guests may do.
#[must_use]
pub fn protected_path(path: &str) -> bool {
    let control = |name: &str| {
        // Up and down again: some file systems take `ſ` for `s`, and `ß` for `ss`.
        let folded = name.to_uppercase().to_lowercase();
        matches!(folded.as_str(), "plugin.toml" | "teacher-assist.toml" | "claude.md")
    };
    hidden_path(path) || path.split('/').any(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_workspace() {
        assert_eq!(names("curriculum/cfe-maths.md").unwrap(), ["curriculum", "cfe-maths.md"]);
        assert_eq!(names("./a b/ç.md").unwrap(), ["a b", "ç.md"]);
        assert!(names(".").unwrap().is_empty());
        assert_eq!(join("lessons", "3B.md").unwrap(), "lessons/3B.md");
        assert_eq!(join(".", ".").unwrap(), ".");
    }

    #[test]
    fn everything_else_is_outside() {
        let long = "a".repeat(5_000);
        for path in [
            "../x",
            "a/../x",
            "/etc/passwd",
            "C:\\x",
            "C:/x",
            "a\0b",
            &long,
            "a/",
            "a//b",
            "a/./b",
            "a\\..\\b",
            "．．/x",
            "a\u{202E}b",
            "a.",
            " a",
            "a/..",
        ] {
            let error = names(path).expect_err(path);
            assert_eq!(error.code, WorkspaceErrorCode::Outside, "{path:?}");
            assert!(error.message.len() < 400);
        }
    }

    #[test]
    fn control_files_belong_to_the_host() {
        for path in [".git/config", "a/.env", "Plugin.TOML", "x/teacher-assist.toml", ".teacher-assist/journal.db"] {
            assert!(protected_path(path), "{path}");
        }
        assert!(!protected_path("lessons/3B-iteration.md"));
    }
}
