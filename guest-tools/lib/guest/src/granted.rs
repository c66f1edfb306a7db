//! From a path below the workspace to the granted directory that it lies in.

use crate::workspace::Granted;

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
