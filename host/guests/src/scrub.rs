//! What is taken out of a recorded case: addresses of mail, telephone numbers, and words that the person names.

use serde_json::Value;
use ta_runtime::RuntimeError;

/// What stands in place of what was taken out.
const MAIL: &str = "someone@example.org";
const NUMBER: &str = "00000 000000";
/// Digits from which on a row of them is taken for a telephone number; the longest that one has.
const DIGITS_MIN: usize = 9;
const DIGITS_MAX: usize = 15;

/// What is replaced.
#[derive(Debug, Clone, Default)]
pub struct Scrub {
    words: Vec<(String, String)>,
}

impl Scrub {
    /// Words that the person names: `Ada`, or `Ada=the owner` for what stands in its place.
    ///
    /// # Errors
    /// `scrub.empty` for an empty word.
    pub fn new(words: &[String]) -> Result<Self, RuntimeError> {
        let mut all = Vec::new();
        for (number, word) in words.iter().enumerate() {
            let (word, instead) = match word.split_once('=') {
                Some((word, instead)) => (word.to_owned(), instead.to_owned()),
                None => (word.clone(), format!("Name{}", number + 1)),
            };
            if word.trim().is_empty() {
                let hint = "write it as --scrub WORD or --scrub WORD=INSTEAD";
                return Err(RuntimeError::usage("scrub.empty", "there is no word to be scrubbed", hint));
            }
            all.push((word, instead));
        }
        // The longest first: one word may be the beginning of another.
        all.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        Ok(Self { words: all })
    }

    /// A value with every text in it scrubbed, keys too; digests that texts are kept under stay. Counts the places.
    #[must_use]
    pub fn value(&self, value: Value, places: &mut usize) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text, places)),
            Value::Array(values) => Value::Array(values.into_iter().map(|value| self.value(value, places)).collect()),
            Value::Object(fields) => {
                let each = |(key, value): (String, Value)| (self.text(&key, places), self.value(value, places));
                Value::Object(fields.into_iter().map(each).collect())
            }
            plain => plain,
        }
    }

    fn text(&self, text: &str, places: &mut usize) -> String {
        if is_digest(text) {
            return text.to_owned();
        }
        let mut text = numbers(&mails(text, places), places);
        for (word, instead) in &self.words {
            *places += text.matches(word.as_str()).count();
            text = text.replace(word.as_str(), instead);
        }
        text
    }
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn mails(text: &str, places: &mut usize) -> String {
    let of_local = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    let of_domain = |c: char| c.is_alphanumeric() || ".-".contains(c);
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('@') {
        let local = before.len() - before.trim_end_matches(of_local).len();
        let domain_end = after.find(|c: char| !of_domain(c)).unwrap_or(after.len());
        let (domain, behind) = after.split_at(domain_end);
        let domain = domain.trim_end_matches('.');
        if local == 0 || !domain.contains('.') {
            out.push_str(before);
            out.push('@');
            rest = after;
            continue;
        }
        *places += 1;
        out.push_str(before.get(..before.len() - local).unwrap_or_default());
        out.push_str(MAIL);
        // A full stop that ended the sentence stays.
        rest = after.get(domain.len()..).unwrap_or(behind);
    }
    out + rest
}

/// Rows of digits that only blanks, hyphens and brackets part, where there are as many as in a telephone number.
fn numbers(text: &str, places: &mut usize) -> String {
    let mut out = String::new();
    let mut row = String::new();
    for c in text.chars() {
        let first = row.is_empty();
        if c.is_ascii_digit() || (first && c == '+') || (!first && " -()".contains(c)) {
            row.push(c);
            continue;
        }
        flush(&mut row, &mut out, places);
        out.push(c);
    }
    flush(&mut row, &mut out, places);
    out
}

fn flush(row: &mut String, out: &mut String, places: &mut usize) {
    let number = row.trim_end_matches([' ', '-', '(']);
    let behind = row.get(number.len()..).unwrap_or_default();
    let digits = number.chars().filter(char::is_ascii_digit).count();
    // A moment as a day of the year is none.
    let is_day = number.len() == 10 && number.bytes().filter(|byte| *byte == b'-').count() == 2;
    let marked = number.starts_with('+') || number.starts_with('0');
    if (DIGITS_MIN..=DIGITS_MAX).contains(&digits) && marked && !is_day {
        *places += 1;
        out.push_str(NUMBER);
    } else {
        out.push_str(number);
    }
    out.push_str(behind);
    row.clear();
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn mail_telephone_and_named_words_go_and_everything_else_stays() {
        let scrub = Scrub::new(&["Ada".into(), "Ada Byron=the owner".into()]).unwrap();
        let mut places = 0;
        let digest = "a".repeat(64);
        let value = json!({
            "text": "Write to ada.b@example.com. Ring +44 131 496 0000 or (0131) 496 0000, says Ada Byron; Ada agrees on 2026-11-23 at 1764000000000.",
            "Ada": [digest, "a @ b", "x@y", 7],
        });
        let scrubbed = scrub.value(value, &mut places);
        assert_eq!(
            scrubbed,
            json!({
                "text": "Write to someone@example.org. Ring 00000 000000 or (00000 000000, says the owner; Name1 agrees on 2026-11-23 at 1764000000000.",
                "Name1": [digest, "a @ b", "x@y", 7],
            })
        );
        assert_eq!(places, 6);
        assert_eq!(Scrub::new(&["=x".into()]).unwrap_err().code, "scrub.empty");
    }
}
