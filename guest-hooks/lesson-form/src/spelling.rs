//! Words that a lesson in Scotland spells or says otherwise.
//!
//! The list (`data/words.txt`) holds only what is wrong in any British text: where both spellings are in use, or the word
//! has another meaning too (check, program, meter), it is left out. Code, quotations, addresses and names of things
//! written with capitals are not looked at: `color` is right in a program, and so is Pearl Harbor.

use ta_curriculum::inline::{blank, scan};

const LIST: &str = include_str!("../data/words.txt");

/// A word to be written otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As it stands.
    pub found: String,
    /// As it is written here.
    pub british: String,
    /// Number of its line.
    pub line: u32,
}

/// The words of a text that are not British, in order.
#[must_use]
pub fn american(text: &str) -> Vec<Word> {
    let shown = visible(text);
    let list = list();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(shown.lines()) {
        let lower = line.to_lowercase();
        // Offsets of the two hold for each other only where lowering changes no lengths, which it does in few scripts.
        if lower.len() != line.len() {
            continue;
        }
        let mut here: Vec<(usize, Word)> = Vec::new();
        for (us, british) in &list {
            for (at, _) in lower.match_indices(us.as_str()) {
                let whole = line.get(at..at + us.len()).unwrap_or_default();
                if stands_alone(line, at, us.len()) && !is_name(line, at, whole) {
                    here.push((at, Word { found: whole.to_owned(), british: british.clone(), line: number }));
                }
            }
        }
        here.sort_by_key(|(at, _)| *at);
        found.extend(here.into_iter().map(|(_, word)| word));
    }
    found
}

/// The text with code, quotations, links' targets and addresses blanked out, byte for byte.
fn visible(text: &str) -> String {
    let markup = scan(text);
    let links = markup.links.iter().map(|link| link.text.end..link.end);
    let mut hidden: Vec<std::ops::Range<usize>> =
        links.chain(markup.code.iter().cloned()).chain(markup.hidden.iter().cloned()).collect();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('>') {
            hidden.push(at..at + line.len());
        } else {
            hidden.extend(quotations(line).into_iter().map(|range| at + range.start..at + range.end));
            hidden.extend(addresses(line).into_iter().map(|range| at + range.start..at + range.end));
        }
        at += line.len();
    }
    blank(text, hidden)
}

/// What stands between double quotation marks of a line.
fn quotations(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in line.char_indices() {
        match (open, c) {
            (None, '“') => open = Some((at, '”')),
            (None, '"') => open = Some((at, '"')),
            (Some((from, close)), c) if c == close => {
                ranges.push(from..at + c.len_utf8());
                open = None;
            }
            _ => {}
        }
    }
    ranges
}

fn addresses(line: &str) -> Vec<std::ops::Range<usize>> {
    let starts = ["http://", "https://", "www."].into_iter().flat_map(|lead| line.match_indices(lead));
    starts
        .map(|(at, _)| {
            let rest = line.get(at..).unwrap_or_default();
            at..at + rest.find(char::is_whitespace).unwrap_or(rest.len())
        })
        .collect()
}

/// Whether nothing that belongs to a longer word stands before or after.
fn stands_alone(line: &str, at: usize, length: usize) -> bool {
    let before = line.get(..at).and_then(|text| text.chars().next_back());
    let after = line.get(at + length..).and_then(|text| text.chars().next());
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | '-'));
    // A full stop ends a sentence; one before a letter is a file's ending or a member of an object.
    let dotted = after == Some('.')
        && line.get(at + length + 1..).and_then(|text| text.chars().next()).is_some_and(char::is_alphanumeric);
    let after = after.filter(|c| *c != '.' && *c != '-');
    !joins(before.filter(|c| *c != '-')) && !joins(after) && !dotted
}

/// Whether it is part of a name: a capital letter inside a sentence.
fn is_name(line: &str, at: usize, word: &str) -> bool {
    let before = line.get(..at).unwrap_or_default().trim_end();
    let starts = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != ',');
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    let all_capitals = word.chars().all(|c| !c.is_lowercase());
    // "Labor Day", "Center Parcs": at the start of a sentence, the next word tells.
    let next = line.get(at + word.len()..).unwrap_or_default().trim_start();
    let next_capital = next.chars().next().is_some_and(char::is_uppercase);
    capital && !all_capitals && (!starts || next_capital)
}

/// The list: each form with what is written here.
fn list() -> Vec<(String, String)> {
    let lines = LIST.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(forms).collect()
}

/// The forms of a line: `stem|endings|British stem`, or `words|what is said here`.
fn forms(line: &str) -> Vec<(String, String)> {
    let fields: Vec<&str> = line.split('|').collect();
    match fields.as_slice() {
        [us, british] => vec![((*us).to_owned(), (*british).to_owned())],
        [us, endings, british] => {
            endings.split(',').map(|ending| (format!("{us}{ending}"), format!("{british}{ending}"))).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        american(text).into_iter().map(|word| format!("{}: {} -> {}", word.line, word.found, word.british)).collect()
    }

    #[test]
    fn american_words_are_found_with_their_line_and_the_british_ones() {
        assert_eq!(
            found("# Colors\n\nAnalyze the center of the gray circle,\nthen go counterclockwise."),
            [
                "1: Colors -> colours",
                "3: Analyze -> analyse",
                "3: center -> centre",
                "3: gray -> grey",
                "4: counterclockwise -> anticlockwise"
            ]
        );
        assert_eq!(found("Practicing math at recess"), ["1: Practicing -> practising", "1: math -> maths"]);
        assert_eq!(found("favorite-color chart."), ["1: favorite -> favourite", "1: color -> colour"]);
    }

    #[test]
    fn british_words_and_words_with_two_lives_pass() {
        for text in [
            "Colour, centre, practise the dialogue; a program on a disk; a parking meter; check the meter.",
            "mathematics, aftermath, laboratory, elaborate, centred, honorary, humorous, sized, prize, capsize",
            "Write an encyclopedia entry on medieval judgment.",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn code_quotations_addresses_and_names_are_left_alone() {
        for text in [
            "Set `color` to red.",
            "```css\ncolor: gray;\n```",
            "> My favorite color is gray.",
            "She says “my favorite color”, and \"the center\" too.",
            "See https://example.org/color and www.center.org/gray.",
            "[the page](files/color.md \"gray\")",
            "The attack on Pearl Harbor; Labor Day; the Lincoln Center.",
            "Change style.color and color.rgb and my_color.",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn the_list_is_well_formed() {
        let list = list();
        assert!(list.len() > 250, "{}", list.len());
        for (us, british) in &list {
            assert!(!us.is_empty() && !british.is_empty() && us != british, "{us} {british}");
            assert!(us.chars().all(|c| c.is_ascii_lowercase() || c == ' '), "{us}");
        }
        let forms: std::collections::BTreeSet<&str> = list.iter().map(|(us, _)| us.as_str()).collect();
        assert_eq!(forms.len(), list.len(), "a form stands twice");
        for (_, british) in &list {
            assert!(!forms.contains(british.as_str()), "{british} is on both sides");
        }
    }
}
