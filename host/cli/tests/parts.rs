//! Parts of an output through the binary: what was accepted stays, whatever the model makes of it.

use serde_json::{Value, json};

use crate::support::{CREATE, Home};

/// A lesson with two parts of one name.
const TWICE: &str = "# Loops\n\n## Starter\n\nquiz\n\n## Task (9 minutes)\n\nSort the cards.\n\n## Talk\n\npairs\n\n\
                     ## Task (12 minutes)\n\nWrite the code.\n";

/// What comes of the lesson when both tasks are accepted, the starter is revised, and the model answers with `again`.
fn after(again: &str) -> Value {
    let home = Home::new();
    // Twice, since a lesson that lacks parts is sent back before the person sees it.
    let script = home.script(&json!([{ "text": TWICE }, { "text": TWICE }, { "text": again }]));
    let answers = home.answers(&json!([
        { "question": "sections", "items": { "starter": { "revise": "on mini-whiteboards" }, "*": "accept" } },
        { "question": "sections", "items": { "*": "accept" } },
        { "question": "*", "outcome": "dismissed" },
    ]));
    let scripted = ["--provider", "script", "--script", &script, "--answers", &answers, "--output", "json"];
    home.run(&[&[CREATE, "iteration for 3B"], &scripted[..]].concat()).expect(0).json()
}

#[test]
fn two_accepted_parts_of_one_name_both_stay() {
    let whole = TWICE.replace("quiz", "mini-whiteboards");
    for again in [
        whole.clone(),
        whole.replace("Sort the cards.", "Other cards.").replace("Write the code.", "Other code."),
        whole.replace("## Task (9 minutes)\n\nSort the cards.\n\n", ""),
        whole.replace("## Task (12 minutes)\n\nWrite the code.\n", ""),
        whole.replace(" (9 minutes)", "").replace(" (12 minutes)", "").replace("Sort", "Lay out"),
    ] {
        let end = after(&again);
        let output = end["output"].as_str().unwrap();
        assert_eq!(output.trim_end(), whole.trim_end(), "the model answered\n{again}");
    }
}
