//! Conditions: what all have in common stands in `[base]`, and each says where it differs.

use std::collections::BTreeMap;

use serde::Serialize;
use ta_runtime::surface::{Fields, Problem};

use super::files::StudyFiles;
use super::problem;
use crate::design::CONDITIONS_MAX;

/// Who answers in a condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// The agent of the task's command.
    OfCommand,
    /// Another agent of the plugin.
    Agent(String),
    /// Nobody: the participant writes alone, with the task and a clock.
    Nobody,
}

/// A condition, with all that it shares with the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// What it is, for researchers; participants are never told.
    pub about: String,
    /// Who answers.
    pub who: Who,
    /// Whether there are the files of the workspace.
    pub workspace: bool,
    /// Whether memory is shown and may be written.
    pub memory: bool,
    /// Whether other agents may be spawned or handed over to.
    pub subagents: bool,
    /// The hooks in order, where they are not the agent's.
    pub hooks: Option<Vec<String>>,
    /// The skills, where they are not the agent's.
    pub skills: Option<Vec<String>>,
    /// The tools, where they are not the agent's.
    pub tools: Option<Vec<String>>,
    /// The provider, where it is not the agent's.
    pub provider: Option<String>,
    /// The model, where it is not the agent's.
    pub model: Option<String>,
    /// The file of answers of the provider `script`, below the study.
    pub script: Option<String>,
    /// Components in hooks' places.
    pub components: BTreeMap<String, Component>,
    /// Configuration of components, in the place of the manifest's.
    pub config: BTreeMap<String, BTreeMap<String, String>>,
    /// Texts of the plugin that are replaced: the path there, and the file below the study.
    pub texts: BTreeMap<String, String>,
}

/// A component in a hook's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Component {
    /// Its file, below the study.
    pub file: String,
    /// SHA-256 that its bytes must have.
    pub sha256: String,
}

const FIELDS: [&str; 14] = [
    "about",
    "agent",
    "workspace",
    "memory",
    "subagents",
    "hooks",
    "skills",
    "tools",
    "provider",
    "model",
    "script",
    "components",
    "config",
    "texts",
];

/// What all have in common, and the conditions by name.
pub(super) fn all(
    files: &StudyFiles,
    fields: &Fields,
    problems: &mut Vec<Problem>,
) -> (Condition, BTreeMap<String, Condition>) {
    let (base, table) = (fields.table("base", problems), fields.table("conditions", problems));
    let mut conditions = BTreeMap::new();
    for (name, field) in &table.fields {
        let own = table.table(name, problems);
        let mut merged = base.clone();
        merged.path.clone_from(&own.path);
        merged.fields.extend(own.fields.clone());
        let condition = condition(files, &merged, problems);
        let twin = conditions.iter().find(|(_, other): &(&String, &Condition)| alike(other, &condition));
        if let Some((other, _)) = twin {
            let message = format!("`{name}` does not differ from `{other}` in anything");
            let hint = "say in what, or take one of them out: an effect between them could only be chance";
            let problem = problem(&table, name, "study.condition", message, hint).at(Some(field.line));
            problems.push(problem);
        }
        conditions.insert(name.clone(), condition);
    }
    if !(2..=CONDITIONS_MAX).contains(&conditions.len()) {
        let message = format!("a study has 2 to {CONDITIONS_MAX} conditions, and here are {}", conditions.len());
        problems.push(problem(fields, "conditions", "study.condition", message, "write `[conditions.NAME]` for each"));
    }
    (condition(files, &base, problems), conditions)
}

fn alike(one: &Condition, other: &Condition) -> bool {
    Condition { about: String::new(), ..one.clone() } == Condition { about: String::new(), ..other.clone() }
}

fn condition(files: &StudyFiles, fields: &Fields, problems: &mut Vec<Problem>) -> Condition {
    fields.only(&FIELDS, problems);
    let list = |field: &str, problems: &mut Vec<Problem>| {
        fields.fields.contains_key(field).then(|| fields.list(field, problems))
    };
    let who = match fields.text("agent", problems).as_deref() {
        None => Who::OfCommand,
        Some("none") => Who::Nobody,
        Some(name) => Who::Agent(name.to_owned()),
    };
    let script = fields.text("script", problems);
    if let Some(script) = &script {
        let line = fields.fields.get("script").map(|field| field.line);
        files.text_or_problem(script, &fields.file, line, problems);
    }
    let texts = texts(&fields.table("texts", problems), problems);
    for (path, file) in &texts {
        let line = fields.fields.get("texts").map(|field| field.line);
        files.text_or_problem(file, &fields.file, line, problems);
        if !path.ends_with(".md") {
            let message = format!("`{path}` is no text that a condition can replace");
            let hint = "agents, commands and skills are: `texts = { \"agents/NAME.md\" = \"texts/short.md\" }`";
            problems.push(problem(fields, "texts", "study.condition", message, hint));
        }
    }
    let config = fields.table("config", problems);
    let config: BTreeMap<_, _> =
        config.fields.keys().map(|name| (name.clone(), texts_of(&config.table(name, problems)))).collect();
    Condition {
        about: fields.text("about", problems).unwrap_or_default(),
        who,
        workspace: fields.boolean("workspace", problems).unwrap_or(true),
        memory: fields.boolean("memory", problems).unwrap_or(true),
        subagents: fields.boolean("subagents", problems).unwrap_or(true),
        hooks: list("hooks", problems),
        skills: list("skills", problems),
        tools: list("tools", problems),
        provider: fields.text("provider", problems),
        model: fields.text("model", problems),
        script,
        components: components(&fields.table("components", problems), problems),
        config,
        texts,
    }
}

fn texts(table: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let read = |name: &String| Some((name.clone(), table.text(name, problems)?));
    table.fields.keys().filter_map(read).collect()
}

/// Values as components read them: as texts.
fn texts_of(table: &Fields) -> BTreeMap<String, String> {
    let shown = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    table.fields.iter().map(|(name, field)| (name.clone(), shown(&field.value))).collect()
}

fn components(table: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, Component> {
    let mut components = BTreeMap::new();
    for name in table.fields.keys() {
        let fields = table.table(name, problems);
        fields.only(&["file", "sha256"], problems);
        let file = fields.required("file", "file = \"components/evidence.wasm\"", problems);
        let sha256 = fields.required("sha256", "sha256 = \"9f2c…\"", problems).to_ascii_lowercase();
        let hexadecimal = sha256.len() == 64 && sha256.chars().all(|c| c.is_ascii_hexdigit());
        if !sha256.is_empty() && !hexadecimal {
            let message = format!("`{sha256}` is no SHA-256");
            problems.push(problem(&fields, "sha256", "field.value", message, "`sha256sum FILE` prints it"));
        }
        components.insert(name.clone(), Component { file, sha256 });
    }
    components
}
