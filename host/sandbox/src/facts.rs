//! What is known of a component without its code: what its bytes say, and what came of trying it. With it a component is
//! ready to be called before its code is needed, and refused for the same reasons as on the first day.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use ta_core::message::ToolDefinition;
use wasmtime::Engine;

use crate::limits::Limits;
use crate::shape::Outline;

/// To be raised whenever what is written down here is found in another way.
const FACTS_VERSION: u32 = 4;

/// The contract, word for word: a component that fitted another has to be tried again.
const CONTRACT: [&str; 10] = [
    include_str!("../../../wit/plugin/flow.wit"),
    include_str!("../../../wit/plugin/imports.wit"),
    include_str!("../../../wit/plugin/lists.rs"),
    include_str!("../../../wit/plugin/points.wit"),
    include_str!("../../../wit/plugin/provider.wit"),
    include_str!("../../../wit/plugin/reader.wit"),
    include_str!("../../../wit/plugin/tool.wit"),
    include_str!("../../../wit/plugin/types.wit"),
    include_str!("../../../wit/plugin/worlds.wit"),
    include_str!("../../../wit/plugin/writer.wit"),
];

/// What is known of a component.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// What its bytes say.
    pub(crate) outline: Outline,
    /// The file of its code; none where no file was written.
    pub(crate) code: Option<CodeFile>,
    /// What came of trying it; none where it was not tried, or did not start.
    pub(crate) trial: Option<Trial>,
}

/// A file whose bytes were written here, or checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CodeFile {
    /// The MAC over its name and its bytes, in hexadecimal; empty for what was shipped.
    pub(crate) mac: String,
    /// Which file it was then.
    pub(crate) identity: Identity,
}

/// Which file, and in which state: whoever writes it, or puts another in its place, changes this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) bytes: u64,
    /// When it was written and when anything about it was changed, in seconds and nanoseconds.
    pub(crate) modified: (i64, i64),
    pub(crate) changed: (i64, i64),
}

/// A component that was instantiated once: its types fit the contract, and it has said which tools it offers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) tools: Vec<ToolDefinition>,
    fuel: u64,
    memory_bytes: usize,
    payload_bytes: usize,
    host_calls: u32,
    handles: usize,
}

impl Trial {
    pub(crate) const fn new(tools: Vec<ToolDefinition>, limits: &Limits) -> Self {
        let Limits { fuel, memory_bytes, payload_bytes, host_calls, handles, .. } = *limits;
        Self { tools, fuel, memory_bytes, payload_bytes, host_calls, handles }
    }

    /// Whether it would end the same: with no less it would start again.
    pub(crate) const fn holds(&self, limits: &Limits) -> bool {
        limits.fuel >= self.fuel
            && limits.memory_bytes >= self.memory_bytes
            && limits.payload_bytes >= self.payload_bytes
            && limits.host_calls >= self.host_calls
            && limits.handles >= self.handles
    }
}

/// A component's code and its facts, by digest and by everything that they depend on.
pub(crate) struct Names {
    pub(crate) code: String,
    pub(crate) facts: String,
}

impl Names {
    pub(crate) fn of(engine: &Engine, sha256: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        let code = hasher.finish();
        (FACTS_VERSION, CONTRACT).hash(&mut hasher);
        let facts = hasher.finish();
        Self { code: format!("{sha256}-{code:016x}.cwasm"), facts: format!("{sha256}-{facts:016x}.facts") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ta_core::kind::Kind;

    #[test]
    fn every_file_of_the_contract_counts() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit/plugin");
        let mut files = Vec::new();
        for entry in std::fs::read_dir(directory).unwrap() {
            files.push(std::fs::read_to_string(entry.unwrap().path()).unwrap());
        }
        let mut known = CONTRACT.map(str::to_owned).to_vec();
        files.sort();
        known.sort();
        assert!(files == known, "`CONTRACT` must hold every file of wit/plugin");
    }

    #[test]
    fn a_trial_holds_for_no_less_than_it_had() {
        let limits = Limits::of(Kind::Guardrail);
        let trial = Trial::new(Vec::new(), &limits);
        assert!(trial.holds(&limits) && trial.holds(&Limits::of(Kind::Tool)));
        assert!(!trial.holds(&Limits { fuel: limits.fuel - 1, ..limits }));
        assert!(!trial.holds(&Limits { memory_bytes: 1, ..limits }));
        assert!(!trial.holds(&Limits::of(Kind::Observer)));
    }
}
