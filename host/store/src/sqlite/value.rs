//! Numbers on their way to SQL and back.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

/// A count, a time or a place. SQL's integers end at 2⁶³−1, and so does this on its way there; coming back, a negative
/// one is damage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Natural(pub(super) u64);

impl ToSql for Natural {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(i64::try_from(self.0).unwrap_or(i64::MAX)))
    }
}

impl FromSql for Natural {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        u64::try_from(number).map(Self).map_err(|_| FromSqlError::OutOfRange(number))
    }
}

/// A limit of rows.
pub(super) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
