//! Output schemas in the dialects of JSON Schema that the providers take.

use serde_json::{Map, Value, json};

/// What Anthropic's schemas may not hold; the host checks the answer against the whole schema anyway.
const UNSUPPORTED: [&str; 14] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "contains",
    "propertyNames",
];

/// A tool's schema as all take it: an object that says what is in it, if it is nothing.
pub(super) fn parameters(schema: &Value) -> Value {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.entry("type").or_insert_with(|| json!("object"));
    object.entry("properties").or_insert_with(|| json!({}));
    Value::Object(object)
}

/// The schema with closed objects and without limits of size.
pub(super) fn closed(schema: &Value) -> Value {
    let Value::Object(object) = schema else { return schema.clone() };
    let mut closed = Map::new();
    for (key, value) in object {
        let value = match key.as_str() {
            // Below these, keys are names of the person's own and not words of the schema.
            "properties" | "$defs" | "definitions" => named(value),
            "items" | "anyOf" | "oneOf" | "allOf" | "not" => each(value),
            "enum" | "const" | "default" | "examples" => value.clone(),
            "minItems" if value.as_u64().is_some_and(|least| least > 1) => continue,
            key if UNSUPPORTED.contains(&key) => continue,
            _ => value.clone(),
        };
        closed.insert(key.clone(), value);
    }
    if closed.get("type").is_some_and(|it| it == "object") || closed.contains_key("properties") {
        closed.insert("additionalProperties".to_owned(), json!(false));
    }
    Value::Object(closed)
}

fn named(value: &Value) -> Value {
    match value {
        Value::Object(schemas) => schemas.iter().map(|(name, schema)| (name.clone(), closed(schema))).collect(),
        other => other.clone(),
    }
}

fn each(value: &Value) -> Value {
    match value {
        Value::Array(schemas) => schemas.iter().map(closed).collect(),
        schema => closed(schema),
    }
}

/// Whether OpenAI can hold itself to the schema: every object is closed and requires all it names.
pub(super) fn strict(schema: &Value) -> bool {
    match schema {
        Value::Object(object) => {
            let is_object = object.contains_key("properties") || object.get("type").is_some_and(|it| it == "object");
            (!is_object || closed_and_full(object)) && object.values().all(strict)
        }
        Value::Array(values) => values.iter().all(strict),
        _ => true,
    }
}

fn closed_and_full(object: &Map<String, Value>) -> bool {
    let required = object.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let names = object.get("properties").and_then(Value::as_object);
    object.get("additionalProperties") == Some(&Value::Bool(false))
        && names.is_none_or(|names| names.keys().all(|name| required.iter().any(|it| it.as_str() == Some(name))))
}

/// The schema as a sentence, for a model that cannot be held to one.
pub(super) fn told(schema: &Value) -> String {
    format!(
        "When you give your final answer, answer with one JSON value and nothing else. It must fit this JSON Schema:\n{schema}"
    )
}
