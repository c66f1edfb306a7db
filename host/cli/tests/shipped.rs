//! Components that were compiled when the binary was packaged, and lie beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{CREATE, Call, Home};

/// The binary in a directory of its own, which holds nothing else.
fn package(home: &Home) -> PathBuf {
    let directory = home.path("package");
    fs::create_dir(&directory).unwrap();
    let program = directory.join("teacher-assist");
    let built = env!("CARGO_BIN_EXE_teacher-assist");
    // A second name costs nothing; between two file systems it has to be a copy.
    if fs::hard_link(built, &program).is_err() {
        fs::copy(built, &program).unwrap();
    }
    program
}

/// The arguments and places of a command, for another program.
fn by(program: &Path, command: &Command) -> Command {
    let mut other = Command::new(program);
    other.args(command.get_args()).current_dir(command.get_current_dir().unwrap()).stdin(std::process::Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => other.env(name, value),
            None => other.env_remove(name),
        };
    }
    other
}

/// Makes a lesson with a cache that was never used, and gives what is in it afterwards.
fn first_start(home: &Home, program: &Path, cache: &str) -> Vec<String> {
    let words = [CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"];
    let mut command = by(program, &home.command(&words));
    command.env("TEACHER_ASSIST_CACHE", home.path(cache));
    let call = Call::of(&command.output().unwrap()).expect(0);
    assert_eq!(call.json()["status"], "success");
    let Ok(entries) = fs::read_dir(home.path(cache).join("components")) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn compiled(kept: &[String]) -> usize {
    kept.iter().filter(|name| name.ends_with(".cwasm")).count()
}

#[test]
fn a_package_compiles_nothing_on_its_first_start() {
    let home = Home::new();
    let program = package(&home);
    let all = compiled(&first_start(&home, &program, "without"));
    assert!(all > 5, "only {all} components were compiled");

    let shipped = Call::of(&by(&program, &home.command(&["ship-components"])).output().unwrap()).expect(0);
    assert!(shipped.out.contains("compiled"), "{}", shipped.out);
    assert_eq!(compiled(&first_start(&home, &program, "with")), 0);

    // What others may write is not taken: everything is compiled as if nothing had been shipped.
    let beside = home.path("package/shipped.cache");
    fs::set_permissions(&beside, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(compiled(&first_start(&home, &program, "writable")), all);
    fs::set_permissions(&beside, fs::Permissions::from_mode(0o755)).unwrap();
    let one = fs::read_dir(&beside).unwrap().map(|entry| entry.unwrap().path());
    for code in one.filter(|path| path.extension().is_some_and(|ending| ending == "cwasm")) {
        fs::set_permissions(&code, fs::Permissions::from_mode(0o446)).unwrap();
    }
    assert_eq!(compiled(&first_start(&home, &program, "one-writable")), all);
}
