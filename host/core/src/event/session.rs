//! Events about a session as a whole, which a person or a surface brings about beside any run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::Observation;

/// The session was given another title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRenamed {
    /// The title.
    pub title: String,
    /// Who did it.
    pub by: String,
}

/// The session was taken out of the lists. Nothing of it is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDeleted {
    /// Who did it.
    pub by: String,
}

/// The session was erased for good: its other records say nothing any more, and none follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionErased {
    /// Who did it.
    pub by: String,
    /// How many records said something before.
    pub records: u64,
    /// How many texts and answers were kept beside them, and belonged to no other session.
    pub blobs: u64,
    /// Bytes of all that.
    pub bytes: u64,
}

/// A surface has observed something of a run, beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObservationsMade {
    /// In which role whoever sent it speaks, such as `teacher` or `guest`.
    pub by: String,
    /// The key of the request: what is sent twice with it is kept once.
    pub key: String,
    /// What was observed. No model sees it.
    pub observations: Vec<Observation>,
}

/// The session was put back into the lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRestored {
    /// Who did it.
    pub by: String,
}
