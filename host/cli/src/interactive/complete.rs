//! Completion: commands, and in a request what runs can be about.

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

const SLASH: [&str; 9] =
    ["/help", "/memory ", "/new", "/quit", "/resume ", "/search ", "/sessions", "/trace ", "/undo"];

/// What can be completed.
pub(super) struct Words {
    /// `plugin:command`.
    pub(super) commands: Vec<String>,
    /// Classes of the workspace.
    pub(super) subjects: Vec<String>,
}

impl Words {
    /// Where the word under the cursor begins, and what it could become.
    fn candidates(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let word = line.get(start..).unwrap_or_default();
        let lower = word.to_lowercase();
        let begins = |it: &str| it.to_lowercase().starts_with(&lower);
        if start > 0 {
            let subjects = self.subjects.iter().filter(|subject| begins(subject));
            return (start, subjects.cloned().collect());
        }
        let slash = SLASH.iter().filter(|it| begins(it)).map(|it| (*it).to_owned());
        let commands = self.commands.iter().filter(|it| begins(it)).map(|it| format!("{it} "));
        (0, slash.chain(commands).collect())
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(line.get(..at).unwrap_or(line)))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn commands_first_then_subjects() {
        let words = Words {
            commands: vec!["plans:create".into(), "plans:refine".into()],
            subjects: vec!["1B".into(), "3B".into()],
        };
        assert_eq!(words.candidates("pl"), (0, vec!["plans:create ".into(), "plans:refine ".into()]));
        assert_eq!(words.candidates("/me"), (0, vec!["/memory ".into()]));
        assert_eq!(words.candidates("iteration for 3"), (14, vec!["3B".into()]));
        assert_eq!(words.candidates("iteration for 3b"), (14, vec!["3B".into()]));
        assert_eq!(words.candidates("xyz"), (0, vec![]));
    }
}
