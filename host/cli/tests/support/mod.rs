//! The binary as a user runs it, each test with a workspace, a journal and a cache of its own.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "shared by several tests"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub mod mock;
pub mod quiz;
pub mod server;
pub mod team;

pub const CREATE: &str = "lesson-planning:create-lesson";
/// A key that must turn up nowhere but in the header of a request.
pub const KEY: &str = "sk-canary-7b2e90c4";
/// A lesson that every hook lets pass.
pub const LESSON: &str = include_str!("lesson.md");
/// What a developer's own environment may hold.
const OWN: [&str; 17] = [
    "XDG_DATA_HOME",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "COMPATIBLE_API_KEY",
    "OLLAMA_HOST",
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
    "GOOGLE_GEMINI_BASE_URL",
    "TEACHER_ASSIST_KEYS",
    "TEACHER_ASSIST_PRICES",
    "TEACHER_ASSIST_OWNER",
    "TEACHER_ASSIST_OPERATOR",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
];

pub struct Home {
    pub dir: TempDir,
}

/// What a call left behind.
pub struct Call {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Call {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }

    /// The session that is named at the end.
    pub fn session(&self) -> &str {
        let rest = self.err.split("session ").nth(1).unwrap_or_default();
        rest.split(',').next().unwrap_or_default()
    }

    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }
}

pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The requests of a kind, `ask`, `model` or `tool`, as they were made.
pub fn made<'a>(records: &'a [serde_json::Value], kind: &str) -> Vec<&'a serde_json::Value> {
    records.iter().filter(|it| it["type"] == "request.made" && it["request"]["kind"] == kind).collect()
}

/// Their answers.
pub fn answered<'a>(records: &'a [serde_json::Value], kind: &str) -> Vec<&'a serde_json::Value> {
    records.iter().filter(|it| it["type"] == "request.answered" && it["answer"]["kind"] == kind).collect()
}

/// The plugins under test: those of the checkout, or freshly built ones.
pub fn plugins() -> PathBuf {
    std::env::var_os("TEACHER_ASSIST_TEST_PLUGINS").map_or_else(|| repository().join("plugins"), PathBuf::from)
}

pub fn component(name: &str) -> PathBuf {
    plugins().join(format!("lesson-planning/components/{name}.wasm"))
}

impl Home {
    pub fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap() };
        copy(&repository().join("workspace"), &home.workspace());
        let _ = std::fs::remove_dir_all(home.workspace().join("lessons"));
        home
    }

    pub fn workspace(&self) -> PathBuf {
        self.dir.path().join("workspace")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_teacher-assist"));
        for variable in OWN {
            command.env_remove(variable);
        }
        command
            .args(arguments)
            .current_dir(self.dir.path())
            .env("TEACHER_ASSIST_WORKSPACE", self.workspace())
            .env("TEACHER_ASSIST_PLUGINS", plugins())
            .env("TEACHER_ASSIST_DATA", self.path("data"))
            // Shared by all tests: what a cache does to a poisoned entry has tests of its own.
            .env("TEACHER_ASSIST_CACHE", cache())
            .stdin(Stdio::null());
        command
    }

    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Call {
        Call::of(&self.command(arguments).output().unwrap())
    }

    /// `create-lesson` with a provider at an address, its key in the environment, every question answered with yes.
    pub fn ask(&self, provider: &str, base: &str, more: &[&str]) -> Command {
        let mut command = self.command(&[CREATE, "iteration for 3B", "--answers", "accept"]);
        command.args(["--provider", provider, "--base-url", base]).args(more);
        self.with_keys(command)
    }

    /// The same, run.
    #[track_caller]
    pub fn asked(&self, provider: &str, base: &str, more: &[&str]) -> Call {
        Call::of(&self.ask(provider, base, more).output().unwrap())
    }

    pub fn with_keys(&self, mut command: Command) -> Command {
        for provider in ["ANTHROPIC", "OPENAI", "GEMINI", "COMPATIBLE"] {
            command.env(format!("{provider}_API_KEY"), KEY);
        }
        command
    }

    /// A file that only its owner can read.
    pub fn secret(&self, name: &str, text: &str) -> String {
        let path = self.write(name, text);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
        path.display().to_string()
    }

    /// The journal of a session.
    #[track_caller]
    pub fn records(&self, session: &str) -> Vec<Value> {
        let call = self.run(&["--trace", session, "--output", "jsonl"]).expect(0);
        call.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The same with text on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Call {
        use std::io::Write as _;
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Call::of(&child.wait_with_output().unwrap())
    }

    /// Runs a hook on an event and returns its report.
    pub fn hook(&self, component: &str, point: &str, event: &Value, more: &[&str]) -> Value {
        let mut arguments = vec!["hook", "run", component, "--point", point, "--event", "-", "--output", "json"];
        arguments.extend(more);
        self.run_with(&arguments, &event.to_string()).json()
    }

    /// The answers of a model, in the form of the provider `script`.
    pub fn script(&self, answers: &Value) -> String {
        self.write("script.json", &serde_json::json!({ "answers": answers }).to_string()).display().to_string()
    }

    pub fn answers(&self, answers: &Value) -> String {
        self.write("answers.json", &serde_json::json!({ "answers": answers }).to_string()).display().to_string()
    }

    /// A lesson that is drafted and waits for the decision on its sections: what comes before is confirmed or skipped.
    pub fn drafted(&self, request: &str) -> Call {
        let answers = self.answers(&serde_json::json!([
            { "question": "context", "items": { "*": "confirm" } },
            { "question": "reflection", "items": { "*": "skip" } },
        ]));
        self.run(&[CREATE, request, "--answers", &answers, "--output", "json"]).expect(3)
    }

    /// The journal of a run, or of a session's latest run.
    pub fn events(&self, id: &str) -> Vec<Value> {
        let call = self.run(&["--trace", id, "--output", "jsonl"]).expect(0);
        call.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The shipped plugins, where the planner has no hooks and these lines in its front matter.
    pub fn plugins_with(&self, fields: &[&str]) -> String {
        let plugins = self.path("plugins");
        copy(&crate::support::plugins(), &plugins);
        let file = plugins.join("lesson-planning/agents/planner.md");
        let text = std::fs::read_to_string(&file).unwrap();
        let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
        let name = |line: &str| line.split(':').next().unwrap().to_owned();
        let replaced = |line: &&str| fields.iter().any(|field| name(field) == name(line));
        let kept = front.lines().filter(|line| !line.starts_with("hooks:") && !replaced(line));
        let front: Vec<&str> = kept.chain(fields.iter().copied()).collect();
        std::fs::write(&file, format!("---\n{}\n---\n{body}", front.join("\n"))).unwrap();
        plugins.display().to_string()
    }

    /// The journal as it is found when the host was killed right after this record of a session.
    pub fn killed_after(&self, session: &str, seq: u64) {
        let data = self.path("data");
        let sql = format!("DELETE FROM records WHERE session_id = '{session}' AND seq > {seq}");
        without_triggers(&data.join("journal.db"), &sql);
        // It names a record that is gone now.
        std::fs::remove_file(data.join("journal.mark")).unwrap();
    }

    /// The journal as it is found when so much more time had gone by before this record of a session.
    pub fn later(&self, session: &str, seq: u64, milliseconds: u64) {
        let to = format!("at_ms = at_ms + {milliseconds} WHERE session_id = '{session}' AND seq >= {seq}");
        without_triggers(&self.path("data").join("journal.db"), &format!("UPDATE records SET {to}"));
    }

    pub fn lessons(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.workspace().join("lessons")) else { return Vec::new() };
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Carries out SQL on a journal, as somebody who tampers with it would: with Python's SQLite, since only the store may
/// know of it here.
pub fn sqlite(file: &Path, sql: &str) {
    let program = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\nc.executescript(sys.argv[2])\nc.close()";
    let status = Command::new("python3").args(["-c", program]).arg(file).arg(sql).status().unwrap();
    assert!(status.success());
}

/// The same past the triggers that keep events as they are; they stand again afterwards.
fn without_triggers(file: &Path, sql: &str) {
    let program = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\n\
                   kept = c.execute(\"SELECT name, sql FROM sqlite_master WHERE type = 'trigger'\").fetchall()\n\
                   for name, _ in kept: c.execute('DROP TRIGGER ' + name)\n\
                   c.executescript(sys.argv[2])\n\
                   for _, text in kept: c.execute(text)\n\
                   c.commit()\nc.close()";
    let status = Command::new("python3").args(["-c", program]).arg(file).arg(sql).status().unwrap();
    assert!(status.success());
}
