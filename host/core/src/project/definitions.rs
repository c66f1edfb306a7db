//! Agents and skills of a project: one markdown file each, below `.agent/agents` and `.agent/skills`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::check_name;
use super::template::Template;
use crate::definition::PROVIDERS;
use ta_fields::fields::{Fields, nearest};
use ta_fields::front_matter::{Document, markdown};
use ta_fields::problem::Problem;

/// An agent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProjectAgent {
    /// Its id.
    pub id: String,
    /// Its name for people: `Senior Engineer`.
    pub name: String,
    /// One line about it.
    pub description: String,
    /// Its model: one of the operator's tiers, or a provider's name of one.
    pub model: Option<String>,
    /// Its provider, where the model is named by its provider's name.
    pub provider: Option<String>,
    /// Tools that it may call, by name or pattern.
    pub allowed_tools: Vec<String>,
    /// Line that names them.
    pub allowed_tools_line: Option<usize>,
    /// Skills that it may read.
    pub skills: Vec<String>,
    /// Agents that it may spawn.
    pub subagents: Vec<String>,
    /// Agents that it may hand over to.
    pub handoffs: Vec<String>,
    /// Model calls at the most.
    pub max_turns: Option<u32>,
    /// Its instructions: `systemPrompt`, then the text of the file.
    pub instructions: String,
    /// Its file, as the person would name it.
    pub file: String,
}

const AGENT_FIELDS: [&str; 11] = [
    "id",
    "name",
    "description",
    "model",
    "provider",
    "allowedTools",
    "skills",
    "subagents",
    "handoffs",
    "maxTurns",
    "systemPrompt",
];

/// A skill.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProjectSkill {
    /// Its name, without the slash that it is called with.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// Its parameters, in the order of their names; without any it is text to be read, and nothing to be called.
    pub parameters: BTreeMap<String, Parameter>,
    /// The agent that does it; without one the model answers once, with no tools.
    pub agent: Option<String>,
    /// Its text.
    pub body: String,
    /// Its file, as the person would name it.
    pub file: String,
}

/// A parameter of a skill.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Parameter {
    /// `string`, `number` or `boolean`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is.
    pub description: String,
    /// Whether it has to be given.
    pub required: bool,
    /// Its line in the file: the first required text takes what stands behind `/name`.
    #[serde(skip)]
    pub line: usize,
}

const SKILL_FIELDS: [&str; 6] = ["name", "description", "parameters", "agent", "version", "author"];
const KINDS: [&str; 3] = ["string", "number", "boolean"];

fn open(file: &str, text: &str, what: &str, problems: &mut Vec<Problem>) -> Option<(Fields, String)> {
    match markdown(file, text) {
        Ok(Document { fields: Some(fields), body }) => Some((fields, body)),
        Ok(Document { fields: None, .. }) => {
            let remedy = format!("begin the file with `---`, the fields of {what}, and `---`");
            let message = "the file has no front matter";
            problems.push(Problem::new("front-matter.missing", file, message, remedy).at(Some(1)));
            None
        }
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

/// Reads an agent; its id is its file's name where it says none.
pub fn agent(file: &str, stem: &str, text: &str, problems: &mut Vec<Problem>) -> Option<ProjectAgent> {
    let (fields, body) = open(file, text, "an agent", problems)?;
    fields.only(&AGENT_FIELDS, problems);
    let id = fields.text("id", problems).unwrap_or_else(|| stem.to_owned());
    check_name(&fields, "id", &id, problems);
    let prompt = fields.text("systemPrompt", problems).unwrap_or_default();
    let instructions =
        [prompt.as_str(), body.trim()].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n\n");
    if instructions.is_empty() {
        let remedy = "write what it is to do below the front matter, or as `systemPrompt`";
        problems.push(Problem::new("field.missing", file, "the agent has no instructions", remedy));
    }
    Some(ProjectAgent {
        name: fields.text("name", problems).unwrap_or_else(|| titled(&id)),
        id,
        description: fields.required("description", "description: Reads code and reports what is wrong.", problems),
        model: fields.text("model", problems),
        provider: fields.one_of("provider", &PROVIDERS, problems),
        allowed_tools: match fields.fields.contains_key("allowedTools") {
            true => fields.list("allowedTools", problems),
            false => vec!["*".to_owned()],
        },
        allowed_tools_line: fields.fields.get("allowedTools").map(|field| field.line),
        skills: fields.list("skills", problems),
        subagents: fields.list("subagents", problems),
        handoffs: fields.list("handoffs", problems),
        max_turns: fields.count("maxTurns", 1..=1_000, problems),
        instructions,
        file: file.to_owned(),
    })
}

/// `senior-engineer` as a person would say it: `Senior Engineer`.
#[must_use]
pub fn titled(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    id.split(['-', '_']).map(word).collect::<Vec<_>>().join(" ")
}

/// Reads a skill; its name is its file's where it says none.
pub fn skill(file: &str, stem: &str, text: &str, problems: &mut Vec<Problem>) -> Option<ProjectSkill> {
    let (fields, body) = open(file, text, "a skill", problems)?;
    fields.only(&SKILL_FIELDS, problems);
    let name = fields.text("name", problems).unwrap_or_else(|| stem.to_owned());
    check_name(&fields, "name", &name, problems);
    let parameters = parameters(&fields, problems);
    let names: Vec<&str> = parameters.keys().map(String::as_str).collect();
    if !parameters.is_empty()
        && let Err(wrong) = Template::read(&body, &names)
    {
        // The body begins behind the front matter.
        let before = text.len().saturating_sub(body.len());
        let before = text.get(..before).unwrap_or_default().matches('\n').count();
        for (line, why) in wrong {
            let remedy = match names.as_slice() {
                [] => "take the place out".to_owned(),
                names => format!("the parameters are: {}", names.join(", ")),
            };
            problems.push(Problem::new("skill.template", file, why, remedy).at(Some(before + line)));
        }
    }
    Some(ProjectSkill {
        name,
        description: fields.required("description", "description: One line that says when to use it.", problems),
        parameters,
        agent: fields.text("agent", problems),
        body: body.trim().to_owned(),
        file: file.to_owned(),
    })
}

fn parameters(fields: &Fields, problems: &mut Vec<Problem>) -> BTreeMap<String, Parameter> {
    let Some(field) = fields.fields.get("parameters") else { return BTreeMap::new() };
    let mut wrong = |name: &str, message: String, remedy: &str| {
        let place = if name.is_empty() { "parameters".to_owned() } else { format!("parameters.{name}") };
        problems
            .push(Problem::new("skill.parameter", &fields.file, message, remedy).at(Some(field.line)).field(&place));
    };
    let Some(table) = &field.table else {
        wrong("", "the parameters are no table".to_owned(), "write `parameters:` and each name below it");
        return BTreeMap::new();
    };
    let mut parameters = BTreeMap::new();
    for (name, field) in &table.fields {
        match parameter(name, &field.value) {
            Ok(parameter) => drop(parameters.insert(name.clone(), Parameter { line: field.line, ..parameter })),
            Err((message, remedy)) => wrong(name, message, &remedy),
        }
    }
    parameters
}

fn parameter(name: &str, value: &Value) -> Result<Parameter, (String, String)> {
    let table = match value {
        Value::Object(table) => table.clone(),
        Value::Null => Map::new(),
        _ => {
            return Err((
                format!("the parameter `{name}` is no table"),
                "write `type`, `description`, `required`".to_owned(),
            ));
        }
    };
    if !super::is_name(name) {
        return Err((
            format!("`{name}` is no name of a parameter"),
            "write small letters, digits and hyphens".to_owned(),
        ));
    }
    let known = ["type", "description", "required"];
    if let Some(field) = table.keys().find(|field| !known.contains(&field.as_str())) {
        let near = nearest(field, &known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        return Err((
            format!("a parameter has no field `{field}`"),
            format!("{near}The fields are: {}", known.join(", ")),
        ));
    }
    let kind = table.get("type").and_then(Value::as_str).unwrap_or("string").to_owned();
    if !KINDS.contains(&kind.as_str()) {
        return Err((format!("`{kind}` is no type of a parameter"), format!("use one of: {}", KINDS.join(", "))));
    }
    let required = match table.get("required") {
        None => false,
        Some(Value::Bool(required)) => *required,
        Some(_) => {
            return Err((
                format!("`required` of `{name}` is neither true nor false"),
                "write `required: true`".to_owned(),
            ));
        }
    };
    let description = table.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Parameter { kind, description, required, line: 0 })
}

impl ProjectSkill {
    /// The JSON Schema of its arguments, as a tool.
    #[must_use]
    pub fn schema(&self) -> Value {
        let properties: Map<String, Value> = self
            .parameters
            .iter()
            .map(|(name, it)| (name.clone(), json!({ "type": it.kind, "description": it.description })))
            .collect();
        let required: Vec<&String> =
            self.parameters.iter().filter(|(_, it)| it.required).map(|(name, _)| name).collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }

    /// The values in the words behind `/name`: `parameter=value` where the parameter is one, and everything else, together, for the
    /// first required text; where there is none, for the first text.
    ///
    /// # Errors
    /// A sentence that says which parameter is missing, or is of the wrong type.
    pub fn values(&self, words: &[String]) -> Result<BTreeMap<String, String>, String> {
        let mut values = BTreeMap::new();
        let mut rest = Vec::new();
        for word in words {
            match word.split_once('=').filter(|(name, _)| self.parameters.contains_key(*name)) {
                Some((name, value)) => drop(values.insert(name.to_owned(), value.to_owned())),
                None => rest.push(word.as_str()),
            }
        }
        let texts = |required: bool| {
            let of = self.parameters.iter().filter(move |(_, it)| it.kind == "string" && it.required == required);
            of.min_by_key(|(_, it)| it.line).map(|(name, _)| name.clone())
        };
        let rest = rest.join(" ");
        if !rest.trim().is_empty() {
            let Some(name) = texts(true).or_else(|| texts(false)).filter(|name| !values.contains_key(name)) else {
                return Err(format!("`{rest}` is no value of a parameter: write name=value; {}", self.usage()));
            };
            values.insert(name, rest);
        }
        self.check(&values)?;
        Ok(values)
    }

    /// The values in a call's arguments, which are a JSON object.
    ///
    /// # Errors
    /// A sentence that the model reads.
    pub fn arguments(&self, arguments: &str) -> Result<BTreeMap<String, String>, String> {
        let table: Map<String, Value> =
            serde_json::from_str(arguments).map_err(|error| format!("the arguments are no JSON object: {error}"))?;
        let mut values = BTreeMap::new();
        for (name, value) in table {
            if !self.parameters.contains_key(&name) {
                return Err(format!("there is no parameter `{name}`; {}", self.usage()));
            }
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text,
                other => other.to_string(),
            };
            values.insert(name, text);
        }
        self.check(&values)?;
        Ok(values)
    }

    fn check(&self, values: &BTreeMap<String, String>) -> Result<(), String> {
        for (name, parameter) in &self.parameters {
            let Some(value) = values.get(name) else {
                match parameter.required {
                    true => return Err(format!("`{name}` is missing; {}", self.usage())),
                    false => continue,
                }
            };
            let fits = match parameter.kind.as_str() {
                "number" => value.parse::<f64>().is_ok_and(f64::is_finite),
                "boolean" => ["true", "false"].contains(&value.as_str()),
                _ => true,
            };
            if !fits {
                return Err(format!("`{value}` is no {} for `{name}`", parameter.kind));
            }
        }
        Ok(())
    }

    /// How it is called.
    #[must_use]
    pub fn usage(&self) -> String {
        let mut all: Vec<_> = self.parameters.iter().collect();
        all.sort_by_key(|(_, it)| (!it.required, it.line));
        let word = |(name, it): (&String, &Parameter)| {
            if it.required { format!("{name}=…") } else { format!("[{name}=…]") }
        };
        format!("/{} {}", self.name, all.into_iter().map(word).collect::<Vec<_>>().join(" "))
    }

    /// What is asked, with these values in its places.
    #[must_use]
    pub fn asked(&self, values: &BTreeMap<String, String>) -> String {
        let names: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
        Template::read(&self.body, &names).map_or_else(|_| self.body.clone(), |template| template.fill(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARISE: &str = "---\nname: summarise\ndescription: Sums up.\nparameters:\n  text: { type: string, required: true }\n  \
                             words: { type: number }\n---\nIn {{words | \"50\"}} words:\n\n{{text}}\n";

    fn read(text: &str) -> (Option<ProjectSkill>, Vec<Problem>) {
        let mut problems = Vec::new();
        let skill = skill("s.md", "summarise", text, &mut problems);
        (skill, problems)
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_rest_of_the_line_is_the_first_required_text() {
        let (skill, problems) = read(SUMMARISE);
        assert_eq!(problems, []);
        let skill = skill.unwrap();
        let values = skill.values(&words("a long text words=20")).unwrap();
        assert_eq!(skill.asked(&values), "In 20 words:\n\na long text");
        assert_eq!(
            skill.asked(&skill.arguments("{\"text\":\"{{words}}\",\"words\":5}").unwrap()),
            "In 5 words:\n\n{{words}}"
        );
        assert!(skill.values(&[]).unwrap_err().contains("`text` is missing; /summarise text=… [words=…]"));
        assert!(skill.values(&words("a words=many")).unwrap_err().contains("is no number"));
        assert!(skill.arguments("{\"text\":\"a\",\"length\":1}").unwrap_err().contains("no parameter `length`"));
        assert_eq!(skill.schema()["required"], json!(["text"]));
    }

    #[test]
    fn a_template_that_names_what_is_no_parameter_is_told_with_its_line() {
        let (_, problems) = read(&SUMMARISE.replace("{{text}}", "{{txet}}"));
        assert_eq!((problems[0].code.as_str(), problems[0].line), ("skill.template", Some(10)));
        assert!(problems[0].message.contains("did you mean `text`?"), "{}", problems[0].message);
    }

    #[test]
    fn an_agent_of_a_project() {
        let mut problems = Vec::new();
        let text = "---\ndescription: d\nsystemPrompt: First.\nallowedTools: [read_*]\n---\nThen.\n";
        let agent = agent("a.md", "senior-engineer", text, &mut problems).unwrap();
        assert_eq!(problems, []);
        assert_eq!((agent.name.as_str(), agent.instructions.as_str()), ("Senior Engineer", "First.\n\nThen."));
        assert_eq!(titled("ux-review"), "Ux Review");
    }
}
