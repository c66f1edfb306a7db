//! Which changes of files a person sees before they are made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::FileChange;

/// Which changes of files that tools make the person has to see and to agree to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confirm {
    /// Those of files that are there already.
    #[default]
    Overwrites,
    /// New files as well.
    All,
}

impl Confirm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Overwrites, Self::All];

    /// The word in manifests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overwrites => "overwrites",
            Self::All => "all",
        }
    }

    /// Whether the person has to see this change.
    #[must_use]
    pub fn asks(self, change: &FileChange) -> bool {
        let changes = change.before.as_ref() != Some(&change.after);
        changes && (self == Self::All || change.before.is_some())
    }
}
