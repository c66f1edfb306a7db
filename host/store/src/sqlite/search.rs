//! Searching the texts of sessions by words.

use rusqlite::{Connection, Row, named_params, params};

use super::value::{Natural, limit};
use super::views::{SESSION_COLUMNS, session_row};
use crate::error::StoreError;
use crate::limits::SNIPPET_WORDS;
use crate::search::{Hit, SearchQuery, Word, one_line, words};

/// Sessions that fit the query, whatever words it has.
const FITS: &str = "deleted_ms IS NULL AND owner = :owner AND (:plugin IS NULL OR plugin = :plugin) \
     AND (:subject_id IS NULL OR subject_id = :subject_id) \
     AND (:subject_kind IS NULL OR subject_kind = :subject_kind) \
     AND created_ms BETWEEN :since_ms AND :until_ms";

/// Sessions that hold all the words, the best first.
pub(super) fn search(connection: &Connection, query: &SearchQuery) -> Result<Vec<Hit>, StoreError> {
    let words = words(&query.words)?;
    if words.is_empty() { newest(connection, query) } else { best(connection, query, &expression(&words)) }
}

/// The words as FTS5 reads them: each a quoted string, in which nothing has a meaning but the quote itself.
fn expression(words: &[Word]) -> String {
    let quoted = words.iter().map(|word| {
        let (text, prefix) = (word.text.replace('"', "\"\""), if word.prefix { "*" } else { "" });
        format!("\"{text}\"{prefix}")
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn newest(connection: &Connection, query: &SearchQuery) -> Result<Vec<Hit>, StoreError> {
    let sql =
        format!("SELECT {SESSION_COLUMNS} FROM sessions WHERE {FITS} ORDER BY created_ms DESC, id DESC LIMIT :limit");
    let mut page = connection.prepare_cached(&sql)?;
    let hit = |row: &Row<'_>| {
        let session = session_row(row)?;
        Ok(Hit { snippet: one_line(&session.title), session, rank: 0.0 })
    };
    let hits = page.query_map(
        named_params! {
            ":owner": query.owner, ":plugin": query.plugin,
            ":subject_kind": query.subject.as_ref().and_then(|about| about.kind.as_ref()),
            ":subject_id": query.subject.as_ref().map(|about| &about.id),
            ":since_ms": Natural(query.since_ms.unwrap_or(0)), ":until_ms": Natural(query.until_ms.unwrap_or(u64::MAX)),
            ":limit": limit(query.limit),
        },
        hit,
    )?;
    Ok(hits.collect::<Result<_, _>>()?)
}

fn best(connection: &Connection, query: &SearchQuery, expression: &str) -> Result<Vec<Hit>, StoreError> {
    // Ranked before anything else is read: of a session only its best text counts, which is that of `min`.
    let sql = format!(
        "WITH found AS MATERIALIZED (SELECT rowid AS text, rank AS score FROM texts WHERE texts MATCH :words),
              best AS MATERIALIZED (
                  SELECT session_id, found.text AS text, min(score) AS score
                  FROM found CROSS JOIN searched ON searched.text = found.text GROUP BY session_id)
         SELECT {SESSION_COLUMNS}, text, score FROM best JOIN sessions ON id = session_id WHERE {FITS}
         ORDER BY score, created_ms DESC, id DESC LIMIT :limit"
    );
    let mut page = connection.prepare_cached(&sql)?;
    let found = page.query_map(
        named_params! {
            ":words": expression,
            ":owner": query.owner, ":plugin": query.plugin,
            ":subject_kind": query.subject.as_ref().and_then(|about| about.kind.as_ref()),
            ":subject_id": query.subject.as_ref().map(|about| &about.id),
            ":since_ms": Natural(query.since_ms.unwrap_or(0)), ":until_ms": Natural(query.until_ms.unwrap_or(u64::MAX)),
            ":limit": limit(query.limit),
        },
        |row| Ok((session_row(row)?, row.get::<_, i64>("text")?, row.get::<_, f64>("score")?)),
    )?;
    let found = found.collect::<Result<Vec<_>, _>>()?;
    // Only for what is shown: making a snippet reads the text.
    let mut snippet = connection
        .prepare_cached("SELECT snippet(texts, 0, '[', ']', '…', ?3) FROM texts WHERE texts MATCH ?1 AND rowid = ?2")?;
    let hits = found.into_iter().map(|(session, text, rank)| {
        let words = i64::try_from(SNIPPET_WORDS).unwrap_or(1);
        let text: String = snippet.query_row(params![expression, text, words], |row| row.get(0))?;
        Ok(Hit { session, snippet: one_line(&text), rank })
    });
    hits.collect()
}
