use std::task::{Context, Poll, Waker};

use ta_core::message::ToolResult;

use super::*;

fn ask(script: &Script, messages: Vec<Message>) -> Result<ModelAnswer, ModelError> {
    let messages = messages.into();
    let request = ModelRequest { model: "script".into(), system: String::new(), messages, ..ModelRequest::default() };
    let mut future = script.complete(&request);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("a script answers at once"),
    }
}

fn script(text: &str) -> Script {
    Script::parse(text).unwrap()
}

const TWO: &str = r##"{"answers": [
    {"calls": [{"name": "read_file", "arguments": {"path": "classes/3B.md"}}, {"name": "broken", "arguments": "{oops"}]},
    {"text": "# Done", "usage": {"input_tokens": 7, "output_tokens": 2}, "cost_usd": 0.5, "stop": "length"}
]}"##;

#[test]
fn the_nth_call_gets_the_nth_answer() {
    let script = script(TWO);
    let first = ask(&script, vec![Message::user("go")]).unwrap();
    assert_eq!(first.stop, StopReason::ToolUse);
    assert_eq!(first.calls[0].id, "call-1-1");
    assert_eq!(first.calls[0].arguments, r#"{"path":"classes/3B.md"}"#);
    assert_eq!(first.calls[1].arguments, "{oops");
    assert!(first.usage.estimated);

    let second = ask(&script, vec![Message::user("go"), Message::assistant("", first.calls)]).unwrap();
    assert_eq!((second.text.as_str(), second.stop, second.cost_usd), ("# Done", StopReason::Length, 0.5));
    assert_eq!((second.usage.input_tokens, second.usage.estimated), (7, false));
}

#[test]
fn a_resumed_run_goes_on_where_it_was() {
    let messages = vec![Message::user("go"), Message::assistant("", Vec::new())];
    assert_eq!(ask(&script(TWO), messages.clone()).unwrap().text, "# Done");
    let other_run = script(TWO).with_history_start(1);
    assert_eq!(ask(&other_run, messages).unwrap().calls.len(), 2);
}

#[test]
fn an_exhausted_script_says_so_or_repeats_its_last_answer() {
    let past_the_end = vec![Message::assistant("a", Vec::new()), Message::user("more")];
    let once = script(r#"{"answers": [{"text": "only"}]}"#);
    let error = ask(&once, past_the_end.clone()).unwrap_err();
    assert_eq!(error.code, "model.script_exhausted");
    assert_eq!(error.message, "The script holds 1 answers, and the run asks for number 2.");
    let repeating = script(r#"{"answers": [{"text": "only"}], "repeat_last": true}"#);
    assert_eq!(ask(&repeating, past_the_end).unwrap().text, "only");
}

#[test]
fn errors_come_once_each_before_the_answer_they_precede() {
    let script = script(
        r#"{"answers": [
            {"error": {"code": "model.busy", "message": "Busy.", "hint": "Wait."}},
            {"error": {"code": "model.down", "message": "Down."}},
            {"text": "at last"}
        ]}"#,
    );
    let go = || vec![Message::user("go")];
    assert_eq!(ask(&script, go()).unwrap_err().code, "model.busy");
    assert_eq!(ask(&script, go()).unwrap_err().code, "model.down");
    assert_eq!(ask(&script, go()).unwrap().text, "at last");
}

#[test]
fn a_condition_is_checked_against_the_last_message() {
    let script = script(r#"{"answers": [{"text": "seen", "when": "class: 3B"}]}"#);
    let result =
        ToolResult { id: "1".into(), name: "read_file".into(), failed: false, text: "     1\tclass: 3B".into() };
    assert_eq!(ask(&script, vec![Message::user("go"), Message::tool(result)]).unwrap().text, "seen");
    let error = ask(&script, vec![Message::user("something else")]).unwrap_err();
    assert_eq!(error.code, "model.script_mismatch");
    assert!(error.message.contains("\"class: 3B\"") && error.message.contains("something else"), "{}", error.message);
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_a_remedy() {
    let check = |text: &str, line: usize, message: &str, hint: &str| {
        let error = Script::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.message.contains(message), "{error}");
        assert!(error.hint.contains(hint), "{}", error.hint);
    };
    check("{\n \"answers\": [\n  {\"txt\": \"a\"}\n ]\n}", 3, "unknown field `txt`", "`text`, `calls`");
    check("{\"answers\": [\n {\"text\": \"a\", \"stop\": \"done\"}]}", 2, "unknown variant `done`", "\"end-turn\"");
    check("{\"answers\": [\n {}\n]}", 2, "an entry needs", "table");
    check(
        "{\"answers\": [\n\n {\"text\": \"a\", \"error\": {\"code\": \"c\", \"message\": \"m\"}}]}",
        3,
        "not both",
        "table",
    );
    check(
        "{\"answers\": [\n {\"calls\": [{\"name\": \"x\", \"arguments\": 3}]}]}",
        2,
        "an object or a string, not 3",
        "table",
    );
    check("{}", 1, "missing field `answers`", "{\"answers\"");
    check("{\"answers\": [\n {\"text\": \"a\"},\n]}", 3, "trailing comma", "no comma");
}
