//! `curriculum`: published documents become files of the workspace, and such files are checked.
//!
//! A plugin's reader reads a document, and tools of the same component make files of what was read; here files are opened, handed
//! to them and written.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use ta_runtime::plugin::Plugin;
use ta_runtime::readings::{self, Brought, ReadDocument};
use ta_runtime::surface::{Problem, visible};
use ta_runtime::{Host, RuntimeError, actions};

use crate::args::{CurriculumSub, ImportArgs, ImportKind, Output};
use crate::exit::{self, Code};
use crate::out::outln;

mod check;
mod patterns;
mod show;

type Result<T> = std::result::Result<T, RuntimeError>;

/// Directories of the workspace.
const CURRICULUM: &str = "curriculum";
const PAPERS: &str = "papers";
/// What the plugin makes: a file of a document that was read, and the index of the papers.
const IMPORT: &str = "import_curriculum";
const INDEX: &str = "index_papers";
/// The largest file of a workspace.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

pub(crate) async fn run(host: &Host, action: &CurriculumSub, output: Output) -> Result<Code> {
    match action {
        CurriculumSub::Import(args) => import_all(host, args, output).await,
        CurriculumSub::Check { directory, json } => {
            let output = if *json { Output::Json } else { output };
            check::check_all(host, directory.as_deref(), output).await
        }
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> RuntimeError {
    let message = format!("{} cannot be read: {error}", path.display());
    match error.kind() {
        ErrorKind::NotFound => RuntimeError::usage("import.missing", message, "look at the path"),
        _ => RuntimeError::environment("path.io", message, "look at the disk: space, rights"),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> RuntimeError {
    let message = format!("{} cannot be written: {error}", path.display());
    RuntimeError::environment("path.io", message, "look at the disk: space, rights")
}

/// What a tool answered, in the form that is expected of it.
fn told<T: serde::de::DeserializeOwned>(answer: Value) -> Result<T> {
    serde_json::from_value(answer).map_err(|error| {
        let message = format!("what the plugin made of it has another form than is expected: {error}");
        RuntimeError::configuration("import.failed", message, "mend the component")
    })
}

/// The plugin that makes files of documents.
struct Maker {
    plugin: Plugin,
}

impl Maker {
    /// The plugin that has this action.
    async fn of(host: &Host, action: &str) -> Result<Self> {
        let (plugin, _) = actions::anywhere(host, action).await?;
        Ok(Self { plugin })
    }

    /// The endings of the names of what its readers read.
    fn formats(&self) -> Vec<String> {
        self.plugin.manifest.readers.values().flat_map(|it| it.formats.clone()).collect()
    }

    /// Calls an action; `what` is what a person calls what it is given.
    async fn make(&self, host: &Host, action: &str, what: &str, arguments: &Value) -> Result<Value> {
        let action = actions::named(host, &self.plugin, action).await?;
        let done = action.call(host, what, None, arguments).await;
        // Who imports is told of one thing, whichever of its steps it ended in.
        let done = done.map_err(|error| match error.code.strip_prefix("action.") {
            Some(word) => RuntimeError { code: format!("import.{word}"), ..error },
            None => error,
        });
        Ok(done?.result)
    }
}

/// A file that the plugin made of a document.
#[derive(Deserialize)]
struct Draft {
    name: String,
    directory: String,
    text: String,
    entries: usize,
    entries_are: String,
    doubts: Value,
    /// The doubts in lines for a person.
    told: Vec<String>,
}

/// What was made of one source.
struct Made {
    source: String,
    path: PathBuf,
    document: ReadDocument,
    draft: Draft,
}

/// What an import needs beside its sources.
struct Import<'a> {
    host: &'a Host,
    args: &'a ImportArgs,
    maker: Maker,
    /// The pattern file, where the curriculum has one.
    patterns: Option<patterns::PatternFile>,
    /// Whether there are several sources.
    many: bool,
}

async fn import_all(host: &Host, args: &ImportArgs, output: Output) -> Result<Code> {
    let maker = Maker::of(host, IMPORT).await?;
    let patterns = patterns::of(host, &maker, &args.framework).await?;
    let many = args.source.is_dir();
    let formats = maker.formats();
    let sources = if many { files_of(&args.source, &formats)? } else { vec![args.source.clone()] };
    if sources.is_empty() {
        let message = format!("{} holds no file that is read: {}", args.source.display(), formats.join(", "));
        return Err(RuntimeError::usage("import.missing", message, "give a directory of published documents"));
    }
    let import = Import { host, args, maker, patterns, many };
    let mut all = Vec::new();
    let mut code = exit::SUCCESS;
    for source in &sources {
        let made = import.one(source).await;
        let made = made.and_then(|made| if args.preview { Ok(made) } else { keep(&made, args.force).map(|()| made) });
        match made {
            Ok(made) => {
                if output == Output::Text {
                    show::show(&made, args);
                }
                all.push(show::object(&made, args));
            }
            Err(error) if many => {
                code = exit::CONFIGURATION;
                if output == Output::Text {
                    anstream::eprintln!(
                        "not imported: {}\n  {} [{}]\n  hint: {}",
                        source.display(),
                        visible(&error.message),
                        error.code,
                        visible(&error.hint)
                    );
                }
                let error = json!({ "code": error.code, "message": error.message, "hint": error.hint });
                all.push(json!({ "source": source.display().to_string(), "error": error }));
            }
            Err(error) => return Err(error),
        }
    }
    if args.kind != ImportKind::Outcomes && !args.preview {
        write_index(host, &import.maker).await?;
    }
    if output != Output::Text {
        outln!("{}", json!({ "files": all }));
    }
    Ok(code)
}

fn files_of(directory: &Path, formats: &[String]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(|error| unreadable(directory, &error))? {
        let path = entry.map_err(|error| unreadable(directory, &error))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| readings::ends_as(name, formats)) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

impl Import<'_> {
    /// Reads one source and makes its file.
    async fn one(&self, source: &Path) -> Result<Made> {
        let document = self.read(source).await?;
        let arguments = json!({
            "document": document,
            "wanted": self.wanted()?,
            "patterns": self.patterns,
        });
        let answer = self.maker.make(self.host, IMPORT, &document.name, &arguments).await?;
        let draft: Draft = told(answer)?;
        // A name, not a path: whatever the component says stays in the directory.
        let name = Path::new(&draft.name).file_name().unwrap_or_default();
        let path = match &self.args.out {
            Some(out) if self.many || out.is_dir() => out.join(name),
            Some(out) => out.clone(),
            None if draft.directory == PAPERS => self.host.config.workspace.join(PAPERS).join(name),
            None => self.host.config.workspace.join(CURRICULUM).join(name),
        };
        Ok(Made { source: source.display().to_string(), path, document, draft })
    }

    async fn read(&self, path: &Path) -> Result<ReadDocument> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("source");
        let size = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if size.len() > readings::FILE_BYTES_MAX || !size.is_file() {
            return Err(readings::too_long(name));
        }
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let patterns = self.patterns.iter().map(|it| ("patterns".to_owned(), it.text.clone()));
        let options: Vec<(String, String)> = patterns.collect();
        let file = Brought { name, bytes: &bytes, options: &options, of: &self.maker.plugin.manifest.name };
        readings::read(self.host, file).await
    }

    /// As what the documents are taken, and what is known of them.
    fn wanted(&self) -> Result<Value> {
        let ImportArgs { kind, subject, title, edition, from, codes, .. } = self.args;
        let mut wanted =
            json!({ "subject": subject, "title": title, "edition": edition, "from": from, "codes": codes });
        if let (Some(paper), Some(fields)) = (kind.paper(), wanted.as_object_mut()) {
            let files = markdown(&self.host.config.workspace.join(CURRICULUM), "")?;
            let texts: Vec<String> = files.into_iter().map(|(_, text)| text).collect();
            fields.insert("paper".to_owned(), json!(paper));
            fields.insert("curriculum".to_owned(), json!(texts));
        }
        Ok(wanted)
    }
}

/// Writes a file where there is none, or over the one that is there where that was asked for.
fn keep(made: &Made, force: bool) -> Result<()> {
    let (path, text) = (&made.path, &made.draft.text);
    if text.len() as u64 > FILE_BYTES_MAX {
        let message = format!(
            "{} would have {} bytes; a file of the workspace has at most {FILE_BYTES_MAX}",
            path.display(),
            text.len()
        );
        return Err(RuntimeError::configuration("import.too-large", message, "split the document by subject or level"));
    }
    if path.symlink_metadata().is_ok() && !force {
        let message = format!("{} exists already", path.display());
        let hint = "give another file with --out, or --force to write over it";
        return Err(RuntimeError::usage("import.exists", message, hint));
    }
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|error| unwritable(path, &error))?;
    // Beside it and then in its place: whoever reads it meanwhile finds the old one whole.
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let draft = parent.join(format!(".{name}.{}", std::process::id()));
    let written = std::fs::write(&draft, text).and_then(|()| std::fs::rename(&draft, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&draft);
        unwritable(path, &error)
    })
}

/// The name of the index, which is none of the papers.
const INDEX_FILE: &str = "by-code.md";

/// The markdown files of a directory, each with its name below the workspace; none where there is no directory.
fn markdown(directory: &Path, prefix: &str) -> Result<Vec<(String, String)>> {
    let wanted = |name: &str| name.ends_with(".md") && name != INDEX_FILE;
    texts(directory, prefix, wanted)
}

/// The small files of a directory whose names are wanted.
fn texts(directory: &Path, prefix: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<(String, String)>> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(directory, &error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(directory, &error))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let small = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= FILE_BYTES_MAX);
        if !name.starts_with('.') && wanted(name) && small {
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
            files.push((format!("{prefix}{name}"), text));
        }
    }
    files.sort();
    Ok(files)
}

async fn write_index(host: &Host, maker: &Maker) -> Result<()> {
    #[derive(Deserialize)]
    struct Index {
        text: String,
    }
    let directory = host.config.workspace.join(PAPERS);
    let papers = markdown(&directory, &format!("{PAPERS}/"))?;
    if papers.is_empty() {
        return Ok(());
    }
    let arguments = json!({ "papers": papers, "patterns": patterns::all(&host.config.workspace)? });
    let index: Index = told(maker.make(host, INDEX, PAPERS, &arguments).await?)?;
    let path = directory.join(INDEX_FILE);
    std::fs::write(&path, index.text).map_err(|error| unwritable(&path, &error))
}

/// What is wrong with files, where a tool found something wrong.
fn problems(answer: &Map<String, Value>) -> Result<Vec<Problem>> {
    answer.get("problems").cloned().map_or_else(|| Ok(Vec::new()), told)
}
