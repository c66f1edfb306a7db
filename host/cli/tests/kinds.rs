//! What the failure of a hook means: a guardrail fails closed, a dialogue is skipped and the person is told.

use crate::support::{CREATE, Call, Home};

/// Plugins in which a hook has so little fuel that it fails, and says of itself what these lines say.
fn starved(home: &Home, hook: &str, lines: &str) -> String {
    let plugins = home.plugins_with(&[&format!("hooks: [{hook}]")]);
    let manifest = home.path("plugins/lesson-planning/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let table = format!("[hooks.{hook}]\n");
    assert!(text.contains(&table), "{hook}");
    let limits = format!("\n[hooks.{hook}.limits]\nfuel-millions = 1\n");
    let of_kind = |line: &&str| line.starts_with("kind") || line.starts_with("on-failure");
    let own = text.split("\n\n").find(|part| part.starts_with(&table)).unwrap();
    let kept: Vec<&str> = own.lines().filter(|line| !of_kind(line)).collect();
    let changed = format!("{}\n{lines}\n{limits}", kept.join("\n"));
    std::fs::write(&manifest, text.replacen(own, &changed, 1)).unwrap();
    plugins
}

fn lesson(home: &Home, plugins: &str) -> Call {
    let run = [CREATE, "iteration for 3B", "--plugins", plugins, "--answers", "accept", "--output", "json"];
    home.run(&run)
}

#[test]
fn a_dialogue_that_fails_is_skipped_and_the_person_is_told() {
    let home = Home::new();
    let plugins = starved(&home, "feedforward", "kind = \"dialogue\"");
    let call = lesson(&home, &plugins).expect(0);
    assert!(
        call.err.contains("`feedforward` could not speak with you, and the run goes on without it: "),
        "{}",
        call.err
    );
    assert_eq!(call.json()["status"], "success");
}

#[test]
fn a_guardrail_that_fails_ends_the_run() {
    let home = Home::new();
    let plugins = starved(&home, "lesson-form", "kind = \"guardrail\"");
    let end = lesson(&home, &plugins).expect(4).json();
    assert!(end["reason"].as_str().unwrap().starts_with("lesson-form: it failed (hook.deadline"), "{end}");
}

#[test]
fn an_observer_that_fails_is_skipped_and_the_trace_says_so() {
    let home = Home::new();
    let plugins = starved(&home, "lesson-form", "kind = \"observer\"");
    let call = lesson(&home, &plugins).expect(0);
    assert!(!call.err.contains("lesson-form"), "{}", call.err);
    let trace = home.run(&["--trace", call.json()["run"].as_str().unwrap()]).expect(0).out;
    assert!(trace.contains("failed"), "{trace}");
}

#[test]
fn no_guardrail_fails_open_and_nothing_else_has_a_choice() {
    let home = Home::new();
    for (lines, said) in [
        ("kind = \"guardrail\"\non-failure = \"skip\"", "a guardrail never fails open"),
        (
            "kind = \"dialogue\"\non-failure = \"abort\"",
            "only a guardrail has `on-failure`, and this hook is of the kind `dialogue`",
        ),
        (
            "kind = \"observer\"\non-failure = \"skip\"",
            "only a guardrail has `on-failure`, and this hook is of the kind `observer`",
        ),
        ("kind = \"guard\"", "`guard` is not a value of `kind`"),
    ] {
        let plugins = starved(&home, "lesson-form", lines);
        let refused = lesson(&home, &plugins).expect(1);
        assert!(refused.out.contains(said), "{lines}: {}", refused.out);
        let problems = home.run(&["validate", "--plugins", &plugins]).expect(1);
        assert!(format!("{}{}", problems.out, problems.err).contains(said), "{lines}: {}", problems.err);
    }
}

#[test]
fn an_observer_that_does_more_than_look_is_pointed_out() {
    let home = Home::new();
    let plugins = home.plugins_with(&["hooks: [privacy]"]);
    let manifest = home.path("plugins/lesson-planning/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let (before, own) = text.split_once("[hooks.privacy]\n").unwrap();
    let own = own.replacen("kind = \"guardrail\"\non-failure = \"abort\"\n", "kind = \"observer\"\n", 1);
    std::fs::write(&manifest, format!("{before}[hooks.privacy]\n{own}")).unwrap();
    let told = home.run(&["validate", "--plugins", &plugins]).expect(0).out;
    assert!(
        told.contains("the observer `privacy` asks for more than looking takes") && told.contains("`ask`"),
        "{told}"
    );
    assert!(
        told.contains("skipped where they fail: ") && told.contains("lesson-planning:privacy (observer)"),
        "{told}"
    );
    let home = Home::new();
    let told = home.run(&["validate"]).expect(0).out;
    assert!(told.contains(" 0 warnings") && !told.contains("privacy (observer)"), "{told}");
}

#[test]
fn what_is_declared_twice_or_is_no_path_is_told() {
    let home = Home::new();
    let plugins = home.plugins_with(&["hooks: []"]);
    let manifest = home.path("plugins/lesson-planning/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    for (old, new, said) in [
        ("kinds = [", "kinds = [\"need\", ", "`kinds` names `need` twice"),
        (
            "class = \"classes\"",
            "class = \"classes\"\ngroup = \"classes\"",
            "`class` and `group` are scopes of the same files",
        ),
        (
            "[memory.scopes]",
            "[observations]\nsteps = 5\n\n[memory.scopes]",
            "expected the path of a JSON Schema below the plugin",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        std::fs::write(&manifest, text.replacen(old, new, 1)).unwrap();
        let problems = home.run(&["validate", "--plugins", &plugins]).expect(1);
        assert!(format!("{}{}", problems.out, problems.err).contains(said), "{said}: {}{}", problems.out, problems.err);
    }
}
