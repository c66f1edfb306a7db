//! `{{name}}`: a tool that finds what is not finished yet in a text.

use ta_guest::Context;
use ta_guest::arguments::Arguments;
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;

ta_guest::tool!(definitions, call);

/// The mark of a place that somebody meant to come back to.
const MARK: &str = "TODO";

const FIND_UNFINISHED: &str = r#"{
    "type": "object", "required": ["text"], "additionalProperties": false,
    "properties": { "text": { "type": "string", "description": "The text to look through" } }
}"#;

fn definitions() -> Vec<Definition> {
    vec![Definition {
        name: "find_unfinished".into(),
        description: "Names the lines of a text that are marked as unfinished.".into(),
        input_schema: FIND_UNFINISHED.into(),
        idempotent: true,
        only_reads: true,
    }]
}

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    let arguments = Arguments::parse(call, FIND_UNFINISHED)?;
    let text = arguments.text("text").ok_or_else(|| Failure::new("arguments", "give the text"))?;
    Ok(unfinished(text))
}

fn unfinished(text: &str) -> String {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains(MARK));
    let said: Vec<String> = lines.map(|(number, _): (u32, _)| format!("line {number} says `{MARK}`")).collect();
    if said.is_empty() { format!("no `{MARK}`") } else { said.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_named() {
        assert_eq!(unfinished("One\nTODO: two\nthree TODO"), "line 2 says `TODO`\nline 3 says `TODO`");
        assert_eq!(unfinished("All is said."), "no `TODO`");
    }

    #[test]
    fn a_call_without_its_argument_is_refused() {
        let call_of = |arguments: &str| ToolCall { id: "1".into(), name: "find_unfinished".into(), arguments: arguments.into() };
        assert!(call(&Context::default(), &call_of("{}")).is_err());
        assert_eq!(call(&Context::default(), &call_of(r#"{"text": "TODO"}"#)).unwrap(), "line 1 says `TODO`");
    }
}
