//! Google's Gemini: `generateContent`, `streamGenerateContent`.

use serde_json::{Value, json};
use ta_core::message::{StopReason, ToolCall, Usage};
use ta_core::model::{Deltas, ModelRequest};

use super::counts::{Counts, sum, told};
use super::draft::Draft;
use super::signatures::{Said, Signatures};
use super::turns::{Turn, turns};
use super::{Format, Taken, arguments, errors, items, names, schema, set, string};
use crate::failure::Failure;

/// What stands for a signature that was lost: Google's own word for calls that it did not sign.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// The body of a call, streamed or not.
pub(super) fn encode(request: &ModelRequest, signatures: &Signatures) -> Value {
    let mut body = json!({ "contents": contents(request, signatures) });
    let mut system = request.system.clone();
    let mut config = json!({});
    if let Some(schema) = &request.output_schema {
        // The models before the third generation refuse a form of answer and tools at once.
        if request.tools.is_empty() || signs(&request.model) {
            set(&mut config, "responseMimeType", json!("application/json"));
            set(&mut config, "responseJsonSchema", schema.clone());
        } else {
            system = format!("{system}\n\n{}", schema::told(schema)).trim_start().to_owned();
        }
    }
    if let Some(most) = request.max_output_tokens {
        set(&mut config, "maxOutputTokens", json!(most));
    }
    if !system.is_empty() {
        set(&mut body, "systemInstruction", json!({ "parts": [{ "text": system }] }));
    }
    if !request.tools.is_empty() {
        let declared = request.tools.iter().map(|tool| {
            let name = names::tool(&tool.name);
            let parameters = schema::parameters(&tool.input_schema);
            json!({ "name": name, "description": tool.description, "parametersJsonSchema": parameters })
        });
        set(&mut body, "tools", json!([{ "functionDeclarations": declared.collect::<Vec<_>>() }]));
    }
    if config.as_object().is_some_and(|it| !it.is_empty()) {
        set(&mut body, "generationConfig", config);
    }
    body
}

/// Whether the model signs its calls and wants the signatures back.
fn signs(model: &str) -> bool {
    let model = model.strip_prefix("models/").unwrap_or(model);
    let generation = model.strip_prefix("gemini-").and_then(|rest| rest.chars().next());
    generation.is_some_and(|digit| digit.is_ascii_digit() && digit >= '3')
}

fn contents(request: &ModelRequest, signatures: &Signatures) -> Vec<Value> {
    let mut said = Said::default();
    let mut digested = 0;
    let mut contents = Vec::new();
    for turn in turns(&request.messages) {
        match turn {
            Turn::User(text) => contents.push(json!({ "role": "user", "parts": [{ "text": text }] })),
            Turn::Assistant { place, text, calls } => {
                request.messages.iter().take(place).skip(digested).for_each(|message| said.add(message));
                digested = place;
                let mut parts = Vec::new();
                if !text.is_empty() {
                    parts.push(json!({ "text": text }));
                }
                let model = request.model.as_str();
                let sign = |place: usize| {
                    // Of calls that were made at once, the first alone is signed.
                    let missing = (place == 0 && signs(model)).then(|| UNSIGNED.to_owned());
                    signatures.find(said, place).or(missing)
                };
                parts.extend(calls.iter().enumerate().map(|(place, call)| call_part(call, sign(place))));
                contents.push(json!({ "role": "model", "parts": parts }));
            }
            Turn::Results(results) => {
                let parts = results.iter().map(|result| {
                    let outcome = if result.failed { "error" } else { "result" };
                    let (id, name) = (names::id(&result.id), names::tool(&result.name));
                    json!({ "functionResponse": { "id": id, "name": name, "response": { outcome: result.text } } })
                });
                contents.push(json!({ "role": "user", "parts": parts.collect::<Vec<_>>() }));
            }
        }
    }
    contents
}

fn call_part(call: &ToolCall, signature: Option<String>) -> Value {
    let args: Value = serde_json::from_str(&call.arguments).ok().filter(Value::is_object).unwrap_or(json!({}));
    let (id, name) = (names::id(&call.id), names::tool(&call.name));
    let mut part = json!({ "functionCall": { "id": id, "name": name, "args": args } });
    if let Some(signature) = signature {
        set(&mut part, "thoughtSignature", json!(signature));
    }
    part
}

/// Reads the answer, streamed or whole.
#[derive(Debug, Default)]
pub(super) struct Content {
    calls: usize,
    signatures: Vec<(usize, String)>,
}

impl Format for Content {
    fn take(&mut self, value: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<Taken, Failure> {
        if value.get("error").is_some_and(Value::is_object) {
            return Err(errors::announced(value));
        }
        if let Some(usage) = value.get("usageMetadata").filter(|usage| usage.is_object()) {
            draft.usage(used(usage));
        }
        if ["candidates", "promptFeedback"].iter().all(|field| value.get(field).is_none()) {
            return Ok(Taken::Unknown);
        }
        let feedback = value.get("promptFeedback").unwrap_or(&Value::Null);
        if !string(feedback, "blockReason").is_empty() {
            draft.stop = Some(StopReason::Refusal);
            draft.ended = true;
        }
        let Some(candidate) = items(value, "candidates").first() else { return Ok(Taken::More) };
        let content = candidate.get("content").unwrap_or(&Value::Null);
        for part in items(content, "parts") {
            self.part(part, draft, deltas)?;
        }
        let reason = string(candidate, "finishReason");
        if !reason.is_empty() {
            // A stream may say that it is finished and go on: the last word counts, and the end of the body ends it.
            draft.ended = true;
            draft.stop = Some(match reason {
                "STOP" => StopReason::EndTurn,
                "MAX_TOKENS" => StopReason::Length,
                "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
                    StopReason::Refusal
                }
                _ => StopReason::Other,
            });
        }
        Ok(Taken::More)
    }

    fn signatures(&mut self) -> Vec<(usize, String)> {
        std::mem::take(&mut self.signatures)
    }
}

impl Content {
    fn part(&mut self, part: &Value, draft: &mut Draft, deltas: &dyn Deltas) -> Result<(), Failure> {
        if let Some(call) = part.get("functionCall") {
            draft.whole_call(string(call, "id"), string(call, "name"), &arguments(call.get("args")));
            let signature = string(part, "thoughtSignature");
            if !signature.is_empty() {
                self.signatures.push((self.calls, signature.to_owned()));
            }
            self.calls += 1;
        } else if part.get("thought").and_then(Value::as_bool) == Some(true) {
            draft.thought(string(part, "text"));
        } else {
            // What code the provider ran, and what came of it, is no text of the model.
            draft.text(string(part, "text"), deltas)?;
        }
        Ok(())
    }
}

fn used(usage: &Value) -> Usage {
    // Google leaves out what is 0.
    let count = |field: &str| told(usage, field).optional();
    let counts = Counts {
        input: sum(told(usage, "promptTokenCount").needed(), count("toolUsePromptTokenCount")),
        output: sum(count("candidatesTokenCount"), count("thoughtsTokenCount")),
        cached_read: count("cachedContentTokenCount"),
        cached_write: Some(0),
    };
    counts.usage()
}
