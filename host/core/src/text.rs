//! Text from guests and models, made fit for a terminal or a line of a page.

/// The text with everything escaped that a terminal would act on or an eye would not see: control characters other
/// than newline and tab, direction changes, zero-width characters.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        let hidden = matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFC}' | '\u{061C}' | '\u{180E}' | '\u{2028}' | '\u{2029}' | '\u{00AD}' | '\u{E0000}'..='\u{E007F}');
        if (c.is_control() && c != '\n' && c != '\t') || hidden {
            result.extend(c.escape_unicode());
        } else {
            result.push(c);
        }
    }
    result
}

/// The same on one line, cut at so many characters.
#[must_use]
pub fn line(text: &str, chars_max: usize) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = visible(&folded);
    if shown.chars().count() <= chars_max {
        return shown;
    }
    shown.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect()
}

/// The text as a sentence among others: with a capital, unless it begins with something to be typed, and a full stop.
#[must_use]
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    let word = first.trim_end_matches([',', ':', ';', '.']).chars().all(char::is_alphabetic);
    let mut chars = text.chars();
    let mut result: String = match chars.next() {
        Some(letter) if word => letter.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    };
    if !result.is_empty() && !result.ends_with(['.', '!', '?', '…']) {
        result.push('.');
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_terminal() {
        assert_eq!(
            visible("a\x1b[31mb\x07\u{202E}c\u{200B}\r\n\té"),
            "a\\u{1b}[31mb\\u{7}\\u{202e}c\\u{200b}\\u{d}\n\té"
        );
        assert_eq!(line("one\n two   three", 9), "one two …");
    }

    #[test]
    fn sentences() {
        assert_eq!(sentence("give a file with --script FILE"), "Give a file with --script FILE.");
        assert_eq!(sentence("Go on in a few minutes. "), "Go on in a few minutes.");
        assert_eq!(sentence("--sessions lists them"), "--sessions lists them.");
        assert_eq!(sentence("teacher-assist serve"), "teacher-assist serve.");
        assert_eq!(sentence(" "), "");
    }
}
