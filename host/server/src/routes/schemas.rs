//! The description made whole: schemas of the journal's types, and paths in the form of OpenAPI.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};
use ta_runtime::surface::{Decision, Outcome, Question, Record, Trace};

/// Puts in what the routes only name.
pub(super) fn whole(mut api: Value) -> Value {
    if let Some(paths) = api.get_mut("paths").and_then(Value::as_object_mut) {
        // A path that goes on over slashes is written otherwise by the router.
        *paths = std::mem::take(paths).into_iter().map(|(path, item)| (path.replace("{*", "{"), item)).collect();
    }
    if let Some(schemas) = api.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        for (name, schema) in of_the_journal() {
            schemas.insert(name, schema);
        }
    }
    api
}

fn of_the_journal() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = SchemaGenerator::new(settings);
    generator.subschema_for::<Record>();
    generator.subschema_for::<Question>();
    generator.subschema_for::<Decision>();
    generator.subschema_for::<Outcome>();
    generator.subschema_for::<Trace>();
    generator.take_definitions(true)
}
