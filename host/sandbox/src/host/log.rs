//! `log`: lines that the trace keeps.

use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::log;
use crate::failure::cut;
use crate::state::State;

impl log::Host for State {
    fn write(&mut self, level: log::Level, mut message: String) -> Result<()> {
        self.enter()?;
        let limits = self.invocation.limits;
        let room = limits.log_bytes.saturating_sub(self.usage.log_bytes);
        if self.trail.logs.len() >= limits.log_lines as usize || room == 0 {
            self.trail.logs_dropped = self.trail.logs_dropped.saturating_add(1);
            return Ok(());
        }
        if message.len() > room {
            self.trail.logs_dropped = self.trail.logs_dropped.saturating_add(1);
            cut(&mut message, room);
        }
        self.usage.log_bytes = self.usage.log_bytes.saturating_add(message.len());
        let level = match level {
            log::Level::Debug => "debug",
            log::Level::Info => "info",
            log::Level::Warn => "warn",
            log::Level::Error => "error",
        };
        self.trail.logs.push(format!("{level}: {message}"));
        Ok(())
    }
}
