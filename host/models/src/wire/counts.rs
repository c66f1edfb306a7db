//! Tokens as providers count them. A count that cannot be read must not become nothing: it would cost nothing.

use serde_json::Value;
use ta_core::message::Usage;

/// More than any call can have: what is above is no count.
const TOKENS_MAX: u64 = 1_000_000_000_000;

/// What a provider says in one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// The field is missing or holds nothing.
    Nothing,
    /// So many.
    Tokens(u64),
    /// Something that is no count: a text, a fraction, a negative or an absurd number.
    Nonsense,
}

/// The count in a field.
pub(super) fn told(value: &Value, field: &str) -> Told {
    match value.get(field) {
        None | Some(Value::Null) => Told::Nothing,
        Some(Value::Number(number)) => whole(number).map_or(Told::Nonsense, Told::Tokens),
        Some(_) => Told::Nonsense,
    }
}

/// A number without a fraction, also one that is written as if it had one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "checked")]
fn whole(number: &serde_json::Number) -> Option<u64> {
    let written = number.as_f64().filter(|it| it.fract() == 0.0 && (0.0..=TOKENS_MAX as f64).contains(it));
    number.as_u64().or(written.map(|it| it as u64)).filter(|it| *it <= TOKENS_MAX)
}

impl Told {
    /// The count of a field that every answer has; `None` where it is unknown.
    pub(super) const fn needed(self) -> Option<u64> {
        match self {
            Self::Tokens(tokens) => Some(tokens),
            Self::Nothing | Self::Nonsense => None,
        }
    }

    /// The count of a field that is left out where it is 0; `None` where it is unknown.
    pub(super) const fn optional(self) -> Option<u64> {
        match self {
            Self::Nothing => Some(0),
            told => told.needed(),
        }
    }
}

/// The counts of one answer; one that is not known is `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    /// Tokens sent, those of a cache included.
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) cached_read: Option<u64>,
    pub(super) cached_write: Option<u64>,
}

impl Counts {
    /// As usage. Where a count is not known the rest is marked as an estimate, and [`crate::estimate`] completes it.
    pub(super) fn usage(self) -> Usage {
        let all = [self.input, self.output, self.cached_read, self.cached_write];
        Usage {
            input_tokens: self.input.unwrap_or_default(),
            output_tokens: self.output.unwrap_or_default(),
            cached_read_tokens: self.cached_read.unwrap_or_default(),
            cached_write_tokens: self.cached_write.unwrap_or_default(),
            estimated: all.contains(&None),
        }
    }
}

/// The sum of two counts, where both are known.
pub(super) fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    Some(one?.saturating_add(other?))
}
