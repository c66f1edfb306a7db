//! Whether an answer is right. Start reading at [`judge`].

mod list;
mod relation;
mod value;

use crate::answer::{Item, Value, readings};
use crate::expr::{Angle, Expr};
use crate::form::Form;
use crate::same::Place;
use crate::token::{Setting, Unreadable};
use crate::why::{self, Reason};

/// What an answer is held against besides its value. What is absent is not judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// What bare angles are measured in.
    pub angle: Option<Angle>,
    /// Where the expected value is to be rounded.
    pub round: Option<Place>,
    /// How the answer is to be written.
    pub form: Option<Form>,
    /// The unit that the expected number is in, such as `cm^2`.
    pub units: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The answer is right.
    Right,
    /// The answer is wrong.
    Wrong,
    /// There is nothing to judge.
    Undecided,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Undecided => "undecided",
        }
    }
}

/// A verdict with a sentence for the learner, which never says the expected answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// What is right, what is not, or what to do.
    pub why: String,
}

/// One comparison: right, or the reason why not.
type Outcome = Result<(), Reason>;

/// What every comparison knows.
struct Case<'a> {
    question: &'a str,
    options: &'a Options,
    /// What bare angles are measured in here.
    angle: Angle,
}

/// Judges what was given against what was expected. `expected` is plain text: `5*sqrt(3)`, `x = 2 or x = -3`, `12*tan(35°)`.
#[must_use]
pub fn judge(question: &str, expected: &str, given: &str, options: &Options) -> Judgement {
    let outcome = match expectation(question, expected) {
        // A word of the unit may stand behind the number: `12 pupils`.
        Some((items, setting)) if options.units.is_some() => {
            let counted = setting.counting(options.units.as_deref().unwrap_or_default());
            judged(question, &items, &counted, given, options)
        }
        Some((items, setting)) => judged(question, &items, &setting, given, options),
        None => label(question, expected, given),
    };
    let verdict = match &outcome {
        Ok(()) => Verdict::Right,
        Err(reason) => reason.verdict(),
    };
    Judgement { verdict, why: why::sentence(&outcome, options) }
}

/// The expected answer, and the setting that its letters make; none where it is a word.
fn expectation(question: &str, expected: &str) -> Option<(Vec<Item>, Setting)> {
    let read = |setting: &Setting| {
        readings(expected, setting, true).ok().and_then(|mut found| (!found.is_empty()).then(|| found.remove(0)))
    };
    // Letters that stand alone are variables; those in a unit or a function's name do not.
    let alone = expected
        .split(|sign: char| !sign.is_ascii_alphabetic())
        .filter(|word| word.len() == 1)
        .filter_map(|word| word.chars().next());
    let items = read(&Setting::new(question, [])).or_else(|| read(&Setting::new(question, alone)))?;
    let letters = items.iter().flat_map(letters);
    let setting = Setting::new(question, letters);
    Some((items, setting))
}

fn letters(item: &Item) -> Vec<char> {
    let of = |parts: &[Expr]| parts.iter().flat_map(Expr::variables).collect::<Vec<char>>();
    match &item.value {
        Value::Quantity(quantity) => {
            let mut found = quantity.expr.variables();
            // The name in `P = 2a + 2b` is a letter like the others.
            if !found.is_empty() {
                found.extend(item.name.iter().filter(|name| name.len() == 1).flat_map(|name| name.chars()));
            }
            found
        }
        Value::Point(parts) | Value::Ratio(parts) => of(parts),
        Value::Statements(statements) => statements
            .iter()
            .flat_map(|statement| [statement.left.variables(), statement.right.variables()])
            .flatten()
            .collect(),
    }
}

fn judged(question: &str, expected: &[Item], setting: &Setting, given: &str, options: &Options) -> Outcome {
    let several = expected.len() > 1 || expected.iter().any(|item| matches!(item.value, Value::Point(_)));
    if let Some(outcome) = clock(question, expected, given) {
        return outcome;
    }
    let readings = readings(given, setting, several).map_err(Reason::Unreadable)?;
    let angles = match options.angle {
        Some(angle) => vec![angle],
        None => vec![Angle::Degrees, Angle::Radians],
    };
    let mut first = None;
    for angle in angles {
        let case = Case { question, options, angle };
        for reading in &readings {
            match list::compare(&case, expected, reading) {
                Ok(()) => return Ok(()),
                Err(reason) => first = first.or(Some(reason)),
            }
        }
    }
    Err(first.unwrap_or(Reason::Unreadable(Unreadable::Empty)))
}

/// Words of a question about the time of day.
const CLOCK_WORDS: &[&str] = &["when", "time", "clock", "o'clock", "starts", "ends", "arrive", "leave"];

/// Times of day are compared as such: `3:45 pm` is 15:45, and 2:20 is not 4:40. None where no time is expected.
fn clock(question: &str, expected: &[Item], given: &str) -> Option<Outcome> {
    let [Item { value: Value::Ratio(parts), .. }] = expected else {
        return None;
    };
    let lower = question.to_lowercase();
    let asked = lower.split(|sign: char| !sign.is_alphabetic() && sign != '\'').any(|word| CLOCK_WORDS.contains(&word));
    if !asked || lower.contains("ratio") {
        return None;
    }
    let number = |expr: &Expr| crate::same::rational_value(expr, Angle::Degrees)?.to_integer().try_into().ok();
    let [hours, minutes] = parts.as_slice() else {
        return None;
    };
    let expected: u32 = number(hours).zip(number(minutes)).map(|(hours, minutes): (u32, u32)| hours * 60 + minutes)?;
    Some(match minutes_of(given) {
        Some(given) if given == expected => Ok(()),
        Some(_) => Err(Reason::Different),
        None => Err(Reason::Unreadable(Unreadable::Form)),
    })
}

/// Minutes since midnight of `15:45`, `15.45`, `3:45 pm`, `1545`.
fn minutes_of(text: &str) -> Option<u32> {
    let lower = text.trim().to_lowercase().replace("a.m.", "am").replace("p.m.", "pm");
    let (rest, half) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(rest), _) => (rest, Some(0)),
        (_, Some(rest)) => (rest, Some(12)),
        _ => (lower.as_str(), None),
    };
    let rest = rest.trim();
    let (hours, minutes) = rest
        .split_once([':', '.'])
        .or_else(|| if rest.len() == 4 { rest.split_at_checked(2) } else { Some((rest, "00")) })?;
    let (hours, minutes): (u32, u32) = (hours.trim().parse().ok()?, minutes.trim().parse().ok()?);
    let hours = match half {
        Some(half) if (1..=12).contains(&hours) => hours % 12 + half,
        Some(_) => return None,
        None => hours,
    };
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

/// Words and names of sides are compared as they stand: `QR`, `side RQ`, `isosceles`.
fn label(question: &str, expected: &str, given: &str) -> Outcome {
    let words = |text: &str| -> Vec<String> {
        let skipped = ["the", "side", "line", "angle", "a", "an", "it", "is", "its", "it's", "answer"];
        let text = text.to_lowercase();
        let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '\'');
        words.filter(|word| !word.is_empty() && !skipped.contains(word)).map(str::to_owned).collect()
    };
    let (asked, said) = (words(expected), words(given));
    let short = |words: &[String]| matches!(words, [only] if only.chars().count() <= 3);
    let turned = |word: &String| word.chars().rev().collect::<String>();
    match (asked.as_slice(), said.as_slice()) {
        ([], _) => Err(Reason::Unsure),
        (_, []) => Err(Reason::Unreadable(Unreadable::Empty)),
        (asked, said) if asked == said => Ok(()),
        // A side or an angle may be named from either end.
        ([one], [other]) if short(&asked) && (2..=3).contains(&one.len()) && turned(one) == *other => Ok(()),
        (_, [other]) if short(&asked) == short(&said) && (short(&said) || words(question).contains(other)) => {
            Err(Reason::Different)
        }
        (_, said) => Err(Reason::Unreadable(Unreadable::Word(said.join(" ").chars().take(30).collect()))),
    }
}
