//! `curriculum`: published documents become files of the workspace, and such files are checked.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::json;
use ta_import::doubt::{Doubt, Kind};
use ta_import::framework::{BUILT_IN, Framework};
use ta_import::papers::{self, PaperKind, Tagging, Topics};
use ta_import::source::{Document, Format, Source};
use ta_import::text::slug;
use ta_import::write::{self, About};
use ta_import::{ImportError, limits, outcomes};
use ta_runtime::RuntimeError;
use ta_runtime::surface::visible;

use crate::args::{CurriculumSub, ImportArgs, ImportKind, Output};
use crate::exit::{self, Code};
use crate::out::outln;

mod check;
mod show;

type Result<T> = std::result::Result<T, RuntimeError>;

/// Directories of the workspace.
const CURRICULUM: &str = "curriculum";
const PAPERS: &str = "papers";
const FRAMEWORKS: &str = "frameworks";
/// The largest file of a workspace.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

pub(crate) fn run(workspace: &Path, action: &CurriculumSub, output: Output) -> Result<Code> {
    match action {
        CurriculumSub::Import(args) => import_all(workspace, args, output),
        CurriculumSub::Check { directory, json } => {
            let output = if *json { Output::Json } else { output };
            check::check_all(workspace, directory.as_deref(), output)
        }
    }
}

fn failed(error: ImportError) -> RuntimeError {
    RuntimeError::configuration(error.code, error.message, error.hint)
}

fn unreadable(path: &Path, error: &std::io::Error) -> RuntimeError {
    let message = format!("{} cannot be read: {error}", path.display());
    match error.kind() {
        ErrorKind::NotFound => RuntimeError::usage("import.missing", message, "look at the path"),
        _ => RuntimeError::environment("path.io", message, "look at the disk: space, rights"),
    }
}

/// A framework by its name, or by its pattern file.
fn framework(workspace: &Path, name: &str) -> Result<Framework> {
    if name.eq_ignore_ascii_case(BUILT_IN) {
        return Ok(Framework::cfe());
    }
    let is_file = Path::new(name).extension().is_some_and(|it| it.eq_ignore_ascii_case("toml"));
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    if !is_file && !plain {
        let message = format!("`{name}` is no name of a curriculum");
        return Err(RuntimeError::usage(
            "framework.unknown",
            message,
            "give a name, or a pattern file that ends in .toml",
        ));
    }
    let path = if is_file { PathBuf::from(name) } else { workspace.join(FRAMEWORKS).join(format!("{name}.toml")) };
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let message = format!("there is no pattern file for `{name}`: {}: {error}", path.display());
        let hint = "write one: docs/formats.md says how; `cfe` is built in";
        RuntimeError::usage("framework.unknown", message, hint)
    })?;
    let mut problems = Vec::new();
    let framework = Framework::read(&path.display().to_string(), &text, &mut problems);
    framework.ok_or_else(|| RuntimeError::problems("the pattern file", problems))
}

/// What was made of one source.
struct Made {
    source: String,
    path: PathBuf,
    text: String,
    document: Document,
    count: usize,
    doubts: Vec<Doubt>,
}

fn import_all(workspace: &Path, args: &ImportArgs, output: Output) -> Result<Code> {
    let framework = framework(workspace, &args.framework)?;
    let is_directory = args.source.is_dir();
    let sources = if is_directory { files_of(&args.source)? } else { vec![args.source.clone()] };
    if sources.is_empty() {
        let message = format!("{} holds no PDF, HTML, DOCX, CSV or text", args.source.display());
        return Err(RuntimeError::usage("import.missing", message, "give a directory of published documents"));
    }
    let mut all = Vec::new();
    let mut code = exit::SUCCESS;
    for source in &sources {
        let made = import(workspace, args, &framework, source, is_directory)
            .and_then(|made| if args.preview { Ok(made) } else { keep(&made, args.force).map(|()| made) });
        match made {
            Ok(made) => {
                if output == Output::Text {
                    show::show(&made, args);
                }
                all.push(show::object(&made, args));
            }
            Err(error) if is_directory => {
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
        write_index(workspace)?;
    }
    if output != Output::Text {
        outln!("{}", json!({ "files": all }));
    }
    Ok(code)
}

fn files_of(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(|error| unreadable(directory, &error))? {
        let path = entry.map_err(|error| unreadable(directory, &error))?.path();
        let known = path.file_name().and_then(|name| name.to_str()).is_some_and(Format::is_known);
        if known && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path, framework: &Framework) -> Result<Document> {
    let size = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("source").to_owned();
    if size.len() > limits::SOURCE_BYTES_MAX as u64 || !size.is_file() {
        let message = format!("{name} is no regular file of at most {} bytes", limits::SOURCE_BYTES_MAX);
        return Err(RuntimeError::configuration("import.too-large", message, "split the document"));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let own = framework.clone();
    Source { name, bytes }.read(move |text| own.sight(text)).map_err(failed)
}

fn import(workspace: &Path, args: &ImportArgs, framework: &Framework, source: &Path, many: bool) -> Result<Made> {
    let document = read(source, framework)?;
    let stem = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or("source").to_owned();
    let made = match paper_kind(args.kind) {
        None => outcomes_of(args, framework, &stem, document)?,
        Some(kind) => paper_of(workspace, args, framework, kind, &stem, document)?,
    };
    let directory = if made.paper { PAPERS } else { CURRICULUM };
    let path = match &args.out {
        Some(out) if many || out.is_dir() => out.join(&made.name),
        Some(out) => out.clone(),
        None => workspace.join(directory).join(&made.name),
    };
    let Draft { text, document, count, doubts, .. } = made;
    Ok(Made { source: source.display().to_string(), path, text, document, count, doubts })
}

fn paper_kind(kind: ImportKind) -> Option<PaperKind> {
    match kind {
        ImportKind::Outcomes => None,
        ImportKind::Specification => Some(PaperKind::Specification),
        ImportKind::PastPaper => Some(PaperKind::PastPaper),
        ImportKind::Marking => Some(PaperKind::Marking),
    }
}

/// A text that has no place yet.
struct Draft {
    name: String,
    paper: bool,
    text: String,
    document: Document,
    count: usize,
    doubts: Vec<Doubt>,
}

fn about(
    args: &ImportArgs,
    framework: &Framework,
    subject: String,
    document: &Document,
    doubts: &mut Vec<Doubt>,
) -> About {
    if args.edition.is_none() {
        doubts.push(Doubt::of(Kind::Unknown, "the version of the document is not known: give it with --edition"));
    }
    About {
        title: args.title.clone().unwrap_or_else(|| format!("{subject} ({})", framework.title)),
        subject,
        version: args.edition.clone().unwrap_or_else(|| "unknown".to_owned()),
        source: args.from.clone().unwrap_or_else(|| document.name.clone()),
    }
}

fn outcomes_of(args: &ImportArgs, framework: &Framework, stem: &str, mut document: Document) -> Result<Draft> {
    let found = outcomes::find(&document, framework);
    let mut doubts = std::mem::take(&mut document.doubts);
    doubts.extend(found.doubts);
    if found.outcomes.is_empty() {
        return Err(nothing(&document, framework, found.seen, &doubts));
    }
    let subject = args.subject.clone().unwrap_or_else(|| {
        let mut organisers: Vec<&str> =
            found.outcomes.iter().flat_map(|it| &it.codes).map(|code| code.organiser.as_str()).collect();
        organisers.sort_unstable();
        organisers.dedup();
        match organisers.as_slice() {
            [only] => framework.organiser_name(only).unwrap_or(stem).to_owned(),
            _ => {
                let message = "the codes are of several organisers; the file's name was taken for the subject: give it with --subject";
                doubts.push(Doubt::of(Kind::Unknown, message));
                stem.to_owned()
            }
        }
    });
    let name = format!("{}-{}.md", slug(&framework.name), slug(&subject));
    let about = about(args, framework, subject, &document, &mut doubts);
    let text = write::curriculum_file(&found.outcomes, framework, &about, &document).map_err(failed)?;
    Ok(Draft { name, paper: false, text, document, count: found.outcomes.len(), doubts })
}

/// Why a document gave nothing.
fn nothing(document: &Document, framework: &Framework, seen: usize, doubts: &[Doubt]) -> RuntimeError {
    let unread = doubts.iter().filter(|doubt| doubt.kind == Kind::UnreadablePage).count();
    let (code, message, hint) = if document.blocks.is_empty() && unread > 0 {
        let message = format!("{} has no text on any of its {unread} pages", document.name);
        ("import.no-text", message, "it is scanned: run a text recognition over it, then import what comes of it")
    } else if seen > 0 {
        let message = format!("{} names {seen} codes of {} and no text belongs to any", document.name, framework.title);
        ("import.no-texts", message, "it may be a list of codes only; import the document that holds their texts")
    } else {
        let message = format!("{} names no code of {}", document.name, framework.title);
        ("import.no-codes", message, "look whether --framework is right; a paper needs --kind")
    };
    RuntimeError::configuration(code, message, hint)
}

fn paper_of(
    workspace: &Path,
    args: &ImportArgs,
    framework: &Framework,
    kind: PaperKind,
    stem: &str,
    mut document: Document,
) -> Result<Draft> {
    let given: Vec<String> =
        args.codes.iter().flat_map(|text| framework.find(text)).flat_map(|it| it.codes).map(|it| it.text).collect();
    if given.len() < args.codes.len() {
        let message = format!("`{}` is no code of {}", args.codes.join("`, `"), framework.title);
        return Err(RuntimeError::usage("import.code", message, "write it as the framework does"));
    }
    let mut doubts = std::mem::take(&mut document.doubts);
    let topics: Vec<Topics> = markdown(&workspace.join(CURRICULUM), "")?
        .iter()
        .map(|(_, text)| ta_import::curriculum_file(text))
        .filter(|file| {
            let name = file.meta.framework.as_deref().unwrap_or(BUILT_IN);
            let subject = file.meta.subject.as_deref().unwrap_or_default();
            name.eq_ignore_ascii_case(&framework.name)
                && args.subject.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(subject))
        })
        .flat_map(|file| Topics::of(&file))
        .collect();
    let (items, more) = papers::find(&document, framework, kind, Tagging { given: &given, topics: &topics });
    doubts.extend(more);
    if items.is_empty() {
        let message = format!(
            "{} has no {}",
            document.name,
            if kind == PaperKind::Specification { "section" } else { "numbered question" }
        );
        let hint = "questions are found by numbers that count up from 1, sections by headings";
        return Err(RuntimeError::configuration("import.no-items", message, hint));
    }
    let subject = args.subject.clone().unwrap_or_else(|| stem.to_owned());
    let mut about = about(args, framework, subject, &document, &mut doubts);
    if args.title.is_none() {
        about.title = format!("{stem} ({})", kind.name());
    }
    let text = papers::paper_file(&items, kind, framework, &about, &document).map_err(failed)?;
    let name = format!("{}-{}.md", slug(stem), kind.name());
    Ok(Draft { name, paper: true, text, document, count: items.len(), doubts })
}

/// Writes a file where there is none, or over the one that is there where that was asked for.
fn keep(made: &Made, force: bool) -> Result<()> {
    let path = &made.path;
    let io = |error: &std::io::Error| {
        let message = format!("{} cannot be written: {error}", path.display());
        RuntimeError::environment("path.io", message, "look at the disk: space, rights")
    };
    if made.text.len() as u64 > FILE_BYTES_MAX {
        let message = format!(
            "{} would have {} bytes; a file of the workspace has at most {FILE_BYTES_MAX}",
            path.display(),
            made.text.len()
        );
        return Err(RuntimeError::configuration("import.too-large", message, "split the document by subject or level"));
    }
    if path.symlink_metadata().is_ok() && !force {
        let message = format!("{} exists already", path.display());
        let hint = "give another file with --out, or --force to write over it";
        return Err(RuntimeError::usage("import.exists", message, hint));
    }
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|error| io(&error))?;
    // Beside it and then in its place: whoever reads it meanwhile finds the old one whole.
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let draft = parent.join(format!(".{name}.{}", std::process::id()));
    let written = std::fs::write(&draft, &made.text).and_then(|()| std::fs::rename(&draft, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&draft);
        io(&error)
    })
}

/// The markdown files of a directory, each with its name below the workspace; none where there is no directory.
fn markdown(directory: &Path, prefix: &str) -> Result<Vec<(String, String)>> {
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
        if !name.starts_with('.') && name.ends_with(".md") && name != papers::INDEX && small {
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
            files.push((format!("{prefix}{name}"), text));
        }
    }
    files.sort();
    Ok(files)
}

fn write_index(workspace: &Path) -> Result<()> {
    let directory = workspace.join(PAPERS);
    let all = markdown(&directory, &format!("{PAPERS}/"))?;
    if all.is_empty() {
        return Ok(());
    }
    let path = directory.join(papers::INDEX);
    std::fs::write(&path, papers::index(&all, |name| framework(workspace, name).ok())).map_err(|error| {
        let message = format!("{} cannot be written: {error}", path.display());
        RuntimeError::environment("path.io", message, "look at the disk: space, rights")
    })
}
