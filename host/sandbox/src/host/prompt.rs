//! `prompt`: corrections of what the prompt shows.

use ta_core::hook::Correction;
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::prompt;
use crate::limits::CORRECTIONS_MAX;
use crate::state::State;

impl prompt::Host for State {
    fn correct(&mut self, corrections: Vec<prompt::Correction>) -> Result<std::result::Result<(), String>> {
        self.enter()?;
        if self.trail.corrections.len() + corrections.len() > CORRECTIONS_MAX {
            return Ok(Err(format!("one call makes at most {CORRECTIONS_MAX} corrections")));
        }
        if let Some(empty) = corrections.iter().find(|it| it.old.trim().is_empty()) {
            return Ok(Err(format!("a correction of `{}` says nothing of what it corrects", empty.source)));
        }
        let corrections =
            corrections.into_iter().map(|it| Correction { source: it.source, old: it.old, new: it.new, why: it.why });
        self.trail.corrections.extend(corrections);
        Ok(Ok(()))
    }
}
