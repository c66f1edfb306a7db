//! The price list that `LiteLLM` publishes, `model_prices_and_context_window.json`: US dollars for one token, by model.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{MILLION, Price, Prices};

/// Whose names for companies stand for which of ours.
const COMPANIES: [(&str, &str); 5] = [
    ("anthropic", "anthropic"),
    ("openai", "openai"),
    ("text-completion-openai", "openai"),
    ("gemini", "google"),
    ("ollama", "ollama"),
];
/// Where a price changes within a model.
const DEARER_ABOVE: u64 = 200_000;

#[derive(Deserialize)]
struct Entry {
    litellm_provider: String,
    input_cost_per_token: Option<f64>,
    output_cost_per_token: Option<f64>,
    cache_read_input_token_cost: Option<f64>,
    cache_creation_input_token_cost: Option<f64>,
    input_cost_per_token_above_200k_tokens: Option<f64>,
    max_input_tokens: Option<Value>,
}

/// Reads the list. Models of companies that this program has no name for stand under `compatible`, by the whole name.
///
/// # Errors
/// Why it is no such list.
pub(super) fn parse(text: &str) -> Result<Prices, String> {
    let models: BTreeMap<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut prices = Vec::new();
    for (name, entry) in models.into_iter().filter(|(name, _)| name != "sample_spec") {
        // Pictures, voices and the like are priced otherwise, and have no price for a token.
        let Ok(entry) = serde_json::from_value::<Entry>(entry) else { continue };
        let (Some(input), Some(output)) = (entry.input_cost_per_token, entry.output_cost_per_token) else { continue };
        let company = COMPANIES.iter().find(|(theirs, _)| *theirs == entry.litellm_provider).map(|(_, ours)| *ours);
        let model = match company {
            Some(_) => name.split_once('/').map_or(name.as_str(), |(_, model)| model).to_owned(),
            None => name,
        };
        let million = |amount: f64| amount * MILLION;
        prices.push(Price {
            provider: company.unwrap_or("compatible").to_owned(),
            model,
            input: million(input),
            cached_read: entry.cache_read_input_token_cost.map(million),
            cache_write: entry.cache_creation_input_token_cost.map(million),
            output: million(output),
            input_max: entry.input_cost_per_token_above_200k_tokens.map(|_| DEARER_ABOVE),
            window: entry.max_input_tokens.as_ref().and_then(Value::as_u64),
        });
    }
    if prices.is_empty() {
        return Err(
            "it names no model with `litellm_provider`, `input_cost_per_token` and `output_cost_per_token`".into()
        );
    }
    Ok(Prices { date: "LiteLLM's list".to_owned(), source: "LiteLLM".to_owned(), prices })
}
