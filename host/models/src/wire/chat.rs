//! OpenAI's Chat Completions, and what the servers that speak it make of it.

use std::collections::HashMap;

use serde_json::{Value, json};
use ta_core::message::{StopReason, Usage};
use ta_core::model::{Deltas, ModelRequest};

use super::counts::{Counts, told};
use super::draft::Draft;
use super::turns::{Turn, turns};
use super::{Format, Taken, arguments, errors, items, names, schema, set, string};
use crate::failure::Failure;

/// The body of a call that streams. Servers other than OpenAI's know the older name of the limit only.
pub(super) fn encode(request: &ModelRequest, native: bool) -> Value {
    let mut body = json!({
        "model": request.model,
        "messages": messages(request),
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            let name = names::tool(&tool.name);
            let parameters = schema::parameters(&tool.input_schema);
            let function = json!({ "name": name, "description": tool.description, "parameters": parameters });
            json!({ "type": "function", "function": function })
        });
        set(&mut body, "tools", tools.collect::<Value>());
    }
    if let Some(schema) = &request.output_schema {
        let format = json!({ "name": "answer", "schema": schema, "strict": schema::strict(schema) });
        set(&mut body, "response_format", json!({ "type": "json_schema", "json_schema": format }));
    }
    if let Some(most) = request.max_output_tokens {
        set(&mut body, if native { "max_completion_tokens" } else { "max_tokens" }, json!(most));
    }
    body
}

fn messages(request: &ModelRequest) -> Vec<Value> {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    for turn in turns(&request.messages) {
        match turn {
            Turn::User(text) => messages.push(json!({ "role": "user", "content": text })),
            Turn::Assistant { text, calls, .. } => {
                let content = if text.is_empty() { Value::Null } else { json!(text) };
                let mut message = json!({ "role": "assistant", "content": content });
                if !calls.is_empty() {
                    let calls = calls.iter().map(|call| {
                        let function = json!({ "name": names::tool(&call.name), "arguments": call.arguments });
                        json!({ "id": names::id(&call.id), "type": "function", "function": function })
                    });
                    set(&mut message, "tool_calls", calls.collect::<Value>());
                }
                messages.push(message);
            }
            Turn::Results(results) => messages.extend(results.iter().map(
                |result| json!({ "role": "tool", "tool_call_id": names::id(&result.id), "content": result.text }),
            )),
        }
    }
    messages
}

/// Reads the answer, streamed or whole.
#[derive(Debug, Default)]
pub(super) struct Completions {
    /// Slot and id of the call that is under way at an index: some servers give all calls the same index.
    open: HashMap<u64, (String, String)>,
}

impl Format for Completions {
    fn take(&mut self, value: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<Taken, Failure> {
        if value.get("error").is_some_and(|error| !error.is_null()) {
            return Err(errors::announced(value));
        }
        if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
            draft.usage(used(usage));
        }
        if value.get("choices").is_none() && value.get("usage").is_none() {
            return Ok(Taken::Unknown);
        }
        // We ask for one answer; of several the first counts.
        let choices = items(value, "choices");
        let choice = choices.iter().find(|it| it.get("index").and_then(Value::as_u64).unwrap_or_default() == 0);
        let Some(choice) = choice else { return Ok(Taken::More) };
        if let Some(part) = choice.get("delta").or_else(|| choice.get("message")) {
            self.part(part, draft, deltas)?;
        }
        let reason = string(choice, "finish_reason");
        if !reason.is_empty() {
            draft.ended = true;
            draft.stop = Some(match reason {
                "stop" | "eos" => StopReason::EndTurn,
                "length" | "max_tokens" => StopReason::Length,
                "tool_calls" | "function_call" => StopReason::ToolUse,
                "content_filter" => StopReason::Refusal,
                _ => StopReason::Other,
            });
        }
        Ok(Taken::More)
    }
}

impl Completions {
    /// A piece of a message, or a whole one.
    fn part(&mut self, part: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<(), Failure> {
        match part.get("content") {
            Some(Value::String(text)) => draft.text(text, deltas)?,
            Some(Value::Array(parts)) => {
                for part in parts {
                    draft.text(string(part, "text"), deltas)?;
                }
            }
            _ => {}
        }
        draft.refusal(string(part, "refusal"), deltas);
        let thoughts = ["reasoning_content", "reasoning"].map(|field| string(part, field));
        thoughts.iter().filter(|thought| !thought.is_empty()).for_each(|thought| draft.thought(thought));
        for call in items(part, "tool_calls") {
            self.call(call, draft);
        }
        Ok(())
    }

    fn call(&mut self, call: &Value, draft: &mut Draft) {
        let function = call.get("function").unwrap_or(&Value::Null);
        let (id, name) = (string(call, "id"), string(function, "name"));
        let arguments = arguments(function.get("arguments"));
        let Some(index) = call.get("index").and_then(Value::as_u64) else {
            return draft.whole_call(id, name, &arguments);
        };
        let another = |held: &str| !id.is_empty() && !held.is_empty() && id != held;
        let slot = match self.open.get(&index) {
            Some((slot, held)) if !another(held) => slot.clone(),
            Some(_) => format!("{index}/{id}"),
            None => index.to_string(),
        };
        let held = self.open.entry(index).or_default();
        held.0.clone_from(&slot);
        if !id.is_empty() {
            id.clone_into(&mut held.1);
        }
        draft.call(&slot, id, name, &arguments);
    }
}

fn used(usage: &Value) -> Usage {
    let details = usage.get("prompt_tokens_details").unwrap_or(&Value::Null);
    let counts = Counts {
        input: told(usage, "prompt_tokens").needed(),
        output: told(usage, "completion_tokens").needed(),
        cached_read: told(details, "cached_tokens").optional(),
        cached_write: told(details, "cache_write_tokens").optional(),
    };
    counts.usage()
}
