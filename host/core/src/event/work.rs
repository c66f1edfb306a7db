//! Events about what a run does: tools, writes, tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CallReport;
use crate::hook::FileChange;
use crate::message::{ToolCall, ToolResult};
use crate::point::Point;

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
    /// What the call used.
    pub report: CallReport,
}

/// A guest called a tool. Its own call ended there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolRequested {
    /// The hook, the component of the tool, or the flow that calls.
    pub by: String,
    /// Where the hook ran; none where no hook calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Id of the tool call within which it was called; none where no tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The call that it wants made.
    pub request: ToolCall,
    /// The import with what it was asked: `tools.call` and the SHA-256 of name and arguments.
    pub import: String,
    /// What the caller used until then: when it is run again it is told the same.
    pub report: CallReport,
}

/// The tool that a guest called has answered, well or badly, and the hooks after a tool have seen it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolAnswered {
    /// Id of the call.
    pub request: String,
    /// As when it was called.
    pub import: String,
    /// SHA-256 of what the guest is told, as JSON, kept beside the journal: it is told the same whenever it is run again.
    pub sha256: String,
    /// A stable word where it came to nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
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
