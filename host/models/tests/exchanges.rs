//! Exchanges of every format: what became of each, whole and cut at any byte.

use std::fmt::Write as _;
use std::path::PathBuf;

use proptest::prelude::*;
use ta_core::model::Unwatched;
use ta_models::wire::{Decoder, Wire};
use ta_models::{Entry, wire_report};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire")
}

fn line(entry: &Entry) -> String {
    let mut line = format!("{} #{}: {} {}: {}", entry.file, entry.number, entry.format, entry.status, entry.outcome);
    if let Some(problem) = &entry.problem {
        write!(line, " PROBLEM {problem}").unwrap();
    }
    let Some(reply) = &entry.reply else { return line };
    if !reply.text.is_empty() {
        write!(line, "\n    text: {}", reply.text).unwrap();
    }
    for call in &reply.calls {
        write!(line, "\n    call {}: {} {}", call.id, call.name, call.arguments).unwrap();
    }
    match reply.usage {
        Some(usage) => {
            let (read, written) = (usage.cached_read_tokens, usage.cached_write_tokens);
            let (sent, received) = (usage.input_tokens, usage.output_tokens);
            write!(
                line,
                "\n    {:?}; {sent} sent ({read} cached, {written} put there), {received} received",
                reply.stop
            )
        }
        None => write!(line, "\n    {:?}; not counted", reply.stop),
    }
    .unwrap();
    line
}

#[test]
fn each_exchange_becomes_what_it_is() {
    let report = wire_report(&folder()).unwrap();
    assert!(report.sound(), "{report}");
    let lines: Vec<String> = report.entries.iter().map(line).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_next_request_of_a_recording_repeats_the_calls_that_were_read() {
    let report = wire_report(&folder()).unwrap();
    let told: Vec<bool> = report.entries.iter().filter_map(|entry| entry.confirmed).collect();
    assert_eq!(told, [true; 5]);
}

#[test]
fn a_report_says_what_it_could_not_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.yaml"), "when: [").unwrap();
    let cut = "when:\n  path: /v1/chat/completions\nthen:\n  status: 200\n  body: 'data: {\"choices\":[{\"delta\":{\"content\":\"Lo\"}}]}'\n";
    std::fs::write(folder.path().join("cut.yaml"), cut).unwrap();
    let report = wire_report(folder.path()).unwrap();
    assert!(!report.sound());
    let said = report.to_string();
    assert!(said.contains("UNREADABLE broken.yaml"), "{said}");
    assert!(said.contains("PROBLEM cut.yaml #1: The provider's answer broke off in the middle."), "{said}");
}

/// Bodies of every format, with text beyond ASCII.
fn bodies() -> Vec<(Wire, String)> {
    let files = [
        (Wire::Anthropic, "anthropic/text-with-cache"),
        (Wire::Anthropic, "anthropic/parallel-calls"),
        (Wire::Responses, "openai/responses-text"),
        (Wire::Responses, "openai/responses-mixed-calls"),
        (Wire::Chat, "openai/chat-text"),
        (Wire::Chat, "openai/chat-parallel-calls"),
        (Wire::Gemini, "google/text"),
        (Wire::Ollama, "ollama/text"),
    ];
    let body = |name: &str| {
        let text = std::fs::read_to_string(folder().join(format!("{name}.yaml"))).unwrap();
        let exchanges: Vec<serde_json::Value> = serde_saphyr::from_multiple(&text).unwrap();
        exchanges[0]["then"]["body"].as_str().unwrap().to_owned()
    };
    files.into_iter().map(|(wire, name)| (wire, body(name))).collect()
}

proptest! {
    #[test]
    fn an_answer_is_the_same_however_its_bytes_arrive(cuts in proptest::collection::vec(1_usize..400, 1..60)) {
        for (wire, body) in bodies() {
            let whole = {
                let mut decoder = Decoder::of_turn(wire, 1);
                decoder.push(body.as_bytes(), &Unwatched).unwrap();
                decoder.finish(&Unwatched).unwrap()
            };
            let mut decoder = Decoder::of_turn(wire, 1);
            let mut rest = body.as_bytes();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                decoder.push(piece, &Unwatched).unwrap();
                rest = after;
            }
            prop_assert_eq!(decoder.finish(&Unwatched).unwrap(), whole);
        }
    }
}
