//! Access codes: given by a teacher, opened by whoever has one, slowed down, revoked, erased.

use crate::support;

use serde_json::{Value, json};
use support::mock::Reply;
use support::quiz::{Quiz, asked, displays, judged};
use support::server::{Answer, Client, Server};

const CODES: &str = "/api/flows/quiz/quiz/codes";

fn whole(times: usize) -> Vec<Reply> {
    (0..times).flat_map(|_| [asked(1), judged(true), asked(2)]).collect()
}

fn give(tab: &Client, new: &Value) -> Vec<Value> {
    tab.post(CODES, new).expect(200).json().as_array().unwrap().clone()
}

/// Somebody with a code and nothing else.
struct Learner<'a>(&'a Server, String);

impl Learner<'_> {
    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.0.with_code(&self.1, method, path, body)
    }

    fn begin(&self) -> Answer {
        self.send("POST", "/api/quiz/sessions", Some(&json!({ "topic": "sums" })))
    }

    fn step(&self, before: &Value, text: &str) -> Answer {
        let path = format!("/api/quiz/sessions/{}/step", before["session_id"].as_str().unwrap());
        self.send("POST", &path, Some(&json!({ "text": text, "after": before["after"] })))
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None)
    }
}

fn code(given: &Value) -> String {
    given["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_code_opens_one_session_and_nothing_else() {
    let quiz = Quiz::new(whole(3));
    let server = quiz.serve();
    let tab = server.single();
    let given = give(&tab, &json!({ "count": 2, "days": 1, "subject": "3B" }));
    assert_ne!(code(&given[0]), code(&given[1]));
    let (one, two) = (Learner(&server, code(&given[0])), Learner(&server, code(&given[1]).to_lowercase()));
    let opened = one.get("/api/code").expect(200).json();
    assert_eq!(
        (&opened["address"], &opened["role"], &opened["session_id"]),
        (&json!("quiz"), &json!("learner"), &Value::Null)
    );
    let begun = one.begin().expect(200).json();
    let other = two.begin().expect(200).json();
    assert_ne!(begun["session_id"], other["session_id"]);
    // The link that is opened again shows where the session stands, and begins no second one.
    let again = one.begin().expect(200).json();
    assert_eq!((&again["session_id"], &again["after"]), (&begun["session_id"], &begun["after"]));
    let second = one.step(&begun, "2").expect(200).json();
    assert_eq!(displays(&second), ["Yes.", "Question 2 of 3: What is 2 + 2?"]);
    // What a learner is shown of the state, and what a teacher.
    let path = format!("/api/quiz/sessions/{}/status", begun["session_id"].as_str().unwrap());
    let (learner, teacher) = (one.get(&path).expect(200).json(), tab.get(&path).expect(200).json());
    assert_eq!((&learner["answer"], &teacher["answer"]), (&Value::Null, &json!("4")));
    // Both see the conversation, and it has what was said and shown, in order.
    let talk = format!("/api/flows/quiz/quiz/sessions/{}/messages", begun["session_id"].as_str().unwrap());
    let (learner, teacher) = (one.get(&talk).expect(200).json(), tab.get(&talk).expect(200).json());
    assert_eq!(learner, teacher);
    let parts = learner["parts"].as_array().unwrap();
    assert_eq!(
        (displays(&parts[0]), &parts[1]["text"], &parts[1]["role"]),
        (vec!["Question 1 of 3: What is 1 + 1?"], &json!("2"), &json!("learner"))
    );
    let shown: Vec<&str> = parts.iter().skip(2).flat_map(displays).collect();
    assert_eq!(shown, ["Yes.", "Question 2 of 3: What is 2 + 2?"]);
    let last = one.get(&format!("{talk}?limit=1")).expect(200).json();
    assert_eq!((&last["parts"][0], &last["earlier"]), (parts.last().unwrap(), &json!(true)));
    let first = one.get(&format!("{talk}?before={}", parts[1]["seq"])).expect(200).json();
    assert_eq!((&first["parts"], &first["earlier"]), (&json!([parts[0]]), &json!(false)));
    assert_eq!(two.get(&talk).expect(404).code(), "store.not_found");
    // Another's session, and one of the teacher's own, are none; so is everything that a teacher has.
    let own = tab.post("/api/quiz/sessions", &json!({ "text": "sums" })).expect(200).json();
    for of in [&other, &own] {
        let path = format!("/api/quiz/sessions/{}/status", of["session_id"].as_str().unwrap());
        assert_eq!(one.get(&path).expect(404).code(), "store.not_found");
        assert_eq!(one.step(of, "2").expect(404).code(), "store.not_found");
    }
    let session = begun["session_id"].as_str().unwrap();
    for path in
        ["/api/sessions", "/api/memory", "/api/files", "/api/waiting", CODES, "/api/flows", "/api/me", "/api/events"]
    {
        let answer = one.get(path);
        assert!([401, 403].contains(&answer.status), "{path}: {}", answer.body);
    }
    for path in [format!("/api/sessions/{session}"), format!("/api/sessions/{session}/records")] {
        assert_eq!(one.get(&path).status, 403, "{path}");
    }
    for path in ["/api/flows/quiz/quiz/sessions", "/api/flows/quiz/quiz/sessions?fields=answer"] {
        assert_eq!(one.get(path).status, 403, "{path}");
    }
    assert_eq!(one.send("POST", CODES, Some(&json!({ "count": 1 }))).status, 403);
    // A teacher does not speak for a learner.
    let spoken = support::quiz::step(&tab, &second, "4").expect(409);
    assert_eq!(spoken.code(), "flow.waits_for_other");
    let listed = tab.get(CODES).expect(200).json();
    let line = listed.as_array().unwrap().iter().find(|line| line["id"] == given[0]["id"]).unwrap();
    let shown = (&line["session_id"], &line["subject"], &line["good"]);
    assert_eq!(shown, (&begun["session_id"], &json!("3B"), &json!(true)));
    assert!(!tab.get(CODES).body.contains(&code(&given[0])), "a code is told once");
}

#[test]
fn flows_that_codes_open_are_listed_with_the_command_that_begins_them() {
    let quiz = Quiz::new(vec![]);
    let plugin = quiz.home.path("plugins").join("quiz");
    let command = std::fs::read_to_string(plugin.join("commands/play.md")).unwrap();
    let other = command.replace("description: ", "description: Not this one, ");
    std::fs::write(plugin.join("commands/explain.md"), other.replace("name: play", "name: explain")).unwrap();
    let described = || {
        let server = quiz.serve();
        let listed = server.single().get("/api/flows").expect(200).json();
        let line = listed.as_array().unwrap().iter().find(|line| line["flow"] == "quiz").unwrap().clone();
        assert_eq!(line["role"], "learner");
        line["description"].as_str().unwrap().to_owned()
    };
    assert!(described().starts_with("Not this one, "), "where none is named it is the first by name");
    let manifest = std::fs::read_to_string(plugin.join("plugin.toml")).unwrap();
    let begins =
        |name: &str| manifest.replace("codes = \"learner\"", &format!("codes = \"learner\"\nbegins = \"{name}\""));
    std::fs::write(plugin.join("plugin.toml"), begins("play")).unwrap();
    assert!(!described().starts_with("Not this one, "));
    std::fs::write(plugin.join("plugin.toml"), begins("plai")).unwrap();
    let refused = quiz.call(&["run", "quiz:play", "sums"]).expect(1);
    assert!(refused.out.contains("there is no command `plai`") && refused.out.contains("begins"), "{}", refused.out);
}

#[test]
fn sessions_that_codes_have_opened_stand_in_the_order_of_the_codes_for_their_teacher() {
    let quiz = Quiz::new(vec![asked(1), judged(true), asked(2), asked(1), asked(1)]);
    let server = quiz.serve();
    let tab = server.single();
    let given: Vec<Value> =
        ["3B", "3B", "2A"].iter().flat_map(|subject| give(&tab, &json!({ "count": 1, "subject": subject }))).collect();
    let learners: Vec<Learner> = given.iter().map(|of| Learner(&server, code(of))).collect();
    // The one in the middle begins first and gets furthest.
    let second = learners[1].begin().expect(200).json();
    learners[1].step(&second, "2").expect(200);
    let third = learners[2].begin().expect(200).json();
    let first = learners[0].begin().expect(200).json();
    let sessions = |query: &str| tab.get(&format!("/api/flows/quiz/quiz/sessions{query}")).expect(200).json();
    let ids = |of: &Value| -> Vec<Value> {
        of["sessions"].as_array().unwrap().iter().map(|line| line["session_id"].clone()).collect()
    };
    let begun = [&first["session_id"], &second["session_id"], &third["session_id"]];
    let listed = tab.get(CODES).expect(200).json();
    let of_codes: Vec<Value> = listed.as_array().unwrap().iter().map(|line| line["session_id"].clone()).collect();
    assert!(begun.iter().all(|id| of_codes.contains(id)));
    let all = sessions("");
    assert_eq!((ids(&all), &all["left_out"]), (of_codes, &json!(0)));
    let line = all["sessions"].as_array().unwrap().iter().find(|line| line["session_id"] == *begun[1]).unwrap();
    let shown = (&line["subject"], &line["waits_for"], &line["view"]["right"], &line["view"]["answer"]);
    assert_eq!(shown, (&json!("3B"), &json!("learner"), &json!(1), &json!("4")));
    assert_eq!((&line["code"], &line["good"], &line["ended"]), (&given[1]["id"], &json!(true), &Value::Null));
    let some = sessions("?subject=3B&fields=right,number");
    let views: Vec<&Value> = some["sessions"].as_array().unwrap().iter().map(|line| &line["view"]).collect();
    assert_eq!(views, [&json!({ "number": 1, "right": 0 }), &json!({ "number": 2, "right": 1 })]);
    assert_eq!(ids(&sessions("?subject=1A")), Vec::<Value>::new());
    // A session of the teacher's own is no code's, and one that was deleted is in no list.
    tab.write("DELETE", &format!("/api/sessions/{}", begun[2].as_str().unwrap()), &json!({})).expect(204);
    assert_eq!(ids(&sessions("")).len(), 2);
    tab.get("/api/flows/quiz/nothing/sessions").expect(200);
}

#[test]
fn two_requests_of_one_code_at_the_same_moment_begin_one_session() {
    let quiz = Quiz::new(whole(2));
    let server = quiz.serve();
    let tab = server.single();
    let learner = Learner(&server, code(&give(&tab, &json!({ "count": 1 }))[0]));
    let answers = std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| learner.begin()));
        both.map(|thread| thread.join().unwrap())
    });
    assert!(answers.iter().any(|answer| answer.status == 200), "{answers:?}");
    assert!(answers.iter().all(|answer| [200, 409].contains(&answer.status)), "{answers:?}");
    assert_eq!(tab.get("/api/sessions").expect(200).json()["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_revoked_code_opens_nothing_from_the_next_request_on() {
    let quiz = Quiz::new(whole(2));
    let server = quiz.serve();
    let tab = server.single();
    let given = give(&tab, &json!({ "count": 2 }));
    let (one, two) = (Learner(&server, code(&given[0])), Learner(&server, code(&given[1])));
    let begun = one.begin().expect(200).json();
    let path = format!("{CODES}/{}", given[0]["id"].as_str().unwrap());
    tab.write("DELETE", &path, &json!({})).expect(204);
    assert_eq!(one.step(&begun, "2").expect(401).code(), "code.revoked");
    assert_eq!(one.begin().expect(401).code(), "code.revoked");
    two.begin().expect(200);
    assert_eq!(tab.write("DELETE", &format!("{CODES}/0123"), &json!({})).status, 404);
    for wrong in [json!({ "count": 0 }), json!({ "count": 201 }), json!({ "count": 1, "days": 0 })] {
        assert_eq!(tab.post(CODES, &wrong).expect(400).code(), "usage.input", "{wrong}");
    }
    assert_eq!(tab.post("/api/flows/quiz/none/codes", &json!({ "count": 1 })).status, 400);
}

#[test]
fn wrong_guesses_are_slowed_down_and_keep_nobody_else_out() {
    let quiz = Quiz::new(whole(1));
    let server = quiz.serve();
    let tab = server.single();
    let right = code(&give(&tab, &json!({ "count": 1 }))[0]);
    let guess = |n: usize| Learner(&server, format!("{n:05}-00000-00000-00000")).get("/api/code");
    let first = guess(0).expect(401);
    assert_eq!(first.code(), "code.wrong");
    let answers: Vec<Answer> = (1..60).map(guess).collect();
    let slowed = answers.iter().find(|answer| answer.status == 429).expect("guesses are slowed down");
    assert!(slowed.header("retry-after").is_some());
    Learner(&server, right.clone()).begin().expect(200);
    // Guesses at one code slow that one down, and no other.
    let at_one = |n: usize| Learner(&server, format!("{}-{n:05}-00000-00000", &right[..5])).get("/api/code");
    (0..12).for_each(|n| drop(at_one(n)));
    assert_eq!(Learner(&server, right.clone()).get("/api/code").status, 429);
    for wrong in ["", "x", "ÄÖ", "no code at all"] {
        assert!([401, 429].contains(&Learner(&server, wrong.to_owned()).get("/api/code").status), "{wrong}");
    }
}

#[test]
fn codes_are_kept_by_digest_and_erased_with_their_session() {
    let quiz = Quiz::new(whole(1));
    let server = quiz.serve();
    let tab = server.single();
    let given = give(&tab, &json!({ "count": 3 }));
    let begun = Learner(&server, code(&given[0])).begin().expect(200).json();
    let session = begun["session_id"].as_str().unwrap();
    drop(server);
    let kept = |text: &str| {
        let files = std::fs::read_dir(quiz.home.path("data")).unwrap().map(|file| file.unwrap().path());
        let bytes = files.filter(|path| path.is_file()).map(|path| std::fs::read(path).unwrap());
        bytes.into_iter().any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
    };
    for given in &given {
        let plain = code(given);
        assert!(!kept(&plain) && !kept(&plain.replace('-', "")), "{plain} stands in the data directory");
    }
    assert!(kept(session));
    let erased = quiz.call(&["erase", "--code", &code(&given[0])]).expect(0).json();
    assert_eq!(erased["tombstone"]["sessions"][0]["session"], session);
    assert!(erased["bytes"].as_u64().unwrap() > 0);
    let again = quiz.call(&["erase", "--code", &code(&given[0])]).expect(2);
    assert!(again.out.contains("code.unknown"), "{}{}", again.out, again.err);
    // One that opened nothing is forgotten; by its id as well.
    let erased = quiz.call(&["erase", "--code", given[1]["id"].as_str().unwrap()]).expect(0).json();
    assert_eq!((&erased["tombstone"]["sessions"], &erased["bytes"]), (&json!([]), &json!(0)));
    let server = quiz.serve();
    let tab = server.single();
    let listed = tab.get(CODES).expect(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(Learner(&server, code(&given[0])).begin().expect(401).code(), "code.wrong");
}
