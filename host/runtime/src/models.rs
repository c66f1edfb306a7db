//! Which model answers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ta_core::definition::{Agent, PROVIDER_OFFLINE};
use ta_core::event::{CallPrice, RunStarted};
use ta_core::model::Model;
use ta_core::text::sentence;
use ta_models::failure::Kind;
use ta_models::{Completions, Connection, Keys, Price, Prices, Provider, Providers, Script, play};

use crate::error::RuntimeError;
use crate::fallback;
use crate::grants::Grants;
use crate::host::Host;
use crate::plugin::Plugin;
use crate::provided::{self, Brought};
use crate::run::RunRequest;

/// What needs neither key nor network: a component that a plugin brings.
const OFFLINE: &str = PROVIDER_OFFLINE;
/// Answers from a file.
const SCRIPT: &str = "script";
/// Recorded exchanges.
const CASSETTE: &str = "cassette";
/// How a run of the provider `script` names its model: with the file, so that it can be resumed.
const SCRIPT_KEY: &str = "script:";

/// Where keys, prices and recordings are, for every run of a process.
#[derive(Debug, Clone, Default)]
pub struct ModelPlaces {
    /// The file of keys; the environment's come first.
    pub keys: Option<PathBuf>,
    /// The file of prices above the shipped ones.
    pub prices: Option<PathBuf>,
    /// Where exchanges with providers are kept.
    pub record: Option<PathBuf>,
    /// Where answers are kept, to be given again to the same request.
    pub completion_cache: Option<PathBuf>,
}

/// Which model a person asks for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Provider, where it is not the agent's.
    pub provider: Option<String>,
    /// Model, where it is not the agent's.
    pub model: Option<String>,
    /// Where the provider is, where it is not where it always is.
    pub base_url: Option<String>,
    /// The file of answers of the provider `script`.
    pub script: Option<PathBuf>,
    /// The directory of exchanges of the provider `cassette`.
    pub cassette: Option<PathBuf>,
    /// Who takes over where the provider fails, as `provider/model`, where it is not the agent's.
    pub fallback: Option<String>,
    /// Where that one is, where it is not where it always is.
    pub fallback_base_url: Option<String>,
}

/// Who answers, as a run's first event keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Name of the provider.
    pub provider: String,
    /// The provider's name of the model; for a script, its file.
    pub model: String,
    /// Where the provider is, where that was said; for a cassette, its directory.
    pub base_url: Option<String>,
    /// Why it is another than the agent asks for, where it is.
    pub notice: Option<String>,
}

/// A model that can be asked.
pub struct Opened {
    /// It.
    pub model: Arc<dyn Model>,
    /// What a call of it is reckoned at.
    pub price: Option<CallPrice>,
    /// How many tokens it reads and writes at the most in one call; none where that has no end.
    pub window: Option<u64>,
    /// Whether its calls go over a network, and may cost something.
    pub remote: bool,
    /// Whether a key is sent with them: without one nobody can be billed.
    pub keyed: bool,
}

/// The keys at hand.
///
/// # Errors
/// `model.key_file`, also for a file inside the workspace: components may read there.
pub fn keys(host: &Host) -> Result<Keys, RuntimeError> {
    let file = host.config.models.keys.as_deref();
    if let Some(file) = file
        && let (Ok(file), Ok(workspace)) = (file.canonicalize(), host.config.workspace.canonicalize())
        && file.starts_with(&workspace)
    {
        let message = format!("the key file {} lies inside the workspace", file.display());
        let hint = "put it where no tool can read it: outside the workspace";
        return Err(RuntimeError::configuration("model.key_file", message, hint));
    }
    Ok(Keys::load(&providers(host)?, file)?)
}

/// The providers that can be called over a network: the shipped ones, and those of the operator's file.
///
/// # Errors
/// Where the operator's file has problems, or one of its providers is like none that is shipped.
pub fn providers(host: &Host) -> Result<Providers, RuntimeError> {
    of_operator(&host.grants()?)
}

/// The shipped providers, and those of an operator's file.
///
/// # Errors
/// `operator.provider` where one is like none that is shipped.
pub(crate) fn of_operator(grants: &Grants) -> Result<Providers, RuntimeError> {
    grants.providers.iter().try_fold(Providers::default(), |providers, (name, entry)| {
        providers.with(name, entry).map_err(|error| {
            let message = format!("the provider `{name}` of the operator's file cannot be used: {}", error.message);
            let hint = "say with `like` which shipped provider it speaks like: openai-chat for most gateways";
            RuntimeError::configuration("operator.provider", message, hint)
        })
    })
}

/// The prices at hand.
///
/// # Errors
/// `model.prices`.
pub fn prices(host: &Host) -> Result<Arc<Prices>, RuntimeError> {
    let own = host.grants()?.providers.into_iter().filter_map(|(provider, entry)| {
        let (input, output) = entry.price?;
        let (model, window) = ("*".to_owned(), entry.window.map(u64::from));
        Some(Price { provider, model, input, cached_read: None, cache_write: None, output, input_max: None, window })
    });
    Ok(Arc::new(Prices::load(host.config.models.prices.as_deref())?.with(own.collect())))
}

/// Whether a provider of this name comes with the plugin.
pub(crate) fn brings(plugin: &Plugin, provider: &str) -> bool {
    plugin.manifest.providers.contains_key(provider)
}

/// Names of the providers of the plugin that a run may ask: who answers, and who takes over.
#[must_use]
pub(crate) fn brought(plugin: &Plugin, agent: &Agent, asked: &Asked, chosen: &Chosen) -> Vec<String> {
    let second = asked.fallback.as_deref().or(agent.fallback.as_deref()).map(fallback::provider_of);
    let named: BTreeSet<&str> = second.into_iter().chain([chosen.provider.as_str()]).collect();
    named.into_iter().filter(|name| plugin.manifest.providers.contains_key(*name)).map(ToOwned::to_owned).collect()
}

/// Chooses provider and model: what the person asked for; else the agent's, where there is a key for it; else the plugin's
/// `offline`.
///
/// # Errors
/// Where the provider that was asked for is none that this version can call; `error_no_provider` where nothing answers.
pub fn choose(host: &Host, plugin: &Plugin, agent: &Agent, asked: &Asked) -> Result<Chosen, RuntimeError> {
    let providers = providers(host)?;
    if let Some(provider) = &asked.provider {
        let of_agent = (*provider == agent.provider).then_some(agent.model.as_str());
        return named((&providers, plugin), provider, of_agent, asked);
    }
    let keys = keys(host)?;
    let keyless = |it: &&Provider| it.needs_key && keys.of(it.account).is_none();
    if let Some(provider) = providers.named(&agent.provider).ok().filter(keyless) {
        let why = format!(
            "the agent asks for {} of {}, and {} is not set",
            agent.model, agent.provider, provider.key_variable
        );
        let (instead, writes) = match fallback::of_keyless(host, (plugin, agent), asked)? {
            Some(second) if second.provider != OFFLINE => {
                let name = format!("{} of {} answers", second.model, second.provider);
                (second, name)
            }
            _ if !brings(plugin, OFFLINE) => return Err(provided::none(&plugin.manifest.name, &why)),
            _ => {
                let offline = named((&providers, plugin), OFFLINE, None, &Asked::default())?;
                (offline, "the plugin's offline provider answers".to_owned())
            }
        };
        return Ok(Chosen { notice: Some(format!("{why}: {writes} instead")), ..instead });
    }
    named((&providers, plugin), &agent.provider, Some(&agent.model), asked)
}

/// What is asked for by a request that goes on with a session: where it names no provider, whoever answered there last over a
/// network, with that address and whoever takes over. A conversation must not end up with another company unasked.
///
/// # Errors
/// Where the operator's file has problems.
pub fn of_session(host: &Host, asked: &Asked, last: Option<&RunStarted>) -> Result<Asked, RuntimeError> {
    let mut asked = asked.clone();
    let Some(last) = last.filter(|_| asked.provider.is_none()) else { return Ok(asked) };
    if !Chosen::of(last).remote(&providers(host)?) {
        return Ok(asked);
    }
    asked.provider = Some(last.provider.clone());
    asked.model = asked.model.or_else(|| Some(last.model.clone()));
    asked.base_url = asked.base_url.or_else(|| last.base_url.clone());
    if let (None, Some(second)) = (&asked.fallback, &last.fallback) {
        asked.fallback = Some(second.name());
        asked.fallback_base_url = asked.fallback_base_url.or_else(|| second.base_url.clone());
    }
    Ok(asked)
}

/// The error of a missing key, for a provider that nobody named in this request: says why that one is asked.
pub(crate) fn kept_by(error: RuntimeError, asked: &Asked, request: &RunRequest) -> RuntimeError {
    let keyless = error.code == Kind::KeyMissing.code();
    let (Some(provider), None, true) = (&asked.provider, &request.asked.provider, keyless) else { return error };
    let model = asked.model.as_deref().unwrap_or_default();
    let said = error.message.trim_end_matches('.');
    let message =
        format!("{said}; the session's last request went to {model} of {provider}, so this one goes there, too");
    let hint = format!("{} Or name another provider with --provider.", sentence(&error.hint));
    RuntimeError { message, hint, ..error }
}

/// The provider of that name, with the model that was asked for, or this one, or the provider's own.
///
/// # Errors
/// `provider.unavailable` where there is none of that name, `error_no_provider` for an `offline` that the plugin does not bring;
/// `model.base_url` for an address that cannot be kept.
pub(crate) fn named(
    (providers, plugin): (&Providers, &Plugin),
    provider: &str,
    model: Option<&str>,
    asked: &Asked,
) -> Result<Chosen, RuntimeError> {
    let own = match provider {
        _ if plugin.manifest.providers.contains_key(provider) => provider,
        OFFLINE => return Err(provided::none(&plugin.manifest.name, "`offline` was asked for")),
        SCRIPT | CASSETTE => provider,
        _ => providers.named(provider).map_err(|error| unavailable(&error))?.model,
    };
    let model = asked.model.as_deref().or(model.filter(|_| own != SCRIPT && own != CASSETTE)).unwrap_or(own);
    let model = match &asked.script {
        Some(path) if provider == SCRIPT => format!("{SCRIPT_KEY}{}", absolute(path).display()),
        _ => model.to_owned(),
    };
    let base_url = match (&asked.cassette, &asked.base_url) {
        (Some(directory), _) if provider == CASSETTE => Some(absolute(directory).display().to_string()),
        (_, Some(_)) if providers.named(provider).is_err() => {
            let message = format!("the provider `{provider}` uses no network: it has no address");
            return Err(RuntimeError::usage("model.base_url", message, "leave --base-url away"));
        }
        (_, Some(url)) => Some(without_secrets(url)?),
        _ => None,
    };
    Ok(Chosen { provider: provider.to_owned(), model, base_url, notice: None })
}

fn unavailable(error: &ta_models::failure::Failure) -> RuntimeError {
    let hint = error.hint.as_deref().unwrap_or("`models` lists the providers").trim_end_matches('.');
    let message = error.message.trim_end_matches('.');
    RuntimeError::usage("provider.unavailable", message, format!("{hint}, {OFFLINE}, {SCRIPT} or {CASSETTE}"))
}

/// An address is kept in the journal and shown; a name and password in it, or a key in its query, must not be.
fn without_secrets(url: &str) -> Result<String, RuntimeError> {
    if !url.contains(['@', '?', '#']) {
        return Ok(url.to_owned());
    }
    let message = "the base URL holds a name, a password or a query";
    let hint = "give the address alone; a key belongs into the environment or a key file";
    Err(RuntimeError::usage("model.base_url", message, hint))
}

impl Chosen {
    /// As a run began.
    #[must_use]
    pub fn of(start: &RunStarted) -> Self {
        let (provider, model) = (start.provider.clone(), start.model.clone());
        Self { provider, model, base_url: start.base_url.clone(), notice: None }
    }

    /// Puts it into a run's beginning.
    pub fn begin(self, start: &mut RunStarted) {
        (start.provider, start.model, start.base_url) = (self.provider, self.model, self.base_url);
    }

    /// Whether its calls go over a network.
    #[must_use]
    pub fn remote(&self, providers: &Providers) -> bool {
        providers.named(&self.provider).is_ok()
    }

    /// The model that guests may ask: the one of this name, `provider/model`, or the cheap one of the same provider.
    ///
    /// # Errors
    /// `guest_model.invalid` where the name is that of no model over a network.
    pub fn cheap(&self, providers: &Providers, named: Option<&str>) -> Result<Self, RuntimeError> {
        let own = providers.named(&self.provider).map_err(|error| unavailable(&error))?;
        let Some((provider, model)) = named.and_then(|named| named.split_once('/')) else {
            let model = if own.cheap.is_empty() { self.model.clone() } else { own.cheap.to_owned() };
            return Ok(Self { model, notice: None, ..self.clone() });
        };
        providers.named(provider).map_err(|error| {
            let message = format!("`guest-model` names no model that can be asked: {}", error.message);
            let hint = error.hint.as_deref().unwrap_or("`models` lists the providers").to_owned();
            RuntimeError::configuration("guest_model.invalid", message, hint)
        })?;
        let base_url = self.base_url.clone().filter(|_| provider == self.provider);
        Ok(Self { provider: provider.to_owned(), model: model.to_owned(), base_url, notice: None })
    }

    /// Makes the model. `history_answers` is the number of answers that the session holds already; `brought` what the plugin
    /// brings to answer.
    ///
    /// # Errors
    /// Where a script or a cassette is missing or cannot be read; where there is no key for the provider, or another of
    /// its settings cannot work. Nothing is sent.
    pub(crate) fn open(
        &self,
        host: &Host,
        history_answers: usize,
        brought: &Brought<'_>,
    ) -> Result<Opened, RuntimeError> {
        self.check_kept(host)?;
        let here = |model| Opened { model, price: None, window: None, remote: false, keyed: false };
        if let Some(model) = brought.open(host, &self.provider)? {
            return Ok(here(model));
        }
        match self.provider.as_str() {
            OFFLINE => Err(provided::none(brought.plugin, "`offline` was asked for")),
            SCRIPT => {
                let model = script(self.model.strip_prefix(SCRIPT_KEY).map(Path::new), history_answers)?;
                Ok(here(model))
            }
            CASSETTE => {
                let directory = self.base_url.as_deref().ok_or_else(|| {
                    let hint = "give it with --cassette DIR; --record DIR makes one";
                    let message = "the provider `cassette` needs a directory of recorded exchanges";
                    RuntimeError::usage("cassette.missing", message, hint)
                })?;
                let prices = prices(host)?;
                let (model, name) = play(Path::new(directory), Arc::clone(&prices))?;
                let account = Provider::shipped(model.provider()).map_or("", |it| it.priced);
                let price = call_price(&prices, account, &name);
                let window = Some(prices.window(account, &name));
                Ok(Opened { model, price, window, remote: false, keyed: false })
            }
            _ => self.connect(host),
        }
    }

    /// What uses no network has nothing to be kept.
    fn check_kept(&self, host: &Host) -> Result<(), RuntimeError> {
        let models = &host.config.models;
        let (code, flag, what) = match (&models.record, &models.completion_cache) {
            (Some(_), _) => ("record.nothing", "--record", "record"),
            (_, Some(_)) => ("cache.nothing", "--completion-cache", "keep"),
            (None, None) => return Ok(()),
        };
        if self.remote(&providers(host)?) {
            return Ok(());
        }
        let message = format!("the provider `{}` uses no network: there is nothing to {what}", self.provider);
        let hint = format!("leave {flag} away, or choose another provider with --provider");
        Err(RuntimeError::usage(code, message, hint))
    }

    fn connect(&self, host: &Host) -> Result<Opened, RuntimeError> {
        let prices = prices(host)?;
        let (base_url, keys) = (self.base_url.as_deref(), keys(host)?);
        let (provider, prices_too) = (providers(host)?.named(&self.provider)?, Arc::clone(&prices));
        let connection = Connection::open(&host.http_clients, provider, &self.model, base_url, &keys, prices_too)?;
        let price = call_price(&prices, provider.priced, connection.model());
        let connection = match &host.config.models.record {
            Some(directory) => connection.recorded(directory)?,
            None => connection,
        };
        let window = Some(prices.window(provider.priced, connection.model()));
        let keyed = keys.of(provider.account).is_some();
        let (name, base_url) = (connection.model().to_owned(), connection.base_url().to_owned());
        let model: Arc<dyn Model> = match &host.config.models.completion_cache {
            Some(directory) => Arc::new(Completions::new(Arc::new(connection), &name, &base_url, directory)?),
            None => Arc::new(connection),
        };
        Ok(Opened { model, price, window, remote: true, keyed })
    }
}

/// What calls are reckoned at, where a price is known.
fn call_price(prices: &Prices, account: &str, model: &str) -> Option<CallPrice> {
    let price = prices.of(account, model)?;
    let input_usd = price.input.max(price.cache_write.unwrap_or_default());
    Some(CallPrice { input_usd, output_usd: price.output, input_tokens_max: price.input_max })
}

fn script(path: Option<&Path>, history_answers: usize) -> Result<Arc<dyn Model>, RuntimeError> {
    let Some(path) = path else {
        return Err(RuntimeError::usage(
            "script.missing",
            "the provider `script` needs a file of answers",
            "give it with --script FILE",
        ));
    };
    let broken = |why: String| {
        let message = format!("the script {} cannot be used: {why}", path.display());
        RuntimeError::configuration("script.invalid", message, "the reference shows its form")
    };
    let text = std::fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
    let script = Script::parse(&text).map_err(|error| broken(error.to_string()))?;
    Ok(Arc::new(script.with_history_start(history_answers)))
}

/// A path as a journal can keep it.
#[must_use]
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
