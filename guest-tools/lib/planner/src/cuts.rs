//! Taking something away from a section, and wishes that no rule can fulfil.

use super::phrase::number_word;
use super::words::{says, tokens};

/// What is to be left of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// So many items at the most: "only two".
    Most(usize),
    /// Fewer items, without a number.
    Fewer,
    /// Nothing: "delete this section".
    All,
}

/// What stands under the heading of a section that was taken out.
pub(crate) const LEFT_OUT: &str = "Left out at the teacher's request.";
/// What is said where a translation is asked for.
pub(crate) const NO_TRANSLATION: &str = "The offline planner works by rules and cannot translate, so the wording stays as it is; a language model can do it.";

const ITEMS: &str = "criteria|criterion|questions|question|items|item|points|point|keywords|keyword|words|terms|tasks|task|\
    steps|step|bullets|misconceptions|misconception|resources|outcomes|outcome|ideas|of them|of these";

/// Whether a translation is asked for.
pub(crate) fn asks_for_translation(clause: &str) -> bool {
    says(clause, "translate|translated|translation")
}

/// Reads a part of a wish.
pub(crate) fn read(clause: &str) -> Option<Cut> {
    let removes =
        says(clause, "delete|remove|drop|scrap|leave out|take out|omit|cut out|get rid of|don't need|not needed");
    let tokens = tokens(clause);
    let whole =
        says(clause, "this section|the section|this part|whole section|entire section|whole part|all of it|this|it");
    if removes && (tokens.len() == 1 || whole) && !tokens.iter().any(|token| number_word(token.raw).is_some()) {
        return Some(Cut::All);
    }
    let adds = says(clause, "more|extra") && !says(clause, "no more than|not more than");
    if adds || says(clause, "minutes|minute|min|mins|sentence|sentences|paragraph|paragraphs|add|include") {
        return None;
    }
    let limits =
        says(clause, "only|just|at most|no more than|not more than|maximum|max|limit|reduce|enough|cut down|keep");
    let number = tokens.iter().find_map(|token| number_word(token.raw)).and_then(|number| usize::try_from(number).ok());
    let is_bare = tokens.len() <= 3;
    match number.filter(|number| *number > 0) {
        Some(number) if limits && (is_bare || says(clause, ITEMS)) && !says(clause, "alternative|option|version") => {
            Some(Cut::Most(number))
        }
        None if says(clause, "fewer") && !says(clause, "fewer words|fewer questions") => Some(Cut::Fewer),
        _ => None,
    }
}

/// The first items of a text, each with what belongs to it; none where it has no more than these.
pub(crate) fn kept(body: &str, cut: Cut) -> Option<String> {
    let number = body.lines().filter(|line| is_item(line)).count();
    let most = match cut {
        Cut::Most(most) => most,
        Cut::Fewer => (number * 2 / 3).min(number.saturating_sub(1)),
        Cut::All => return Some(LEFT_OUT.to_owned()),
    };
    if most == 0 || number <= most {
        return None;
    }
    let mut seen = 0;
    let mut drops = false;
    let lines = body.lines().filter(|line| {
        if is_item(line) {
            seen += 1;
            drops = seen > most;
        } else if !line.starts_with("  ") {
            drops = false;
        }
        !drops
    });
    Some(lines.collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

/// Whether a text has items that could be counted.
pub(crate) fn has_items(body: &str) -> bool {
    body.lines().any(is_item)
}

fn is_item(line: &str) -> bool {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    line.starts_with("- ") || (digits > 0 && line.get(digits..).is_some_and(|rest| rest.starts_with(". ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_say_how_many_are_left() {
        assert_eq!(read("only two"), Some(Cut::Most(2)));
        assert_eq!(read("only 3 questions"), Some(Cut::Most(3)));
        assert_eq!(read("no more than three criteria please"), Some(Cut::Most(3)));
        assert_eq!(read("fewer criteria"), Some(Cut::Fewer));
        assert_eq!(read("delete this section"), Some(Cut::All));
        assert_eq!(read("remove question 3"), None);
        assert_eq!(read("5 minutes only"), None);
        assert_eq!(read("three more questions"), None);
        assert_eq!(read("take out the part on football"), None);
    }

    #[test]
    fn an_item_goes_with_what_belongs_to_it() {
        let body = "Lead:\n\n- a\n  - b\n- c\n  - d\n- e\n\nEnd.";
        assert_eq!(kept(body, Cut::Most(1)).unwrap(), "Lead:\n\n- a\n  - b\n\nEnd.");
        assert_eq!(kept(body, Cut::Fewer).unwrap(), "Lead:\n\n- a\n  - b\n- c\n  - d\n\nEnd.");
        assert_eq!(kept(body, Cut::Most(3)), None);
    }
}
