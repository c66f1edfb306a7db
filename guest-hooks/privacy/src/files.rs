//! The files that stand in the prompt or are read first, and how what was found in them is kept out of both.

use std::ops::Range;

use ta_guest::granted::locate;
use ta_guest::prompt::Correction;
use ta_guest::{Abort, Context, workspace};

use crate::decide::{Cut, Stage, Text, replaced};
use crate::scan::Source;

/// Who the assistant is, who the teacher is, how they teach.
const FILES: [&str; 3] = ["soul.md", "teacher.md", "pedagogy.md"];

/// The host takes no more corrections from one call.
const CORRECTIONS_MAX: usize = 100;

/// More lines of a workspace file are replaced as one passage. Memory stands in the prompt in parts, so line by line.
const LINES_MAX: usize = 12;

/// Why a file was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// There is none, so nothing of it can be shown.
    Missing,
    Failed,
}

/// Files, memory and what is shown of them: the host in a component, tables in tests.
pub(crate) trait Files {
    fn granted(&self) -> Vec<workspace::Granted>;
    fn read(&self, directory: &str, path: &str) -> Result<String, Unread>;
    fn remembered(&self, path: &str) -> Option<String>;
    fn correct(&mut self, corrections: &[Correction]) -> Result<(), String>;
}

/// A file with the path that it is corrected by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    path: String,
    pub(crate) text: String,
    /// It is a file of memory, of which the prompt may show a part.
    remembered: bool,
}

impl File {
    pub(crate) fn text(&self) -> Text<'_> {
        Text { text: &self.text, source: Source::File, place: format!("`{}`", self.path), stage: Stage::File }
    }
}

/// What was read, and what is to be known of what was not.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) files: Vec<File>,
    pub(crate) notes: Vec<String>,
}

/// Reads what there is; whatever is missing is not shown to the model either.
pub(crate) fn read(context: &Context, host: &impl Files) -> Read {
    // The name becomes part of a path, so it may not hold anything that leads elsewhere.
    let plain = |class: &&str| class.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    let class = context.about("class").filter(plain);
    let mut read = Read::default();
    let granted = host.granted();
    let profile = class.map(|class| format!("classes/{class}.md"));
    for path in FILES.into_iter().map(str::to_owned).chain(profile) {
        let place = locate(&granted, &path);
        match place.map_or(Err(Unread::Failed), |place| host.read(&place.directory, &place.path)) {
            Ok(text) => read.files.push(File { path, text, remembered: false }),
            Err(Unread::Missing) => {}
            Err(Unread::Failed) => read.notes.push(format!("`{path}` could not be looked through")),
        }
    }
    let entry = class.map(|class| format!("memory/classes/{class}/MEMORY.md"));
    for path in std::iter::once("memory/MEMORY.md".to_owned()).chain(entry) {
        if let Some(text) = host.remembered(&path) {
            read.files.push(File { path, text, remembered: true });
        }
    }
    read
}

/// Sees to it that prompt and tools show the files without what is not allowed: for each file, what is to be replaced.
/// Says so in a sentence. What cannot be kept out ends the run, since it would be sent.
pub(crate) fn stage(files: &[File], cuts: &[Option<Vec<Cut>>], host: &mut impl Files) -> Result<Option<String>, Abort> {
    let mut corrections = Vec::new();
    let mut paths = Vec::new();
    for (file, cuts) in files.iter().zip(cuts) {
        let Some(cuts) = cuts else { continue };
        corrections.extend(of_file(file, cuts));
        paths.push(format!("`{}`", file.path));
    }
    if corrections.is_empty() {
        return Ok(None);
    }
    let stays = |why: &str| {
        let reason = format!(
            "What you did not allow stands in {} and cannot be kept out of what the model reads: {why}. Take it out of the \
             files, or allow it.",
            paths.join(", ")
        );
        Abort::fault("not-redacted", reason)
    };
    if corrections.len() > CORRECTIONS_MAX {
        return Err(stays(&format!(
            "there are {} such lines, and at most {CORRECTIONS_MAX} can be",
            corrections.len()
        )));
    }
    host.correct(&corrections).map_err(|message| stays(&message))?;
    Ok(Some(format!("shown without what is redacted, and unchanged on disk: {}", paths.join(", "))))
}

/// The corrections of a file. A correction replaces the first place where its passage stands, be that within another
/// line, so each is made as often as its passage occurs: rather a word too many is kept out.
fn of_file(file: &File, cuts: &[Cut]) -> Vec<Correction> {
    let mut lines = affected(&file.text, cuts);
    if lines.len() > LINES_MAX && !file.remembered {
        lines = lines.first().zip(lines.last()).map(|(first, last)| first.start..last.end).into_iter().collect();
    }
    let mut shown = file.text.clone();
    let mut corrections = Vec::new();
    for line in lines {
        if corrections.len() > CORRECTIONS_MAX {
            break;
        }
        let old = file.text.get(line.clone()).unwrap_or_default();
        let new = replaced(&file.text, line, cuts);
        let correction = Correction {
            source: file.path.clone(),
            old: old.to_owned(),
            new: Some(new.clone()),
            why: format!(
                "Personal data in `{}` is kept out; what stands in brackets is to stay as general as it is.",
                file.path
            ),
        };
        while shown.contains(old) && corrections.len() <= CORRECTIONS_MAX {
            shown = shown.replacen(old, &new, 1);
            corrections.push(correction.clone());
        }
    }
    corrections
}

/// The whole lines in which something is replaced, without their line ends.
fn affected(text: &str, cuts: &[Cut]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for (cut, _) in cuts {
        if lines.last().is_some_and(|last| cut.end <= last.end) {
            continue;
        }
        let start = text.get(..cut.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let rest = text.get(cut.end..).unwrap_or_default();
        let end = cut.end + rest.find('\n').unwrap_or(rest.len());
        match lines.last_mut() {
            Some(last) if start < last.end => last.end = end,
            _ => lines.push(start..end),
        }
    }
    lines
}
