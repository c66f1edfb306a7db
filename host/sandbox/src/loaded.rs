//! Compiled components in use: runs at the same time share the code of each. What nobody uses any more is let go.
//!
//! A component is code without state: what a guest keeps lives in its instances, and every call has a fresh one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use wasmtime::component::Component;

/// Components by the digest of their bytes.
#[derive(Default)]
pub(crate) struct Loaded(Mutex<BTreeMap<String, Weak<Component>>>);

impl Loaded {
    /// The component of a digest, where somebody uses it.
    pub(crate) fn get(&self, sha256: &str) -> Option<Arc<Component>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(sha256)?.upgrade()
    }

    /// Lets others share a component for as long as it is used.
    pub(crate) fn share(&self, sha256: &str, component: Component) -> Arc<Component> {
        let component = Arc::new(component);
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, held| held.strong_count() > 0);
        used.insert(sha256.to_owned(), Arc::downgrade(&component));
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_shared_and_what_is_not_is_let_go() {
        let component = Component::new(&wasmtime::Engine::default(), b"\0asm\x0d\0\x01\0").unwrap();
        let loaded = Loaded::default();
        let one = loaded.share("one", component.clone());
        assert!(loaded.get("one").is_some_and(|shared| Arc::ptr_eq(&shared, &one)));
        drop(one);
        assert!(loaded.get("one").is_none());
        let _two = loaded.share("two", component);
        assert_eq!(loaded.0.lock().unwrap().len(), 1, "not even its name is kept");
    }
}
