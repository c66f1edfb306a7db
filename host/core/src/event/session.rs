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

/// The session was put back into the lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRestored {
    /// Who did it.
    pub by: String,
}
