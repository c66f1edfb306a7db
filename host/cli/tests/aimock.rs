//! The same lesson over every wire format, against a mock of the providers that somebody else wrote: it reads our requests as it
//! understands the providers, and answers as it believes that they do.
//!
//! It needs npm's `@copilotkit/aimock`, which `cargo xtask test` installs from `aimock/package-lock.json` and names in a variable.
//! Without that variable it says that it was not run. What this mock cannot say is tested elsewhere: it knows no tokens of a cache,
//! none at all for Ollama, and reads the schema of an output in Chat Completions only; the recorded exchanges in
//! `host/models/tests` have them.

use crate::support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use support::{Home, LESSON};

/// Names the mock's program.
const VARIABLE: &str = "TEACHER_ASSIST_AIMOCK";

/// Each provider, where the mock plays it, and whether the mock tells tokens of it.
const PROVIDERS: [(&str, &str, bool); 5] = [
    ("anthropic", "", true),
    ("openai", "/v1", true),
    ("openai-chat", "/v1", true),
    ("google", "/v1beta", true),
    ("ollama", "", false),
];

/// The program of the mock, where there is one.
fn program() -> Option<PathBuf> {
    let Some(program) = std::env::var_os(VARIABLE).map(PathBuf::from) else {
        // Not with `println!`, which the tests' harness keeps to itself where a test passes.
        let why = format!("\naimock: NOT RUN, because {VARIABLE} is not set; `cargo xtask test` installs the mock.\n");
        std::io::stderr().write_all(why.as_bytes()).unwrap();
        return None;
    };
    assert!(program.is_file(), "{VARIABLE} names {}, which is no file", program.display());
    Some(program)
}

#[test]
fn a_lesson_is_the_same_over_every_wire_format() {
    let Some(program) = program() else { return };
    for (provider, path, counts) in PROVIDERS {
        // A mock of its own, so that its journal holds this lesson alone.
        let directory = tempfile::tempdir().unwrap();
        let mock = Aimock::of(&program, directory.path(), &lesson_fixtures());
        lesson(&mock, provider, path, counts);
    }
}

#[test]
fn an_output_with_a_form_is_asked_for_as_each_format_does_it() {
    let Some(program) = program() else { return };
    for (provider, path, _) in PROVIDERS {
        let directory = tempfile::tempdir().unwrap();
        let mock = Aimock::of(&program, directory.path(), &forms(provider == "openai-chat"));
        form(&mock, provider, path);
    }
}

/// The form that is asked for.
const SCHEMA: &str = r#"outputSchema: { type: object, required: [title, minutes], additionalProperties: false, properties: { title: { type: string }, minutes: { type: integer, maximum: 90 } } }"#;

/// An answer that does not fit, and one that does for whoever says what was wrong. Where the mock reads schemas, it
/// answers nobody who did not send one.
fn forms(reads: bool) -> Value {
    let matching = |text: &str| {
        let mut matching = json!({ "userMessage": text });
        if reads {
            matching["responseFormat"] = json!("json_schema");
        }
        matching
    };
    let usage = json!({ "prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920 });
    let unfit = json!({ "content": r#"{"title":"Loops","minutes":"fifty"}"#, "usage": usage });
    let fit = json!({ "content": r#"{"title":"Loops – ½ of λ, 中","minutes":50}"#, "usage": usage });
    json!({ "fixtures": [
        { "match": matching("1 of 2"), "response": fit },
        { "match": matching("iteration for 3B"), "response": unfit },
    ] })
}

/// An output with a form: asked for as the format does it, sent back once with what is wrong, taken then.
fn form(mock: &Aimock, provider: &str, path: &str) {
    let home = Home::new();
    let plugins = home.plugins_with(&[SCHEMA, "tools: [read_file]"]);
    let more = ["--plugins", &plugins, "--output", "json"];
    let end = home.asked(provider, &format!("{}{path}", mock.base), &more).expect(0).json();
    assert_eq!(end["output"], r#"{"title":"Loops – ½ of λ, 中","minutes":50}"#, "{provider}: {end}");
    let journal = mock.journal();
    assert_eq!(journal.len(), 2, "{provider}: {journal:?}");
    let said: Vec<String> = journal[1]["body"]["messages"].as_array().unwrap().iter().map(text).collect();
    let told = said.iter().filter(|text| text.contains("/minutes") && text.contains("1 of 2")).count();
    assert_eq!(told, 1, "{provider}: what does not fit is said: {said:?}");
    if provider == "openai-chat" {
        let format = &journal[0]["body"]["response_format"]["json_schema"];
        assert_eq!(format["schema"]["required"], json!(["title", "minutes"]), "{provider}: {format}");
        assert!(format["name"].is_string() && format["strict"].is_boolean(), "{provider}: {format}");
    }
}

/// One lesson: two files read at once, then the text, streamed in pieces of seven characters.
fn lesson(mock: &Aimock, provider: &str, path: &str, counts: bool) {
    let home = Home::new();
    let call = home.asked(provider, &format!("{}{path}", mock.base), &["--output", "json"]);
    assert_eq!(call.code, 0, "{provider}: {} {}", call.out, call.err);
    let end = call.json();
    assert_eq!(end["status"], "success", "{provider}: {end}");
    let saved = std::fs::read_to_string(home.workspace().join(end["saved"].as_str().unwrap())).unwrap();
    assert!(saved.contains("quiz – ½ of λ, 中"), "{provider}: {saved}");
    let (input, output) = (&end["usage"]["input_tokens"], &end["usage"]["output_tokens"]);
    if counts {
        assert_eq!((input, output), (&json!(3_200), &json!(70)), "{provider}: {end}");
        assert!(end["cost_usd"].as_f64().unwrap() > 0.0, "{provider}: {end}");
    } else {
        // It says that there were none, which cannot be: they are estimated, so that budgets hold.
        let estimated =
            end["usage"]["estimated"] == true && input.as_u64() > Some(1_000) && output.as_u64() > Some(100);
        assert!(estimated, "{provider}: {end}");
    }
    let journal = mock.journal();
    let asked: Vec<&Value> = journal.iter().map(|entry| &entry["body"]).collect();
    assert_eq!(asked.len(), 2, "{provider}: {journal:?}");
    let roles = |body: &Value| -> Vec<String> {
        body["messages"].as_array().unwrap().iter().map(|it| it["role"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(roles(asked[0]), ["system", "user"], "{provider}: the system prompt stands once, and first");
    assert!(text(&asked[0]["messages"][0]).contains("Scottish"), "{provider}");
    tools(provider, asked[0]);
    // Where calls are items of their own, as in OpenAI's Responses, the mock makes a message of each.
    let mut said = roles(asked[1]);
    said.dedup_by(|later, earlier| later == earlier && later == "assistant");
    assert_eq!(said, ["system", "user", "assistant", "tool", "tool"], "{provider}");
    let messages = asked[1]["messages"].as_array().unwrap();
    let made: Vec<&Value> = messages.iter().filter_map(|it| it["tool_calls"].as_array()).flatten().collect();
    assert_eq!(made.len(), 2, "{provider}: {made:?}");
    let paths = ["soul.md", "classes/3B.md"];
    for (index, path) in paths.into_iter().enumerate() {
        let arguments: Value = serde_json::from_str(made[index]["function"]["arguments"].as_str().unwrap()).unwrap();
        assert_eq!((&made[index]["function"]["name"], &arguments), (&json!("read_file"), &json!({ "path": path })));
        let file = std::fs::read_to_string(home.workspace().join(path)).unwrap();
        let line = file.lines().find(|line| line.len() > 30).unwrap();
        let result = text(&messages[messages.len() - 2 + index]);
        assert!(result.contains(&line[..30]), "{provider}: the result of {path} is in its place: {result}");
        if made[index]["id"].is_string() && provider != "ollama" {
            assert_eq!(
                made[index]["id"],
                messages[messages.len() - 2 + index]["tool_call_id"],
                "{provider}: a result names its call"
            );
        }
    }
    let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{provider}: {replayed}");
}

/// Every tool is there, each with a schema that is an object.
fn tools(provider: &str, body: &Value) {
    let tools = body["tools"].as_array().unwrap();
    assert!(tools.len() > 5, "{provider}: {tools:?}");
    for tool in tools {
        assert!(tool["function"]["description"].as_str().unwrap().len() > 10, "{provider}: {tool}");
        // The mock reads Gemini's older field for schemas only; ours is the one that takes JSON Schema.
        if provider == "google" {
            continue;
        }
        let schema = tool["function"]["parameters"]["type"].as_str().unwrap_or_default().to_lowercase();
        assert_eq!(schema, "object", "{provider}: {tool}");
    }
    let read = tools.iter().find(|tool| tool["function"]["name"] == "read_file").unwrap();
    let path = &read["function"]["parameters"]["properties"]["path"];
    assert!(provider == "google" || path.is_object(), "{provider}: {read}");
}

/// The text of a message, whole or in parts.
fn text(message: &Value) -> String {
    match &message["content"] {
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        content => content.as_str().unwrap_or_default().to_owned(),
    }
}

/// The mock, for as long as a lesson takes.
struct Aimock {
    child: Child,
    base: String,
}

/// The fixtures of a lesson whose form holds and which ends with letters that take several bytes.
fn lesson_fixtures() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/aimock/lesson.json");
    let text = std::fs::read_to_string(file).unwrap();
    let mut fixtures: Value = serde_json::from_str(&text).unwrap();
    let content = &mut fixtures["fixtures"][1]["response"]["content"];
    *content = json!(format!("{}\n{}\n", LESSON.trim_end(), content.as_str().unwrap()));
    fixtures
}

impl Aimock {
    fn of(program: &Path, directory: &Path, fixtures: &Value) -> Self {
        let file = directory.join("fixtures.json");
        std::fs::write(&file, fixtures.to_string()).unwrap();
        let mut command = Command::new("node");
        command.arg(program).args(["--port", "0", "--host", "127.0.0.1", "--strict", "--validate-on-load"]);
        command.args(["--chunk-size", "7", "--fixtures"]).arg(file).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("node runs the mock");
        let mut said = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        while !said.contains("listening on ") {
            assert!(lines.read_line(&mut said).unwrap() > 0, "the mock did not start: {said}");
        }
        // What it goes on to say is read, so that it never waits for a reader.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        let base = said.rsplit("listening on ").next().unwrap().trim().to_owned();
        Self { child, base }
    }

    /// What it was asked, each request as it understood it.
    fn journal(&self) -> Vec<Value> {
        let address = self.base.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /__aimock/journal HTTP/1.0\r\nhost: {address}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let entries: Vec<Value> = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"));
        entries.into_iter().filter(|entry| entry["method"] == "POST").collect()
    }
}

impl Drop for Aimock {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
