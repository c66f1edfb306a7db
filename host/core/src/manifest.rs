//! A plugin's manifest, `plugin.toml`: which components it has, where they run, what they ask for.
//!
//! ```toml
//! name = "lesson-planning"
//! version = "0.1.0"
//! description = "Plans lessons with the teacher."
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
//! workspace = { "." = "read", "lessons" = "read-write" }
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
//! [flows.quiz]
//! component = "components/quiz.wasm"
//! sha256 = "52e2…"
//! agents = ["asker", "judge"]   # whom it may ask
//! hooks = ["scope-check"]       # what sees each exchange
//! http = "quiz"                 # its sessions are at /api/quiz/sessions as well
//! codes = "guest"               # the role of whoever opens one with an access code
//! begins = "play"               # the command that begins one over HTTP, where several are of this flow
//! ```

mod declared;
pub mod operator;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::capability::Capability;
use crate::confirm::ChangeRules;
use crate::fields::Fields;
use crate::front_matter::toml;
use crate::hook::OnFailure;
use crate::kind::Kind;
use crate::memory::MemoryRules;
use crate::point::Point;
use crate::problem::Problem;
use crate::subject::SubjectRules;
use crate::text::visible;

/// Limits that a manifest may set, each with the most that it may be set to.
const LIMITS: [(&str, u32); 4] =
    [("fuel-millions", 20_000), ("cpu-ms", 60_000), ("memory-mib", 256), ("model-calls", 16)];

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
    /// What its runs can be about, by kind.
    pub subjects: BTreeMap<String, SubjectRules>,
    /// The model that its components may ask, as `provider/model`, where it is not the cheap one of the run's provider.
    pub guest_model: Option<String>,
    /// Whose memory files there are, and what notes can be about.
    pub memory: MemoryRules,
    /// Which changes of files may be made, and which of them the person has to see first.
    pub changes: ChangeRules,
    /// What its components may observe, by name: the path of the JSON Schema, below the plugin.
    pub observations: BTreeMap<String, String>,
}

impl Manifest {
    /// All its components, each with its name.
    pub fn components(&self) -> impl Iterator<Item = (&str, &ComponentEntry)> {
        let flows = self.flows.iter().map(|(name, flow)| (name, &flow.component));
        let writers = self.writers.iter().map(|(name, writer)| (name, &writer.component));
        let all = self.hooks.iter().chain(&self.tools).chain(flows).chain(&self.providers).chain(writers);
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

/// Reads a manifest. None comes back only where the file is no TOML.
pub fn manifest(file: &str, text: &str, problems: &mut Vec<Problem>) -> Option<Manifest> {
    let fields = match toml(file, text) {
        Ok(fields) => fields,
        Err(problem) => {
            problems.push(problem);
            return None;
        }
    };
    fields.only(
        &[
            "name",
            "version",
            "description",
            "hooks",
            "tools",
            "flows",
            "providers",
            "writers",
            "subjects",
            "memory",
            "observations",
            "changes",
            "guest-model",
        ],
        problems,
    );
    let mut manifest = Manifest {
        name: fields.required("name", "name = \"lesson-planning\"", problems),
        version: fields.required("version", "version = \"0.1.0\"", problems),
        description: fields.text("description", problems).unwrap_or_default(),
        guest_model: guest_model(&fields, problems),
        memory: declared::memory(&fields, problems),
        changes: declared::changes(&fields, problems),
        subjects: declared::subjects(&fields, problems),
        observations: declared::observations(&fields, problems),
        ..Manifest::default()
    };
    for (section, kind) in Section::ALL {
        let table = fields.table(section, problems);
        for name in table.fields.keys() {
            let line = table.fields.get(name).map(|field| field.line);
            let fields = table.table(name, problems);
            let entry = component(&fields, kind, line, problems);
            match kind {
                Section::Hooks => drop(manifest.hooks.insert(name.clone(), entry)),
                Section::Tools => drop(manifest.tools.insert(name.clone(), entry)),
                Section::Providers => {
                    declared::provider(name, &fields, line, problems);
                    manifest.providers.insert(name.clone(), entry);
                }
                Section::Writers => {
                    let [formats, parts] = declared::documents(&fields, line, &manifest.writers, problems);
                    manifest.writers.insert(name.clone(), WriterEntry { component: entry, formats, parts });
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

/// A table of components in a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Hooks,
    Tools,
    Flows,
    Providers,
    Writers,
}

impl Section {
    /// All of them, each with its word in the file.
    const ALL: [(&'static str, Self); 5] = [
        ("hooks", Self::Hooks),
        ("tools", Self::Tools),
        ("flows", Self::Flows),
        ("providers", Self::Providers),
        ("writers", Self::Writers),
    ];
}

fn component(fields: &Fields, section: Section, line: Option<usize>, problems: &mut Vec<Problem>) -> ComponentEntry {
    let common = ["component", "sha256", "capabilities", "optional", "calls", "workspace", "config", "limits"];
    let hook_fields = [&common[..], &["points", "kind", "on-failure"]].concat();
    let flow_fields = [&common[..], &["agents", "hooks", "http", "codes", "begins", "skills"]].concat();
    match section {
        Section::Hooks => fields.only(&hook_fields, problems),
        Section::Tools => fields.only(&common, problems),
        Section::Providers => fields.only(&declared::PROVIDER_FIELDS, problems),
        Section::Writers => fields.only(&declared::WRITER_FIELDS, problems),
        Section::Flows => fields.only(&flow_fields, problems),
    }
    let kind = match section {
        Section::Tools => Kind::Tool,
        Section::Flows => Kind::Flow,
        Section::Providers => Kind::Provider,
        Section::Writers => Kind::Writer,
        Section::Hooks => {
            let named = fields.one_of("kind", &Kind::OF_HOOKS.map(Kind::name), problems);
            named.and_then(|name| name.parse().ok()).unwrap_or(Kind::Guardrail)
        }
    };
    ComponentEntry {
        component: fields.required("component", "component = \"components/name.wasm\"", problems),
        sha256: digest(fields, problems),
        points: if section == Section::Hooks { points(fields, line, problems) } else { Vec::new() },
        kind,
        on_failure: on_failure(fields, kind, problems),
        capabilities: capabilities(fields, "capabilities", |_| true, problems),
        optional: capabilities(fields, "optional", Capability::is_optional, problems),
        calls: declared::calls(fields, problems),
        calls_line: fields.fields.get("calls").map(|field| field.line),
        directories: directories(fields, problems),
        config: texts(&fields.table("config", problems)),
        limits: limits(&fields.table("limits", problems), problems),
        line,
    }
}

/// What a hook's failure means. A guardrail fails closed; a dialogue and an observer have nothing to choose.
fn on_failure(fields: &Fields, kind: Kind, problems: &mut Vec<Problem>) -> OnFailure {
    let Some(field) = fields.fields.get("on-failure") else { return kind.on_failure() };
    // As it stands, where it is no text.
    let said = field.value.as_str().map_or_else(|| field.value.to_string(), ToOwned::to_owned);
    let (message, remedy) = match (kind, said.as_str()) {
        (Kind::Guardrail, "abort") => return OnFailure::Abort,
        (Kind::Guardrail, "ask") => return OnFailure::Ask,
        (Kind::Guardrail, "skip") => (
            "a guardrail never fails open".to_owned(),
            "write `abort` or `ask`, or call it a `dialogue` or an `observer`: those are skipped when they fail",
        ),
        (Kind::Guardrail, _) => (
            format!("`{said}` is not a value of `on-failure`"),
            "a guardrail has one of: abort, ask; what it leaves out is `abort`",
        ),
        _ => (
            format!("only a guardrail has `on-failure`, and this hook is of the kind `{kind}`"),
            "leave it out, since there is nothing to choose: a dialogue that fails is skipped and the person is told, an \
             observer is skipped; for `abort` or `ask`, call it a `guardrail`",
        ),
    };
    let problem = Problem::new("field.value", &fields.file, message, remedy).at(Some(field.line));
    problems.push(problem.field(&format!("{}.on-failure", fields.path)));
    kind.on_failure()
}

fn digest(fields: &Fields, problems: &mut Vec<Problem>) -> String {
    let sha256 = fields.required("sha256", "sha256 = \"<64 hexadecimal digits>\"", problems);
    let whole = sha256.len() == 64 && sha256.chars().all(|c| c.is_ascii_hexdigit());
    if !sha256.is_empty() && !whole {
        let line = fields.fields.get("sha256").map(|field| field.line);
        let message = "a SHA-256 has 64 hexadecimal digits";
        problems.push(
            Problem::new("field.value", &fields.file, message, "pin the component with `sha256sum` of its file")
                .at(line)
                .field(&format!("{}.sha256", fields.path)),
        );
    }
    sha256.to_lowercase()
}

fn points(fields: &Fields, line: Option<usize>, problems: &mut Vec<Problem>) -> Vec<Point> {
    let names = fields.list("points", problems);
    let at = fields.fields.get("points").map_or(line, |field| Some(field.line));
    let field = format!("{}.points", fields.path);
    if names.is_empty() {
        let remedy = "add `points = [\"post-loop\"]`, the lifecycle points at which it runs";
        problems.push(
            Problem::new("field.missing", &fields.file, "a hook needs at least one point", remedy).at(at).field(&field),
        );
    }
    let mut points = Vec::new();
    for name in names {
        match name.parse::<Point>() {
            Ok(point) => points.push(point),
            Err(reason) => {
                problems
                    .push(Problem::new("field.value", &fields.file, reason, "use one of these").at(at).field(&field));
            }
        }
    }
    points
}

fn capabilities(
    fields: &Fields,
    list: &str,
    allowed: fn(Capability) -> bool,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let names = fields.list(list, problems);
    let is_wrong = |name: &&String| !name.parse().is_ok_and(allowed);
    for name in names.iter().filter(is_wrong) {
        let line = fields.fields.get(list).map(|field| field.line);
        let message = match name.parse::<Capability>() {
            Ok(_) => format!("a component that asks for the capability `{name}` cannot do without it"),
            Err(_) => format!("there is no capability `{name}`"),
        };
        let known: Vec<&str> = Capability::ALL.into_iter().filter(|it| allowed(*it)).map(Capability::name).collect();
        let remedy = format!("use some of: {}", known.join(", "));
        let field = format!("{}.{list}", fields.path);
        problems.push(Problem::new("field.value", &fields.file, message, remedy).at(line).field(&field));
    }
    names
}

fn directories(fields: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let table = fields.table("workspace", problems);
    for (name, field) in &table.fields {
        table.one_of(name, &["read", "read-write"], problems);
        if !below_the_workspace(name) {
            let message = format!("`{}` is no directory below the workspace", visible(name));
            let remedy = "name it from the workspace on, such as `lessons`; `.` is the workspace itself";
            let problem = Problem::new("field.value", &table.file, message, remedy).at(Some(field.line));
            problems.push(problem.field(&format!("{}.{name}", table.path)));
        }
    }
    texts(&table)
}

/// Whether a name is one of a directory below the workspace: never up, never from the root, never of a drive.
fn below_the_workspace(name: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains([':', '\\']);
    name == "." || (visible(name) == name && name.split('/').all(plain))
}

fn texts(table: &Fields) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    table.fields.iter().map(|(name, field)| (name.clone(), text(&field.value))).collect()
}

/// The model that guests may ask, as `provider/model`.
fn guest_model(fields: &Fields, problems: &mut Vec<Problem>) -> Option<String> {
    let named = fields.text("guest-model", problems)?;
    let whole = named.split_once('/').is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty());
    if !whole {
        let line = fields.fields.get("guest-model").map(|field| field.line);
        let message = format!("`{named}` names no model");
        let remedy = "write it as `guest-model = \"provider/model\"`";
        problems.push(Problem::new("field.value", &fields.file, message, remedy).at(line).field("guest-model"));
    }
    Some(named)
}

fn limits(table: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, u32> {
    table.only(&LIMITS.map(|(name, _)| name), problems);
    let mut limits = BTreeMap::new();
    for (name, ceiling) in LIMITS {
        if let Some(value) = table.count(name, 1..=ceiling, problems) {
            limits.insert(name.to_owned(), value);
        }
    }
    limits
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

    #[test]
    fn directories_lie_below_the_workspace() {
        for name in [
            "/etc",
            "..",
            "../outside",
            "lessons/..",
            "a/../../b",
            "C:/x",
            "a\\b",
            "",
            "a//b",
            "/",
            "./a",
            "a\u{202e}b",
        ] {
            let text = format!(
                "name = 'p'\nversion = '1'\n[tools.t]\ncomponent = 'c.wasm'\nsha256 = '{}'\n[tools.t.workspace]\n{} = 'read'\n",
                "0".repeat(64),
                Value::String(name.to_owned())
            );
            let mut problems = Vec::new();
            manifest("plugin.toml", &text, &mut problems);
            assert_eq!(problems.len(), 1, "{name}: {problems:?}");
            assert_eq!((problems[0].code.as_str(), problems[0].line), ("field.value", Some(7)), "{name}");
        }
        assert!([".", "lessons", "classes/3B", "Year 3"].into_iter().all(below_the_workspace));
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
