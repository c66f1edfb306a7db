//! The prompt of a run: files read, parts put together by the core.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use ta_core::definition::{Agent, Command};
use ta_core::event::{AgentBinding, Event, PromptAssembled};
use ta_core::files::{Files, WorkspaceErrorCode};
use ta_core::machine::{Assemble, PromptForm};
use ta_core::message::ToolDefinition;
use ta_core::prompt::{IDENTITY_FILE, Named, PromptFile, PromptParts, assemble};
use ta_core::skill::Skill;
use ta_core::step;

use super::drive::{Driver, Step};
use super::memory::remember;
use super::start::{Bound, Plan, RunRequest, bound, plan};
use crate::agents;
use crate::components::{self, Components, Needed};
use crate::error::RuntimeError;
use crate::host::Host;
use crate::observer::Silent;
use crate::plugin::Plugin;

impl Driver<'_> {
    pub(super) async fn assemble(&mut self, wanted: &Assemble) -> Result<Step, RuntimeError> {
        let start = self.machine.start();
        let (command, _) = self.plugin.command(&start.command)?;
        let agent = self.plugin.agent(&wanted.agent)?;
        let framing = (wanted.form == PromptForm::Whole).then_some((command, &start.agents));
        let mut parts = match wanted.form {
            PromptForm::Whole | PromptForm::Subagent => {
                parts(&self.plugin, framing, agent, (&*self.workspace, self.identity.as_deref()))?
            }
            PromptForm::Plain => plain(agent),
        };
        let mut memory = Vec::new();
        if self.machine.remembers() && wanted.form != PromptForm::Plain {
            let of = (&start.memory_rules, start.subject.as_ref());
            memory = remember(&*self.store, &start.owner, of, &wanted.input, &mut parts).await?;
        }
        let mut tools = match wanted.form {
            // An agent of a flow has the tools that it names.
            PromptForm::Plain if agent.tools.is_empty() => Vec::new(),
            PromptForm::Whole | PromptForm::Subagent | PromptForm::Plain => tools(agent, &self.components),
        };
        if let Some((_, agents)) = framing {
            tools.extend(agents::tools(&self.plugin, agent, agents));
        }
        let kept = serde_json::to_vec(&parts).unwrap_or_default();
        let parts_sha256 = Some(hex::encode(Sha256::digest(&kept)));
        let parts = parts.in_run(&self.machine.ledger().tasks, &wanted.additions, &wanted.corrections);
        let (system, listed) = assemble(&parts);
        let prompt = PromptAssembled { system, parts: listed, tools, parts_sha256, memory };
        self.on(step::Step::from(Event::PromptAssembled(Box::new(prompt))).with_blobs([kept])).await
    }
}

/// The skills that an agent may read.
pub(super) fn skills_of(plugin: &Plugin, agent: &Agent) -> BTreeMap<String, Skill> {
    let listed = agent.skills.iter().filter_map(|name| plugin.skills.get_key_value(name));
    listed.map(|(name, skill)| (name.clone(), skill.clone())).collect()
}

/// The parts of an agent's prompt. A subagent's has neither the command's framing nor agents to give work to.
fn parts(
    plugin: &Plugin,
    framing: Option<(&Command, &BTreeMap<String, AgentBinding>)>,
    agent: &Agent,
    (workspace, identity): (&dyn Files, Option<&str>),
) -> Result<PromptParts, RuntimeError> {
    let named = |name: &String, description: &String| Named { name: name.clone(), description: description.clone() };
    let mut files = Vec::new();
    for path in &agent.workspace {
        files.push(PromptFile { path: path.clone(), text: required(workspace, agent, path)? });
    }
    let skills = agent.skills.iter().filter_map(|name| plugin.skills.get(name));
    let others = |names: &[String]| match framing {
        Some((_, agents)) => {
            agents::described(plugin, names, agents).iter().map(|(name, about)| named(name, about)).collect()
        }
        None => Vec::new(),
    };
    Ok(PromptParts {
        identity: identity.unwrap_or_default().to_owned(),
        agent: Some((agent.name.clone(), agent.body.clone())),
        workspace: files,
        skills: skills.map(|skill| named(&skill.name, &skill.description)).collect(),
        command: framing.map(|(command, _)| (command.name.clone(), command.body.clone())),
        commands: plugin.commands.values().map(|it| named(&it.name, &it.description)).collect(),
        subagents: others(&agent.subagents),
        handoffs: others(&agent.handoffs),
        ..PromptParts::default()
    })
}

/// The prompt of an agent that a flow asks: its own text.
fn plain(agent: &Agent) -> PromptParts {
    PromptParts { agent: Some((agent.name.clone(), agent.body.clone())), ..PromptParts::default() }
}

/// Who the assistant is, from the workspace.
pub(super) fn identity(workspace: &dyn Files) -> Result<Option<String>, RuntimeError> {
    match workspace.read(IDENTITY_FILE) {
        Ok((text, _)) => Ok(Some(text)),
        Err(error) if error.code == WorkspaceErrorCode::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn required(workspace: &dyn Files, agent: &Agent, path: &str) -> Result<String, RuntimeError> {
    workspace.read(path).map(|(text, _)| text).map_err(|error| {
        let message = format!("the agent `{}` needs the workspace file `{path}`: {error}", agent.name);
        let hint = "write the file, or take it out of `workspace` in the agent's front matter";
        RuntimeError::configuration("workspace.file_missing", message, hint)
    })
}

/// Reads every file that the prompt will need, so that one that is missing is said before anything runs.
pub(super) fn check_files(plan: &Plan, agents: &BTreeMap<String, AgentBinding>) -> Result<(), RuntimeError> {
    let others = agents.keys().filter_map(|name| plan.plugin.agents.get(name));
    if plan.command.flow.is_some() {
        return Ok(());
    }
    for agent in others.chain([&plan.agent]) {
        parts(&plan.plugin, Some((&plan.command, agents)), agent, (&*plan.workspace, None))?;
    }
    Ok(())
}

/// The tools on offer: those that the agent may call.
fn tools(agent: &Agent, components: &Components) -> Vec<ToolDefinition> {
    let all = components.guests.values().flat_map(|guest| guest.tools.iter());
    let mut tools: Vec<ToolDefinition> = all.filter(|tool| agent.may_call(&tool.name)).cloned().collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    tools
}

/// The prompt that a run would begin with, and the tools that it would offer. Nothing is run but the tools' own listing.
///
/// # Errors
/// As for starting a run.
pub async fn dry_run(host: &Host, request: &RunRequest) -> Result<PromptAssembled, RuntimeError> {
    let plan = plan(host, request, None).await?;
    let Bound { agents, all, .. } = bound(&plan, request)?;
    let needed = Needed { hooks: &all, flow: plan.command.flow.as_ref(), providers: &[] };
    let sources = components::sources(&plan.plugin, needed, &request.swaps, &host.grants()?)?;
    let components = components::load(&host.sandbox, sources, &Silent).await?;
    let identity = identity(&*plan.workspace)?;
    let of = (&*plan.workspace, identity.as_deref());
    let mut parts = parts(&plan.plugin, Some((&plan.command, &agents)), &plan.agent, of)?;
    let mut memory = Vec::new();
    if plan.agent.memory && !request.no_memory {
        let store = host.store_to_read()?;
        let of = (&plan.plugin.manifest.memory, plan.subject.as_ref());
        memory = remember(&*store, request.owner(), of, &request.input, &mut parts).await?;
    }
    let (system, listed) = assemble(&parts);
    let mut tools = tools(&plan.agent, &components);
    tools.extend(agents::tools(&plan.plugin, &plan.agent, &agents));
    Ok(PromptAssembled { system, parts: listed, tools, parts_sha256: None, memory })
}
