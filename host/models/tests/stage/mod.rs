//! A carrier that acts a part, and a clock that nobody waits for.
#![allow(dead_code, unreachable_pub, reason = "each test uses what it needs of the stage")]

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use ta_core::message::Message;
use ta_core::model::{BoxFuture, Deltas, ModelRequest};
use ta_models::failure::{Failure, Kind};
use ta_models::transport::{Body, Carrier, Clock, Incoming, Outgoing};
use ta_models::{Connection, Key, Keys, Prices, Provider, Timing};

/// A key that must not turn up anywhere.
pub const CANARY: &str = "sk-canary-4f1d";

/// What happens to one request.
#[derive(Clone)]
pub enum Act {
    /// An answer with a status, headers and what its body does.
    Answer(u16, Vec<(&'static str, &'static str)>, Vec<Piece>),
    /// No answer, but this failure.
    Fail(Kind),
    /// No answer ever.
    Silence,
}

/// What a body does next. At its end the body is over.
#[derive(Clone)]
pub enum Piece {
    /// These bytes come.
    Bytes(String),
    /// These come, whether they are text or not.
    Raw(Vec<u8>),
    /// The connection breaks off.
    Cut,
    /// Nothing comes any more.
    Hang,
    /// These bytes come, again and again.
    Forever(&'static str),
}

/// Acts what it was given, request by request.
#[derive(Default)]
pub struct Stage {
    acts: Mutex<VecDeque<Act>>,
    /// What was sent.
    pub sent: Mutex<Vec<Outgoing>>,
}

impl Stage {
    pub fn new(acts: impl IntoIterator<Item = Act>) -> Arc<Self> {
        Arc::new(Self { acts: Mutex::new(acts.into_iter().collect()), sent: Mutex::default() })
    }

    pub fn requests(&self) -> usize {
        self.sent.lock().unwrap().len()
    }
}

impl Carrier for Stage {
    fn send<'a>(&'a self, outgoing: &'a Outgoing) -> BoxFuture<'a, Result<Incoming, Failure>> {
        self.sent.lock().unwrap().push(outgoing.clone());
        let act = self.acts.lock().unwrap().pop_front().expect("one request more than there are acts");
        Box::pin(async move {
            match act {
                Act::Answer(status, headers, pieces) => {
                    let headers =
                        headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                    Ok(Incoming { status, headers, body: Box::new(Acted(pieces.into())) })
                }
                Act::Fail(kind) => Err(Failure::new(kind, "It failed.")),
                Act::Silence => std::future::pending().await,
            }
        })
    }
}

struct Acted(VecDeque<Piece>);

impl Body for Acted {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>> {
        Box::pin(async {
            match self.0.pop_front() {
                Some(Piece::Bytes(text)) => Ok(Some(text.into_bytes())),
                Some(Piece::Raw(bytes)) => Ok(Some(bytes)),
                Some(Piece::Cut) => Err(Failure::new(Kind::StreamCut, "The connection broke off.").midway()),
                Some(Piece::Hang) => {
                    self.0.push_front(Piece::Hang);
                    std::future::pending().await
                }
                Some(Piece::Forever(text)) => {
                    self.0.push_front(Piece::Forever(text));
                    Ok(Some(text.as_bytes().to_vec()))
                }
                None => Ok(None),
            }
        })
    }
}

/// Remembers what was waited for. Every time is over after it was looked at a few times, and goes on with each look.
pub struct Hasty(pub Mutex<Vec<Duration>>, Arc<Mutex<Instant>>);

impl Default for Hasty {
    fn default() -> Self {
        Self(Mutex::default(), Arc::new(Mutex::new(Instant::now())))
    }
}

/// How often a time is looked at until it is over.
const LOOKS: u32 = 40;

struct Soon {
    looks: u32,
    each: Duration,
    now: Arc<Mutex<Instant>>,
}

impl Future for Soon {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.looks == LOOKS {
            return Poll::Ready(());
        }
        self.looks += 1;
        *self.now.lock().unwrap() += self.each;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Clock for Hasty {
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        self.0.lock().unwrap().push(time);
        Box::pin(Soon { looks: 0, each: time / LOOKS, now: Arc::clone(&self.1) })
    }

    fn now(&self) -> Instant {
        *self.1.lock().unwrap()
    }
}

impl Hasty {
    /// The pauses between tries: the timers of [`timing`] are longer.
    pub fn pauses(&self) -> Vec<f64> {
        let waited = self.0.lock().unwrap();
        waited.iter().map(Duration::as_secs_f64).filter(|seconds| *seconds < 100.0).collect()
    }
}

/// As long as a complete answer is waited with.
pub const FAREWELL: Duration = Duration::from_secs(500);

/// Timers that can be told from pauses, and no chance.
pub fn timing() -> Timing {
    Timing {
        connect: Duration::from_secs(1_000),
        first_byte: Duration::from_secs(2_000),
        stalled: Duration::from_secs(3_000),
        farewell: FAREWELL,
        jitter: 0.0,
        ..Timing::default()
    }
}

/// What was shown: `+` a text, `!` a notice, `<` that all before is void.
#[derive(Default)]
pub struct Shown(pub Mutex<Vec<String>>);

impl Deltas for Shown {
    fn text(&self, delta: &str) {
        self.0.lock().unwrap().push(format!("+{delta}"));
    }

    fn notice(&self, text: &str) {
        self.0.lock().unwrap().push(format!("!{text}"));
    }

    fn restarted(&self) {
        self.0.lock().unwrap().push("<".to_owned());
    }
}

pub fn keys(provider: &str) -> Keys {
    Keys::default().with(provider, Key::new(CANARY).unwrap())
}

pub fn prices() -> Arc<Prices> {
    Arc::new(Prices::shipped().unwrap())
}

pub fn request() -> ModelRequest {
    ModelRequest {
        model: "m".into(),
        messages: vec![Message::user("Plan a lesson.")].into(),
        ..ModelRequest::default()
    }
}

/// A model of `openai-chat` on the stage.
pub fn connection(stage: &Arc<Stage>, clock: &Arc<Hasty>) -> Connection {
    connection_of("openai-chat", "gpt-4o-mini", stage, clock)
}

/// A model of any provider on the stage.
pub fn connection_of(provider: &str, model: &str, stage: &Arc<Stage>, clock: &Arc<Hasty>) -> Connection {
    let provider = Provider::shipped(provider).unwrap();
    let carrier: Arc<dyn Carrier> = Arc::clone(stage) as Arc<dyn Carrier>;
    let connection = Connection::over(provider, model, None, &keys(provider.account), prices(), carrier).unwrap();
    connection.timed(timing(), Arc::clone(clock) as Arc<dyn Clock>)
}

/// An event of a chat with a piece of text.
pub fn said(text: &str) -> Piece {
    Piece::Bytes(format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n"))
}

/// The end of a chat.
pub fn end() -> Piece {
    let usage = "{\"prompt_tokens\":1000000,\"completion_tokens\":1000000,\"prompt_tokens_details\":{\"cached_tokens\":500000}}";
    Piece::Bytes(format!(
        "data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"stop\"}}],\"usage\":{usage}}}\n\ndata: [DONE]\n\n"
    ))
}

pub fn good() -> Act {
    Act::Answer(200, vec![], vec![said("Loops "), said("repeat."), end()])
}
