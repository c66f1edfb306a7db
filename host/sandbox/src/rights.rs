//! What a component is granted.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use ta_core::capability::Capability;

/// What may be done with a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Read and list.
    Read,
    /// Read, list and write.
    ReadWrite,
}

impl Access {
    /// The word in manifests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadWrite => "read-write",
        }
    }
}

impl FromStr for Access {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "read" => Ok(Self::Read),
            "read-write" => Ok(Self::ReadWrite),
            _ => Err(format!("`{text}` is no access; write `read` or `read-write`")),
        }
    }
}

/// Marks the word of a tool that a component may call.
const CALLS: &str = "calls:";
/// Marks the word of what a component has to do without.
const WITHHELD: &str = "without:";

/// What a component may use: nothing that is not here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rights {
    /// The imports that it may call.
    pub capabilities: Vec<Capability>,
    /// Imports that it may have without calling them: each call answers that it was not granted.
    pub withheld: Vec<Capability>,
    /// Directories below the workspace by name; `.` is the whole.
    pub directories: BTreeMap<String, Access>,
    /// Tools that it may call.
    pub calls: BTreeSet<String>,
    /// Its configuration.
    pub config: BTreeMap<String, String>,
}

impl Rights {
    /// The rights that [`Rights::words`] wrote down; words that mean nothing are left out.
    #[must_use]
    pub fn from_words(words: &[String], config: BTreeMap<String, String>) -> Self {
        let mut rights = Self { config, ..Self::default() };
        for word in words {
            if let Some(withheld) = word.strip_prefix(WITHHELD) {
                rights.withheld.extend(withheld.parse::<Capability>());
                continue;
            }
            if let Some(tool) = word.strip_prefix(CALLS) {
                rights.calls.insert(tool.to_owned());
                continue;
            }
            match word.strip_prefix("workspace:").and_then(|rest| rest.rsplit_once('=')) {
                Some((name, access)) => rights.directories.extend(access.parse().ok().map(|it| (name.to_owned(), it))),
                None => rights.capabilities.extend(word.parse::<Capability>()),
            }
        }
        rights
    }

    /// Whether the capability is granted.
    #[must_use]
    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// The rights as words: capabilities, then directories as `workspace:notes=read-write`, then tools that it may call as
    /// `calls:read_file`, then what it has to do without as `without:model`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let capabilities = self.capabilities.iter().map(|capability| capability.name().to_owned());
        let directories = self.directories.iter().map(|(name, access)| format!("workspace:{name}={}", access.name()));
        let calls = self.calls.iter().map(|tool| format!("{CALLS}{tool}"));
        let withheld = self.withheld.iter().map(|capability| format!("{WITHHELD}{capability}"));
        capabilities.chain(directories).chain(calls).chain(withheld).collect()
    }
}
