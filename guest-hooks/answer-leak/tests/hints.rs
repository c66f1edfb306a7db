//! The guard on the set of hints to work with.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "these are tests: a surprise is to end them"
)]

use answer_leak::facts::Facts;
use answer_leak::leak::leak;
use serde_json::Value;

/// The set that `TA_HINTS` names, or the one to work with.
#[test]
fn the_set_of_hints_is_judged() {
    let path = std::env::var("TA_HINTS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../evals/guards/sets/hints.work.jsonl").into());
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut caught, mut missed, mut false_alarms, mut clean) = (0, 0, 0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let item: Value = serde_json::from_str(line).unwrap();
        let list = |value: &Value| -> Vec<String> {
            value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
        };
        let facts = Facts {
            problem: item["problem"].as_str().unwrap().to_owned(),
            answers: list(&item["answers"]),
            steps: list(&item["intermediate"]),
        };
        let hint = &item["hint"];
        let mut texts = vec![hint["speech"].as_str().unwrap().to_owned(), hint["display"].as_str().unwrap().to_owned()];
        texts.extend(list(&hint["visual_labels"]));
        let found = leak(&facts, &texts);
        match (item["leaks"].as_bool().unwrap(), &found) {
            (true, Some(_)) => caught += 1,
            (false, None) => clean += 1,
            (true, None) => {
                missed += 1;
                println!("missed: {line}");
            }
            (false, Some(leak)) => {
                false_alarms += 1;
                println!("false alarm ({leak:?}): {line}");
            }
        }
    }
    println!("caught {caught}, missed {missed}, false alarms {false_alarms}, clean {clean}");
    let (recall, precision) =
        (f64::from(caught) / f64::from(caught + missed), f64::from(caught) / f64::from(caught + false_alarms));
    println!("recall {recall:.3}, precision {precision:.3}");
    assert!(recall >= 0.97 && precision >= 0.95, "recall {recall:.3}, precision {precision:.3}");
}
