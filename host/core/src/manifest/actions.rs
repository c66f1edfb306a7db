//! What a manifest declares for people: which files of the workspace are whose, who checks them, and the action that sets a workspace
//! up.

use std::collections::BTreeMap;

use super::component::texts;
use crate::capability::Capability;
use crate::text::visible;
use ta_fields::fields::{Field, Fields};
use ta_fields::problem::Problem;

/// What may stand in the table of an action.
pub(super) const ACTION_FIELDS: [&str; 6] = ["component", "sha256", "capabilities", "workspace", "config", "limits"];

/// What an action may ask for: it is given arguments and files, and there is no run around it.
pub(super) const OF_ACTIONS: [Capability; 5] =
    [Capability::Log, Capability::Config, Capability::Workspace, Capability::Clock, Capability::Wasi];

/// Files of the workspace that a plugin knows about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileRules {
    /// The action that says what is wrong with files, where it has one.
    pub check: Option<String>,
    /// Directories whose files are read by their names, none below them; `.` is the workspace itself.
    pub directories: Vec<String>,
    /// What files are for: a word for each file, or for each directory, which ends in `/`.
    pub roles: BTreeMap<String, String>,
}

impl FileRules {
    /// What a file or a directory is for: what is said of it, else of the nearest directory that it lies in.
    #[must_use]
    pub fn role(&self, path: &str) -> Option<&str> {
        let below = |pattern: &str| pattern.strip_suffix('/').is_some_and(|it| path == it) || path.starts_with(pattern);
        let named = |(pattern, _): &(&String, &String)| match pattern.ends_with('/') {
            true => below(pattern),
            false => path == pattern.as_str(),
        };
        let found = self.roles.iter().filter(named).max_by_key(|(pattern, _)| pattern.len());
        found.map(|(_, role)| role.as_str())
    }

    /// Whether files of this directory are read by their names.
    #[must_use]
    pub fn reads(&self, directory: &str) -> bool {
        self.directories.iter().any(|it| it == directory)
    }
}

/// What `[files]` declares:
///
/// ```toml
/// [files]
/// check = "check_files"                  # an action that is told `{files: [{path, text}]}` and answers `{problems: […]}`
/// directories = [".", "releases"]        # what lies deeper is not read
///
/// [files.roles]                          # what a page calls them
/// "house-style.md" = "style"
/// "releases/" = "release"
/// ```
pub(super) fn files(fields: &Fields, problems: &mut Vec<Problem>) -> FileRules {
    let table = fields.table("files", problems);
    table.only(&["check", "directories", "roles"], problems);
    let rules = FileRules {
        check: table.text("check", problems),
        directories: table.list("directories", problems),
        roles: texts(&table.table("roles", problems)),
    };
    let mut refused = |field: &str, at: Option<&Field>, message: String, hint: &str| {
        let problem = Problem::new("field.value", &table.file, message, hint).at(at.map(|it| it.line));
        problems.push(problem.field(&format!("files.{field}")));
    };
    let below =
        |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']));
    for directory in rules.directories.iter().filter(|it| *it != "." && !below(it)) {
        let message = format!("`{}` is no directory below the workspace", visible(directory));
        let hint = "name it from the workspace on, such as `releases`; `.` is the workspace itself";
        refused("directories", table.fields.get("directories"), message, hint);
    }
    let roles = table.fields.get("roles").and_then(|it| it.table.as_ref());
    for path in rules.roles.keys().filter(|it| !below(it.strip_suffix('/').unwrap_or(it))) {
        let message = format!("`{}` is no file or directory below the workspace", visible(path));
        let hint = "write files and directories below the workspace, a directory with `/` at its end: `releases/`";
        refused("roles", roles.and_then(|it| it.fields.get(path)), message, hint);
    }
    rules
}

#[cfg(test)]
mod tests {
    use crate::manifest::{FileRules, manifest};

    fn read(section: &str) -> (FileRules, Vec<String>) {
        let mut problems = Vec::new();
        let text = format!("name = \"p\"\nversion = \"1\"\n{section}\n");
        let manifest = manifest("plugin.toml", &text, &mut problems).unwrap();
        (manifest.files, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_file_has_the_role_of_its_name_or_of_its_directory() {
        let (rules, problems) = read(
            "[files]\ndirectories = [\".\", \"releases\"]\n[files.roles]\n\"style.md\" = \"style\"\n\"releases/\" = \"release\"\n\
             \"releases/old/\" = \"old\"",
        );
        assert_eq!(problems, Vec::<String>::new());
        for (path, role) in [
            ("style.md", Some("style")),
            ("releases", Some("release")),
            ("releases/1.txt", Some("release")),
            ("releases/old/0.txt", Some("old")),
            ("releases.txt", None),
            ("deep/style.md", None),
        ] {
            assert_eq!(rules.role(path), role, "{path}");
        }
        assert!(rules.reads(".") && rules.reads("releases") && !rules.reads("releases/old"));
    }

    #[test]
    fn files_lie_below_the_workspace() {
        for section in [
            "[files]\ndirectories = [\"../x\"]",
            "[files]\ndirectories = [\"/etc\"]",
            "[files.roles]\n\"a//b\" = \"x\"",
            "[files.roles]\n\"../\" = \"x\"",
            "[files]\nchecks = \"x\"",
        ] {
            let (_, problems) = read(section);
            assert_eq!(problems.len(), 1, "{section}: {problems:?}");
            assert!(problems[0].starts_with("plugin.toml:4: files."), "{section}: {problems:?}");
        }
    }

    #[test]
    fn an_action_reaches_files_and_no_run() {
        let told = |rest: &str| {
            read(&format!("[actions.a]\ncomponent = \"c.wasm\"\nsha256 = \"{}\"\n{rest}", "0".repeat(64))).1
        };
        assert_eq!(told("capabilities = [\"log\", \"config\", \"workspace\", \"clock\"]"), Vec::<String>::new());
        for asked in ["ask", "model", "memory", "journal", "tools", "sessions"] {
            let refused = told(&format!("capabilities = [\"{asked}\"]"));
            assert!(refused.len() == 1 && refused[0].contains("an action cannot be granted"), "{asked}: {refused:?}");
        }
        assert_eq!(told("points = [\"pre-loop\"]").len(), 1);
    }
}
