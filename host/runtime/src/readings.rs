//! Documents that somebody brings in: a plugin says which it can read, and a component of its own reads them.
//!
//! A reader is given the file and reaches nothing. It is called outside of runs. What a plugin makes of documents once they are read
//! are actions of its own.

use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest, Sha256};
use ta_core::hook::CallContext;
use ta_core::manifest::ReaderEntry;
use ta_sandbox::{DOCUMENT_BYTES_MAX, Ended, Failure, Guest, Invocation, Reading, ReadingRequest};

use crate::components::source;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::plugin::{self, Plugin};

/// The most that a file may have, in bytes.
pub const FILE_BYTES_MAX: u64 = DOCUMENT_BYTES_MAX as u64;

/// A file that somebody brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brought<'a> {
    /// Its name, without its directory.
    pub name: &'a str,
    /// What it holds.
    pub bytes: &'a [u8],
    /// What the reader is told of it, by name.
    pub options: &'a [(String, String)],
    /// The plugin that is to use it: its own readers come first, and read what no ending speaks for.
    pub of: &'a str,
}

/// A document, and the file that it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadDocument {
    /// The file's name.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// What was read.
    #[serde(flatten)]
    pub reading: Reading,
}

fn unread_by(reader: &str, why: &str) -> RuntimeError {
    RuntimeError::configuration("import.failed", format!("`{reader}` read nothing: {why}"), "mend the component")
}

/// Reads a document.
///
/// # Errors
/// - `import.too-large` where the file has more than 32 MiB, or its reader runs out of time, memory or what it may hand over;
/// - `import.format` where nobody reads such files, or several plugins do;
/// - `import.` and a word of the reader's own where it refuses the file;
/// - `import.malformed` where its component traps, or makes what is no document;
/// - those of loading a component, such as `plugin.digest_mismatch`.
pub async fn read(host: &Host, file: Brought<'_>) -> Result<ReadDocument, RuntimeError> {
    if file.bytes.len() > DOCUMENT_BYTES_MAX {
        return Err(too_long(file.name));
    }
    let (plugin, name) = chosen(host, file)?;
    let Some(reader) = plugin.manifest.readers.get(&name) else { return Err(unread(file.name, &[])) };
    let guest = load(host, &plugin, &name, reader).await?;
    let request = ReadingRequest { name: file.name, bytes: file.bytes, options: file.options };
    let digest = Sha256::digest(file.bytes);
    // A reader has no clock and no randomness; a language runtime in one seeds itself by the file, so that the same file makes
    // the same document.
    let outcome = host.sandbox.call_reader(&guest, request, invocation(&guest, digest.into())).await;
    match outcome.ended {
        Ended::Returned(Ok(reading)) => {
            Ok(ReadDocument { name: file.name.to_owned(), sha256: hex::encode(digest), reading })
        }
        Ended::Returned(Err(refusal)) => {
            let code = format!("import.{}", refusal.code);
            Err(RuntimeError::configuration(&code, refusal.message, refusal.hint))
        }
        Ended::Failed(failure) => Err(ended(file.name, &failure)),
        Ended::Requested(_) => Err(unread_by(&guest.name, "it makes a request of its own")),
    }
}

/// A file that has more bytes than are read.
#[must_use]
pub fn too_long(name: &str) -> RuntimeError {
    let message = format!("{name} is no regular file of at most {DOCUMENT_BYTES_MAX} bytes");
    RuntimeError::configuration("import.too-large", message, "split the document")
}

/// How a call that did not return ended, for whoever brought the document.
fn ended(what: &str, failure: &Failure) -> RuntimeError {
    let why = failure.reason.trim_end_matches('.');
    match failure.code {
        "hook.deadline" | "hook.memory" | "hook.payload" | "hook.limit" => {
            let message = format!("{what} takes more time or memory than reading may: {why} [{}]", failure.code);
            let hint = "this is no ordinary document: print it to a new PDF or save it as text, or split it";
            RuntimeError::configuration("import.too-large", message, hint)
        }
        "hook.trap" | "hook.stack" | "hook.malformed" | "reader.malformed" => {
            let message = format!("{what} cannot be read: the reader stopped at \"{why}\" [{}]", failure.code);
            let hint = "open it, save it anew as PDF or text, and import that";
            RuntimeError::configuration("import.malformed", message, hint)
        }
        code => unread_by(what, &format!("{why} [{code}]")),
    }
}

fn invocation(guest: &Guest, seed: [u8; 32]) -> Invocation {
    Invocation { seed, ..Invocation::new(CallContext::default(), Arc::clone(&guest.rights), guest.limits) }
}

/// Whether a file's name ends as one of these.
#[must_use]
pub fn ends_as(name: &str, formats: &[String]) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| formats.contains(&ending))
}

/// The reader for a file: of the plugin that is to use it the one with this ending, else the only other plugin's, else that
/// plugin's first, which looks at the bytes.
fn chosen(host: &Host, file: Brought<'_>) -> Result<(Plugin, String), RuntimeError> {
    let reader_of = |plugin: &Plugin| {
        let mut readers = plugin.manifest.readers.iter();
        readers.find(|(_, it)| ends_as(file.name, &it.formats)).map(|(name, _)| name.clone())
    };
    let (mut own, others): (Vec<Plugin>, Vec<Plugin>) = plugin::all(host.config.plugins.as_deref(), &mut Vec::new())?
        .into_iter()
        .partition(|plugin| plugin.manifest.name == file.of);
    let own = own.pop();
    if let Some((plugin, name)) = own.as_ref().and_then(|plugin| Some((plugin, reader_of(plugin)?))) {
        return Ok((plugin.clone(), name));
    }
    let able: Vec<&Plugin> = others.iter().filter(|it| reader_of(it).is_some()).collect();
    match able.as_slice() {
        [only] => Ok(((*only).clone(), reader_of(only).unwrap_or_default())),
        [] => {
            let first = own.and_then(|plugin| {
                let name = plugin.manifest.readers.keys().next()?.clone();
                Some((plugin, name))
            });
            first.ok_or_else(|| unread(file.name, &[]))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|it| it.manifest.name.as_str()).collect();
            Err(unread(file.name, &names))
        }
    }
}

fn unread(name: &str, several: &[&str]) -> RuntimeError {
    if several.is_empty() {
        let message = format!("no plugin reads documents such as {name}");
        return RuntimeError::configuration("import.format", message, "save it as PDF or text, with the usual ending");
    }
    let message = format!("several plugins read documents such as {name}: {}", several.join(", "));
    RuntimeError::configuration("import.format", message, "leave the ending to one of them, in its `formats`")
}

async fn load(host: &Host, plugin: &Plugin, name: &str, reader: &ReaderEntry) -> Result<Guest, RuntimeError> {
    let source = source(plugin, name, &reader.component, None, &host.grants()?)?;
    let guest =
        host.sandbox.load(&source.full_name, &source.bytes, source.pinned.as_deref(), source.rights, source.limits);
    let guest = guest.await?;
    if guest.inspection.reader {
        return Ok(guest);
    }
    let message = format!("the component of the reader `{name}` does not export `reader`");
    let hint = "mend `component` in plugin.toml; `inspect` shows what a component exports";
    Err(RuntimeError::configuration("plugin.world_mismatch", message, hint))
}
