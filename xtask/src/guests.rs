//! `cargo xtask guests`: builds the components of the Rust guests, or checks that they need no building.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalogue::{self, COMPONENTS, Entries, Entry, Guest, MANIFEST};
use crate::encode::Interfaces;
use crate::rust_guest::Toolchain;
use crate::{Problem, Result, digest, encode, freshness};

const COMMAND: &str = "cargo xtask guests";

/// What to do with the components.
#[derive(Debug, Default, Args)]
pub struct Options {
    /// Only compare digests, and fail naming each component that is stale.
    #[arg(long, conflicts_with = "out")]
    pub check: bool,
    /// Build into this directory and leave the repository as it is.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Runs the task for the workspace at `root`.
///
/// # Errors
/// A build that fails; with `check`, a component that is stale.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    if options.check {
        return check(root);
    }
    let guests = catalogue::rust_guests(root)?;
    let directory = options.out.clone().unwrap_or_else(|| root.join(COMPONENTS));
    let toolchain = Toolchain::find(root)?;
    if options.out.is_none() {
        toolchain.settle_lock()?;
    }
    let entries = build(root, &toolchain, &guests, &directory)?;
    if options.out.is_none() {
        pin(&root.join(MANIFEST), &guests, &entries)?;
        share(root, &guests, &entries)?;
    }
    Ok(())
}

fn check(root: &Path) -> Result<()> {
    let stale = freshness(root)?;
    if stale.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = stale.iter().map(|stale| format!("  {stale}")).collect();
    Err(Problem::new(format!("components that are not those of their sources:\n{}", lines.join("\n"))))
}

fn build(root: &Path, toolchain: &Toolchain, guests: &[Guest], directory: &Path) -> Result<Entries> {
    let mut built = Vec::new();
    for guest in guests {
        let Some(package) = &guest.package else { continue };
        // Taken before the build: a source that changes while it runs makes the component stale, never wrongly fresh.
        let source_sha256 = digest::sources(root, &guest.sources)?;
        let component = toolchain.build(package)?;
        built.push(Built::new(guest, component, source_sha256, Some(toolchain.compiler.clone()))?);
    }
    // Nothing is written before everything is built, so that a build that fails leaves the components as they were.
    fs::create_dir_all(directory).map_err(|error| Problem::at(directory, error))?;
    let entries = built.iter().map(|built| built.put(directory)).collect::<Result<Entries>>()?;
    forget(directory, &entries)?;
    catalogue::write(directory, &entries, COMMAND)?;
    Ok(entries)
}

/// A component that was built and is a guest.
pub struct Built<'a> {
    guest: &'a Guest,
    component: Vec<u8>,
    interfaces: Interfaces,
    source_sha256: String,
    compiler: Option<String>,
}

impl<'a> Built<'a> {
    /// Reads what the component says about itself.
    ///
    /// # Errors
    /// A component that no host would call.
    pub fn new(guest: &'a Guest, component: Vec<u8>, source_sha256: String, compiler: Option<String>) -> Result<Self> {
        let interfaces = encode::interfaces(&component)?;
        Ok(Self { guest, component, interfaces, source_sha256, compiler })
    }

    /// Writes the component, says what it is, and returns what is to be remembered of it.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn put(&self, directory: &Path) -> Result<(String, Entry)> {
        let Self { guest, component, interfaces, source_sha256, compiler } = self;
        let path = directory.join(format!("{}.wasm", guest.name));
        fs::write(&path, component).map_err(|error| Problem::at(&path, error))?;
        let (imports, exports) = (interfaces.imports.join(", "), interfaces.exports.join(", "));
        println!("{:<22} {:>7} bytes  imports {imports}  exports {exports}", guest.name, component.len());
        let entry = Entry {
            path: guest.path.clone(),
            sha256: digest::sha256(component),
            source_sha256: source_sha256.clone(),
            compiler: compiler.clone(),
        };
        Ok((guest.name.clone(), entry))
    }
}

/// Removes the components that were built here once and have no source any more.
fn forget(directory: &Path, entries: &Entries) -> Result<()> {
    let before = catalogue::read(directory)?;
    for name in before.keys().filter(|name| !entries.contains_key(*name)) {
        let path = directory.join(format!("{name}.wasm"));
        if path.exists() {
            fs::remove_file(&path).map_err(|error| Problem::at(&path, error))?;
        }
    }
    Ok(())
}

/// Gives the other plugins copies of the components that their manifests name, and pins them there.
///
/// # Errors
/// A file that cannot be read or written.
pub fn share(root: &Path, guests: &[Guest], entries: &Entries) -> Result<()> {
    for (manifest, directory) in catalogue::other_plugins(root)? {
        for guest in catalogue::named(&manifest, guests)? {
            let (from, to) = (format!("{COMPONENTS}/{}.wasm", guest.name), format!("{}.wasm", guest.name));
            fs::create_dir_all(&directory).map_err(|error| Problem::at(&directory, error))?;
            fs::copy(root.join(from), directory.join(&to)).map_err(|error| Problem::at(&directory, error))?;
        }
        pin(&manifest, guests, entries)?;
    }
    Ok(())
}

/// Puts the new digests into the manifest, where there is one.
pub fn pin(manifest: &Path, guests: &[Guest], entries: &Entries) -> Result<()> {
    if !manifest.exists() {
        return Ok(());
    }
    let before = fs::read_to_string(manifest).map_err(|error| Problem::at(manifest, error))?;
    let mut text = before.clone();
    for guest in guests {
        if let (Some(section), Some(entry)) = (guest.section, entries.get(&guest.name)) {
            text = pinned(&text, &format!("[{section}.{}]", guest.name), &entry.sha256);
        }
    }
    if text == before { Ok(()) } else { fs::write(manifest, text).map_err(|error| Problem::at(manifest, error)) }
}

/// The manifest with another digest in one section; comments and layout stay, for people write this file.
fn pinned(manifest: &str, section: &str, sha256: &str) -> String {
    let mut inside = false;
    let lines = manifest.split_inclusive('\n').map(|line| {
        let trimmed = line.trim();
        if trimmed.starts_with('[') {
            inside = trimmed.split('#').next().map(str::trim) == Some(section);
        }
        match line.split_once('=') {
            Some((key, value)) if inside && key.trim() == "sha256" => {
                let after = value.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
                after.map_or_else(|| line.to_owned(), |(_, after)| format!("{key}= \"{sha256}\"{after}"))
            }
            _ => line.to_owned(),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::pinned;

    #[test]
    fn only_the_digest_of_the_section_changes() {
        let manifest = "sha256 = \"0\"\n[hooks.a] # first\ncomponent = \"a\"\nsha256 = \"1\" # pinned\n[hooks.a.config]\nsha256 = \"2\"\n\
                        [tools.a]\nsha256=\"3\"";
        assert_eq!(
            pinned(manifest, "[hooks.a]", "new"),
            "sha256 = \"0\"\n[hooks.a] # first\ncomponent = \"a\"\nsha256 = \"new\" # pinned\n[hooks.a.config]\nsha256 = \"2\"\n\
             [tools.a]\nsha256=\"3\""
        );
        assert!(pinned(manifest, "[tools.a]", "new").ends_with("[tools.a]\nsha256= \"new\""));
        assert_eq!(pinned(manifest, "[hooks.b]", "new"), manifest);
    }
}
