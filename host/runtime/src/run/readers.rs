//! What a guest's call sees besides its event.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use ta_core::capability::Capability;
use ta_core::files::Files;
use ta_core::hook::CallContext;
use ta_core::machine::{Machine, Stamp};
use ta_core::memory::MemoryFile;
use ta_sandbox::{Guest, Invocation, RunSoFar, SessionReader, SkillReader};

/// Where calls read from. In a replay everything is absent: calls are told what they were told before.
#[derive(Clone, Default)]
pub(crate) struct Readers {
    pub(crate) workspace: Option<Arc<dyn Files>>,
    /// The skills that the agent may read: shared by all calls.
    pub(crate) skills: Option<Arc<dyn SkillReader>>,
    pub(crate) memory: Option<Arc<Vec<MemoryFile>>>,
    pub(crate) sessions: Option<Arc<dyn SessionReader>>,
}

impl Readers {
    /// All that a call sees. Time and seed come from the record that led to it and from the run that it was written
    /// for, so that they are the same whenever the call is made again, in a fork as well.
    pub(crate) fn invocation(
        &self,
        machine: &Machine,
        guest: &Guest,
        context: CallContext,
        stamp: Stamp,
        what: &str,
    ) -> Invocation {
        let seed = Sha256::digest(format!("{}\0{}\0{what}", context.run, stamp.seq)).into();
        let of_run = machine.ledger();
        // Copied only for a component that may look at it.
        let journal = guest.rights.has(Capability::Journal).then(|| {
            Arc::new(RunSoFar { drafts: machine.conversation().drafts.clone(), questions: of_run.questions.clone() })
        });
        let changes_memory = guest.rights.has(Capability::MemoryUpdate);
        let memory_rules = if changes_memory { Arc::new(machine.start().memory_rules.clone()) } else { Arc::default() };
        Invocation {
            workspace: self.workspace.clone(),
            skills: self.skills.clone(),
            tasks: of_run.tasks.clone(),
            memory: self.memory.clone(),
            memory_rules,
            observations: Some(Arc::new(machine.start().observations.clone())),
            sessions: self.sessions.clone(),
            journal,
            corrections: machine.ledger().corrections.to_vec(),
            now_ms: stamp.at_ms,
            seed,
            ..Invocation::new(context, Arc::clone(&guest.rights), guest.limits)
        }
    }
}
