//! `guest add`: a component put into a plugin, pinned, with its points and capabilities written into the manifest.

use std::path::{Path, PathBuf};

use serde::Serialize;
use ta_runtime::files::PluginFiles;
use ta_runtime::inspect::{self, Report};
use ta_runtime::surface::{ComponentEntry, read_manifest};
use ta_runtime::{Host, RuntimeError};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, value};

use crate::files;
use crate::project::{FILE, Project, Role, check_name, without_places};

const MANIFEST: &str = "plugin.toml";

/// What is to be put where.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The component's file.
    pub component: &'a Path,
    /// The plugin.
    pub plugin: &'a str,
    /// The name in the plugin; without one that of the guest, or of the file.
    pub name: Option<&'a str>,
}

/// What was put where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Added {
    /// `plugin:name`.
    pub component: String,
    /// The component's file in the plugin.
    pub file: PathBuf,
    /// The manifest that names it.
    pub manifest: PathBuf,
    /// SHA-256 of its bytes, which the manifest pins.
    pub sha256: String,
    /// The digest that was pinned before, where it takes the place of another.
    pub replaced: Option<String>,
    /// The directory that the plugin was copied to, where it had been inside the binary only.
    pub copied: Option<PathBuf>,
    /// Points at which it runs, and `tool`.
    pub runs_at: Vec<String>,
    /// What the manifest asks for.
    pub capabilities: Vec<String>,
    /// What the operator has yet to write into `teacher-assist.toml`; none where everything is granted.
    pub grant: Option<String>,
    /// What to do next, in words.
    pub next: String,
}

/// Puts a component into a plugin.
///
/// # Errors
/// A component that is none of a hook or tool, a plugin that there is not, a manifest that would have problems. Then nothing
/// was changed.
pub fn add(host: &Host, wanted: Wanted<'_>) -> Result<Added, RuntimeError> {
    let report = inspect::inspect(host, &wanted.component.to_string_lossy())?;
    let (name, role, table) = described(&wanted, &report)?;
    let directory = host.config.plugins.clone().unwrap_or_else(|| PathBuf::from("plugins"));
    let plugin = plugin(host.config.plugins.as_deref(), wanted.plugin)?;
    let before = plugin.text(MANIFEST)?;
    let file = format!("components/{name}.wasm");
    let (text, replaced) = entered(&before, &name, role, table, &file, &report.sha256)?;
    let entry = checked(&plugin, &before, &text, &name, role)?;
    let bytes = files_bytes(wanted.component)?;
    let copied = if plugin.directory.is_none() { Some(copy(&plugin, &directory)?) } else { None };
    let place = plugin.directory.clone().or_else(|| copied.clone()).unwrap_or_else(|| directory.join(wanted.plugin));
    files::write(&place.join(&file), &bytes)?;
    files::write(&place.join(MANIFEST), text.as_bytes())?;
    let full_name = format!("{}:{name}", wanted.plugin);
    let next = match role {
        Role::Hook => format!(
            "to run it in every run of an agent, add `{name}` to `hooks:` of {}/agents/….md; in one run: --hook {name}",
            place.display()
        ),
        Role::Tool => format!(
            "to offer it to an agent, add the names of its tools to `tools:` of {}/agents/….md",
            place.display()
        ),
    };
    Ok(Added {
        component: full_name.clone(),
        file: place.join(file),
        manifest: place.join(MANIFEST),
        sha256: report.sha256,
        replaced,
        copied,
        runs_at: report.exports,
        capabilities: entry.capabilities.clone(),
        grant: grant(host, &full_name, &entry)?,
        next,
    })
}

fn files_bytes(path: &Path) -> Result<Vec<u8>, RuntimeError> {
    std::fs::read(path).map_err(|error| files::failed(path, &error))
}

/// Its name, what it is, and the table of its manifest: what the guest beside it says, with points and capabilities as its bytes
/// say them where there is no such guest.
fn described(wanted: &Wanted<'_>, report: &Report) -> Result<(String, Role, Table), RuntimeError> {
    let beside = wanted.component.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let project = if beside.join(FILE).is_file() { Some(Project::open(&beside)?) } else { None };
    let project = project.filter(|project| project.component().file_name() == wanted.component.file_name());
    let stem = wanted.component.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = wanted.name.map_or_else(|| project.as_ref().map_or(stem, |it| it.name.clone()), ToOwned::to_owned);
    check_name(&name)?;
    if let Some(project) = project {
        return Ok((name, project.role, project.table));
    }
    let points: Vec<&str> = report
        .exports
        .iter()
        .map(String::as_str)
        .filter(|it| it.parse::<ta_runtime::surface::Point>().is_ok())
        .collect();
    let mut table = Table::new();
    let role = match (points.is_empty(), report.exports.iter().any(|it| it == "tool")) {
        (false, _) => Role::Hook,
        (true, true) => Role::Tool,
        (true, false) => {
            let message = format!("{name} exports {}: neither a lifecycle point nor tools", report.exports.join(", "));
            let hint = "write it into plugin.toml by hand; docs/guest-authors.md shows the table of each kind";
            return Err(RuntimeError::configuration("guest.exports", message, hint));
        }
    };
    if role == Role::Hook {
        table.insert("points", value(Array::from_iter(points)));
        table.insert("kind", value("guardrail"));
    }
    table.insert("capabilities", value(Array::from_iter(report.needs.iter().map(String::as_str))));
    Ok((name, role, table))
}

fn plugin(directory: Option<&Path>, name: &str) -> Result<PluginFiles, RuntimeError> {
    let all = PluginFiles::all(directory.filter(|it| it.is_dir()))?;
    let known: Vec<String> = all.iter().map(|files| files.name.clone()).collect();
    all.into_iter().find(|files| files.name == name).ok_or_else(|| {
        let message = format!("there is no plugin `{}`", ta_runtime::surface::visible(name));
        RuntimeError::usage("plugin.unknown", message, format!("there are: {}", known.join(", ")))
    })
}

/// The manifest with the component in it, and the digest that it pinned before. Comments and layout stay.
fn entered(
    manifest: &str,
    name: &str,
    role: Role,
    mut table: Table,
    file: &str,
    sha256: &str,
) -> Result<(String, Option<String>), RuntimeError> {
    let unreadable = |error: toml_edit::TomlError| {
        RuntimeError::configuration(
            "plugin.manifest",
            format!("{MANIFEST}: {error}"),
            "mend the manifest first; `validate` shows it",
        )
    };
    let mut document: DocumentMut = manifest.parse().map_err(unreadable)?;
    let others = ["hooks", "tools", "flows", "providers", "writers", "readers", "actions"];
    let taken = others.iter().filter(|section| **section != role.section()).find(|section| {
        document.get(section).and_then(Item::as_table_like).is_some_and(|table| table.contains_key(name))
    });
    if let Some(section) = taken {
        let message = format!("the plugin has a component `{name}` under [{section}.{name}]");
        return Err(RuntimeError::usage("component.twice", message, "give another name with --name"));
    }
    let section = document.entry(role.section()).or_insert_with(|| {
        let mut section = Table::new();
        section.set_implicit(true);
        Item::Table(section)
    });
    let Some(section) = section.as_table_mut() else {
        let message = format!("{MANIFEST}: [{}] is no table", role.section());
        return Err(RuntimeError::configuration("plugin.manifest", message, "mend the manifest first"));
    };
    let pinned = |item: &Item| item.get("sha256").and_then(Item::as_str).map(ToOwned::to_owned);
    let replaced = section.get(name).and_then(pinned);
    match section.get_mut(name).and_then(Item::as_table_mut) {
        Some(own) => {
            own.insert("component", value(file));
            own.insert("sha256", value(sha256));
            for (key, item) in table {
                own.insert(&key, item);
            }
        }
        None => {
            let mut own = Table::new();
            own.insert("component", value(file));
            own.insert("sha256", value(sha256));
            table.decor_mut().clear();
            for (key, item) in without_places(table) {
                own.insert(&key, item);
            }
            section.insert(name, Item::Table(own));
        }
    }
    Ok((document.to_string(), replaced))
}

/// The component's entry in the manifest that is to be, which must have no problem that it had not before.
fn checked(
    plugin: &PluginFiles,
    before: &str,
    text: &str,
    name: &str,
    role: Role,
) -> Result<ComponentEntry, RuntimeError> {
    let shown = plugin.shown(MANIFEST);
    let (mut old, mut problems) = (Vec::new(), Vec::new());
    drop(read_manifest(&shown, before, &mut old));
    let manifest = read_manifest(&shown, text, &mut problems);
    problems.retain(|problem| !old.iter().any(|it| it.code == problem.code && it.message == problem.message));
    let entries = manifest.map(|manifest| if role == Role::Hook { manifest.hooks } else { manifest.tools });
    match entries.and_then(|mut entries| entries.remove(name)).filter(|_| problems.is_empty()) {
        Some(entry) => Ok(entry),
        None => Err(RuntimeError::problems(&format!("{shown} with `{name}`"), problems)),
    }
}

/// Copies a plugin from inside the binary, whole or not at all.
fn copy(plugin: &PluginFiles, directory: &Path) -> Result<PathBuf, RuntimeError> {
    let place = directory.join(&plugin.name);
    let fresh = directory.join(format!(".{}.{}", plugin.name, std::process::id()));
    for path in plugin.paths("", "") {
        files::write(&fresh.join(path), &plugin.bytes(path)?)?;
    }
    std::fs::rename(&fresh, &place).map_err(|error| files::failed(&place, &error))?;
    Ok(place)
}

/// The lines that the operator writes, where something is not granted yet.
fn grant(host: &Host, full_name: &str, entry: &ComponentEntry) -> Result<Option<String>, RuntimeError> {
    let mut problems = Vec::new();
    host.grants()?.denied(full_name, entry, &mut problems);
    if !problems.iter().any(|problem| problem.code == "capability.denied") {
        return Ok(None);
    }
    let mut own = Table::new();
    let list = |words: &[String]| value(Array::from_iter(words.iter().map(String::as_str)));
    let all: Vec<String> = entry.capabilities.iter().chain(&entry.optional).cloned().collect();
    own.insert("capabilities", list(&all));
    if !entry.calls.is_empty() {
        own.insert("calls", list(&entry.calls));
    }
    if !entry.directories.is_empty() {
        let directories = entry.directories.iter().map(|(name, access)| (name.as_str(), access.as_str()));
        own.insert("workspace", value(InlineTable::from_iter(directories)));
    }
    Ok(Some(format!("[grants.\"{full_name}\"]\n{}", own.to_string().trim_end())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "# Ours.\nname = \"p\"\nversion = \"1\"\n\n[hooks.a]   # the first\ncomponent = \"components/a.wasm\"\nsha256 = \"1\"\npoints = [\"post-loop\"]\n\n[changes]\n";

    fn table() -> Table {
        let text = "[hook]\npoints = ['pre-loop']\nkind = 'observer'\n[hook.config]\nmark = 'X'\n";
        let document: DocumentMut = text.parse().unwrap();
        document["hook"].as_table().unwrap().clone()
    }

    #[test]
    fn comments_stay_and_a_component_takes_the_place_of_its_own_name_alone() {
        let (text, replaced) = entered(MANIFEST, "b", Role::Hook, table(), "components/b.wasm", "2").unwrap();
        assert!(text.starts_with("# Ours.\n") && text.contains("[hooks.a]   # the first"), "{text}");
        assert!(text.contains("[hooks.b]") && text.contains("[hooks.b.config]") && replaced.is_none(), "{text}");
        let (text, replaced) = entered(&text, "a", Role::Hook, table(), "components/a.wasm", "3").unwrap();
        assert_eq!(replaced.as_deref(), Some("1"));
        assert!(
            text.contains("sha256 = \"3\"") && text.contains("sha256 = \"2\"") && !text.contains("sha256 = \"1\""),
            "{text}"
        );
        assert_eq!(entered(&text, "a", Role::Tool, Table::new(), "f", "4").unwrap_err().code, "component.twice");
    }
}
