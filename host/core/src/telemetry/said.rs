//! What spans say, by the conventions for generative AI, in the JSON of OTLP.

use serde_json::{Value, json};

use crate::message::{Message, Role, StopReason, Usage};
use crate::model::ModelAnswer;

/// What kind of step a span is, as `OpenInference` names them, by which collectors for agents show a trace.
pub(super) const KIND: &str = "openinference.span.kind";

/// Provider and model that a call went to.
pub(super) type Asked<'a> = (&'a str, &'a str);

/// Of `provider/model`; a model's own name may hold a slash.
pub(super) fn named(name: &str) -> Asked<'_> {
    name.split_once('/').unwrap_or(("", name))
}

pub(super) fn of_model((provider, model): Asked<'_>, operation: &str, usage: Usage) -> Vec<Value> {
    let of = attributes([
        ("gen_ai.operation.name", json!(operation)),
        (KIND, json!(if operation == "chat" { "LLM" } else { "AGENT" })),
        ("gen_ai.provider.name", json!(provider_name(provider))),
        ("gen_ai.request.model", json!(model)),
    ]);
    [of, tokens(usage)].concat()
}

/// The conventions' own names of providers.
pub(super) fn provider_name(provider: &str) -> &str {
    match provider {
        "openai-chat" => "openai",
        "google" => "gcp.gemini",
        other => other,
    }
}

pub(super) const fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::EndTurn | StopReason::Declined => "stop",
        StopReason::ToolUse => "tool_call",
        StopReason::Length => "length",
        StopReason::Refusal => "content_filter",
        StopReason::Other => "error",
    }
}

pub(super) fn tokens(usage: Usage) -> Vec<Value> {
    attributes([
        ("gen_ai.usage.input_tokens", json!(usage.input_tokens)),
        ("gen_ai.usage.output_tokens", json!(usage.output_tokens)),
        ("gen_ai.usage.cache_read.input_tokens", json!(usage.cached_read_tokens)),
        ("gen_ai.usage.cache_creation.input_tokens", json!(usage.cached_write_tokens)),
    ])
}

/// A message in the form of the conventions.
pub(super) fn message(message: &Message) -> Value {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let text = Some(&message.text).filter(|text| !text.is_empty());
    let mut parts: Vec<Value> = text.map(|text| json!({ "type": "text", "content": text })).into_iter().collect();
    parts.extend(
        message
            .calls
            .iter()
            .map(|call| json!({ "type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments })),
    );
    parts.extend(
        message
            .result
            .iter()
            .map(|result| json!({ "type": "tool_call_response", "id": result.id, "response": result.text })),
    );
    json!({ "role": role, "parts": parts })
}

/// An answer in that form.
pub(super) fn said(answer: &ModelAnswer) -> Value {
    let mut said = message(&Message::assistant(answer.text.clone(), answer.calls.clone()));
    if let Some(said) = said.as_object_mut() {
        said.insert("finish_reason".to_owned(), json!(finish_reason(answer.stop)));
    }
    said
}

pub(super) fn attributes<const N: usize>(all: [(&str, Value); N]) -> Vec<Value> {
    all.iter().map(|(name, value)| attribute(name, value)).collect()
}

pub(super) fn attribute(name: &str, value: &Value) -> Value {
    json!({ "key": name, "value": any(value) })
}

/// A value as OTLP writes it.
fn any(value: &Value) -> Value {
    match value {
        Value::Bool(it) => json!({ "boolValue": it }),
        Value::Number(it) if it.is_f64() => json!({ "doubleValue": it }),
        Value::Number(it) => json!({ "intValue": it.to_string() }),
        Value::Array(all) => json!({ "arrayValue": { "values": all.iter().map(any).collect::<Vec<_>>() } }),
        Value::String(it) => json!({ "stringValue": it }),
        other => json!({ "stringValue": other.to_string() }),
    }
}
