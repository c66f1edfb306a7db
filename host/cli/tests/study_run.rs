//! A study from its start to its close: codes, sessions under conditions that nobody chooses, what has changed, drop-outs.

use crate::support;

use serde_json::{Value, json};
use support::Home;

const STUDY: &str = "winter";

/// A study of three conditions with one task each, started.
fn started() -> Home {
    let home = Home::new();
    home.run(&["study", "new", STUDY]).expect(0);
    home.run(&["study", "start", STUDY]).expect(0);
    home
}

fn codes(home: &Home, count: &str) -> Vec<String> {
    let given = home.run(&["study", "codes", STUDY, "--count", count, "--output", "json"]).expect(0).json();
    given.as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect()
}

fn status(home: &Home) -> Value {
    home.run(&["study", "status", STUDY, "--output", "json"]).expect(0).json()
}

fn sit(home: &Home, code: &str, answers: &str) -> support::Call {
    home.run(&["study", "run", STUDY, "--code", code, "--answers", answers, "--output", "json"])
}

#[test]
fn a_participant_does_every_task_under_the_condition_that_the_study_decided() {
    let home = started();
    let code = codes(&home, "2").remove(0);
    let before = status(&home);
    assert_eq!((&before["begun"], &before["seed"]), (&json!(0), &Value::Null));
    // Nobody is assigned before they agree.
    let waiting = sit(&home, &code, &home.answers(&json!([]))).expect(3).json();
    assert_eq!((&waiting["done"], &waiting["next"]), (&json!(0), &json!("consent")));
    assert_eq!(status(&home)["begun"], json!(0));
    let done = sit(&home, &code, "accept").expect(0).json();
    assert_eq!((&done["participant"], &done["state"]), (&json!("P01"), &json!("finished")));
    assert_eq!(done["done"], done["of"]);
    let after = status(&home);
    assert_eq!((&after["begun"], &after["finished"], &after["invited"]), (&json!(1), &json!(1), &json!(2)));
    let met: Vec<String> = after["cells"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, counts)| counts.as_array().unwrap().iter().any(|count| *count == json!(1)))
        .map(|(name, _)| name.clone())
        .collect();
    assert_eq!(met.len(), 3, "{after}");
    // The runs are the participant's own: each under its condition, without a word about it.
    let owner = format!("study.{STUDY}.P01");
    let sessions = home.run(&["--sessions", "--owner", &owner, "--output", "json"]).expect(0).json();
    let sessions = sessions.as_array().unwrap();
    let alone = usize::from(met.contains(&"alone".to_owned()));
    assert_eq!(sessions.len(), 4 - alone, "practice, and a run for each condition in which somebody answers");
    for session in sessions {
        let records = home.events(session["id"].as_str().unwrap());
        assert_eq!(records[0]["study"], json!(true));
        assert!(records[0]["workspace"].as_str().unwrap().contains("studies/winter/P01/"));
    }
    assert!(home.lessons().is_empty(), "the researcher's own workspace stays as it was");
    // Once more with the same code: there is nothing left to do, and nothing is done twice.
    let again = sit(&home, &code, "accept").expect(0).json();
    assert_eq!(again["state"], json!("finished"));
    assert_eq!(status(&home)["finished"], json!(1));
    let closed = home.run(&["study", "close", STUDY, "--output", "json"]).expect(0).json();
    assert!(closed["seed"].as_str().unwrap().parse::<u64>().is_ok());
    assert!(sit(&home, &code, "accept").expect(2).err.contains("study.closed"));
}

#[test]
fn a_study_starts_once_and_nothing_goes_on_before() {
    let home = Home::new();
    home.run(&["study", "new", STUDY]).expect(0);
    for words in
        [&["study", "codes", STUDY, "--count", "1"][..], &["study", "status", STUDY], &["study", "close", STUDY]]
    {
        assert!(home.run(words).expect(2).err.contains("study.not_started"), "{words:?}");
    }
    home.run(&["study", "start", STUDY]).expect(0);
    assert!(home.run(&["study", "start", STUDY]).expect(2).err.contains("study.started"));
    for code in ["", "01234-56789-ABCDE-FGHJK"] {
        assert!(sit(&home, code, "accept").expect(2).err.contains("code.unknown"), "{code}");
    }
}

#[test]
fn what_has_changed_since_the_start_keeps_a_session_from_beginning() {
    let home = started();
    let code = codes(&home, "1").remove(0);
    let class = home.workspace().join("classes/3B.md");
    let text = std::fs::read_to_string(&class).unwrap();
    std::fs::write(&class, format!("{text}\nThey have a new room.\n")).unwrap();
    let study = home.path("studies/winter/study.toml");
    let toml = std::fs::read_to_string(&study).unwrap();
    std::fs::write(&study, toml.replace("minutes = 30", "minutes = 31")).unwrap();
    let refused = sit(&home, &code, "accept").expect(1);
    assert!(refused.err.contains("study.drift") && refused.err.contains("file study.toml"), "{}", refused.err);
    assert!(!status(&home)["drift"].as_array().unwrap().is_empty());
    // As it was, it goes on; what had been answered is kept.
    std::fs::write(&class, text).unwrap();
    std::fs::write(&study, toml).unwrap();
    assert_eq!(sit(&home, &code, "accept").expect(0).json()["state"], json!("finished"));
}

/// Without the files of the workspace a run meets nothing of them, whatever the request names.
#[test]
fn a_condition_without_files_shows_none_of_them() {
    let home = Home::new();
    home.run(&["study", "new", STUDY]).expect(0);
    let file = home.path("studies/winter/study.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (head, rest) = text.split_once("[conditions.context]").unwrap();
    let (_, tasks) = rest.split_once("[tasks.practice]").unwrap();
    let text = format!("{head}[tasks.practice]{tasks}").replace("design = \"bibd\"\neach = 3", "design = \"williams\"");
    std::fs::write(&file, text).unwrap();
    home.run(&["study", "start", STUDY]).expect(0);
    let code = codes(&home, "1").remove(0);
    assert_eq!(sit(&home, &code, "accept").expect(0).json()["state"], json!("finished"));
    let owner = format!("study.{STUDY}.P01");
    let sessions = home.run(&["--sessions", "--owner", &owner, "--output", "json"]).expect(0).json();
    let records = sessions.as_array().unwrap().iter().map(|it| home.events(it["id"].as_str().unwrap()));
    let bare: Vec<Vec<Value>> =
        records.filter(|records| records[0]["workspace"].as_str().unwrap().ends_with("P01/empty")).collect();
    assert_eq!(bare.len(), 1, "practice has the files, and nobody answers in the other condition");
    let start = &bare[0][0];
    assert_eq!((&start["hooks"], &start["subject"], &start["memory"]), (&json!([]), &Value::Null, &json!(false)));
    let prompt = bare[0].iter().find(|record| record["type"] == "prompt.assembled").unwrap().to_string();
    assert!(prompt.contains("You help a teacher who plans") && !prompt.contains("pedagogy"), "{prompt}");
}
