//! The model that guests may ask: chosen once for a run, each answer in the journal before the guest is told it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use sha2::{Digest as _, Sha256};
use ta_core::capability::Capability;
use ta_core::event::{CallPrice, Event, GuestModel, GuestModelAnswered, GuestModelCalled, Input, ModelPartial};
use ta_core::machine::{MostOf, Stamp};
use ta_core::message::{Message, Usage};
use ta_core::model::{BoxFuture, Model, ModelAnswer, ModelError, ModelRequest};
use ta_sandbox::{GuestModel as Answers, ModelQuestion, NoAnswer, SoFar};
use tokio::sync::{mpsc, oneshot};

use super::drive::Driver;
use super::partial::{Partial, Room, Watch};
use crate::components::Components;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::models::Chosen;
use crate::observer::{Observer, Silent};
use crate::plugin::Plugin;

/// Questions of all guests in one run.
const CALLS_MAX: u32 = 32;
/// Tokens of all guests in one run, sent and received.
const TOKENS_MAX: u64 = 100_000;
/// US dollars of all guests in one run.
const USD_MAX: f64 = 0.05;
/// How long one answer may take, its second tries included. Less than the sandbox waits, so that it is the journal that knows.
const WAIT: Duration = Duration::from_secs(25);
/// Words between guests and the run that are under way: more guests than this are never at work at once.
const WORDS_MAX: usize = 64;

/// Chooses the model that guests of a run may ask: the operator's, the plugin's, or the cheap one of the run's provider.
/// None where no guest was granted it, and where the run uses no network or is recorded: it stays the same when it is played.
///
/// # Errors
/// `guest_model.invalid` for a provider that there is not.
pub(super) fn choose(
    host: &Host,
    plugin: &Plugin,
    chosen: &Chosen,
    components: &Components,
    observer: &dyn Observer,
) -> Result<Option<GuestModel>, RuntimeError> {
    let asked_for = components.guests.values().any(|guest| guest.rights.has(Capability::Model));
    if !asked_for || !chosen.remote() || host.config.models.record.is_some() {
        return Ok(None);
    }
    let named = host.grants()?.guest_model.or_else(|| plugin.manifest.guest_model.clone());
    let mut of_guests = chosen.cheap(named.as_deref())?;
    match of_guests.open(host, 0) {
        Ok(opened) => {
            let (max_calls, max_tokens, max_usd) = (CALLS_MAX, TOKENS_MAX, USD_MAX);
            let (provider, model) = (of_guests.provider, of_guests.model);
            let (base_url, price) = (of_guests.base_url.take(), opened.price);
            Ok(Some(GuestModel { provider, model, base_url, price, max_calls, max_tokens, max_usd }))
        }
        Err(error) => {
            observer.notice(&format!("no guest can ask a model in this run: {}", error.message));
            Ok(None)
        }
    }
}

/// Opens the model that a run began with. Where that is no longer possible, or the run is recorded, guests are told that
/// nobody can be asked.
pub(super) fn open(host: &Host, model: Option<&GuestModel>) -> Option<Arc<dyn Model>> {
    let it = model.filter(|_| host.config.models.record.is_none())?;
    let (provider, model, base_url) = (it.provider.clone(), it.model.clone(), it.base_url.clone());
    Chosen { provider, model, base_url, notice: None }.open(host, 0).ok().map(|opened| opened.model)
}

/// What a guest's call says to the run that it belongs to, and where the run's word goes.
pub(super) enum Word {
    /// It is about to ask a model.
    Asks(Box<(ModelQuestion, SoFar)>, Stamp, String, oneshot::Sender<Result<MostOf, NoAnswer>>),
    /// A model has answered it.
    Answered(GuestModelAnswered, Vec<u8>, oneshot::Sender<()>),
}

/// One call's way to the model.
struct Line {
    model: Arc<dyn Model>,
    name: String,
    price: Option<CallPrice>,
    by: String,
    stamp: Stamp,
    to: mpsc::Sender<Word>,
}

impl Answers for Line {
    fn ask(&self, question: ModelQuestion, so_far: SoFar) -> BoxFuture<'_, Result<String, NoAnswer>> {
        Box::pin(async move {
            let over = || NoAnswer::Unavailable("the run is being stopped".to_owned());
            let (go, may) = oneshot::channel();
            let asks = Word::Asks(Box::new((question.clone(), so_far)), self.stamp, self.by.clone(), go);
            self.to.send(asks).await.map_err(|_| over())?;
            let most = may.await.map_err(|_| over())??;
            let import = question.import();
            let request = ModelRequest {
                model: self.name.clone(),
                system: question.system,
                messages: vec![Message::user(question.prompt)].into(),
                max_output_tokens: Some(question.max_tokens),
                ..ModelRequest::default()
            };
            let started = Instant::now();
            let partial = Partial::default();
            partial.begin(0, ta_models::tokens_of(&request), self.price);
            let watch = Watch::new(&partial, &Silent, Room::default());
            let answered = tokio::time::timeout(WAIT, self.model.stream(&request, &watch)).await;
            if matches!(answered, Ok(Ok(_))) {
                partial.complete();
            }
            let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            let (answer, usage, cost_usd, code) = guest_answer(answered.ok(), most, &partial.take());
            let json = serde_json::to_vec(&answer).unwrap_or_default();
            let sha256 = hex::encode(Sha256::digest(&json));
            let (by, call) = (self.by.clone(), self.stamp.seq);
            let event = GuestModelAnswered { by, call, import, sha256, usage, cost_usd, elapsed_ms, code };
            let (kept, durable) = oneshot::channel();
            self.to.send(Word::Answered(event, json, kept)).await.map_err(|_| over())?;
            durable.await.map_err(|_| over())?;
            answer
        })
    }
}

type GuestAnswer = (Result<String, NoAnswer>, Usage, f64, Option<String>);

/// What the guest is told, and what it cost, tries that were cut and all. A call that is given up is taken as paid at the
/// most.
fn guest_answer(answered: Option<Result<ModelAnswer, ModelError>>, most: MostOf, cut: &[ModelPartial]) -> GuestAnswer {
    let lost = cut.iter().fold(Usage::default(), |sum, it| sum.plus(it.usage));
    let lost_usd: f64 = cut.iter().map(|it| it.cost_usd).sum();
    match answered {
        Some(Ok(answer)) => (Ok(answer.text), lost.plus(answer.usage), lost_usd + answer.cost_usd, None),
        Some(Err(error)) => {
            let why = NoAnswer::Unavailable(format!("the model does not answer: {} [{}]", error.message, error.code));
            (Err(why), lost, lost_usd, Some(error.code))
        }
        None => {
            let why = format!("the model did not answer within {} s", WAIT.as_secs());
            let most_used = Usage { input_tokens: most.tokens, estimated: true, ..Usage::default() };
            let usage = if lost.input_tokens > most.tokens { lost } else { most_used };
            (Err(NoAnswer::Unavailable(why)), usage, lost_usd.max(most.usd), Some("model.timeout".to_owned()))
        }
    }
}

/// The run's end of its guests' lines.
pub(super) struct Lines {
    to: mpsc::Sender<Word>,
    from: mpsc::Receiver<Word>,
}

impl Lines {
    pub(super) fn new() -> Self {
        let (to, from) = mpsc::channel(WORDS_MAX);
        Self { to, from }
    }
}

impl Driver<'_> {
    /// A call's way to the model, where it was granted one and there is one.
    pub(super) fn line(
        &self,
        guest: &ta_sandbox::Guest,
        lines: &Lines,
        (by, stamp): (&str, Stamp),
    ) -> Option<Arc<dyn Answers>> {
        let model = self.guest_model.clone().filter(|_| guest.rights.has(Capability::Model))?;
        let of_guests = self.machine.start().guest_model.as_ref()?;
        let (name, price) = (of_guests.model.clone(), of_guests.price);
        Some(Arc::new(Line { model, name, price, by: by.to_owned(), stamp, to: lines.to.clone() }))
    }

    /// What a call was told up to its last answered request before the host was stopped in it.
    pub(super) fn inputs_of(&self, by: &str, stamp: Stamp) -> &[Input] {
        self.machine.guest_inputs(stamp.seq, by)
    }

    /// Waits for one of these calls, and meanwhile puts into the journal what they ask a model and are answered.
    pub(super) async fn beside<T>(
        &mut self,
        calls: &mut (impl futures::Stream<Item = T> + Unpin),
        lines: &mut Lines,
    ) -> Result<Option<T>, RuntimeError> {
        loop {
            tokio::select! {
                biased;
                Some(word) = lines.from.recv() => self.word(word).await?,
                done = calls.next() => return Ok(done),
            }
        }
    }

    async fn word(&mut self, word: Word) -> Result<(), RuntimeError> {
        match word {
            Word::Asks(asks, stamp, by, go) => {
                let (question, SoFar { inputs, blobs }) = *asks;
                let most = self.machine.guest_may_ask(&question.system, &question.prompt, question.max_tokens);
                if let (Ok(most), Some(model)) = (&most, &self.machine.start().guest_model) {
                    let called = GuestModelCalled {
                        by,
                        call: stamp.seq,
                        import: question.import(),
                        inputs,
                        provider: model.provider.clone(),
                        model: model.model.clone(),
                        max_tokens: most.tokens,
                        max_usd: most.usd,
                    };
                    self.append(vec![Event::GuestModelCalled(called)], blobs).await?;
                }
                // A call that has ended meanwhile no longer waits for the word.
                let _gone = go.send(most.map_err(NoAnswer::OverBudget));
            }
            Word::Answered(event, answer, kept) => {
                self.append(vec![Event::GuestModelAnswered(event)], vec![answer]).await?;
                let _gone = kept.send(());
            }
        }
        Ok(())
    }
}
