//! What a call is told from outside itself: noted down, so that it can be told the same again.
//!
//! A guest's answer depends on its event, its own bytes and what its imports answer. The first two are in the journal; this
//! is the third: one sequence of everything that reads the world, files and requests alike. A call that is run again after
//! a request, and a replay, are told what was noted at each place instead of what the world would say now. After the last
//! of it the world is live, or there is nothing more. A call that asks for something else than it did is told so by name,
//! never by an answer to another question.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use ta_core::event::Input;
use ta_core::request::Request;
use wasmtime::Result;

use crate::call::CallOutcome;
use crate::failure::Stop;
use crate::invocation::Requested;
use crate::state::State;

/// The import of a file's text, which is told by its digest.
pub const READ: &str = "workspace.read ";

/// What a call was told before.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// Imports, each with its answer as JSON, in the order in which they were called.
    pub sequence: Vec<(String, Vec<u8>)>,
    /// Texts of files, by SHA-256.
    pub texts: BTreeMap<String, String>,
    /// How it is told again.
    pub playback: Playback,
}

/// How a call is told again what was noted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Playback {
    /// The same call: each at its place, then the world is asked.
    #[default]
    ThenLive,
    /// The same call: each at its place, and nothing more.
    ThenNothing,
    /// Another component in the place of the one that ran: each where it is asked for, as often as it is.
    ByImport,
}

impl Inputs {
    /// What a call was told until it ended, and the answer to what it asked for, to go on with.
    #[must_use]
    pub fn answered<T>(outcome: CallOutcome<T>, import: String, json: Vec<u8>) -> Self {
        let imports = outcome.report.inputs.into_iter().map(|input| input.import);
        let mut sequence: Vec<(String, Vec<u8>)> = imports.zip(outcome.answers).collect();
        sequence.push((import, json));
        let digests = outcome.report.reads.into_iter().map(|read| read.sha256);
        Self { sequence, texts: digests.zip(outcome.read_texts).collect(), playback: Playback::ThenLive }
    }

    /// Adds what another call was told, where this one was not told itself.
    pub fn fill(&mut self, other: &Self) {
        let own: std::collections::BTreeSet<String> = self.sequence.iter().map(|(import, _)| import.clone()).collect();
        self.sequence.extend(other.sequence.iter().filter(|(import, _)| !own.contains(import)).cloned());
        for (sha256, text) in &other.texts {
            self.texts.entry(sha256.clone()).or_insert_with(|| text.clone());
        }
    }

    /// What was noted for an import at a place of the call; `before` counts its earlier calls of the same import.
    fn at(&self, place: usize, import: &str, before: usize) -> Result<Option<&[u8]>> {
        if self.playback == Playback::ByImport {
            let mut answers = self.sequence.iter().filter(|(it, _)| it == import).map(|(_, json)| json.as_slice());
            let last = answers.clone().next_back();
            return Ok(answers.nth(before).or(last));
        }
        match self.sequence.get(place) {
            None => Ok(None),
            Some((noted, json)) if noted == import => Ok(Some(json)),
            Some((noted, _)) => {
                let number = place.saturating_add(1);
                let reason = format!(
                    "what it asked for at first as number {number} was `{noted}`, and when it was run again `{import}`"
                );
                Err(Stop::limit("hook.divergence", reason))
            }
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
    fn noted_json(&self, import: &str) -> Result<Option<&[u8]>> {
        let Some(inputs) = &self.invocation.inputs else { return Ok(None) };
        let before = self.trail.answers.iter().filter(|answer| answer.import == import).count();
        inputs.at(self.trail.answers.len(), import, before)
    }

    /// What was noted for this import at this place, where the call is run again.
    ///
    /// # Errors
    /// `hook.divergence` where something else was asked for at this place, `replay.unrecorded` where nothing was noted and
    /// the world is not to be asked.
    pub(crate) fn noted<T: DeserializeOwned>(&self, import: &str) -> Result<Option<T>> {
        match self.noted_or_none(import)? {
            None if !self.live() => Err(unrecorded(import)),
            noted => Ok(noted),
        }
    }

    /// What a request was answered. Where nothing was noted the call ends with it: a replay comes to that end as well.
    ///
    /// # Errors
    /// The end of the call; `hook.divergence` where something else was asked for at this place.
    pub(crate) fn request<T: Serialize + DeserializeOwned>(&mut self, request: Request) -> Result<T> {
        let hash = request.hash();
        let import = request.import(&hash);
        let Some(answer) = self.noted_or_none(&import)? else {
            let number = u32::try_from(self.trail.answers.len()).unwrap_or(u32::MAX).saturating_add(1);
            return Err(wasmtime::Error::new(Stop::Requested(Box::new(Requested { request, hash, number }))));
        };
        self.note(&import, &answer);
        Ok(answer)
    }

    fn noted_or_none<T: DeserializeOwned>(&self, import: &str) -> Result<Option<T>> {
        let unreadable = |error| Stop::limit("replay.unreadable", format!("`{import}` was noted wrongly: {error}"));
        self.noted_json(import)?.map(|json| serde_json::from_slice(json).map_err(unreadable)).transpose()
    }

    /// Whether the world is asked for what is not noted.
    fn live(&self) -> bool {
        self.invocation.inputs.as_ref().is_none_or(|inputs| inputs.playback == Playback::ThenLive)
    }

    /// The text of a file that was told by its digest.
    pub(crate) fn noted_text(&self, sha256: &str) -> Result<String> {
        let text = self.invocation.inputs.as_ref().and_then(|inputs| inputs.texts.get(sha256));
        text.cloned().ok_or_else(|| unrecorded(&format!("the file of SHA-256 {sha256}")))
    }

    /// Notes down what an import answers.
    pub(crate) fn note<T: Serialize>(&mut self, import: &str, value: &T) {
        let json = serde_json::to_vec(value).unwrap_or_default();
        let answer = Answer { import: import.to_owned(), json };
        self.trail.answers.push(answer);
    }

    /// What an import answers: as it was noted, or as the world says, and noted down.
    pub(crate) fn input<T: Serialize + DeserializeOwned>(
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

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(playback: Playback) -> Inputs {
        let sequence = [("memory.files", "1"), ("ask 1", "3"), ("memory.files", "2")];
        let sequence = sequence.map(|(import, json)| (import.to_owned(), json.as_bytes().to_vec())).to_vec();
        Inputs { sequence, playback, ..Inputs::default() }
    }

    #[test]
    fn each_place_is_told_its_own_answer_and_after_the_last_there_is_none() {
        for playback in [Playback::ThenLive, Playback::ThenNothing] {
            let inputs = inputs(playback);
            assert_eq!(inputs.at(0, "memory.files", 0).unwrap(), Some(&b"1"[..]));
            assert_eq!(inputs.at(2, "memory.files", 1).unwrap(), Some(&b"2"[..]));
            assert_eq!(inputs.at(3, "memory.files", 2).unwrap(), None, "never the last one again");
        }
    }

    #[test]
    fn another_request_at_a_place_is_a_divergence_that_names_both() {
        let error = inputs(Playback::ThenLive).at(1, "memory.files", 1).unwrap_err();
        let failure = crate::failure::of_error(&error, false);
        assert_eq!(failure.code, "hook.divergence");
        assert!(failure.reason.contains("number 2 was `ask 1`") && failure.reason.ends_with("`memory.files`"));
    }

    #[test]
    fn another_component_is_told_by_import_and_at_the_end_the_last_again() {
        let inputs = inputs(Playback::ByImport);
        for (before, json) in [(0, "1"), (1, "2"), (7, "2")] {
            assert_eq!(inputs.at(0, "memory.files", before).unwrap(), Some(json.as_bytes()));
        }
        assert_eq!(inputs.at(0, "tasks", 0).unwrap(), None);
    }
}
