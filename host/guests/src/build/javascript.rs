//! JavaScript: componentize-qjs puts the source and the engine QuickJS into one component.

use std::path::Path;
use std::process::Command;

use ta_runtime::RuntimeError;

use super::tool;
use crate::files;
use crate::project::Project;

pub(crate) const INSTALL: &str = "npm install (in the guest's directory; package.json names the version)";
const CLI: &str = "node_modules/.bin/componentize-qjs";
const COMPONENT: &str = "target/guest.wasm";

pub(super) fn build(project: &Project) -> Result<Vec<u8>, RuntimeError> {
    let program = project.directory.join(CLI);
    if !program.exists() {
        return Err(tool::missing("componentize-qjs", INSTALL));
    }
    super::package(project)?;
    let component = project.directory.join(COMPONENT);
    let mut command = Command::new(std::fs::canonicalize(&program).unwrap_or(program));
    command.args([
        "--wit",
        super::PACKAGE,
        "--world",
        "guest",
        "--js",
        "src/guest.js",
        "--sync",
        "--opt-size",
        "--output",
        COMPONENT,
    ]);
    tool::run(command.current_dir(&project.directory), INSTALL)?;
    std::fs::read(&component).map_err(|error| files::failed(&component, &error))
}

/// What the tool in a guest's directory says about itself.
pub(crate) fn version(directory: &Path) -> Option<String> {
    let manifest = files::text(&directory.join("node_modules/componentize-qjs/package.json")).ok()??;
    let manifest: serde_json::Value = serde_json::from_str(&manifest).ok()?;
    manifest.get("version")?.as_str().map(ToOwned::to_owned)
}
