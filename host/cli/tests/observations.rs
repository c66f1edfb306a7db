//! Observations of a surface over HTTP: kept beside the run, once for each key, as its plugin declares them, and seen by no model.

use crate::support;

use serde_json::{Value, json};
use support::quiz::{Quiz, asked, displays, judged, step};
use support::server::{Answer, Client, key};

/// What no question, answer or prompt holds otherwise.
const MARK: u64 = 424_242;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn judged_answer(number: u64) -> Value {
    json!({ "observations": [{ "name": "answer-judged", "data": { "number": number, "right": true } }] })
}

fn path(id: &str) -> String {
    format!("/api/runs/{id}/observations")
}

fn made(tab: &Client, session: &str) -> Vec<Value> {
    tab.records(session).into_iter().filter(|record| record["type"] == "observations.made").collect()
}

fn quiz() -> Quiz {
    Quiz::new(vec![asked(1), judged(true), asked(2), judged(true), asked(3)])
}

fn begun(tab: &Client) -> (Value, String) {
    let begun = tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    let session = text(&begun["session_id"]).to_owned();
    (begun, session)
}

#[test]
fn what_a_surface_observes_stands_beside_the_run_and_changes_nothing_of_it() {
    let quiz = quiz();
    let server = quiz.serve();
    let tab = server.single();
    let (begun, session) = begun(&tab);
    let before = tab.records(&session);
    let (last, run) = (before.last().unwrap(), text(&before[0]["run"]).to_owned());
    let kept = tab.post(&path(&run), &judged_answer(MARK)).expect(201).json();
    assert_eq!(kept, json!({ "seq": last["seq"].as_u64().unwrap() + 1, "observations": 1 }));
    let records = made(&tab, &session);
    assert_eq!((&records[0]["by"], &records[0]["run"]), (&json!("teacher"), &json!(run)));
    let observation = &records[0]["observations"][0];
    assert_eq!(observation["data"], format!(r#"{{"number":{MARK},"right":true}}"#));
    assert_eq!(text(&observation["schema"]).len(), 64, "the schema that the run's plugin declares");
    // Neither way of speaking to the flow takes it for something that was shown since.
    let second = step(&tab, &begun, "2").expect(200).json();
    assert_eq!(displays(&second), ["Yes.", "Question 2 of 3: What is 2 + 2?"]);
    let after = tab.records(&session).last().unwrap()["seq"].clone();
    tab.post(&path(&session), &judged_answer(MARK)).expect(201);
    tab.post(&format!("/api/runs/{run}/say"), &json!({ "text": "4", "after": after })).expect(202);
    support::server::until("the third question", || {
        let seen = tab.get(&format!("/api/quiz/sessions/{session}/status")).expect(200).json();
        (seen["number"] == 3 && seen["waits_for"] == "learner").then_some(())
    });
    let requests: Vec<Value> = quiz.mock.requests().into_iter().map(|request| request.body).collect();
    assert_eq!(requests.len(), 5);
    assert!(requests.iter().all(|body| !body.to_string().contains(&MARK.to_string())), "a model saw it: {requests:?}");
    drop(server);
    let replayed = quiz.call(&["replay", &session]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
    let trace = quiz.call(&["--trace", &session]).expect(0).json();
    let spans = trace["spans"].as_array().unwrap().iter().filter(|span| span["kind"] == "observations").count();
    assert_eq!(spans, 2);
}

#[test]
fn a_key_is_kept_once_also_after_a_restart() {
    let quiz = quiz();
    let server = quiz.serve();
    let tab = server.single();
    let (_, session) = begun(&tab);
    let key = format!("o-{}", key());
    let send = |tab: &Client, number| -> Answer { tab.keyed("POST", &path(&session), &judged_answer(number), &key) };
    let first = send(&tab, 1).expect(201).json();
    assert_eq!(send(&tab, 1).expect(201).json(), first);
    assert_eq!(send(&tab, 2).expect(409).code(), "request.key_reused");
    drop(server);
    let server = quiz.serve();
    let tab = server.single();
    assert_eq!(send(&tab, 1).expect(201).json(), first, "the journal holds the key");
    drop(server);
    let server = quiz.serve();
    let tab = server.single();
    assert_eq!(send(&tab, 2).expect(409).code(), "request.key_reused");
    assert_eq!(made(&tab, &session).len(), 1);
}

#[test]
fn what_is_not_declared_does_not_fit_or_is_too_much_is_refused_whole() {
    let quiz = quiz();
    let server = quiz.serve();
    let tab = server.single();
    let (_, session) = begun(&tab);
    let one = |name: &str, data: Value| json!({ "name": name, "data": data });
    let right = || one("answer-judged", json!({ "number": 1, "right": true }));
    let long = one("answer-judged", json!({ "number": 1, "right": true, "why": "x".repeat(4_096) }));
    let big = one("answer-judged", json!({ "number": 1, "right": true, "why": "x".repeat(3_900) }));
    for (observations, why) in [
        (vec![right(), one("mood", json!(3))], "declares no observation `mood`; it declares answer-judged"),
        (vec![one("answer-judged", json!({ "number": "one", "right": true }))], "does not fit its schema"),
        (vec![long], "at most 4096"),
        (vec![right(); 101], "at most 100"),
        (vec![big; 17], "at most 65536"),
        (Vec::new(), "no observation was sent"),
    ] {
        let refused = tab.post(&path(&session), &json!({ "observations": observations })).expect(400);
        assert_eq!(refused.code(), "observation.refused");
        assert!(refused.body.contains(why), "{why}: {}", refused.body);
    }
    assert!(made(&tab, &session).is_empty());
    tab.post(&path("nobody"), &judged_answer(1)).expect(404);
}

#[test]
fn with_a_code_somebody_observes_the_session_that_it_opens_and_no_other() {
    let quiz = quiz();
    let server = quiz.serve();
    let tab = server.single();
    let given = tab.post("/api/flows/quiz/quiz/codes", &json!({ "count": 1, "days": 1 })).expect(200).json();
    let bearer = format!("Bearer {}", text(&given[0]["code"]));
    let send = |path: &str, body: &Value| {
        let (client, key) = (server.anybody(), format!("c-{}", key()));
        let origin = format!("http://{}", client.address);
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/json"),
            ("idempotency-key", &key),
            ("authorization", &bearer),
        ];
        client.send(&client.request("POST", path, &headers, Some(&body.to_string())))
    };
    let begun_with_code = send("/api/quiz/sessions", &json!({ "topic": "sums" })).expect(200).json();
    let session = text(&begun_with_code["session_id"]);
    send(&path(session), &judged_answer(1)).expect(201);
    assert_eq!(made(&tab, session)[0]["by"], "learner");
    let (_, own) = begun(&tab);
    send(&path(&own), &judged_answer(1)).expect(404);
    assert!(made(&tab, &own).is_empty());
}
