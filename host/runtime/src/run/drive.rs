//! The loop: what the machine wants is carried out, what happened is appended, and so on until the end.

use std::sync::Arc;
use std::time::Duration;

use ta_core::Record;
use ta_core::event::{Event, ModelAnswered, ModelCalled, ModelFailed, RunParked, Status};
use ta_core::hook::Finding;
use ta_core::machine::{Action, Machine, ModelCall};
use ta_core::message::Usage;
use ta_core::model::{Model, ModelError, ModelRequest};
use ta_sandbox::{Sandbox, Workspace};
use ta_store::{Store, StoreError};

use super::partial::{Partial, Watch};
use super::stop::Stop;
use super::world::World;
use crate::components::Components;
use crate::error::RuntimeError;
use crate::host::now_ms;
use crate::observer::{Observer, Starting};
use crate::person::Person;
use crate::plugin::Plugin;

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
    /// Tokens.
    pub usage: Usage,
    /// US dollars.
    pub cost_usd: f64,
    /// What guardrails found in the latest output.
    pub findings: Vec<Finding>,
}

/// A live run.
pub(super) struct Driver<'a> {
    pub(super) store: Arc<dyn Store>,
    pub(super) sandbox: Sandbox,
    pub(super) workspace: Arc<Workspace>,
    pub(super) plugin: Plugin,
    /// What guests' calls read from.
    pub(super) world: World,
    pub(super) components: Components,
    pub(super) model: Arc<dyn Model>,
    pub(super) person: &'a dyn Person,
    pub(super) observer: &'a dyn Observer,
    pub(super) machine: Machine,
    pub(super) session: String,
    pub(super) run: String,
    pub(super) last_seq: u64,
    pub(super) partial: Partial,
}

impl Driver<'_> {
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

    /// Appends, durably, then tells the machine and whoever watches.
    pub(super) async fn append(&mut self, events: Vec<Event>, blobs: Vec<Vec<u8>>) -> Result<(), RuntimeError> {
        let records = loop {
            let (now, last) = (now_ms(), self.last_seq);
            match self.store.append(&self.session, &self.run, last, now, events.clone(), blobs.clone()).await {
                // A person named the session meanwhile: that is no other writer of the run.
                Err(error) if error.code() == "store.conflict" && self.beside().await? => {}
                appended => break appended.map_err(|error| self.elsewhere(error))?,
            }
        };
        for record in &records {
            self.last_seq = record.seq;
            self.observe(record);
        }
        Ok(())
    }

    /// Takes in what was appended beside the run; whether there is something, and nothing else.
    async fn beside(&mut self) -> Result<bool, RuntimeError> {
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
            self.last_seq = record.seq;
            self.observe(&record);
        }
        Ok(())
    }

    fn observe(&mut self, record: &Record) {
        self.machine.next(record);
        self.observer.record(record);
    }

    async fn drive(&mut self, mut stop: Stop) -> Result<RunEnd, RuntimeError> {
        let renewing = renew_claim(Arc::clone(&self.store), self.session.clone(), self.run.clone());
        tokio::pin!(renewing);
        let person = self.person;
        let mut left = person.stops();
        loop {
            self.complete_writes().await?;
            let step = tokio::select! {
                step = self.step() => Some(step?),
                // Whatever was under way is given up: nothing of it has taken effect.
                () = stop.asked() => None,
                () = &mut left => None,
                error = &mut renewing => return Err(error),
            };
            match step {
                Some(Step::On) => {}
                Some(Step::Park(ended, reason)) => return self.park(ended, reason).await,
                Some(Step::Over(ended)) => return Ok(self.end(ended, None)),
                None => return self.interrupt().await,
            }
        }
    }

    /// Parks the run. What the interrupted step was appending may still be on its way into the journal: then parking is
    /// refused once, and what has come in meanwhile is taken in first.
    async fn interrupt(&mut self) -> Result<RunEnd, RuntimeError> {
        let partial = self.partial.take();
        for _ in 0..PARKING_TRIES {
            self.catch_up().await?;
            if let Some(status) = self.machine.finished_with().map(|finished| finished.status) {
                return Ok(self.end(Ended::Finished(status), None));
            }
            match self.park_after(partial.clone(), Ended::Interrupted, "interrupted").await {
                Err(error) if error.code == BUSY => {}
                parked => return parked,
            }
        }
        self.park_after(partial, Ended::Interrupted, "interrupted").await
    }

    async fn step(&mut self) -> Result<Step, RuntimeError> {
        match self.machine.pending().clone() {
            Action::RunHook(call) => self.run_hook(*call).await,
            Action::Assemble(assemble) => self.assemble(&assemble).await,
            Action::CallModel(call) => self.call_model(*call).await,
            Action::CallTools(calls) => self.call_tools(calls).await,
            Action::Ask(ask) => self.ask(&ask).await,
            Action::Finish(finish) => self.finish(&finish).await,
            Action::Wait => {
                let message = "the run has nothing to do and is not over";
                Err(RuntimeError::environment("host.bug", message, "this is a bug; please report it"))
            }
        }
    }

    async fn call_model(&mut self, call: ModelCall) -> Result<Step, RuntimeError> {
        let start = self.machine.start();
        let (provider, model) = (start.provider.clone(), start.model.clone());
        let called = ModelCalled {
            turn: call.turn,
            provider: provider.clone(),
            model: model.clone(),
            messages: call.messages.len(),
            request_sha256: Some(call.request_sha256()),
        };
        self.append(vec![Event::ModelCalled(called)], Vec::new()).await?;
        self.observer.starting(&Starting::Model(provider, model.clone(), call.turn));
        let spare_usd = self.machine.spare_usd(&call);
        let (system, messages, tools) = (call.system, call.messages, call.tools);
        let max_output_tokens = call.max_output_tokens;
        let request = ModelRequest { model, system, messages, tools, max_output_tokens, ..ModelRequest::default() };
        self.partial.begin(call.turn, ta_models::tokens_of(&request), self.machine.start().price);
        let watch = Watch::new(&self.partial, self.observer, spare_usd);
        let started = std::time::Instant::now();
        let answered = tokio::select! {
            answered = self.model.stream(&request, &watch) => Some(answered),
            () = watch.too_dear() => None,
        };
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        if matches!(answered, Some(Ok(_))) {
            self.partial.complete();
        }
        let mut events = self.partial.take();
        let step = match answered {
            Some(Ok(answer)) => {
                let answered = ModelAnswered { turn: call.turn, answer, elapsed_ms };
                events.push(Event::ModelAnswered(Box::new(answered)));
                Step::On
            }
            Some(Err(error)) => {
                events.push(Event::ModelFailed(ModelFailed { turn: call.turn, error: error.clone() }));
                Step::Park(Ended::Provider(error), "provider")
            }
            None => Step::On,
        };
        self.append(events, Vec::new()).await?;
        Ok(step)
    }

    async fn park(&mut self, ended: Ended, reason: &str) -> Result<RunEnd, RuntimeError> {
        self.park_after(Vec::new(), ended, reason).await
    }

    async fn park_after(&mut self, mut events: Vec<Event>, ended: Ended, reason: &str) -> Result<RunEnd, RuntimeError> {
        events.push(Event::RunParked(RunParked { reason: reason.to_owned() }));
        self.append(events, Vec::new()).await?;
        Ok(self.end(ended, None))
    }

    pub(super) fn end(&self, ended: Ended, saved: Option<String>) -> RunEnd {
        let context = self.machine.context();
        let reason = match (&ended, self.machine.finished_with()) {
            (Ended::Provider(error), _) => Some(error.message.clone()),
            (_, Some(finished)) => finished.reason.clone(),
            _ => None,
        };
        let saved = saved.or_else(|| self.machine.finished_with().and_then(|finished| finished.saved.clone()));
        RunEnd {
            run: self.run.clone(),
            session: self.session.clone(),
            ended,
            reason,
            output: self.machine.last_output().map(ToOwned::to_owned),
            saved,
            usage: context.usage,
            cost_usd: context.cost_usd,
            findings: context.findings.clone(),
        }
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
