//! Anthropic's Messages.

use serde_json::{Value, json};
use ta_core::message::{StopReason, ToolCall};
use ta_core::model::{Deltas, ModelRequest};

use super::counts::{Counts, Told, sum, told};
use super::draft::Draft;
use super::turns::{Turn, turns};
use super::{Format, Taken, arguments, errors, items, names, schema, set, string};
use crate::failure::Failure;

/// A limit has to be given; every model in use can write as much.
const OUTPUT_TOKENS: u32 = 8_192;

/// The body of a call that streams.
pub(super) fn encode(request: &ModelRequest) -> Value {
    let mut messages = messages(request);
    // The cache holds everything up to a mark: one behind the tools and the system prompt, which stay the same for the
    // whole run, and one at the end of the conversation, which the next turn begins with.
    mark(messages.last_mut().and_then(|message| message.get_mut("content")?.as_array_mut()?.last_mut()));
    let mut body = json!({
        "model": request.model,
        "max_tokens": request.max_output_tokens.unwrap_or(OUTPUT_TOKENS),
        "messages": messages,
        "stream": true,
    });
    if !request.system.is_empty() {
        let mut system = json!({ "type": "text", "text": request.system });
        mark(Some(&mut system));
        set(&mut body, "system", json!([system]));
    }
    let tools = tools(request);
    if !tools.is_empty() {
        set(&mut body, "tools", json!(tools));
        if request.tools.is_empty() {
            set(&mut body, "tool_choice", json!({ "type": "none" }));
        }
    }
    if let Some(schema) = &request.output_schema {
        set(
            &mut body,
            "output_config",
            json!({ "format": { "type": "json_schema", "schema": schema::closed(schema) } }),
        );
    }
    body
}

fn mark(block: Option<&mut Value>) {
    if let Some(Value::Object(block)) = block {
        block.insert("cache_control".to_owned(), json!({ "type": "ephemeral" }));
    }
}

/// The tools. A conversation with calls in it needs their definitions even when none may be called any more.
fn tools(request: &ModelRequest) -> Vec<Value> {
    let define = |name: &str, description: &str, schema: &Value| json!({ "name": names::tool(name), "description": description, "input_schema": schema::parameters(schema) });
    if !request.tools.is_empty() {
        let tools = request.tools.iter();
        return tools.map(|tool| define(&tool.name, &tool.description, &tool.input_schema)).collect();
    }
    let mut called: Vec<&str> =
        request.messages.iter().flat_map(|message| &message.calls).map(|call| call.name.as_str()).collect();
    called.sort_unstable();
    called.dedup();
    called.into_iter().map(|name| define(name, "No longer available.", &json!({ "type": "object" }))).collect()
}

fn messages(request: &ModelRequest) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for turn in turns(&request.messages) {
        let (role, content) = match turn {
            Turn::User(text) => ("user", vec![text_block(&text)]),
            Turn::Assistant { text, calls, .. } => ("assistant", said(text, calls)),
            Turn::Results(results) => {
                let block = |result: &std::borrow::Cow<'_, ta_core::message::ToolResult>| {
                    let mut block = json!({
                        "type": "tool_result",
                        "tool_use_id": names::id(&result.id),
                        "content": [text_block(&result.text)],
                    });
                    if result.failed {
                        set(&mut block, "is_error", json!(true));
                    }
                    block
                };
                ("user", results.iter().map(block).collect())
            }
        };
        match messages.last_mut() {
            // Results and what the person says next belong into one message.
            Some((last, blocks)) if *last == role => blocks.extend(content),
            _ => messages.push((role, content)),
        }
    }
    messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn said(text: &str, calls: &[ToolCall]) -> Vec<Value> {
    // A text of nothing but space is refused.
    let text = (!text.trim().is_empty()).then(|| text_block(text.trim_end()));
    let calls = calls.iter().map(|call| {
        let input: Value = serde_json::from_str(&call.arguments).ok().filter(Value::is_object).unwrap_or(json!({}));
        json!({ "type": "tool_use", "id": names::id(&call.id), "name": names::tool(&call.name), "input": input })
    });
    let content: Vec<Value> = text.into_iter().chain(calls).collect();
    if content.is_empty() { vec![text_block("…")] } else { content }
}

fn text_block(text: &str) -> Value {
    let text = if text.is_empty() { "(empty)" } else { text };
    json!({ "type": "text", "text": text })
}

/// Reads the answer, streamed or whole.
#[derive(Debug, Default)]
pub(super) struct Messages {
    usage: Counted,
}

/// The counts so far: an event brings only some of them. `None` is not known.
#[derive(Debug)]
struct Counted {
    input: Option<u64>,
    cached_read: Option<u64>,
    cached_write: Option<u64>,
    output: Option<u64>,
}

impl Default for Counted {
    fn default() -> Self {
        Self { input: None, cached_read: Some(0), cached_write: Some(0), output: None }
    }
}

impl Format for Messages {
    fn take(&mut self, value: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<Taken, Failure> {
        let index = value.get("index").and_then(Value::as_u64).unwrap_or_default().to_string();
        match string(value, "type") {
            "ping" | "content_block_stop" => {}
            "error" => return Err(errors::announced(value)),
            "message_start" => self.count(value.get("message"), draft),
            "content_block_start" => {
                if let Some(block) = value.get("content_block") {
                    take_block(block, &index, draft, deltas)?;
                }
            }
            "content_block_delta" => {
                if let Some(delta) = value.get("delta") {
                    take_delta(delta, &index, draft, deltas)?;
                }
            }
            "message_delta" => {
                self.count(Some(value), draft);
                stop(value.get("delta"), draft);
            }
            "message_stop" => {
                draft.ended = true;
                return Ok(Taken::Over);
            }
            "message" => {
                for (place, block) in items(value, "content").iter().enumerate() {
                    take_block(block, &place.to_string(), draft, deltas)?;
                }
                self.count(Some(value), draft);
                stop(Some(value), draft);
                draft.ended = true;
                return Ok(Taken::Over);
            }
            _ => return Ok(Taken::Unknown),
        }
        Ok(Taken::More)
    }
}

impl Messages {
    fn count(&mut self, of: Option<&Value>, draft: &mut Draft) {
        let Some(usage) = of.and_then(|it| it.get("usage")).filter(|usage| usage.is_object()) else { return };
        let update = |held: &mut Option<u64>, field: &str| match told(usage, field) {
            Told::Nothing => {}
            now => *held = now.needed(),
        };
        update(&mut self.usage.input, "input_tokens");
        update(&mut self.usage.cached_read, "cache_read_input_tokens");
        update(&mut self.usage.cached_write, "cache_creation_input_tokens");
        let before = self.usage.output;
        update(&mut self.usage.output, "output_tokens");
        // The count of an answer does not shrink.
        self.usage.output = self.usage.output.map(|now| now.max(before.unwrap_or_default()));
        let Counted { input, cached_read, cached_write, output } = self.usage;
        // Anthropic counts what the cache took part in beside the rest.
        let input = sum(input, sum(cached_read.or(Some(0)), cached_write.or(Some(0))));
        draft.usage(Counts { input, output, cached_read, cached_write }.usage());
    }
}

fn take_block(block: &Value, slot: &str, draft: &mut Draft, deltas: &dyn Deltas) -> Result<(), Failure> {
    match string(block, "type") {
        "text" => draft.text(string(block, "text"), deltas)?,
        "tool_use" => {
            // A stream begins with empty arguments and sends the real ones in pieces.
            let given = block.get("input").filter(|input| input.as_object().is_none_or(|it| !it.is_empty()));
            draft.call(slot, string(block, "id"), string(block, "name"), &arguments(given));
        }
        "thinking" | "redacted_thinking" => draft.thought(string(block, "thinking")),
        // Tools that the provider runs itself are never asked for; what they would bring is no text of the model.
        _ => {}
    }
    Ok(())
}

fn take_delta(delta: &Value, slot: &str, draft: &mut Draft, deltas: &dyn Deltas) -> Result<(), Failure> {
    match string(delta, "type") {
        "text_delta" => draft.text(string(delta, "text"), deltas)?,
        // Pieces of arguments for a block that is no call of ours belong to a tool of the provider.
        "input_json_delta" if draft.has_call(slot) => draft.call(slot, "", "", string(delta, "partial_json")),
        "thinking_delta" => draft.thought(string(delta, "thinking")),
        "signature_delta" => draft.thought(string(delta, "signature")),
        _ => {}
    }
    Ok(())
}

fn stop(of: Option<&Value>, draft: &mut Draft) {
    let reason = of.map(|it| string(it, "stop_reason")).unwrap_or_default();
    draft.stop = Some(match reason {
        "" => return,
        "end_turn" | "stop_sequence" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "refusal" => StopReason::Refusal,
        _ => StopReason::Other,
    });
    // Nothing but the good-bye comes after this.
    draft.ended = true;
}
