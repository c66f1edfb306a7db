//! Who writes a session.

use rusqlite::{Connection, OptionalExtension, params};

use super::value::Natural;
use crate::error::StoreError;

pub(super) fn claim(
    connection: &Connection,
    session: &str,
    holder: &str,
    now_ms: u64,
    ttl_ms: u64,
) -> Result<(), StoreError> {
    // The last condition: claimed more than its own length in the future, so the clock was set back since.
    let mut take = connection.prepare_cached(
        "INSERT INTO claims (session_id, holder, claimed_ms, expires_ms) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (session_id) DO UPDATE
         SET holder = excluded.holder, claimed_ms = excluded.claimed_ms, expires_ms = excluded.expires_ms
         WHERE holder = excluded.holder
            OR expires_ms <= excluded.claimed_ms
            OR claimed_ms - excluded.claimed_ms > expires_ms - claimed_ms",
    )?;
    let expires_ms = now_ms.saturating_add(ttl_ms);
    if take.execute(params![session, holder, Natural(now_ms), Natural(expires_ms)])? > 0 {
        return Ok(());
    }
    let mut held = connection.prepare_cached("SELECT holder, expires_ms FROM claims WHERE session_id = ?1")?;
    let (holder, Natural(until_ms)) = held.query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Err(StoreError::Claimed { session: session.to_owned(), holder, until_ms })
}

pub(super) fn release(connection: &Connection, session: &str, holder: &str) -> Result<(), StoreError> {
    let mut free = connection.prepare_cached("DELETE FROM claims WHERE session_id = ?1 AND holder = ?2")?;
    free.execute([session, holder])?;
    Ok(())
}

/// Frees every session, for a process that has just taken the lock: whoever claimed them is gone. Where that cannot be written,
/// claims end with their time.
pub(super) fn forget(connection: &Connection) {
    let _later = connection.execute("DELETE FROM claims", []);
}

/// Refuses a session that another one holds.
pub(super) fn check(connection: &Connection, session: &str, holder: &str, now_ms: u64) -> Result<(), StoreError> {
    let mut held = connection.prepare_cached(
        "SELECT holder, expires_ms FROM claims
         WHERE session_id = ?1 AND holder <> ?2 AND expires_ms > ?3 AND claimed_ms - ?3 <= expires_ms - claimed_ms",
    )?;
    let other = held.query_row(params![session, holder, Natural(now_ms)], |row| Ok((row.get(0)?, row.get(1)?)));
    match other.optional()? {
        None => Ok(()),
        Some((holder, Natural(until_ms))) => Err(StoreError::Claimed { session: session.to_owned(), holder, until_ms }),
    }
}
