//! One conversation as each provider is sent it.

use serde_json::{Value, json};
use ta_core::message::{Message, ToolCall, ToolDefinition, ToolResult};
use ta_core::model::{ModelRequest, Moment};
use ta_models::wire::{Setting, Signatures, Wire};

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

fn result(id: &str, name: &str, failed: bool, text: &str) -> Message {
    Message::tool(ToolResult { id: id.into(), name: name.into(), failed, text: text.into() })
}

fn tool_schema() -> Value {
    json!({ "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"] })
}

fn answer_schema() -> Value {
    json!({ "type": "object", "properties": { "title": { "type": "string", "maxLength": 60 } }, "required": ["title"] })
}

fn conversation() -> ModelRequest {
    ModelRequest {
        model: "the-model".into(),
        system: "You plan lessons.".into(),
        messages: vec![
            Message::user("Plan a lesson."),
            Message::assistant("I look.", vec![call("c1", "read_file", r#"{"path":"3B"}"#), call("c#2", "list", "{}")]),
            result("c1", "read_file", false, "24 pupils"),
            result("c#2", "list", true, "no such directory"),
            Message::user("Keep it short."),
        ],
        tools: vec![ToolDefinition {
            name: "read_file".into(),
            description: "Reads a file.".into(),
            input_schema: tool_schema(),
            idempotent: true,
            only_reads: true,
        }],
        output_schema: Some(answer_schema()),
        max_output_tokens: Some(900),
        moment: Moment::default(),
    }
}

fn encoded(wire: Wire, request: &ModelRequest) -> Value {
    wire.encode(request, Setting { native: true, signatures: &Signatures::default() })
}

/// What the second call's id becomes: `#` is not allowed in it.
fn other_id(body: &Value, pointer: &str) -> String {
    let id = body.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    assert!(id.starts_with("call-") && !id.contains('#'), "{id}");
    id
}

#[test]
fn anthropic_messages() {
    let body = encoded(Wire::Anthropic, &conversation());
    let other = other_id(&body, "/messages/1/content/2/id");
    let cached = json!({ "type": "ephemeral" });
    let expected = json!({
        "model": "the-model",
        "max_tokens": 900,
        "stream": true,
        "system": [{ "type": "text", "text": "You plan lessons.", "cache_control": cached }],
        "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "Plan a lesson." }] },
            { "role": "assistant", "content": [
                { "type": "text", "text": "I look." },
                { "type": "tool_use", "id": "c1", "name": "read_file", "input": { "path": "3B" } },
                { "type": "tool_use", "id": other, "name": "list", "input": {} }
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c1", "content": [{ "type": "text", "text": "24 pupils" }] },
                { "type": "tool_result", "tool_use_id": other, "is_error": true,
                  "content": [{ "type": "text", "text": "no such directory" }] },
                { "type": "text", "text": "Keep it short.", "cache_control": cached }
            ] }
        ],
        "tools": [{ "name": "read_file", "description": "Reads a file.", "input_schema": tool_schema() }],
        "output_config": { "format": { "type": "json_schema", "schema": {
            "type": "object", "properties": { "title": { "type": "string" } }, "required": ["title"],
            "additionalProperties": false
        } } }
    });
    assert_eq!(body, expected);
}

#[test]
fn anthropic_keeps_the_tools_of_a_conversation_when_none_may_be_called_any_more() {
    let mut request = conversation();
    request.tools.clear();
    let body = encoded(Wire::Anthropic, &request);
    assert_eq!(body["tool_choice"], json!({ "type": "none" }));
    let names: Vec<&str> = body["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["list", "read_file"]);
}

#[test]
fn openai_responses() {
    let body = encoded(Wire::Responses, &conversation());
    let other = other_id(&body, "/input/3/call_id");
    let expected = json!({
        "model": "the-model",
        "instructions": "You plan lessons.",
        "store": false,
        "stream": true,
        "max_output_tokens": 900,
        "input": [
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Plan a lesson." }] },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "I look." }] },
            { "type": "function_call", "call_id": "c1", "name": "read_file", "arguments": "{\"path\":\"3B\"}" },
            { "type": "function_call", "call_id": other, "name": "list", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "c1", "output": "24 pupils" },
            { "type": "function_call_output", "call_id": other, "output": "no such directory" },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Keep it short." }] }
        ],
        "tools": [{ "type": "function", "name": "read_file", "description": "Reads a file.", "strict": false,
                    "parameters": tool_schema() }],
        "text": { "format": { "type": "json_schema", "name": "answer", "strict": false, "schema": answer_schema() } }
    });
    assert_eq!(body, expected);
}

#[test]
fn openai_chat_completions() {
    let body = encoded(Wire::Chat, &conversation());
    let other = other_id(&body, "/messages/2/tool_calls/1/id");
    let function = |name: &str, arguments: &str| json!({ "name": name, "arguments": arguments });
    let expected = json!({
        "model": "the-model",
        "stream": true,
        "stream_options": { "include_usage": true },
        "max_completion_tokens": 900,
        "messages": [
            { "role": "system", "content": "You plan lessons." },
            { "role": "user", "content": "Plan a lesson." },
            { "role": "assistant", "content": "I look.", "tool_calls": [
                { "id": "c1", "type": "function", "function": function("read_file", "{\"path\":\"3B\"}") },
                { "id": other, "type": "function", "function": function("list", "{}") }
            ] },
            { "role": "tool", "tool_call_id": "c1", "content": "24 pupils" },
            { "role": "tool", "tool_call_id": other, "content": "no such directory" },
            { "role": "user", "content": "Keep it short." }
        ],
        "tools": [{ "type": "function", "function": {
            "name": "read_file", "description": "Reads a file.", "parameters": tool_schema()
        } }],
        "response_format": { "type": "json_schema", "json_schema": {
            "name": "answer", "strict": false, "schema": answer_schema()
        } }
    });
    assert_eq!(body, expected);

    let setting = Setting { native: false, signatures: &Signatures::default() };
    let elsewhere = Wire::Chat.encode(&conversation(), setting);
    assert_eq!((&elsewhere["max_tokens"], &elsewhere["max_completion_tokens"]), (&json!(900), &Value::Null));
}

#[test]
fn google_gemini() {
    let mut request = conversation();
    request.model = "gemini-3.5-flash".into();
    let body = encoded(Wire::Gemini, &request);
    let other = other_id(&body, "/contents/1/parts/2/functionCall/id");
    let expected = json!({
        "systemInstruction": { "parts": [{ "text": "You plan lessons." }] },
        "contents": [
            { "role": "user", "parts": [{ "text": "Plan a lesson." }] },
            { "role": "model", "parts": [
                { "text": "I look." },
                { "functionCall": { "id": "c1", "name": "read_file", "args": { "path": "3B" } },
                  "thoughtSignature": "skip_thought_signature_validator" },
                { "functionCall": { "id": other, "name": "list", "args": {} } }
            ] },
            { "role": "user", "parts": [
                { "functionResponse": { "id": "c1", "name": "read_file", "response": { "result": "24 pupils" } } },
                { "functionResponse": { "id": other, "name": "list", "response": { "error": "no such directory" } } }
            ] },
            { "role": "user", "parts": [{ "text": "Keep it short." }] }
        ],
        "tools": [{ "functionDeclarations": [{
            "name": "read_file", "description": "Reads a file.", "parametersJsonSchema": tool_schema()
        }] }],
        "generationConfig": {
            "responseMimeType": "application/json", "responseJsonSchema": answer_schema(), "maxOutputTokens": 900
        }
    });
    assert_eq!(body, expected);
    assert_eq!(Wire::Gemini.path("gemini-3.5-flash"), "/models/gemini-3.5-flash:streamGenerateContent?alt=sse");

    request.model = "gemini-2.5-flash".into();
    let older = encoded(Wire::Gemini, &request);
    assert_eq!(older["generationConfig"], json!({ "maxOutputTokens": 900 }));
    let system = older["systemInstruction"]["parts"][0]["text"].as_str().unwrap();
    assert!(system.starts_with("You plan lessons.\n\nWhen you give your final answer"), "{system}");
}

#[test]
fn ollama_chat() {
    let body = encoded(Wire::Ollama, &conversation());
    let other = other_id(&body, "/messages/2/tool_calls/1/id");
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(
        messages[2],
        json!({ "role": "assistant", "content": "I look.", "tool_calls": [
            { "id": "c1", "function": { "name": "read_file", "arguments": { "path": "3B" } } },
            { "id": other, "function": { "name": "list", "arguments": {} } }
        ] })
    );
    assert_eq!(
        messages[3],
        json!({ "role": "tool", "tool_name": "read_file", "tool_call_id": "c1", "content": "24 pupils" })
    );
    assert!(
        messages[6]["content"].as_str().unwrap().contains("JSON Schema"),
        "with tools the form is told, not forced"
    );
    assert_eq!(body["options"], json!({ "num_ctx": 8192, "num_predict": 900 }));
    assert_eq!(body["format"], Value::Null);

    let mut request = conversation();
    request.tools.clear();
    request.system = "a".repeat(100_000);
    let body = encoded(Wire::Ollama, &request);
    assert_eq!((&body["format"], &body["options"]["num_ctx"]), (&answer_schema(), &json!(32_768)));
}

#[test]
fn a_call_that_could_not_be_read_goes_back_as_valid_json() {
    let request = ModelRequest {
        messages: vec![
            Message::user("Go"),
            Message::assistant("", vec![ToolCall::unusable("c1", "read_file", "the arguments are no JSON")]),
        ],
        ..ModelRequest::default()
    };
    let body = encoded(Wire::Anthropic, &request);
    assert_eq!(body["messages"][1]["content"][0]["input"], json!({ "invalid_arguments": "the arguments are no JSON" }));
    let body = encoded(Wire::Chat, &request);
    let arguments = body["messages"][1]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
    assert!(serde_json::from_str::<Value>(arguments).unwrap().is_object());
}
