//! What a model is told about the tools. The schemas are also what the arguments are checked against.

use ta_guest::tool::Definition;

pub(crate) const READ_FILE: &str = r#"{
    "type": "object", "required": ["path"], "additionalProperties": false,
    "properties": {
        "path": { "type": "string", "description": "Path below the workspace, such as classes/3B.md" },
        "offset": { "type": "integer", "minimum": 1, "default": 1, "description": "First line, counted from 1" },
        "limit": { "type": "integer", "minimum": 1, "default": 2000, "description": "Number of lines; 2000 are the most that one call gives" }
    }
}"#;

pub(crate) const WRITE_FILE: &str = r#"{
    "type": "object", "required": ["path", "content"], "additionalProperties": false,
    "properties": {
        "path": { "type": "string", "description": "Path below the workspace, such as lessons/iteration.md" },
        "content": { "type": "string", "description": "The whole text of the file" }
    }
}"#;

pub(crate) const STR_REPLACE: &str = r#"{
    "type": "object", "required": ["path", "old", "new"], "additionalProperties": false,
    "properties": {
        "path": { "type": "string", "description": "Path below the workspace, such as lessons/iteration.md" },
        "old": { "type": "string", "description": "The text to replace, exactly as it stands in the file, without line numbers; it must occur once" },
        "new": { "type": "string", "description": "The text that takes its place; empty to delete" }
    }
}"#;

pub(crate) const LIST_DIRECTORY: &str = r#"{
    "type": "object", "required": [], "additionalProperties": false,
    "properties": {
        "path": { "type": "string", "default": ".", "description": "Path below the workspace; . is the workspace itself" }
    }
}"#;

pub(crate) fn definitions() -> Vec<Definition> {
    let definition = |name: &str, description: &str, schema: &str, idempotent, only_reads| Definition {
        name: name.into(),
        description: description.into(),
        input_schema: schema.into(),
        idempotent,
        only_reads,
    };
    vec![
        definition(
            "read_file",
            "Reads a text file of the workspace. Each line comes with its number and a tab. When the file was not shown \
             whole, the last line says which lines were: ask for the rest with offset.",
            READ_FILE,
            true,
            true,
        ),
        definition(
            "write_file",
            "Writes a whole text file of the workspace: makes it, with the directories on the way, or replaces what it \
             holds. To change a part of a file, use str_replace.",
            WRITE_FILE,
            true,
            false,
        ),
        definition(
            "str_replace",
            "Replaces one passage of a text file of the workspace. The old text must occur exactly once: add lines \
             around it where it occurs more often.",
            STR_REPLACE,
            false,
            false,
        ),
        definition(
            "list_directory",
            "Lists a directory of the workspace, one entry on each line: directories end in a slash, files come with \
             their size.",
            LIST_DIRECTORY,
            true,
            true,
        ),
    ]
}
