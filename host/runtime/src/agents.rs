//! The agents that a run may come to: the first one, those it may spawn, those it may hand over to, and theirs in turn.

use std::collections::BTreeMap;

use ta_core::definition::Agent;
use ta_core::delegation::SUBAGENT_TURNS_MAX;
use ta_core::event::AgentBinding;
use ta_core::message::ToolDefinition;

use crate::components;
use crate::error::RuntimeError;
use crate::plugin::Plugin;

/// The other agents that a run beginning with this one may come to, by name.
#[must_use]
pub fn reachable<'a>(plugin: &'a Plugin, first: &'a Agent) -> Vec<&'a Agent> {
    let mut found: Vec<&Agent> = Vec::new();
    // Only the agents of the conversation itself give work away: a subagent has none below it.
    let mut working = vec![first];
    while let Some(one) = working.pop() {
        for (name, takes_over) in
            one.handoffs.iter().map(|name| (name, true)).chain(one.subagents.iter().map(|name| (name, false)))
        {
            let Some(agent) = plugin.agents.get(name) else { continue };
            if takes_over && agent.name != first.name && !found.iter().any(|it| it.name == agent.name) {
                working.push(agent);
            }
            if !found.iter().any(|it| it.name == agent.name) {
                found.push(agent);
            }
        }
    }
    found
}

/// The agents that a flow may ask.
#[must_use]
pub fn of_flow<'a>(plugin: &'a Plugin, flow: &str) -> Vec<&'a Agent> {
    let names = plugin.manifest.flows.get(flow).map(|flow| flow.agents.as_slice()).unwrap_or_default();
    names.iter().filter_map(|name| plugin.agents.get(name)).collect()
}

/// What a run's first event keeps of them. `extra` are the caller's hooks: they guard every agent.
///
/// # Errors
/// `hook.unknown`.
pub fn bindings(
    plugin: &Plugin,
    others: &[&Agent],
    extra: &[String],
    memory: bool,
) -> Result<BTreeMap<String, AgentBinding>, RuntimeError> {
    let mut bindings = BTreeMap::new();
    for agent in others {
        let hooks = components::bindings(plugin, &components::hook_names(plugin, agent, extra)?);
        let max_turns = agent.max_turns.unwrap_or(SUBAGENT_TURNS_MAX);
        let (memory, output_schema) = (agent.memory && memory, agent.output_schema.clone());
        bindings.insert(agent.name.clone(), AgentBinding { hooks, memory, max_turns, output_schema });
    }
    Ok(bindings)
}

/// The hooks of the first agent and of all others, each once.
///
/// # Errors
/// `hook.unknown`.
pub fn hook_names(
    plugin: &Plugin,
    first: &Agent,
    others: &[&Agent],
    extra: &[String],
) -> Result<Vec<String>, RuntimeError> {
    let mut names = components::hook_names(plugin, first, extra)?;
    for agent in others {
        for name in components::hook_names(plugin, agent, extra)? {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// Names with descriptions of those of these agents that the run may come to.
#[must_use]
pub fn described(plugin: &Plugin, names: &[String], run: &BTreeMap<String, AgentBinding>) -> Vec<(String, String)> {
    let known = names.iter().filter(|name| run.contains_key(*name));
    known
        .filter_map(|name| plugin.agents.get(name))
        .map(|agent| (agent.name.clone(), agent.description.clone()))
        .collect()
}

/// The tools by which an agent gives work away in this run.
#[must_use]
pub fn tools(plugin: &Plugin, agent: &Agent, run: &BTreeMap<String, AgentBinding>) -> Vec<ToolDefinition> {
    let named = |names: &[String]| described(plugin, names, run);
    ta_core::delegation::tools(&named(&agent.subagents), &named(&agent.handoffs))
}
