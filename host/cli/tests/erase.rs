//! Sessions and owners taken out of the journal for good, through the binary.

use crate::support;

use std::path::Path;

use serde_json::{Value, json};
use support::{CREATE, Home};

/// In the request that is erased, and so in everything that is made of it.
const CANARY: &str = "zyzzogeton";

/// Every file below a directory that holds a word, whatever its case. Its end alone is looked for: an index of words holds
/// of each only what the one before it does not begin with.
fn holding(directory: &Path, word: &str) -> Vec<String> {
    let (mut found, word) = (Vec::new(), &word[word.len().saturating_sub(6)..]);
    for entry in std::fs::read_dir(directory).into_iter().flatten().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(holding(&entry.path(), word));
            continue;
        }
        let bytes = std::fs::read(entry.path()).unwrap();
        if bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes())) {
            found.push(entry.path().display().to_string());
        }
    }
    found
}

fn plan(home: &Home, request: &str, more: &[&str]) -> Value {
    let arguments = [&[CREATE, request, "--answers", "accept", "--output", "json"][..], more].concat();
    home.run(&arguments).expect(0).json()
}

fn id(run: &Value) -> &str {
    run["session"].as_str().unwrap()
}

fn left<'a>(report: &'a Value, kind: &str) -> Vec<&'a str> {
    let left = report["left"].as_array().unwrap();
    left.iter().filter(|it| it["kind"] == kind).map(|it| it["what"].as_str().unwrap()).collect()
}

#[test]
fn of_an_erased_session_no_file_holds_anything() {
    let home = Home::new();
    let data = home.path("data");
    let other = plan(&home, "bearings for 1B", &[]);
    let first = plan(&home, &format!("iteration for 3B with a {CANARY}"), &[]);
    assert!(!holding(&data, CANARY).is_empty());
    let session = id(&first);
    let report = home.run(&["erase", "--session", &session[..8], "--files", "--output", "json"]).expect(0).json();

    assert_eq!(holding(&home.dir.path().join("data"), CANARY), Vec::<String>::new());
    let tombstone = &report["tombstone"];
    assert_eq!(tombstone["sessions"][0]["session"], session);
    assert!(tombstone["records"].as_u64().unwrap() > 50 && tombstone["at_ms"].as_u64().unwrap() > 0, "{report}");
    assert!(report["bytes"].as_u64().unwrap() > 10_000 && report["bytes"] == tombstone["bytes"], "{report}");
    assert_eq!(report["removed"], json!([first["saved"]]), "the lesson that it saved");
    assert_eq!(home.lessons().len(), 1, "the other's lesson stays");
    assert_eq!(left(&report, "backup"), ["backups"], "copies are named as not reached");
    assert_eq!(left(&report, "file"), Vec::<&str>::new());

    let run = first["run"].as_str().unwrap();
    for arguments in [
        vec!["--trace", session],
        vec!["--trace", run],
        vec!["replay", session],
        vec!["replay", run],
        vec!["--resume", session],
        vec!["--resume", session, "and now shorter"],
        vec!["fork", run, "--at", "5"],
        vec!["export", session, "--form", "md"],
        vec!["erase", "--session", session],
    ] {
        let refused = home.run(&arguments).expect(2);
        assert!(refused.err.contains("[session.erased]"), "{arguments:?}: {}", refused.err);
    }
    let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    let found = home.run(&["search", "iteration", "--output", "json"]).expect(0).json();
    assert_eq!(found, json!([]));
    // Everything else is as it was.
    let same = home.run(&["replay", id(&other), "--output", "json"]).expect(0).json();
    assert_eq!(same["divergence"], Value::Null);
    plan(&home, "iteration for 3B", &[]);
}

#[test]
fn what_is_left_is_named() {
    let home = Home::new();
    let first = plan(&home, &format!("iteration for 3B with a {CANARY}"), &[]);
    // The next lesson is shown what was remembered of the first.
    let second = plan(&home, "iteration for 3B", &[]);
    home.run(&["backup", "kept.db"]).expect(0);
    home.run(&["restore", "kept.db"]).expect(0);
    let saved = home.workspace().join(first["saved"].as_str().unwrap());
    let text = std::fs::read_to_string(&saved).unwrap();
    std::fs::write(&saved, text + "\nA line of my own.\n").unwrap();
    let report = home.run(&["erase", "--session", id(&first), "--files", "--output", "json"]).expect(0).json();
    assert_eq!(report["removed"], json!([]));
    assert_eq!(left(&report, "file"), [saved.to_str().unwrap()], "what was changed since is the person's");
    assert!(saved.exists());
    assert_eq!(left(&report, "session"), [id(&second)]);
    let backups = left(&report, "backup");
    assert!(backups.len() == 2 && backups[0].ends_with("replaced-1"), "{backups:?}");
    // In words as well.
    let said = home.run(&["erase", "--session", id(&second)]).expect(0).out;
    assert!(said.starts_with("erased 1 session(s): ") && said.contains("--files takes such files away"), "{said}");
}

#[test]
fn a_file_that_was_there_before_is_not_taken_away() {
    let home = Home::new();
    let change = ["update-workspace:change", "3B now has a pupil who needs enlarged print"];
    let changed = home.run(&[&change[..], &["--answers", "accept", "--output", "json"]].concat()).expect(0).json();
    let profile = home.workspace().join("classes/3B.md");
    let text = std::fs::read_to_string(&profile).unwrap();
    assert!(text.contains("enlarged print"), "{text}");
    let report = home.run(&["erase", "--session", id(&changed), "--files", "--output", "json"]).expect(0).json();
    assert_eq!(report["removed"], json!([]));
    assert_eq!(left(&report, "file"), [profile.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(&profile).unwrap(), text);
}

/// Has a script make one change of a profile, with a yes; answers with the session.
fn made(home: &Home, more: &[&str], tool: &str, arguments: serde_json::Value) -> serde_json::Value {
    let calls = json!([{ "calls": [{ "name": tool, "arguments": arguments }] }, { "text": "Done." }]);
    let script = home.script(&calls);
    let run = ["update-workspace:change", "x", "--provider", "script", "--script", &script, "--answers", "accept"];
    home.run(&[&run[..], more, &["--output", "json"]].concat()).expect(0).json()
}

#[test]
fn a_file_that_came_back_to_what_it_was_is_not_taken_away() {
    let home = Home::new();
    let profile = home.workspace().join("classes/3B.md");
    let text = std::fs::read_to_string(&profile).unwrap();
    let replace = |old: &str, new: &str| json!({ "path": "classes/3B.md", "old": old, "new": new });
    made(&home, &[], "str_replace", replace("period_minutes: 50", "period_minutes: 45"));
    made(&home, &[], "str_replace", replace("period_minutes: 45", "period_minutes: 50"));
    let same = made(&home, &[], "write_file", json!({ "path": "classes/3B.md", "content": text }));
    let report = home.run(&["erase", "--session", id(&same), "--files", "--output", "json"]).expect(0).json();
    assert_eq!(report["removed"], json!([]), "it wrote nothing that was not there");
    let report = home.run(&["erase", "--owner", "local", "--files", "--output", "json"]).expect(0).json();
    assert_eq!(report["removed"], json!([]));
    assert_eq!(std::fs::read_to_string(&profile).unwrap(), text);
}

#[test]
fn a_fork_does_not_take_the_file_of_the_run_it_came_from() {
    let home = Home::new();
    let first = made(&home, &[], "write_file", json!({ "path": "classes/new.md", "content": "# New\n" }));
    let records = home.events(first["run"].as_str().unwrap());
    let asked = records.iter().find(|record| record["request"]["kind"] == "ask").unwrap()["seq"].to_string();
    let fork = ["fork", id(&first), "--at", &asked, "--answers", "accept", "--output", "json"];
    let fork = home.run(&fork).expect(0).json();
    let report = home.run(&["erase", "--session", id(&fork), "--files", "--output", "json"]).expect(0).json();
    assert_eq!(report["removed"], json!([]));
    assert!(home.workspace().join("classes/new.md").exists());
    let report = home.run(&["erase", "--session", id(&first), "--files", "--output", "json"]).expect(0).json();
    assert_eq!(report["removed"], json!(["classes/new.md"]));
}

#[test]
fn forks_are_not_left_without_their_past() {
    let home = Home::new();
    let first = plan(&home, &format!("iteration for 3B with a {CANARY}"), &[]);
    let fork = home.run(&["fork", id(&first), "--at", "5", "--answers", "accept", "--output", "json"]).expect(0).json();
    let refused = home.run(&["erase", "--session", id(&first)]).expect(2);
    assert!(refused.err.contains("[session.forked]") && refused.err.contains(id(&fork)), "{}", refused.err);
    assert!(!holding(&home.path("data"), CANARY).is_empty());
    let erased = ["erase", "--session", id(&first), "--with-forks", "--output", "json"];
    let report = home.run(&erased).expect(0).json();
    assert_eq!(report["tombstone"]["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(holding(&home.path("data"), CANARY), Vec::<String>::new());
    assert!(home.run(&["--trace", id(&fork)]).expect(2).err.contains("[session.erased]"));
}

#[test]
fn everything_of_an_owner_goes_and_nothing_of_another() {
    let home = Home::new();
    plan(&home, &format!("iteration for 3B with a {CANARY}"), &["--teacher", "ann-zyzzogeton"]);
    let theirs = ["memory", "add", "MEMORY.md", "Keeps a zyzzogeton", "--teacher", "ann-zyzzogeton"];
    home.run(&theirs).expect(0);
    home.run(&["memory", "add", "MEMORY.md", "Keeps a cat", "--teacher", "ben"]).expect(0);
    let other = plan(&home, "bearings for 1B", &["--teacher", "ben"]);
    let erased = ["erase", "--teacher", "ann-zyzzogeton", "--files", "--output", "json"];
    let report = home.run(&erased).expect(0).json();
    assert_eq!(report["tombstone"]["sessions"].as_array().unwrap().len(), 2, "the lesson, and what was done to memory");
    assert_eq!(holding(&home.path("data"), CANARY), Vec::<String>::new(), "not even the name");
    let shown = home.run(&["memory", "list", "--teacher", "ann-zyzzogeton", "--output", "json"]).expect(0).json();
    assert_eq!(shown, json!([]));
    let kept = home.run(&["memory", "show", "MEMORY.md", "--teacher", "ben"]).expect(0).out;
    assert!(kept.contains("Keeps a cat"), "{kept}");
    home.run(&["replay", id(&other)]).expect(0);
    // And begins anew.
    home.run(&theirs).expect(0);
    assert!(!holding(&home.path("data"), CANARY).is_empty());
}

#[test]
fn what_is_not_there_or_not_named_is_usage() {
    let home = Home::new();
    let first = plan(&home, "iteration for 3B", &["--teacher", "ann"]);
    for (arguments, code) in [
        (vec!["erase", "--session", "0123456789"], "store.not_found"),
        (vec!["erase", "--session", id(&first), "--teacher", "ben"], "store.not_found"),
        (vec!["erase", "--teacher", "nobody"], "owner.not_found"),
        (vec!["erase"], "erase.what"),
        (vec!["erase", "--files"], "erase.what"),
    ] {
        let refused = home.run(&arguments).expect(2);
        assert!(refused.err.contains(&format!("[{code}]")), "{arguments:?}: {}", refused.err);
    }
    // A name in the environment is no wish.
    let mut command = home.command(&["erase"]);
    let refused = support::Call::of(&command.env("TEACHER_ASSIST_TEACHER", "ann").output().unwrap()).expect(2);
    assert!(refused.err.contains("[erase.what]"), "{}", refused.err);
    home.run(&["--trace", id(&first)]).expect(0);
}

#[test]
fn a_run_that_is_going_is_not_erased() {
    let home = Home::new();
    plan(&home, "iteration for 3B", &[]);
    let mut command = home.command(&["--interactive", "--answers", "accept"]);
    let piped = std::process::Stdio::piped;
    let mut busy = command.stdin(piped()).stdout(piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut input = busy.stdin.take().unwrap();
    let mut output = std::io::BufRead::lines(std::io::BufReader::new(busy.stdout.take().unwrap()));
    std::io::Write::write_all(&mut input, b"bearings for 1B\n").unwrap();
    output.find(|line| line.as_ref().unwrap().starts_with("# ")).unwrap().unwrap();
    let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    let session = rows[0]["id"].as_str().unwrap().to_owned();
    let refused = home.run(&["erase", "--session", &session]).expect(1);
    assert!(refused.err.contains("[store.locked]"), "{}", refused.err);
    drop(input);
    output.for_each(drop);
    busy.wait().unwrap();
    home.run(&["erase", "--session", &session]).expect(0);
}

#[test]
fn a_session_whose_process_was_killed_is_free_at_once() {
    let home = Home::new();
    let first = plan(&home, "iteration for 3B", &[]);
    // What a process leaves that is killed when its run has just ended.
    let held = format!("INSERT INTO claims VALUES ('{}', 'another', {}, {})", id(&first), 1, u64::MAX / 4);
    support::sqlite(&home.path("data/journal.db"), &held);
    home.run(&["--resume", id(&first), "a shorter starter", "--answers", "accept"]).expect(0);
    support::sqlite(&home.path("data/journal.db"), &held);
    home.run(&["erase", "--session", id(&first), "--files"]).expect(0);
}
