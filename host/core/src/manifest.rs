//! A plugin's manifest, `plugin.toml`: which components it has, where they run, what they ask for.
//!
//! ```toml
//! name = "release-notes"
//! version = "0.1.0"
//! description = "Writes the notes of a release with whoever makes it."
//!
//! [hooks.scope-check]
//! component = "components/scope-check.wasm"
//! sha256 = "9f2c…"
//! points = ["pre-loop"]
//! kind = "guardrail"            # or "dialogue", "observer"
//! on-failure = "abort"          # or "ask"; a guardrail never fails open
//! capabilities = ["log"]
//!
//! [tools.files]
//! component = "components/files.wasm"
//! sha256 = "77ab…"
//! capabilities = ["log", "workspace"]
//! workspace = { "." = "read", "notes" = "read-write" }
//! calls = ["update_tasks"]    # tools that it may call itself, with the capability `tools`
//!
//! [providers.offline]         # what answers as a model: `--provider offline`, and where an agent's own has no key
//! component = "components/offline.wasm"
//! sha256 = "0c1d…"
//! capabilities = ["log"]
//!
//! [writers.pages]             # what makes documents: `export SESSION --form pdf`
//! component = "components/pages.wasm"
//! sha256 = "31fe…"
//! formats = ["docx", "pdf"]
//! parts = ["summary"]         # of a text, where not only the whole of it can be had
//!
//! [readers.letters]           # what reads documents that somebody brings in
//! component = "components/letters.wasm"
//! sha256 = "4e0a…"
//! formats = ["odt"]           # the endings of their names
//!
//! [actions.desk]              # what people call in a page or a command, and no model
//! component = "components/desk.wasm"
//! sha256 = "9a77…"
//! capabilities = ["workspace"]
//! workspace = { "." = "read-write" }   # what it writes is shown, and put in place when the person says so
//!
//! [flows.quiz]
//! component = "components/quiz.wasm"
//! sha256 = "52e2…"
//! agents = ["asker", "judge"]   # whom it may ask
//! hooks = ["scope-check"]       # what sees each exchange
//! http = "quiz"                 # its sessions are at /api/quiz/sessions as well
//! codes = "guest"               # the role of whoever opens one with an access code
//! begins = "play"               # the command that begins one over HTTP, where several are of this flow
//! ```

mod actions;
mod component;
mod declared;
mod kinds;
pub mod operator;

use std::collections::BTreeMap;

use crate::confirm::ChangeRules;
use crate::hook::OnFailure;
use crate::kind::Kind;
use crate::memory::MemoryRules;
use crate::point::Point;
use crate::project::config::{CapabilityEntry, capabilities};
use crate::subject::SubjectRules;
use component::Section;
use ta_fields::front_matter::toml;
use ta_fields::problem::Problem;

pub use actions::FileRules;

/// A plugin's manifest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    /// The plugin's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// One line about it.
    pub description: String,
    /// Its hooks, by name.
    pub hooks: BTreeMap<String, ComponentEntry>,
    /// Its tool components, by name.
    pub tools: BTreeMap<String, ComponentEntry>,
    /// Its flows, by name.
    pub flows: BTreeMap<String, FlowEntry>,
    /// Its providers, by the name that `--provider` and an agent call them.
    pub providers: BTreeMap<String, ComponentEntry>,
    /// Its writers of documents, by name.
    pub writers: BTreeMap<String, WriterEntry>,
    /// Its readers of documents, by name.
    pub readers: BTreeMap<String, ReaderEntry>,
    /// Its components that people call, by name: what each offers is an action.
    pub actions: BTreeMap<String, ComponentEntry>,
    /// The action that writes the first files of a workspace, where it has one.
    pub set_up: Option<String>,
    /// Files of the workspace that it knows about.
    pub files: FileRules,
    /// What its runs can be about, by kind.
    pub subjects: BTreeMap<String, SubjectRules>,
    /// The model that its components may ask, as `provider/model`, where it is not the cheap one of the run's provider.
    pub guest_model: Option<String>,
    /// Whose memory files there are, and what notes can be about.
    pub memory: MemoryRules,
    /// Shapes of words in results of tools that stay where a conversation's messages make room.
    pub kept_shapes: Vec<String>,
    /// Which changes of files may be made, and which of them the person has to see first.
    pub changes: ChangeRules,
    /// What its components may observe, by name: the path of the JSON Schema, below the plugin.
    pub observations: BTreeMap<String, String>,
    /// What requests can be for, with the agent that does each: `[capabilities.code-review] agent = "reviewer"`.
    pub capabilities: BTreeMap<String, CapabilityEntry>,
}

impl Manifest {
    /// All its components, each with its name.
    pub fn components(&self) -> impl Iterator<Item = (&str, &ComponentEntry)> {
        let flows = self.flows.iter().map(|(name, flow)| (name, &flow.component));
        let writers = self.writers.iter().map(|(name, writer)| (name, &writer.component));
        let readers = self.readers.iter().map(|(name, reader)| (name, &reader.component));
        let all = self
            .hooks
            .iter()
            .chain(&self.tools)
            .chain(flows)
            .chain(&self.providers)
            .chain(writers)
            .chain(readers)
            .chain(&self.actions);
        all.map(|(name, entry)| (name.as_str(), entry))
    }
}

/// A flow of a plugin: its component, and whom it may ask.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowEntry {
    /// The component.
    pub component: ComponentEntry,
    /// The agents that it may ask.
    pub agents: Vec<String>,
    /// Hooks that see each exchange.
    pub hooks: Vec<String>,
    /// A shorter address of its sessions over HTTP: `/api/NAME/sessions`.
    pub http: Option<String>,
    /// Skills that its component may read: texts and data of the plugin.
    pub skills: Vec<String>,
    /// The role of whoever opens a session with an access code; without one none are given.
    pub codes: Option<String>,
    /// The command that begins a session over HTTP; where none is named, the first of the flow's by name.
    pub begins: Option<String>,
}

/// A writer of a plugin: its component, and what it can write.
#[derive(Debug, Clone, PartialEq)]
pub struct WriterEntry {
    /// The component.
    pub component: ComponentEntry,
    /// The forms of its documents, such as `pdf`. No other writer of the plugin has any of them.
    pub formats: Vec<String>,
    /// The parts of a text that it can write by themselves.
    pub parts: Vec<String>,
}

/// A reader of a plugin: its component, and what it can read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReaderEntry {
    /// The component.
    pub component: ComponentEntry,
    /// The endings of the names of what it reads, such as `pdf`. No other reader of the plugin has any of them.
    pub formats: Vec<String>,
}

/// A component of a plugin.
#[derive(Debug, Clone, PartialEq)]
pub struct ComponentEntry {
    /// Path of its file, below the plugin.
    pub component: String,
    /// SHA-256 that its bytes must have.
    pub sha256: String,
    /// Points at which it runs; for a tool none.
    pub points: Vec<Point>,
    /// What it is for.
    pub kind: Kind,
    /// What its failure means.
    pub on_failure: OnFailure,
    /// Capabilities that it asks for.
    pub capabilities: Vec<String>,
    /// Capabilities that it asks for and can do without.
    pub optional: Vec<String>,
    /// Tools of the plugin that it may call itself.
    pub calls: Vec<String>,
    /// Line that names them.
    pub calls_line: Option<usize>,
    /// Directories that it asks for, each with `read` or `read-write`.
    pub directories: BTreeMap<String, String>,
    /// Its configuration.
    pub config: BTreeMap<String, String>,
    /// Limits that differ from its kind's: `fuel-millions`, `cpu-ms`, `memory-mib`, `model-calls`.
    pub limits: BTreeMap<String, u32>,
    /// Line of the table.
    pub line: Option<usize>,
}

/// What may stand at the top of a manifest.
const FIELDS: [&str; 19] = [
    "name",
    "version",
    "description",
    "hooks",
    "tools",
    "flows",
    "providers",
    "writers",
    "readers",
    "actions",
    "set-up",
    "files",
    "summary",
    "subjects",
    "memory",
    "observations",
    "changes",
    "guest-model",
    "capabilities",
];

/// Reads a manifest. None comes back only where the file is no TOML.
pub fn manifest(file: &str, text: &str, problems: &mut Vec<Problem>) -> Option<Manifest> {
    let fields = match toml(file, text) {
        Ok(fields) => fields,
        Err(problem) => {
            problems.push(problem);
            return None;
        }
    };
    fields.only(&FIELDS, problems);
    let mut manifest = Manifest {
        name: fields.required("name", "name = \"release-notes\"", problems),
        version: fields.required("version", "version = \"0.1.0\"", problems),
        description: fields.text("description", problems).unwrap_or_default(),
        guest_model: declared::guest_model(&fields, problems),
        memory: declared::memory(&fields, problems),
        changes: declared::changes(&fields, problems),
        subjects: declared::subjects(&fields, problems),
        files: actions::files(&fields, problems),
        set_up: fields.text("set-up", problems),
        kept_shapes: declared::kept_shapes(&fields, problems),
        observations: declared::observations(&fields, problems),
        capabilities: capabilities(&fields, problems),
        ..Manifest::default()
    };
    for (section, kind) in Section::ALL {
        let table = fields.table(section, problems);
        for name in table.fields.keys() {
            let line = table.fields.get(name).map(|field| field.line);
            let fields = table.table(name, problems);
            let entry = component::component(&fields, kind, line, problems);
            match kind {
                Section::Hooks => drop(manifest.hooks.insert(name.clone(), entry)),
                Section::Tools => drop(manifest.tools.insert(name.clone(), entry)),
                Section::Actions => {
                    kinds::action(&fields, line, problems);
                    manifest.actions.insert(name.clone(), entry);
                }
                Section::Providers => {
                    kinds::provider(name, &fields, line, problems);
                    manifest.providers.insert(name.clone(), entry);
                }
                Section::Writers => {
                    let writer = kinds::writer(entry, &fields, line, &manifest.writers, problems);
                    manifest.writers.insert(name.clone(), writer);
                }
                Section::Readers => {
                    let reader = kinds::reader(entry, &fields, line, &manifest.readers, problems);
                    manifest.readers.insert(name.clone(), reader);
                }
                Section::Flows => {
                    let [agents, hooks, skills] = ["agents", "hooks", "skills"].map(|list| fields.list(list, problems));
                    let [http, codes, begins] = declared::names_of_flow(&fields, problems);
                    let flow = FlowEntry { component: entry, agents, hooks, skills, http, codes, begins };
                    manifest.flows.insert(name.clone(), flow);
                }
            }
        }
    }
    Some(manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "name = 'p'\nversion = '1'\n[hooks.h]\ncomponent = 'c.wasm'\nsha256 = '0000000000000000000000000000000000000000000000000000000000000000'\npoints = ['post-loop']\ncapabilities = ['log']\n[hooks.h.config]\nrounds = 2\n[tools.t]\ncomponent = 't.wasm'\nsha256 = '0000000000000000000000000000000000000000000000000000000000000000'\nworkspace = { '.' = 'read' }\n";

    #[test]
    fn a_manifest() {
        let mut problems = Vec::new();
        let manifest = manifest("plugin.toml", GOOD, &mut problems).unwrap();
        assert_eq!(problems, []);
        let hook = &manifest.hooks["h"];
        assert_eq!((hook.on_failure, hook.points.as_slice()), (OnFailure::Abort, [Point::PostLoop].as_slice()));
        assert_eq!(hook.config["rounds"], "2");
        assert_eq!(manifest.tools["t"].directories["."], "read");
    }

    #[test]
    fn what_is_no_value_of_on_failure_is_told_with_those_that_are() {
        let told = |kind: &str, value: &str| {
            let text =
                GOOD.replacen("capabilities = ['log']\n[h", &format!("kind = '{kind}'\non-failure = {value}\n[h"), 1);
            let mut problems = Vec::new();
            manifest("plugin.toml", &text, &mut problems);
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(told("guardrail", "'ask'"), "");
        for value in ["'stop'", "'Abort'", "5", "true", "['ask']", "''"] {
            let said = told("guardrail", value);
            assert!(said.contains("is not a value of `on-failure`") && said.contains("one of: abort, ask"), "{said}");
        }
        assert!(told("guardrail", "5").contains("`5`"));
        for kind in ["dialogue", "observer"] {
            let said = told(kind, "'ask'");
            assert!(said.contains(&format!("`{kind}`")) && said.contains("leave it out"), "{said}");
        }
    }

    /// Ten times the hooks take some ten times the time, not a hundred times.
    #[test]
    fn a_manifest_of_thousands_of_hooks_is_read_in_linear_time() {
        let read = |hooks: usize| {
            let each = |at| {
                format!("[hooks.h{at}]\ncomponent = 'c.wasm'\nsha256 = '{}'\npoints = ['post-loop']\n", "0".repeat(64))
            };
            let text = format!("name = 'p'\nversion = '1'\n{}", (0..hooks).map(each).collect::<String>());
            let began = std::time::Instant::now();
            let mut problems = Vec::new();
            assert_eq!(manifest("plugin.toml", &text, &mut problems).unwrap().hooks.len(), hooks);
            began.elapsed()
        };
        let quickest = |hooks: usize| (0..5).map(|_| read(hooks)).min().unwrap();
        let (few, many) = (quickest(500), quickest(5_000));
        assert!(many < few * 40, "{few:?} for 500, {many:?} for 5,000");
    }

    #[test]
    fn every_problem_at_once() {
        let mut problems = Vec::new();
        let text = "name = 'p'\n[hooks.h]\ncomponent = 'c.wasm'\nsha256 = 'abc'\npoints = ['before']\ncapabilities = ['network']\nonfailure = 'skip'\n[tools.t]\nworkspace = { '.' = 'all' }\n";
        manifest("plugin.toml", text, &mut problems);
        let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(shown.join("\n"));
    }
}
