//! A project's agents, skills and capabilities as files of the plugin that they are laid over.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use ta_core::definition::Agent;
use ta_core::fields::nearest;
use ta_core::problem::Problem;
use ta_core::project::config::Config;
use ta_core::project::definitions::{ProjectAgent, ProjectSkill};

use super::layers::{Capability, is_built_in, model_of, tiers};
use super::{Found, WORKBENCH};
use crate::files::Laid;
use crate::plugin::{OF_SKILL, Plugin};

/// The texts to lay over the plugin. What replaces something of it is said.
pub(super) fn texts(
    (built_in, models): (&Plugin, &BTreeMap<String, String>),
    layers: &[Config],
    (agents, skills): (&BTreeMap<String, ProjectAgent>, &BTreeMap<String, ProjectSkill>),
    capabilities: &BTreeMap<String, Capability>,
    found: &mut Found,
) -> BTreeMap<String, Laid> {
    let mut texts = BTreeMap::new();
    let mut replaces = |what: &str, name: &str, file: &str, path: &str| {
        let message = format!("the {what} `{name}` replaces the one of {}", built_in.files.shown(path));
        let remedy = "rename it where that is not meant: this is how a project changes what is built in, whole";
        found.warnings.push(Problem::new("layer.replaced", file, message, remedy));
    };
    for (id, agent) in agents {
        let path = format!("agents/{id}.md");
        if built_in.agents.contains_key(id) {
            replaces("agent", id, &agent.file, &path);
        }
        texts.insert(path, Laid { text: agent_text(agent, models), shown: agent.file.clone() });
    }
    for (name, skill) in skills {
        let path = format!("skills/{name}/SKILL.md");
        if built_in.skills.contains_key(name) {
            replaces("skill", name, &skill.file, &path);
        }
        texts.insert(path, Laid { text: skill_text(skill), shown: skill.file.clone() });
    }
    // The operator's own models take the place of the built-in ones in the agents that come with the plugin.
    for agent in built_in.agents.values().filter(|agent| !agents.contains_key(&agent.name)) {
        let path = format!("agents/{}.md", agent.name);
        let text = built_in.files.text(&path).ok().and_then(|text| with_model(&text, agent, models));
        let shown = built_in.files.shown(&path);
        texts.extend(text.map(|text| (path, Laid { text, shown })));
    }
    let said = |name: &str| layers.iter().any(|layer| layer.capabilities.contains_key(name));
    for (name, capability) in capabilities.iter().filter(|(_, it)| it.plugin == WORKBENCH) {
        if !said(name) && is_built_in(Some(&capability.agent)) {
            continue;
        }
        if !agents.contains_key(&capability.agent.value) && !built_in.agents.contains_key(&capability.agent.value) {
            found.problems.push(unknown_agent(name, capability, built_in, agents));
            continue;
        }
        let description = if capability.description.is_empty() { name } else { &capability.description };
        let front =
            [("agent", json!(capability.agent.value)), ("description", json!(description)), ("mode", json!("single"))];
        let shown = capability.agent.file.clone();
        texts.insert(format!("commands/{name}.md"), Laid { text: document(&front, ""), shown });
    }
    texts
}

fn unknown_agent(
    name: &str,
    capability: &Capability,
    built_in: &Plugin,
    agents: &BTreeMap<String, ProjectAgent>,
) -> Problem {
    let wanted = &capability.agent;
    let known: Vec<&str> = agents.keys().chain(built_in.agents.keys()).map(String::as_str).collect();
    let known: Vec<&str> = known.into_iter().filter(|it| !it.starts_with(OF_SKILL)).collect();
    let near = nearest(&wanted.value, &known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    let message = format!("the capability `{name}` is for the agent `{}`, which there is none of", wanted.value);
    let remedy = format!("{near}The agents are: {}", known.join(", "));
    let line = Some(wanted.line).filter(|line| *line > 0);
    Problem::new("agent.unknown", &wanted.file, message, remedy).at(line).field(&format!("capabilities.{name}.agent"))
}

/// Front matter is YAML, and JSON is YAML: every value can be written as JSON.
fn document(front: &[(&str, Value)], body: &str) -> String {
    let lines: Vec<String> = front.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("---\n{}---\n\n{body}\n", lines.concat())
}

fn agent_text(agent: &ProjectAgent, models: &BTreeMap<String, String>) -> String {
    let (provider, model) = model_of(models, agent.provider.as_deref(), agent.model.as_deref()).unwrap_or_default();
    let mut front = vec![
        ("name", json!(agent.id)),
        ("description", json!(agent.description)),
        ("provider", json!(provider)),
        ("model", json!(model)),
        ("tools", json!(agent.allowed_tools)),
        ("memory", json!(true)),
    ];
    let lists = [("skills", &agent.skills), ("subagents", &agent.subagents), ("handoffs", &agent.handoffs)];
    front.extend(lists.into_iter().filter(|(_, list)| !list.is_empty()).map(|(name, list)| (name, json!(list))));
    front.extend(agent.max_turns.map(|turns| ("maxTurns", json!(turns))));
    document(&front, &agent.instructions)
}

fn skill_text(skill: &ProjectSkill) -> String {
    let mut front = vec![("name", json!(skill.name)), ("description", json!(skill.description))];
    if !skill.parameters.is_empty() {
        front.push(("parameters", json!(skill.parameters)));
    }
    front.extend(skill.agent.as_ref().map(|agent| ("agent", json!(agent))));
    document(&front, &skill.body)
}

/// The text of a built-in agent with the model that the operator means; none where it has that one already.
fn with_model(text: &str, agent: &Agent, models: &BTreeMap<String, String>) -> Option<String> {
    let own = format!("{}/{}", agent.provider, agent.model);
    let built_in = tiers(&BTreeMap::new());
    let tier = built_in.iter().find(|(_, model)| **model == own).map(|(tier, _)| tier)?;
    let (provider, model) = models.get(tier).filter(|model| **model != own)?.split_once('/')?;
    let line = |line: &str| match line.split_once(':').map(|(name, _)| name) {
        Some("provider") => format!("provider: {}\n", json!(provider)),
        Some("model") => format!("model: {}\n", json!(model)),
        _ => format!("{line}\n"),
    };
    let (front, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    Some(format!("---\n{}---\n{body}", front.lines().map(line).collect::<String>()))
}
