//! A context to start from in a guest's own tests.

use crate::types::Context;

/// The context of no run in particular: every text empty, every number 0.
impl Default for Context {
    fn default() -> Self {
        Self {
            run: String::new(),
            session: String::new(),
            plugin: String::new(),
            command: String::new(),
            agent: String::new(),
            class: None,
            input: String::new(),
            turn: 0,
            rework_round: 0,
            extra: Vec::new(),
        }
    }
}
