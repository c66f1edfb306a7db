//! Who writes a session.

use rusqlite::{Connection, params};

use super::value::Natural;
use crate::error::StoreError;

pub(super) fn claim(
    connection: &Connection,
    session: &str,
    owner: &str,
    now_ms: u64,
    ttl_ms: u64,
) -> Result<(), StoreError> {
    // The last condition: claimed more than its own length in the future, so the clock was set back since.
    let mut take = connection.prepare_cached(
        "INSERT INTO claims (session_id, owner, claimed_ms, expires_ms) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (session_id) DO UPDATE
         SET owner = excluded.owner, claimed_ms = excluded.claimed_ms, expires_ms = excluded.expires_ms
         WHERE owner = excluded.owner
            OR expires_ms <= excluded.claimed_ms
            OR claimed_ms - excluded.claimed_ms > expires_ms - claimed_ms",
    )?;
    let expires_ms = now_ms.saturating_add(ttl_ms);
    if take.execute(params![session, owner, Natural(now_ms), Natural(expires_ms)])? > 0 {
        return Ok(());
    }
    let mut held = connection.prepare_cached("SELECT owner, expires_ms FROM claims WHERE session_id = ?1")?;
    let (owner, Natural(until_ms)) = held.query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Err(StoreError::Claimed { session: session.to_owned(), owner, until_ms })
}

pub(super) fn release(connection: &Connection, session: &str, owner: &str) -> Result<(), StoreError> {
    let mut free = connection.prepare_cached("DELETE FROM claims WHERE session_id = ?1 AND owner = ?2")?;
    free.execute([session, owner])?;
    Ok(())
}
