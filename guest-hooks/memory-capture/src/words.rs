//! Words: compared, counted, shown.

/// The telling words of a text, folded.
pub(crate) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let words = words.filter(|word| !passed_over(word));
    words.map(|word| word.strip_suffix('s').filter(|stem| stem.len() > 2).map_or(word.clone(), str::to_owned)).collect()
}

/// Words that carry no meaning when two notes are compared; sorted.
const PASSED_OVER: [&str; 27] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "of", "on", "or", "so", "than",
    "that", "the", "their", "they", "this", "to", "was", "when", "with",
];

fn passed_over(word: &str) -> bool {
    PASSED_OVER.binary_search(&word).is_ok()
}

/// Whether two notes say the same in nearly the same words. Numbers are words: 5 minutes are not 8.
pub(crate) fn alike(one: &[String], other: &[String]) -> bool {
    if one.is_empty() || other.is_empty() {
        return false;
    }
    let numbers = |words: &[String]| -> Vec<String> {
        let mut numbers: Vec<String> = words.iter().filter(|word| word.parse::<u32>().is_ok()).cloned().collect();
        numbers.sort();
        numbers
    };
    let shared = one.iter().filter(|word| other.contains(word)).count();
    let all = one.len() + other.len().saturating_sub(shared);
    // Three quarters in common: a word more or less is the same note.
    let close = shared * 4 >= all * 3 || shared == one.len();
    close && numbers(one) == numbers(other)
}

/// A text on one line, without characters that are not seen and without marks of bold.
pub(crate) fn one_line(text: &str) -> String {
    let unseen = |c: char| {
        c.is_control()
            || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    let visible: String = text.replace("**", "").chars().map(|c| if unseen(c) { ' ' } else { c }).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text cut at a word, with a mark where something is left out.
pub(crate) fn cut(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else { return text.to_owned() };
    let head = text.get(..end).unwrap_or_default();
    let head = head.rsplit_once(' ').map_or(head, |(before, _)| before);
    format!("{}…", head.trim_end_matches([',', ';', '.', ' ']))
}

/// The text with everything escaped that markdown would make a link, an image or a tag of.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '[' | ']' | '<' | '`' | '|') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A stable name for a text: its telling words, joined with `-`.
pub(crate) fn slug(text: &str) -> String {
    const WORDS_MAX: usize = 12;
    const CHARS_MAX: usize = 80;
    let short = words(text).into_iter().take(WORDS_MAX).collect::<Vec<_>>().join("-");
    short.chars().take(CHARS_MAX).collect::<String>().trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{PASSED_OVER, alike, slug, words};

    #[test]
    fn the_words_passed_over_are_sorted() {
        assert!(PASSED_OVER.is_sorted());
    }

    #[test]
    fn notes_are_compared_by_their_words() {
        let same = |one: &str, other: &str| alike(&words(one), &words(other));
        assert!(same(
            "Starters of 5 minutes rather than 8 work for 3B",
            "For 3B starters of 5 minutes work, rather than 8."
        ));
        assert!(same("Short starters", "Short starter"));
        assert!(same("pictures first", "For 3B: pictures first, then words"));
        assert!(!same("Starters of 5 minutes rather than 8 work", "Starters of 6 minutes rather than 8 work"));
        assert!(!same("Short starters work", "Long explanations do not"));
        assert!(!same("", "a"));
    }

    #[test]
    fn slugs_are_stable_and_bounded() {
        assert_eq!(slug("Starters of 5 minutes rather than 8 work for 3B"), "starter-5-minute-rather-8-work-3b");
        assert!(slug(&"word1 ".repeat(400)).len() <= 80);
    }
}
