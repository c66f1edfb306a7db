//! The files that the guard reads, through the directories that were granted.

use ta_curriculum::level::Levels;
use ta_guest::granted::locate;
use ta_guest::workspace::{self, EntryKind, ErrorCode};

use crate::guard::{Files, ReadError, Text};

/// Curriculum files that are read: many more than a school has, and few enough for one call.
const FILES_MAX: usize = 200;

/// How deep the curriculum's directories may lie in one another.
const DEPTH_MAX: usize = 4;

/// Where the workspace comes from: the host in a component, a table in tests.
pub(crate) trait Workspace {
    fn granted(&self) -> Vec<workspace::Granted>;
    fn read(&self, directory: &str, path: &str) -> Result<workspace::Text, workspace::Error>;
    fn entries(&self, directory: &str, path: &str) -> Result<Vec<workspace::Listed>, workspace::Error>;
}

/// The host's, through the `workspace` import.
pub(crate) struct Host;

impl Workspace for Host {
    fn granted(&self) -> Vec<workspace::Granted> {
        workspace::granted_directories()
    }

    fn read(&self, directory: &str, path: &str) -> Result<workspace::Text, workspace::Error> {
        workspace::open(directory)?.read(path)
    }

    fn entries(&self, directory: &str, path: &str) -> Result<Vec<workspace::Listed>, workspace::Error> {
        workspace::open(directory)?.entries(path)
    }
}

/// What a class's profile says of its curriculum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) level: Option<Levels>,
    pub(crate) framework: Option<String>,
}

/// The granted part of a workspace.
pub(crate) struct Granted<'a, W> {
    workspace: &'a W,
    granted: Vec<workspace::Granted>,
    curriculum: &'a str,
}

impl<'a, W: Workspace> Granted<'a, W> {
    pub(crate) fn new(workspace: &'a W, curriculum: &'a str) -> Self {
        Self { workspace, granted: workspace.granted(), curriculum }
    }

    /// The profile of a class; an empty one where there is none that may be read.
    pub(crate) fn profile(&mut self, class: Option<&str>) -> Profile {
        // The name becomes part of a path, so it may not hold anything that leads elsewhere.
        let plain = |class: &&str| class.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
        let text = class.filter(plain).and_then(|class| self.read(&format!("classes/{class}.md")).ok());
        let Some(text) = text.map(|text| text.text) else {
            return Profile::default();
        };
        Profile {
            level: front_matter(&text, "level").and_then(|level| level.parse().ok()),
            framework: front_matter(&text, "framework").map(str::to_owned),
        }
    }

    fn collect(&self, directory: &str, depth: usize, paths: &mut Vec<String>) {
        let Some(place) = locate(&self.granted, directory) else {
            return;
        };
        let entries = self.workspace.entries(&place.directory, &place.path).unwrap_or_default();
        for entry in entries {
            let path = if directory == "." { entry.name.clone() } else { format!("{directory}/{}", entry.name) };
            match entry.kind {
                EntryKind::File if entry.name.ends_with(".md") && paths.len() < FILES_MAX => paths.push(path),
                EntryKind::Directory if depth < DEPTH_MAX => self.collect(&path, depth + 1, paths),
                EntryKind::File | EntryKind::Directory | EntryKind::Other => {}
            }
        }
    }
}

impl<W: Workspace> Files for Granted<'_, W> {
    fn read(&mut self, path: &str) -> Result<Text, ReadError> {
        let place = locate(&self.granted, path).ok_or(ReadError::NotGranted)?;
        match self.workspace.read(&place.directory, &place.path) {
            Ok(read) => Ok(Text { text: read.text, sha256: read.sha256 }),
            Err(error) => Err(match error.code {
                ErrorCode::NotFound => ReadError::NotFound,
                ErrorCode::Outside => ReadError::Outside,
                ErrorCode::NotGranted => ReadError::NotGranted,
                ErrorCode::TooLarge => ReadError::TooLarge,
                _ => ReadError::Unreadable,
            }),
        }
    }

    fn curriculum_paths(&mut self) -> Vec<String> {
        let mut paths = Vec::new();
        self.collect(self.curriculum, 1, &mut paths);
        paths
    }
}

/// The value of a plain field of front matter, without quotation marks or the comment after it.
fn front_matter<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    lines.next().filter(|line| line.trim_end() == "---")?;
    let value = lines
        .take_while(|line| line.trim_end() != "---")
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then_some(value)
}

#[cfg(test)]
mod tests {
    use ta_curriculum::level::{Level, Levels};
    use ta_guest::workspace::{EntryKind, Error, ErrorCode, Granted as Name, Listed, Text};

    use super::{Granted, Profile, Workspace};
    use crate::guard::{Files, ReadError};

    struct Table(Vec<&'static str>);

    impl Workspace for Table {
        fn granted(&self) -> Vec<Name> {
            self.0.iter().map(|name| Name { name: (*name).into(), writable: false }).collect()
        }

        fn read(&self, directory: &str, path: &str) -> Result<Text, Error> {
            let text = match (directory, path) {
                (".", "classes/3B.md") | ("classes", "3B.md") => {
                    "---\nclass: 3B\nlevel: \"third\" # S3\nframework: cfe\n---\nlevel: x"
                }
                ("classes", "N5.md") => "---\nlevel: National 5\n---\n",
                ("classes", "bare.md") => "level: third\n",
                _ => {
                    return Err(Error { code: ErrorCode::NotFound, message: String::new() });
                }
            };
            Ok(Text { text: text.into(), sha256: "d".repeat(64) })
        }

        fn entries(&self, _: &str, path: &str) -> Result<Vec<Listed>, Error> {
            let listed = |name: &str, kind| Listed { name: name.into(), kind, size: 1 };
            match path {
                "." | "curriculum" => Ok(vec![
                    listed("cfe.md", EntryKind::File),
                    listed("notes.txt", EntryKind::File),
                    listed("sqa", EntryKind::Directory),
                    listed("way.md", EntryKind::Other),
                ]),
                "sqa" | "curriculum/sqa" => Ok(vec![listed("n5.md", EntryKind::File)]),
                _ => Err(Error { code: ErrorCode::NotFound, message: String::new() }),
            }
        }
    }

    #[test]
    fn curriculum_files_are_found_whatever_was_granted() {
        for granted in [vec!["."], vec!["classes", "curriculum"]] {
            let table = Table(granted);
            let paths = Granted::new(&table, "curriculum").curriculum_paths();
            assert_eq!(paths, ["curriculum/cfe.md", "curriculum/sqa/n5.md"]);
        }
        assert!(Granted::new(&Table(vec!["classes"]), "curriculum").curriculum_paths().is_empty());
    }

    #[test]
    fn a_profile_is_read_where_it_may_be() {
        let table = Table(vec!["classes"]);
        let mut files = Granted::new(&table, "curriculum");
        let third = Profile { level: Some(Levels::from(Level::Third)), framework: Some("cfe".into()) };
        assert_eq!(files.profile(Some("3B")), third);
        for class in [None, Some("9Z"), Some("../classes/3B"), Some("N5"), Some("bare")] {
            assert_eq!(files.profile(class), Profile::default(), "{class:?}");
        }
        assert_eq!(Granted::new(&Table(vec!["."]), "curriculum").profile(Some("3B")), third);
    }

    #[test]
    fn what_was_not_granted_is_said_so() {
        let table = Table(vec!["curriculum"]);
        let mut files = Granted::new(&table, "curriculum");
        assert_eq!(files.read("classes/3B.md"), Err(ReadError::NotGranted));
        assert_eq!(files.read("curriculum/none.md"), Err(ReadError::NotFound));
    }
}
