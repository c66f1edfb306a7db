//! Calls of other tools: an answer from the journal, or the end of this call.

use sha2::{Digest, Sha256};
use ta_core::capability::Capability;
use ta_core::request::{ARGUMENTS_BYTES_MAX, ToolAnswer, ToolRefusal, may_call};
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::tools;
use crate::failure::Stop;
use crate::invocation::ToolWanted;
use crate::state::State;

impl tools::Host for State {
    fn call(&mut self, name: String, arguments: String) -> Result<std::result::Result<String, tools::Failure>> {
        self.enter()?;
        // These follow from the component's rights and from what it calls: they come out the same whenever it is run.
        if let Err(refused) = self.callable(&name, &arguments) {
            return Ok(Err(refused.into()));
        }
        self.request()?;
        let import = format!("tools.call {}", hex::encode(Sha256::digest(format!("{name}\0{arguments}"))));
        let Some(answer) = self.noted_or_none::<ToolAnswer>(&import)? else {
            let number = self.trail.answers.len().saturating_add(1);
            let wanted = ToolWanted { name, arguments, import, number };
            return Err(wasmtime::Error::new(Stop::Called(Box::new(wanted))));
        };
        self.note(&import, &answer);
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
