//! Compiled components on disk, never trusted blindly.
//!
//! A compiled component is native code: whoever can change the file could run anything. So each file carries a MAC
//! over its bytes and its name, with a key that only this installation has, and every doubt means: compile again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, MetadataExt, OpenOptions, OpenOptionsExt};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use wasmtime::Engine;

use crate::code::Artefact;

const MAC_BYTES: usize = 32;
const KEY_FILE: &str = "key";
/// No compiled component is larger; a file that is was not written here.
const FILE_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// Where a component came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheReport {
    /// Whether it was loaded in its compiled form.
    pub hit: bool,
    /// Why a file that was there was not used.
    pub rejected: Option<String>,
}

pub(crate) struct Cache {
    directory: PathBuf,
}

impl Cache {
    pub(crate) const fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// The component's compiled form, where it was kept.
    ///
    /// # Errors
    /// Why what is there must not be used.
    pub(crate) fn load(&self, engine: &Engine, sha256: &str) -> Result<Option<Artefact>, String> {
        let name = &file_name(engine, sha256);
        let directory = self.open()?;
        let Some(mut mac) = read(&directory, name)? else { return Ok(None) };
        if mac.len() < MAC_BYTES {
            return Err("the file is truncated".into());
        }
        let code = mac.split_off(MAC_BYTES);
        let key = self.key(&directory)?;
        mac_of(&key, name, &code)?.verify_slice(&mac).map_err(|_| "its MAC does not match")?;
        Ok(Some(Artefact::trusted(code)))
    }

    /// Keeps a component's compiled form.
    ///
    /// # Errors
    /// Why it was not kept.
    pub(crate) fn store(&self, engine: &Engine, sha256: &str, artefact: &Artefact) -> Result<(), String> {
        let name = &file_name(engine, sha256);
        let directory = self.open()?;
        let key = self.key(&directory)?;
        let mac = mac_of(&key, name, artefact.bytes())?.finalize().into_bytes();
        let temporary = temporary(name);
        let written = private_file(&directory, &temporary).and_then(|mut file| {
            file.write_all(&mac)?;
            file.write_all(artefact.bytes())?;
            directory.rename(&temporary, &directory, name)
        });
        written.map_err(|error| format!("it cannot be written: {error}"))
    }

    /// The directory, if it is ours alone.
    fn open(&self) -> Result<Dir, String> {
        let text = |error: std::io::Error| format!("the cache directory cannot be used: {error}");
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        Dir::create_ambient_dir_all(self.directory.parent().unwrap_or(&self.directory), ambient_authority())
            .map_err(text)?;
        if !self.directory.exists() {
            let parent = self.directory.parent().unwrap_or(&self.directory);
            let parent = Dir::open_ambient_dir(parent, ambient_authority()).map_err(text)?;
            let name = self.directory.file_name().ok_or("the cache directory has no name")?;
            match parent.create_dir_with(name, &builder) {
                // Another was faster, or a link that leads nowhere stands there: looked at below.
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(text(error)),
                _ => {}
            }
        }
        if self.directory.is_symlink() {
            return Err("the cache directory is a link".into());
        }
        let directory = Dir::open_ambient_dir(&self.directory, ambient_authority()).map_err(text)?;
        let metadata = directory.dir_metadata().map_err(text)?;
        ours(metadata.mode(), metadata.uid()).map(|()| directory)
    }

    /// The key of this installation, made at the first use.
    fn key(&self, directory: &Dir) -> Result<Vec<u8>, String> {
        if let Some(key) = read(directory, KEY_FILE)? {
            return if key.len() == MAC_BYTES { Ok(key) } else { Err("its key file is damaged; delete it".into()) };
        }
        let mut key = vec![0; MAC_BYTES];
        getrandom::fill(&mut key).map_err(|error| error.to_string())?;
        let temporary = temporary(KEY_FILE);
        let placed = private_file(directory, &temporary).and_then(|mut file| {
            file.write_all(&key)?;
            file.sync_all()?;
            // A link, not a rename: where another was faster, its key stays, and it is whole.
            let linked = directory.hard_link(&temporary, directory, KEY_FILE);
            directory.remove_file(&temporary)?;
            linked
        });
        match placed {
            Ok(()) => Ok(key),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                read(directory, KEY_FILE)?.ok_or_else(|| "its key vanished".to_owned())
            }
            Err(error) => Err(format!("its key cannot be written: {error}")),
        }
    }
}

/// Key of an entry: the component's digest and everything about the engine that its code depends on.
fn file_name(engine: &Engine, sha256: &str) -> String {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{sha256}-{:016x}.cwasm", hasher.finish())
}

/// A name that no other writer has, in this process or another: two may compile the same component at once.
fn temporary(name: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{name}.{}.{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn mac_of(key: &[u8], name: &str, code: &[u8]) -> Result<Hmac<Sha256>, String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| error.to_string())?;
    mac.update(name.as_bytes());
    mac.update(&[0]);
    mac.update(code);
    Ok(mac)
}

fn private_file(directory: &Dir, name: &str) -> std::io::Result<cap_std::fs::File> {
    match directory.remove_file(name) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).follow(FollowSymlinks::No);
    directory.open_with(name, &options)
}

/// A file of ours, read without following a link. None where there is none.
fn read(directory: &Dir, name: &str) -> Result<Option<Vec<u8>>, String> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    let file = match directory.open_with(name, &options) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("`{name}` cannot be read: {error}")),
    };
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() || metadata.len() > FILE_BYTES_MAX {
        return Err(format!("`{name}` is not a file that was written here"));
    }
    ours(metadata.mode(), metadata.uid())?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(Some(bytes))
}

fn ours(mode: u32, uid: u32) -> Result<(), String> {
    if mode & 0o022 != 0 {
        return Err("others may write it".into());
    }
    if uid != rustix::process::geteuid().as_raw() {
        return Err("it belongs to somebody else".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_anywhere_is_noticed_before_the_engine_sees_it() {
        let scratch = tempfile::tempdir().unwrap();
        let (engine, cache) = (Engine::default(), Cache::new(scratch.path().join("cache")));
        let artefact = Artefact::compile(&engine, b"\0asm\x0d\0\x01\0").unwrap();
        cache.store(&engine, "digest", &artefact).unwrap();
        assert!(cache.load(&engine, "digest").unwrap().is_some());
        assert!(cache.load(&engine, "another").unwrap().is_none());
        let path = scratch.path().join("cache").join(file_name(&engine, "digest"));
        let whole = std::fs::read(&path).unwrap();
        let offsets: Vec<usize> = (0..whole.len()).step_by((whole.len() / 1_000).max(1)).collect();
        assert!(offsets.len() >= 1_000, "{}", whole.len());
        for offset in offsets {
            let mut bytes = whole.clone();
            bytes[offset] ^= 1 << (offset % 8);
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(cache.load(&engine, "digest").err().as_deref(), Some("its MAC does not match"), "{offset}");
        }
    }
}
