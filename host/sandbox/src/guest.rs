//! A component that may be called: checked, compiled, linked, and tried once.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use ta_core::Point;
use ta_core::hook::CallContext;
use ta_core::message::ToolDefinition;
use wasmtime::component::{Component, InstancePre};

use crate::bindings::exports::teacher_assist::plugin as points;
use crate::cache::CacheReport;
use crate::call::{Ended, Work};
use crate::code::Code;
use crate::engine::Sandbox;
use crate::failure::SandboxError;
use crate::inspect::{Inspection, PACKAGE, VERSION, unknown_import};
use crate::invocation::Invocation;
use crate::limits::{Kind, Limits};
use crate::rights::{Capability, Rights};
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
    pub(crate) pre: InstancePre<State>,
    pub(crate) indices: Indices,
    /// Held so that others may share it.
    pub(crate) code: Arc<Code>,
}

impl std::fmt::Debug for Guest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guest").field("name", &self.name).field("sha256", &self.sha256).finish_non_exhaustive()
    }
}

/// Where each point's functions are; none where the component does not export the point.
#[derive(Clone, Default)]
pub(crate) struct Indices {
    pub(crate) pre_loop: Option<points::pre_loop::GuestIndices>,
    pub(crate) pre_model: Option<points::pre_model::GuestIndices>,
    pub(crate) post_model: Option<points::post_model::GuestIndices>,
    pub(crate) pre_tool: Option<points::pre_tool::GuestIndices>,
    pub(crate) post_tool: Option<points::post_tool::GuestIndices>,
    pub(crate) post_loop: Option<points::post_loop::GuestIndices>,
    pub(crate) on_handoff: Option<points::on_handoff::GuestIndices>,
    pub(crate) on_subagent_start: Option<points::on_subagent_start::GuestIndices>,
    pub(crate) on_subagent_end: Option<points::on_subagent_end::GuestIndices>,
    pub(crate) tool: Option<points::tool::GuestIndices>,
    pub(crate) flow: Option<points::flow::GuestIndices>,
}

impl Guest {
    /// Whether it exports the point.
    #[must_use]
    pub fn exports(&self, point: Point) -> bool {
        self.inspection.points.contains(&point)
    }
}

impl Sandbox {
    /// Reads what a component exports and imports, without running anything of it.
    ///
    /// # Errors
    /// `plugin.malformed` where it is no component, `plugin.world_mismatch` where it was built against another contract.
    pub fn inspect(&self, bytes: &[u8]) -> Result<Inspection, SandboxError> {
        let limits = Limits::of(Kind::Tool).with_runtime();
        let (code, _) = self.compile_blocking(bytes, &digest(bytes), &limits)?;
        Inspection::of(&code.engine.engine, &code.component)
    }

    /// Makes a component ready to be called.
    ///
    /// # Errors
    /// - `plugin.digest_mismatch` where `pinned` is not the digest of these very bytes;
    /// - `plugin.too_large`, `plugin.malformed`, `plugin.world_mismatch` where it is no component of this contract;
    /// - `plugin.import_denied` where it imports what it was not granted;
    /// - a call's code, such as `hook.deadline`, where it does not even start.
    pub async fn load(
        &self,
        name: &str,
        bytes: &[u8],
        pinned: Option<&str>,
        rights: Rights,
        limits: Limits,
    ) -> Result<Guest, SandboxError> {
        let sha256 = digest(bytes);
        if let Some(pinned) = pinned.filter(|pinned| !pinned.eq_ignore_ascii_case(&sha256)) {
            let message = format!("{name}: the component's digest is {sha256}, the manifest pins {pinned}");
            let hint = "somebody changed the component: restore it, or pin the new digest if the change was yours";
            return Err(SandboxError::new("plugin.digest_mismatch", message, hint));
        }
        let limits = if rights.has(Capability::Wasi) { limits.with_runtime() } else { limits };
        let named = |error: SandboxError| SandboxError { message: format!("{name}: {}", error.message), ..error };
        // One that waits for a model keeps what it has for seconds, and places are few.
        let pooled = !rights.has(Capability::Model);
        let (code, cache) = self.compile(bytes, &sha256, &limits, pooled).await.map_err(named)?;
        let inspection = Inspection::of(&code.engine.engine, &code.component).map_err(named)?;
        inspection.permit(name, &rights)?;
        let linker = code.engine.linker(rights.has(Capability::Wasi))?;
        let pre = linker.instantiate_pre(&code.component).map_err(|error| unlinked(name, &inspection, &error))?;
        let indices = indices(&code.component, &pre).map_err(|error| mismatch(name, &error))?;
        let mut guest = Guest {
            name: name.to_owned(),
            sha256,
            inspection,
            rights: Arc::new(rights),
            limits,
            tools: Vec::new(),
            cache,
            pre,
            indices,
            code,
        };
        guest.tools = self.try_once(&guest).await?;
        Ok(guest)
    }

    /// Types are checked only on an instance, so one is made; a component that offers tools says which.
    async fn try_once(&self, guest: &Guest) -> Result<Vec<ToolDefinition>, SandboxError> {
        let rights = Rights { capabilities: vec![Capability::Log], ..Rights::default() };
        let invocation = Invocation::new(CallContext::default(), Arc::new(rights), guest.limits);
        let outcome = self.perform(guest, Work::Check, invocation).await;
        match outcome.ended {
            Ended::Returned(tools) => Ok(tools.into_definitions()),
            Ended::Failed(failure) if failure.code == "hook.malformed" => {
                let message =
                    format!("{}: it does not fit the contract {PACKAGE}@{VERSION}: {}", guest.name, failure.reason);
                Err(SandboxError::new("plugin.world_mismatch", message, "build it against this host's `wit/plugin`"))
            }
            Ended::Failed(failure) => {
                let message = format!("{}: it does not start: {}", guest.name, failure.reason);
                Err(SandboxError::new(failure.code, message, "a component must start within its limits"))
            }
            Ended::Parked(_) => {
                let message = format!("{}: it asks a question before it is called", guest.name);
                Err(SandboxError::new("plugin.malformed", message, "ask within the exported function"))
            }
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
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

fn indices(component: &Component, pre: &InstancePre<State>) -> wasmtime::Result<Indices> {
    macro_rules! index {
        ($point:ident, $name:literal) => {
            match component.get_export_index(None, concat!("teacher-assist:plugin/", $name, "@0.2.0")) {
                Some(_) => Some(points::$point::GuestIndices::new(pre)?),
                None => None,
            }
        };
    }
    Ok(Indices {
        pre_loop: index!(pre_loop, "pre-loop"),
        pre_model: index!(pre_model, "pre-model"),
        post_model: index!(post_model, "post-model"),
        pre_tool: index!(pre_tool, "pre-tool"),
        post_tool: index!(post_tool, "post-tool"),
        post_loop: index!(post_loop, "post-loop"),
        on_handoff: index!(on_handoff, "on-handoff"),
        on_subagent_start: index!(on_subagent_start, "on-subagent-start"),
        on_subagent_end: index!(on_subagent_end, "on-subagent-end"),
        tool: index!(tool, "tool"),
        flow: index!(flow, "flow"),
    })
}
