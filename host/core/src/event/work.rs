//! Events about what a run does: tools, writes, tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CallReport;
use crate::hook::{Correction, FileChange};
use crate::memory::Change;
use crate::message::{ToolCall, ToolResult};

/// A tool is about to be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolStarted {
    /// The call as it is made, after every pre-tool hook.
    pub call: ToolCall,
    /// Name of the component that holds the tool.
    pub component: String,
    /// SHA-256 of that component.
    pub sha256: String,
}

/// A tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolFinished {
    /// The result.
    pub result: ToolResult,
    /// A stable word where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What it would do to files. The hooks after a tool and the person see these changes, and these are what is put in place;
    /// where they are not, the model reads so in place of what the tool says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub staged: Vec<FileChange>,
    /// What else it would do. It takes effect with its changes of files, or not at all.
    #[serde(default, skip_serializing_if = "Effects::is_empty")]
    pub effects: Effects,
    /// What the call used.
    pub report: CallReport,
}

/// What a tool's call would do beside its changes of files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Effects {
    /// The task list that takes the place of the session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Vec<Task>>,
    /// Corrections of what the prompt and the tools show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<Correction>,
    /// Changes of memory, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Change>,
}

impl Effects {
    /// Whether there is nothing of that.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tasks.is_none() && self.corrections.is_empty() && self.memory.is_empty()
    }
}

/// What became of a tool's call that would change something, or whose answer is withheld. Where nobody refused it, all that it
/// would do takes effect; where somebody did, nothing of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolSettled {
    /// What the model is given as the call's result.
    pub result: ToolResult,
    /// Who refused it: a hook, `person`, or `host`, by the plugin's rules or because a file was changed meanwhile; none where it
    /// took effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<String>,
    /// Files that are all the same as the refused call would have made them: another run had written them before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<String>,
}

impl ToolSettled {
    /// With the files that already are as the call would have made them: a refusal that is silent about them says too much.
    #[must_use]
    pub fn with_standing(mut self, paths: Vec<String>) -> Self {
        for path in &paths {
            self.result.text.push_str(&format!(" {path} holds this change all the same: another run made it before."));
        }
        self.standing = paths;
        self
    }
}

/// A write that is about to be put in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Write {
    /// Path below the workspace.
    pub path: String,
    /// SHA-256 of the file before, none where there was none.
    pub before: Option<String>,
    /// SHA-256 of what it will hold; the bytes are kept under this digest.
    pub after: String,
}

/// Writes are about to be put in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WritesIntended {
    /// The tool call, the hook, or `output`.
    pub by: String,
    /// The writes.
    pub writes: Vec<Write>,
}

/// The writes are in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WritesDone {
    /// As in the intent.
    pub by: String,
    /// The paths that were written.
    pub paths: Vec<String>,
    /// Writes that were not made, each with the reason: the file had been changed by someone else meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskStatus {
    /// Not begun.
    Pending,
    /// At work.
    InProgress,
    /// Done.
    Completed,
}

/// A task of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Stable within the session.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// How far it is.
    pub status: TaskStatus,
}

/// The task list changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TasksReplaced {
    /// The whole list.
    pub tasks: Vec<Task>,
}
