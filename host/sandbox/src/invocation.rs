//! All that a call sees, and what it leaves behind.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ta_core::event::Task;
use ta_core::files::Files;
use ta_core::hook::{CallContext, Correction, Subject};
use ta_core::machine::{Asked, Draft};
use ta_core::memory::{MemoryFile, MemoryRules};
use ta_core::model::BoxFuture;
use ta_core::observation::Declarations;
use ta_core::request::Request;

use crate::inputs::Inputs;
use crate::limits::Limits;
use crate::rights::Rights;

/// A skill's text with its references expanded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// Which earlier sessions a guest looks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionQuery {
    /// Words that must occur.
    pub words: String,
    /// Only about this.
    pub subject: Option<Subject>,
    /// Only from this day on, as `2026-11-22`.
    pub since: Option<String>,
    /// Only up to this day.
    pub until: Option<String>,
    /// How many at the most.
    pub limit: u32,
}

/// A session that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFound {
    /// Id of the session.
    pub session: String,
    /// What it began with.
    pub title: String,
    /// What it is about.
    pub subject: Option<Subject>,
    /// The command.
    pub command: String,
    /// The day it began, as `2026-11-22`.
    pub day: String,
    /// Where the words occur, each between `[` and `]`.
    pub snippet: String,
}

/// An earlier run at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastRun {
    /// Id of the session.
    pub session: String,
    /// Id of the run.
    pub run: String,
    /// The command.
    pub command: String,
    /// The day it began, as `2026-11-22`.
    pub day: String,
    /// The request.
    pub input: String,
    /// The output as it was first drafted.
    pub first_output: String,
    /// The output as it ended.
    pub final_output: String,
    /// What the person was asked.
    pub questions: Vec<Asked>,
}

/// Where earlier sessions come from: those of one owner, without the run's own.
pub trait SessionReader: Send + Sync {
    /// Sessions that match, the best first. The error is a sentence.
    fn search(&self, query: SessionQuery) -> BoxFuture<'_, Result<Vec<SessionFound>, String>>;

    /// A session as markdown. The error is a sentence.
    fn read(&self, session: String) -> BoxFuture<'_, Result<String, String>>;

    /// Earlier runs that ended well, the newest first.
    fn past_runs(&self, subject: Option<Subject>, limit: u32) -> BoxFuture<'_, Vec<PastRun>>;
}

/// What the run's own journal holds so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSoFar {
    /// The outputs, oldest first.
    pub drafts: Vec<Draft>,
    /// The questions that have their outcome, oldest first.
    pub questions: Vec<Asked>,
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
    pub workspace: Option<Arc<dyn Files>>,
    /// The plugin's skills.
    pub skills: Option<Arc<dyn SkillReader>>,
    /// The session's tasks.
    pub tasks: Vec<Task>,
    /// The owner's memory; none where the run has none.
    pub memory: Option<Arc<Vec<MemoryFile>>>,
    /// Where memory files may be, and what notes can be about.
    pub memory_rules: Arc<MemoryRules>,
    /// What it may observe; none where observations are not looked at, such as those of a component that belongs to no plugin.
    pub observations: Option<Arc<Declarations>>,
    /// Earlier sessions; none where the run has no memory.
    pub sessions: Option<Arc<dyn SessionReader>>,
    /// What the run's own journal holds so far.
    pub journal: Option<Arc<RunSoFar>>,
    /// This call, after all that wait for it, for calls of other tools; none where no tool can be called.
    pub callers: Option<Vec<String>>,
    /// Passages that are shown otherwise than they stand, since the person said so.
    pub corrections: Vec<Correction>,
    /// What it was told before, where it is run again.
    pub inputs: Option<Arc<Inputs>>,
    /// The time that it is told, in milliseconds since 1970-01-01 UTC.
    pub now_ms: u64,
    /// The seed of its random bytes.
    pub seed: [u8; 32],
}

impl Invocation {
    /// A call that sees nothing but its context and what it is granted.
    #[must_use]
    pub fn new(context: CallContext, rights: Arc<Rights>, limits: Limits) -> Self {
        Self {
            context,
            rights,
            limits,
            workspace: None,
            skills: None,
            tasks: Vec::new(),
            memory: None,
            memory_rules: Arc::default(),
            observations: None,
            sessions: None,
            journal: None,
            callers: None,
            corrections: Vec::new(),
            inputs: None,
            now_ms: 0,
            seed: [0; 32],
        }
    }
}

/// What a call asks for from outside. It ended there, and is to be run again from its start when there is an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requested {
    /// What is asked for.
    pub request: Request,
    /// Its hash.
    pub hash: String,
    /// The how-manieth thing that the call is told, counted from 1.
    pub number: u32,
}

impl Requested {
    /// The import with what it was asked, as a call's report names it.
    #[must_use]
    pub fn import(&self) -> String {
        self.request.import(&self.hash)
    }
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
