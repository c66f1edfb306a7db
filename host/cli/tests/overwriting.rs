//! What is there is overwritten only where the person said so, whatever tool writes it.

use crate::support;

use serde_json::json;
use support::{CREATE, Home};

const LESSON: &str = "lessons/finished.md";

fn home() -> (Home, String) {
    let home = Home::new();
    std::fs::create_dir_all(home.workspace().join("lessons")).unwrap();
    std::fs::write(home.workspace().join(LESSON), "# A finished lesson\n").unwrap();
    let script = home.script(&json!([
        { "calls": [
            { "name": "write_file", "arguments": { "path": "lessons/new.md", "content": "# New\n" } },
            { "name": "write_file", "arguments": { "path": LESSON, "content": "# Another\n" } },
            { "name": "read_file", "arguments": { "path": LESSON } },
        ] },
        { "text": "# Lesson\n\nDone.\n" },
    ]));
    (home, script)
}

fn read(home: &Home, path: &str) -> String {
    std::fs::read_to_string(home.workspace().join(path)).unwrap()
}

/// What the tools of the run answered, in order.
fn results(home: &Home, run: &str) -> Vec<String> {
    let events = home.events(run);
    let results = events.iter().filter(|event| event["type"] == "tool.finished");
    results.map(|event| event["result"]["text"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_finished_lesson_is_overwritten_only_on_yes() {
    for (choice, holds) in [("no", "# A finished lesson\n"), ("yes", "# Another\n")] {
        let (home, script) = home();
        let answers = home.answers(&json!([
            { "question": "change:lessons/finished.md", "choice": choice },
            { "question": "*", "outcome": "dismissed" },
        ]));
        let arguments =
            [CREATE, "iteration for 3B", "--provider", "script", "--script", &script, "--answers", &answers];
        let end = home.run(&[&arguments[..], &["--output", "json"]].concat());
        let run = end.json()["run"].as_str().unwrap().to_owned();
        assert_eq!(read(&home, "lessons/new.md"), "# New\n", "a new file is written without a question");
        assert_eq!(read(&home, LESSON), holds);
        let results = results(&home, &run);
        assert!(results[2].contains(holds.trim()), "what comes after sees what was done: {results:?}");
        let asked =
            home.events(&run).iter().filter(|event| event["request"]["kind"] == "ask").cloned().collect::<Vec<_>>();
        let change = asked
            .iter()
            .find(|event| event["request"]["question"]["id"] == "change:lessons/finished.md")
            .expect("it was asked");
        assert_eq!(change["by"], "host");
        assert!(
            change["request"]["question"]["detail"].as_str().unwrap().contains("\n-# A finished lesson\n+# Another\n"),
            "{change}"
        );
        home.run(&["replay", &run]).expect(0);
    }
}
