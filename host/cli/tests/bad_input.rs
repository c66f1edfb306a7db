//! Bad input: a clear error with code and hint, and nothing lost.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Home, LESSON, copy, plugins};

#[test]
fn errors_have_a_code_a_sentence_and_a_hint() {
    let home = Home::new();
    let cases: [(&[&str], i32, &str); 8] = [
        (&["lesson-planning:creat-lesson", "x"], 2, "command.unknown"),
        (&["lessn-planning:create-lesson", "x"], 2, "plugin.unknown"),
        (&["create-lesson"], 2, "command.form"),
        (&[CREATE], 2, "usage.input"),
        (&[CREATE, "iteration for 9Z"], 1, "subject.unknown"),
        (&[CREATE, "iteration for 3B", "--hook", "nope"], 2, "hook.unknown"),
        (&[CREATE, "iteration for 3B", "--provider", "gpt"], 2, "provider.unavailable"),
        (&["--resume", "12345678"], 2, "store.not_found"),
    ];
    for (arguments, code, word) in cases {
        let call = home.run(arguments).expect(code);
        assert!(call.err.contains(&format!("[{word}]")) && call.err.contains("hint:"), "{arguments:?}: {}", call.err);
        assert!(call.out.is_empty());
    }
}

#[test]
fn a_program_reads_the_same_three() {
    let home = Home::new();
    let error = home.run(&[CREATE, "iteration for 9Z", "--output", "json"]).expect(1).json();
    assert_eq!(error["error"]["code"], "subject.unknown");
    assert!(error["error"]["hint"].as_str().unwrap().contains("3B"));
}

#[test]
fn a_missing_workspace_and_a_missing_file() {
    let home = Home::new();
    let none = home.run(&[CREATE, "iteration", "--workspace", "/nowhere"]).expect(1);
    assert!(none.err.contains("workspace.missing") && none.err.contains("init"), "{}", none.err);
    std::fs::remove_file(home.workspace().join("teacher.md")).unwrap();
    let file = home.run(&[CREATE, "iteration for 3B"]).expect(1);
    assert!(file.err.contains("workspace.file_missing") && file.err.contains("teacher.md"), "{}", file.err);
    assert!(home.run(&["--sessions"]).out.contains("no sessions"), "nothing began");
}

#[test]
fn the_identity_may_be_missing() {
    let home = Home::new();
    std::fs::remove_file(home.workspace().join("soul.md")).unwrap();
    home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
}

#[test]
fn broken_front_matter_is_reported_all_at_once_with_line_and_remedy() {
    let home = Home::new();
    copy(&plugins(), &home.path("plugins"));
    let agent = home.path("plugins/lesson-planning/agents/planner.md");
    let text = std::fs::read_to_string(&agent).unwrap();
    std::fs::write(&agent, text.replace("maxTurns: 25", "maxTurns: lots").replace("memory: true", "memry: true"))
        .unwrap();
    home.write("workspace/classes/1B.md", "---\nclass: 1B\nlevel: tird\n---\n");
    let plugins = home.path("plugins");
    let arguments = ["validate", "--plugins", plugins.to_str().unwrap(), "--output", "json"];
    let report = home.run(&arguments).expect(1).json();
    let problems = report["problems"].as_array().unwrap();
    let fields: Vec<&str> = problems.iter().filter_map(|it| it["field"].as_str()).collect();
    for field in ["maxTurns", "memry", "level", "period_minutes"] {
        assert!(fields.contains(&field), "{field}: {report}");
    }
    assert!(problems.iter().all(|it| it["file"].is_string() && it["remedy"].is_string()));
    assert!(problems.iter().filter(|it| it["field"] == "maxTurns").all(|it| it["line"].is_u64()));
}

#[test]
fn a_class_whose_needs_cannot_be_read_is_not_planned_for() {
    let home = Home::new();
    for text in [
        "no front matter",
        "---\nclass: 3B\nneeds: [\n---\n",
        "---\nclass: 3B\n",
        "---\nclass: 3B\nlevel: seventh\n---\n",
        "---\nclass: 3B\nperiod_minutes: fifty\n---\n",
    ] {
        home.write("workspace/classes/3B.md", text);
        let call = home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(1);
        assert!(
            call.err.contains("configuration.invalid") && call.err.contains("classes/3B.md"),
            "{text:?}: {}",
            call.err
        );
    }
    assert!(home.lessons().is_empty());
}

#[test]
fn what_nobody_reads_is_said_by_validate() {
    let home = Home::new();
    home.write("workspace/curriculum/A.MD", "x");
    home.write("workspace/curriculum/sub/b.md", "x");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", home.workspace().join("classes/4C.md")).unwrap();
    let report = home.run(&["validate", "--output", "json"]).expect(1).json();
    let files: Vec<&str> =
        report["problems"].as_array().unwrap().iter().map(|it| it["file"].as_str().unwrap()).collect();
    for file in ["curriculum/A.MD", "curriculum/sub", "classes/4C.md"] {
        assert!(files.contains(&file), "{file}: {report}");
    }
}

#[test]
fn a_plugin_on_disk_never_gives_way_in_silence() {
    let home = Home::new();
    copy(&plugins(), &home.path("plugins"));
    std::fs::remove_file(home.path("plugins/lesson-planning/plugin.toml")).unwrap();
    let plugins = home.path("plugins");
    let call = home.run(&[CREATE, "iteration for 3B", "--plugins", plugins.to_str().unwrap()]).expect(1);
    assert!(call.err.contains("plugin.toml"), "{}", call.err);
}

#[test]
fn arguments_that_make_no_sense_are_json_for_programs() {
    let home = Home::new();
    for arguments in [&["--wat", "--output", "json"][..], &[CREATE, "x", "--max-turns", "0", "--output=json"]] {
        let error = home.run(arguments).expect(2).json();
        assert_eq!(error["error"]["code"], "usage.arguments");
    }
}

/// Components that the manifests of the plugins name.
fn named() -> usize {
    let manifests = std::fs::read_dir(plugins()).unwrap().map(|plugin| plugin.unwrap().path().join("plugin.toml"));
    manifests.map(|path| std::fs::read_to_string(path).unwrap().matches("\ncomponent = ").count()).sum()
}

#[test]
fn the_shipped_plugins_and_workspace_are_without_problems() {
    let report = Home::new().run(&["validate", "--output", "json"]).expect(0).json();
    assert_eq!(report["problems"], json!([]));
    assert_eq!(report["components"], named());
}

#[test]
fn a_component_that_is_not_the_pinned_one_refuses_to_start() {
    let home = Home::new();
    copy(&plugins(), &home.path("plugins"));
    let component = home.path("plugins/lesson-planning/components/scope-check.wasm");
    let mut bytes = std::fs::read(&component).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&component, bytes).unwrap();
    let plugins = home.path("plugins");
    let call = home.run(&[CREATE, "iteration for 3B", "--plugins", plugins.to_str().unwrap()]).expect(1);
    assert!(call.err.contains("plugin.digest_mismatch"), "{}", call.err);
    // Another plugin's hooks are unaffected: the one in the binary still works.
    let report = home.run_with(
        &["hook", "run", "lesson-planning:scope-check", "--point", "pre-loop", "--event", "-", "--output", "json"],
        "{\"input\":\"loops\"}",
    );
    assert_eq!(report.json()["verdict"], "pass");
}

#[test]
fn text_of_a_model_cannot_act_on_the_terminal() {
    let home = Home::new();
    let script = home.script(&json!([{ "text": LESSON.replacen("Done", "Evil \u{1b}[2J\u{7}\u{202e}title", 1) }]));
    let call = home
        .run(&[CREATE, "iteration for 3B", "--provider", "script", "--script", &script, "--answers", "accept"])
        .expect(0);
    for hidden in ['\u{1b}', '\u{7}', '\u{202e}'] {
        assert!(!call.out.contains(hidden) && !call.err.contains(hidden));
    }
}

#[test]
fn a_disk_that_is_full_or_read_only_is_said_and_nothing_is_lost() {
    // A file stands where the data directory should be made.
    let home = Home::new();
    home.write("occupied", "not a directory");
    let call =
        home.run(&[CREATE, "iteration for 3B", "--data-dir", home.path("occupied/data").to_str().unwrap()]).expect(6);
    assert!(call.err.contains("[store.") && call.err.contains("hint:"), "{}", call.err);
}

/// /dev/full answers every write with "no space left".
#[cfg(target_os = "linux")]
#[test]
fn a_lesson_that_cannot_be_saved_waits_in_the_journal() {
    let home = Home::new();
    // A file stands where the directory of lessons should be made.
    home.write("workspace/lessons", "a file");
    let call = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"]);
    assert_ne!(call.code, 0);
    let listed = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    let session = listed[0]["id"].as_str().unwrap().to_owned();
    std::fs::remove_file(home.workspace().join("lessons")).unwrap();
    let end = home.run(&["--resume", &session, "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(end["status"], "success");
    assert_eq!(home.lessons().len(), 1);
}

#[test]
fn an_answer_that_the_question_does_not_allow_is_refused_and_the_run_waits() {
    let home = Home::new();
    let answers = home.answers(&json!([
        { "question": "context", "items": { "*": "confirm" } },
        { "question": "reflection", "items": { "*": "skip" } },
        { "question": "sections", "items": { "*": "approve" } },
    ]));
    let call = home.run(&[CREATE, "iteration for 3B", "--answers", &answers]).expect(2);
    assert!(call.err.contains("answer.invalid") && call.err.contains("accept"), "{}", call.err);
    let listed: Value = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    let session = listed[0]["id"].as_str().unwrap();
    home.run(&["--resume", session, "--answers", "accept"]).expect(0);
}
