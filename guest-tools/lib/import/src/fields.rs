//! Fields of a pattern file, read with their lines: every problem is reported at once, in the host's words for its own files.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use toml::de::{DeTable, DeValue};

/// One problem in a file that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// A stable word, such as `framework.pattern`.
    pub code: String,
    /// The file, as the person would name it.
    pub file: String,
    /// The line, counted from 1, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The field, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
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
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) line: usize,
    pub(crate) value: Value,
}

/// The fields of a file.
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) file: String,
    pub(crate) fields: BTreeMap<String, Field>,
}

impl Fields {
    /// Reads a file; the problem says where it is no TOML.
    pub(crate) fn read(file: &str, text: &str) -> Result<Self, Problem> {
        let line = |offset: usize| text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map(|span| line(span.start));
            Problem::new("manifest.toml", file, error.message(), "mend the TOML at this line").at(at)
        })?;
        let field = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let name: &std::borrow::Cow<'_, str> = name.get_ref();
            (name.to_string(), json(value.get_ref()))
        };
        let lines = table.get_ref().keys().map(|name| line(name.span().start));
        let fields = table.get_ref().iter().map(field).zip(lines);
        let fields = fields.map(|((name, value), line)| (name, Field { line, value })).collect();
        Ok(Self { file: file.to_owned(), fields })
    }

    fn problem(&self, code: &str, field: &str, message: String, remedy: String) -> Problem {
        let line = self.fields.get(field).map(|found| found.line);
        Problem::new(code, &self.file, message, remedy).at(line).field(field)
    }

    /// A text that must be there. A number that was written without quotes is its text.
    pub(crate) fn required(&self, field: &str, example: &str, problems: &mut Vec<Problem>) -> String {
        let text = match self.fields.get(field).map(|found| &found.value) {
            None => String::new(),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            Some(other) => {
                problems.push(self.unfit(field, "a text", other));
                return String::new();
            }
        };
        if text.is_empty() {
            let message = format!("the field `{field}` is missing or empty");
            problems.push(self.problem("field.missing", field, message, format!("add `{example}`")));
        }
        text
    }

    /// Yes or no; no where it is left out.
    pub(crate) fn boolean(&self, field: &str, problems: &mut Vec<Problem>) -> bool {
        match self.fields.get(field).map(|found| &found.value) {
            None => false,
            Some(Value::Bool(yes)) => *yes,
            Some(other) => {
                problems.push(self.unfit(field, "`true` or `false`", other));
                false
            }
        }
    }

    fn unfit(&self, field: &str, wanted: &str, found: &Value) -> Problem {
        let found = match found {
            Value::Null => "nothing".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "a table".to_owned(),
            other => format!("`{}`", other.to_string().chars().take(60).collect::<String>()),
        };
        self.problem("field.type", field, format!("expected {wanted}, found {found}"), format!("write {wanted}"))
    }

    /// Reports every field that is not one of these.
    pub(crate) fn only(&self, known: &[&str], problems: &mut Vec<Problem>) {
        for field in self.fields.keys().filter(|field| !known.contains(&field.as_str())) {
            let remedy = format!("remove it, or mend its name; the fields are: {}", known.join(", "));
            problems.push(self.problem("field.unknown", field, format!("there is no field `{field}`"), remedy));
        }
    }
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => number.to_string().parse::<i64>().map_or(Value::Null, Value::from),
        DeValue::Float(number) => number.to_string().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(yes) => Value::Bool(*yes),
        DeValue::Datetime(date) => Value::String(date.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| json(item.get_ref())).collect()),
        DeValue::Table(table) => {
            let pair = |(name, value): (&toml::Spanned<std::borrow::Cow<'_, str>>, &toml::Spanned<DeValue<'_>>)| {
                (name.get_ref().to_string(), json(value.get_ref()))
            };
            Value::Object(table.iter().map(pair).collect())
        }
    }
}
