//! The files that claims rest on, each read once.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use ta_curriculum::code::Code;
use ta_curriculum::file::{CurriculumFile, Entry};
use ta_curriculum::markdown::part;
use ta_curriculum::normalise::{Case, Passage};

use super::{Files, ReadError};

/// A file that was read.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) sha256: String,
    pub(super) file: CurriculumFile,
    /// Byte offset of each line.
    starts: Vec<usize>,
    /// The whole text as quotes are compared with it; made for the first quote that is not where it should be.
    passage: OnceCell<Passage>,
}

impl Source {
    fn new(path: &str, text: super::Text) -> Self {
        let breaks = text.text.match_indices('\n').map(|(offset, _)| offset + 1);
        let starts = std::iter::once(0).chain(breaks).filter(|&start| start < text.text.len()).collect();
        let file = CurriculumFile::parse(&text.text);
        Self { path: path.to_owned(), text: text.text, sha256: text.sha256, file, starts, passage: OnceCell::new() }
    }

    pub(super) fn line_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// The text of some lines; empty where the file has none of them.
    pub(super) fn lines(&self, range: &RangeInclusive<u32>) -> &str {
        let start_of =
            |line: u32| usize::try_from(line).ok().and_then(|line| self.starts.get(line.checked_sub(1)?)).copied();
        let Some(start) = start_of(*range.start()) else {
            return "";
        };
        let end = start_of(range.end().saturating_add(1)).unwrap_or(self.text.len());
        part(&self.text, start..end)
    }

    /// Finds a quote anywhere in the file and gives its first and last line.
    pub(super) fn find(&self, quote: &str) -> Option<(u32, u32)> {
        let passage = || Passage::new(&self.text, 1, Case::Ignore);
        self.passage.get_or_init(passage).find(quote)
    }

    /// The entries that hold any of some codes.
    pub(super) fn entries_of(&self, codes: &[Code]) -> Vec<&Entry> {
        self.file.entries.iter().filter(|entry| entry.codes.iter().any(|code| codes.contains(code))).collect()
    }

    /// The entry that a line belongs to.
    pub(super) fn entry_at(&self, line: u32) -> Option<&Entry> {
        self.file.entries.iter().find(|entry| (entry.first_line..=entry.last_line).contains(&line))
    }

    /// The entries that have any of some lines.
    pub(super) fn entries_in(&self, lines: &RangeInclusive<u32>) -> impl Iterator<Item = &Entry> {
        let (from, to) = (*lines.start(), *lines.end());
        self.file.entries.iter().filter(move |entry| entry.first_line <= to && from <= entry.last_line)
    }

    /// An entry's place, as it is written in a pointer's target.
    pub(super) fn place_of(&self, entry: &Entry) -> String {
        format!("{}#L{}-L{}", self.path, entry.first_line, entry.last_line)
    }
}

/// Where an entry is kept: the number of its source, and its own within that source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    source: usize,
    entry: usize,
}

/// What was read, and what could not be.
#[derive(Debug, Default)]
pub(super) struct Library {
    sources: Vec<Source>,
    by_path: HashMap<String, Result<usize, ReadError>>,
    by_code: HashMap<Code, Vec<Place>>,
    organisers: Vec<String>,
    curriculum_paths: Vec<String>,
}

impl Library {
    /// Reads the workspace's curriculum files.
    pub(super) fn open(files: &mut dyn Files) -> Self {
        let mut library = Self::default();
        for path in files.curriculum_paths() {
            let path = cleaned(&path).to_owned();
            library.fetch(&path, files);
            library.index(&path);
            library.curriculum_paths.push(path);
        }
        library
    }

    /// Reads a file unless it has been tried before.
    pub(super) fn fetch(&mut self, path: &str, files: &mut dyn Files) {
        let path = cleaned(path);
        if self.by_path.contains_key(path) {
            return;
        }
        let read = files.read(path).map(|text| {
            self.sources.push(Source::new(path, text));
            self.sources.len() - 1
        });
        self.by_path.insert(path.to_owned(), read);
    }

    fn index(&mut self, path: &str) {
        let Some(&Ok(source)) = self.by_path.get(path) else {
            return;
        };
        let entries = self.sources.get(source).map(|source| source.file.entries.as_slice()).unwrap_or_default();
        for (entry, codes) in entries.iter().map(|entry| &entry.codes).enumerate() {
            for code in codes {
                self.by_code.entry(*code).or_default().push(Place { source, entry });
                if !self.organisers.iter().any(|organiser| organiser == code.organiser()) {
                    self.organisers.push(code.organiser().to_owned());
                }
            }
        }
    }

    /// The organisers that the curriculum files use.
    pub(super) fn organisers(&self) -> &[String] {
        &self.organisers
    }

    /// The file at a path, as fetched.
    pub(super) fn source_at(&self, path: &str) -> Result<&Source, ReadError> {
        match self.by_path.get(cleaned(path)) {
            Some(Ok(source)) => self.sources.get(*source).ok_or(ReadError::Unreadable),
            Some(Err(error)) => Err(*error),
            None => Err(ReadError::NotFound),
        }
    }

    /// The curriculum files that could be read.
    pub(super) fn curriculum(&self) -> impl Iterator<Item = &Source> {
        self.curriculum_paths.iter().filter_map(|path| self.source_at(path).ok())
    }

    /// The entries of a code, each with its source.
    pub(super) fn entries(&self, code: Code) -> impl Iterator<Item = (&Source, &Entry)> {
        let places = self.by_code.get(&code).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| {
            let source = self.sources.get(place.source)?;
            Some((source, source.file.entries.get(place.entry)?))
        })
    }

    /// All codes that have an entry, in no order.
    pub(super) fn codes(&self) -> impl Iterator<Item = Code> {
        self.by_code.keys().copied()
    }

    /// Whether a path is that of a curriculum file, or would be by its folder.
    pub(super) fn is_curriculum(&self, path: &str) -> bool {
        let path = cleaned(path);
        path.starts_with("curriculum/") || self.curriculum_paths.iter().any(|known| known == path)
    }

    /// A curriculum file with the same name in another folder, which is what a wrong path nearly always meant.
    pub(super) fn namesake(&self, path: &str) -> Option<&str> {
        let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        let wanted = name(path);
        self.curriculum_paths.iter().map(String::as_str).find(|known| name(known) == wanted && *known != cleaned(path))
    }

    /// How many curriculum files could not be read.
    pub(super) fn unread(&self) -> usize {
        self.curriculum_paths.iter().filter(|path| matches!(self.by_path.get(*path), Some(Err(_)))).count()
    }
}

/// The path without a leading `./`, so that one file has one name.
pub(super) fn cleaned(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    path
}

/// Whether two paths name one file: `./a//b.md` and `a/b.md` do.
pub(super) fn is_same_path(a: &str, b: &str) -> bool {
    fn parts(path: &str) -> impl Iterator<Item = &str> {
        path.split('/').filter(|part| !matches!(*part, "" | "."))
    }
    a.starts_with('/') == b.starts_with('/') && parts(a).eq(parts(b))
}
