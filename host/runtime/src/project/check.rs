//! The seven checks of `validate`: what is wrong with a project and the plugins before anything runs. No model is called.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use ta_core::definition::WITHHELD_TOOL;
use ta_core::delegation::delegates;
use ta_core::project::definitions::ProjectAgent;
use ta_fields::fields::nearest;
use ta_fields::problem::Problem;

use super::layers::{Capability, model_of_capability, tiers};
use super::routing::{SignalLine, router, table};
use super::{Found, Project, WORKBENCH};
use crate::error::RuntimeError;
use crate::host::Host;
use crate::inspect;
use crate::models;
use crate::plugin::{OF_SKILL, Plugin};

/// The checks, in order.
pub const CHECKS: [&str; 7] = ["schema", "agents", "tools", "signals", "providers", "duplicates", "coverage"];

/// One check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub id: &'static str,
    /// `passed`, `warning` or `error`.
    pub status: &'static str,
    /// What it found.
    pub findings: Vec<Finding>,
}

/// Something that a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The file, as the person would name it.
    pub file: String,
    /// The line, where it is known.
    pub line: Option<usize>,
    /// A stable word.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// The seven checks with the tables that they looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Checked {
    /// Whether no check found an error.
    pub ok: bool,
    /// The checks.
    pub checks: Vec<Check>,
    /// The routing table.
    pub routes: Vec<SignalLine>,
    /// The capability map.
    pub capabilities: BTreeMap<String, Capability>,
    /// Everything that is an error, with its field.
    #[serde(skip)]
    pub errors: Vec<Problem>,
}

/// What the checks found, by check.
#[derive(Debug, Default)]
struct Findings(BTreeMap<&'static str, Found>);

impl Findings {
    fn of(&mut self, check: &'static str) -> &mut Found {
        self.0.entry(check).or_default()
    }
}

/// Runs the checks. `problems` and `warnings` are what was found with the plugins and the workspace: each goes to its check.
///
/// # Errors
/// Where the directory of plugins cannot be read.
pub async fn checks(
    host: &Host,
    plugins: &[Plugin],
    (problems, warnings): (&[Problem], &[Problem]),
) -> Result<Checked, RuntimeError> {
    let mut findings = Findings::default();
    let mut found = Found::default();
    let project = Project::read(host, &mut found)?;
    for problem in problems.iter().chain(&found.problems) {
        let list = &mut findings.of(check_of(&problem.code)).problems;
        if !list.contains(problem) {
            list.push(problem.clone());
        }
    }
    for warning in warnings.iter().chain(&found.warnings) {
        findings.of(check_of(&warning.code)).warnings.push(warning.clone());
    }
    let mut checked = Checked::default();
    for plugin in plugins.iter().filter(|plugin| plugin.manifest.name != WORKBENCH || project.is_none()) {
        check_tools(host, plugin, &BTreeMap::new(), findings.of("tools")).await;
    }
    if let Some(project) = &project {
        check_tools(host, &project.plugin, &project.agents, findings.of("tools")).await;
        router(project, findings.of("signals"));
        check_providers(host, project, findings.of("providers"))?;
        check_coverage(project, findings.of("coverage"));
        checked.routes = table(project);
        checked.capabilities.clone_from(&project.capabilities);
    }
    checked.errors = findings.0.values().flat_map(|found| found.problems.iter().cloned()).collect();
    checked.checks = CHECKS.into_iter().map(|id| check(id, findings.0.remove(id).unwrap_or_default())).collect();
    checked.ok = checked.checks.iter().all(|check| check.status != "error");
    Ok(checked)
}

/// The check that a finding belongs to, by its code.
fn check_of(code: &str) -> &'static str {
    match code {
        "agent.unknown" | "subagent.unknown" | "handoff.unknown" | "capability.unknown" => "agents",
        "tool.unknown" | "tool.offered_twice" => "tools",
        "provider.unknown" => "providers",
        "agent.twice" | "skill.twice" | "layer.replaced" | "component.twice" | "name.twice" => "duplicates",
        code if code.starts_with("signal.") => "signals",
        _ => "schema",
    }
}

fn check(id: &'static str, found: Found) -> Check {
    let status = match (found.problems.is_empty(), found.warnings.is_empty()) {
        (false, _) => "error",
        (true, false) => "warning",
        (true, true) => "passed",
    };
    let finding = |problem: Problem| {
        let Problem { code, file, line, message, remedy, .. } = problem;
        Finding { file, line, code, message, hint: remedy }
    };
    Check { id, status, findings: found.problems.into_iter().chain(found.warnings).map(finding).collect() }
}

/// A tool that an agent names must be there: otherwise the agent would run without it, and nobody would be told.
async fn check_tools(host: &Host, plugin: &Plugin, own: &BTreeMap<String, ProjectAgent>, found: &mut Found) {
    if plugin.agents.values().all(|agent| agent.tools.is_empty()) {
        return;
    }
    let mut known: BTreeSet<String> = plugin.templates.keys().cloned().collect();
    for name in plugin.manifest.tools.keys() {
        // What a component offers that does not start nobody knows; that it does not is said where components are checked.
        let Ok(offered) = inspect::tools(host, &format!("{}:{name}", plugin.manifest.name)).await else { return };
        known.extend(offered);
    }
    for agent in plugin.agents.values().filter(|agent| !agent.name.starts_with(OF_SKILL)) {
        let there = |tool: &str| {
            let pattern = tool.contains('*');
            tool == "*"
                || tool == WITHHELD_TOOL
                || delegates(tool)
                || known.contains(tool)
                || (pattern && known.iter().any(|name| ta_core::definition::fits(tool, name)))
        };
        for tool in agent.tools.iter().filter(|tool| !there(tool)) {
            let names: Vec<&str> = known.iter().map(String::as_str).collect();
            let near = nearest(tool, &names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let message = format!("the agent `{}` may call `{tool}`, and there is no such tool", agent.name);
            let remedy = format!("{near}The tools are: {}", names.join(", "));
            let file = plugin.files.shown(&format!("agents/{}.md", agent.name));
            let (line, field) = match own.get(&agent.name) {
                Some(own) => (own.allowed_tools_line, "allowedTools"),
                None => (agent.tools_line, "tools"),
            };
            found.problems.push(Problem::new("tool.unknown", &file, message, remedy).at(line).field(field));
        }
    }
}

/// The key of a provider that a layer of the project asks for must be set; that of a built-in agent only should be.
fn check_providers(host: &Host, project: &Project, found: &mut Found) -> Result<(), RuntimeError> {
    let (keys, providers) = (models::keys(host)?, models::providers(host)?);
    let tiers = tiers(&host.grants()?.models);
    let keyless = |provider: &str| {
        let provider = providers.named(provider).ok()?;
        (provider.needs_key && keys.of(provider.account).is_none()).then_some(provider.key_variable)
    };
    let mut told = BTreeSet::new();
    let mut tell = |provider: &str, place: (&str, usize), who: &str, own: bool, found: &mut Found| {
        let Some(variable) = keyless(provider).filter(|_| told.insert((provider.to_owned(), own))) else { return };
        let message = format!("{who} asks for {provider}, and {variable} is not set");
        let problem = Problem::new(
            "provider.key_missing",
            place.0,
            message,
            format!("set {variable}, or choose another provider"),
        );
        let problem = problem.at(Some(place.1).filter(|line| *line > 0));
        if own { found.problems.push(problem) } else { found.warnings.push(problem) }
    };
    for (name, capability) in &project.capabilities {
        if let (Some(said), Some((provider, _))) = (&capability.provider, model_of_capability(&tiers, capability)) {
            let own = !super::layers::is_built_in(Some(said));
            tell(&provider, (&said.file, said.line), &format!("the capability `{name}`"), own, found);
        }
    }
    for (id, agent) in &project.plugin.agents {
        let own = project.agents.get(id).is_some_and(|agent| agent.provider.is_some());
        let file = project.plugin.files.shown(&format!("agents/{id}.md"));
        if !id.starts_with(OF_SKILL) {
            tell(&agent.provider, (&file, 0), &format!("the agent `{id}`"), own, found);
        }
    }
    Ok(())
}

/// Capabilities whose own agent is not there, and those that no signal tells of.
fn check_coverage(project: &Project, found: &mut Found) {
    for (name, capability) in &project.capabilities {
        let (file, line) = (&capability.agent.file, Some(capability.agent.line).filter(|line| *line > 0));
        if let Some(wanted) = &capability.instead_of {
            let message = format!(
                "the capability `{name}` is for the agent `{wanted}`, which there is none of: `{}` does it",
                capability.agent.value
            );
            let remedy = format!("write .agent/agents/{wanted}.md, or name another agent in .agent/config.yaml");
            found.warnings.push(Problem::new("capability.uncovered", file, message, remedy).at(line));
        }
        let told = project.all_signals.iter().any(|signal| signal.capability == *name);
        if !told && name != super::layers::GENERAL {
            let message =
                format!("no signal tells of the capability `{name}`: requests reach it only by name or by a model");
            let remedy = "write one in .agent/signals";
            found.warnings.push(Problem::new("capability.unsignalled", file, message, remedy).at(line));
        }
    }
}
