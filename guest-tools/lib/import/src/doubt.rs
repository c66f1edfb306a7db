//! What was uncertain: for a person to look at before a file is used.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::source::Place;

/// What kind of uncertainty. The names are the same in reports and in JSON.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A page without text, or one that cannot be read.
    UnreadablePage,
    /// A code is seen and no text belongs to it.
    NoText,
    /// The same code with two texts.
    TwoTexts,
    /// The level in the code contradicts the heading or column it stands in.
    LevelMismatch,
    /// What reads as a code cannot be one.
    NoCode,
    /// The code's organiser is not one of the framework's.
    UnknownOrganiser,
    /// The text is suspiciously short.
    ShortText,
    /// The text is suspiciously long.
    LongText,
    /// The text does not end as the others do.
    OpenText,
    /// A word that was broken at the end of a line was joined.
    HyphenJoined,
    /// A code that was broken over two lines was joined.
    CodeJoined,
    /// Codes with look-alike letters were read as what they look like.
    LookAlike,
    /// A line that is repeated on most pages was left out.
    RepeatedLine,
    /// Whether text stands before or after its code was not clear.
    Direction,
    /// Something that belongs into the file is not known.
    Unknown,
    /// A question or section has no code.
    Untagged,
    /// A question is tagged by its words only.
    Suggested,
    /// What another reader calls its own.
    Other(String),
}

impl Kind {
    /// The name in reports.
    pub fn name(&self) -> &str {
        match self {
            Self::UnreadablePage => "unreadable-page",
            Self::NoText => "no-text",
            Self::TwoTexts => "two-texts",
            Self::LevelMismatch => "level-mismatch",
            Self::NoCode => "no-code",
            Self::UnknownOrganiser => "unknown-organiser",
            Self::ShortText => "short-text",
            Self::LongText => "long-text",
            Self::OpenText => "open-text",
            Self::HyphenJoined => "hyphen-joined",
            Self::CodeJoined => "code-joined",
            Self::LookAlike => "look-alike",
            Self::RepeatedLine => "repeated-line",
            Self::Direction => "direction",
            Self::Unknown => "unknown",
            Self::Untagged => "untagged",
            Self::Suggested => "suggested",
            Self::Other(name) => name,
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Of the kinds that come with a document only these two are ours; all others are made here.
impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let ours = [Self::UnreadablePage, Self::RepeatedLine].into_iter().find(|kind| kind.name() == name);
        Ok(ours.unwrap_or(Self::Other(name)))
    }
}

/// One uncertainty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// What kind.
    pub kind: Kind,
    /// The code it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Where in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// A sentence.
    pub message: String,
}

impl Doubt {
    /// A doubt about a place of the source.
    pub fn at(kind: Kind, place: Place, message: impl Into<String>) -> Self {
        Self { kind, code: None, place: Some(place), message: message.into() }
    }

    /// A doubt about the source as a whole.
    pub fn of(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, code: None, place: None, message: message.into() }
    }

    /// The same, about a code.
    #[must_use]
    pub fn code(mut self, code: &str) -> Self {
        self.code = Some(code.to_owned());
        self
    }
}
