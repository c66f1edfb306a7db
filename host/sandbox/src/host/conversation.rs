//! `conversation`: the messages before a model call, handed over as far as they are read.

use ta_core::message::Messages;
use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::teacher_assist::plugin::{conversation, types};
use crate::state::State;

impl conversation::Host for State {}

impl conversation::HostMessages for State {
    fn length(&mut self, this: Resource<Messages>) -> Result<u32> {
        self.enter()?;
        Ok(u32::try_from(self.table.get(&this)?.len()).unwrap_or(u32::MAX))
    }

    fn read(&mut self, this: Resource<Messages>, first: u32, count: u32) -> Result<Vec<types::Message>> {
        self.enter()?;
        let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let messages = self.table.get(&this)?.iter().skip(number(first)).take(number(count));
        Ok(messages.map(Into::into).collect())
    }

    fn drop(&mut self, this: Resource<Messages>) -> Result<()> {
        self.table.delete(this)?;
        Ok(())
    }
}
