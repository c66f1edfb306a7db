//! The model that guests may ask: chosen once for a run, each answer in the journal before the guest is told it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use ta_core::capability::Capability;
use ta_core::event::{Event, GuestModel, ModelPartial, RequestAnswer, RequestAnswered};
use ta_core::machine::{ModelAsk, MostOf};
use ta_core::message::{Message, Usage};
use ta_core::model::{Model, ModelAnswer, ModelError, ModelRequest};
use ta_core::request::{ModelReply, NoAnswer};
use ta_core::step;

use super::drive::{Driver, Step};
use super::partial::{Partial, Room, Watch};
use crate::components::Components;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::models::{self, Chosen};
use crate::observer::{Observer, Silent};
use crate::plugin::Plugin;
use crate::provided::Brought;

/// Questions of all guests in one run.
const CALLS_MAX: u32 = 32;
/// Tokens of all guests in one run, sent and received.
const TOKENS_MAX: u64 = 100_000;
/// US dollars of all guests in one run.
const USD_MAX: f64 = 0.05;
/// How long one answer may take, its second tries included.
const WAIT: Duration = Duration::from_secs(25);
/// Bytes of an answer that a guest is told; more than the tokens that it may ask for come to.
const ANSWER_BYTES_MAX: usize = 16 * 1024;

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
    let providers = models::providers(host)?;
    if !asked_for || !chosen.remote(&providers) || host.config.models.record.is_some() {
        return Ok(None);
    }
    let named = host.grants()?.guest_model.or_else(|| plugin.manifest.guest_model.clone());
    let mut of_guests = chosen.cheap(&providers, named.as_deref())?;
    match of_guests.open(host, 0, &Brought::nothing()) {
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
    Chosen { provider, model, base_url, notice: None }
        .open(host, 0, &Brought::nothing())
        .ok()
        .map(|opened| opened.model)
}

impl Driver<'_> {
    /// Asks a model for a guest, and journals what the guest is told with what it cost.
    pub(super) async fn ask_for_guest(&mut self, ask: ModelAsk) -> Result<Step, RuntimeError> {
        let started = Instant::now();
        let (answered, cut) = self.answer_of_model(&ask).await;
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (reply, usage, cost_usd, code) = guest_answer(answered, ask.most, &cut);
        let json = serde_json::to_vec(&reply).unwrap_or_default();
        let ModelAsk { id, by, hash, .. } = ask;
        let answer = RequestAnswer::Model { usage, cost_usd, elapsed_ms, code };
        let sha256 = hex::encode(Sha256::digest(&json));
        let answered = RequestAnswered { id, by, hash, sha256, answer };
        self.on(step::Step::from(Event::RequestAnswered(Box::new(answered))).with_blobs([json])).await
    }

    /// What a model says within the time that it has, and what was cut on the way.
    async fn answer_of_model(&self, ask: &ModelAsk) -> (Answered, Vec<ModelPartial>) {
        let of_guests = self.machine.start().guest_model.as_ref();
        let (Some(model), Some(of_guests)) = (self.guest_model.clone(), of_guests) else {
            return (Answered::Nobody, Vec::new());
        };
        let request = ModelRequest {
            model: of_guests.model.clone(),
            system: ask.question.system.clone(),
            messages: vec![Message::user(ask.question.prompt.clone())].into(),
            max_output_tokens: Some(ask.question.max_tokens),
            ..ModelRequest::default()
        };
        let partial = Partial::default();
        partial.begin(0, ta_models::tokens_of(&request), of_guests.price);
        let watch = Watch::new(&partial, &Silent, Room::default());
        let answered = match tokio::time::timeout(WAIT, model.stream(&request, &watch)).await {
            Ok(Ok(answer)) => {
                partial.complete();
                Answered::Answer(answer)
            }
            Ok(Err(error)) => Answered::Error(error),
            Err(_) => Answered::Late,
        };
        (answered, partial.take())
    }
}

/// How a model answered.
enum Answered {
    Answer(ModelAnswer),
    Error(ModelError),
    Late,
    /// The model that the run began with can no longer be asked.
    Nobody,
}

type GuestAnswer = (ModelReply, Usage, f64, Option<String>);

/// What the guest is told, and what it cost, tries that were cut and all. A call that is given up is taken as paid at the
/// most.
fn guest_answer(answered: Answered, most: MostOf, cut: &[ModelPartial]) -> GuestAnswer {
    let lost = cut.iter().fold(Usage::default(), |sum, it| sum.plus(it.usage));
    let lost_usd: f64 = cut.iter().map(|it| it.cost_usd).sum();
    let unavailable = |why: String| Err(NoAnswer::Unavailable(why));
    match answered {
        Answered::Answer(answer) => {
            (Ok(bounded(answer.text)), lost.plus(answer.usage), lost_usd + answer.cost_usd, None)
        }
        Answered::Error(error) => {
            let why = format!("the model does not answer: {} [{}]", error.message, error.code);
            (unavailable(why), lost, lost_usd, Some(error.code))
        }
        Answered::Late => {
            let why = format!("the model did not answer within {} s", WAIT.as_secs());
            let most_used = Usage { input_tokens: most.tokens, estimated: true, ..Usage::default() };
            let usage = if lost.input_tokens > most.tokens { lost } else { most_used };
            (unavailable(why), usage, lost_usd.max(most.usd), Some("model.timeout".to_owned()))
        }
        Answered::Nobody => {
            let why = "nobody can be asked in this run".to_owned();
            (unavailable(why), Usage::default(), 0.0, Some("model.unavailable".to_owned()))
        }
    }
}

/// No more than a guest may be told.
fn bounded(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(ANSWER_BYTES_MAX));
    text
}
