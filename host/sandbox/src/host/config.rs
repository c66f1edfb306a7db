//! `config`: what the manifest and the operator set.

use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::{config, types};
use crate::state::State;

impl types::Host for State {}

impl config::Host for State {
    fn get(&mut self, name: String) -> Result<Option<String>> {
        self.enter()?;
        Ok(self.invocation.rights.config.get(&name).cloned())
    }

    fn all(&mut self) -> Result<Vec<types::Entry>> {
        self.enter()?;
        let entries = self.invocation.rights.config.iter();
        Ok(entries.map(|(name, value)| types::Entry { name: name.clone(), value: value.clone() }).collect())
    }
}
