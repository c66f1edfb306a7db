//! Whether the committed components are what their sources give: built anew, and compared byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::catalogue::{self, Entries, GUEST_WORKSPACE};
use crate::checks::target_dir;
use crate::{Problem, Result, guests, smoke};

/// What came of building the components.
pub enum Rebuilt {
    /// The committed ones, byte for byte.
    Same,
    /// Others, by another compiler: a copy of the plugins with what was built, pinned to it.
    Differ(PathBuf),
}

/// Builds the components from their sources, beside the committed ones.
///
/// # Errors
/// A build that fails, and components that differ although the same compiler has built both.
pub fn components(root: &Path) -> Result<Rebuilt> {
    if !target_can_be_had(root) {
        println!("== left out, because this machine cannot have the wasm target");
        return Ok(Rebuilt::Same);
    }
    let directory = target_dir(root).join("rebuilt-components");
    guests::run(root, &guests::Options { out: Some(directory.clone()), ..guests::Options::default() })?;
    let built = catalogue::read(&directory)?;
    let committed = catalogue::read(&root.join(GUEST_WORKSPACE))?;
    let differ = differing(&committed, &built);
    if differ.is_empty() {
        println!("== {} components are the committed ones, byte for byte", built.len());
        return Ok(Rebuilt::Same);
    }
    if let Some(name) = differ.iter().find(|name| of_one_compiler(&committed, &built, name)) {
        let what = format!("{name} is not what its sources give, although the same compiler built the committed one");
        return Err(Problem::new(what).remedy("Run `cargo xtask guests` and commit."));
    }
    println!("== this compiler makes other bytes of {}", differ.join(", "));
    let copies = target_dir(root).join("rebuilt-plugins");
    if copies.exists() {
        fs::remove_dir_all(&copies).map_err(|error| Problem::at(&copies, error))?;
    }
    let plugins = copies.join("plugins");
    smoke::copy(&root.join("plugins"), &plugins)?;
    guests::place(&copies, &directory, &built)?;
    Ok(Rebuilt::Differ(plugins))
}

/// Names of components whose bytes are not the committed ones.
fn differing<'a>(committed: &Entries, built: &'a Entries) -> Vec<&'a str> {
    let same = |name: &str| committed.get(name).map(|it| &it.sha256) == built.get(name).map(|it| &it.sha256);
    built.keys().map(String::as_str).filter(|name| !same(name)).collect()
}

fn of_one_compiler(committed: &Entries, built: &Entries, name: &str) -> bool {
    let compiler = |entries: &Entries| entries.get(name).and_then(|entry| entry.compiler.clone());
    compiler(committed).is_some() && compiler(committed) == compiler(built)
}

/// Whether the wasm target is there, or rustup can add it.
fn target_can_be_had(root: &Path) -> bool {
    let mut add = Command::new("rustup");
    add.args(["target", "add", "wasm32-unknown-unknown"]).current_dir(root);
    add.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::{differing, of_one_compiler};
    use crate::catalogue::{Entries, Entry};

    fn entries(bytes: &str, compiler: Option<&str>) -> Entries {
        let sha256 = crate::digest::sha256(bytes.as_bytes());
        let entry =
            Entry { path: "p".into(), sha256, source_sha256: "s".into(), compiler: compiler.map(str::to_owned) };
        Entries::from([("polite".to_owned(), entry)])
    }

    #[test]
    fn other_bytes_are_a_failure_only_where_the_compiler_is_the_same() {
        let committed = entries("a", Some("rustc 1"));
        assert!(differing(&committed, &entries("a", Some("rustc 2"))).is_empty());
        for (compiler, fails) in [(Some("rustc 1"), true), (Some("rustc 2"), false), (None, false)] {
            let built = entries("b", compiler);
            assert_eq!(differing(&committed, &built), ["polite"]);
            assert_eq!(of_one_compiler(&committed, &built, "polite"), fails, "{compiler:?}");
        }
        let new = Entries::new();
        assert_eq!(differing(&new, &committed), ["polite"]);
        assert!(!of_one_compiler(&entries("b", None), &entries("c", None), "polite"), "nobody knows who built it");
    }
}
