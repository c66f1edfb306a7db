//! Whether a hint gives the answer away. Start reading at [`leak`].
//!
//! A span of mathematics leaks where it has the value of the answer, or of a value on the way, in whatever form; a calculation
//! with the numbers of the problem alone does not: naming it is what a hint is for. Small whole numbers that count something else
//! (`4 corners`) do not leak either.

use std::collections::BTreeSet;

use ta_maths::answer::{Item, Value, readings};
use ta_maths::expr::{Angle, Expr};
use ta_maths::judge::{Options, Verdict, judge};
use ta_maths::numeric::evaluate;
use ta_maths::parse::quantity;
use ta_maths::text::plain;
use ta_maths::token::Setting;
use ta_maths::units;

use crate::facts::Facts;
use crate::read::{bare, candidates, numerals, single, units_of};
use crate::spans::{Span, signs, spans};
use crate::together;

/// A decimal this near to an exact answer, as a share of it, stands for it.
const NEAR: f64 = 0.006;

/// Whole numbers up to here may count things that have nothing to do with the answer.
const SMALL_MAX: i64 = 12;

/// Words of problems in which numbers are squared or cubed on the way.
const RAISING: &[&str] = &[
    "square",
    "squared",
    "cube",
    "cubed",
    "circle",
    "sphere",
    "cylinder",
    "cone",
    "radius",
    "diameter",
    "hypotenuse",
    "diagonal",
    "right",
    "ladder",
    "power",
    "index",
    "pythagoras",
    "equation",
    "solve",
    "expand",
    "factorise",
    "simplify",
    "evaluate",
    "work",
];

/// What gives the answer away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// What stands in the hint.
    pub text: String,
    /// Whether it is a value on the way, and not the answer itself.
    pub step: bool,
}

/// What is known of a problem.
pub(crate) struct Known<'a> {
    pub(crate) facts: &'a Facts,
    /// Numerals that the problem gives, as written.
    pub(crate) given: BTreeSet<String>,
    letters: BTreeSet<char>,
    words: BTreeSet<String>,
    units: Vec<String>,
}

/// The first thing in these texts that gives the answer away; a text is what is said, what is shown, or one label.
#[must_use]
pub fn leak(facts: &Facts, texts: &[String]) -> Option<Leak> {
    let known = Known::new(facts);
    for text in texts {
        if let Some(found) = known.named(text) {
            return Some(found);
        }
        let spans = spans(text, &known.letters);
        for span in &spans {
            if let Some(found) = known.in_span(span) {
                return Some(found);
            }
        }
        if let Some(found) = together::leak(&known, text, &spans) {
            return Some(found);
        }
    }
    None
}

impl<'a> Known<'a> {
    fn new(facts: &'a Facts) -> Self {
        let problem = signs(&facts.problem);
        let mut letters: BTreeSet<char> = BTreeSet::new();
        for text in facts.answers.iter().chain([&facts.problem]) {
            let words = text.split(|sign: char| !sign.is_alphabetic()).filter(|word| word.chars().count() == 1);
            letters.extend(words.filter_map(|word| word.chars().next()).filter(char::is_ascii_alphabetic));
            // `7x` and `3a`: a letter directly behind a digit.
            let behind = text.char_indices().filter(|(at, sign)| {
                let alone = text.get(at + 1..).is_none_or(|rest| !rest.starts_with(|next: char| next.is_alphabetic()));
                let digit = text.get(..*at).is_some_and(|before| before.ends_with(|last: char| last.is_ascii_digit()));
                sign.is_ascii_lowercase() && alone && digit
            });
            letters.extend(behind.map(|(_, sign)| sign).filter(|sign| !matches!(sign, 'p' | 'm' | 'g')));
        }
        letters.remove(&'I');
        let words = facts.problem.split(|sign: char| !sign.is_alphabetic()).map(str::to_lowercase).collect();
        Self {
            facts,
            given: numerals(&problem).into_iter().collect(),
            letters,
            words,
            units: units_of(&problem, &facts.problem),
        }
    }

    /// An answer that is a name or a word, in the text as such.
    fn named(&self, text: &str) -> Option<Leak> {
        for answer in &self.facts.answers {
            let word = answer.trim();
            let letters_only =
                word.chars().count() > 1 && word.chars().all(|sign| sign.is_alphabetic() || sign == ' ' || sign == '-');
            if !letters_only || readings(answer, &Setting::default(), false).is_ok() {
                continue;
            }
            let capitals = word.chars().all(char::is_uppercase);
            let turned: String = word.chars().rev().collect();
            let found = if capitals {
                text.split(|sign: char| !sign.is_alphabetic()).any(|token| token == word || token == turned)
            } else {
                let lower = format!(
                    " {} ",
                    text.to_lowercase().replace(|sign: char| !sign.is_alphabetic() && sign != '-', " ")
                );
                !self.facts.problem.to_lowercase().contains(&word.to_lowercase())
                    && lower.contains(&format!(" {} ", word.to_lowercase()))
            };
            if found {
                return Some(Leak { text: word.to_owned(), step: false });
            }
        }
        None
    }

    fn in_span(&self, span: &Span) -> Option<Leak> {
        for candidate in candidates(&span.text) {
            if self.is_answer(&candidate, span) {
                return Some(Leak { text: candidate, step: false });
            }
            if self.is_step(&candidate, span) {
                return Some(Leak { text: candidate, step: true });
            }
        }
        None
    }

    fn is_answer(&self, candidate: &str, span: &Span) -> bool {
        let one = single(candidate);
        // A quotient of two given numbers names a calculation, although it reads as one fraction.
        let named =
            if candidate.contains('/') { self.all_given(candidate) } else { !one && self.only_given(candidate) };
        if named && !self.is_literal(candidate) {
            return false;
        }
        if one && self.is_chance(candidate, span) {
            return false;
        }
        if one && self.given.contains(&bare(candidate)) && !is_asserted(candidate, span) {
            return false;
        }
        self.facts.answers.iter().any(|answer| self.equals(answer, candidate))
    }

    /// Whether the candidate has an answer's value, in any of the problem's units, or one of two values that the answer lists.
    fn equals(&self, answer: &str, candidate: &str) -> bool {
        let judged = |answer: &str, units: Option<&String>| {
            let options = Options { angle: Some(Angle::Degrees), units: units.cloned(), ..Options::default() };
            judge(&self.facts.problem, answer, candidate, &options).verdict == Verdict::Right
        };
        if judged(answer, None) || self.units.iter().any(|unit| judged(answer, Some(unit))) {
            return true;
        }
        let parts = parts(answer);
        if parts.len() == 2 && parts.iter().any(|part| !self.given.contains(&bare(part)) && judged(part, None)) {
            return true;
        }
        // The number at the end of an inequality is all there is to find.
        let mut ends = answer.split(['<', '>', '=']).map(str::trim).filter(|side| side.parse::<f64>().is_ok());
        let inequality = answer.contains(['<', '>']);
        if inequality && ends.any(|end| !self.given.contains(&bare(end)) && judged(end, None)) {
            return true;
        }
        near(answer, candidate)
    }

    fn is_step(&self, candidate: &str, span: &Span) -> bool {
        if self.only_given(candidate) || (single(candidate) && self.is_chance(candidate, span)) {
            return false;
        }
        let options = Options { angle: Some(Angle::Degrees), ..Options::default() };
        self.facts.steps.iter().any(|step| {
            let right = judge(&self.facts.problem, step, candidate, &options).verdict == Verdict::Right;
            // A fraction on the way counts as written: a quarter is given, three twelfths are the step.
            right || near(step, candidate)
        })
    }

    /// Whether every numeral in it stands in the problem, so that it repeats the problem or names a calculation.
    fn only_given(&self, candidate: &str) -> bool {
        let found = numerals(candidate);
        if single(candidate) {
            return self.given.contains(&bare(candidate));
        }
        // Squaring belongs to some problems; elsewhere a power of a given number is the answer in another form.
        let power = candidate.contains('^') && !self.words.iter().any(|word| RAISING.contains(&word.as_str()));
        !power && found.iter().all(|numeral| self.given.contains(numeral))
    }

    /// Whether every numeral in it stands in the problem, those of a fraction one by one.
    fn all_given(&self, candidate: &str) -> bool {
        numerals(candidate)
            .iter()
            .flat_map(|numeral| numeral.split('/'))
            .all(|part| self.given.iter().any(|given| given == part || given.split('/').any(|own| own == part)))
    }

    /// Whether it is written just as the answer is, though all its numbers are given.
    fn is_literal(&self, candidate: &str) -> bool {
        let squeezed = |text: &str| plain(text).replace([' ', '(', ')', '⟨', '⟩'], "");
        let (problem, own) = (squeezed(&self.facts.problem), squeezed(candidate));
        !problem.contains(&own) && self.facts.answers.iter().any(|answer| squeezed(answer) == own)
    }

    /// Whether a small whole number counts or numbers something that the problem does not ask about.
    pub(crate) fn is_chance(&self, candidate: &str, span: &Span) -> bool {
        let small = candidate.parse::<i64>().is_ok_and(|value| (0..=SMALL_MAX).contains(&value));
        if let Some((number, unit)) = candidate.split_once(' ') {
            // `five seconds` in a problem without time.
            let small = number.parse::<i64>().is_ok_and(|value| (0..=SMALL_MAX).contains(&value));
            let own = units::read(unit)
                .is_some_and(|(unit, _)| self.units.iter().any(|known| units::named(known).like(&unit)));
            return small && units::read(unit).is_some() && !own;
        }
        if !small || is_part(candidate, span) {
            return false;
        }
        let before = span.before.last().map(String::as_str);
        if matches!(
            before,
            Some("step" | "part" | "hint" | "section" | "row" | "by" | "first" | "these" | "those" | "both")
        ) {
            return true;
        }
        let counts = |word: &String| {
            let plural =
                (word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && word != "this" && word != "does")
                    || matches!(word.as_str(), "halves" | "feet" | "children" | "people" | "pieces");
            plural && !self.words.contains(word)
        };
        let behind: Vec<&String> = span.after.iter().take_while(|word| word.as_str() != ".").take(2).collect();
        match behind.as_slice() {
            [first, ..] if counts(first) => true,
            [first, second] => counts(second) && !is_link(first),
            _ => false,
        }
    }
}

fn is_link(word: &str) -> bool {
    matches!(
        word,
        "is" | "and"
            | "or"
            | "by"
            | "of"
            | "to"
            | "for"
            | "in"
            | "as"
            | "with"
            | "from"
            | "that"
            | "the"
            | "fits"
            | "makes"
    )
}

/// Whether the candidate is a part of its span: in `18 - 6 = 12` nothing is counted.
fn is_part(candidate: &str, span: &Span) -> bool {
    candidate != span.text
}

/// Whether the words before say that this is the value asked for.
fn is_asserted(candidate: &str, span: &Span) -> bool {
    let said =
        ["is", "equals", "answer", "get", "gives", "makes", "be", "try", "becomes", "leaves", "solution", "about"];
    let equation = span
        .text
        .split_once('=')
        .is_some_and(|(left, right)| right.trim() == candidate && left.chars().any(|sign| sign.is_ascii_alphabetic()));
    equation || span.before.last().is_some_and(|word| said.contains(&word.as_str()))
}

/// The values that an answer lists; one for an answer of one value.
pub(crate) fn parts(answer: &str) -> Vec<String> {
    let inner = answer.trim();
    let point = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(inner);
    let spaced = point.replace(" or ", ",").replace(" and ", ",");
    spaced.split([',', ';']).map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Whether a decimal stands for a value that it only approximates.
fn near(answer: &str, candidate: &str) -> bool {
    let number = |text: &str| {
        let items = readings(text, &Setting::default(), false).ok()?.into_iter().next()?;
        match items.as_slice() {
            [Item { value: Value::Quantity(quantity), .. }] => Some(quantity.expr.clone()),
            _ => None,
        }
    };
    let (Some(exact), Ok(said)) = (number(answer), quantity(candidate, &Setting::default())) else {
        return false;
    };
    let decimal = matches!(said.expr, Expr::Number(_, Some(places)) if places > 0);
    let whole = matches!(exact, Expr::Number(_, None));
    let at = |expr: &Expr| evaluate(expr, Angle::Degrees, &|_| f64::NAN).map(|found| found.value);
    let close = at(&exact).zip(at(&said.expr)).is_some_and(|(exact, said)| (exact - said).abs() <= exact.abs() * NEAR);
    decimal && !whole && close
}
