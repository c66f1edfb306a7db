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

#[test]
fn a_guest_that_asks_on_and_on_is_answered_as_often_as_it_may_be_and_stopped() {
    let binary = assert_cmd::cargo::cargo_bin("teacher-assist");
    assert!(binary.is_file(), "there is no {}: `cargo build -p teacher-assist` makes it", binary.display());
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workspace");
    for (name, code, asked_max) in [("v-model-again", "hook.host_calls", 2), ("v-model-huge", "hook.payload", 0)] {
        let scratch = tempfile::tempdir().unwrap();
        let guest = scratch.path().join("guest.wasm");
        let torture = row(name).unwrap();
        fs::write(&guest, component(&torture.wat, &torture.expectation.point).unwrap()).unwrap();
        let operator = scratch.path().join("operator.toml");
        fs::write(&operator, "[grants.\"lesson-planning:scope-check\"]\ncapabilities = [\"log\", \"model\"]\n")
            .unwrap();
        let (address, asked) = provider();
        let mut command = assert_cmd::Command::new(&binary);
        command.env_clear().env("HOME", scratch.path()).env("ANTHROPIC_API_KEY", "sk-torture").current_dir(&scratch);
        command.args(["lesson-planning:create-lesson", "iteration for 3B", "--output", "json", "--answers", "accept"]);
        command.args(["--provider", "anthropic", "--base-url", &address]).arg("--workspace").arg(&workspace);
        command.arg("--operator").arg(&operator).arg("--swap").arg(format!("scope-check={}", guest.display()));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let end: serde_json::Value = serde_json::from_str(&said)
            .unwrap_or_else(|error| panic!("{error}: {said} {}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(end["status"], "error_hook_abort", "{end}");
        assert!(end["reason"].as_str().unwrap().contains(code), "{end}");
        assert_eq!(asked.load(Ordering::Relaxed), asked_max, "{name}: what reaches the provider");
        let tokens = end["usage"]["input_tokens"].as_u64().unwrap();
        assert_eq!(tokens, 100 * u64::try_from(asked_max).unwrap(), "{name}: all that was paid is counted: {end}");
    }
}
