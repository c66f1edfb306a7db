//! What hooks are given and what they say, in one form for journal, replay and trace.
//!
//! The shapes mirror the WIT package; the sandbox converts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::message::{Message, Messages, ToolCall, ToolResult};
use crate::point::Point;
use crate::question::Decision;

/// A name with a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// The text.
    pub value: String,
}

/// What a run is about, as its plugin declares it: `class` and `3B`, `release` and `1.4.0`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Subject {
    /// The kind of thing.
    pub kind: String,
    /// Which one of its kind.
    pub id: String,
}

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
    /// What the run is about, where something is named.
    pub subject: Option<Subject>,
    /// What the person asked for, as the pre-loop hooks left it.
    pub input: String,
    /// Number of the turn.
    pub turn: u32,
    /// How often the run has gone round again.
    pub rework_round: u32,
    /// What a call of one kind is told besides: a flow, which `provider` answers the run, so that it asks no agent where
    /// nobody can answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<Entry>,
}

/// One thing that a guardrail found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The kind of problem, a stable word.
    pub class: String,
    /// What it is about, in the guard's own words, such as `outcome` with its code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<Entry>,
    /// Id of the part of the output that it stands in.
    pub part: Option<String>,
    /// The line of the output, counted from 1.
    pub line: Option<u32>,
    /// What was expected, what was found, what to do.
    pub message: String,
}

/// A part of an output: a heading of the second level and what stands under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Unique within the output, and the same in the next one while the title is.
    pub id: String,
    /// The heading's text.
    pub title: String,
    /// The part with its heading, byte for byte.
    pub text: String,
}

/// Typed data for dashboards and studies. No model ever sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observation {
    /// What was observed, as its plugin declares it.
    pub name: String,
    /// SHA-256 of the JSON Schema that is declared under the name.
    pub schema: String,
    /// The data, as JSON.
    pub data: String,
}

/// A message that a person is shown, in the forms that a surface may choose from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownMessage {
    /// What is said, where a surface speaks.
    pub speech: String,
    /// How it is said, where a surface can show it.
    pub emotion: Option<String>,
    /// What is shown, as markdown.
    pub display: String,
    /// A picture or another thing to show, as JSON.
    pub visual: Option<String>,
}

/// What a call would do to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// Path below the workspace.
    pub path: String,
    /// SHA-256 of its bytes before; none where there is no file.
    pub before: Option<String>,
    /// SHA-256 of its bytes afterwards.
    pub after: String,
    /// The change as a unified difference.
    pub difference: String,
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
        /// What the request could be about.
        #[serde(default)]
        subjects: Vec<Subject>,
        /// What a flow says about this exchange, as JSON.
        #[serde(default)]
        facts: Option<String>,
    },
    /// Before a model call.
    PreModel {
        /// The conversation.
        messages: Messages,
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
        /// What it would do to files, and has not done yet.
        #[serde(default)]
        writes: Vec<FileChange>,
    },
    /// After the final response.
    PostLoop {
        /// The output.
        output: String,
        /// The messages that it is made of; empty where the person is shown the output itself.
        #[serde(default)]
        shown: Vec<ShownMessage>,
        /// The parts of the output, in order.
        #[serde(default)]
        parts: Vec<Part>,
        /// What the run has read, each with its digest then.
        #[serde(default)]
        reads: Vec<FileDigest>,
        /// Parts accepted in earlier rounds.
        #[serde(default)]
        accepted: Vec<Part>,
        /// Decisions of earlier rounds.
        #[serde(default)]
        decisions: Vec<Decision>,
        /// What a flow says about this exchange, as JSON.
        #[serde(default)]
        facts: Option<String>,
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
    /// Another text: of a response, a tool's result, a task or a summary.
    Text {
        /// The text.
        text: String,
    },
    /// Another output.
    Output {
        /// The output.
        output: String,
        /// The messages that it is made of; empty where the person is shown the output itself.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        shown: Vec<ShownMessage>,
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
    /// Before a tool: do not call it. After a tool: drop what it would write. The model reads the reason.
    Refuse {
        /// The reason.
        reason: String,
    },
    /// Go round again.
    Rework {
        /// What the model is to do.
        instruction: String,
        /// Parts that stay as they are.
        accepted: Vec<Part>,
        /// Rounds of this hook before the host aborts instead.
        rounds_max: u32,
    },
    /// End the run.
    Abort {
        /// A stable word.
        code: String,
        /// What the person reads.
        reason: String,
        /// Whether it says no to what was asked, and reports no fault.
        #[serde(default)]
        declined: bool,
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
    /// Tell the person which check could not be made, and let them decide: for guardrails.
    Ask,
    /// Go on as if the hook had passed, and tell the person: for dialogues.
    Tell,
    /// Go on as if the hook had passed: for observers.
    Skip,
}
