//! What a person starts from: commands.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use ta_runtime::components::Needed;
use ta_runtime::observer::Silent;
use ta_runtime::{actions, components, plugin};
use utoipa::ToSchema;

use crate::error::Result;
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

/// Compiles what commands and pages need before anybody asks: the first start would keep a person waiting.
pub(crate) async fn warm(app: Arc<App>) {
    let Ok(plugins) = plugin::all(app.host.config.plugins.as_deref(), &mut Vec::new()) else { return };
    let Ok(grants) = app.host.grants() else { return };
    // A page asks for these before anybody asks for a run.
    for plugin in &plugins {
        let _ = actions::all(&app.host, plugin).await;
    }
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
