//! Ollama's own chat: one JSON value a line.

use serde_json::{Value, json};
use ta_core::message::StopReason;
use ta_core::model::{Deltas, ModelRequest};

use super::counts::{Counts, told};
use super::draft::Draft;
use super::turns::{Turn, turns};
use super::{Format, Taken, arguments, errors, items, names, schema, set, string};
use crate::estimate;
use crate::failure::Failure;

/// The window that Ollama takes by itself cuts the beginning of a long conversation off without a word, so it is
/// asked for one that fits.
const CONTEXT_TOKENS: std::ops::RangeInclusive<u64> = 8_192..=131_072;
/// Room for the answer where no limit is given.
const OUTPUT_TOKENS: u32 = 8_192;

/// The body of a call that streams.
pub(super) fn encode(request: &ModelRequest) -> Value {
    // A power of two, because the model is loaded again whenever the number changes.
    let answer = u64::from(request.max_output_tokens.unwrap_or(OUTPUT_TOKENS));
    let needed = estimate::tokens_of(request).saturating_mul(5) / 4 + answer;
    let context = needed.next_power_of_two().clamp(*CONTEXT_TOKENS.start(), *CONTEXT_TOKENS.end());
    let mut options = json!({ "num_ctx": context });
    if let Some(most) = request.max_output_tokens {
        set(&mut options, "num_predict", json!(most));
    }
    let mut body = json!({ "model": request.model, "messages": messages(request), "stream": true, "options": options });
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
        // With a form for the answer a model can no longer call a tool: then it is told instead.
        if request.tools.is_empty() {
            set(&mut body, "format", schema.clone());
        } else if let Some(messages) = body.get_mut("messages").and_then(Value::as_array_mut) {
            messages.push(json!({ "role": "system", "content": schema::told(schema) }));
        }
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
                let mut message = json!({ "role": "assistant", "content": text });
                if !calls.is_empty() {
                    let calls = calls.iter().map(|call| {
                        let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or(json!({}));
                        let function = json!({ "name": names::tool(&call.name), "arguments": arguments });
                        json!({ "id": names::id(&call.id), "function": function })
                    });
                    set(&mut message, "tool_calls", calls.collect::<Value>());
                }
                messages.push(message);
            }
            Turn::Results(results) => messages.extend(results.iter().map(|result| {
                let (name, id) = (names::tool(&result.name), names::id(&result.id));
                json!({ "role": "tool", "tool_name": name, "tool_call_id": id, "content": result.text })
            })),
        }
    }
    messages
}

/// Reads the answer, streamed or whole.
#[derive(Debug)]
pub(super) struct Chat;

impl Format for Chat {
    fn take(&mut self, value: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<Taken, Failure> {
        if value.get("error").is_some_and(|error| !error.is_null()) {
            return Err(errors::announced(value));
        }
        if value.get("message").is_none() && value.get("done").is_none() {
            return Ok(Taken::Unknown);
        }
        let message = value.get("message").unwrap_or(&Value::Null);
        draft.text(string(message, "content"), deltas)?;
        let thought = string(message, "thinking");
        if !thought.is_empty() {
            draft.thought(thought);
        }
        for call in items(message, "tool_calls") {
            let function = call.get("function").unwrap_or(&Value::Null);
            draft.whole_call(string(call, "id"), string(function, "name"), &arguments(function.get("arguments")));
        }
        if value.get("done").and_then(Value::as_bool) != Some(true) {
            return Ok(Taken::More);
        }
        // A prompt that Ollama still had in its memory is not counted: then we estimate.
        if value.get("prompt_eval_count").is_some() {
            let (input, output) = (told(value, "prompt_eval_count").needed(), told(value, "eval_count").optional());
            let counts = Counts { input, output, cached_read: Some(0), cached_write: Some(0) };
            draft.usage(counts.usage());
        }
        draft.ended = true;
        draft.stop = Some(match string(value, "done_reason") {
            "stop" | "" => StopReason::EndTurn,
            "length" => StopReason::Length,
            _ => StopReason::Other,
        });
        Ok(Taken::Over)
    }
}
