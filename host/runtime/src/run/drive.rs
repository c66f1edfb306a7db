//! The loop: what the machine wants is carried out, what happened is appended, and so on until the end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ta_core::Record;
use ta_core::event::{Event, RunParked, Status};
use ta_core::files::Files;
use ta_core::flow::ShownMessage;
use ta_core::hook::Finding;
use ta_core::machine::{Action, Machine, Reply};
use ta_core::message::Usage;
use ta_core::model::{Model, ModelError};
use ta_core::step;
use ta_sandbox::{Sandbox, SkillReader};
use ta_store::{Store, StoreError};

use super::durability;
use super::model::Calls;
use super::readers::Readers;
use crate::circuits::Circuits;
use crate::components::Components;
use crate::error::RuntimeError;
use crate::host::now_ms;
use crate::observer::{Observer, Starting};
use crate::person::Person;
use crate::plugin::Plugin;
use crate::stop::Stop;

/// How long a claim on a session holds without being renewed.
const CLAIM_TTL_MS: u64 = 120_000;
/// Code of the error that says that somebody else has written.
const BUSY: &str = "session.busy";
/// How often parking is tried when an append is still on its way: one step has no more than a few under way.
const PARKING_TRIES: usize = 5;
/// More records than one step appends.
const APPENDED_MAX: usize = 1_000;
/// How often it is renewed, also while a person thinks.
const CLAIM_RENEWAL: Duration = Duration::from_secs(30);

/// How driving a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The run is over.
    Finished(Status),
    /// It waits for an answer.
    Parked,
    /// It was interrupted and waits.
    Interrupted,
    /// A provider could not answer; it waits.
    Provider(ModelError),
    /// Its flow failed; the exchange is undone, and it waits.
    FlowFailed {
        /// A stable word.
        code: String,
        /// What happened.
        message: String,
    },
}

/// What a run that is parked waits for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct OpenQuestion {
    /// Who asks: a hook, or `flow`.
    pub by: String,
    /// Id of the question; `say` where a flow waits for words.
    pub id: String,
    /// What the person is asked.
    pub title: String,
}

/// A run that is over or waits.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    /// Id of the run.
    pub run: String,
    /// Id of the session.
    pub session: String,
    /// How it ended.
    pub ended: Ended,
    /// Why, where it did not end well.
    pub reason: Option<String>,
    /// The output, as far as there is one.
    pub output: Option<String>,
    /// Where the output was saved, below the workspace.
    pub saved: Option<String>,
    /// What a flow has shown since the person last said something.
    pub messages: Vec<ShownMessage>,
    /// What a flow answers a program that spoke for the person.
    pub reply: Option<serde_json::Value>,
    /// What it waits for, where it waits for the person.
    pub question: Option<OpenQuestion>,
    /// Tokens.
    pub usage: Usage,
    /// US dollars.
    pub cost_usd: f64,
    /// What guardrails found in the latest output.
    pub findings: Vec<Finding>,
    /// Number of the session's last record: whoever forks the run here shares all of it.
    pub last_seq: u64,
}

/// A live run.
pub(super) struct Driver<'a> {
    pub(super) store: Arc<dyn Store>,
    pub(super) sandbox: Sandbox,
    pub(super) workspace: Arc<dyn Files>,
    pub(super) plugin: Plugin,
    /// Who the assistant is, as the run began with it.
    pub(super) identity: Option<String>,
    /// The skills that each agent of the run may read.
    pub(super) skills: BTreeMap<String, Arc<dyn SkillReader>>,
    /// What guests' calls read from.
    pub(super) readers: Readers,
    pub(super) components: Components,
    pub(super) model: Arc<dyn Model>,
    /// Takes over where that one fails.
    pub(super) second: Option<Arc<dyn Model>>,
    /// Models that do not answer at present.
    pub(super) circuits: Circuits,
    /// The model that guests may ask.
    pub(super) guest_model: Option<Arc<dyn Model>>,
    pub(super) person: &'a dyn Person,
    pub(super) observer: &'a dyn Observer,
    pub(super) machine: Machine,
    pub(super) session: String,
    pub(super) run: String,
    pub(super) last_seq: u64,
    /// Records that may not be durable yet, and that nobody has been shown.
    pub(super) unseen: Vec<Record>,
}

impl<'a> Driver<'a> {
    /// One writer for a session at a time.
    pub(super) async fn claim(&self) -> Result<(), RuntimeError> {
        let claimed = self.store.claim(&self.session, &self.run, now_ms(), CLAIM_TTL_MS).await;
        claimed.map_err(|error| self.elsewhere(error))
    }

    /// Drives the run if its beginning is in the journal, and lets the session go whatever comes of it.
    pub(super) async fn finish_claim(
        &mut self,
        begun: Result<(), RuntimeError>,
        stop: Stop,
    ) -> Result<RunEnd, RuntimeError> {
        let driven = match begun {
            // Whatever went wrong, the journal holds the run up to there.
            Ok(()) => self.drive(stop).await.map_err(|mut error| {
                let hint = error.hint.trim_end_matches('.');
                error.hint = format!("{hint}; the run is kept: teacher-assist --resume {}", self.session);
                error
            }),
            Err(error) => Err(error),
        };
        let released = self.store.release(&self.session, &self.run).await;
        let end = driven?;
        released?;
        Ok(end)
    }

    /// Appends and tells the machine; and whoever watches, when the events are durable.
    pub(super) async fn append(&mut self, step: impl Into<step::Step>) -> Result<(), RuntimeError> {
        let step: step::Step = step.into();
        let (events, blobs) = step.into_events();
        let at_once = events.iter().any(durability::at_once);
        let records = loop {
            let (now, last) = (now_ms(), self.last_seq);
            let (session, run, events, blobs) = (&self.session, &self.run, events.clone(), blobs.clone());
            let appending = match at_once {
                true => self.store.append(session, run, last, now, events, blobs),
                false => self.store.append_later(session, run, last, now, events, blobs),
            };
            match appending.await {
                // A person named the session meanwhile: that is no other writer of the run.
                Err(error) if error.code() == "store.conflict" && self.named_meanwhile().await? => {}
                appended => break appended.map_err(|error| self.elsewhere(error))?,
            }
        };
        for record in records {
            self.take_in(record);
        }
        if at_once {
            self.show();
        }
        Ok(())
    }

    /// Takes in what was appended beside the run; whether there is something, and nothing else.
    async fn named_meanwhile(&mut self) -> Result<bool, RuntimeError> {
        let records = self.store.read(&self.session, self.last_seq, APPENDED_MAX).await?;
        let beside = !records.is_empty() && records.iter().all(|record| record.event.beside_runs());
        if beside {
            self.last_seq = records.last().map_or(self.last_seq, |record| record.seq);
        }
        Ok(beside)
    }

    /// Two writers of one session are, to a person, a session that is being worked on elsewhere.
    fn elsewhere(&self, error: StoreError) -> RuntimeError {
        if !matches!(error.code(), "store.conflict" | "store.claimed") {
            return error.into();
        }
        let message = format!("the session {} is being worked on elsewhere", self.session);
        RuntimeError::usage(BUSY, message, "go on there, or stop it and try again here")
    }

    /// Takes in what an interrupted step had appended already: giving a step up does not undo its appends.
    async fn catch_up(&mut self) -> Result<(), RuntimeError> {
        for record in self.store.read(&self.session, self.last_seq, APPENDED_MAX).await? {
            self.take_in(record);
        }
        self.store.barrier(&self.session).await?;
        self.show();
        Ok(())
    }

    fn take_in(&mut self, record: Record) {
        self.last_seq = record.seq;
        self.machine.next(&record);
        self.unseen.push(record);
    }

    /// Shows what is durable by now to whoever watches.
    fn show(&mut self) {
        for record in self.unseen.drain(..) {
            self.observer.record(&record);
        }
    }

    async fn drive(&mut self, mut stop: Stop) -> Result<RunEnd, RuntimeError> {
        let renewing = renew_claim(Arc::clone(&self.store), self.session.clone(), self.run.clone());
        tokio::pin!(renewing);
        let person = self.person;
        let mut left = person.stops();
        let mut calls = Calls::default();
        loop {
            self.complete_writes().await?;
            let step = tokio::select! {
                step = self.step(&mut calls) => Some(step?),
                // Whatever was under way is given up: nothing of it has taken effect.
                () = stop.asked() => None,
                () = &mut left => None,
                error = &mut renewing => return Err(error),
            };
            match step {
                Some(Step::On) => {}
                Some(Step::Park(ended, reason)) => return self.park_after(calls.given_up(), ended, reason).await,
                Some(Step::Over(ended)) => return Ok(self.end(ended, None)),
                None => return self.interrupt(calls.given_up()).await,
            }
        }
    }

    /// Parks the run, behind what came of its models' calls. What the interrupted step was appending may still be on its way into the journal: then parking is
    /// refused once, and what has come in meanwhile is taken in first.
    async fn interrupt(&mut self, came: Vec<Event>) -> Result<RunEnd, RuntimeError> {
        for _ in 0..PARKING_TRIES {
            self.catch_up().await?;
            if let Some(status) = self.machine.ledger().finished.as_ref().map(|finished| finished.status) {
                return Ok(self.end(Ended::Finished(status), None));
            }
            match self.park_after(came.clone(), Ended::Interrupted, "interrupted").await {
                Err(error) if error.code == BUSY => {}
                parked => return parked,
            }
        }
        self.park_after(came, Ended::Interrupted, "interrupted").await
    }

    /// Does what the machine wants, where that is no model's call.
    pub(super) async fn act(&mut self) -> Result<Step, RuntimeError> {
        match self.machine.pending().clone() {
            Action::RunHook(call) => self.run_hook(*call).await,
            Action::Assemble(assemble) => self.assemble(&assemble).await,
            Action::Compact(compacted) => self.on(Event::ContextCompacted(compacted)).await,
            Action::CallTools(calls) => self.call_tools(calls).await,
            Action::PutQuestion(asked) => self.on(Event::RequestMade(asked)).await,
            Action::PlaceWrites(intended) => self.on(Event::WritesIntended(intended)).await,
            Action::Settle(settlement) => self.settle(*settlement).await,
            Action::Ask(ask) => self.ask(&ask).await,
            Action::Spawn(started) => {
                self.observer.starting(&Starting::Agent(started.order.agent.clone()));
                self.on(Event::SubagentStarted(started)).await
            }
            Action::Return(finished) => self.on(Event::SubagentFinished(finished)).await,
            Action::HandOff(made) => {
                self.observer.starting(&Starting::Agent(made.target.clone()));
                self.on(Event::HandoffMade(made)).await
            }
            Action::AskModel(ask) => self.ask_for_guest(*ask).await,
            Action::Reply(reply) => {
                let Reply { answered, json } = *reply;
                self.on(step::Step::from(Event::RequestAnswered(Box::new(answered))).with_blobs([json])).await
            }
            Action::CallFlow(call) => self.call_flow(*call).await,
            Action::Show(shown) => self.on(Event::MessagesShown(shown)).await,
            Action::Listen(wait) => self.listen(&wait).await,
            Action::TakeAnswer(answered) => self.on(Event::AgentAnswered(answered)).await,
            Action::Finish(finish) => self.finish(&finish).await,
            Action::CallModel(_) | Action::CallModels(_) | Action::Wait => {
                let message = "the run has nothing to do and is not over";
                Err(RuntimeError::environment("host.bug", message, "this is a bug; please report it"))
            }
        }
    }

    /// Appends what is all there is to do.
    pub(super) async fn on(&mut self, step: impl Into<step::Step>) -> Result<Step, RuntimeError> {
        self.append(step).await?;
        Ok(Step::On)
    }

    async fn park_after(&mut self, before: Vec<Event>, ended: Ended, reason: &str) -> Result<RunEnd, RuntimeError> {
        let parked = Event::RunParked(RunParked { reason: reason.to_owned() });
        self.append(step::Step::from(parked).after(before)).await?;
        Ok(self.end(ended, None))
    }

    pub(super) fn end(&self, ended: Ended, saved: Option<String>) -> RunEnd {
        let ledger = self.machine.ledger();
        let reason = match (&ended, self.machine.ledger().finished.as_ref()) {
            (Ended::Provider(error), _) => Some(error.message.clone()),
            (Ended::FlowFailed { code, message }, _) => Some(format!("{message} [{code}]")),
            (_, Some(finished)) => finished.reason.clone(),
            _ => None,
        };
        let saved =
            saved.or_else(|| self.machine.ledger().finished.as_ref().and_then(|finished| finished.saved.clone()));
        RunEnd {
            run: self.run.clone(),
            session: self.session.clone(),
            ended,
            reason,
            output: self.machine.conversation().last_output.as_deref().map(ToOwned::to_owned),
            saved,
            messages: self.machine.shown().to_vec(),
            reply: self.machine.reply().cloned(),
            question: open_question(&self.machine),
            usage: ledger.usage,
            cost_usd: ledger.cost_usd,
            findings: ledger.findings.clone(),
            last_seq: self.last_seq,
        }
    }
}

/// What a run waits for, where it waits for the person.
pub(crate) fn open_question(machine: &Machine) -> Option<OpenQuestion> {
    match machine.pending() {
        Action::Ask(ask) => {
            let (by, id, title) = (ask.by.clone(), ask.question.id.clone(), ask.question.title.clone());
            Some(OpenQuestion { by, id, title })
        }
        Action::Listen(wait) => {
            let title = machine.shown().last().map(|message| message.speech.clone()).unwrap_or_default();
            let title = if title.is_empty() { format!("what does the {} say?", wait.role) } else { title };
            Some(OpenQuestion { by: "flow".to_owned(), id: "say".to_owned(), title })
        }
        _ => None,
    }
}

/// What a step led to.
pub(super) enum Step {
    /// There is more to do.
    On,
    /// The run is to be parked, for this reason.
    Park(Ended, &'static str),
    /// The run is over.
    Over(Ended),
}

/// Keeps the claim for as long as it is polled; answers only where somebody else has taken it.
async fn renew_claim(store: Arc<dyn Store>, session: String, run: String) -> RuntimeError {
    loop {
        tokio::time::sleep(CLAIM_RENEWAL).await;
        if let Err(error) = store.claim(&session, &run, now_ms(), CLAIM_TTL_MS).await {
            return error.into();
        }
    }
}
