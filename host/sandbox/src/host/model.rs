//! Questions to a cheap model: answered as they were before, or by whoever the host has for it.

use std::time::Duration;

use ta_core::capability::Capability;
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::model;
use crate::failure::cut;
use crate::inputs::Answer;
use crate::limits::{MODEL_ANSWER_BYTES_MAX, MODEL_PROMPT_BYTES_MAX, MODEL_TOKENS_MAX, MODEL_WAIT_MS};
use crate::model::{ModelQuestion, NoAnswer, SoFar};
use crate::state::State;

type ModelAnswer = std::result::Result<String, NoAnswer>;

impl model::Host for State {
    async fn ask(
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
        self.request()?;
        let question = ModelQuestion { system, prompt, max_tokens: max_tokens.clamp(1, MODEL_TOKENS_MAX) };
        let import = question.import();
        let answer: ModelAnswer = match self.noted(&import)? {
            Some(answer) => answer,
            None => self.put(question).await,
        };
        self.note(&import, &answer);
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

    /// Asks whoever answers, for as long as an answer may take.
    async fn put(&mut self, question: ModelQuestion) -> ModelAnswer {
        let Some(model) = self.invocation.model.clone() else {
            return Err(NoAnswer::Unavailable("nobody can be asked in this run".to_owned()));
        };
        let so_far =
            SoFar { inputs: self.trail.answers.iter().map(Answer::input).collect(), blobs: self.trail.blobs() };
        let cpu = self.cpu.clone();
        let limit = Duration::from_millis(MODEL_WAIT_MS);
        let answered = cpu.excused(limit, tokio::time::timeout(limit, model.ask(question, so_far))).await;
        let late = || Err(NoAnswer::Unavailable(format!("the model did not answer within {MODEL_WAIT_MS} ms")));
        let mut answer = answered.unwrap_or_else(|_| late())?;
        cut(&mut answer, MODEL_ANSWER_BYTES_MAX);
        Ok(answer)
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
