//! The workspace's files, checked: what a run needs before it begins, and everything for `validate`.
//!
//! That front matter can be read is looked at here. What a file must say is for the plugins that know of it: each declares under
//! `[files]` which directories it reads, and the action that says what is wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use ta_core::files::{FileEntry, Files, WorkspaceErrorCode};
use ta_core::hook::Subject;
use ta_fields::front_matter::markdown;
use ta_fields::problem::Problem;

use crate::actions;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::plugin::{self, Plugin};

/// The workspace itself, whose files are always read by name.
const ROOT: &str = ".";
/// Texts that an action is told at once, in bytes and in number.
const BYTES_AT_ONCE: usize = 2 * 1024 * 1024;
const FILES_AT_ONCE: usize = 200;
/// A field too many or too few is no reason not to begin.
const HARMLESS: [&str; 2] = ["field.unknown", "field.missing"];

/// A file whose front matter can be read.
struct Sound {
    directory: String,
    path: String,
    text: String,
}

/// Refuses to begin on files that would be misread in silence: what the run is about, if the plugin finds it wrong, and front
/// matter that cannot be read in the files that the plugin reads. Files of other subjects are no reason.
///
/// # Errors
/// All such problems at once; those of the plugin's action.
pub async fn before_a_run(
    host: &Host,
    plugin: &Plugin,
    workspace: &dyn Files,
    subject: Option<&Subject>,
) -> Result<(), RuntimeError> {
    let mut problems = Vec::new();
    let kinds = &plugin.manifest.subjects;
    if let Some((rules, subject)) = subject.and_then(|it| Some((kinds.get(&it.kind)?, it))) {
        let path = rules.path(&subject.id);
        let file = sound(workspace, rules.directory(), path, &mut problems);
        let found = of_plugin(host, plugin, file.iter().collect()).await?;
        problems.extend(found.into_iter().filter(|it| !HARMLESS.contains(&it.code.as_str())));
    }
    let of_subjects = |directory: &&str| kinds.values().any(|rules| rules.directory() == *directory);
    for directory in directories(std::slice::from_ref(plugin)).into_iter().filter(|it| *it == ROOT || !of_subjects(it))
    {
        for path in markdown_files(workspace, directory) {
            sound(workspace, directory, path, &mut problems);
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(RuntimeError::problems("the workspace", problems)) }
}

/// The directories whose files somebody reads by name, the workspace itself first.
fn directories(plugins: &[Plugin]) -> Vec<&str> {
    let mut all = vec![ROOT];
    for directory in plugins.iter().flat_map(|plugin| &plugin.manifest.files.directories) {
        if !all.contains(&directory.as_str()) {
            all.push(directory);
        }
    }
    all
}

fn markdown_files(workspace: &dyn Files, directory: &str) -> Vec<String> {
    let entries = workspace.entries(directory).unwrap_or_default();
    let files = entries.into_iter().filter(|entry| entry.file && entry.name.ends_with(".md"));
    files.map(|entry| path_of(directory, &entry.name)).collect()
}

fn path_of(directory: &str, name: &str) -> String {
    if directory == ROOT { name.to_owned() } else { format!("{directory}/{name}") }
}

/// A file that can be read, and its front matter too.
fn sound(workspace: &dyn Files, directory: &str, path: String, problems: &mut Vec<Problem>) -> Option<Sound> {
    let text = match workspace.read(&path) {
        Ok((text, _)) => text,
        Err(error) => {
            let remedy = "save it as UTF-8 text of at most 1 MiB, as a regular file with one name";
            problems.push(Problem::new(error.code.name(), &path, error.message, remedy));
            return None;
        }
    };
    match markdown(&path, &text) {
        Ok(_) => Some(Sound { directory: directory.to_owned(), path, text }),
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

/// What a plugin finds wrong with those of these files that it reads, in their order.
///
/// # Errors
/// `action.unknown` where its manifest names an action that it does not have; those of the action.
async fn of_plugin(host: &Host, plugin: &Plugin, files: Vec<&Sound>) -> Result<Vec<Problem>, RuntimeError> {
    let rules = &plugin.manifest.files;
    let files: Vec<&Sound> = files.into_iter().filter(|it| rules.reads(&it.directory)).collect();
    let Some(check) = rules.check.as_deref().filter(|_| !files.is_empty()) else { return Ok(Vec::new()) };
    let action = actions::named(host, plugin, check).await?;
    let mut problems = Vec::new();
    let mut rest = files.as_slice();
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = |it: &&&Sound| {
            bytes += it.text.len();
            bytes <= BYTES_AT_ONCE
        };
        let (now, later) = rest.split_at(rest.iter().take(FILES_AT_ONCE).take_while(fits).count().max(1));
        rest = later;
        let told: Vec<Value> = now.iter().map(|it| json!({ "path": it.path, "text": it.text })).collect();
        let mut done = action.call(host, "the workspace", None, &json!({ "files": told })).await?;
        let found = done.result.get_mut("problems").map(Value::take).unwrap_or_default();
        let found: Vec<Problem> = serde_json::from_value(found).map_err(|error| {
            let message = format!("`{check}` answers with something that is no list of problems: {error}");
            RuntimeError::configuration("action.failed", message, "mend the component")
        })?;
        problems.extend(found);
    }
    Ok(problems)
}

/// What the plugins find wrong with these files; where one cannot say, why.
async fn of_all(host: &Host, plugins: &[Plugin], files: &[Sound]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for plugin in plugins {
        match of_plugin(host, plugin, files.iter().collect()).await {
            Ok(found) => problems.extend(found),
            Err(error) => {
                let file = plugin.files.shown("plugin.toml");
                problems.push(Problem::new(&error.code, &file, error.message, error.hint).field("files.check"));
            }
        }
    }
    problems
}

/// Checks every file that a plugin reads by its name; answers with how many there were.
pub async fn everything(
    host: &Host,
    plugins: &[Plugin],
    workspace: &Arc<dyn Files>,
    problems: &mut Vec<Problem>,
) -> usize {
    let (mut found, mut files) = (Vec::new(), Vec::new());
    let mut count = 0;
    // Where each file stands among all: problems are told file by file.
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for directory in directories(plugins) {
        places.insert(directory.to_owned(), places.len());
        let entries = match workspace.entries(directory) {
            Ok(entries) => entries,
            Err(error) => {
                let missing = error.code == WorkspaceErrorCode::NotFound;
                let remedy =
                    if missing { "make the directory and put the files there" } else { "look at the directory" };
                found.push(Problem::new(error.code.name(), directory, error.message, remedy));
                continue;
            }
        };
        for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
            let path = path_of(directory, &entry.name);
            places.insert(path.clone(), places.len());
            if entry.file && entry.name.ends_with(".md") {
                count += 1;
                files.extend(sound(&**workspace, directory, path, &mut found));
            } else {
                found.extend(passed_over(directory, entry, &path));
            }
        }
    }
    found.extend(of_all(host, plugins, &files).await);
    found.sort_by_key(|problem| places.get(&problem.file).copied().unwrap_or(usize::MAX));
    problems.extend(found);
    count
}

/// Checks the text of one file as `everything` would, whether or not it is written yet.
///
/// # Errors
/// Where plugins cannot be read.
pub async fn one(host: &Host, path: &str, text: &str) -> Result<Vec<Problem>, RuntimeError> {
    let (directory, name) = path.rsplit_once('/').unwrap_or((ROOT, path));
    if !name.ends_with(".md") {
        return Ok(Vec::new());
    }
    if let Err(problem) = markdown(path, text) {
        return Ok(vec![problem]);
    }
    let plugins = plugin::declared(host.config.plugins.as_deref())?;
    let file = Sound { directory: directory.to_owned(), path: path.to_owned(), text: text.to_owned() };
    Ok(of_all(host, &plugins, &[file]).await)
}

/// What nobody reads, though somebody may think so.
fn passed_over(directory: &str, entry: &FileEntry, path: &str) -> Option<Problem> {
    let problem = |message: &str, remedy: &str| Some(Problem::new("workspace.not_read", path, message, remedy));
    if !entry.file && !entry.directory {
        return problem("it is a link or a special file and is not read", "put a regular file in its place");
    }
    if directory != ROOT && entry.directory {
        return problem("files in a directory below this one are not read", "move them up");
    }
    if directory != ROOT && entry.file && entry.name.to_lowercase().ends_with(".md") {
        return problem("its name does not end in `.md` and it is not read", "rename it");
    }
    None
}
