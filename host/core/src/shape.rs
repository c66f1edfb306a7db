//! Shapes of words that a plugin wants kept: `9` is a digit, `A` a capital, `a` a small letter, and every other sign is itself.

/// Letters of a shape at the most.
const SHAPE_CHARS_MAX: usize = 40;

/// Whether a shape can be used: it has a digit, since words of letters alone are everywhere.
#[must_use]
pub fn sound(shape: &str) -> bool {
    let ends = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    (1..=SHAPE_CHARS_MAX).contains(&shape.chars().count())
        && shape.contains('9')
        && ends(shape.chars().next())
        && ends(shape.chars().last())
}

/// The words of a text that have one of these shapes and stand by themselves: each once, in order, at most so many.
#[must_use]
pub fn found(text: &str, shapes: &[String], most: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for (at, c) in text.char_indices() {
        let begins = c.is_alphanumeric() && !before.is_some_and(char::is_alphanumeric);
        before = Some(c);
        if !begins || words.len() >= most {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let word = shapes.iter().filter_map(|shape| first(rest, shape)).max_by_key(|word| word.len());
        words.extend(word.filter(|word| !words.iter().any(|known| known == word)).map(ToOwned::to_owned));
    }
    words
}

/// The beginning of a text, where it has this shape and no letter or digit comes after it.
fn first<'a>(text: &'a str, shape: &str) -> Option<&'a str> {
    let mut letters = text.char_indices();
    for sign in shape.chars() {
        let (_, c) = letters.next()?;
        let fits = match sign {
            '9' => c.is_ascii_digit(),
            'A' => c.is_ascii_uppercase(),
            'a' => c.is_ascii_lowercase(),
            _ => c == sign,
        };
        if !fits {
            return None;
        }
    }
    let end = letters.next();
    let alone = !end.is_some_and(|(_, c)| c.is_alphanumeric());
    text.get(..end.map_or(text.len(), |(at, _)| at)).filter(|_| alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shape_are_found_once_and_alone() {
        let shapes = ["AAA 9-99a", "AA-999"].map(str::to_owned);
        let text = "TCH 3-14a, (TCH 3-14a) and MNU 3-07a; XTCH 3-14a, TCH 3-14ab, the 3-14a, ÄB-123, AB-1234, AB-123.";
        assert_eq!(found(text, &shapes, 10), ["TCH 3-14a", "MNU 3-07a", "AB-123"]);
        assert_eq!(found(text, &shapes, 1), ["TCH 3-14a"]);
        assert_eq!(found(text, &[], 10), Vec::<String>::new());
    }

    #[test]
    fn a_shape_has_a_digit_and_an_end() {
        for (shape, expected) in
            [("AAA 9-99a", true), ("9", true), ("AAA", false), ("", false), ("9-", false), (" 9", false)]
        {
            assert_eq!(sound(shape), expected, "{shape:?}");
        }
    }
}
