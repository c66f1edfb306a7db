//! The description of the API is made from the routes; the page's types are made from the copy that lies beside them.
//!
//! `UPDATE_DOCS=1 cargo test -p ta-server --test openapi` writes the copy again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::path::PathBuf;

use serde_json::Value;

#[test]
fn the_copy_is_that_of_the_routes() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/src/api/openapi.json");
    let text = serde_json::to_string_pretty(&ta_server::openapi()).unwrap() + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "web/src/api/openapi.json is older than the routes: UPDATE_DOCS=1 cargo test -p ta-server --test openapi"
    );
}

/// Every reference leads somewhere, also into the types of the journal.
#[test]
fn nothing_refers_to_what_is_not_there() {
    let api = ta_server::openapi();
    let mut references = Vec::new();
    collect(&api, &mut references);
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        let place = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} is no place of this document"));
        assert!(api.pointer(place).is_some(), "{reference} leads nowhere");
    }
    let record = &api["components"]["schemas"]["Record"];
    assert!(record["oneOf"].as_array().is_some_and(|kinds| kinds.len() > 20), "the journal's own schema: {record}");
}

/// Types of the routes and of the journal lie in one room: none takes another's name.
#[test]
fn names_are_taken_once() {
    let schemas = &ta_server::openapi()["components"]["schemas"];
    let words = |name: &str| serde_json::to_string(&schemas[name]).unwrap();
    for (name, word) in [
        ("StagedFile", "sha256_before"),
        ("PersonRole", "researcher"),
        ("Role", "assistant"),
        ("Waiting", "asked_ms"),
        ("Problem", "hint"),
        ("SessionRow", "last_status"),
    ] {
        assert!(words(name).contains(word), "{name}: {}", words(name));
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(ToOwned::to_owned));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}
