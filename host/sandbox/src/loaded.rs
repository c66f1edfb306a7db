//! Compiled components in use: runs at the same time share the code of each. What nobody uses any more is let go.
//!
//! A component is code without state: what a guest keeps lives in its instances, and every call has a fresh one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::code::Code;

/// Components by the digest of their bytes, and by whether they may be in the pool.
#[derive(Default)]
pub(crate) struct Loaded(Mutex<BTreeMap<(String, bool), Weak<Code>>>);

impl Loaded {
    /// The component of a digest, where somebody uses it.
    pub(crate) fn get(&self, sha256: &str, pooled: bool) -> Option<Arc<Code>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(sha256.to_owned(), pooled))?.upgrade()
    }

    /// Lets others share a component for as long as it is used.
    pub(crate) fn share(&self, sha256: &str, pooled: bool, code: Code) -> Arc<Code> {
        let code = Arc::new(code);
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, held| held.strong_count() > 0);
        used.insert((sha256.to_owned(), pooled), Arc::downgrade(&code));
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Artefact;
    use crate::engine::{Sandbox, SandboxConfig};

    #[test]
    fn what_is_used_is_shared_and_what_is_not_is_let_go() {
        let inner = Sandbox::new(&SandboxConfig::default()).unwrap().inner;
        let artefact = Artefact::compile(&inner.on_demand.engine, b"\0asm\x0d\0\x01\0").unwrap();
        let code = || inner.runnable(&artefact, true).unwrap();
        let loaded = Loaded::default();
        let one = loaded.share("one", true, code());
        assert!(loaded.get("one", true).is_some_and(|shared| Arc::ptr_eq(&shared, &one)));
        assert!(loaded.get("one", false).is_none());
        drop(one);
        assert!(loaded.get("one", true).is_none());
        let _two = loaded.share("two", true, code());
        assert_eq!(loaded.0.lock().unwrap().len(), 1, "not even its name is kept");
    }
}
