//! A run under a condition: what is asked of the runtime, and everything that it rests on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ta_runtime::components::Swap;
use ta_runtime::models::{self, Asked};
use ta_runtime::plugin::{self, Plugin};
use ta_runtime::surface::{ConditionPins, digest};
use ta_runtime::{Host, RunRequest, RuntimeError};

use crate::definition::{Condition, Study, StudyFiles, Task, Who};

/// Directories of a workspace that are looked into, one within the other.
const DEPTH_MAX: usize = 12;

/// A study as its sessions run: the host with the workspace that it began in, its files, what they say.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The host.
    pub host: &'a Host,
    /// The study's files.
    pub files: &'a StudyFiles,
    /// What they say.
    pub study: &'a Study,
}

/// What is asked of the runtime for a task under a condition; none where nobody answers.
///
/// # Errors
/// Where the plugin, its agents or a file of the study are not there, or a component has another digest than it should have.
pub fn request(place: Place<'_>, condition: &Condition, task: &Task) -> Result<Option<RunRequest>, RuntimeError> {
    if condition.who == Who::Nobody {
        return Ok(None);
    }
    let mut swaps = Vec::new();
    for (hook, component) in &condition.components {
        let file = on_disk(place.files, &component.file)?;
        let found = digest(&read(&file)?);
        if found != component.sha256 {
            let message =
                format!("{} has the digest {found}, and the study names {}", file.display(), component.sha256);
            let hint = "put the component in its place that the study was made with, or name this one's digest";
            return Err(RuntimeError::configuration("study.digest", message, hint));
        }
        swaps.push(Swap { hook: hook.clone(), file });
    }
    Ok(Some(RunRequest {
        plugin: place.study.plugin.clone(),
        command: task.command.clone(),
        input: task.request.clone(),
        asked: asked(place.files, condition)?,
        no_memory: !condition.memory,
        single_agent: !condition.subagents,
        no_workspace: !condition.workspace,
        study: true,
        texts: texts(place, condition)?,
        config: condition.config.clone(),
        swaps,
        ..RunRequest::default()
    }))
}

fn asked(files: &StudyFiles, condition: &Condition) -> Result<Asked, RuntimeError> {
    let script = condition.script.as_ref().map(|script| on_disk(files, script)).transpose()?;
    Ok(Asked { provider: condition.provider.clone(), model: condition.model.clone(), script, ..Asked::default() })
}

/// The path of a file of the study that others read from the disk.
fn on_disk(files: &StudyFiles, path: &str) -> Result<PathBuf, RuntimeError> {
    let Some(directory) = &files.directory else {
        let message = format!("`{path}` of a study inside the program cannot be used as a file");
        return Err(RuntimeError::configuration("study.file", message, "write the study out with `study new`"));
    };
    std::path::absolute(directory.join(path)).map_err(|error| unreadable(&directory.join(path), &error))
}

fn read(file: &Path) -> Result<Vec<u8>, RuntimeError> {
    std::fs::read(file).map_err(|error| unreadable(file, &error))
}

fn unreadable(file: &Path, error: &std::io::Error) -> RuntimeError {
    let message = format!("{} cannot be read: {error}", file.display());
    RuntimeError::configuration("study.file", message, "look at the path; it is relative to the study")
}

/// The plugin's texts that are others under a condition.
fn texts(place: Place<'_>, condition: &Condition) -> Result<BTreeMap<String, String>, RuntimeError> {
    let Place { host, files, study } = place;
    let mut texts = BTreeMap::new();
    for (path, file) in &condition.texts {
        texts.insert(path.clone(), String::from_utf8_lossy(&files.bytes(file)?).into_owned());
    }
    let directory = host.config.plugins.as_deref();
    let plugin = plugin::with_texts(directory, &study.plugin, &texts)?;
    for task in &study.tasks {
        let (command, _) = plugin.command(&task.command)?;
        if command.flow.is_some() {
            continue;
        }
        let mut agent = command.agent.clone();
        if let Who::Agent(name) = &condition.who {
            agent.clone_from(&plugin.agent(name)?.name);
            let path = format!("commands/{}.md", command.name);
            let text = text_of(&texts, &plugin, &path)?;
            texts.insert(path, with_field(&text, "agent", name));
        }
        let path = format!("agents/{agent}.md");
        let before = text_of(&texts, &plugin, &path)?;
        let after = differing(&before, condition);
        if after != before {
            texts.insert(path, after);
        }
    }
    // Whether what came about is a plugin without problems.
    plugin::with_texts(directory, &study.plugin, &texts)?;
    Ok(texts)
}

fn text_of(texts: &BTreeMap<String, String>, plugin: &Plugin, path: &str) -> Result<String, RuntimeError> {
    texts.get(path).cloned().map_or_else(|| plugin.files.text(path), Ok)
}

/// An agent's file with the fields in which a condition differs.
fn differing(text: &str, condition: &Condition) -> String {
    let none = Some(Vec::new());
    let workspace = if condition.workspace { &None } else { &none };
    let lists = [
        ("hooks", &condition.hooks),
        ("skills", &condition.skills),
        ("tools", &condition.tools),
        ("workspace", workspace),
    ];
    lists.into_iter().fold(text.to_owned(), |text, (field, list)| match list {
        Some(list) => with_field(&text, field, &format!("[{}]", list.join(", "))),
        None => text,
    })
}

/// A file with this field in its front matter, in the place of the one that is there.
fn with_field(text: &str, field: &str, value: &str) -> String {
    let mut lines = Vec::new();
    let (mut fences, mut within) = (0, false);
    for line in text.lines() {
        if line.trim_end() == "---" && fences < 2 {
            fences += 1;
            within = false;
            if fences == 2 {
                lines.push(format!("{field}: {value}"));
            }
        }
        let own = line.strip_prefix(field).is_some_and(|rest| rest.trim_start().starts_with(':'));
        if fences == 1 && own {
            within = true;
            continue;
        }
        // What a list or a long value goes on with is indented, or begins with a dash.
        if within && (line.starts_with([' ', '\t', '-']) && line.trim_end() != "---") {
            continue;
        }
        within = false;
        lines.push(line.to_owned());
    }
    lines.join("\n") + "\n"
}

/// Everything that a condition rests on, as it is now.
///
/// # Errors
/// As [`request`], and where the workspace cannot be read.
pub fn pins(place: Place<'_>, condition: &Condition) -> Result<ConditionPins, RuntimeError> {
    let Place { host, files, study } = place;
    let mut pins = ConditionPins::default();
    if condition.workspace {
        for (path, sha256) in workspace(&host.config.workspace)? {
            pins.sha256.insert(format!("workspace {path}"), sha256);
        }
    }
    if condition.who == Who::Nobody {
        return Ok(pins);
    }
    if let Some(operator) = host.operator_file() {
        pins.sha256.insert("file teacher-assist.toml".to_owned(), digest(&read(&operator)?));
    }
    if let Some(script) = &condition.script {
        pins.sha256.insert(format!("file {script}"), digest(&read(&on_disk(files, script)?)?));
    }
    let plugin = plugin::with_texts(host.config.plugins.as_deref(), &study.plugin, &texts(place, condition)?)?;
    let kept: BTreeMap<String, String> = serde_json::from_slice(&plugin.files.to_keep()?).unwrap_or_default();
    for (path, text) in kept {
        pins.sha256.insert(format!("text {path}"), digest(text.as_bytes()));
    }
    for (name, entry) in plugin.manifest.components() {
        let bytes = match condition.components.get(name) {
            Some(component) => read(&on_disk(files, &component.file)?)?,
            None => plugin.files.bytes(&entry.component)?,
        };
        pins.sha256.insert(format!("component {name}"), digest(&bytes));
    }
    for (name, component) in &condition.components {
        if !plugin.manifest.hooks.contains_key(name) {
            let known: Vec<&str> = plugin.manifest.hooks.keys().map(String::as_str).collect();
            let message = format!("the plugin `{}` has no hook `{name}`", study.plugin);
            let hint = format!("its hooks are: {}; mend the place of {}", known.join(", "), component.file);
            return Err(RuntimeError::configuration("hook.unknown", message, hint));
        }
    }
    for task in &study.tasks {
        let (_, agent) = plugin.command(&task.command)?;
        let chosen = models::choose(host, &plugin, &agent, &asked(files, condition)?)?;
        (pins.provider, pins.model) = (chosen.provider, chosen.model);
    }
    Ok(pins)
}

/// The digest of each file of a workspace, by its path.
fn workspace(directory: &Path) -> Result<BTreeMap<String, String>, RuntimeError> {
    let mut found = BTreeMap::new();
    for path in files_below(directory)? {
        let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
        found.insert(name, digest(&read(&path)?));
    }
    Ok(found)
}

/// Every file below a directory that is not hidden, sorted.
pub(crate) fn files_below(directory: &Path) -> Result<Vec<PathBuf>, RuntimeError> {
    let mut to_look = vec![(directory.to_path_buf(), 0)];
    let mut found = Vec::new();
    while let Some((directory, depth)) = to_look.pop() {
        for entry in std::fs::read_dir(&directory).map_err(|error| unreadable(&directory, &error))? {
            let entry = entry.map_err(|error| unreadable(&directory, &error))?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type() {
                Ok(_) if hidden => {}
                Ok(kind) if kind.is_dir() && depth < DEPTH_MAX => to_look.push((entry.path(), depth + 1)),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// In what two sets of pins differ, in sentences.
#[must_use]
pub fn differences(then: &ConditionPins, now: &ConditionPins) -> Vec<String> {
    let mut changes = Vec::new();
    for (what, sha256) in &then.sha256 {
        match now.sha256.get(what) {
            None => changes.push(format!("{what} is gone")),
            Some(found) if found != sha256 => {
                changes.push(format!("{what} was {} and is {}", short(sha256), short(found)));
            }
            Some(_) => {}
        }
    }
    changes
        .extend(now.sha256.keys().filter(|what| !then.sha256.contains_key(*what)).map(|what| format!("{what} is new")));
    let named = |pins: &ConditionPins| format!("{} of {}", pins.model, pins.provider);
    if (&then.provider, &then.model) != (&now.provider, &now.model) {
        changes.push(format!("the model was {} and is {}", named(then), named(now)));
    }
    changes
}

/// The beginning of a digest, as people compare them.
fn short(sha256: &str) -> &str {
    sha256.get(..12).unwrap_or(sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_takes_the_place_of_the_one_that_is_there() {
        let text = "---\nname: x\nhooks:\n  - a\n- b\nskills: [c,\n  d]\n---\nhooks: in the text\n";
        let text = with_field(text, "hooks", "[z]");
        assert_eq!(text, "---\nname: x\nskills: [c,\n  d]\nhooks: [z]\n---\nhooks: in the text\n");
        assert_eq!(
            with_field(&text, "skills", "[]"),
            "---\nname: x\nhooks: [z]\nskills: []\n---\nhooks: in the text\n"
        );
    }

    #[test]
    fn what_differs_is_named() {
        let of = |pairs: &[(&str, &str)], model: &str| ConditionPins {
            sha256: pairs.iter().map(|(what, sha256)| ((*what).to_owned(), (*sha256).to_owned())).collect(),
            provider: "script".to_owned(),
            model: model.to_owned(),
        };
        let then = of(&[("text a", "1"), ("text b", "2")], "m");
        assert!(differences(&then, &then).is_empty());
        let now = of(&[("text a", "3"), ("text c", "2")], "n");
        let said = differences(&then, &now);
        assert_eq!(
            said,
            [
                "text a was 1 and is 3",
                "text b is gone",
                "text c is new",
                "the model was m of script and is n of script"
            ]
        );
    }
}
