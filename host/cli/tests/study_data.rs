//! What comes out of a study: tables, blinded and not; runs made again; withdrawal.

use crate::support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use support::Home;

const STUDY: &str = "winter";

/// A study in which everybody meets two conditions, one with somebody who answers and one without, and two have done so.
fn done() -> Home {
    let home = Home::new();
    home.run(&["study", "new", STUDY]).expect(0);
    let file = home.path("studies/winter/study.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (head, rest) = text.split_once("[conditions.bare]").unwrap();
    let (_, full) = rest.split_once("[conditions.full]").unwrap();
    let text = format!("{head}[conditions.full]{full}")
        .replace("design = \"bibd\"\neach = 3", "design = \"williams\"")
        .replace(
            "order = [\"practice\", \"standard\", \"differentiation\", \"no-resources\"]",
            "order = [\"standard\", \"differentiation\"]",
        );
    let without = |text: &str, from: &str, to: &str| {
        let (before, rest) = text.split_once(from).unwrap();
        let after = if to.is_empty() { "" } else { &rest[rest.find(to).unwrap()..] };
        format!("{before}{after}")
    };
    let text = without(&text, "[tasks.practice]", "[tasks.standard]");
    std::fs::write(&file, without(&text, "[tasks.no-resources]", "")).unwrap();
    home.run(&["study", "start", STUDY]).expect(0);
    let given = home.run(&["study", "codes", STUDY, "--count", "3", "--output", "json"]).expect(0).json();
    let words = "zweieinhalb words that nobody else writes";
    let answers = home.answers(&json!([
        { "question": "consent", "choice": "agree" },
        { "question": "work", "text": words },
        { "question": "confidence:confidence", "choice": "3" },
        { "question": "confidence:confidence", "choice": "8" },
        { "question": "sections", "items": { "starter": { "revise": "make it shorter" }, "*": "accept" } },
        { "question": "sections", "items": { "*": "accept" } },
        { "question": "context", "items": { "*": "confirm" } },
        { "question": "reflection", "items": { "*": "skip" } },
        { "question": "*", "outcome": "dismissed" },
    ]));
    for participant in given.as_array().unwrap().iter().take(2) {
        let code = participant["code"].as_str().unwrap();
        let done = home.run(&["study", "run", STUDY, "--code", code, "--answers", &answers, "--output", "json"]);
        assert_eq!(done.expect(0).json()["state"], json!("finished"));
    }
    home
}

/// A table by its header.
fn table(directory: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let program = "import csv, json, sys\nprint(json.dumps(list(csv.DictReader(open(sys.argv[1], encoding='utf-8', newline='')))))";
    let file = directory.join(format!("{name}.csv"));
    let out = Command::new("python3").args(["-c", program]).arg(file).output().unwrap();
    serde_json::from_slice(&out.stdout).unwrap()
}

fn everything(directory: &Path) -> String {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn a_study_is_exported_blinded_made_again_and_left() {
    let home = done();
    let export = |more: &[&str]| {
        let mut words = vec!["study", "export", STUDY, "--output", "json"];
        words.extend(more);
        home.run(&words).expect(0).json()
    };
    let plain = export(&["--out", "plain", "--texts"]);
    assert_eq!((&plain["participants"], &plain["runs"]), (&json!(2), &json!(4)));
    let directory = home.path("plain");
    let runs = table(&directory, "runs");
    let of = |condition: &str| runs.iter().filter(|row| row["condition"] == condition).collect::<Vec<_>>();
    assert_eq!((of("alone").len(), of("full").len()), (2, 2));
    assert!(
        of("full").iter().all(|row| row["how"] == "success" && row["turns"].parse::<u64>().unwrap() > 0),
        "{runs:#?}"
    );
    assert!(of("alone").iter().all(|row| row["how"] == "written" && row["output_words"] == "6" && row["turns"] == "0"));
    let sections = table(&directory, "sections");
    let starter: Vec<_> =
        sections.iter().filter(|row| row["question"] == "sections" && row["section"] == "starter").collect();
    assert!(
        !starter.is_empty() && starter.iter().all(|row| row["decision"] == "accept" && row["shown"] == "2"),
        "{sections:#?}"
    );
    let decisions = table(&directory, "decisions");
    assert!(decisions.iter().any(|row| row["choice"] == "revise" && row["text"] == "make it shorter"));
    let sure: Vec<(String, String)> = table(&directory, "answers")
        .iter()
        .filter(|row| row["participant"] == "P01" && row["questionnaire"] == "confidence")
        .map(|row| (row["moment"].clone(), row["value"].clone()))
        .collect();
    assert_eq!(sure[..2], [("before".to_owned(), "3".to_owned()), ("after".to_owned(), "8".to_owned())]);
    // The scripts read what is there.
    let printed = Command::new("python3").arg("analyse.py").current_dir(&directory).output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(printed.starts_with("2 participants, 4 tasks") && printed.contains("full: n 2"), "{printed}");
    assert!(home.run(&["study", "export", STUDY, "--out", "plain"]).expect(2).err.contains("export.exists"));

    let blinded = export(&["--blinded"]);
    let text = everything(&home.path("winter-blinded"));
    let home_path = home.dir.path().display().to_string();
    for word in ["P01", "P02", "\"alone\"", ",alone,", ",full,", "zweieinhalb", "make it shorter", &home_path] {
        assert!(!text.contains(word), "{word}");
    }
    let digest = blinded["sha256"].as_str().unwrap();
    assert!(home.run(&["study", "unblind", STUDY, "ffff"]).expect(2).err.contains("export.unknown"));
    let key = home.run(&["study", "unblind", STUDY, &digest[..12], "--output", "json"]).expect(0).json();
    let mut people: Vec<&str> =
        key["participants"].as_object().unwrap().values().map(|it| it.as_str().unwrap()).collect();
    people.sort_unstable();
    assert_eq!(people, ["P01", "P02"]);
    assert_eq!(key["conditions"].as_object().unwrap().len(), 2);
    // Durations stay, and each one's times lie whole days earlier.
    let blind_runs = table(&home.path("winter-blinded"), "runs");
    for (code, who) in key["participants"].as_object().unwrap() {
        let at = |rows: &[BTreeMap<String, String>], who: &str| -> Vec<u64> {
            rows.iter().filter(|row| row["participant"] == who).map(|row| row["began_ms"].parse().unwrap()).collect()
        };
        let (then, shifted) = (at(&runs, who.as_str().unwrap()), at(&blind_runs, code));
        let days = key["days_earlier"][code].as_u64().unwrap();
        let earlier: Vec<u64> = then.iter().map(|at| at - days * 86_400_000).collect();
        assert_eq!(shifted, earlier);
    }

    // Made again, all comes out the same; with another guard in its place, what that one would have said.
    let replayed = home.run(&["study", "replay", STUDY, "--output", "json"]).expect(0).json();
    assert_eq!(replayed.as_array().map(Vec::len), Some(2), "{replayed}");
    let swap = format!("curriculum-evidence={}", support::component("curriculum-evidence").display());
    let swapped = home.run(&["study", "replay", STUDY, "--swap", &swap, "--output", "json"]).expect(0);
    assert!(swapped.out.contains("curriculum-evidence"), "{}", swapped.out);

    withdrawn(&home, digest);
}

fn withdrawn(home: &Home, digest: &str) {
    let left = home.run(&["study", "withdraw", STUDY, "P01", "--output", "json"]).expect(0).json();
    assert!(left["records"].as_u64().unwrap() > 20, "{left}");
    assert!(left["exports"].as_array().unwrap().contains(&json!(digest)), "{left}");
    assert!(!home.path("data/studies/winter/P01").exists());
    let owner = format!("study.{STUDY}.P01");
    let sessions = home.run(&["--sessions", "--owner", &owner, "--output", "json"]).expect(0).json();
    assert_eq!(sessions, json!([]));
    let journal = std::fs::read(home.path("data/journal.db")).unwrap();
    let status = home.run(&["study", "status", STUDY, "--output", "json"]).expect(0).json();
    assert_eq!((&status["withdrawn"], &status["begun"], &status["finished"]), (&json!(1), &json!(1), &json!(1)));
    let after = home.run(&["study", "export", STUDY, "--out", "after", "--output", "json"]).expect(0).json();
    assert_eq!(after["participants"], json!(1));
    assert!(home.run(&["study", "withdraw", STUDY, "P01"]).expect(2).err.contains("study.participant"));
    assert!(home.run(&["study", "withdraw", STUDY, "P40"]).expect(2).err.contains("study.participant"));
    // The other one's words are there, and the first one's are in no page of the file.
    let words = b"zweieinhalb words that nobody else writes";
    let found = journal.windows(words.len()).filter(|window| window == words).count();
    assert_eq!(found, 1, "of two participants one has withdrawn");
    let dropped = home.run(&["study", "drop-out", STUDY, "P02", "--output", "json"]).expect(0).json();
    assert_eq!((&dropped["dropped_out"], &dropped["begun"]), (&json!(1), &json!(0)));
}
