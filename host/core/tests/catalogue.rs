//! The event catalogue is part of the contract: its page and its JSON Schema are made from the types.
//!
//! `UPDATE_DOCS=1 cargo test -p ta-core --test suite catalogue` writes both again.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use ta_core::Record;
use ta_core::event::CATALOGUE_VERSION;

fn docs(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

fn same_or_written(name: &str, text: &str) {
    let path = docs(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "docs/{name} is older than the types: UPDATE_DOCS=1 cargo test -p ta-core --test suite catalogue"
    );
}

fn schema() -> Value {
    serde_json::to_value(schemars::schema_for!(Record)).unwrap()
}

#[test]
fn the_schema_is_that_of_the_types() {
    let text = serde_json::to_string_pretty(&schema()).unwrap();
    same_or_written("events.schema.json", &(text + "\n"));
}

#[test]
fn the_page_is_that_of_the_types() {
    let schema = schema();
    let mut page = format!(
        "# The event catalogue\n\n<!-- Made from host/core/src/event.rs: UPDATE_DOCS=1 cargo test -p ta-core --test suite catalogue -->\n\n\
         Version {CATALOGUE_VERSION}. A run is a sequence of these events in an append-only journal; sessions, traces, exports and the\n\
         live stream are views of it. Within a version fields are added, never changed or taken away; readers ignore\n\
         what they do not know. `--output jsonl` prints exactly these objects, one a line. The JSON Schema is\n\
         [events.schema.json](events.schema.json).\n\n## Every record\n\n"
    );
    fields(&mut page, &schema);
    let variants = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    assert!(variants.len() >= 17, "the schema has another shape than this test reads");
    for variant in &variants {
        let name = variant.pointer("/properties/type/const").and_then(Value::as_str).unwrap();
        let about = variant.get("description").and_then(Value::as_str).unwrap_or_default();
        write!(page, "## `{name}`\n\n{about}\n\n").unwrap();
        fields(&mut page, &resolved(&schema, variant));
    }
    same_or_written("events.md", &page);
}

/// A schema with the one that it refers to merged in.
fn resolved(root: &Value, schema: &Value) -> Value {
    let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return schema.clone() };
    root.pointer(reference.trim_start_matches('#')).cloned().unwrap_or_default()
}

fn fields(page: &mut String, schema: &Value) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let shown: Vec<_> = properties.iter().filter(|(name, _)| *name != "type").collect();
    if shown.is_empty() {
        return;
    }
    page.push_str("| field | type | what it is |\n|---|---|---|\n");
    for (name, field) in shown {
        let about =
            field.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        let optional = if required.contains(&name.as_str()) { "" } else { ", may be absent" };
        writeln!(page, "| `{name}` | {}{optional} | {about} |", kind(field)).unwrap();
    }
    page.push('\n');
}

fn kind(field: &Value) -> String {
    if let Some(reference) = field.get("$ref").and_then(Value::as_str) {
        return format!("`{}`", reference.rsplit('/').next().unwrap_or_default());
    }
    if let Some(options) = field.get("anyOf").and_then(Value::as_array) {
        return options.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match field.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        Some(Value::String(one)) if one == "array" => {
            format!("list of {}", field.get("items").map_or_else(String::new, kind))
        }
        Some(Value::String(one)) => one.clone(),
        _ => "any".to_owned(),
    }
}
