//! What guests ask for from outside, and what they are told: one pair for the person, a model and other tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CallReport, Input};
use crate::message::Usage;
use crate::point::Point;
use crate::question::Outcome;
use crate::request::Request;

/// A guest asks for something from outside, and its call ends there; or the host asks the person on its own behalf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestMade {
    /// Names it within the run: the call that it is made in, and its number there.
    pub id: String,
    /// The hook, the component of the tool, or the flow; `host` where the host itself asks.
    pub by: String,
    /// Where the hook ran; none where no hook asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Id of the tool call within which it is made; none where no tool asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The how-manieth thing that the call is told from outside, counted from 1.
    pub number: u32,
    /// SHA-256 of what is asked for, and of what the answer is bound to besides.
    pub hash: String,
    /// What is asked for.
    pub request: Request,
    /// What the call used until then. When it is run again, it is told the same.
    pub report: CallReport,
}

impl RequestMade {
    /// The import with what it was asked, as a report names it.
    #[must_use]
    pub fn import(&self) -> String {
        self.request.import(&self.hash)
    }
}

/// A request has its answer, good or bad.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestAnswered {
    /// As when it was made.
    pub id: String,
    /// As when it was made.
    pub by: String,
    /// As when it was made.
    pub hash: String,
    /// SHA-256 of what the guest is told, as JSON, kept beside the journal: it is told the same whenever it is run again.
    pub sha256: String,
    /// What became of it.
    pub answer: RequestAnswer,
}

/// What became of a request, beside what the guest is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RequestAnswer {
    /// Of a question to the person.
    Ask {
        /// What they said.
        outcome: Outcome,
        /// Who or what answered: `person`, `answers-file`, `accept`, `dismiss`.
        answered_by: String,
        /// How long it took, in milliseconds, over this sitting.
        elapsed_ms: u64,
    },
    /// Of a question to a model.
    Model {
        /// Tokens of the call.
        usage: Usage,
        /// What it cost, in US dollars; 0 where no price is known.
        cost_usd: f64,
        /// Wall time in milliseconds.
        elapsed_ms: u64,
        /// Code of the error, where there was no answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
    /// Of the call of a tool, once the hooks after a tool have seen it.
    Tool {
        /// A stable word where it came to nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
}

impl RequestAnswered {
    /// The person's answer, where the person was asked.
    #[must_use]
    pub const fn outcome(&self) -> Option<&Outcome> {
        match &self.answer {
            RequestAnswer::Ask { outcome, .. } => Some(outcome),
            RequestAnswer::Model { .. } | RequestAnswer::Tool { .. } => None,
        }
    }

    /// What the guest is told, as its report names it.
    #[must_use]
    pub fn input(&self, import: String) -> Input {
        Input { import, sha256: self.sha256.clone() }
    }
}
