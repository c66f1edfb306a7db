//! `guest build`: from a guest's sources to its component, by the language's own tools, and a look at what came out.

pub(crate) mod c;
mod component;
pub(crate) mod javascript;
pub(crate) mod python;
pub(crate) mod rust;
pub(crate) mod tool;

use std::path::PathBuf;

use serde::Serialize;
use ta_runtime::inspect::{self, Report};
use ta_runtime::{Host, RuntimeError};

use crate::Language;
use crate::files;
use crate::kit;
use crate::project::{Project, Role};

/// Below the guest's directory: its world and the contract in one directory, as the tools of some languages want it.
const PACKAGE: &str = "target/wit";

/// A component that was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Built {
    /// Its file.
    pub component: PathBuf,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// The points that it exports, and `tool`.
    pub exports: Vec<String>,
    /// The capabilities that its imports need.
    pub needs: Vec<String>,
    /// What else it exports, which nobody calls.
    pub foreign: Vec<String>,
}

/// Builds the guest, and puts its component beside `guest.toml`. What the language's tools say goes to standard error.
///
/// # Errors
/// `guest.tool_missing` with the line that installs it; `guest.build` where the sources do not build; `guest.exports` and
/// `guest.capabilities` where the component is not what `guest.toml` says; then the component that was there stays.
pub fn build(host: &Host, project: &Project) -> Result<Built, RuntimeError> {
    let bytes = match project.language {
        Language::Rust => rust::build(project)?,
        Language::C => c::build(project)?,
        Language::JavaScript => javascript::build(project)?,
        Language::Python => python::build(project)?,
    };
    // Looked at under another name, so that one that is not what it should be takes nobody's place.
    let fresh = project.component().with_extension("wasm.new");
    files::write(&fresh, &bytes)?;
    let looked = inspect::inspect(host, &fresh.to_string_lossy()).and_then(|report| as_declared(project, report));
    let report = match looked {
        Ok(report) => report,
        Err(error) => {
            let _ = std::fs::remove_file(&fresh);
            return Err(error);
        }
    };
    let component = project.component();
    std::fs::rename(&fresh, &component).map_err(|error| files::failed(&component, &error))?;
    let Report { sha256, bytes, exports, needs, foreign, .. } = report;
    Ok(Built { component, sha256, bytes, exports, needs, foreign })
}

/// The report, where the component exports and needs what `guest.toml` says.
fn as_declared(project: &Project, report: Report) -> Result<Report, RuntimeError> {
    let wanted: Vec<&str> = match project.role {
        Role::Hook => project.entry.points.iter().map(|point| point.name()).collect(),
        Role::Tool => vec!["tool"],
    };
    if let Some(missing) = wanted.iter().find(|name| !report.exports.iter().any(|it| it == *name)) {
        let message = format!("the component does not export `{missing}`; it exports: {}", report.exports.join(", "));
        let hint = "export it, or mend guest.toml: it says where the guest runs";
        return Err(RuntimeError::configuration("guest.exports", message, hint));
    }
    let asked = || project.entry.capabilities.iter().chain(&project.entry.optional);
    let missing: Vec<&str> =
        report.needs.iter().filter(|need| !asked().any(|it| it == *need)).map(String::as_str).collect();
    if missing.is_empty() {
        return Ok(report);
    }
    let message = format!("the component needs what guest.toml does not ask for: {}", missing.join(", "));
    let quoted: Vec<String> = missing.iter().map(|name| format!("\"{name}\"")).collect();
    let hint = format!("add {} to `capabilities` in guest.toml, or do without", quoted.join(", "));
    Err(RuntimeError::configuration("guest.capabilities", message, hint))
}

/// Lays the guest's world and the contract out as one package with what it depends on.
///
/// # Errors
/// What the disk says; `guest.build` where there is no world.
fn package(project: &Project) -> Result<(), RuntimeError> {
    let (world, package) = (project.directory.join("guest.wit"), project.directory.join(PACKAGE));
    let text = files::text(&world)?.ok_or_else(|| {
        let message = format!("there is no file {}", world.display());
        RuntimeError::configuration(
            "guest.build",
            message,
            "the world of the guest stands there; `guest new` writes one",
        )
    })?;
    files::write(&package.join("guest.wit"), text.as_bytes())?;
    let contract = project.directory.join(kit::DIRECTORY).join(kit::CONTRACT);
    for name in files::names(&contract)? {
        let text = files::text(&contract.join(&name))?.unwrap_or_default();
        files::write(&package.join("deps/plugin").join(name), text.as_bytes())?;
    }
    Ok(())
}
