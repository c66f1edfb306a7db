//! What is not wrong in a plugin and should be known all the same: how long its skills are in every prompt, skills that no
//! agent lists, hooks that fail open, names that stand for two things.

use std::collections::BTreeMap;

use serde::Serialize;
use ta_core::capability::Capability;
use ta_core::hook::OnFailure;
use ta_core::kind::Kind;
use ta_core::prompt::{Named, PromptParts, assemble};
use ta_fields::problem::Problem;

use crate::plugin::{OF_SKILL, Plugin};

/// English text comes to about four bytes a token, the rule by which calls are estimated too.
const BYTES_PER_TOKEN: usize = 4;
/// Tokens of a skill's line, which stands in every prompt of its agents.
const ENTRY_TOKENS_MAX: usize = 100;
/// Lines of a skill's body, which is read whole.
const BODY_LINES_MAX: usize = 500;

/// Capabilities by which a hook does something, or has the person do something.
const ACTING: [Capability; 4] = [Capability::Ask, Capability::MemoryUpdate, Capability::Tasks, Capability::Prompt];

/// The skills that an agent is shown, as they stand in its prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkillManifest {
    /// The plugin.
    pub plugin: String,
    /// The agent.
    pub agent: String,
    /// How many skills.
    pub skills: usize,
    /// About how many tokens: bytes of the prompt's part by four, rounded up.
    pub tokens: usize,
}

/// A hook whose failure lets the run go on as if it had passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailsOpen {
    /// The plugin.
    pub plugin: String,
    /// The hook.
    pub hook: String,
    /// `dialogue` or `observer`.
    pub kind: Kind,
}

/// The size of each agent's skills in its prompt.
pub(crate) fn manifests(plugin: &Plugin) -> Vec<SkillManifest> {
    let manifests = plugin.agents.values().map(|agent| {
        let skills: Vec<Named> = agent.skills.iter().filter_map(|name| named(plugin, name)).collect();
        let count = skills.len();
        let (_, parts) = assemble(&PromptParts { skills, ..PromptParts::default() });
        let tokens = parts.iter().map(|part| part.bytes).sum::<usize>().div_ceil(BYTES_PER_TOKEN);
        SkillManifest { plugin: plugin.manifest.name.clone(), agent: agent.name.clone(), skills: count, tokens }
    });
    manifests.collect()
}

fn named(plugin: &Plugin, name: &str) -> Option<Named> {
    let skill = plugin.skills.get(name)?;
    Some(Named { name: skill.name.clone(), description: skill.description.clone() })
}

/// The hooks that fail open.
pub(crate) fn fails_open(plugin: &Plugin) -> Vec<FailsOpen> {
    let open = plugin.manifest.hooks.iter().filter(|(_, hook)| match hook.on_failure {
        OnFailure::Tell | OnFailure::Skip => true,
        OnFailure::Abort | OnFailure::Ask => false,
    });
    open.map(|(name, hook)| FailsOpen { plugin: plugin.manifest.name.clone(), hook: name.clone(), kind: hook.kind })
        .collect()
}

/// What a person should look at.
pub(crate) fn warnings(plugin: &Plugin, warnings: &mut Vec<Problem>) {
    for skill in plugin.skills.values() {
        let template = plugin.templates.contains_key(&skill.name);
        let file = plugin.files.shown(&format!("skills/{}/SKILL.md", skill.name));
        let mut lists = plugin.agents.values().map(|agent| &agent.skills);
        let mut lists_of_flows = plugin.manifest.flows.values().map(|flow| &flow.skills);
        let listed = |names: &Vec<String>| names.contains(&skill.name);
        if !template && !lists.any(listed) && !lists_of_flows.any(listed) {
            let message = format!(
                "no agent lists the skill `{}`, so none reads it unless another skill refers to it",
                skill.name
            );
            let remedy = "list it under `skills` of an agent, or remove it";
            warnings.push(Problem::new("skill.unlisted", &file, message, remedy));
        }
        let entry = format!("- {}: {}\n", skill.name, skill.description).len().div_ceil(BYTES_PER_TOKEN);
        if entry > ENTRY_TOKENS_MAX {
            let message =
                format!("its line in the prompt has about {entry} tokens; at most {ENTRY_TOKENS_MAX} are good");
            let remedy = "shorten the description: when to use it, and when not";
            warnings.push(Problem::new("skill.entry-long", &file, message, remedy).field("description"));
        }
        let lines = skill.body.lines().count();
        if lines > BODY_LINES_MAX {
            let message = format!("its body has {lines} lines; at most {BODY_LINES_MAX} are good");
            warnings.push(Problem::new("skill.body-long", &file, message, "move parts into reference files"));
        }
    }
    let manifest = plugin.files.shown("plugin.toml");
    observers(plugin, &manifest, warnings);
    same_names(plugin, &manifest, warnings);
}

/// Observers that ask for more than looking takes: something rests on what they do, and their failure passes in silence.
fn observers(plugin: &Plugin, manifest: &str, warnings: &mut Vec<Problem>) {
    let of_observers = plugin.manifest.hooks.iter().filter(|(_, hook)| hook.kind == Kind::Observer);
    for (name, hook) in of_observers {
        let asked =
            hook.capabilities.iter().chain(&hook.optional).filter(|it| ACTING.iter().any(|acts| it == &acts.name()));
        let mut acts: Vec<String> = asked.map(|it| format!("`{it}`")).collect();
        if hook.directories.values().any(|right| right == "read-write") {
            acts.push("writing files".to_owned());
        }
        if !acts.is_empty() {
            let message = format!(
                "the observer `{name}` asks for more than looking takes ({}); where it fails, the run goes on and nobody is told",
                acts.join(", ")
            );
            let remedy = "call it a `guardrail` where a run must not go on without it, a `dialogue` where it speaks with the person";
            warnings.push(Problem::new("hook.observer", manifest, message, remedy).at(hook.line).field(name));
        }
    }
}

/// A name that two things of a plugin have. A hook and a tool of one name share the operator's grant; a command and a skill of
/// one name are one to whoever types it.
fn same_names(plugin: &Plugin, manifest: &str, warnings: &mut Vec<Problem>) {
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let all = [
        ("agent", plugin.agents.keys().filter(|name| !name.starts_with(OF_SKILL)).collect::<Vec<_>>()),
        ("command", plugin.commands.keys().filter(|name| !plugin.manifest.capabilities.contains_key(*name)).collect()),
        ("skill", plugin.skills.keys().filter(|name| !plugin.templates.contains_key(*name)).collect()),
        ("hook", plugin.manifest.hooks.keys().collect()),
        ("tool", plugin.manifest.tools.keys().collect()),
    ];
    for (kind, names) in &all {
        for name in names {
            kinds.entry(name).or_default().push(kind);
        }
    }
    for (name, kinds) in kinds.into_iter().filter(|(_, kinds)| kinds.len() > 1) {
        let message = format!("`{name}` is the name of several things: {}", kinds.join(", "));
        warnings.push(Problem::new("name.twice", manifest, message, "give each a name of its own"));
    }
}
