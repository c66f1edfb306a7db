//! Calls of a provider, compared with those that a plain client makes of the same one.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ta_bench::Outcome;
use ta_core::message::Message;
use ta_core::model::{Deltas, Model, ModelError, ModelRequest};
use ta_models::{Connection, HttpClients, Key, Keys, Prices};
use ta_runtime::models::{Asked, ModelPlaces};
use ta_runtime::observer::Silent;
use ta_runtime::person::Nobody;
use ta_runtime::{Ended, Host, HostConfig, RunRequest, run};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::binary::{Binary, REQUEST};
use crate::measure::median;
use crate::provider::Provider;
use crate::row::{Row, micros, millis};

/// Calls of each kind, in turns.
const CALLS: usize = 60;
/// Tokens of a long answer.
const TOKENS: usize = 2_000;
/// Calls and runs at once, and how often.
const AT_ONCE: usize = 100;
const ROUNDS: usize = 5;
/// Tokens of an answer when many are given at once.
const SHORT: usize = 200;
/// What a call may take beyond a plain client's.
const MORE_MAX: Duration = Duration::from_millis(1);

/// The rows about providers. Runs are those of the plugin `bench`.
///
/// # Errors
/// Where a call or a run fails.
pub(crate) fn rows(binary: &Binary<'_>, directory: &Path, cache: &Path) -> Outcome<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let provider = Provider::start()?;
    let (ours, plain) = (Ours::new(&provider)?, Plain::new(&provider)?);
    let mut rows = one_by_one(&runtime, &ours, &plain)?;
    let (row, call) = at_once(&runtime, &ours, &plain)?;
    rows.push(row);
    binary.plugins(cache)?;
    rows.extend(Runs::new(&provider, directory, cache)?.rows(&runtime, call)?);
    Ok(rows)
}

/// From the call to its first token and to its end.
#[derive(Debug, Clone, Copy)]
struct Took {
    first: Duration,
    whole: Duration,
}

/// The client of the host.
#[derive(Clone)]
struct Ours {
    long: Arc<Connection>,
    short: Arc<Connection>,
    one: Arc<Connection>,
}

impl Ours {
    fn new(provider: &Provider) -> Outcome<Self> {
        let key = Key::new("sk-bench").ok_or("no key")?;
        let (http_clients, shipped) =
            (HttpClients::default(), ta_models::Provider::shipped("anthropic").map_err(said)?);
        let (keys, prices) = (Keys::default().with("anthropic", key), Arc::new(Prices::shipped().map_err(said)?));
        let open = |tokens: usize| -> Outcome<Arc<Connection>> {
            let base = provider.base(tokens);
            Ok(Arc::new(
                Connection::open(&http_clients, shipped, "", Some(&base), &keys, Arc::clone(&prices)).map_err(said)?,
            ))
        };
        Ok(Self { long: open(TOKENS)?, short: open(SHORT)?, one: open(1)? })
    }

    async fn call(connection: &Connection, tokens: usize) -> Outcome<Took> {
        let request = ModelRequest {
            model: connection.model().to_owned(),
            system: "You plan lessons.".to_owned(),
            messages: vec![Message::user(REQUEST)].into(),
            max_output_tokens: Some(8_192),
            ..ModelRequest::default()
        };
        let watch = First { started: Instant::now(), first: OnceLock::new() };
        let answer = connection.stream(&request, &watch).await?;
        let whole = watch.started.elapsed();
        if answer.text.len() != tokens * "loops ".len() {
            return Err("the answer is not whole".into());
        }
        Ok(Took { first: watch.first.get().copied().ok_or("no token came")?, whole })
    }
}

fn said(failure: ta_models::failure::Failure) -> ModelError {
    failure.into()
}

/// Notes when the first token comes.
struct First {
    started: Instant,
    first: OnceLock<Duration>,
}

impl Deltas for First {
    fn text(&self, _: &str) {
        self.first.get_or_init(|| self.started.elapsed());
    }
    fn notice(&self, _: &str) {}
}

/// What anybody would write with the same HTTP library: it sends, splits events, reads their JSON, and joins the text.
#[derive(Clone)]
struct Plain {
    client: reqwest::Client,
    long: String,
    short: String,
    one: String,
}

impl Plain {
    fn new(provider: &Provider) -> Outcome<Self> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let url = |tokens: usize| format!("{}/v1/messages", provider.base(tokens));
        Ok(Self { client, long: url(TOKENS), short: url(SHORT), one: url(1) })
    }

    async fn call(&self, url: &str, tokens: usize) -> Outcome<Took> {
        let body = json!({
            "model": "claude-sonnet-4-6", "max_tokens": 8_192, "stream": true, "system": "You plan lessons.",
            "messages": [{ "role": "user", "content": REQUEST }],
        });
        let started = Instant::now();
        let request = self.client.post(url).header("content-type", "application/json").header("x-api-key", "sk-bench");
        let mut response = request.body(body.to_string()).send().await?;
        let (mut pending, mut text, mut first) = (Vec::new(), String::new(), None);
        while let Some(piece) = response.chunk().await? {
            pending.extend_from_slice(&piece);
            while let Some(end) = pending.windows(2).position(|pair| pair == b"\n\n") {
                let event: Vec<u8> = pending.drain(..end + 2).collect();
                let line = event.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(b"data: "));
                let event: Value = serde_json::from_slice(line.ok_or("an event without data")?)?;
                if let Some(token) = event.pointer("/delta/text").and_then(Value::as_str) {
                    first.get_or_insert_with(|| started.elapsed());
                    text.push_str(token);
                }
            }
        }
        let whole = started.elapsed();
        if text.len() != tokens * "loops ".len() {
            return Err("the answer is not whole".into());
        }
        Ok(Took { first: first.ok_or("no token came")?, whole })
    }
}

/// The rows about one call at a time.
fn one_by_one(runtime: &Runtime, ours: &Ours, plain: &Plain) -> Outcome<Vec<Row>> {
    let (mut our_one, mut their_one, mut our_long, mut their_long) = (vec![], vec![], vec![], vec![]);
    runtime.block_on(async {
        for round in 0..CALLS {
            // Who comes first after another's call finds the machine busier: that falls on each in turn.
            for turn in [round % 2, (round + 1) % 2] {
                if turn == 0 {
                    our_one.push(Ours::call(&ours.one, 1).await?);
                    our_long.push(Ours::call(&ours.long, TOKENS).await?);
                } else {
                    their_one.push(plain.call(&plain.one, 1).await?);
                    their_long.push(plain.call(&plain.long, TOKENS).await?);
                }
            }
        }
        Outcome::Ok(())
    })?;
    let whole = |all: &[Took]| median(&all.iter().map(|took| took.whole).collect::<Vec<_>>());
    let first = |all: &[Took]| median(&all.iter().map(|took| took.first).collect::<Vec<_>>());
    let per_token = |long: &[Took], one: &[Took]| -> Duration {
        let more = whole(long).saturating_sub(whole(one));
        more / u32::try_from(TOKENS - 1).unwrap_or(u32::MAX)
    };
    let (ours_long, plain_long) = (whole(&our_long), whole(&their_long));
    Ok(vec![
        Row::new("A streamed token")
            .measured(micros(per_token(&our_long, &our_one)))
            .ratio(format!("a plain client: {}", micros(per_token(&their_long, &their_one))))
            .target(format!("an answer of {TOKENS} tokens at most 1 ms over a plain client's"), within(ours_long, plain_long))
            .how(format!(
                "`Connection::stream` of an answer of {TOKENS} tokens, each in a packet of its own from a provider on this \
                 machine, less one of 1 token, by the token ({} whole; the plain client {}). Both parse every event. Median of \
                 {CALLS}, in turns.",
                millis(ours_long),
                millis(plain_long)
            )),
        compared("A call of a provider, one token", whole(&our_one), whole(&their_one)).how(format!(
            "The same with one token, from the call to the finished answer: encoded, sent over a kept connection, decoded, \
             priced. Median of {CALLS}."
        )),
        compared("To the first token", first(&our_long), first(&their_long))
            .how(format!("From the call to the first text shown, of the long answer. Median of {CALLS}.")),
    ])
}

/// A row of ours against a plain client's.
fn compared(what: &str, ours: Duration, plain: Duration) -> Row {
    Row::new(what)
        .measured(micros(ours))
        .ratio(format!("a plain client: {}", micros(plain)))
        .target("at most 1 ms over a plain client's", within(ours, plain))
}

fn within(ours: Duration, plain: Duration) -> bool {
    ours <= plain + MORE_MAX
}

/// The row about a hundred calls at once, and what the slowest of a plain client's take.
fn at_once(runtime: &Runtime, ours: &Ours, plain: &Plain) -> Outcome<(Row, Duration)> {
    let (mut our, mut their) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut calls = JoinSet::new();
        for _ in 0..AT_ONCE {
            let connection = Arc::clone(&ours.short);
            calls.spawn_on(async move { Ours::call(&connection, SHORT).await }, runtime.handle());
        }
        our.extend(runtime.block_on(all(calls))?);
        let mut calls = JoinSet::new();
        for _ in 0..AT_ONCE {
            let plain = plain.clone();
            calls.spawn_on(async move { plain.call(&plain.short, SHORT).await }, runtime.handle());
        }
        their.extend(runtime.block_on(all(calls))?);
    }
    let slow = |all: &[Took]| p99(&all.iter().map(|took| took.whole).collect::<Vec<_>>());
    let (ours, plain) = (slow(&our), slow(&their));
    let row = Row::new(format!("{AT_ONCE} calls at once: the slowest in a hundred"))
        .measured(millis(ours))
        .ratio(format!("a plain client: {}", millis(plain)))
        .target("at most 1 ms over a plain client's", within(ours, plain))
        .how(format!(
            "{AT_ONCE} answers of {SHORT} tokens at once over one client, {ROUNDS} times in turns; the 99th percentile of a \
             call, the provider's threads on the same cores."
        ));
    Ok((row, plain))
}

async fn all<T: 'static>(mut calls: JoinSet<Outcome<T>>) -> Outcome<Vec<T>> {
    let mut done = Vec::new();
    while let Some(call) = calls.join_next().await {
        done.push(call??);
    }
    Ok(done)
}

/// A hundred whole runs at once in one process: hooks, journal, model.
struct Runs {
    host: Arc<Host>,
    /// The model over HTTP, and the same answer out of a file.
    provider: Asked,
    script: Asked,
}

impl Runs {
    fn new(provider: &Provider, directory: &Path, cache: &Path) -> Outcome<Self> {
        let keys = directory.join("bench-keys.toml");
        fs::write(&keys, "[keys]\nanthropic = \"sk-bench\"\n")?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&keys, fs::Permissions::from_mode(0o600))?;
        }
        let script = directory.join("bench-answer.json");
        fs::write(&script, json!({ "answers": [{ "text": "loops ".repeat(SHORT) }] }).to_string())?;
        let host = Arc::new(Host::open(HostConfig {
            data_dir: directory.join("at-once"),
            compiler: ta_bench::compiler()?,
            cache_dir: Some(cache.to_path_buf()),
            plugins: Some(directory.join("plugins")),
            workspace: directory.join("workspace"),
            models: ModelPlaces { keys: Some(keys), ..ModelPlaces::default() },
            ..HostConfig::default()
        })?);
        let of = |name: &str| Asked { provider: Some(name.to_owned()), ..Asked::default() };
        let provider = Asked { base_url: Some(provider.base(SHORT)), ..of("anthropic") };
        Ok(Self { host, provider, script: Asked { script: Some(script), ..of("script") } })
    }

    /// The rows. `plain` is what the slowest of as many calls of a plain client take.
    fn rows(&self, runtime: &Runtime, plain: Duration) -> Outcome<Vec<Row>> {
        // One alone of each first, so that what is made once for the process is there.
        runtime.block_on(one_run(Arc::clone(&self.host), self.provider.clone()))?;
        runtime.block_on(one_run(Arc::clone(&self.host), self.script.clone()))?;
        let before = resident_kib();
        let (peak, over) = (Arc::new(AtomicU64::new(before)), Arc::new(AtomicBool::new(false)));
        let watching = {
            let (peak, over) = (Arc::clone(&peak), Arc::clone(&over));
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    peak.fetch_max(resident_kib(), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(2));
                }
            })
        };
        let (mut called, mut scripted) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            for (times, asked) in [(&mut called, &self.provider), (&mut scripted, &self.script)] {
                let mut runs = JoinSet::new();
                for _ in 0..AT_ONCE {
                    runs.spawn_on(one_run(Arc::clone(&self.host), asked.clone()), runtime.handle());
                }
                times.extend(runtime.block_on(all(runs))?);
            }
        }
        over.store(true, Ordering::Relaxed);
        watching.join().map_err(|_| "the watch broke off")?;
        let (slow, without) = (p99(&called), p99(&scripted));
        let each = peak.load(Ordering::Relaxed).saturating_sub(before) as f64 * 1024.0 / 1e6 / AT_ONCE as f64;
        Ok(vec![
            Row::new(format!("{AT_ONCE} runs at once: the slowest in a hundred"))
                .measured(millis(slow))
                .ratio(format!("the same runs without a provider: {}", millis(without)))
                .target(
                    format!("at most 1 ms more than the latter and a plain client's calls ({}) together", millis(plain)),
                    within(slow, without + plain),
                )
                .how(format!(
                    "{AT_ONCE} runs at once in one process, {ROUNDS} times: a prompt, one model call of {SHORT} tokens, two hooks \
                     in fresh instances, every event durable on disk; median {}. In turns with the same runs whose answer \
                     comes from a file: what is left is the calls, compared with the bare ones of the row before.",
                    millis(median(&called))
                )),
            Row::new(format!("Memory of each of {AT_ONCE} runs at once")).measured(format!("{each:.2} MB")).how(
                "Resident memory of the process at its highest less that before, by the run; the provider's threads count \
                 against us.",
            ),
        ])
    }
}

async fn one_run(host: Arc<Host>, asked: Asked) -> Outcome<Duration> {
    let (plugin, command) = ("bench".to_owned(), "turns".to_owned());
    let request = RunRequest { plugin, command, input: REQUEST.to_owned(), asked, ..RunRequest::default() };
    let started = Instant::now();
    let end = run::start(&host, &request, &Nobody, &Silent).await?;
    match end.ended {
        Ended::Finished(_) if end.output.is_some() => Ok(started.elapsed()),
        other => Err(format!("a run ended with {other:?}: {:?}", end.reason).into()),
    }
}

fn p99(samples: &[Duration]) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    sorted.get(sorted.len().saturating_mul(99) / 100).copied().unwrap_or_default()
}

fn resident_kib() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}
