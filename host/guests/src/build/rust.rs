//! Rust: cargo makes the core module, without a path of this machine in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use ta_runtime::RuntimeError;

use super::component::component;
use super::tool;
use crate::project::Project;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
pub(crate) const INSTALL_RUST: &str = "https://rustup.rs";
pub(crate) const INSTALL_TARGET: &str = "rustup target add wasm32-unknown-unknown";
/// A guest's stack, in bytes: the linker's megabyte is the largest part of a guest's memory, and hardly any of it is used.
const STACK_BYTES: u32 = 128 * 1024;

pub(super) fn build(project: &Project) -> Result<Vec<u8>, RuntimeError> {
    if !has_target() {
        return Err(tool::missing(&format!("the target {TARGET}"), INSTALL_TARGET));
    }
    let mut cargo = Command::new(program());
    cargo.args(["rustc", "--lib", "--profile", "guest", "--target", TARGET, "--crate-type", "cdylib"]);
    cargo.args(["--message-format", "json-render-diagnostics"]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags(&project.directory)).env_remove("RUSTFLAGS");
    // A wrapper of the person's own would make other bytes of the same sources.
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER").current_dir(&project.directory);
    let messages = tool::run(&mut cargo, INSTALL_RUST)?;
    let module = module(&String::from_utf8_lossy(&messages)).ok_or_else(|| {
        let hint = "give the library of Cargo.toml no other name than the package's";
        RuntimeError::configuration("guest.build", "cargo made no .wasm of the guest's library", hint)
    })?;
    let bytes = std::fs::read(&module).map_err(|error| crate::files::failed(&module, &error))?;
    component(&bytes)
}

/// The program that cargo is.
pub(crate) fn program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

/// Whether the toolchain has what components are compiled for.
pub(crate) fn has_target() -> bool {
    let libraries = tool::said(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    libraries.is_some_and(|directory| tool::exists(Path::new(&directory)))
}

/// The last artefact that is a module: cargo names what is depended on first.
fn module(messages: &str) -> Option<PathBuf> {
    let artefact = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let files = message.get("filenames")?.as_array()?;
        files.iter().filter_map(Value::as_str).find(|name| name.ends_with(".wasm")).map(PathBuf::from)
    };
    messages.lines().rev().find_map(artefact)
}

/// Flags for rustc, with the byte between them that no path holds.
fn flags(directory: &Path) -> String {
    let home = std::env::home_dir().unwrap_or_default();
    let cargo_home = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let directory = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    // The last prefix that fits is the one that is taken, so the widest comes first.
    let prefixes = [(home, "home"), (cargo_home, "cargo"), (directory, "guest")];
    let remapped = prefixes.into_iter().filter(|(from, _)| from.parent().is_some());
    let remapped = remapped.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    let stack = format!("-Clink-arg=-zstack-size={STACK_BYTES}");
    remapped.chain([stack]).collect::<Vec<_>>().join("\u{1f}")
}

#[cfg(test)]
mod tests {
    use super::module;

    #[test]
    fn the_guests_own_module_is_the_last() {
        let messages = "{\"reason\":\"compiler-artifact\",\"filenames\":[\"/t/libserde.rlib\"]}\nno json\n\
                        {\"reason\":\"compiler-artifact\",\"filenames\":[\"/t/own.wasm\"]}\n{\"reason\":\"build-finished\"}";
        assert_eq!(module(messages).unwrap().to_str(), Some("/t/own.wasm"));
        assert_eq!(module("{}"), None);
    }
}
