//! The journal kept elsewhere, and put back.

use std::path::Path;

use serde_json::json;
use ta_runtime::{Host, RuntimeError};

use crate::args::Output;
use crate::exit::{self, Code};
use crate::out::outln;

/// Copies the journal into a new file.
pub(crate) async fn backup(host: &Host, file: &Path, output: Output) -> Result<Code, RuntimeError> {
    host.backup(file).await?;
    let bytes = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    if output == Output::Text {
        outln!("wrote the journal to {} ({bytes} bytes)", file.display());
        outln!(
            "What was written for you, profiles and settings are files in {}: copy that as well.",
            host.config.workspace.display()
        );
    } else {
        outln!("{}", json!({ "file": file, "bytes": bytes }));
    }
    Ok(exit::SUCCESS)
}

/// Puts a backup in the journal's place.
pub(crate) fn restore(host: &Host, file: &Path, output: Output) -> Result<Code, RuntimeError> {
    let aside = host.restore(file)?;
    if output == Output::Text {
        outln!("{} is the journal now", file.display());
        if let Some(aside) = aside {
            outln!("The journal before it is in {}; delete that when you need it no more.", aside.display());
        }
    } else {
        outln!("{}", json!({ "file": file, "set_aside": aside }));
    }
    Ok(exit::SUCCESS)
}
