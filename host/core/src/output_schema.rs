//! An output against the JSON Schema that its agent names. Pure: nothing is fetched, and patterns take linear time.

use jsonschema::{PatternOptions, Retrieve, Uri, Validator};
use serde_json::Value;

use crate::text;

/// Bytes of a schema: it is sent with every call of the model, and kept with every run.
pub const SCHEMA_BYTES_MAX: usize = 64 * 1024;
/// Violations that are told at once; the first ones usually explain the others.
const VIOLATIONS_MAX: usize = 20;
/// Characters of one violation, which quotes the value that is wrong.
const VIOLATION_CHARS_MAX: usize = 300;

/// Refuses what lies outside the schema.
struct Nothing;

impl Retrieve for Nothing {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`{uri}` lies outside the schema; nothing is fetched").into())
    }
}

fn validator(schema: &Value) -> Result<Validator, String> {
    let options = jsonschema::options().with_retriever(Nothing).with_pattern_options(PatternOptions::regex());
    options.build(schema).map_err(|error| {
        let at = error.instance_path.to_string();
        let at = if at.is_empty() { String::new() } else { format!("{at}: ") };
        text::line(&format!("{at}{error}"), VIOLATION_CHARS_MAX)
    })
}

/// Whether a schema can be used.
///
/// # Errors
/// Why not, in a sentence: no object, too long, no JSON Schema, or one that needs something outside itself.
pub fn check(schema: &Value) -> Result<(), String> {
    if !schema.is_object() {
        return Err("a schema is a JSON object".to_owned());
    }
    let bytes = schema.to_string().len();
    if bytes > SCHEMA_BYTES_MAX {
        return Err(format!("the schema has {bytes} bytes; at most {SCHEMA_BYTES_MAX} are allowed"));
    }
    validator(schema).map(|_| ())
}

/// The JSON of an answer that fits the schema: what stands in a fence, where the whole answer is one.
///
/// # Errors
/// What does not fit, a line each, with the place as a JSON pointer.
pub fn fitting(schema: &Value, answer: &str) -> Result<String, Vec<String>> {
    let json = unfenced(answer);
    let value: Value = serde_json::from_str(json).map_err(|error| vec![format!("the answer is no JSON: {error}")])?;
    let validator = validator(schema).map_err(|why| vec![format!("the schema cannot be used: {why}")])?;
    let mut violations: Vec<String> = validator
        .iter_errors(&value)
        .take(VIOLATIONS_MAX + 1)
        .map(|error| {
            let at = error.instance_path.to_string();
            let at = if at.is_empty() { "the whole answer" } else { &at };
            text::line(&format!("{at}: {error}"), VIOLATION_CHARS_MAX)
        })
        .collect();
    if violations.len() > VIOLATIONS_MAX {
        violations.truncate(VIOLATIONS_MAX);
        violations.push("and more".to_owned());
    }
    if violations.is_empty() { Ok(json.to_owned()) } else { Err(violations) }
}

/// Models like to put JSON into a fence, whatever they are told.
fn unfenced(answer: &str) -> &str {
    let answer = answer.trim();
    let inside = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some((language, body)) = inside.and_then(|inside| inside.split_once('\n')) else { return answer };
    if language.trim().chars().all(char::is_alphanumeric) { body.trim() } else { answer }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_that_cannot_be_used_says_why() {
        let says = |schema: Value| check(&schema).unwrap_err();
        assert_eq!(says(json!(true)), "a schema is a JSON object");
        assert!(says(json!({ "type": "objekt" })).contains("/type"), "{}", says(json!({ "type": "objekt" })));
        assert!(says(json!({ "$ref": "https://example.org/s.json" })).contains("nothing is fetched"));
        assert!(says(json!({ "$ref": "file:///etc/passwd" })).contains("nothing is fetched"));
        assert!(says(json!({ "pattern": "(?=x)" })).contains("regex"), "{}", says(json!({ "pattern": "(?=x)" })));
        assert!(says(json!({ "description": "x".repeat(SCHEMA_BYTES_MAX) })).contains("bytes"));
        let local = json!({ "$defs": { "n": { "type": "integer" } }, "properties": { "a": { "$ref": "#/$defs/n" } } });
        assert_eq!(check(&local), Ok(()));
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        let schema = json!({ "type": "object", "required": ["title"],
            "properties": { "minutes": { "type": "integer", "maximum": 90 }, "tags": { "items": { "type": "string" } } } });
        assert_eq!(fitting(&schema, "```json\n{\"title\": \"x\"}\n```\n").unwrap(), "{\"title\": \"x\"}");
        let violations = fitting(&schema, r#"{"minutes": "fifty", "tags": [1]}"#).unwrap_err();
        assert_eq!(violations.len(), 3, "{violations:?}");
        assert!(violations.contains(&r#"/minutes: "fifty" is not of type "integer""#.to_owned()), "{violations:?}");
        assert!(fitting(&schema, "Here it is: {}").unwrap_err()[0].starts_with("the answer is no JSON"));
        let many = json!({ "items": { "type": "string" } });
        let numbers = serde_json::to_string(&(0..500).collect::<Vec<_>>()).unwrap();
        assert_eq!(fitting(&many, &numbers).unwrap_err().len(), VIOLATIONS_MAX + 1);
    }

    #[test]
    fn a_pattern_that_would_backtrack_for_ever_does_not() {
        let schema = json!({ "type": "string", "pattern": "^(a+)+$" });
        let answer = format!("\"{}b\"", "a".repeat(10_000));
        assert_eq!(fitting(&schema, &answer).unwrap_err().len(), 1);
    }
}
