//! What every implementation of [`Files`] must do, as a suite that runs against any of them. Links are not in it: only those who
//! have links can be tried with them.

use std::sync::Barrier;

use super::{Applied, FILE_BYTES_MAX, Files, WorkspaceErrorCode};

/// What is not as it must be, in a sentence; nothing where all is well.
pub type Outcome = Result<(), String>;

/// Paths that lead out, or that some system or person may take for another.
const OUTSIDE: [&str; 16] = [
    "../x",
    "a/../x",
    "a/..",
    "/etc/passwd",
    "C:\\x",
    "C:/x",
    "file:stream",
    "a\0b",
    "a/",
    "a//b",
    "a/./b",
    "a\\b",
    "\u{FF0E}\u{FF0E}/x",
    "a\u{202E}b",
    "a.",
    " a",
];

/// Paths of the host's own files.
const PROTECTED: [&str; 5] =
    [".git/config", "a/.env", "Plugin.TOML", "x/teacher-assist.toml", ".teacher-assist/journal.db"];

/// How many write the same name at once.
const WRITERS: usize = 8;

/// Tries all of it, each case on files of its own that `make` makes.
///
/// # Errors
/// With the first case that fails.
pub fn check<F: Files>(make: &dyn Fn() -> F) -> Outcome {
    what_is_put_is_there(&make())?;
    only_what_was_looked_at_is_replaced(&make())?;
    names_are_given_once(&make())?;
    only_what_was_looked_at_is_removed(&make())?;
    paths_that_lead_out_are_refused(&make())?;
    the_hosts_files_are_not_written(&make())?;
    kinds_and_sizes_are_told_apart(&make())
}

fn same<T: PartialEq + std::fmt::Debug>(case: &str, found: &T, wanted: &T) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{case}: {found:?} and not {wanted:?}")) }
}

fn refused<T: std::fmt::Debug>(case: &str, found: super::Result<T>, wanted: WorkspaceErrorCode) -> Outcome {
    same(case, &found.map(|it| format!("{it:?}")).map_err(|error| error.code), &Err(wanted))
}

fn fine<T>(case: &str, found: super::Result<T>) -> Result<T, String> {
    found.map_err(|error| format!("{case}: {error}"))
}

fn what_is_put_is_there(files: &dyn Files) -> Outcome {
    same("a new file", &fine("a new file", files.create("a/b/c.md", b"one"))?, &Applied::Written)?;
    same("its text", &fine("reading", files.read("a/b/c.md"))?.0, &"one".to_owned())?;
    same("its text by another spelling", &fine("reading", files.bytes("./a/b/c.md"))?, &b"one".to_vec())?;
    fine("another", files.create("a/z.md", b"second"))?;
    let entries = fine("listing", files.entries("a"))?;
    let entries: Vec<(&str, bool, u64)> =
        entries.iter().map(|entry| (entry.name.as_str(), entry.directory, entry.size)).collect();
    same("entries, sorted", &entries, &vec![("b", true, 0), ("z.md", false, 6)])?;
    let root = fine("listing the root", files.entries("."))?;
    same("entries of the root", &root.iter().map(|it| it.name.clone()).collect(), &vec!["a".to_owned()])?;
    same("no file", &fine("a digest", files.digest("a/none.md"))?, &None)
}

fn only_what_was_looked_at_is_replaced(files: &dyn Files) -> Outcome {
    same("where nothing was", &fine("apply", files.apply("a.md", None, b"one"))?, &Applied::Written)?;
    let one = fine("a digest", files.digest("a.md"))?;
    same("once more", &fine("apply", files.apply("a.md", None, b"one"))?, &Applied::AlreadyThere)?;
    same("where something is", &fine("apply", files.apply("a.md", None, b"two"))?, &Applied::Conflict)?;
    same("the one looked at", &fine("apply", files.apply("a.md", one.as_deref(), b"two"))?, &Applied::Written)?;
    same("one that is gone", &fine("apply", files.apply("a.md", one.as_deref(), b"six"))?, &Applied::Conflict)?;
    same("the text", &fine("reading", files.bytes("a.md"))?, &b"two".to_vec())
}

fn names_are_given_once(files: &dyn Files) -> Outcome {
    let barrier = Barrier::new(WRITERS);
    let made: Vec<super::Result<Applied>> = std::thread::scope(|scope| {
        let start = |number: usize| {
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                files.create("same.md", number.to_string().as_bytes())
            })
        };
        let threads: Vec<_> = (0..WRITERS).map(start).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let written = made.iter().filter(|it| **it == Ok(Applied::Written)).count();
    let told = made.iter().filter(|it| **it == Ok(Applied::Conflict)).count();
    same("one name, many writers", &(written, told), &(1, WRITERS - 1))
}

fn only_what_was_looked_at_is_removed(files: &dyn Files) -> Outcome {
    fine("a file", files.create("a/b.md", b"one"))?;
    let digest = fine("a digest", files.digest("a/b.md"))?.unwrap_or_default();
    same("another's text", &fine("remove", files.remove("a/b.md", &"0".repeat(64)))?, &Applied::Conflict)?;
    same("removed", &fine("remove", files.remove("a/b.md", &digest))?, &Applied::Written)?;
    same("once more", &fine("remove", files.remove("a/b.md", &digest))?, &Applied::AlreadyThere)?;
    refused("what is gone", files.bytes("a/b.md"), WorkspaceErrorCode::NotFound)
}

fn paths_that_lead_out_are_refused(files: &dyn Files) -> Outcome {
    let long = "a".repeat(5_000);
    for path in OUTSIDE.into_iter().chain([long.as_str()]) {
        refused(path, files.bytes(path), WorkspaceErrorCode::Outside)?;
        refused(path, files.entries(path), WorkspaceErrorCode::Outside)?;
        refused(path, files.apply(path, None, b"x"), WorkspaceErrorCode::Outside)?;
        refused(path, files.create(path, b"x"), WorkspaceErrorCode::Outside)?;
        refused(path, files.remove(path, ""), WorkspaceErrorCode::Outside)?;
        same(path, &files.changed_ms(path), &None)?;
    }
    Ok(())
}

fn the_hosts_files_are_not_written(files: &dyn Files) -> Outcome {
    for path in PROTECTED {
        refused(path, files.apply(path, None, b"x"), WorkspaceErrorCode::Protected)?;
        refused(path, files.create(path, b"x"), WorkspaceErrorCode::Protected)?;
        refused(path, files.remove(path, ""), WorkspaceErrorCode::Protected)?;
        refused(path, files.bytes(path), WorkspaceErrorCode::NotFound)?;
    }
    Ok(())
}

fn kinds_and_sizes_are_told_apart(files: &dyn Files) -> Outcome {
    fine("a file", files.create("a/b.md", b"one"))?;
    refused("the root as a file", files.bytes("."), WorkspaceErrorCode::WrongKind)?;
    refused("a directory as a file", files.bytes("a"), WorkspaceErrorCode::WrongKind)?;
    refused("a file as a directory", files.entries("a/b.md"), WorkspaceErrorCode::WrongKind)?;
    refused("below a file", files.create("a/b.md/c.md", b"x"), WorkspaceErrorCode::WrongKind)?;
    refused("the root written", files.create(".", b"x"), WorkspaceErrorCode::WrongKind)?;
    refused("no directory", files.entries("none"), WorkspaceErrorCode::NotFound)?;
    fine("bytes", files.create("bytes", &[0xFF, 0xFE]))?;
    refused("bytes as a text", files.read("bytes"), WorkspaceErrorCode::NotText)?;
    let size = usize::try_from(FILE_BYTES_MAX).unwrap_or(usize::MAX);
    fine("the largest file", files.create("large", &vec![b'x'; size]))?;
    same("its size", &fine("reading", files.bytes("large"))?.len(), &size)?;
    fine("one that is larger", files.create("larger", &vec![b'x'; size + 1]))?;
    refused("a file that is too large", files.bytes("larger"), WorkspaceErrorCode::TooLarge)
}
