//! What need not be proposed: memory holds it, or the teacher has decided on it before.

use std::collections::BTreeSet;

use ta_guest::memory::File;
use ta_guest::{journal, sessions};

use crate::proposal::{Proposal, Scope};
use crate::words::{alike, words};

/// Id of the question; earlier ones are found by it.
pub(crate) const MEMORY: &str = "memory";

/// Lines that a proposal is compared with, the entry points' first: three of their length.
const LINES_MAX: usize = 600;

/// A line of memory, as words.
struct Line {
    path: String,
    words: Vec<String>,
    /// Whether it is a note that was confirmed or made, rather than a line shown in a note's place in this run.
    recorded: bool,
}

/// What is known already.
#[derive(Default)]
pub(crate) struct Known {
    lines: Vec<Line>,
    decided: BTreeSet<String>,
}

impl Known {
    pub(crate) fn remember_file(&mut self, file: &File) {
        let recorded: BTreeSet<&str> = file.notes.iter().map(|note| note.text.trim()).collect();
        for line in file.text.lines().take(LINES_MAX.saturating_sub(self.lines.len())) {
            let text = line.trim().trim_start_matches(['-', '*', ' ']);
            let words = words(text);
            if !words.is_empty() {
                self.lines.push(Line { path: file.path.clone(), words, recorded: recorded.contains(text) });
            }
        }
    }

    /// Items that were dismissed in an earlier run.
    pub(crate) fn dismissed(&mut self, runs: &[sessions::PastRun]) {
        let asked = runs.iter().flat_map(|run| &run.questions).filter(|asked| asked.question == MEMORY);
        let decisions = asked.flat_map(|asked| &asked.decisions).filter(|decision| decision.choice == "dismiss");
        self.decided.extend(decisions.map(|decision| decision.item.clone()));
    }

    /// Items that were decided on in an earlier round of this run, in whatever way.
    pub(crate) fn decided<'a>(&mut self, earlier: impl Iterator<Item = &'a journal::Asked>) {
        self.decided.extend(earlier.flat_map(|asked| &asked.decisions).map(|decision| decision.item.clone()));
    }

    pub(crate) fn holds(&self, proposal: &Proposal) -> bool {
        let telling = words(&proposal.text);
        // The teacher's own words may stand in a note's place already, but only for this run.
        let counts = |line: &&Line| line.recorded || !proposal.own_words;
        let near = |line: &&Line| in_scope(&line.path, &proposal.scope);
        let lines = self.lines.iter().filter(near).filter(counts);
        self.decided.contains(&proposal.id()) || lines.into_iter().any(|line| alike(&telling, &line.words))
    }
}

/// Whether a file lies in a scope, or in the teacher's, which holds for every class.
fn in_scope(path: &str, scope: &Scope) -> bool {
    let of_teacher = !path.starts_with("memory/classes/");
    of_teacher || (*scope != Scope::Teacher && path.starts_with(&scope.directory()))
}
