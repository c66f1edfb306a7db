//! What decides how a run goes on, as its first event keeps it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::OnFailure;
use crate::kind::Kind;
use crate::point::Point;

/// What bounds a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Model calls at the most.
    pub max_turns: u32,
    /// US dollars at the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_budget_usd: Option<f64>,
    /// Tokens at the most, sent and received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Minutes at the most that the run is at work; the time that a person takes is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_minutes: Option<u32>,
    /// Tokens that one answer may have; the provider's own limit where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    /// Messages in a row in which one tool only failed that a run may have: with one more it ends.
    pub max_tool_retries: u32,
    /// Turns in a row without progress before the run ends.
    pub max_no_progress_iterations: u32,
    /// Whether a stalled run is asked once for a last answer before it ends.
    pub force_finalize_on_stall: bool,
    /// Rounds of rework at the most, over all hooks.
    pub max_rework_rounds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_turns: 25,
            max_budget_usd: None,
            max_tokens: None,
            max_minutes: None,
            max_output_tokens: None,
            max_tool_retries: 3,
            max_no_progress_iterations: 3,
            force_finalize_on_stall: false,
            max_rework_rounds: 20,
        }
    }
}

/// What a call is reckoned at before it is made, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallPrice {
    /// Tokens sent, at the dearest: as if all were put into the provider's cache.
    pub input_usd: f64,
    /// Tokens received.
    pub output_usd: f64,
    /// Most tokens sent for which the price holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens_max: Option<u64>,
}

impl CallPrice {
    /// What a call of this size costs at the most; none where the price does not hold for it.
    #[must_use]
    pub fn usd(&self, input_tokens: u64, output_tokens: u64) -> Option<f64> {
        let known = self.input_tokens_max.is_none_or(|most| input_tokens <= most);
        known.then(|| self.usd_at_least(input_tokens, output_tokens))
    }

    /// The same for what has been sent already: where it is longer than the price is for, it was no cheaper.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below the 52 bits that a float keeps")]
    pub fn usd_at_least(&self, input_tokens: u64, output_tokens: u64) -> f64 {
        const MILLION: f64 = 1_000_000.0;
        (input_tokens as f64 * self.input_usd + output_tokens as f64 * self.output_usd) / MILLION
    }
}

impl CallPrice {
    /// The dearer of two, in every respect: what holds whichever of them is paid.
    #[must_use]
    pub fn dearer(self, other: Self) -> Self {
        let input_tokens_max = match (self.input_tokens_max, other.input_tokens_max) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self {
            input_usd: self.input_usd.max(other.input_usd),
            output_usd: self.output_usd.max(other.output_usd),
            input_tokens_max,
        }
    }
}

/// A model that takes over where the run's own cannot answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SecondModel {
    /// Name of the provider.
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
    /// Where the provider was said to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// What a call of it is reckoned at; none where no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<CallPrice>,
}

impl SecondModel {
    /// As `provider/model`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }
}

/// A hook at a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HookBinding {
    /// The hook's name, which is its component's.
    pub hook: String,
    /// Where it runs.
    pub point: Point,
    /// What its failure means.
    pub on_failure: OnFailure,
}

/// Which component ran, with which rights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComponentPin {
    /// SHA-256 of its bytes in hexadecimal; the bytes are kept under this digest.
    pub sha256: String,
    /// What it is for.
    pub kind: Kind,
    /// Fuel of one call.
    pub fuel: u64,
    /// CPU time of one call in milliseconds.
    pub cpu_ms: u64,
    /// Linear memory of one call in bytes.
    pub memory_bytes: u64,
    /// Questions that one call may put to a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_calls: Option<u32>,
    /// Capabilities that its manifest asks for.
    pub asks: Vec<String>,
    /// Capabilities that it is granted.
    pub granted: Vec<String>,
    /// Its configuration.
    pub config: BTreeMap<String, String>,
}

/// The model that guests may ask in a run, and what all of them together may use of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuestModel {
    /// Name of the provider.
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
    /// Where the provider was said to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// What a call is reckoned at before it is made; none where no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<CallPrice>,
    /// Calls at the most, over all guests.
    pub max_calls: u32,
    /// Tokens at the most, sent and received.
    pub max_tokens: u64,
    /// US dollars at the most.
    pub max_usd: f64,
}
