//! From a path below the workspace to the granted directory that it lies in, and files read by such paths.

use crate::workspace::{self, EntryKind, Error, ErrorCode, Granted, Listed, Text};

/// A place in a granted directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The granted name, as `workspace::open` takes it.
    pub directory: String,
    /// The path from there; `.` is the directory itself.
    pub path: String,
    /// Whether the directory was granted for writing.
    pub writable: bool,
}

/// The granted directory with the longest name that `path` lies in; none when it lies in no granted one. The path is
/// taken as it is: `/` between its parts, `.` for the workspace itself.
#[must_use]
pub fn locate(granted: &[Granted], path: &str) -> Option<Place> {
    let places = granted.iter().filter_map(|granted| {
        let name = granted_name(granted);
        let path = path_from(name, path)?.to_owned();
        let depth = if name == "." { 0 } else { name.len() };
        let place = Place { directory: granted.name.clone(), path, writable: granted.writable };
        Some((depth, place))
    });
    places.max_by_key(|(depth, _)| *depth).map(|(_, place)| place)
}

/// The name of a granted directory as paths begin with it: without marks that say nothing.
#[must_use]
pub fn granted_name(granted: &Granted) -> &str {
    let name = granted.name.trim_start_matches("./").trim_end_matches('/');
    if name.is_empty() { "." } else { name }
}

/// `path` as seen from `directory`, when it lies there; `.` is the directory itself.
#[must_use]
pub fn path_from<'a>(directory: &str, path: &'a str) -> Option<&'a str> {
    match directory {
        _ if directory == path => Some("."),
        "." => Some(path),
        _ => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}

/// Files that are listed below one directory: many more than a school has, and few enough for one call.
const FILES_MAX: usize = 200;

/// How deep directories may lie in one another.
const DEPTH_MAX: usize = 4;

/// Where the workspace comes from: the host in a component, a table in tests.
pub trait Workspace {
    /// The directories that were granted.
    fn granted(&self) -> Vec<Granted>;
    /// Reads a file of a granted directory.
    ///
    /// # Errors
    /// The host's, as it stands.
    fn read(&self, directory: &str, path: &str) -> Result<Text, Error>;
    /// Lists a directory of a granted one.
    ///
    /// # Errors
    /// The host's, as it stands.
    fn entries(&self, directory: &str, path: &str) -> Result<Vec<Listed>, Error>;
}

/// The host's workspace, through the import.
#[derive(Debug, Clone, Copy)]
pub struct Host;

impl Workspace for Host {
    fn granted(&self) -> Vec<Granted> {
        workspace::granted_directories()
    }

    fn read(&self, directory: &str, path: &str) -> Result<Text, Error> {
        workspace::open(directory)?.read(path)
    }

    fn entries(&self, directory: &str, path: &str) -> Result<Vec<Listed>, Error> {
        workspace::open(directory)?.entries(path)
    }
}

/// The granted part of a workspace, by paths from its root.
#[derive(Debug)]
pub struct Files<'a, W> {
    workspace: &'a W,
    granted: Vec<Granted>,
}

impl<'a, W: Workspace> Files<'a, W> {
    /// What was granted of this workspace.
    pub fn new(workspace: &'a W) -> Self {
        Self { workspace, granted: workspace.granted() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// `not-granted` where it lies in no granted directory; else the host's.
    pub fn read(&self, path: &str) -> Result<Text, Error> {
        let not_granted = || Error { code: ErrorCode::NotGranted, message: format!("{path} was not granted") };
        let place = locate(&self.granted, path).ok_or_else(not_granted)?;
        self.workspace.read(&place.directory, &place.path)
    }

    /// Paths of the files below a directory whose names end in this, in the order of the host; at most 200, four levels deep.
    #[must_use]
    pub fn below(&self, directory: &str, suffix: &str) -> Vec<String> {
        let mut paths = Vec::new();
        self.collect(directory, suffix, 1, &mut paths);
        paths
    }

    fn collect(&self, directory: &str, suffix: &str, depth: usize, paths: &mut Vec<String>) {
        let Some(place) = locate(&self.granted, directory) else {
            return;
        };
        let entries = self.workspace.entries(&place.directory, &place.path).unwrap_or_default();
        for entry in entries {
            let path = if directory == "." { entry.name.clone() } else { format!("{directory}/{}", entry.name) };
            match entry.kind {
                EntryKind::File if entry.name.ends_with(suffix) && paths.len() < FILES_MAX => paths.push(path),
                EntryKind::Directory if depth < DEPTH_MAX => self.collect(&path, suffix, depth + 1, paths),
                EntryKind::File | EntryKind::Directory | EntryKind::Other => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::locate;
    use crate::workspace::Granted;

    fn granted(names: &[(&str, bool)]) -> Vec<Granted> {
        let granted = |(name, writable): &(&str, bool)| Granted { name: (*name).into(), writable: *writable };
        names.iter().map(granted).collect()
    }

    #[test]
    fn the_longest_granted_name_wins() {
        let all = granted(&[(".", false), ("lessons", true), ("lessons/old", false), ("les", true)]);
        let found = |path| locate(&all, path).map(|place| (place.directory, place.path, place.writable)).unwrap();
        assert_eq!(found("lessons/a.md"), ("lessons".into(), "a.md".into(), true));
        assert_eq!(found("lessons"), ("lessons".into(), ".".into(), true));
        assert_eq!(found("lessons/old/a.md"), ("lessons/old".into(), "a.md".into(), false));
        assert_eq!(found("lessonsplan.md"), (".".into(), "lessonsplan.md".into(), false));
        assert_eq!(locate(&granted(&[("lessons/", true)]), "classes/3B.md"), None);
        let place = locate(&granted(&[("./lessons/", true)]), "lessons/a.md").unwrap();
        assert_eq!(place.directory, "./lessons/");
    }
}
