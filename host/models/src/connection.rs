//! A model of a provider, over the network.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use ta_core::message::{Message, Usage};
use ta_core::model::{BoxFuture, Deltas, Model, ModelAnswer, ModelError, ModelRequest, Unwatched};

use crate::estimate;
use crate::failure::{Failure, Kind};
use crate::key::{Keys, SECRET_CHARS_MIN};
use crate::prices::Prices;
use crate::provider::Provider;
use crate::retry::{Call, Timing};
use crate::scrub;
use crate::transport::{Carrier, Clock, HttpClients, Outgoing, RealTime, host, within};
use crate::wire::{Setting, Signatures, Wire, refused};

/// Bytes of a list of models.
const LIST_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Tokens that a check may cost: some models think before they say a word.
const CHECK_TOKENS: u32 = 64;

/// A model of a provider, which can list the others of that provider, too.
pub struct Connection {
    provider: &'static Provider,
    model: String,
    base_url: String,
    native: bool,
    keys: Keys,
    prices: Arc<Prices>,
    carrier: Arc<dyn Carrier>,
    clock: Arc<dyn Clock>,
    timing: Timing,
    signatures: Signatures,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("provider", &self.provider.name).finish_non_exhaustive()
    }
}

impl Connection {
    /// A model of a provider over the network. An empty `model` is the provider's default.
    ///
    /// # Errors
    /// `model.key_missing`, `model.base_url`, `model.insecure_url` or `model.client`, before anything is sent.
    pub fn open(
        http_clients: &HttpClients,
        provider: &'static Provider,
        model: &str,
        base_url: Option<&str>,
        keys: &Keys,
        prices: Arc<Prices>,
    ) -> Result<Self, Failure> {
        let direct = local(host(&base(provider, base_url, keys)?));
        Self::over(provider, model, base_url, keys, prices, Arc::new(http_clients.of(direct)?))
    }

    /// As [`Connection::open`], over a carrier of one's own.
    ///
    /// # Errors
    /// As [`Connection::open`].
    pub fn over(
        provider: &'static Provider,
        model: &str,
        base_url: Option<&str>,
        keys: &Keys,
        prices: Arc<Prices>,
        carrier: Arc<dyn Carrier>,
    ) -> Result<Self, Failure> {
        let base_url = base(provider, base_url, keys)?;
        let key = keys.of(provider.account);
        if let Some(variable) = keys.unfit(provider.account) {
            let message = format!(
                "{variable} is set, but it holds no key for {}: in a key there is no space, and no sign beyond plain \
                 letters, digits and punctuation.",
                provider.name
            );
            let hint = "Copy the key anew, alone; curly quotation marks around it come from a word processor.";
            return Err(Failure::new(Kind::KeyMissing, message).with_hint(hint));
        }
        if key.is_none() && provider.needs_key {
            let message = format!("There is no key for {}.", provider.name);
            let hint = format!("Set {}, or put `{} = \"…\"` into a key file.", provider.key_variable, provider.account);
            return Err(Failure::new(Kind::KeyMissing, message).with_hint(hint));
        }
        if key.is_some() && !base_url.starts_with("https://") && !local(host(&base_url)) {
            let message = format!("The key for {} would go to {} unprotected.", provider.name, host(&base_url));
            return Err(Failure::new(Kind::InsecureUrl, message));
        }
        let model = if model.is_empty() { provider.model } else { model };
        if model.is_empty() {
            let message = format!("{} needs the name of a model.", provider.name);
            return Err(Failure::new(Kind::NotFound, message).with_hint("Give it with --model."));
        }
        Ok(Self {
            provider,
            model: model.to_owned(),
            native: provider.native(&base_url),
            base_url,
            keys: keys.clone(),
            prices,
            carrier,
            clock: Arc::new(RealTime),
            timing: Timing::default(),
            signatures: Signatures::default(),
        })
    }

    /// The same with other timers and another clock.
    #[must_use]
    pub fn timed(mut self, timing: Timing, clock: Arc<dyn Clock>) -> Self {
        self.timing = timing;
        self.clock = clock;
        self
    }

    /// Name of the model that is called.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Where it is called.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Whether it is called on this machine.
    #[must_use]
    pub fn local(&self) -> bool {
        local(host(&self.base_url))
    }

    /// The provider.
    #[must_use]
    pub const fn of(&self) -> &'static Provider {
        self.provider
    }

    pub(crate) const fn native(&self) -> bool {
        self.native
    }

    pub(crate) const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The same with another carrier around its own.
    pub(crate) fn carried(mut self, around: impl FnOnce(Arc<dyn Carrier>) -> Arc<dyn Carrier>) -> Self {
        self.carrier = around(self.carrier);
        self
    }

    /// The names of the models that the provider offers with this key, sorted. Costs nothing, and tells whether the
    /// provider can be reached and takes the key.
    ///
    /// # Errors
    /// As a call; it is not made again.
    pub async fn models(&self) -> Result<Vec<String>, ModelError> {
        let list = self.list().await.map_err(|failure| self.said(failure))?;
        Ok(self.provider.wire.models(&list))
    }

    /// One small call, which costs a little: whether the model itself answers with this key.
    ///
    /// # Errors
    /// As a call.
    pub async fn check(&self) -> Result<ModelAnswer, ModelError> {
        let request = ModelRequest {
            model: self.model.clone(),
            messages: vec![Message::user("Answer with the word ready.")].into(),
            max_output_tokens: Some(CHECK_TOKENS),
            ..ModelRequest::default()
        };
        self.complete(&request).await
    }

    async fn list(&self) -> Result<Value, Failure> {
        let name = self.provider.name;
        let limit = self.timing.connect + self.timing.first_byte;
        let outgoing = self.outgoing(self.provider.wire.models_path().to_owned(), None);
        let all = async {
            let mut incoming = self.carrier.send(&outgoing).await?;
            let mut body = Vec::new();
            while let Some(piece) = incoming.body.next().await? {
                body.extend_from_slice(&piece);
                if body.len() > LIST_BYTES_MAX {
                    return Err(Failure::new(Kind::ReplyTooLarge, format!("{name}'s list of models has no end.")));
                }
            }
            if !(200..300).contains(&incoming.status) {
                return Err(refused(name, incoming.status, &incoming.headers, &body));
            }
            serde_json::from_slice(&body).map_err(|error| {
                Failure::new(Kind::Unreadable, format!("{name}'s list of models is no JSON: {error}."))
            })
        };
        let late = || Failure::new(Kind::TimeoutFirstByte, format!("{name} did not answer in time."));
        within(&self.clock, limit, all, late).await
    }

    fn outgoing(&self, path: String, body: Option<Value>) -> Outgoing {
        let key = self.keys.of(self.provider.account).cloned();
        let (header, before) = match self.provider.wire {
            Wire::Anthropic => ("x-api-key", ""),
            Wire::Gemini => ("x-goog-api-key", ""),
            Wire::Responses | Wire::Chat | Wire::Ollama => ("authorization", "Bearer "),
        };
        let headers = match self.provider.wire {
            Wire::Anthropic => vec![("anthropic-version", "2023-06-01".to_owned())],
            _ => Vec::new(),
        };
        let url = format!("{}{path}", self.base_url);
        let secrets = key.map(|key| (Cow::Borrowed(header), before, key)).into_iter().collect();
        Outgoing { url, path, headers, secrets, body }
    }

    async fn answer(&self, request: &ModelRequest, deltas: &dyn Deltas) -> Result<ModelAnswer, Failure> {
        // As a second provider this one is asked for a model that is not its own.
        let request = if request.model == self.model {
            Cow::Borrowed(request)
        } else {
            Cow::Owned(ModelRequest { model: self.model.clone(), ..request.clone() })
        };
        let setting = Setting { native: self.native, signatures: &self.signatures };
        let wire = self.provider.wire;
        let outgoing = self.outgoing(wire.path(&self.model), Some(wire.encode(&request, setting)));
        let (carrier, provider) = (self.carrier.as_ref(), self.provider.name);
        let call = Call { carrier, clock: &self.clock, timing: &self.timing, wire, provider };
        let (reply, signatures) = call.make(&outgoing, &request, deltas).await?;
        self.signatures.keep(&request.messages, signatures);
        let reply = scrub::reply(&self.keys, reply);
        let usage = estimate::completed(reply.usage, &request, &reply.text, &reply.calls);
        // Nothing where no price is known at all; a known one counts for any length.
        let cost_usd = self.prices.cost(self.provider.priced, &self.model, &usage).unwrap_or_default();
        let price = self.prices.of(self.provider.priced, &self.model);
        let cache_saved_usd = price.map_or(0.0, |price| price.saved(&usage));
        let (text, calls, stop) = (reply.text, reply.calls, reply.stop);
        Ok(ModelAnswer { text, calls, stop, usage, cost_usd, cache_saved_usd, ..ModelAnswer::default() })
    }

    /// A failure as it is told: without a key, whoever it came from.
    fn said(&self, failure: Failure) -> ModelError {
        let error = ModelError::from(failure);
        ModelError { message: self.keys.scrub(&error.message), hint: self.keys.scrub(&error.hint), ..error }
    }
}

impl Model for Connection {
    fn provider(&self) -> &str {
        self.provider.name
    }

    fn complete<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        self.stream(request, &Unwatched)
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        deltas: &'a dyn Deltas,
    ) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        let watched = Scrubbed { deltas, keys: &self.keys, held: Mutex::default() };
        Box::pin(async move {
            let answer = self.answer(request, &watched).await;
            watched.flush(answer.is_err());
            answer.map_err(|failure| self.said(failure))
        })
    }
}

/// Passes on what comes, without a key. What could begin one is held back until that is decided.
struct Scrubbed<'a> {
    deltas: &'a dyn Deltas,
    keys: &'a Keys,
    held: Mutex<Vec<u8>>,
}

impl Scrubbed<'_> {
    fn pass(&self, delta: &str, more: bool) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.extend_from_slice(delta.as_bytes());
        let (clean, begun) = scrub::without(&self.keys.secrets(), &held, more);
        held.drain(..begun);
        drop(held);
        if !clean.is_empty() {
            self.deltas.text(&String::from_utf8_lossy(&clean));
        }
    }

    /// Nothing more comes. Of a text that broke off, the most of a key counts as one.
    fn flush(&self, broken: bool) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if broken && held.len() >= SECRET_CHARS_MIN {
            *held = scrub::INSTEAD.into();
        }
        drop(held);
        self.pass("", false);
    }
}

/// A call that was given up keeps what had come.
impl Drop for Scrubbed<'_> {
    fn drop(&mut self) {
        self.flush(true);
    }
}

impl Deltas for Scrubbed<'_> {
    fn text(&self, delta: &str) {
        self.pass(delta, true);
    }

    fn notice(&self, text: &str) {
        self.deltas.notice(&self.keys.scrub(text));
    }

    fn restarted(&self) {
        self.flush(true);
        self.deltas.restarted();
    }

    fn begun(&self) {
        self.deltas.begun();
    }

    fn unseen(&self, bytes: usize) {
        self.deltas.unseen(bytes);
    }

    fn counted(&self, usage: &Usage) {
        self.deltas.counted(usage);
    }

    fn lost(&self) {
        self.flush(true);
        self.deltas.lost();
    }
}

/// The base URL: what was asked for, what the environment says, or the provider's own.
fn base(provider: &Provider, asked: Option<&str>, keys: &Keys) -> Result<String, Failure> {
    let environment = keys.address(provider);
    let base = asked.map(ToOwned::to_owned).or(environment).unwrap_or_else(|| provider.base_url.to_owned());
    let base = base.trim().trim_end_matches('/');
    // The version is part of the path here, and part of the base URL in half of the world's instructions.
    let base = if provider.wire == Wire::Anthropic { base.trim_end_matches("/v1") } else { base };
    if base.is_empty() {
        let message = format!("{} has no address of its own, and no base URL is given.", provider.name);
        let hint = "Give it with --base-url, such as https://example.org/v1.";
        return Err(Failure::new(Kind::BaseUrl, message).with_hint(hint));
    }
    if let Some(why) = unfit(base) {
        let message = format!("The base URL is no address of a server for {}: {why}.", provider.name);
        return Err(Failure::new(Kind::BaseUrl, message));
    }
    Ok(base.to_owned())
}

/// Why an address cannot be called, where that is so: said before anything is begun rather than by the first call.
fn unfit(base: &str) -> Option<String> {
    // What is shown is the host alone: a path may hold what nobody else is to see.
    let shown = host(base).escape_debug();
    if matches!(base, "http:" | "https:") {
        return Some("it names no host".to_owned());
    }
    if !base.starts_with("https://") && !base.starts_with("http://") {
        return Some("it begins with neither https:// nor http://".to_owned());
    }
    // Browsers take a backslash for a slash: whoever reads the address would take another host for the one that is called.
    if base.contains(|letter: char| letter == '\\' || letter.is_whitespace() || letter.is_control()) {
        return Some(format!("`{shown}` holds a letter that no address holds"));
    }
    match reqwest::Url::parse(base) {
        _ if host(base).is_empty() => Some("it names no host".to_owned()),
        Err(error) => Some(format!("`{shown}`: {error}")),
        Ok(url) => url.port().filter(|port| *port == 0).map(|_| "port 0 is none that can be called".to_owned()),
    }
}

/// Whether a host is this machine.
pub(crate) fn local(host: &str) -> bool {
    let name = if host.starts_with('[') {
        host.split_inclusive(']').next().unwrap_or(host)
    } else {
        host.split(':').next().unwrap_or(host)
    };
    let loopback = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback());
    name == "localhost" || loopback
}
