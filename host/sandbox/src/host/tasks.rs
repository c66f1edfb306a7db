//! `tasks`: the session's list of tasks.

use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::tasks;
use crate::limits::TASKS_MAX;
use crate::state::State;

impl tasks::Host for State {
    fn current(&mut self) -> Result<Vec<tasks::Task>> {
        self.enter()?;
        let tasks = self.trail.tasks.as_ref().unwrap_or(&self.invocation.tasks);
        Ok(tasks.iter().cloned().map(Into::into).collect())
    }

    fn replace(&mut self, tasks: Vec<tasks::Task>) -> Result<std::result::Result<(), String>> {
        self.enter()?;
        if tasks.len() > TASKS_MAX {
            return Ok(Err(format!("a session has at most {TASKS_MAX} tasks; these are {}", tasks.len())));
        }
        self.trail.tasks = Some(tasks.into_iter().map(Into::into).collect());
        Ok(Ok(()))
    }
}
