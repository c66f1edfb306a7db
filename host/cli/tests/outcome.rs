//! The outcome that a lesson is for, through the binary: certain, asked for before anything else, or nothing is planned.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Call, Home};

fn choose(home: &Home, choice: &str) -> String {
    let answers = json!({ "answers": [{ "question": "outcome", "choice": choice }, { "question": "*", "outcome": "dismissed" }] });
    home.write("answers.json", &answers.to_string()).display().to_string()
}

fn create(home: &Home, topic: &str, answers: &[&str]) -> Call {
    home.run(&[&[CREATE, topic, "--output", "json"], answers].concat())
}

fn offered(home: &Home, session: &str) -> Vec<String> {
    let events = home.events(session);
    let asked = events.iter().find(|event| event.to_string().contains("\"None of these\"")).unwrap();
    let text = asked.to_string();
    text.split("\"id\":\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

#[test]
fn a_topic_that_other_words_share_is_asked_about_before_anything_else() {
    let home = Home::new();
    let parked = create(&home, "balancing equations like scales for 1B", &[]).expect(3).json();
    assert_eq!(parked["status"], "parked");
    let question = &parked["question"];
    assert_eq!((&question["by"], &question["id"]), (&json!("outcome"), &json!("outcome")), "{parked}");
    let offered = offered(&home, parked["session"].as_str().unwrap());
    assert!(offered.contains(&"MTH 3-15a".to_owned()) && offered.contains(&"none".to_owned()), "{offered:?}");
}

#[test]
fn the_lesson_is_about_the_outcome_that_was_chosen() {
    let home = Home::new();
    let answers = choose(&home, "MTH 3-15a");
    let end = create(&home, "balancing equations like scales for 1B", &["--answers", &answers]).expect(0).json();
    assert_eq!(end["status"], "success");
    assert!(end["output"].as_str().unwrap().contains("[MTH 3-15a]"), "{end}");
    let session = end["session"].as_str().unwrap();
    let replayed = home.run(&["replay", session, "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null);
}

#[test]
fn none_of_these_is_a_polite_no_and_nothing_is_planned() {
    let home = Home::new();
    let answers = choose(&home, "none");
    let end = create(&home, "surds with dice games for 1B", &["--answers", &answers]);
    let end = end.expect(7).json();
    assert_eq!((&end["status"], &end["saved"]), (&json!("declined"), &Value::Null));
    assert!(home.lessons().is_empty());
}

#[test]
fn a_topic_that_no_file_knows_is_declined_with_what_can_be_done() {
    let home = Home::new();
    let end = create(&home, "photosynthesis for 3B", &["--answers", "accept"]).expect(7);
    assert_eq!(end.json()["status"], "declined");
    assert!(end.out.contains("Nothing in the curriculum files of 3B (computing)"), "{}", end.out);
    assert!(home.lessons().is_empty());
}

#[test]
fn a_request_without_a_topic_or_for_a_lesson_that_is_not_there_is_no_success() {
    let home = Home::new();
    let said = |command: &str, request: &str| {
        let end = home.run(&[command, request, "--output", "json", "--answers", "accept"]).expect(7).json();
        assert_eq!(end["status"], "declined", "{end}");
        end["reason"].as_str().unwrap().to_owned()
    };
    assert!(said(CREATE, "TCH 9-99z for 3B").contains("have not planned anything"));
    assert!(said("lesson-planning:refine-lesson", "shorter starter in lessons/none.md").contains("lessons/none.md"));
    assert!(said("update-workspace:change", "do something nice").contains("changed nothing"));
}

#[test]
fn what_is_certain_is_not_asked() {
    let home = Home::new();
    for (topic, code) in
        [("iteration for 3B", "TCH 3-"), ("Pythagoras for 2C", "MTH 4-16a"), ("Bannockburn for 2A", "SOC 3-")]
    {
        let parked = create(&home, topic, &[]).expect(3).json();
        assert_ne!(parked["question"]["id"], "outcome", "{topic}");
        let end = create(&home, topic, &["--answers", "accept"]).expect(0).json();
        assert!(end["output"].as_str().unwrap().contains(&format!("[{code}")), "{topic}: {end}");
    }
}
