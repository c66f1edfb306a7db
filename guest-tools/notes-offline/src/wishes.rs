//! What a request wishes of the notes, as far as rules can tell.

use ta_commits::Kind;

/// Words that ask for less.
const SHORT: [&str; 5] = ["short", "shorter", "brief", "briefly", "highlights"];
/// Words that ask for what only people who work on the program notice.
const EVERYTHING: [&str; 5] = ["everything", "internal", "complete", "developers", "contributors"];
/// Words before what is to be left out.
const WITHOUT: [&str; 4] = ["without", "omit", "skip", "except"];

/// Wishes of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// A release that is named with the word before it: `release 1.3.0`. Otherwise the run says which.
    pub(crate) release: Option<String>,
    /// Only what matters most.
    pub(crate) short: bool,
    /// Internal changes as well.
    pub(crate) everything: bool,
    /// Sections that are to be left out.
    pub(crate) without: Vec<Kind>,
}

impl Wishes {
    pub(crate) fn of(request: &str) -> Self {
        let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        let words: Vec<String> = request.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let any = |of: &[&str]| lower.iter().any(|word| of.contains(&word.as_str()));
        let left_out = lower.iter().position(|word| WITHOUT.contains(&word.as_str()));
        let behind = left_out.map_or(&[][..], |at| lower.get(at..).unwrap_or_default());
        let without: Vec<Kind> = behind.iter().filter_map(|word| kind(word)).collect();
        let release = lower
            .iter()
            .zip(words.iter().skip(1))
            .find(|(before, word)| *before == "release" && word.starts_with(|c: char| c.is_ascii_digit() || c == 'v'));
        Self {
            release: release.map(|(_, word)| word.clone()),
            short: any(&SHORT),
            everything: any(&EVERYTHING) && !without.contains(&Kind::Internal),
            without,
        }
    }
}

/// The section that a word means.
fn kind(word: &str) -> Option<Kind> {
    Some(match word {
        "docs" | "doc" => Kind::Documented,
        "fixes" | "fix" | "bugs" => Kind::Fixed,
        "features" => Kind::New,
        "performance" | "speed" => Kind::Faster,
        _ => Kind::ALL.into_iter().find(|kind| kind.name() == word || kind.title().to_lowercase() == word)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read_from_plain_words() {
        assert_eq!(Wishes::of("the notes"), Wishes::default());
        assert!(Wishes::of("1.4.0, short!").short && Wishes::of("Everything, please").everything);
        assert_eq!(Wishes::of("1.4.0 without docs and fixes").without, [Kind::Documented, Kind::Fixed]);
        assert!(!Wishes::of("without internal").everything);
        assert_eq!(Wishes::of("notes for release v1.3.0.").release.as_deref(), Some("v1.3.0"));
        assert_eq!(Wishes::of("a summary for 4K screens, docs included"), Wishes::default());
    }
}
