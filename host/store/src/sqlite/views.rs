//! Rows of the views in SQL, and their making from the events.

use std::str::FromStr;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use ta_core::hook::Subject;

use super::queries::{RECORD_COLUMNS, stored_row};
use super::value::Natural;
use super::{erase, memory, schema};
use crate::chain::TOMBSTONE;
use crate::error::StoreError;
use crate::prepare::decode;
use crate::project::{Asked, Views, project};
use crate::rows::{RunRow, SessionRow, State};

/// Columns of a session, in the order in which [`session_row`] reads them.
pub(super) const SESSION_COLUMNS: &str = "id, plugin, command, agent, subject_kind, subject_id, owner, title, created_ms, updated_ms, runs, state, \
     last_status, last_run, forked_from, deleted_ms, due_ms";

/// Columns of a run, in the order in which [`run_row`] reads them.
pub(super) const RUN_COLUMNS: &str = "id, session_id, command, state, status, started_ms, ended_ms, first_seq, \
     last_seq, turns, input_tokens, output_tokens, cost_usd";

// Parameters by number, not by name: an append saves two rows, and looking names up took a tenth of its time.
const NEW_SESSION: &str = "
    INSERT INTO sessions (id, plugin, command, agent, subject_kind, subject_id, owner, title, created_ms, updated_ms,
        runs, state, last_status, last_run, forked_from, deleted_ms, due_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

/// What changes once in a session's life, columns of indexes among it: naming such a column costs its index a write, even
/// where the value stays.
const CHANGED_SESSION: &str = "
    UPDATE sessions SET plugin = ?2, command = ?3, agent = ?4, subject_kind = ?5, subject_id = ?6, owner = ?7,
        title = ?8, forked_from = ?9, deleted_ms = ?10, due_ms = ?11
    WHERE id = ?1";

/// What every append changes.
const TOUCHED_SESSION: &str = "
    UPDATE sessions SET updated_ms = ?2, runs = ?3, state = ?4, last_status = ?5, last_run = ?6 WHERE id = ?1";

const NEW_RUN: &str = "
    INSERT INTO runs (id, session_id, command, state, status, started_ms, ended_ms, first_seq, last_seq, turns,
        input_tokens, output_tokens, cost_usd)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

const TOUCHED_RUN: &str = "
    UPDATE runs SET command = ?2, state = ?3, status = ?4, ended_ms = ?5, last_seq = ?6, turns = ?7, input_tokens = ?8,
        output_tokens = ?9, cost_usd = ?10
    WHERE id = ?1";

/// The rows as they were before an append: none where there were none.
#[derive(Debug, Default)]
pub(super) struct Before {
    pub(super) session: Option<SessionRow>,
    pub(super) run: Option<RunRow>,
}

/// The session with this id.
pub(super) fn session(connection: &Connection, id: &str) -> Result<Option<SessionRow>, StoreError> {
    let mut one = connection.prepare_cached(&format!("SELECT {SESSION_COLUMNS} FROM sessions WHERE id = ?1"))?;
    Ok(one.query_row([id], session_row).optional()?)
}

/// The run with this id.
pub(super) fn run(connection: &Connection, id: &str) -> Result<Option<RunRow>, StoreError> {
    let mut one = connection.prepare_cached(&format!("SELECT {RUN_COLUMNS} FROM runs WHERE id = ?1"))?;
    Ok(one.query_row([id], run_row).optional()?)
}

/// The question of a session with this hash: the one that was asked last.
pub(super) fn question(connection: &Connection, session: &str, hash: &str) -> Result<Option<Asked>, StoreError> {
    let mut one = connection.prepare_cached(
        "SELECT seq, asked_by, decided FROM questions WHERE session_id = ?1 AND hash = ?2 ORDER BY seq DESC LIMIT 1",
    )?;
    let asked = one.query_row([session, hash], |row| {
        let Natural(seq) = row.get(0)?;
        let decided: String = row.get(2)?;
        let decided = serde_json::from_str(&decided);
        let decided =
            decided.map_err(|error| rusqlite::Error::FromSqlConversionFailure(2, Type::Text, error.into()))?;
        Ok(Asked { seq, by: row.get(1)?, decided })
    });
    Ok(asked.optional()?)
}

/// Writes rows over those that were there before, and new texts beside those that are there.
pub(super) fn save(connection: &Connection, session: &str, views: &Views, before: &Before) -> Result<(), StoreError> {
    // The session first: its runs refer to it.
    if let Some(row) = &views.session {
        save_session(connection, row, before.session.as_ref())?;
    }
    for run in views.runs.values() {
        save_run(connection, run, before.run.as_ref().filter(|before| before.id == run.id))?;
    }
    for (hash, asked) in &views.questions {
        let mut save_question = connection.prepare_cached(
            "INSERT INTO questions (session_id, seq, hash, asked_by, decided) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (session_id, seq) DO UPDATE SET decided = excluded.decided",
        )?;
        let decided = serde_json::to_string(&asked.decided).unwrap_or_else(|_| "[]".into());
        save_question.execute(params![session, Natural(asked.seq), hash, asked.by, decided])?;
    }
    for (kind, text) in views.texts.iter().filter(|_| views.session.is_some()) {
        connection.prepare_cached("INSERT INTO texts (words) VALUES (?1)")?.execute([text])?;
        let place = connection.last_insert_rowid();
        let mut save =
            connection.prepare_cached("INSERT INTO searched (text, session_id, kind) VALUES (?1, ?2, ?3)")?;
        save.execute(params![place, session, kind.name()])?;
    }
    Ok(())
}

fn save_session(connection: &Connection, row: &SessionRow, before: Option<&SessionRow>) -> Result<(), StoreError> {
    let SessionRow { id, plugin, command, agent, owner, title, forked_from, .. } = row;
    let subject = row.subject.as_ref();
    let (kind, about) = (subject.map(|subject| &subject.kind), subject.map(|subject| &subject.id));
    let (updated_ms, runs, state) = (Natural(row.updated_ms), Natural(row.runs), row.state.name());
    let (last_status, last_run) = (&row.last_status, &row.last_run);
    let (deleted_ms, due_ms) = (row.deleted_ms.map(Natural), row.due_ms.map(Natural));
    let Some(before) = before else {
        connection.prepare_cached(NEW_SESSION)?.execute(params![
            id,
            plugin,
            command,
            agent,
            kind,
            about,
            owner,
            title,
            Natural(row.created_ms),
            updated_ms,
            runs,
            state,
            last_status,
            last_run,
            forked_from,
            deleted_ms,
            due_ms,
        ])?;
        return Ok(());
    };
    let mut touched = connection.prepare_cached(TOUCHED_SESSION)?;
    touched.execute(params![id, updated_ms, runs, state, last_status, last_run])?;
    let rare = |row: &SessionRow| {
        let SessionRow { plugin, command, agent, subject, owner, title, forked_from, .. } = row.clone();
        (plugin, command, agent, subject, owner, title, forked_from, (row.deleted_ms, row.due_ms))
    };
    if rare(row) != rare(before) {
        let mut changed = connection.prepare_cached(CHANGED_SESSION)?;
        changed.execute(params![
            id,
            plugin,
            command,
            agent,
            kind,
            about,
            owner,
            title,
            forked_from,
            deleted_ms,
            due_ms
        ])?;
    }
    Ok(())
}

fn save_run(connection: &Connection, run: &RunRow, before: Option<&RunRow>) -> Result<(), StoreError> {
    let RunRow { id, session, command, status, cost_usd, .. } = run;
    let (state, ended_ms, last_seq) = (run.state.name(), run.ended_ms.map(Natural), Natural(run.last_seq));
    let (turns, input, output) = (Natural(run.turns), Natural(run.input_tokens), Natural(run.output_tokens));
    if before.is_some() {
        let mut touched = connection.prepare_cached(TOUCHED_RUN)?;
        touched.execute(params![id, command, state, status, ended_ms, last_seq, turns, input, output, cost_usd])?;
        return Ok(());
    }
    let (started_ms, first_seq) = (Natural(run.started_ms), Natural(run.first_seq));
    connection.prepare_cached(NEW_RUN)?.execute(params![
        id, session, command, state, status, started_ms, ended_ms, first_seq, last_seq, turns, input, output, cost_usd,
    ])?;
    Ok(())
}

/// Drops the views and makes them again. To be called within a transaction.
pub(super) fn rebuild(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(schema::DROP_VIEWS)?;
    connection.execute_batch(schema::VIEWS)?;
    rebuild_rows(connection)
}

/// Fills empty views from the events, holding the rows of one session at a time; then the memory files, in the order in
/// which the sessions touched them.
fn rebuild_rows(connection: &Connection) -> Result<(), StoreError> {
    let mut all = connection.prepare(&format!(
        "SELECT {RECORD_COLUMNS}, place FROM records WHERE body IS NOT NULL AND type <> ?1 ORDER BY session_id, seq"
    ))?;
    let mut rows = all.query([TOMBSTONE])?;
    let (mut current, mut views) = (String::new(), Views::default());
    while let Some(row) = rows.next()? {
        let record = decode(stored_row(row)?)?;
        if record.session != current {
            save(connection, &current, &views, &Before::default())?;
            (current, views) = (record.session.clone(), Views::default());
        }
        project(&record, &mut views);
        let audit = std::mem::take(&mut views.audit);
        if let Some(Natural(place)) = row.get("place")? {
            memory::save_audit(connection, place, &audit)?;
        }
    }
    save(connection, &current, &views, &Before::default())?;
    rebuild_erased(connection)?;
    memory::in_order(connection, |record, row| memory::fold(connection, record, row))
}

/// Which sessions are gone: those that end with a tombstone.
fn rebuild_erased(connection: &Connection) -> Result<(), StoreError> {
    let mut all = connection.prepare("SELECT session_id FROM records WHERE type = ?1")?;
    let sessions = all.query_map([TOMBSTONE], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    sessions.iter().try_for_each(|session| erase::remember_ids(connection, session))
}

/// A row of [`SESSION_COLUMNS`].
pub(super) fn session_row(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let (kind, id): (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
    Ok(SessionRow {
        id: row.get(0)?,
        plugin: row.get(1)?,
        command: row.get(2)?,
        agent: row.get(3)?,
        subject: kind.zip(id).map(|(kind, id)| Subject { kind, id }),
        owner: row.get(6)?,
        title: row.get(7)?,
        created_ms: natural(row, 8)?,
        updated_ms: natural(row, 9)?,
        runs: natural(row, 10)?,
        state: state(row, 11)?,
        last_status: row.get(12)?,
        last_run: row.get(13)?,
        forked_from: row.get(14)?,
        deleted_ms: row.get::<_, Option<Natural>>(15)?.map(|at| at.0),
        due_ms: row.get::<_, Option<Natural>>(16)?.map(|at| at.0),
    })
}

/// A row of [`RUN_COLUMNS`].
pub(super) fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get(0)?,
        session: row.get(1)?,
        command: row.get(2)?,
        state: state(row, 3)?,
        status: row.get(4)?,
        started_ms: natural(row, 5)?,
        ended_ms: row.get::<_, Option<Natural>>(6)?.map(|at| at.0),
        first_seq: natural(row, 7)?,
        last_seq: natural(row, 8)?,
        turns: natural(row, 9)?,
        input_tokens: natural(row, 10)?,
        output_tokens: natural(row, 11)?,
        cost_usd: row.get(12)?,
    })
}

fn natural(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, Natural>(column).map(|number| number.0)
}

fn state(row: &Row<'_>, column: usize) -> rusqlite::Result<State> {
    let word: String = row.get(column)?;
    State::from_str(&word).map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}
