//! What a person starts from: commands, classes, topics, skills.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use ta_curriculum::file::CurriculumFile;
use ta_runtime::components::Needed;
use ta_runtime::observer::Silent;
use ta_runtime::surface::{Files, markdown};
use ta_runtime::{components, plugin, subject};
use utoipa::ToSchema;

use crate::error::Result;
use crate::page::packed_json;
use crate::sign_in::Teacher;
use crate::state::App;

/// A command.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommandLine {
    plugin: String,
    command: String,
    title: String,
    description: String,
    agent: String,
    /// What a request to it looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    argument_hint: Option<String>,
}

/// All commands.
#[utoipa::path(get, path = "/api/commands", tag = "start", responses((status = 200, body = [CommandLine])))]
pub(crate) async fn commands(State(app): State<Arc<App>>, _: Teacher) -> Result<Json<Vec<CommandLine>>> {
    let plugins = plugin::all(app.host.config.plugins.as_deref(), &mut Vec::new())?;
    let mut lines = Vec::new();
    for plugin in plugins {
        for command in plugin.commands.values() {
            let title = command.body.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&command.name);
            // What stands in quotation marks in a description is an example of a request.
            let hint = command.description.split('"').nth(1).map(ToOwned::to_owned);
            lines.push(CommandLine {
                plugin: plugin.manifest.name.clone(),
                command: command.name.clone(),
                title: title.trim().to_owned(),
                description: command.description.clone(),
                agent: command.agent.clone(),
                argument_hint: hint,
            });
        }
    }
    Ok(Json(lines))
}

/// A class of the workspace.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClassLine {
    id: String,
    title: String,
    /// The first of its subjects.
    subject: String,
    subjects: Vec<String>,
    level: String,
    /// Minutes of a period.
    #[serde(skip_serializing_if = "Option::is_none")]
    minutes: Option<u64>,
    /// Needs, without names.
    needs: Vec<String>,
}

/// An outcome of a curriculum file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TopicLine {
    code: String,
    title: String,
    subject: String,
    level: String,
    path: String,
}

/// A skill.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SkillLine {
    name: String,
    description: String,
}

/// What a person starts from.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Beginnings {
    classes: Vec<ClassLine>,
    topics: Vec<TopicLine>,
    skills: Vec<SkillLine>,
}

/// Classes, topics and skills to start from without a prompt.
#[utoipa::path(get, path = "/api/start", tag = "start", responses((status = 200, body = Beginnings)))]
pub(crate) async fn start(State(app): State<Arc<App>>, _: Teacher, headers: HeaderMap) -> Result<Response> {
    let workspace = app.host.workspace()?;
    let plugins = plugin::all(app.host.config.plugins.as_deref(), &mut Vec::new())?;
    let kinds = subject::of_all(&plugins);
    let classes = kinds.get("class").map(|rules| subject::ids(&*workspace, rules)).transpose()?.unwrap_or_default();
    let classes = classes.into_iter().filter_map(|id| class_line(&*workspace, id)).collect();
    let skills = plugins.iter().flat_map(|plugin| plugin.skills.values());
    let skills = skills.map(|skill| SkillLine { name: skill.name.clone(), description: skill.description.clone() });
    let beginnings = Beginnings { classes, topics: topics(&*workspace)?, skills: skills.collect() };
    // Every outcome of the workspace is in it, and the page waits for it.
    Ok(packed_json(&headers, &beginnings))
}

fn class_line(workspace: &dyn Files, id: String) -> Option<ClassLine> {
    let path = format!("classes/{id}.md");
    let (text, _) = workspace.read(&path).ok()?;
    let document = markdown(&path, &text).ok()?;
    let fields = document.fields.map(|fields| fields.fields).unwrap_or_default();
    let word =
        |name: &str| fields.get(name).and_then(|field| field.value.as_str()).map(ToOwned::to_owned).unwrap_or_default();
    let list = |name: &str| fields.get(name).and_then(|field| field.value.as_array()).cloned().unwrap_or_default();
    let subjects: Vec<String> = list("subjects").iter().filter_map(|it| it.as_str().map(ToOwned::to_owned)).collect();
    let needs = list("needs").iter().filter_map(|need| need.get("group")?.as_str().map(ToOwned::to_owned)).collect();
    let title = document.body.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&id).trim().to_owned();
    Some(ClassLine {
        title,
        subject: subjects.first().cloned().unwrap_or_default(),
        subjects,
        level: word("level"),
        minutes: fields.get("period_minutes").and_then(|field| field.value.as_u64()),
        needs,
        id,
    })
}

fn topics(workspace: &dyn Files) -> Result<Vec<TopicLine>> {
    let mut topics = Vec::new();
    let entries = match workspace.entries("curriculum") {
        Ok(entries) => entries,
        // A workspace without a curriculum has no topics.
        Err(error) if error.code == ta_runtime::surface::WorkspaceErrorCode::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    for entry in entries.iter().filter(|entry| entry.file && entry.name.ends_with(".md")) {
        let path = format!("curriculum/{}", entry.name);
        // A file that cannot be read is shown by its name in the tree; `validate` says what is wrong.
        let Ok((text, _)) = workspace.read(&path) else { continue };
        let file = CurriculumFile::parse(&text);
        let subject = file.meta.subject.clone().or(file.meta.title.clone()).unwrap_or_default();
        for entry in &file.entries {
            let Some(code) = entry.codes.first() else { continue };
            topics.push(TopicLine {
                code: code.to_string(),
                title: entry.title.clone(),
                subject: subject.clone(),
                level: entry.field("level").map_or_else(|| code.level().name().to_owned(), ToOwned::to_owned),
                path: path.clone(),
            });
        }
    }
    Ok(topics)
}

/// Compiles what commands need before anybody asks: the first start would keep a teacher waiting.
pub(crate) async fn warm(app: Arc<App>) {
    let Ok(plugins) = plugin::all(app.host.config.plugins.as_deref(), &mut Vec::new()) else { return };
    let Ok(grants) = app.host.grants() else { return };
    for plugin in plugins {
        let hooks: Vec<String> = plugin.manifest.hooks.keys().cloned().collect();
        let providers: Vec<String> = plugin.manifest.providers.keys().cloned().collect();
        let needed = Needed { hooks: &hooks, flow: None, providers: &providers };
        // What is wrong with a component is said to whoever starts a run with it.
        if let Ok(sources) = components::sources(&plugin, needed, &[], &grants) {
            let _ = components::load(&app.host.sandbox, sources, &Silent).await;
        }
    }
}
