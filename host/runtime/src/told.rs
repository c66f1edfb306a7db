//! What calls were told before, from the journal.

use ta_core::event::CallReport;
use ta_sandbox::Told;
use ta_store::Store;

use crate::error::RuntimeError;

/// What the call of this report was told.
///
/// # Errors
/// Where the journal does not hold it.
pub async fn told(store: &dyn Store, report: &CallReport) -> Result<Told, RuntimeError> {
    let mut told = Told::default();
    for read in &report.reads {
        let text = String::from_utf8(blob(store, &read.sha256, &read.path).await?).map_err(|_| {
            let message = format!("the journal holds {} as something that is no text", read.path);
            RuntimeError::environment(
                "store.corrupt",
                message,
                "put a backup in its place with `teacher-assist restore FILE`",
            )
        })?;
        told.files.insert(read.path.clone(), text);
    }
    for input in &report.inputs {
        told.input(&input.import, blob(store, &input.sha256, &input.import).await?);
    }
    Ok(told)
}

/// A text or a component that belongs to the journal.
///
/// # Errors
/// `store.corrupt` where it is missing.
pub async fn blob(store: &dyn Store, sha256: &str, what: &str) -> Result<Vec<u8>, RuntimeError> {
    store.blob(sha256).await?.ok_or_else(|| {
        let message = format!("the journal does not hold what belongs to it: {what} ({sha256})");
        RuntimeError::environment(
            "store.corrupt",
            message,
            "put a backup in its place with `teacher-assist restore FILE`",
        )
    })
}
