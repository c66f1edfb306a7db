//! Which providers can be called: keys, models, prices, and on request whether they answer.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use ta_core::model::ModelError;
use ta_models::failure::Kind;
use ta_models::{Connection, Keys, Prices, Provider};

use crate::error::RuntimeError;
use crate::host::Host;
use crate::models;

/// What is to be looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look<'a> {
    /// Whether every provider with a key is asked, with one small call that costs a little.
    pub check: bool,
    /// Only this provider.
    pub provider: Option<&'a str>,
    /// The model that is checked, where it is not the provider's usual one.
    pub model: Option<&'a str>,
    /// Where the provider is.
    pub base_url: Option<&'a str>,
}

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub struct Models {
    /// The day that the prices are of.
    pub prices_date: String,
    /// Where the prices are from.
    pub prices_source: String,
    /// The providers.
    pub providers: Vec<ProviderState>,
}

/// A provider as it stands.
#[derive(Debug, Clone, Serialize)]
pub struct ProviderState {
    /// Its name.
    pub provider: String,
    /// `set`, `missing` or `not needed`.
    pub key: &'static str,
    /// The variable that its key is read from; empty where it has none.
    pub key_variable: String,
    /// Where it is; empty where that has to be said.
    pub base_url: String,
    /// The model that is called where none is named, with its price; or the one that was asked about.
    pub model: ModelPrice,
    /// Whether it answered; none where it was not asked.
    pub reachable: Option<bool>,
    /// The models that it offers, where it was asked.
    pub models: Vec<ModelPrice>,
    /// What the small call came to, where one was made and answered.
    pub checked: Option<Checked>,
    /// Why it cannot be called or did not answer.
    pub problem: Option<ModelError>,
}

/// A model and what it costs.
#[derive(Debug, Clone, Serialize)]
pub struct ModelPrice {
    /// Its name.
    pub name: String,
    /// US dollars for a million tokens sent; none where no price is known.
    pub input_usd: Option<f64>,
    /// US dollars for a million tokens received.
    pub output_usd: Option<f64>,
    /// The window that it is reckoned with, in tokens.
    pub window: u64,
}

/// A small call.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// Wall time in milliseconds.
    pub elapsed_ms: u64,
    /// US dollars; 0 where no price is known.
    pub cost_usd: f64,
}

/// Looks at the providers. What is wrong with one of them stands beside it.
///
/// # Errors
/// Where keys or prices cannot be read, there is no provider of the name, or the address can be none.
pub async fn look(host: &Host, look: Look<'_>) -> Result<Models, RuntimeError> {
    let (keys, prices) = (models::keys(host)?, models::prices(host)?);
    let known = models::providers(host)?;
    let all: Vec<&'static Provider> = match look.provider {
        Some(name) => vec![known.named(name)?],
        None => known.all().collect(),
    };
    if let (Some(_), Some(provider)) = (look.base_url, all.first())
        && let Err(failure) =
            Connection::open(&host.http_clients, provider, "-", look.base_url, &keys, Arc::clone(&prices))
        && failure.kind == Kind::BaseUrl
    {
        return Err(failure.into());
    }
    let states = all.into_iter().map(|provider| state(host, provider, look, &keys, &prices));
    let providers = futures::future::join_all(states).await;
    Ok(Models { prices_date: prices.date.clone(), prices_source: prices.source.clone(), providers })
}

async fn state(
    host: &Host,
    provider: &'static Provider,
    look: Look<'_>,
    keys: &Keys,
    prices: &Arc<Prices>,
) -> ProviderState {
    let priced = |name: &str| {
        let price = prices.of(provider.priced, name);
        let (input_usd, output_usd) = (price.map(|it| it.input), price.map(|it| it.output));
        let window = prices.window(provider.priced, name);
        ModelPrice { name: name.to_owned(), input_usd, output_usd, window }
    };
    let model = look.model.unwrap_or(provider.model);
    let mut state = ProviderState {
        provider: provider.name.to_owned(),
        key: match (keys.of(provider.account), provider.needs_key) {
            (Some(_), _) => "set",
            (None, true) => "missing",
            (None, false) => "not needed",
        },
        key_variable: provider.key_variable.to_owned(),
        base_url: look.base_url.unwrap_or(provider.base_url).to_owned(),
        model: priced(model),
        reachable: None,
        models: Vec::new(),
        checked: None,
        problem: None,
    };
    if provider.base_url.is_empty() && look.base_url.is_none() {
        return state;
    }
    // A list needs no model; for one that has to be named any name does.
    let named = if model.is_empty() { "-" } else { model };
    let opened = Connection::open(&host.http_clients, provider, named, look.base_url, keys, Arc::clone(prices));
    let connection = match opened {
        Ok(connection) => connection,
        Err(failure) => {
            state.problem = Some(failure.into());
            return state;
        }
    };
    connection.base_url().clone_into(&mut state.base_url);
    if !look.check && !connection.local() {
        return state;
    }
    match connection.models().await {
        Ok(names) => {
            state.reachable = Some(true);
            state.models = names.iter().map(|name| priced(name)).collect();
        }
        Err(error) => {
            state.reachable = Some(false);
            state.problem = Some(error);
            return state;
        }
    }
    if look.check && !model.is_empty() {
        let started = Instant::now();
        match connection.check().await {
            Ok(answer) => {
                let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                state.checked = Some(Checked { elapsed_ms, cost_usd: answer.cost_usd });
            }
            Err(error) => state.problem = Some(error),
        }
    }
    state
}
