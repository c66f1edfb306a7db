//! Every error: its code, its sentence, what to do.

use std::collections::BTreeSet;

use crate::StoreError;

fn all() -> Vec<StoreError> {
    let text = |text: &str| text.to_owned();
    let (session, reason) = (text("s-1"), text("what the system said"));
    let path = std::path::PathBuf::from("data/journal.db");
    vec![
        StoreError::Conflict { session: session.clone(), expected: 3, last: 5 },
        StoreError::Claimed { session: session.clone(), holder: text("node-a"), until_ms: 1_500 },
        StoreError::RunElsewhere { run: text("r-1"), session: session.clone() },
        StoreError::Ambiguous {
            prefix: text("0198c2"),
            candidates: vec![text("0198c2-a"), text("0198c2-b")],
            more: false,
        },
        StoreError::Ambiguous {
            prefix: text("0198c2"),
            candidates: vec![text("0198c2-a"), text("0198c2-b")],
            more: true,
        },
        StoreError::NotFound { id: text("0198c2") },
        StoreError::Erased { id: text("0198c2") },
        StoreError::Forked { session: session.clone(), forks: vec![text("s-2"), text("s-3")] },
        StoreError::Unswept { reason: reason.clone() },
        StoreError::PrefixTooShort { prefix: text("0198") },
        StoreError::BadId { id: text("a\u{1b}b") },
        StoreError::BadQuery { query: text("- *"), reason: text("it has no letter and no digit") },
        StoreError::Unstorable { what: text("model.answered"), reason: reason.clone() },
        StoreError::UnknownEvent { session, seq: 7, kind: text("flow.stepped"), reason: reason.clone() },
        StoreError::Corrupt { what: text("data/journal.db"), reason: text("it is empty") },
        StoreError::NewerSchema { path: path.clone(), found: 2, known: 1 },
        StoreError::OlderSchema { path: path.clone(), found: 1, known: 2 },
        StoreError::Missing { path: path.clone() },
        StoreError::Exists { path: path.clone() },
        StoreError::OpenedToRead,
        StoreError::NotAJournal { path, reason: text("it is not an SQLite database") },
        StoreError::ReadOnly { what: text("data"), reason: reason.clone() },
        StoreError::Full { reason: reason.clone() },
        StoreError::Locked { reason: reason.clone() },
        StoreError::Closed,
        StoreError::Failed { doing: text("opening data/journal.db"), reason },
    ]
}

#[test]
fn errors_say_what_happened() {
    let sentences: Vec<_> = all().iter().map(|error| format!("{}: {error}", error.code())).collect();
    insta::assert_snapshot!(sentences.join("\n"), @r#"
    store.conflict: session `s-1` ends at event 5, not at 3: somebody else wrote to it
    store.claimed: session `s-1` is being written by `node-a`
    store.run_elsewhere: run `r-1` belongs to session `s-1`
    store.ambiguous: `0198c2` could be 0198c2-a, 0198c2-b
    store.ambiguous: `0198c2` could be 0198c2-a, 0198c2-b or others
    store.not_found: there is no session and no run "0198c2"
    session.erased: session `0198c2` was erased
    session.forked: session `s-1` shares its records with its forks: s-2, s-3
    store.unswept: it is erased, but the journal's file could not be written anew: what the system said
    store.prefix_too_short: "0198" is too short: an id can be cut to 6 characters
    store.bad_id: "a\u{1b}b" is not an id: 1 to 64 letters, digits, `-`, `_` and `.` are
    store.bad_query: "- *" cannot be searched for: it has no letter and no digit
    store.unstorable: model.answered cannot be stored: what the system said
    store.unknown_event: event 7 of session `s-1` is a `flow.stepped`, which this version cannot read: what the system said
    store.corrupt: data/journal.db is damaged: it is empty
    store.newer_schema: data/journal.db has schema 2; this version knows 1
    store.older_schema: data/journal.db has schema 1, and this version reads 2
    store.missing: there is no journal at data/journal.db
    store.exists: data/journal.db is already there
    store.read_only: the journal was opened to read alone
    store.not_a_journal: data/journal.db is not a journal: it is not an SQLite database
    store.read_only: data cannot be written: what the system said
    store.full: no space is left for the journal: what the system said
    store.locked: another process holds the journal: what the system said
    store.closed: the journal is closed
    store.failed: opening data/journal.db failed: what the system said
    "#);
}

#[test]
fn errors_say_what_to_do() {
    let hints: BTreeSet<_> = all().iter().map(|error| format!("{}: {}", error.code(), error.hint())).collect();
    let hints: Vec<_> = hints.into_iter().collect();
    insta::assert_snapshot!(hints.join("\n"), @r#"
    session.erased: Nothing of it can be read any more; list the sessions to see which there are.
    session.forked: Erase the forks as well, or first.
    store.ambiguous: Give more characters of the id.
    store.bad_id: Use an id as the host prints it.
    store.bad_query: Give a few words, such as `bubble sort` or `recurs*`, or none to list the newest.
    store.claimed: Wait for the other process to end its run, or end that process.
    store.closed: Start the host again: what was stored is safe.
    store.conflict: Read the session again and go on from its last event.
    store.corrupt: Put a backup in its place with `teacher-assist restore FILE`, or move the data directory away to start anew. Nothing was changed.
    store.exists: Choose another name: a backup replaces no file.
    store.failed: Look at the disk and at the permissions of the data directory, then try again.
    store.full: Free some space and go on: what was stored before is safe.
    store.locked: End the other process, or wait until it is done.
    store.missing: Choose the data directory of the host, or start a run, which makes the journal.
    store.newer_schema: Use the version that wrote it, or a newer one. Nothing was changed.
    store.not_a_journal: Choose another data directory, or move the file away. Nothing was changed.
    store.not_found: List the sessions to see which there are.
    store.older_schema: Use the version that wrote it, or move the data directory away to start anew. Nothing was changed.
    store.prefix_too_short: Give more characters of the id.
    store.read_only: Do it in the process that writes the journal, or end that and open it to write.
    store.read_only: Make the data directory and its files writable for you, or choose another one.
    store.run_elsewhere: Give the new run an id of its own.
    store.unknown_event: Read this session with the version that wrote it, or with a newer one.
    store.unstorable: This is a bug of whoever made it; the journal holds everything before it.
    store.unswept: What was erased may still be found in the file. Free some space, end whoever reads the journal, and open it again to write: that finishes it.
    "#);
}
