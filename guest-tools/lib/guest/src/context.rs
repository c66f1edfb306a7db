//! What a context says, and contexts and events to start from in a guest's own tests.

use crate::types::{Context, Subject};

impl Context {
    /// The context of a run about this, for a guest's own tests.
    #[must_use]
    pub fn of(kind: &str, id: &str) -> Self {
        Self { subject: Some(Subject { kind: kind.into(), id: id.into() }), ..Self::default() }
    }

    /// Which one of a kind the run is about: `about("class")` is `3B`.
    #[must_use]
    pub fn about(&self, kind: &str) -> Option<&str> {
        self.subject.as_ref().filter(|subject| subject.kind == kind).map(|subject| subject.id.as_str())
    }
}

/// The context of no run in particular: every text empty, every number 0.
impl Default for Context {
    fn default() -> Self {
        Self {
            run: String::new(),
            session: String::new(),
            plugin: String::new(),
            command: String::new(),
            agent: String::new(),
            subject: None,
            input: String::new(),
            turn: 0,
            rework_round: 0,
            extra: Vec::new(),
        }
    }
}

/// The event of no request in particular, to start from in a guest's own tests.
#[cfg(feature = "pre-loop")]
impl Default for crate::pre_loop::Event {
    fn default() -> Self {
        Self { input: String::new(), subjects: Vec::new(), facts: None }
    }
}

/// The event of no output in particular, likewise.
#[cfg(feature = "post-loop")]
impl Default for crate::post_loop::Event {
    fn default() -> Self {
        Self {
            output: String::new(),
            shown: Vec::new(),
            parts: Vec::new(),
            reads: Vec::new(),
            accepted: Vec::new(),
            decisions: Vec::new(),
            facts: None,
        }
    }
}
