//! Rows of the views in SQL, and their making from the events.

use std::str::FromStr;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::queries::record;
use super::schema;
use super::value::Natural;
use crate::error::StoreError;
use crate::project::{Views, project};
use crate::rows::{RunRow, SessionRow, State};

/// Columns of a session, in the order in which [`session_row`] reads them.
pub(super) const SESSION_COLUMNS: &str =
    "id, plugin, command, agent, class, title, created_ms, updated_ms, runs, state, last_status, last_run";

/// Columns of a run, in the order in which [`run_row`] reads them.
pub(super) const RUN_COLUMNS: &str = "id, session_id, command, state, status, started_ms, ended_ms, first_seq, \
     last_seq, turns, input_tokens, output_tokens, cost_usd";

const SAVE_SESSION: &str = "
    INSERT INTO sessions (id, plugin, command, agent, class, title, created_ms, updated_ms, runs, state, last_status,
        last_run)
    VALUES (:id, :plugin, :command, :agent, :class, :title, :created_ms, :updated_ms, :runs, :state, :last_status,
        :last_run)
    ON CONFLICT (id) DO UPDATE SET plugin = excluded.plugin, command = excluded.command, agent = excluded.agent,
        class = excluded.class, title = excluded.title, updated_ms = excluded.updated_ms, runs = excluded.runs,
        state = excluded.state, last_status = excluded.last_status, last_run = excluded.last_run";

const SAVE_RUN: &str = "
    INSERT INTO runs (id, session_id, command, state, status, started_ms, ended_ms, first_seq, last_seq, turns,
        input_tokens, output_tokens, cost_usd)
    VALUES (:id, :session_id, :command, :state, :status, :started_ms, :ended_ms, :first_seq, :last_seq, :turns,
        :input_tokens, :output_tokens, :cost_usd)
    ON CONFLICT (id) DO UPDATE SET command = excluded.command, state = excluded.state, status = excluded.status,
        ended_ms = excluded.ended_ms, last_seq = excluded.last_seq, turns = excluded.turns,
        input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd";

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

/// Writes rows over those of the same ids.
pub(super) fn save(connection: &Connection, views: &Views) -> Result<(), StoreError> {
    // The session first: its runs refer to it.
    if let Some(session) = &views.session {
        connection.prepare_cached(SAVE_SESSION)?.execute(named_params! {
            ":id": session.id,
            ":plugin": session.plugin,
            ":command": session.command,
            ":agent": session.agent,
            ":class": session.class,
            ":title": session.title,
            ":created_ms": Natural(session.created_ms),
            ":updated_ms": Natural(session.updated_ms),
            ":runs": Natural(session.runs),
            ":state": session.state.name(),
            ":last_status": session.last_status,
            ":last_run": session.last_run,
        })?;
    }
    let mut save_run = connection.prepare_cached(SAVE_RUN)?;
    for run in views.runs.values() {
        save_run.execute(named_params! {
            ":id": run.id,
            ":session_id": run.session,
            ":command": run.command,
            ":state": run.state.name(),
            ":status": run.status,
            ":started_ms": Natural(run.started_ms),
            ":ended_ms": run.ended_ms.map(Natural),
            ":first_seq": Natural(run.first_seq),
            ":last_seq": Natural(run.last_seq),
            ":turns": Natural(run.turns),
            ":input_tokens": Natural(run.input_tokens),
            ":output_tokens": Natural(run.output_tokens),
            ":cost_usd": run.cost_usd,
        })?;
    }
    Ok(())
}

/// Drops the views and makes them again. To be called within a transaction.
pub(super) fn rebuild(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(schema::DROP_VIEWS)?;
    connection.execute_batch(schema::VIEWS)?;
    rebuild_rows(connection)
}

/// Fills empty views from the events, holding the rows of one session at a time.
pub(super) fn rebuild_rows(connection: &Connection) -> Result<(), StoreError> {
    let mut all =
        connection.prepare("SELECT seq, run_id, at_ms, type, body, session_id FROM events ORDER BY session_id, seq")?;
    let mut rows = all.query([])?;
    let mut views = Views::default();
    while let Some(row) = rows.next()? {
        let session: String = row.get(5)?;
        if views.session.as_ref().is_some_and(|before| before.id != session) {
            save(connection, &views)?;
            views = Views::default();
        }
        project(&record(&session, row)?, &mut views);
    }
    save(connection, &views)
}

/// A row of [`SESSION_COLUMNS`].
pub(super) fn session_row(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    Ok(SessionRow {
        id: row.get(0)?,
        plugin: row.get(1)?,
        command: row.get(2)?,
        agent: row.get(3)?,
        class: row.get(4)?,
        title: row.get(5)?,
        created_ms: natural(row, 6)?,
        updated_ms: natural(row, 7)?,
        runs: natural(row, 8)?,
        state: state(row, 9)?,
        last_status: row.get(10)?,
        last_run: row.get(11)?,
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
