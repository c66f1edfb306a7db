//! The files that the guard reads, through the directories that were granted.

use ta_curriculum::front_matter::{field, profile_path};
use ta_curriculum::level::Levels;
use ta_guest::granted::{self, Workspace};
use ta_guest::workspace::ErrorCode;

use crate::guard::{Files, ReadError, Text};

/// What a class's profile says of its curriculum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) level: Option<Levels>,
    pub(crate) framework: Option<String>,
}

/// The granted part of a workspace.
pub(crate) struct Granted<'a, W> {
    files: granted::Files<'a, W>,
    curriculum: &'a str,
}

impl<'a, W: Workspace> Granted<'a, W> {
    pub(crate) fn new(workspace: &'a W, curriculum: &'a str) -> Self {
        Self { files: granted::Files::new(workspace), curriculum }
    }

    /// The profile of a class; an empty one where there is none that may be read.
    pub(crate) fn profile(&mut self, class: Option<&str>) -> Profile {
        let read = class.and_then(profile_path).and_then(|path| self.files.read(&path).ok());
        let Some(text) = read.map(|read| read.text) else {
            return Profile::default();
        };
        Profile {
            level: field(&text, "level").and_then(|level| level.parse().ok()),
            framework: field(&text, "framework").map(str::to_owned),
        }
    }
}

impl<W: Workspace> Files for Granted<'_, W> {
    fn read(&mut self, path: &str) -> Result<Text, ReadError> {
        match self.files.read(path) {
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
        self.files.below(self.curriculum, ".md")
    }
}

#[cfg(test)]
mod tests {
    use ta_curriculum::level::{Level, Levels};
    use ta_guest::workspace::{EntryKind, Error, ErrorCode, Granted as Name, Listed, Text};

    use ta_guest::granted::Workspace;

    use super::{Granted, Profile};
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
