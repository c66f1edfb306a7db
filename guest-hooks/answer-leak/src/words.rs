//! Number words become digits: `thirty-seven and a half` is `37 1/2`, `four twelfths` `4/12`, `nought point five` `0.5`.

/// One word with what stands before it.
struct Word<'a> {
    before: &'a str,
    text: &'a str,
    lower: String,
}

/// The text with its number words as digits. A lone `one` stays a word, except where it is said to be the value of something:
/// it mostly stands for a thing (`the other one`).
#[must_use]
pub fn in_digits(text: &str) -> String {
    let (words, end) = split(text);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        out.push_str(word.before);
        match number(&words, at) {
            Some((digits, taken)) => {
                out.push_str(&digits);
                at += taken;
            }
            None => {
                out.push_str(word.text);
                at += 1;
            }
        }
    }
    out.push_str(end);
    out
}

fn split(text: &str) -> (Vec<Word<'_>>, &str) {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        let from = rest.find(|sign: char| sign.is_alphabetic()).unwrap_or(rest.len());
        let (before, after) = rest.split_at_checked(from).unwrap_or((rest, ""));
        let length = after.find(|sign: char| !sign.is_alphabetic()).unwrap_or(after.len());
        let (text, next) = after.split_at_checked(length).unwrap_or((after, ""));
        if text.is_empty() {
            return (words, before);
        }
        words.push(Word { before, text, lower: text.to_lowercase() });
        rest = next;
    }
}

const ONES: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// Denominators; those above twelve are made from their number words.
const PARTS: &[(&str, u64)] = &[
    ("half", 2),
    ("third", 3),
    ("quarter", 4),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("thirtieth", 30),
    ("fortieth", 40),
    ("fiftieth", 50),
    ("hundredth", 100),
    ("thousandth", 1000),
];

fn small(word: &str) -> Option<u64> {
    if matches!(word, "nought" | "naught" | "nil" | "oh") {
        return Some(0);
    }
    let ones = ONES.iter().position(|one| *one == word);
    let tens = || TENS.iter().position(|ten| *ten == word).map(|ten| ten * 10 + 20);
    ones.or_else(tens).and_then(|value| u64::try_from(value).ok())
}

/// A denominator, and whether it is plural.
fn part(word: &str) -> Option<(u64, bool)> {
    if word == "halves" {
        return Some((2, true));
    }
    let find = |word: &str| PARTS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    find(word).map(|value| (value, false)).or_else(|| find(word.strip_suffix('s')?).map(|value| (value, true)))
}

/// Whether the word at `at` follows the one before it closely, as the words of one number do.
fn joined<'a>(words: &'a [Word<'_>], at: usize) -> Option<&'a str> {
    words
        .get(at)
        .filter(|word| matches!(word.before, " " | "-" | "\u{2011}" | "\u{a0}"))
        .map(|word| word.lower.as_str())
}

/// The number that begins at `at`, in digits, and how many words it has.
fn number(words: &[Word<'_>], at: usize) -> Option<(String, usize)> {
    let first = words.get(at)?.lower.as_str();
    if matches!(first, "a" | "an" | "one")
        && let Some((below, false)) = joined(words, at + 1).and_then(part)
    {
        return Some((format!("1/{below}"), 2));
    }
    let (value, mut taken) = cardinal(words, at)?;
    let mut digits = value.to_string();
    if joined(words, at + taken) == Some("point") {
        let behind: Vec<u64> =
            (at + taken + 1..).map_while(|at| joined(words, at).and_then(small).filter(|digit| *digit < 10)).collect();
        if !behind.is_empty() {
            taken += 1 + behind.len();
            digits.push('.');
            behind.iter().for_each(|digit| digits.push_str(&digit.to_string()));
            return Some((digits, taken));
        }
    }
    if let Some((below, plural)) = joined(words, at + taken).and_then(part)
        && (plural || value == 1)
    {
        return Some((format!("{digits}/{below}"), taken + 1));
    }
    if joined(words, at + taken) == Some("and")
        && let Some((fraction, more)) = fraction(words, at + taken + 1)
    {
        return Some((format!("{digits} {fraction}"), taken + 1 + more));
    }
    let alone = taken == 1 && first == "one" && !is_said(words, at);
    (!alone).then_some((digits, taken))
}

/// `a half`, `two thirds`, behind a whole number and `and`.
fn fraction(words: &[Word<'_>], at: usize) -> Option<(String, usize)> {
    let first = joined(words, at)?;
    let (below, plural) = joined(words, at + 1).and_then(part)?;
    match first {
        "a" | "an" | "one" if !plural => Some((format!("1/{below}"), 2)),
        word => small(word).filter(|_| plural).map(|top| (format!("{top}/{below}"), 2)),
    }
}

/// Whether the word before says that this is a value.
fn is_said(words: &[Word<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before)).map(|word| word.lower.as_str());
    matches!(before, Some("is" | "equals" | "minus" | "plus" | "be" | "makes" | "gives" | "get" | "times" | "by"))
}

fn cardinal(words: &[Word<'_>], at: usize) -> Option<(u64, usize)> {
    let (mut total, mut current, mut taken, mut any, mut round) = (0_u64, 0_u64, 0, false, false);
    loop {
        let word = match taken {
            0 => words.get(at).map(|word| word.lower.as_str()),
            _ => joined(words, at + taken),
        };
        let next = joined(words, at + taken + 1);
        match word {
            Some("a") if taken == 0 && matches!(next, Some("hundred" | "thousand" | "million")) => current = 1,
            Some("hundred") if any || current == 1 => {
                current = current.max(1).checked_mul(100)?;
                (any, round) = (true, true);
            }
            Some(scale @ ("thousand" | "million")) if any || current == 1 => {
                let size = if scale == "thousand" { 1_000 } else { 1_000_000 };
                total = total.checked_add(current.max(1).checked_mul(size)?)?;
                (current, any, round) = (0, true, true);
            }
            Some("and")
                if round
                    && next.and_then(small).is_some_and(|value| value > 0)
                    && joined_part(words, at + taken + 2) => {}
            Some(word) => match small(word) {
                Some(value) if fits(current, value, any, round) => {
                    current += value;
                    (any, round) = (true, false);
                }
                _ => break,
            },
            None => break,
        }
        taken += 1;
    }
    any.then_some((total + current, taken))
}

/// Whether what follows is no denominator: in `a hundred and two thirds` the `and` begins a fraction.
fn joined_part(words: &[Word<'_>], at: usize) -> bool {
    joined(words, at).and_then(part).is_none_or(|(_, plural)| !plural)
}

/// Whether a small number goes on with the one so far: `twenty` `five`, but not `five` `five`.
fn fits(current: u64, value: u64, any: bool, round: bool) -> bool {
    let last = current % 100;
    if !any || round {
        return last == 0;
    }
    (20..100).contains(&last) && last.is_multiple_of(10) && (1..10).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::in_digits;

    #[test]
    fn number_words_become_digits() {
        for (text, digits) in [
            ("five root three", "5 root 3"),
            ("nought point seven nought nought two", "0.7002"),
            ("a hundred and forty-four kilometres", "144 kilometres"),
            ("thirty-seven and a half per cent", "37 1/2 per cent"),
            ("four twelfths and a quarter", "4/12 and 1/4"),
            ("three hundred thousand", "300000"),
            ("two hundred and fifty pence", "250 pence"),
            ("One hundred and forty-nine point seven", "149.7"),
            ("the other one is one", "the other one is 1"),
            ("three and two thirds", "3 2/3"),
            ("a third is not the third", "1/3 is not the third"),
            ("four y minus twelve", "4 y minus 12"),
            ("a hundred", "100"),
            ("one fifth and two fifths", "1/5 and 2/5"),
        ] {
            assert_eq!(in_digits(text), digits);
        }
    }
}
