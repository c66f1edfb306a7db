//! Components in use: runs at the same time share what is known of each, and its code. What nobody uses any more is let go.
//!
//! Code is without state: what a guest keeps lives in its instances, and every call has a fresh one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::bytes::ComponentBytes;
use crate::cache::CacheReport;
use crate::code::{Artefact, Code};
use crate::engine::Sandbox;
use crate::facts::{Facts, Names, Trial};
use crate::failure::SandboxError;
use crate::inspect::of_this_version;
use crate::shape::{Outline, header};

/// Which component, and what for.
pub(crate) struct Wanted<'a> {
    /// Digest of its bytes.
    pub(crate) sha256: &'a str,
    /// Whether it may carry a language runtime.
    pub(crate) runtime: bool,
}

/// A component, and how it was come by.
pub(crate) type Found = (Arc<Component>, CacheReport);

/// A component that somebody uses.
pub(crate) struct Component {
    pub(crate) facts: Mutex<Facts>,
    pub(crate) code: Code,
}

impl Component {
    pub(crate) const fn new(facts: Facts, code: Code) -> Self {
        Self { facts: Mutex::new(facts), code }
    }

    pub(crate) fn facts(&self) -> Facts {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

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

impl Sandbox {
    /// A component, its code ready to be made runnable: shared, kept from an earlier time, shipped, or compiled now.
    ///
    /// # Errors
    /// `plugin.too_large`, `plugin.malformed`, `plugin.too_complex`, however it was come by; `plugin.world_mismatch` for
    /// another version of the contract, before it is compiled.
    pub(crate) async fn component(&self, bytes: &ComponentBytes, wanted: &Wanted<'_>) -> Result<Found, SandboxError> {
        let rejected = match self.known(bytes.here(), wanted)? {
            Ok(found) => return Ok(found),
            Err(rejected) => rejected,
        };
        let bytes = bytes.bytes().await?;
        header(&bytes, wanted.runtime)?;
        let outline = Outline::of(&bytes, wanted.runtime)?;
        of_this_version(&outline)?;
        let artefact = self.inner.compiler.compile(bytes.to_vec(), outline.weight(wanted.runtime)).await?;
        Ok(self.compiled(outline, artefact, wanted, rejected))
    }

    /// The same for callers that have no runtime.
    ///
    /// # Errors
    /// As [`Sandbox::component`].
    pub(crate) fn component_blocking(&self, bytes: &[u8], wanted: &Wanted<'_>) -> Result<Found, SandboxError> {
        let rejected = match self.known(Some(bytes), wanted)? {
            Ok(found) => return Ok(found),
            Err(rejected) => rejected,
        };
        let outline = Outline::of(bytes, wanted.runtime)?;
        of_this_version(&outline)?;
        let artefact = self.inner.compiler.compile_blocking(bytes, outline.weight(wanted.runtime))?;
        Ok(self.compiled(outline, artefact, wanted, rejected))
    }

    /// The component, where it need not be compiled; else why what was kept was not used, if there was anything. What is
    /// refused cold is refused warm.
    fn known(&self, bytes: Option<&[u8]>, wanted: &Wanted<'_>) -> Result<Result<Found, Option<String>>, SandboxError> {
        bytes.map_or(Ok(()), |bytes| header(bytes, wanted.runtime))?;
        let fit = |component: Arc<Component>| {
            component.facts().outline.shape.check(wanted.runtime)?;
            Ok(Ok((component, CacheReport { hit: true, rejected: None })))
        };
        let inner = &self.inner;
        if let Some(component) = inner.loaded.get(wanted.sha256) {
            return fit(component);
        }
        let share = |(facts, artefact)| {
            let component = Component::new(facts, Code::new(artefact));
            inner.loaded.share(wanted.sha256, component)
        };
        let names = Names::of(&inner.on_demand.engine, wanted.sha256);
        let rejected = match inner.cache.as_ref().map_or(Ok(None), |cache| cache.find(&names)) {
            Ok(Some(found)) => return fit(share(found)),
            Ok(None) => None,
            Err(reason) => Some(reason),
        };
        if let Some(found) = inner.shipped.as_ref().and_then(|shipped| shipped.find(&names)) {
            return fit(share(found))
                .map(|found| found.map(|(component, report)| (component, CacheReport { rejected, ..report })));
        }
        Ok(Err(rejected))
    }

    fn compiled(&self, outline: Outline, artefact: Artefact, wanted: &Wanted<'_>, rejected: Option<String>) -> Found {
        let inner = &self.inner;
        let names = Names::of(&inner.on_demand.engine, wanted.sha256);
        let kept = match (&inner.cache, artefact.bytes()) {
            (Some(cache), Some(code)) => cache.store(&names, &outline, code).map(Some),
            _ => Ok(None),
        };
        let (kept, unkept) = match kept {
            Ok(kept) => (kept, None),
            Err(reason) => (None, Some(reason)),
        };
        let (facts, artefact) = kept.unwrap_or((Facts { outline, code: None, trial: None }, artefact));
        let component = Component::new(facts, Code::new(artefact));
        let shared = inner.loaded.share(wanted.sha256, component);
        (shared, CacheReport { hit: false, rejected: rejected.or(unkept) })
    }

    /// Notes what came of trying a component, for the next time.
    pub(crate) fn tried(&self, sha256: &str, component: &Component, trial: Trial) {
        let mut facts = component.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.trial = Some(trial);
        if let Some(cache) = self.inner.cache.as_ref().filter(|_| facts.code.is_some()) {
            cache.keep(&Names::of(&self.inner.on_demand.engine, sha256), &facts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_shared_and_what_is_not_is_let_go() {
        let component = || {
            let facts = Facts { outline: Outline::default(), code: None, trial: None };
            Component::new(facts, Code::new(Artefact::made(Vec::new())))
        };
        let loaded = Loaded::default();
        let one = loaded.share("one", component());
        assert!(loaded.get("one").is_some_and(|shared| Arc::ptr_eq(&shared, &one)));
        drop(one);
        assert!(loaded.get("one").is_none());
        let _two = loaded.share("two", component());
        assert_eq!(loaded.0.lock().unwrap().len(), 1, "not even its name is kept");
    }
}
