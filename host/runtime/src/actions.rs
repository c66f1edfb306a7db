//! Actions: what plugins offer to people, in a page or by a command, and to no model.
//!
//! An action is a tool of a component that the manifest names under `[actions]`. It is told its arguments, and reads files as far as
//! that was granted. It is called outside of runs and nothing of it is journaled. What it writes is staged: whoever calls it shows that,
//! and puts it in place when the person says so. Its answer is JSON; `{"error": {code, message, hint}}` is for the person, in its own
//! words, and `"usage": true` in it says that the arguments are at fault.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};
use ta_core::files::Files;
use ta_core::hook::CallContext;
use ta_core::kind::Kind;
use ta_core::message::{ToolCall, ToolDefinition};
use ta_sandbox::{Ended, Failure, Guest, Invocation, Limits, StagedWrite};

use crate::components::source;
use crate::error::RuntimeError;
use crate::host::{Host, now_ms};
use crate::plugin::{self, Plugin};

/// The code of a guest that says that its arguments do not fit.
const ARGUMENTS: &str = "arguments";
/// An action, ready to be called.
#[derive(Debug, Clone)]
pub struct Action {
    /// The plugin.
    pub plugin: String,
    /// Its name, what it does, and its arguments.
    pub definition: ToolDefinition,
    guest: Arc<Guest>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// What it answered.
    pub result: Value,
    /// What it would write, in its order. Nothing of it is in place.
    pub writes: Vec<StagedWrite>,
}

/// All actions of a plugin.
///
/// # Errors
/// Those of loading a component; `plugin.world_mismatch` where one offers nothing.
pub async fn all(host: &Host, plugin: &Plugin) -> Result<Vec<Action>, RuntimeError> {
    let mut actions = Vec::new();
    for name in plugin.manifest.actions.keys() {
        actions.extend(of_component(host, plugin, name).await?);
    }
    Ok(actions)
}

/// The action of this name.
///
/// # Errors
/// `action.unknown`; those of loading a component.
pub async fn named(host: &Host, plugin: &Plugin, action: &str) -> Result<Action, RuntimeError> {
    let mut known = Vec::new();
    for name in plugin.manifest.actions.keys() {
        for found in of_component(host, plugin, name).await? {
            if found.definition.name == action {
                return Ok(found);
            }
            known.push(found.definition.name);
        }
    }
    let message = format!("the plugin `{}` has no action `{action}`", plugin.manifest.name);
    let hint = if known.is_empty() { "it has none".to_owned() } else { format!("there are: {}", known.join(", ")) };
    Err(RuntimeError::usage("action.unknown", message, hint))
}

/// The plugin that has an action of this name, and the action: the first by name, where several have.
///
/// # Errors
/// `action.unknown`; those of loading a component.
pub async fn anywhere(host: &Host, action: &str) -> Result<(Plugin, Action), RuntimeError> {
    for plugin in plugin::declared(host.config.plugins.as_deref())? {
        match named(host, &plugin, action).await {
            Ok(found) => return Ok((plugin, found)),
            Err(error) if error.code == "action.unknown" => {}
            Err(error) => return Err(error),
        }
    }
    let hint = "look at --plugins: `validate` lists what is wrong there";
    Err(RuntimeError::configuration("action.unknown", format!("no plugin has an action `{action}`"), hint))
}

async fn of_component(host: &Host, plugin: &Plugin, name: &str) -> Result<Vec<Action>, RuntimeError> {
    let Some(entry) = plugin.manifest.actions.get(name) else { return Ok(Vec::new()) };
    let mut source = source(plugin, name, entry, None, &host.grants()?)?;
    source.limits = limits(source.limits, &entry.limits);
    let load =
        host.sandbox.load(&source.full_name, &source.bytes, source.pinned.as_deref(), source.rights, source.limits);
    let guest = Arc::new(load.await?);
    if guest.tools.is_empty() {
        let message = format!("the component of the actions `{name}` offers no tool");
        let hint = "mend `component` in plugin.toml; `inspect` shows what a component exports";
        return Err(RuntimeError::configuration("plugin.world_mismatch", message, hint));
    }
    let action = |definition: &ToolDefinition| Action {
        plugin: plugin.manifest.name.clone(),
        definition: definition.clone(),
        guest: Arc::clone(&guest),
    };
    Ok(guest.tools.iter().map(action).collect())
}

/// What one call may use: a tool's, but whole documents may be its arguments, so what its manifest leaves open is a reader's.
fn limits(tool: Limits, declared: &BTreeMap<String, u32>) -> Limits {
    let reader = Limits::of(Kind::Reader);
    let open = |limit: &str| !declared.contains_key(limit);
    Limits {
        fuel: if open("fuel-millions") { reader.fuel } else { tool.fuel },
        cpu_ms: if open("cpu-ms") { reader.cpu_ms } else { tool.cpu_ms },
        memory_bytes: if open("memory-mib") { reader.memory_bytes } else { tool.memory_bytes },
        payload_bytes: reader.payload_bytes,
        ..tool
    }
}

impl Action {
    /// Calls it. `what` is what a person calls what it is given; `files` are those that it may see as far as that was granted.
    ///
    /// # Errors
    /// Those of its own; `action.arguments` where it says that they do not fit, `action.too-large` where it runs out of a limit,
    /// `action.failed` where it fails otherwise or answers no JSON.
    pub async fn call(
        &self,
        host: &Host,
        what: &str,
        files: Option<Arc<dyn Files>>,
        arguments: &Value,
    ) -> Result<Done, RuntimeError> {
        let name = &self.definition.name;
        let call = ToolCall { id: "1".to_owned(), name: name.clone(), arguments: arguments.to_string() };
        let guest = &*self.guest;
        let context = CallContext { plugin: self.plugin.clone(), ..CallContext::default() };
        let invocation = Invocation {
            workspace: files,
            now_ms: now_ms(),
            // The same arguments make the same answer, also where a language runtime in the guest seeds itself.
            seed: Sha256::digest(call.arguments.as_bytes()).into(),
            ..Invocation::new(context, Arc::clone(&guest.rights), guest.limits)
        };
        let outcome = host.sandbox.call_tool(guest, &call, invocation).await;
        let answer = match outcome.ended {
            Ended::Returned(Ok(answer)) => answer,
            Ended::Returned(Err(failure)) if failure.code == ARGUMENTS => return Err(unfit(name, &failure.message)),
            Ended::Returned(Err(failure)) => return Err(failed(name, &failure.message)),
            Ended::Failed(failure) => return Err(ended(name, what, &failure)),
            Ended::Requested(_) => return Err(failed(name, "it asks for something, and nobody answers it here")),
        };
        let result: Value = serde_json::from_str(&answer).map_err(|_| failed(name, "its answer is no JSON"))?;
        match result.get("error") {
            None => Ok(Done { result, writes: outcome.writes }),
            Some(error) => Err(own(error)),
        }
    }
}

/// An error in the action's own words.
fn own(error: &Value) -> RuntimeError {
    let text = |field: &str| error.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let of_usage = error.get("usage").and_then(Value::as_bool).unwrap_or_default();
    let (code, message, hint) = (text("code"), text("message"), text("hint"));
    match of_usage {
        true => RuntimeError::usage(&code, message, hint),
        false => RuntimeError::configuration(&code, message, hint),
    }
}

fn unfit(action: &str, why: &str) -> RuntimeError {
    let message = format!("the arguments of `{action}` do not fit: {why}");
    RuntimeError::usage("action.arguments", message, "its schema says what it takes: GET /api/plugins shows it")
}

fn failed(action: &str, why: &str) -> RuntimeError {
    RuntimeError::configuration("action.failed", format!("`{action}` did nothing: {why}"), "mend the component")
}

fn ended(action: &str, what: &str, failure: &Failure) -> RuntimeError {
    let why = failure.reason.trim_end_matches('.');
    match failure.code {
        "hook.deadline" | "hook.memory" | "hook.payload" | "hook.limit" => {
            let message = format!("{what} takes more time or memory than `{action}` may: {why} [{}]", failure.code);
            RuntimeError::configuration("action.too-large", message, "split it")
        }
        code => failed(action, &format!("{why} [{code}]")),
    }
}
