//! Events of flows: steps, what was said, what was shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CallReport;
use crate::flow::{FlowEvent, FlowStep, ShownMessage};
use crate::hook::CallContext;

/// A flow's component was called and stepped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlowStepped {
    /// The flow.
    pub flow: String,
    /// SHA-256 of its component.
    pub sha256: String,
    /// What it was told about the run.
    pub context: CallContext,
    /// What it was told.
    pub event: FlowEvent,
    /// What it answered.
    pub step: FlowStep,
    /// What the call used.
    pub report: CallReport,
}

/// A flow's component failed: the exchange is undone, and the run waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlowFailed {
    /// The flow.
    pub flow: String,
    /// SHA-256 of its component.
    pub sha256: String,
    /// A stable word, such as `hook.deadline`.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What the call used.
    pub report: CallReport,
}

/// The person said something to a flow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageSaid {
    /// In which role.
    pub role: String,
    /// Their words.
    pub text: String,
    /// Who or what said it: `person`, `answers-file`.
    pub by: String,
    /// How long they took, in milliseconds, over this sitting.
    pub elapsed_ms: u64,
}

/// The person was shown something, after every hook had let it pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessagesShown {
    /// The flow, or the hook that withheld what the person said.
    pub by: String,
    /// The messages.
    pub messages: Vec<ShownMessage>,
}
