//! Whether the components in the tree are those of their sources. Nothing is built: digests are compared.

use std::fmt;
use std::fs;
use std::path::Path;

use crate::catalogue::{self, C_GUESTS, Entries, Entry, GUEST_WORKSPACE, Guest, Place};
use crate::{Problem, Result, digest};

const GUESTS: &str = "cargo xtask guests";
const C_GUEST: &str = "cargo xtask c-guest";

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
    let guests = catalogue::rust_guests(root)?;
    let entries = catalogue::read(&root.join(GUEST_WORKSPACE))?;
    let mut stale = sources(root, &entries, &guests, GUESTS)?;
    let places = catalogue::places(root)?;
    for guest in guests.iter().filter(|guest| entries.contains_key(&guest.name)) {
        let places: Vec<&Place> = places.iter().filter(|place| place.name == guest.name).collect();
        let why = entries.get(&guest.name).map(|entry| misplaced(root, entry, &places)).transpose()?.flatten();
        stale.extend(why.map(|why| Stale { name: guest.name.clone(), why, command: GUESTS }));
    }
    stale.extend(in_c(root)?);
    Ok(stale)
}

/// What does not fit between the component that was built and the plugins that name it.
fn misplaced(root: &Path, entry: &Entry, places: &[&Place]) -> Result<Option<String>> {
    if places.is_empty() {
        return Ok(Some("no plugin.toml names it; name it in one".into()));
    }
    for place in places {
        if let Some(why) = differs(root, &place.file(), entry)? {
            return Ok(Some(why));
        }
        if place.sha256 != entry.sha256 {
            return Ok(Some(format!("{} pins another digest", place.manifest.display())));
        }
    }
    Ok(None)
}

/// Why this file is not the component that was built.
fn differs(root: &Path, file: &Path, entry: &Entry) -> Result<Option<String>> {
    let path = root.join(file);
    if !path.is_file() {
        return Ok(Some(format!("{} is missing", file.display())));
    }
    let bytes = fs::read(&path).map_err(|error| Problem::at(&path, error))?;
    let differs = digest::sha256(&bytes) != entry.sha256;
    Ok(differs.then(|| format!("{} is not what was built", file.display())))
}

fn in_c(root: &Path) -> Result<Vec<Stale>> {
    let guests = catalogue::c_guests(root)?;
    let entries = catalogue::read(&root.join(C_GUESTS))?;
    let mut stale = sources(root, &entries, &guests, C_GUEST)?;
    for (name, entry) in &entries {
        let why = differs(root, &Path::new(C_GUESTS).join(format!("{name}.wasm")), entry)?;
        stale.extend(why.map(|why| Stale { name: name.clone(), why, command: C_GUEST }));
    }
    Ok(stale)
}

/// Guests whose sources are not those of what was built, and what was built from sources that are gone.
fn sources(root: &Path, entries: &Entries, guests: &[Guest], command: &'static str) -> Result<Vec<Stale>> {
    let mut stale = Vec::new();
    for guest in guests {
        let why = match entries.get(&guest.name) {
            None => Some("it has never been built"),
            Some(entry) => {
                let same = digest::sources(root, &guest.sources)? == entry.source_sha256 && guest.path == entry.path;
                (!same).then_some("its sources have changed since it was built")
            }
        };
        stale.extend(why.map(|why| Stale { name: guest.name.clone(), why: why.into(), command }));
    }
    let orphans = entries.keys().filter(|name| guests.iter().all(|guest| guest.name != **name));
    stale.extend(orphans.map(|name| Stale { name: name.clone(), why: "its sources are gone".into(), command }));
    Ok(stale)
}
