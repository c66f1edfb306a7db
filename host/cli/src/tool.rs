//! `tool run`: one call of a tool.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use ta_runtime::person::{Nobody, Person};
use ta_runtime::tool_run::{ToolReport, ToolRequest, tool_run};
use ta_runtime::tried::World;
use ta_runtime::{Host, RuntimeError};

use crate::args::{Output, Places, ToolSub};
use crate::commands::{print_json, refused};
use crate::exit::{self, Code};
use crate::progress::Progress;
use crate::{failure, people, render};

pub(crate) async fn run(host: &Host, action: &ToolSub, places: &Places) -> Result<Code, RuntimeError> {
    let ToolSub::Run { component, tool, arguments, grant, apply } = action;
    let request = ToolRequest {
        component: component.clone(),
        tool: tool.clone(),
        arguments: read(arguments)?,
        workspace: places.workspace.clone(),
        grants: grant.clone(),
        apply: *apply,
        config: BTreeMap::new(),
        declared: None,
        world: World::default(),
    };
    let person: Box<dyn Person> = match &places.answers {
        Some(answers) => people::person(Some(answers), places.output, &Arc::new(Progress::new(places.output)))?,
        None => Box::new(Nobody),
    };
    match tool_run(host, &request, &*person).await {
        Ok(report) => {
            match places.output {
                Output::Text => render::tool(&report),
                Output::Json | Output::Jsonl => print_json(&report),
            }
            Ok(if report.question.is_some() { exit::PARKED } else { exit::SUCCESS })
        }
        Err(error) if refused(&error) => {
            if places.output != Output::Text {
                print_json(&ToolReport::refused(&error));
            }
            failure::print(&error, Output::Text);
            Ok(exit::CONFIGURATION)
        }
        Err(error) => Ok(failure::print(&error, places.output)),
    }
}

/// The arguments, or the file that holds them.
fn read(arguments: &str) -> Result<Value, RuntimeError> {
    let hint = "give a JSON object, or a file that holds one as @FILE";
    let text = match arguments.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| RuntimeError::usage("arguments.unreadable", format!("{path}: {error}"), hint))?,
        None => arguments.to_owned(),
    };
    let unreadable = |error: serde_json::Error| format!("the arguments are no JSON: {error}");
    serde_json::from_str(&text).map_err(|error| RuntimeError::usage("arguments.invalid", unreadable(error), hint))
}
