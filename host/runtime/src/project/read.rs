//! The files of a project, read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ta_core::project::config::{Config, config};
use ta_core::project::definitions::{ProjectAgent, ProjectSkill, agent, skill};
use ta_core::project::signals::{SignalEntry, signals};
use ta_fields::problem::Problem;

use super::{DIRECTORY, Found, PROJECT_FILE, shown};

/// Bytes of one file at the most.
const FILE_BYTES_MAX: u64 = 256 * 1024;
/// Files of one directory at the most.
const FILES_MAX: usize = 500;

/// What a project's own files say.
#[derive(Debug, Clone, Default)]
pub(super) struct Own {
    pub(super) layers: Vec<Config>,
    pub(super) agents: BTreeMap<String, ProjectAgent>,
    /// Skills, each with what is wrong with it and its text.
    pub(super) skills: Vec<ReadSkill>,
    pub(super) signals: Vec<SignalEntry>,
}

/// A skill as it was read, with what is wrong with it.
#[derive(Debug, Clone)]
pub(super) struct ReadSkill {
    pub(super) skill: Option<ProjectSkill>,
    pub(super) file: String,
    pub(super) problems: Vec<Problem>,
}

pub(super) fn read(directory: &Path, found: &mut Found) -> Own {
    let problems = &mut found.problems;
    let mut own = Own::default();
    for path in [directory.join(PROJECT_FILE), directory.join(DIRECTORY).join("config.yaml")] {
        if !path.exists() {
            own.layers.push(Config::default());
            continue;
        }
        let name = shown(directory, &path);
        let read = text(&path, &name, problems).map(|text| config(&name, &text, problems));
        own.layers.push(read.unwrap_or_default());
    }
    let below = |name: &str, suffix: &str, problems: &mut Vec<Problem>| {
        files(&directory.join(DIRECTORY).join(name), suffix, directory, problems)
    };
    for path in below("agents", ".md", problems) {
        let name = shown(directory, &path);
        let Some(text) = text(&path, &name, problems) else { continue };
        let Some(agent) = agent(&name, &stem(&path), &text, problems) else { continue };
        if let Some(other) = own.agents.get(&agent.id) {
            problems.push(twice("agent", &agent.id, &other.file, &name));
            continue;
        }
        own.agents.insert(agent.id.clone(), agent);
    }
    for path in below("skills", ".md", problems) {
        let name = shown(directory, &path);
        let mut wrong = Vec::new();
        let read = text(&path, &name, &mut wrong).and_then(|text| skill(&name, &stem(&path), &text, &mut wrong));
        own.skills.push(ReadSkill { skill: read, file: name, problems: wrong });
    }
    for path in below("signals", ".yaml", problems) {
        let name = shown(directory, &path);
        let read = text(&path, &name, problems).map(|text| signals(&name, &text, problems));
        own.signals.extend(read.unwrap_or_default());
    }
    own
}

/// The skills that can be used. What is wrong with the others stops everything, or is said and left out.
pub(super) fn sound(skills: Vec<ReadSkill>, permissive: bool, found: &mut Found) -> BTreeMap<String, ProjectSkill> {
    let mut sound: BTreeMap<String, ProjectSkill> = BTreeMap::new();
    for ReadSkill { skill, file, problems } in skills {
        if !problems.is_empty() {
            let told = if permissive { &mut found.warnings } else { &mut found.problems };
            told.extend(problems);
            continue;
        }
        let Some(skill) = skill else { continue };
        match sound.get(&skill.name) {
            Some(other) => found.problems.push(twice("skill", &skill.name, &other.file, &file)),
            None => drop(sound.insert(skill.name.clone(), skill)),
        }
    }
    sound
}

fn twice(what: &str, name: &str, one: &str, other: &str) -> Problem {
    let message = format!("there are two of the {what} `{name}`: the other is {one}");
    Problem::new(&format!("{what}.twice"), other, message, "rename one of them, or remove it")
}

/// A skill may have a directory of its own, `review/SKILL.md`; its name is then that of the directory.
fn stem(path: &Path) -> String {
    let named = |path: &Path| path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    match path.parent() {
        Some(parent) if path.ends_with("SKILL.md") => named(parent),
        _ => named(path),
    }
}

/// The files of a directory and of the directories in it that end so, sorted. Links are not followed.
fn files(directory: &Path, suffix: &str, project: &Path, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![(directory.to_path_buf(), 0)];
    while let Some((directory, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            let fits = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(suffix));
            if kind.is_symlink() && fits {
                let message = "this is a link, and links are not followed here";
                let remedy = "put the file itself here";
                problems.push(Problem::new("file.link", &shown(project, &path), message, remedy));
            } else if kind.is_dir() && depth < 1 {
                open.push((path, depth + 1));
            } else if kind.is_file() && fits {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.len() > FILES_MAX {
        let message = format!("there are {} files; at most {FILES_MAX} are read", found.len());
        problems.push(Problem::new("file.too_many", &shown(project, directory), message, "remove what is not used"));
        found.truncate(FILES_MAX);
    }
    found
}

fn text(path: &Path, name: &str, problems: &mut Vec<Problem>) -> Option<String> {
    let large = std::fs::metadata(path).is_ok_and(|about| about.len() > FILE_BYTES_MAX);
    let (why, remedy) = match std::fs::read(path) {
        _ if large => (format!("the file is larger than {FILE_BYTES_MAX} bytes"), "shorten it"),
        Err(error) => (format!("the file cannot be read: {error}"), "look at its rights"),
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => return Some(text),
            Err(_) => ("the file is no UTF-8 text".to_owned(), "save it as UTF-8"),
        },
    };
    problems.push(Problem::new("file.unreadable", name, why, remedy));
    None
}
