//! All pages of a large journal, looked through while work goes on.
//!
//! Until that is done the log is not folded into the file: where damage is found, the file is as it was to the byte, and
//! nothing more is written.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use super::open::{check_pages, named, reader};
use crate::error::StoreError;

/// A thread that looks through all pages.
pub(super) struct Look {
    verdict: Arc<OnceLock<Result<(), StoreError>>>,
    thread: Option<JoinHandle<()>>,
}

impl Look {
    pub(super) fn begin(path: &Path) -> Result<Self, StoreError> {
        let connection = reader(path)?;
        let verdict = Arc::new(OnceLock::new());
        let (path, said) = (path.to_owned(), Arc::clone(&verdict));
        let look = move || {
            let found = check_pages(&connection).map_err(|error| named(&path, error));
            // It is said once.
            let _ = said.set(found);
        };
        let thread = thread::Builder::new().name("journal-look".into()).spawn(look);
        let failed =
            |error: std::io::Error| StoreError::Failed { doing: "starting a thread".into(), reason: error.to_string() };
        Ok(Self { verdict, thread: Some(thread.map_err(failed)?) })
    }

    pub(super) fn is_done(&self) -> bool {
        self.verdict.get().is_some()
    }

    /// What was found, when it is done.
    pub(super) fn end(mut self) -> Result<(), StoreError> {
        if let Some(thread) = self.thread.take() {
            // Where it panicked there is no verdict.
            let _ = thread.join();
        }
        self.verdict.get().cloned().unwrap_or(Err(StoreError::Closed))
    }
}
