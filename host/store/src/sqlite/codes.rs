//! Access codes in SQL.

use rusqlite::{Connection, Row, params};

use super::value::Natural;
use crate::codes::{CodeChange, CodeFilter, CodeRow};
use crate::error::StoreError;

const COLUMNS: &str = "id, sha256, owner, opens, role, subject, created_ms, expires_ms, revoked_ms, session_id";

pub(super) fn add(connection: &Connection, codes: &[CodeRow]) -> Result<(), StoreError> {
    let mut add = connection
        .prepare_cached(&format!("INSERT INTO codes ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"))?;
    for code in codes {
        let CodeRow { id, sha256, owner, opens, role, subject, session, .. } = code;
        let (created, expires) = (Natural(code.created_ms), Natural(code.expires_ms));
        let revoked = code.revoked_ms.map(Natural);
        add.execute(params![id, sha256, owner, opens, role, subject, created, expires, revoked, session])?;
    }
    Ok(())
}

pub(super) fn list(connection: &Connection, filter: &CodeFilter) -> Result<Vec<CodeRow>, StoreError> {
    let (wanted, values): (&str, Vec<&str>) = match filter {
        CodeFilter::Sha256(sha256) => ("sha256 = ?1", vec![sha256]),
        CodeFilter::Id(id) => ("id = ?1", vec![id]),
        CodeFilter::Session(session) => ("session_id = ?1", vec![session]),
        CodeFilter::Of { owner, opens: Some(opens) } => ("owner = ?1 AND opens = ?2", vec![owner, opens]),
        CodeFilter::Of { owner, opens: None } => ("owner = ?1", vec![owner]),
    };
    let mut all =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM codes WHERE {wanted} ORDER BY created_ms, id"))?;
    let rows = all.query_map(rusqlite::params_from_iter(values), row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Changes a code; gives it as it is then, and a forgotten one as it was.
pub(super) fn change(connection: &Connection, id: &str, change: &CodeChange) -> Result<Option<CodeRow>, StoreError> {
    let Some(mut code) = list(connection, &CodeFilter::Id(id.to_owned()))?.into_iter().next() else { return Ok(None) };
    change.apply(&mut code);
    if *change == CodeChange::Forget {
        connection.prepare_cached("DELETE FROM codes WHERE id = ?1")?.execute([id])?;
        return Ok(Some(code));
    }
    let mut save = connection.prepare_cached("UPDATE codes SET revoked_ms = ?2, session_id = ?3 WHERE id = ?1")?;
    save.execute(params![id, code.revoked_ms.map(Natural), code.session])?;
    Ok(Some(code))
}

/// Forgets the code that opens a session, with the session.
pub(super) fn forget_session(connection: &Connection, session: &str) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM codes WHERE session_id = ?1")?.execute([session])?;
    Ok(())
}

fn row(row: &Row<'_>) -> rusqlite::Result<CodeRow> {
    let (Natural(created_ms), Natural(expires_ms)) = (row.get(6)?, row.get(7)?);
    let revoked: Option<Natural> = row.get(8)?;
    Ok(CodeRow {
        id: row.get(0)?,
        sha256: row.get(1)?,
        owner: row.get(2)?,
        opens: row.get(3)?,
        role: row.get(4)?,
        subject: row.get(5)?,
        created_ms,
        expires_ms,
        revoked_ms: revoked.map(|Natural(ms)| ms),
        session: row.get(9)?,
    })
}
