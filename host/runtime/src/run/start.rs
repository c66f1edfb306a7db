//! How a run begins, and how one that waited goes on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use ta_core::Record;
use ta_core::definition::{Agent, Command};
use ta_core::event::{AgentBinding, CATALOGUE_VERSION, Event, HookBinding, RunResumed, RunStarted};
use ta_core::files::Files;
use ta_core::hook::Subject;
use ta_core::machine::{Machine, Past};
use ta_core::memory::OWNER_DEFAULT;
use ta_core::model::Model;
use ta_core::step::{self, Blob};
use ta_core::summary::answers;
use ta_sandbox::{SkillReader, Workspace};
use ta_store::{SessionRow, Store};
use uuid::Uuid;

use super::answering::{Answering, answering};
use super::drive::{Driver, RunEnd};
use super::effects::AgentSkills;
use super::guest_model;
use super::prompt::skills_of;
use super::readers::Readers;
use crate::components::{self, Components, Needed, Source, Swap};
use crate::error::RuntimeError;
use crate::fallback;
use crate::history;
use crate::host::Host;
use crate::inputs;
use crate::models::{self, Asked, Chosen};
use crate::observer::Observer;
use crate::person::Person;
use crate::plugin::{self, Plugin};
use crate::provided::Brought;
use crate::sessions::Sessions;
use crate::stop::Stop;
use crate::{agents, check, project, subject};

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
    /// The id of the session that it begins, where that has to be known before; none draws one.
    pub begins: Option<String>,
    /// Which model answers, where it is not the agent's.
    pub asked: Asked,
    /// Model calls at the most, where it is not the agent's.
    pub max_turns: Option<u32>,
    /// US dollars at the most, where it is not the agent's.
    pub max_budget_usd: Option<f64>,
    /// Tokens at the most, sent and received.
    pub max_tokens: Option<u64>,
    /// The model's window in tokens, where it is not the one in the table.
    pub context_window: Option<u64>,
    /// Minutes of work at the most.
    pub max_minutes: Option<u32>,
    /// Hooks that run after the agent's.
    pub hooks: Vec<String>,
    /// Components that take the place of hooks'.
    pub swaps: Vec<Swap>,
    /// The owner for whom it runs; none is the owner of a host that serves one person.
    pub owner: Option<String>,
    /// Whether it runs without memory, whatever the agent says.
    pub no_memory: bool,
    /// Whether the agent works alone: without subagents and without handing over.
    pub single_agent: bool,
    /// Whether it belongs to a study: then every answer is a model's own, given for this run.
    pub study: bool,
    /// Whether it runs without the files of a workspace, in an empty one: what the request names is not looked for there.
    pub no_workspace: bool,
    /// Texts in the place of the plugin's, by path: agents, commands, skills.
    pub texts: BTreeMap<String, String>,
    /// Configuration of components, by their names, in the place of the manifest's and the operator's.
    pub config: BTreeMap<String, BTreeMap<String, String>>,
}

impl RunRequest {
    /// The owner for whom it runs.
    #[must_use]
    pub fn owner(&self) -> &str {
        self.owner.as_deref().unwrap_or(OWNER_DEFAULT)
    }
}

/// Everything about a run that is decided before it begins.
pub(super) struct Plan {
    pub(super) plugin: Plugin,
    pub(super) command: Command,
    pub(super) agent: Agent,
    pub(super) subject: Option<Subject>,
    pub(super) subjects: Vec<Subject>,
    pub(super) workspace: Arc<dyn Files>,
}

/// Plans a run. A request that names nothing is about what the session is about.
pub(super) async fn plan(host: &Host, request: &RunRequest, of_session: Option<Subject>) -> Result<Plan, RuntimeError> {
    let plugin = match request.texts.is_empty() {
        true => project::plugin(host, &request.plugin)?,
        false => plugin::with_texts(host.config.plugins.as_deref(), &request.plugin, &request.texts)?,
    };
    let (command, agent) = plugin.command(&request.command)?;
    let command = command.clone();
    let workspace = host.workspace()?;
    let kinds = &plugin.manifest.subjects;
    let subjects = subject::all(&*workspace, kinds)?;
    let named = if request.no_workspace { None } else { subject::named(&request.input, kinds, &subjects)? };
    let subject = named.or(of_session);
    check::before_a_run(host, &plugin, &*workspace, subject.as_ref()).await?;
    Ok(Plan { plugin, command, agent, subject, subjects, workspace })
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
        Some(id) => Some(own_session(host, id, request.owner()).await?),
        None => None,
    };
    no_kept_answers(host, request.study)?;
    let plan = plan(host, request, session.as_ref().and_then(|row| row.subject.clone())).await?;
    let SessionState { session, past, last_seq, last } = session_of(host, session, request.begins.as_ref()).await?;
    let asked = models::of_session(host, &request.asked, last.as_ref())?;
    let mut chosen = models::choose(host, &plan.plugin, &plan.agent, &asked)?;
    if let Some(notice) = &chosen.notice.take() {
        observer.notice(notice);
    }
    let bound = bound(&plan, request)?;
    let sources = sources(host, &plan, (request, &asked), &chosen, &bound.all)?;
    let mut components = components::load(&host.sandbox, sources, observer).await?;
    bound.check(&plan, &components)?;
    let Bound { hooks: bindings, agents, .. } = bound;
    let answering = answering(host, (&plan, &components), (request, &asked), &chosen, &past, observer);
    let Answering { opened, second, limits } = answering.map_err(|error| models::kept_by(error, &asked, request))?;
    let windows = [opened.window, second.as_ref().and_then(|(_, opened)| opened.window)];
    let (texts, identity) = (plan.plugin.files.to_keep()?, super::prompt::identity(&*plan.workspace)?);
    let mut started = RunStarted {
        catalogue: CATALOGUE_VERSION,
        host: env!("CARGO_PKG_VERSION").to_owned(),
        plugin: plan.plugin.manifest.name.clone(),
        plugin_version: plan.plugin.manifest.version.clone(),
        command: plan.command.name.clone(),
        agent: plan.agent.name.clone(),
        input: request.input.clone(),
        subject: plan.subject.clone(),
        owner: request.owner().to_owned(),
        memory: plan.agent.memory && !request.no_memory,
        memory_rules: plan.plugin.manifest.memory.clone(),
        changes: plan.plugin.manifest.changes.clone(),
        kept_shapes: plan.plugin.manifest.kept_shapes.clone(),
        observations: plan.plugin.observations.clone(),
        subjects: plan.subjects.clone(),
        workspace: models::absolute(&host.config.workspace).display().to_string(),
        price: opened.price,
        context_window: request.context_window.or(windows.into_iter().flatten().min()),
        fallback: second.as_ref().map(|(chosen, opened)| fallback::kept(chosen.clone(), opened)),
        study: request.study,
        guest_model: guest_model::choose(host, &plan.plugin, &chosen, &components, observer)?,
        writes: plan.command.writes.clone(),
        output_schema: plan.agent.output_schema.clone(),
        limits,
        hooks: bindings,
        flow: plan.command.flow.clone(),
        agents,
        components: components.pins.clone(),
        plugin_sha256: sha256(&texts),
        identity_sha256: identity.as_ref().map(|text| sha256(text.as_bytes())),
        history_through: last_seq,
        ..RunStarted::default()
    };
    chosen.begin(&mut started);
    let run = Uuid::new_v4().simple().to_string();
    let kept = std::iter::once(texts).chain(identity.clone().map(String::into_bytes));
    let mut blobs = components::for_the_journal(&*host.store()?, std::mem::take(&mut components.bytes)).await?;
    blobs.extend(kept.map(Blob::from));
    let machine = Machine::after(past);
    let (plugin, workspace) = (plan.plugin, plan.workspace);
    let (model, second) = (opened.model, second.map(|(_, opened)| opened.model));
    let guest_model = guest_model::open(host, started.guest_model.as_ref());
    let ready = Ready { start: started.clone(), plugin, identity, workspace, components, model, second, guest_model };
    let first = (Event::RunStarted(Box::new(started)), blobs);
    ready.drive(host, (session, run, last_seq), machine, first, (person, observer)).await
}

/// The components that a run needs: these hooks, its flow, whoever of its plugin answers, the tools.
fn sources(
    host: &Host,
    plan: &Plan,
    (request, asked): (&RunRequest, &Asked),
    chosen: &Chosen,
    hooks: &[String],
) -> Result<Vec<Source>, RuntimeError> {
    let providers = models::brought(&plan.plugin, &plan.agent, asked, chosen);
    let needed = Needed { hooks, flow: plan.command.flow.as_ref(), providers: &providers };
    let mut sources = components::sources(&plan.plugin, needed, &request.swaps, &host.grants()?)?;
    for source in &mut sources {
        source.rights.config.extend(request.config.get(&source.name).cloned().unwrap_or_default());
    }
    Ok(sources)
}

/// What runs where: the hooks of the agent that begins, the other agents with theirs, the names of all hooks.
pub(super) struct Bound {
    pub(super) hooks: Vec<HookBinding>,
    pub(super) agents: BTreeMap<String, AgentBinding>,
    pub(super) all: Vec<String>,
}

impl Bound {
    /// Whether each hook runs where it is bound, and each agent's files are there.
    fn check(&self, plan: &Plan, components: &Components) -> Result<(), RuntimeError> {
        let mut of_agents = std::iter::once(&self.hooks).chain(self.agents.values().map(|agent| &agent.hooks));
        of_agents.try_for_each(|hooks| components::check_points(hooks, components))?;
        super::prompt::check_files(plan, &self.agents)
    }
}

pub(super) fn bound(plan: &Plan, request: &RunRequest) -> Result<Bound, RuntimeError> {
    let (plugin, first) = (&plan.plugin, &plan.agent);
    let others = match &plan.command.flow {
        Some(flow) => agents::of_flow(plugin, flow),
        None if request.single_agent => Vec::new(),
        None => agents::reachable(plugin, first),
    };
    let own = components::hook_names(plugin, first, &request.hooks)?;
    Ok(Bound {
        hooks: components::bindings(plugin, &own),
        agents: agents::bindings(plugin, &others, &request.hooks, !request.no_memory)?,
        all: agents::hook_names(plugin, first, &others, &request.hooks)?,
    })
}

/// A study measures models: an answer that was kept from another run is none of its own.
fn no_kept_answers(host: &Host, study: bool) -> Result<(), RuntimeError> {
    if !study || host.config.models.completion_cache.is_none() {
        return Ok(());
    }
    let message = "the run belongs to a study, and kept answers are no answers to it";
    Err(RuntimeError::usage("cache.study", message, "leave --completion-cache away"))
}

/// The session of that id, where it is this owner's.
///
/// # Errors
/// `store.not_found` for one that is not, as for one that does not exist.
pub async fn own_session(host: &Host, id: &str, owner: &str) -> Result<SessionRow, RuntimeError> {
    let session = history::session(&*host.store_to_read()?, id).await?;
    if session.owner == owner {
        return Ok(session);
    }
    let message = format!("there is no session or run `{id}` of the owner `{owner}`");
    Err(RuntimeError::usage("store.not_found", message, "--sessions lists them; --owner says whose"))
}

/// Everything that a run needs to go on.
pub(super) struct Ready {
    pub(super) start: RunStarted,
    pub(super) plugin: Plugin,
    /// Who the assistant is, as the run began with it.
    pub(super) identity: Option<String>,
    pub(super) workspace: Arc<dyn Files>,
    pub(super) components: Components,
    pub(super) model: Arc<dyn Model>,
    /// Takes over where that one fails.
    pub(super) second: Option<Arc<dyn Model>>,
    pub(super) guest_model: Option<Arc<dyn Model>>,
}

impl Ready {
    /// What a run that began like this needs: the very components that it began with, from the journal. `answers` is the
    /// number of answers that the session held before it.
    pub(super) async fn of(
        host: &Host,
        start: RunStarted,
        answers: usize,
        observer: &dyn Observer,
    ) -> Result<Self, RuntimeError> {
        let components = begun_with(host, &host.store()?, &start, observer).await?;
        Self::with(host, start, answers, components, observer).await
    }

    /// The same with these components, some of which it may not have begun with.
    pub(super) async fn with(
        host: &Host,
        start: RunStarted,
        answers: usize,
        components: Components,
        observer: &dyn Observer,
    ) -> Result<Self, RuntimeError> {
        no_kept_answers(host, start.study)?;
        let store = host.store()?;
        let texts = inputs::blob(&*store, &start.plugin_sha256, "the plugin's texts").await?;
        let plugin = plugin::kept(&start.plugin, &texts)?;
        let identity = match &start.identity_sha256 {
            Some(sha256) => Some(inputs::blob(&*store, sha256, "who the assistant is").await?),
            None => None,
        };
        let identity = identity.map(|text| String::from_utf8_lossy(&text).into_owned());
        host.grants()?.still_hold(&start)?;
        let start = RunStarted { components: components.pins.clone(), ..start };
        let brought = Brought::by(&plugin, &components);
        let model = Chosen::of(&start).open(host, answers, &brought)?.model;
        let second = fallback::reopened(host, &start, &brought, observer);
        let guest_model = guest_model::open(host, start.guest_model.as_ref());
        let workspace = workspace_of(host, &start)?;
        Ok(Self { start, plugin, identity, workspace, components, model, second, guest_model })
    }

    /// Appends the first event, with what belongs to it, and drives the run until it ends or is parked. The place is the
    /// session, the run and the number of the session's last record.
    pub(super) async fn drive(
        self,
        host: &Host,
        (session, run, last_seq): (String, String, u64),
        machine: Machine,
        (first, blobs): (Event, Vec<Blob>),
        (person, observer): (&dyn Person, &dyn Observer),
    ) -> Result<RunEnd, RuntimeError> {
        let store = host.store()?;
        let flow = self.start.flow.as_ref().map(|flow| self.plugin.host_of(flow)).transpose()?;
        let skills_of = |name: &String| {
            let agent = flow.as_ref().filter(|flow| flow.name == *name).or_else(|| self.plugin.agents.get(name));
            let skills = agent.map(|agent| skills_of(&self.plugin, agent)).unwrap_or_default();
            (name.clone(), Arc::new(AgentSkills(skills)) as Arc<dyn SkillReader>)
        };
        let skills = self.start.agents.keys().chain([&self.start.agent]).map(skills_of).collect();
        let sessions = Sessions {
            store: Arc::clone(&store),
            owner: self.start.owner.clone(),
            plugin: self.start.plugin.clone(),
            own: session.clone(),
        };
        let readers = Readers {
            workspace: Some(Arc::clone(&self.workspace)),
            skills: None,
            memory: None,
            sessions: Some(Arc::new(sessions)),
        };
        let mut driver = Driver {
            store,
            sandbox: host.sandbox.clone(),
            workspace: self.workspace,
            skills,
            readers,
            plugin: self.plugin,
            identity: self.identity,
            components: self.components,
            model: self.model,
            second: self.second,
            circuits: host.circuits.clone(),
            guest_model: self.guest_model,
            person,
            observer,
            machine,
            session,
            run,
            last_seq,
            unseen: Vec::new(),
        };
        let stop = Stop::listen();
        driver.claim().await?;
        let begun = driver.append(step::Step::from(first).with_blobs(blobs)).await;
        let end = driver.finish_claim(begun, stop).await;
        if host.telemetry.wanted() {
            // A view of the journal, so whatever came of the run is in it; what cannot be read is not worth an error here.
            if let Ok(records) = history::of_run(&*driver.store, &driver.session, &driver.run).await {
                host.telemetry.ended(&records);
            }
        }
        end
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The session that a run belongs to, and what it leaves to it.
struct SessionState {
    session: String,
    past: Past,
    last_seq: u64,
    /// How its latest run began.
    last: Option<RunStarted>,
}

async fn session_of(
    host: &Host,
    session: Option<SessionRow>,
    begins: Option<&String>,
) -> Result<SessionState, RuntimeError> {
    let Some(session) = session else {
        let session = begins.cloned().unwrap_or_else(|| Uuid::new_v4().simple().to_string());
        return Ok(SessionState { session, past: Past::default(), last_seq: 0, last: None });
    };
    if session.state != ta_store::State::Finished {
        let message = format!("the session {} has a run that is not over", session.id);
        let hint = format!("go on with it first: teacher-assist --resume {}", session.id);
        return Err(RuntimeError::usage("session.busy", message, hint));
    }
    let lineage = history::lineage(&*host.store()?, &session.id).await?;
    let last_seq = lineage.last().map_or(0, |record| record.seq);
    let last = history::latest_start(&lineage).cloned();
    Ok(SessionState { session: session.id, past: history::past(&lineage, &[]), last_seq, last })
}

/// Goes on with the latest run of a session, exactly where it was: same components, same rights, same answers.
///
/// # Errors
/// Where there is no such session, its run is over, or what it needs is gone.
pub async fn resume(
    host: &Host,
    id: &str,
    owner: &str,
    person: &dyn Person,
    observer: &dyn Observer,
) -> Result<RunEnd, RuntimeError> {
    let store = host.store()?;
    let session = own_session(host, id, owner).await?;
    let lineage = history::lineage(&*store, &session.id).await?;
    let run = session.last_run.clone();
    let machine = history::machine(&lineage, &run);
    if machine.ledger().is_finished() {
        let message = format!("the run of session {} is over", session.id);
        let hint = format!("go on talking: teacher-assist --resume {} \"what next\"", session.id);
        return Err(RuntimeError::usage("run.finished", message, hint));
    }
    let answers = answers_before(&lineage, &run);
    let ready = Ready::of(host, machine.start().clone(), answers, observer).await?;
    for read in &machine.ledger().reads {
        if ready.workspace.digest(&read.path).ok().flatten().as_ref() != Some(&read.sha256) {
            observer.notice(&format!("{} has changed since this run read it: look at what rests on it", read.path));
        }
    }
    for write in machine.ledger().open_writes.iter().flat_map(|intended| &intended.writes) {
        ready.workspace.clear_left_behind(&write.path);
    }
    let last_seq = lineage.last().filter(|record| record.session == session.id).map_or(0, |record| record.seq);
    let resumed = Event::RunResumed(RunResumed { host: env!("CARGO_PKG_VERSION").to_owned() });
    ready.drive(host, (session.id, run, last_seq), machine, (resumed, Vec::new()), (person, observer)).await
}

/// Answers of a model that the session held before the run.
pub(super) fn answers_before(lineage: &[Record], run: &str) -> usize {
    answers(&history::past(lineage, &history::chain(lineage, run)).messages)
}

/// The very components that the run began with, from the journal.
pub(crate) async fn begun_with(
    host: &Host,
    store: &Arc<dyn Store>,
    start: &RunStarted,
    observer: &dyn Observer,
) -> Result<Components, RuntimeError> {
    let names: Vec<String> = start.components.values().map(|pin| pin.sha256.clone()).collect();
    let missing = store.missing_blobs(&names).await?;
    if let Some((name, pin)) = start.components.iter().find(|(_, pin)| missing.contains(&pin.sha256)) {
        return Err(inputs::lost(&pin.sha256, &format!("the component `{name}`")));
    }
    let sources = start.components.iter().map(|(name, pin)| {
        let bytes = components::kept_by(store, &pin.sha256);
        components::source_of_pin(&start.plugin, name, pin, bytes)
    });
    components::load(&host.sandbox, sources.collect(), observer).await
}

fn workspace_of(host: &Host, start: &RunStarted) -> Result<Arc<dyn Files>, RuntimeError> {
    let begun = PathBuf::from(&start.workspace);
    if begun.is_dir() {
        return Ok(Arc::new(Workspace::open(&begun)?));
    }
    host.workspace()
}
