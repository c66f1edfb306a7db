//! Fields of front matter, read with their lines: every problem is reported at once, in the host's words for its own files.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// One problem in a file that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Problem {
    /// A stable word, such as `field.missing`.
    pub(crate) code: String,
    /// The file, as the person would name it.
    pub(crate) file: String,
    /// The line, counted from 1, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// The field, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) field: Option<String>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do.
    pub(crate) remedy: String,
}

impl Problem {
    pub(crate) fn new(code: &str, file: &str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (message, remedy) = (message.into(), remedy.into());
        Self { code: code.into(), file: file.into(), line: None, field: None, message, remedy }
    }

    pub(crate) const fn at(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }

    pub(crate) fn field(mut self, field: &str) -> Self {
        self.field = Some(field.into());
        self
    }
}

/// A field: its line, counted from 1, and its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) line: usize,
    pub(crate) value: Value,
}

/// The fields of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Fields {
    /// The file, as the person would name it.
    pub(crate) file: String,
    /// The fields by name.
    pub(crate) fields: BTreeMap<String, Field>,
}

impl Fields {
    fn problem(&self, code: &str, field: &str, message: String, remedy: String) -> Problem {
        let line = self.fields.get(field).map(|found| found.line);
        Problem::new(code, &self.file, message, remedy).at(line).field(field)
    }

    fn typed<T>(
        &self,
        field: &str,
        wanted: &str,
        read: impl Fn(&Value) -> Option<T>,
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        let found = self.fields.get(field)?;
        let value = read(&found.value);
        if value.is_none() {
            let message = format!("expected {wanted}, found {}", shown(&found.value));
            problems.push(self.problem("field.type", field, message, format!("write {wanted}")));
        }
        value
    }

    /// A text that may be left out. An empty one counts as left out.
    pub(crate) fn text(&self, field: &str, problems: &mut Vec<Problem>) -> Option<String> {
        self.typed(field, "a text", scalar, problems).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// A text that must be there.
    pub(crate) fn required(&self, field: &str, example: &str, problems: &mut Vec<Problem>) -> String {
        let before = problems.len();
        let text = self.text(field, problems);
        if text.is_none() && problems.len() == before {
            let message = format!("the field `{field}` is missing or empty");
            problems.push(self.problem("field.missing", field, message, format!("add `{example}`")));
        }
        text.unwrap_or_default()
    }

    /// A text that must be one of a few.
    pub(crate) fn one_of(&self, field: &str, allowed: &[&str], problems: &mut Vec<Problem>) -> Option<String> {
        let text = self.text(field, problems)?;
        if allowed.contains(&text.as_str()) {
            return Some(text);
        }
        let message = format!("`{text}` is not a value of `{field}`");
        problems.push(self.problem("field.value", field, message, format!("use one of: {}", allowed.join(", "))));
        None
    }

    /// A list of texts; empty where it is left out.
    pub(crate) fn list(&self, field: &str, problems: &mut Vec<Problem>) -> Vec<String> {
        let read =
            |value: &Value| value.as_array().and_then(|items| items.iter().map(scalar).collect::<Option<Vec<_>>>());
        self.typed(field, "a list of texts, such as `[a, b]`", read, problems).unwrap_or_default()
    }

    /// A whole number within bounds.
    pub(crate) fn count(
        &self,
        field: &str,
        bounds: std::ops::RangeInclusive<u32>,
        problems: &mut Vec<Problem>,
    ) -> Option<u32> {
        let wanted = format!("a whole number from {} to {}", bounds.start(), bounds.end());
        let read = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| bounds.contains(n));
        self.typed(field, &wanted, read, problems)
    }

    /// Reports every field that is not one of these, with the nearest that is.
    pub(crate) fn only(&self, known: &[&str], problems: &mut Vec<Problem>) {
        for field in self.fields.keys().filter(|field| !known.contains(&field.as_str())) {
            let message = format!("there is no field `{field}`");
            let remedy = match nearest(field, known) {
                Some(near) => format!("did you mean `{near}`? The fields are: {}", known.join(", ")),
                None => format!("remove it; the fields are: {}", known.join(", ")),
            };
            problems.push(self.problem("field.unknown", field, message, remedy));
        }
    }
}

/// A text, or what a person may have written without quotes: `class: 3` is the class `3`.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn shown(value: &Value) -> String {
    let text: String = value.to_string().chars().take(60).collect();
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a table".to_owned(),
        _ => format!("`{text}`"),
    }
}

/// The known word that is nearest to a mistyped one, if any is near.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let scored = known.iter().map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), *candidate));
    let (score, best) = scored.min()?;
    (score <= 1 + word.chars().count() / 3).then_some(best)
}

/// Levenshtein distance over characters.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (b, above) in other.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(a != *b)).min(above + 1).min(left + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
