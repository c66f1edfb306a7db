//! Every file of every plugin and of the workspace, checked: all problems at once.

use std::sync::Arc;

use serde::Serialize;
use ta_core::files::Files;
use ta_core::kind::Kind;
use ta_core::skill;
use ta_fields::problem::Problem;

use crate::advice::{self, FailsOpen, SkillManifest};
use crate::check;
use crate::error::RuntimeError;
use crate::flows;
use crate::grants::{Grants, OPERATOR_FILE};
use crate::host::Host;
use crate::inspect;
use crate::models;
use crate::plugin::{self, Plugin};
use crate::project::WORKBENCH;
use crate::project::check::{self as project_check, Checked};

/// What was checked and what is wrong.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// How many plugins.
    pub plugins: usize,
    /// How many agents, commands and skills.
    pub definitions: usize,
    /// How many components.
    pub components: usize,
    /// How many files of the workspace.
    pub workspace_files: usize,
    /// All problems.
    pub problems: Vec<Problem>,
    /// What is not wrong and should be looked at.
    pub warnings: Vec<Problem>,
    /// The size of each agent's skills in its prompt.
    pub skill_manifests: Vec<SkillManifest>,
    /// Hooks whose failure lets the run go on.
    pub fails_open: Vec<FailsOpen>,
    /// The seven checks, with the routing table and the capability map.
    #[serde(flatten)]
    pub checked: Checked,
}

/// Checks everything, without a model. Components are not run, but for those that offer tools, where others may call tools:
/// only they know what their tools are called.
///
/// # Errors
/// Where it cannot even look: the plugin directory is missing.
pub async fn validate(host: &Host) -> Result<Report, RuntimeError> {
    let mut report = Report::default();
    let mut plugins = plugin::all(host.config.plugins.as_deref(), &mut report.problems)?;
    if host.config.project.is_some() {
        // What else is shipped does not work on this project, and asks for files that it need not have.
        plugins.retain(|plugin| plugin.files.directory.is_some() || plugin.manifest.name == WORKBENCH);
    }
    let grants = match host.grants() {
        Ok(grants) => grants,
        Err(error) => {
            report.problems.extend(error.problems);
            Grants::default()
        }
    };
    if let Err(error) = models::of_operator(&grants) {
        report.problems.push(Problem::new(&error.code, OPERATOR_FILE, error.message, error.hint));
    }
    report.plugins = plugins.len();
    let all = plugin::declared(host.config.plugins.as_deref())?;
    grants.unknown(|name| all.iter().any(|plugin| plugin.has_component(name)), &mut report.problems);
    report.problems.extend(flows::addresses_of(&plugins).1);
    for plugin in &plugins {
        report.definitions += plugin.agents.len() + plugin.commands.len() + plugin.skills.len();
        check_components(host, plugin, &grants, &mut report);
        check_calls(host, plugin, &mut report.problems).await;
        check_actions(host, plugin, &mut report.problems).await;
        check_references(plugin, &mut report.problems);
        advice::warnings(plugin, &mut report.warnings);
        report.skill_manifests.extend(advice::manifests(plugin));
        report.fails_open.extend(advice::fails_open(plugin));
    }
    match host.workspace() {
        Ok(workspace) => check_workspace(host, &workspace, &plugins, &mut report).await,
        Err(error) => {
            let file = host.config.workspace.display().to_string();
            report.problems.push(Problem::new(&error.code, &file, error.message, error.hint));
        }
    }
    report.checked = project_check::checks(host, &plugins, (&report.problems, &report.warnings)).await?;
    // One list holds every problem, wherever it was found.
    for error in std::mem::take(&mut report.checked.errors) {
        if !report.problems.contains(&error) {
            report.problems.push(error);
        }
    }
    Ok(report)
}

fn check_components(host: &Host, plugin: &Plugin, grants: &Grants, report: &mut Report) {
    let manifest = plugin.files.shown("plugin.toml");
    for (name, entry) in plugin.manifest.components() {
        report.components += 1;
        let full_name = format!("{}:{name}", plugin.manifest.name);
        grants.denied(&full_name, entry, &mut report.problems);
        let problem = |code: &str, message: String, remedy: String| {
            Problem::new(code, &manifest, message, remedy).at(entry.line).field(name)
        };
        let bytes = match plugin.files.bytes(&entry.component) {
            Ok(bytes) => bytes,
            Err(error) => {
                report.problems.push(problem(&error.code, error.message, error.hint));
                continue;
            }
        };
        let digest = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&bytes));
        if digest != entry.sha256 {
            let message = format!("the component's digest is {digest}, the manifest pins {}", entry.sha256);
            report.problems.push(problem(
                "plugin.digest_mismatch",
                message,
                "restore the component, or pin the new digest".to_owned(),
            ));
        }
        match host.sandbox.validate(&bytes, &grants.rights(&full_name, entry)) {
            Err(error) => report.problems.push(problem(error.code, error.message, error.hint)),
            Ok(inspection) => {
                let missing = match entry.kind {
                    Kind::Provider => !inspection.provider,
                    Kind::Writer => !inspection.writer,
                    Kind::Reader => !inspection.reader,
                    Kind::Guardrail | Kind::Dialogue | Kind::Observer | Kind::Tool | Kind::Flow => false,
                };
                if missing {
                    let message = format!("the component does not export `{}`", entry.kind);
                    let remedy = "mend `component`: `inspect` shows what a component exports".to_owned();
                    report.problems.push(problem("plugin.world_mismatch", message, remedy));
                }
                for point in entry.points.iter().filter(|point| !inspection.points.contains(point)) {
                    let message = format!("the component does not export `{point}`");
                    report.problems.push(problem(
                        "plugin.world_mismatch",
                        message,
                        "take the point out of `points`".to_owned(),
                    ));
                }
                for need in inspection
                    .needs
                    .iter()
                    .filter(|need| !entry.capabilities.iter().chain(&entry.optional).any(|asked| asked == need.name()))
                {
                    let message = format!("the component imports `{need}`, which the manifest does not ask for");
                    report.problems.push(problem(
                        "plugin.import_denied",
                        message,
                        format!("add \"{need}\" to `capabilities`"),
                    ));
                }
            }
        }
    }
}

/// Tools that components may call must be there: nobody else offers them, and a hook or a flow is none.
async fn check_calls(host: &Host, plugin: &Plugin, problems: &mut Vec<Problem>) {
    let manifest = &plugin.manifest;
    let flows = manifest.flows.iter().map(|(name, flow)| (name, &flow.component));
    let all: Vec<_> = manifest.hooks.iter().chain(&manifest.tools).chain(flows).collect();
    if all.iter().all(|(_, entry)| entry.calls.is_empty()) {
        return;
    }
    let mut known = Vec::new();
    for name in manifest.tools.keys() {
        // A component that does not start is said where it is checked; what it would offer nobody knows.
        let Ok(offered) = inspect::tools(host, &format!("{}:{name}", manifest.name)).await else { return };
        known.extend(offered);
    }
    for (name, entry) in all {
        for tool in entry.calls.iter().filter(|tool| !known.contains(tool)) {
            let kind = match (manifest.hooks.contains_key(tool), manifest.flows.contains_key(tool)) {
                (true, _) => ", which is a hook",
                (_, true) => ", which is a flow",
                _ => ", which no component of the plugin offers",
            };
            let message = format!("`{name}` may call `{tool}`{kind}");
            let remedy = match known.is_empty() {
                true => "take it out of `calls`: the plugin has no tools".to_owned(),
                false => format!("name one of its tools: {}", known.join(", ")),
            };
            let problem = Problem::new("tool.unknown", &plugin.files.shown("plugin.toml"), message, remedy);
            problems.push(problem.at(entry.calls_line).field(&format!("{name}.calls")));
        }
    }
}

/// Actions that the manifest names must be there, and no two of one name.
async fn check_actions(host: &Host, plugin: &Plugin, problems: &mut Vec<Problem>) {
    let manifest = &plugin.manifest;
    let file = plugin.files.shown("plugin.toml");
    let mut known: Vec<String> = Vec::new();
    for (name, entry) in &manifest.actions {
        // A component that does not start is said where it is checked; what it would offer nobody knows.
        let Ok(offered) = inspect::tools(host, &format!("{}:{name}", manifest.name)).await else { return };
        for action in offered {
            if known.contains(&action) {
                let message = format!("`{name}` offers an action `{action}`, and so does another component");
                let problem = Problem::new("tool.offered_twice", &file, message, "rename one of the two");
                problems.push(problem.at(entry.line).field(&format!("actions.{name}")));
            }
            known.push(action);
        }
    }
    for (field, action) in [("files.check", &manifest.files.check), ("set-up", &manifest.set_up)] {
        let Some(action) = action.as_ref().filter(|it| !known.contains(it)) else { continue };
        let remedy = match known.is_empty() {
            true => "add its component under `[actions]`".to_owned(),
            false => format!("name one of its actions: {}", known.join(", ")),
        };
        let message = format!("the plugin has no action `{action}`");
        problems.push(Problem::new("action.unknown", &file, message, remedy).field(field));
    }
}

/// References of skills that lead nowhere or in a circle.
fn check_references(plugin: &Plugin, problems: &mut Vec<Problem>) {
    for skill in plugin.skills.values() {
        let files = skill.files.keys().map(|file| format!("{}/{file}", skill.name));
        for reference in std::iter::once(skill.name.clone()).chain(files) {
            let Ok(read) = skill::read(&plugin.skills, &reference) else { continue };
            let file = if reference.contains('/') {
                format!("skills/{reference}")
            } else {
                format!("skills/{reference}/SKILL.md")
            };
            for why in read.problems {
                let remedy = "mend or remove the inline reference `[skill:…]`";
                problems.push(Problem::new("skill.reference", &plugin.files.shown(&file), why, remedy));
            }
        }
    }
}

async fn check_workspace(host: &Host, workspace: &Arc<dyn Files>, plugins: &[Plugin], report: &mut Report) {
    for agent in plugins.iter().flat_map(|plugin| plugin.agents.values()) {
        for path in &agent.workspace {
            if let Err(error) = workspace.read(path) {
                let message = format!("the agent `{}` needs it: {error}", agent.name);
                let remedy = "write the file, or take it out of `workspace` in the agent's front matter";
                report.problems.push(Problem::new("workspace.file_missing", path, message, remedy));
            }
        }
    }
    report.workspace_files = check::everything(host, plugins, workspace, &mut report.problems).await;
}
