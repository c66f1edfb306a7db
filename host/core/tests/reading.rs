//! An event is the same whether its type is known before it is read or not: every event of the catalogue, made up from its
//! JSON Schema.

use serde_json::{Map, Value, json};
use ta_core::Event;

/// A value that fits a schema, with every field that it names.
fn made_up(root: &Value, schema: &Value) -> Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let of_type = made_up(root, root.pointer(reference.trim_start_matches('#')).unwrap());
        return merged(of_type, schema, root);
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    for words in ["enum", "oneOf", "anyOf"] {
        if let Some(first) = schema.get(words).and_then(Value::as_array).and_then(|all| all.first()) {
            let chosen = if words == "enum" { first.clone() } else { made_up(root, first) };
            return merged(chosen, schema, root);
        }
    }
    let kind = schema.get("type").map(|kind| kind.get(0).unwrap_or(kind));
    match kind.and_then(Value::as_str) {
        // A path of memory is a text of any other kind as well.
        Some("string") => json!("memory/MEMORY.md"),
        Some("integer" | "number") => json!(schema.get("minimum").and_then(Value::as_u64).unwrap_or(3)),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        _ => merged(json!({}), schema, root),
    }
}

/// An object with the properties of a schema beside its own.
fn merged(value: Value, schema: &Value, root: &Value) -> Value {
    let (Value::Object(own), Some(properties)) = (&value, schema.get("properties").and_then(Value::as_object)) else {
        return value;
    };
    // As the store writes it: the type stands first.
    let mut all = Map::new();
    all.extend(properties.get("type").map(|kind| ("type".to_owned(), made_up(root, kind))));
    all.extend(own.clone());
    all.extend(properties.iter().map(|(name, field)| (name.clone(), made_up(root, field))));
    Value::Object(all)
}

#[test]
fn every_event_is_the_same_whether_its_type_is_known_before_or_not() {
    let schema = serde_json::to_value(schemars::schema_for!(Event)).unwrap();
    let variants = schema["oneOf"].as_array().unwrap();
    assert!(variants.len() > 30, "the schema has another shape than this test reads");
    for variant in variants {
        let made = made_up(&schema, variant);
        let any: Event = serde_json::from_value(made.clone()).unwrap_or_else(|error| panic!("{error}: {made}"));
        let json = serde_json::to_string(&any).unwrap();
        assert!(json.starts_with(&format!("{{\"type\":\"{}\"", any.name())), "{json}");
        assert_eq!(Event::from_json(any.name(), &json).unwrap(), any, "{json}");
        // The words of another type, fields that are missing, text that goes on: an error or the event, as without the type.
        for (name, json) in [("tool.started", json.as_str()), (any.name(), &json[..json.len() - 1]), ("no.such", &json)]
        {
            let (with, without) = (Event::from_json(name, json), serde_json::from_str::<Event>(json));
            assert_eq!(with.ok(), without.ok(), "{name}: {json}");
        }
        let bare = format!("{{\"type\":\"{}\",\"unknown\":1}}", any.name());
        let without = serde_json::from_str::<Event>(&bare);
        assert_eq!(Event::from_json(any.name(), &bare).ok(), without.ok(), "{bare}");
    }
}
