//! Where a participant's runs are: in a workspace of their own.

use std::path::{Path, PathBuf};

use ta_runtime::telemetry::TelemetryConfig;
use ta_runtime::{Host, HostConfig, RuntimeError};

use crate::under::files_below;

/// The host with a workspace of the participant's own: what one leaves in it, another never meets.
pub(crate) fn host_of(host: &Host, (study, participant): (&str, &str), with_files: bool) -> Result<Host, RuntimeError> {
    let home = directory_of(&host.config.data_dir, study, participant);
    let workspace = home.join(if with_files { "workspace" } else { "empty" });
    if !workspace.is_dir() {
        copy(&host.config.workspace, &workspace, with_files).map_err(|error| {
            let message = format!("the participant's workspace {} cannot be made: {error}", workspace.display());
            RuntimeError::environment("study.workspace", message, "look at the disk: space, rights")
        })?;
    }
    let config = HostConfig {
        workspace,
        operator: host.operator_file(),
        // What participants do is nobody's telemetry.
        telemetry: TelemetryConfig::default(),
        ..host.config.clone()
    };
    Host::on(config, host.store()?)
}

/// Where a participant's own files lie.
pub(crate) fn directory_of(data: &Path, study: &str, participant: &str) -> PathBuf {
    data.join("studies").join(study).join(participant)
}

fn copy(from: &Path, to: &Path, with_files: bool) -> Result<(), std::io::Error> {
    // Beside first, so that what is there is whole.
    let beside = to.with_extension("new");
    let _ = std::fs::remove_dir_all(&beside);
    std::fs::create_dir_all(&beside)?;
    if with_files {
        let files = files_below(from).map_err(|error| std::io::Error::other(error.message))?;
        for file in files {
            let target = beside.join(file.strip_prefix(from).unwrap_or(&file));
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::copy(&file, target)?;
        }
    }
    std::fs::rename(beside, to)
}
