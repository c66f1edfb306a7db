//! A model that guests may ask: who answers them is the host's business.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ta_core::event::Input;
use ta_core::model::BoxFuture;

/// What a guest asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelQuestion {
    /// What the model is to be.
    pub system: String,
    /// What it is asked.
    pub prompt: String,
    /// Tokens of the answer at the most.
    pub max_tokens: u32,
}

impl ModelQuestion {
    /// The import with what it is asked, as a call's report names it.
    #[must_use]
    pub fn import(&self) -> String {
        let asked = serde_json::to_vec(self).unwrap_or_default();
        format!("model.ask {}", hex::encode(Sha256::digest(asked)))
    }
}

/// Why there is no answer, each with a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoAnswer {
    /// It was not granted.
    Denied(String),
    /// Nobody can be asked.
    Unavailable(String),
    /// What may be asked or spent is used up.
    OverBudget(String),
    /// It is longer than may be asked.
    TooLong(String),
}

/// What a call was told before it makes a request, and the texts that belong to it: in the journal before the request is made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SoFar {
    /// What it was told, in order.
    pub inputs: Vec<Input>,
    /// Answers as JSON, and texts of files.
    pub blobs: Vec<Vec<u8>>,
}

/// Who answers guests. An answer is in the journal, with what it cost, before it is given.
pub trait GuestModel: Send + Sync {
    /// Answers one question.
    fn ask(&self, question: ModelQuestion, so_far: SoFar) -> BoxFuture<'_, Result<String, NoAnswer>>;
}
