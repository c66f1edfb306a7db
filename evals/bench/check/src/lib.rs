//! The small check that the benchmark asks of every way to run a hook, in plain Rust: it counts words and looks for
//! the sections that a lesson must have.
//!
//! It knows nothing of whoever calls it: function, component, Extism plugin and spawned program share these lines.
//! Start with [`check_event`].

use serde_json::{Value, json};

/// Headings that a lesson must have.
const REQUIRED: [&str; 8] = [
    "outcomes",
    "success criteria",
    "starter",
    "explanation",
    "practice",
    "differentiation",
    "plenary",
    "exit questions",
];

/// What the check says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Words of all texts.
    pub words: usize,
    /// A sentence for each section that is missing; none means that the event passes.
    pub findings: Vec<String>,
}

impl Answer {
    /// Whether the run may go on.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.findings.is_empty()
    }

    /// The answer for callers that speak JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let verdict = if self.passes() { "pass" } else { "abort" };
        json!({ "verdict": verdict, "words": self.words, "findings": self.findings }).to_string()
    }
}

/// Checks an event that comes as JSON: the texts of its `messages`.
///
/// # Errors
/// A text that is no JSON.
pub fn check_event(event: &str) -> Result<Answer, serde_json::Error> {
    let event: Value = serde_json::from_str(event)?;
    let messages = event.get("messages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Ok(check_texts(messages.iter().filter_map(|message| message.get("text")?.as_str())))
}

/// Checks texts. Texts without any heading are no lesson, and pass.
pub fn check_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Answer {
    let mut words = 0;
    let mut headings = Vec::new();
    for text in texts {
        for line in text.lines() {
            words += line.split_whitespace().count();
            if let Some(heading) = line.trim_start().strip_prefix('#') {
                headings.push(heading.trim_start_matches('#').trim().to_lowercase());
            }
        }
    }
    let missing = |name: &&&str| !headings.is_empty() && !headings.iter().any(|heading| heading.starts_with(**name));
    let findings = REQUIRED.iter().filter(missing).map(|name| format!("the section `{name}` is missing")).collect();
    Answer { words, findings }
}

#[cfg(test)]
mod tests {
    use super::{check_event, check_texts};

    #[test]
    fn words_are_counted_and_missing_sections_are_found() {
        let lesson = "## Outcomes\none two\n## Success criteria\n## STARTER (8 minutes)\n## Explanation\n## Practice";
        let answer = check_texts([lesson, "## Differentiation\n## Plenary"]);
        assert_eq!(answer.findings, ["the section `exit questions` is missing"]);
        assert_eq!(answer.words, 19);
        assert!(check_texts(["no lesson at all"]).passes());
    }

    #[test]
    fn an_event_in_json_is_checked_alike() {
        let answer = check_event(r##"{"messages":[{"text":"# Outcomes"},{"text":"two words"}]}"##).unwrap();
        assert_eq!((answer.words, answer.findings.len()), (4, 7));
        assert!(answer.to_json().starts_with(r#"{"findings":["#));
        assert!(check_event("{").is_err());
    }
}
