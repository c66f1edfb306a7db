//! Fields that people write, in front matter and manifests: read with their lines, every problem reported at once.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::problem::Problem;

/// A field.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its line, counted from 1.
    pub line: usize,
    /// Its value.
    pub value: Value,
    /// The fields within, where it is a table of a manifest.
    pub table: Option<Fields>,
}

/// The fields of one table, with the problems met so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fields {
    /// The file, as the person would name it.
    pub file: String,
    /// Where the table stands, such as `hooks.scope-check`; empty for the outermost.
    pub path: String,
    /// The fields by name.
    pub fields: BTreeMap<String, Field>,
}

impl Fields {
    fn name(&self, field: &str) -> String {
        if self.path.is_empty() { field.to_owned() } else { format!("{}.{field}", self.path) }
    }

    fn problem(&self, code: &str, field: &str, message: String, remedy: String) -> Problem {
        let line = self.fields.get(field).map(|found| found.line);
        Problem::new(code, &self.file, message, remedy).at(line).field(&self.name(field))
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
    pub fn text(&self, field: &str, problems: &mut Vec<Problem>) -> Option<String> {
        self.typed(field, "a text", scalar, problems).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// A path, which no number stands for; what it leads to is said where there is none.
    pub fn path(&self, field: &str, wanted: &str, problems: &mut Vec<Problem>) -> Option<String> {
        let read = |value: &Value| value.as_str().filter(|path| !path.trim().is_empty()).map(ToOwned::to_owned);
        self.typed(field, wanted, read, problems)
    }

    /// A text that must be there.
    pub fn required(&self, field: &str, example: &str, problems: &mut Vec<Problem>) -> String {
        let before = problems.len();
        let text = self.text(field, problems);
        if text.is_none() && problems.len() == before {
            let message = format!("the field `{field}` is missing or empty");
            problems.push(self.problem("field.missing", field, message, format!("add `{example}`")));
        }
        text.unwrap_or_default()
    }

    /// A text that must be one of a few.
    pub fn one_of(&self, field: &str, allowed: &[&str], problems: &mut Vec<Problem>) -> Option<String> {
        let text = self.text(field, problems)?;
        if allowed.contains(&text.as_str()) {
            return Some(text);
        }
        let message = format!("`{text}` is not a value of `{field}`");
        problems.push(self.problem("field.value", field, message, format!("use one of: {}", allowed.join(", "))));
        None
    }

    /// A list of texts; empty where it is left out.
    pub fn list(&self, field: &str, problems: &mut Vec<Problem>) -> Vec<String> {
        let read =
            |value: &Value| value.as_array().and_then(|items| items.iter().map(scalar).collect::<Option<Vec<_>>>());
        self.typed(field, "a list of texts, such as `[a, b]`", read, problems).unwrap_or_default()
    }

    /// Yes or no.
    pub fn boolean(&self, field: &str, problems: &mut Vec<Problem>) -> Option<bool> {
        self.typed(field, "`true` or `false`", Value::as_bool, problems)
    }

    /// A whole number within bounds.
    pub fn count(
        &self,
        field: &str,
        bounds: std::ops::RangeInclusive<u32>,
        problems: &mut Vec<Problem>,
    ) -> Option<u32> {
        let wanted = format!("a whole number from {} to {}", bounds.start(), bounds.end());
        let read = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| bounds.contains(n));
        self.typed(field, &wanted, read, problems)
    }

    /// A positive amount.
    pub fn amount(&self, field: &str, problems: &mut Vec<Problem>) -> Option<f64> {
        let read = |value: &Value| value.as_f64().filter(|amount| amount.is_finite() && *amount > 0.0);
        self.typed(field, "a number above 0, such as `1.50`", read, problems)
    }

    /// A table or object; or a text, which names the file that holds it.
    pub fn object_or_path(&self, field: &str, problems: &mut Vec<Problem>) -> Option<Value> {
        let read = |value: &Value| (value.is_object() || value.is_string()).then(|| value.clone());
        self.typed(field, "a table, or the path of a JSON file below the plugin", read, problems)
    }

    /// A table of a manifest with its own lines; empty where it is left out.
    pub fn table(&self, field: &str, problems: &mut Vec<Problem>) -> Fields {
        let found = self.fields.get(field);
        if let Some(found) = found.filter(|found| found.table.is_none()) {
            let message = format!("expected a table, found {}", shown(&found.value));
            let remedy = format!("write `[{}]` and the fields below it", self.name(field));
            problems.push(self.problem("field.type", field, message, remedy));
        }
        let empty = || Fields { file: self.file.clone(), path: self.name(field), ..Fields::default() };
        found.and_then(|found| found.table.clone()).unwrap_or_else(empty)
    }

    /// Reports every field that is not one of these, with the nearest that is.
    pub fn only(&self, known: &[&str], problems: &mut Vec<Problem>) {
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
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
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
