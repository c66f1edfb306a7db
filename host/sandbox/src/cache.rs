//! Compiled components on disk, never trusted blindly.
//!
//! A compiled component is native code: whoever can change the file could run anything. So each file has a MAC over its bytes
//! and its name, with a key that only this installation has, and every doubt means: compile again. What is known of a
//! component lies beside its code, under the same key: names, shape, tools, and which file the code is, so that code which is
//! not needed is not read.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::code::Artefact;
use crate::facts::{CodeFile, Facts, Names};
use crate::limits::{CODE_BYTES_MAX, FACTS_BYTES_MAX};
use crate::private::{MAC_BYTES, Private, identity, write};
use crate::shape::Outline;

/// Files that nobody writes again.
const MODE: u32 = 0o400;
/// How often a file is looked at that others replace meanwhile: more of them than compile one component at one time.
const LOOKS_MAX: usize = 32;

/// Where a component came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CacheReport {
    /// Whether it was there in its compiled form.
    pub hit: bool,
    /// Why a file that was there was not used, or a new one was not kept.
    pub rejected: Option<String>,
}

pub(crate) struct Cache {
    path: PathBuf,
    /// The directory with its key, once it was opened.
    opened: Mutex<Option<Arc<Private>>>,
}

impl Cache {
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self { path, opened: Mutex::new(None) }
    }

    /// What is known of a component, and its code, where they were kept.
    ///
    /// # Errors
    /// Why what is there must not be used.
    pub(crate) fn find(&self, names: &Names) -> Result<Option<(Facts, Artefact)>, String> {
        let private = self.private()?;
        for _ in 0..LOOKS_MAX {
            if let Some(seen) = look(&private, names)? {
                return Ok(seen);
            }
        }
        Err("it changes while it is read".into())
    }

    /// Keeps a component's code, and returns it as it will be found.
    ///
    /// # Errors
    /// Why it was not kept.
    pub(crate) fn store(&self, names: &Names, outline: &Outline, code: &[u8]) -> Result<(Facts, Artefact), String> {
        let private = self.private()?;
        let mac = hex::encode(private.mac(&names.code, code)?);
        write(&private.directory, &names.code, MODE, &[code])?;
        let file = private.owner.open(&private.directory, &names.code, CODE_BYTES_MAX)?.ok_or("it vanished")?;
        let identity = identity(&file)?;
        let facts = Facts { outline: outline.clone(), code: Some(CodeFile { mac, identity }), trial: None };
        write_facts(&private, names, &facts)?;
        // Another may have put its own in this place by now: that one was not checked, so it is looked at again.
        match self.find(names)? {
            Some(found) => Ok(found),
            None => Err("it vanished".into()),
        }
    }

    /// Keeps what came of trying it.
    pub(crate) fn keep(&self, names: &Names, facts: &Facts) {
        // A cache that cannot be written costs time, nothing else.
        drop(self.private().and_then(|private| write_facts(&private, names, facts)));
    }

    fn private(&self) -> Result<Arc<Private>, String> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(private) = &*opened {
            private.recheck()?;
            return Ok(Arc::clone(private));
        }
        let private = Arc::new(Private::open(&self.path)?);
        *opened = Some(Arc::clone(&private));
        Ok(private)
    }
}

/// Looks once; none where the file changed while it was read. Whoever compiles the same component at this moment puts a file
/// of the same code in its place, which takes the name from the one that was opened.
fn look(private: &Private, names: &Names) -> Result<Option<Option<(Facts, Artefact)>>, String> {
    let Some(mut facts) = read_facts(private, names)? else { return Ok(Some(None)) };
    let Some(known) = &facts.code else { return Ok(Some(None)) };
    let opened = private.owner.open(&private.directory, &names.code, CODE_BYTES_MAX)?;
    let Some(file) = opened else { return Ok(Some(None)) };
    let found = identity(&file)?;
    if found != known.identity {
        let mac = hex::decode(&known.mac).map_err(|_| "its MAC is none")?;
        private.check_file(&names.code, &file, &mac)?;
        if identity(&file)? != found {
            return Ok(None);
        }
        facts.code = Some(CodeFile { mac: known.mac.clone(), identity: found });
        // Where it cannot be written down, it is checked again the next time.
        drop(write_facts(private, names, &facts));
    }
    Ok(Some(Some((facts, Artefact::kept(file)))))
}

fn read_facts(private: &Private, names: &Names) -> Result<Option<Facts>, String> {
    let Some(bytes) = private.owner.read(&private.directory, &names.facts, FACTS_BYTES_MAX)? else { return Ok(None) };
    let (mac, json) = bytes.split_at_checked(MAC_BYTES).ok_or("what is known of it is truncated")?;
    private.check(&names.facts, json, mac)?;
    serde_json::from_slice(json).map(Some).map_err(|error| format!("what is known of it cannot be read: {error}"))
}

fn write_facts(private: &Private, names: &Names, facts: &Facts) -> Result<(), String> {
    let json = serde_json::to_vec(facts).map_err(|error| error.to_string())?;
    let mac = private.mac(&names.facts, &json)?;
    write(&private.directory, &names.facts, MODE, &[&mac, &json])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use wasmtime::Engine;

    use super::*;

    struct Scene {
        scratch: tempfile::TempDir,
        names: Names,
        code: Vec<u8>,
    }

    impl Scene {
        fn new() -> Self {
            let engine = Engine::default();
            let names = Names::of(&engine, "digest");
            let code = engine.precompile_component(b"\0asm\x0d\0\x01\0").unwrap();
            let scene = Self { scratch: tempfile::tempdir().unwrap(), names, code };
            scene.cache().store(&scene.names, &Outline::default(), &scene.code).unwrap();
            scene
        }

        fn cache(&self) -> Cache {
            Cache::new(self.scratch.path().join("cache"))
        }

        fn path(&self, name: &str) -> std::path::PathBuf {
            self.scratch.path().join("cache").join(name)
        }

        fn refusal(&self) -> Option<String> {
            self.cache().find(&self.names).err()
        }
    }

    /// Puts other bytes in a file's place, as somebody could who has the directory.
    fn replace(path: &Path, bytes: &[u8]) {
        std::fs::remove_file(path).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn a_flipped_bit_anywhere_is_noticed_before_the_engine_sees_it() {
        let scene = Scene::new();
        assert!(scene.cache().find(&scene.names).unwrap().is_some());
        assert!(scene.cache().find(&Names::of(&Engine::default(), "another")).unwrap().is_none());
        for name in [&scene.names.code, &scene.names.facts] {
            let path = scene.path(name);
            let whole = std::fs::read(&path).unwrap();
            let offsets: Vec<usize> = (0..whole.len()).step_by((whole.len() / 1_000).max(1)).collect();
            assert!(offsets.len() >= whole.len().min(1_000), "{}", whole.len());
            for offset in offsets {
                let mut bytes = whole.clone();
                bytes[offset] ^= 1 << (offset % 8);
                replace(&path, &bytes);
                assert_eq!(scene.refusal().as_deref(), Some("its MAC does not match"), "{name} {offset}");
            }
            replace(&path, &whole);
        }
    }

    #[test]
    fn the_same_bytes_in_another_file_are_checked_once() {
        let scene = Scene::new();
        let known = |scene: &Scene| scene.cache().find(&scene.names).unwrap().unwrap().0.code.unwrap().identity;
        let before = known(&scene);
        replace(&scene.path(&scene.names.code), &scene.code);
        let after = known(&scene);
        assert_ne!(before, after);
        let written = std::fs::metadata(scene.path(&scene.names.facts)).unwrap().modified().unwrap();
        assert_eq!(known(&scene), after);
        assert_eq!(std::fs::metadata(scene.path(&scene.names.facts)).unwrap().modified().unwrap(), written);
    }

    #[test]
    fn nothing_that_is_kept_can_be_written() {
        use std::os::unix::fs::PermissionsExt as _;
        let scene = Scene::new();
        for name in [&scene.names.code, &scene.names.facts] {
            let mode = std::fs::metadata(scene.path(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o400, "{name}");
        }
    }
}
