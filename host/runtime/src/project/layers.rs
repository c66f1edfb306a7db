//! What each layer says of capabilities, put together.

use std::collections::BTreeMap;

use serde::Serialize;
use ta_core::contract::Condition;
use ta_core::definition::PROVIDERS;
use ta_core::project::Said;
use ta_core::project::config::{CapabilityEntry, Config, SkillMode, TIERS};
use ta_core::project::definitions::ProjectAgent;
use ta_fields::problem::Problem;
use ta_models::Provider;

use super::WORKBENCH;
use crate::plugin::{DEFAULT_AGENT, Plugin};

/// The capability of requests that are for nothing else.
pub const GENERAL: &str = "general";
/// The file that a value is said to be from where nobody wrote one.
const BUILT_IN: &str = "(built in)";
/// The file that a value is said to be from where a variable says it.
const ENVIRONMENT: &str = "environment";
/// The model of the built-in tier `capable`.
const CAPABLE: &str = "anthropic/claude-opus-4-8";

/// What a request can be for, and who does it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Capability {
    /// The plugin that does it, by the command of the capability's name.
    pub plugin: String,
    /// What it is for.
    pub description: String,
    /// Who does it.
    pub agent: Said<String>,
    /// The agent that it names and that there is none of, where another does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// Which model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Said<String>>,
    /// When it is done, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done_condition: Option<Said<String>>,
    /// When it is done, as can be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Said<Vec<Condition>>>,
    /// Model calls at the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<Said<u32>>,
    /// Milliseconds at work at the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Said<u32>>,
}

/// Which model each tier means: what the operator says over what is built in, as `provider/model`.
#[must_use]
pub fn tiers(operator: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let anthropic = Provider::shipped("anthropic").ok();
    let of = |model: fn(&Provider) -> &'static str| anthropic.map(|it| format!("{}/{}", it.name, model(it)));
    let built_in = |tier: &str| match tier {
        "fast" => of(|it| it.cheap),
        "default" => of(|it| it.model),
        _ => Some(CAPABLE.to_owned()),
    };
    let said = |tier: &str| operator.get(tier).cloned().or_else(|| built_in(tier));
    TIERS.into_iter().filter_map(|tier| Some((tier.to_owned(), said(tier)?))).collect()
}

/// Provider and model that are meant: by a tier, by a provider, by both.
#[must_use]
pub fn model_of(
    tiers: &BTreeMap<String, String>,
    provider: Option<&str>,
    model: Option<&str>,
) -> Option<(String, String)> {
    let tier = |name: &str| tiers.get(name).and_then(|it| it.split_once('/'));
    let owned = |(provider, model): (&str, &str)| (provider.to_owned(), model.to_owned());
    match (provider, model) {
        (None, None) => tier("default").map(owned),
        (None, Some(model)) => {
            tier(model).or_else(|| tier("default").map(|(provider, _)| (provider, model))).map(owned)
        }
        (Some(provider), Some(model)) => Some((provider.to_owned(), model.to_owned())),
        (Some(provider), None) if TIERS.contains(&provider) => tier(provider).map(owned),
        (Some(provider), None) => {
            let own = Provider::shipped(provider).map_or("", |it| it.model);
            Some((provider.to_owned(), own.to_owned()))
        }
    }
}

/// What the environment says: `TEACHER_ASSIST_DEFAULT_AGENT`, `TEACHER_ASSIST_SKILL_MODE`, `TEACHER_ASSIST_COMPAT_MODE`.
pub(super) fn environment(problems: &mut Vec<Problem>) -> Config {
    let said = |name: &str| std::env::var(name).ok().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    let of = |name: &str| format!("{ENVIRONMENT} {name}");
    let mut wrong = |name: &str, value: &str, remedy: &str| {
        problems.push(Problem::new("field.value", &of(name), format!("`{value}` is no value of {name}"), remedy));
    };
    let mut config = Config::default();
    let name = "TEACHER_ASSIST_DEFAULT_AGENT";
    config.default_agent = said(name).map(|value| Said { value, file: of(name), line: 0 });
    let name = "TEACHER_ASSIST_SKILL_MODE";
    match said(name).as_deref() {
        None => {}
        Some("strict") => config.skill_mode = Some(Said { value: SkillMode::Strict, file: of(name), line: 0 }),
        Some("permissive") => config.skill_mode = Some(Said { value: SkillMode::Permissive, file: of(name), line: 0 }),
        Some(other) => wrong(name, other, "write strict or permissive"),
    }
    let name = "TEACHER_ASSIST_COMPAT_MODE";
    match said(name).map(|value| (value.parse::<bool>(), value)) {
        None => {}
        Some((Ok(value), _)) => config.compat_mode = Some(Said { value, file: of(name), line: 0 }),
        Some((Err(_), value)) => wrong(name, &value, "write true or false"),
    }
    config
}

/// Every capability of the built-in plugin and of the layers over it.
pub(super) fn capabilities(
    built_in: &Plugin,
    layers: &[Config],
    agents: &BTreeMap<String, ProjectAgent>,
) -> BTreeMap<String, Capability> {
    let mut entries = built_in.manifest.capabilities.clone();
    for layer in layers {
        for (name, entry) in &layer.capabilities {
            let below = entries.remove(name).unwrap_or_default();
            entries.insert(name.clone(), entry.clone().over(below));
        }
    }
    let own = layers.iter().rev().find_map(|layer| layer.default_agent.clone());
    let default = own.unwrap_or_else(|| Said { value: DEFAULT_AGENT.to_owned(), file: BUILT_IN.to_owned(), line: 0 });
    let known = |id: &str| agents.contains_key(id) || built_in.agents.contains_key(id);
    let resolved = |(name, entry): (String, CapabilityEntry)| {
        let wanted = entry.agent.clone().filter(|_| name != GENERAL || !is_built_in(entry.agent.as_ref()));
        let (agent, instead_of) = match wanted {
            None => (default.clone(), None),
            Some(agent) if known(&agent.value) || !is_built_in(Some(&agent)) => (agent, None),
            Some(agent) => (default.clone(), Some(agent.value)),
        };
        let capability = Capability {
            plugin: WORKBENCH.to_owned(),
            description: entry.description.map(|it| it.value).unwrap_or_default(),
            agent,
            instead_of,
            provider: entry.provider,
            done_condition: entry.done_condition,
            conditions: entry.conditions,
            max_turns: entry.max_turns,
            timeout_ms: entry.timeout_ms,
        };
        (name, capability)
    };
    entries.into_iter().map(resolved).collect()
}

/// Whether a value comes with the plugin, and not from a layer over it.
pub(super) fn is_built_in<T>(said: Option<&Said<T>>) -> bool {
    said.is_some_and(|it| it.file.ends_with("plugin.toml"))
}

/// The capabilities that another plugin declares, each done by its command of that name. None is taken from whoever has it.
pub(super) fn of_plugin(plugin: &Plugin, capabilities: &mut BTreeMap<String, Capability>) {
    for (name, entry) in &plugin.manifest.capabilities {
        let Some(command) = plugin.commands.get(name) else { continue };
        let capability = Capability {
            plugin: plugin.manifest.name.clone(),
            description: entry.description.as_ref().map_or_else(|| command.description.clone(), |it| it.value.clone()),
            agent: Said {
                value: command.agent.clone(),
                file: plugin.files.shown("plugin.toml"),
                line: entry.line.unwrap_or(0),
            },
            provider: entry.provider.clone(),
            done_condition: entry.done_condition.clone(),
            conditions: entry.conditions.clone(),
            max_turns: entry.max_turns.clone(),
            timeout_ms: entry.timeout_ms.clone(),
            instead_of: None,
        };
        capabilities.entry(name.clone()).or_insert(capability);
    }
}

/// Provider and model of a capability, where it says one.
#[must_use]
pub fn model_of_capability(tiers: &BTreeMap<String, String>, capability: &Capability) -> Option<(String, String)> {
    let provider = capability.provider.as_ref()?.value.as_str();
    debug_assert!(TIERS.contains(&provider) || PROVIDERS.contains(&provider), "{provider} was read as one");
    model_of(tiers, Some(provider), None)
}
