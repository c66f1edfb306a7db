//! Every value of the configuration with where it comes from.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use ta_core::project::Said;
use ta_core::project::config::{SkillMode, TIERS};

use super::Project;
use super::layers::tiers;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::plugin::DEFAULT_AGENT;

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// Its name, such as `capabilities.code-review.agent`.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Where it comes from: a file with its line, `environment NAME`, `flag --name`, or `(built in)`.
    pub origin: String,
}

/// Every value of the project's configuration, and the operator's models.
///
/// # Errors
/// Where the project or the operator's file has problems.
pub fn values(host: &Host) -> Result<Vec<Shown>, RuntimeError> {
    let project = Project::open(host)?;
    let mut all = Vec::new();
    let latest = project.layers.iter().rev();
    let of = latest.clone().find_map(|layer| layer.default_agent.as_ref());
    push(&mut all, "defaultAgent", of, &json!(DEFAULT_AGENT));
    let mode = latest.clone().find_map(|layer| layer.skill_mode.as_ref());
    push(&mut all, "skillMode", mode, &json!(SkillMode::default()));
    push(&mut all, "compat_mode", latest.clone().find_map(|layer| layer.compat_mode.as_ref()), &json!(false));
    let aliases: BTreeMap<_, _> = project.layers.iter().flat_map(|layer| &layer.aliases).collect();
    for (name, capability) in &aliases {
        push(&mut all, &format!("aliases.{name}"), Some(*capability), &Value::Null);
    }
    for (name, it) in &project.capabilities {
        let key = |field: &str| format!("capabilities.{name}.{field}");
        push(&mut all, &key("agent"), Some(&it.agent), &Value::Null);
        optional(&mut all, &key("provider"), it.provider.as_ref());
        optional(&mut all, &key("done_condition"), it.done_condition.as_ref());
        optional(&mut all, &key("conditions"), it.conditions.as_ref());
        optional(&mut all, &key("max_turns"), it.max_turns.as_ref());
        optional(&mut all, &key("timeout_ms"), it.timeout_ms.as_ref());
    }
    let operator = host.grants()?.models;
    let models = tiers(&operator);
    for tier in TIERS {
        let origin = if operator.contains_key(tier) { "the operator's file" } else { "(built in)" };
        let value = json!(models.get(tier));
        all.push(Shown { key: format!("models.{tier}"), value, origin: origin.to_owned() });
    }
    Ok(all)
}

fn optional<T: Serialize>(all: &mut Vec<Shown>, key: &str, said: Option<&Said<T>>) {
    if said.is_some() {
        push(all, key, said, &Value::Null);
    }
}

fn push<T: Serialize>(all: &mut Vec<Shown>, key: &str, said: Option<&Said<T>>, default: &Value) {
    let (value, origin) = match said {
        None => (default.clone(), "(built in)".to_owned()),
        Some(said) if said.line == 0 => (json!(said.value), said.file.clone()),
        Some(said) => (json!(said.value), format!("{}:{}", said.file, said.line)),
    };
    all.push(Shown { key: key.to_owned(), value, origin });
}
