//! Memory files as the events make them, and their audit.

use std::sync::Arc;

use ta_core::Event;
use ta_core::memory::{Change, MemoryPath, MemoryRules};
use ta_core::question::{Answer, Outcome};

use super::{
    Outcome as Checked, Wrong, asked, decided, decision, forked, hooked, note, parked, prompted, remembered, replied,
    same, started_for, used,
};
use crate::audit::{AuditKind, AuditRow};
use crate::store::{SessionFilter, Store};

const LIMIT: usize = 100;

fn entry() -> MemoryPath {
    MemoryPath::entry(None)
}

/// The texts of an owner's files, by path.
async fn texts(store: &dyn Store, owner: &str) -> Result<Vec<(String, String)>, Wrong> {
    let files = store.memory(owner).await?;
    Ok(files.into_iter().map(|file| (file.path.to_string(), file.text)).collect())
}

/// How often a note of the entry point was shown, and how many sessions came to it.
async fn counts(store: &dyn Store, note: &str) -> Result<Option<(u32, u32)>, Wrong> {
    let file = store.memory_file("ana", &entry()).await?;
    Ok(file.as_ref().and_then(|file| file.record(note)).map(|record| (record.uses, record.times)))
}

fn line(row: &AuditRow) -> String {
    let path = row.path.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
    format!("{} {} {} {path} {} {}", row.session, row.seq, row.by, row.kind.name(), row.detail)
}

async fn audit(store: &dyn Store, path: Option<&MemoryPath>, limit: usize) -> Result<Vec<String>, Wrong> {
    Ok(store.memory_audit("ana", path, limit).await?.iter().map(line).collect())
}

pub(super) async fn folds_files(store: Arc<dyn Store>) -> Checked {
    let class = MemoryPath::entry(Some(("classes", "3B")));
    let begin = vec![
        started_for("ana", "3B", "Loops"),
        remembered("ana", "memory-capture", note(&entry(), "Likes quizzes")),
        remembered("ana", "call-1", note(&class, "Needs large print")),
    ];
    store.append("s-1", "r-1", 0, 100, begin, vec![]).await?;
    let paths: Vec<String> = texts(&*store, "ana").await?.into_iter().map(|(path, _)| path).collect();
    same("paths in order", &paths, &vec!["memory/MEMORY.md", "memory/classes/3B/MEMORY.md"])?;
    let file = store.memory_file("ana", &class).await?.ok_or_else(|| Wrong("there is no file".into()))?;
    same("its text", &file.text.ends_with("- Needs large print\n"), &true)?;
    let record = file.record("needs large print").map(|it| (it.by.as_str(), it.session.as_str(), it.run.as_str()));
    same("where a note comes from", &record, &Some(("call-1", "s-1", "r-1")))?;
    same("when", &file.updated_ms, &100)?;

    let text = "- Likes quizzes\n".to_owned();
    let written = Change::written(entry(), None, text.clone(), &MemoryRules::default());
    let forgotten = Change::Forgotten { path: class.clone(), text: "Needs large print".into() };
    let changes = vec![remembered("ana", "person", written), remembered("ana", "person", forgotten)];
    store.append("memory-ana", "memory-ana", 0, 200, changes, vec![]).await?;
    let file = store.memory_file("ana", &entry()).await?;
    same("a file that was written", &file.map(|file| (file.text, file.updated_ms)), &Some((text, 200)))?;
    let removed = remembered("ana", "person", Change::Removed { path: entry() });
    store.append("memory-ana", "memory-ana", 2, 300, vec![removed], vec![]).await?;
    same("a file that was removed", &store.memory_file("ana", &entry()).await?, &None)?;
    same("the file that stays", &store.memory("ana").await?.len(), &1)?;
    let other = MemoryPath::working(None);
    same("no file", &store.memory_file("ana", &other).await?, &None)
}

pub(super) async fn counts_uses(store: Arc<dyn Store>) -> Checked {
    let first = vec![started_for("ana", "3B", "Loops"), remembered("ana", "call-1", note(&entry(), "Likes quizzes"))];
    store.append("s-1", "r-1", 0, 100, first, vec![]).await?;
    same("never shown", &counts(&*store, "Likes quizzes").await?, &Some((0, 1)))?;
    let shown = prompted(&entry(), &["Likes quizzes", "A note that is gone"]);
    store.append("s-2", "r-2", 0, 200, vec![started_for("ana", "4A", "Loops"), shown.clone()], vec![]).await?;
    same("shown in another session", &counts(&*store, "Likes quizzes").await?, &Some((1, 1)))?;
    store.append("s-3", "r-3", 0, 300, vec![started_for("ben", "4A", "Loops"), shown.clone()], vec![]).await?;
    store.append("s-4", "r-4", 0, 300, vec![shown], vec![]).await?;
    same("another's is another's", &counts(&*store, "Likes quizzes").await?, &Some((1, 1)))?;
    let again = vec![remembered("ana", "call-1", note(&entry(), "likes quizzes!"))];
    store.append("s-2", "r-2", 2, 400, again, vec![]).await?;
    same("come to twice", &counts(&*store, "Likes quizzes").await?, &Some((1, 2)))
}

pub(super) async fn keeps_owners_apart(store: Arc<dyn Store>) -> Checked {
    for (number, owner) in ["ana", "ben"].into_iter().enumerate() {
        let text = format!("A secret of {owner}");
        let events = vec![started_for(owner, "3B", "Loops"), remembered(owner, "call-1", note(&entry(), &text))];
        store.append(&format!("s-{number}"), &format!("r-{number}"), 0, 10, events, vec![]).await?;
    }
    for (owner, other) in [("ana", "ben"), ("ben", "ana")] {
        let all = format!("{:?} {:?}", texts(&*store, owner).await?, store.memory_audit(owner, None, LIMIT).await?);
        same("one's own", &all.contains(&format!("secret of {owner}")), &true)?;
        same("another's", &all.contains(&format!("secret of {other}")), &false)?;
        let filter = SessionFilter { owner: Some(owner.into()), ..SessionFilter::newest(LIMIT) };
        let listed = store.sessions(filter).await?;
        same("one's own sessions", &listed.iter().all(|row| row.owner == owner), &true)?;
        same("how many", &listed.len(), &1)?;
    }
    for nobody in ["", "an", "ANA"] {
        same("nobody's files", &texts(&*store, nobody).await?, &Vec::new())?;
        same("nobody's audit", &store.memory_audit(nobody, None, LIMIT).await?, &Vec::new())?;
    }
    Ok(())
}

pub(super) async fn audits(store: Arc<dyn Store>) -> Checked {
    let (question, hash) = asked("memory-capture", &["m1", "m2"]);
    let (edited, dismissed) = (decision("m1", "edit", Some("Likes short quizzes")), decision("m2", "dismiss", None));
    let answer = Outcome::Answered(Answer::Items(vec![edited.clone(), dismissed]));
    let (other, other_hash) = asked("teacher-adjudication", &["starter"]);
    let events = vec![
        started_for("ana", "3B", "Loops"),
        prompted(&entry(), &["Likes quizzes"]),
        hooked("feedforward", &["workspace.entries classes", "memory.read memory/MEMORY.md"]),
        used("read_memory", &["memory.read memory/classes/3B/MEMORY.md", "clock.now"]),
        other,
        decided(&other_hash, decision("starter", "accept", Some("fine"))),
        question,
        decided(&hash, edited),
        replied(&hash, answer),
        remembered("ana", "memory-capture", note(&entry(), "Likes short quizzes")),
    ];
    store.append("s-1", "r-1", 0, 100, events, vec![]).await?;
    // The clock was set back: the order is that of the appends.
    let gone = Change::Removed { path: entry() };
    store.append("memory-ana", "memory-ana", 0, 50, vec![remembered("ana", "person", gone)], vec![]).await?;
    let expected = vec![
        "memory-ana 1 person memory/MEMORY.md written removed the file",
        "s-1 10 memory-capture memory/MEMORY.md written remembered (preference): Likes short quizzes",
        "s-1 9 person - decided m2: dismiss",
        "s-1 8 person - decided m1: edit: Likes short quizzes",
        "s-1 4 read_memory memory/classes/3B/MEMORY.md read 00ff",
        "s-1 3 feedforward memory/MEMORY.md read 00ff",
        "s-1 2 prompt memory/MEMORY.md read 1 notes shown, 0 left out",
    ];
    for _ in 0..2 {
        same("the audit", &audit(&*store, None, LIMIT).await?, &expected)?;
        same("the last of it", &audit(&*store, None, 2).await?, &expected.iter().take(2).copied().collect::<Vec<_>>())?;
        let class = MemoryPath::entry(Some(("classes", "3B")));
        let of_class = vec!["s-1 4 read_memory memory/classes/3B/MEMORY.md read 00ff"];
        same("the audit of a file", &audit(&*store, Some(&class), LIMIT).await?, &of_class)?;
        same("one event of a file", &audit(&*store, Some(&entry()), 1).await?.len(), &1)?;
        store.rebuild_views().await?;
    }
    let row = store.memory_audit("ana", None, 1).await?.pop();
    let row = row.map(|row| (row.at_ms, row.run, row.kind));
    same("a row", &row, &Some((50, "memory-ana".into(), AuditKind::Written)))
}

pub(super) async fn outside_runs(store: Arc<dyn Store>) -> Checked {
    let id = "memory-ana";
    let event = |text: &str| -> Event { remembered("ana", "person", note(&entry(), text)) };
    store.append(id, id, 0, 100, vec![event("One"), event("Two")], vec![]).await?;
    store.append(id, id, 2, 200, vec![event("Three")], vec![]).await?;
    for _ in 0..2 {
        same("its end", &store.last_seq(id).await?, &3)?;
        same("its events", &store.read(id, 1, 10).await?.len(), &2)?;
        same("no session", &store.session(id).await?, &None)?;
        same("no run", &store.run(id).await?, &None)?;
        same("no runs", &store.runs(id).await?, &Vec::new())?;
        same("no list", &store.sessions(SessionFilter::newest(LIMIT)).await?, &Vec::new())?;
        super::refused("nothing to find", store.find(id).await, "store.not_found")?;
        super::refused(
            "a writer elsewhere",
            store.append(id, id, 2, 1, vec![parked()], vec![]).await,
            "store.conflict",
        )?;
        same("what it did", &store.memory("ana").await?.iter().map(|file| file.notes.len()).sum::<usize>(), &3)?;
        store.rebuild_views().await?;
    }
    Ok(())
}

pub(super) async fn rebuilds(store: Arc<dyn Store>) -> Checked {
    // Sessions that take turns, with a clock that goes back and ids in another order than their events.
    let written = |text: &str| Change::written(entry(), None, text.into(), &MemoryRules::default());
    store.append("s-2", "r-2", 0, 900, vec![started_for("ana", "3B", "Loops")], vec![]).await?;
    store.append("s-1", "r-1", 0, 800, vec![started_for("ana", "3B", "Loops")], vec![]).await?;
    store.append("s-2", "r-2", 1, 700, vec![remembered("ana", "p", written("- One\n"))], vec![]).await?;
    store.append("s-1", "r-1", 1, 600, vec![remembered("ana", "p", note(&entry(), "Two"))], vec![]).await?;
    store.append("s-2", "r-2", 2, 500, vec![prompted(&entry(), &["One", "Two"])], vec![]).await?;
    store.append("s-1", "r-1", 2, 400, vec![remembered("ana", "p", written("- Two\n- Three\n"))], vec![]).await?;
    let before = (store.memory("ana").await?, store.memory_audit("ana", None, LIMIT).await?);
    same("before", &counts(&*store, "Two").await?, &Some((1, 1)))?;
    store.rebuild_views().await?;
    let after = (store.memory("ana").await?, store.memory_audit("ana", None, LIMIT).await?);
    same("made again", &after, &before)?;
    store.append("s-2", "r-2", 3, 300, vec![prompted(&entry(), &["Two"])], vec![]).await?;
    same("going on", &counts(&*store, "Two").await?, &Some((2, 1)))
}

pub(super) async fn counts_a_fork_once(store: Arc<dyn Store>) -> Checked {
    let begin = vec![started_for("ana", "3B", "Loops"), remembered("ana", "call-1", note(&entry(), "Likes quizzes"))];
    store.append("s-1", "r-1", 0, 100, begin, vec![]).await?;
    for (id, from, run) in [("f-1", "s-1", "r-1"), ("f-2", "f-1", "r-f-1")] {
        let again = vec![forked(from, run, 1), remembered("ana", "call-1", note(&entry(), "Likes quizzes"))];
        store.append(id, &format!("r-{id}"), 0, 200, again, vec![]).await?;
    }
    let other = vec![started_for("ana", "3B", "Loops")];
    store.append("s-2", "r-2", 0, 300, other, vec![]).await?;
    for rebuilt in [false, true] {
        if rebuilt {
            store.rebuild_views().await?;
        }
        same("a session and its forks", &counts(&*store, "Likes quizzes").await?, &Some((0, 1)))?;
    }
    let again = vec![remembered("ana", "call-1", note(&entry(), "Likes quizzes"))];
    store.append("s-2", "r-2", 1, 400, again, vec![]).await?;
    same("another session", &counts(&*store, "Likes quizzes").await?, &Some((0, 2)))
}
