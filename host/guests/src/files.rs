//! Files that a command reads and writes, with errors that name them.

use std::path::Path;

use ta_runtime::RuntimeError;

/// An error of the disk.
pub(crate) fn failed(path: &Path, error: &std::io::Error) -> RuntimeError {
    let message = format!("{}: {error}", path.display());
    RuntimeError::environment("path.io", message, "look at the disk: space, rights, whether the file is there")
}

/// The text of a file; none where there is no such file.
///
/// # Errors
/// A file that cannot be read, or is no UTF-8.
pub fn text(path: &Path) -> Result<Option<String>, RuntimeError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, &error)),
    }
}

/// Writes a file whole, with the directories on its way: whoever reads it sees the old one or the new one.
///
/// # Errors
/// What the disk says.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), RuntimeError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let fresh = parent.join(format!(".{name}.{}", std::process::id()));
    std::fs::write(&fresh, bytes).map_err(|error| failed(&fresh, &error))?;
    std::fs::rename(&fresh, path).map_err(|error| failed(path, &error))
}

/// The names in a directory, sorted; none where there is no such directory.
///
/// # Errors
/// What the disk says.
pub(crate) fn names(directory: &Path) -> Result<Vec<String>, RuntimeError> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(directory, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| failed(directory, &error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
