//! Who takes over where the provider that was asked cannot answer.

use std::sync::Arc;

use ta_core::definition::Agent;
use ta_core::event::{RunStarted, SecondModel};
use ta_core::model::Model;
use ta_models::Providers;

use crate::error::RuntimeError;
use crate::host::Host;
use crate::models::{self, Asked, Chosen, Opened, keys, named, providers};
use crate::observer::Observer;
use crate::plugin::Plugin;
use crate::provided::Brought;

/// Chooses the model that takes over: what the person asked for, else the agent's, else the operator's. One that nobody asked
/// for is left out, with a note, where it has no key.
///
/// # Errors
/// Where what the person asked for is none that can take over.
pub(crate) fn choose(
    host: &Host,
    (plugin, agent): (&Plugin, &Agent),
    asked: &Asked,
    first: &Chosen,
    observer: &dyn Observer,
) -> Result<Option<Chosen>, RuntimeError> {
    let (providers, operators) = (providers(host)?, host.grants()?.fallback);
    let wanted = asked.fallback.as_deref().or(agent.fallback.as_deref()).or(operators.as_deref());
    let Some(wanted) = wanted else { return Ok(None) };
    if host.config.models.record.is_some() {
        observer.notice("exchanges are recorded: of one provider, so no second one takes over");
        return Ok(None);
    }
    if asked.fallback.is_none() && absent(&providers, plugin, wanted) {
        observer.notice(&format!(
            "the plugin brings no provider `{wanted}`: it does not take over where {} fails",
            first.provider
        ));
        return Ok(None);
    }
    let chosen = parsed((&providers, plugin), wanted, asked.fallback_base_url.as_deref())?;
    if (&chosen.provider, &chosen.model, &chosen.base_url) == (&first.provider, &first.model, &first.base_url) {
        return Ok(None);
    }
    if asked.fallback.is_none() && keyless(host, &providers, &chosen.provider)? {
        observer
            .notice(&format!("there is no key for {}: it does not take over where {} fails", wanted, first.provider));
        return Ok(None);
    }
    Ok(Some(chosen))
}

/// The model that the agent names to take over, where it can be called: an agent whose own provider has no key is
/// answered by it.
pub(crate) fn of_keyless(
    host: &Host,
    (plugin, agent): (&Plugin, &Agent),
    asked: &Asked,
) -> Result<Option<Chosen>, RuntimeError> {
    let (providers, operators) = (providers(host)?, host.grants()?.fallback);
    let wanted = asked.fallback.as_deref().or(agent.fallback.as_deref()).or(operators.as_deref());
    let Some(wanted) = wanted else { return Ok(None) };
    if asked.fallback.is_none() && absent(&providers, plugin, wanted) {
        return Ok(None);
    }
    let chosen = parsed((&providers, plugin), wanted, asked.fallback_base_url.as_deref())?;
    Ok(if keyless(host, &providers, &chosen.provider)? { None } else { Some(chosen) })
}

fn keyless(host: &Host, providers: &Providers, provider: &str) -> Result<bool, RuntimeError> {
    let Ok(provider) = providers.named(provider) else { return Ok(false) };
    Ok(provider.needs_key && keys(host)?.of(provider.account).is_none())
}

/// Whether what an agent names to take over is a provider that its plugin does not bring.
fn absent(providers: &Providers, plugin: &Plugin, wanted: &str) -> bool {
    let provider = provider_of(wanted);
    providers.named(provider).is_err() && !models::brings(plugin, provider)
}

/// The provider of `provider/model`.
pub(crate) fn provider_of(wanted: &str) -> &str {
    wanted.split_once('/').map_or(wanted, |(provider, _)| provider)
}

/// `provider/model`, or a provider with its usual model.
fn parsed(of: (&Providers, &Plugin), wanted: &str, base_url: Option<&str>) -> Result<Chosen, RuntimeError> {
    let (provider, model) = match wanted.split_once('/') {
        Some((provider, model)) => (provider, Some(model)),
        None => (wanted, None),
    };
    if matches!(provider, "script" | "cassette") {
        let message = format!("the provider `{provider}` plays what was written down: it cannot take over");
        return Err(RuntimeError::usage(
            "fallback.provider",
            message,
            "name one that answers by itself, such as offline",
        ));
    }
    let asked = Asked { base_url: base_url.map(ToOwned::to_owned), ..Asked::default() };
    named(of, provider, model, &asked)
}

/// As a run's first event keeps it.
pub(crate) fn kept(chosen: Chosen, opened: &Opened) -> SecondModel {
    let Chosen { provider, model, base_url, .. } = chosen;
    SecondModel { provider, model, base_url, price: opened.price }
}

/// The second model of a run that goes on; none, with a note, where it cannot be called any more.
pub(crate) fn reopened(
    host: &Host,
    start: &RunStarted,
    brought: &Brought<'_>,
    observer: &dyn Observer,
) -> Option<Arc<dyn Model>> {
    let second = start.fallback.clone()?;
    let name = second.name();
    let chosen = Chosen { provider: second.provider, model: second.model, base_url: second.base_url, notice: None };
    match chosen.open(host, 0, brought) {
        Ok(opened) => Some(opened.model),
        Err(error) => {
            observer.notice(&format!("{name} cannot take over any more: {}", error.message));
            None
        }
    }
}
