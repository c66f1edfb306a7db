//! What every run has, whoever is at work in it: ids, limits, what was used, decisions, writes under way.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::action::Stamp;
use super::guests::GuestCalls;
use crate::event::{RunFinished, RunStarted, Task, WritesIntended};
use crate::hook::{Correction, FileDigest, Finding};
use crate::message::Usage;
use crate::question::{Decision, Outcome, Question};

/// How far a tool call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CallStatus {
    /// Asked for, not answered yet.
    Pending,
    /// Answered.
    Completed,
    /// Failed, and the model was told.
    Failed,
}

/// A tool call of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolCallState {
    /// Id of the call.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// How far it is.
    pub status: CallStatus,
    /// Messages in a row before this one in which this tool only failed.
    pub retries: u32,
}

/// A question that has its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Who asked: a hook, the component of a tool, or `host`.
    pub by: String,
    /// The question.
    pub question: Question,
    /// What became of it.
    pub outcome: Outcome,
    /// Rounds of rework before it.
    pub rework_round: u32,
    /// How long the person took, in milliseconds: from the first sight of it in this sitting.
    pub elapsed_ms: u64,
}

/// What every run has.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// What the run began with; empty before it did.
    pub start: RunStarted,
    /// Id of the run.
    pub run: String,
    /// Id of its session.
    pub session: String,
    /// The run's tool calls, in order.
    pub tool_calls: Vec<ToolCallState>,
    /// The session's tasks.
    pub tasks: Vec<Task>,
    /// Notes of hooks, warnings of the loop.
    pub feedback: Vec<String>,
    /// What guardrails found in the latest output.
    pub findings: Vec<Finding>,
    /// Model calls so far.
    pub turns: u32,
    /// Rounds of rework so far.
    pub rework_rounds: u32,
    /// Tokens so far.
    pub usage: Usage,
    /// US dollars so far.
    pub cost_usd: f64,
    /// Of what calls would have cost, US dollars that prompt caches saved.
    pub cache_saved_usd: f64,
    /// Files read by tools.
    pub reads: Vec<FileDigest>,
    /// Files written by the run.
    pub written: Vec<String>,
    /// The person's decisions.
    pub decisions: Vec<Decision>,
    /// The questions so far that have their outcome.
    pub questions: Vec<Asked>,
    /// What the person corrected of what prompt and tools show.
    pub corrections: Vec<Correction>,
    /// Writes that were begun and are not known to be in place: to be completed before anything else.
    pub open_writes: Vec<WritesIntended>,
    /// The write of the final output, where it was begun.
    pub output_intent: Option<WritesIntended>,
    /// How the run ended, where it has.
    pub finished: Option<RunFinished>,
    /// Whether the last that happened was that the run was parked.
    pub parked: bool,
    /// The record before, from which the next call takes its time and its seed.
    pub(super) stamp: Stamp,
    /// Hooks that the person's request has passed.
    pub(super) request_seen_by: BTreeSet<String>,
    /// Subagents so far.
    pub(super) spawned: usize,
    /// How often each hook has asked a question of each id.
    pub(super) asked: BTreeMap<(String, String), u32>,
    /// How long the run has been at work.
    pub(super) worked_ms: u64,
    /// Turns for which a model is being called.
    pub(super) calling: BTreeSet<u32>,
    /// What guests have asked a model.
    pub(super) guests: GuestCalls,
    /// Tools that guests have called.
    pub(super) tool_requests: u32,
    /// Whether it has been said that the window is nearly full.
    pub(super) crowded_said: bool,
}

impl Ledger {
    /// Whether the run is over.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.finished.is_some()
    }
}

/// Counters and progress, for traces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunSummary {
    /// Model calls.
    pub turns: u32,
    /// Messages of the conversation, earlier runs of the session included.
    pub messages: usize,
    /// Tool calls.
    pub tool_calls: usize,
    /// Tool calls that failed.
    pub tool_failures: usize,
    /// Tasks done, of how many.
    pub tasks_completed: usize,
    /// Tasks.
    pub tasks: usize,
    /// Rounds of rework.
    pub rework_rounds: u32,
    /// Notes and warnings.
    pub feedback: usize,
    /// Tokens.
    pub usage: Usage,
    /// US dollars.
    pub cost_usd: f64,
    /// US dollars that prompt caches saved.
    pub cache_saved_usd: f64,
}

impl super::Machine {
    /// Counters and progress.
    #[must_use]
    pub fn summary(&self) -> RunSummary {
        let ledger = &self.ledger;
        let failed = |call: &&ToolCallState| call.status == CallStatus::Failed;
        let completed = |task: &&Task| task.status == crate::event::TaskStatus::Completed;
        RunSummary {
            turns: ledger.turns,
            messages: self.conversation.history.len(),
            tool_calls: ledger.tool_calls.len(),
            tool_failures: ledger.tool_calls.iter().filter(failed).count(),
            tasks_completed: ledger.tasks.iter().filter(completed).count(),
            tasks: ledger.tasks.len(),
            rework_rounds: ledger.rework_rounds,
            feedback: ledger.feedback.len(),
            usage: ledger.usage,
            cost_usd: ledger.cost_usd,
            cache_saved_usd: ledger.cache_saved_usd,
        }
    }
}
