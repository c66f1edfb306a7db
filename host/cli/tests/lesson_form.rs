//! The form of a lesson, through the binary: what lacks a part is sent back once, in words that say what to mend.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Home, LESSON};

fn plan(home: &Home, answers: &Value, more: &[&str]) -> support::Call {
    let script = home.script(answers);
    let arguments = [
        CREATE,
        "traces for 3B",
        "--provider",
        "script",
        "--script",
        &script,
        "--answers",
        "accept",
        "--output",
        "json",
    ];
    home.run(&[&arguments[..], more].concat())
}

fn without_keywords() -> String {
    let start = LESSON.find("## Keywords").unwrap();
    let end = LESSON.find("## Starter").unwrap();
    format!("{}{}", &LESSON[..start], &LESSON[end..]).replacen("(20 minutes)", "(22 minutes)", 1)
}

#[test]
fn a_lesson_with_a_missing_part_goes_back_before_the_teacher_sees_it() {
    let home = Home::new();
    // The second answer is given only to a message that names what is missing.
    let answers = json!([
        { "text": without_keywords() },
        { "text": LESSON, "when": "- \"Keywords\": there is no section \"Keywords\"; it holds two to six terms, each with a definition (missing-part)" },
    ]);
    let end = plan(&home, &answers, &[]).expect(0).json();
    assert_eq!(end["status"], "success");
    assert_eq!(end["output"].as_str().unwrap().trim_end(), LESSON.trim_end());
    let events = home.events(end["run"].as_str().unwrap());
    let said = events.iter().filter(|event| event["type"] == "hook.finished" || event["type"] == "hook.ended");
    let verdicts: Vec<String> = said.map(|event| format!("{} {}", event["hook"], event["verdict"])).collect();
    let all: String = events.iter().map(ToString::to_string).collect();
    assert!(
        all.contains("the minutes come to 52 (Starter 8, Explanation 12, Practice 22, Plenary 10), the lesson has 50")
    );
    let asked = events.iter().filter(|event| event["request"]["question"]["id"] == "sections").count();
    assert!(asked >= 1, "the teacher was asked: {verdicts:?}");
    let first_question = events.iter().position(|event| event["request"]["question"]["id"] == "sections").unwrap();
    let rework = events.iter().position(|event| event.to_string().contains("missing-part")).unwrap();
    assert!(rework < first_question, "the form comes before the teacher");
}

#[test]
fn a_form_that_stays_broken_is_noted_or_ends_the_run_as_configured() {
    let home = Home::new();
    let broken = json!({ "text": without_keywords() });
    let end = plan(&home, &json!([broken, broken]), &[]).expect(0).json();
    assert_eq!(end["status"], "success");
    assert!(end["findings"].to_string().contains("missing-part"), "{end}");
    let operator = home.write(
        "operator.toml",
        "[grants.\"lesson-planning:lesson-form\"]\ncapabilities = [\"log\", \"config\", \"workspace\"]\n\
         workspace = { \".\" = \"read\" }\nconfig = { then = \"abort\" }\n",
    );
    let operator = operator.display().to_string();
    let end = plan(&home, &json!([broken, broken]), &["--operator", &operator]).expect(4).json();
    assert_eq!(end["status"], "error_hook_abort");
    assert!(end["reason"].as_str().unwrap().contains("lesson-form"), "{end}");
}

#[test]
fn american_spelling_is_sent_back_with_the_british() {
    let home = Home::new();
    let american = LESSON.replacen("on pale paper", "on gray paper", 1);
    let answers = json!([{ "text": american }, { "text": LESSON, "when": "“gray” is written “grey” here" }]);
    let end = plan(&home, &answers, &[]).expect(0).json();
    assert!(!end["output"].as_str().unwrap().contains("gray"));
}

#[test]
fn only_new_lessons_are_held_to_the_form() {
    let home = Home::new();
    let old = "# Old\n\n## My own heading\n\nAs I like it, in three lines.\n";
    home.write("workspace/lessons/3B-old.md", old);
    let script = home.script(&json!([{ "text": old }]));
    let arguments = ["--provider", "script", "--script", &script, "--answers", "accept", "--output", "json"];
    let request = ["lesson-planning:refine-lesson", "lessons/3B-old.md: keep it"];
    let end = home.run(&[&request[..], &arguments].concat()).expect(0).json();
    assert_eq!(end["findings"], json!([]));
}
