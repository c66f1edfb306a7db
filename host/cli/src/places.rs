//! Where things are by default.

use std::path::PathBuf;

use ta_runtime::HostConfig;
use ta_runtime::telemetry::TelemetryConfig;

use crate::args::Places;

/// The places of this call: what was said, else what is here, else the user's own directories.
pub(crate) fn config(places: &Places) -> HostConfig {
    let here = |name: &str| Some(PathBuf::from(name)).filter(|path| path.is_dir());
    let project = here(".agent").and_then(|_| std::env::current_dir().ok());
    // Agents of a project work on the project itself, where it has no directory of that name.
    let workspace = || here("workspace").or_else(|| project.clone()).unwrap_or_else(|| PathBuf::from("workspace"));
    HostConfig {
        data_dir: places.data_dir.clone().unwrap_or_else(|| of_user("XDG_DATA_HOME", ".local/share")),
        cache_dir: Some(
            places.cache_dir.clone().unwrap_or_else(|| of_user("XDG_CACHE_HOME", ".cache")).join("components"),
        ),
        compiler: ta_runtime::compiler::program(),
        shipped_with: std::env::current_exe().ok(),
        plugins: places.plugins.clone().or_else(|| here("plugins")),
        workspace: places.workspace.clone().unwrap_or_else(workspace),
        project: project.clone(),
        operator: places.operator.clone(),
        models: places.models.places(),
        telemetry: TelemetryConfig { endpoint: places.telemetry.otel.clone(), content: places.telemetry.otel_content },
    }
}

/// The XDG directory, the usual one below the home directory, or the present directory for a user without a home.
fn of_user(variable: &str, below_home: &str) -> PathBuf {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set(variable).or_else(|| set("HOME").map(|home| home.join(below_home)));
    base.map_or_else(|| PathBuf::from(".teacher-assist"), |base| base.join("teacher-assist"))
}
