//! What calls were told before, from the journal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ta_core::event::Input;
use ta_sandbox::{Inputs, Playback, READ};
use ta_store::Store;

use crate::error::RuntimeError;

/// What a call was told, to be told again.
///
/// # Errors
/// Where the journal does not hold it.
pub async fn recorded(store: &dyn Store, inputs: &[Input], playback: Playback) -> Result<Inputs, RuntimeError> {
    let mut recorded = Inputs { playback, ..Inputs::default() };
    for input in inputs {
        let json = blob(store, &input.sha256, &input.import).await?;
        if input.import.starts_with(READ)
            && let Ok(Ok(sha256)) = serde_json::from_slice::<Result<String, serde_json::Value>>(&json)
        {
            let text = String::from_utf8(blob(store, &sha256, &input.import).await?);
            let what = || corrupt(format!("the journal holds `{}` as something that is no text", input.import));
            recorded.texts.insert(sha256, text.map_err(|_| what())?);
        }
        recorded.sequence.push((input.import.clone(), json));
    }
    Ok(recorded)
}

/// A text or a component that belongs to the journal.
///
/// # Errors
/// `store.corrupt` where it is missing.
pub async fn blob(store: &dyn Store, sha256: &str, what: &str) -> Result<Vec<u8>, RuntimeError> {
    let bytes = store.blob(sha256).await?;
    bytes.ok_or_else(|| lost(sha256, what))
}

/// The error of something that the journal should hold.
pub(crate) fn lost(sha256: &str, what: &str) -> RuntimeError {
    corrupt(format!("the journal does not hold what belongs to it: {what} ({sha256})"))
}

fn corrupt(message: String) -> RuntimeError {
    RuntimeError::environment("store.corrupt", message, "put a backup in its place with `teacher-assist restore FILE`")
}

/// What a call was told, in a form that a file can hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// Imports, each with its answer, in the order in which they were called.
    pub sequence: Vec<(String, serde_json::Value)>,
    /// Texts of files, by the digests that the answers name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
}

impl Told {
    /// To be told again, each where it is asked for: the component may be another than the one that was told.
    #[must_use]
    pub fn into_inputs(self) -> Inputs {
        let json = |(import, answer): (String, serde_json::Value)| (import, answer.to_string().into_bytes());
        let sequence = self.sequence.into_iter().map(json).collect();
        Inputs { sequence, texts: self.texts, playback: Playback::ByImport }
    }
}
