//! What a call is told from outside itself: noted down, so that it can be told the same again.
//!
//! A guest's answer depends on its event, its own bytes and what its imports answer. The first two are in the journal; this
//! is the third. A call that is run again after a question, and a replay, are told what was noted instead of what the
//! world would say now.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use ta_core::event::Input;
use wasmtime::Result;

use crate::failure::Stop;
use crate::state::State;

/// What calls were told before.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// Answers of imports as JSON, in order, by the import and what it was asked.
    pub inputs: BTreeMap<String, Vec<Vec<u8>>>,
    /// Texts of files, by path.
    pub files: BTreeMap<String, String>,
    /// Whether what is not noted is asked of the world; otherwise the call ends with `replay.unrecorded`.
    pub otherwise_live: bool,
}

impl Told {
    /// Takes in an answer of an import.
    pub fn input(&mut self, import: &str, answer: Vec<u8>) {
        self.inputs.entry(import.to_owned()).or_default().push(answer);
    }

    /// Adds what another call was told, where this one was not told itself.
    pub fn fill(&mut self, other: &Self) {
        for (import, answers) in &other.inputs {
            self.inputs.entry(import.clone()).or_insert_with(|| answers.clone());
        }
        for (path, text) in &other.files {
            self.files.entry(path.clone()).or_insert_with(|| text.clone());
        }
    }
}

/// An answer that was given in this call.
pub(crate) struct Answer {
    pub(crate) import: String,
    pub(crate) json: Vec<u8>,
}

impl Answer {
    pub(crate) fn input(&self) -> Input {
        Input { import: self.import.clone(), sha256: hex::encode(Sha256::digest(&self.json)) }
    }
}

impl State {
    /// What was noted for this import at this place, where the call is run again.
    ///
    /// # Errors
    /// `replay.unrecorded` where nothing was noted and the world is not to be asked.
    pub(crate) fn noted<T: DeserializeOwned>(&self, import: &str) -> Result<Option<T>> {
        let Some(told) = &self.invocation.told else { return Ok(None) };
        let place = self.trail.answers.iter().filter(|answer| answer.import == import).count();
        let answers = told.inputs.get(import);
        // A component that takes another's place may ask more often; it is told the last answer again.
        let noted = answers.and_then(|answers| answers.get(place).or_else(|| answers.last()));
        match noted.map(|json| serde_json::from_slice(json)) {
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(error)) => Err(Stop::limit("replay.unreadable", format!("`{import}` was noted wrongly: {error}"))),
            None if told.otherwise_live => Ok(None),
            None => Err(unrecorded(import)),
        }
    }

    /// Notes down what an import answers.
    pub(crate) fn note<T: Serialize>(&mut self, import: &str, value: &T) {
        let json = serde_json::to_vec(value).unwrap_or_default();
        let answer = Answer { import: import.to_owned(), json };
        self.trail.answers.push(answer);
    }

    /// What an import answers: as it was noted, or as the world says, and noted down.
    pub(crate) fn told<T: Serialize + DeserializeOwned>(
        &mut self,
        import: &str,
        live: impl FnOnce(&Self) -> T,
    ) -> Result<T> {
        let value = match self.noted(import)? {
            Some(value) => value,
            None => live(self),
        };
        self.note(import, &value);
        Ok(value)
    }
}

/// The end of a call that asks for something that was not noted.
pub(crate) fn unrecorded(import: &str) -> wasmtime::Error {
    Stop::limit("replay.unrecorded", format!("it asked for `{import}`, which the journal does not hold"))
}
