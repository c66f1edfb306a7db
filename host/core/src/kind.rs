//! What a component is for: it decides its limits, and what its failure means.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::OnFailure;

/// What a component is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A hook that may stop or change a run. It fails closed: it is never passed in silence.
    Guardrail,
    /// A hook that the run may do without, and that speaks with the person. Where it fails it is skipped, and they are told.
    Dialogue,
    /// A hook that only looks. Where it fails it is skipped, and the trace says so.
    Observer,
    /// A tool that a model calls. The model reads its failure.
    Tool,
    /// What comes next in a run. Where it fails the exchange is undone.
    Flow,
    /// What answers as a model. Where it fails the run's second model is asked, or the run waits.
    Provider,
    /// What makes documents of texts, outside of runs. Where it fails there is no document.
    Writer,
    /// What reads documents that somebody brings, outside of runs. Where it fails nothing is read.
    Reader,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Guardrail,
        Self::Dialogue,
        Self::Observer,
        Self::Tool,
        Self::Flow,
        Self::Provider,
        Self::Writer,
        Self::Reader,
    ];
    /// Those of hooks: what a manifest may say under `kind`.
    pub const OF_HOOKS: [Self; 3] = [Self::Guardrail, Self::Dialogue, Self::Observer];

    /// The word in manifests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guardrail => "guardrail",
            Self::Dialogue => "dialogue",
            Self::Observer => "observer",
            Self::Tool => "tool",
            Self::Flow => "flow",
            Self::Provider => "provider",
            Self::Writer => "writer",
            Self::Reader => "reader",
        }
    }

    /// What a failure means where the manifest says nothing; only a guardrail's can say something.
    #[must_use]
    pub const fn on_failure(self) -> OnFailure {
        match self {
            Self::Guardrail | Self::Tool | Self::Flow | Self::Provider | Self::Writer | Self::Reader => {
                OnFailure::Abort
            }
            Self::Dialogue => OnFailure::Tell,
            Self::Observer => OnFailure::Skip,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("there is no kind `{text}` of a component; the kinds are {names}"))
    }
}
