//! The program that compiles components, which is this one; and components that are compiled when it is packaged.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::error::RuntimeError;
use crate::grants::Grants;
use crate::host::Host;
use crate::plugin;

/// Compiles a component, where this process was started for that. To be called before anything else.
#[must_use]
pub fn child() -> Option<ExitCode> {
    ta_sandbox::compile_child(std::env::args_os())
}

/// This very program, also where another has been put in its place meanwhile.
#[must_use]
pub fn program() -> PathBuf {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { running } else { std::env::current_exe().unwrap_or_default() }
}

/// Compiles the components of all plugins within the binary, and writes their code beside a program. Gives their number.
///
/// # Errors
/// The first that is refused or cannot be written.
pub async fn ship(host: &Host, program: &Path) -> Result<usize, RuntimeError> {
    let grants = Grants::read(None)?;
    let mut problems = Vec::new();
    let mut count = 0;
    for plugin in plugin::all(None, &mut problems)? {
        for (name, entry) in plugin.manifest.components() {
            let full_name = format!("{}:{name}", plugin.manifest.name);
            let (bytes, rights) = (plugin.files.component(&entry.component)?, grants.rights(&full_name, entry));
            host.sandbox.ship(program, &full_name, &bytes, rights, grants.limits(entry)).await?;
            count += 1;
        }
    }
    Ok(count)
}
