//! Events about what a person is asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CallReport;
use crate::point::Point;
use crate::question::{Decision, Outcome, Question};

/// A hook asked the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionAsked {
    /// The hook.
    pub hook: String,
    /// Where it ran.
    pub point: Point,
    /// The question.
    pub question: Question,
    /// Its hash: the answer is bound to it.
    pub hash: String,
    /// What the call used until it asked: when it is run again it is told the same.
    #[serde(default)]
    pub report: CallReport,
}

/// The person decided on one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemDecided {
    /// Hash of the question.
    pub hash: String,
    /// The decision.
    pub decision: Decision,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

/// A question has its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionAnswered {
    /// Hash of the question.
    pub hash: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Who or what answered: `person`, `answers-file`, `accept`, `dismiss`.
    pub by: String,
    /// How long it took, in milliseconds, over this sitting.
    pub elapsed_ms: u64,
}
