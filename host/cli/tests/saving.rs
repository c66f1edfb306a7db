//! Saving what a run made: several runs at once, files that others write, and a host that is killed in between.
use std::collections::BTreeSet;
use std::sync::Barrier;

use crate::support::mock::{Mock, call, text};
use crate::support::server::Server;
use crate::support::{Call, Home, LESSON};
use serde_json::{Value, json};

/// Runs of one person at work at once.
const AT_ONCE: usize = 6;
const ROUNDS: usize = 4;

#[test]
fn lessons_of_one_name_at_once_are_files_of_their_own() {
    let home = Home::new();
    let plugins = home.plugins_with(&[]);
    let server = Server::start(&home, &["--plugins", &plugins]);
    let tab = server.single();
    let mut ended = Vec::new();
    for round in 0..ROUNDS {
        let barrier = Barrier::new(AT_ONCE);
        let sessions: Vec<String> = std::thread::scope(|scope| {
            let started = (0..AT_ONCE).map(|number| {
                let (barrier, tab) = (&barrier, &tab);
                let minutes = 30 + round * AT_ONCE + number;
                scope.spawn(move || {
                    barrier.wait();
                    tab.start(&format!("iteration for 3B, {minutes} minutes")).0
                })
            });
            let started: Vec<_> = started.collect();
            started.into_iter().map(|it| it.join().unwrap()).collect()
        });
        for session in sessions {
            tab.to_the_end(&session);
            ended.push(tab.records(&session).into_iter().find(|it| it["type"] == "run.finished").unwrap());
        }
    }
    let mut names = BTreeSet::new();
    for end in &ended {
        let path = end["saved"].as_str().unwrap();
        let held = std::fs::read_to_string(home.workspace().join(path)).unwrap();
        assert_eq!(held.trim_end(), end["output"].as_str().unwrap().trim_end(), "{path} is another run's lesson");
        names.insert(path.to_owned());
    }
    let stem = names.iter().min_by_key(|name| name.len()).unwrap().trim_end_matches(".md").to_owned();
    let numbered = (2..=ROUNDS * AT_ONCE).map(|number| format!("{stem}-{number}.md"));
    assert_eq!(names, numbered.chain([format!("{stem}.md")]).collect());
    assert_eq!(home.lessons().len(), ROUNDS * AT_ONCE, "nothing else lies beside them: {:?}", home.lessons());
}

/// The number of the record that says what is about to be written.
fn intent(records: &[Value], by: &str) -> u64 {
    let found = records.iter().find(|it| it["type"] == "writes.intended" && it["by"] == by).unwrap();
    found["seq"].as_u64().unwrap()
}

#[test]
fn a_run_that_was_killed_while_it_saved_goes_on_and_overwrites_nothing() {
    for (before, expected) in [
        // The file was not there yet.
        (None, "lessons/3B-done.md"),
        // It was in place already.
        (Some(LESSON), "lessons/3B-done.md"),
        // Somebody else has taken the name.
        (Some("mine\n"), "lessons/3B-done-2.md"),
    ] {
        let home = Home::new();
        let script = home.script(&json!([{ "text": LESSON }]));
        let arguments = [
            crate::support::CREATE,
            "iteration for 3B",
            "--provider",
            "script",
            "--script",
            &script,
            "--answers",
            "accept",
        ];
        let end = home.run(&[&arguments[..], &["--output", "json"]].concat()).expect(0).json();
        assert_eq!(end["saved"], "lessons/3B-done.md");
        let session = end["session"].as_str().unwrap();
        home.killed_after(session, intent(&home.records(session), "output"));
        let file = home.workspace().join("lessons/3B-done.md");
        match before {
            Some(text) => std::fs::write(&file, text).unwrap(),
            None => std::fs::remove_file(&file).unwrap(),
        }
        let end = home.run(&["--resume", session, "--output", "json"]).expect(0).json();
        assert_eq!((&end["status"], &end["saved"]), (&json!("success"), &json!(expected)));
        let held = std::fs::read_to_string(home.workspace().join(expected)).unwrap();
        assert_eq!(held.trim_end(), LESSON.trim_end());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), before.unwrap_or(&held), "left as it was");
        assert_eq!(home.lessons().len(), if expected.ends_with("-2.md") { 2 } else { 1 }, "{:?}", home.lessons());
    }
}

#[test]
fn a_write_that_was_refused_is_told_to_the_model_and_to_the_person() {
    let home = Home::new();
    let file = home.write("workspace/lessons/shared.md", "as it was\n");
    let arguments = json!({ "path": "lessons/shared.md", "content": "the model's text" }).to_string();
    let mock = Mock::new(vec![call("write_file", &arguments, "tool_use"), text(LESSON), text(LESSON)]);
    let first = home.asked("anthropic", &mock.base, &["--no-memory"]).expect(0);
    let records = home.records(first.session());
    let session = records[0]["session"].as_str().unwrap();
    // The host is killed before the file is in place, and somebody else writes it before the run goes on.
    home.killed_after(session, intent(&records, "toolu_1"));
    std::fs::write(&file, "somebody else's\n").unwrap();
    let end = home.with_keys(home.command(&["--resume", session, "--answers", "accept"])).output().unwrap();
    let end = Call::of(&end).expect(0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "somebody else's\n");
    let refused = "not written: lessons/shared.md: somebody else has changed it meanwhile";
    let read = mock.requests()[2].body["messages"].to_string();
    assert!(read.contains(refused) && !read.contains("Wrote `lessons/shared.md`"), "the model reads: {read}");
    assert!(end.err.contains(refused), "the person reads: {}", end.err);
    let replayed = home.run(&["replay", session, "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}
