//! What was recorded is played back byte for byte, without a key in it.

use crate::stage;

use std::path::Path;
use std::sync::Arc;

use stage::{Act, CANARY, Hasty, Piece, Shown, Stage, connection, end, good, prices, request, said};
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
async fn a_key_is_in_no_cassette_in_hexadecimal_or_with_escapes_and_its_files_are_private() {
    let directory = tempfile::tempdir().unwrap();
    let escaped = CANARY.replace('s', "\\u0073");
    let bodies = [
        [b"{\"error\":{\"message\":\"\xff ".to_vec(), CANARY.into(), b"\"}}".to_vec()].concat(),
        format!("{{\"error\":{{\"message\":\"{escaped}\"}}}}").into_bytes(),
    ];
    let acts = bodies.map(|body| Act::Answer(401, vec![("content-type", CANARY)], vec![Piece::Raw(body)]));
    let model = connection(&Stage::new(acts), &Arc::new(Hasty::default())).recorded(directory.path()).unwrap();
    for _ in 0..2 {
        assert!(!ask(&model, &request()).await.0.unwrap_err().message.contains("canary"));
    }
    for name in ["0001.json", "0002.json"] {
        let file = directory.path().join(name);
        let text = std::fs::read_to_string(&file).unwrap();
        let exchange: serde_json::Value = serde_json::from_str(&text).unwrap();
        let hex = exchange["body_hex"].as_str().map(|it| hex::decode(it).unwrap());
        let body = hex.unwrap_or_else(|| exchange["body"].as_str().unwrap().into());
        assert!(!String::from_utf8_lossy(&body).contains("canary") && !text.contains("canary"), "{text}");
        assert!(String::from_utf8_lossy(&body).contains("[key]"), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}

#[tokio::test]
async fn an_answer_with_a_key_in_pieces_is_not_recorded_and_that_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = CANARY.split_at(9);
    let split = Act::Answer(200, vec![], vec![said("It is "), said(first), said(second), end()]);
    let model = connection(&Stage::new([split, good()]), &Arc::new(Hasty::default())).recorded(directory.path());
    let model = model.unwrap();
    assert_eq!(ask(&model, &request()).await.0.unwrap().text, "It is [key]");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    let error = ask(&model, &request()).await.0.unwrap_err();
    assert!(error.code == "model.cassette_write" && error.message.contains("a key in pieces"), "{}", error.message);
    assert!(ask(&model, &request()).await.0.is_ok(), "told once");
}

#[tokio::test]
async fn nothing_that_was_recorded_is_ever_written_over() {
    let directory = tempfile::tempdir().unwrap();
    let runs = 40;
    let once = || async {
        let model = connection(&Stage::new([good()]), &Arc::new(Hasty::default())).recorded(directory.path()).unwrap();
        ask(&model, &request()).await.0.unwrap();
    };
    // All are open before the first has written: each believes that it is the first.
    let models: Vec<_> = (0..runs)
        .map(|_| connection(&Stage::new([good()]), &Arc::new(Hasty::default())).recorded(directory.path()).unwrap())
        .collect();
    std::thread::scope(|scope| {
        for model in &models {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(ask(model, &request())).0.unwrap();
            });
        }
    });
    let names = || {
        let mut names: Vec<String> = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names().len(), runs);
    std::fs::remove_file(directory.path().join("0001.json")).unwrap();
    once().await;
    assert_eq!(names().last().unwrap(), "0041.json", "a gap is not filled");
    let last = std::fs::read_to_string(directory.path().join("0041.json")).unwrap();
    std::fs::write(directory.path().join("9999.json"), last).unwrap();
    once().await;
    assert!(names().contains(&"10000.json".to_owned()));
    assert!(play(directory.path(), prices()).is_ok());
}

#[tokio::test]
async fn what_is_played_back_says_its_words_in_full() {
    let directory = tempfile::tempdir().unwrap();
    let model = connection(&Stage::new([good()]), &Arc::new(Hasty::default())).recorded(directory.path()).unwrap();
    ask(&model, &request()).await.0.unwrap();
    let (model, _) = play(directory.path(), prices()).unwrap();
    ask(model.as_ref(), &request()).await.0.unwrap();
    let error = ask(model.as_ref(), &request()).await.0.unwrap_err();
    assert_eq!(error.message, "All 1 exchanges of the cassette have been played.");
}

#[tokio::test]
async fn another_request_is_refused_with_the_place_where_it_differs() {
    let directory = tempfile::tempdir().unwrap();
    recorded(directory.path()).await;
    let (model, _) = play(directory.path(), prices()).unwrap();
    let mut other = request();
    other.messages = vec![Message::user("Plan a trip.")].into();
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
