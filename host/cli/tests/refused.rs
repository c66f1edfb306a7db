//! What a plugin asks for and does not get: a tool's name that another component has, more than the operator's ceilings,
//! directories outside the workspace, components that nobody can compile.

use std::fs;
use std::path::PathBuf;

use crate::support::{CREATE, Call, Home, copy, plugins};

/// The shipped plugins with some lines after the manifest of `lesson-planning`.
fn with(home: &Home, lines: &str) -> PathBuf {
    let directory = home.path("plugins");
    copy(&plugins(), &directory);
    let manifest = directory.join("lesson-planning/plugin.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, format!("{text}\n{lines}\n")).unwrap();
    directory
}

/// The digest that the manifest pins for a tool's component.
fn pinned(tool: &str) -> String {
    let manifest = fs::read_to_string(plugins().join("lesson-planning/plugin.toml")).unwrap();
    let section = manifest.split_once(&format!("[tools.{tool}]")).unwrap().1;
    section.split_once("sha256 = \"").unwrap().1.split_once('"').unwrap().0.to_owned()
}

/// A second component with the tools of `skills`, and more lines of its table.
fn shadow(more: &str) -> String {
    format!(
        "[tools.shadow]\ncomponent = \"components/skills.wasm\"\nsha256 = \"{}\"\ncapabilities = [\"log\", \"skills\"]\n{more}",
        pinned("skills")
    )
}

fn problems(call: &Call) -> Vec<(String, String, String)> {
    let text = |problem: &serde_json::Value, field: &str| problem[field].as_str().unwrap_or_default().to_owned();
    let report = call.json();
    let list = report["problems"].as_array().unwrap();
    list.iter().map(|it| (text(it, "code"), text(it, "message"), text(it, "remedy"))).collect()
}

#[test]
fn a_tools_name_belongs_to_one_component() {
    let home = Home::new();
    let plugins = with(&home, &shadow(""));
    let grants = "[grants.\"lesson-planning:shadow\"]\ncapabilities = [\"log\", \"skills\"]\n";
    let operator = home.write("granted.toml", grants);
    let (plugins, operator) = (plugins.to_str().unwrap(), operator.to_str().unwrap());
    let words = [CREATE, "iteration for 3B", "--plugins", plugins, "--operator", operator, "--answers", "accept"];
    let call = home.run(&words).expect(1);
    for word in ["tool.offered_twice", "shadow", "skills"] {
        assert!(call.err.contains(word), "`{word}` is not in {}", call.err);
    }
    assert_eq!(home.lessons(), Vec::<String>::new());
}

#[test]
fn a_manifest_gets_no_more_than_the_operators_ceilings() {
    let home = Home::new();
    let plugins = with(&home, &shadow("[tools.shadow.limits]\nfuel-millions = 20000\ncpu-ms = 60000"));
    let operator = home.write("low.toml", "[ceilings]\nfuel-millions = 20000\n");
    let words = ["validate", "--plugins", plugins.to_str().unwrap(), "--output", "json"];
    let denied = |call: &Call| {
        let found = problems(call).into_iter().filter(|(code, _, _)| code == "limit.denied");
        found.map(|(_, _, remedy)| remedy).collect::<Vec<_>>()
    };
    let usual = denied(&home.run(&words).expect(1));
    assert_eq!(usual.len(), 2, "{usual:?}");
    assert!(usual[1].ends_with("[ceilings] fuel-millions = 20000"), "{usual:?}");
    let raised = [&words[..], &["--operator", operator.to_str().unwrap()]].concat();
    assert_eq!(denied(&home.run(&raised).expect(1)).len(), 1, "the other is still too high");
}

#[test]
fn directories_outside_the_workspace_are_refused_where_they_are_asked_for() {
    for directory in ["/etc", ".."] {
        let home = Home::new();
        let plugins = with(&home, &shadow(&format!("workspace = {{ \"{directory}\" = \"read\" }}")));
        let plugins = plugins.to_str().unwrap();
        let call = home.run(&["validate", "--plugins", plugins, "--output", "json"]).expect(1);
        let found = problems(&call);
        assert!(
            found.iter().any(|(code, message, _)| code == "field.value" && message.contains(directory)),
            "{found:?}"
        );
        home.run(&[CREATE, "iteration for 3B", "--plugins", plugins, "--answers", "accept"]).expect(1);
    }
}

/// Five thousand lists within each other: seven bytes each, and enough to overflow a compiler's stack.
#[test]
fn a_component_that_nobody_can_compile_is_refused_by_name() {
    let home = Home::new();
    let number = |mut number: usize| {
        let mut bytes = Vec::new();
        while number > 0x7f {
            bytes.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let lists = (1..5_000).flat_map(|at| [vec![0x70], number(at - 1)].concat());
    let types = [number(5_000), vec![0x70, 0x79], lists.collect()].concat();
    let bytes = [b"\0asm\x0d\0\x01\0".to_vec(), vec![7], number(types.len()), types].concat();
    let file = home.path("deep.wasm");
    fs::write(&file, bytes).unwrap();
    let event = home.write("event.json", r#"{ "output": "text" }"#);
    let (file, event) = (file.to_str().unwrap(), event.to_str().unwrap());
    for words in [vec!["inspect", file], vec!["hook", "run", file, "--point", "post-loop", "--event", event]] {
        let call = home.run(&words).expect(1);
        assert!(call.err.contains("plugin.too_complex"), "{words:?}: {}", call.err);
    }
}

/// Nobody finds it by accident, and who does learns nothing.
#[test]
fn the_compilers_command_says_nothing_to_people() {
    let home = Home::new();
    for words in [vec!["compile-component"], vec!["compile-component", "much", "4"]] {
        let call = home.run(&words).expect(1);
        assert_eq!((call.out.as_str(), call.err.as_str()), ("", ""), "{words:?}");
    }
    // Of something that is no component it answers a sentence.
    let call = home.run_with(&["compile-component", "500000000", "4"], "(component)").expect(0);
    assert!(call.out.starts_with("ta-code\nr"), "{}", call.out);
}
