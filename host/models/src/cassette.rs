//! Exchanges kept as files, and played back byte for byte.
//!
//! A directory holds one JSON file an exchange, in order: `0001.json`, `0002.json`. In it are the request as it was sent
//! and the answer as it came; of the headers only those that mean something to us, and no key anywhere.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ta_core::model::{BoxFuture, Deltas, Model, ModelError};

use crate::connection::Connection;
use crate::failure::{Failure, Kind};
use crate::key::{Key, Keys};
use crate::prices::Prices;
use crate::provider::Provider;
use crate::retry::Timing;
use crate::scrub;
use crate::transport::{Body, Carrier, Incoming, Outgoing, RealTime};
use crate::wire::Decoder;

/// Headers that are kept.
const HEADERS: [&str; 3] = ["content-type", "retry-after", "retry-after-ms"];

/// One exchange.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Exchange {
    provider: String,
    model: String,
    native: bool,
    path: String,
    request: Option<Value>,
    status: u16,
    headers: Vec<(String, String)>,
    /// The answer's bytes, where they are text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// The answer's bytes in hexadecimal, where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body_hex: Option<String>,
    /// Whether the connection broke off behind them.
    cut: bool,
}

impl Connection {
    /// The same, with every exchange kept in a directory. What is there already stays, and is followed.
    ///
    /// # Errors
    /// `model.cassette_write` where the directory cannot be made.
    pub fn recorded(self, directory: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(directory).map_err(|error| unwritten(directory, &error))?;
        files(directory)?;
        let about = (self.of().like.to_owned(), self.model().to_owned(), self.native());
        let keys = self.keys().clone();
        let failed = Arc::default();
        Ok(self.carried(|inner| Arc::new(Recorder { inner, directory: directory.to_owned(), about, keys, failed })))
    }
}

/// The provider `cassette`: the model that was recorded, with its name. No network is used and nothing waits.
///
/// Each request gets the first answer not given yet that was recorded for the same request, so that a run resumed in
/// another process, or with calls at once, finds its own.
///
/// # Errors
/// `model.cassette_unreadable` where the directory holds no cassette. Calls fail with `model.cassette_mismatch` or
/// `model.cassette_missing`.
pub fn play(directory: &Path, prices: Arc<Prices>) -> Result<(Arc<dyn Model>, String), ModelError> {
    let exchanges: Vec<Exchange> = files(directory)?.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
    let Some(first) = exchanges.first() else {
        let message = format!("There is no exchange in {}.", directory.display());
        return Err(Failure::new(Kind::CassetteUnreadable, message).into());
    };
    let provider = Provider::shipped(&first.provider)?;
    let (model, native) = (first.model.clone(), first.native);
    // Nothing is sent: a dummy, and too short to be taken for a secret and looked for.
    let keys = Key::new("tape").map(|key| Keys::default().with(provider.account, key)).unwrap_or_default();
    let base_url = if native { None } else { Some("https://cassette.invalid") };
    let player = Player { exchanges, given: Mutex::default() };
    let connection = Connection::over(provider, &model, base_url, &keys, prices, Arc::new(player))?;
    // What was recorded is there at once, and so is the next try.
    let (pauses, retry_after_max) = (vec![Duration::ZERO; Timing::default().pauses.len()], Duration::ZERO);
    let timing = Timing { pauses, retry_after_max, ..Timing::default() };
    Ok((Arc::new(connection.timed(timing, Arc::new(RealTime))), model))
}

/// The files of a cassette in order.
fn files(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: std::io::Error| {
        let message = format!("The cassette {} cannot be read: {error}.", directory.display());
        Failure::new(Kind::CassetteUnreadable, message)
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|it| it == "json") {
            files.push(path);
        }
    }
    files.sort_by_key(|file| (number(file).unwrap_or(u64::MAX), file.clone()));
    Ok(files)
}

/// The number of an exchange.
fn number(file: &Path) -> Option<u64> {
    file.file_stem()?.to_str()?.parse().ok()
}

/// A new file behind all that are there, for its owner alone. Other runs and other processes may write there too.
fn next(directory: &Path) -> std::io::Result<std::fs::File> {
    let mut largest = 0;
    for entry in std::fs::read_dir(directory)? {
        largest = largest.max(number(&entry?.path()).unwrap_or_default());
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        largest = largest.checked_add(1).ok_or(std::io::ErrorKind::StorageFull)?;
        match options.open(directory.join(format!("{largest:04}.json"))) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            opened => return opened,
        }
    }
}

fn read(file: &Path) -> Result<Exchange, Failure> {
    let broken = |why: String| {
        Failure::new(Kind::CassetteUnreadable, format!("The exchange {} cannot be read: {why}.", file.display()))
    };
    let text = std::fs::read_to_string(file).map_err(|error| broken(error.to_string()))?;
    let exchange: Exchange = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
    if exchange.body.is_none() && exchange.body_hex.as_ref().is_none_or(|hex| hex::decode(hex).is_err()) {
        return Err(broken("it holds no body".to_owned()));
    }
    Ok(exchange)
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::CassetteWrite, format!("The cassette {} cannot be written: {error}.", path.display()))
}

/// What went wrong with an earlier file.
type Failed = Arc<Mutex<Option<Failure>>>;

/// Keeps what another carrier carries.
struct Recorder {
    inner: Arc<dyn Carrier>,
    directory: PathBuf,
    about: (String, String, bool),
    keys: Keys,
    failed: Failed,
}

impl Carrier for Recorder {
    fn send<'a>(&'a self, outgoing: &'a Outgoing) -> BoxFuture<'a, Result<Incoming, Failure>> {
        Box::pin(async move {
            if let Some(failed) = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return Err(failed);
            }
            let incoming = self.inner.send(outgoing).await?;
            let (provider, model, native) = self.about.clone();
            let kept = incoming.headers.iter().filter(|(name, _)| HEADERS.contains(&name.as_str())).cloned();
            let exchange = Exchange {
                provider,
                model,
                native,
                path: outgoing.path.clone(),
                request: outgoing.body.clone(),
                status: incoming.status,
                headers: kept.collect(),
                body: None,
                body_hex: None,
                cut: false,
            };
            let (directory, failed, keys) = (self.directory.clone(), Arc::clone(&self.failed), self.keys.clone());
            let body = Taped { inner: incoming.body, exchange, bytes: Vec::new(), directory, keys, failed };
            Ok(Incoming { body: Box::new(body), ..incoming })
        })
    }
}

/// A body that is kept while it comes; written when nobody wants more of it, however that comes about.
struct Taped {
    inner: Box<dyn Body>,
    exchange: Exchange,
    bytes: Vec<u8>,
    directory: PathBuf,
    keys: Keys,
    failed: Failed,
}

impl Taped {
    /// Writes the exchange, without a key in any part of it.
    fn write(&mut self) -> std::io::Result<()> {
        let (keys, exchange) = (&self.keys, &mut self.exchange);
        match String::from_utf8(keys.scrub_bytes(&self.bytes)) {
            Ok(text) => exchange.body = Some(text),
            Err(error) => exchange.body_hex = Some(hex::encode(error.into_bytes())),
        }
        if exchange.body.as_deref().is_some_and(|body| spread(keys, &exchange.provider, body)) {
            return Err(std::io::Error::other("the answer repeats a key in pieces, which cannot be taken out"));
        }
        exchange.path = keys.scrub(&exchange.path);
        exchange.request.iter_mut().for_each(|request| scrub::value(keys, request));
        exchange.headers.iter_mut().for_each(|(_, value)| *value = keys.scrub(value));
        let text = serde_json::to_vec_pretty(exchange)?;
        next(&self.directory)?.write_all(&text)
    }
}

impl Body for Taped {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>> {
        Box::pin(async {
            let piece = self.inner.next().await;
            match &piece {
                Ok(Some(bytes)) => self.bytes.extend_from_slice(bytes),
                Ok(None) => {}
                Err(_) => self.exchange.cut = true,
            }
            piece
        })
    }

    fn leave(mut self: Box<Self>) {
        std::mem::replace(&mut self.inner, Box::new(Gone)).leave();
    }
}

/// Whether an answer comes to a key although none of its events holds one: played back, it would be whole again.
fn spread(keys: &Keys, provider: &str, body: &str) -> bool {
    let Ok(provider) = Provider::shipped(provider) else { return false };
    let (heard, mut decoder) = (Heard::default(), Decoder::of_turn(provider.wire, 1));
    // Of what breaks off, what was shown counts.
    let calls = decoder.push(body.as_bytes(), &heard).and_then(|_| decoder.finish(&heard)).map(|reply| reply.calls);
    let holds = |text: &str| keys.scrub(text) != text;
    let text = heard.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    holds(&text) || calls.unwrap_or_default().iter().any(|call| holds(&call.id) || holds(&call.arguments))
}

/// The text of an answer.
#[derive(Default)]
struct Heard(Mutex<String>);

impl Deltas for Heard {
    fn text(&self, delta: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(delta);
    }

    fn notice(&self, _: &str) {}
}

/// The body that was left.
struct Gone;

impl Body for Gone {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>> {
        Box::pin(std::future::ready(Ok(None)))
    }
}

impl Drop for Taped {
    fn drop(&mut self) {
        if let Err(error) = self.write() {
            // Told with the next call: here nobody listens.
            let failed = unwritten(&self.directory, &error);
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(failed);
        }
    }
}

/// Gives what was kept.
struct Player {
    exchanges: Vec<Exchange>,
    given: Mutex<BTreeSet<usize>>,
}

impl Player {
    fn find(&self, outgoing: &Outgoing) -> Result<&Exchange, Failure> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = self.exchanges.iter().enumerate().filter(|(place, _)| !given.contains(place));
        let same = |it: &Exchange| it.path == outgoing.path && it.request == outgoing.body;
        let Some((first, expected)) = open.next() else {
            let message = format!("All {} exchanges of the cassette have been played.", self.exchanges.len());
            return Err(Failure::new(Kind::CassetteMissing, message));
        };
        let found = std::iter::once((first, expected)).chain(open).find(|(_, exchange)| same(exchange));
        let Some((place, exchange)) = found else {
            let null = Value::Null;
            let (recorded, asked) = (expected.request.as_ref(), outgoing.body.as_ref());
            let place = difference(recorded.unwrap_or(&null), asked.unwrap_or(&null), String::new());
            let place = place.map_or_else(|| format!("the path {}", outgoing.path), |it| format!("`{it}`"));
            let message =
                format!("Exchange {} of the cassette is for another request: they differ at {place}.", first + 1);
            return Err(Failure::new(Kind::CassetteMismatch, message));
        };
        given.insert(place);
        Ok(exchange)
    }
}

/// Where two values differ first, as a JSON pointer.
fn difference(left: &Value, right: &Value, at: String) -> Option<String> {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            keys.into_iter().find_map(|key| {
                let at = format!("{at}/{key}");
                match (left.get(key), right.get(key)) {
                    (Some(left), Some(right)) => difference(left, right, at),
                    _ => Some(at),
                }
            })
        }
        (Value::Array(left), Value::Array(right)) => {
            let inside = left.iter().zip(right).enumerate();
            let inside = inside.into_iter().find_map(|(place, (l, r))| difference(l, r, format!("{at}/{place}")));
            inside.or_else(|| (left.len() != right.len()).then(|| format!("{at}/{}", left.len().min(right.len()))))
        }
        _ => (left != right).then_some(at),
    }
}

impl Carrier for Player {
    fn send<'a>(&'a self, outgoing: &'a Outgoing) -> BoxFuture<'a, Result<Incoming, Failure>> {
        Box::pin(async move {
            let exchange = self.find(outgoing)?;
            let bytes = match (&exchange.body, &exchange.body_hex) {
                (Some(text), _) => text.clone().into_bytes(),
                (None, hex) => hex.as_ref().and_then(|hex| hex::decode(hex).ok()).unwrap_or_default(),
            };
            let body = Played { bytes: Some(bytes), cut: exchange.cut };
            Ok(Incoming { status: exchange.status, headers: exchange.headers.clone(), body: Box::new(body) })
        })
    }
}

struct Played {
    bytes: Option<Vec<u8>>,
    cut: bool,
}

impl Body for Played {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>> {
        let piece = match self.bytes.take() {
            Some(bytes) => Ok(Some(bytes)),
            None if self.cut => {
                Err(Failure::new(Kind::StreamCut, "The recorded connection broke off during the answer.").midway())
            }
            None => Ok(None),
        };
        Box::pin(std::future::ready(piece))
    }
}
