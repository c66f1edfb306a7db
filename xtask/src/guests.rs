//! `cargo xtask guests`: builds the components of the Rust guests, or checks that they need no building.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalogue::{self, Entries, Entry, GUEST_WORKSPACE, Guest};
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
    /// Build this component alone, where nothing but its sources has changed; may be repeated.
    #[arg(long, value_name = "NAME", conflicts_with = "check")]
    pub only: Vec<String>,
}

/// Runs the task for the workspace at `root`.
///
/// # Errors
/// A build that fails; with `check`, a component that is stale.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    if options.check {
        return check(root);
    }
    let mut guests = catalogue::rust_guests(root)?;
    if let Some(unknown) = options.only.iter().find(|name| !guests.iter().any(|guest| guest.name == **name)) {
        return Err(Problem::new(format!("there is no component `{unknown}`")));
    }
    guests.retain(|guest| options.only.is_empty() || options.only.contains(&guest.name));
    let toolchain = Toolchain::find(root)?;
    if let Some(directory) = &options.out {
        return build(root, &toolchain, &guests, directory).map(|_| ());
    }
    toolchain.settle_lock()?;
    let directory = toolchain.target_directory.join("components");
    let entries = build(root, &toolchain, &guests, &directory)?;
    // What is not built again stays as it is.
    let mut all = if options.only.is_empty() { Entries::new() } else { catalogue::read(&root.join(GUEST_WORKSPACE))? };
    all.extend(entries.clone());
    catalogue::write(&root.join(GUEST_WORKSPACE), &all, COMMAND)?;
    place(root, &directory, &entries)
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

/// Gives each plugin below `root` the components that its manifest names, from the directory of what was built, and pins them.
/// A component that no manifest names any more goes.
///
/// # Errors
/// A file that cannot be read or written.
pub fn place(root: &Path, built: &Path, entries: &Entries) -> Result<()> {
    let places = catalogue::places(root)?;
    for place in &places {
        let Some(entry) = entries.get(&place.name) else { continue };
        let (from, to) = (built.join(format!("{}.wasm", place.name)), root.join(place.file()));
        if let Some(directory) = to.parent() {
            fs::create_dir_all(directory).map_err(|error| Problem::at(directory, error))?;
        }
        fs::copy(from, &to).map_err(|error| Problem::at(&to, error))?;
        let manifest = root.join(&place.manifest);
        let before = fs::read_to_string(&manifest).map_err(|error| Problem::at(&manifest, error))?;
        let text = pinned(&before, &format!("[{}]", place.table), &entry.sha256);
        if text != before {
            fs::write(&manifest, text).map_err(|error| Problem::at(&manifest, error))?;
        }
    }
    for file in catalogue::unnamed(root, &places)? {
        fs::remove_file(&file).map_err(|error| Problem::at(&file, error))?;
    }
    Ok(())
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
