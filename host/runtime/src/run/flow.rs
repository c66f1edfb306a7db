//! Flows: their component called, the person listened to.

use std::time::Instant;

use sha2::{Digest, Sha256};
use ta_core::event::{Event, FlowFailed, FlowStepped, MessageSaid};
use ta_core::flow::{FlowStep, PersonWait};
use ta_core::machine::{FlowCall, Machine};
use ta_core::step;
use ta_sandbox::{CallOutcome, Ended as CallEnded, Guest, Inputs, Invocation, Stepped, ToolFailure};

use super::drive::{Driver, Ended, Step};
use super::effects::{request_made, with_effects};
use super::readers::Readers;
use crate::error::RuntimeError;
use crate::host::now_ms;
use crate::inputs::blob;
use crate::observer::Starting;

impl Driver<'_> {
    pub(super) async fn call_flow(&mut self, call: FlowCall) -> Result<Step, RuntimeError> {
        let guest = self.guest(&call.flow)?;
        self.observer.starting(&Starting::Flow(call.flow.clone()));
        let state = state_of(&*self.store, &call).await?;
        let readers = self.readers_of(&guest).await?;
        let inputs = self.inputs_before(call.earlier.as_ref()).await?;
        let invocation = flow_invocation(&readers, &self.machine, &guest, &call, inputs);
        let outcome = self.sandbox.clone().call_flow(&guest, state.as_deref(), &call.event, invocation).await;
        let knows = |agent: &str| self.machine.start().agents.contains_key(agent);
        let owner = self.machine.start().owner.clone();
        let made = flow_step(&guest, call, outcome, &owner, knows);
        let failed = match made.own() {
            Event::FlowFailed(failed) => Some((failed.code.clone(), failed.message.clone())),
            _ => None,
        };
        self.append(made).await?;
        Ok(match failed {
            Some((code, message)) => Step::Park(Ended::FlowFailed { code, message }, "flow.failed"),
            None => Step::On,
        })
    }

    /// What the person says, or the time that was waited for; nothing yet parks the run.
    pub(super) async fn listen(&mut self, wait: &PersonWait) -> Result<Step, RuntimeError> {
        if wait.until_ms.is_some_and(|until| now_ms() >= until) {
            return self.on(Event::FlowWoken).await;
        }
        let started = Instant::now();
        let said = self.person.say(wait, self.machine.shown(), self.machine.times_said()).await;
        let Some(text) = said else { return Ok(Step::Park(Ended::Parked, "message")) };
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (role, by) = (wait.role.clone(), self.person.name().to_owned());
        self.on(Event::MessageSaid(MessageSaid { role, text, by, elapsed_ms })).await
    }
}

/// The flow's state, from beside the journal.
pub(crate) async fn state_of(store: &dyn ta_store::Store, call: &FlowCall) -> Result<Option<String>, RuntimeError> {
    let Some(sha256) = &call.state else { return Ok(None) };
    let bytes = blob(store, sha256, "the flow's state").await?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// A flow's call, as it is made and made again.
pub(crate) fn flow_invocation(
    readers: &Readers,
    machine: &Machine,
    guest: &Guest,
    call: &FlowCall,
    inputs: Option<Inputs>,
) -> Invocation {
    let (inputs, callers) = (inputs.map(std::sync::Arc::new), Some(call.callers.clone()));
    Invocation { inputs, callers, ..readers.invocation(machine, guest, call.context.clone(), call.stamp, &call.flow) }
}

/// What a flow's call comes to.
pub(crate) fn flow_step(
    guest: &Guest,
    call: FlowCall,
    outcome: CallOutcome<Result<Stepped, ToolFailure>>,
    owner: &str,
    knows: impl Fn(&str) -> bool,
) -> step::Step {
    if let CallEnded::Requested(wanted) = &outcome.ended {
        let within = format!("{}@{}", call.flow, call.stamp.seq);
        let event = request_made(&call.flow, (None, None), &within, wanted, &outcome.report);
        return with_effects(&call.flow, owner, outcome, event);
    }
    let (flow, sha256, report) = (call.flow.clone(), guest.sha256.clone(), outcome.report.clone());
    let stepped = match &outcome.ended {
        CallEnded::Returned(Ok(stepped)) => Ok(stepped.clone()),
        CallEnded::Returned(Err(failure)) => Err((failure.code.clone(), failure.message.clone())),
        CallEnded::Failed(failure) => Err((failure.code.to_owned(), failure.reason.clone())),
        CallEnded::Requested(wanted) => Err(("host.bug".to_owned(), format!("it asks for `{}`", wanted.import()))),
    };
    let checked = stepped.and_then(|stepped| {
        let (step, state) = step_of(stepped);
        step.check(knows).map(|()| (step, state)).map_err(|reason| ("flow.malformed".to_owned(), reason))
    });
    match checked {
        Ok((step, state)) => {
            let own = FlowStepped { flow, sha256, context: call.context, event: call.event, step, report };
            with_effects(&call.flow, owner, outcome, Event::FlowStepped(Box::new(own))).with_blobs([state])
        }
        Err((code, message)) => Event::FlowFailed(Box::new(FlowFailed { flow, sha256, code, message, report })).into(),
    }
}

fn step_of(stepped: Stepped) -> (FlowStep, Vec<u8>) {
    let state = hex::encode(Sha256::digest(stepped.state.as_bytes()));
    let Stepped { messages, observations, facts, notes, reply, wait, state: text } = stepped;
    (FlowStep { state, messages, observations, facts, notes, reply, wait }, text.into_bytes())
}
