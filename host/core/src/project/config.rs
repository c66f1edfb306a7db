//! `agent.yaml` and `.agent/config.yaml`: which agent a capability goes to, and within which limits.
//!
//! ```yaml
//! defaultAgent: default
//! skillMode: strict              # or permissive
//! compat_mode: false             # old `/plugin:command` names
//! capabilities:
//!   code-review:
//!     agent: reviewer
//!     provider: capable          # fast, default, capable, or a provider by name
//!     max_turns: 40
//!     timeout_ms: 600000
//!     done_condition: Every finding has a file and a line.
//!     conditions:
//!       - { id: report, description: The report is written., check: artifact, pattern: "reports/*.md" }
//! ```

use std::collections::BTreeMap;

use super::{Said, check_name};
use crate::contract::{Condition, conditions};
use crate::definition::PROVIDERS;
use ta_fields::fields::{Fields, nearest};
use ta_fields::front_matter::yaml;
use ta_fields::problem::Problem;

/// Which model is meant, by what it is for. Which one that is, the operator says.
pub const TIERS: [&str; 3] = ["fast", "default", "capable"];
/// Minutes that one run may be at work at the most, by a capability's `timeout_ms`.
const TIMEOUT_MS_MAX: u32 = 24 * 60 * 60 * 1000;
/// What may stand at the top.
const FIELDS: [&str; 5] = ["defaultAgent", "skillMode", "compat_mode", "capabilities", "aliases"];
/// What a capability may say.
const CAPABILITY_FIELDS: [&str; 7] =
    ["description", "agent", "provider", "done_condition", "max_turns", "timeout_ms", "conditions"];
/// What is the operator's alone: rights, permissions of commands, addresses, keys, prices, ceilings. A project that names one is told.
const NOT_YOURS: [&str; 20] = [
    "grants",
    "grant",
    "capability_grants",
    "permissions",
    "keys",
    "key",
    "api_key",
    "apiKey",
    "api_key_env",
    "apiKeyEnv",
    "base_url",
    "baseUrl",
    "providers",
    "models",
    "prices",
    "ceilings",
    "pool",
    "guest-model",
    "operator",
    "confinement",
];

/// What one file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The agent of `general`, and of capabilities whose own there is none.
    pub default_agent: Option<Said<String>>,
    /// Whether a skill that cannot be read stops everything, or is left out with a word.
    pub skill_mode: Option<Said<SkillMode>>,
    /// Whether old `/plugin:command` names are understood.
    pub compat_mode: Option<Said<bool>>,
    /// What is said of capabilities.
    pub capabilities: BTreeMap<String, CapabilityEntry>,
    /// Old names of its own, with the capability that each stands for now.
    pub aliases: BTreeMap<String, Said<String>>,
}

/// What becomes of a skill that cannot be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SkillMode {
    /// Nothing runs until it is mended.
    #[default]
    Strict,
    /// It is left out, and that is said.
    Permissive,
}

impl SkillMode {
    /// Both.
    pub const NAMES: [&'static str; 2] = ["strict", "permissive"];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Permissive => "permissive",
        }
    }
}

/// What one layer says of a capability. What it leaves out is as the layer below says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CapabilityEntry {
    /// Where it begins.
    pub line: Option<usize>,
    /// What it is for, for people and for the model that classifies.
    pub description: Option<Said<String>>,
    /// Who does it.
    pub agent: Option<Said<String>>,
    /// Which model: one of [`TIERS`], or a provider by its name.
    pub provider: Option<Said<String>>,
    /// When it is done, in words.
    pub done_condition: Option<Said<String>>,
    /// Model calls at the most.
    pub max_turns: Option<Said<u32>>,
    /// Milliseconds at work at the most.
    pub timeout_ms: Option<Said<u32>>,
    /// When it is done, as can be checked.
    pub conditions: Option<Said<Vec<Condition>>>,
}

impl CapabilityEntry {
    /// This layer over the one below it.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            line: self.line.or(below.line),
            description: self.description.or(below.description),
            agent: self.agent.or(below.agent),
            provider: self.provider.or(below.provider),
            done_condition: self.done_condition.or(below.done_condition),
            max_turns: self.max_turns.or(below.max_turns),
            timeout_ms: self.timeout_ms.or(below.timeout_ms),
            conditions: self.conditions.or(below.conditions),
        }
    }
}

/// Reads such a file.
pub fn config(file: &str, text: &str, problems: &mut Vec<Problem>) -> Config {
    let fields = match yaml(file, text) {
        Ok(fields) => fields,
        Err(problem) => {
            problems.push(problem);
            return Config::default();
        }
    };
    only(&fields, &FIELDS, problems);
    let mode = fields.one_of("skillMode", &SkillMode::NAMES, problems);
    let mode = mode.map(|mode| if mode == "permissive" { SkillMode::Permissive } else { SkillMode::Strict });
    let default_agent = fields.text("defaultAgent", problems);
    let compat_mode = fields.boolean("compat_mode", problems);
    Config {
        default_agent: default_agent.map(|it| Said::of(&fields, "defaultAgent", it)),
        skill_mode: mode.map(|it| Said::of(&fields, "skillMode", it)),
        compat_mode: compat_mode.map(|it| Said::of(&fields, "compat_mode", it)),
        capabilities: capabilities(&fields, problems),
        aliases: aliases(&fields, problems),
    }
}

/// The table `capabilities`, of a project's file or of a plugin's manifest.
pub fn capabilities(fields: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, CapabilityEntry> {
    let table = fields.table("capabilities", problems);
    let mut entries = BTreeMap::new();
    for name in table.fields.keys() {
        check_name(&table, name, name, problems);
        let line = table.fields.get(name).map(|field| field.line);
        let entry = capability(&table.table(name, problems), line, problems);
        entries.insert(name.clone(), entry);
    }
    entries
}

fn capability(fields: &Fields, line: Option<usize>, problems: &mut Vec<Problem>) -> CapabilityEntry {
    only(fields, &CAPABILITY_FIELDS, problems);
    let provider = fields.text("provider", problems);
    let known = |name: &str| TIERS.contains(&name) || PROVIDERS.contains(&name);
    if let Some(name) = provider.as_deref().filter(|name| !known(name)) {
        let all: Vec<&str> = TIERS.iter().chain(&PROVIDERS).copied().collect();
        let near = nearest(name, &all).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let line = fields.fields.get("provider").map(|field| field.line);
        let message = format!("there is no provider `{name}`");
        let remedy = format!("{near}Use one of: {}", all.join(", "));
        let field = format!("{}.provider", fields.path);
        problems.push(Problem::new("provider.unknown", &fields.file, message, remedy).at(line).field(&field));
    }
    let text = |field: &str, problems: &mut Vec<Problem>| {
        fields.text(field, problems).map(|value| Said::of(fields, field, value))
    };
    let count = |field: &str, most: u32, problems: &mut Vec<Problem>| {
        fields.count(field, 1..=most, problems).map(|value| Said::of(fields, field, value))
    };
    CapabilityEntry {
        line,
        description: text("description", problems),
        agent: text("agent", problems),
        provider: provider.map(|value| Said::of(fields, "provider", value)),
        done_condition: text("done_condition", problems),
        max_turns: count("max_turns", 1_000, problems),
        timeout_ms: count("timeout_ms", TIMEOUT_MS_MAX, problems),
        conditions: conditions(fields, problems).map(|value| Said::of(fields, "conditions", value)),
    }
}

fn aliases(fields: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, Said<String>> {
    let table = fields.table("aliases", problems);
    let mut aliases = BTreeMap::new();
    for name in table.fields.keys() {
        if !name.starts_with('/') {
            let message = format!("the old name `{name}` does not begin with `/`");
            let line = table.fields.get(name).map(|field| field.line);
            let problem =
                Problem::new("field.value", &fields.file, message, "write it as it was typed: `/plugin:command`");
            problems.push(problem.at(line).field(&format!("aliases.{name}")));
        }
        aliases.extend(table.text(name, problems).map(|value| (name.clone(), Said::of(&table, name, value))));
    }
    aliases
}

/// Reports every field that is not one of these; and by a code of its own one that is the operator's to say.
fn only(fields: &Fields, known: &[&str], problems: &mut Vec<Problem>) {
    let (theirs, others): (Vec<_>, Vec<_>) = fields
        .fields
        .iter()
        .partition(|(name, _)| NOT_YOURS.contains(&name.as_str()) && !known.contains(&name.as_str()));
    for (name, field) in theirs {
        let message =
            format!("`{name}` is not a project's to say: rights, keys, addresses and prices are the operator's");
        let remedy = "take it out; it belongs into the operator's file, teacher-assist.toml, the environment or a flag";
        let path = if fields.path.is_empty() { name.clone() } else { format!("{}.{name}", fields.path) };
        problems
            .push(Problem::new("config.not-yours", &fields.file, message, remedy).at(Some(field.line)).field(&path));
    }
    let others = others.into_iter().map(|(name, field)| (name.clone(), field.clone())).collect();
    Fields { fields: others, ..fields.clone() }.only(known, problems);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_the_lines_of_what_it_says() {
        let mut problems = Vec::new();
        let text = "defaultAgent: helper\ncapabilities:\n  code-review:\n    agent: mine\n    max_turns: 5\n";
        let config = config("c.yaml", text, &mut problems);
        assert_eq!(problems, []);
        let entry = &config.capabilities["code-review"];
        let agent = entry.agent.as_ref().unwrap();
        assert_eq!((agent.value.as_str(), agent.line, entry.max_turns.as_ref().unwrap().line), ("mine", 4, 5));
    }

    #[test]
    fn what_is_the_operators_is_refused_by_a_code_of_its_own() {
        let mut problems = Vec::new();
        let text = "grants: {a: b}\ncapabilties: {}\ncapabilities:\n  x:\n    base_url: http://a\n    agnet: b\n    provider: anthropc\n";
        config("c.yaml", text, &mut problems);
        let told: Vec<(&str, Option<usize>)> = problems.iter().map(|it| (it.code.as_str(), it.line)).collect();
        assert_eq!(
            told,
            [
                ("config.not-yours", Some(1)),
                ("field.unknown", Some(2)),
                ("config.not-yours", Some(5)),
                ("field.unknown", Some(6)),
                ("provider.unknown", Some(7)),
            ]
        );
        assert!(problems[1].remedy.contains("did you mean `capabilities`?"), "{}", problems[1].remedy);
    }
}
