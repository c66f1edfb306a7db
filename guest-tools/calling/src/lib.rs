//! Tools that call tools: `first` to `fourth` do the same. Each calls another tool, asks the person, writes a file, as its
//! arguments say, and answers with what it was told.
//!
//! An example of requests, and what their tests run. Start reading at [`call`].

use serde_json::{Value, json};
use ta_guest::arguments::Arguments;
use ta_guest::ask::{Kind, Outcome, Question};
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;
use ta_guest::{Context, ask, tools, workspace};

const NAMES: [&str; 4] = ["first", "second", "third", "fourth"];

const SCHEMA: &str = r#"{
    "type": "object", "additionalProperties": false,
    "properties": {
        "tool": { "type": "string", "description": "A tool to call" },
        "with": { "type": "string", "description": "Its arguments, as JSON" },
        "times": { "type": "integer", "minimum": 1, "description": "How often; 1 where it is left out" },
        "ask": { "type": "string", "description": "What to ask the person, before that" },
        "write": { "type": "string", "description": "A file of the granted directory to write, after that" },
        "fail": { "type": "boolean", "description": "Whether to fail at the end" }
    }
}"#;

ta_guest::tool!(definitions, call);

fn definitions() -> Vec<Definition> {
    let definition = |name: &str| Definition {
        name: name.into(),
        description: "Calls a tool, asks the person, writes a file.".into(),
        input_schema: SCHEMA.into(),
        idempotent: false,
        only_reads: false,
    };
    NAMES.map(definition).to_vec()
}

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    let arguments = Arguments::parse(call, SCHEMA)?;
    let said = arguments.text("ask").map(asked);
    let times = arguments.integer("times").unwrap_or(1);
    let with = arguments.text("with").unwrap_or("{}");
    let told: Vec<Value> =
        arguments.text("tool").map(|name| (0..times).map(|_| told(name, with)).collect()).unwrap_or_default();
    if let Some(path) = arguments.text("write") {
        write(path, &format!("{} was told {}\n", call.name, json!(told)))?;
    }
    if arguments.flag("fail") {
        return Err(Failure::new("asked-to-fail", "as it was told"));
    }
    Ok(json!({ "tool": call.name, "said": said, "told": told }).to_string())
}

/// What another tool answers: its text, or the code of its failure.
fn told(name: &str, arguments: &str) -> Value {
    match tools::call(name, arguments) {
        Ok(text) => json!({ "text": text }),
        Err(failure) => json!({ "code": failure.code, "message": failure.message }),
    }
}

fn asked(title: &str) -> String {
    let question = Question { id: "said".into(), title: title.into(), detail: String::new(), kind: Kind::Text(None) };
    match ask::put(&question) {
        Outcome::Answered(ask::Answer::Text(text)) => text,
        _ => "nothing".into(),
    }
}

fn write(path: &str, text: &str) -> Result<(), Failure> {
    let failed = |error: workspace::Error| Failure::new("write", error.message);
    workspace::open("lessons").map_err(failed)?.write(path, text, None).map_err(failed)?;
    Ok(())
}
