//! All that a call sees, and what it leaves behind.

use std::sync::Arc;

use ta_core::event::Task;
use ta_core::hook::CallContext;
use ta_core::question::Outcome;

use crate::limits::Limits;
use crate::rights::Rights;
use crate::workspace::Workspace;

/// An answer that the journal holds already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// Hash of the question that it answers.
    pub hash: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// A skill's text with its references expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillText {
    /// 2 for the body, 3 for a reference file.
    pub tier: u8,
    /// The text.
    pub text: String,
    /// Problems met on the way.
    pub problems: Vec<String>,
}

/// Where skills come from. What it returns must depend on nothing but the reference.
pub trait SkillReader: Send + Sync {
    /// The text of `name` or `name/file`.
    ///
    /// # Errors
    /// A sentence that says what there is instead.
    fn read(&self, reference: &str) -> Result<SkillText, String>;
}

/// All that a call sees.
#[derive(Clone)]
pub struct Invocation {
    /// What it is told about its run.
    pub context: CallContext,
    /// What it is granted.
    pub rights: Arc<Rights>,
    /// What it may use.
    pub limits: Limits,
    /// The workspace that its directories are in.
    pub workspace: Option<Arc<Workspace>>,
    /// The plugin's skills.
    pub skills: Option<Arc<dyn SkillReader>>,
    /// The session's tasks.
    pub tasks: Vec<Task>,
    /// Answers to the questions that this call has asked before, in order.
    pub answers: Vec<Answered>,
    /// The time that it is told, in milliseconds since 1970-01-01 UTC.
    pub now_ms: u64,
    /// The seed of its random bytes.
    pub seed: [u8; 32],
}

/// A write that a call wants to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedWrite {
    /// Path below the workspace.
    pub path: String,
    /// SHA-256 of the file before, none where there was none.
    pub before: Option<String>,
    /// SHA-256 of the text.
    pub after: String,
    /// What the file will hold.
    pub text: String,
}
