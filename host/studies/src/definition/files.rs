//! Where studies lie: in a directory of their own, or inside the binary; one on disk wins over the shipped one of its name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rust_embed::RustEmbed;
use ta_runtime::RuntimeError;
use ta_runtime::surface::{Problem, nearest};

use super::STUDY_FILE;

#[derive(RustEmbed)]
#[folder = "../../evals/studies"]
struct Shipped;

/// The study that a new one begins as.
const EXAMPLE: &str = "evidence-2026";
/// Characters of a name: it is part of the names of owners and sessions.
const NAME_CHARS_MAX: usize = 40;
/// The largest text of a study.
const TEXT_BYTES_MAX: u64 = 1024 * 1024;

/// The files of one study.
#[derive(Debug, Clone)]
pub struct StudyFiles {
    /// The study's name.
    pub name: String,
    /// Where it lies; none for one inside the binary.
    pub directory: Option<PathBuf>,
    /// Its texts as the study began with them; none where they are read where they lie.
    kept: Option<BTreeMap<String, String>>,
}

impl StudyFiles {
    /// The study of that name below this directory, or the shipped one.
    ///
    /// # Errors
    /// `study.name` for what can be no name, `study.unknown` where there is none.
    pub fn named(studies: &Path, name: &str) -> Result<Self, RuntimeError> {
        checked(name)?;
        let directory = studies.join(name);
        if directory.join(STUDY_FILE).is_file() {
            return Ok(Self { name: name.to_owned(), directory: Some(directory), kept: None });
        }
        if Shipped::get(&format!("{name}/{STUDY_FILE}")).is_some() {
            return Ok(Self { name: name.to_owned(), directory: None, kept: None });
        }
        let known = known(studies);
        let all: Vec<&str> = known.iter().map(String::as_str).collect();
        let near = nearest(name, &all).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let hint = format!("{near}there are: {}; `study new {name}` writes one", all.join(", "));
        let message = format!("there is no study `{name}` in {} or in the program", studies.display());
        Err(RuntimeError::usage("study.unknown", message, hint))
    }

    /// The texts of a study as it began.
    ///
    /// # Errors
    /// Where the journal holds something else under it.
    pub fn kept(name: &str, bytes: &[u8], directory: Option<PathBuf>) -> Result<Self, RuntimeError> {
        let kept = serde_json::from_slice(bytes).map_err(|error| {
            let message = format!("the journal holds the study `{name}` as something that is none: {error}");
            RuntimeError::environment("store.corrupt", message, "put a backup in its place with `restore FILE`")
        })?;
        Ok(Self { name: name.to_owned(), directory, kept: Some(kept) })
    }

    /// Its texts by path, as one JSON object: what is pinned when it starts.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn to_keep(&self) -> Result<Vec<u8>, RuntimeError> {
        let mut texts = BTreeMap::new();
        for path in self.paths() {
            if let Ok(text) = String::from_utf8(self.bytes(&path)?) {
                texts.insert(path, text);
            }
        }
        Ok(serde_json::to_vec(&texts).unwrap_or_default())
    }

    /// Paths of its texts, sorted.
    fn paths(&self) -> Vec<String> {
        let text = |path: &String| [".md", ".toml", ".json"].iter().any(|ending| path.ends_with(ending));
        let mut paths: Vec<String> = match (&self.kept, &self.directory) {
            (Some(kept), _) => kept.keys().cloned().collect(),
            (None, Some(directory)) => below(directory, "", 0),
            (None, None) => {
                let prefix = format!("{}/", self.name);
                Shipped::iter().filter_map(|path| path.strip_prefix(&prefix).map(ToOwned::to_owned)).collect()
            }
        };
        paths.retain(text);
        paths.sort();
        paths
    }

    /// How a person would name a file of it.
    #[must_use]
    pub fn shown(&self, path: &str) -> String {
        match &self.directory {
            Some(directory) => directory.join(path).display().to_string(),
            None => format!("(built in) {}/{path}", self.name),
        }
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// `study.file` where there is none, it is too large, or lies outside the study.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, RuntimeError> {
        let refused = |why: String| {
            let message = format!("{}: {why}", self.shown(path));
            RuntimeError::configuration("study.file", message, "look at the path; it is relative to the study")
        };
        if path.starts_with('/') || path.split('/').any(|name| name == ".." || name.is_empty()) {
            return Err(refused("the path leads outside the study".to_owned()));
        }
        if let Some(text) = self.kept.as_ref().and_then(|kept| kept.get(path)) {
            return Ok(text.clone().into_bytes());
        }
        match &self.directory {
            Some(directory) => {
                let file = directory.join(path);
                let size = std::fs::metadata(&file).map_err(|error| refused(error.to_string()))?.len();
                if size > TEXT_BYTES_MAX {
                    return Err(refused(format!("the file has {size} bytes; at most {TEXT_BYTES_MAX} are read")));
                }
                std::fs::read(file).map_err(|error| refused(error.to_string()))
            }
            None => {
                let file = Shipped::get(&format!("{}/{path}", self.name));
                file.map(|file| file.data.into_owned()).ok_or_else(|| refused("there is no such file".to_owned()))
            }
        }
    }

    /// The text of a file that another one names at this line; where it cannot be read, that is a problem there.
    pub(super) fn text_or_problem(
        &self,
        path: &str,
        named_in: &str,
        line: Option<usize>,
        problems: &mut Vec<Problem>,
    ) -> Option<String> {
        let text = self.bytes(path).and_then(|bytes| {
            let message = format!("{} is no UTF-8 text", self.shown(path));
            String::from_utf8(bytes).map_err(|_| RuntimeError::configuration("study.file", message, "save it as UTF-8"))
        });
        text.map_err(|error| problems.push(Problem::new(&error.code, named_in, error.message, error.hint).at(line)))
            .ok()
    }
}

/// Files below a directory, three levels deep.
fn below(directory: &Path, prefix: &str, depth: usize) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths = Vec::new();
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < 3 => paths.extend(below(&entry.path(), &path, depth + 1)),
            Ok(kind) if kind.is_file() => paths.push(path),
            _ => {}
        }
    }
    paths
}

/// Every study that there is, by name.
fn known(studies: &Path) -> Vec<String> {
    let shipped = Shipped::iter().filter_map(|path| path.strip_suffix("/study.toml").map(ToOwned::to_owned));
    let mut all: Vec<String> = shipped.collect();
    let entries = std::fs::read_dir(studies).into_iter().flatten().flatten();
    let on_disk = entries.filter(|entry| entry.path().join(STUDY_FILE).is_file());
    all.extend(on_disk.filter_map(|entry| entry.file_name().into_string().ok()));
    all.sort();
    all.dedup();
    all
}

fn checked(name: &str) -> Result<(), RuntimeError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.is_empty() && name.len() <= NAME_CHARS_MAX && name.chars().all(plain) && !name.starts_with('-') {
        return Ok(());
    }
    let hint = format!("use at most {NAME_CHARS_MAX} small letters, digits and `-`, such as `{EXAMPLE}`");
    Err(RuntimeError::usage("study.name", format!("`{name}` cannot be a study's name"), hint))
}

/// Writes a new study, commented and valid, below this directory. Gives the files that it wrote.
///
/// # Errors
/// `study.exists`, and where the directory cannot be written; then nothing of it is left.
pub fn new(studies: &Path, name: &str) -> Result<Vec<PathBuf>, RuntimeError> {
    checked(name)?;
    let directory = studies.join(name);
    let unwritten = |error: std::io::Error| {
        let message = format!("the study {} cannot be written: {error}", directory.display());
        RuntimeError::environment("study.unwritten", message, "look at the disk: space, rights")
    };
    if directory.exists() {
        let message = format!("{} is there already", directory.display());
        return Err(RuntimeError::usage("study.exists", message, "take another name, or take it away first"));
    }
    let source = StudyFiles { name: EXAMPLE.to_owned(), directory: None, kept: None };
    let mut written = Vec::new();
    for path in source.paths() {
        let file = directory.join(&path);
        let bytes = source.bytes(&path)?;
        let put = file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&file, bytes));
        if let Err(error) = put {
            let _ = std::fs::remove_dir_all(&directory);
            return Err(unwritten(error));
        }
        written.push(file);
    }
    Ok(written)
}
