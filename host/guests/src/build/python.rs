//! Python: componentize-py puts the source and an interpreter into one component.

use std::path::{Path, PathBuf};
use std::process::Command;

use ta_runtime::RuntimeError;

use super::tool;
use crate::files;
use crate::project::Project;

pub(crate) const INSTALL: &str =
    "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt (in the guest's directory)";
const COMPONENT: &str = "target/guest.wasm";

pub(super) fn build(project: &Project) -> Result<Vec<u8>, RuntimeError> {
    let program = program(&project.directory).ok_or_else(|| tool::missing("componentize-py", INSTALL))?;
    super::package(project)?;
    let component = project.directory.join(COMPONENT);
    let mut command = Command::new(program);
    command.args([
        "--wit-path",
        super::PACKAGE,
        "--world",
        "guest",
        "componentize",
        "--stub-wasi",
        "app",
        "--python-path",
        "src",
        "--output",
        COMPONENT,
    ]);
    tool::run(command.current_dir(&project.directory), INSTALL)?;
    std::fs::read(&component).map_err(|error| files::failed(&component, &error))
}

/// The tool in the guest's own environment, else on the path.
fn program(directory: &Path) -> Option<PathBuf> {
    let own = directory.join(".venv/bin/componentize-py");
    let own =
        own.exists().then(|| std::fs::canonicalize(directory).ok().map(|it| it.join(".venv/bin/componentize-py")));
    own.flatten().or_else(|| tool::find("componentize-py"))
}

/// What the tool says about itself.
pub(crate) fn version(directory: &Path) -> Option<String> {
    tool::said(Command::new(program(directory)?).arg("--version"))
}
