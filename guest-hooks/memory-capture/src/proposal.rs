//! One thing that could be remembered.

use ta_guest::memory_update::NewNote;

use crate::words::{cut, escaped, one_line, slug};

/// Longest note: what the host takes, with room to spare.
const TEXT_CHARS_MAX: usize = 300;

/// Longest piece of evidence, and how many go with a note.
const EVIDENCE_CHARS_MAX: usize = 240;
const EVIDENCE_MAX: usize = 6;

/// The file of working notes in each scope.
pub(crate) const WORKING_FILE: &str = "working-notes.md";

/// Whom a note is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    Teacher,
    Class(String),
}

impl Scope {
    /// The entry point of memory that its notes go to.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Teacher => "memory/MEMORY.md".into(),
            Self::Class(class) => format!("memory/classes/{class}/MEMORY.md"),
        }
    }

    /// Where a model keeps what it noted while it worked.
    pub(crate) fn working_notes(&self) -> String {
        format!("{}{WORKING_FILE}", self.directory())
    }

    /// The directory that all its notes lie in.
    pub(crate) fn directory(&self) -> String {
        self.path().trim_end_matches("MEMORY.md").to_owned()
    }

    fn label(&self) -> String {
        match self {
            Self::Teacher => "About your planning".into(),
            Self::Class(class) => format!("About {class}"),
        }
    }
}

/// What could be remembered, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    pub(crate) scope: Scope,
    pub(crate) text: String,
    /// One of the kinds of the contract.
    pub(crate) kind: &'static str,
    /// 0 to 100.
    pub(crate) importance: u8,
    /// A sentence to the teacher.
    pub(crate) reason: String,
    pub(crate) evidence: Vec<String>,
    /// Whether the text is the teacher's own, word for word.
    pub(crate) own_words: bool,
    /// The working note that it comes from.
    pub(crate) noted: Option<Noted>,
}

/// A working note, which goes when the teacher has decided on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Noted {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Proposal {
    pub(crate) fn new(scope: Scope, kind: &'static str, importance: u8, text: &str, reason: String) -> Self {
        let text = cut(&one_line(text), TEXT_CHARS_MAX);
        Self { scope, text, kind, importance, reason, evidence: Vec::new(), own_words: false, noted: None }
    }

    pub(crate) fn evidence(mut self, evidence: impl IntoIterator<Item = String>) -> Self {
        let room = EVIDENCE_MAX.saturating_sub(self.evidence.len());
        self.evidence.extend(evidence.into_iter().take(room).map(|it| cut(&one_line(&it), EVIDENCE_CHARS_MAX)));
        self
    }

    /// Its name in answers: the same for the same text, in every run.
    pub(crate) fn id(&self) -> String {
        slug(&self.text)
    }

    pub(crate) fn label(&self) -> String {
        format!("{}: {}", self.scope.label(), self.text)
    }

    /// Reason and evidence, as markdown that is only text.
    pub(crate) fn detail(&self) -> String {
        let mut detail = escaped(&self.reason);
        if !self.evidence.is_empty() {
            detail.push('\n');
        }
        for evidence in &self.evidence {
            detail.push_str(&format!("\n- {}", escaped(evidence)));
        }
        detail
    }

    pub(crate) fn note(&self, text: &str) -> NewNote {
        NewNote {
            text: text.to_owned(),
            kind: self.kind.into(),
            importance: self.importance,
            evidence: self.evidence.clone(),
        }
    }
}
