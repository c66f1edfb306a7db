//! Random secrets, and files that only their owner reads.

use std::io::{self, Write as _};
use std::path::Path;

use ta_runtime::RuntimeError;
use ta_runtime::codes::Bits;

/// Bytes of a token: nobody guesses it.
const TOKEN_BYTES: usize = 32;

/// A new token.
///
/// # Errors
/// Where the system has no randomness.
pub(crate) fn token() -> Result<String, RuntimeError> {
    let mut bytes = [0_u8; TOKEN_BYTES];
    fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

fn fill(bytes: &mut [u8]) -> Result<(), RuntimeError> {
    getrandom::fill(bytes).map_err(|error| {
        let message = format!("the system gives no randomness: {error}");
        RuntimeError::environment("host.random", message, "look at the system")
    })
}

/// A new id, which opens nothing: 32 hexadecimal digits.
///
/// # Errors
/// Where the system has no randomness.
pub(crate) fn id() -> Result<String, RuntimeError> {
    let mut token = token()?;
    token.truncate(32);
    Ok(token)
}

/// What an access code is written from.
///
/// # Errors
/// Where the system has no randomness.
pub(crate) fn bits() -> Result<Bits, RuntimeError> {
    let mut bits = Bits::default();
    fill(&mut bits)?;
    Ok(bits)
}

/// Writes a file whole, for its owner's eyes alone: beside, then by rename.
///
/// # Errors
/// Where the disk says no.
pub(crate) fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let beside = path.with_extension("new");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // What lies there may have been made with other rights.
    match std::fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = options.open(&beside)?;
    file.write_all(text)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

/// The error of a file that cannot be read or written.
pub(crate) fn unusable(path: &Path, error: &impl std::fmt::Display) -> RuntimeError {
    let message = format!("{} cannot be used: {error}", path.display());
    RuntimeError::environment("path.io", message, "look at the disk: space, rights; or at the file")
}
