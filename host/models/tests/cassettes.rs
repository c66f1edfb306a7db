//! What was recorded is played back byte for byte, without a key in it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod stage;

use std::path::Path;
use std::sync::Arc;

use stage::{Act, CANARY, Hasty, Piece, Shown, Stage, connection, good, prices, request, said};
use ta_core::message::Message;
use ta_core::model::{Model, ModelAnswer, ModelError, ModelRequest};
use ta_models::play;

fn second() -> ModelRequest {
    let mut request = request();
    request.messages.extend([Message::assistant("Loops repeat.", vec![]), Message::user("Shorter, please.")]);
    request
}

async fn ask(model: &dyn Model, request: &ModelRequest) -> (Result<ModelAnswer, ModelError>, Vec<String>) {
    let shown = Shown::default();
    let outcome = model.stream(request, &shown).await;
    (outcome, shown.0.into_inner().unwrap())
}

/// Records a run with everything in it: a refusal, a stream that breaks off, an answer, bytes that are no text.
async fn recorded(directory: &Path) -> Vec<(Result<ModelAnswer, ModelError>, Vec<String>)> {
    let echo = format!("{{\"error\":{{\"message\":\"Busy, {CANARY}.\"}}}}");
    let acts = [
        Act::Answer(503, vec![("retry-after", "3"), ("set-cookie", CANARY)], vec![Piece::Bytes(echo)]),
        Act::Answer(200, vec![("content-type", "text/event-stream")], vec![said("Lo"), Piece::Cut]),
        good(),
        Act::Answer(401, vec![], vec![]),
    ];
    let (stage, clock) = (Stage::new(acts), Arc::new(Hasty::default()));
    let model = connection(&stage, &clock).recorded(directory).unwrap();
    let mut asked = Vec::new();
    for request in [request(), second()] {
        asked.push(ask(&model, &request).await);
    }
    asked
}

#[tokio::test]
async fn a_recorded_run_is_played_back_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let before = recorded(directory.path()).await;
    assert_eq!(before[0].0.as_ref().unwrap().text, "Loops repeat.");
    let (model, name) = play(directory.path(), prices()).unwrap();
    assert_eq!((name.as_str(), model.provider()), ("gpt-4o-mini", "openai-chat"));
    for (request, (outcome, shown)) in [request(), second()].iter().zip(before) {
        let (again, shown_again) = ask(model.as_ref(), request).await;
        assert_eq!(again, outcome);
        let texts = |shown: Vec<String>| shown.into_iter().filter(|it| !it.starts_with('!')).collect::<String>();
        assert_eq!(texts(shown_again).replace('+', ""), texts(shown).replace('+', ""));
    }
}

#[tokio::test]
async fn no_key_is_in_a_cassette() {
    let directory = tempfile::tempdir().unwrap();
    recorded(directory.path()).await;
    let mut files = 0;
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains(CANARY), "{text}");
        files += 1;
    }
    assert_eq!(files, 4);
    let first = std::fs::read_to_string(directory.path().join("0001.json")).unwrap();
    assert!(first.contains("retry-after") && first.contains("[key]") && !first.contains("set-cookie"), "{first}");
}

#[tokio::test]
async fn another_request_is_refused_with_the_place_where_it_differs() {
    let directory = tempfile::tempdir().unwrap();
    recorded(directory.path()).await;
    let (model, _) = play(directory.path(), prices()).unwrap();
    let mut other = request();
    other.messages[0].text = "Plan a trip.".into();
    let error = ask(model.as_ref(), &other).await.0.unwrap_err();
    assert_eq!(error.code, "model.cassette_mismatch");
    assert!(error.message.ends_with("they differ at `/messages/0/content`."), "{}", error.message);

    // A run that is resumed begins in the middle.
    assert_eq!(ask(model.as_ref(), &second()).await.0.unwrap_err().code, "model.auth");
    assert!(ask(model.as_ref(), &request()).await.0.is_ok());
    assert_eq!(ask(model.as_ref(), &request()).await.0.unwrap_err().code, "model.cassette_missing");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_kept_and_a_second_run_is_added() {
    let directory = tempfile::tempdir().unwrap();
    recorded(directory.path()).await;
    recorded(directory.path()).await;
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 8);
    let first = directory.path().join("0001.json");
    let text = std::fs::read_to_string(&first).unwrap();
    let mut exchange: serde_json::Value = serde_json::from_str(&text).unwrap();
    exchange["status"] = 200.into();
    exchange.as_object_mut().unwrap().remove("body");
    exchange["body_hex"] = "fffe0a".into();
    std::fs::write(&first, exchange.to_string()).unwrap();
    let (model, _) = play(directory.path(), prices()).unwrap();
    assert_eq!(ask(model.as_ref(), &request()).await.0.unwrap_err().code, "model.unreadable");
}

#[test]
fn what_is_no_cassette_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let code = |path: &Path| play(path, prices()).err().unwrap().code;
    assert_eq!(code(directory.path()), "model.cassette_unreadable");
    assert_eq!(code(&directory.path().join("none")), "model.cassette_unreadable");
    std::fs::write(directory.path().join("0001.json"), "{}").unwrap();
    assert_eq!(code(directory.path()), "model.cassette_unreadable");
}

#[tokio::test]
async fn a_cassette_that_cannot_be_written_is_told_with_the_next_call() {
    let directory = tempfile::tempdir().unwrap();
    let (stage, clock) = (Stage::new([good(), good()]), Arc::new(Hasty::default()));
    let model = connection(&stage, &clock).recorded(&directory.path().join("tape")).unwrap();
    std::fs::remove_dir(directory.path().join("tape")).unwrap();
    assert!(ask(&model, &request()).await.0.is_ok(), "the answer is not lost");
    assert_eq!(ask(&model, &request()).await.0.unwrap_err().code, "model.cassette_write");
}
