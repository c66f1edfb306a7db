//! `export`: an output as a document, from a session or from a file of markdown.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use ta_runtime::surface::{Event, Status, visible};
use ta_runtime::{Host, RuntimeError, documents, history};

use crate::args::{ExportArgs, Output};
use crate::commands::print_json;
use crate::exit::{self, Code};
use crate::out::outln;

type Result<T> = std::result::Result<T, RuntimeError>;

/// The most that is read of a file: more than a document is made of, so that what is too long is seen to be.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Whether this names a file, not a session.
pub(crate) fn is_file(source: &str) -> bool {
    source.ends_with(".md") || Path::new(source).is_file()
}

/// Makes the document and writes it.
pub(crate) async fn run(host: &Host, wanted: &ExportArgs, output: Output) -> Result<Code> {
    let (text, of) = match is_file(&wanted.source) {
        true => (read(&wanted.source)?, None),
        false => last_output(host, &wanted.source).await.map(|(text, plugin)| (text, Some(plugin)))?,
    };
    let (plugin, of) = (wanted.plugin.as_deref(), of.as_deref());
    let (form, part) = (wanted.form.as_str(), wanted.part.as_deref());
    let document = documents::write(host, documents::Wanted { plugin, of, form, part, text: &text }).await?;
    let bytes = document.bytes;
    if wanted.out.as_deref() == Some("-") {
        let mut out = std::io::stdout().lock();
        return match out.write_all(&bytes).and_then(|()| out.flush()) {
            // Whoever reads it may have had enough.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(unwritten("standard output", &error)),
            _ => Ok(exit::SUCCESS),
        };
    }
    let file = match &wanted.out {
        Some(name) => {
            let path = PathBuf::from(name);
            replace(&path, &bytes).map_err(|error| unwritten(name, &error))?;
            path
        }
        None => create(&document.name, &bytes)?,
    };
    match output {
        Output::Text => outln!("{}", visible(&file.display().to_string())),
        _ => print_json(&json!({ "file": file, "media_type": document.media_type, "bytes": bytes.len() })),
    }
    Ok(exit::SUCCESS)
}

/// The latest output of a session, or that of one run, and the plugin whose it is. What a hook refused is none.
async fn last_output(host: &Host, id: &str) -> Result<(String, String)> {
    let store = host.store_to_read()?;
    let trace = history::trace_of(&*store, id).await?;
    let mut records = history::lineage(&*store, &trace.session).await?;
    if trace.trace.starts_with(id) {
        records.retain(|record| record.run == trace.trace);
    }
    let output = records.iter().rev().find_map(|record| match &record.event {
        Event::RunFinished(end) if end.status != Status::ErrorHookAbort => Some((end.output.clone()?, &record.run)),
        _ => None,
    });
    let found = output.and_then(|(output, run)| {
        let plugin = records.iter().find_map(|record| match &record.event {
            Event::RunStarted(start) if record.run == *run => Some(start.plugin.clone()),
            _ => None,
        });
        Some((output, plugin?))
    });
    found.ok_or_else(|| {
        RuntimeError::usage(
            "export.unfinished",
            format!("{id} has no finished output yet"),
            "answer what it waits for, then export it: teacher-assist --resume SESSION",
        )
    })
}

fn read(name: &str) -> Result<String> {
    let unread = |why: &dyn std::fmt::Display| {
        RuntimeError::usage("export.file", format!("{name} cannot be read: {why}"), "name a markdown file or a session")
    };
    let file = File::open(name).map_err(|error| unread(&error))?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(|error| unread(&error))?;
    String::from_utf8(bytes).map_err(|_| unread(&"it is not UTF-8"))
}

/// Writes beside and renames, so that an interrupted write keeps the old file.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Writes under a name that nobody chose, and so over nothing.
fn create(name: &str, bytes: &[u8]) -> Result<PathBuf> {
    let mut file = File::create_new(name).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => RuntimeError::usage(
            "export.exists",
            format!("{name} is here already"),
            "give --out FILE to replace it or to choose another name",
        ),
        _ => unwritten(name, &error),
    })?;
    file.write_all(bytes).map_err(|error| unwritten(name, &error))?;
    Ok(name.into())
}

fn unwritten(name: &str, error: &std::io::Error) -> RuntimeError {
    RuntimeError::environment("export.write", format!("{name} cannot be written: {error}"), "choose another --out FILE")
}
