//! Markdown with YAML front matter, and TOML manifests, read into [`Fields`].

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
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
    let parsed: BTreeMap<String, Spanned<Node>> = serde_saphyr::from_str(yaml).map_err(|error| {
        // The fence is line 1, so what YAML counts as line 1 is line 2 of the file.
        let line = error.location().map(|at| usize::try_from(at.line()).unwrap_or(0) + 1);
        let reason = error.without_snippet().to_string();
        let remedy = "front matter is YAML: `name: value` lines; put a value with a colon in quotes";
        Problem::new("front-matter.yaml", file, format!("the front matter is no valid YAML: {reason}"), remedy).at(line)
    })?;
    fields.fields = named(file, "", parsed, 1);
    Ok(fields)
}

/// Reads a YAML file that is one table. Tables within know their lines, too.
///
/// # Errors
/// Where it is no YAML, or no table.
pub fn yaml(file: &str, text: &str) -> Result<Fields, Problem> {
    let mut fields = Fields { file: file.to_owned(), ..Fields::default() };
    if blank(text) {
        return Ok(fields);
    }
    let table: BTreeMap<String, Spanned<Node>> =
        serde_saphyr::from_str(text).map_err(|error| unreadable(file, &error))?;
    fields.fields = named(file, "", table, 0);
    Ok(fields)
}

/// Reads a YAML file that is a list of tables. An empty file is an empty list.
///
/// # Errors
/// Where it is no YAML, or no list of tables.
pub fn yaml_list(file: &str, text: &str) -> Result<Vec<(usize, Fields)>, Problem> {
    if blank(text) {
        return Ok(Vec::new());
    }
    let tables: Vec<Spanned<BTreeMap<String, Spanned<Node>>>> =
        serde_saphyr::from_str(text).map_err(|error| unreadable(file, &error))?;
    let fields = |table: Spanned<BTreeMap<String, Spanned<Node>>>| {
        let line = usize::try_from(table.referenced.line()).unwrap_or(0);
        (line, Fields { file: file.to_owned(), path: String::new(), fields: named(file, "", table.value, 0) })
    };
    Ok(tables.into_iter().map(fields).collect())
}

/// Whether a YAML file says nothing: comments alone are no value.
fn blank(text: &str) -> bool {
    text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#') || line == "---")
}

fn unreadable(file: &str, error: &serde_saphyr::Error) -> Problem {
    let line = error.location().map(|at| usize::try_from(at.line()).unwrap_or(0));
    let reason = error.without_snippet().to_string();
    let remedy = "mend the YAML at this line; put a value with a colon in quotes";
    Problem::new("file.yaml", file, format!("the file is not the YAML that it must be: {reason}"), remedy).at(line)
}

/// The fields of a table, so many lines below where YAML counts them.
fn named(file: &str, path: &str, table: BTreeMap<String, Spanned<Node>>, below: usize) -> BTreeMap<String, Field> {
    let field = |(name, node): (String, Spanned<Node>)| {
        let line = usize::try_from(node.referenced.line()).unwrap_or(0) + below;
        let value = node.value.clone().into_value();
        let table = match node.value {
            Node::Value(_) => None,
            Node::Table(table) => {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let fields = named(file, &path, table, below);
                Some(Fields { file: file.to_owned(), path, fields })
            }
        };
        (name, Field { line, value, table })
    };
    table.into_iter().map(field).collect()
}

/// What stands in a YAML file: a table whose fields know their lines, or anything else.
#[derive(Debug, Clone)]
enum Node {
    Table(BTreeMap<String, Spanned<Node>>),
    Value(Value),
}

impl Node {
    fn into_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Table(table) => {
                Value::Object(table.into_iter().map(|(name, node)| (name, node.value.into_value())).collect())
            }
        }
    }
}

impl<'de> serde::Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Node, E> {
        Ok(Node::Value(Value::Bool(yes)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Value(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Value(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Node, E> {
        Ok(Node::Value(number.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Value(text.into()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Value(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Value(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Node>()? {
            list.push(item.into_value());
        }
        Ok(Node::Value(Value::Array(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut table = BTreeMap::new();
        while let Some((name, node)) = entries.next_entry::<String, Spanned<Node>>()? {
            table.insert(name, node);
        }
        Ok(Node::Table(table))
    }
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
    fn tables_of_yaml_know_their_lines() {
        let fields = yaml("c.yaml", "# one\na: 1\nb:\n  c:\n    d: [x, z]\n  e: yes\n").unwrap();
        let mut problems = Vec::new();
        let c = fields.table("b", &mut problems).table("c", &mut problems);
        assert_eq!(
            (c.path.as_str(), c.fields["d"].line, c.list("d", &mut problems)),
            ("b.c", 5, vec!["x".into(), "z".into()])
        );
        assert_eq!(fields.fields["b"].value["c"]["d"][1], "z");
        assert_eq!(problems, []);
        let list = yaml_list("s.yaml", "- a: 1\n- a: 2\n  b: 3\n").unwrap();
        assert_eq!((list[1].0, list[1].1.fields["b"].line), (2, 3));
        assert!(yaml("c.yaml", "# nothing\n").unwrap().fields.is_empty());
        assert_eq!(yaml("c.yaml", "- a\n").unwrap_err().code, "file.yaml");
        assert_eq!(yaml("c.yaml", "a: 1\nb: [\n").unwrap_err().code, "file.yaml");
        assert!(yaml_list("s.yaml", "a: 1\n").is_err());
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
