//! Calls that are made again side by side, and compared in the order of their records.
//!
//! What a call comes to depends on no other: each is told what it was told, and the machine goes on with what is recorded,
//! not with what comes out now. So the records are gone through while calls are still being made.

use std::collections::VecDeque;

use serde_json::Value;
use ta_core::Record;
use ta_core::event::Event;
use ta_core::step::Step;
use tokio::task::JoinHandle;

use super::compare::{Difference, Divergence, differs, essence};
use crate::error::RuntimeError;

/// Calls that are begun before the first of them is waited for: enough for every core, and little to hold. How many of them
/// run at once is the sandbox's to say.
const BEGUN_MAX: usize = 32;

/// Calls that are not compared yet.
#[derive(Default)]
pub(super) struct UnderWay<'a> {
    /// Oldest first.
    calls: VecDeque<Call<'a>>,
    /// How many were compared.
    pub(super) compared: usize,
}

/// A call made again.
struct Call<'a> {
    record: &'a Record,
    comes_to: ComesTo,
    /// The records behind it that must be what it wants done.
    effects: Vec<&'a Record>,
}

/// What a call comes to.
enum ComesTo {
    /// A step, when it has been made.
    Soon(JoinHandle<Step>),
    /// What else it wants; its own was compared.
    Known(VecDeque<Event>),
}

impl<'a> UnderWay<'a> {
    /// Takes in a call that is being made. A call is bounded by its limits, so nobody has to end one that is given up.
    pub(super) fn begun(&mut self, record: &'a Record, call: JoinHandle<Step>) {
        self.calls.push_back(Call { record, comes_to: ComesTo::Soon(call), effects: Vec::new() });
    }

    /// Takes in what was compared already and wants these events behind it.
    pub(super) fn wants(&mut self, record: &'a Record, effects: VecDeque<Event>) {
        self.calls.push_back(Call { record, comes_to: ComesTo::Known(effects), effects: Vec::new() });
    }

    /// Takes in a record that the last call must have wanted.
    pub(super) fn effect(&mut self, record: &'a Record) -> Option<Difference> {
        match self.calls.back_mut() {
            Some(last) => last.effects.push(record),
            None => return unwanted(&record.event),
        }
        None
    }

    /// Waits for the oldest calls while there are too many. Gives the first divergence.
    pub(super) async fn make_room(&mut self) -> Result<Option<Divergence>, RuntimeError> {
        self.settle(BEGUN_MAX).await
    }

    /// Waits for all calls. Gives the first divergence.
    pub(super) async fn end(&mut self) -> Result<Option<Divergence>, RuntimeError> {
        self.settle(0).await
    }

    async fn settle(&mut self, left: usize) -> Result<Option<Divergence>, RuntimeError> {
        while self.calls.len() > left {
            let Some(oldest) = self.calls.pop_front() else { break };
            self.compared += usize::from(matches!(oldest.comes_to, ComesTo::Soon(_)));
            let divergence = oldest.compare().await?;
            if divergence.is_some() {
                return Ok(divergence);
            }
        }
        Ok(None)
    }
}

impl Call<'_> {
    /// Compares what it came to with its record and with those behind it.
    async fn compare(self) -> Result<Option<Divergence>, RuntimeError> {
        let mut wanted = match self.comes_to {
            ComesTo::Known(events) => events,
            ComesTo::Soon(call) => {
                let (own, effects) = call.await.map_err(|error| broken(&error))?.into_own();
                if let Some(difference) = differs("it came out otherwise", &self.record.event, &own) {
                    return Ok(Some(Divergence::at(self.record, difference)));
                }
                effects.into()
            }
        };
        for record in self.effects {
            let difference = match wanted.pop_front() {
                Some(wanted) => differs("the call before it wants something else", &record.event, &wanted),
                None => unwanted(&record.event),
            };
            if let Some(difference) = difference {
                return Ok(Some(Divergence::at(record, difference)));
            }
        }
        // A step is compared as a whole: what a call wants stands in the journal before anything else happens.
        Ok(wanted.pop_front().map(|wanted| Divergence::at(self.record, missing(&wanted))))
    }
}

/// What a call wants, and no record holds.
fn missing(wanted: &Event) -> Difference {
    ("it wants what no record holds".to_owned(), Value::Null, essence(wanted))
}

/// A record that no call wants. Notes of memory are written by a person as well.
fn unwanted(event: &Event) -> Option<Difference> {
    let written = matches!(event, Event::MemoryWritten(_));
    (!written).then(|| ("no call wants this".to_owned(), essence(event), Value::Null))
}

fn broken(error: &tokio::task::JoinError) -> RuntimeError {
    let message = format!("a call could not be made again: {error}");
    RuntimeError::environment("host.bug", message, "this is a bug; please report it")
}
