//! Answers that no model should give, through the binary: each has an outcome, and none spoils the conversation.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, begun, bytes, call, calls, silent, stopped, text};
use support::{Call, Home, LESSON};

fn run(home: &Home, mock: &Mock) -> Call {
    let plugins = home.plugins_with(&[]);
    home.asked("anthropic", &mock.base, &["--plugins", &plugins, "--output", "json"])
}

fn of_type<'a>(records: &'a [Value], name: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == name).collect()
}

/// The calls of the last assistant's message and their results, as the provider is sent them.
fn sent(mock: &Mock, request: usize) -> (Vec<Value>, Vec<Value>) {
    let messages = mock.requests()[request].body["messages"].as_array().unwrap().clone();
    let of = |message: &Value, kind: &str| -> Vec<Value> {
        message["content"].as_array().unwrap().iter().filter(|it| it["type"] == kind).cloned().collect()
    };
    let asked = messages.iter().rev().find(|it| it["role"] == "assistant").unwrap();
    (of(asked, "tool_use"), of(messages.last().unwrap(), "tool_result"))
}

#[test]
fn each_call_that_cannot_be_made_is_answered_with_why() {
    let broken = [("a", "read_file", r#"{"path":"#), ("b", "no_such_tool", "{}"), ("c", "read_file", "[1]")];
    let home = Home::new();
    let mock = Mock::new(vec![calls(&broken, "tool_use"), text(LESSON)]);
    let end = run(&home, &mock).expect(0).json();
    let (asked, results) = sent(&mock, 1);
    assert_eq!((asked.len(), results.len()), (3, 3));
    for ((call, result), why) in asked.iter().zip(&results).zip(["JSON", "there is no tool `no_such_tool`", "object"]) {
        assert_eq!((&call["id"], &result["is_error"]), (&result["tool_use_id"], &json!(true)));
        assert!(call["input"].is_object(), "what is no JSON never stands raw in the history: {call}");
        assert!(result["content"].to_string().contains(why), "{result}");
    }
    assert!(of_type(&home.records(end["session"].as_str().unwrap()), "tool.started").is_empty());
}

#[test]
fn calls_of_one_id_are_told_apart() {
    let same = [("x", "read_file", r#"{"path":"soul.md"}"#), ("x", "read_file", r#"{"path":"teacher.md"}"#)];
    let home = Home::new();
    let mock = Mock::new(vec![calls(&same, "tool_use"), text(LESSON)]);
    run(&home, &mock).expect(0);
    let (asked, results) = sent(&mock, 1);
    assert_ne!(asked[0]["id"], asked[1]["id"]);
    for (call, result) in asked.iter().zip(&results) {
        assert_eq!(call["id"], result["tool_use_id"]);
    }
    assert_ne!(results[0]["content"], results[1]["content"]);
}

#[test]
fn of_two_hundred_calls_at_once_as_many_are_made_as_are_allowed() {
    let ids: Vec<String> = (0..200).map(|place| format!("t{place}")).collect();
    let many: Vec<(&str, &str, &str)> =
        ids.iter().map(|id| (id.as_str(), "read_file", r#"{"path":"soul.md"}"#)).collect();
    let home = Home::new();
    let mock = Mock::new(vec![calls(&many, "tool_use"), text(LESSON)]);
    let end = run(&home, &mock).expect(0).json();
    let made = of_type(&home.records(end["session"].as_str().unwrap()), "tool.finished").len();
    assert_eq!(made, 32);
    let (asked, results) = sent(&mock, 1);
    assert_eq!((asked.len(), results.len()), (200, 200));
    assert!(results[199]["content"].to_string().contains("32 calls at the most"), "{}", results[199]);
}

#[test]
fn five_megabytes_of_arguments_are_told_and_not_kept() {
    let long = json!({ "path": "lessons/x.md", "content": "x".repeat(5 * 1024 * 1024) }).to_string();
    let home = Home::new();
    let mock = Mock::new(vec![call("write_file", &long, "tool_use"), text(LESSON)]);
    let end = run(&home, &mock).expect(0).json();
    let (asked, results) = sent(&mock, 1);
    assert!(asked[0].to_string().len() < 1_000);
    assert!(results[0]["content"].to_string().contains("1048576"), "{}", results[0]);
    assert!(!home.lessons().contains(&"x.md".to_owned()));
    let records = home.records(end["session"].as_str().unwrap());
    assert!(records.iter().all(|record| record.to_string().len() < 1024 * 1024));
}

#[test]
fn an_answer_without_words_has_an_outcome_of_its_own() {
    for (stop, thought, told, why) in [
        ("end_turn", false, "Your answer was empty", "the model answered with nothing"),
        ("end_turn", true, "Your answer was empty", "the model answered with nothing"),
        ("max_tokens", true, "Your answer was empty", "cut off before it said anything"),
    ] {
        let home = Home::new();
        let mock = Mock::new(vec![silent(stop, thought), text(LESSON)]);
        run(&home, &mock).expect(0);
        let messages = mock.requests()[1].body["messages"].to_string();
        assert!(messages.contains(told), "{stop}: {messages}");
        let home = Home::new();
        let mock = Mock::new((0..3).map(|_| silent(stop, thought)).collect());
        let end = run(&home, &mock).expect(5).json();
        assert_eq!(end["status"], "error_no_progress");
        assert!(end["reason"].as_str().unwrap().contains(why), "{end}");
    }
}

/// A run that a model ended without a whole answer: nothing of it is filed as a lesson, and a replay comes to the same.
fn ended_unfinished(home: &Home, mock: &Mock, status: &str) -> Value {
    let end = run(home, mock).expect(5).json();
    assert_eq!((&end["status"], &end["saved"]), (&json!(status), &Value::Null), "{end}");
    assert!(home.lessons().is_empty(), "{:?}", home.lessons());
    let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
    end
}

#[test]
fn a_lesson_that_was_cut_off_is_written_again_once_and_never_saved() {
    let half = "# Iteration\n\n## Starter\n\nfive questions on";
    for stop in ["max_tokens", "model_context_window_exceeded"] {
        let home = Home::new();
        let mock = Mock::new(vec![stopped(half, stop), text(LESSON)]);
        let end = run(&home, &mock).expect(0).json();
        assert_eq!((&end["output"], home.lessons().len()), (&json!(LESSON), 1), "{end}");
        let messages = mock.requests()[1].body["messages"].as_array().unwrap().clone();
        assert!(messages[messages.len() - 2].to_string().contains("five questions on"), "{messages:?}");
        assert!(messages[messages.len() - 1].to_string().contains("cut off at its length limit"), "{messages:?}");
        let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
        assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
        let home = Home::new();
        let mock = Mock::new(vec![stopped(half, stop), stopped("# Shorter\n\n## Starter\n\nfive", stop)]);
        let end = ended_unfinished(&home, &mock, "error_max_output");
        assert_eq!(end["output"], "# Shorter\n\n## Starter\n\nfive");
        assert_eq!(mock.requests().len(), 2);
        assert!(end["reason"].as_str().unwrap().contains("length limit"), "{end}");
    }
}

#[test]
fn a_refusal_ends_the_run_by_its_name_whatever_was_said_with_it() {
    let said = "# Sorry\n\n## Why\n\nI cannot help with that.";
    for (reply, output) in [(stopped(said, "refusal"), json!(said)), (silent("refusal", false), Value::Null)] {
        let home = Home::new();
        let mock = Mock::new(vec![reply]);
        let end = ended_unfinished(&home, &mock, "error_refusal");
        assert_eq!((&end["output"], mock.requests().len()), (&output, 1), "{end}");
        assert!(end["reason"].as_str().unwrap().starts_with("the model declined to answer"), "{end}");
    }
    // It is shown, too, and the trace says why it ended.
    let home = Home::new();
    let mock = Mock::new(vec![stopped(said, "refusal")]);
    let call = home.asked("anthropic", &mock.base, &[]).expect(5);
    assert!(call.out.contains("I cannot help with that.") && call.err.contains("error_refusal"), "{}", call.err);
    let trace = home.run(&["--trace", call.session()]).expect(0).out;
    assert!(trace.contains("error_refusal: the model declined"), "{trace}");
}

#[test]
fn bytes_that_are_no_text_are_refused_and_a_letter_in_two_pieces_is_not() {
    let whole = bytes(text("# Café\n\n## Starter\n\nquiz\n"));
    let split = whole.windows(2).position(|pair| pair == "é".as_bytes()).unwrap() + 1;
    let home = Home::new();
    let mock = Mock::new(vec![Reply::Pieces(vec![whole[..split].to_vec(), whole[split..].to_vec()])]);
    let end = run(&home, &mock).expect(0).json();
    assert!(end["output"].as_str().unwrap().starts_with("# Café\n"), "{end}");
    let mut broken = whole;
    broken[split] = 0xFF;
    let home = Home::new();
    let mock = Mock::new(vec![Reply::Pieces(vec![broken])]);
    let call = run(&home, &mock).expect(6);
    assert!(call.err.contains("[model.unreadable]") && call.err.contains("--resume"), "{}", call.err);
    assert_eq!(mock.requests().len(), 1);
}

#[test]
fn an_error_after_status_200_is_one_and_what_had_come_is_kept() {
    let error = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let error = format!("{}event: error\ndata: {error}\n\n", begun("# Half a les"));
    let home = Home::new();
    let mock = Mock::new(vec![Reply::Stream(error), text(LESSON)]);
    let end = run(&home, &mock).expect(0).json();
    assert_eq!(mock.requests().len(), 2, "the whole call is made once more");
    assert_eq!(end["output"], LESSON, "never spliced");
    let records = home.records(end["session"].as_str().unwrap());
    let partial = of_type(&records, "model.partial");
    assert_eq!((partial.len(), &partial[0]["text"]), (1, &json!("# Half a les")));
}
