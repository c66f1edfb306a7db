//! The workspace's files, checked: what a run needs before it begins, and everything for `validate`.

use ta_core::class_profile::class_profile;
use ta_core::curriculum::curriculum_file;
use ta_core::files::{FileEntry, Files, WorkspaceErrorCode};
use ta_core::front_matter::markdown;
use ta_core::hook::Subject;
use ta_core::problem::Problem;

use crate::error::RuntimeError;

/// The kind of subject whose files are profiles.
const KIND: &str = "class";
/// Directories whose files are read by name.
const DIRECTORIES: [&str; 3] = [".", "classes", "curriculum"];

/// Refuses to begin on files that would be misread in silence: a class whose needs cannot be read, front matter that
/// does not end. A field too many or too few is no reason.
///
/// # Errors
/// All such problems at once.
pub fn before_a_run(workspace: &dyn Files, subject: Option<&Subject>) -> Result<(), RuntimeError> {
    let mut problems = Vec::new();
    if let Some(class) = subject.filter(|it| it.kind == KIND).map(|it| it.id.as_str()) {
        let path = format!("classes/{class}.md");
        if let Some(text) = text_of(workspace, &path, &mut problems) {
            let mut found = Vec::new();
            class_profile(&path, class, &text, &mut found);
            problems
                .extend(found.into_iter().filter(|it| !matches!(it.code.as_str(), "field.unknown" | "field.missing")));
        }
    }
    for directory in [".", "curriculum"] {
        for path in markdown_files(workspace, directory) {
            let text = text_of(workspace, &path, &mut problems);
            problems.extend(text.and_then(|text| markdown(&path, &text).err()));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(RuntimeError::problems("the workspace", problems)) }
}

fn markdown_files(workspace: &dyn Files, directory: &str) -> Vec<String> {
    let entries = workspace.entries(directory).unwrap_or_default();
    let files = entries.into_iter().filter(|entry| entry.file && entry.name.ends_with(".md"));
    files.map(|entry| path_of(directory, &entry.name)).collect()
}

fn path_of(directory: &str, name: &str) -> String {
    if directory == "." { name.to_owned() } else { format!("{directory}/{name}") }
}

fn text_of(workspace: &dyn Files, path: &str, problems: &mut Vec<Problem>) -> Option<String> {
    match workspace.read(path) {
        Ok((text, _)) => Some(text),
        Err(error) => {
            let remedy = "save it as UTF-8 text of at most 1 MiB, as a regular file with one name";
            problems.push(Problem::new(error.code.name(), path, error.message, remedy));
            None
        }
    }
}

/// Checks every file; answers with how many there were.
pub fn everything(workspace: &dyn Files, problems: &mut Vec<Problem>) -> usize {
    let mut files = 0;
    for directory in DIRECTORIES {
        let entries = match workspace.entries(directory) {
            Ok(entries) => entries,
            Err(error) => {
                let missing = error.code == WorkspaceErrorCode::NotFound;
                let remedy =
                    if missing { "make the directory and put the files there" } else { "look at the directory" };
                problems.push(Problem::new(error.code.name(), directory, error.message, remedy));
                continue;
            }
        };
        for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
            let path = path_of(directory, &entry.name);
            if entry.file && entry.name.ends_with(".md") {
                files += 1;
                let text = text_of(workspace, &path, problems);
                text.into_iter().for_each(|text| file(directory, &path, &entry.name, &text, problems));
            } else {
                problems.extend(passed_over(directory, entry, &path));
            }
        }
    }
    files
}

/// Checks the text of one file as `everything` would, whether or not it is written yet.
#[must_use]
pub fn one(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (directory, name) = path.rsplit_once('/').unwrap_or((".", path));
    if name.ends_with(".md") {
        file(directory, path, name, text, &mut problems);
    }
    problems
}

/// What nobody reads, though somebody may think so.
fn passed_over(directory: &str, entry: &FileEntry, path: &str) -> Option<Problem> {
    let problem = |message: &str, remedy: &str| Some(Problem::new("workspace.not_read", path, message, remedy));
    if !entry.file && !entry.directory {
        return problem("it is a link or a special file and is not read", "put a regular file in its place");
    }
    if directory != "." && entry.directory {
        return problem("files in a directory below this one are not read", "move them up");
    }
    if directory != "." && entry.file && entry.name.to_lowercase().ends_with(".md") {
        return problem("its name does not end in `.md` and it is not read", "rename it");
    }
    None
}

fn file(directory: &str, path: &str, name: &str, text: &str, problems: &mut Vec<Problem>) {
    match directory {
        "classes" => {
            class_profile(path, name.trim_end_matches(".md"), text, problems);
        }
        "curriculum" => curriculum_file(path, text, problems),
        _ => problems.extend(markdown(path, text).err()),
    }
}
