//! Compiled components in memory: many runs at once, and one after the other in a server, share the code of each.
//!
//! A component is code without state: what a guest keeps lives in its instances, and every call has a fresh one.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use wasmtime::component::Component;

/// Twice of what the shipped plugins hold together.
const KEPT_MAX: usize = 32;

/// Components by the digest of their bytes, the latest used last.
#[derive(Default)]
pub(crate) struct Loaded(Mutex<VecDeque<(String, Component)>>);

impl Loaded {
    /// The component of a digest, where it is still held.
    pub(crate) fn get(&self, sha256: &str) -> Option<Component> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(digest, _)| digest == sha256)?;
        let found = kept.remove(place)?;
        let component = found.1.clone();
        kept.push_back(found);
        Some(component)
    }

    /// Holds a component; the one that was not used for longest gives way.
    pub(crate) fn put(&self, sha256: &str, component: &Component) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.iter().any(|(digest, _)| digest == sha256) {
            return;
        }
        if kept.len() >= KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back((sha256.to_owned(), component.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_gives_way() {
        let component = Component::new(&wasmtime::Engine::default(), b"\0asm\x0d\0\x01\0").unwrap();
        let loaded = Loaded::default();
        for number in 0..KEPT_MAX {
            loaded.put(&number.to_string(), &component);
        }
        assert!(loaded.get("0").is_some());
        loaded.put("one more", &component);
        let held = |digest: &str| loaded.get(digest).is_some();
        assert_eq!((held("0"), held("1"), held("2"), held("one more")), (true, false, true, true));
    }
}
