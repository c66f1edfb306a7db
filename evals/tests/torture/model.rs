//! Guests that ask a model without measure, in a run of the binary: what reaches the provider, and what it costs.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ta_evals::torture::{component, row};

/// A provider that answers whatever it is asked, and counts.
fn provider() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 65_536];
            if stream.read(&mut head).unwrap_or(0) > 0 {
                counted.fetch_add(1, Ordering::Relaxed);
            }
            let usage = r#""usage":{"input_tokens":100,"output_tokens":10}"#;
            let events = [
                format!(r#"{{"type":"message_start","message":{{"role":"assistant","content":[],{usage}}}}}"#),
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"lesson"}}"#
                    .to_owned(),
                r#"{"type":"content_block_stop","index":0}"#.to_owned(),
                format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},{usage}}}"#),
                r#"{"type":"message_stop"}"#.to_owned(),
            ];
            let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
            // A client that has gone away meanwhile is no fault.
            let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
        }
    });
    (address, asked)
}

/// A place where a torture guest takes the part of scope-check, with every right that it asks for.
struct Place {
    scratch: tempfile::TempDir,
    address: String,
    asked: Arc<AtomicUsize>,
}

impl Place {
    fn new(name: &str) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let torture = row(name).unwrap();
        let guest = component(&torture.wat, &torture.expectation.point).unwrap();
        fs::write(scratch.path().join("guest.wasm"), guest).unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins/lesson-planning");
        copy(&shipped, &scratch.path().join("plugins/lesson-planning"));
        let grants = "[grants.\"lesson-planning:scope-check\"]\ncapabilities = [\"log\", \"ask\", \"model\"]\n";
        fs::write(scratch.path().join("operator.toml"), grants).unwrap();
        let (address, asked) = provider();
        Self { scratch, address, asked }
    }

    /// The binary, with what it prints as JSON.
    fn run(&self, arguments: &[&str]) -> serde_json::Value {
        let binary = assert_cmd::cargo::cargo_bin("teacher-assist");
        assert!(binary.is_file(), "there is no {}: `cargo build -p teacher-assist` makes it", binary.display());
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workspace");
        let mut command = assert_cmd::Command::new(&binary);
        command.env_clear().env("HOME", self.scratch.path()).env("ANTHROPIC_API_KEY", "sk-torture");
        command.current_dir(&self.scratch).args(arguments).args(["--output", "json", "--operator", "operator.toml"]);
        command.args(["--plugins", "plugins", "--workspace"]).arg(&workspace);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said} {errors}"))
    }

    fn lesson(&self) -> serde_json::Value {
        let swap = "scope-check=guest.wasm";
        let provider = ["--provider", "anthropic", "--base-url", &self.address, "--swap", swap];
        self.run(&[&["lesson-planning:create-lesson", "iteration for 3B", "--max-turns", "1"][..], &provider].concat())
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_call_that_is_made_again_after_a_question_is_told_the_same_and_pays_once() {
    let place = Place::new("v-model-then-ask");
    let parked = place.lesson();
    assert_eq!(parked["status"], "parked", "{parked}");
    assert_eq!((place.asked(), &parked["usage"]["input_tokens"]), (1, &serde_json::json!(100)), "{parked}");
    let session = parked["session"].as_str().unwrap();
    let end = place.run(&["--resume", session, "--answers", "dismiss"]);
    // Beside the guest's there is the run's own call: of two that were made, one was the guest's.
    assert_eq!((place.asked(), &end["usage"]["input_tokens"]), (2, &serde_json::json!(200)), "{end}");
    let replayed = place.run(&["replay", end["run"].as_str().unwrap()]);
    assert_eq!((place.asked(), &replayed["divergence"]), (2, &serde_json::Value::Null), "{replayed}");
}

#[test]
fn a_guest_that_does_without_is_told_the_line_that_grants() {
    let place = Place::new("v-model-denied");
    let event = place.scratch.path().join("event.json");
    fs::write(&event, r#"{ "input": "hm" }"#).unwrap();
    let words =
        ["hook", "run", "guest.wasm", "--point", "pre-loop", "--event", "event.json", "--grant", "without:model"];
    let report = place.run(&words);
    let told = report["logs"][0].as_str().unwrap();
    assert!(told.contains("\"model\" to `capabilities` under [grants.\"guest\"] in teacher-assist.toml"), "{told}");
}

#[test]
fn a_guest_that_asks_on_and_on_is_answered_as_often_as_it_may_be_and_stopped() {
    for (name, code, asked_max) in [("v-model-again", "hook.host_calls", 2), ("v-model-huge", "hook.payload", 0)] {
        let place = Place::new(name);
        let end = place.lesson();
        assert_eq!(end["status"], "error_hook_abort", "{end}");
        assert!(end["reason"].as_str().unwrap().contains(code), "{end}");
        assert_eq!(place.asked(), asked_max, "{name}: what reaches the provider");
        let tokens = end["usage"]["input_tokens"].as_u64().unwrap();
        assert_eq!(tokens, 100 * u64::try_from(asked_max).unwrap(), "{name}: all that was paid is counted: {end}");
    }
}
