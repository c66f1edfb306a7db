//! The tutor that plans, through the binary with no key: a whole session, a teacher who is asked for, killed and resumed, replayed,
//! forked; over HTTP with a code; and agents that answer in a way that cannot be used.

use crate::support;

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use support::server::{Answer, Client, Server};
use support::{Call, Home};

const SESSION: &str = "tutor:session";
/// Right answers to the questions of the first topic, in the order in which they are asked.
const RIGHT: [&str; 6] = ["3/8", "6", "5/8 is bigger than 3/8", "4/10", "a third: 1/3", "3/10"];
const LOST: &str = "this makes no sense to me, I am so confused";

fn call(home: &Home, arguments: &[&str]) -> Call {
    let mut all = arguments.to_vec();
    all.extend(["--output", "json"]);
    home.run(&all)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn shown(end: &Value) -> String {
    let messages = end["messages"].as_array().unwrap();
    messages.iter().map(|it| text(&it["display"])).collect::<Vec<_>>().join("\n\n")
}

/// A session in a terminal: each message is a process of its own.
struct Terminal<'a> {
    home: &'a Home,
    session: String,
    last: Value,
}

impl<'a> Terminal<'a> {
    fn begin(home: &'a Home, topic: &str) -> Self {
        let last = call(home, &["run", SESSION, topic]).expect(3).json();
        Self { home, session: text(&last["session"]).to_owned(), last }
    }

    fn says(&mut self, words: &str) -> &Value {
        let said = call(self.home, &["resume", &self.session, "--say", words]);
        assert!([0, 3].contains(&said.code), "{words}: {}\n{}", said.out, said.err);
        self.last = said.json();
        &self.last["reply"]
    }

    fn replays(&self) {
        let replayed = call(self.home, &["replay", &self.session]).expect(0);
        assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
    }
}

/// Steps that are done, of how many.
fn progress(reply: &Value) -> (u64, u64) {
    let of = |name: &str| reply["current_progress"][name].as_u64().unwrap();
    (of("steps_completed"), of("steps_total"))
}

#[test]
fn a_whole_session_with_no_key_its_replay_and_a_fork_of_its_middle() {
    let home = Home::new();
    let mut talk = Terminal::begin(&home, "Comparing fractions --level second");
    assert!(shown(&talk.last).starts_with("There is no language model behind this session"), "{}", shown(&talk.last));
    let reply = talk.last["reply"].clone();
    assert_eq!((text(&reply["status"]), progress(&reply)), ("active", (0, 3)));
    assert!(text(&reply["first_message"]).contains("Which fraction of the bar has Kit eaten?"), "{reply}");
    let steps = reply["study_plan"]["todo_list"].as_array().unwrap().clone();
    let statuses: Vec<&str> = steps.iter().map(|step| text(&step["status"])).collect();
    assert_eq!(statuses, ["in_progress", "pending", "pending"]);
    assert!(steps.iter().all(|step| step.get("teaching_approach").is_none() && step.get("success_criteria").is_none()));
    // A hint is none of the answers, and something else touches nothing.
    let hint = talk.says("hint").clone();
    assert_eq!(
        (&hint["score"], text(&hint["next_message"])),
        (&Value::Null, "How many pieces are there in the whole bar?")
    );
    let off = talk.says("can we talk about dinosaurs?").clone();
    assert_eq!((&off["score"], progress(&off), &off["plan_updated"]), (&Value::Null, (0, 3), &json!(false)));
    let wrong = talk.says("8/3").clone();
    assert_eq!((&wrong["score"], text(&wrong["session_status"])), (&json!(0.0), "active"));
    assert!(text(&wrong["feedback"]).starts_with("Not quite."), "{wrong}");
    let mut at = String::new();
    for (number, answer) in RIGHT.iter().enumerate() {
        if number == 3 {
            let records = home.records(&talk.session);
            at = records.iter().rev().find(|it| it["type"] == "message.shown").unwrap()["seq"].to_string();
        }
        let reply = talk.says(answer).clone();
        assert_eq!(reply["score"], json!(1.0), "{answer}: {reply}");
        assert_eq!(progress(&reply), ((number as u64).div_ceil(2), 3), "{answer}: {reply}");
    }
    assert_eq!((text(&talk.last["status"]), text(&talk.last["reply"]["session_status"])), ("success", "completed"));
    assert!(shown(&talk.last).contains("you have worked through all of “Comparing fractions”"));
    talk.replays();
    let forked = call(&home, &["fork", &talk.session, "--at", &at]).expect(3).json();
    let mut other = Terminal { home: &home, session: text(&forked["session"]).to_owned(), last: forked };
    let reply = other.says("7/10");
    assert_eq!((&reply["score"], progress(reply)), (&json!(0.0), (1, 3)));
    other.replays();
    talk.replays();
}

#[test]
fn a_teacher_is_asked_for_and_the_session_goes_on_with_their_note() {
    let home = Home::new();
    let mut talk = Terminal::begin(&home, "how plants make their food");
    talk.says("carbon dioxide");
    talk.says("roots");
    let done = talk.last["reply"].clone();
    assert_eq!(progress(&done), (1, 3));
    for round in 1..=3 {
        let reply = talk.says(LOST).clone();
        assert_eq!(
            (&reply["plan_updated"], text(&reply["session_status"])),
            (&json!(true), "active"),
            "{round}: {reply}"
        );
        assert!(text(&reply["replan_reason"]).contains("not clear to them"), "{reply}");
        // The step that comes first now stands in the plan once.
        assert_eq!(progress(&reply).0, 1);
    }
    let reply = talk.says(LOST).clone();
    assert_eq!((text(&reply["session_status"]), &reply["plan_updated"]), ("intervention", &json!(false)));
    assert!(text(&reply["next_message"]).contains("I have asked your teacher"), "{reply}");
    let waits = home.records(&talk.session);
    let stepped = waits.iter().rev().find(|it| it["type"] == "flow.stepped").unwrap();
    assert!(stepped["step"]["wait"].to_string().contains("teacher"), "{stepped}");
    // Nothing is decided by words that say nothing.
    let reply = talk.says("skip:").clone();
    assert_eq!(text(&reply["session_status"]), "intervention");
    let reply = talk.says("Draw the leaf with them and label what goes in and out.").clone();
    assert_eq!(text(&reply["session_status"]), "active", "{reply}");
    assert!(text(&reply["feedback"]).contains("Your teacher has had a look"), "{reply}");
    assert!(!shown(&talk.last).contains("label what goes in"), "a note is not for the learner");
    let reply = talk.says("/end").clone();
    assert_eq!(text(&reply["session_status"]), "ended");
    talk.replays();
}

#[test]
fn a_session_that_is_killed_again_and_again_loses_nothing() {
    let home = Home::new();
    let mut talk = Terminal::begin(&home, "fractions");
    let session = talk.session.clone();
    let said = |home: &Home| home.records(&session).iter().filter(|it| it["type"] == "message.said").count();
    for (round, answer) in RIGHT[..4].iter().enumerate() {
        let before = said(&home);
        let mut command = home.command(&["resume", &talk.session, "--say", answer]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round as u64 * 61));
        let _ = child.kill();
        child.wait().unwrap();
        let going_on = call(&home, &["resume", &talk.session]).expect(3).json();
        let after = said(&home);
        assert!(after <= before + 1, "nothing is said twice");
        if after == before {
            talk.last = going_on;
            talk.says(answer);
        }
    }
    assert_eq!(progress(talk.says("hint")), (2, 3));
    talk.says(RIGHT[4]);
    talk.says(RIGHT[5]);
    assert_eq!(talk.last["status"], "success");
    talk.replays();
}

#[test]
fn what_a_session_cannot_begin_with_is_refused_and_a_topic_that_nobody_knows_is_asked_for_again() {
    let home = Home::new();
    let refused = call(&home, &["run", SESSION, "Comparing fractions --level tenth"]);
    assert!(refused.out.contains("session.field") && refused.out.contains("early, first, second"), "{}", refused.out);
    let mut talk = Terminal::begin(&home, "the Jacobites");
    assert!(shown(&talk.last).contains("- Apostrophes"), "{}", shown(&talk.last));
    talk.says("Apostrophes");
    assert!(shown(&talk.last).contains("Which two words is **can't** short for?"), "{}", shown(&talk.last));
    talk.replays();
}

#[test]
fn agents_that_answer_as_nobody_asked_are_asked_once_more_and_then_replaced_by_data() {
    let home = Home::new();
    let said = |value: &Value| json!({ "text": value.to_string() });
    let step =
        |title: &str| json!({ "title": title, "description": "D", "teaching_approach": "A", "success_criteria": "S" });
    let plan =
        json!({ "todo_list": [step("What the two numbers of a fraction say")], "reasoning": "It is the first thing." });
    let broken = json!({ "text": "Well done!" });
    let judged = json!({
        "score": 1.0, "feedback": "Right.", "reasoning": "It is.", "assessment_note": "Reads a fraction.", "was_off_topic": false,
        "replan_needed": false, "updated_step_statuses": { "nobody": "completed" },
    });
    let agents = json!({ "planner": [said(&plan)], "executor": [broken, broken], "evaluator": [said(&judged)], "summariser": [broken] });
    let script =
        home.write("script.json", &json!({ "answers": [], "agents": agents }).to_string()).display().to_string();
    let arguments = ["run", SESSION, "Comparing fractions", "--provider", "script", "--script", &script];
    let begun = call(&home, &arguments).expect(3).json();
    assert!(shown(&begun).contains("Which fraction of the bar has Kit eaten?"), "{}", shown(&begun));
    assert!(!shown(&begun).contains("There is no language model"), "there is one");
    let mut talk = Terminal { home: &home, session: text(&begun["session"]).to_owned(), last: begun };
    let reply = talk.says("3/8").clone();
    assert_eq!((&reply["score"], progress(&reply)), (&json!(1.0), (0, 1)), "one right answer completes no step");
    let records = home.records(&talk.session);
    let notes: Vec<String> =
        records.iter().filter(|it| it["type"] == "flow.stepped").map(|it| it["step"]["notes"].to_string()).collect();
    let notes = notes.join("\n");
    assert!(notes.contains("the executor did not answer"), "{notes}");
    assert!(notes.contains("the evaluator wanted the step `nobody` completed"), "{notes}");
    talk.replays();
}

fn step(tab: &Client, before: &Value, words: &str) -> Answer {
    let path = format!("/api/tutor/sessions/{}/step", text(&before["session_id"]));
    tab.post(&path, &json!({ "student_reply": words, "after": before["after"] }))
}

#[test]
fn over_http_a_learner_with_a_code_sees_no_notes_and_the_teacher_sees_them_and_helps() {
    let home = Home::new();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let given = tab.post("/api/flows/tutor/tutor/codes", &json!({ "count": 2 })).expect(200).json();
    let code = text(&given[0]["code"]).to_owned();
    let learner = |method: &str, path: &str, body: Option<&Value>| server.with_code(&code, method, path, body);
    // Contact data begin nothing.
    let profile = |interests: &str| {
        json!({
            "topic": "Fractions", "subtopic": "Comparing Fractions", "grade": 4, "session_context": { "estimated_duration_minutes": 20 },
            "student_profile": { "interests": [interests, "video games"], "learning_style": "visual", "grade": 4 },
        })
    };
    let other = text(&given[1]["code"]).to_owned();
    let refused = server.with_code(&other, "POST", "/api/tutor/sessions", Some(&profile("www.example.org")));
    assert_eq!((refused.status, refused.code().as_str()), (422, "profile.contact"), "{}", refused.body);
    let begun = learner("POST", "/api/tutor/sessions", Some(&profile("dinosaurs"))).expect(200).json();
    assert_eq!((text(&begun["status"]), begun["study_plan"]["todo_list"].as_array().unwrap().len()), ("active", 3));
    let path = format!("/api/tutor/sessions/{}", text(&begun["session_id"]));
    let says = |before: &Value, words: &str| {
        let body = json!({ "student_reply": words, "after": before["after"] });
        learner("POST", &format!("{path}/step"), Some(&body)).expect(200).json()
    };
    let right = says(&begun, "3/8");
    assert_eq!((&right["score"], text(&right["session_status"])), (&json!(1.0), "active"));
    let mut last = right;
    for _ in 0..4 {
        last = says(&last, LOST);
    }
    assert_eq!((text(&last["session_status"]), text(&last["waits_for"])), ("intervention", "teacher"), "{last}");
    let late =
        learner("POST", &format!("{path}/step"), Some(&json!({ "student_reply": "hello?", "after": last["after"] })));
    assert_eq!(late.expect(409).code(), "flow.waits_for_other");
    let status = format!("{path}/status");
    let (seen, whole) = (learner("GET", &status, None).expect(200).json(), tab.get(&status).expect(200).json());
    each_sees_what_is_theirs(&seen, &whole);
    let helped = step(&tab, &last, "Fold a strip of paper with them.").expect(200).json();
    assert_eq!((text(&helped["session_status"]), text(&helped["waits_for"])), ("active", "learner"), "{helped}");
    // Distress goes to no agent; the learner is told where help is and the teacher that something came up.
    let withheld = says(&helped, "i want to die");
    assert!(withheld["messages"].to_string().contains("0800 1111"), "{withheld}");
    let whole = tab.get(&status).expect(200).json();
    assert!(whole["alerts"].as_array().unwrap().iter().any(|it| it["kind"] == "safeguarding"), "{}", whole["alerts"]);
    assert!(!whole.to_string().contains("want to die"), "what was withheld reaches nobody");
    let end = says(&withheld, "/end");
    assert_eq!((text(&end["session_status"]), text(&end["ended"])), ("ended", "success"));
    drop(server);
    let replayed = call(&home, &["replay", text(&begun["session_id"])]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
}

/// What a learner and a teacher see of a session that waits for the teacher.
fn each_sees_what_is_theirs(seen: &Value, whole: &Value) {
    for hidden in
        ["assessment_notes", "agent_logs", "alerts", "teaching_approach", "success_criteria", "reasoning", "not clear"]
    {
        assert!(!seen.to_string().contains(hidden), "the learner sees {hidden}: {seen}");
    }
    assert_eq!(
        (&seen["status"], &seen["progress"]["questions_asked"]),
        (&json!("intervention"), &whole["progress"]["questions_asked"])
    );
    assert_eq!(
        whole["progress"]["accuracy"].as_f64().map(|it| (it * 100.0).round()),
        Some(20.0),
        "{}",
        whole["progress"]
    );
    assert!(text(&whole["assessment_notes"]).contains("Answered a question of"), "{whole}");
    let logs = whole["agent_logs"].as_array().unwrap();
    let of = |agent: &str| logs.iter().filter(|it| it["agent"] == agent).count();
    assert_eq!((of("planner"), of("evaluator")), (4, 5));
    assert!(
        logs.iter()
            .all(|it| it["duration_ms"].is_u64() && !text(&it["timestamp"]).is_empty() && !it["output"].is_null())
    );
    assert!(whole["alerts"].as_array().unwrap().iter().any(|it| it["kind"] == "intervention"), "{}", whole["alerts"]);
    let metadata = &whole["study_plan"]["metadata"];
    assert_eq!(
        (&metadata["plan_version"], &metadata["replan_count"], &metadata["max_replans"]),
        (&json!(4), &json!(3), &json!(3))
    );
}
