//! `clock`: the time of the record that led to the call.

use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::clock;
use crate::state::State;

impl clock::Host for State {
    fn now(&mut self) -> Result<u64> {
        self.enter()?;
        Ok(self.invocation.now_ms)
    }
}
