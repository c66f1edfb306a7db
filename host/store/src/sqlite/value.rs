//! Numbers on their way to SQL and back.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use crate::chain::Hash;

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

impl ToSql for Hash {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.bytes().as_slice()))
    }
}

impl FromSql for Hash {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value_bytes(value).map(Self::new)
    }
}

/// A salt on its way back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Salt(pub(super) [u8; 32]);

impl FromSql for Salt {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value_bytes(value).map(Self)
    }
}

fn value_bytes(value: ValueRef<'_>) -> FromSqlResult<[u8; 32]> {
    let bytes = value.as_blob()?;
    bytes.try_into().map_err(|_| FromSqlError::InvalidBlobSize { expected_size: 32, blob_size: bytes.len() })
}

/// A limit of rows.
pub(super) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
