//! What is made of documents that were read, and of the files that came of them: each a tool that answers with JSON. What is
//! wrong with what it was given is `{"error": {…}}` or `{"problems": […]}`, which the host shows; a failure is a fault of the
//! caller.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use ta_fields::problem::Problem;
use ta_guest::Context;
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;
use ta_import::draft::{Wanted, draft};
use ta_import::framework::{BUILT_IN, Framework};
use ta_import::source::Document;
use ta_import::{check, papers};

const IMPORT: &str = "import_curriculum";
const PATTERNS: &str = "check_patterns";
const CHECK: &str = "check_curriculum";
const INDEX: &str = "index_papers";

pub(crate) fn definitions() -> Vec<Definition> {
    let tool = |name: &str, description: &str, required: &[&str]| {
        let schema = json!({ "type": "object", "required": required });
        Definition {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema: schema.to_string(),
            idempotent: true,
            only_reads: true,
        }
    };
    vec![
        tool(IMPORT, "Makes a curriculum or paper file of a document that was read.", &["document", "wanted"]),
        tool(PATTERNS, "Says what is wrong with a pattern file.", &["file", "text"]),
        tool(CHECK, "Checks curriculum files and papers as a whole.", &["files", "papers", "patterns"]),
        tool(INDEX, "Makes the index of papers by code.", &["papers", "patterns"]),
    ]
}

/// A pattern file.
#[derive(Debug, Deserialize)]
struct PatternFile {
    file: String,
    text: String,
}

impl PatternFile {
    fn read(&self) -> Result<Framework, Vec<Problem>> {
        let mut problems = Vec::new();
        Framework::read(&self.file, &self.text, &mut problems).ok_or(problems)
    }
}

#[derive(Debug, Deserialize)]
struct Import {
    document: Document,
    wanted: Wanted,
    patterns: Option<PatternFile>,
}

/// Files of the workspace, each a name and a text; pattern files by the name of their framework.
#[derive(Debug, Deserialize)]
struct Files {
    #[serde(default)]
    files: Vec<(String, String)>,
    papers: Vec<(String, String)>,
    patterns: BTreeMap<String, PatternFile>,
}

impl Files {
    fn framework(&self, name: &str) -> Option<Framework> {
        if name.eq_ignore_ascii_case(BUILT_IN) {
            return Some(Framework::cfe());
        }
        self.patterns.get(name).and_then(|patterns| patterns.read().ok())
    }
}

pub(crate) fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    let answer = match call.name.as_str() {
        IMPORT => import(arguments(call)?),
        PATTERNS => patterns(&arguments(call)?),
        CHECK => {
            let given: Files = arguments(call)?;
            let report = check::check(&given.files, &given.papers, |name| given.framework(name));
            json!({ "lines": report.lines(), "wrong": report.has_errors(), "report": report })
        }
        INDEX => {
            let given: Files = arguments(call)?;
            json!({ "file": papers::INDEX, "text": papers::index(&given.papers, |name| given.framework(name)) })
        }
        other => return Err(Failure::new("unknown-tool", format!("There is no tool `{other}` here."))),
    };
    Ok(answer.to_string())
}

fn arguments<T: DeserializeOwned>(call: &ToolCall) -> Result<T, Failure> {
    serde_json::from_str(&call.arguments).map_err(|error| Failure::new("arguments", format!("{}: {error}", call.name)))
}

fn import(given: Import) -> Value {
    let framework = match given.patterns.as_ref().map(PatternFile::read) {
        None => Framework::cfe(),
        Some(Ok(framework)) => framework,
        Some(Err(problems)) => return json!({ "problems": problems }),
    };
    match draft(given.document, &framework, &given.wanted) {
        Ok(draft) => json!(draft),
        Err(error) => json!({ "error": error }),
    }
}

fn patterns(given: &PatternFile) -> Value {
    match given.read() {
        Ok(framework) => json!({ "name": framework.name, "problems": [] }),
        Err(problems) => json!({ "name": null, "problems": problems }),
    }
}
