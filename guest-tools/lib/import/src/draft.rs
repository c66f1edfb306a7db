//! What becomes of a document that was read: the file that it makes in the workspace, its name, and what was uncertain.

use serde::{Deserialize, Serialize};
use ta_curriculum::file::CurriculumFile;

use crate::doubt::{Doubt, Kind};
use crate::error::ImportError;
use crate::framework::{BUILT_IN, Framework};
use crate::papers::{self, PaperKind, Tagging, Topics};
use crate::source::Document;
use crate::text::slug;
use crate::write::{self, About};
use crate::{outcomes, outcomes::Outcome};

/// Doubts of one kind that are told to a person.
const TOLD_MAX: usize = 8;

/// As what a document is taken, and what is known of it.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Wanted {
    /// The paper that it is; a curriculum where it is none.
    pub paper: Option<PaperKind>,
    /// The subject.
    pub subject: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// The version or year.
    pub edition: Option<String>,
    /// The document as others find it.
    pub from: Option<String>,
    /// Codes of questions that name none, as a person wrote them.
    #[serde(default)]
    pub codes: Vec<String>,
    /// The curriculum files that there are, whose topics suggest codes for questions.
    #[serde(default)]
    pub curriculum: Vec<String>,
}

/// A file that has no place yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Draft {
    /// Its name.
    pub name: String,
    /// The directory of the workspace that it belongs in.
    pub directory: &'static str,
    /// What it holds.
    pub text: String,
    /// How many outcomes, questions or sections it has.
    pub entries: usize,
    /// What these are called.
    pub entries_are: &'static str,
    /// What was uncertain.
    pub doubts: Vec<Doubt>,
    /// The same in lines for a person, kind by kind.
    pub told: Vec<String>,
}

/// Makes the file of a document.
///
/// # Errors
/// Where nothing of the kind is in it, a code that a person gave is none, or the file does not come out of our own reader as it
/// went in.
pub fn draft(document: Document, framework: &Framework, wanted: &Wanted) -> Result<Draft, ImportError> {
    let stem = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
    let stem = if stem.is_empty() { document.name.clone() } else { stem.to_owned() };
    match wanted.paper {
        None => outcomes_of(document, framework, wanted, &stem),
        Some(kind) => paper_of(document, framework, wanted, kind, &stem),
    }
}

fn about(
    document: &Document,
    framework: &Framework,
    wanted: &Wanted,
    subject: String,
    doubts: &mut Vec<Doubt>,
) -> About {
    if wanted.edition.is_none() {
        doubts.push(Doubt::of(Kind::Unknown, "the version of the document is not known: give it with --edition"));
    }
    About {
        title: wanted.title.clone().unwrap_or_else(|| format!("{subject} ({})", framework.title)),
        subject,
        version: wanted.edition.clone().unwrap_or_else(|| "unknown".to_owned()),
        source: wanted.from.clone().unwrap_or_else(|| document.name.clone()),
    }
}

fn outcomes_of(
    mut document: Document,
    framework: &Framework,
    wanted: &Wanted,
    stem: &str,
) -> Result<Draft, ImportError> {
    let found = outcomes::find(&document, framework);
    let mut doubts = std::mem::take(&mut document.doubts);
    doubts.extend(found.doubts);
    if found.outcomes.is_empty() {
        return Err(nothing(&document, framework, found.seen, &doubts));
    }
    let subject = match &wanted.subject {
        Some(subject) => subject.clone(),
        None => subject_of(&found.outcomes, framework, stem, &mut doubts),
    };
    let name = format!("{}-{}.md", slug(&framework.name), slug(&subject));
    let about = about(&document, framework, wanted, subject, &mut doubts);
    let text = write::curriculum_file(&found.outcomes, framework, &about, &document)?;
    let (entries, entries_are, told) = (found.outcomes.len(), "outcomes", told(&doubts));
    Ok(Draft { name, directory: "curriculum", text, entries, entries_are, doubts, told })
}

/// The subject that the codes name, else the file's name.
fn subject_of(outcomes: &[Outcome], framework: &Framework, stem: &str, doubts: &mut Vec<Doubt>) -> String {
    let mut organisers: Vec<&str> =
        outcomes.iter().flat_map(|it| &it.codes).map(|code| code.organiser.as_str()).collect();
    organisers.sort_unstable();
    organisers.dedup();
    if let [only] = organisers.as_slice() {
        return framework.organiser_name(only).unwrap_or(stem).to_owned();
    }
    let message =
        "the codes are of several organisers; the file's name was taken for the subject: give it with --subject";
    doubts.push(Doubt::of(Kind::Unknown, message));
    stem.to_owned()
}

/// Why a document gave nothing.
fn nothing(document: &Document, framework: &Framework, seen: usize, doubts: &[Doubt]) -> ImportError {
    let unread = doubts.iter().filter(|doubt| doubt.kind == Kind::UnreadablePage).count();
    if document.blocks.is_empty() && unread > 0 {
        let message = format!("{} has no text on any of its {unread} pages", document.name);
        let hint = "it is scanned: run a text recognition over it, then import what comes of it";
        return ImportError::new("import.no-text", message, hint);
    }
    if seen > 0 {
        let message = format!("{} names {seen} codes of {} and no text belongs to any", document.name, framework.title);
        let hint = "it may be a list of codes only; import the document that holds their texts";
        return ImportError::new("import.no-texts", message, hint);
    }
    let message = format!("{} names no code of {}", document.name, framework.title);
    ImportError::new("import.no-codes", message, "look whether --framework is right; a paper needs --kind")
}

fn paper_of(
    mut document: Document,
    framework: &Framework,
    wanted: &Wanted,
    kind: PaperKind,
    stem: &str,
) -> Result<Draft, ImportError> {
    let given = wanted.codes.iter().flat_map(|text| framework.find(text)).flat_map(|it| it.codes);
    let given: Vec<String> = given.map(|it| it.text).collect();
    if given.len() < wanted.codes.len() {
        let message = format!("`{}` is no code of {}", wanted.codes.join("`, `"), framework.title);
        return Err(ImportError::new("import.code", message, "write it as the framework does").of_usage());
    }
    let mut doubts = std::mem::take(&mut document.doubts);
    let topics = topics(framework, wanted);
    let (items, more) = papers::find(&document, framework, kind, Tagging { given: &given, topics: &topics });
    doubts.extend(more);
    if items.is_empty() {
        let what = if kind == PaperKind::Specification { "section" } else { "numbered question" };
        let hint = "questions are found by numbers that count up from 1, sections by headings";
        return Err(ImportError::new("import.no-items", format!("{} has no {what}", document.name), hint));
    }
    let subject = wanted.subject.clone().unwrap_or_else(|| stem.to_owned());
    let mut about = about(&document, framework, wanted, subject, &mut doubts);
    if wanted.title.is_none() {
        about.title = format!("{stem} ({})", kind.name());
    }
    let text = papers::paper_file(&items, kind, framework, &about, &document)?;
    let name = format!("{}-{}.md", slug(stem), kind.name());
    let (entries, entries_are, told) = (items.len(), "questions and sections", told(&doubts));
    Ok(Draft { name, directory: "papers", text, entries, entries_are, doubts, told })
}

/// The topics of the curriculum files of this framework, and of the subject where one is named.
fn topics(framework: &Framework, wanted: &Wanted) -> Vec<Topics> {
    let files = wanted.curriculum.iter().map(|text| CurriculumFile::parse(text)).filter(|file| {
        let name = file.meta.framework.as_deref().unwrap_or(BUILT_IN);
        let subject = file.meta.subject.as_deref().unwrap_or_default();
        name.eq_ignore_ascii_case(&framework.name)
            && wanted.subject.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(subject))
    });
    files.flat_map(|file| Topics::of(&file)).collect()
}

/// Doubts in lines for a person: each kind with its number, then the first of them.
fn told(doubts: &[Doubt]) -> Vec<String> {
    let mut doubts: Vec<&Doubt> = doubts.iter().collect();
    doubts.sort_by_key(|doubt| (&doubt.kind, doubt.place));
    let mut lines = Vec::new();
    for own in doubts.chunk_by(|one, next| one.kind == next.kind) {
        let Some(first) = own.first() else { continue };
        lines.push(format!("{} ({})", first.kind.name(), own.len()));
        for doubt in own.iter().take(TOLD_MAX) {
            let place = doubt.place.map(|place| format!("{place}: ")).unwrap_or_default();
            let code = doubt.code.as_ref().map(|code| format!("{code}: ")).unwrap_or_default();
            lines.push(format!("  {place}{code}{}", doubt.message));
        }
        if own.len() > TOLD_MAX {
            lines.push(format!("  and {} more; --output json lists all", own.len() - TOLD_MAX));
        }
    }
    lines
}
