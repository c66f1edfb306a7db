//! What an expression of a topic comes to: a number, exact where it can be, or a text.

use std::fmt;

use crate::exact::Exact;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A fraction.
    Exact(Exact),
    /// Another number, such as the sine of 35 degrees.
    Real(f64),
    /// Letters and words: the name of a side, what a problem is about.
    Text(String),
}

impl Value {
    /// A whole number.
    #[must_use]
    pub const fn whole(value: i128) -> Self {
        Self::Exact(Exact::whole(value))
    }

    /// Yes or no, as 1 or 0.
    #[must_use]
    pub const fn truth(is: bool) -> Self {
        Self::whole(is as i128)
    }

    /// What a cell of a topic says: a number where it reads as one, else a text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Exact::read(text.trim()).map_or_else(|| Self::Text(text.to_owned()), Self::Exact)
    }

    /// As a floating-point number.
    #[must_use]
    pub fn real(&self) -> Option<f64> {
        match self {
            Self::Exact(value) => Some(value.real()),
            Self::Real(value) => Some(*value),
            Self::Text(_) => None,
        }
    }

    /// As an exact number; of another number, the decimal of twelve places that is nearest.
    #[must_use]
    pub fn exact(&self) -> Option<Exact> {
        match self {
            Self::Exact(value) => Some(*value),
            Self::Real(value) => Exact::read(&format!("{value:.12}")),
            Self::Text(_) => None,
        }
    }

    /// Whether it counts as yes.
    #[must_use]
    pub fn holds(&self) -> bool {
        match self {
            Self::Exact(value) => value.numerator() != 0,
            Self::Real(value) => *value != 0.0,
            Self::Text(text) => !text.is_empty(),
        }
    }
}

/// A text as it is; a number as a decimal where it ends, else as a fraction.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}
