//! The provider `offline` of the tutor that plans: it answers its agents from the plugin's topics, with no model, and says so.
//!
//! What it answers is `ta_study::offline`.

use ta_guest::provider::{Answer, Failure, Request};
use ta_guest::skills;
use ta_guest::types::Role;
use ta_study::offline;

/// The skill whose files are the topics.
const TOPICS: &str = "topics";

ta_guest::provider!(complete);

fn complete(request: &Request) -> Result<Answer, Failure> {
    let asked =
        request.messages.iter().rev().find(|message| message.role == Role::User && !message.said.trim().is_empty());
    let asked = asked.map(|message| message.said.as_str()).unwrap_or_default();
    Ok(match offline::answer(&file, asked) {
        Ok(answer) => Answer::text(request, answer),
        Err(reason) => Answer::declined(request, reason),
    })
}

fn file(name: &str) -> Result<String, String> {
    let reference = if name.is_empty() { TOPICS.to_owned() } else { format!("{TOPICS}/{name}") };
    skills::read(&reference).map(|skill| skill.text)
}

#[cfg(test)]
mod tests {
    use ta_guest::provider::{Message, Request, Stop};

    use super::*;

    #[test]
    fn what_is_none_of_the_agents_questions_is_declined() {
        let request = Request { messages: vec![Message::user("write me a poem")], ..Request::default() };
        let answer = complete(&request).unwrap();
        assert!(matches!(answer.stop, Stop::Declined(reason) if reason.contains("the agents of this tutor")));
    }

    #[test]
    fn a_summary_needs_no_topic() {
        let asked = r#"{"task":"summarise","assessment_notes":"2026-11-23T07:00:00Z - Was right."}"#;
        let request = Request { messages: vec![Message::user(asked)], ..Request::default() };
        assert_eq!(complete(&request).unwrap().text, r#"{"summary":"Was right."}"#);
    }
}
