//! Tokens of an answer. Which letters are variables, and which words may stand behind a number, depends on the question:
//! `5m` is five metres in one and five times m in another.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::expr::Function;
use crate::units::{self, Unit};

/// Most digits of a numeral.
const DIGITS_MAX: usize = 60;

/// Most tokens of an answer.
const TOKENS_MAX: usize = 600;

/// What an answer is read in the light of.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// Letters that stand for numbers in the expected answer.
    pub variables: BTreeSet<char>,
    /// Words of the question, in lower case: what is counted (`12 pupils`) is named there.
    pub words: BTreeSet<String>,
}

impl Setting {
    /// The setting of a question whose expected answer has these variables.
    #[must_use]
    pub fn new(question: &str, variables: impl IntoIterator<Item = char>) -> Self {
        let words = question.split(|sign: char| !sign.is_alphabetic()).filter(|word| word.len() > 1);
        Self { variables: variables.into_iter().collect(), words: words.map(str::to_lowercase).collect() }
    }

    /// The same setting where this is counted too.
    #[must_use]
    pub fn counting(mut self, what: &str) -> Self {
        self.words.insert(what.trim().to_lowercase());
        self
    }

    /// A typed letter as the expected answer has it: telephones begin with a capital.
    fn variable(&self, letter: char) -> Option<char> {
        let other = if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
        [letter, other].into_iter().find(|letter| self.variables.contains(letter))
    }
}

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// A numeral, with the number of digits behind its point.
    Number(BigRational, Option<usize>),
    /// A fraction written as one sign or by LaTeX.
    Fraction(BigInt, BigInt),
    /// A letter.
    Variable(char),
    /// A function's name.
    Function(Function),
    /// A root of this degree.
    Root(u32),
    /// π.
    Pi,
    /// A unit behind a number.
    Unit(Unit),
    /// A currency sign before a number.
    Currency(Unit),
    /// What is counted.
    Noun,
    /// `°`
    Degree,
    /// `%`
    Percent,
    /// `+-`
    PlusMinus,
    /// An operator or a bracket: one of `+ - * / ^ ( ) |`.
    Sign(char),
    /// Blank space between two tokens that are both numerals.
    Gap,
}

/// Why a text is not readable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// Nothing stands there.
    Empty,
    /// A word that is no mathematics.
    Word(String),
    /// A sign that is no mathematics.
    Sign(char),
    /// Something is missing or stands in a place where it means nothing.
    Form,
    /// Too long, too deep or too large.
    Large,
}

/// The tokens of `text`, which [`crate::text::plain`] has spelled.
///
/// # Errors
/// Where a word or a sign is no mathematics, or the text is too long.
pub fn tokens(text: &str, setting: &Setting) -> Result<Vec<Token>, Unreadable> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        if found.len() > TOKENS_MAX {
            return Err(Unreadable::Large);
        }
        rest = match sign {
            ' ' | '\n' => {
                let after = rest.trim_start_matches([' ', '\n']);
                if matches!(found.last(), Some(Token::Number(..)))
                    && after.starts_with(|next: char| next.is_ascii_digit())
                {
                    found.push(Token::Gap);
                }
                after
            }
            '0'..='9' | '.' => number(rest, &mut found)?,
            'a'..='z' | 'A'..='Z' => word(rest, setting, &mut found)?,
            '⟨' => fraction(rest, &mut found)?,
            _ => other(sign, rest, &mut found)?,
        };
    }
    if found.is_empty() { Err(Unreadable::Empty) } else { Ok(found) }
}

fn other<'a>(sign: char, rest: &'a str, found: &mut Vec<Token>) -> Result<&'a str, Unreadable> {
    if let Some(after) = rest.strip_prefix("+-").filter(|after| !after.trim_start().starts_with(['+', '-'])) {
        // `5 +-3` adds a negative number; at the start or after a bracket both signs are meant.
        if !matches!(found.last(), Some(Token::Number(..) | Token::Variable(_) | Token::Sign(')'))) {
            found.push(Token::PlusMinus);
            return Ok(after);
        }
    }
    if let Some(after) = rest.strip_prefix("°").map(str::trim_start)
        && let Some(after) = after.strip_prefix(['C', 'c'])
        && !after.starts_with(|next: char| next.is_ascii_alphabetic())
    {
        found.push(Token::Unit(units::celsius()));
        return Ok(after);
    }
    let after = rest.get(sign.len_utf8()..).unwrap_or_default();
    if let Some(after) = after.strip_prefix('*').filter(|_| sign == '*') {
        found.push(Token::Sign('^'));
        return Ok(after);
    }
    found.push(match sign {
        '+' | '-' | '*' | '/' | '^' | '(' | ')' | '|' => Token::Sign(sign),
        '[' | '{' => Token::Sign('('),
        ']' | '}' => Token::Sign(')'),
        '°' => Token::Degree,
        '%' => Token::Percent,
        '£' | '$' | '€' => units::currency(sign).map(Token::Currency).ok_or(Unreadable::Sign(sign))?,
        _ => return Err(Unreadable::Sign(sign)),
    });
    Ok(after)
}

/// A numeral; a blank between groups of three digits belongs to it, and so does `E5` behind it.
fn number<'a>(text: &'a str, found: &mut Vec<Token>) -> Result<&'a str, Unreadable> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    if (1..=3).contains(&end) {
        while bytes.get(end) == Some(&b' ') && digits(end + 1) == 3 {
            end += 4;
        }
    }
    let mut written: String = text.get(..end).unwrap_or_default().replace(' ', "");
    let mut decimals = None;
    if bytes.get(end) == Some(&b'.') {
        let behind = digits(end + 1);
        if behind > 0 {
            written.push_str(text.get(end + 1..end + 1 + behind).unwrap_or_default());
            decimals = Some(behind);
            end += 1 + behind;
        } else if end > 0 && text.get(end + 1..).is_some_and(|after| !after.starts_with('.')) {
            // `5.` at the end of a sentence.
            end += 1;
        }
    }
    if written.is_empty() || bytes.get(end) == Some(&b'.') {
        return Err(Unreadable::Form);
    }
    if written.len() > DIGITS_MAX {
        return Err(Unreadable::Large);
    }
    let value: BigInt = written.parse().map_err(|_| Unreadable::Form)?;
    let scale = num_traits::pow(BigInt::from(10), decimals.unwrap_or(0));
    found.push(Token::Number(BigRational::new(value, scale), decimals));
    let after = text.get(end..).unwrap_or_default();
    Ok(exponent(after, found).unwrap_or(after))
}

/// `E5` and `e-3`, as calculators show a power of ten.
fn exponent<'a>(text: &'a str, found: &mut Vec<Token>) -> Option<&'a str> {
    let after = text.strip_prefix(['E', 'e'])?;
    let (negative, after) = match after.strip_prefix('-') {
        Some(after) => (true, after),
        None => (false, after.strip_prefix('+').unwrap_or(after)),
    };
    let end = after.bytes().take_while(u8::is_ascii_digit).count();
    let digits: BigInt = after.get(..end).filter(|digits| (1..=3).contains(&digits.len()))?.parse().ok()?;
    found.extend([Token::Sign('*'), Token::Number(BigRational::from_integer(10.into()), None), Token::Sign('^')]);
    if negative {
        found.push(Token::Sign('-'));
    }
    found.push(Token::Number(BigRational::from_integer(digits), None));
    after.get(end..)
}

fn fraction<'a>(text: &'a str, found: &mut Vec<Token>) -> Result<&'a str, Unreadable> {
    let inner = text.strip_prefix('⟨').and_then(|inner| inner.split_once('⟩'));
    let (inner, after) = inner.ok_or(Unreadable::Form)?;
    let (top, bottom) = inner.split_once('/').ok_or(Unreadable::Form)?;
    let (top, bottom) = (top.trim(), bottom.trim());
    if top.len() > DIGITS_MAX || bottom.len() > DIGITS_MAX {
        return Err(Unreadable::Large);
    }
    let whole = |digits: &str| digits.parse::<BigInt>().map_err(|_| Unreadable::Form);
    found.push(Token::Fraction(whole(top)?, whole(bottom)?));
    Ok(after)
}

/// Names that mean the same wherever they stand. Longer names stand before their beginnings.
const NAMES: &[(&str, Token)] = &[
    ("arcsin", Token::Function(Function::Asin)),
    ("arccos", Token::Function(Function::Acos)),
    ("arctan", Token::Function(Function::Atan)),
    ("asin", Token::Function(Function::Asin)),
    ("acos", Token::Function(Function::Acos)),
    ("atan", Token::Function(Function::Atan)),
    ("sine", Token::Function(Function::Sin)),
    ("cosine", Token::Function(Function::Cos)),
    ("tangent", Token::Function(Function::Tan)),
    ("sqrt", Token::Root(2)),
    ("cbrt", Token::Root(3)),
    ("sin", Token::Function(Function::Sin)),
    ("cos", Token::Function(Function::Cos)),
    ("tan", Token::Function(Function::Tan)),
    ("abs", Token::Function(Function::Abs)),
    ("log", Token::Function(Function::Log)),
    ("ln", Token::Function(Function::Ln)),
    ("pi", Token::Pi),
];

/// Whether a value may end with this token, so that a unit can follow.
fn ends_value(token: Option<&Token>) -> bool {
    matches!(
        token,
        Some(
            Token::Number(..)
                | Token::Fraction(..)
                | Token::Pi
                | Token::Percent
                | Token::Degree
                | Token::Variable(_)
                | Token::Noun
                | Token::Sign(')')
        )
    )
}

fn word<'a>(text: &'a str, setting: &Setting, found: &mut Vec<Token>) -> Result<&'a str, Unreadable> {
    let end = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, after) = text.split_at_checked(end).ok_or(Unreadable::Form)?;
    let lower = word.to_lowercase();
    if lower == "x" && setting.variable('x').is_none() && ends_value(found.last()) && begins_number(after) {
        found.push(Token::Sign('*'));
        return Ok(after);
    }
    if matches!(lower.as_str(), "per" | "an" | "a") && matches!(found.last(), Some(Token::Unit(_))) {
        found.push(Token::Sign('/'));
        return Ok(after);
    }
    if let Some((_, token)) = NAMES.iter().find(|(name, _)| *name == lower) {
        found.push(token.clone());
        return Ok(after);
    }
    let own: Option<Vec<char>> = word.chars().map(|letter| setting.variable(letter)).collect();
    if let Some(letters) = own {
        found.extend(letters.into_iter().map(Token::Variable));
        return Ok(after);
    }
    let in_unit = matches!(found.last(), Some(Token::Unit(_)))
        || matches!(found.as_slice(), [.., Token::Unit(_), Token::Sign('/')]);
    if (ends_value(found.last()) || in_unit || found.is_empty())
        && let Some((unit, after)) = units::read(text)
    {
        found.push(Token::Unit(unit));
        return Ok(after);
    }
    if ends_value(found.last()) && setting.words.contains(&lower) {
        found.push(Token::Noun);
        return Ok(after);
    }
    letters(word, setting, found)?;
    Ok(after)
}

/// Letters that stand together: a function and its variable (`sinx`), or a product of variables (`ab`).
fn letters(word: &str, setting: &Setting, found: &mut Vec<Token>) -> Result<(), Unreadable> {
    let lower = word.to_ascii_lowercase();
    for (name, token) in NAMES {
        if let Some(after) = lower.strip_prefix(name).and(word.get(name.len()..))
            && after.len() <= 2
        {
            found.push(token.clone());
            return letters(after, setting, found);
        }
    }
    let known = word.chars().any(|letter| setting.variable(letter).is_some());
    if word.len() > 3 || (word.len() > 1 && !known) {
        return Err(Unreadable::Word(word.chars().take(30).collect()));
    }
    found.extend(word.chars().map(|letter| Token::Variable(setting.variable(letter).unwrap_or(letter))));
    Ok(())
}

/// Whether what follows an `x` is a number, so that the `x` multiplies.
fn begins_number(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(|next: char| next.is_ascii_digit() || matches!(next, '.' | '(' | '-' | '⟨'))
        || NAMES.iter().any(|(name, _)| text.starts_with(name))
}
