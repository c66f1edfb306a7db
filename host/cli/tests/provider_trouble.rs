//! A provider that fails, through the binary: what is tried again, what is kept, and that no work is lost.

use crate::support;

use std::process::Stdio;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, begun, bytes, call, calls, refusal, text};
use support::{Call, Home, KEY, LESSON};

fn run(home: &Home, mock: &Mock, more: &[&str]) -> Call {
    home.asked("anthropic", &mock.base, more)
}

fn of_type<'a>(records: &'a [Value], name: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == name).collect()
}

#[test]
fn too_many_requests_are_waited_for_and_the_person_sees_it() {
    let home = Home::new();
    let mock = Mock::new(vec![refusal(429, "retry-after: 1\r\n", "rate_limit_error"), text(LESSON)]);
    let call = run(&home, &mock, &[]).expect(0);
    assert!(call.err.contains("note: anthropic answered 429: so says the mock; try 2 of 4 in 1."), "{}", call.err);
    assert_eq!(mock.requests().len(), 2);
}

#[test]
fn after_the_last_try_the_run_is_parked_and_goes_on_when_asked() {
    let home = Home::new();
    let broken = || refusal(500, "", "api_error");
    let mock = Mock::new(vec![
        call("read_file", r#"{"path":"soul.md"}"#, "tool_use"),
        broken(),
        broken(),
        broken(),
        broken(),
        text(LESSON),
    ]);
    let call = run(&home, &mock, &["--output", "json"]).expect(6);
    let end = call.json();
    assert_eq!((&end["status"], mock.requests().len()), (&json!("parked"), 5));
    assert!(call.err.contains("try 4 of 4") && call.err.contains("[model.server]"), "{}", call.err);
    let session = end["session"].as_str().unwrap();
    let resume = home.command(&["--resume", session, "--answers", "accept", "--output", "json"]);
    let resumed = Call::of(&home.with_keys(resume).output().unwrap()).expect(0).json();
    assert_eq!((&resumed["status"], mock.requests().len()), (&json!("success"), 6));
    let records = home.records(session);
    assert_eq!(of_type(&records, "model.failed").len(), 1);
    assert_eq!(of_type(&records, "model.answered").len(), 2, "nothing that was answered is asked again");
    let keyless = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(keyless["divergence"], Value::Null);
}

#[test]
fn what_cannot_be_mended_by_waiting_is_not_tried_again() {
    for (status, kind, code, hint) in [
        (401, "authentication_error", "model.auth", "Check the key"),
        (403, "permission_error", "model.forbidden", "may not use that model"),
        (400, "invalid_request_error", "model.bad_request", "Try another model"),
        (402, "billing_error", "model.spend", "Add credit"),
    ] {
        let home = Home::new();
        let mock = Mock::new(vec![refusal(status, "", kind)]);
        let call = run(&home, &mock, &[]).expect(6);
        assert!(call.err.contains(&format!("[{code}]")) && call.err.contains(hint), "{}", call.err);
        assert!(call.err.contains("--resume") && !call.err.contains("try 2"), "{}", call.err);
        assert_eq!(mock.requests().len(), 1);
    }
}

#[test]
fn an_answer_that_breaks_off_is_kept_apart_and_asked_for_once_more() {
    let home = Home::new();
    let mock = Mock::new(vec![Reply::Cut(begun("# Half a les")), text(LESSON)]);
    let call = run(&home, &mock, &["--output", "json"]).expect(0);
    let end = call.json();
    assert!(!end["output"].as_str().unwrap().contains("Half"), "never spliced");
    let records = home.records(end["session"].as_str().unwrap());
    let partial = of_type(&records, "model.partial");
    assert_eq!((partial.len(), &partial[0]["text"]), (1, &json!("# Half a les")));
    assert_eq!(partial[0]["usage"]["estimated"], true);
    let paid = of_type(&records, "model.answered")[0]["answer"]["cost_usd"].as_f64().unwrap();
    assert!(end["cost_usd"].as_f64().unwrap() > paid, "what broke off is paid for, too");
    let trace = home.run(&["--trace", end["run"].as_str().unwrap(), "--output", "json"]).expect(0);
    assert!(trace.out.contains("broken off") && trace.out.contains("# Half a les"), "{}", trace.out);
    let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null);

    let home = Home::new();
    let mock = Mock::new(vec![Reply::Cut(begun("one")), Reply::Cut(begun("two"))]);
    let end = run(&home, &mock, &["--output", "json"]).expect(6).json();
    let records = home.records(end["session"].as_str().unwrap());
    let texts: Vec<&str> = of_type(&records, "model.partial").iter().map(|it| it["text"].as_str().unwrap()).collect();
    assert_eq!((texts, mock.requests().len()), (vec!["one", "two"], 2));
}

#[test]
fn a_message_that_was_cut_for_length_runs_no_tool() {
    let home = Home::new();
    let whole = r#"{"path":"lessons/x.md","content":"half"}"#;
    let mock = Mock::new(vec![call("write_file", whole, "max_tokens"), text(LESSON)]);
    let end = run(&home, &mock, &["--output", "json"]).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    assert!(of_type(&records, "tool.started").is_empty());
    assert!(!home.lessons().contains(&"x.md".to_owned()));
    let told = mock.requests()[1].body["messages"].to_string();
    assert!(told.contains("cut off before the call was complete"), "{told}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_the_call_up_at_once_and_keeps_what_had_come() {
    const TRIES: usize = 8;
    // The signal may come before the bytes have: then there is nothing to keep, and it is tried again.
    let kept = (0..TRIES).any(|_| {
        let home = Home::new();
        let mock = Mock::new(vec![Reply::Hang(begun("# Half a les")), text(LESSON)]);
        let mut command = home.ask("anthropic", &mock.base, &["--output", "jsonl"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        mock.hanging.recv().unwrap();
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let started = std::time::Instant::now();
        let call = Call::of(&child.wait_with_output().unwrap()).expect(3);
        assert!(started.elapsed().as_secs() < 5, "the call is given up, not waited for");
        let records: Vec<Value> = call.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = &records[records.len() - 1];
        assert_eq!((&last["type"], &last["reason"]), (&json!("run.parked"), &json!("interrupted")));
        let partial = of_type(&records, "model.partial");
        assert!(partial.iter().all(|it| "# Half a les".starts_with(it["text"].as_str().unwrap())));
        assert!(partial.iter().all(|it| it["cost_usd"].as_f64().unwrap() > 0.0));
        let session = records[0]["session"].as_str().unwrap();
        let resume = home.command(&["--resume", session, "--answers", "accept"]);
        let resumed = Call::of(&home.with_keys(resume).output().unwrap()).expect(0);
        assert!(resumed.out.contains("## Starter") && !resumed.out.contains("Half a les"));
        partial.len() == 1
    });
    assert!(kept, "nothing was kept in {TRIES} tries");
}

#[test]
fn an_answer_is_shown_while_it_comes_on_a_terminal_only() {
    let home = Home::new();
    let shown = |more: &[&str]| {
        let mock = Mock::new(vec![text(LESSON)]);
        let inner = home.ask("anthropic", &mock.base, more);
        let mut outer = std::process::Command::new("python3");
        outer.args(["-c", "import pty, sys\npty.spawn(sys.argv[1:])"]).arg(inner.get_program()).args(inner.get_args());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => outer.env(name, value),
                None => outer.env_remove(name),
            };
        }
        outer.env_remove("NO_COLOR").env("TERM", "xterm").current_dir(home.dir.path()).stdin(Stdio::null());
        String::from_utf8_lossy(&outer.output().unwrap().stdout).into_owned()
    };
    let dimmed = "\u{1b}[2m# Done";
    let text = shown(&[]);
    assert!(text.contains(dimmed), "{text}");
    let json = shown(&["--output", "json"]);
    assert!(!json.contains(dimmed) && json.contains("\"status\":\"success\""), "{json}");
}

#[test]
fn a_run_is_played_back_from_its_record_and_no_key_is_anywhere() {
    let home = Home::new();
    let repeated = format!("your key {KEY} is too busy");
    let busy = json!({ "type": "error", "error": { "type": "overloaded_error", "message": repeated } });
    let mock = Mock::new(vec![
        call("read_file", r#"{"path":"soul.md"}"#, "tool_use"),
        Reply::Status(529, "", busy.to_string()),
        text(LESSON),
    ]);
    let tape = home.path("tape").display().to_string();
    let recorded = run(&home, &mock, &["--record", &tape, "--no-memory", "--output", "json"]).expect(0);
    assert_eq!(mock.requests().len(), 3);
    let play = |tape: &str| {
        let arguments =
            ["--provider", "cassette", "--cassette", tape, "--answers", "accept", "--no-memory", "--output", "json"];
        home.run(&[&[support::CREATE, "iteration for 3B"], &arguments[..]].concat())
    };
    std::fs::remove_dir_all(home.workspace().join("lessons")).unwrap();
    let played = play(&tape).expect(0);
    let (one, other) = (recorded.json(), played.json());
    for field in ["status", "output", "saved", "usage", "cost_usd", "findings"] {
        assert_eq!(one[field], other[field], "{field}");
    }
    let answers = |end: &Value| -> Vec<Value> {
        let records = home.records(end["session"].as_str().unwrap());
        of_type(&records, "model.answered").iter().map(|it| it["answer"].clone()).collect()
    };
    assert_eq!(answers(&one), answers(&other), "byte for byte");
    let empty = home.path("empty");
    std::fs::create_dir(&empty).unwrap();
    assert!(play(&empty.display().to_string()).expect(1).out.contains("model.cassette_unreadable"));

    let run = one["run"].as_str().unwrap();
    let mut said = vec![recorded.out, recorded.err, played.out, played.err];
    for shown in [
        ["--trace", run, "--output", "json"],
        ["--trace", run, "--output", "jsonl"],
        ["--trace", run, "--output", "text"],
    ] {
        said.push(home.run(&shown).expect(0).out);
    }
    home.run(&["memory", "export", "exported"]).expect(0);
    assert!(said.iter().all(|text| !text.contains(KEY)), "a key was shown");
    assert!(said[1].contains("your key [key] is too busy"), "{}", said[1]);
    assert_eq!(holding(home.dir.path(), KEY.as_bytes()), Vec::<String>::new(), "a key is in a file");
    assert_ne!(holding(home.dir.path(), b"is too busy"), Vec::<String>::new(), "the search finds what is there");
}

#[test]
fn a_key_that_an_answer_repeats_goes_nowhere() {
    let said = |text: &str| format!("Your key is {KEY}.\n\n{text}");
    let broken = json!({ "type": "error", "error": { "type": "overloaded_error", "message": format!("with {KEY}") } });
    let whole = text(&said(LESSON));
    let split = {
        let (first, second) = KEY.split_at(7);
        let delta =
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": second } });
        let end = String::from_utf8(bytes(text("s"))).unwrap();
        let end = &end[end.find("event: content_block_stop").unwrap()..];
        Reply::Stream(format!(
            "{}event: content_block_delta\ndata: {delta}\n\n{end}",
            begun(&format!("{LESSON}\n{first}"))
        ))
    };
    let path = format!("{{\"path\":\"{KEY}\"}}");
    let cases = [
        ("an answer", vec![whole]),
        ("an answer in pieces", vec![split]),
        ("a call", vec![calls(&[(KEY, "read_file", &path)], "tool_use"), text(LESSON)]),
        ("a stream that broke", vec![Reply::Stream(format!("{}data: {broken}\n\n", begun(&said("")))), text(LESSON)]),
        ("a connection that broke", vec![Reply::Cut(begun(&format!("It is {}", &KEY[..KEY.len() - 1]))), text(LESSON)]),
    ];
    for (what, replies) in cases {
        let home = Home::new();
        let mock = Mock::new(replies);
        let tape = home.path("tape").display().to_string();
        let call = run(&home, &mock, &["--record", &tape, "--output", "json"]).expect(0);
        let end = call.json();
        home.run(&["memory", "export", "exported"]).expect(0);
        let records = serde_json::to_string(&home.records(end["session"].as_str().unwrap())).unwrap();
        assert!(records.contains("[key]"), "{what}: {records}");
        assert!(!(call.out + &call.err + &records).contains("sk-canary"), "{what}: a key was shown");
        let part = if what == "an answer in pieces" { &KEY[7..] } else { &KEY[..KEY.len() - 1] };
        let found = holding(home.dir.path(), part.as_bytes());
        // Of what broke off the recording holds what there was: of the key, no more than a part.
        assert!(
            found.iter().all(|file| what == "a connection that broke" && file.contains("/tape/")),
            "{what}: {found:?}"
        );
    }
}

#[test]
fn recordings_of_several_runs_at_once_stand_beside_each_other() {
    let tape = tempfile::tempdir().unwrap();
    let path = tape.path().display().to_string();
    let home = Home::new();
    let mocks: Vec<Mock> = (0..3).map(|_| Mock::new(vec![text(LESSON)])).collect();
    let record = |mock: &Mock| {
        let home = Home::new();
        let child =
            home.ask("anthropic", &mock.base, &["--record", &path]).stderr(Stdio::null()).stdout(Stdio::null()).spawn();
        (home, child.unwrap())
    };
    let runs: Vec<_> = mocks.iter().map(record).collect();
    for (_home, mut child) in runs {
        assert!(child.wait().unwrap().success());
    }
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(tape.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["0001.json", "0002.json", "0003.json"]);
    std::fs::remove_file(tape.path().join("0001.json")).unwrap();
    run(&home, &Mock::new(vec![text(LESSON)]), &["--record", &path]).expect(0);
    assert_eq!(names(), ["0002.json", "0003.json", "0004.json"]);
}

/// Every file below a directory that holds these bytes.
fn holding(directory: &std::path::Path, bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, bytes));
        } else if std::fs::read(&path).unwrap().windows(bytes.len()).any(|window| window == bytes) {
            found.push(path.display().to_string());
        }
    }
    found
}
