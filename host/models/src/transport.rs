//! One exchange over HTTP: who carries it, and the clock that its timers go by.
//!
//! [`Net`] is the real carrier. Tests and cassettes bring others, and a clock of their own, so that no test waits.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ta_core::model::BoxFuture;

use crate::failure::{Failure, Kind};
use crate::key::Key;
use crate::retry::Timing;

/// What is read of a body that nobody wants any more, so that its connection can be used again.
const LEFT_BYTES_MAX: usize = 64 * 1024;
/// How long that may take.
const LEFT_TIME: Duration = Duration::from_secs(1);

/// A request on its way out.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Where to: never with a key in it.
    pub url: String,
    /// What follows the base URL, as a cassette keeps it.
    pub path: String,
    /// Headers that are no secret.
    pub headers: Vec<(&'static str, String)>,
    /// The headers that are secret: each one's name, what stands before the key in it, and the key.
    pub secrets: Vec<(Cow<'static, str>, &'static str, Key)>,
    /// The JSON to send; none is a GET.
    pub body: Option<serde_json::Value>,
}

/// An answer on its way in.
pub struct Incoming {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Box<dyn Body>,
}

/// A body that comes in pieces.
pub trait Body: Send {
    /// The next piece; `None` is the end. Nothing is lost where the future is dropped before it is ready.
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>>;

    /// Nobody wants more of it. The end of a body often comes a moment after the end of the answer in it: who can reads
    /// on until there, by the way, and keeps the connection for the next call.
    fn leave(self: Box<Self>) {}
}

/// Carries requests to a provider and answers back.
pub trait Carrier: Send + Sync {
    /// Sends a request and waits for the head of the answer.
    ///
    /// # Errors
    /// Where there is no connection, or none in time.
    fn send<'a>(&'a self, outgoing: &'a Outgoing) -> BoxFuture<'a, Result<Incoming, Failure>>;
}

/// What the timers and pauses go by.
pub trait Clock: Send + Sync {
    /// Comes back after a time.
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()>;

    /// What time it is.
    fn now(&self) -> Instant;
}

/// The real clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealTime;

impl Clock for RealTime {
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(time))
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// The networks of a process. Each is made when it is first needed, and once: to make one reads all certificates of the
/// system, and a connection that is kept spares the next run a handshake.
#[derive(Debug, Default)]
pub struct HttpClients {
    outside: OnceLock<Net>,
    here: OnceLock<Net>,
}

impl HttpClients {
    /// The network to servers outside, or to those on this machine.
    ///
    /// # Errors
    /// As [`Net::new`].
    pub(crate) fn of(&self, here: bool) -> Result<Net, Failure> {
        let kept = if here { &self.here } else { &self.outside };
        if let Some(net) = kept.get() {
            return Ok(net.clone());
        }
        let made = Net::new(Timing::default().connect, here)?;
        Ok(kept.get_or_init(|| made).clone())
    }
}

/// The network.
#[derive(Debug, Clone)]
pub struct Net {
    client: reqwest::Client,
}

impl Net {
    /// A client that trusts what the system trusts and follows no redirect: a key goes where it was meant to go.
    /// `direct` passes the proxy by that the environment names: it does not lead to a server on this machine.
    ///
    /// # Errors
    /// `model.client` where the system's certificates or proxy settings cannot be used.
    pub fn new(connect: Duration, direct: bool) -> Result<Self, Failure> {
        // Whoever was first has chosen the cryptography for the process; that is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let builder = reqwest::Client::builder()
            .connect_timeout(connect)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("teacher-assist/", env!("CARGO_PKG_VERSION")));
        let builder = if direct { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|error| {
            Failure::new(Kind::Client, format!("No HTTP client could be made: {}.", causes(&error)))
        })?;
        Ok(Self { client })
    }

    async fn exchange(&self, outgoing: &Outgoing) -> Result<Incoming, Failure> {
        match &outgoing.body {
            Some(body) => self.post(outgoing, "application/json", body.to_string().into_bytes()).await,
            None => self.head(self.client.get(&outgoing.url), outgoing).await,
        }
    }

    /// Sends bytes in place of the request's JSON.
    pub(crate) async fn post(
        &self,
        outgoing: &Outgoing,
        content_type: &'static str,
        bytes: Vec<u8>,
    ) -> Result<Incoming, Failure> {
        let request = self.client.post(&outgoing.url).header("content-type", content_type).body(bytes);
        self.head(request, outgoing).await
    }

    /// Sends a request with its headers, and waits for the head of the answer.
    async fn head(&self, mut request: reqwest::RequestBuilder, outgoing: &Outgoing) -> Result<Incoming, Failure> {
        for (name, value) in &outgoing.headers {
            request = request.header(*name, value);
        }
        for (name, before, key) in &outgoing.secrets {
            let value = reqwest::header::HeaderValue::from_str(&format!("{before}{}", key.expose()));
            let mut value = value.map_err(|_| Failure::new(Kind::Auth, "The key cannot stand in a header."))?;
            value.set_sensitive(true);
            request = request.header(name.as_ref(), value);
        }
        let response = request.send().await.map_err(|error| unsent(error, outgoing))?;
        let headers = response.headers().iter();
        let headers =
            headers.filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())));
        Ok(Incoming {
            status: response.status().as_u16(),
            headers: headers.collect(),
            body: Box::new(Stream(response)),
        })
    }
}

impl Carrier for Net {
    fn send<'a>(&'a self, outgoing: &'a Outgoing) -> BoxFuture<'a, Result<Incoming, Failure>> {
        Box::pin(self.exchange(outgoing))
    }
}

struct Stream(reqwest::Response);

impl Body for Stream {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>> {
        Box::pin(async {
            let piece = self.0.chunk().await;
            let piece = piece.map_err(|error| {
                let why = causes(&error.without_url());
                Failure::new(Kind::StreamCut, format!("The connection broke off during the answer: {why}.")).midway()
            })?;
            Ok(piece.map(|bytes| bytes.to_vec()))
        })
    }

    fn leave(mut self: Box<Self>) {
        let rest = async move {
            let mut read = 0;
            while let Ok(Some(piece)) = self.0.chunk().await {
                read += piece.len();
                if read > LEFT_BYTES_MAX {
                    break;
                }
            }
        };
        tokio::spawn(tokio::time::timeout(LEFT_TIME, rest));
    }
}

/// Why a request could not be sent.
fn unsent(error: reqwest::Error, outgoing: &Outgoing) -> Failure {
    let host = host(&outgoing.url);
    let (connect, timeout, builder) = (error.is_connect(), error.is_timeout(), error.is_builder());
    let why = causes(&error.without_url());
    match (connect, timeout, builder) {
        (_, _, true) => Failure::new(Kind::BaseUrl, format!("{host} is no address that can be called: {why}.")),
        (true, true, _) => {
            Failure::new(Kind::TimeoutConnect, format!("No connection to {host} within the time allowed."))
        }
        (false, true, _) => Failure::new(Kind::TimeoutFirstByte, format!("{host} did not answer in time.")),
        (true, false, _) => Failure::new(Kind::Connect, format!("No connection to {host}: {why}.")),
        // Everything behind the connection is one kind to the library; its words tell them apart.
        _ if why.contains("invalid HTTP") => {
            let message = format!("{host} answered something that is no HTTP: {why}.");
            Failure::new(Kind::Connect, message).with_hint("Check the base URL: no server for models is there.")
        }
        _ => Failure::new(Kind::Connect, format!("{host} closed the connection before it answered: {why}.")),
    }
}

/// An error with what caused it: the first sentence of a network error never says what is wrong.
fn causes(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !said.contains(&next) {
            said = format!("{said}: {next}");
        }
        cause = error.source();
    }
    said
}

/// The host of a URL, for messages.
pub(crate) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest.get(..end).unwrap_or(rest);
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// Runs a step against a timer. The step is asked first, so that what has come in time counts.
pub(crate) async fn within<T>(
    clock: &Arc<dyn Clock>,
    limit: Duration,
    step: impl Future<Output = Result<T, Failure>> + Send,
    late: impl FnOnce() -> Failure + Send,
) -> Result<T, Failure> {
    tokio::select! {
        biased;
        done = step => done,
        () = clock.sleep(limit) => Err(late()),
    }
}
