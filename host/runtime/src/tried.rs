//! A component that somebody tries by hand: where it comes from, what it is granted, and what it finds around it.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ta_core::files::Files;
use ta_core::hook::CallContext;
use ta_core::kind::Kind;
use ta_core::machine::Ask;
use ta_core::manifest::ComponentEntry;
use ta_core::memory::{MemoryFile, MemoryPath};
use ta_core::question::{Answer, Outcome, Question, QuestionKind};
use ta_core::request::{ModelReply, NoAnswer, Request, ToolAnswer, hook};
use ta_sandbox::{CallOutcome, Ended, Guest, Inputs, Invocation, Limits, Rights, Workspace};

use crate::components::{self, Source, component_file};
use crate::error::RuntimeError;
use crate::host::{Host, now_ms};
use crate::person::{Person, Reply, next_item};
use crate::{plugin, subject};

/// What a component on disk is granted when somebody runs it by hand: what harms nobody. Files come with
/// `--workspace`, everything else with `--grant`.
const LOOSE_GRANTS: [&str; 5] = ["log", "ask", "config", "clock", "random"];

/// Code of a call that needs another tool, where there is none.
pub(crate) const NO_TOOLS: &str = "tools.unavailable";

/// Why a component that is run by hand comes to no end.
pub(crate) fn not_alone(tool: &str) -> String {
    format!("it calls the tool `{tool}`, and no other component runs here")
}

/// What a component finds around it besides its files and who answers it. Nothing of it is there by default.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// The time that it is told, in milliseconds since 1970-01-01 UTC; none is the time of the call.
    pub now_ms: Option<u64>,
    /// The seed of its random bytes.
    pub seed: [u8; 32],
    /// Memory files by their paths; none where the run has no memory.
    pub memory: Option<BTreeMap<String, String>>,
    /// What a model answers, in this order; after the last none can be asked.
    pub model: VecDeque<String>,
    /// What other tools answer, by name, each in this order; a call without an answer ends the component's own.
    pub tools: BTreeMap<String, VecDeque<String>>,
    /// What it was told in a call that was recorded. It takes the place of everything but answers to new requests.
    pub told: Option<Inputs>,
}

/// What a call used, and what it was allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Linear memory at the end, in bytes.
    pub memory_bytes: u64,
    /// The most of it, in bytes.
    pub memory_bytes_max: u64,
    /// The most fuel. A hook gets some more for each byte of its event, as of the others.
    pub fuel_max: u64,
    /// The most CPU time, in milliseconds.
    pub cpu_ms_max: u64,
}

impl Used {
    pub(crate) fn of<T>(limits: Limits, outcome: &CallOutcome<T>) -> Self {
        Self {
            memory_bytes: outcome.report.memory_bytes,
            memory_bytes_max: u64::try_from(limits.memory_bytes).unwrap_or(u64::MAX),
            fuel_max: limits.fuel,
            cpu_ms_max: limits.cpu_ms,
        }
    }
}

/// A call that is made until it comes to an end that nobody here can answer.
pub(crate) struct Trial<'a> {
    person: &'a dyn Person,
    world: World,
    workspace: Option<Arc<dyn Files>>,
    memory: Option<Arc<Vec<MemoryFile>>>,
    now_ms: u64,
    told: Option<Inputs>,
}

impl<'a> Trial<'a> {
    /// # Errors
    /// A path that is none of memory.
    pub(crate) fn new(
        world: &World,
        workspace: Option<Arc<dyn Files>>,
        person: &'a dyn Person,
    ) -> Result<Self, RuntimeError> {
        let memory = world.memory.as_ref().map(memory).transpose()?.map(Arc::new);
        // A call that is run again after an answer is told the same time.
        let now_ms = world.now_ms.unwrap_or_else(now_ms);
        let mut world = world.clone();
        let told = world.told.take();
        Ok(Self { person, world, workspace, memory, now_ms, told })
    }

    /// What the next attempt sees.
    pub(crate) fn invocation(&self, guest: &Guest, context: CallContext) -> Invocation {
        // Whoever is told what was recorded is told that there was memory as well.
        let recorded = || self.told.as_ref().map(|_| Arc::default());
        Invocation {
            workspace: self.workspace.clone(),
            memory: self.memory.clone().or_else(recorded),
            inputs: self.told.clone().map(Arc::new),
            callers: (!self.world.tools.is_empty() || self.told.is_some()).then(|| vec![hook(&guest.name)]),
            now_ms: self.now_ms,
            seed: self.world.seed,
            ..Invocation::new(context, Arc::clone(&guest.rights), guest.limits)
        }
    }

    /// Whether the call asked for something that has an answer here, and is to be made again; else how it ended.
    pub(crate) async fn answered<T>(&mut self, outcome: CallOutcome<T>) -> Result<(), CallOutcome<T>> {
        let Ended::Requested(requested) = &outcome.ended else { return Err(outcome) };
        let json = match &requested.request {
            Request::Ask { question } => {
                answer(self.person, question).await.and_then(|it| serde_json::to_vec(&it).ok())
            }
            Request::Model(_) => serde_json::to_vec(&self.model()).ok(),
            Request::Tool { name, .. } => {
                let answer = self.world.tools.get_mut(name).and_then(VecDeque::pop_front);
                answer.and_then(|answer| serde_json::to_vec(&ToolAnswer::Ok(answer)).ok())
            }
        };
        let (import, Some(json)) = (requested.import(), json) else { return Err(outcome) };
        match &mut self.told {
            Some(told) if told.playback == ta_sandbox::Playback::ByImport => told.sequence.push((import, json)),
            _ => self.told = Some(Inputs::answered(outcome, import, json)),
        }
        Ok(())
    }

    fn model(&mut self) -> ModelReply {
        let none = || NoAnswer::Unavailable("nobody can be asked in this run".to_owned());
        self.world.model.pop_front().ok_or_else(none)
    }
}

fn memory(files: &BTreeMap<String, String>) -> Result<Vec<MemoryFile>, RuntimeError> {
    let file = |(path, text): (&String, &String)| {
        let path: MemoryPath = path.parse().map_err(|why: String| {
            RuntimeError::usage("memory.path", why, "a memory file is `memory/MEMORY.md`, or a file beside or below it")
        })?;
        Ok(MemoryFile { path, text: text.clone(), updated_ms: 0, notes: BTreeMap::new() })
    };
    files.iter().map(file).collect()
}

/// The person's answer; none where there is nobody.
async fn answer(person: &dyn Person, question: &Question) -> Option<Outcome> {
    let (request, by, hash, decided) = (String::new(), String::new(), question.hash(), Vec::new());
    let mut ask = Ask { request, by, question: question.clone(), hash, decided, time: 1 };
    loop {
        if matches!(ask.question.kind, QuestionKind::Items { .. }) && next_item(&ask).is_none() {
            return Some(Outcome::Answered(Answer::Items(ask.decided)));
        }
        match person.ask(&ask).await {
            Reply::Later => return None,
            Reply::Outcome(outcome) => return Some(outcome),
            Reply::Decided(decision) => ask.decided.push(decision),
        }
    }
}

/// A component that somebody tries by hand.
pub(crate) struct Tried<'a> {
    pub(crate) component: &'a str,
    pub(crate) workspace: Option<&'a Path>,
    pub(crate) config: &'a BTreeMap<String, String>,
    pub(crate) grants: &'a [String],
    /// Whether it is to be a tool.
    pub(crate) tool: bool,
    /// What its author declares of it: it has what it asks for there, and nothing else.
    pub(crate) declared: Option<&'a ComponentEntry>,
}

impl Tried<'_> {
    pub(crate) async fn load(&self, host: &Host, files: bool) -> Result<Guest, RuntimeError> {
        let mut source = match (self.declared, self.named()) {
            (Some(entry), _) => self.declared_source(host, entry)?,
            (None, Some((plugin, name))) => self.named_source(host, plugin, name)?,
            (None, None) => self.loose_source(files)?,
        };
        source.rights.config.extend(self.config.clone());
        let extra = Rights::from_words(self.grants, BTreeMap::new());
        source.rights.capabilities.extend(extra.capabilities);
        source.rights.directories.extend(extra.directories);
        source.rights.withheld.extend(extra.withheld);
        let Source { full_name, bytes, pinned, rights, limits, .. } = source;
        Ok(host.sandbox.load(&full_name, &bytes, pinned.as_deref(), rights, limits).await?)
    }

    /// `plugin:component`, unless there is a file of that name.
    fn named(&self) -> Option<(&str, &str)> {
        let named = self.component.split_once(':')?;
        (!Path::new(self.component).exists()).then_some(named)
    }

    fn named_source(&self, host: &Host, plugin: &str, name: &str) -> Result<Source, RuntimeError> {
        let plugin = plugin::named(host.config.plugins.as_deref(), plugin)?;
        let (what, entries) = match self.tool {
            true => ("tool", &plugin.manifest.tools),
            false => ("hook", &plugin.manifest.hooks),
        };
        // What people call is tried like what models call.
        let actions = plugin.manifest.actions.iter().filter(|_| self.tool);
        let known: BTreeMap<_, _> = entries.iter().chain(actions).collect();
        let Some(entry) = known.get(&name.to_owned()) else {
            let known: Vec<&str> = known.keys().map(|name| name.as_str()).collect();
            let message = format!("the plugin `{}` has no {what} `{name}`", plugin.manifest.name);
            let hint = format!("its {what}s are: {}", known.join(", "));
            return Err(RuntimeError::configuration(&format!("{what}.unknown"), message, hint));
        };
        components::source(&plugin, name, entry, None, &host.grants()?)
    }

    /// What runs of the component's plugin can be about; of one that belongs to none, what runs of any plugin can be about.
    pub(crate) fn kinds(&self, host: &Host) -> Result<subject::Kinds, RuntimeError> {
        let directory = host.config.plugins.as_deref();
        match self.named() {
            Some((plugin, _)) => Ok(plugin::named(directory, plugin)?.manifest.subjects),
            None => Ok(subject::of_all(&plugin::all(directory, &mut Vec::new())?)),
        }
    }

    fn loose_source(&self, files: bool) -> Result<Source, RuntimeError> {
        let mut words: Vec<String> = LOOSE_GRANTS.iter().map(|word| (*word).to_owned()).collect();
        if files {
            words.extend(["workspace".to_owned(), "workspace:.=read".to_owned()]);
        }
        let kind = if self.tool { Kind::Tool } else { Kind::Guardrail };
        self.source(words, Limits::of(kind), kind)
    }

    /// A file with all that its author asks for, within the operator's ceilings.
    fn declared_source(&self, host: &Host, entry: &ComponentEntry) -> Result<Source, RuntimeError> {
        let directories = entry.directories.iter().map(|(name, access)| format!("workspace:{name}={access}"));
        let calls = entry.calls.iter().map(|tool| format!("calls:{tool}"));
        let words = entry.capabilities.iter().chain(&entry.optional).cloned().chain(directories).chain(calls).collect();
        let mut source = self.source(words, host.grants()?.limits(entry), entry.kind)?;
        source.rights.config.extend(entry.config.clone());
        Ok(source)
    }

    fn source(&self, words: Vec<String>, limits: Limits, kind: Kind) -> Result<Source, RuntimeError> {
        let path = PathBuf::from(self.component);
        let bytes = component_file(&path)?;
        let name =
            path.file_stem().map_or_else(|| self.component.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let rights = Rights::from_words(&words, BTreeMap::new());
        Ok(Source {
            name: name.clone(),
            full_name: name,
            bytes: bytes.into(),
            pinned: None,
            rights,
            limits,
            asks: words,
            kind,
        })
    }

    pub(crate) fn open_workspace(&self, host: &Host) -> Result<Option<Arc<dyn Files>>, RuntimeError> {
        match self.workspace {
            Some(directory) if !directory.is_dir() => {
                let message = format!("there is no workspace at {}", directory.display());
                Err(RuntimeError::configuration("workspace.missing", message, "give a directory with --workspace"))
            }
            Some(directory) => Ok(Some(Arc::new(Workspace::open(directory)?))),
            None if self.declared.is_some() => Ok(None),
            None if self.named().is_some() && host.config.workspace.is_dir() => host.workspace().map(Some),
            None => Ok(None),
        }
    }
}
