//! Memory: what is written, chosen and promoted, whatever it holds.

use proptest::prelude::*;
use ta_core::memory::consolidate::consolidate;
use ta_core::memory::score::Words;
use ta_core::memory::select::select;
use ta_core::memory::{
    Cause, Change, ENTRY_LINES_MAX, Fate, MemoryFile, MemoryPath, MemoryRules, Note, NoteKind, changed,
};

const DAY_MS: u64 = 86_400_000;

fn cause(session: &str, at_ms: u64) -> Cause<'_> {
    Cause { by: "test", session, lineage: session, run: session, at_ms }
}

fn rules() -> MemoryRules {
    let kind = |name: &str, first, words: &[&str]| NoteKind {
        name: name.into(),
        first,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
    };
    let kinds = vec![kind("safety", true, &["epilep"]), kind("need", true, &[]), kind("other", false, &[])];
    MemoryRules { kinds, ..MemoryRules::default() }
}

fn remember(path: &MemoryPath, text: &str, kind: &str, importance: u8) -> Change {
    let note = Note { text: text.into(), kind: kind.into(), importance, evidence: Vec::new() }.checked().unwrap();
    Change::Remembered { path: path.clone(), note }
}

fn file(notes: &[(&str, &str, u8)]) -> MemoryFile {
    let path = MemoryPath::entry(Some(("classes", "3B")));
    let add = |file, (text, kind, importance): &(&str, &str, u8)| {
        changed(file, &remember(&path, text, kind, *importance), &cause("s", DAY_MS))
    };
    notes.iter().fold(None, add).unwrap()
}

#[test]
fn what_is_come_to_again_counts_once_for_each_session() {
    let path = MemoryPath::working(None);
    let note = remember(&path, "Starters of 5 minutes work", "timing", 50);
    let one = changed(None, &note, &cause("one", 1));
    let again = changed(one, &note, &cause("one", 2));
    let other =
        changed(again, &remember(&path, "starters of 5 minutes: work!", "timing", 50), &cause("two", 3)).unwrap();
    assert_eq!(other.noted().count(), 1);
    let record = other.record("Starters of 5 minutes work").unwrap();
    assert_eq!((record.times, record.created_ms, record.last_ms), (2, 1, 3));
    assert_eq!((record.session.as_str(), record.last_session.as_str()), ("one", "two"));
}

#[test]
fn what_a_person_writes_keeps_what_was_known_of_lines_that_stay() {
    let before = file(&[("Pairs work", "preference", 20)]);
    let text = "# 3B\n\n- Pairs work\n- One pupil has epilepsy\n".to_owned();
    let change = Change::written(before.path.clone(), Some(before.sha256()), text, &rules());
    MemoryFile::check(Some(&before), &change).unwrap();
    let after = changed(Some(before.clone()), &change, &cause("person", 9)).unwrap();
    assert_eq!(after.record("Pairs work").unwrap().importance, 20);
    assert_eq!(after.record("One pupil has epilepsy").unwrap().kind, "safety");
    // Somebody who read an older file does not overwrite it.
    let late = Change::written(before.path.clone(), Some(before.sha256()), String::new(), &rules());
    assert!(MemoryFile::check(Some(&after), &late).unwrap_err().contains("somebody else"));
}

#[test]
fn safety_and_needs_come_first_where_room_is_short() {
    let file = file(&[
        ("Iteration with loops was taught with trace tables and worked very well for the whole class", "topic", 100),
        ("One pupil carries an inhaler", "safety", 1),
        ("Two pupils need instructions one at a time", "need", 1),
    ]);
    let (text, selection) = select(&file, &rules(), &Words::of(["iteration with loops"]), DAY_MS, 20);
    assert!(text.contains("inhaler") && text.contains("one at a time") && !text.contains("Iteration"), "{text}");
    assert_eq!((selection.included.len(), selection.left_out.len()), (2, 1));
    let (whole, selection) = select(&file, &rules(), &Words::default(), DAY_MS, 1_000);
    assert_eq!(whole, file.text.trim());
    assert!(selection.left_out.is_empty());
}

#[test]
fn relevance_counts_before_importance_before_recency_before_access() {
    let score = |relevance, importance, recency, access| {
        ta_core::memory::Scores { relevance, importance, recency, access, reinforcement: 0.0 }.for_prompt()
    };
    let ranks =
        [score(1.0, 0.0, 0.0, 0.0), score(0.0, 1.0, 0.0, 0.0), score(0.0, 0.0, 1.0, 0.0), score(0.0, 0.0, 0.0, 1.0)];
    assert!(ranks.windows(2).all(|pair| pair[0] > pair[1]), "{ranks:?}");
}

#[test]
fn a_working_note_lasts_only_with_a_persons_yes_however_it_ranks_itself() {
    let path = MemoryPath::working(Some(("classes", "3B")));
    let note = remember(&path, "Trace tables help with loops", "safeguarding", 100);
    let about = Words::of(["trace tables help with loops"]);
    let mut working = changed(None, &note, &cause("one", DAY_MS)).unwrap();
    let fate = |working: &MemoryFile, entry: Option<&MemoryFile>| {
        let (scored, changes) = consolidate(Some(working), entry, &rules(), &about, 2 * DAY_MS);
        (scored[0].fate, changes)
    };
    assert_eq!(fate(&working, None), (Fate::Kept, Vec::new()));
    for session in ["two", "three", "four"] {
        working = changed(Some(working), &note, &cause(session, 2 * DAY_MS)).unwrap();
        assert_eq!(fate(&working, None), (Fate::Proven, Vec::new()), "nothing moves by itself");
    }
    // Confirmed in the same words: it is counted there, and ranked no higher than it was confirmed with.
    let confirmed = file(&[("trace tables help with loops.", "other", 30)]);
    let (counted, changes) = fate(&working, Some(&confirmed));
    let entry = changed(Some(confirmed), &changes[0], &cause("four", 2 * DAY_MS)).unwrap();
    let record = entry.record("Trace tables help with loops").unwrap();
    assert_eq!((counted, entry.noted().count(), record.times, record.importance), (Fate::Counted, 1, 2, 30));
    assert_eq!(record.evidence, ["run one"]);
    assert!(!changed(Some(working), &changes[1], &cause("four", 2 * DAY_MS)).unwrap().text.contains("Trace tables"));
}

#[test]
fn an_entry_point_stays_within_its_lines() {
    let texts: Vec<String> = (0..ENTRY_LINES_MAX + 10).map(|number| format!("Note of number {number}")).collect();
    let mut notes: Vec<(&str, &str, u8)> = texts.iter().map(|text| (text.as_str(), "other", 10)).collect();
    notes.push(("One pupil carries an inhaler", "safety", 0));
    let mut entry = file(&notes);
    let (scored, changes) = consolidate(None, Some(&entry), &rules(), &Words::default(), DAY_MS);
    assert!(scored.iter().all(|it| it.fate == Fate::Archived));
    let mut archive = None;
    for change in changes {
        let at = cause("end", DAY_MS);
        if change.path().is_entry() {
            entry = changed(Some(entry), &change, &at).unwrap();
        } else {
            archive = changed(archive, &change, &at);
        }
    }
    assert_eq!(entry.text.lines().count(), ENTRY_LINES_MAX);
    assert!(entry.text.contains("inhaler"), "what is about safety never leaves");
    assert_eq!(archive.unwrap().noted().count() + entry.noted().count(), notes.len());
}

proptest! {
    /// Whatever is written, no file breaks, no note is there twice, and what is chosen is a part of the file.
    #[test]
    fn any_changes_leave_a_sound_file(texts in prop::collection::vec("[ -~]{0,40}(\n[-*] [a-z ]{0,20})?", 1..20), tokens in 1_usize..100) {
        let path = MemoryPath::entry(None);
        let mut file: Option<MemoryFile> = None;
        for (number, text) in texts.iter().enumerate() {
            let at = cause("s", number as u64);
            let change = match number % 3 {
                0 => Change::written(path.clone(), file.as_ref().map(MemoryFile::sha256), text.clone(), &rules()),
                1 => Change::Forgotten { path: path.clone(), text: text.clone() },
                _ => match (Note { text: text.clone(), kind: "other".into(), importance: 200, evidence: vec![] }).checked() {
                    Ok(note) => Change::Remembered { path: path.clone(), note },
                    Err(_) => continue,
                },
            };
            if MemoryFile::check(file.as_ref(), &change).is_ok() {
                file = changed(file, &change, &at);
            }
        }
        let file = file.unwrap();
        for line in file.lines().filter_map(|line| line.note) {
            prop_assert!(file.record(line).is_some(), "{line:?} is not known");
        }
        let (text, selection) = select(&file, &rules(), &Words::default(), 0, tokens);
        for line in text.lines() {
            prop_assert!(file.text.contains(line));
        }
        prop_assert!(selection.included.len() + selection.left_out.len() <= file.lines().count());
    }
}
