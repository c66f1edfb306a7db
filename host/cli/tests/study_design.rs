//! What a study's files say, and what its design gives, before anything starts.

use crate::support;

use serde_json::{Value, json};
use support::Home;

const EXAMPLE: &str = "evidence-2026";

fn assigned(home: &Home, study: &str, participants: usize, seed: Option<&str>) -> Value {
    let participants = participants.to_string();
    let mut words = vec!["study", "assign", study, "--participants", &participants, "--dry-run", "--output", "json"];
    words.extend(seed.iter().flat_map(|seed| ["--seed", seed]));
    home.run(&words).expect(0).json()
}

#[test]
fn ten_participants_meet_three_of_five_conditions_in_exact_balance() {
    let home = Home::new();
    let shown = assigned(&home, EXAMPLE, 10, None);
    assert_eq!(shown["design"], json!({ "kind": "bibd", "conditions": 5, "block": 10, "imbalance": 0 }));
    assert!(shown["seed"].as_str().unwrap().parse::<u64>().is_ok());
    let all = shown["assignments"].as_array().unwrap();
    assert_eq!((all.len(), &all[6]["participant"]), (10, &json!("P07")));
    let sequence = |at: usize| -> Vec<&str> {
        all[at]["sequence"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
    };
    let names = ["agents", "alone", "bare", "context", "full"];
    for name in names {
        assert_eq!((0..10).filter(|at| sequence(*at).contains(&name)).count(), 6, "{name}");
        let places = (0..3).map(|place| (0..10).filter(|at| sequence(*at)[place] == name).count());
        assert_eq!(places.collect::<Vec<_>>(), [2, 2, 2], "{name}");
    }
    // The same seed gives the same bytes, another one another order.
    let seed = shown["seed"].as_str().unwrap();
    assert_eq!(assigned(&home, EXAMPLE, 10, Some(seed)), shown);
    assert_ne!(
        assigned(&home, EXAMPLE, 10, Some("1"))["assignments"],
        assigned(&home, EXAMPLE, 10, Some("2"))["assignments"]
    );
    assert!(assigned(&home, EXAMPLE, 12, None)["design"]["imbalance"].as_u64().unwrap() > 0);
    assert_eq!(assigned(&home, EXAMPLE, 0, None)["assignments"], json!([]));
}

#[test]
fn without_a_dry_run_nothing_is_assigned_beforehand() {
    let home = Home::new();
    let call = home.run(&["study", "assign", EXAMPLE, "--participants", "4"]).expect(2);
    assert!(call.err.contains("study.concealed") && call.err.contains("--dry-run"), "{}", call.err);
}

#[test]
fn a_new_study_is_commented_valid_and_there_once() {
    let home = Home::new();
    let call = home.run(&["study", "new", "winter", "--output", "json"]).expect(0);
    assert!(call.json()["files"].as_array().unwrap().len() >= 8);
    let text = std::fs::read_to_string(home.path("studies/winter/study.toml")).unwrap();
    assert!(text.lines().filter(|line| line.starts_with('#')).count() > 10, "{text}");
    let checked = home.run(&["study", "check", "winter", "--output", "json"]).expect(0).json();
    assert_eq!((&checked["study"], &checked["participants"]), (&json!("winter"), &json!(10)));
    assert_eq!((&checked["power"]["simulations"], &checked["design"]["imbalance"]), (&json!(2000), &json!(0)));
    assert_eq!(checked["power"]["effect"], json!(0.8));
    // Digests of all that each condition rests on: of the plugin's components, of the files about classes.
    let conditions = checked["conditions"].as_array().unwrap();
    assert_eq!(conditions.len(), 5);
    let digests = |name: &str| {
        let found = conditions.iter().find(|it| it["name"] == name).unwrap();
        found["sha256"].as_object().unwrap().clone()
    };
    assert!(digests("full").contains_key("component curriculum-evidence"));
    assert!(digests("full").contains_key("workspace classes/3B.md"));
    assert!(!digests("bare").contains_key("workspace classes/3B.md"));
    assert_ne!(digests("bare")["text agents/planner.md"], digests("full")["text agents/planner.md"]);
    assert!(digests("alone").keys().all(|what| what.starts_with("workspace ")));
    // What participants see names no condition.
    let seen = checked["seen"].to_string();
    assert!(conditions.iter().all(|it| !seen.contains(it["name"].as_str().unwrap())), "{seen}");
    let again = home.run(&["study", "new", "winter"]).expect(2);
    assert!(again.err.contains("study.exists"), "{}", again.err);
}

#[test]
fn every_problem_of_a_study_is_said_at_once_with_its_place() {
    let home = Home::new();
    home.run(&["study", "new", "winter"]).expect(0);
    let file = home.path("studies/winter/study.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let broken = text
        .replace("participants = 10", "participants = \"ten\"")
        .replace("each = 3", "each = 7")
        .replace("icc = 0.5", "icc = 1.5")
        .replace("file = \"tasks/standard.md\"", "file = \"tasks/gone.md\"")
        .replace("before = [\"confidence\"]", "before = [\"mood\"]")
        .replace("hooks = [\"privacy\"]", "hook = [\"privacy\"]");
    std::fs::write(&file, &broken).unwrap();
    let call = home.run(&["study", "check", "winter", "--output", "json"]).expect(1);
    let problems = call.json()["error"]["problems"].as_array().unwrap().clone();
    let line = |wanted: &str| broken.lines().position(|line| line.contains(wanted)).unwrap() + 1;
    for (field, place) in [
        ("participants", line("\"ten\"")),
        ("power.icc", line("icc = 1.5")),
        ("conditions.context.hook", line("hook = [\"privacy\"]")),
    ] {
        let found = problems.iter().find(|it| it["field"] == field).unwrap_or_else(|| panic!("{field}: {problems:#?}"));
        assert_eq!(found["line"], json!(place), "{field}");
        assert!(!found["remedy"].as_str().unwrap().is_empty());
    }
    let all = problems.iter().map(|it| it["message"].as_str().unwrap()).collect::<Vec<_>>().join("\n");
    for said in ["cannot meet 7 of 5", "tasks/gone.md", "questionnaires/mood.toml"] {
        assert!(all.contains(said), "{said}: {all}");
    }
}

#[test]
fn what_a_study_rests_on_has_to_be_there() {
    let home = Home::new();
    home.run(&["study", "new", "winter"]).expect(0);
    let file = home.path("studies/winter/study.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let with = |from: &str, to: &str| std::fs::write(&file, text.replace(from, to)).unwrap();
    with(
        "memory = true\n",
        "memory = true\ncomponents.curriculum-evidence = { file = \"v2.wasm\", sha256 = \"00\" }\n",
    );
    assert!(home.run(&["study", "check", "winter"]).expect(1).err.contains("is no SHA-256"));
    std::fs::write(home.path("studies/winter/v2.wasm"), std::fs::read(support::component("scope-check")).unwrap())
        .unwrap();
    let wrong = "0".repeat(64);
    let of = |sha256: &str| {
        format!("memory = true\ncomponents.curriculum-evidence = {{ file = \"v2.wasm\", sha256 = \"{sha256}\" }}\n")
    };
    with("memory = true\n", &of(&wrong));
    assert!(home.run(&["study", "check", "winter"]).expect(1).err.contains("study.digest"));
    with("command = \"create-lesson\"", "command = \"create-song\"");
    assert!(home.run(&["study", "check", "winter"]).expect(2).err.contains("command.unknown"));
    let same = "[conditions.twin]\nagent = \"none\"\n\n[conditions.bare]";
    with("[conditions.bare]", same);
    assert!(home.run(&["study", "check", "winter"]).expect(1).err.contains("does not differ from `alone`"));
    let unknown = home.run(&["study", "check", "wintr"]).expect(2);
    assert!(unknown.err.contains("study.unknown") && unknown.err.contains("did you mean `winter`"), "{}", unknown.err);
    assert!(home.run(&["study", "new", "../winter"]).expect(2).err.contains("study.name"));
}
