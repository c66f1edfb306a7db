//! Words and quotations.

/// Longest quotation in a question, in characters.
const QUOTE_CHARS_MAX: usize = 90;

/// Shortest word that tells anything.
const WORD_CHARS_MIN: usize = 4;

/// A text on one line, without characters that are not seen and without marks of bold and code.
pub(crate) fn one_line(text: &str) -> String {
    let unseen = |c: char| {
        c.is_control()
            || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    let visible: String = unmarked(text).chars().map(|c| if unseen(c) { ' ' } else { c }).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without the marks of bold and italics; a star between numbers or spaces is none.
fn unmarked(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        let inside = before.is_alphanumeric() && after.is_alphanumeric();
        let alone = before.is_whitespace() && after.is_whitespace();
        if c != '*' || inside || alone {
            plain.push(c);
            before = c;
        }
    }
    plain
}

/// A short passage in quotation marks, as text that a page does not act on.
pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", escaped(&cut(&one_line(text).replace('"', "'"), QUOTE_CHARS_MAX)))
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

/// The text cut at a word, with a mark where something is left out.
pub(crate) fn cut(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else { return text.to_owned() };
    let head = text.get(..end).unwrap_or_default();
    let head = head.rsplit_once(' ').map_or(head, |(before, _)| before);
    format!("{}…", head.trim_end_matches([',', ';', '.', ' ']))
}

/// The telling words of a text, in lower case.
pub(crate) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= WORD_CHARS_MIN);
    let words = words.map(str::to_lowercase);
    words.filter(|word| !passed_over(word)).collect()
}

/// Words that stand in every lesson; sorted.
const PASSED_OVER: [&str; 42] = [
    "about", "after", "answer", "before", "class", "does", "each", "every", "explain", "five", "four", "from", "group",
    "have", "into", "lesson", "more", "need", "pupil", "question", "say", "show", "simple", "task", "that", "their",
    "them", "then", "they", "this", "three", "want", "what", "when", "where", "which", "will", "with", "work", "would",
    "write", "your",
];

fn passed_over(word: &str) -> bool {
    let listed = |word: &str| PASSED_OVER.binary_search(&word).is_ok();
    listed(word) || word.strip_suffix('s').is_some_and(listed)
}

/// Whether two words are forms of one: `loop` and `loops`, `trace` and `tracing`.
pub(crate) fn akin(one: &str, other: &str) -> bool {
    const STEM_CHARS: usize = 5;
    let stem = |word: &str| word.chars().take(STEM_CHARS).collect::<String>();
    one.starts_with(other) || other.starts_with(one) || (one.chars().count() > STEM_CHARS && stem(one) == stem(other))
}

/// How many of the words have a form in the text's words.
pub(crate) fn shared(words: &[String], others: &[String]) -> usize {
    words.iter().filter(|word| others.iter().any(|other| akin(word, other))).count()
}

/// A small number as a word: `three`.
pub(crate) fn spelled(number: usize) -> String {
    const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `1 minute`, `8 minutes`.
pub(crate) fn minutes(minutes: u32) -> String {
    if minutes == 1 { "1 minute".into() } else { format!("{minutes} minutes") }
}

/// A number of things: `one question`, `four questions`.
pub(crate) fn things(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", spelled(number))
}

#[cfg(test)]
mod tests {
    use super::{PASSED_OVER, akin, cut, quote, shared, things, words};

    #[test]
    fn the_words_passed_over_are_sorted() {
        assert!(PASSED_OVER.is_sorted());
    }

    #[test]
    fn words_are_compared_by_their_forms() {
        assert!(akin("loop", "loops") && akin("predict", "prediction") && akin("iterate", "iteration"));
        assert!(!akin("trace", "track") && !akin("printed", "primary"));
        let criterion = words("I can predict what a loop does");
        assert_eq!(shared(&criterion, &words("Predict the output of this loop.")), 2);
        assert_eq!(shared(&criterion, &words("Name the parts of a circuit.")), 0);
    }

    #[test]
    fn quotations_are_short_and_only_text() {
        assert_eq!(quote("a \"b\"\n ![c](http://d)"), "\"a 'b' !\\[c\\](http://d)\"");
        assert!(quote(&"word ".repeat(100)).chars().count() < 100);
        assert_eq!(quote("**Say** *why* 2 * 3 is 2*3"), "\"Say why 2 * 3 is 2*3\"");
        assert_eq!(cut("one, two", 5), "one…");
        assert_eq!((things(1, "question"), things(12, "step")), ("one question".into(), "12 steps".into()));
    }
}
