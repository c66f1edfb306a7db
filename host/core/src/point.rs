//! The nine lifecycle points.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in the agent loop where hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Point {
    /// Before the first model call.
    PreLoop,
    /// Before each model call.
    PreModel,
    /// After each model response.
    PostModel,
    /// Before each tool call.
    PreTool,
    /// After each tool call.
    PostTool,
    /// After the final response.
    PostLoop,
    /// When an agent hands over to another.
    OnHandoff,
    /// When a subagent is about to start.
    OnSubagentStart,
    /// When a subagent has ended.
    OnSubagentEnd,
}

impl Point {
    /// All points, in the order in which a run meets them.
    pub const ALL: [Self; 9] = [
        Self::PreLoop,
        Self::PreModel,
        Self::PostModel,
        Self::PreTool,
        Self::PostTool,
        Self::PostLoop,
        Self::OnHandoff,
        Self::OnSubagentStart,
        Self::OnSubagentEnd,
    ];

    /// The name in WIT, manifests, JSON and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreLoop => "pre-loop",
            Self::PreModel => "pre-model",
            Self::PostModel => "post-model",
            Self::PreTool => "pre-tool",
            Self::PostTool => "post-tool",
            Self::PostLoop => "post-loop",
            Self::OnHandoff => "on-handoff",
            Self::OnSubagentStart => "on-subagent-start",
            Self::OnSubagentEnd => "on-subagent-end",
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|point| point.name() == text)
            .ok_or_else(|| format!("there is no lifecycle point `{text}`; the points are {names}"))
    }
}
