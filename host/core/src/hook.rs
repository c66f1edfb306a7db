//! What hooks are given and what they say, in one form for journal, replay and trace.
//!
//! The shapes mirror the WIT package; the sandbox converts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::message::{Message, ToolCall, ToolResult};
use crate::point::Point;
use crate::question::Decision;

/// What every call of a guest is told about its run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallContext {
    /// Id of the run.
    pub run: String,
    /// Id of the session.
    pub session: String,
    /// Name of the plugin.
    pub plugin: String,
    /// Name of the command.
    pub command: String,
    /// Name of the agent at work.
    pub agent: String,
    /// The class that the request names.
    pub class: Option<String>,
    /// What the person asked for, as the pre-loop hooks left it.
    pub input: String,
    /// Number of the turn.
    pub turn: u32,
    /// How often the run has gone round again.
    pub rework_round: u32,
}

/// One thing that a guardrail found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The kind of problem, a stable word.
    pub class: String,
    /// The outcome code that it is about.
    pub code: Option<String>,
    /// The section that it stands in.
    pub section: Option<String>,
    /// The line of the output, counted from 1.
    pub line: Option<u32>,
    /// What was expected, what was found, what to do.
    pub message: String,
}

/// A section of an output: a heading of the second level and what stands under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// The heading's text.
    pub heading: String,
    /// The section with its heading, byte for byte.
    pub text: String,
}

/// A file as the run saw it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct FileDigest {
    /// Path below the workspace.
    pub path: String,
    /// SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
}

/// What an agent tells the one that takes over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Brief {
    /// What has been decided.
    pub decisions: Vec<String>,
    /// What has to hold.
    pub constraints: Vec<String>,
    /// Why it hands over.
    pub reason: String,
    /// What is still open.
    pub open_questions: Vec<String>,
}

/// A text that a pre-loop hook adds to the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Addition {
    /// What it is.
    pub title: String,
    /// The text.
    pub text: String,
    /// Where it comes from.
    pub source: String,
}

/// A passage that is shown otherwise than it stands in its file, or not at all, because the person said so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Correction {
    /// The file: a path below the workspace, or a memory path.
    pub source: String,
    /// The passage: whole lines, byte for byte.
    pub old: String,
    /// What is shown instead; none leaves the lines out.
    pub new: Option<String>,
    /// What the person decided, in a sentence that the model reads.
    pub why: String,
}

impl Correction {
    /// The text of `source` as it is shown.
    #[must_use]
    pub fn apply_all(corrections: &[Self], source: &str, text: &str) -> String {
        let own = corrections.iter().filter(|it| it.source == source && !it.old.is_empty());
        own.fold(text.to_owned(), |text, it| it.apply(&text))
    }

    fn apply(&self, text: &str) -> String {
        match &self.new {
            Some(new) => text.replacen(&self.old, new, 1),
            // A line that is left out takes its line end with it.
            None => match text.contains(&format!("{}\n", self.old)) {
                true => text.replacen(&format!("{}\n", self.old), "", 1),
                false => text.replacen(&self.old, "", 1),
            },
        }
    }
}

/// What a hook is given, by point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "point", rename_all = "kebab-case")]
pub enum HookInput {
    /// Before the first model call.
    PreLoop {
        /// What the person asked for.
        input: String,
        /// Classes that the workspace has a profile of.
        #[serde(default)]
        classes: Vec<String>,
    },
    /// Before a model call.
    PreModel {
        /// The conversation.
        messages: Vec<Message>,
        /// Length of the system prompt in bytes.
        #[serde(default)]
        system_bytes: u32,
    },
    /// After a model response.
    PostModel {
        /// Its text.
        text: String,
        /// Its tool calls.
        #[serde(default)]
        calls: Vec<ToolCall>,
        /// Tokens sent.
        #[serde(default)]
        input_tokens: u64,
        /// Tokens received.
        #[serde(default)]
        output_tokens: u64,
    },
    /// Before a tool call.
    PreTool {
        /// The call.
        call: ToolCall,
    },
    /// After a tool call.
    PostTool {
        /// The call.
        call: ToolCall,
        /// Its result.
        result: ToolResult,
    },
    /// After the final response.
    PostLoop {
        /// The output.
        output: String,
        /// What the run has read, each with its digest then.
        #[serde(default)]
        reads: Vec<FileDigest>,
        /// Sections accepted in earlier rounds.
        #[serde(default)]
        accepted: Vec<Section>,
        /// Decisions of earlier rounds.
        #[serde(default)]
        decisions: Vec<Decision>,
    },
    /// When an agent hands over.
    OnHandoff {
        /// Who hands over.
        source: String,
        /// Who takes over.
        target: String,
        /// What it is told.
        brief: Brief,
    },
    /// When a subagent is about to start.
    OnSubagentStart {
        /// Its name.
        agent: String,
        /// Its task.
        task: String,
        /// Its limit of turns.
        #[serde(default)]
        turns_max: u32,
    },
    /// When a subagent has ended.
    OnSubagentEnd {
        /// Its name.
        agent: String,
        /// How it ended.
        status: String,
        /// What its parent will read.
        summary: String,
    },
}

impl HookInput {
    /// The point that it belongs to.
    #[must_use]
    pub const fn point(&self) -> Point {
        match self {
            Self::PreLoop { .. } => Point::PreLoop,
            Self::PreModel { .. } => Point::PreModel,
            Self::PostModel { .. } => Point::PostModel,
            Self::PreTool { .. } => Point::PreTool,
            Self::PostTool { .. } => Point::PostTool,
            Self::PostLoop { .. } => Point::PostLoop,
            Self::OnHandoff { .. } => Point::OnHandoff,
            Self::OnSubagentStart { .. } => Point::OnSubagentStart,
            Self::OnSubagentEnd { .. } => Point::OnSubagentEnd,
        }
    }
}

/// What a hook changes, by point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// Another input, more context.
    Input {
        /// The new input; none leaves it.
        input: Option<String>,
        /// Texts added to the prompt.
        additions: Vec<Addition>,
    },
    /// Other messages, in this call only.
    Messages {
        /// The messages.
        messages: Vec<Message>,
    },
    /// Another text: of a response, an output, a tool's result, a task or a summary.
    Text {
        /// The text.
        text: String,
    },
    /// Other arguments.
    Arguments {
        /// The text of a JSON object.
        arguments: String,
    },
    /// Another brief.
    Brief {
        /// The brief.
        brief: Brief,
    },
}

/// What a hook says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// Go on.
    Pass,
    /// Go on with something changed.
    Modify(Change),
    /// Do not call the tool; the model reads the reason.
    Refuse {
        /// The reason.
        reason: String,
    },
    /// Go round again.
    Rework {
        /// What the model is to do.
        instruction: String,
        /// Sections that stay as they are.
        accepted: Vec<Section>,
        /// Rounds of this hook before the host aborts instead.
        rounds_max: u32,
    },
    /// End the run.
    Abort {
        /// A stable word.
        code: String,
        /// What the person reads.
        reason: String,
    },
    /// The hook did not decide: it trapped, exceeded a limit or returned nonsense.
    Failed {
        /// A stable word, such as `hook.deadline`.
        code: String,
        /// What happened.
        reason: String,
    },
}

impl Verdict {
    /// The word that stands in traces and JSON output.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Modify(_) => "modify",
            Self::Refuse { .. } => "refuse",
            Self::Rework { .. } => "rework",
            Self::Abort { .. } => "abort",
            Self::Failed { .. } => "failed",
        }
    }
}

/// What the host does when a hook fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// End the run: for guardrails.
    Abort,
    /// Go on as if the hook had passed: for observers.
    Skip,
}
