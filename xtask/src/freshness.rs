//! Whether the components in the tree are those of their sources. Nothing is built: digests are compared.

use std::fmt;
use std::fs;
use std::path::Path;

use crate::catalogue::{self, C_GUESTS, COMPONENTS, Entry, Guest, MANIFEST};
use crate::{Problem, Result, digest};

/// A component that is not what its sources say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// Name of the component.
    pub name: String,
    /// What does not fit.
    pub why: String,
    /// The command that mends it.
    pub command: &'static str,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; run `{}`", self.name, self.why, self.command)
    }
}

/// Every component of the workspace at `root` that is missing, changed, or older than its sources; empty when all is well.
///
/// # Errors
/// A file that cannot be read or understood.
pub fn freshness(root: &Path) -> Result<Vec<Stale>> {
    let mut stale = check(root, COMPONENTS, &catalogue::rust_guests(root)?, "cargo xtask guests")?;
    stale.extend(check(root, C_GUESTS, &catalogue::c_guests(root)?, "cargo xtask c-guest")?);
    stale.extend(shared(root)?);
    Ok(stale)
}

/// Copies in other plugins that are not the component that was built.
fn shared(root: &Path) -> Result<Vec<Stale>> {
    let guests = catalogue::rust_guests(root)?;
    let entries = catalogue::read(&root.join(COMPONENTS))?;
    let mut stale = Vec::new();
    for (manifest, directory) in catalogue::other_plugins(root)? {
        let pins = pins(&manifest)?;
        for guest in catalogue::named(&manifest, &guests)? {
            let built = entries.get(&guest.name).map(|entry| entry.sha256.clone());
            let copy =
                fs::read(directory.join(format!("{}.wasm", guest.name))).ok().map(|bytes| digest::sha256(&bytes));
            let pin = guest.section.and_then(|section| pins.get(section)?.get(&guest.name)?.get("sha256")?.as_str());
            if copy != built || pin.map(str::to_owned) != built {
                let why = format!("{} has another one", manifest.display());
                stale.push(Stale { name: guest.name.clone(), why, command: "cargo xtask guests" });
            }
        }
    }
    Ok(stale)
}

fn check(root: &Path, components: &str, guests: &[Guest], command: &'static str) -> Result<Vec<Stale>> {
    let directory = root.join(components);
    let entries = catalogue::read(&directory)?;
    let pins = pins(&root.join(MANIFEST))?;
    let mut stale = Vec::new();
    for guest in guests {
        if let Some(why) = why(root, guest, entries.get(&guest.name), &pins)? {
            stale.push(Stale { name: guest.name.clone(), why, command });
        }
    }
    let orphans = entries.keys().filter(|name| guests.iter().all(|guest| guest.name != **name));
    stale.extend(orphans.map(|name| Stale { name: name.clone(), why: "its sources are gone".into(), command }));
    Ok(stale)
}

fn why(root: &Path, guest: &Guest, entry: Option<&Entry>, pins: &toml::Table) -> Result<Option<String>> {
    let Some(entry) = entry else {
        return Ok(Some("it has never been built".into()));
    };
    let file = root.join(guest.components).join(format!("{}.wasm", guest.name));
    if !file.is_file() {
        return Ok(Some(format!("{}/{}.wasm is missing", guest.components, guest.name)));
    }
    let bytes = fs::read(&file).map_err(|error| Problem::at(&file, error))?;
    if digest::sha256(&bytes) != entry.sha256 {
        return Ok(Some("its bytes are not those that were built".into()));
    }
    if digest::sources(root, &guest.sources)? != entry.source_sha256 || guest.path != entry.path {
        return Ok(Some("its sources have changed since it was built".into()));
    }
    let pin = guest.section.and_then(|section| pins.get(section)?.get(&guest.name)?.get("sha256")?.as_str());
    Ok(pin.filter(|pin| *pin != entry.sha256).map(|_| format!("{MANIFEST} pins another digest")))
}

/// The manifest that pins components; an empty one where there is none yet.
fn pins(path: &Path) -> Result<toml::Table> {
    if !path.exists() {
        return Ok(toml::Table::new());
    }
    let text = fs::read_to_string(path).map_err(|error| Problem::at(path, error))?;
    toml::from_str(&text).map_err(|error| Problem::at(path, error))
}
