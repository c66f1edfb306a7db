//! The checker on the set of answers to work with.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "these are tests: a surprise is to end them"
)]

use serde_json::Value;
use ta_maths::expr::Angle;
use ta_maths::form::Form;
use ta_maths::judge::{Options, judge};
use ta_maths::same::Place;

fn options(value: &Value) -> Options {
    let number = |place: &str| value["round"][place].as_u64().and_then(|number| u32::try_from(number).ok());
    Options {
        angle: value["angle"].as_str().map(|angle| if angle == "degrees" { Angle::Degrees } else { Angle::Radians }),
        round: number("dp").map(Place::Decimals).or_else(|| number("sf").map(Place::Figures)),
        form: value["form"].as_str().and_then(Form::named),
        units: value["units"].as_str().map(str::to_owned),
    }
}

/// The set that `TA_ANSWERS` names, or the one to work with.
#[test]
fn the_set_of_answers_is_judged() {
    let path = std::env::var("TA_ANSWERS").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../evals/guards/sets/answers.work.jsonl").into()
    });
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut all, mut hits, mut misses) = (0, 0, Vec::new());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let item: Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| item[name].as_str().unwrap().to_owned();
        let found = judge(&field("question"), &field("expected"), &field("given"), &options(&item["options"]));
        all += 1;
        if found.verdict.word() == field("verdict") {
            hits += 1;
        } else {
            let near = field("group").starts_with("near/");
            misses.push((near, found.verdict.word(), line.to_owned(), found.why));
        }
    }
    println!("{hits} of {all} as labelled");
    for (_, verdict, line, why) in &misses {
        println!("{verdict}: {line} ({why})");
    }
    assert!(!misses.iter().any(|(near, verdict, ..)| *near && *verdict == "right"), "a near miss was taken for right");
    assert!(hits * 100 >= all * 98, "{hits} of {all}");
}
