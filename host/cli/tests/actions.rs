//! Actions of a plugin of somebody's own, through the binary: what is not granted, what is staged and put in place, and what `validate`
//! says of names that lead nowhere.

use crate::support;

use serde_json::{Value, json};
use support::{Home, component, plugins};

const GRANT: &str =
    "[grants.\"desk:desk\"]\ncapabilities = [\"log\", \"workspace\"]\nworkspace = { \".\" = \"read-write\" }\n";
const A_CLASS: &str = r#"{"classes": [{"id": "4A", "level": "fourth", "period_minutes": 50}]}"#;

/// A plugin `desk` with one component of actions, and `rest` in its manifest.
fn desk(home: &Home, rest: &str) -> String {
    let shipped = std::fs::read_to_string(plugins().join("lesson-planning/plugin.toml")).unwrap();
    let table = shipped.split("[actions.lesson-files]").nth(1).unwrap();
    let sha256 = table.split("sha256 = \"").nth(1).unwrap().split('"').next().unwrap();
    let manifest = format!(
        "name = \"desk\"\nversion = \"1\"\n{rest}\n[actions.desk]\ncomponent = \"components/desk.wasm\"\nsha256 = \"{sha256}\"\n\
         capabilities = [\"log\", \"workspace\"]\nworkspace = {{ \".\" = \"read-write\" }}\n"
    );
    home.write("own/desk/plugin.toml", &manifest);
    std::fs::create_dir_all(home.path("own/desk/components")).unwrap();
    std::fs::copy(component("lesson-files"), home.path("own/desk/components/desk.wasm")).unwrap();
    home.path("own").display().to_string()
}

fn problems(home: &Home, own: &str, code: i32) -> Vec<(String, String)> {
    let report = home.run(&["validate", "--plugins", own, "--output", "json"]).expect(code).json();
    let text = |it: &Value, field: &str| it[field].as_str().unwrap_or_default().to_owned();
    let of = |it: &Value| (text(it, "code"), text(it, "field"));
    report["problems"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn what_an_action_writes_is_shown_and_put_in_place_when_it_is_asked_for() {
    let home = Home::new();
    let own = desk(&home, "set-up = \"set_up\"");
    let call = |more: &[&str]| {
        let arguments = [
            "tool",
            "run",
            "desk:desk",
            "--tool",
            "set_up",
            "--arguments",
            A_CLASS,
            "--plugins",
            &own,
            "--output",
            "json",
        ];
        home.run(&[&arguments[..], more].concat())
    };
    // Nothing is granted that the operator has not written down: two capabilities and a directory.
    let denied = problems(&home, &own, 1);
    assert!(denied.len() == 3 && denied.iter().all(|(code, _)| code == "capability.denied"), "{denied:?}");
    assert_ne!(call(&["--apply"]).code, 0);
    home.write("teacher-assist.toml", GRANT);
    assert_eq!(problems(&home, &own, 0), []);
    let shown = call(&[]).expect(0).json();
    assert_eq!(
        (&shown["json"], &shown["writes"][0]["applied"]),
        (&json!({ "files": ["classes/4A.md"] }), &json!(false))
    );
    let file = home.workspace().join("classes/4A.md");
    assert!(!file.exists());
    assert_eq!(call(&["--apply"]).expect(0).json()["writes"][0]["applied"], true);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("---\nclass: \"4A\"\nlevel: fourth\n"));
    assert_eq!(problems(&home, &own, 0), []);
}

#[test]
fn an_action_that_a_manifest_names_must_be_there() {
    let home = Home::new();
    home.write("teacher-assist.toml", GRANT);
    let own = desk(&home, "set-up = \"set_out\"\n[files]\ncheck = \"look\"\ndirectories = [\"classes\"]");
    let found = problems(&home, &own, 1);
    for field in ["set-up", "files.check"] {
        assert!(found.contains(&("action.unknown".to_owned(), field.to_owned())), "{field}: {found:?}");
    }
}
