//! Proposals from what a model wrote down while it worked. It lasts only when the teacher says so, however much the model
//! says that it matters.

use ta_guest::memory::Note;

use crate::flow::Host;
use crate::proposal::{Noted, Proposal, Scope};
use crate::words::one_line;

/// Sessions that must have come to a note before the teacher is asked about it.
const SESSIONS_MIN: u32 = 2;
/// Such proposals in one run: what the teacher did says more.
const NOTED_MAX: usize = 2;
/// Longer notes are left where they are: a teacher has to be able to read what is confirmed at a glance.
const TEXT_CHARS_MAX: usize = 300;
/// How much such a note matters: less than what the teacher did or typed.
const IMPORTANCE: u8 = 50;

/// What was noted again and again about the class, then about the teacher.
pub(crate) fn noted(host: &impl Host, class: Option<&str>) -> Vec<Proposal> {
    let scopes = class.map(|class| Scope::Class(class.to_owned())).into_iter().chain([Scope::Teacher]);
    let mut proposals = Vec::new();
    for scope in scopes {
        let path = scope.working_notes();
        let Some(file) = host.read(&path) else { continue };
        let mut notes: Vec<&Note> = file.notes.iter().filter(|note| note.times >= SESSIONS_MIN).collect();
        notes.sort_by_key(|note| std::cmp::Reverse(note.times));
        let short = notes.into_iter().filter(|note| note.text.chars().count() <= TEXT_CHARS_MAX);
        proposals.extend(short.map(|note| proposal(&scope, &path, note)));
    }
    proposals.truncate(NOTED_MAX);
    proposals
}

fn proposal(scope: &Scope, path: &str, note: &Note) -> Proposal {
    let reason = format!("The assistant noted this in {} sessions; nobody has confirmed it yet.", note.times);
    let evidence = note.evidence.iter().map(|it| one_line(it));
    let noted = Noted { path: path.to_owned(), text: note.text.clone() };
    let proposal = Proposal::new(scope.clone(), kind(&note.kind), IMPORTANCE, &note.text, reason);
    Proposal { noted: Some(noted), ..proposal.evidence(evidence) }
}

/// One of the kinds of the contract. What comes first wherever room is short is for the teacher to say.
fn kind(word: &str) -> &'static str {
    ["preference", "timing", "topic"].into_iter().find(|known| *known == word).unwrap_or("other")
}
