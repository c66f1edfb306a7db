//! Tables and their versions.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::StoreError;

/// Marks the file as ours: `tajl` in ASCII.
const APPLICATION_ID: i32 = 0x7461_6a6c;

/// The schema of this version. A journal of an earlier one is refused.
const VERSION: i64 = 5;

/// Records are the truth. The triggers keep them append-only and gapless, against this program's own mistakes and
/// against anybody with a SQL prompt; `INSERT OR REPLACE` too, whose deletion fires no trigger. Only salt and body can go,
/// both at once.
///
/// Owners' sessions share their memory, so what they do to it has an order among all of them, which the clock does not
/// tell. Records that concern memory are given a place in it.
///
/// Blobs are shared by sessions; which sessions they belong to says which of them go with a session.
///
/// Access codes are no records: they can be changed and forgotten.
///
/// A row of `sweeps` says that something was erased and that the file was not yet written anew.
const JOURNAL: &str = "
    CREATE TABLE records (
        session_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        run_id TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        type TEXT NOT NULL,
        previous BLOB NOT NULL,
        commitment BLOB NOT NULL,
        place INTEGER,
        salt BLOB,
        body TEXT,
        PRIMARY KEY (session_id, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX records_by_place ON records (place) WHERE place IS NOT NULL;

    CREATE TRIGGER records_gapless BEFORE INSERT ON records
    WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM records WHERE session_id = NEW.session_id), 0)
    BEGIN SELECT raise(ABORT, 'records are numbered without gaps and never replaced'); END;

    CREATE TRIGGER records_never_change BEFORE UPDATE ON records
    WHEN NEW.salt IS NOT NULL OR NEW.body IS NOT NULL
        OR (NEW.session_id, NEW.seq, NEW.run_id, NEW.at_ms, NEW.type, NEW.previous, NEW.commitment, NEW.place)
            IS NOT (OLD.session_id, OLD.seq, OLD.run_id, OLD.at_ms, OLD.type, OLD.previous, OLD.commitment, OLD.place)
    BEGIN SELECT raise(ABORT, 'records are never changed'); END;

    CREATE TRIGGER records_never_go BEFORE DELETE ON records
    BEGIN SELECT raise(ABORT, 'records are never deleted'); END;

    CREATE TABLE blobs (
        sha256 TEXT NOT NULL PRIMARY KEY,
        bytes BLOB NOT NULL
    ) STRICT;

    CREATE TRIGGER blobs_never_change BEFORE UPDATE ON blobs
    BEGIN SELECT raise(ABORT, 'blobs are never changed'); END;

    CREATE TABLE blobs_of_sessions (
        session_id TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        PRIMARY KEY (session_id, sha256)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE claims (
        session_id TEXT NOT NULL PRIMARY KEY,
        holder TEXT NOT NULL,
        claimed_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE codes (
        id TEXT NOT NULL PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        opens TEXT NOT NULL,
        role TEXT NOT NULL,
        subject TEXT,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL,
        revoked_ms INTEGER,
        session_id TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX codes_by_owner ON codes (owner, opens);
    CREATE UNIQUE INDEX codes_by_session ON codes (session_id) WHERE session_id IS NOT NULL;

    CREATE TABLE sweeps (
        number INTEGER NOT NULL PRIMARY KEY
    ) STRICT;
";

/// The views: a rebuild drops and creates them.
///
/// Whose a text is stands in a table of its own: that is read for every hit, and beside the texts it would be spread over
/// as many pages as they fill.
///
/// Words that were deleted go from the index of the texts at once, where otherwise a later merge would drop them.
///
/// Words are compared one by one: for `IN` with a list SQLite makes a table in memory, each time a row is written.
pub(super) const VIEWS: &str = "
    CREATE TABLE sessions (
        id TEXT NOT NULL PRIMARY KEY,
        plugin TEXT NOT NULL,
        command TEXT NOT NULL,
        agent TEXT NOT NULL,
        subject_kind TEXT,
        subject_id TEXT,
        owner TEXT NOT NULL,
        title TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        runs INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state = 'running' OR state = 'parked' OR state = 'finished'),
        last_status TEXT,
        last_run TEXT NOT NULL,
        forked_from TEXT,
        deleted_ms INTEGER,
        due_ms INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX sessions_by_time ON sessions (created_ms, id);
    CREATE INDEX sessions_by_plugin ON sessions (plugin, created_ms, id);
    CREATE INDEX sessions_by_owner ON sessions (owner, created_ms, id);
    CREATE INDEX sessions_due ON sessions (due_ms, id) WHERE due_ms IS NOT NULL;

    CREATE TABLE runs (
        id TEXT NOT NULL PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id),
        command TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state = 'running' OR state = 'parked' OR state = 'finished'),
        status TEXT,
        started_ms INTEGER NOT NULL,
        ended_ms INTEGER,
        first_seq INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cost_usd REAL NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX runs_by_session ON runs (session_id, first_seq);

    CREATE TABLE questions (
        session_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        hash TEXT NOT NULL,
        asked_by TEXT NOT NULL,
        decided TEXT NOT NULL,
        PRIMARY KEY (session_id, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE memory_files (
        owner TEXT NOT NULL,
        path TEXT NOT NULL,
        text TEXT NOT NULL,
        updated_ms INTEGER NOT NULL,
        notes TEXT NOT NULL,
        PRIMARY KEY (owner, path)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE memory_audit (
        owner TEXT NOT NULL,
        place INTEGER NOT NULL,
        item INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        session_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        by TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind = 'read' OR kind = 'written' OR kind = 'decided'),
        path TEXT,
        detail TEXT NOT NULL,
        PRIMARY KEY (owner, place, item)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX memory_audit_by_path ON memory_audit (owner, path, place, item);

    CREATE TABLE searched (
        text INTEGER NOT NULL PRIMARY KEY,
        session_id TEXT NOT NULL,
        kind TEXT NOT NULL
    ) STRICT;

    CREATE VIRTUAL TABLE texts USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4');
    INSERT INTO texts (texts, rank) VALUES ('secure-delete', 1);

    CREATE TABLE erased (
        id TEXT NOT NULL PRIMARY KEY,
        session_id TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// Drops the views, the referring one first.
pub(super) const DROP_VIEWS: &str = "
    DROP TABLE IF EXISTS runs;
    DROP TABLE IF EXISTS sessions;
    DROP TABLE IF EXISTS questions;
    DROP TABLE IF EXISTS memory_files;
    DROP TABLE IF EXISTS memory_audit;
    DROP TABLE IF EXISTS searched;
    DROP TABLE IF EXISTS texts;
    DROP TABLE IF EXISTS erased;
";

/// Makes all tables of an empty file.
pub(super) fn create(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(JOURNAL)?;
    transaction.execute_batch(VIEWS)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(())
}

/// Refuses a file of another application or another version. Reads only.
pub(super) fn check(path: &Path, application_id: i64, version: i64) -> Result<(), StoreError> {
    if application_id != i64::from(APPLICATION_ID) {
        return Err(StoreError::NotAJournal {
            path: path.to_owned(),
            reason: format!("it is a database of another application ({application_id:#x})"),
        });
    }
    if version > VERSION {
        return Err(StoreError::NewerSchema { path: path.to_owned(), found: version, known: VERSION });
    }
    if version < VERSION {
        return Err(StoreError::OlderSchema { path: path.to_owned(), found: version, known: VERSION });
    }
    Ok(())
}
