//! The actions by name: their arguments, and what they answer.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use ta_guest::Context;
use ta_guest::granted::{Files, Host, locate};
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;
use ta_guest::workspace;

use crate::check::File;
use crate::{beginnings, check, document, set_up};

const CHECK: &str = "check_files";
const SET_UP: &str = "set_up";
const CHOICES: &str = "set_up_choices";
const BEGINNINGS: &str = "beginnings";
const DOCUMENT: &str = "document";

pub(crate) fn definitions() -> Vec<Definition> {
    let definition = |name: &str, description: &str, input_schema: String, only_reads: bool| Definition {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema,
        idempotent: true,
        only_reads,
    };
    let file = json!({ "type": "object", "required": ["path", "text"],
        "properties": { "path": { "type": "string" }, "text": { "type": "string" } } });
    let object = |properties: Value, required: &[&str]| {
        json!({ "type": "object", "additionalProperties": false, "properties": properties, "required": required })
            .to_string()
    };
    let files = |name: &str, required: &[&str]| object(json!({ name: { "type": "array", "items": file } }), required);
    let set_up = include_str!("schemas/set_up.json");
    vec![
        definition(
            CHECK,
            "Says what is wrong with profiles of classes and curriculum files.",
            files("files", &["files"]),
            true,
        ),
        definition(SET_UP, "Writes the first files of a workspace from a few answers.", set_up.to_owned(), false),
        definition(
            CHOICES,
            "Says which curricula a new workspace can take over, and which levels there are.",
            files("templates", &[]),
            true,
        ),
        definition(BEGINNINGS, "Lists classes and outcomes of the workspace.", object(json!({}), &[]), true),
        definition(
            DOCUMENT,
            "Says for whom the sections of a lesson are.",
            object(json!({ "markdown": { "type": "string" } }), &["markdown"]),
            true,
        ),
    ]
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    files: Vec<File>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

pub(crate) fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    let answer = match call.name.as_str() {
        CHECK => json!({ "problems": check::files(&arguments::<Checked>(call)?.files) }),
        SET_UP => match set_up::files(&arguments(call)?) {
            Ok(files) => stage(&files)?,
            Err(refused) => json!({ "error": refused }),
        },
        CHOICES => json!(set_up::choices(&arguments(call)?)),
        BEGINNINGS => {
            let Nothing {} = arguments(call)?;
            json!(beginnings::of(&Files::new(&Host)))
        }
        DOCUMENT => json!({ "sections": document::sections(&arguments(call)?) }),
        other => return Err(Failure::new("unknown-tool", format!("There is no action `{other}` here."))),
    };
    Ok(answer.to_string())
}

fn arguments<T: DeserializeOwned>(call: &ToolCall) -> Result<T, Failure> {
    serde_json::from_str(&call.arguments).map_err(|error| Failure::new("arguments", error.to_string()))
}

/// Stages files as far as that was granted; the host shows them, and puts them in place when it is asked to.
fn stage(files: &[File]) -> Result<Value, Failure> {
    let granted = workspace::granted_directories();
    for File { path, text } in files {
        let Some(place) = locate(&granted, path) else {
            return Err(Failure::new("not-granted", format!("`{path}` may not be written here.")));
        };
        let written = workspace::open(&place.directory).and_then(|it| it.write(&place.path, text, None));
        written.map_err(|error| Failure::new("workspace", error.message))?;
    }
    Ok(json!({ "files": files.iter().map(|it| it.path.as_str()).collect::<Vec<_>>() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_json_and_every_action_takes_an_object() {
        for it in definitions() {
            let schema: Value = serde_json::from_str(&it.input_schema).unwrap();
            assert_eq!(schema["type"], "object", "{}", it.name);
        }
    }

    #[test]
    fn arguments_that_do_not_fit_are_a_failure() {
        let failure = |name: &str, given: &str| {
            let call = ToolCall { id: "1".into(), name: name.into(), arguments: given.into() };
            arguments::<Checked>(&call).map(|it| it.files.len()).map_err(|failure| failure.code)
        };
        assert_eq!(failure(CHECK, r#"{"files": [{"path": "a.md", "text": ""}]}"#), Ok(1));
        for unfit in ["{}", "[]", "{", r#"{"files": [], "more": 1}"#] {
            assert_eq!(failure(CHECK, unfit), Err("arguments".to_owned()), "{unfit}");
        }
    }
}
