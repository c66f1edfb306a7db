//! Which components there are, what each is made from, and the file that remembers their digests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Problem, Result};

/// Directories of plugins: what ships, and what tests and evals use.
const PLUGINS: [&str; 2] = ["plugins", "evals/plugins"];

/// A plugin's manifest, and the directory of its components beside it.
const MANIFEST: &str = "plugin.toml";
const COMPONENTS: &str = "components";

/// The directory of the guest in C, and of its component.
pub const C_GUESTS: &str = "evals/guests/c";

/// The file that remembers digests: in the workspace of the Rust guests, and beside the guests in C.
pub const CATALOGUE: &str = "components.toml";

/// The workspace of the Rust guests, and the two files that decide about all of them.
pub const GUEST_WORKSPACE: &str = "guest-tools";
const GUEST_MANIFEST: &str = "guest-tools/Cargo.toml";
const GUEST_LOCK: &str = "guest-tools/Cargo.lock";

/// Directories of Rust guests.
const RUST_GUESTS: [&str; 2] = ["guest-hooks", GUEST_WORKSPACE];

/// A component and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// Name of the component: that of its directory, or of its source in C.
    pub name: String,
    /// Directory of its sources, below the workspace.
    pub path: String,
    /// Name of the cargo package; none in C.
    pub package: Option<String>,
    /// What it is made from, below the workspace.
    pub sources: Vec<PathBuf>,
}

/// A component that a plugin's manifest names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the component.
    pub name: String,
    /// The manifest, below the workspace.
    pub manifest: PathBuf,
    /// The table of the manifest that names it, such as `hooks.privacy`.
    pub table: String,
    /// The digest that the manifest pins; empty where it pins none.
    pub sha256: String,
}

impl Place {
    /// The component's file, below the workspace.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.manifest.with_file_name(COMPONENTS).join(format!("{}.wasm", self.name))
    }
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
    for directory in RUST_GUESTS {
        for name in directories(&root.join(directory))? {
            let guest = rust_guest(root, &format!("{directory}/{name}"), name)?;
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

/// Where the plugins have components, `component = "components/NAME.wasm"`, in the order of the manifests.
///
/// # Errors
/// A directory or manifest that cannot be read.
pub fn places(root: &Path) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for plugins in PLUGINS.iter().map(Path::new).filter(|it| root.join(it).is_dir()) {
        for plugin in names(&root.join(plugins))? {
            let path = plugins.join(plugin).join(MANIFEST);
            if root.join(&path).is_file() {
                places.extend(named(&path, &manifest(&root.join(&path))?));
            }
        }
    }
    Ok(places)
}

/// The components that a manifest names: in any table, so that a new kind needs no word here.
fn named(path: &Path, manifest: &toml::Table) -> Vec<Place> {
    let tables = manifest.iter().filter_map(|(kind, all)| Some((kind, all.as_table()?)));
    let entries = tables.flat_map(|(kind, all)| all.iter().map(move |(name, entry)| (format!("{kind}.{name}"), entry)));
    let places = entries.filter_map(|(table, entry)| {
        let name = entry.get("component")?.as_str()?.strip_prefix("components/")?.strip_suffix(".wasm")?;
        let sha256 = entry.get("sha256").and_then(toml::Value::as_str).unwrap_or_default();
        Some(Place { name: name.to_owned(), manifest: path.to_owned(), table, sha256: sha256.to_owned() })
    });
    places.collect()
}

/// Components beside manifests that do not name them: they would only make a plugin larger.
///
/// # Errors
/// A directory that cannot be read.
pub fn unnamed(root: &Path, places: &[Place]) -> Result<Vec<PathBuf>> {
    let named: Vec<PathBuf> = places.iter().map(|place| root.join(place.file())).collect();
    let mut directories: Vec<&Path> = named.iter().filter_map(|file| file.parent()).collect();
    directories.dedup();
    let mut unnamed = Vec::new();
    for directory in directories {
        let files = files(directory)?.into_iter().filter(|file| file.ends_with(".wasm"));
        unnamed.extend(files.map(|file| directory.join(file)).filter(|file| !named.contains(file)));
    }
    Ok(unnamed)
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
        Guest { path: C_GUESTS.into(), package: None, sources, name }
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

fn rust_guest(root: &Path, path: &str, name: String) -> Result<Guest> {
    let manifest_path = root.join(path).join("Cargo.toml");
    let manifest = manifest(&manifest_path)?;
    let package = manifest.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    let package = package.ok_or_else(|| Problem::at(&manifest_path, "the package has no name"))?.to_owned();
    // The lock, and the workspace's file with its profiles and versions, decide about the bytes as well.
    let mut sources: Vec<PathBuf> = ["wit/plugin", GUEST_MANIFEST, GUEST_LOCK].map(PathBuf::from).to_vec();
    for path in crates(root, path)? {
        sources
            .extend(names(&root.join(&path))?.into_iter().filter(|name| is_source(name)).map(|name| path.join(name)));
    }
    Ok(Guest { name, path: path.into(), package: Some(package), sources })
}

/// Whether this entry of a crate's directory can come into the component: all but documents, tests and what was built.
fn is_source(name: &str) -> bool {
    !name.ends_with(".md") && !["tests", "target"].contains(&name)
}

/// The crate of this directory and those of the workspace that it depends on, each by its directory below `root`.
fn crates(root: &Path, path: &str) -> Result<Vec<PathBuf>> {
    let workspace = manifest(&root.join(GUEST_MANIFEST))?;
    let shared = workspace.get("workspace").and_then(|it| it.get("dependencies")).and_then(toml::Value::as_table);
    let directory = |name: &str| Some(below_root(Path::new(shared?.get(name)?.get("path")?.as_str()?)));
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

/// A path as the guests' workspace writes it, from the root on: `lib/guest`, `../host/text`.
fn below_root(path: &Path) -> PathBuf {
    path.strip_prefix("..").map_or_else(|_| Path::new(GUEST_WORKSPACE).join(path), Path::to_owned)
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
