//! Which version of the contract a component was built against: read from its bytes, before anything is made of it.
//!
//! The names of its imports and exports stand in it as they are, so nothing has to be compiled to say that it was built for
//! another host.

use crate::failure::SandboxError;
use crate::inspect::{PACKAGE, VERSION};
use crate::shape::Reader;

/// The sections of a component that hold the names of its imports and of its exports.
const NAMES: [u8; 2] = [10, 11];

/// Refuses a component that was built against another version.
pub(crate) fn check(bytes: &[u8]) -> Result<(), SandboxError> {
    let mut reader = Reader(bytes);
    // What is broken is found by those who look at the whole.
    let Ok(header) = reader.take(8) else { return Ok(()) };
    if !header.starts_with(b"\0asm") {
        return Ok(());
    }
    while let Ok(Some((id, body))) = reader.section() {
        if NAMES.contains(&id) {
            named(body.0).into_iter().try_for_each(compatible)?;
        }
    }
    Ok(())
}

/// The versions in the names of our package, as they stand in a section.
fn named(section: &[u8]) -> Vec<&str> {
    let text_of = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    let starts = section.windows(PACKAGE.len()).enumerate().filter(|(_, window)| *window == PACKAGE.as_bytes());
    let versions = starts.filter_map(|(at, _)| {
        let rest = section.get(at + PACKAGE.len()..)?.strip_prefix(b"/")?;
        let interface = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        let version = rest.get(interface..)?.strip_prefix(b"@")?;
        let length = version.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b".+-".contains(byte)).count();
        Some(text_of(version.get(..length)?))
    });
    versions.collect()
}

/// Before 1.0 a minor version is a break; patches are compatible.
pub(crate) fn compatible(version: &str) -> Result<(), SandboxError> {
    let minor = |version: &str| version.rsplit_once('.').map(|(minor, _)| minor.to_owned());
    if minor(version) == minor(VERSION) {
        return Ok(());
    }
    let message = format!("it was built against {PACKAGE}@{version}, this host speaks {PACKAGE}@{VERSION}");
    let hint = format!("build it again with this host's `wit/plugin`, or run it with a host that speaks {version}");
    Err(SandboxError::new("plugin.world_mismatch", message, hint))
}
