//! Sessions of flows, as a surface sees them: where one stands, what it shows to a role, and at which addresses flows are.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use ta_core::event::Event;
use ta_core::flow::{PersonWait, REPLY_FIELDS_TAKEN, ShownMessage};
use ta_core::hook::CallContext;
use ta_core::machine::Machine;
use ta_fields::problem::Problem;
use ta_sandbox::{Ended as CallEnded, Invocation};
use ta_store::{SessionRow, Store};

use crate::components;
use crate::error::RuntimeError;
use crate::history;
use crate::host::Host;
use crate::inputs::blob;
use crate::plugin::{self, Plugin};
use crate::run::{OpenQuestion, open_question};

/// A flow of a plugin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlowName {
    /// The plugin.
    pub plugin: String,
    /// The flow.
    pub flow: String,
}

/// Flows by their shorter address.
pub type Addresses = BTreeMap<String, FlowName>;

/// Where the latest run of a session stands, whose flow says what comes next.
pub struct FlowSession {
    machine: Machine,
    flow: FlowName,
    /// What was said last, where the flow has not answered it.
    unanswered: Option<String>,
}

impl FlowSession {
    /// Where a session stands; none where its latest run has no flow.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub async fn of(store: &dyn Store, session: &SessionRow) -> Result<Option<Self>, RuntimeError> {
        let lineage = history::lineage(store, &session.id).await?;
        let machine = history::machine(&lineage, &session.last_run);
        let Some(flow) = machine.start().flow.clone() else { return Ok(None) };
        let flow = FlowName { plugin: machine.start().plugin.clone(), flow };
        let since = lineage.iter().rev().take_while(|record| record.seq > machine.settled_seq());
        let said = since.into_iter().find_map(|record| match &record.event {
            Event::MessageSaid(said) => Some(said.text.clone()),
            _ => None,
        });
        let unanswered = said.filter(|_| machine.listening().is_none() && !machine.ledger().is_finished());
        Ok(Some(Self { machine, flow, unanswered }))
    }

    /// The flow.
    #[must_use]
    pub const fn flow(&self) -> &FlowName {
        &self.flow
    }

    /// Number of the record with which the last exchange ended.
    #[must_use]
    pub const fn after(&self) -> u64 {
        self.machine.settled_seq()
    }

    /// Who is waited for.
    #[must_use]
    pub fn waits_for(&self) -> Option<&PersonWait> {
        self.machine.listening()
    }

    /// A question of a hook that is open.
    #[must_use]
    pub fn question(&self) -> Option<OpenQuestion> {
        open_question(&self.machine).filter(|_| self.waits_for().is_none())
    }

    /// How the run ended, where it has.
    #[must_use]
    pub fn ended(&self) -> Option<&'static str> {
        self.machine.ledger().finished.as_ref().map(|finished| finished.status.name())
    }

    /// What was shown since the person last said something.
    #[must_use]
    pub fn messages(&self) -> &[ShownMessage] {
        self.machine.shown()
    }

    /// What the flow answers a program that spoke for the person; none while an exchange is under way.
    #[must_use]
    pub fn reply(&self) -> Option<&Value> {
        self.machine.reply()
    }

    /// What was said last and not answered, because the run was stopped or a model could not be reached.
    #[must_use]
    pub fn unanswered(&self) -> Option<&str> {
        self.unanswered.as_deref()
    }

    /// What the flow shows of its state to somebody of this role: a JSON object. It is what the state was at the end of the
    /// last exchange, with nothing in it that hooks have not let pass; none before the first exchange has ended.
    ///
    /// # Errors
    /// `flow.view` where the component fails or answers with something else than an object; where it cannot be loaded.
    pub async fn view(&self, host: &Host, role: &str) -> Result<Option<Map<String, Value>>, RuntimeError> {
        let Some(sha256) = self.machine.settled_state() else { return Ok(None) };
        let store = host.store()?;
        let state = blob(&*store, sha256, "the flow's state").await?;
        let start = self.machine.start();
        let Some(pin) = start.components.get(&self.flow.flow) else { return Ok(None) };
        let bytes = components::kept_by(&store, &pin.sha256);
        let source = components::source_of_pin(&start.plugin, &self.flow.flow, pin, bytes);
        let components::Source { full_name, bytes, pinned, rights, limits, .. } = source;
        let guest = host.sandbox.load(&full_name, &bytes, pinned.as_deref(), rights, limits).await?;
        // It depends on its arguments alone: there is nothing else that it could see.
        let invocation = Invocation::new(CallContext::default(), Arc::clone(&guest.rights), guest.limits);
        let outcome = host.sandbox.view_flow(&guest, &String::from_utf8_lossy(&state), role, invocation).await;
        let shown = match outcome.ended {
            CallEnded::Returned(Ok(shown)) => shown,
            CallEnded::Returned(Err(failure)) => {
                return Err(no_view(&format!("{}: {}", failure.code, failure.message)));
            }
            CallEnded::Failed(failure) => return Err(no_view(&format!("{}: {}", failure.code, failure.reason))),
            CallEnded::Requested(_) => return Err(no_view("it asks, where nobody answers")),
        };
        match serde_json::from_str(&shown) {
            Ok(Value::Object(mut shown)) => {
                shown.retain(|name, _| !REPLY_FIELDS_TAKEN.contains(&name.as_str()));
                Ok(Some(shown))
            }
            Ok(_) => Err(no_view("it is no JSON object")),
            Err(error) => Err(no_view(&error.to_string())),
        }
    }
}

fn no_view(why: &str) -> RuntimeError {
    let message = format!("the flow cannot show its state: {why}");
    RuntimeError::environment("flow.view", message, "this is a fault of the flow; the session itself is as it was")
}

/// The command of a plugin that begins a run of a flow.
///
/// # Errors
/// `flow.unknown` where the plugin has no such flow, or no command for it.
pub fn command(directory: Option<&Path>, flow: &FlowName) -> Result<String, RuntimeError> {
    let plugin = plugin::named(directory, &flow.plugin)?;
    let unknown = |message: String| RuntimeError::usage("flow.unknown", message, "`validate` shows what is there");
    let Some(entry) = plugin.manifest.flows.get(&flow.flow) else {
        return Err(unknown(format!("the plugin `{}` has no flow `{}`", flow.plugin, flow.flow)));
    };
    let mut commands = plugin.commands.values().filter(|command| command.flow.as_ref() == Some(&flow.flow));
    let command = commands.find(|command| entry.begins.as_ref().is_none_or(|begins| command.name == *begins));
    command
        .map(|command| command.name.clone())
        .ok_or_else(|| unknown(format!("no command of the plugin `{}` begins `{}`", flow.plugin, flow.flow)))
}

/// The role of whoever opens a session of a flow with an access code.
///
/// # Errors
/// `flow.unknown` as for [`command`]; `flow.no_codes` where its manifest names no role for codes.
pub fn role_of_codes(directory: Option<&Path>, flow: &FlowName) -> Result<String, RuntimeError> {
    command(directory, flow)?;
    let plugin = plugin::named(directory, &flow.plugin)?;
    let role = plugin.manifest.flows.get(&flow.flow).and_then(|entry| entry.codes.clone());
    role.ok_or_else(|| {
        let message = format!("sessions of `{}:{}` are not opened by access codes", flow.plugin, flow.flow);
        RuntimeError::usage("flow.no_codes", message, "`codes = \"ROLE\"` in the flow's table of plugin.toml allows it")
    })
}

/// The shorter addresses of all flows.
///
/// # Errors
/// `configuration.invalid` where two flows have the same.
pub fn addresses(directory: Option<&Path>) -> Result<Addresses, RuntimeError> {
    let plugins = plugin::all(directory, &mut Vec::new())?;
    let (addresses, problems) = addresses_of(&plugins);
    match problems.is_empty() {
        true => Ok(addresses),
        false => Err(RuntimeError::problems("the plugins together", problems)),
    }
}

/// The shorter addresses of flows, and where two have the same.
pub(crate) fn addresses_of(plugins: &[Plugin]) -> (Addresses, Vec<Problem>) {
    let (mut addresses, mut problems) = (Addresses::new(), Vec::new());
    for plugin in plugins {
        for (flow, entry) in &plugin.manifest.flows {
            let Some(name) = &entry.http else { continue };
            let own = FlowName { plugin: plugin.manifest.name.clone(), flow: flow.clone() };
            let Some(other) = addresses.get(name) else {
                addresses.insert(name.clone(), own);
                continue;
            };
            let message = format!(
                "`http = \"{name}\"` is taken by the flow `{}` of the plugin `{}`: one address, one flow",
                other.flow, other.plugin
            );
            let file = plugin.files.shown("plugin.toml");
            let problem = Problem::new("flow.address_taken", &file, message, "give one of them another name");
            problems.push(problem.at(entry.component.line).field(&format!("flows.{flow}.http")));
        }
    }
    (addresses, problems)
}
