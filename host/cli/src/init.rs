//! The sample workspace, written where there is none.

use std::path::Path;

use ta_runtime::{RuntimeError, sample};

/// Writes the sample workspace into a directory that does not exist yet.
pub(crate) fn init(directory: &Path) -> Result<usize, RuntimeError> {
    if directory.exists() {
        let message = format!("{} exists already", directory.display());
        return Err(RuntimeError::usage("workspace.exists", message, "give another directory; nothing is overwritten"));
    }
    let failed = |path: &Path, error: std::io::Error| {
        let message = format!("{} cannot be written: {error}", path.display());
        RuntimeError::environment("path.io", message, "look at the disk: space, rights")
    };
    let mut written = 0;
    for (name, bytes) in sample::files() {
        let path = directory.join(name);
        let parent = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        std::fs::write(&path, bytes).map_err(|error| failed(&path, error))?;
        written += 1;
    }
    Ok(written)
}
