//! What a call of a guest used, was told and left behind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::FileDigest;

/// What a call of a guest used and left behind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallReport {
    /// Wall time in microseconds.
    pub elapsed_us: u64,
    /// How long it waited for a place among the calls that run at one time, in microseconds; no part of `elapsed_us`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub queued_us: u64,
    /// Fuel consumed, about one unit per instruction.
    pub fuel: u64,
    /// Linear memory at the end, in bytes.
    pub memory_bytes: u64,
    /// Lines that the guest logged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// Lines dropped because there were too many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub logs_dropped: u64,
    /// Files that it read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<FileDigest>,
    /// Skills that it read: reference and tier (2 body, 3 reference file).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<SkillRead>,
    /// What it was told from outside itself, in order: files, answers of the person and of models. When the call is run again,
    /// it is told the same, and a replay tells it nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
}

/// What an import answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// The import, with what it was asked: `workspace.read teacher.md`, `ask` and the hash of the question.
    pub import: String,
    /// SHA-256 of the answer as JSON, kept beside the journal; of a file's text there is the digest.
    pub sha256: String,
}

/// A skill that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillRead {
    /// `name` or `name/file`.
    pub reference: String,
    /// 2 for the body, 3 for a reference file.
    pub tier: u8,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(value: &u64) -> bool {
    *value == 0
}
