//! The needs of a class, from its profile, and whether a text speaks to one.

/// Words of a group's description that any group has.
const COMMON: &[&str] = &[
    "pupil",
    "pupils",
    "with",
    "that",
    "their",
    "first",
    "language",
    "languages",
    "from",
    "need",
    "needs",
    "some",
    "three",
    "four",
    "five",
    "have",
    "more",
    "want",
    "which",
    "this",
    "others",
    "front",
    "they",
    "about",
    "other",
    "learner",
    "learners",
];

/// A word counts as said where its beginning is: "dyslexic" and "dyslexia".
const STEM_CHARS: usize = 5;

/// The groups under `needs` in a profile's front matter, as they are described.
#[must_use]
pub fn groups(profile: &str) -> Vec<String> {
    let mut lines = profile.trim_start_matches('\u{feff}').lines();
    if lines.next().is_none_or(|line| line.trim_end() != "---") {
        return Vec::new();
    }
    let lines = lines.take_while(|line| line.trim_end() != "---");
    let group = |line: &str| {
        let value = line.trim_start().trim_start_matches("- ").strip_prefix("group:")?.trim().trim_matches(['"', '\'']);
        (!value.is_empty()).then(|| value.to_owned())
    };
    lines.filter_map(group).collect()
}

/// Whether a text speaks of a group: at least half of the words that tell it from other groups occur.
#[must_use]
pub fn answered(text: &str, group: &str) -> bool {
    let text = text.to_lowercase();
    let group = group.to_lowercase();
    if group.contains("additional language") && has_word(&text, "eal") {
        return true;
    }
    let telling: Vec<String> = group
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4 && !COMMON.contains(word))
        .map(|word| word.chars().take(STEM_CHARS).collect())
        .collect();
    let said = telling.iter().filter(|stem| text.contains(stem.as_str())).count();
    if telling.is_empty() { text.contains(&group) } else { said * 2 >= telling.len() }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|other| other == word)
}
