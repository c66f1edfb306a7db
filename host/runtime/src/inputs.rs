//! What calls were told before, from the journal.

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
