//! What plugins offer to people: their actions, and what a page needs to know of a plugin.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use ta_runtime::actions::{self, Action};
use ta_runtime::plugin::{self, Plugin};
use ta_runtime::sample;
use ta_runtime::surface::{Applied, digest};
use utoipa::ToSchema;

use super::files::{conflict, problems};
use crate::error::{ApiError, Problem, Result};
use crate::page::packed_json;
use crate::sign_in::Teacher;
use crate::state::App;

/// The argument in which an action is given templates.
const TEMPLATES: &str = "templates";

/// A plugin.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PluginLine {
    name: String,
    version: String,
    description: String,
    /// What people can call.
    actions: Vec<ActionLine>,
    /// Why its actions cannot be called, where they cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// The action that writes the first files of a workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    set_up: Option<String>,
    /// Its skills.
    skills: Vec<SkillLine>,
    /// The forms of the documents that it writes, such as `pdf`.
    forms: Vec<String>,
    /// The parts of a text that it writes by themselves.
    parts: Vec<String>,
    /// The endings of the names of what it reads.
    reads: Vec<String>,
    /// What files of the workspace are for, by their path; that of a directory ends in `/`.
    roles: BTreeMap<String, String>,
}

/// An action.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ActionLine {
    name: String,
    description: String,
    /// JSON Schema of its arguments: a form can be drawn from it.
    #[schema(value_type = Object)]
    schema: Value,
    /// Whether it changes nothing.
    reads_only: bool,
}

/// A skill.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SkillLine {
    name: String,
    description: String,
}

/// All plugins with their actions.
#[utoipa::path(get, path = "/api/plugins", tag = "plugins", responses((status = 200, body = [PluginLine])))]
pub(crate) async fn plugins(State(app): State<Arc<App>>, _: Teacher) -> Result<Json<Vec<PluginLine>>> {
    let mut lines = Vec::new();
    for plugin in plugin::all(app.host.config.plugins.as_deref(), &mut Vec::new())? {
        lines.push(line(&app, plugin).await);
    }
    Ok(Json(lines))
}

async fn line(app: &App, plugin: Plugin) -> PluginLine {
    // What is wrong with one plugin takes nothing from the others.
    let (actions, problem) = match actions::all(&app.host, &plugin).await {
        Ok(actions) => (actions, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let action = |it: Action| ActionLine {
        name: it.definition.name,
        description: it.definition.description,
        schema: it.definition.input_schema,
        reads_only: it.definition.only_reads,
    };
    let skills = plugin.skills.values();
    let skills = skills.map(|it| SkillLine { name: it.name.clone(), description: it.description.clone() }).collect();
    let manifest = plugin.manifest;
    PluginLine {
        actions: actions.into_iter().map(action).collect(),
        problem,
        skills,
        set_up: manifest.set_up,
        forms: manifest.writers.values().flat_map(|it| it.formats.clone()).collect(),
        parts: manifest.writers.values().flat_map(|it| it.parts.clone()).collect(),
        reads: manifest.readers.values().flat_map(|it| it.formats.clone()).collect(),
        roles: manifest.files.roles,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
    }
}

async fn named(app: &App, plugin: &str, action: &str) -> Result<Action> {
    let all = plugin::declared(app.host.config.plugins.as_deref())?;
    let Some(found) = all.iter().find(|it| it.manifest.name == plugin) else {
        let message = format!("there is no plugin `{plugin}`");
        return Err(ApiError::new(StatusCode::NOT_FOUND, "plugin.unknown", message, "GET /api/plugins lists them"));
    };
    Ok(actions::named(&app.host, found, action).await?)
}

/// Calls an action that only reads and needs no arguments.
#[utoipa::path(get, path = "/api/plugins/{plugin}/actions/{action}", tag = "plugins",
    params(("plugin" = String, Path), ("action" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(crate) async fn ask_action(
    State(app): State<Arc<App>>,
    _: Teacher,
    Path((plugin, action)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response> {
    let action = named(&app, &plugin, &action).await?;
    if !action.definition.only_reads {
        let message = format!("`{}` changes files", action.definition.name);
        return Err(ApiError::conflict("action.changes", message, "send it with POST"));
    }
    let done = action.call(&app.host, "the workspace", Some(app.host.workspace()?), &json!({})).await?;
    // A page waits for it, and it may hold a line for much of the workspace.
    Ok(packed_json(&headers, &done.result))
}

/// What an action is called with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActionCall {
    /// What its schema asks for.
    #[serde(default)]
    #[schema(value_type = Object)]
    arguments: Map<String, Value>,
    /// Files of the sample workspace that the action is given beside that, as `templates`: paths, one of a directory ends in `/`.
    #[serde(default)]
    templates: Vec<String>,
    /// Whether what it writes is put in place; otherwise it is only shown.
    #[serde(default)]
    apply: bool,
    /// Files that may be replaced: path and the digest that was shown. Any other file that is there already is left alone.
    #[serde(default)]
    replace: BTreeMap<String, String>,
}

/// A file as it would be.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StagedFile {
    path: String,
    text: String,
    /// Whether there is one already.
    exists: bool,
    /// Digest of the one that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256_before: Option<String>,
    /// What is wrong with it, in sentences.
    problems: Vec<String>,
}

/// What came of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ActionDone {
    /// What the action answered.
    #[schema(value_type = Object)]
    result: Value,
    /// Files as they would be, or are now.
    writes: Vec<StagedFile>,
    /// Paths that were written.
    written: Vec<String>,
    /// Paths that were there already and were left alone.
    left: Vec<String>,
}

/// Calls an action. What it writes is shown, and put in place where that is asked for.
#[utoipa::path(post, path = "/api/plugins/{plugin}/actions/{action}", tag = "plugins",
    params(("plugin" = String, Path), ("action" = String, Path)), request_body = ActionCall,
    responses((status = 200, body = ActionDone), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
pub(crate) async fn call_action(
    State(app): State<Arc<App>>,
    _: Teacher,
    Path((plugin, action)): Path<(String, String)>,
    Json(call): Json<ActionCall>,
) -> Result<Json<ActionDone>> {
    let action = named(&app, &plugin, &action).await?;
    let mut arguments = call.arguments;
    if !call.templates.is_empty() {
        arguments.insert(TEMPLATES.to_owned(), templates(&call.templates)?);
    }
    let workspace = app.host.workspace()?;
    let _one_at_a_time = app.changing.lock().await;
    let done = action.call(&app.host, "what it is given", Some(workspace.clone()), &Value::Object(arguments)).await?;
    let (mut writes, mut written, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for staged in done.writes {
        let problems = problems(&app, &staged.path, &staged.text).await?;
        let (exists, sha256_before) = (staged.before.is_some(), staged.before);
        writes.push(StagedFile { path: staged.path, text: staged.text, exists, sha256_before, problems });
    }
    for file in writes.iter().filter(|_| call.apply) {
        let same = file.sha256_before.as_deref() == Some(&digest(file.text.as_bytes()));
        let seen = call.replace.get(&file.path);
        if file.exists && seen.is_none() && !same {
            left.push(file.path.clone());
            continue;
        }
        let before = if file.exists { seen.or(file.sha256_before.as_ref()) } else { None };
        match workspace.apply(&file.path, before.map(String::as_str), file.text.as_bytes())? {
            Applied::Written => written.push(file.path.clone()),
            Applied::AlreadyThere => left.push(file.path.clone()),
            Applied::Conflict => return Err(conflict(&*workspace, &file.path)),
        }
    }
    if !written.is_empty() {
        app.tell_files(&written);
    }
    Ok(Json(ActionDone { result: done.result, writes, written, left }))
}

/// Files of the sample workspace, by their paths or by their directories.
fn templates(wanted: &[String]) -> Result<Value> {
    let mut found = Vec::new();
    for path in wanted {
        let all = sample::files().map(|(path, _)| path);
        let paths: Vec<String> =
            all.filter(|it| it == path || (path.ends_with('/') && it.starts_with(path.as_str()))).collect();
        if paths.is_empty() {
            let message = format!("there is no template `{path}`");
            return Err(ApiError::bad("template.unknown", message, "name a file of the sample workspace"));
        }
        found.extend(paths);
    }
    found.sort();
    found.dedup();
    let text = |path: &String| Some(json!({ "path": path, "text": sample::text(path)? }));
    Ok(found.iter().filter_map(text).collect())
}
