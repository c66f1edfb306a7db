//! What the description of the API says of every route, so that no route has to say it.

use serde_json::{Map, Value, json};

/// Names each operation after its method and path, so that no two have one name, and says of those for whoever is signed in that
/// others are told 401. `outside` are the paths for everybody.
pub(super) fn whole(api: &mut Value, outside: &Value) {
    let is_outside =
        |path: &str, method: &str| outside.pointer("/paths").and_then(|it| it.get(path)?.get(method)).is_some();
    let Some(paths) = api.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, methods) in paths {
        for (method, operation) in methods.as_object_mut().into_iter().flatten() {
            let Some(operation) = operation.as_object_mut() else { continue };
            operation.insert("operationId".to_owned(), json!(name(method, path)));
            if !is_outside(path, method) {
                with_401(operation);
            }
        }
    }
}

/// `get_sessions_id_records` for `GET /api/sessions/{id}/records`.
fn name(method: &str, path: &str) -> String {
    let words = path.trim_start_matches("/api/").split('/').map(|word| word.trim_matches(['{', '}', '*']));
    let words: Vec<String> = words.map(|word| word.replace(['-', '.'], "_")).collect();
    format!("{method}_{}", words.join("_"))
}

fn with_401(operation: &mut Map<String, Value>) {
    let responses = operation.entry("responses").or_insert_with(|| json!({}));
    if let Some(responses) = responses.as_object_mut() {
        responses.entry("401").or_insert_with(|| {
            let problem = json!({ "schema": { "$ref": "#/components/schemas/Problem" } });
            json!({ "description": "Nobody is signed in.", "content": { "application/json": problem } })
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_operation_has_a_name_of_its_own_and_every_parameter_its_place() {
        let api = super::super::openapi();
        let (mut names, mut open) = (BTreeSet::new(), Vec::new());
        for (path, methods) in api["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let name = operation["operationId"].as_str().unwrap();
                assert!(names.insert(name.to_owned()), "{name} is the name of two");
                if operation["responses"].get("401").is_none() {
                    open.push(format!("{method} {path}"));
                }
                for parameter in operation.get("parameters").and_then(Value::as_array).into_iter().flatten() {
                    let (place, name) = (&parameter["in"], parameter["name"].as_str().unwrap());
                    let within = path.contains(&format!("{{{name}}}"));
                    assert_eq!(place == "path", within, "{method} {path}: {name} is said to be in {place}");
                }
            }
        }
        assert_eq!(open, ["get /api/sign-in"], "what everybody may ask");
    }
}
