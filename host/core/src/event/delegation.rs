//! Events about work given to another agent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HookBinding;
use crate::delegation::{Order, Returned};
use crate::event::Status;
use crate::hook::Brief;

/// How an agent other than a run's first one works, as the run's first event keeps it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentBinding {
    /// Its hooks in the order in which they run.
    pub hooks: Vec<HookBinding>,
    /// Whether memory is shown to it and may be written by it.
    pub memory: bool,
    /// Model calls at the most where it is a subagent.
    pub max_turns: u32,
    /// JSON Schema of its output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<serde_json::Value>,
}

/// A subagent begins. What follows is its work, up to the event that says that it is over.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubagentStarted {
    /// Id of the call that asked for it.
    pub call: String,
    /// The agent that spawned it.
    pub parent: String,
    /// What it is to do, as the hooks left it.
    pub order: Order,
    /// Model calls at the most.
    pub turns_max: u32,
}

/// A subagent is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubagentFinished {
    /// Id of the call that asked for it.
    pub call: String,
    /// Its name.
    pub agent: String,
    /// How it ended.
    pub status: Status,
    /// Why, where it did not end well.
    pub reason: Option<String>,
    /// What it gives back, as it was read from its last answer; none where it did not end well.
    pub summary: Option<Returned>,
    /// What the agent that spawned it reads, as the hooks left it.
    pub text: String,
}

/// An agent handed over to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HandoffMade {
    /// Id of the call that asked for it.
    pub call: String,
    /// Who hands over.
    pub source: String,
    /// Who takes over.
    pub target: String,
    /// What it is told, as the hooks left it.
    pub brief: Brief,
}
