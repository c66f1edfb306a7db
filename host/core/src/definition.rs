//! Agents, commands and skills, from their markdown files.

use serde_json::Value;

use ta_fields::fields::Fields;
use ta_fields::front_matter::{Document, markdown};
use ta_fields::problem::Problem;

/// The provider that answers with no network and no key: each plugin brings its own, or has none.
pub const PROVIDER_OFFLINE: &str = "offline";
/// Providers that an agent may name.
pub const PROVIDERS: [&str; 9] =
    ["anthropic", "openai", "openai-chat", "google", "ollama", "compatible", "offline", "script", "cassette"];
/// Of them, those that play what was written down, and cannot take over from another.
const PLAYERS: [&str; 2] = ["script", "cassette"];

/// Never on offer unless an agent names it, whole.
pub const WITHHELD_TOOL: &str = "bash";

/// An agent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agent {
    /// Its name, which is its file's.
    pub name: String,
    /// One line about it.
    pub description: String,
    /// The provider's name of its model.
    pub model: String,
    /// Its provider.
    pub provider: String,
    /// Who takes over where the provider fails, as `provider/model` or `provider`.
    pub fallback: Option<String>,
    /// Workspace files shown in its prompt.
    pub workspace: Vec<String>,
    /// Skills in its manifest.
    pub skills: Vec<String>,
    /// Tools that it may call, by name or pattern (`read_*`); empty means all but [`WITHHELD_TOOL`].
    pub tools: Vec<String>,
    /// Whether it may call none: `tools: []`.
    pub no_tools: bool,
    /// Hooks, in order.
    pub hooks: Vec<String>,
    /// Whether it reads and writes memory.
    pub memory: bool,
    /// Agents that it may hand over to.
    pub handoffs: Vec<String>,
    /// Agents that it may spawn as subagents.
    pub subagents: Vec<String>,
    /// JSON Schema of its output; or the path of its file below the plugin, until that is read.
    pub output_schema: Option<Value>,
    /// Model calls at the most.
    pub max_turns: Option<u32>,
    /// US dollars at the most.
    pub max_budget_usd: Option<f64>,
    /// Messages in a row at the most in which one tool only failed.
    pub max_tool_retries: Option<u32>,
    /// Turns in a row without progress at the most.
    pub max_no_progress_iterations: Option<u32>,
    /// Whether a stalled run is asked once for a last answer.
    pub force_finalize_on_stall: Option<bool>,
    /// Its instructions.
    pub body: String,
    /// Line of the field `outputSchema`, for problems found later.
    pub output_schema_line: Option<usize>,
    /// Line of the field `hooks`, for problems found later.
    pub hooks_line: Option<usize>,
    /// Line of the field `tools`, for problems found later.
    pub tools_line: Option<usize>,
}

impl Agent {
    /// Whether it may call the tool of that name.
    #[must_use]
    pub fn may_call(&self, tool: &str) -> bool {
        if self.no_tools {
            return false;
        }
        let any = |patterns: &[String]| {
            patterns.iter().any(|pattern| pattern == tool || (tool != WITHHELD_TOOL && fits(pattern, tool)))
        };
        if self.tools.is_empty() { tool != WITHHELD_TOOL } else { any(&self.tools) }
    }
}

/// Whether a name fits a pattern, in which `*` stands for any letters.
#[must_use]
pub fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return name.ends_with(piece);
        }
        let Some(at) = name.find(piece) else { return false };
        name = name.get(at + piece.len()..).unwrap_or_default();
    }
    true
}

const AGENT_FIELDS: [&str; 19] = [
    "name",
    "description",
    "model",
    "provider",
    "fallback",
    "workspace",
    "skills",
    "tools",
    "hooks",
    "memory",
    "handoffs",
    "subagents",
    "outputSchema",
    "maxTurns",
    "maxBudgetUsd",
    "maxToolRetries",
    "maxNoProgressIterations",
    "forceFinalizeOnStall",
    "color",
];

/// A command: a named way into a plugin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// Its name, which is its file's.
    pub name: String,
    /// The agent that it invokes; empty where it has a flow.
    pub agent: String,
    /// The flow that says what comes next, in place of an agent.
    pub flow: Option<String>,
    /// Shown in `--list`.
    pub description: String,
    /// Whether it is a conversation or a single request.
    pub interactive: bool,
    /// Where its output is saved, below the workspace, with `{subject}` and `{topic}`.
    pub writes: Option<String>,
    /// Its framing.
    pub body: String,
}

/// A skill's own file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillHead {
    /// Its name.
    pub name: String,
    /// Its line in the prompt.
    pub description: String,
    /// Its text.
    pub body: String,
    /// Whether it is a template: it has parameters.
    pub template: bool,
}

fn open(file: &str, text: &str, what: &str, problems: &mut Vec<Problem>) -> Option<(Fields, String)> {
    match markdown(file, text) {
        Ok(Document { fields: Some(fields), body }) => Some((fields, body)),
        Ok(Document { fields: None, .. }) => {
            let remedy = format!("begin the file with `---`, the fields of {what}, and `---`");
            problems
                .push(Problem::new("front-matter.missing", file, "the file has no front matter", remedy).at(Some(1)));
            None
        }
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

/// Reads an agent. Every problem goes into the list; none comes back only where nothing could be read.
pub fn agent(file: &str, name: &str, text: &str, problems: &mut Vec<Problem>) -> Option<Agent> {
    let (fields, body) = open(file, text, "an agent", problems)?;
    fields.only(&AGENT_FIELDS, problems);
    let provider = fields.one_of("provider", &PROVIDERS, problems);
    if !fields.fields.contains_key("provider") {
        fields.required("provider", "provider: anthropic", problems);
    }
    same_name(&fields, file, name, problems);
    Some(Agent {
        name: name.to_owned(),
        description: fields.text("description", problems).unwrap_or_default(),
        model: fields.required("model", "model: claude-sonnet-4-5", problems),
        provider: provider.unwrap_or_default(),
        fallback: fallback(&fields, problems),
        workspace: fields.list("workspace", problems),
        skills: fields.list("skills", problems),
        no_tools: fields.fields.get("tools").is_some_and(|field| field.value.as_array().is_some_and(Vec::is_empty)),
        tools: fields.list("tools", problems),
        hooks: fields.list("hooks", problems),
        memory: fields.boolean("memory", problems).unwrap_or(true),
        handoffs: fields.list("handoffs", problems),
        subagents: fields.list("subagents", problems),
        output_schema: fields.object_or_path("outputSchema", problems),
        max_turns: fields.count("maxTurns", 1..=1_000, problems),
        max_budget_usd: fields.amount("maxBudgetUsd", problems),
        max_tool_retries: fields.count("maxToolRetries", 0..=100, problems),
        max_no_progress_iterations: fields.count("maxNoProgressIterations", 1..=100, problems),
        force_finalize_on_stall: fields.boolean("forceFinalizeOnStall", problems),
        output_schema_line: fields.fields.get("outputSchema").map(|field| field.line),
        hooks_line: fields.fields.get("hooks").map(|field| field.line),
        tools_line: fields.fields.get("tools").map(|field| field.line),
        body: body.trim().to_owned(),
    })
}

fn fallback(fields: &Fields, problems: &mut Vec<Problem>) -> Option<String> {
    let text = fields.text("fallback", problems)?;
    let (provider, model) = text.split_once('/').unwrap_or((&text, "-"));
    let able: Vec<&str> = PROVIDERS.iter().copied().filter(|name| !PLAYERS.contains(name)).collect();
    if able.contains(&provider) && !model.is_empty() {
        return Some(text);
    }
    let message = format!("`{text}` cannot take over: it is written `provider/model` or `provider`");
    let remedy = format!("use one of the providers: {}", able.join(", "));
    let line = fields.fields.get("fallback").map(|field| field.line);
    problems.push(Problem::new("field.value", &fields.file, message, remedy).at(line).field("fallback"));
    None
}

/// Reads a command.
pub fn command(file: &str, name: &str, text: &str, problems: &mut Vec<Problem>) -> Option<Command> {
    let (fields, body) = open(file, text, "a command", problems)?;
    fields.only(
        &["name", "agent", "flow", "description", "mode", "writes", "argument-hint", "allowed-tools", "model"],
        problems,
    );
    same_name(&fields, file, name, problems);
    let mode = fields.one_of("mode", &["single", "interactive"], problems);
    let flow = fields.text("flow", problems);
    let agent = match &flow {
        None => fields.required("agent", "agent: planner", problems),
        Some(_) => String::new(),
    };
    if flow.is_some() && fields.fields.contains_key("agent") {
        let message = "a command has an agent or a flow, not both";
        problems.push(Problem::new("field.value", file, message, "leave one of them away").field("flow"));
    }
    Some(Command {
        name: name.to_owned(),
        agent,
        flow,
        description: fields.required("description", "description: Writes the notes of a release.", problems),
        interactive: mode.as_deref() == Some("interactive"),
        writes: fields.text("writes", problems),
        body: body.trim().to_owned(),
    })
}

/// Reads a skill's `SKILL.md`.
pub fn skill(file: &str, name: &str, text: &str, problems: &mut Vec<Problem>) -> Option<SkillHead> {
    let (fields, body) = open(file, text, "a skill", problems)?;
    let own = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
    fields.only(&[own.as_slice(), &["parameters", "agent", "version", "author"]].concat(), problems);
    same_name(&fields, file, name, problems);
    let description = fields.required("description", "description: One line that says when to use it.", problems);
    let template = fields.fields.contains_key("parameters");
    Some(SkillHead { name: name.to_owned(), description, body: body.trim().to_owned(), template })
}

/// A name in the front matter must be the file's: two names for one thing would be found by neither.
fn same_name(fields: &Fields, file: &str, name: &str, problems: &mut Vec<Problem>) {
    let Some(written) = fields.text("name", problems).filter(|written| written != name) else { return };
    let message = format!("the name `{written}` is not the file's, `{name}`");
    let line = fields.fields.get("name").map(|field| field.line);
    problems.push(
        Problem::new("field.value", file, message, format!("write `name: {name}` or rename the file"))
            .at(line)
            .field("name"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_with_defaults() {
        let mut problems = Vec::new();
        let text = "---\nmodel: m\nprovider: offline\n---\n\nDo it.\n";
        let agent = agent("agents/planner.md", "planner", text, &mut problems).unwrap();
        assert_eq!(problems, []);
        assert!(agent.memory && agent.tools.is_empty() && agent.max_turns.is_none());
        assert_eq!(agent.body, "Do it.");
    }

    #[test]
    fn every_problem_at_once_with_line_and_remedy() {
        let mut problems = Vec::new();
        let text = "---\nprovider: antropic\nmaxTurns: many\nhook: [x]\nmemory: perhaps\n---\nDo it.\n";
        agent("agents/planner.md", "planner", text, &mut problems);
        let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn tools_by_name_and_by_pattern() {
        let agent =
            |tools: &[&str]| Agent { tools: tools.iter().map(|it| (*it).to_owned()).collect(), ..Agent::default() };
        for (tools, tool, may) in [
            (&[][..], "read_file", true),
            (&[], "bash", false),
            (&["*"], "read_file", true),
            (&["*"], "bash", false),
            (&["bash"], "bash", true),
            (&["read_*", "x"], "read_file", true),
            (&["read_*"], "write_file", false),
            (&["*_file"], "read_file", true),
            (&["r*d*e"], "read_file", true),
            (&["r*x*e"], "read_file", false),
        ] {
            assert_eq!(agent(tools).may_call(tool), may, "{tools:?} {tool}");
        }
        assert!(!Agent { no_tools: true, ..Agent::default() }.may_call("read_file"));
    }

    #[test]
    fn a_command_needs_an_agent() {
        let mut problems = Vec::new();
        command("commands/c.md", "c", "---\ndescription: d\nmode: loop\n---\n", &mut problems);
        let codes: Vec<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(codes, ["field.value", "field.missing"]);
    }
}
