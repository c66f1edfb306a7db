//! Formulas: read from LaTeX as lessons use it, written by each form in its own way.
//!
//! What is not known is shown by its name, never as LaTeX.

mod names;
mod read;
mod text;

/// A formula or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Math {
    Row(Vec<Math>),
    /// A letter that stands for a value, shown slanted.
    Letter(String),
    /// Digits, words and names of functions, shown upright.
    Upright(String),
    /// A sign between values, with a little room around it.
    Operator(String),
    /// A sign without room around it: brackets, commas.
    Sign(String),
    Space,
    Fraction(Box<Math>, Box<Math>),
    Root {
        degree: Option<Box<Math>>,
        of: Box<Math>,
    },
    Script {
        base: Box<Math>,
        sub: Option<Box<Math>>,
        sup: Option<Box<Math>>,
    },
    /// Something between brackets that grow with it; either may be absent.
    Fence {
        open: String,
        close: String,
        of: Box<Math>,
    },
    /// A line or a mark above something.
    Over {
        mark: char,
        of: Box<Math>,
    },
    /// Lines under each other, each with its cells.
    Lines(Vec<Vec<Math>>),
}

impl Math {
    /// Reads LaTeX, without dollar signs.
    pub(crate) fn read(latex: &str) -> Self {
        read::read(latex)
    }

    /// Whether there is nothing to see.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Row(parts) => parts.iter().all(Self::is_empty),
            Self::Space => true,
            _ => false,
        }
    }

    /// Whether it says how two sides relate: it keeps its room also where it begins a line.
    pub(crate) fn is_relation(&self) -> bool {
        matches!(self, Self::Operator(sign) if "=<>≤≥≠≈≡→⇒⇔".contains(sign.as_str()))
    }

    /// In one line of Unicode, to be read aloud or searched.
    pub(crate) fn to_text(&self) -> String {
        text::write(self)
    }
}

#[cfg(test)]
mod tests;
