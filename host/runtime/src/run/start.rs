//! How a run begins, and how one that waited goes on.

use std::path::PathBuf;
use std::sync::Arc;

use ta_core::definition::{Agent, Command};
use ta_core::event::{CATALOGUE_VERSION, Event, Limits, RunResumed, RunStarted};
use ta_core::machine::Machine;
use ta_core::message::Role;
use ta_sandbox::Workspace;
use ta_store::{SessionRow, Store};
use uuid::Uuid;

use super::drive::{Driver, RunEnd};
use super::effects::AgentSkills;
use super::prompt::skills_of;
use super::stop::Stop;
use crate::components::{self, Components, Swap};
use crate::error::RuntimeError;
use crate::history::{self, Past};
use crate::host::Host;
use crate::observer::Observer;
use crate::person::Person;
use crate::plugin::{self, Plugin};
use crate::{check, class, providers};

/// How a run of the provider `script` names its model: with the file, so that it can be resumed.
const SCRIPT_KEY: &str = "script:";

/// What a person asks for.
#[derive(Debug, Clone, Default)]
pub struct RunRequest {
    /// Name of the plugin.
    pub plugin: String,
    /// Name of the command.
    pub command: String,
    /// The request.
    pub input: String,
    /// The session to go on with; none begins one.
    pub session: Option<String>,
    /// Provider, where it is not the agent's.
    pub provider: Option<String>,
    /// Model, where it is not the agent's.
    pub model: Option<String>,
    /// The file of answers of the provider `script`.
    pub script: Option<PathBuf>,
    /// Model calls at the most, where it is not the agent's.
    pub max_turns: Option<u32>,
    /// Hooks that run after the agent's.
    pub hooks: Vec<String>,
    /// Components that take the place of hooks'.
    pub swaps: Vec<Swap>,
}

/// Everything about a run that is decided before it begins.
pub(super) struct Plan {
    pub(super) plugin: Plugin,
    pub(super) command: Command,
    pub(super) agent: Agent,
    pub(super) class: Option<String>,
    pub(super) classes: Vec<String>,
    pub(super) workspace: Arc<Workspace>,
}

/// Plans a run. A request that names no class is about the one that the session is about.
pub(super) fn plan(host: &Host, request: &RunRequest, of_session: Option<String>) -> Result<Plan, RuntimeError> {
    let plugin = plugin::named(host.config.plugins.as_deref(), &request.plugin)?;
    let (command, agent) = plugin.command(&request.command)?;
    let (command, agent) = (command.clone(), agent.clone());
    let workspace = host.workspace()?;
    let classes = class::classes(&workspace)?;
    let class = class::named(&request.input, &classes)?.or(of_session);
    check::before_a_run(&workspace, class.as_deref())?;
    Ok(Plan { plugin, command, agent, class, classes, workspace })
}

/// Starts a run and drives it until it ends or is parked.
///
/// # Errors
/// Where something is wrong before it begins; then nothing is in the journal.
pub async fn start(
    host: &Host,
    request: &RunRequest,
    person: &dyn Person,
    observer: &dyn Observer,
) -> Result<RunEnd, RuntimeError> {
    let session = match &request.session {
        Some(id) => Some(history::session(&*host.store()?, id).await?),
        None => None,
    };
    let plan = plan(host, request, session.as_ref().and_then(|row| row.class.clone()))?;
    let chosen = providers::choose(&plan.agent, request.provider.as_deref(), request.model.as_deref())?;
    if let Some(notice) = &chosen.notice {
        observer.notice(notice);
    }
    let hooks = components::hook_names(&plan.plugin, &plan.agent, &request.hooks)?;
    let bindings = components::bindings(&plan.plugin, &hooks);
    let sources = components::sources(&plan.plugin, &hooks, &request.swaps, &host.grants()?)?;
    let components = components::load(&host.sandbox, sources, observer).await?;
    components::check_points(&bindings, &components)?;
    super::prompt::check_files(&plan)?;
    let store = host.store()?;
    let (session, past, last_seq) = session_of(&*store, session).await?;
    let script = request.script.as_deref().map(providers::absolute);
    let answers = past.messages.iter().filter(|message| message.role == Role::Assistant).count();
    let model = providers::model(&chosen.provider, script.as_deref(), answers)?;
    let started = RunStarted {
        catalogue: CATALOGUE_VERSION,
        host: env!("CARGO_PKG_VERSION").to_owned(),
        plugin: plan.plugin.manifest.name.clone(),
        plugin_version: plan.plugin.manifest.version.clone(),
        command: plan.command.name.clone(),
        agent: plan.agent.name.clone(),
        input: request.input.clone(),
        class: plan.class.clone(),
        classes: plan.classes.clone(),
        workspace: providers::absolute(&host.config.workspace).display().to_string(),
        provider: chosen.provider,
        model: match &script {
            Some(path) => format!("{SCRIPT_KEY}{}", path.display()),
            None => chosen.model,
        },
        writes: plan.command.writes.clone(),
        limits: limits(&plan.agent, request),
        hooks: bindings,
        components: components.pins.clone(),
        history_through: last_seq,
    };
    let run = Uuid::new_v4().simple().to_string();
    let blobs = components.bytes.clone();
    let machine = Machine::with_tasks(past.messages, past.tasks);
    let mut driver = Driver {
        store,
        sandbox: host.sandbox.clone(),
        workspace: plan.workspace,
        skills: Arc::new(AgentSkills(skills_of(&plan.plugin, &plan.agent))),
        plugin: plan.plugin,
        components,
        model,
        person,
        observer,
        machine,
        session,
        run,
        last_seq,
    };
    let stop = Stop::listen();
    driver.claim().await?;
    let begun = driver.append(vec![Event::RunStarted(Box::new(started))], blobs).await;
    driver.finish_claim(begun, stop).await
}

async fn session_of(store: &dyn Store, session: Option<SessionRow>) -> Result<(String, Past, u64), RuntimeError> {
    let Some(session) = session else { return Ok((Uuid::new_v4().simple().to_string(), Past::default(), 0)) };
    if session.state != ta_store::State::Finished {
        let message = format!("the session {} has a run that is not over", session.id);
        let hint = format!("go on with it first: teacher-assist --resume {}", session.id);
        return Err(RuntimeError::usage("session.busy", message, hint));
    }
    let records = history::records(store, &session.id).await?;
    let last_seq = records.last().map_or(0, |record| record.seq);
    Ok((session.id, history::past(&records, None), last_seq))
}

fn limits(agent: &Agent, request: &RunRequest) -> Limits {
    let default = Limits::default();
    Limits {
        max_turns: request.max_turns.or(agent.max_turns).unwrap_or(default.max_turns),
        max_budget_usd: agent.max_budget_usd,
        max_tool_retries: agent.max_tool_retries.unwrap_or(default.max_tool_retries),
        max_no_progress_iterations: agent.max_no_progress_iterations.unwrap_or(default.max_no_progress_iterations),
        force_finalize_on_stall: agent.force_finalize_on_stall.unwrap_or(default.force_finalize_on_stall),
        max_rework_rounds: default.max_rework_rounds,
    }
}

/// Goes on with the latest run of a session, exactly where it was: same components, same rights, same answers.
///
/// # Errors
/// Where there is no such session, its run is over, or what it needs is gone.
pub async fn resume(
    host: &Host,
    id: &str,
    person: &dyn Person,
    observer: &dyn Observer,
) -> Result<RunEnd, RuntimeError> {
    let store = host.store()?;
    let session = history::session(&*store, id).await?;
    let records = history::records(&*store, &session.id).await?;
    let run = session.last_run.clone();
    let past = history::past(&records, Some(&run));
    let answers = past.messages.iter().filter(|message| message.role == Role::Assistant).count();
    let mut machine = Machine::with_tasks(past.messages, past.tasks);
    for record in records.iter().filter(|record| record.run == run) {
        machine.next(record);
    }
    if machine.finished() {
        let message = format!("the run of session {} is over", session.id);
        let hint = format!("go on talking: teacher-assist --resume {} \"what next\"", session.id);
        return Err(RuntimeError::usage("run.finished", message, hint));
    }
    let start = machine.start().clone();
    let plugin = plugin::named(host.config.plugins.as_deref(), &start.plugin)?;
    let agent = plugin.agents.get(&start.agent);
    let skills = agent.map(|agent| skills_of(&plugin, agent)).unwrap_or_default();
    let components = begun_with(host, &*store, &start, observer).await?;
    let script = start.model.strip_prefix(SCRIPT_KEY).map(PathBuf::from);
    let model = providers::model(&start.provider, script.as_deref(), answers)?;
    let workspace = workspace_of(host, &start)?;
    for read in &machine.context().reads {
        if workspace.digest(&read.path).ok().flatten().as_ref() != Some(&read.sha256) {
            observer.notice(&format!("{} has changed since this run read it: look at what rests on it", read.path));
        }
    }
    let last_seq = records.last().map_or(0, |record| record.seq);
    let mut driver = Driver {
        store,
        sandbox: host.sandbox.clone(),
        workspace,
        skills: Arc::new(AgentSkills(skills)),
        plugin,
        components,
        model,
        person,
        observer,
        machine,
        session: session.id,
        run,
        last_seq,
    };
    let stop = Stop::listen();
    driver.claim().await?;
    let resumed = RunResumed { host: env!("CARGO_PKG_VERSION").to_owned() };
    let begun = driver.append(vec![Event::RunResumed(resumed)], Vec::new()).await;
    driver.finish_claim(begun, stop).await
}

/// The very components that the run began with, from the journal.
async fn begun_with(
    host: &Host,
    store: &dyn Store,
    start: &RunStarted,
    observer: &dyn Observer,
) -> Result<Components, RuntimeError> {
    let mut sources = Vec::new();
    for (name, pin) in &start.components {
        let bytes = store.blob(&pin.sha256).await?.ok_or_else(|| {
            let message = format!("the journal does not hold the component `{name}` ({})", pin.sha256);
            RuntimeError::environment("store.corrupt", message, "restore the journal from a backup")
        })?;
        sources.push(components::source_of_pin(&start.plugin, name, pin, bytes));
    }
    components::load(&host.sandbox, sources, observer).await
}

fn workspace_of(host: &Host, start: &RunStarted) -> Result<Arc<Workspace>, RuntimeError> {
    let begun = PathBuf::from(&start.workspace);
    if begun.is_dir() {
        return Ok(Arc::new(Workspace::open(&begun)?));
    }
    host.workspace()
}
