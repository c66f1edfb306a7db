//! Calls of models: made, watched, and where one fails made again with the second provider. Models of several agents are
//! called side by side; what else there is to do meanwhile goes on beside them.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use sha2::{Digest, Sha256};
use ta_core::event::{CallPrice, Crowded, Event, ModelAnswered, ModelCalled, ModelFailed, ModelFellBack, ModelPartial};
use ta_core::machine::ModelCall;
use ta_core::message::Usage;
use ta_core::model::{BoxFuture, Model, ModelAnswer, ModelError, ModelRequest, Moment};
use ta_core::step;

use super::drive::{Driver, Ended, Step};
use super::partial::{Partial, Room, Watch};
use crate::error::RuntimeError;
use crate::observer::Starting;

/// What came of asking one model.
enum Came {
    Answer(Box<ModelAnswer>),
    Failure(ModelError),
    /// More would cost more than is left, or there is no time left.
    Over,
}

/// Who is asked.
struct Asking {
    model: Arc<dyn Model>,
    provider: String,
    name: String,
    price: Option<CallPrice>,
}

/// A call that is over.
struct Called {
    call: Arc<ModelCall>,
    asking: Asking,
    /// Why the first provider failed, where this was the second.
    first: Option<ModelError>,
    /// What broke off on the way.
    before: Vec<Event>,
    came: Came,
    /// When the first provider was asked.
    began: Instant,
}

/// The calls of a run that are under way.
#[derive(Default)]
pub(super) struct Calls<'a> {
    running: FuturesUnordered<BoxFuture<'a, Called>>,
    /// What has come of each, by its turn: there also when the calls are given up.
    came: BTreeMap<u32, Partial>,
    /// Over, and not in the journal yet.
    over: VecDeque<Called>,
    /// A provider could not answer: the run waits, once the other calls are over.
    failed: Option<ModelError>,
}

impl Calls<'_> {
    /// Lets the calls go on for as long as it is polled.
    async fn go_on(&mut self) -> Infallible {
        while let Some(called) = self.running.next().await {
            self.over.push_back(called);
        }
        std::future::pending().await
    }

    async fn next(&mut self) -> Option<Called> {
        match self.over.pop_front() {
            None => self.running.next().await,
            over => over,
        }
    }

    /// Everything is given up: the answers that are there, and what had come of the others, as events.
    pub(super) fn given_up(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        for called in std::mem::take(&mut self.over) {
            self.came.remove(&called.call.turn);
            events.extend(called.before.iter().cloned());
            events.extend(called.answered());
        }
        self.running.clear();
        events.extend(std::mem::take(&mut self.came).into_values().flat_map(|came| came.events()));
        events
    }
}

impl Called {
    /// The event of its answer, where there is one. An answer of the second provider says whose it is.
    fn answered(&self) -> Option<Event> {
        let Came::Answer(answer) = &self.came else { return None };
        let mut answer = ModelAnswer::clone(answer);
        if self.first.is_some() {
            answer.answered_by = Some(self.asking.full_name());
        }
        let elapsed_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Some(Event::ModelAnswered(Box::new(ModelAnswered { turn: self.call.turn, answer, elapsed_ms })))
    }
}

impl<'a> Driver<'a> {
    /// Does one thing while models are asked; and where nothing is to be done but to ask them, waits for the first answer.
    pub(super) async fn step(&mut self, calls: &mut Calls<'a>) -> Result<Step, RuntimeError> {
        if let Some(called) = calls.over.pop_front() {
            return self.called(called, calls).await;
        }
        if calls.failed.is_some() {
            return match calls.next().await {
                Some(called) => self.called(called, calls).await,
                None => Ok(parks(calls)),
            };
        }
        let wanted = self.machine.model_calls().to_vec();
        if wanted.is_empty() {
            return tokio::select! {
                step = self.act() => step,
                never = calls.go_on() => match never {},
            };
        }
        for call in wanted.into_iter().filter(|call| !calls.came.contains_key(&call.turn)).collect::<Vec<_>>() {
            if let Some(lost) = self.machine.lost_call(&call) {
                return self.on(Event::ModelPartial(lost)).await;
            }
            self.begin_call(call, calls).await?;
        }
        match calls.next().await {
            Some(called) => self.called(called, calls).await,
            None => Ok(Step::On),
        }
    }

    async fn begin_call(&mut self, call: Arc<ModelCall>, calls: &mut Calls<'a>) -> Result<(), RuntimeError> {
        let start = self.machine.start();
        let (provider, model) = (start.provider.clone(), start.model.clone());
        let asking = Asking {
            model: Arc::clone(&self.model),
            provider: provider.clone(),
            name: model.clone(),
            price: start.price,
        };
        let called = ModelCalled {
            turn: call.turn,
            provider,
            model,
            messages: call.messages.len(),
            request_sha256: Some(call.request_sha256()),
            crowded: call.crowded,
        };
        if let Some(Crowded { tokens, window }) = call.crowded {
            self.observer.notice(&format!(
                "about {tokens} of the {window} tokens of the model's window are used, and no older message can make room: \
                 a larger window or shorter files would help"
            ));
        }
        self.append(Event::ModelCalled(called)).await?;
        let (began, down) = (Instant::now(), self.circuits.down(&asking.full_name()));
        if let (Some(error), Some(second)) = (down, self.second()) {
            let fell_back = fell_back(call.turn, &asking, &second, &error);
            self.append(fell_back).await?;
            self.ask_model(call, second, (Some(error), began), calls);
            return Ok(());
        }
        self.ask_model(call, asking, (None, began), calls);
        Ok(())
    }

    /// What comes of a call that is over.
    async fn called(&mut self, called: Called, calls: &mut Calls<'a>) -> Result<Step, RuntimeError> {
        calls.came.remove(&called.call.turn);
        match (&called.came, called.answered()) {
            (Came::Failure(error), _) => {
                let error = error.clone();
                return self.failed(called, error, calls).await;
            }
            (_, Some(answered)) => {
                self.circuits.answered(&called.asking.full_name());
                self.append(step::Step::from(answered).after(called.before)).await?;
            }
            (_, None) => {
                for broke_off in called.before {
                    self.append(broke_off).await?;
                }
            }
        }
        Ok(Step::On)
    }

    /// A provider could not answer: the second takes over, where there is one, or the run waits once the other calls are over.
    async fn failed(&mut self, called: Called, error: ModelError, calls: &mut Calls<'a>) -> Result<Step, RuntimeError> {
        let Called { call, asking, first, before, began, .. } = called;
        let turn = call.turn;
        if let (None, Some(second)) = (&first, self.second()) {
            self.circuits.failed(&asking.full_name(), &error);
            let by = second.full_name();
            self.observer.notice(&format!("{}; {by} takes over", error.message.trim_end_matches('.')));
            let fell_back = fell_back(turn, &asking, &second, &error);
            self.append(step::Step::from(fell_back).after(before)).await?;
            // What broke off is paid for: a second call may not fit any more.
            if let Some(call) = self.machine.model_call(turn).cloned() {
                self.ask_model(call, second, (Some(error), began), calls);
            }
            return Ok(Step::On);
        }
        let error = first.map_or_else(|| error.clone(), |first| both_failed(&first, &error, &asking));
        let failed = Event::ModelFailed(ModelFailed { turn, error: error.clone() });
        self.append(step::Step::from(failed).after(before)).await?;
        calls.failed.get_or_insert(error);
        Ok(if calls.came.is_empty() { parks(calls) } else { Step::On })
    }

    /// What a component that answers is told of time and chance: the same whenever this very call is made.
    fn moment(&self, call: &ModelCall) -> Moment {
        let seed = Sha256::digest(format!("{}\0{}\0model", self.machine.ledger().run, call.stamp.seq)).into();
        Moment { at_ms: call.stamp.at_ms, seed }
    }

    fn second(&self) -> Option<Asking> {
        let kept = self.machine.start().fallback.clone()?;
        let model = Arc::clone(self.second.as_ref()?);
        Some(Asking { model, provider: kept.provider, name: kept.model, price: kept.price })
    }

    /// Asks one model.
    fn ask_model(
        &self,
        call: Arc<ModelCall>,
        asking: Asking,
        (first, began): (Option<ModelError>, Instant),
        calls: &mut Calls<'a>,
    ) {
        self.observer.starting(&Starting::Model(asking.provider.clone(), asking.name.clone(), call.turn));
        let request = ModelRequest {
            model: asking.name.clone(),
            system: call.framing.system().to_owned(),
            messages: call.messages.clone(),
            tools: call.framing.tools().to_vec(),
            output_schema: call.framing.output_schema().cloned(),
            max_output_tokens: call.max_output_tokens,
            moment: self.moment(&call),
        };
        let partial = Partial::default();
        partial.begin(call.turn, ta_models::tokens_of(&request), asking.price);
        calls.came.insert(call.turn, partial.clone());
        let room = Room { spare_usd: self.machine.spare_usd(&call), left_usd: self.machine.left_usd(&call) };
        let (left_ms, observer, streams) = (self.machine.left_ms(), self.observer, self.machine.flow().is_none());
        calls.running.push(Box::pin(async move {
            let watch = Watch::new(&partial, observer, room).streaming(streams);
            let (before, came) = asked(&asking, &request, call.turn, (&partial, &watch), left_ms).await;
            Called { call, asking, first, before, came, began }
        }));
    }
}

/// Another model takes over.
fn fell_back(turn: u32, asking: &Asking, second: &Asking, error: &ModelError) -> Event {
    let (failed, by) = (asking.full_name(), second.full_name());
    Event::ModelFellBack(ModelFellBack { turn, failed, by, error: error.clone() })
}

/// The run waits for its provider.
fn parks(calls: &mut Calls<'_>) -> Step {
    match calls.failed.take() {
        Some(error) => Step::Park(Ended::Provider(error), "provider"),
        None => Step::On,
    }
}

/// What comes of a request. With it go the events of what broke off.
async fn asked(
    asking: &Asking,
    request: &ModelRequest,
    turn: u32,
    (partial, watch): (&Partial, &Watch<'_>),
    left_ms: Option<u64>,
) -> (Vec<Event>, Came) {
    let answered = tokio::select! {
        answered = asking.model.stream(request, watch) => Some(answered),
        () = watch.too_dear() => None,
        () = at_the_end_of(left_ms) => None,
    };
    if matches!(answered, Some(Ok(_))) {
        partial.complete();
    }
    let mut events = partial.events();
    let came = match answered {
        Some(Ok(answer)) => Came::Answer(Box::new(answer)),
        Some(Err(error)) => Came::Failure(error),
        None => {
            // The machine is told in any case that the call is over: it decides what follows.
            if events.is_empty() {
                let (text, usage) = (String::new(), Usage::default());
                events.push(Event::ModelPartial(ModelPartial { turn, text, usage, cost_usd: 0.0 }));
            }
            Came::Over
        }
    };
    (events, came)
}

/// Answers when so many milliseconds are over; without a limit, never.
async fn at_the_end_of(milliseconds: Option<u64>) {
    match milliseconds {
        Some(milliseconds) => tokio::time::sleep(Duration::from_millis(milliseconds)).await,
        None => std::future::pending().await,
    }
}

impl Asking {
    fn full_name(&self) -> String {
        format!("{}/{}", self.provider, self.name)
    }
}

/// Where both fail, what is wrong with the one that was asked for is what can be mended; the other is mentioned.
fn both_failed(first: &ModelError, error: &ModelError, second: &Asking) -> ModelError {
    let said = first.message.trim_end_matches('.');
    let message = format!("{said}; {} took over and failed, too: {}", second.full_name(), error.message);
    ModelError { message, ..first.clone() }
}
