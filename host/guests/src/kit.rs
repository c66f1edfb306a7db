//! What travels inside the binary so that a guest can be written anywhere: the contract, the SDK, and how a guest begins.

use std::path::Path;

use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};
use ta_runtime::RuntimeError;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::files;

#[derive(RustEmbed)]
#[folder = "../../wit/plugin"]
struct Contract;

#[derive(RustEmbed)]
#[folder = "../../guest-tools/lib/guest"]
#[exclude = "target/*"]
struct RustSdk;

#[derive(RustEmbed)]
#[folder = "templates"]
struct Templates;

/// What C needs in the place of a C library, as our own guest in C has it.
#[derive(RustEmbed)]
#[folder = "../../evals/guests/c"]
#[include = "runtime.c"]
#[include = "include/*"]
struct CRuntime;

/// The workspace of our own guests: the versions of what the SDK depends on, and the profile of components.
const WORKSPACE: &str = include_str!("../../../guest-tools/Cargo.toml");
const LOCK: &str = include_str!("../../../guest-tools/Cargo.lock");

/// Where the kit stands beside a guest. Below it paths are those of this repository, so that the SDK's files stay as they are.
pub const DIRECTORY: &str = "sdk";
/// The contract, below that.
pub const CONTRACT: &str = "wit/plugin";
const RUST_SDK: &str = "guest-tools/lib/guest";
const PROFILE: &str = "guest";

/// The contract that this binary speaks.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Version {
    /// As in `package teacher-assist:plugin@…`.
    pub version: String,
    /// SHA-256 over its files, each with its name.
    pub sha256: String,
}

/// The contract's version and digest.
#[must_use]
pub fn version() -> Version {
    let mut digest = Sha256::new();
    let mut version = String::new();
    for (path, bytes) in contract() {
        digest.update(format!("{path}\0{}\0", bytes.len()));
        digest.update(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().find_map(|line| line.strip_prefix("package teacher-assist:plugin@"));
        version = line.map_or(version, |line| line.trim_end_matches(';').to_owned());
    }
    Version { version, sha256: hex::encode(digest.finalize()) }
}

/// The contract's files: name and bytes, in order of name.
pub(crate) fn contract() -> impl Iterator<Item = (String, Vec<u8>)> {
    let mut names: Vec<String> = Contract::iter().map(|name| name.to_string()).collect();
    names.sort();
    names.into_iter().filter_map(|name| Contract::get(&name).map(|file| (name, file.data.into_owned())))
}

/// Writes the contract below a directory.
///
/// # Errors
/// What the disk says.
pub fn write_contract(directory: &Path) -> Result<(), RuntimeError> {
    let wit = contract().filter(|(name, _)| is_wit(name));
    wit.into_iter().try_for_each(|(name, bytes)| files::write(&directory.join(CONTRACT).join(name), &bytes))
}

fn is_wit(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "wit")
}

/// Writes what C needs in the place of a C library into a guest's directory.
///
/// # Errors
/// What the disk says.
pub fn write_c_runtime(directory: &Path) -> Result<(), RuntimeError> {
    for path in CRuntime::iter() {
        let place = if path.contains('/') { directory.join(&*path) } else { directory.join("src").join(&*path) };
        if let Some(file) = CRuntime::get(&path) {
            files::write(&place, &file.data)?;
        }
    }
    Ok(())
}

/// Writes contract and Rust SDK below a directory.
///
/// # Errors
/// What the disk says.
pub fn write_rust(directory: &Path) -> Result<(), RuntimeError> {
    for (name, bytes) in contract() {
        files::write(&directory.join(CONTRACT).join(name), &bytes)?;
    }
    for path in RustSdk::iter() {
        if let Some(file) = RustSdk::get(&path) {
            files::write(&directory.join(RUST_SDK).join(&*path), &file.data)?;
        }
    }
    files::write(&directory.join("Cargo.toml"), sdk_workspace().as_bytes())
}

/// The lock of our own guests: cargo takes from it what a guest needs, in the versions that are known to work.
#[must_use]
pub const fn lock() -> &'static str {
    LOCK
}

/// The oldest compiler that the SDK works with.
#[must_use]
pub fn rust_version() -> String {
    at(&workspace(), &["workspace", "package", "rust-version"]).as_str().unwrap_or_default().to_owned()
}

/// The profile of components, as a guest's manifest says it.
#[must_use]
pub fn profile() -> String {
    let mut document = DocumentMut::new();
    let mut profiles = Table::new();
    profiles.set_implicit(true);
    let mut profile = at(&workspace(), &["profile", PROFILE]);
    // What is said there about it is said of our own guests.
    if let Some(table) = profile.as_table_mut() {
        table.decor_mut().clear();
    }
    profiles.insert(PROFILE, profile);
    document.insert("profile", Item::Table(profiles));
    document.to_string().trim().to_owned()
}

/// What stands at a path of tables; nothing where there is no such place.
fn at(document: &DocumentMut, path: &[&str]) -> Item {
    let found = path.iter().try_fold(document.as_item(), |item, key| item.get(key));
    found.cloned().unwrap_or_default()
}

fn workspace() -> DocumentMut {
    WORKSPACE.parse().unwrap_or_default()
}

/// The workspace that the SDK stands in outside this repository: what it inherits, and nothing of our guests.
fn sdk_workspace() -> String {
    let ours = workspace();
    let sdk = RustSdk::get("Cargo.toml").map(|file| file.data.into_owned()).unwrap_or_default();
    let sdk: DocumentMut = String::from_utf8_lossy(&sdk).parse().unwrap_or_default();
    let mut own = Table::new();
    own.insert("resolver", at(&ours, &["workspace", "resolver"]));
    own.insert("members", value(Array::from_iter([RUST_SDK])));
    own.insert("package", at(&ours, &["workspace", "package"]));
    let mut lints = at(&ours, &["workspace", "lints"]);
    if let Some(table) = lints.get_mut("rust").and_then(Item::as_table_mut) {
        table.decor_mut().clear();
    }
    own.insert("lints", lints);
    let mut dependencies = Table::new();
    for (name, _) in sdk.get("dependencies").and_then(Item::as_table).into_iter().flatten() {
        dependencies.insert(name, at(&ours, &["workspace", "dependencies", name]));
    }
    own.insert("dependencies", Item::Table(dependencies));
    let mut document = DocumentMut::new();
    document.insert("workspace", Item::Table(crate::project::without_places(own)));
    document.to_string()
}

/// The files of a template: path below the guest's directory and text.
pub(crate) fn template(name: &str) -> Vec<(String, String)> {
    let prefix = format!("{name}/");
    let of = |path: std::borrow::Cow<'static, str>| {
        let text = String::from_utf8_lossy(&Templates::get(&path)?.data).into_owned();
        Some((path.strip_prefix(&prefix)?.to_owned(), text))
    };
    Templates::iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kit_knows_its_contract_and_holds_no_path_of_this_repository() {
        let version = version();
        assert!(version.version.split('.').count() == 3 && version.sha256.len() == 64, "{version:?}");
        let directory = tempfile::tempdir().unwrap();
        write_rust(directory.path()).unwrap();
        let manifest = std::fs::read_to_string(directory.path().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("wit-bindgen") && !manifest.contains("path ="), "{manifest}");
        assert!(profile().starts_with("[profile.guest]") && profile().contains("panic"), "{}", profile());
        assert!(directory.path().join("wit/plugin/types.wit").is_file());
    }
}
