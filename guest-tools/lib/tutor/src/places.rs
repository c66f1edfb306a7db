//! Which topic and which section somebody means.

use crate::state::{Progress, State};
use crate::topic::Topic;

/// A topic of the list: `- [Title](file.yaml): other words for it, separated by commas`.
struct Listed<'a> {
    title: &'a str,
    file: &'a str,
    words: &'a str,
}

fn listed(list: &str) -> impl Iterator<Item = Listed<'_>> {
    list.lines().filter_map(|line| {
        let (title, rest) = line.trim().strip_prefix("- [")?.split_once("](")?;
        let (file, rest) = rest.split_once(".yaml)")?;
        Some(Listed { title, file, words: rest.trim_start_matches(':').trim() })
    })
}

/// The file of the topic that is meant: by the file's name or the title, else by another word for it.
#[must_use]
pub fn topic(list: &str, text: &str) -> Option<String> {
    let wanted = folded(text);
    if wanted.is_empty() {
        return None;
    }
    let named = listed(list).find(|it| folded(it.file) == wanted || folded(it.title) == wanted);
    let meant = |it: &Listed<'_>| {
        let mut all = it.words.split(',').chain([it.title, it.file]).map(folded).filter(|word| !word.is_empty());
        all.any(|word| contains(&wanted, &word))
    };
    named.or_else(|| listed(list).find(meant)).map(|it| it.file.to_owned())
}

/// The files of all topics of the list.
#[must_use]
pub fn files(list: &str) -> Vec<String> {
    listed(list).map(|it| it.file.to_owned()).collect()
}

/// What a learner is asked who named no topic, or one that there is not.
#[must_use]
pub fn which(list: &str, text: &str) -> String {
    let topics: Vec<String> = listed(list).map(|it| format!("- {}", it.title)).collect();
    let first = if text.trim().is_empty() { "Which topic?" } else { "I have no topic of that name." };
    format!("{first} There are:\n\n{}\n\nWrite the name of one.", topics.join("\n"))
}

/// A topic's sections as a learner begins them.
#[must_use]
pub fn sections(topic: &Topic) -> Vec<Progress> {
    let of = |section: &crate::topic::Section| Progress {
        id: section.id.text.clone(),
        title: section.title.clone(),
        difficulty: section.difficulty,
        ..Progress::default()
    };
    topic.sections.iter().map(of).collect()
}

/// The section that is meant: by number, name or part of its title.
#[must_use]
pub fn section(state: &State, name: &str) -> Option<usize> {
    let wanted = folded(name);
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(at) = number {
        return (at < state.sections.len()).then_some(at);
    }
    let exact = state.sections.iter().position(|it| folded(&it.id) == wanted || folded(&it.title) == wanted);
    exact.or_else(|| state.sections.iter().position(|it| !wanted.is_empty() && folded(&it.title).contains(&wanted)))
}

/// Lower case, words separated by one space.
fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a phrase stands in a text, as whole words.
fn contains(text: &str, phrase: &str) -> bool {
    format!(" {text} ").contains(&format!(" {phrase} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# Topics\n\n- [Right-angled triangles](trigonometry.yaml): trigonometry, sohcahtoa, sin cos tan\n\
                        - [Fractions](fractions.yaml): comparing fractions\n";

    #[test]
    fn topics_are_found_by_their_names() {
        for (text, file) in [
            ("trigonometry", Some("trigonometry")),
            ("I want to do some Trigonometry today", Some("trigonometry")),
            ("Comparing fractions", Some("fractions")),
            ("right-angled triangles", Some("trigonometry")),
            ("football", None),
            ("", None),
        ] {
            assert_eq!(topic(LIST, text).as_deref(), file, "{text}");
        }
        assert!(which(LIST, "football").contains("- Fractions"));
    }
}
