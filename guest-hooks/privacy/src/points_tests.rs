//! The three points, with a teacher who answers from a script.

use ta_guest::ask::{Kind, Outcome};
use ta_guest::types::{Message, Role, ToolCall, ToolResult};
use ta_guest::{Context, pre_loop, pre_model, pre_tool};

use crate::points::{call, messages, request};
use crate::testing::Teacher;

fn asked_for(input: &str, teacher: &mut Teacher) -> pre_loop::Response {
    request(&Context::default(), &pre_loop::Event { input: input.into(), ..pre_loop::Event::default() }, teacher)
}

fn input(response: &pre_loop::Response) -> &str {
    let pre_loop::Verdict::Modify(change) = &response.verdict else { panic!("{:?}", response.verdict) };
    change.input.as_deref().unwrap()
}

fn message(role: Role, text: &str) -> Message {
    Message { role, text: text.into(), calls: Vec::new(), result: None }
}

fn read(text: &str) -> Message {
    let result = ToolResult { id: "1".into(), name: "read_file".into(), failed: false, text: text.into() };
    Message { result: Some(result), ..message(Role::Tool, "") }
}

fn sent(turn: u32, all: &[Message], teacher: &mut Teacher) -> pre_model::Response {
    let context = Context { turn, ..Context::default() };
    messages(&context, &all.to_vec(), teacher)
}

fn changed(response: &pre_model::Response) -> &[Message] {
    let pre_model::Verdict::Modify(messages) = &response.verdict else { panic!("{:?}", response.verdict) };
    messages
}

fn write(arguments: &str, teacher: &mut Teacher) -> pre_tool::Response {
    let call_of = ToolCall { id: "c1".into(), name: "write_file".into(), arguments: arguments.into() };
    call(&Context::default(), &pre_tool::Event { call: call_of }, None, teacher)
}

const REQUEST: &str = "fractions for 1B, easier for Liam M. and send it to jane@school.org";

#[test]
fn a_request_is_redacted_item_by_item() {
    let mut teacher = Teacher::default().says(|item| if item.id.starts_with("email") { "allow" } else { "redact" });
    let response = asked_for(REQUEST, &mut teacher);
    assert_eq!(input(&response), "fractions for 1B, easier for [a pupil] and send it to jane@school.org");
    assert_eq!(response.notes, ["1 of 2 redacted, 1 allowed"]);
    let question = &teacher.questions[0];
    assert_eq!((question.id.as_str(), teacher.questions.len()), ("privacy", 1));
    let Kind::Items(items) = &question.kind else { panic!("not items") };
    assert_eq!(items.options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>(), ["redact", "allow"]);
    assert_eq!(items.items[0].label, "A pupil's name: \"Liam M.\"");
    assert!(items.items[0].detail.contains("In your request: “fractions for 1B, easier for Liam M. and send it"));
    // Neither ids nor findings nor notes hold what was found.
    for text in items.items.iter().map(|item| &item.id).chain(response.findings.iter().map(|it| &it.message)) {
        assert!(!text.to_lowercase().contains("liam") && !text.contains("jane"), "{text}");
    }
    assert!(response.findings.iter().all(|finding| finding.class == "personal-data"));
    assert_eq!(response.findings.len(), 2);
}

#[test]
fn a_question_that_nobody_answers_redacts_everything() {
    for outcome in [Outcome::Dismissed, Outcome::Declined, Outcome::TimedOut] {
        let mut teacher = Teacher { says: [Err(outcome)].into(), ..Teacher::default() };
        let response = asked_for(REQUEST, &mut teacher);
        assert_eq!(input(&response), "fractions for 1B, easier for [a pupil] and send it to [e-mail address]");
        assert!(response.notes[0].ends_with("all 2 found are redacted"), "{:?}", response.notes);
    }
    // An option that is none is no leave either.
    let mut teacher = Teacher::default().says(|_| "whatever");
    assert!(input(&asked_for(REQUEST, &mut teacher)).contains("[a pupil]"));
}

#[test]
fn nothing_is_asked_where_there_is_nothing() {
    let mut teacher = Teacher::default();
    assert_eq!(asked_for("iteration for 3B", &mut teacher), pre_loop::Response::pass());
    let all = [message(Role::User, "iteration for 3B"), read("Sam has 5 apples.")];
    assert_eq!(sent(1, &all, &mut teacher), pre_model::Response::pass());
    assert_eq!(write(r#"{"path":"a.md","text":"Sam has 5 apples."}"#, &mut teacher), pre_tool::Response::pass());
    assert!(teacher.questions.is_empty());
}

#[test]
fn what_was_decided_is_applied_without_asking_again() {
    let mut teacher = Teacher::default()
        .says(|_| "redact")
        .says(|item| if item.label.contains("Aisha") { "allow" } else { "redact" });
    asked_for(REQUEST, &mut teacher);
    // The same name in a file, with one that is new.
    let all = [message(Role::User, "fractions"), read("Liam sits beside Aisha K. at the window.")];
    let response = sent(1, &all, &mut teacher);
    let text = &changed(&response)[1].result.as_ref().unwrap().text;
    assert_eq!(text, "[a pupil] sits beside Aisha K. at the window.");
    assert_eq!(teacher.questions[1].id, "privacy:turn-1");
    assert_eq!(teacher.items(1).len(), 1, "Liam was decided on before");
    // The next turn has the same messages and asks nothing.
    let response = sent(2, &all, &mut teacher);
    assert_eq!(changed(&response)[1].result.as_ref().unwrap().text, *text);
    assert_eq!(teacher.questions.len(), 2);
    // A name that was redacted needs no cue any more.
    let response = sent(3, &[read("Liam, Aisha and the others")], &mut teacher);
    assert_eq!(changed(&response)[0].result.as_ref().unwrap().text, "[a pupil], Aisha and the others");
    assert_eq!(teacher.questions.len(), 2);
}

#[test]
fn a_call_comes_to_its_own_question_again() {
    let mut teacher = Teacher::default().says(|_| "allow").says(|_| "allow");
    let all = [read("Liam struggles."), read("Aisha struggles.")];
    sent(4, &all, &mut teacher);
    // Run again from its start: its own answer is in the journal now, and its question has to be the same.
    sent(4, &all, &mut teacher);
    assert_eq!(teacher.questions[0], teacher.questions[1]);
}

#[test]
fn whoever_waves_it_away_once_is_not_asked_in_every_turn() {
    let mut teacher = Teacher::default();
    sent(1, &[read("Liam struggles.")], &mut teacher);
    let response = sent(2, &[read("Liam struggles."), read("Aisha struggles.")], &mut teacher);
    assert_eq!(changed(&response)[1].result.as_ref().unwrap().text, "[a pupil] struggles.");
    assert!(response.notes[0].contains("asked before in this run"), "{:?}", response.notes);
    assert_eq!(teacher.questions.len(), 1);
}

#[test]
fn what_is_to_be_written_is_redacted_inside_its_json() {
    let mut teacher = Teacher::default().says(|_| "redact");
    let response =
        write(r#"{"edits":[{"old":"\"x\"","new":"Ring 07700 900123\nLiam struggles"}],"n":1}"#, &mut teacher);
    let pre_tool::Verdict::Modify(arguments) = &response.verdict else { panic!("{:?}", response.verdict) };
    let value: serde_json::Value = serde_json::from_str(arguments).unwrap();
    assert_eq!(value["edits"][0]["new"], "Ring [phone number]\n[a pupil] struggles");
    assert_eq!((value["edits"][0]["old"].as_str(), value["n"].as_u64()), (Some("\"x\""), Some(1)));
    assert_eq!(teacher.questions[0].id, "privacy:turn-0-c1");
    // Other tools are asked by other rules, and broken JSON is the tool's to refuse.
    let call_of =
        |name: &str| ToolCall { id: "2".into(), name: name.into(), arguments: "{\"a\":\"Liam struggles\"}".into() };
    let mut teacher = Teacher::default();
    let event = pre_tool::Event { call: call_of("read_file") };
    assert_eq!(call(&Context::default(), &event, None, &mut teacher), pre_tool::Response::pass());
    let response = call(&Context::default(), &event, Some("send, read_file"), &mut teacher);
    assert!(matches!(response.verdict, pre_tool::Verdict::Modify(_)));
    assert_eq!(write("{ Liam struggles", &mut teacher).verdict, pre_tool::Verdict::Pass);
}

#[test]
fn the_arguments_of_earlier_calls_are_redacted_too() {
    let mut teacher = Teacher::default().says(|_| "redact");
    let call = ToolCall { id: "1".into(), name: "write_file".into(), arguments: r#"{"text":"Liam struggles"}"#.into() };
    let draft = Message { calls: vec![call], ..message(Role::Assistant, "I write it down.") };
    let response = sent(0, &[draft, read("done")], &mut teacher);
    assert_eq!(changed(&response)[0].calls[0].arguments, r#"{"text":"[a pupil] struggles"}"#);
    assert_eq!(changed(&response)[1].result.as_ref().unwrap().text, "done");
}

#[test]
fn too_much_is_refused_rather_than_passed_unread() {
    let mut teacher = Teacher::default();
    let long = "loops ".repeat(400_000);
    assert!(matches!(asked_for(&long, &mut teacher).verdict, pre_loop::Verdict::Abort(_)));
    assert!(matches!(sent(1, &[read(&long)], &mut teacher).verdict, pre_model::Verdict::Abort(_)));
    let many: String = (0..500).map(|number| format!("07700 {:06}, ", 900_000 + number)).collect();
    let response = sent(1, &[read(&many)], &mut teacher);
    assert!(teacher.items(0).len() <= 60);
    assert!(!changed(&response)[0].result.as_ref().unwrap().text.contains("07700"), "the rest is redacted unasked");
}

#[test]
fn what_was_looked_through_is_not_asked_about_again() {
    let mut teacher = Teacher::default().says(|_| "allow");
    let answer = || message(Role::Assistant, "I read on.");
    // The first call of a run looks at the session's history too.
    let mut all = vec![message(Role::User, "loops"), answer(), read("Liam struggles."), answer()];
    sent(0, &all, &mut teacher);
    assert_eq!(teacher.items(0).len(), 1);
    // Later only what came after the last answer counts, all of it.
    all.insert(1, read("Danylo struggles."));
    all.extend([read("nothing"), read("Aisha struggles."), read("nothing")]);
    let mut teacher = teacher.says(|_| "redact");
    let response = sent(1, &all, &mut teacher);
    assert_eq!((teacher.questions.len(), teacher.items(1).len()), (2, 1));
    let texts: Vec<&str> =
        changed(&response).iter().filter_map(|message| message.result.as_ref().map(|it| it.text.as_str())).collect();
    assert_eq!(texts, ["Danylo struggles.", "Liam struggles.", "nothing", "[a pupil] struggles.", "nothing"]);
    assert_eq!(changed(&response).len(), all.len());
    // What was redacted is so in every call, what was not is left; nothing is reported twice.
    all.push(answer());
    let response = sent(2, &all, &mut teacher);
    let texts: Vec<&str> =
        changed(&response).iter().filter_map(|message| message.result.as_ref().map(|it| it.text.as_str())).collect();
    assert_eq!(texts, ["Danylo struggles.", "Liam struggles.", "nothing", "[a pupil] struggles.", "nothing"]);
    assert_eq!((teacher.questions.len(), response.findings.len()), (2, 0));
}

#[test]
fn a_draft_that_a_person_answers_is_looked_through() {
    let mut teacher = Teacher::default();
    let all = [message(Role::User, "loops"), message(Role::Assistant, "Liam struggles."), message(Role::User, "again")];
    let response = sent(3, &all, &mut teacher);
    assert_eq!(changed(&response)[1].text, "[a pupil] struggles.");
    assert_eq!(sent(3, &all[..2], &mut Teacher::default()), pre_model::Response::pass());
}

#[test]
fn what_nobody_decided_on_is_redacted_in_every_call() {
    let many: String = (0..90).map(|number| format!("07700 {:06}, ", 900_000 + number)).collect();
    let all = [message(Role::User, "loops"), read(&many), message(Role::Assistant, "I see."), read("nothing")];
    for mut teacher in [Teacher::default(), Teacher::default().says(|_| "redact")] {
        sent(0, &all, &mut teacher);
        let response = sent(1, &all, &mut teacher);
        assert!(!changed(&response)[1].result.as_ref().unwrap().text.contains("07700"));
        assert_eq!(teacher.questions.len(), 1);
    }
}

#[test]
fn floods_are_refused_before_the_fuel_is_gone() {
    let floods =
        ["Liam ", "Liam's and Aisha's, ", "Zxcvb Q ", "0 ", "14 Station Roads lives ", "a@b.cd ", "1 Aa Bb Cc "];
    for flood in floods {
        let text = flood.repeat(1_200_000 / flood.len());
        let mut teacher = Teacher::default();
        let pre_model::Verdict::Abort(abort) = sent(0, &[read(&text)], &mut teacher).verdict else {
            panic!("{flood} is not refused");
        };
        assert_eq!(abort.code, "too-much");
        assert!(matches!(asked_for(&text, &mut teacher).verdict, pre_loop::Verdict::Abort(_)));
        let arguments = serde_json::json!({ "text": text }).to_string();
        assert!(matches!(write(&arguments, &mut teacher).verdict, pre_tool::Verdict::Refuse(_)));
        assert!(teacher.questions.is_empty());
    }
}
