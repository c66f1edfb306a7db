//! The same guests through the binary, as a guest's author runs them: `teacher-assist hook run`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use ta_evals::torture::{Caught, Row, component, input, rows};

/// Longer than any budget of a guardrail, its grace and the start of a process together.
const BOUND: Duration = Duration::from_secs(5);

struct Door {
    binary: PathBuf,
    scratch: tempfile::TempDir,
}

impl Door {
    fn new() -> Self {
        let binary = assert_cmd::cargo::cargo_bin("teacher-assist");
        assert!(binary.is_file(), "there is no {}: `cargo build -p teacher-assist` makes it", binary.display());
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir(scratch.path().join("workspace")).unwrap();
        fs::write(scratch.path().join("secret.md"), "secret").unwrap();
        Self { binary, scratch }
    }

    /// What to do first where the binary is older than the sandbox that it should hold.
    fn hint(&self) -> &'static str {
        let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/sandbox/src");
        let newest = fs::read_dir(sources).unwrap().filter_map(|entry| changed(&entry.unwrap().path())).max();
        if changed(&self.binary) < newest {
            "the binary is older than the sandbox: `cargo build -p teacher-assist` first\n"
        } else {
            ""
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// The binary with nothing of this machine's own: no plugins, no data, no configuration.
    fn run(&self, arguments: &[&str], input: &str) -> (Output, Duration) {
        let started = Instant::now();
        let mut command = assert_cmd::Command::new(&self.binary);
        command.args(arguments).current_dir(self.scratch.path()).env_clear();
        command.env("HOME", self.scratch.path()).write_stdin(input).timeout(BOUND);
        let output = command.output().unwrap();
        (output, started.elapsed())
    }

    fn hook(&self, file: &Path, point: &str, output: &str, rights: &[String]) -> (Output, Duration) {
        let event =
            point.parse().map_or_else(|_| "{}".to_owned(), |point| serde_json::to_string(&input(point)).unwrap());
        let file = file.to_str().unwrap();
        let mut arguments = vec!["hook", "run", file, "--point", point, "--event", "-", "--output", output];
        arguments.extend(["--workspace", "workspace"]);
        arguments.extend(rights.iter().flat_map(|right| ["--grant", right]));
        self.run(&arguments, &event)
    }

    fn row(&self, row: &Row) -> Result<String, String> {
        let expectation = &row.expectation;
        let file = self.path(&format!("{}.wasm", row.name));
        fs::write(&file, component(&row.wat, &expectation.point)?).map_err(|error| error.to_string())?;
        let (output, elapsed) = self.hook(&file, &expectation.point, "json", &expectation.rights);
        let said = String::from_utf8_lossy(&output.stdout);
        let report: serde_json::Value =
            serde_json::from_str(&said).map_err(|error| format!("{error}: `{said}` {}", loud(&output.stderr)))?;
        let (verdict, code) = (report["verdict"].as_str().unwrap_or("-"), report["code"].as_str().unwrap_or("-"));
        let fits = match expectation.caught {
            Caught::Load | Caught::Call => verdict == "failed" && expectation.codes.iter().any(|it| it == code),
            Caught::Parked => verdict == "parked",
            Caught::Never => ["pass", "modify", "abort"].contains(&verdict),
        };
        if !fits {
            return Err(format!(
                "{verdict} {code}, not {:?} {:?}: {}",
                expectation.caught, expectation.codes, report["reason"]
            ));
        }
        harmless(&output)?;
        Ok(format!("{verdict} {code} in {elapsed:.0?}"))
    }
}

/// What was said on standard error, on one line.
fn loud(bytes: &[u8]) -> String {
    ta_core::text::line(&String::from_utf8_lossy(bytes), 300)
}

/// Nothing on either stream acts on a terminal, and nobody crashed.
fn harmless(output: &Output) -> Result<(), String> {
    for (stream, bytes) in [("output", &output.stdout), ("error", &output.stderr)] {
        let text = String::from_utf8_lossy(bytes);
        if let Some(c) = text.chars().find(|c| c.is_control() && !['\n', '\t'].contains(c)) {
            return Err(format!("standard {stream} holds {c:?}"));
        }
        if text.contains("panicked at") {
            return Err(format!("a panic on standard {stream}: {text}"));
        }
    }
    output.status.code().map(drop).ok_or_else(|| format!("it died of a signal: {:?}", output.status))
}

#[test]
fn every_guest_fails_with_its_code_at_the_front_door() {
    let door = Door::new();
    let rows: Vec<Row> = rows().unwrap().into_iter().filter(|row| row.expectation.front_door).collect();
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.expectation.point != "tool").collect();
    let (next, problems) = (Mutex::new(rows.iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some(row) = next.lock().unwrap().next() else { return };
                    match door.row(row) {
                        Ok(line) => println!("{}: {line}", row.name),
                        Err(problem) => problems.lock().unwrap().push(format!("{}: {problem}", row.name)),
                    }
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}{} problems:\n{}", door.hint(), problems.len(), problems.join("\n"));
    assert_eq!(fs::read_dir(door.path("workspace")).unwrap().count(), 0, "something was written");
}

#[test]
fn l1_what_a_guest_says_does_not_act_on_a_terminal() {
    let door = Door::new();
    for name in ["l1-escapes", "l1-escapes-abort"] {
        let row = ta_evals::torture::row(name).unwrap();
        let file = door.path("guest.wasm");
        fs::write(&file, component(&row.wat, &row.expectation.point).unwrap()).unwrap();
        for output in ["text", "json"] {
            let (said, _) = door.hook(&file, &row.expectation.point, output, &[]);
            harmless(&said).unwrap_or_else(|problem| panic!("{name} as {output}: {problem}"));
            let text = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
            assert!(text.contains("title"), "{name} as {output}: what it said is there: {text}");
            assert!(output == "json" || !text.contains('\u{202E}'), "{name}: {text}");
        }
    }
}

#[test]
fn l1_a_name_full_of_escapes_is_not_shown_raw() {
    let door = Door::new();
    let row = ta_evals::torture::row("l1-escapes-import").unwrap();
    let file = door.path("guest.wasm");
    fs::write(&file, component(&row.wat, &row.expectation.point).unwrap()).unwrap();
    for output in ["text", "json"] {
        for words in [vec!["inspect"], vec!["hook", "run", "--point", "on-subagent-end", "--event", "-"]] {
            let words = [words, vec!["--output", output, file.to_str().unwrap()]].concat();
            let (said, _) = door.run(&words, r#"{"agent":"a","status":"success","summary":"s"}"#);
            harmless(&said).unwrap_or_else(|problem| panic!("{words:?}: {problem}"));
        }
    }
}

#[test]
fn p1_files_that_are_no_component() {
    let door = Door::new();
    let sparse = door.path("sparse.wasm");
    fs::File::create(&sparse).unwrap().set_len(1 << 30).unwrap();
    let fifo = door.path("fifo.wasm");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).stdin(Stdio::null()).status().unwrap().success());
    fs::write(door.path("text.wasm"), "(component)").unwrap();
    fs::create_dir(door.path("directory.wasm")).unwrap();
    let cases = [
        (sparse, &["plugin.malformed", "plugin.too_large", "component.unreadable"][..]),
        (fifo, &["component.unreadable"]),
        (PathBuf::from("/dev/zero"), &["component.unreadable"]),
        (door.path("directory.wasm"), &["component.unreadable"]),
        (door.path("missing.wasm"), &["component.unreadable"]),
        (door.path("text.wasm"), &["plugin.malformed"]),
    ];
    for (file, codes) in cases {
        let (output, elapsed) = door.hook(&file, "post-loop", "json", &[]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["verdict"], "failed", "{}: {report}", file.display());
        assert!(codes.iter().any(|code| report["code"] == *code), "{}: {report}", file.display());
        assert!(!output.status.success() && elapsed < Duration::from_secs(4), "{}: {elapsed:?}", file.display());
        harmless(&output).unwrap();
    }
}

#[test]
fn inspecting_runs_nothing() {
    let door = Door::new();
    for name in ["g1-loop-start", "m1-start", "m4-unreachable-start", "f1-network"] {
        let row = ta_evals::torture::row(name).unwrap();
        let file = door.path("guest.wasm");
        fs::write(&file, component(&row.wat, &row.expectation.point).unwrap()).unwrap();
        let (output, elapsed) = door.run(&["inspect", file.to_str().unwrap(), "--output", "json"], "");
        assert!(output.status.success(), "{name}: {}", loud(&output.stderr));
        assert!(elapsed < Duration::from_secs(4), "{name}: {elapsed:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        let word = if name == "f1-network" { "evil:host/net" } else { "post-loop" };
        assert!(said.contains(word), "{name}: {said}");
    }
}
