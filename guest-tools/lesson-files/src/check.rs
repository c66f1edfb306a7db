//! What is wrong with files of the workspace: profiles of classes and curriculum files. Of any other there is nothing to say.

mod class;
mod curriculum;

use serde::Deserialize;

use ta_fields::problem::Problem;

pub(crate) use class::LEVELS;

/// A file: its path below the workspace and its text.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every problem of these files, in their order.
pub(crate) fn files(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for File { path, text } in files {
        let (directory, name) = path.rsplit_once('/').unwrap_or((".", path));
        match (directory, name.strip_suffix(".md")) {
            ("classes", Some(class)) => class::profile(path, class, text, &mut problems),
            ("curriculum", Some(_)) => curriculum::file(path, text, &mut problems),
            _ => {}
        }
    }
    problems
}
