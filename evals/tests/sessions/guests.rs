//! What the histories run on: a plugin with three agents, a hook that draws and asks, the shipped hook that has parts
//! decided on, the shipped task list; beside it the quiz, a flow.

use std::fs;
use std::path::{Path, PathBuf};

use ta_evals::torture::component;

/// The tool that replaces the tasks.
pub(crate) const TASKS: &str = "update_tasks";
/// What the agents' texts say of themselves, before a number.
pub(crate) const EDITION: &str = "This is edition ";

/// Asks a question whose title is drawn, and passes.
const DRAW: &str = r#"(module
  (import "teacher-assist:plugin/random@0.2.0" "bytes" (func $bytes (param i32 i32)))
  (import "teacher-assist:plugin/ask@0.2.0" "put"
    (func $put (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (memory (export "memory") 2)
  (global $top (mut i32) (i32.const 65536))
  (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (data (i32.const 2048) "draw")
  (data (i32.const 8192) "MAKE")
  (func (export "teacher-assist:plugin/pre-loop@0.2.0#run") (param i32) (result i32) (local $at i32) (local $end i32)
    (call $bytes (i32.const 16) (i32.const 3072))
    (local.set $at (i32.load (i32.const 3072)))
    (local.set $end (i32.add (local.get $at) (i32.const 16)))
    (loop $again
      (i32.store8 (local.get $at)
        (i32.add (i32.const 97) (i32.and (i32.load8_u (local.get $at)) (i32.const 15))))
      (br_if $again (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))
    (call $put
      (i32.const 2048) (i32.const 4) (i32.load (i32.const 3072)) (i32.const 16) (i32.const 2048) (i32.const 4)
      (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 4096))
    (i32.const 1024)))
"#;

const OPERATOR: &str = r#"
[grants."work:draw"]
capabilities = ["ask", "random"]
[grants."work:decide"]
capabilities = ["log", "config", "ask", "journal"]
[grants."work:tasks"]
capabilities = ["log", "tasks"]
[grants."quiz:quiz"]
capabilities = ["log"]
"#;

/// Where things lie.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(crate) plugins: PathBuf,
    pub(crate) work: PathBuf,
    pub(crate) workspace: PathBuf,
    pub(crate) operator: PathBuf,
    /// The hook that draws, of another make: it says the same.
    pub(crate) other_draw: PathBuf,
    pub(crate) scripts: PathBuf,
    pub(crate) data: PathBuf,
}

impl Places {
    pub(crate) fn below(home: &Path) -> Self {
        let plugins = home.join("plugins");
        let places = Self {
            work: plugins.join("work"),
            plugins,
            workspace: home.join("workspace"),
            operator: home.join("operator.toml"),
            other_draw: home.join("other.wasm"),
            scripts: home.join("scripts"),
            data: home.join("data"),
        };
        places.lay_out();
        places
    }

    fn lay_out(&self) {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        copy(&repository.join("evals/plugins/quiz"), &self.plugins.join("quiz"));
        for directory in ["agents", "commands", "components"] {
            fs::create_dir_all(self.work.join(directory)).unwrap();
        }
        for directory in [&self.scripts, &self.workspace.join("out"), &self.workspace.join("classes")] {
            fs::create_dir_all(directory).unwrap();
        }
        let shipped = |name: &str| fs::read(repository.join("plugins/lesson-planning/components").join(name)).unwrap();
        let (draw, other) = (DRAW.to_owned(), DRAW.replace("MAKE", "else"));
        fs::write(&self.other_draw, component(&other, "pre-loop").unwrap()).unwrap();
        let components = [
            ("hooks", "draw", component(&draw, "pre-loop").unwrap()),
            ("hooks", "decide", shipped("teacher-adjudication.wasm")),
            ("tools", "tasks", shipped("tasks.wasm")),
        ];
        let mut manifest =
            "name = \"work\"\nversion = \"0.1.0\"\ndescription = \"Work for random histories.\"\n".to_owned();
        for (section, name, bytes) in components {
            fs::write(self.work.join(format!("components/{name}.wasm")), &bytes).unwrap();
            let sha256 = ta_store::digest(&bytes);
            manifest.push_str(&format!(
                "\n[{section}.{name}]\ncomponent = \"components/{name}.wasm\"\nsha256 = \"{sha256}\"\n{}",
                match name {
                    "draw" => "points = [\"pre-loop\"]\nkind = \"dialogue\"\ncapabilities = [\"ask\", \"random\"]\n",
                    "decide" =>
                        "points = [\"post-loop\"]\nkind = \"guardrail\"\non-failure = \"abort\"\n\
                         capabilities = [\"log\", \"config\", \"ask\", \"journal\"]\n",
                    _ => "capabilities = [\"log\", \"tasks\"]\n",
                }
            ));
        }
        fs::write(self.work.join("plugin.toml"), manifest).unwrap();
        let command = "---\nagent: first\ndescription: Makes something.\nwrites: out/{topic}.md\n---\n\nMake it.\n";
        fs::write(self.work.join("commands/make.md"), command).unwrap();
        fs::write(&self.operator, OPERATOR).unwrap();
        self.edit(0);
    }

    /// Writes the agents' texts anew.
    pub(crate) fn edit(&self, edition: u64) {
        let agent = |name: &str, more: &str| {
            let text = format!(
                "---\ndescription: One of three.\nprovider: script\nmodel: any\nmemory: false\n{more}---\n\n{EDITION}{edition}.\n"
            );
            fs::write(self.work.join(format!("agents/{name}.md")), text).unwrap();
        };
        let team = "tools: [update_tasks]\nhooks: [draw, decide]\n";
        agent("first", &format!("{team}handoffs: [other]\nsubagents: [helper]\n"));
        agent("other", team);
        agent("helper", "tools: [update_tasks]\n");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
