//! Arguments of a tool call, checked against the schema that the model was shown: what the model reads and what is
//! enforced are one text.
//!
//! A schema uses `type` (`object`, `array`, `string`, `integer`, `boolean`), `properties`, `required`, `items`, `enum`,
//! `minimum` and `maxItems`. Properties that it does not name are refused. Start reading at [`Arguments::parse`].

use serde_json::{Map, Value};

use crate::tool::Failure;
use crate::types::ToolCall;

/// How much of a wrong value a message quotes, in characters.
const QUOTED_CHARS_MAX: usize = 60;

/// The arguments of a call. Whatever the schema requires is there and of its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Reads the call's arguments and checks them against `schema`, a JSON Schema of type `object`.
    ///
    /// # Errors
    /// A failure of code `arguments` that names the argument, what was expected and the whole schema, so that the model can repair its call.
    pub fn parse(call: &ToolCall, schema: &str) -> Result<Self, Failure> {
        let fail = |problem: String| {
            Failure::new("arguments", format!("{problem}. The arguments of `{}` are: {}", call.name, squeezed(schema)))
        };
        // Some models send nothing at all where no argument is needed.
        let text = if call.arguments.trim().is_empty() { "{}" } else { call.arguments.as_str() };
        let value: Value =
            serde_json::from_str(text).map_err(|error| fail(format!("The arguments are not valid JSON: {error}")))?;
        let schema: Value = serde_json::from_str(schema)
            .map_err(|error| fail(format!("The tool's schema is not valid JSON: {error}")))?;
        check(&schema, &value, "").map_err(fail)?;
        match value {
            Value::Object(fields) => Ok(Self(fields)),
            other => Err(fail(format!("Expected an object, found {}", quoted(&other)))),
        }
    }

    /// A text; none when it was left out.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A whole number; none when it was left out.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<u64> {
        self.0.get(name).and_then(whole)
    }

    /// Whether a flag is set; an absent one is not.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// The objects of a list; none when it was left out.
    #[must_use]
    pub fn objects(&self, name: &str) -> Vec<Self> {
        let items = self.0.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|item| item.as_object().cloned().map(Self)).collect()
    }
}

impl Failure {
    /// A failure with a stable word and what went wrong and what to do.
    #[must_use]
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// A word as an enumeration compares it: `In_Progress` is `in-progress`.
#[must_use]
pub fn folded(word: &str) -> String {
    word.trim().to_lowercase().replace(['_', ' '], "-")
}

fn check(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or("object");
    match (kind, value) {
        ("object", Value::Object(fields)) => check_object(schema, fields, at),
        ("array", Value::Array(items)) => check_array(schema, items, at),
        ("string", Value::String(text)) => check_text(schema, text, at),
        ("integer", value) => check_integer(schema, value, at),
        ("boolean", Value::Bool(_)) => Ok(()),
        _ => Err(mismatch(at, article(kind), value)),
    }
}

fn check_object(schema: &Value, fields: &Map<String, Value>, at: &str) -> Result<(), String> {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if let Some(name) = fields.keys().find(|name| !properties.contains_key(*name)) {
        let names: Vec<String> = properties.keys().map(|name| format!("`{name}`")).collect();
        return Err(format!("{}: there is no such argument; there are {}", place(&below(at, name)), names.join(", ")));
    }
    if let Some(name) = required.iter().find(|name| !fields.contains_key(**name)) {
        return Err(format!("{}: missing", place(&below(at, name))));
    }
    for (name, value) in fields {
        // Models that must name every argument send null for the optional ones that they do not mean.
        let left_out = value.is_null() && !required.contains(&name.as_str());
        if let Some(schema) = properties.get(name).filter(|_| !left_out) {
            check(schema, value, &below(at, name))?;
        }
    }
    Ok(())
}

fn check_array(schema: &Value, items: &[Value], at: &str) -> Result<(), String> {
    let items_max = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
    let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
    if count > items_max {
        return Err(format!("{}: at most {items_max} entries, found {count}", place(at)));
    }
    let Some(schema) = schema.get("items") else {
        return Ok(());
    };
    items.iter().enumerate().try_for_each(|(index, item)| check(schema, item, &format!("{at}[{index}]")))
}

fn check_text(schema: &Value, text: &str, at: &str) -> Result<(), String> {
    let Some(words) = schema.get("enum").and_then(Value::as_array) else {
        return Ok(());
    };
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    if words.iter().any(|word| folded(word) == folded(text)) {
        return Ok(());
    }
    Err(mismatch(at, &format!("one of {}", words.join(", ")), &Value::String(text.into())))
}

fn check_integer(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let minimum = schema.get("minimum").and_then(Value::as_u64).unwrap_or(0);
    match whole(value) {
        Some(number) if number >= minimum => Ok(()),
        _ => Err(mismatch(at, &format!("a whole number of at least {minimum}"), value)),
    }
}

/// A whole number; JSON Schema counts `3.0` as one.
fn whole(value: &Value) -> Option<u64> {
    // Above 2^53 a float no longer says which whole number it means.
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let float = || value.as_f64().filter(|float| float.fract() == 0.0 && (0.0..=EXACT_MAX).contains(float));
    value.as_u64().or_else(|| float().map(|float| float as u64))
}

fn below(at: &str, name: &str) -> String {
    if at.is_empty() { name.into() } else { format!("{at}.{name}") }
}

fn place(at: &str) -> String {
    if at.is_empty() { "The arguments".into() } else { format!("`{}`", cut(at)) }
}

fn mismatch(at: &str, expected: &str, found: &Value) -> String {
    format!("{}: expected {expected}, found {}", place(at), quoted(found))
}

fn article(kind: &str) -> &str {
    match kind {
        "object" => "an object",
        "array" => "a list",
        "string" => "a text",
        "boolean" => "true or false",
        other => other,
    }
}

fn quoted(value: &Value) -> String {
    let kind = match value {
        Value::Null => return "null".into(),
        Value::Bool(_) => "",
        Value::Number(_) => "the number ",
        Value::String(_) => "the text ",
        Value::Array(_) => "the list ",
        Value::Object(_) => "the object ",
    };
    format!("{kind}{}", cut(&value.to_string()))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into(),
    }
}

/// The schema on one line, as it was written otherwise.
fn squeezed(schema: &str) -> String {
    schema.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use crate::types::ToolCall;

    const SCHEMA: &str = r#"{ "type": "object", "required": ["path"], "properties": {
        "path": { "type": "string" },
        "limit": { "type": "integer", "minimum": 1 },
        "tasks": { "type": "array", "maxItems": 2, "items": { "type": "object", "required": ["status"],
            "properties": { "status": { "type": "string", "enum": ["pending", "in-progress"] } } } } } }"#;

    fn parse(arguments: &str) -> Result<Arguments, String> {
        let call = ToolCall { id: "1".into(), name: "try".into(), arguments: arguments.into() };
        Arguments::parse(&call, SCHEMA).map_err(|failure| {
            assert_eq!(failure.code, "arguments");
            let (problem, schema) = failure.message.split_once(". The arguments of `try` are: ").unwrap();
            assert!(schema.starts_with(r#"{ "type": "object", "required": ["path"], "#), "{schema}");
            problem.to_owned()
        })
    }

    #[test]
    fn good_arguments_are_read() {
        let arguments = parse(r#"{ "path": "a.md", "limit": 3.0, "tasks": [{ "status": "In_Progress" }] }"#).unwrap();
        assert_eq!(arguments.text("path"), Some("a.md"));
        assert_eq!(arguments.integer("limit"), Some(3));
        assert_eq!(arguments.objects("tasks")[0].text("status"), Some("In_Progress"));
        assert!(!arguments.flag("quiet"));
        assert_eq!(parse(r#"{ "path": "a.md", "limit": null }"#).unwrap().integer("limit"), None);
    }

    #[test]
    fn bad_arguments_are_named() {
        for (arguments, problem) in [
            ("", "`path`: missing"),
            ("[]", "The arguments: expected an object, found the list []"),
            (r#"{ "path": 3 }"#, "`path`: expected a text, found the number 3"),
            (r#"{ "path": null }"#, "`path`: expected a text, found null"),
            (
                r#"{ "path": "a", "file": "b" }"#,
                "`file`: there is no such argument; there are `limit`, `path`, `tasks`",
            ),
            (r#"{ "path": "a", "limit": 0 }"#, "`limit`: expected a whole number of at least 1, found the number 0"),
            (r#"{ "path": "a", "limit": -1 }"#, "`limit`: expected a whole number of at least 1, found the number -1"),
            (
                r#"{ "path": "a", "limit": "2" }"#,
                "`limit`: expected a whole number of at least 1, found the text \"2\"",
            ),
            (
                r#"{ "path": "a", "tasks": [{ "status": "done" }] }"#,
                "`tasks[0].status`: expected one of pending, in-progress, found the text \"done\"",
            ),
            (r#"{ "path": "a", "tasks": [{}, {}, {}] }"#, "`tasks`: at most 2 entries, found 3"),
        ] {
            assert_eq!(parse(arguments).unwrap_err(), problem, "{arguments}");
        }
        assert!(parse("{ path: a }").unwrap_err().starts_with("The arguments are not valid JSON: "));
    }

    #[test]
    fn a_quoted_value_is_cut_between_characters() {
        let problem = parse(&format!(r#"{{ "path": ["{}"] }}"#, "ä".repeat(100))).unwrap_err();
        assert!(problem.ends_with('…') && problem.chars().count() < 120, "{problem}");
    }
}
