//! What keeps the tutor of mathematics honest, through the binary: the checker, the guard on hints, the guard on what learners say.

use crate::support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::Home;

/// Longest that any answer may take, the start of the program and the component's compiling included.
const TIME_MAX: Duration = Duration::from_secs(30);

fn checked(home: &Home, arguments: &Value) -> Value {
    let file = home.write("arguments.json", &arguments.to_string());
    let arguments = format!("@{}", file.display());
    let call = ["tool", "run", "tutor-maths:check-answer", "--arguments", &arguments, "--output", "json"];
    home.run(&call).expect(0).json()
}

fn verdict(home: &Home, expected: &str, given: &str, options: &Value) -> String {
    let arguments = json!({ "question": "Find x.", "expected": expected, "given": given, "options": options });
    let report = checked(home, &arguments);
    assert_eq!(report["tool"], "check_answer", "{report}");
    assert!(report["json"]["why"].as_str().is_some_and(|why| why.len() > 10), "{report}");
    report["json"]["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn an_answer_is_judged_by_the_component() {
    let home = Home::new();
    for (expected, given, options, judged) in [
        ("5*sqrt(3)", "x = 5√3", json!({}), "right"),
        ("5*sqrt(3)", "\\sqrt{75}", json!({ "form": "exact" }), "right"),
        ("5*sqrt(3)", "8.66", json!({ "form": "exact" }), "wrong"),
        ("12*tan(35°)", "8.4", json!({ "round": { "dp": 1 } }), "right"),
        ("12*tan(35°)", "8.402", json!({ "round": { "dp": 1 } }), "wrong"),
        ("x = 2 or x = -3", "-3, 2", json!({}), "right"),
        ("x = 2 or x = -3", "2", json!({}), "wrong"),
        ("40", "40 cm", json!({ "units": "cm^2" }), "wrong"),
        ("0.5", "½", json!({}), "right"),
        ("0.5", "dunno", json!({}), "undecided"),
    ] {
        assert_eq!(verdict(&home, expected, given, &options), judged, "{given} for {expected} with {options}");
    }
    let report =
        checked(&home, &json!({ "question": "", "expected": "1", "given": "1", "options": { "form": "nice" } }));
    assert_eq!(report["error"]["code"], "arguments", "{report}");
}

#[test]
fn hostile_answers_get_a_verdict_in_time() {
    let home = Home::new();
    for given in [
        "1".repeat(100_000),
        "(".repeat(100_000),
        format!("{}1{}", "(".repeat(30_000), ")".repeat(30_000)),
        "((((((((((((((((((x+1)^40)^40)^40)^40)^40)^40)))))))))))))".to_owned(),
        "10^10^10".to_owned(),
        "9^9^9^9^9".to_owned(),
        "2^99999".to_owned(),
        "1/0".to_owned(),
        "0/0".to_owned(),
        "0^0".to_owned(),
        "NaN".to_owned(),
        "inf".to_owned(),
        "1e999999".to_owned(),
        "√-1".to_owned(),
        "(a+b+c+d+e+f)^40".to_owned(),
        "1,".repeat(900),
        "\u{0}\u{202e}5".to_owned(),
        "\\frac{".repeat(300),
        "sqrt".repeat(400),
    ] {
        let began = Instant::now();
        let judged = verdict(&home, "5", &given, &json!({ "angle": "degrees" }));
        let start: String = given.chars().take(30).collect();
        assert_ne!(judged, "right", "{start}");
        assert!(began.elapsed() < TIME_MAX, "{start}: {:?}", began.elapsed());
    }
    assert_eq!(verdict(&home, "1/0", "5", &json!({})), "undecided");
    assert_eq!(verdict(&home, "", "5", &json!({})), "undecided");
    assert_eq!(verdict(&home, "10^10^10", "10^10^10", &json!({})), "undecided");
}

fn hint(home: &Home, round: u32, level: u32, speech: &str, label: &str) -> Value {
    let facts = json!({
        "problem": "A right-angled triangle has short sides 8 cm and 15 cm. Find the hypotenuse.",
        "answers": ["17"], "steps": ["289"], "level": level,
    });
    let visual = json!({ "kind": "right-triangle", "labels": [label] }).to_string();
    let shown = json!([{ "speech": speech, "emotion": null, "display": speech, "visual": visual }]);
    let event = json!({ "output": speech, "shown": shown, "facts": facts.to_string(), "rework_round": round });
    home.hook("tutor-maths:answer-leak", "post-loop", &event, &[])
}

#[test]
fn a_hint_that_gives_the_answer_away_is_sent_back_and_then_refused() {
    let home = Home::new();
    let clean = "What do you get when you square both short sides and add?";
    assert_eq!(hint(&home, 0, 1, clean, "8 cm")["verdict"], "pass");
    for (speech, label) in [
        ("The hypotenuse is seventeen.", "c"),
        ("Is it 17 cm?", "c"),
        ("It is $\\sqrt{289}$.", "c"),
        ("Two hundred and eighty-nine is what the squares add up to.", "c"),
        (clean, "c = 17 cm"),
    ] {
        let report = hint(&home, 0, 1, speech, label);
        assert_eq!(report["verdict"], "rework", "{speech}, {label}: {report}");
        assert_eq!(report["findings"][0]["class"], "answer-leak", "{report}");
    }
    assert_eq!(hint(&home, 2, 2, "It is 17.", "c")["verdict"], "rework");
    assert_eq!(hint(&home, 3, 2, "It is 17.", "c")["verdict"], "abort");
    // A worked solution, and what is no hint at all, may say everything.
    assert_eq!(hint(&home, 0, 4, "It is 17.", "c")["verdict"], "pass");
    assert_eq!(hint(&home, 0, 0, "It is 17.", "c")["verdict"], "pass");
}

#[test]
fn a_learner_who_needs_help_is_told_where_it_is() {
    let home = Home::new();
    let said = |input: &str| home.hook("tutor-maths:safeguarding", "pre-loop", &json!({ "input": input }), &[]);
    for (input, code) in [
        ("i want to die", "safeguarding-harm"),
        ("my dad hits me every night", "safeguarding-harm"),
        ("i cry every night and nobody likes me", "safeguarding-distress"),
        ("ring me on 07700 900456", "safeguarding-contact"),
    ] {
        let report = said(input);
        assert_eq!((&report["verdict"], &report["declined"]), (&json!("abort"), &json!(true)), "{input}: {report}");
        assert_eq!(report["code"], code, "{input}: {report}");
        assert!(report["reason"].as_str().unwrap().contains("0800 1111"), "{report}");
        assert!(!report.to_string().contains(input), "the report repeats what was written: {report}");
    }
    for input in ["x = 5√3", "this is killing me, which side is opposite", "12 cm²", "I don't know"] {
        assert_eq!(said(input)["verdict"], "pass", "{input}");
    }
}
