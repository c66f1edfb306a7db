//! What a flow says about a hint: the problem, its answers, values on the way, and the level of help.

use serde_json::Value;

/// The last level that is a hint; a worked solution comes behind it and may say everything.
const HINT_LEVEL_MAX: u64 = 3;

/// The facts of a hint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The problem as the learner sees it.
    pub problem: String,
    /// The right answers; several are all needed.
    pub answers: Vec<String>,
    /// Values on the way that give the answer away.
    pub steps: Vec<String>,
}

impl Facts {
    /// The facts in the JSON of an event; none where the exchange gives no hint.
    ///
    /// # Errors
    /// A sentence, where the text is not of this form: a guard that cannot read them must not let a hint pass.
    pub fn read(text: &str) -> Result<Option<Self>, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("the facts are no JSON: {error}"))?;
        let level = value.get("level").and_then(Value::as_u64);
        let Some(level) = level else {
            return Ok(None);
        };
        if level == 0 || level > HINT_LEVEL_MAX {
            return Ok(None);
        }
        let list = |name: &str| match value.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => items.iter().map(|item| text_of(name, item)).collect::<Result<Vec<_>, _>>(),
            Some(_) => Err(format!("`{name}` in the facts is no list")),
        };
        let problem = value.get("problem").and_then(Value::as_str).unwrap_or_default().to_owned();
        let facts = Self { problem, answers: list("answers")?, steps: list("steps")? };
        Ok((!facts.answers.is_empty()).then_some(facts))
    }
}

fn text_of(name: &str, item: &Value) -> Result<String, String> {
    match item {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(format!("an entry of `{name}` in the facts is no text")),
    }
}
