//! OpenAI's Responses. Nothing is kept at the provider: every call sends the whole conversation.

use serde_json::{Value, json};
use ta_core::message::StopReason;
use ta_core::model::{Deltas, ModelRequest};

use super::counts::{Counts, told};
use super::draft::Draft;
use super::turns::{Turn, turns};
use super::{Format, Taken, errors, items, names, schema, set, string};
use crate::failure::Failure;

/// The body of a call that streams.
pub(super) fn encode(request: &ModelRequest) -> Value {
    let mut body = json!({
        "model": request.model,
        "input": input(request),
        "store": false,
        "stream": true,
    });
    if !request.system.is_empty() {
        set(&mut body, "instructions", json!(request.system));
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({
                "type": "function",
                "name": names::tool(&tool.name),
                "description": tool.description,
                "parameters": schema::parameters(&tool.input_schema),
                // The schemas are the tools' own; what does not fit them is told to the model by the tool.
                "strict": false,
            })
        });
        set(&mut body, "tools", tools.collect::<Value>());
    }
    if let Some(schema) = &request.output_schema {
        let strict = schema::strict(schema);
        let format = json!({ "type": "json_schema", "name": "answer", "schema": schema, "strict": strict });
        set(&mut body, "text", json!({ "format": format }));
    }
    if let Some(most) = request.max_output_tokens {
        set(&mut body, "max_output_tokens", json!(most));
    }
    body
}

fn input(request: &ModelRequest) -> Vec<Value> {
    let mut input = Vec::new();
    let message = |role: &str, kind: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] });
    for turn in turns(&request.messages) {
        match turn {
            Turn::User(text) => input.push(message("user", "input_text", &text)),
            Turn::Assistant { text, calls, .. } => {
                if !text.is_empty() {
                    input.push(message("assistant", "output_text", text));
                }
                input.extend(calls.iter().map(|call| {
                    json!({
                        "type": "function_call",
                        "call_id": names::id(&call.id),
                        "name": names::tool(&call.name),
                        "arguments": call.arguments,
                    })
                }));
            }
            Turn::Results(results) => input.extend(results.iter().map(|result| {
                json!({ "type": "function_call_output", "call_id": names::id(&result.id), "output": result.text })
            })),
        }
    }
    input
}

/// Reads the answer, streamed or whole.
#[derive(Debug)]
pub(super) struct Responses;

impl Format for Responses {
    fn take(&mut self, value: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<Taken, Failure> {
        if string(value, "object") == "response" {
            return finished(value, draft, deltas);
        }
        let slot = slot(value);
        let item = value.get("item").unwrap_or(&Value::Null);
        match string(value, "type") {
            "keepalive" | "ping" => {}
            "error" => return Err(errors::announced(value)),
            "response.output_text.delta" => draft.text(string(value, "delta"), deltas)?,
            "response.refusal.delta" => draft.refusal(string(value, "delta"), deltas),
            "response.output_item.added" => take_item(item, &slot, draft),
            "response.function_call_arguments.delta" => draft.call(&slot, "", "", string(value, "delta")),
            "response.function_call_arguments.done" => whole_arguments(value, &slot, draft),
            "response.output_item.done" => {
                take_item(item, &slot, draft);
                whole_arguments(item, &slot, draft);
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                return finished(value.get("response").unwrap_or(&Value::Null), draft, deltas);
            }
            kind if kind.starts_with("response.reasoning") => draft.thought(string(value, "delta")),
            kind if kind.starts_with("response.") => {}
            _ if value.get("error").is_some_and(Value::is_object) => return Err(errors::announced(value)),
            _ => return Ok(Taken::Unknown),
        }
        Ok(Taken::More)
    }
}

/// Where the item of an event stands. Servers that leave its place out give its id.
fn slot(value: &Value) -> String {
    if let Some(place) = value.get("output_index").and_then(Value::as_u64) {
        return place.to_string();
    }
    let item = value.get("item").unwrap_or(&Value::Null);
    let ids = [string(value, "item_id"), string(item, "id"), string(item, "call_id")];
    ids.into_iter().find(|id| !id.is_empty()).map_or_else(|| "0".to_owned(), slot_of)
}

fn slot_of(id: &str) -> String {
    format!("id-{id}")
}

fn take_item(item: &Value, slot: &str, draft: &mut Draft) {
    match string(item, "type") {
        "function_call" => draft.call(slot, string(item, "call_id"), string(item, "name"), ""),
        "reasoning" => draft.reasoned = true,
        _ => {}
    }
}

/// The arguments as a whole come twice after their pieces; empty ones would say nothing.
fn whole_arguments(of: &Value, slot: &str, draft: &mut Draft) {
    let arguments = string(of, "arguments");
    if !arguments.is_empty() {
        draft.arguments(slot, arguments);
    }
}

/// The response as a whole: the end of a stream, or all of an answer.
fn finished(response: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<Taken, Failure> {
    if string(response, "status") == "failed" || response.get("error").is_some_and(Value::is_object) {
        return Err(errors::announced(response));
    }
    take_output(response, draft, deltas)?;
    if let Some(usage) = response.get("usage").filter(|usage| usage.is_object()) {
        let details = usage.get("input_tokens_details").unwrap_or(&Value::Null);
        let counts = Counts {
            input: told(usage, "input_tokens").needed(),
            output: told(usage, "output_tokens").needed(),
            cached_read: told(details, "cached_tokens").optional(),
            cached_write: told(details, "cache_write_tokens").optional(),
        };
        draft.usage(counts.usage());
    }
    let details = response.get("incomplete_details").unwrap_or(&Value::Null);
    draft.stop = Some(match (string(response, "status"), string(details, "reason")) {
        ("incomplete", "max_output_tokens" | "max_tokens") => StopReason::Length,
        ("incomplete", "content_filter") => StopReason::Refusal,
        ("completed", _) => StopReason::EndTurn,
        _ => StopReason::Other,
    });
    draft.ended = true;
    Ok(Taken::Over)
}

/// What the stream has not brought is taken from the response as a whole.
fn take_output(response: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<(), Failure> {
    let (mut text, mut refusal) = (String::new(), String::new());
    for (index, item) in items(response, "output").iter().enumerate() {
        // The same call has the same id; where that is missing, its place or the item's id tells.
        let by_id = Some(slot_of(string(item, "id"))).filter(|slot| draft.has_call(slot));
        let slot = draft.slot_of(string(item, "call_id")).or(by_id).unwrap_or_else(|| index.to_string());
        take_item(item, &slot, draft);
        whole_arguments(item, &slot, draft);
        for part in items(item, "content").iter().filter(|_| string(item, "type") == "message") {
            text.push_str(string(part, "text"));
            refusal.push_str(string(part, "refusal"));
        }
    }
    let (said, declined) = draft.said();
    let more = text.strip_prefix(said).unwrap_or_default();
    let declined_more = refusal.strip_prefix(declined).unwrap_or_default();
    draft.text(more, deltas)?;
    draft.refusal(declined_more, deltas);
    Ok(())
}
