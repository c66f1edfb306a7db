//! A lesson planned through the server: streamed, answered, left and come back to, killed in the middle.
#![cfg(unix)]

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, local};
use support::server::{Client, Server, until};
use support::{Home, LESSON};

fn seqs(records: &[Value]) -> Vec<u64> {
    records.iter().map(|record| record["seq"].as_u64().unwrap()).collect()
}

fn count(records: &[Value], kind: &str) -> usize {
    records.iter().filter(|record| record["type"] == kind).count()
}

#[test]
fn a_lesson_from_the_link_to_the_document() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let begin = tab.get("/api/plugins/lesson-planning/actions/beginnings").expect(200).json();
    assert!(begin["classes"].as_array().unwrap().iter().any(|class| class["id"] == "3B" && class["minutes"] == 50));
    assert!(begin["topics"].as_array().unwrap().len() > 20);
    let (session, run) = tab.start("iteration for 3B");
    let mut stream = tab.stream(&format!("/api/events?session={session}&after=0"), &[]);
    assert_eq!(stream.status, 200);
    let question = tab.question(&session);
    assert_eq!((question["run"].as_str(), question["subject"]["id"].as_str()), (Some(run.as_str()), Some("3B")));
    // One item by itself is kept before the others are decided.
    let all = Client::accepting(&question);
    let one = json!({ "hash": question["hash"], "decisions": [all["decisions"][0]] });
    tab.post(&format!("/api/runs/{run}/answers"), &one).expect(202);
    assert_eq!(tab.question(&session)["decided"].as_array().unwrap().len(), 1);
    let end = tab.to_the_end(&session);
    assert_eq!(end["session"]["last_status"], "success");

    let streamed = stream.records_until("run.finished");
    let records = tab.records(&session);
    assert_eq!(
        streamed.iter().map(|frame| frame.data.clone()).collect::<Vec<_>>(),
        records,
        "the stream is the journal"
    );
    assert!(streamed.iter().all(|frame| frame.id == frame.data["seq"].as_u64()));
    assert!(count(&records, "question.item_decided") > 5);

    let document = tab.get(&format!("/api/sessions/{session}/document")).expect(200).json();
    assert_eq!(document["saved"], "lessons/3B-iteration.md");
    let evidence = document["evidence"].as_array().unwrap();
    assert!(!evidence.is_empty() && evidence.iter().all(|it| it["holds"] == true), "{evidence:?}");
    let asked = json!({ "arguments": { "markdown": document["markdown"] } });
    let told = tab.post("/api/plugins/lesson-planning/actions/document", &asked).expect(200).json();
    let sections = told["result"]["sections"].as_array().unwrap();
    assert_eq!(sections.len(), document["sections"].as_array().unwrap().len());
    let audience = |title: &str| {
        let found = sections.iter().find(|it| it["title"].as_str().unwrap().starts_with(title)).unwrap();
        found["audience"].as_str().unwrap().to_owned()
    };
    assert_eq!((audience("Starter"), audience("Differentiation")), ("pupil".to_owned(), "teacher".to_owned()));
    let file = tab.get(&format!("/api/sessions/{session}/export?form=md")).expect(200);
    assert_eq!(file.body, document["markdown"].as_str().unwrap());
    assert!(file.header("content-disposition").unwrap().starts_with("attachment"));

    // Evidence is looked up as the workspace is now.
    let path = evidence[0]["path"].as_str().unwrap();
    home.write(&format!("workspace/{path}"), "# Nothing\n");
    let document = tab.get(&format!("/api/sessions/{session}/document")).expect(200).json();
    assert!(document["evidence"][0]["holds"] == false && document["evidence"][0]["why"].is_string());
}

#[test]
fn a_stream_goes_on_where_it_was() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let (session, _) = tab.start("iteration for 3B");
    tab.to_the_end(&session);
    let records = tab.records(&session);
    let last = records.len() as u64;
    for after in [0, 1, 63, 64, 65, last - 1] {
        let mut stream =
            tab.stream(&format!("/api/events?session={session}"), &[("last-event-id", &after.to_string())]);
        let ids: Vec<u64> = stream.records_until("run.finished").iter().filter_map(|frame| frame.id).collect();
        assert_eq!(ids, (after + 1..=last).collect::<Vec<_>>(), "after {after}");
    }
    // The header wins over the address: it is what a browser sends when it comes back by itself.
    let path = format!("/api/events?session={session}&after=0");
    let mut stream = tab.stream(&path, &[("last-event-id", &(last - 1).to_string())]);
    assert_eq!(stream.records_until("run.finished").len(), 1);
    // A number that the journal does not have yet waits for it.
    tab.stream(&format!("/api/events?session={session}&after={}", u64::MAX), &[]);
}

#[test]
fn what_is_sent_twice_is_done_once() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let new = json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": "iteration for 3B" });
    let both: Vec<_> = std::thread::scope(|scope| {
        let send = || tab.keyed("POST", "/api/runs", &new, "once");
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(send)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().expect(202).json()).collect()
    });
    assert_eq!(both[0], both[1]);
    assert_eq!(tab.get("/api/sessions").json()["sessions"].as_array().unwrap().len(), 1);
    let other = tab.keyed("POST", "/api/runs", &json!({ "input": "another" }), "once");
    assert_eq!((other.status, other.code().as_str()), (409, "request.key_reused"));
    assert_eq!(tab.keyed("POST", "/api/runs", &new, "").code(), "request.key");
    assert_eq!(tab.keyed("POST", "/api/runs", &new, &"k".repeat(65)).code(), "request.key");
    // A refusal is an answer too.
    let unknown = json!({ "plugin": "lesson-planning", "command": "nothing", "input": "x" });
    let first = tab.keyed("POST", "/api/runs", &unknown, "refused");
    let second = tab.keyed("POST", "/api/runs", &unknown, "refused");
    assert_eq!((first.status, first.body.clone()), (second.status, second.body));
    assert_eq!(first.status, 404, "{}", first.body);
}

#[test]
fn two_tabs_answer_the_same_question() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let (session, run) = tab.start("iteration for 3B");
    let question = tab.question(&session);
    let path = format!("/api/runs/{run}/answers");
    let whole = Client::accepting(&question);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| tab.post(&path, &whole))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert!(statuses == [202, 202] || statuses == [202, 409], "{answers:?}");
    let hash = question["hash"].clone();
    let late = tab.post(&path, &json!({ "hash": hash, "outcome": { "outcome": "dismissed" } }));
    assert_eq!((late.status, late.code().as_str()), (409, "question.answered"));
    let other = tab.post(&path, &json!({ "hash": "0".repeat(64), "outcome": { "outcome": "dismissed" } }));
    assert_eq!((other.status, other.code().as_str()), (409, "question.other"));
    // The run goes on once the outcome is in the journal.
    let next = tab.question(&session);
    let answered = |it: &&Value| it["type"] == "request.answered" && it["hash"] == hash;
    assert_eq!(tab.records(&session).iter().filter(answered).count(), 1, "one outcome in the journal");
    // An answer that does not fit is refused and changes nothing.
    let odd = json!({ "hash": next["hash"], "decisions": [{ "item": "nothing", "choice": "nothing" }] });
    assert_eq!(tab.post(&path, &odd).code(), "answer.invalid");
    assert_eq!(tab.post(&path, &json!({ "hash": next["hash"] })).code(), "answer.empty");
    tab.to_the_end(&session);
}

#[test]
fn of_answers_that_contradict_each_other_only_the_one_that_holds_is_taken() {
    let home = Home::new();
    let server = Server::start(&home, &["--park-after", "1"]);
    let tab = server.single();
    let (session, run) = tab.start("iteration for 3B");
    let hash = tab.question(&session)["hash"].clone();
    until("parking", || (tab.session(&session)["session"]["state"] == "parked").then_some(()));
    let path = format!("/api/runs/{run}/answers");
    let outcomes = ["dismissed", "declined", "dismissed", "declined"];
    let answers: Vec<_> = std::thread::scope(|scope| {
        let send = |outcome: &'static str| tab.post(&path, &json!({ "hash": hash, "outcome": { "outcome": outcome } }));
        let threads: Vec<_> = outcomes.map(|outcome| scope.spawn(move || send(outcome))).into_iter().collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let records = tab.records(&session);
    let held = records.iter().find(|it| it["type"] == "request.answered" && it["hash"] == hash).unwrap();
    for (outcome, answer) in outcomes.iter().zip(&answers) {
        let holds = held["answer"]["outcome"]["outcome"] == **outcome;
        assert!(answer.status == 409 || holds && answer.status == 202, "{outcome}: {} {held}", answer.status);
    }
    assert!(answers.iter().any(|answer| answer.status == 202));
}

#[test]
fn a_run_that_nobody_answers_is_parked_and_taken_up_by_the_answer() {
    let home = Home::new();
    let server = Server::start(&home, &["--park-after", "1"]);
    let tab = server.single();
    let (session, run) = tab.start("iteration for 3B");
    let question = tab.question(&session);
    until("parking", || (tab.session(&session)["session"]["state"] == "parked").then_some(()));
    assert_eq!(tab.session(&session)["live"], false);
    assert_eq!(tab.question(&session)["hash"], question["hash"], "the question still waits");
    tab.accept(&question).expect(202);
    let records = tab.records(&session);
    let decided = records.iter().find(|record| record["type"] == "question.item_decided").unwrap();
    let asked = records.iter().find(|record| record["request"]["kind"] == "ask").unwrap();
    let took = decided["elapsed_ms"].as_u64().unwrap();
    let between = decided["at_ms"].as_u64().unwrap() - asked["at_ms"].as_u64().unwrap();
    assert!(took >= 1_000 && took <= between, "counted from when it was asked: {took} of {between} ms");
    assert_eq!(count(&records, "run.resumed"), 1);
    assert_eq!(tab.to_the_end(&session)["session"]["last_run"], run.as_str());
}

#[test]
fn a_server_that_is_killed_loses_nothing() {
    let home = Home::new();
    let mut server = Server::start(&home, &[]);
    let tab = server.single();
    let (session, run) = tab.start("iteration for 3B");
    let question = tab.question(&session);
    let one = json!({ "hash": question["hash"], "decisions": [Client::accepting(&question)["decisions"][0]] });
    tab.post(&format!("/api/runs/{run}/answers"), &one).expect(202);
    let before = tab.records(&session);
    server.child.kill().unwrap();
    server.child.wait().unwrap();

    let again = Server::start(&home, &[]);
    // The cookie is still good, and the tab reads on from the last number that it has.
    let tab = Client { address: again.address, cookie: tab.cookie };
    let row = tab.session(&session);
    assert_eq!((row["session"]["state"].as_str(), row["live"].as_bool()), (Some("parked"), Some(false)));
    assert_eq!(tab.question(&session)["decided"].as_array().unwrap().len(), 1, "the decision was kept");
    let last = before.last().unwrap()["seq"].as_u64().unwrap();
    let mut stream = tab.stream(&format!("/api/events?session={session}"), &[("last-event-id", &last.to_string())]);
    tab.to_the_end(&session);
    let after = tab.records(&session);
    assert_eq!(seqs(&after), (1..=after.len() as u64).collect::<Vec<_>>());
    assert_eq!(after[..before.len()], before);
    let streamed: Vec<u64> = stream.records_until("run.finished").iter().filter_map(|frame| frame.id).collect();
    assert_eq!(streamed, (last + 1..=after.len() as u64).collect::<Vec<_>>());
}

#[test]
fn stop_and_go_on() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let (session, run) = tab.start("iteration for 3B");
    tab.post(&format!("/api/runs/{run}/stop"), &json!({})).expect(202);
    until("parking", || (tab.session(&session)["live"] == false).then_some(()));
    let records = tab.records(&session);
    assert_eq!(records.last().unwrap()["reason"], "interrupted", "{:?}", records.last());
    let busy =
        json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": "3B loops", "session": session });
    assert_eq!(tab.post("/api/runs", &busy).code(), "session.busy");
    let goes_on = tab.post(&format!("/api/runs/{run}/resume"), &json!({})).expect(202).json();
    assert_eq!(goes_on, json!({ "session": session, "run": run }));
    tab.post(&format!("/api/runs/{run}/resume"), &json!({})).expect(202);
    tab.to_the_end(&session);
    assert_eq!(tab.post(&format!("/api/runs/{run}/resume"), &json!({})).code(), "run.finished");
    // A next request of the same session.
    let next = json!({ "plugin": "lesson-planning", "command": "refine-lesson", "input": "lessons/3B-iteration.md: shorter starter", "session": session });
    assert_eq!(tab.post("/api/runs", &next).expect(202).json()["session"], session.as_str());
    let end = tab.to_the_end(&session);
    assert_eq!(end["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn sessions_are_named_deleted_and_put_back_while_they_run() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let (session, run) = tab.start("iteration for 3B");
    let path = format!("/api/sessions/{session}");
    // Beside a run that is at work: neither gets in the other's way.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..20 {
                tab.write("PATCH", &path, &json!({ "title": format!("Fifth try, {number}") })).expect(200);
            }
        });
        tab.to_the_end(&session);
    });
    let records = tab.records(&session);
    assert_eq!(seqs(&records), (1..=records.len() as u64).collect::<Vec<_>>());
    assert_eq!(count(&records, "session.renamed"), 20);
    assert_eq!(tab.session(&session)["session"]["title"], "Fifth try, 19");
    assert_eq!(tab.get("/api/sessions?q=fifth").json()["sessions"][0]["id"], session.as_str());
    assert_eq!(tab.write("PATCH", &path, &json!({ "title": " " })).code(), "session.title");
    home.run(&["replay", &run]).expect(0);

    tab.write("DELETE", &path, &json!({})).expect(204);
    tab.write("DELETE", &path, &json!({})).expect(204);
    for list in ["/api/sessions", "/api/sessions?q=fifth"] {
        assert_eq!(tab.get(list).expect(200).json()["sessions"], json!([]), "{list}");
    }
    assert_eq!(count(&tab.records(&session), "run.finished"), 1, "no record is lost");
    tab.post(&format!("{path}/restore"), &json!({})).expect(200);
    assert_eq!(tab.get("/api/sessions").json()["sessions"][0]["title"], "Fifth try, 19");
}

#[test]
fn the_last_answer_is_taken_back() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let (session, _) = tab.start("iteration for 3B");
    let first = tab.question(&session);
    assert_eq!(tab.post(&format!("/api/sessions/{session}/undo"), &json!({})).code(), "undo.nothing");
    tab.accept(&first).expect(202);
    until("the next question", || (tab.question(&session)["hash"] != first["hash"]).then_some(()));
    let undone = tab.post(&format!("/api/sessions/{session}/undo"), &json!({})).expect(202).json();
    assert_eq!(undone["question"], first["question"]["title"]);
    let fork = undone["session"].as_str().unwrap();
    assert_eq!(tab.question(fork)["hash"], first["hash"]);
    let waiting = tab.get("/api/waiting").json();
    assert_eq!(waiting.as_array().unwrap().len(), 1, "the question waits once: {waiting}");
    assert!(!tab.session(fork)["shared"].as_array().unwrap().is_empty());
    tab.to_the_end(fork);
    let forked = tab.post(&format!("/api/sessions/{fork}/fork"), &json!({ "at": 1 }));
    assert_eq!(forked.status, 202, "{}", forked.body);
}

#[test]
fn the_stream_of_a_tab_without_a_session_tells_what_waits() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let mut stream = tab.stream("/api/events", &[]);
    let (session, _) = tab.start("iteration for 3B");
    let waiting =
        std::iter::from_fn(|| stream.next()).find(|frame| frame.event == "waiting" && frame.data["count"] == 1);
    assert_eq!(waiting.unwrap().id, None);
    let file = tab.get("/api/files/teacher.md").json();
    let text = json!({ "text": "# About me\n", "before": file["sha256"] });
    tab.write("PUT", "/api/files/teacher.md", &text).expect(200);
    let files = std::iter::from_fn(|| stream.next()).find(|frame| frame.event == "files").unwrap();
    assert_eq!(files.data, json!({ "paths": ["teacher.md"] }));
    tab.write("DELETE", &format!("/api/sessions/{session}"), &json!({})).expect(204);
    let waiting =
        std::iter::from_fn(|| stream.next()).find(|frame| frame.event == "waiting" && frame.data["count"] == 0);
    assert!(waiting.is_some());
}

#[test]
fn a_run_whose_server_was_killed_while_it_wrote_is_said_to_wait_and_can_be_stopped_and_gone_on_with() {
    let home = Home::new();
    let half = json!({ "message": { "role": "assistant", "content": "# Half" }, "done": false });
    let mock = Mock::new(vec![local(LESSON), Reply::Hang(format!("{half}\n")), local(LESSON)]);
    let end = home.asked("ollama", &mock.base, &["--output", "json"]).expect(0).json();
    let session = end["session"].as_str().unwrap();
    let mut server = Server::start(&home, &[]);
    let tab = server.single();
    let new =
        json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": "shorter", "session": session });
    let run = tab.post("/api/runs", &new).expect(202).json()["run"].as_str().unwrap().to_owned();
    // It asks first what the lesson may rest on.
    until("the model is asked", || {
        let waiting = tab.get("/api/waiting").expect(200).json();
        waiting.as_array().unwrap().iter().for_each(|question| drop(tab.accept(question)));
        (mock.requests().len() == 2).then_some(())
    });
    mock.hanging.recv().unwrap();
    server.signal("-KILL");
    server.ended();
    let last = home.records(session).pop().unwrap();
    assert_eq!(last["type"], "model.called");

    let server = Server::start(&home, &[]);
    let tab = server.single();
    // A page that was open comes back to its stream, and reads that the run waits.
    let mut stream = tab.stream(&format!("/api/events?session={session}&after={}", last["seq"]), &[]);
    let told = stream.records_until("run.parked").pop().unwrap().data;
    assert_eq!(
        (&told["type"], &told["reason"], &told["at_ms"]),
        (&json!("run.parked"), &json!("interrupted"), &last["at_ms"])
    );
    let now = tab.session(session);
    assert_eq!(
        (&now["session"]["state"], &now["live"], &now["last_seq"]),
        (&json!("parked"), &json!(false), &told["seq"])
    );
    assert_eq!(now["runs"][1]["state"], "parked");
    tab.post(&format!("/api/runs/{run}/stop"), &json!({})).expect(202);
    assert_eq!(tab.session(session)["last_seq"], told["seq"], "it is said once");
    tab.post(&format!("/api/runs/{run}/resume"), &json!({})).expect(202);
    let end = tab.to_the_end(session);
    assert_eq!((&end["session"]["last_status"], mock.requests().len()), (&json!("success"), 3));
}
