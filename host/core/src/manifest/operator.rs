//! The operator's file, `teacher-assist.toml`: what components are granted, and what none gets more of.

use std::collections::BTreeMap;

use super::component::{capabilities, directories, texts};
use super::declared::guest_model;
use crate::definition::PROVIDERS;
use crate::project::config::TIERS;
use ta_fields::fields::Fields;
use ta_fields::front_matter::toml;
use ta_fields::problem::Problem;

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

/// A provider as the operator has it, by its name: a gateway, or a shipped one that is somewhere else.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProviderEntry {
    /// The shipped provider whose ways it has; none for a shipped name.
    pub like: Option<String>,
    /// Where it is.
    pub base_url: Option<String>,
    /// The variable that holds its key.
    pub key_variable: Option<String>,
    /// The model where none is named.
    pub model: Option<String>,
    /// A cheap model, for small questions.
    pub cheap: Option<String>,
    /// The shipped provider whose prices and windows its models have.
    pub prices_of: Option<String>,
    /// US dollars for a million tokens sent and received, for all its models.
    pub price: Option<(f64, f64)>,
    /// Tokens of its models' window.
    pub window: Option<u32>,
}

/// What the operator's file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Operator {
    /// What each component is granted, by `plugin:component`.
    pub grants: BTreeMap<String, Grant>,
    /// The model that components may ask, as `provider/model`, whatever a plugin says.
    pub guest_model: Option<String>,
    /// Whether components' memory comes from a pool; none says nothing.
    pub pool: Option<bool>,
    /// What no component gets more of, by the names of [`CEILINGS`].
    pub ceilings: BTreeMap<String, u32>,
    /// Providers beside the shipped ones or in their place, by name.
    pub providers: BTreeMap<String, ProviderEntry>,
    /// Who takes over where a provider fails and nobody else was named, as `provider/model` or `provider`.
    pub fallback: Option<String>,
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
    fields.only(&["grants", "guest-model", "pool", "ceilings", "providers", "fallback", "models"], problems);
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
    let providers = providers(&fields.table("providers", problems), problems);
    let models = models(&fields.table("models", problems), &providers, problems);
    Operator {
        grants,
        guest_model: guest_model(&fields, problems),
        pool: fields.boolean("pool", problems),
        ceilings,
        providers,
        fallback: fields.text("fallback", problems),
        models,
    }
}

/// Names that are none of an HTTP provider's.
const TAKEN: [&str; 3] = ["offline", "script", "cassette"];
/// Most tokens of a window.
const WINDOW_MAX: u32 = 100_000_000;

fn providers(table: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, ProviderEntry> {
    let mut providers = BTreeMap::new();
    for (name, field) in &table.fields {
        let entry = table.table(name, problems);
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || !name.bytes().all(plain) || TAKEN.contains(&name.as_str()) {
            let message = format!("`{name}` cannot be the name of a provider");
            let remedy = "take small letters, digits and hyphens, and none of offline, script, cassette";
            problems.push(Problem::new("field.value", &entry.file, message, remedy).at(Some(field.line)).field(name));
        }
        entry.only(
            &["like", "base-url", "key-variable", "model", "cheap", "prices-of", "input-usd", "output-usd", "window"],
            problems,
        );
        let prices = (entry.amount("input-usd", problems), entry.amount("output-usd", problems));
        let window = entry.count("window", 1_000..=WINDOW_MAX, problems);
        let half = prices.0.is_some() != prices.1.is_some();
        if half || (window.is_some() && prices.0.is_none()) {
            let message = "a price has two parts, `input-usd` and `output-usd` for a million tokens, and `window` stands with one";
            let remedy = "write both, or the name of a shipped provider as `prices-of`";
            problems.push(Problem::new("field.missing", &entry.file, message, remedy).at(Some(field.line)).field(name));
        }
        let of = ProviderEntry {
            like: entry.text("like", problems),
            base_url: entry.text("base-url", problems),
            key_variable: entry.text("key-variable", problems),
            model: entry.text("model", problems),
            cheap: entry.text("cheap", problems),
            prices_of: entry.text("prices-of", problems),
            price: prices.0.zip(prices.1),
            window,
        };
        providers.insert(name.clone(), of);
    }
    providers
}

/// The table `models`: which model agents mean that name one by what it is for.
fn models(
    table: &Fields,
    own: &BTreeMap<String, ProviderEntry>,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, String> {
    table.only(&TIERS, problems);
    let mut models = BTreeMap::new();
    for tier in TIERS {
        let Some(named) = table.text(tier, problems) else { continue };
        let whole = named.split_once('/').is_some_and(|(provider, model)| {
            (PROVIDERS.contains(&provider) || own.contains_key(provider)) && !model.is_empty()
        });
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
    fn providers_have_names_and_whole_prices() {
        let read = |text: &str| {
            let mut problems = Vec::new();
            let operator = operator("teacher-assist.toml", text, &mut problems);
            (operator.providers, problems.iter().map(|it| it.code.clone()).collect::<Vec<_>>())
        };
        let (providers, problems) = read(
            "fallback = 'ollama'\n[providers.gateway]\nlike = 'openai-chat'\nbase-url = 'http://127.0.0.1:4000/v1'\n\
             key-variable = 'GATEWAY_KEY'\ninput-usd = 0.5\noutput-usd = 2\nwindow = 64000",
        );
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(providers.get("gateway").and_then(|it| it.price), Some((0.5, 2.0)));
        assert_eq!(read("[providers.Gate]\nlike = 'openai'").1, ["field.value"]);
        assert_eq!(read("[providers.offline]\nlike = 'openai'").1, ["field.value"]);
        assert_eq!(read("[providers.g]\ninput-usd = 1").1, ["field.missing"]);
        assert_eq!(read("[providers.g]\nbase_url = 'x'").1, ["field.unknown"]);
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
