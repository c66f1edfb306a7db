//! Documents of texts: a plugin says which forms it can write, and a component of its own makes them.
//!
//! No run knows of it: a writer is given the text and nothing else, and what it makes goes to whoever asked.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use ta_core::hook::CallContext;
use ta_core::manifest::WriterEntry;
use ta_sandbox::{DOCUMENT_BYTES_MAX, Document, DocumentRequest, Ended, Guest, Invocation};

use crate::components::source;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::plugin::{self, Plugin};

/// What somebody wants to take away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// The plugin that has to write it. Where none is named it is the one whose text it is, where that writes this form, else
    /// the only plugin that does.
    pub plugin: Option<&'a str>,
    /// The plugin whose text it is; none for a person's own file.
    pub of: Option<&'a str>,
    /// The form of the document, such as `pdf`.
    pub form: &'a str,
    /// The part of the text; none for the whole.
    pub part: Option<&'a str>,
    /// The text, in markdown.
    pub text: &'a str,
}

/// Makes a document.
///
/// # Errors
/// - `export.too-large` where the text has more than 32 MiB;
/// - `plugin.unknown`; `export.form` where nobody writes this form, or several plugins do and none is named; `export.part`;
/// - `export.` and a word of the writer's own where it refuses the text;
/// - `export.failed` where its component traps, runs out, or makes what is no document;
/// - those of loading a component, such as `plugin.digest_mismatch`.
pub async fn write(host: &Host, wanted: Wanted<'_>) -> Result<Document, RuntimeError> {
    if wanted.text.len() > DOCUMENT_BYTES_MAX {
        let message =
            format!("the text has {} bytes, and a document is made of at most {DOCUMENT_BYTES_MAX}", wanted.text.len());
        return Err(RuntimeError::configuration("export.too-large", message, "export it in parts"));
    }
    let plugin = chosen(host, wanted)?;
    let (name, writer) = writer_of(&plugin, wanted.form).ok_or_else(|| unwritten(&plugin, wanted.form))?;
    if let Some(part) = wanted.part.filter(|part| !writer.parts.iter().any(|known| known == part)) {
        let message = format!("the plugin `{}` writes no part `{part}` of a text", plugin.manifest.name);
        let hint = match writer.parts.is_empty() {
            true => "ask for all of it".to_owned(),
            false => format!("its parts are: {}; or ask for all of it", writer.parts.join(", ")),
        };
        return Err(RuntimeError::usage("export.part", message, hint));
    }
    let guest = load(host, &plugin, name, writer).await?;
    let request = DocumentRequest { format: wanted.form, text: wanted.text, part: wanted.part };
    let invocation = Invocation {
        // A writer has no clock and no randomness; a language runtime in one seeds itself by the text, so that the same text
        // makes the same document.
        seed: Sha256::digest(wanted.text.as_bytes()).into(),
        ..Invocation::new(CallContext::default(), Arc::clone(&guest.rights), guest.limits)
    };
    let failed = |why: &str, code: &str| {
        let message = format!("the writer `{}` made no document: {} [{code}]", guest.name, why.trim_end_matches('.'));
        RuntimeError::configuration(
            "export.failed",
            message,
            "try another form or a shorter text; or mend the component",
        )
    };
    match host.sandbox.call_writer(&guest, request, invocation).await.ended {
        Ended::Returned(Ok(document)) => Ok(document),
        Ended::Returned(Err(refusal)) => {
            let code = format!("export.{}", refusal.code);
            Err(RuntimeError::configuration(&code, refusal.message, refusal.hint))
        }
        Ended::Failed(failure) => Err(failed(&failure.reason, failure.code)),
        Ended::Requested(_) => Err(failed("it makes a request of its own", "hook.requests")),
    }
}

/// The plugin that was named, or whose text it is, or the only one that writes this form.
fn chosen(host: &Host, wanted: Wanted<'_>) -> Result<Plugin, RuntimeError> {
    let directory = host.config.plugins.as_deref();
    if let Some(name) = wanted.plugin {
        return plugin::named(directory, name);
    }
    // A plugin with problems writes what it can: `validate` says the rest.
    let plugins = plugin::all(directory, &mut Vec::new())?;
    let own = plugins.iter().find(|it| wanted.of == Some(it.manifest.name.as_str()));
    if let Some(own) = own.filter(|it| writer_of(it, wanted.form).is_some()) {
        return Ok(own.clone());
    }
    let mut forms: Vec<&str> = plugins.iter().flat_map(forms).collect();
    forms.sort_unstable();
    forms.dedup();
    let mut able: Vec<&Plugin> = plugins.iter().filter(|it| writer_of(it, wanted.form).is_some()).collect();
    match (able.pop(), able.as_slice()) {
        (Some(plugin), []) => Ok(plugin.clone()),
        (None, _) => {
            let message = format!("no plugin writes documents of the form `{}`", wanted.form);
            Err(RuntimeError::usage("export.form", message, format!("the forms are: {}", forms.join(", "))))
        }
        (Some(last), others) => {
            let names: Vec<&str> = others.iter().chain([&last]).map(|it| it.manifest.name.as_str()).collect();
            let message = format!("several plugins write documents of the form `{}`", wanted.form);
            Err(RuntimeError::usage("export.form", message, format!("name one with --plugin: {}", names.join(", "))))
        }
    }
}

fn forms(plugin: &Plugin) -> impl Iterator<Item = &str> {
    plugin.manifest.writers.values().flat_map(|writer| writer.formats.iter().map(String::as_str))
}

fn writer_of<'a>(plugin: &'a Plugin, form: &str) -> Option<(&'a str, &'a WriterEntry)> {
    let mut writers = plugin.manifest.writers.iter();
    writers.find(|(_, it)| it.formats.iter().any(|known| known == form)).map(|(name, it)| (name.as_str(), it))
}

fn unwritten(plugin: &Plugin, form: &str) -> RuntimeError {
    let message = format!("the plugin `{}` writes no documents of the form `{form}`", plugin.manifest.name);
    let known: Vec<&str> = forms(plugin).collect();
    let hint = match known.is_empty() {
        true => "it brings no writer; name another plugin with --plugin, or none".to_owned(),
        false => format!("its forms are: {}", known.join(", ")),
    };
    RuntimeError::usage("export.form", message, hint)
}

async fn load(host: &Host, plugin: &Plugin, name: &str, writer: &WriterEntry) -> Result<Guest, RuntimeError> {
    let source = source(plugin, name, &writer.component, None, &host.grants()?)?;
    let guest =
        host.sandbox.load(&source.full_name, &source.bytes, source.pinned.as_deref(), source.rights, source.limits);
    let guest = guest.await?;
    if guest.inspection.writer {
        return Ok(guest);
    }
    let message = format!("the component of the writer `{name}` does not export `writer`");
    let hint = "mend `component` in plugin.toml; `inspect` shows what a component exports";
    Err(RuntimeError::configuration("plugin.world_mismatch", message, hint))
}
