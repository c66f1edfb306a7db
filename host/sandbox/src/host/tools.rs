//! Calls of other tools: answered as they were before, or by whoever makes them.

use sha2::{Digest, Sha256};
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::tools;
use crate::call::ToolFailure;
use crate::state::State;

type Answer = std::result::Result<String, ToolFailure>;

impl tools::Host for State {
    async fn call(&mut self, name: String, arguments: String) -> Result<std::result::Result<String, tools::Failure>> {
        self.enter()?;
        if !self.invocation.rights.calls.contains(&name) {
            let message = format!("the manifest does not name the tool `{name}` under `calls`");
            return Ok(Err(tools::Failure { code: "tools.not-named".to_owned(), message }));
        }
        let import = format!("tools.call {name} {}", hex::encode(Sha256::digest(&arguments)));
        let answer: Answer = match self.noted(&import)? {
            Some(answer) => answer,
            None => match self.invocation.tools.clone() {
                Some(tools) => tools.call(name, arguments).await,
                None => Err(ToolFailure {
                    code: "tools.unavailable".to_owned(),
                    message: "no tool can be called here".to_owned(),
                }),
            },
        };
        self.note(&import, &answer);
        Ok(answer.map_err(|failure| tools::Failure { code: failure.code, message: failure.message }))
    }
}
