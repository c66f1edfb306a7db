//! A directory with agents of somebody's own, as `new` writes it, and the binary called within it.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Call, Home};

pub struct Team {
    pub home: Home,
}

impl Team {
    /// An empty directory in which `new` was called.
    #[track_caller]
    pub fn new() -> Self {
        let team = Self { home: Home::new() };
        std::fs::remove_dir_all(team.home.workspace()).unwrap();
        std::fs::create_dir_all(team.home.path("mine")).unwrap();
        super::copy(&super::plugins().join("workbench"), &team.home.path("plugins/workbench"));
        team.home.run(&["new", "mine"]).expect(0);
        team
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path("mine").join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        self.home.write(&format!("mine/{name}"), text);
    }

    pub fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self.home.command(arguments);
        command.current_dir(self.home.path("mine")).env_remove("TEACHER_ASSIST_WORKSPACE");
        command.env("TEACHER_ASSIST_PLUGINS", self.home.path("plugins"));
        command
    }

    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Call {
        Call::of(&self.command(arguments).output().unwrap())
    }

    /// A script; what is only a text is an answer of that text.
    pub fn script(&self, answers: &Value) -> String {
        let whole = |answer: &Value| if answer.is_string() { json!({ "text": answer }) } else { answer.clone() };
        self.home.script(&answers.as_array().unwrap().iter().map(whole).collect())
    }

    /// The same, answered by a script.
    #[track_caller]
    pub fn scripted(&self, arguments: &[&str], answers: &Value) -> Call {
        let script = self.script(answers);
        self.run(&[arguments, &["--provider", "script", "--script", &script, "--output", "json"]].concat())
    }

    /// The journal of a run that just ended.
    #[track_caller]
    pub fn events(&self, call: &Call) -> Vec<Value> {
        self.home.events(call.json()["session"].as_str().unwrap())
    }

    /// One check of `validate`.
    #[track_caller]
    pub fn check(&self, code: i32, id: &str) -> Value {
        let report = self.run(&["validate", "--output", "json"]).expect(code).json();
        report["checks"].as_array().unwrap().iter().find(|check| check["id"] == id).unwrap().clone()
    }
}
