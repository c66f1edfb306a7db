//! Which components there are, what each is made from, and the file that remembers their digests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Problem, Result};

/// Where the components of the Rust guests are.
pub const COMPONENTS: &str = "plugins/lesson-planning/components";

/// The manifest that pins them.
pub const MANIFEST: &str = "plugins/lesson-planning/plugin.toml";

/// The directory of the guest in C, and of its component.
pub const C_GUESTS: &str = "evals/guests/c";

/// The file that remembers digests, beside the components.
pub const CATALOGUE: &str = "components.toml";

/// The workspace of the Rust guests, and the two files that decide about all of them.
pub const GUEST_WORKSPACE: &str = "guest-tools";
const GUEST_MANIFEST: &str = "guest-tools/Cargo.toml";
const GUEST_LOCK: &str = "guest-tools/Cargo.lock";

/// Directories of Rust guests, with the section of the manifest that pins what is built from them.
const RUST_GUESTS: [(&str, &str); 2] = [("guest-hooks", "hooks"), ("guest-tools", "tools")];

/// A component and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// Name of the component: that of its directory, or of its source in C.
    pub name: String,
    /// Directory of its sources, below the workspace.
    pub path: String,
    /// Name of the cargo package; none in C.
    pub package: Option<String>,
    /// The section of the manifest: `hooks` or `tools`; none where no manifest pins it.
    pub section: Option<&'static str>,
    /// Directory of its component, below the workspace.
    pub components: &'static str,
    /// What it is made from, below the workspace.
    pub sources: Vec<PathBuf>,
}

/// What is remembered of a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Directory of its sources, below the workspace.
    #[serde(rename = "crate")]
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// SHA-256 of its sources, see [`crate::digest::sources`].
    pub source_sha256: String,
    /// The compiler that built it, in its own words: another one makes other bytes of the same sources. None in C, which CI
    /// does not build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
}

/// The components of a directory by name.
pub type Entries = BTreeMap<String, Entry>;

/// The Rust guests, sorted by name.
///
/// # Errors
/// A directory or `Cargo.toml` that cannot be read, and two guests of one name.
pub fn rust_guests(root: &Path) -> Result<Vec<Guest>> {
    let mut guests: Vec<Guest> = Vec::new();
    for (directory, section) in RUST_GUESTS {
        for name in directories(&root.join(directory))? {
            let guest = rust_guest(root, &format!("{directory}/{name}"), name, section)?;
            if let Some(other) = guests.iter().find(|other| other.name == guest.name) {
                let what = format!("{} and {} would both be {}.wasm", other.path, guest.path, guest.name);
                return Err(Problem::new(what).remedy("Rename one of the two directories."));
            }
            guests.push(guest);
        }
    }
    guests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(guests)
}

/// The manifests of the plugins beside the one that everything is built for, each with its directory of components.
///
/// # Errors
/// The directory of plugins cannot be read.
pub fn other_plugins(root: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let mut manifests = Vec::new();
    for plugins in [root.join("plugins"), root.join("evals/plugins")].iter().filter(|it| it.is_dir()) {
        manifests.extend(names(plugins)?.into_iter().map(|name| plugins.join(name).join("plugin.toml")));
    }
    let others = manifests.into_iter().filter(|manifest| manifest.is_file() && *manifest != root.join(MANIFEST));
    Ok(others.map(|manifest| (manifest.clone(), manifest.with_file_name("components"))).collect())
}

/// The guests that a manifest names.
///
/// # Errors
/// The manifest cannot be read.
pub fn named<'a>(manifest: &Path, guests: &'a [Guest]) -> Result<Vec<&'a Guest>> {
    let table = self::manifest(manifest)?;
    let has = |guest: &&Guest| {
        guest.section.is_some_and(|section| table.get(section).is_some_and(|all| all.get(&guest.name).is_some()))
    };
    Ok(guests.iter().filter(has).collect())
}

/// The guests in C: one for each source that has a world of its own, `name.c` with `name.wit`.
///
/// # Errors
/// The directory cannot be read.
pub fn c_guests(root: &Path) -> Result<Vec<Guest>> {
    let directory = root.join(C_GUESTS);
    let names = files(&directory)?.into_iter().filter_map(|file| file.strip_suffix(".wit").map(str::to_owned));
    let guests = names.filter(|name| directory.join(format!("{name}.c")).is_file()).map(|name| {
        let own = [format!("{name}.c"), format!("{name}.wit"), "runtime.c".into(), "include".into()];
        let mut sources = vec![PathBuf::from("wit/plugin")];
        sources.extend(own.map(|below| Path::new(C_GUESTS).join(below)));
        Guest { path: C_GUESTS.into(), package: None, section: None, components: C_GUESTS, sources, name }
    });
    Ok(guests.collect())
}

/// What a directory of components remembers; nothing when it has no file for it yet.
///
/// # Errors
/// A file that cannot be read or is not what [`write`] writes.
pub fn read(directory: &Path) -> Result<Entries> {
    let path = directory.join(CATALOGUE);
    if !path.exists() {
        return Ok(Entries::new());
    }
    let text = fs::read_to_string(&path).map_err(|error| Problem::at(&path, error))?;
    toml::from_str(&text).map_err(|error| Problem::at(&path, error))
}

/// Remembers the components of a directory.
///
/// # Errors
/// The file cannot be written.
pub fn write(directory: &Path, entries: &Entries, command: &str) -> Result<()> {
    let path = directory.join(CATALOGUE);
    let entries = toml::to_string(entries).map_err(|error| Problem::at(&path, error))?;
    let text = format!("# Made by `{command}` and checked by the tests: change the sources instead.\n\n{entries}");
    fs::write(&path, text).map_err(|error| Problem::at(&path, error))
}

fn rust_guest(root: &Path, path: &str, name: String, section: &'static str) -> Result<Guest> {
    let manifest_path = root.join(path).join("Cargo.toml");
    let manifest = manifest(&manifest_path)?;
    let package = manifest.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    let package = package.ok_or_else(|| Problem::at(&manifest_path, "the package has no name"))?.to_owned();
    let features = manifest.get("dependencies").and_then(|all| all.get("ta-guest")).and_then(|it| it.get("features"));
    let features = features.and_then(toml::Value::as_array);
    let flow = features.is_some_and(|all| all.iter().any(|it| it.as_str() == Some("flow")));
    let section = if flow { "flows" } else { section };
    // The lock, and the workspace's file with its profiles and versions, decide about the bytes as well.
    let mut sources: Vec<PathBuf> = ["wit/plugin", GUEST_MANIFEST, GUEST_LOCK].map(PathBuf::from).to_vec();
    for path in crates(root, path)? {
        sources
            .extend(names(&root.join(&path))?.into_iter().filter(|name| is_source(name)).map(|name| path.join(name)));
    }
    Ok(Guest {
        name,
        path: path.into(),
        package: Some(package),
        section: Some(section),
        components: COMPONENTS,
        sources,
    })
}

/// Whether this entry of a crate's directory can come into the component: all but documents, tests and what was built.
fn is_source(name: &str) -> bool {
    !name.ends_with(".md") && !["tests", "target"].contains(&name)
}

/// The crate of this directory and those of the workspace that it depends on, each by its directory below `root`.
fn crates(root: &Path, path: &str) -> Result<Vec<PathBuf>> {
    let workspace = manifest(&root.join(GUEST_MANIFEST))?;
    let shared = workspace.get("workspace").and_then(|it| it.get("dependencies")).and_then(toml::Value::as_table);
    let directory = |name: &str| Some(Path::new(GUEST_WORKSPACE).join(shared?.get(name)?.get("path")?.as_str()?));
    let mut found = vec![PathBuf::from(path)];
    let mut next = 0;
    while let Some(path) = found.get(next) {
        let manifest = manifest(&root.join(path).join("Cargo.toml"))?;
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        let needed = dependencies.into_iter().flat_map(toml::Table::keys).filter_map(|name| directory(name));
        let new: Vec<PathBuf> = needed.filter(|path| !found.contains(path)).collect();
        found.extend(new);
        next += 1;
    }
    Ok(found)
}

fn manifest(path: &Path) -> Result<toml::Table> {
    let text = fs::read_to_string(path).map_err(|error| Problem::at(path, error))?;
    toml::from_str(&text).map_err(|error| Problem::at(path, error))
}

/// The directories that hold a crate.
fn directories(path: &Path) -> Result<Vec<String>> {
    let names = names(path)?;
    Ok(names.into_iter().filter(|name| path.join(name).join("Cargo.toml").is_file()).collect())
}

fn files(path: &Path) -> Result<Vec<String>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let names = names(path)?;
    Ok(names.into_iter().filter(|name| path.join(name).is_file()).collect())
}

fn names(path: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(path).map_err(|error| Problem::at(path, error))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Problem::at(path, error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
