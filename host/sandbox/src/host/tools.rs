//! Calls of other tools: an answer from the journal, or the end of this call.

use ta_core::capability::Capability;
use ta_core::request::{ARGUMENTS_BYTES_MAX, Request, ToolAnswer, ToolRefusal, may_call};
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::tools;
use crate::state::State;

impl tools::Host for State {
    fn call(&mut self, name: String, arguments: String) -> Result<std::result::Result<String, tools::Failure>> {
        self.enter()?;
        // These follow from the component's rights and from what it calls: they come out the same whenever it is run.
        if let Err(refused) = self.callable(&name, &arguments) {
            return Ok(Err(refused.into()));
        }
        self.may_request()?;
        let answer: ToolAnswer = self.request(Request::Tool { name, arguments })?;
        Ok(answer.map_err(Into::into))
    }
}

impl State {
    fn callable(&self, name: &str, arguments: &str) -> std::result::Result<(), ToolRefusal> {
        let rights = &self.invocation.rights;
        if !rights.has(Capability::Tools) || !rights.calls.contains(name) {
            let own = &self.name;
            let message = format!(
                "`{own}` may not call the tool `{name}`; it may call those under `calls` in its plugin.toml that are also under \
                 `calls` of [grants.\"{own}\"] in teacher-assist.toml"
            );
            return Err(ToolRefusal::new("tools.denied", message));
        }
        let Some(callers) = &self.invocation.callers else {
            return Err(ToolRefusal::new("tools.unavailable", "no other tool can be called here"));
        };
        may_call(callers, name)?;
        let unfit =
            |why: String| Err(ToolRefusal::new("tools.arguments", format!("the arguments are no JSON object{why}")));
        if arguments.len() > ARGUMENTS_BYTES_MAX {
            return unfit(format!(" of at most {ARGUMENTS_BYTES_MAX} bytes: they have {}", arguments.len()));
        }
        match serde_json::from_str::<serde_json::Value>(arguments) {
            Ok(value) if value.is_object() => Ok(()),
            Ok(_) => unfit(String::new()),
            Err(error) => unfit(format!(": {error}")),
        }
    }
}

impl From<ToolRefusal> for tools::Failure {
    fn from(it: ToolRefusal) -> Self {
        Self { code: it.code, message: it.message }
    }
}
