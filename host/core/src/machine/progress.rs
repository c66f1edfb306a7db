//! Stall detection: whether the turns of a run lead anywhere.

use std::collections::BTreeMap;

use crate::message::{StopReason, ToolCall, ToolResult};

/// What has been tried.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// Turns in a row that brought nothing new.
    pub(super) idle_turns: u32,
    /// Messages in a row in which every call of a tool failed, by tool.
    pub(super) failures: BTreeMap<String, u32>,
    /// Why the last answer stopped.
    pub(super) stop: Option<StopReason>,
    /// Why the last answer said no, where it did.
    pub(super) declined: Option<String>,
    /// Whether the answer before was sent back because it was cut off.
    pub(super) cut: bool,
    /// Results seen, by tool and arguments.
    seen: BTreeMap<(String, String), String>,
}

impl Progress {
    /// Takes in a result and tells whether it brought something new: a call not made before, or another result.
    pub(super) fn observe(&mut self, call: &ToolCall, result: &ToolResult) -> bool {
        let key = (call.name.clone(), canonical(&call.arguments));
        let before = self.seen.insert(key, result.text.clone());
        !result.failed && before.as_deref() != Some(result.text.as_str())
    }

    /// Counts the failures of one message, given each call's tool and whether it failed. However many calls of a tool
    /// failed in it, that is one failure: the model asked for them before it saw any error.
    pub(super) fn count_failures<'a>(&mut self, calls: impl Iterator<Item = (&'a str, bool)>) {
        let mut tools: BTreeMap<&str, bool> = BTreeMap::new();
        for (tool, failed) in calls {
            *tools.entry(tool).or_insert(true) &= failed;
        }
        for (tool, all_failed) in tools {
            let failures = self.failures.entry(tool.to_owned()).or_default();
            *failures = if all_failed { failures.saturating_add(1) } else { 0 };
        }
    }

    /// The tool that has failed more often in a row than is allowed.
    pub(super) fn exhausted(&self, retries_max: u32) -> Option<(&str, u32)> {
        let over = |(_, count): &(&String, &u32)| **count > retries_max;
        self.failures.iter().find(over).map(|(name, count)| (name.as_str(), *count))
    }
}

/// Arguments that mean the same look the same.
fn canonical(arguments: &str) -> String {
    serde_json::from_str::<serde_json::Value>(arguments)
        .map_or_else(|_| arguments.to_owned(), |value| value.to_string())
}
