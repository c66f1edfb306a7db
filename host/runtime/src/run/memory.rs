//! Memory of a run: what of it goes into the prompt, and what the run leaves behind.

use ta_core::event::{Event, MemoryConsolidated, MemoryWritten};
use ta_core::memory::consolidate::{consolidate, scopes};
use ta_core::memory::score::Words;
use ta_core::memory::select::{TOKENS_MAX, select};
use ta_core::memory::{MemoryPath, Selection};
use ta_core::prompt::{PromptFile, PromptParts};
use ta_store::Store;

use super::drive::Driver;
use crate::error::RuntimeError;
use crate::host::now_ms;

/// Who changes memory at the end of a run, in `MemoryWritten::by`.
pub(super) const CONSOLIDATION: &str = "consolidation";

/// Puts what of an owner's memory goes into the prompt into its parts: of the owner's entry point and of the class's.
pub(super) async fn remember(
    store: &dyn Store,
    owner: &str,
    class: Option<&str>,
    input: &str,
    parts: &mut PromptParts,
) -> Result<Vec<Selection>, RuntimeError> {
    let mut selections = Vec::new();
    parts.teacher_memory = chosen(store, owner, None, input, &mut selections).await?;
    if class.is_some() {
        parts.class_memory = chosen(store, owner, class, input, &mut selections).await?;
    }
    Ok(selections)
}

async fn chosen(
    store: &dyn Store,
    owner: &str,
    class: Option<&str>,
    input: &str,
    selections: &mut Vec<Selection>,
) -> Result<Option<PromptFile>, RuntimeError> {
    let path = MemoryPath::entry(class);
    let Some(file) = store.memory_file(owner, &path).await? else { return Ok(None) };
    let about = Words::of([input].into_iter().chain(class));
    let (text, selection) = select(&file, &about, now_ms(), TOKENS_MAX);
    selections.push(selection);
    Ok((!text.is_empty()).then(|| PromptFile { path: path.to_string(), text }))
}

impl Driver<'_> {
    /// Scores the working notes of owner and class, and the changes that follow: nothing where there are none.
    pub(super) async fn consolidation(&self, output: &str) -> Result<Vec<Event>, RuntimeError> {
        let start = self.machine.start();
        if !start.memory {
            return Ok(Vec::new());
        }
        let about = Words::of([start.input.as_str(), output].into_iter().chain(start.about()));
        let mut notes = Vec::new();
        let mut changes = Vec::new();
        for (working, entry) in scopes(start.about()) {
            let working = self.store.memory_file(&start.owner, &working).await?;
            let entry = self.store.memory_file(&start.owner, &entry).await?;
            let (scored, wanted) = consolidate(working.as_ref(), entry.as_ref(), &about, now_ms());
            notes.extend(scored);
            changes.extend(wanted);
        }
        if notes.is_empty() {
            return Ok(Vec::new());
        }
        let written = |change| {
            let (owner, by) = (start.owner.clone(), CONSOLIDATION.to_owned());
            Event::MemoryWritten(Box::new(MemoryWritten { owner, by, change }))
        };
        let scored = Event::MemoryConsolidated(MemoryConsolidated { owner: start.owner.clone(), notes });
        Ok(std::iter::once(scored).chain(changes.into_iter().map(written)).collect())
    }
}
