//! Markdown with YAML front matter, and TOML manifests, read into [`Fields`].

use std::collections::BTreeMap;

use serde_json::Value;
use serde_saphyr::Spanned;
use toml::de::{DeTable, DeValue};

use crate::fields::{Field, Fields};
use crate::problem::Problem;

/// A markdown file taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The fields of its front matter; none where it has no front matter.
    pub fields: Option<Fields>,
    /// The text below it.
    pub body: String,
}

/// Takes a markdown file apart. Fences are lines of their own: a `---` within a value is none.
///
/// # Errors
/// Where the front matter does not end or is no YAML mapping.
pub fn markdown(file: &str, text: &str) -> Result<Document, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let opens = lines.next().is_some_and(|line| line.trim_end() == "---");
    if !opens {
        return Ok(Document { fields: None, body: text.to_owned() });
    }
    let mut offset = text.find('\n').map_or(text.len(), |at| at + 1);
    let start = offset;
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            let yaml = text.get(start..offset).unwrap_or_default();
            let body = text.get(offset + line.len()..).unwrap_or_default();
            return Ok(Document { fields: Some(yaml_fields(file, yaml)?), body: body.to_owned() });
        }
        offset += line.len();
    }
    let remedy = "close it with a line `---` before the text begins";
    Err(Problem::new("front-matter.open", file, "the front matter that begins in line 1 has no end", remedy)
        .at(Some(1)))
}

fn yaml_fields(file: &str, yaml: &str) -> Result<Fields, Problem> {
    let mut fields = Fields { file: file.to_owned(), ..Fields::default() };
    if yaml.trim().is_empty() {
        return Ok(fields);
    }
    let parsed: BTreeMap<String, Spanned<Value>> = serde_saphyr::from_str(yaml).map_err(|error| {
        // The fence is line 1, so what YAML counts as line 1 is line 2 of the file.
        let line = error.location().map(|at| usize::try_from(at.line()).unwrap_or(0) + 1);
        let reason = error.without_snippet().to_string();
        let remedy = "front matter is YAML: `name: value` lines; put a value with a colon in quotes";
        Problem::new("front-matter.yaml", file, format!("the front matter is no valid YAML: {reason}"), remedy).at(line)
    })?;
    for (name, spanned) in parsed {
        let line = usize::try_from(spanned.referenced.line()).unwrap_or(0) + 1;
        fields.fields.insert(name, Field { line, value: spanned.value, table: None });
    }
    Ok(fields)
}

/// Reads a TOML file.
///
/// # Errors
/// Where it is no TOML.
pub fn toml(file: &str, text: &str) -> Result<Fields, Problem> {
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| Lines::of(text).of_offset(span.start));
        Problem::new("manifest.toml", file, error.message().to_owned(), "mend the TOML at this line").at(line)
    })?;
    Ok(toml_table(file, "", &Lines::of(text), table.get_ref()))
}

fn toml_table(file: &str, path: &str, lines: &Lines, table: &DeTable<'_>) -> Fields {
    let mut fields = Fields { file: file.to_owned(), path: path.to_owned(), ..Fields::default() };
    for (name, value) in table {
        let key = name.get_ref().to_string();
        let within = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let line = lines.of_offset(name.span().start);
        let inner = match value.get_ref() {
            DeValue::Table(table) => Some(toml_table(file, &within, lines, table)),
            _ => None,
        };
        fields.fields.insert(key, Field { line, value: json(value.get_ref()), table: inner });
    }
    fields
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => number.to_string().parse::<i64>().map_or(Value::Null, Value::from),
        DeValue::Float(number) => number.to_string().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(yes) => Value::Bool(*yes),
        DeValue::Datetime(date) => Value::String(date.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| json(item.get_ref())).collect()),
        DeValue::Table(table) => Value::Object(
            table.iter().map(|(name, value)| (name.get_ref().to_string(), json(value.get_ref()))).collect(),
        ),
    }
}

/// Where the lines of a text end: looked through once, however many fields there are.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line in which something begins, counted from 1.
    fn of_offset(&self, offset: usize) -> usize {
        self.0.partition_point(|end| *end < offset) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_know_their_lines() {
        let document =
            markdown("a.md", "---\nname: x\n\nquote: 'a --- b'\nlist: [1, two]\n---\nBody\n---\nmore\n").unwrap();
        let fields = document.fields.unwrap();
        let lines: Vec<(&str, usize)> = fields.fields.iter().map(|(name, field)| (name.as_str(), field.line)).collect();
        assert_eq!(lines, [("list", 5), ("name", 2), ("quote", 4)]);
        assert_eq!(document.body, "Body\n---\nmore\n");
    }

    #[test]
    fn broken_front_matter_says_where() {
        let open = markdown("a.md", "---\nname: x\n").unwrap_err();
        assert_eq!((open.code.as_str(), open.line), ("front-matter.open", Some(1)));
        let bad = markdown("a.md", "---\nname: x\n  bad: [1\n---\n").unwrap_err();
        assert_eq!(bad.code, "front-matter.yaml");
        assert!(bad.line.is_some_and(|line| (2..=4).contains(&line)), "{bad}");
        assert!(markdown("a.md", "# just text").unwrap().fields.is_none());
        assert!(markdown("a.md", "---\r\nname: x\r\n---\r\nBody").unwrap().fields.unwrap().fields.contains_key("name"));
    }

    #[test]
    fn a_field_is_in_the_line_where_it_begins() {
        let lines = Lines::of("a\nbc\n\nd");
        let found: Vec<usize> = (0..7).map(|offset| lines.of_offset(offset)).collect();
        assert_eq!(found, [1, 1, 2, 2, 2, 3, 4]);
    }

    #[test]
    fn manifests_too() {
        let fields = toml("p.toml", "name = 'x'\n[hooks.a]\ncomponent = 'c'\n").unwrap();
        let mut problems = Vec::new();
        let hook = fields.table("hooks", &mut problems).table("a", &mut problems);
        assert_eq!(hook.fields["component"].line, 3);
        assert_eq!(hook.path, "hooks.a");
        assert_eq!(toml("p.toml", "a = \n").unwrap_err().line, Some(1));
    }
}
