//! Sessions of flows over HTTP: begun, spoken to and looked at, under both addresses.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Reply, local};
use support::quiz::{Quiz, asked, displays, judged, step};
use support::server::{Answer, Client, Server, until};

fn whole() -> Vec<Reply> {
    vec![asked(1), judged(true), asked(2), judged(false), asked(3), judged(true)]
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn a_quiz_goes_from_its_first_question_to_its_end_over_two_servers() {
    let quiz = Quiz::new(whole());
    let server = quiz.serve();
    let tab = server.single();
    let sent = json!({ "topic": "sums", "grade": 4 });
    let begun = tab.post("/api/flows/quiz/quiz/sessions", &sent).expect(200).json();
    assert_eq!(begun["status"], "active", "{begun}");
    assert_eq!((&begun["question"], &begun["feedback"]), (&json!("What is 1 + 1?"), &Value::Null));
    assert_eq!((&begun["waits_for"], &begun["ended"]), (&json!("learner"), &Value::Null));
    assert_eq!(displays(&begun), ["Question 1 of 3: What is 1 + 1?"]);
    let session = text(&begun["session_id"]).to_owned();
    let seen = tab.get(&format!("/api/quiz/sessions/{session}/status")).expect(200).json();
    assert_eq!((&seen["topic"], &seen["answer"], &seen["after"]), (&json!("sums"), &json!("2"), &begun["after"]));
    let second = step(&tab, &begun, "2").expect(200).json();
    assert_eq!((&second["feedback"], &second["question"]), (&json!("Yes."), &json!("What is 2 + 2?")));
    drop(server);
    let server = quiz.serve();
    let tab = server.single();
    let third = step(&tab, &second, "5").expect(200).json();
    assert_eq!((&third["feedback"], &third["number"], &third["right"]), (&json!("Not quite."), &json!(3), &json!(1)));
    // The long address says the same words to the same flow.
    let path = format!("/api/flows/quiz/quiz/sessions/{session}/step");
    let end = tab.post(&path, &json!({ "student_reply": "6", "after": third["after"] })).expect(200).json();
    assert_eq!(
        (&end["status"], &end["ended"], &end["waits_for"]),
        (&json!("completed"), &json!("success"), &Value::Null)
    );
    assert_eq!(displays(&end), ["Yes.", "That was the quiz: 2 of 3 right."]);
    assert_eq!(step(&tab, &end, "7").expect(409).code(), "run.finished");
    drop(server);
    let replayed = quiz.call(&["replay", &session]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
}

#[test]
fn of_two_tabs_that_speak_after_the_same_answer_one_is_heard() {
    let quiz = Quiz::new(whole());
    let mut server = quiz.serve();
    let (one, other) = (server.single(), server.single_again());
    let begun = one.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let heard = step(&one, &begun, "2").expect(200).json();
    let refused = step(&other, &begun, "3").expect(409);
    assert_eq!(refused.code(), "message.stale");
    // Whoever was not heard sees what was said since, and goes on from there.
    let current = refused.json()["current"].clone();
    assert_eq!((&current["after"], displays(&current)), (&heard["after"], displays(&heard)));
    let third = step(&other, &current, "4").expect(200).json();
    assert_eq!(third["question"], "What is 3 + 3?");
    let records = one.records(text(&begun["session_id"]));
    let said: Vec<&Value> = records.iter().filter(|it| it["type"] == "message.said").map(|it| &it["text"]).collect();
    assert_eq!(said, ["2", "4"]);
}

#[test]
fn two_tabs_that_speak_at_the_same_moment_are_one_exchange() {
    let quiz = Quiz::new(whole());
    let server = quiz.serve();
    let tab = server.single();
    let begun = tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let answers = std::thread::scope(|scope| {
        let said = ["2", "3"].map(|text| {
            let (tab, begun) = (&tab, &begun);
            scope.spawn(move || step(tab, begun, text))
        });
        said.map(|thread| thread.join().unwrap())
    });
    let statuses = answers.each_ref().map(|answer| answer.status);
    assert!(statuses == [200, 409] || statuses == [409, 200], "{answers:?}");
    let records = tab.records(text(&begun["session_id"]));
    assert_eq!(records.iter().filter(|it| it["type"] == "message.said").count(), 1);
}

#[test]
fn a_fork_of_a_session_goes_on_by_itself() {
    let quiz = Quiz::new(vec![asked(1), judged(true), asked(2), judged(false), asked(9)]);
    let server = quiz.serve();
    let tab = server.single();
    let begun = tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let session = text(&begun["session_id"]);
    let second = step(&tab, &begun, "2").expect(200).json();
    drop(server);
    let forked = quiz.call(&["fork", session, "--at", &begun["after"].to_string()]).expect(3).json();
    let server = quiz.serve();
    let tab = server.single();
    let path = format!("/api/quiz/sessions/{}", text(&forked["session"]));
    let seen = tab.get(&format!("{path}/status")).expect(200).json();
    assert_eq!((&seen["number"], &seen["after"]), (&json!(1), &begun["after"]));
    let other = step(&tab, &seen, "3").expect(200).json();
    assert_eq!((&other["feedback"], &other["question"]), (&json!("Not quite."), &json!("What is 9 + 9?")));
    let seen = tab.get(&format!("/api/quiz/sessions/{session}/status")).expect(200).json();
    assert_eq!((&seen["number"], &seen["right"], &seen["after"]), (&json!(2), &json!(1), &second["after"]));
}

#[test]
fn what_a_model_could_not_answer_is_kept_and_goes_on_with_the_same_words() {
    let broken = Reply::Status(401, "", "{\"error\":\"no\"}".to_owned());
    let quiz = Quiz::new(vec![asked(1), broken, judged(true), asked(2)]);
    let server = quiz.serve();
    let tab = server.single();
    let begun = tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let failed = step(&tab, &begun, "2");
    assert_eq!(failed.status, 503, "{}", failed.body);
    assert_eq!(step(&tab, &begun, "3").expect(409).code(), "run.not_listening");
    let second = step(&tab, &begun, "2").expect(200).json();
    assert_eq!((&second["feedback"], &second["question"]), (&json!("Yes."), &json!("What is 2 + 2?")));
    let records = tab.records(text(&begun["session_id"]));
    assert_eq!(records.iter().filter(|it| it["type"] == "message.said").count(), 1, "it was said once");
}

#[test]
fn a_flow_that_fails_says_so_and_the_same_question_waits() {
    let prose = || local("Well done!");
    let quiz = Quiz::new(vec![asked(1), prose(), prose(), prose(), judged(true), asked(2)]);
    let server = quiz.serve();
    let tab = server.single();
    let begun = tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let failed = step(&tab, &begun, "2").expect(422);
    assert_eq!(failed.code(), "agent", "{}", failed.body);
    let path = format!("/api/quiz/sessions/{}/status", text(&begun["session_id"]));
    assert_eq!(tab.get(&path).expect(200).json()["after"], begun["after"]);
    let second = step(&tab, &begun, "2").expect(200).json();
    assert_eq!(second["question"], "What is 2 + 2?");
}

#[test]
fn what_cannot_be_is_refused_and_says_what_to_do() {
    let quiz = Quiz::new(whole());
    let server = quiz.serve();
    let tab = server.single();
    assert_eq!(tab.post("/api/flows/quiz/none/sessions", &json!({ "text": "sums" })).status, 400);
    assert_eq!(tab.post("/api/flows/none/quiz/sessions", &json!({ "text": "sums" })).status, 404);
    assert_eq!(tab.post("/api/nothing/sessions", &json!({ "text": "sums" })).status, 404);
    assert_eq!(tab.post("/api/quiz/sessions", &json!({ "text": "" })).expect(400).code(), "usage.input");
    let begun = tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let session = text(&begun["session_id"]);
    let path = format!("/api/quiz/sessions/{session}/step");
    for wrong in
        [json!({ "text": "2" }), json!({ "after": begun["after"] }), json!([]), json!({ "text": "2", "after": "x" })]
    {
        assert_eq!(tab.post(&path, &wrong).expect(400).code(), "usage.input", "{wrong}");
    }
    // A session that has no flow, or another, is none of this flow's.
    let (plain, _) = tab.start("iteration for 3B");
    assert_eq!(tab.get(&format!("/api/quiz/sessions/{plain}/status")).status, 404);
    assert_eq!(tab.get(&format!("/api/flows/quiz/other/sessions/{session}/status")).status, 404);
    assert_eq!(tab.get("/api/quiz/sessions/0123/status").status, 404);
}

fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

fn woken(tab: &Client, session: &Value) -> Option<Value> {
    let path = format!("/api/quiz/sessions/{}/status", text(session));
    let seen = tab.get(&path).expect(200).json();
    displays(&seen).contains(&"Take your time. The question is still there.").then_some(seen)
}

/// What is said while the flow is still writing what it has shown is said again, as the answer asks for.
fn heard(tab: &Client, session: &Value, said: &str) -> Answer {
    until("the flow listens", || Some(step(tab, session, said)).filter(|answer| answer.code() != "session.busy"))
}

#[test]
fn the_server_wakes_a_flow_whose_time_has_come_also_after_it_was_killed() {
    let quiz = Quiz::new(vec![asked(1), asked(1), judged(true), asked(2), asked(1)]);
    let server = quiz.serve();
    let tab = server.single();
    let begin = |until_ms: u64| {
        let sent = json!({ "topic": "sums", "until_ms": until_ms });
        tab.post("/api/quiz/sessions", &sent).expect(200).json()
    };
    let (soon, later) = (begin(now_ms() + 5_000), begin(now_ms() + 60 * 60 * 1_000));
    let seen = until("the flow is woken", || woken(&tab, &soon["session_id"]));
    assert!(seen["after"].as_u64() > soon["after"].as_u64());
    // Words for what was shown before are too late, those for what is shown now are heard.
    assert_eq!(heard(&tab, &soon, "2").expect(409).code(), "message.stale");
    let seen = woken(&tab, &soon["session_id"]).unwrap();
    let second = heard(&tab, &seen, "2").expect(200).json();
    assert_eq!(second["question"], "What is 2 + 2?");
    assert_eq!(woken(&tab, &later["session_id"]), None);
    let overdue = begin(now_ms() + 4_000);
    drop(server);
    let server = quiz.serve();
    let tab = server.single();
    until("the flow is woken by the next server", || woken(&tab, &overdue["session_id"]));
    let records = tab.records(text(&overdue["session_id"]));
    assert_eq!(records.iter().filter(|it| it["type"] == "flow.woken").count(), 1);
    assert_eq!(woken(&tab, &later["session_id"]), None);
    drop(server);
    let replayed = quiz.call(&["replay", text(&overdue["session_id"])]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
}

/// Threads of a process.
#[cfg(target_os = "linux")]
fn threads(server: &Server) -> usize {
    std::fs::read_dir(format!("/proc/{}/task", server.child.id())).unwrap().count()
}

#[test]
#[cfg(target_os = "linux")]
fn five_hundred_parked_sessions_hold_no_place_no_thread_and_little_memory() {
    const WARM: usize = 50;
    const PARKED: usize = 500;
    let asking = (0..WARM + PARKED).map(|_| asked(1));
    let quiz = Quiz::new(asking.chain([judged(true), asked(2)]).collect());
    let server = quiz.serve();
    let tab = server.single();
    let begin = || tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let first = begin();
    (1..WARM).for_each(|_| drop(begin()));
    let (threads_before, before_kib) = (threads(&server), server.rss_kib());
    (0..PARKED).for_each(|_| drop(begin()));
    let (threads_after, after_kib) = (threads(&server), server.rss_kib());
    let each_kib = after_kib.saturating_sub(before_kib) as f64 / PARKED as f64;
    println!("{before_kib} KiB with {WARM} parked, {after_kib} KiB with {} more: {each_kib:.1} KiB each", PARKED);
    assert!(threads_after <= threads_before + 2, "{threads_before} threads, then {threads_after}");
    assert!(each_kib < 64.0, "{each_kib} KiB each");
    // Components have a few places for each core: that the first one is answered shows that none is held.
    let second = step(&tab, &first, "2").expect(200).json();
    assert_eq!(second["question"], "What is 2 + 2?");
}

#[test]
fn two_flows_at_one_address_are_refused_by_validate_and_by_the_server() {
    let quiz = Quiz::new(Vec::new());
    let other = quiz.home.path("plugins").join("riddles");
    support::copy(&quiz.home.path("plugins").join("quiz"), &other);
    let manifest = std::fs::read_to_string(other.join("plugin.toml")).unwrap();
    std::fs::write(other.join("plugin.toml"), manifest.replace("name = \"quiz\"", "name = \"riddles\"")).unwrap();
    let checked = quiz.call(&["validate"]);
    assert_ne!(checked.code, 0);
    assert!(
        checked.out.contains("flow.address_taken") && checked.out.contains("riddles/plugin.toml"),
        "{}",
        checked.out
    );
    let (plugins, operator) = (quiz.plugins(), quiz.operator());
    let arguments = ["serve", "--addr", "127.0.0.1:0", "--no-open", "--plugins", &plugins, "--operator", &operator];
    let refused = quiz.home.run(&arguments);
    assert_eq!(refused.code, 1, "{}{}", refused.out, refused.err);
    assert!(
        refused.err.contains("http = \"quiz\"") && refused.err.contains("one address, one flow"),
        "{}",
        refused.err
    );
}
