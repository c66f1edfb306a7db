//! What belongs to one agent: its messages, prompt, limits of turns, accepted parts.
//!
//! A subagent has a conversation of its own, and so has every agent that a flow asks. Which of them is at work is one value of the machine.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::action::Framing;
use super::compact::Counted;
use super::progress::Progress;
use crate::event::{PromptAssembled, SubagentStarted};
use crate::flow::AgentRequest;
use crate::hook::{Addition, Part};
use crate::message::{Message, Messages};
use crate::summary::Summary;

/// An output as it came to the post-loop hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Rounds of rework before it.
    pub rework_round: u32,
    /// The text.
    pub text: String,
}

/// For whom an agent works.
#[derive(Debug, Clone, Default)]
pub(super) enum Work {
    /// For the person, in the loop.
    #[default]
    Run,
    /// For the agent that spawned it.
    Subagent {
        /// What it began with.
        started: Box<SubagentStarted>,
        /// Whether it was told already that its answer lacks something.
        reminded: bool,
    },
    /// No agent is at work: a flow and the person talk.
    Exchange,
    /// For a flow.
    Flow(Box<AgentRequest>),
}

/// One agent's conversation.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    /// The agent.
    pub agent: String,
    /// Every tool result stands after the message that asked for it.
    pub history: Messages,
    /// The outputs so far.
    pub drafts: Vec<Draft>,
    /// What is known of messages that made room, and of what earlier runs of the session decided.
    pub earlier: Summary,
    /// The last output that there was.
    pub last_output: Option<String>,
    pub(super) history_before: usize,
    pub(super) work: Work,
    /// What the agent that takes over reads before its first turn.
    pub(super) incoming: Option<String>,
    /// Model calls of this agent, and of those that handed over to it.
    pub(super) sitting_turns: u32,
    pub(super) input: String,
    pub(super) additions: Vec<Addition>,
    pub(super) prompt: Option<PromptAssembled>,
    /// Bytes of the prompt and of its tools that a model reads; 0 where there is none.
    pub(super) prompt_bytes: usize,
    /// What its model is sent beside the messages, as it was in the last turn.
    pub(super) framing: Option<Arc<Framing>>,
    pub(super) progress: Progress,
    pub(super) accepted: Vec<Part>,
    /// Hooks that sent the run round again, once for each round.
    pub(super) reworks: Vec<String>,
    pub(super) finalizing: bool,
    /// How often in a row an answer was sent back because it had not the form of the output.
    pub(super) repairs: u32,
    /// What the provider last counted.
    pub(super) counted: Option<Counted>,
    /// JSON Schema of the output, where whoever asks wants another than the agent's.
    pub(super) schema: Option<Value>,
}

impl Conversation {
    pub(super) fn new(history: Messages) -> Self {
        let history_before = history.len();
        Self { history, history_before, ..Self::default() }
    }

    /// The messages of this run, without those of earlier runs of the session.
    #[must_use]
    pub fn own_messages(&self) -> &[Message] {
        self.history.get(self.history_before..).unwrap_or_default()
    }
}
