//! The tool `read_skill`: the body of a skill, or one of its reference files.
//!
//! This crate reads no file: the host knows the plugin's skills, expands their references and says what there is.
//! Start reading at [`read_skill`].

use ta_guest::Context;
use ta_guest::arguments::Arguments;
use ta_guest::skills::{self, SkillText};
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;

const READ_SKILL: &str = r#"{
    "type": "object", "required": ["name"], "additionalProperties": false,
    "properties": {
        "name": { "type": "string", "description": "A skill, such as retrieval-practice, or one of its files, such as retrieval-practice/question-types.md" }
    }
}"#;

ta_guest::tool!(definitions, call);

/// Where skills come from: the host in a component, a table in tests.
trait Skills {
    fn read(&self, reference: &str) -> Result<SkillText, String>;
}

struct Host;

impl Skills for Host {
    fn read(&self, reference: &str) -> Result<SkillText, String> {
        skills::read(reference)
    }
}

fn definitions() -> Vec<Definition> {
    vec![Definition {
        name: "read_skill".into(),
        description:
            "Reads a skill of the plugin: guidance on how to do a part of the work well. Read the skill before \
                      doing what it is about. Its text names further files; read those as name/file when you need them."
                .into(),
        input_schema: READ_SKILL.into(),
        idempotent: true,
        only_reads: true,
    }]
}

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    dispatch(&Host, call)
}

fn dispatch(skills: &impl Skills, call: &ToolCall) -> Result<String, Failure> {
    match call.name.as_str() {
        "read_skill" => read_skill(skills, &Arguments::parse(call, READ_SKILL)?),
        other => Err(Failure::new("unknown-tool", format!("There is no tool `{other}` here; there is read_skill."))),
    }
}

fn read_skill(skills: &impl Skills, arguments: &Arguments) -> Result<String, Failure> {
    let reference = reference(arguments.text("name").unwrap_or_default());
    if reference.is_empty() {
        return Err(Failure::new("arguments", "`name`: name a skill of the prompt's list of skills."));
    }
    // What went wrong inside the skill stands in its text, where the model meets it.
    skills.read(&reference).map(|skill| skill.text).map_err(|message| Failure::new("not-found", message))
}

/// The reference that a model means by a path: `skills/scaffolding/SKILL.md` is the skill `scaffolding`.
fn reference(name: &str) -> String {
    let slashed = name.trim().replace('\\', "/");
    let name = slashed.trim_start_matches("./").trim_start_matches("skills/").trim_end_matches('/');
    name.strip_suffix("/SKILL.md").unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use ta_guest::skills::{SkillText, Tier};
    use ta_guest::types::ToolCall;

    use super::{Skills, dispatch};

    struct Table;

    impl Skills for Table {
        fn read(&self, reference: &str) -> Result<SkillText, String> {
            let tier = match reference {
                "scaffolding" => Tier::Body,
                "scaffolding/ladder.md" => Tier::Reference,
                other => return Err(format!("there is no skill `{other}`; there is scaffolding")),
            };
            Ok(SkillText { tier, text: format!("text of {reference}"), problems: Vec::new() })
        }
    }

    fn read(arguments: &str) -> Result<String, (String, String)> {
        let call = ToolCall { id: "1".into(), name: "read_skill".into(), arguments: arguments.into() };
        dispatch(&Table, &call).map_err(|failure| (failure.code, failure.message))
    }

    #[test]
    fn a_skill_and_its_files_are_read() {
        for name in ["scaffolding", " scaffolding/ ", "skills/scaffolding/SKILL.md", "./skills\\\\scaffolding"] {
            assert_eq!(read(&format!(r#"{{"name":"{name}"}}"#)).unwrap(), "text of scaffolding", "{name}");
        }
        assert_eq!(read(r#"{"name":"scaffolding/ladder.md"}"#).unwrap(), "text of scaffolding/ladder.md");
    }

    #[test]
    fn what_there_is_not_says_what_there_is() {
        assert_eq!(
            read(r#"{"name":"ladders"}"#).unwrap_err(),
            ("not-found".into(), "there is no skill `ladders`; there is scaffolding".into())
        );
        assert_eq!(read(r#"{"name":"  "}"#).unwrap_err().0, "arguments");
        assert_eq!(read("{}").unwrap_err().0, "arguments");
    }
}
