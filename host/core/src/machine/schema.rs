//! An output with a form: checked whenever the model gives one, sent back with what is wrong, given up after that.

use super::Machine;
use crate::event::Status;
use crate::marked::Element;
use crate::message::Message;
use crate::output_schema::fitting;

/// How often an answer that does not fit is sent back.
const REPAIRS_MAX: u32 = 2;

impl Machine {
    /// The model's last word goes to the post-loop hooks, once it has the form that the agent wants.
    pub(super) fn check_form(&mut self, text: String) {
        let Some(schema) = self.output_schema() else { return self.run_post_loop(text) };
        match fitting(schema, &text) {
            Ok(json) => {
                self.conversation.repairs = 0;
                self.run_post_loop(json);
            }
            Err(violations) => self.repair(text, &violations),
        }
    }

    fn repair(&mut self, text: String, violations: &[String]) {
        let first = violations.first().map_or("", String::as_str);
        if self.conversation.repairs >= REPAIRS_MAX {
            self.conversation.last_output = Some(text);
            let reason = format!(
                "the answer still does not fit the agent's outputSchema after {REPAIRS_MAX} repairs: {first}; choose a model \
                 that keeps to it, or ask for less in the schema"
            );
            return self.finish(Status::ErrorOutputSchema, Some(reason));
        }
        self.conversation.repairs += 1;
        self.ledger.feedback.push(format!("the answer does not fit the output schema: {first}"));
        self.conversation.history.push(Message::assistant(text, Vec::new()));
        let message = format!(
            "Your answer does not fit the JSON Schema of the output:\n- {}\n\
             Answer again with the whole JSON value and nothing else.",
            violations.join("\n- ")
        );
        let repair = format!("{} of {REPAIRS_MAX}", self.conversation.repairs);
        let message = Element::text("output-schema", &message).with("repair", &repair);
        self.conversation.history.push(Message::user(message.alone()));
        self.begin_turn();
    }

    /// Why the output that the hooks left may not be the run's, where that is so: a hook may have changed it.
    pub(super) fn misformed(&self, output: &str) -> Option<String> {
        let violations = fitting(self.output_schema()?, output).err()?;
        let first = violations.first().map_or("", String::as_str);
        Some(format!(
            "a hook changed the output so that it no longer fits the agent's outputSchema: {first}; take that hook off \
             this agent, or the schema"
        ))
    }
}
