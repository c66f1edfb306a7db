//! Questions to a cheap model: an answer from the journal, or the end of this call.

use ta_core::capability::Capability;
use ta_core::request::{ModelQuestion, ModelReply, NoAnswer, Request};
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::model;
use crate::limits::{MODEL_PROMPT_BYTES_MAX, MODEL_TOKENS_MAX};
use crate::state::State;

impl model::Host for State {
    fn ask(
        &mut self,
        system: String,
        prompt: String,
        max_tokens: u32,
    ) -> Result<std::result::Result<String, model::Error>> {
        self.enter()?;
        // These follow from the component's rights and from what it asks: they come out the same whenever it is run.
        if let Some(refused) = self.refused(system.len().saturating_add(prompt.len())) {
            return Ok(Err(refused.into()));
        }
        self.may_request()?;
        let max_tokens = max_tokens.clamp(1, MODEL_TOKENS_MAX);
        let answer: ModelReply = self.request(Request::Model(ModelQuestion { system, prompt, max_tokens }))?;
        Ok(answer.map_err(Into::into))
    }
}

impl State {
    fn refused(&mut self, bytes: usize) -> Option<NoAnswer> {
        if !self.invocation.rights.has(Capability::Model) {
            let name = &self.name;
            return Some(NoAnswer::Denied(format!(
                "the capability `model` is not granted; to grant it, add \"model\" to `capabilities` under \
                 [grants.\"{name}\"] in teacher-assist.toml"
            )));
        }
        if bytes > MODEL_PROMPT_BYTES_MAX {
            return Some(NoAnswer::TooLong(format!(
                "it asks {bytes} bytes; at most {MODEL_PROMPT_BYTES_MAX} may be asked"
            )));
        }
        self.usage.model_calls = self.usage.model_calls.saturating_add(1);
        let limit = self.invocation.limits.model_calls;
        let over = self.usage.model_calls > limit;
        over.then(|| NoAnswer::OverBudget(format!("one call may ask a model {limit} times at the most")))
    }
}

impl From<NoAnswer> for model::Error {
    fn from(it: NoAnswer) -> Self {
        match it {
            NoAnswer::Denied(why) => Self::Denied(why),
            NoAnswer::Unavailable(why) => Self::Unavailable(why),
            NoAnswer::OverBudget(why) => Self::OverBudget(why),
            NoAnswer::TooLong(why) => Self::TooLong(why),
        }
    }
}
