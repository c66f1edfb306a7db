//! A sample of outcomes, one class each, through the binary: the guards let the planner's first draft pass.
//! All of them are planned natively in `evals/tests/every_outcome.rs`.

use crate::support;

use serde_json::json;
use support::{CREATE, Home};

#[test]
fn first_drafts_pass_every_guard() {
    let home = Home::new();
    for request in [
        "TCH 3-14a for 3B",
        "TCH 2-03a for 1B",
        "TCH 4-13b for 2C",
        "TCH 3-12a for 2C",
        "MNU 3-04a for 2C",
        "MTH 4-16a for 1B",
        "LIT 3-29a for 2A",
        "MLAN 3-02a for 2A",
        "SOC 3-06a for 2A",
        "SOC 2-16b for 2A",
    ] {
        let end = home.run(&[CREATE, request, "--answers", "accept", "--output", "json"]).expect(0).json();
        assert_eq!((&end["status"], &end["findings"]), (&json!("success"), &json!([])), "{request}");
        let events = home.events(end["run"].as_str().unwrap());
        let notes: String = events.iter().map(|event| event["notes"].to_string()).collect();
        assert!(notes.contains("the form of the lesson holds"), "{request}: {notes}");
        assert!(notes.contains("every one can be followed"), "{request}: {notes}");
        assert!(!events.iter().any(|event| event.to_string().contains("<rework")), "{request}: went round again");
    }
}
