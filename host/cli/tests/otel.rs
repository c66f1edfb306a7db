//! Runs as spans, through the binary, decoded by a collector on this machine.

use crate::{several_agents, support};

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message as _;
use serde_json::{Value, json};
use support::mock::{Mock, Reply, call, refusal, text};
use support::{Call, Home, KEY, LESSON};

/// A collector that keeps what it is sent.
struct Collector {
    base: String,
    came: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Collector {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let came = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&came);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || {
                    // One connection may bring several requests.
                    while let Some(request) = request(&mut stream) {
                        kept.lock().unwrap().push(request);
                        stream
                            .write_all(
                                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
                            )
                            .unwrap();
                    }
                });
            }
        });
        Self { base, came }
    }

    /// Everything that came, as text.
    fn raw(&self) -> String {
        self.came.lock().unwrap().iter().map(|(head, body)| format!("{head}\n{body}\n")).collect()
    }

    /// The spans that came, decoded.
    fn spans(&self) -> Vec<Span> {
        let came = self.came.lock().unwrap();
        let mut spans = Vec::new();
        for (head, body) in came.iter() {
            assert!(head.starts_with("POST /v1/traces HTTP/1.1"), "{head}");
            for resource in body["resourceSpans"].as_array().unwrap() {
                assert_eq!(attributes(&resource["resource"]["attributes"])["service.name"], "teacher-assist");
                let scopes = resource["scopeSpans"].as_array().unwrap().iter();
                spans.extend(scopes.flat_map(|scope| scope["spans"].as_array().unwrap()).map(Span::decode));
            }
        }
        spans
    }
}

fn request(stream: &mut std::net::TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 65_536];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let field = |name: &str| {
                let name = format!("{name}: ");
                head.lines().find_map(|it| it.to_lowercase().strip_prefix(&name).map(str::to_owned))
            };
            let body = &bytes[end + 4..];
            if body.len() >= field("content-length").map_or(0, |it| it.parse().unwrap()) {
                // Somebody else's reading of the same schema.
                let spans = match field("content-type").as_deref() {
                    Some("application/x-protobuf") => ExportTraceServiceRequest::decode(body).unwrap(),
                    Some("application/json") => serde_json::from_slice(body).unwrap(),
                    other => panic!("{other:?}"),
                };
                return Some((head, serde_json::to_value(spans).unwrap()));
            }
        }
        let read = stream.read(&mut buffer).unwrap_or(0);
        if read == 0 {
            return None;
        }
        bytes.extend_from_slice(&buffer[..read]);
    }
}

/// A span as OTLP's JSON has it: ids of 16 and 8 bytes in hexadecimal, times as texts, each value under its type.
#[derive(Debug, Clone)]
struct Span {
    trace: String,
    id: String,
    parent: Option<String>,
    name: String,
    kind: u64,
    from: u64,
    to: u64,
    attributes: serde_json::Map<String, Value>,
    failed: bool,
}

impl Span {
    fn decode(span: &Value) -> Self {
        let id = |field: &str, bytes: usize| {
            let id = span[field].as_str().filter(|id| !id.is_empty()).map(str::to_owned);
            if let Some(id) = &id {
                assert!(id.len() == 2 * bytes && id.chars().all(|c| c.is_ascii_hexdigit()), "{field}: {id}");
            }
            id
        };
        let time = |field: &str| span[field].as_str().unwrap().parse::<u64>().unwrap();
        Self {
            trace: id("traceId", 16).unwrap(),
            id: id("spanId", 8).unwrap(),
            parent: id("parentSpanId", 8),
            name: span["name"].as_str().unwrap().to_owned(),
            kind: span["kind"].as_u64().unwrap(),
            from: time("startTimeUnixNano"),
            to: time("endTimeUnixNano"),
            attributes: attributes(&span["attributes"]),
            failed: span["status"]["code"] == 2,
        }
    }
}

fn attributes(list: &Value) -> serde_json::Map<String, Value> {
    let value = |value: &Value| match value.as_object().unwrap().iter().next().unwrap() {
        (kind, it) if kind == "intValue" => json!(it.as_str().unwrap().parse::<i64>().unwrap()),
        (kind, it) if kind == "arrayValue" => it["values"].clone(),
        (kind, it) => {
            assert!(["stringValue", "doubleValue", "boolValue"].contains(&kind.as_str()), "{kind}");
            it.clone()
        }
    };
    list.as_array().unwrap().iter().map(|it| (it["key"].as_str().unwrap().to_owned(), value(&it["value"]))).collect()
}

fn lesson(home: &Home, mock: &Mock, more: &[&str]) -> Value {
    home.asked("anthropic", &mock.base, &[&["--output", "json"], more].concat()).expect(0).json()
}

fn two_turns() -> Mock {
    Mock::new(vec![call("read_file", r#"{"path":"soul.md"}"#, "tool_use"), text(LESSON)])
}

#[test]
fn a_run_comes_as_spans_by_the_conventions() {
    let (home, collector) = (Home::new(), Collector::new());
    let end = lesson(&home, &two_turns(), &["--otel", &collector.base]);
    let spans = collector.spans();
    let named = |name: &str| -> Vec<&Span> { spans.iter().filter(|span| span.name == name).collect() };
    let roots: Vec<&Span> = spans.iter().filter(|span| span.parent.is_none()).collect();
    assert_eq!(roots.len(), 1);
    let root = roots[0];
    assert_eq!((root.name.as_str(), root.kind), ("invoke_agent planner", 1));
    assert_eq!(root.attributes["gen_ai.operation.name"], "invoke_agent");
    assert_eq!(root.attributes["gen_ai.agent.name"], "planner");
    assert_eq!(root.attributes["gen_ai.conversation.id"], end["session"]);
    assert_eq!(root.attributes["teacher_assist.status"], "success");
    assert_eq!(root.attributes["gen_ai.usage.input_tokens"], 2_000);
    for span in &spans {
        assert_eq!(span.trace, end["run"].as_str().unwrap());
        assert!(span.from <= span.to, "{span:?}");
        assert!(span.parent.is_none() || span.parent.as_deref() == Some(root.id.as_str()), "{span:?}");
    }
    let mut ids: Vec<&str> = spans.iter().map(|span| span.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), spans.len(), "each span has an id of its own");
    let chats = named("chat claude-sonnet-4-5");
    assert_eq!((chats.len(), chats[0].kind), (2, 3));
    for chat in &chats {
        assert_eq!(chat.attributes["gen_ai.operation.name"], "chat");
        assert_eq!(chat.attributes["gen_ai.provider.name"], "anthropic");
        assert_eq!(chat.attributes["gen_ai.usage.input_tokens"], 1_000);
        assert_eq!(chat.attributes["gen_ai.usage.output_tokens"], 500);
        assert!(chat.attributes["teacher_assist.cost_usd"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(chats[0].attributes["gen_ai.response.finish_reasons"][0]["stringValue"], "tool_call");
    let tools = named("execute_tool read_file");
    assert_eq!((tools.len(), tools[0].failed), (1, false));
    assert_eq!(tools[0].attributes["gen_ai.operation.name"], "execute_tool");
    assert_eq!(tools[0].attributes["gen_ai.tool.call.id"], "toolu_1");
    let hooks: Vec<&Span> = spans.iter().filter(|span| span.name.starts_with("hook ")).collect();
    let records = home.records(end["session"].as_str().unwrap());
    assert_eq!(hooks.len(), records.iter().filter(|it| it["type"] == "hook.finished").count());
    assert!(
        hooks
            .iter()
            .all(|hook| hook.attributes["teacher_assist.hook.verdict"] == "pass" || hook.name != "hook scope-check")
    );
    let asked = spans.iter().find(|span| span.name == "question context").unwrap();
    assert_eq!(asked.attributes["teacher_assist.question.by"], "feedforward");
    assert_eq!(asked.attributes["teacher_assist.question.answered_by"], "accept");
    let raw = collector.raw();
    assert!(!raw.contains("quiz") && !raw.contains("iteration"), "nothing of what was said: {raw}");
    assert!(!raw.contains(KEY));
}

#[test]
fn content_comes_only_when_asked_for_and_never_a_key() {
    let (home, collector) = (Home::new(), Collector::new());
    let said = format!("{}\n\nMy key is not here.\n", LESSON.trim_end());
    let mock = Mock::new(vec![call("read_file", r#"{"path":"soul.md"}"#, "tool_use"), text(&said)]);
    lesson(&home, &mock, &["--otel", &format!("{}/v1/traces", collector.base), "--otel-content"]);
    let spans = collector.spans();
    let chat = spans.iter().rfind(|span| span.name.starts_with("chat ")).unwrap();
    let parsed = |name: &str| -> Value { serde_json::from_str(chat.attributes[name].as_str().unwrap()).unwrap() };
    let (asked, answered) = (parsed("gen_ai.input.messages"), parsed("gen_ai.output.messages"));
    assert_eq!(asked[0]["role"], "user");
    assert!(asked[0]["parts"][0]["content"].as_str().unwrap().contains("iteration for 3B"), "{asked}");
    assert_eq!(asked[1]["parts"][1]["type"], "tool_call", "{asked}");
    assert_eq!(asked[2]["parts"][0]["type"], "tool_call_response", "{asked}");
    assert!(answered[0]["parts"][0]["content"].as_str().unwrap().contains("My key is not here."), "{answered}");
    assert!(parsed("gen_ai.system_instructions")[0]["content"].as_str().unwrap().len() > 1_000);
    let tool = spans.iter().find(|span| span.name == "execute_tool read_file").unwrap();
    assert_eq!(tool.attributes["gen_ai.tool.call.arguments"], r#"{"path":"soul.md"}"#);
    assert!(!collector.raw().contains(KEY));
}

#[test]
fn each_sitting_comes_once_and_its_failure_is_marked() {
    let (home, collector) = (Home::new(), Collector::new());
    let mock = Mock::new(vec![refusal(401, "", "authentication_error"), text(LESSON)]);
    let mut first = home.ask("anthropic", &mock.base, &["--output", "json"]);
    first.env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.base);
    let parked = Call::of(&first.output().unwrap()).expect(6).json();
    let session = parked["session"].as_str().unwrap();
    let spans = collector.spans();
    let failed = spans.iter().find(|span| span.name.starts_with("chat ")).unwrap();
    assert!(failed.failed && failed.attributes["error.type"] == "model.auth", "{failed:?}");
    assert!(!collector.raw().contains(KEY), "nor in an error");
    let before = spans.len();
    let mut second = home.command(&["--resume", session, "--answers", "accept", "--otel", &collector.base]);
    let resumed = Call::of(
        &home
            .with_keys({
                second.env("A", "b");
                second
            })
            .output()
            .unwrap(),
    );
    resumed.expect(0);
    let spans = collector.spans();
    let mut ids: Vec<&str> = spans.iter().map(|span| span.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), spans.len(), "nothing is sent twice");
    assert!(spans.len() > before && spans.iter().all(|span| span.trace == spans[0].trace), "one trace");
    assert_eq!(spans.iter().filter(|span| span.parent.is_none()).count(), 2, "one root for each sitting");
}

#[test]
fn a_guests_question_to_a_model_stands_below_its_hook() {
    let (home, collector) = (Home::new(), Collector::new());
    home.write(
        "teacher-assist.toml",
        "[grants.\"lesson-planning:scope-check\"]\ncapabilities = [\"log\", \"ask\", \"model\"]\n",
    );
    let mock = Mock::new(vec![text("lesson"), text(LESSON)]);
    let mut command = home.command(&[support::CREATE, "a report", "--answers", "accept"]);
    command.args(["--provider", "anthropic", "--base-url", &mock.base, "--otel", &collector.base]);
    Call::of(&home.with_keys(command).output().unwrap()).expect(0);
    let spans = collector.spans();
    let asked = spans.iter().find(|span| span.name == "chat claude-haiku-4-5").unwrap();
    let hook = spans.iter().find(|span| span.name == "hook scope-check").unwrap();
    assert_eq!(asked.parent.as_deref(), Some(hook.id.as_str()));
}

#[test]
fn a_collector_that_is_not_there_or_says_nothing_costs_no_run() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", silent.local_addr().map(|it| (it, std::mem::forget(silent))).unwrap().0);
    for (endpoint, wait) in [("http://127.0.0.1:9", 1), (silent.as_str(), 4)] {
        let home = Home::new();
        let mock = Mock::new(vec![text(LESSON)]);
        let plain = Instant::now();
        home.asked("anthropic", &Mock::new(vec![text(LESSON)]).base, &[]).expect(0);
        let plain = plain.elapsed();
        let started = Instant::now();
        let call = home.asked("anthropic", &mock.base, &["--otel", endpoint]).expect(0);
        let most = plain * 3 + Duration::from_secs(wait);
        assert!(started.elapsed() < most, "{:?} against {plain:?}", started.elapsed());
        assert!(call.err.contains("note: spans were not sent: "), "{}", call.err);
        assert!(call.out.contains("## Starter"), "{}", call.out);
    }
    let home = Home::new();
    for endpoint in ["http://me:secret@127.0.0.1:9", "collector", "http://127.0.0.1:9/?key=secret"] {
        let call = home.run(&[support::CREATE, "iteration for 3B", "--otel", endpoint]).expect(2);
        assert!(call.err.contains("[otel.endpoint]") && !call.err.contains("secret"), "{}", call.err);
    }
}

#[test]
fn a_collector_that_wants_a_key_is_given_it_and_nobody_else() {
    let (home, collector, mock) = (Home::new(), Collector::new(), Mock::new(vec![text(LESSON)]));
    let mut command = home.ask("anthropic", &mock.base, &["--otel", &collector.base, "--output", "json"]);
    command.env("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20hush-7c2e%3D,x-team=maths");
    let call = Call::of(&command.output().unwrap()).expect(0);
    let raw = collector.raw();
    assert!(raw.contains("authorization: Basic hush-7c2e=\r\n") && raw.contains("x-team: maths\r\n"), "{raw}");
    let trace = home.run(&["--trace", call.json()["run"].as_str().unwrap(), "--output", "jsonl"]).expect(0);
    let sent = format!("{:?}", mock.requests().iter().map(|it| it.body.to_string()).collect::<Vec<_>>());
    for place in [&call.out, &call.err, &trace.out, &sent] {
        assert!(!place.contains("hush"), "{place}");
    }
    let bytes = std::fs::read_dir(home.path("data")).unwrap().map(|it| std::fs::read(it.unwrap().path()).unwrap());
    assert!(bytes.into_iter().all(|bytes| !bytes.windows(9).any(|nine| nine == b"hush-7c2e")));

    let mut command = home.ask("anthropic", &mock.base, &["--otel", "http://collector.example.org"]);
    let call = Call::of(&command.env("OTEL_EXPORTER_OTLP_HEADERS", "x-key=hush").output().unwrap()).expect(2);
    assert!(call.err.contains("would go to collector.example.org unprotected"), "{}", call.err);
}

#[test]
fn without_the_flag_nothing_is_sent() {
    let (home, collector) = (Home::new(), Collector::new());
    lesson(&home, &two_turns(), &[]);
    assert_eq!(collector.came.lock().unwrap().len(), 0);
}

#[test]
fn after_a_fallback_each_call_names_the_model_that_it_went_to() {
    let (home, collector) = (Home::new(), Collector::new());
    // Turn 1: the first refuses, the second answers. Turn 2: the first breaks off twice, and the second fails, too.
    let begun = || Reply::Cut(crate::support::mock::begun("# Half"));
    let first = Mock::new(vec![refusal(402, "", "billing_error"), begun(), begun()]);
    let arguments = "{\"path\":\"soul.md\"}";
    let call = json!({ "index": 0, "id": "1", "function": { "name": "read_file", "arguments": arguments } });
    let said = json!({ "choices": [{ "delta": { "tool_calls": [call] }, "finish_reason": "tool_calls" }] });
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 1_000, "completion_tokens": 10 } });
    let answer = Reply::Stream(format!("data: {said}\n\ndata: {usage}\n\ndata: [DONE]\n\n"));
    let second = Mock::new(vec![answer, refusal(401, "", "authentication_error")]);
    let more =
        ["--fallback", "openai-chat/gpt-4o-mini", "--fallback-base-url", &second.base, "--otel", &collector.base];
    home.asked("anthropic", &first.base, &more).expect(6);
    let spans = collector.spans();
    let chats = spans.iter().filter(|span| span.name.starts_with("chat "));
    let mut chats: Vec<&Span> = chats.collect();
    chats.sort_by_key(|span| {
        (
            span.attributes["teacher_assist.turn"].as_u64(),
            span.to,
            span.attributes["gen_ai.request.model"] == "gpt-4o-mini",
        )
    });
    let own = |span: &&Span| {
        let text = |key: &str| span.attributes.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        assert_eq!(span.name, format!("chat {}", text("gen_ai.request.model")));
        (text("gen_ai.provider.name"), text("gen_ai.request.model"), text("error.type"))
    };
    let calls: Vec<(String, String, String)> = chats.iter().map(own).collect();
    let call = |provider: &str, model: &str, error: &str| (provider.to_owned(), model.to_owned(), error.to_owned());
    let (sonnet, mini) = (("anthropic", "claude-sonnet-4-5"), ("openai", "gpt-4o-mini"));
    assert_eq!(calls.iter().filter(|it| **it == call(sonnet.0, sonnet.1, "model.spend")).count(), 1, "{calls:?}");
    assert_eq!(calls.iter().filter(|it| **it == call(mini.0, mini.1, "")).count(), 1, "{calls:?}");
    assert_eq!(calls.iter().filter(|it| **it == call(sonnet.0, sonnet.1, "broken_off")).count(), 2, "{calls:?}");
    assert_eq!(calls.iter().filter(|it| **it == call(sonnet.0, sonnet.1, "model.stream_cut")).count(), 1, "{calls:?}");
    assert!(
        calls.iter().any(|(provider, model, error)| (provider.as_str(), model.as_str()) == mini && !error.is_empty()),
        "{calls:?}"
    );
    assert_eq!(calls.len(), 6, "{calls:?}");
}

#[test]
fn a_collector_that_wants_json_is_sent_json() {
    let (home, collector) = (Home::new(), Collector::new());
    let mock = Mock::new(vec![text(LESSON)]);
    let mut command = home.ask("anthropic", &mock.base, &["--otel", &collector.base, "--output", "json"]);
    Call::of(&command.env("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json").output().unwrap()).expect(0);
    assert!(collector.raw().contains("content-type: application/json"));
    assert!(collector.spans().iter().any(|span| span.name.starts_with("chat ")));
    let mut command = home.command(&["--sessions", "--otel", &collector.base]);
    let refused = Call::of(&command.env("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc").output().unwrap());
    assert!(refused.code != 0 && refused.err.contains("OTEL_EXPORTER_OTLP_PROTOCOL"), "{}", refused.err);
}

#[test]
fn what_a_subagent_does_stands_below_it_and_guardrails_and_questions_are_told_apart() {
    let (home, collector) = (several_agents::home(), Collector::new());
    let script = json!({
        "answers": [{ "calls": [several_agents::spawn()] }, { "text": LESSON }],
        "agents": { "reviewer": [
            { "calls": [{ "name": "read_file", "arguments": { "path": "classes/3B.md" } }] },
            { "text": several_agents::REVIEW },
        ] },
    });
    several_agents::run(&home, &script, &["--otel", &collector.base, "--answers", "accept"]).expect(0);
    let spans = collector.spans();
    let root = spans.iter().find(|span| span.parent.is_none()).unwrap();
    let subagent = spans.iter().find(|span| span.name == "invoke_agent reviewer").unwrap();
    assert_eq!(subagent.parent.as_ref(), Some(&root.id));
    let below = |parent: &Span, name: &str| {
        spans.iter().filter(|span| span.parent.as_ref() == Some(&parent.id) && span.name.starts_with(name)).count()
    };
    assert_eq!((below(subagent, "chat "), below(subagent, "execute_tool read_file")), (2, 1));
    assert_eq!(below(root, "chat "), 2);
    let privacy = spans.iter().find(|span| span.name == "hook privacy").unwrap();
    assert_eq!(privacy.attributes["openinference.span.kind"], "GUARDRAIL");
}
