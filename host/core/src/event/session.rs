//! Events about a session as a whole, which a person brings about beside any run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// The session was put back into the lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRestored {
    /// Who did it.
    pub by: String,
}
