//! Searching sessions by words: what is asked, what is found, and how the words a person types are understood.

use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::limits::SEARCH_WORDS_MAX;
use crate::rows::SessionRow;
use crate::store::About;

/// Which sessions are searched for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// Only sessions of this owner.
    pub owner: String,
    /// Words that one text of the session must hold, all of them and in any order, whatever their case: its request,
    /// its output, or what the person wrote when deciding. `loop*` stands for every word that begins with `loop`, and
    /// parts of a word such as `look-and-say` stand side by side. Nothing else in it has a meaning. Without any words
    /// every session fits.
    pub words: String,
    /// Only sessions of this plugin.
    pub plugin: Option<String>,
    /// Only sessions about this.
    pub subject: Option<About>,
    /// Only sessions created at this time or later, in milliseconds since 1970-01-01 UTC.
    pub since_ms: Option<u64>,
    /// Only sessions created at this time or earlier, in milliseconds since 1970-01-01 UTC.
    pub until_ms: Option<u64>,
    /// How many at the most.
    pub limit: usize,
}

/// A session that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The session.
    pub session: SessionRow,
    /// A part of its text that fits best, in one line, with what was found between `[` and `]`. It is what a person or
    /// a model wrote: escape it before it is shown.
    pub snippet: String,
    /// How well it fits: the smaller, the better; 0 for all where no words were given. Only good to compare hits of one
    /// search.
    pub rank: f64,
}

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// As it was typed, without the `*` at its end.
    pub(crate) text: String,
    /// Whether words that begin with it fit too.
    pub(crate) prefix: bool,
}

/// The words of a query; none for a blank one.
///
/// Refuses a query in which there is something, but nothing that could be found.
pub(crate) fn words(typed: &str) -> Result<Vec<Word>, StoreError> {
    let parts = typed.split(|c: char| c.is_whitespace() || c.is_control()).filter(|part| !part.is_empty());
    let words: Vec<Word> = parts
        .clone()
        .filter(|part| part.chars().any(char::is_alphanumeric))
        .map(|part| Word { text: part.trim_end_matches('*').to_owned(), prefix: part.ends_with('*') })
        .collect();
    let bad = |reason: String| Err(StoreError::BadQuery { query: typed.chars().take(80).collect(), reason });
    if words.is_empty() && parts.count() > 0 {
        return bad("it has no letter and no digit".into());
    }
    if words.len() > SEARCH_WORDS_MAX {
        return bad(format!("it has {} words, {SEARCH_WORDS_MAX} at the most", words.len()));
    }
    Ok(words)
}

/// A snippet in one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
