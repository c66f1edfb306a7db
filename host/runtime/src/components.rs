//! The components of a run: found, pinned, given their rights, loaded.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ta_core::Point;
use ta_core::definition::Agent;
use ta_core::event::{ComponentPin, HookBinding};
use ta_core::kind::Kind;
use ta_core::manifest::ComponentEntry;
use ta_core::step::Blob;
use ta_sandbox::{ComponentBytes, Guest, Limits, Rights, Sandbox, SandboxError};
use ta_store::Store;

use crate::error::RuntimeError;
use crate::files::read_bounded;
use crate::grants::{Grants, asks};
use crate::observer::{Observer, Starting};
use crate::plugin::Plugin;

/// A component about to be loaded.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name within the plugin.
    pub name: String,
    /// `plugin:name`.
    pub full_name: String,
    /// Its bytes.
    pub bytes: ComponentBytes,
    /// The digest that they must have.
    pub pinned: Option<String>,
    /// What it is granted.
    pub rights: Rights,
    /// What one call may use.
    pub limits: Limits,
    /// What it asks for.
    pub asks: Vec<String>,
    /// What it is for.
    pub kind: Kind,
}

/// The components of a run, ready.
#[derive(Debug, Default)]
pub struct Components {
    /// By name within the plugin.
    pub guests: BTreeMap<String, Arc<Guest>>,
    /// Which component holds a tool.
    pub tools: BTreeMap<String, String>,
    /// Digests and rights, for the journal.
    pub pins: BTreeMap<String, ComponentPin>,
    /// Bytes, for the journal.
    pub bytes: Vec<ComponentBytes>,
}

impl Components {
    /// Puts others beside these; one of a name that is here already takes its place.
    pub(crate) fn add(&mut self, others: Self) {
        self.guests.extend(others.guests);
        self.tools.extend(others.tools);
        self.pins.extend(others.pins);
        self.bytes.extend(others.bytes);
    }
}

/// A replacement of a hook's component: its name, and the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// The hook, `name` or `plugin:name`.
    pub hook: String,
    /// The component's file.
    pub file: PathBuf,
}

/// The hooks of a run in order: the agent's, then the caller's, each once.
///
/// # Errors
/// `hook.unknown`.
pub fn hook_names(plugin: &Plugin, agent: &Agent, extra: &[String]) -> Result<Vec<String>, RuntimeError> {
    let mut names: Vec<String> = Vec::new();
    for name in agent.hooks.iter().chain(extra) {
        let name = own_name(plugin, name);
        if !plugin.manifest.hooks.contains_key(name) {
            return Err(unknown_hook(plugin, name));
        }
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

fn own_name<'a>(plugin: &Plugin, name: &'a str) -> &'a str {
    name.strip_prefix(plugin.manifest.name.as_str()).and_then(|rest| rest.strip_prefix(':')).unwrap_or(name)
}

fn unknown_hook(plugin: &Plugin, name: &str) -> RuntimeError {
    let known: Vec<&str> = plugin.manifest.hooks.keys().map(String::as_str).collect();
    let message = format!("the plugin `{}` has no hook `{name}`", plugin.manifest.name);
    RuntimeError::usage("hook.unknown", message, format!("its hooks are: {}", known.join(", ")))
}

/// Where each hook runs.
#[must_use]
pub fn bindings(plugin: &Plugin, hooks: &[String]) -> Vec<HookBinding> {
    let mut bindings = Vec::new();
    for point in Point::ALL {
        for name in hooks {
            let Some(entry) = plugin.manifest.hooks.get(name).filter(|entry| entry.points.contains(&point)) else {
                continue;
            };
            bindings.push(HookBinding { hook: name.clone(), point, on_failure: entry.on_failure });
        }
    }
    bindings
}

/// Which of a plugin's components a run needs beside its tools.
#[derive(Debug, Clone, Copy, Default)]
pub struct Needed<'a> {
    /// The hooks.
    pub hooks: &'a [String],
    /// The flow.
    pub flow: Option<&'a String>,
    /// The providers.
    pub providers: &'a [String],
}

/// The components of a run: its hooks, its flow, its providers, and the plugin's tools.
///
/// # Errors
/// Where a file is missing or a swap names a hook that does not run.
pub fn sources(
    plugin: &Plugin,
    needed: Needed<'_>,
    swaps: &[Swap],
    grants: &Grants,
) -> Result<Vec<Source>, RuntimeError> {
    let manifest = &plugin.manifest;
    let hook_entries = needed.hooks.iter().filter_map(|name| manifest.hooks.get_key_value(name));
    let flow_entry = needed.flow.and_then(|name| manifest.flows.get_key_value(name));
    let provider_entries = needed.providers.iter().filter_map(|name| manifest.providers.get_key_value(name));
    let entries: Vec<_> = hook_entries
        .chain(&manifest.tools)
        .chain(flow_entry.map(|(name, flow)| (name, &flow.component)))
        .chain(provider_entries)
        .collect();
    for swap in swaps {
        let name = own_name(plugin, &swap.hook);
        if !entries.iter().any(|(known, _)| *known == name) {
            let message = format!("the component `{}` does not run here, so it cannot be swapped", swap.hook);
            let known: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
            let hint = format!("the components of this run are: {}", known.join(", "));
            return Err(RuntimeError::usage("hook.unknown", message, hint));
        }
    }
    let mut sources = Vec::new();
    for (name, entry) in entries {
        let swap = swaps.iter().find(|swap| own_name(plugin, &swap.hook) == name);
        sources.push(source(plugin, name, entry, swap, grants)?);
    }
    Ok(sources)
}

/// One component of a plugin.
///
/// # Errors
/// Where its file cannot be read.
pub fn source(
    plugin: &Plugin,
    name: &str,
    entry: &ComponentEntry,
    swap: Option<&Swap>,
    grants: &Grants,
) -> Result<Source, RuntimeError> {
    let full_name = format!("{}:{name}", plugin.manifest.name);
    let (bytes, pinned) = match swap {
        None => (plugin.files.component(&entry.component)?, Some(entry.sha256.clone())),
        Some(swap) => (component_file(&swap.file)?.into(), None),
    };
    let rights = grants.rights(&full_name, entry);
    let (limits, asks, kind) = (grants.limits(entry), asks(entry), entry.kind);
    Ok(Source { name: name.to_owned(), full_name, bytes, pinned, rights, limits, asks, kind })
}

/// The bytes of a component's file.
///
/// # Errors
/// `component.unreadable`.
pub fn component_file(path: &std::path::Path) -> Result<Vec<u8>, RuntimeError> {
    read_bounded(path).map_err(|why| {
        let message = format!("the component {} cannot be read: {why}", path.display());
        RuntimeError::configuration("component.unreadable", message, "give the path of a `.wasm` component")
    })
}

/// The bytes of a component that the journal holds.
pub(crate) fn kept_by(store: &Arc<dyn Store>, sha256: &str) -> ComponentBytes {
    let (store, name) = (Arc::clone(store), sha256.to_owned());
    ComponentBytes::fetched(sha256, move || {
        let (store, name) = (Arc::clone(&store), name.clone());
        Box::pin(async move {
            let found = store.blob(&name).await.map_err(|error| error.to_string())?;
            found.ok_or_else(|| "the journal does not hold them any more".to_owned())
        })
    })
}

/// The bytes of components as an append takes them: those that the journal holds already are named alone.
///
/// # Errors
/// Where the journal cannot be read, or bytes that it lacks cannot be had.
pub(crate) async fn for_the_journal(store: &dyn Store, all: Vec<ComponentBytes>) -> Result<Vec<Blob>, RuntimeError> {
    let names: Vec<String> = all.iter().map(|bytes| bytes.sha256().to_owned()).collect();
    let missing = store.missing_blobs(&names).await?;
    let mut blobs = Vec::new();
    for bytes in all {
        blobs.push(match missing.iter().any(|name| name == bytes.sha256()) {
            true => Blob::Bytes(bytes.bytes().await?.to_vec()),
            false => Blob::Held(bytes.sha256().to_owned()),
        });
    }
    Ok(blobs)
}

/// Loads components, all at once.
///
/// # Errors
/// The first that is refused; none of them has run then.
pub async fn load(
    sandbox: &Sandbox,
    sources: Vec<Source>,
    observer: &dyn Observer,
) -> Result<Components, RuntimeError> {
    let mut tasks = Vec::new();
    for source in sources {
        observer.starting(&Starting::Component(source.full_name.clone()));
        let sandbox = sandbox.clone();
        // Compiling is work for a thread of its own: a first start compiles every component.
        tasks.push(tokio::spawn(async move { load_one(&sandbox, source).await }));
    }
    let mut components = Components::default();
    for task in tasks {
        let (source, guest) = task.await.map_err(|error| {
            RuntimeError::environment(
                "host.bug",
                format!("loading a component failed: {error}"),
                "this is a bug; please report it",
            )
        })??;
        if let Some(reason) = &guest.cache.rejected {
            observer.notice(&format!("{}: its compiled form was not used: {reason}", source.full_name));
        }
        for tool in &guest.tools {
            if let Some(other) = components.tools.insert(tool.name.clone(), source.name.clone()) {
                return Err(offered_twice(&tool.name, &other, &source.name));
            }
        }
        components.pins.insert(source.name.clone(), pin(&source, &guest));
        components.bytes.push(source.bytes);
        components.guests.insert(source.name, Arc::new(guest));
    }
    Ok(components)
}

/// A model calls a tool by its name, and whoever granted the one has not granted the other.
fn offered_twice(tool: &str, one: &str, other: &str) -> RuntimeError {
    let message = format!("the components `{one}` and `{other}` both offer a tool `{tool}`");
    RuntimeError::configuration("tool.offered_twice", message, "take one of them out of the plugin, or rename its tool")
}

async fn load_one(sandbox: &Sandbox, source: Source) -> Result<(Source, Guest), SandboxError> {
    let Source { full_name, bytes, pinned, rights, limits, .. } = &source;
    let guest = sandbox.load(full_name, bytes, pinned.as_deref(), rights.clone(), *limits).await?;
    Ok((source, guest))
}

fn pin(source: &Source, guest: &Guest) -> ComponentPin {
    ComponentPin {
        sha256: guest.sha256.clone(),
        kind: source.kind,
        fuel: guest.limits.fuel,
        cpu_ms: guest.limits.cpu_ms,
        memory_bytes: guest.limits.memory_bytes as u64,
        model_calls: Some(guest.limits.model_calls),
        asks: source.asks.clone(),
        granted: source.rights.words(),
        config: source.rights.config.clone(),
    }
}

/// A component as a run began with it: the journal keeps its bytes, its rights and its limits.
#[must_use]
pub fn source_of_pin(plugin: &str, name: &str, pin: &ComponentPin, bytes: ComponentBytes) -> Source {
    let mut limits = Limits::of(pin.kind);
    limits.fuel = pin.fuel;
    limits.cpu_ms = pin.cpu_ms;
    limits.memory_bytes = usize::try_from(pin.memory_bytes).unwrap_or(limits.memory_bytes);
    limits.model_calls = pin.model_calls.unwrap_or(limits.model_calls);
    Source {
        name: name.to_owned(),
        full_name: format!("{plugin}:{name}"),
        bytes,
        pinned: Some(pin.sha256.clone()),
        rights: Rights::from_words(&pin.granted, pin.config.clone()),
        limits,
        asks: pin.asks.clone(),
        kind: pin.kind,
    }
}

/// Every tool that a component may call must be one of the plugin's.
///
/// # Errors
/// `tool.unknown`, naming component and tool.
fn check_calls(components: &Components) -> Result<(), RuntimeError> {
    for (name, guest) in &components.guests {
        if let Some(tool) = guest.rights.calls.iter().find(|tool| !components.tools.contains_key(*tool)) {
            let message = format!("`{name}` may call the tool `{tool}`, which no component of the plugin offers");
            let known: Vec<&str> = components.tools.keys().map(String::as_str).collect();
            let hint = format!("mend `calls` in plugin.toml; its tools are: {}", known.join(", "));
            return Err(RuntimeError::configuration("tool.unknown", message, hint));
        }
    }
    Ok(())
}

/// Every hook must export the points at which its manifest says that it runs, and what components call must be there.
///
/// # Errors
/// `plugin.world_mismatch`, naming hook and point; `tool.unknown`.
pub fn check_points(bindings: &[HookBinding], components: &Components) -> Result<(), RuntimeError> {
    for binding in bindings {
        let exports = components.guests.get(&binding.hook).is_some_and(|guest| guest.exports(binding.point));
        if !exports {
            let message = format!("the component of `{}` does not export `{}`", binding.hook, binding.point);
            let hint = "mend `points` in plugin.toml; `inspect` shows what a component exports";
            return Err(RuntimeError::configuration("plugin.world_mismatch", message, hint));
        }
    }
    check_calls(components)
}
