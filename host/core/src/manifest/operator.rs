//! The operator's file, `teacher-assist.toml`: what components are granted, and what none gets more of.

use std::collections::BTreeMap;

use super::component::{capabilities, directories, texts};
use super::declared::guest_model;
use crate::definition::PROVIDERS;
use crate::fields::Fields;
use crate::front_matter::toml;
use crate::problem::Problem;
use crate::project::config::TIERS;

/// What an operator lets any component have, whatever its manifest says: the name, what it is where the operator says
/// nothing, and the most that an operator can let it be.
pub const CEILINGS: [(&str, u32, u32); 4] =
    [("fuel-millions", 2_000, 20_000), ("cpu-ms", 10_000, 60_000), ("memory-mib", 256, 256), ("handles", 256, 4_096)];

/// What the operator grants to a component, by `plugin:component`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grant {
    /// Capabilities.
    pub capabilities: Vec<String>,
    /// Tools that it may call.
    pub calls: Vec<String>,
    /// Directories, each with `read` or `read-write`.
    pub directories: BTreeMap<String, String>,
    /// Configuration that takes the place of the manifest's.
    pub config: BTreeMap<String, String>,
}

/// What the operator's file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Operator {
    /// What each component is granted, by `plugin:component`.
    pub grants: BTreeMap<String, Grant>,
    /// The model that components may ask, as `provider/model`, whatever a plugin says.
    pub guest_model: Option<String>,
    /// Whether components' memory comes from a pool; none says nothing.
    pub pool: Option<bool>,
    /// What no component gets more of, by the names of [`CEILINGS`].
    pub ceilings: BTreeMap<String, u32>,
    /// Which model is meant by `fast`, `default` and `capable`, each as `provider/model`.
    pub models: BTreeMap<String, String>,
}

/// Reads the operator's file, `teacher-assist.toml`.
pub fn operator(file: &str, text: &str, problems: &mut Vec<Problem>) -> Operator {
    let fields = match toml(file, text) {
        Ok(fields) => fields,
        Err(problem) => {
            problems.push(problem);
            return Operator::default();
        }
    };
    fields.only(&["grants", "guest-model", "pool", "ceilings", "models"], problems);
    let table = fields.table("grants", problems);
    let mut grants = BTreeMap::new();
    for name in table.fields.keys() {
        let grant = table.table(name, problems);
        grant.only(&["capabilities", "calls", "workspace", "config"], problems);
        let capabilities = capabilities(&grant, "capabilities", |_| true, problems);
        let (calls, directories) = (grant.list("calls", problems), directories(&grant, problems));
        let config = texts(&grant.table("config", problems));
        grants.insert(name.clone(), Grant { capabilities, calls, directories, config });
    }
    let ceilings = ceilings(&fields.table("ceilings", problems), problems);
    let models = models(&fields.table("models", problems), problems);
    let (guest_model, pool) = (guest_model(&fields, problems), fields.boolean("pool", problems));
    Operator { grants, guest_model, pool, ceilings, models }
}

/// The table `models`: which model agents mean that name one by what it is for.
fn models(table: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    table.only(&TIERS, problems);
    let mut models = BTreeMap::new();
    for tier in TIERS {
        let Some(named) = table.text(tier, problems) else { continue };
        let whole =
            named.split_once('/').is_some_and(|(provider, model)| PROVIDERS.contains(&provider) && !model.is_empty());
        if !whole {
            let line = table.fields.get(tier).map(|field| field.line);
            let message = format!("`{named}` names no model");
            let remedy =
                format!("write it as `{tier} = \"provider/model\"`; the providers are: {}", PROVIDERS.join(", "));
            problems.push(
                Problem::new("field.value", &table.file, message, remedy).at(line).field(&format!("models.{tier}")),
            );
        }
        models.insert(tier.to_owned(), named);
    }
    models
}

fn ceilings(table: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, u32> {
    table.only(&CEILINGS.map(|(name, _, _)| name), problems);
    let read = |(name, _, most): (&str, u32, u32)| Some((name.to_owned(), table.count(name, 1..=most, problems)?));
    CEILINGS.into_iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_have_ceilings() {
        let read = |text: &str| {
            let mut problems = Vec::new();
            (operator("teacher-assist.toml", text, &mut problems).ceilings, problems.len())
        };
        assert_eq!(read("[ceilings]\ncpu-ms = 500\nhandles = 8").0.get("cpu-ms"), Some(&500));
        assert_eq!(read("[ceilings]\nmemory-mib = 4096").1, 1);
        assert_eq!(read("[ceilings]\npatience = 1").1, 1);
    }

    #[test]
    fn models_by_what_they_are_for() {
        let read = |text: &str| {
            let mut problems = Vec::new();
            (operator("teacher-assist.toml", text, &mut problems).models, problems.len())
        };
        assert_eq!(read("[models]\nfast = 'openai/small'").0["fast"], "openai/small");
        assert_eq!((read("[models]\nfast = 'small'").1, read("[models]\nslow = 'openai/large'").1), (1, 1));
    }

    #[test]
    fn an_operator_can_do_without_the_pool() {
        let read = |text: &str| {
            let mut problems = Vec::new();
            (operator("teacher-assist.toml", text, &mut problems).pool, problems.len())
        };
        assert_eq!(read("pool = false\n[grants.'p:h']\ncapabilities = ['log']"), (Some(false), 0));
        assert_eq!(read(""), (None, 0));
        assert_eq!(read("pool = 'no'"), (None, 1));
    }
}
