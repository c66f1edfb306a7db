//! What a component is granted.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A capability: an import of the contract that can be withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Lines for the trace.
    Log,
    /// Questions to the person.
    Ask,
    /// Files, by directory.
    Workspace,
    /// The plugin's skills.
    Skills,
    /// The session's tasks.
    Tasks,
    /// Time from the journal.
    Clock,
    /// Random bytes from the journal's seed.
    Random,
    /// Configuration.
    Config,
    /// Memory files, to read.
    Memory,
    /// Changes to memory.
    MemoryUpdate,
    /// Earlier sessions.
    Sessions,
    /// What the run's own journal holds.
    Journal,
    /// Corrections of what the prompt shows.
    Prompt,
    /// Questions to a cheap model.
    Model,
    /// The little of WASI that language runtimes need to start; it gives no files, no network, no environment.
    Wasi,
}

impl Capability {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Log,
        Self::Ask,
        Self::Workspace,
        Self::Skills,
        Self::Tasks,
        Self::Clock,
        Self::Random,
        Self::Config,
        Self::Memory,
        Self::MemoryUpdate,
        Self::Sessions,
        Self::Journal,
        Self::Prompt,
        Self::Model,
        Self::Wasi,
    ];

    /// The word in manifests, which is the name of the WIT interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Ask => "ask",
            Self::Workspace => "workspace",
            Self::Skills => "skills",
            Self::Tasks => "tasks",
            Self::Clock => "clock",
            Self::Random => "random",
            Self::Config => "config",
            Self::Memory => "memory",
            Self::MemoryUpdate => "memory-update",
            Self::Sessions => "sessions",
            Self::Journal => "journal",
            Self::Prompt => "prompt",
            Self::Model => "model",
            Self::Wasi => "wasi",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|capability| capability.name() == text)
            .ok_or_else(|| format!("there is no capability `{text}`; there are {names}"))
    }
}

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

    /// The rights as words: capabilities, then directories as `workspace:lessons=read-write`, then what it has to do
    /// without as `without:model`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let capabilities = self.capabilities.iter().map(|capability| capability.name().to_owned());
        let directories = self.directories.iter().map(|(name, access)| format!("workspace:{name}={}", access.name()));
        let withheld = self.withheld.iter().map(|capability| format!("{WITHHELD}{capability}"));
        capabilities.chain(directories).chain(withheld).collect()
    }
}
