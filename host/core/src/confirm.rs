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

/// What a plugin says about changes of files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeRules {
    /// Which of them the person has to see first.
    pub confirm: Confirm,
    /// Files, and directories with a slash at the end, that may be changed; where there are none, all that was granted.
    pub paths: Vec<String>,
}

impl ChangeRules {
    /// Whether a file may be changed at all.
    #[must_use]
    pub fn allows(&self, path: &str) -> bool {
        let fits = |allowed: &String| if allowed.ends_with('/') { path.starts_with(allowed) } else { path == allowed };
        self.paths.is_empty() || self.paths.iter().any(fits)
    }
}
