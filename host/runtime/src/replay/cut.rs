//! Calls of a hook taken out of a run, each with all that it was told: what a case is made of.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use ta_core::Point;
use ta_core::event::{ComponentPin, Event};
use ta_core::hook::CallContext;
use ta_core::machine::{Action, HookCall};
use ta_sandbox::{Inputs, Playback};

use super::recorded;
use super::swap::hook_of;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::inputs::{self, Told};

/// The calls of one hook in a run.
#[derive(Debug, Clone)]
pub struct Cut {
    /// The hook's name within its plugin.
    pub hook: String,
    /// What it was then: its digest, rights, limits and configuration.
    pub pin: ComponentPin,
    /// The bytes of its component.
    pub bytes: Vec<u8>,
    /// The calls, in order.
    pub calls: Vec<CutCall>,
}

/// One call.
#[derive(Debug, Clone)]
pub struct CutCall {
    /// Number of the record that holds it.
    pub seq: u64,
    /// Where it ran.
    pub point: Point,
    /// Its event, with the fields of its context that say nothing about whose run it was.
    pub event: Value,
    /// The time that it was told, in milliseconds.
    pub now_ms: u64,
    /// The seed of its random bytes.
    pub seed: [u8; 32],
    /// What it was told.
    pub told: Told,
    /// What it said.
    pub verdict: String,
}

/// Takes out the calls of a hook.
///
/// # Errors
/// Where there is no such run or hook, or the journal does not hold what the calls were told.
pub async fn cut(host: &Host, run: &str, hook: &str) -> Result<Cut, RuntimeError> {
    let store = host.store_to_read()?;
    let run = recorded(&*store, run).await?;
    let (name, pin) = hook_of(&run, hook)?;
    let bytes = inputs::blob(&*store, &pin.sha256, &name).await?;
    let mut machine = run.machine;
    let mut calls = Vec::new();
    for record in &run.records {
        if let (Event::HookFinished(finished), Action::RunHook(call)) = (&record.event, machine.pending())
            && finished.hook == name
            && call.hook == name
        {
            let told = inputs::recorded(&*store, &finished.report.inputs, Playback::ByImport).await?;
            let seed = Sha256::digest(format!("{}\0{}\0{}", call.context.run, call.stamp.seq, call.hook)).into();
            calls.push(CutCall {
                seq: record.seq,
                point: call.point,
                event: event(call)?,
                now_ms: call.stamp.at_ms,
                seed,
                told: as_told(told)?,
                verdict: finished.verdict.name().to_owned(),
            });
        }
        machine.next(record);
    }
    Ok(Cut { hook: name, pin, bytes, calls })
}

/// Event and context in one object, as `hook run` takes them. Ids of run and session are left out.
fn event(call: &HookCall) -> Result<Value, RuntimeError> {
    let fields = serde_json::to_value(&call.input).map_err(|error| unreadable(&error))?;
    let mut all = context(&call.context);
    if let Value::Object(fields) = fields {
        all.extend(fields);
    }
    Ok(Value::Object(all))
}

fn context(context: &CallContext) -> Map<String, Value> {
    let CallContext { run: _, session: _, plugin, command, agent, subject, input, turn, rework_round, extra: _ } =
        context;
    let fields = json!({ "plugin": plugin, "command": command, "agent": agent, "subject": subject, "input": input, "turn": turn,
        "rework_round": rework_round });
    if let Value::Object(fields) = fields { fields } else { Map::new() }
}

fn as_told(inputs: Inputs) -> Result<Told, RuntimeError> {
    let answer = |(import, json): (String, Vec<u8>)| {
        serde_json::from_slice(&json).map(|answer| (import, answer)).map_err(|error| unreadable(&error))
    };
    let sequence = inputs.sequence.into_iter().map(answer).collect::<Result<_, _>>()?;
    Ok(Told { sequence, texts: inputs.texts })
}

fn unreadable(error: &serde_json::Error) -> RuntimeError {
    let message = format!("the journal holds what a call was told as something that is no JSON: {error}");
    RuntimeError::environment("store.corrupt", message, "put a backup in its place with `teacher-assist restore FILE`")
}
