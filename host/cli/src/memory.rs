//! `memory`: what is remembered, listed, shown, changed, written out.

use std::io::{Read as _, Write as _};
use std::path::Path;

use anstyle::Style;
use serde_json::json;
use ta_runtime::surface::{Change, FILE_BYTES_MAX, MemoryFile, MemoryPath, Store, line, visible};
use ta_runtime::{Host, RuntimeError, memory, sessions};

use crate::args::{MemorySub, Output};
use crate::commands::print_json;
use crate::exit::{self, Code};
use crate::out::outln;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const LINE_CHARS_MAX: usize = 120;

type Result<T> = std::result::Result<T, RuntimeError>;

pub(crate) async fn run(host: &Host, owner: &str, action: &MemorySub, output: Output) -> Result<Code> {
    match action {
        MemorySub::List => list(&host.store_to_read()?.memory(owner).await?, output),
        MemorySub::Show { path } => show(&memory::file(host, owner, &memory::path(path)?).await?, output),
        MemorySub::Add { path, note, kind } => {
            let path = memory::path(path)?;
            let change = memory::added(host, path.clone(), note, kind.as_deref())?;
            memory::change(host, owner, vec![change]).await?;
            outln!("remembered in {path}");
        }
        MemorySub::Edit { path, from } => edit(host, owner, &memory::path(path)?, from.as_deref()).await?,
        MemorySub::Delete { path, note } => {
            let path = memory::path(path)?;
            let change = match note {
                Some(text) => Change::Forgotten { path: path.clone(), text: text.clone() },
                None => Change::Removed { path: path.clone() },
            };
            memory::file(host, owner, &path).await?;
            memory::change(host, owner, vec![change]).await?;
            outln!(
                "{} {path}; runs that were shown it keep what they were shown",
                if note.is_some() { "taken out of" } else { "deleted" }
            );
        }
        MemorySub::Export { directory } => export(&host.store_to_read()?.memory(owner).await?, directory)?,
        MemorySub::Audit { path, limit } => {
            let path = path.as_deref().map(memory::path).transpose()?;
            audit(&*host.store_to_read()?, owner, path.as_ref(), *limit, output).await?;
        }
    }
    Ok(exit::SUCCESS)
}

pub(crate) fn list(files: &[MemoryFile], output: Output) {
    if output != Output::Text {
        let rows: Vec<_> = files.iter().map(|file| json!({
            "path": file.path, "notes": file.noted().count(), "bytes": file.text.len(), "updated_ms": file.updated_ms,
        })).collect();
        return print_json(&rows);
    }
    if files.is_empty() {
        outln!("nothing is remembered yet; what you confirm at the end of a run will stand here");
    }
    for file in files {
        let notes = file.noted().count();
        outln!(
            "{BOLD}{}{BOLD:#}  {notes} note{}  {DIM}{}{DIM:#}",
            file.path,
            plural(notes),
            sessions::day(file.updated_ms)
        );
    }
}

pub(crate) fn show(file: &MemoryFile, output: Output) {
    if output != Output::Text {
        return print_json(
            &json!({ "path": file.path, "text": file.text, "sha256": file.sha256(), "notes": file.notes }),
        );
    }
    for it in file.lines() {
        outln!("{}", visible(it.raw));
        if let Some(record) = it.note.and_then(|note| file.record(note)) {
            let evidence =
                if record.evidence.is_empty() { String::new() } else { format!("; {}", record.evidence.join("; ")) };
            let about = format!(
                "{}, {} of 100, by {} on {}, {} session{}, shown {} time{}{evidence}",
                record.kind,
                record.importance,
                record.by,
                sessions::day(record.created_ms),
                record.times,
                plural(record.times as usize),
                record.uses,
                plural(record.uses as usize)
            );
            outln!("    {DIM}{}{DIM:#}", line(&about, LINE_CHARS_MAX * 2));
        }
    }
}

const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

async fn edit(host: &Host, owner: &str, path: &MemoryPath, from: Option<&str>) -> Result<()> {
    let before = host.store()?.memory_file(owner, path).await?;
    let old = before.as_ref().map(|file| file.text.clone()).unwrap_or_default();
    let text = match from {
        Some("-") => {
            let mut text = String::new();
            let limit = FILE_BYTES_MAX as u64 + 1;
            std::io::stdin()
                .take(limit)
                .read_to_string(&mut text)
                .map_err(|error| unreadable("standard input", &error))?;
            text
        }
        Some(file) => std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?,
        None => in_editor(path, &old)?,
    };
    if text == old {
        outln!("nothing changed");
        return Ok(());
    }
    let before = before.map(|file| file.sha256());
    let change = memory::written(host, path.clone(), before, text)?;
    memory::change(host, owner, vec![change]).await?;
    outln!("wrote {path}");
    Ok(())
}

fn unreadable(what: &str, error: &std::io::Error) -> RuntimeError {
    RuntimeError::usage("memory.unreadable", format!("{what} cannot be read: {error}"), "give a text file with --from")
}

/// The text as the person leaves it in their editor.
fn in_editor(path: &MemoryPath, text: &str) -> Result<String> {
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|it| !it.trim().is_empty()));
    let Some(editor) = editor else {
        let message = "no editor is named";
        return Err(RuntimeError::usage(
            "memory.editor",
            message,
            "set VISUAL or EDITOR, or give the text with --from FILE",
        ));
    };
    let failed = |why: String| {
        let message = format!("the editor `{editor}` failed: {why}");
        RuntimeError::environment("memory.editor", message, "nothing was changed; give the text with --from FILE")
    };
    let copy = std::env::temp_dir().join(format!("teacher-assist-{}-{}", std::process::id(), path.file));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(&copy).and_then(|mut file| file.write_all(text.as_bytes()));
    opened.map_err(|error| failed(format!("{}: {error}", copy.display())))?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = std::process::Command::new(program).args(words).arg(&copy).status();
    let edited = std::fs::read_to_string(&copy);
    let _ = std::fs::remove_file(&copy);
    match status {
        Ok(status) if status.success() => edited.map_err(|error| failed(error.to_string())),
        Ok(status) => Err(failed(status.to_string())),
        Err(error) => Err(failed(error.to_string())),
    }
}

fn export(files: &[MemoryFile], directory: &Path) -> Result<()> {
    let failed = |path: &Path, error: &std::io::Error| {
        let message = format!("{} cannot be written: {error}", path.display());
        RuntimeError::environment("memory.export", message, "give a directory that does not exist yet")
    };
    std::fs::create_dir(directory).map_err(|error| failed(directory, &error))?;
    for file in files {
        let path = directory.join(file.path.to_string());
        let parent = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        std::fs::write(&path, &file.text).map_err(|error| failed(&path, &error))?;
    }
    let path = directory.join("notes.json");
    let notes: Vec<_> = files.iter().map(|file| json!({ "path": file.path, "notes": file.notes })).collect();
    let text = serde_json::to_string_pretty(&notes).unwrap_or_default();
    std::fs::write(&path, text).map_err(|error| failed(&path, &error))?;
    outln!("wrote {} files to {}", files.len() + 1, directory.display());
    Ok(())
}

async fn audit(store: &dyn Store, owner: &str, path: Option<&MemoryPath>, limit: usize, output: Output) -> Result<()> {
    let rows = store.memory_audit(owner, path, limit).await?;
    if output != Output::Text {
        print_json(&rows);
        return Ok(());
    }
    for row in rows {
        let path = row.path.as_ref().map(ToString::to_string).unwrap_or_default();
        outln!(
            "{DIM}{}{DIM:#}  {:<8} {BOLD}{path}{BOLD:#}  by {}  {}",
            sessions::day(row.at_ms),
            row.kind.name(),
            line(&row.by, 40),
            line(&row.detail, LINE_CHARS_MAX)
        );
    }
    Ok(())
}
