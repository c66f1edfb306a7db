//! Text of files and of people, made fit to be shown: one line, bounded, and nothing in it that a page would act on.

/// Longest label, in characters.
const LABEL_CHARS_MAX: usize = 110;

/// Longest line of a detail, in characters.
const LINE_CHARS_MAX: usize = 400;

/// A text on one line, without characters that are not seen.
pub(crate) fn one_line(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() || is_unseen(c) { ' ' } else { c });
    visible.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A label: plain text, cut at a word.
pub(crate) fn label(text: &str) -> String {
    cut(&plain(&one_line(text)), LABEL_CHARS_MAX)
}

/// A passage as a line of markdown that is only text: no links, no images, no tags.
pub(crate) fn passage(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in cut(&one_line(text), LINE_CHARS_MAX).chars() {
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
    format!("{}…", head.trim_end_matches([',', ';', ' ']))
}

/// A short name for an item: the first telling words, joined with `-`.
pub(crate) fn slug(text: &str) -> String {
    const WORDS_MAX: usize = 4;
    const WORD_CHARS_MAX: usize = 24;
    const PASSED_OVER: &str =
        "a an and are as at be by for from in is it of on or than that the their they this to when with";
    let lowered = text.to_lowercase();
    let words = lowered.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let telling = words.filter(|word| !PASSED_OVER.split(' ').any(|other| other == *word));
    let short = telling.take(WORDS_MAX).map(|word| word.chars().take(WORD_CHARS_MAX).collect::<String>());
    short.collect::<Vec<_>>().join("-")
}

/// The text without the marks of bold and code.
fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

/// Characters that show nothing or turn the direction of what follows.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::{cut, label, passage, slug};

    #[test]
    fn what_is_shown_is_text_and_bounded() {
        assert_eq!(label("**Plan from the end.**\n First `x`"), "Plan from the end. First x");
        assert_eq!(passage("see [here](http://x) <b>\u{202e}now"), "see \\[here\\](http://x) \\<b> now");
        assert!(label(&"long words ".repeat(100)).chars().count() <= 111);
        assert_eq!(cut("one two three", 9), "one two…");
    }

    #[test]
    fn slugs_are_readable() {
        assert_eq!(slug("Starters of 5 minutes rather than 8 work for 3B"), "starters-5-minutes-rather");
        assert_eq!(slug("What I like in a lesson"), "what-i-like-lesson");
        assert_eq!(slug("…"), "");
    }
}
