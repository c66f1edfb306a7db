//! The context object: what a run knows about itself.

use serde::{Deserialize, Serialize};

use crate::event::Task;
use crate::hook::{FileDigest, Finding};
use crate::message::{Message, Usage};
use crate::question::{Decision, Outcome, Question};
use crate::summary::Summary;

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

/// An output as it came to the post-loop hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Rounds of rework before it.
    pub rework_round: u32,
    /// The text.
    pub text: String,
}

/// A question that has its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The hook that asked.
    pub hook: String,
    /// The question.
    pub question: Question,
    /// What became of it.
    pub outcome: Outcome,
    /// Rounds of rework before it.
    pub rework_round: u32,
    /// How long the person took, in milliseconds: from the first sight of it in this sitting.
    pub elapsed_ms: u64,
}

/// What a run knows about itself.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Context {
    /// The conversation: every tool result stands after the message that asked for it.
    pub history: Vec<Message>,
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
    /// What is known of messages that made room, and of what earlier runs of the session decided.
    pub earlier: Summary,
    /// The person's decisions.
    pub decisions: Vec<Decision>,
    /// The outputs so far.
    pub drafts: Vec<Draft>,
    /// The questions so far that have their outcome.
    pub questions: Vec<Asked>,
    #[serde(skip)]
    pub(super) history_before: usize,
}

/// Counters and progress, for traces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextSummary {
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

impl Context {
    pub(super) fn new(history: Vec<Message>) -> Self {
        let history_before = history.len();
        Self { history, history_before, ..Self::default() }
    }

    /// The messages of this run, without those of earlier runs of the session.
    #[must_use]
    pub fn own_messages(&self) -> &[Message] {
        self.history.get(self.history_before..).unwrap_or_default()
    }

    /// Counters and progress.
    #[must_use]
    pub fn summary(&self) -> ContextSummary {
        let failed = |call: &&ToolCallState| call.status == CallStatus::Failed;
        let completed = |task: &&Task| task.status == crate::event::TaskStatus::Completed;
        ContextSummary {
            turns: self.turns,
            messages: self.history.len(),
            tool_calls: self.tool_calls.len(),
            tool_failures: self.tool_calls.iter().filter(failed).count(),
            tasks_completed: self.tasks.iter().filter(completed).count(),
            tasks: self.tasks.len(),
            rework_rounds: self.rework_rounds,
            feedback: self.feedback.len(),
            usage: self.usage,
            cost_usd: self.cost_usd,
            cache_saved_usd: self.cache_saved_usd,
        }
    }
}
