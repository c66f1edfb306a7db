use std::sync::Mutex;

use proptest::prelude::*;
use serde_json::json;
use ta_core::message::{Message, StopReason, ToolCall, ToolResult};
use ta_core::model::Unwatched;

use super::turns::{Turn, turns};
use super::*;

/// Keeps what was shown.
#[derive(Default)]
struct Seen(Mutex<String>);

impl Deltas for Seen {
    fn text(&self, delta: &str) {
        self.0.lock().unwrap().push_str(delta);
    }

    fn notice(&self, text: &str) {
        panic!("decoding has nothing to say: {text}");
    }
}

fn decode(wire: Wire, pieces: &[&[u8]]) -> Result<Reply, Failure> {
    let mut decoder = Decoder::of_turn(wire, 3);
    for piece in pieces {
        decoder.push(piece, &Unwatched)?;
    }
    decoder.finish(&Unwatched)
}

fn code(wire: Wire, body: &[u8]) -> &'static str {
    decode(wire, &[body]).unwrap_err().kind.code()
}

fn chat(delta: &serde_json::Value, finish: Option<&str>) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] }))
}

#[test]
fn a_code_point_may_be_split_between_packets_and_lines_may_end_as_on_windows() {
    let body = chat(&json!({ "content": "Schülerin 👩‍🏫" }), Some("stop")).replace('\n', "\r\n");
    let mut marked = b"\xEF\xBB\xBF: hello\r\n\r\n".to_vec();
    marked.extend_from_slice(body.as_bytes());
    let pieces: Vec<&[u8]> = marked.chunks(1).collect();
    assert_eq!(decode(Wire::Chat, &pieces).unwrap().text, "Schülerin 👩‍🏫");
}

#[test]
fn what_is_shown_is_the_text_and_nothing_else() {
    let body = [
        chat(&json!({ "reasoning_content": "secret thoughts" }), None),
        chat(&json!({ "content": "Loops " }), None),
        chat(
            &json!({ "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "t", "arguments": "{}" } }] }),
            None,
        ),
        chat(&json!({ "content": "repeat." }), Some("tool_calls")),
    ];
    let seen = Seen::default();
    let mut decoder = Decoder::of_turn(Wire::Chat, 1);
    decoder.push(body.concat().as_bytes(), &seen).unwrap();
    let reply = decoder.finish(&seen).unwrap();
    assert_eq!(*seen.0.lock().unwrap(), "Loops repeat.");
    assert_eq!((reply.text.as_str(), reply.calls.len(), reply.reasoned), ("Loops repeat.", 1, true));
}

#[test]
fn a_keep_alive_is_no_progress() {
    let mut decoder = Decoder::of_turn(Wire::Anthropic, 1);
    let mut push = |text: &str| decoder.push(text.as_bytes(), &Unwatched).unwrap();
    assert_eq!(push(": comment\n\n"), Progress::None);
    assert_eq!(push("event: ping\ndata: {\"type\": \"ping\"}\n\n"), Progress::None);
    assert_eq!(push("data: {\"type\": \"content_blo"), Progress::None);
    assert_eq!(push("ck_stop\", \"index\": 0}\n\n"), Progress::None);
    assert_eq!(push("data: {\"type\": \"message_stop\"}\n\n"), Progress::Over);
}

#[test]
fn progress_is_what_makes_an_answer_grow() {
    let progress = |wire: Wire, events: &[serde_json::Value]| {
        let mut decoder = Decoder::of_turn(wire, 1);
        let mut last = Progress::None;
        for event in events {
            last = decoder.push(format!("data: {event}\n\n").as_bytes(), &Unwatched).unwrap();
        }
        last
    };
    let delta = |delta: serde_json::Value| json!({ "type": "content_block_delta", "index": 0, "delta": delta });
    let call = json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "tool_use", "id": "a", "name": "t" } });
    let chat = |delta: serde_json::Value| json!({ "choices": [{ "delta": delta }] });
    let counted = json!({ "choices": [], "usage": { "prompt_tokens": 1, "completion_tokens": 1 } });
    for (wire, events) in [
        (Wire::Anthropic, vec![delta(json!({ "type": "text_delta", "text": "a" }))]),
        (Wire::Anthropic, vec![delta(json!({ "type": "thinking_delta", "thinking": "a" }))]),
        (Wire::Anthropic, vec![call.clone()]),
        (Wire::Anthropic, vec![call.clone(), delta(json!({ "type": "input_json_delta", "partial_json": "{" }))]),
        (Wire::Anthropic, vec![json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } })]),
        (Wire::Responses, vec![json!({ "type": "response.reasoning_summary_text.delta", "delta": "a" })]),
        (Wire::Chat, vec![chat(json!({ "reasoning": "a" }))]),
        (Wire::Chat, vec![counted.clone()]),
    ] {
        assert_eq!(progress(wire, &events), Progress::Moved, "{events:?}");
    }
    for (wire, events) in [
        (Wire::Anthropic, vec![delta(json!({ "type": "text_delta", "text": "" }))]),
        (Wire::Anthropic, vec![call.clone(), delta(json!({ "type": "input_json_delta", "partial_json": "" }))]),
        (Wire::Anthropic, vec![call.clone(), call]),
        (Wire::Responses, vec![json!({ "type": "response.in_progress", "response": { "status": "in_progress" } })]),
        (Wire::Responses, vec![json!({ "type": "response.output_text.delta", "delta": "" })]),
        (Wire::Chat, vec![chat(json!({ "role": "assistant", "content": "" }))]),
        (Wire::Chat, vec![counted.clone(), counted]),
        (Wire::Gemini, vec![json!({ "candidates": [{ "content": { "parts": [{ "text": "" }] } }] })]),
    ] {
        assert_eq!(progress(wire, &events), Progress::None, "{events:?}");
    }
}

fn events(events: &[serde_json::Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

#[test]
fn what_a_stream_of_responses_did_not_bring_is_taken_from_its_end() {
    let said = |text: &str| json!({ "type": "response.output_text.delta", "output_index": 0, "delta": text });
    let message = json!({ "type": "message", "content": [{ "type": "output_text", "text": "Let me look." }] });
    let call = |id: &str| json!({ "type": "function_call", "id": format!("i-{id}"), "call_id": id, "name": "t", "arguments": "{\"n\":1}" });
    let added = json!({ "type": "response.output_item.added", "output_index": 1,
        "item": { "type": "function_call", "id": "i-a", "call_id": "a", "name": "t", "arguments": "" } });
    let done = json!({ "type": "response.completed", "response": { "status": "completed",
        "output": [message, call("a"), call("b")] } });
    for begun in [vec![], vec![said("Let me ")], vec![said("Let me look.")], vec![said("Let me"), added]] {
        let all = [begun, vec![done.clone()]].concat();
        let reply = decode(Wire::Responses, &[events(&all).as_bytes()]).unwrap();
        let calls: Vec<_> = reply.calls.iter().map(|it| (it.id.as_str(), it.arguments.as_str())).collect();
        assert_eq!((reply.text.as_str(), calls), ("Let me look.", vec![("a", "{\"n\":1}"), ("b", "{\"n\":1}")]));
    }
    let other = [said("Something else."), done];
    assert_eq!(decode(Wire::Responses, &[events(&other).as_bytes()]).unwrap().text, "Something else.");
}

#[test]
fn calls_of_responses_without_a_place_are_told_apart_by_the_ids_of_their_items() {
    let added = |id: &str| {
        let item = json!({ "type": "function_call", "id": id, "call_id": format!("c-{id}"), "name": "t" });
        json!({ "type": "response.output_item.added", "item": item })
    };
    let more = |id: &str, piece: &str| json!({ "type": "response.function_call_arguments.delta", "item_id": id, "delta": piece });
    let item = |id: &str, n: u8| json!({ "type": "function_call", "id": id, "call_id": format!("c-{id}"), "name": "t", "arguments": format!("{{\"n\":{n}}}") });
    let done = json!({ "type": "response.completed", "response": { "status": "completed", "output": [item("1", 1), item("2", 2)] } });
    let all =
        [added("1"), added("2"), more("1", "{\"n\""), more("2", "{\"n\":2"), more("1", ":1}"), more("2", "}"), done];
    let reply = decode(Wire::Responses, &[events(&all).as_bytes()]).unwrap();
    let calls: Vec<_> = reply.calls.iter().map(|it| (it.id.as_str(), it.arguments.as_str())).collect();
    assert_eq!(calls, [("c-1", "{\"n\":1}"), ("c-2", "{\"n\":2}")]);
}

#[test]
fn what_is_no_answer_is_refused_by_name() {
    assert_eq!(code(Wire::Responses, b"<html><body>Please log in</body></html>"), "model.unreadable");
    assert_eq!(code(Wire::Chat, b""), "model.unreadable");
    assert_eq!(code(Wire::Chat, b"data: [DONE]\n\n"), "model.unreadable");
    assert_eq!(code(Wire::Chat, b"{\"ok\": true}"), "model.unreadable");
    assert_eq!(code(Wire::Gemini, b"data: {\"candidates\": oops}\n\n"), "model.unreadable");
    assert_eq!(code(Wire::Ollama, b"{\"message\": {\"content\": \"\xff\xfe\"}}\n"), "model.unreadable");
    assert_eq!(code(Wire::Anthropic, b"{\"type\": \"message\", \"content\": [{\"type\": \"te"), "model.stream_cut");
}

#[test]
fn a_stream_without_its_end_was_cut_and_is_tried_once_more() {
    let cut = [
        (
            Wire::Anthropic,
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Lo\"}}\n\n",
        ),
        (Wire::Responses, "data: {\"type\":\"response.output_text.delta\",\"delta\":\"Lo\",\"output_index\":0}\n\n"),
        (Wire::Chat, "data: {\"choices\":[{\"delta\":{\"content\":\"Lo\"}}]}\n\n"),
        (Wire::Gemini, "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Lo\"}]}}]}\n\n"),
        (Wire::Ollama, "{\"message\":{\"content\":\"Lo\"},\"done\":false}\n"),
    ];
    for (wire, body) in cut {
        let failure = decode(wire, &[body.as_bytes()]).unwrap_err();
        assert_eq!((failure.kind, failure.again()), (Kind::StreamCut, crate::failure::Again::Once), "{wire:?}");
        assert!(failure.message.contains("in the middle"), "{}", failure.message);
    }
}

#[test]
fn an_error_after_status_200_is_tried_once_more_at_the_most() {
    let body = b"data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let failure = decode(Wire::Anthropic, &[body]).unwrap_err();
    assert_eq!((failure.kind, failure.again()), (Kind::Overloaded, crate::failure::Again::Once));
    let body = b"data: {\"type\":\"error\",\"code\":\"insufficient_quota\",\"message\":\"No credit.\"}\n\n";
    let failure = decode(Wire::Responses, &[body]).unwrap_err();
    assert_eq!((failure.kind, failure.again()), (Kind::Spend, crate::failure::Again::Never));
}

#[test]
fn of_too_many_calls_the_first_are_kept_and_the_last_of_them_says_so() {
    let call = |index: usize| {
        let call = json!({ "index": index, "id": format!("c{index}"), "function": { "name": "t", "arguments": "{}" } });
        chat(&json!({ "tool_calls": [call] }), None)
    };
    let body: String = (0..CALLS_MAX + 50).map(call).chain([chat(&json!({}), Some("tool_calls"))]).collect();
    let reply = decode(Wire::Chat, &[body.as_bytes()]).unwrap();
    assert_eq!(reply.calls.len(), CALLS_MAX);
    assert_eq!(reply.calls[0].unusable_because(), None);
    let last = reply.calls[CALLS_MAX - 1].unusable_because().unwrap();
    assert!(last.contains("asks for 250 calls"), "{last}");
}

#[test]
fn arguments_of_five_megabytes_are_counted_and_not_kept() {
    let piece = "a".repeat(64 * 1024);
    let mut decoder = Decoder::of_turn(Wire::Chat, 1);
    let begin = json!({ "index": 0, "id": "c", "function": { "name": "t", "arguments": "{\"text\": \"" } });
    decoder.push(chat(&json!({ "tool_calls": [begin] }), None).as_bytes(), &Unwatched).unwrap();
    for _ in 0..80 {
        let more = json!({ "index": 0, "function": { "arguments": piece } });
        decoder.push(chat(&json!({ "tool_calls": [more] }), None).as_bytes(), &Unwatched).unwrap();
    }
    decoder.push(chat(&json!({}), Some("tool_calls")).as_bytes(), &Unwatched).unwrap();
    let call = &decoder.finish(&Unwatched).unwrap().calls[0];
    assert!(call.unusable_because().unwrap().starts_with("arguments of 5242890 bytes"), "{}", call.arguments);

    let whole = json!({ "choices": [{ "finish_reason": "tool_calls", "message": { "tool_calls": [
        { "id": "c", "function": { "name": "t", "arguments": json!({ "text": "a".repeat(5 << 20) }).to_string() } }
    ] } }] });
    let call = &decode(Wire::Chat, &[whole.to_string().as_bytes()]).unwrap().calls[0];
    assert!(call.unusable_because().unwrap().starts_with("arguments of 52428"));
}

#[test]
fn a_text_and_an_event_without_end_are_refused() {
    let piece = chat(&json!({ "content": "a".repeat(1 << 20) }), None);
    let mut decoder = Decoder::of_turn(Wire::Chat, 1);
    let failure = (0..20).find_map(|_| decoder.push(piece.as_bytes(), &Unwatched).err()).unwrap();
    assert_eq!(failure.kind, Kind::ReplyTooLarge);

    let mut decoder = Decoder::of_turn(Wire::Chat, 1);
    let piece = [b'a'; 1 << 20];
    decoder.push(b"data: ", &Unwatched).unwrap();
    let failure = (0..40).find_map(|_| decoder.push(&piece, &Unwatched).err()).unwrap();
    assert_eq!(failure.kind, Kind::ReplyTooLarge);
}

#[test]
fn calls_are_decided_from_the_content_and_not_from_the_stop_reason() {
    let call = json!({ "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "t", "arguments": "" } }] });
    let reply = decode(Wire::Chat, &[chat(&call, Some("stop")).as_bytes()]).unwrap();
    assert_eq!((reply.stop, reply.calls[0].arguments.as_str()), (StopReason::ToolUse, "{}"));
    let reply = decode(Wire::Chat, &[chat(&json!({ "content": "Hi" }), Some("tool_calls")).as_bytes()]).unwrap();
    assert_eq!(reply.stop, StopReason::EndTurn);
}

#[test]
fn whatever_the_history_looks_like_each_call_has_its_result_and_no_result_stands_alone() {
    let call = |id: &str| ToolCall { id: id.into(), name: "t".into(), arguments: "{}".into() };
    let result = |id: &str| ToolResult { id: id.into(), name: "t".into(), failed: false, text: format!("of {id}") };
    let messages = [
        Message::tool(result("0")),
        Message::assistant("", vec![]),
        Message::assistant("", vec![call("1"), call("2")]),
        Message::tool(result("2")),
        Message::tool(result("9")),
        Message::user("Go on"),
    ];
    let turns = turns(&messages);
    let told: Vec<String> = turns
        .iter()
        .map(|turn| match turn {
            Turn::User(text) => format!("user: {text}"),
            Turn::Assistant { calls, .. } => format!("model: {} calls", calls.len()),
            Turn::Results(results) => {
                results.iter().map(|it| format!("{}: {}", it.id, it.text)).collect::<Vec<_>>().join(", ")
            }
        })
        .collect();
    assert_eq!(
        told,
        [
            "user: Result of t: of 0",
            "model: 2 calls",
            "1: no result was kept for this call, 2: of 2",
            "user: Result of t: of 9",
            "user: Go on",
        ]
    );
}

#[test]
fn ids_and_names_are_such_as_every_provider_takes() {
    assert_eq!(names::id("toolu_01-a"), "toolu_01-a");
    assert_eq!(names::id("call#1"), names::id("call#1"));
    assert_ne!(names::id("call#1"), names::id("call#2"));
    assert!(names::id(&"x".repeat(90)).len() <= 40);
    assert_eq!(names::tool("read file\n"), "read_file_");
    assert_eq!(names::in_path("models/gemini-3/../../x?key=1"), "gemini-3_.._.._x_key_1");
}

#[test]
fn a_schema_is_closed_and_without_limits_of_size_where_those_are_refused() {
    let schema = json!({
        "type": "object",
        "properties": { "minimum": { "type": "integer", "minimum": 3 }, "list": { "items": { "type": "object", "properties": {} } } },
        "required": ["minimum"]
    });
    assert_eq!(
        schema::closed(&schema),
        json!({
            "type": "object",
            "properties": {
                "minimum": { "type": "integer" },
                "list": { "items": { "type": "object", "properties": {}, "additionalProperties": false } }
            },
            "required": ["minimum"],
            "additionalProperties": false
        })
    );
    assert!(!schema::strict(&schema));
    assert!(schema::strict(
        &json!({ "type": "object", "properties": { "a": {} }, "required": ["a"], "additionalProperties": false })
    ));
}

#[test]
fn a_tool_without_arguments_has_an_object_of_nothing() {
    assert_eq!(schema::parameters(&json!({})), json!({ "type": "object", "properties": {} }));
    assert_eq!(schema::parameters(&json!(true)), json!({ "type": "object", "properties": {} }));
    let full = json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] });
    assert_eq!(schema::parameters(&full), full);
}

#[test]
fn signatures_come_back_with_their_calls_and_a_word_stands_for_lost_ones() {
    let body = br#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"t","args":{}},"thoughtSignature":"c2ln"}]},"finishReason":"STOP"}]}"#;
    let mut decoder = Decoder::of_turn(Wire::Gemini, 1);
    decoder.push(body, &Unwatched).unwrap();
    let (reply, signed) = decoder.finish_signed(&Unwatched).unwrap();
    let begin = vec![Message::user("Plan a lesson")];
    let kept = Signatures::default();
    kept.keep(&begin, signed);
    let mut request =
        ModelRequest { model: "gemini-3.5-flash".into(), messages: begin.into(), ..ModelRequest::default() };
    request.messages.push(Message::assistant("", reply.calls));
    let signature = |signatures: &Signatures, request: &ModelRequest| {
        let body = Wire::Gemini.encode(request, Setting { native: true, signatures });
        body["contents"][1]["parts"][0]["thoughtSignature"].clone()
    };
    assert_eq!(signature(&kept, &request), "c2ln");
    assert_eq!(signature(&Signatures::default(), &request), "skip_thought_signature_validator");
    let mut changed = request.messages.to_vec();
    changed[0].text.push('!');
    request.messages = changed.into();
    assert_eq!(signature(&kept, &request), "skip_thought_signature_validator", "another conversation");
    request.model = "gemini-2.5-flash".into();
    assert_eq!(signature(&kept, &request), serde_json::Value::Null);
}

#[test]
fn lists_of_models_are_read() {
    let google = json!({ "models": [
        { "name": "models/gemini-3.5-flash", "supportedGenerationMethods": ["generateContent"] },
        { "name": "models/embedding", "supportedGenerationMethods": ["embedContent"] }
    ] });
    assert_eq!(Wire::Gemini.models(&google), ["gemini-3.5-flash"]);
    assert_eq!(Wire::Ollama.models(&json!({ "models": [{ "name": "qwen3:4b" }] })), ["qwen3:4b"]);
    assert_eq!(Wire::Anthropic.models(&json!({ "data": [{ "id": "b" }, { "id": "a" }] })), ["a", "b"]);
}

/// The usage of an answer with nothing in it but these counts.
fn counted(wire: Wire, usage: &serde_json::Value) -> ta_core::message::Usage {
    let body = match wire {
        Wire::Anthropic => json!({ "type": "message", "content": [], "stop_reason": "end_turn", "usage": usage }),
        Wire::Responses => json!({ "object": "response", "status": "completed", "output": [], "usage": usage }),
        Wire::Chat => json!({ "choices": [{ "finish_reason": "stop", "message": {} }], "usage": usage }),
        Wire::Gemini => json!({ "candidates": [{ "finishReason": "STOP" }], "usageMetadata": usage }),
        Wire::Ollama => {
            let mut body = usage.clone();
            set(&mut body, "done", true);
            body
        }
    };
    decode(wire, &[body.to_string().as_bytes()]).unwrap().usage.unwrap()
}

#[test]
fn sums_of_counts_do_not_run_over_and_what_is_no_count_makes_an_estimate() {
    let most = u64::MAX;
    let usage =
        counted(Wire::Anthropic, &json!({ "input_tokens": most, "cache_read_input_tokens": 5, "output_tokens": 1 }));
    assert_eq!((usage.estimated, usage.input_tokens, usage.output_tokens), (true, 0, 1));
    let usage = counted(
        Wire::Gemini,
        &json!({ "promptTokenCount": most, "toolUsePromptTokenCount": 1, "candidatesTokenCount": most, "thoughtsTokenCount": 9 }),
    );
    assert_eq!((usage.estimated, usage.input_tokens, usage.output_tokens), (true, 0, 0));
    let fields = [
        (Wire::Anthropic, "input_tokens", "output_tokens"),
        (Wire::Responses, "input_tokens", "output_tokens"),
        (Wire::Chat, "prompt_tokens", "completion_tokens"),
        (Wire::Gemini, "promptTokenCount", "candidatesTokenCount"),
        (Wire::Ollama, "prompt_eval_count", "eval_count"),
    ];
    for (wire, input, output) in fields {
        let usage = counted(wire, &json!({ input: 7.0, output: 1_000_000_000_000_u64 }));
        assert_eq!((usage.estimated, usage.input_tokens, usage.output_tokens), (false, 7, 1_000_000_000_000));
        for odd in [json!("7"), json!(7.5), json!(-7), json!(1_000_000_000_001_u64), json!([7]), json!(null)] {
            let usage = counted(wire, &json!({ input: odd, output: 3 }));
            assert_eq!((usage.estimated, usage.input_tokens, usage.output_tokens), (true, 0, 3), "{wire:?} {odd}");
        }
    }
}

#[test]
fn a_count_that_comes_again_in_a_form_that_cannot_be_read_is_no_longer_known() {
    let start = json!({ "type": "message_start", "message": { "usage": { "input_tokens": 9, "output_tokens": 1 } } });
    let end = |usage: serde_json::Value| {
        let end = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage });
        let body = format!("data: {start}\n\ndata: {end}\n\n");
        decode(Wire::Anthropic, &[body.as_bytes()]).unwrap().usage.unwrap()
    };
    let usage = end(json!({ "input_tokens": null, "cache_read_input_tokens": null, "output_tokens": 500 }));
    assert_eq!((usage.estimated, usage.input_tokens, usage.output_tokens), (false, 9, 500));
    let usage = end(json!({ "output_tokens": "500" }));
    assert_eq!((usage.estimated, usage.input_tokens, usage.output_tokens), (true, 9, 0));
}

const WIRES: [Wire; 5] = [Wire::Anthropic, Wire::Responses, Wire::Chat, Wire::Gemini, Wire::Ollama];

proptest! {
    #[test]
    fn no_bytes_break_a_decoder(bytes in proptest::collection::vec(any::<u8>(), 0..300), wire in 0..WIRES.len()) {
        let _ = decode(WIRES[wire], &[&bytes]);
    }

    #[test]
    fn a_text_arrives_however_it_is_cut(text in "\\PC{0,40}", cuts in proptest::collection::vec(1_usize..9, 1..200)) {
        let body = format!("{}{}", chat(&json!({ "content": text }), None), chat(&json!({}), Some("stop")));
        let mut rest = body.as_bytes();
        let mut pieces = Vec::new();
        for cut in cuts.into_iter().chain(std::iter::repeat(7)) {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        prop_assert_eq!(decode(Wire::Chat, &pieces).unwrap().text, text);
    }
}
