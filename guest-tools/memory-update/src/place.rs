//! Which file a working note belongs into.

use ta_guest::tool::Failure;

use crate::invalid;

/// Where working notes go when no topic file is named.
const WORKING_NOTES: &str = "working-notes.md";

/// The entry point of a scope, as it may not be named here.
const ENTRY_POINT: &str = "memory.md";

/// Longest class or file name, in characters.
const NAME_CHARS_MAX: usize = 64;

/// The virtual path of a file: `teacher` and `timing.md` give `memory/timing.md`, `3B` and nothing give
/// `memory/classes/3B/working-notes.md`. A whole path in `file` says its scope itself.
///
/// # Errors
/// A scope or a file that is missing, contradictory, no plain name, or an entry point.
pub(crate) fn path(scope: Option<&str>, file: Option<&str>) -> Result<String, Failure> {
    let file = file.map(str::trim).filter(|file| !file.is_empty()).unwrap_or(WORKING_NOTES);
    let file = file.trim_start_matches("./");
    let scope = scope.map(str::trim).filter(|scope| !scope.is_empty());
    let named = scope.map(directory).transpose()?;
    let (directory, name) = match (file.starts_with("memory/"), named) {
        (true, named) => {
            let (at, name) = whole(file)?;
            if named.is_some_and(|named| named != at) {
                return Err(invalid(
                    "file",
                    &format!("{file} lies in another scope; leave out `scope` or the directory"),
                ));
            }
            (at, name)
        }
        (false, Some(named)) => (named, file),
        (false, None) => {
            return Err(invalid("scope", "say whom it is about: `teacher`, or a class such as `3B`"));
        }
    };
    if name.to_lowercase() == ENTRY_POINT {
        return Err(Failure::new(
            "protected",
            "MEMORY.md is an entry point: it is written by the teacher's confirmation. Leave out `file`: the note goes to \
             the working notes, and working notes are promoted when they prove themselves.",
        ));
    }
    let stem = name.strip_suffix(".md").filter(|stem| plain(stem));
    match stem {
        Some(_) => Ok(format!("{directory}/{name}")),
        None => Err(invalid("file", "expected a plain file name that ends in .md, such as `lessons.md`")),
    }
}

/// The directory of a scope.
fn directory(scope: &str) -> Result<String, Failure> {
    match scope {
        _ if scope.eq_ignore_ascii_case("teacher") => Ok("memory".into()),
        _ if plain(scope) => Ok(format!("memory/classes/{scope}")),
        _ => Err(invalid("scope", "expected `teacher`, or a class such as `3B`: letters, digits, `-` and `_`")),
    }
}

/// A whole path, as directory and name.
fn whole(file: &str) -> Result<(String, &str), Failure> {
    let parts: Vec<&str> = file.split('/').collect();
    match parts.as_slice() {
        [_, name] => Ok(("memory".into(), name)),
        [_, "classes", class, name] if plain(class) => Ok((format!("memory/classes/{class}"), name)),
        _ => Err(invalid("file", "expected memory/<file>.md or memory/classes/<class>/<file>.md")),
    }
}

fn plain(name: &str) -> bool {
    let sound = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX && name.chars().all(sound)
}
