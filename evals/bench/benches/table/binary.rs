//! The real binary: how it starts, what it holds, what a turn costs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ta_core::kind::Kind;
use ta_sandbox::Limits;

use crate::measure::median;
use crate::row::{Row, millis};
use crate::watch::{Watched, copy, watch};
use ta_bench::{COMPONENT, Outcome, Subject};

const TURN_ROUNDS: usize = 7;
/// Turns of the short and of the long run, whose difference is what the turns between them cost.
const FEW_TURNS: usize = 2;
const MANY_TURNS: usize = 42;
/// The history that a turn carries: turns of the run before, and bytes of each of their texts.
const HISTORY_TURNS: usize = 20;
const HISTORY_TEXT_BYTES: usize = 5_000;
pub(crate) const REQUEST: &str = "iteration for 3B";

/// The binary in a directory where it harms nobody.
pub(crate) struct Binary<'a> {
    pub(crate) path: &'a Path,
    pub(crate) directory: &'a Path,
    workspace: PathBuf,
}

impl<'a> Binary<'a> {
    /// Sets up a workspace for it.
    ///
    /// # Errors
    /// Where the sample workspace cannot be copied.
    pub(crate) fn new(path: &'a Path, directory: &'a Path) -> Outcome<Self> {
        let workspace = directory.join("workspace");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workspace"), &workspace)?;
        Ok(Self { path, directory, workspace })
    }

    pub(crate) fn command(&self, data: &Path, cache: &Path) -> Command {
        self.subcommand(&[], data, cache)
    }

    /// Replays a run.
    pub(crate) fn replay(&self, data: &Path, cache: &Path, run: &str) -> Command {
        self.subcommand(&["replay", run], data, cache)
    }

    /// The binary with these words first, and where things are after them.
    fn subcommand(&self, words: &[&str], data: &Path, cache: &Path) -> Command {
        let mut command = Command::new(self.path);
        // Whatever this machine has set for it does not count.
        for name in ["WORKSPACE", "PLUGINS", "OPERATOR", "DATA", "CACHE", "OWNER"] {
            command.env_remove(format!("TEACHER_ASSIST_{name}"));
        }
        command.current_dir(self.directory).args(words).arg("--workspace").arg(&self.workspace);
        command.arg("--data-dir").arg(data).arg("--cache-dir").arg(cache).args(["--output", "jsonl"]);
        command
    }

    /// Runs the shipped plugin's lesson, offline.
    pub(crate) fn lesson(&self, data: &Path, cache: &Path) -> Outcome<Watched> {
        let mut command = self.command(data, cache);
        command.args(["--provider", "offline", "--answers", "accept", "lesson-planning:create-lesson", REQUEST]);
        watch(&mut command)
    }

    /// The row about a turn.
    ///
    /// # Errors
    /// Where a run fails.
    pub(crate) fn turn_row(&self, cache: &Path) -> Outcome<Row> {
        let plugins = self.plugins(cache)?;
        let begun = self.directory.join("begun");
        let mut command = self.scripted(&plugins, &begun, cache, &script(HISTORY_TURNS, HISTORY_TEXT_BYTES))?;
        let history = watch(command.args(["bench:turns", REQUEST]))?;
        let session = history.lines.iter().find_map(|line| line.get("session")?.as_str()).ok_or("no session")?;
        let mut number = 0;
        let mut run = |turns: usize| -> Outcome<()> {
            number += 1;
            let data = self.directory.join(format!("turns-{number}"));
            copy(&begun, &data)?;
            let mut command = self.scripted(&plugins, &data, cache, &script(turns, 0))?;
            let watched = watch(command.args(["--resume", session, "go on"]))?;
            let hooks = watched
                .lines
                .iter()
                .filter(|line| line.get("type").and_then(Value::as_str) == Some("hook.finished"))
                .count();
            // Before and after every model call, before and after every tool: the last turn has no tool.
            if hooks == turns * 4 + 2 { Ok(()) } else { Err(format!("{hooks} hooks ran in {turns} turns").into()) }
        };
        let (mut few, mut many) = (Vec::new(), Vec::new());
        for _ in 0..TURN_ROUNDS {
            let started = Instant::now();
            run(FEW_TURNS)?;
            few.push(started.elapsed());
            let started = Instant::now();
            run(MANY_TURNS)?;
            many.push(started.elapsed());
        }
        let turns = u32::try_from(MANY_TURNS - FEW_TURNS)?;
        let turn = median(&many).saturating_sub(median(&few)) / turns;
        Ok(Row::new("Host overhead of a turn, 100 KB of history, journal on disk")
            .measured(millis(turn))
            .target("under 10 ms", turn > Duration::ZERO && turn < Duration::from_millis(10))
            .how(format!(
                "Release binary, provider `script`: a run of {MANY_TURNS} turns less one of {FEW_TURNS}, by the turn, median of \
                 {TURN_ROUNDS}. A turn is a model call, a tool call in a component, four hooks in fresh instances (all given the \
                 check, which looks at the last ten messages), and every event durable on disk. The script's own answer counts against us."
            )))
    }

    /// The directory of the plugin `bench`, made anew.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(crate) fn plugins(&self, cache: &Path) -> Outcome<PathBuf> {
        let plugins = self.directory.join("plugins");
        self.plugin(&plugins.join("bench"), &Subject::check(Some(cache))?)?;
        Ok(plugins)
    }

    /// A plugin whose hooks are the check, at all four points, and whose tool is the shipped one for tasks.
    fn plugin(&self, directory: &Path, subject: &Subject) -> Outcome<()> {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/lesson-planning/components/tasks.wasm");
        let tasks = fs::read(shipped)?;
        let tasks_sha256 = Subject::load(None, &tasks, Limits::of(Kind::Tool))?.sha256().to_owned();
        for name in ["agents", "commands", "components"] {
            fs::create_dir_all(directory.join(name))?;
        }
        fs::write(directory.join("components/check.wasm"), COMPONENT)?;
        fs::write(directory.join("components/tasks.wasm"), tasks)?;
        let manifest = format!(
            "name = \"bench\"\nversion = \"0.1.0\"\ndescription = \"The check, at every point of a turn.\"\n\n\
             [hooks.check]\ncomponent = \"components/check.wasm\"\nsha256 = \"{}\"\n\
             points = [\"pre-model\", \"post-model\", \"pre-tool\", \"post-tool\"]\nkind = \"guardrail\"\n\
             on-failure = \"abort\"\ncapabilities = [\"log\"]\n\n\
             [tools.tasks]\ncomponent = \"components/tasks.wasm\"\nsha256 = \"{tasks_sha256}\"\ncapabilities = [\"log\", \"tasks\"]\n",
            subject.sha256()
        );
        fs::write(directory.join("plugin.toml"), manifest)?;
        // The operator's file lies beside the workspace.
        let grants = "[grants.\"bench:check\"]\ncapabilities = [\"log\"]\n\n\
                      [grants.\"bench:tasks\"]\ncapabilities = [\"log\", \"tasks\"]\n";
        fs::write(self.directory.join("teacher-assist.toml"), grants)?;
        let agent = "---\nname: worker\ndescription: Works.\nmodel: script\nprovider: script\ntools: [update_tasks]\n\
                     hooks: [check]\nmaxTurns: 1000\n---\n\nYou keep a list of tasks.\n";
        fs::write(directory.join("agents/worker.md"), agent)?;
        let command = "---\nagent: worker\ndescription: Takes turns.\nmode: single\n---\n\nTake turns.\n";
        Ok(fs::write(directory.join("commands/turns.md"), command)?)
    }

    pub(crate) fn scripted(&self, plugins: &Path, data: &Path, cache: &Path, script: &Value) -> Outcome<Command> {
        let file = self.directory.join("script.json");
        fs::write(&file, serde_json::to_string(script)?)?;
        let mut command = self.command(data, cache);
        command.arg("--plugins").arg(plugins).args(["--provider", "script", "--script"]).arg(file);
        Ok(command)
    }
}

/// A script of so many turns that each change the list of tasks, and an answer after them.
pub(crate) fn script(turns: usize, text_bytes: usize) -> Value {
    let text = "Next comes a task about loops. ".repeat(text_bytes / 31);
    let turn = |number: usize| {
        let task = json!({ "id": format!("{number}"), "title": format!("Task {number}"), "status": "pending" });
        json!({ "text": text, "calls": [{ "name": "update_tasks", "arguments": { "tasks": [task] } }] })
    };
    let answers: Vec<Value> = (0..turns).map(turn).chain([json!({ "text": "Done." })]).collect();
    json!({ "answers": answers })
}
