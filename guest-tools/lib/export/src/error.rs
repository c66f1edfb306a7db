//! What can go wrong, in words for the person who asked.

use thiserror::Error;

use crate::limits;

/// Why there is no document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The text is longer than any lesson.
    #[error("the text has {bytes} bytes, and a document is made of at most {}", limits::SOURCE_BYTES)]
    TooLarge {
        /// Its length.
        bytes: usize,
    },
    /// The text has more paragraphs, items and cells than are laid out.
    #[error("the text has more than {} paragraphs, list items and cells", limits::PARTS)]
    TooManyParts,
    /// There is nothing to put into the document.
    #[error("the text is empty")]
    Empty,
    /// No section of the lesson is for pupils.
    #[error("the lesson has no part for pupils")]
    NoPupilPart,
    /// The language is not one that a document can name.
    #[error("`{0}` is no language tag")]
    Language(String),
    /// A library did not do what it should.
    #[error("the document could not be put together: {0}")]
    Internal(String),
}

impl ExportError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "export.too-large",
            Self::TooManyParts => "export.too-many-parts",
            Self::Empty => "export.empty",
            Self::NoPupilPart => "export.no-pupil-part",
            Self::Language(_) => "export.language",
            Self::Internal(_) => "export.internal",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } | Self::TooManyParts => "export it in parts, or as markdown files of your own",
            Self::Empty => "plan a lesson first, or name a file with text in it",
            Self::NoPupilPart => {
                "pupils read success criteria, keywords, starter, practice, exit questions and worksheets; \
                 export all of it instead"
            }
            Self::Language(_) => "write it like en-GB",
            Self::Internal(_) => "this is a fault of the program: please report it with the text",
        }
    }
}
