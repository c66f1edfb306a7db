//! A call of the model: made, watched, and where it fails made again with the second provider.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use ta_core::event::{CallPrice, Crowded, Event, ModelAnswered, ModelCalled, ModelFailed, ModelFellBack, ModelPartial};
use ta_core::machine::{Action, ModelCall};
use ta_core::message::Usage;
use ta_core::model::{Model, ModelAnswer, ModelError, ModelRequest, Moment};
use ta_core::step;

use super::drive::{Driver, Ended, Step};
use super::partial::{Room, Watch};
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

impl Driver<'_> {
    pub(super) async fn call_model(&mut self, call: Arc<ModelCall>) -> Result<Step, RuntimeError> {
        if let Some(lost) = self.machine.lost_call(&call) {
            return self.on(Event::ModelPartial(lost)).await;
        }
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
        let started = Instant::now();
        let (mut before, mut came) = self.ask_model(&asking, &call).await;
        if let (Came::Failure(error), Some(second)) = (&came, self.second()) {
            let (failed, by) = (format!("{}/{}", asking.provider, asking.name), second.full_name());
            self.observer.notice(&format!("{}; {by} takes over", error.message.trim_end_matches('.')));
            let fell_back = Event::ModelFellBack(ModelFellBack { turn: call.turn, failed, by, error: error.clone() });
            self.append(step::Step::from(fell_back).after(before)).await?;
            // What broke off is paid for: a second call may not fit any more.
            if !matches!(self.machine.pending(), Action::CallModel(_)) {
                return Ok(Step::On);
            }
            let first = error.clone();
            (before, came) = self.ask_model(&second, &call).await;
            came = taken_over(came, &first, &second);
        }
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let next = match came {
            Came::Answer(answer) => {
                let answered = ModelAnswered { turn: call.turn, answer: *answer, elapsed_ms };
                self.append(step::Step::from(Event::ModelAnswered(Box::new(answered))).after(before)).await?;
                Step::On
            }
            Came::Failure(error) => {
                let failed = Event::ModelFailed(ModelFailed { turn: call.turn, error: error.clone() });
                self.append(step::Step::from(failed).after(before)).await?;
                Step::Park(Ended::Provider(error), "provider")
            }
            Came::Over => {
                for broke_off in before {
                    self.append(broke_off).await?;
                }
                Step::On
            }
        };
        Ok(next)
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

    /// Asks one model. With what came go the events of what broke off.
    async fn ask_model(&self, asking: &Asking, call: &ModelCall) -> (Vec<Event>, Came) {
        self.observer.starting(&Starting::Model(asking.provider.clone(), asking.name.clone(), call.turn));
        let request = ModelRequest {
            model: asking.name.clone(),
            system: call.framing.system().to_owned(),
            messages: call.messages.clone(),
            tools: call.framing.tools().to_vec(),
            output_schema: call.framing.output_schema().cloned(),
            max_output_tokens: call.max_output_tokens,
            moment: self.moment(call),
        };
        self.partial.begin(call.turn, ta_models::tokens_of(&request), asking.price);
        let room = Room { spare_usd: self.machine.spare_usd(call), left_usd: self.machine.left_usd() };
        let watch = Watch::new(&self.partial, self.observer, room);
        let answered = tokio::select! {
            answered = asking.model.stream(&request, &watch) => Some(answered),
            () = watch.too_dear() => None,
            () = at_the_end_of(self.machine.left_ms()) => None,
        };
        if matches!(answered, Some(Ok(_))) {
            self.partial.complete();
        }
        let mut events = self.partial.events();
        let came = match answered {
            Some(Ok(answer)) => Came::Answer(Box::new(answer)),
            Some(Err(error)) => Came::Failure(error),
            None => {
                // The machine is told in any case that the call is over: it decides what follows.
                if events.is_empty() {
                    let (text, usage) = (String::new(), Usage::default());
                    events.push(Event::ModelPartial(ModelPartial { turn: call.turn, text, usage, cost_usd: 0.0 }));
                }
                Came::Over
            }
        };
        (events, came)
    }
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

/// An answer of the second says whose it is. Where both fail, what is wrong with the one that was asked for is what can be
/// mended; the other is mentioned.
fn taken_over(came: Came, first: &ModelError, second: &Asking) -> Came {
    match came {
        Came::Answer(answer) => {
            Came::Answer(Box::new(ModelAnswer { answered_by: Some(second.full_name()), ..*answer }))
        }
        Came::Failure(error) => {
            let said = first.message.trim_end_matches('.');
            let message = format!("{said}; {} took over and failed, too: {}", second.full_name(), error.message);
            Came::Failure(ModelError { message, ..first.clone() })
        }
        Came::Over => Came::Over,
    }
}
