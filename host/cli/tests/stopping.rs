//! Ctrl-C and `kill -9` at any moment: what was acknowledged is there, and the run goes on.
#![cfg(unix)]

use crate::support;

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{CREATE, Home, LESSON};

/// A model whose every answer is a tool call, then a lesson: long enough to be stopped in the middle.
fn long_script(home: &Home) -> String {
    let read = |n: usize| json!({ "text": "", "calls": [{ "name": "read_file", "arguments": { "path": "soul.md", "offset": n } }] });
    let mut answers: Vec<Value> = (1..=20).map(read).collect();
    answers.push(json!({ "text": LESSON }));
    home.script(&json!(answers))
}

fn start(home: &Home, script: &str) -> Child {
    let arguments = [
        CREATE,
        "iteration for 3B",
        "--provider",
        "script",
        "--script",
        script,
        "--answers",
        "accept",
        "--output",
        "jsonl",
    ];
    home.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Reads the events that a child has acknowledged, and stops it after so many.
fn stop_after(mut child: Child, events: usize, name: &str) -> Vec<Value> {
    use std::io::BufRead as _;
    let reader = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut seen = Vec::new();
    let mut lines = reader.lines();
    while let Some(Ok(line)) = lines.next() {
        seen.push(serde_json::from_str(&line).unwrap());
        if seen.len() == events {
            signal(&child, name);
        }
    }
    let started = Instant::now();
    child.wait().unwrap();
    assert!(started.elapsed() < Duration::from_secs(5));
    seen
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    for events in [1, 2, 3, 5, 8, 13, 21, 34, 55] {
        let home = Home::new();
        let script = long_script(&home);
        let seen = stop_after(start(&home, &script), events, "-KILL");
        let session = seen[0]["session"].as_str().unwrap().to_owned();
        let resumed = home.run(&["--resume", &session, "--answers", "accept", "--output", "json"]);
        if resumed.code == 2 {
            // It was over before the signal came.
            assert_eq!(seen.last().unwrap()["type"], "run.finished");
            continue;
        }
        assert_eq!(resumed.code, 0, "after {events}: {}", resumed.err);
        let records: Vec<Value> = home
            .run(&["--trace", &session, "--output", "jsonl"])
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let numbers: Vec<u64> = records.iter().map(|it| it["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "every number once");
        for event in &seen {
            assert!(records.contains(event), "an acknowledged event is gone: {event}");
        }
        let answered: Vec<u64> =
            records.iter().filter(|it| it["type"] == "model.answered").map(|it| it["turn"].as_u64().unwrap()).collect();
        assert_eq!(answered, (1..=21).collect::<Vec<_>>(), "no answer is paid for twice");
        assert_eq!(home.lessons().len(), 1);
    }
}

/// Runs of fifty turns, killed two hundred times on their way.
#[test]
fn runs_that_are_killed_two_hundred_times_come_to_their_end() {
    const KILLS: usize = 200;
    let mut kills = 0;
    for seed in 1..10 {
        kills += killed_again_and_again(seed);
        if kills >= KILLS {
            return;
        }
    }
    panic!("only {kills} kills");
}

/// Kills a run at every few events until it is over, and looks at what is left. Answers how often it was killed.
fn killed_again_and_again(seed: u64) -> usize {
    const TURNS: u64 = 50;
    let home = Home::new();
    let turn = |number: u64| {
        let tasks = json!([{ "id": number.to_string(), "title": format!("step {number}"), "status": "pending" }]);
        json!({ "text": "", "calls": [{ "name": "update_tasks", "arguments": { "tasks": tasks } }] })
    };
    let end = json!({ "text": LESSON });
    let script = home.script(&(1..TURNS).map(turn).chain([end]).collect::<Vec<Value>>().into());
    let begin = [CREATE, "loops for 3B", "--provider", "script", "--script", &script, "--max-turns", "60"];
    let shared = ["--answers", "accept", "--output", "jsonl"];
    let spawn =
        |arguments: &[&str]| home.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut acknowledged = stop_after(spawn(&[&begin[..], &shared].concat()), 1, "-KILL");
    let session = acknowledged[0]["session"].as_str().unwrap().to_owned();
    let resume = [&["--resume", &session][..], &shared].concat();
    let journaled = || -> Vec<Value> {
        let trace = home.run(&["--trace", &session, "--output", "jsonl"]).expect(0).out;
        trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    // The same points in every test run: what fails once fails again.
    let mut state = seed;
    let mut kills = 1;
    while acknowledged.last().unwrap()["type"] != "run.finished" {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The first event says that it goes on; then at least one of the run's own.
        let events = 2 + usize::try_from(state >> 62).unwrap();
        let more = stop_after(spawn(&resume), events, "-KILL");
        // It does not go on: the kill before came after the last event was journaled and before it was printed.
        if more.iter().all(|line| line["type"].is_null()) {
            let last = journaled().pop().unwrap();
            assert_eq!(last["type"], "run.finished", "{more:?}");
            break;
        }
        acknowledged.extend(more);
        kills += 1;
    }
    let records = journaled();
    let numbers: Vec<u64> = records.iter().map(|it| it["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "every number once");
    for event in &acknowledged {
        let at = usize::try_from(event["seq"].as_u64().unwrap() - 1).unwrap();
        assert_eq!(&records[at], event, "an acknowledged event is gone or another");
    }
    let answered = records.iter().filter(|it| it["type"] == "model.answered").map(|it| it["turn"].as_u64().unwrap());
    assert_eq!(answered.collect::<Vec<_>>(), (1..=TURNS).collect::<Vec<_>>(), "no answer is paid for twice");
    assert_eq!(home.lessons().len(), 1);
    let replayed = home.run(&["replay", &session, "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null);
    kills
}

#[test]
fn ctrl_c_parks_the_run_at_any_moment() {
    let mut parked = 0;
    for (events, name) in
        [(1, "-INT"), (2, "-TERM"), (3, "-HUP"), (5, "-INT"), (8, "-TERM"), (12, "-HUP"), (30, "-INT")]
    {
        let home = Home::new();
        let script = long_script(&home);
        let seen = stop_after(start(&home, &script), events, name);
        let session = seen[0]["session"].as_str().unwrap();
        let last = seen.last().unwrap();
        if last["type"] == "run.finished" {
            continue;
        }
        assert_eq!(
            (last["type"].as_str(), last["reason"].as_str()),
            (Some("run.parked"), Some("interrupted")),
            "{events}"
        );
        parked += 1;
        home.run(&["--resume", session, "--answers", "accept"]).expect(0);
        assert_eq!(home.lessons().len(), 1);
    }
    assert!(parked >= 3, "only {parked} of the runs were still going when the signal came");
}

#[cfg(target_os = "linux")]
#[test]
fn under_nohup_a_run_outlives_the_terminal() {
    let home = Home::new();
    let script = long_script(&home);
    let arguments = [CREATE, "iteration for 3B", "--answers", "accept", "--output", "jsonl"];
    let inner = home.command(&[&arguments[..], &["--provider", "script", "--script", &script]].concat());
    let mut outer = std::process::Command::new("nohup");
    outer.arg(inner.get_program()).args(inner.get_args()).current_dir(home.dir.path());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    let child = outer.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let seen = stop_after(child, 3, "-HUP");
    assert_eq!(seen.last().unwrap()["type"], "run.finished");
}

#[test]
fn nobody_reads_the_output_any_more() {
    let home = Home::new();
    let script = long_script(&home);
    let mut child = start(&home, &script);
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0), "a reader that goes away stops no run");
    assert_eq!(home.lessons().len(), 1);
}
