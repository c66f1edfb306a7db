//! An answer as a whole: one value or several, named or not, a point, a ratio, an equation or an inequality.
//!
//! A comma may separate values, mark decimals or group thousands, so a text may have several readings: [`readings`] gives them.

use crate::expr::Expr;
use crate::parse::{Quantity, quantity};
use crate::text::{TEXT_BYTES_MAX, plain};
use crate::token::{Setting, Unreadable};

/// Most values of an answer.
const ITEMS_MAX: usize = 40;

/// A sign between two sides; one that points to the left is turned round when it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
}

/// One side, the sign, the other side.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The left side.
    pub left: Expr,
    /// The sign.
    pub relation: Relation,
    /// The right side.
    pub right: Expr,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number or an expression, with its unit.
    Quantity(Quantity),
    /// Coordinates.
    Point(Vec<Expr>),
    /// A ratio.
    Ratio(Vec<Expr>),
    /// An equation or an inequality; `1 < x < 5` is two.
    Statements(Vec<Statement>),
}

/// One value, with the name that it was given (`x = 5`, `AB = 7 cm`).
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The name; none where none was written.
    pub name: Option<String>,
    /// The value.
    pub value: Value,
}

/// How commas between digits are read, where they do not separate values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Commas {
    Decimal,
    Thousands,
}

/// The readings of a text, likeliest first; `several` says that more than one value is expected.
///
/// # Errors
/// Why the likeliest reading is none, where no reading is.
pub fn readings(text: &str, setting: &Setting, several: bool) -> Result<Vec<Vec<Item>>, Unreadable> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Unreadable::Large);
    }
    let text = bare(&plain(text));
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    let inside = |commas| Some(with_commas(&text, commas)).filter(|changed| *changed != text);
    let mut texts = vec![text.clone()];
    let numbers = [inside(Commas::Thousands), inside(Commas::Decimal)].into_iter().flatten();
    if several {
        texts.extend(numbers);
        texts.extend(separated(&text));
    } else {
        texts.splice(0..0, numbers);
    }
    let mut found = Vec::new();
    let mut first = None;
    for text in texts {
        match items(&text, setting) {
            Ok(items) => found.push(items),
            Err(error) => first = first.or(Some(error)),
        }
    }
    if found.is_empty() { Err(first.unwrap_or(Unreadable::Empty)) } else { Ok(found) }
}

/// What people write before an answer.
const LEADS: &[&str] = &[
    "the answer is",
    "my answer is",
    "answer is",
    "the answer",
    "answer:",
    "ans:",
    "ans",
    "i think it is",
    "i think it's",
    "i think its",
    "i think",
    "it is",
    "it's",
    "its",
    "is it",
    "i got",
    "i get",
    "so",
    "maybe",
    "approximately",
    "approx.",
    "approx",
    "about",
    "roughly",
    "therefore",
    "=",
    "~",
    ":",
];

/// The answer without what people write round it: a lead, a full stop, a question mark, the braces of a set.
fn bare(text: &str) -> String {
    let mut text = text.trim();
    while let Some(after) = LEADS.iter().find_map(|lead| {
        let (head, after) = text.split_at_checked(lead.len())?;
        let ends = !lead.ends_with(|last: char| last.is_alphabetic()) || after.starts_with([' ', ':', '=', '~']);
        (head.eq_ignore_ascii_case(lead) && ends && !after.trim().is_empty()).then_some(after)
    }) {
        text = after.trim();
    }
    let ended = without_place(text).trim_end_matches(['?', '!', ' ']);
    let ended = ended.strip_suffix('.').filter(|before| !before.ends_with('.')).unwrap_or(ended);
    let inner = ended.strip_prefix(['{', '[']).and_then(|inner| inner.strip_suffix(['}', ']']));
    inner.filter(|inner| !inner.contains(['{', '}', '[', ']'])).unwrap_or(ended).trim().to_owned()
}

/// The answer without the place that it says it is rounded to: `8.7 (1 dp)`, `8.7 to 1 decimal place`.
fn without_place(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let places = ["dp", "d.p", "sf", "s.f", "decimal place", "sig"];
    for opening in [" to ", " (", " correct to ", ", "] {
        let Some((before, after)) = lower.split_once(opening) else { continue };
        let named = after.trim_start_matches(|sign: char| sign.is_ascii_digit()).trim_start();
        if named.len() < after.len() && places.iter().any(|place| named.starts_with(place)) {
            return text.get(..before.len()).unwrap_or(text);
        }
    }
    text
}

/// Commas between digits as a mark of decimals or between thousands; the others separate.
fn with_commas(text: &str, commas: Commas) -> String {
    let signs: Vec<char> = text.chars().collect();
    let digit = |at: usize| signs.get(at).is_some_and(char::is_ascii_digit);
    let run = |from: usize| (from..).take_while(|at| digit(*at)).count();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(sign) = signs.get(at) {
        if !digit(at) {
            out.push(*sign);
            at += 1;
            continue;
        }
        let length = run(at);
        let mut end = at + length;
        let mut groups = Vec::new();
        while signs.get(end) == Some(&',') && run(end + 1) > 0 {
            groups.push((end + 1, run(end + 1)));
            end += 1 + run(end + 1);
        }
        let behind_point = at > 0 && signs.get(at - 1) == Some(&'.');
        let written = |from: usize, count: usize| signs.iter().skip(from).take(count).collect::<String>();
        out.push_str(&written(at, length));
        let taken = match commas {
            Commas::Decimal => (groups.len() == 1 && !behind_point).then_some("."),
            Commas::Thousands => {
                (length <= 3 && !groups.is_empty() && groups.iter().all(|(_, count)| *count == 3)).then_some("")
            }
        };
        for (from, count) in &groups {
            out.push_str(taken.unwrap_or(","));
            out.push_str(&written(*from, *count));
        }
        at = end;
    }
    out
}

/// Numerals that only blanks lie between, as a list.
fn separated(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let listed = parts.len() > 1
        && parts.iter().all(|part| part.starts_with(|first: char| first.is_ascii_digit() || first == '-'));
    listed.then(|| parts.join(";"))
}

fn items(text: &str, setting: &Setting) -> Result<Vec<Item>, Unreadable> {
    let joined = conjunctions(text);
    let pieces = split(&joined);
    if pieces.len() > ITEMS_MAX {
        return Err(Unreadable::Large);
    }
    let mut found = Vec::new();
    for piece in pieces.iter().map(|piece| piece.trim()).filter(|piece| !piece.is_empty()) {
        for item in both_signs(item(piece, setting)?) {
            found.push(item);
        }
    }
    if found.is_empty() { Err(Unreadable::Empty) } else { Ok(found) }
}

/// `or` and `and` separate; `2 and 1/2` is a mixed number.
fn conjunctions(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let spaced = text.replace('&', " and ").replace('\n', " ; ");
    let mut parts = spaced.split(' ').filter(|word| !word.is_empty()).peekable();
    while let Some(word) = parts.next() {
        let before = words.last().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let fraction = parts.peek().is_some_and(|next| {
            next.split_once('/').is_some_and(|(top, bottom)| {
                let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                digits(top) && digits(bottom)
            })
        });
        match word.to_lowercase().as_str() {
            "and" if before && fraction => {}
            "and" | "or" => words.push(";".into()),
            _ => words.push(word.into()),
        }
    }
    words.join(" ")
}

/// The pieces between commas and semicolons that no bracket encloses.
fn split(text: &str) -> Vec<&str> {
    split_at(text, |sign| matches!(sign, ',' | ';'))
}

fn split_at(text: &str, separates: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut depth, mut from) = (0_i32, 0);
    let mut pieces = Vec::new();
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if depth == 0 && separates(sign) => {
                pieces.extend(text.get(from..at));
                from = at + sign.len_utf8();
            }
            _ => {}
        }
    }
    pieces.extend(text.get(from..));
    pieces
}

/// Signs between two sides, longest first; true where the sides are to be exchanged.
const RELATIONS: &[(&str, Relation, bool)] = &[
    ("<=", Relation::AtMost, false),
    ("=<", Relation::AtMost, false),
    (">=", Relation::AtMost, true),
    ("=>", Relation::AtMost, true),
    ("!=", Relation::Unequal, false),
    ("==", Relation::Equal, false),
    ("~=", Relation::Equal, false),
    ("<", Relation::Less, false),
    (">", Relation::Less, true),
    ("=", Relation::Equal, false),
    ("~", Relation::Equal, false),
];

fn item(piece: &str, setting: &Setting) -> Result<Item, Unreadable> {
    let (sides, signs) = sides(piece);
    match (sides.as_slice(), signs.as_slice()) {
        ([only], []) => match only.split_once(" is ") {
            Some((name, value)) if is_name(name) => named(name, value, setting),
            _ => Ok(Item { name: None, value: value(only, setting)? }),
        },
        (sides, signs) if signs.iter().all(|(relation, _)| *relation == Relation::Equal) => equation(sides, setting),
        (sides, signs) => inequality(sides, signs, setting),
    }
}

fn sides(piece: &str) -> (Vec<&str>, Vec<(Relation, bool)>) {
    let (mut sides, mut signs, mut from, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(rest) = piece.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((sign, relation, turned)) = RELATIONS.iter().find(|(sign, ..)| rest.starts_with(sign)) {
            sides.extend(piece.get(from..at).map(str::trim));
            signs.push((*relation, *turned));
            at += sign.len();
            from = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    sides.extend(piece.get(from..).map(str::trim));
    (sides, signs)
}

/// Whether this is what a value may be called: `x`, `AB`, `angle ABC`, `f(x)`.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_suffix("(x)").unwrap_or(text);
    let known = ["pi", "sin", "cos", "tan", "sqrt"];
    (1..=30).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ')
        && !text.split(' ').any(|word| known.contains(&word.to_lowercase().as_str()))
}

fn named(name: &str, text: &str, setting: &Setting) -> Result<Item, Unreadable> {
    let name = name.split(' ').rfind(|word| !word.is_empty()).unwrap_or(name);
    let name = name.strip_suffix("(x)").unwrap_or(name);
    Ok(Item { name: Some(name.to_owned()), value: value(text, setting)? })
}

/// `x = 5`, `5 = x`, `3 × 4 = 12`, `x = 12 tan 35° = 8.4`, `y - 3x = -2`.
fn equation(sides: &[&str], setting: &Setting) -> Result<Item, Unreadable> {
    let (name, values) = match sides {
        [name, values @ ..] if is_name(name) => (Some(*name), values),
        [values @ .., name] if is_name(name) => (Some(*name), values),
        values => (None, values),
    };
    match (name, values) {
        (Some(name), [only]) => {
            if is_name(only) {
                return statements(sides, &[(Relation::Equal, false)], setting);
            }
            named(name, only, setting)
        }
        (None, [left, right]) => match (value(left, setting)?, value(right, setting)?) {
            (Value::Quantity(left), Value::Quantity(right)) if left.expr.is_constant() && right.expr.is_constant() => {
                worked(&[left.expr, right.expr.clone()])?;
                Ok(Item { name: None, value: Value::Quantity(right) })
            }
            _ => statements(sides, &[(Relation::Equal, false)], setting),
        },
        (name, values) => {
            let read: Result<Vec<Value>, Unreadable> = values.iter().map(|text| value(text, setting)).collect();
            let read = read?;
            let numbers: Vec<Expr> = read
                .iter()
                .filter_map(|value| match value {
                    Value::Quantity(quantity) if quantity.expr.is_constant() => Some(quantity.expr.clone()),
                    _ => None,
                })
                .collect();
            if numbers.len() == read.len() {
                worked(&numbers)?;
            }
            let last = read.into_iter().next_back().ok_or(Unreadable::Form)?;
            Ok(Item { name: name.map(str::to_owned), value: last })
        }
    }
}

/// Steps of a calculation must come to about the same; otherwise it is not clear which of them is the answer.
fn worked(numbers: &[Expr]) -> Result<(), Unreadable> {
    let at = |expr: &Expr| crate::numeric::evaluate(expr, crate::expr::Angle::Degrees, &|_| f64::NAN);
    let last = numbers.last().and_then(at).ok_or(Unreadable::Form)?.value;
    let near = |value: f64| (value - last).abs() <= last.abs() * 0.05 + 0.051;
    if numbers.iter().filter_map(at).all(|number| near(number.value)) { Ok(()) } else { Err(Unreadable::Form) }
}

fn inequality(sides: &[&str], signs: &[(Relation, bool)], setting: &Setting) -> Result<Item, Unreadable> {
    // In `x > 3` the letter is a number, whatever the expected answer is.
    let mut setting = setting.clone();
    let letters = sides.iter().filter_map(|side| side.chars().next().filter(|_| side.chars().count() == 1));
    setting.variables.extend(letters.filter(char::is_ascii_alphabetic));
    statements(sides, signs, &setting)
}

fn statements(sides: &[&str], signs: &[(Relation, bool)], setting: &Setting) -> Result<Item, Unreadable> {
    let terms: Result<Vec<Expr>, Unreadable> =
        sides.iter().map(|side| quantity(side, setting).map(|side| side.expr)).collect();
    let terms = terms?;
    let statements = terms.iter().zip(terms.iter().skip(1)).zip(signs).map(|((left, right), (relation, turned))| {
        let (left, right) = if *turned { (right, left) } else { (left, right) };
        Statement { left: left.clone(), relation: *relation, right: right.clone() }
    });
    Ok(Item { name: None, value: Value::Statements(statements.collect()) })
}

fn value(text: &str, setting: &Setting) -> Result<Value, Unreadable> {
    let text = text.trim();
    if let Some(point) = point(text, setting) {
        return point;
    }
    let ratio = ratio_sign(text);
    let parts = split_at(&ratio, |sign| sign == ':');
    if parts.len() > 1 {
        let parts: Result<Vec<Expr>, Unreadable> =
            parts.iter().map(|part| quantity(part, setting).map(|part| part.expr)).collect();
        return Ok(Value::Ratio(parts?));
    }
    quantity(text, setting).map(Value::Quantity)
}

/// `2 to 3` is a ratio where numbers stand on both sides.
fn ratio_sign(text: &str) -> String {
    let numbers = |(left, right): (&str, &str)| {
        left.trim_end().ends_with(|last: char| last.is_ascii_digit())
            && right.trim_start().starts_with(|first: char| first.is_ascii_digit())
    };
    if text.split_once(" to ").is_some_and(numbers) { text.replace(" to ", ":") } else { text.to_owned() }
}

/// Coordinates in brackets, with a letter before them or not; none where the text is no point.
fn point(text: &str, setting: &Setting) -> Option<Result<Value, Unreadable>> {
    let (name, rest) = text.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    let parts = split(inner);
    if parts.len() < 2 || !(name.trim().is_empty() || is_name(name)) {
        return None;
    }
    let parts: Result<Vec<Expr>, Unreadable> =
        parts.iter().map(|part| quantity(part, setting).map(|part| part.expr)).collect();
    Some(parts.map(Value::Point))
}

/// A value with `±` in it is two values.
fn both_signs(item: Item) -> Vec<Item> {
    match &item.value {
        Value::Quantity(quantity) if quantity.expr.any(&|part| matches!(part, Expr::PlusMinus(_))) => [false, true]
            .map(|negative| {
                let quantity = Quantity { expr: with_sign(&quantity.expr, negative), ..quantity.clone() };
                Item { name: item.name.clone(), value: Value::Quantity(quantity) }
            })
            .to_vec(),
        _ => vec![item],
    }
}

fn with_sign(expr: &Expr, negative: bool) -> Expr {
    let inner = |expr: &Expr| with_sign(expr, negative);
    let boxed = |expr: &Expr| Box::new(inner(expr));
    match expr {
        Expr::PlusMinus(part) => {
            if negative {
                Expr::Negative(boxed(part))
            } else {
                inner(part)
            }
        }
        Expr::Number(..) | Expr::Mixed(..) | Expr::Pi | Expr::Variable(_) => expr.clone(),
        Expr::Percent(part) => Expr::Percent(boxed(part)),
        Expr::Degrees(part) => Expr::Degrees(boxed(part)),
        Expr::Negative(part) => Expr::Negative(boxed(part)),
        Expr::Sum(terms) => Expr::Sum(terms.iter().map(inner).collect()),
        Expr::Product(factors) => Expr::Product(factors.iter().map(inner).collect()),
        Expr::Quotient(top, bottom) => Expr::Quotient(boxed(top), boxed(bottom)),
        Expr::Power(base, exponent) => Expr::Power(boxed(base), boxed(exponent)),
        Expr::Root(degree, part) => Expr::Root(*degree, boxed(part)),
        Expr::Call(function, part) => Expr::Call(*function, boxed(part)),
    }
}
