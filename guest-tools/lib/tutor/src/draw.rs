//! A problem drawn from a shape: parameters by lot, texts with their values put in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::expression::{Names, evaluate};
use crate::topic::{Cell, Drawn, Options, Picture, Shape, Text};
use crate::value::Value;
use crate::visual::Visual;

/// How often parameters are drawn until the conditions hold. One draw in ten has to do, or the validator says so.
const TRIES_MAX: u32 = 400;
/// Numbers that a range may span.
const SPAN_MAX: u64 = 100_000;

/// A problem.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// The shape that it comes from.
    pub shape: String,
    /// What it is about.
    pub context: String,
    /// The question, as markdown with LaTeX.
    pub question: String,
    /// The expected answer, as the checker reads it.
    pub answer: String,
    /// The answer in LaTeX.
    pub shown: String,
    /// What the checker has to look at besides the value.
    pub options: Options,
    /// What to write, for somebody whose answer cannot be read.
    pub expects: String,
    /// A question, an idea, a step.
    pub hints: Vec<String>,
    /// The worked solution.
    pub solution: Vec<String>,
    /// Values on the way that give the answer away.
    pub steps: Vec<String>,
    /// Wrong answers, each with what it tells.
    pub mistakes: Vec<(String, String)>,
    /// What is drawn beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visual: Option<Visual>,
}

/// Something wrong with a text of a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line that it stands in; 0 where it is not known.
    pub line: u64,
    /// What is wrong.
    pub message: String,
}

/// Draws from a seed: `SplitMix64` of Steele, Lea and Flood (2014), ten lines that will make the same numbers for ever.
#[derive(Debug, Clone)]
pub struct Lot(u64);

impl Lot {
    /// Begins with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of so many, counted from 0; of none, 0. The bias is below one in 10¹⁵ for what is drawn here.
    pub const fn below(&mut self, count: u64) -> u64 {
        if count == 0 { 0 } else { self.next() % count }
    }
}

/// Draws a problem. The same seed makes the same problem.
///
/// # Errors
/// Where a text makes no sense, or the conditions do not come to hold.
pub fn draw(shape: &Shape, seed: u64) -> Result<Problem, Fault> {
    let mut lot = Lot::new(seed);
    for _ in 0..TRIES_MAX {
        let names = parameters(shape, &mut lot)?;
        if holds(shape, &names)? {
            return fill(shape, &names);
        }
    }
    let message = format!("in {TRIES_MAX} draws the conditions of `{}` never held", shape.id.text);
    Err(Fault { line: shape.conditions.first().map_or(shape.id.line, |condition| condition.line), message })
}

/// The share of draws for which the conditions hold, of a hundred.
///
/// # Errors
/// Where a text makes no sense.
pub fn share(shape: &Shape, seed: u64) -> Result<u32, Fault> {
    let mut lot = Lot::new(seed);
    let mut held = 0;
    for _ in 0..100 {
        let names = parameters(shape, &mut lot)?;
        held += u32::from(holds(shape, &names)?);
    }
    Ok(held)
}

fn parameters(shape: &Shape, lot: &mut Lot) -> Result<Names, Fault> {
    let mut names = Names::new();
    for (name, drawn) in &shape.draw {
        let value = one(drawn, lot);
        let fault = |message: String| Fault { line: shape.id.line, message: format!("`draw` of `{name}`: {message}") };
        names.insert(name.clone(), value.map_err(fault)?);
    }
    for text in &shape.derived {
        let fault = |message: String| Fault { line: text.line, message };
        let (name, expression) =
            text.text.split_once('=').ok_or_else(|| fault("it is written `name = expression`".to_owned()))?;
        let value = evaluate(expression, &names).map_err(fault)?;
        names.insert(name.trim().to_owned(), value);
    }
    Ok(names)
}

fn one(drawn: &Drawn, lot: &mut Lot) -> Result<Value, String> {
    match drawn {
        Drawn::OneOf(cells) => {
            let at = usize::try_from(lot.below(cells.len() as u64)).unwrap_or(0);
            match cells.get(at) {
                Some(Cell::Whole(value)) => Ok(Value::whole(i128::from(*value))),
                Some(Cell::Text(text)) => Ok(Value::read(text)),
                None => Err("the list is empty".to_owned()),
            }
        }
        Drawn::Range(range) => {
            let (ends, step) = range.split_once(" step ").unwrap_or((range, "1"));
            let read =
                |text: &str| text.trim().parse::<i64>().map_err(|_| format!("`{range}` is no range such as `2..9`"));
            let (from, to) = ends.split_once("..").ok_or_else(|| format!("`{range}` is no range such as `2..9`"))?;
            let (from, to, step) = (read(from)?, read(to)?, read(step)?);
            if step < 1 || to < from || to.abs_diff(from) > SPAN_MAX {
                return Err(format!(
                    "`{range}` goes from the smaller number to the larger one, in steps of 1 and more"
                ));
            }
            let count = to.abs_diff(from) / step.unsigned_abs() + 1;
            let at = i128::from(lot.below(count));
            Ok(Value::whole(i128::from(from) + at * i128::from(step)))
        }
    }
}

fn holds(shape: &Shape, names: &Names) -> Result<bool, Fault> {
    for condition in &shape.conditions {
        let value = evaluate(&condition.text, names);
        if !value.map_err(|message| Fault { line: condition.line, message })?.holds() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn fill(shape: &Shape, names: &Names) -> Result<Problem, Fault> {
    let one = |text: &Text| filled(text, names);
    let all = |texts: &[Text]| texts.iter().map(one).collect::<Result<Vec<String>, Fault>>();
    let answer = one(&shape.answer)?;
    let mistakes =
        shape.mistakes.iter().map(|it| Ok((one(&it.answer)?, one(&it.says)?))).collect::<Result<_, Fault>>()?;
    Ok(Problem {
        shape: shape.id.text.clone(),
        context: shape.context.clone(),
        question: one(&shape.question)?.trim_end().to_owned(),
        shown: shape.shown.as_ref().map_or_else(|| Ok(answer.clone()), one)?,
        options: shape.options.clone(),
        expects: one(&shape.expects)?,
        hints: all(&shape.hints)?,
        solution: all(&shape.solution)?,
        steps: all(&shape.steps)?,
        mistakes,
        visual: shape.visual.as_ref().map(|picture| drawing(picture, names)).transpose()?,
        answer,
    })
}

/// A text with the values of its `[[…]]` put in.
fn filled(text: &Text, names: &Names) -> Result<String, Fault> {
    put_in(&text.text, names).map_err(|message| Fault { line: text.line, message })
}

fn put_in(text: &str, names: &Names) -> Result<String, String> {
    let (mut result, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, from)) = rest.split_once("[[") {
        let (expression, after) =
            from.split_once("]]").ok_or_else(|| format!("a `]]` is missing behind `[[{from}`"))?;
        result.push_str(before);
        result.push_str(&evaluate(expression, names)?.to_string());
        rest = after;
    }
    result.push_str(rest);
    Ok(result)
}

fn drawing(picture: &Picture, names: &Names) -> Result<Visual, Fault> {
    let fault = |message: String| Fault { line: picture.tool_name.line, message };
    let mut parameters = BTreeMap::new();
    for (name, value) in &picture.parameters {
        parameters.insert(name.clone(), parameter(value, names).map_err(fault)?);
    }
    let (caption, alternative) = (filled(&picture.caption, names)?, filled(&picture.alternative, names)?);
    Visual::read(&picture.tool_name.text, &parameters, caption, alternative).map_err(fault)
}

/// A parameter: a text that is one whole expression and comes to a number becomes a number.
fn parameter(value: &Json, names: &Names) -> Result<Json, String> {
    match value {
        Json::String(text) => {
            let inside = text.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
            let whole = inside.filter(|inside| !inside.contains("[["));
            match whole.map(|expression| evaluate(expression, names)).transpose()? {
                Some(Value::Text(text)) => Ok(Json::String(text)),
                Some(number) => {
                    Ok(number.real().and_then(serde_json::Number::from_f64).map_or(Json::Null, Json::Number))
                }
                None => put_in(text, names).map(Json::String),
            }
        }
        Json::Array(values) => {
            values.iter().map(|value| parameter(value, names)).collect::<Result<_, _>>().map(Json::Array)
        }
        Json::Object(fields) => {
            let of = |(name, value): (&String, &Json)| Ok((name.clone(), parameter(value, names)?));
            fields.iter().map(of).collect::<Result<_, String>>().map(Json::Object)
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => Ok(value.clone()),
    }
}
