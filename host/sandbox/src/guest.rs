//! A component that may be called: checked, and tried once; compiled and linked when it has to be.

use std::sync::{Arc, OnceLock};

use ta_core::Point;
use ta_core::capability::Capability;
use ta_core::hook::CallContext;
use ta_core::message::ToolDefinition;
use wasmtime::Store;
use wasmtime::component::{Component as Compiled, Instance, InstancePre};

use crate::bindings::exports::teacher_assist::plugin as points;
use crate::bytes::{ComponentBytes, digest};
use crate::cache::CacheReport;
use crate::call::{Ended, Work};
use crate::engine::{Inner, LinkedEngine, Sandbox};
use crate::facts::{Facts, Trial};
use crate::failure::SandboxError;
use crate::inspect::{Inspection, PACKAGE, VERSION, unknown_import};
use crate::invocation::Invocation;
use crate::limits::Limits;
use crate::loaded::{Component, Wanted};
use crate::rights::Rights;
use crate::shape::{Outline, header};
use crate::state::State;

/// A component that may be called.
pub struct Guest {
    /// Its name, such as `lesson-planning:scope-check`.
    pub name: String,
    /// SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
    /// What it exports and imports.
    pub inspection: Inspection,
    /// What it is granted.
    pub rights: Arc<Rights>,
    /// What one call may use.
    pub limits: Limits,
    /// The tools that it offers.
    pub tools: Vec<ToolDefinition>,
    /// Where its compiled form came from.
    pub cache: CacheReport,
    /// Held so that others may share it.
    component: Arc<Component>,
    ready: OnceLock<Ready>,
}

/// What a call begins with, made when the first one does.
pub(crate) struct Ready {
    pub(crate) engine: Arc<LinkedEngine>,
    pub(crate) pre: InstancePre<State>,
    pub(crate) indices: Indices,
}

impl std::fmt::Debug for Guest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guest").field("name", &self.name).field("sha256", &self.sha256).finish_non_exhaustive()
    }
}

include!("../../../wit/plugin/lists.rs");

macro_rules! indices {
    ([] $($variant:ident $module:ident $name:literal $world:literal $when:literal;)*) => {
        /// Where the functions of each point are; none where the component does not export it.
        #[derive(Clone, Default)]
        pub(crate) struct Indices {
            $(pub(crate) $module: Option<points::$module::GuestIndices>,)*
            pub(crate) tool: Option<points::tool::GuestIndices>,
            pub(crate) flow: Option<points::flow::GuestIndices>,
            pub(crate) provider: Option<points::provider::GuestIndices>,
            pub(crate) writer: Option<points::writer::GuestIndices>,
            pub(crate) reader: Option<points::reader::GuestIndices>,
        }

        impl Indices {
            fn of(component: &Compiled, pre: &InstancePre<State>) -> wasmtime::Result<Self> {
                let exports = |name: &str| component.get_export_index(None, &format!("{PACKAGE}/{name}@{VERSION}")).is_some();
                Ok(Self {
                    $($module: exports($name).then(|| points::$module::GuestIndices::new(pre)).transpose()?,)*
                    tool: exports("tool").then(|| points::tool::GuestIndices::new(pre)).transpose()?,
                    flow: exports("flow").then(|| points::flow::GuestIndices::new(pre)).transpose()?,
                    provider: exports("provider").then(|| points::provider::GuestIndices::new(pre)).transpose()?,
                    writer: exports("writer").then(|| points::writer::GuestIndices::new(pre)).transpose()?,
                    reader: exports("reader").then(|| points::reader::GuestIndices::new(pre)).transpose()?,
                })
            }

            /// Checks the types of everything that is exported: the engine does so only on an instance.
            pub(crate) fn check(&self, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<()> {
                $(if let Some(indices) = &self.$module {
                    indices.load(&mut *store, instance)?;
                })*
                if let Some(indices) = &self.flow {
                    indices.load(&mut *store, instance)?;
                }
                if let Some(indices) = &self.provider {
                    indices.load(&mut *store, instance)?;
                }
                if let Some(indices) = &self.writer {
                    indices.load(&mut *store, instance)?;
                }
                if let Some(indices) = &self.reader {
                    indices.load(&mut *store, instance)?;
                }
                Ok(())
            }
        }
    };
}

points!(indices);

impl Guest {
    /// What a call begins with: its code, linked.
    ///
    /// # Errors
    /// `plugin.world_mismatch`, `plugin.import_denied` where it does not fit; `sandbox.engine` where the engine refuses it.
    pub(crate) fn ready(&self, inner: &Inner) -> Result<&Ready, SandboxError> {
        if let Some(ready) = self.ready.get() {
            return Ok(ready);
        }
        let unusable = |why: String| {
            let message = format!("{}: its compiled form cannot be used: {why}", self.name);
            SandboxError::new("sandbox.engine", message, "start again; it is compiled anew where it has to be")
        };
        let code = self.component.code.runnable(inner).map_err(unusable)?;
        let linker = code.engine.linker(self.rights.has(Capability::Wasi))?;
        let unfit = |error| unlinked(&self.name, &self.inspection, &error);
        let pre = linker.instantiate_pre(&code.component).map_err(unfit)?;
        let indices = Indices::of(&code.component, &pre).map_err(|error| mismatch(&self.name, &error))?;
        Ok(self.ready.get_or_init(|| Ready { engine: Arc::clone(&code.engine), pre, indices }))
    }

    /// What is known of it.
    pub(crate) fn facts(&self) -> Facts {
        self.component.facts()
    }

    /// Whether it exports the point.
    #[must_use]
    pub fn exports(&self, point: Point) -> bool {
        self.inspection.points.contains(&point)
    }
}

impl Sandbox {
    /// Reads what a component exports and imports. Nothing of it is compiled.
    ///
    /// # Errors
    /// `plugin.malformed` where it is no component, `plugin.world_mismatch` where it was built against another contract.
    pub fn inspect(&self, bytes: &[u8]) -> Result<Inspection, SandboxError> {
        header(bytes, true)?;
        Inspection::of(&Outline::of(bytes, true)?)
    }

    /// The same, and validates and compiles it, as loading it would.
    ///
    /// # Errors
    /// As [`Sandbox::load`], but that nothing of it is tried.
    pub fn validate(&self, bytes: &[u8], rights: &Rights) -> Result<Inspection, SandboxError> {
        let sha256 = digest(bytes);
        let (component, _) = self.component_blocking(bytes, &wanted(&sha256, rights))?;
        Inspection::of(&component.facts().outline)
    }

    /// Makes a component ready to be called. Its code is read when it is called first, unless it has yet to be tried; its bytes are
    /// fetched only where it has to be compiled.
    ///
    /// # Errors
    /// - `plugin.digest_mismatch` where `pinned` is not the digest of these very bytes, `component.unreadable` where they cannot be
    ///   fetched;
    /// - `plugin.too_large`, `plugin.malformed`, `plugin.too_complex`, `plugin.world_mismatch` where it is no component of
    ///   this contract, or one that cannot be compiled within reason;
    /// - `plugin.import_denied` where it imports what it was not granted;
    /// - a call's code, such as `hook.deadline`, where it does not even start.
    pub async fn load(
        &self,
        name: &str,
        bytes: impl Into<ComponentBytes>,
        pinned: Option<&str>,
        rights: Rights,
        limits: Limits,
    ) -> Result<Guest, SandboxError> {
        let bytes: ComponentBytes = bytes.into();
        let sha256 = bytes.sha256().to_owned();
        if let Some(pinned) = pinned.filter(|pinned| !pinned.eq_ignore_ascii_case(&sha256)) {
            let message = format!("{name}: the component's digest is {sha256}, the manifest pins {pinned}");
            let hint = "somebody changed the component: restore it, or pin the new digest if the change was yours";
            return Err(SandboxError::new("plugin.digest_mismatch", message, hint));
        }
        let limits = if rights.has(Capability::Wasi) { limits.with_runtime() } else { limits };
        let named = |error: SandboxError| SandboxError { message: format!("{name}: {}", error.message), ..error };
        let (component, cache) = self.component(&bytes, &wanted(&sha256, &rights)).await.map_err(named)?;
        let facts = component.facts();
        let inspection = Inspection::of(&facts.outline).map_err(named)?;
        inspection.permit(name, &rights)?;
        let mut guest = Guest {
            name: name.to_owned(),
            sha256,
            inspection,
            rights: Arc::new(rights),
            limits,
            tools: Vec::new(),
            cache,
            component,
            ready: OnceLock::new(),
        };
        guest.tools = match facts.trial.filter(|trial| trial.holds(&limits)) {
            Some(trial) => trial.tools,
            None => self.try_once(&guest).await?,
        };
        Ok(guest)
    }

    /// Types are checked only on an instance, so one is made; a component that offers tools says which.
    async fn try_once(&self, guest: &Guest) -> Result<Vec<ToolDefinition>, SandboxError> {
        guest.ready(&self.inner)?;
        let rights = Rights { capabilities: vec![Capability::Log], ..Rights::default() };
        let invocation = Invocation::new(CallContext::default(), Arc::new(rights), guest.limits);
        let outcome = self.perform(guest, Work::Check, invocation).await;
        match outcome.ended {
            Ended::Returned(tools) => {
                let tools = tools.into_definitions();
                self.tried(&guest.sha256, &guest.component, Trial::new(tools.clone(), &guest.limits));
                Ok(tools)
            }
            Ended::Failed(failure) if failure.code == "hook.malformed" => {
                let message =
                    format!("{}: it does not fit the contract {PACKAGE}@{VERSION}: {}", guest.name, failure.reason);
                Err(SandboxError::new("plugin.world_mismatch", message, "build it against this host's `wit/plugin`"))
            }
            Ended::Failed(failure) => {
                let message = format!("{}: it does not start: {}", guest.name, failure.reason);
                Err(SandboxError::new(failure.code, message, "a component must start within its limits"))
            }
            Ended::Requested(_) => {
                let message = format!("{}: it makes a request before it is called", guest.name);
                Err(SandboxError::new("plugin.malformed", message, "ask within the exported function"))
            }
        }
    }
}

fn wanted<'a>(sha256: &'a str, rights: &Rights) -> Wanted<'a> {
    Wanted { sha256, runtime: rights.has(Capability::Wasi) }
}

/// Imports that are there and have another type break the contract; a part of WASI that is not there was never on offer.
fn unlinked(name: &str, inspection: &Inspection, error: &wasmtime::Error) -> SandboxError {
    let text = format!("{error:#}");
    let named = |import: &&String| import.starts_with("wasi:") && text.contains(&format!("`{import}`"));
    inspection.imports.iter().find(named).map_or_else(|| mismatch(name, error), |import| unknown_import(name, import))
}

fn mismatch(name: &str, error: &wasmtime::Error) -> SandboxError {
    let message = format!("{name}: it does not fit the contract {PACKAGE}@{VERSION}: {error:#}");
    SandboxError::new("plugin.world_mismatch", message, "build it against this host's `wit/plugin`")
}
