//! The provider `offline` of the lesson plugins: lessons by rules, where no vendor's model is asked.
//!
//! What is written is decided in `ta-planner`; here its request is taken from the contract's records and its answer put into
//! them. It needs no import.

use ta_guest::provider::{Answer, Failure, Message, PromptPart, Request};
use ta_guest::types::{Role, ToolCall};
use ta_planner::provider as planner;

ta_guest::provider!(complete);

fn complete(request: &Request) -> Result<Answer, Failure> {
    let asked = planner::Request {
        parts: request.parts.iter().map(part).collect(),
        messages: request.messages.iter().map(message).collect(),
        tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
    };
    let answer = ta_planner::answer(&asked);
    if answer.declined {
        return Ok(Answer::declined(request, answer.text));
    }
    if answer.calls.is_empty() {
        return Ok(Answer::text(request, answer.text));
    }
    let call = |it: planner::ToolCall| ToolCall { id: it.id, name: it.name, arguments: it.arguments };
    Ok(Answer::calls(request, answer.calls.into_iter().map(call).collect()))
}

fn part(it: &PromptPart) -> planner::Part {
    let about = it.about.iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect();
    planner::Part { name: it.name.clone(), about, text: it.text.clone() }
}

fn message(it: &Message) -> planner::Message {
    let role = match it.role {
        Role::User => planner::Role::User,
        Role::Assistant => planner::Role::Assistant,
        Role::Tool => planner::Role::Tool,
    };
    let call =
        |it: &ToolCall| planner::ToolCall { id: it.id.clone(), name: it.name.clone(), arguments: it.arguments.clone() };
    let result = it.result.as_ref().map(|it| planner::ToolResult {
        id: it.id.clone(),
        name: it.name.clone(),
        failed: it.failed,
        text: it.text.clone(),
    });
    planner::Message {
        role,
        said: it.said.clone(),
        parts: it.parts.iter().map(part).collect(),
        calls: it.calls.iter().map(call).collect(),
        result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ta_guest::provider::{Stop, Tool};

    fn request(said: Message) -> Request {
        let tool = |name: &str| Tool { name: name.into(), description: String::new(), input_schema: "{}".into() };
        Request {
            parts: vec![PromptPart::new("command", &[("name", "create-lesson")], "Plan it.")],
            messages: vec![said],
            tools: ["list_directory", "read_file"].map(tool).into(),
            ..Request::default()
        }
    }

    #[test]
    fn it_looks_around_before_it_writes() {
        let answer = complete(&request(Message::user("iteration for 3B"))).unwrap();
        let asked: Vec<&str> = answer.calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(asked, ["list_directory", "list_directory", "list_directory"]);
        assert!(matches!(answer.stop, Stop::ToolUse) && answer.text.is_empty() && answer.input_tokens > 0);
    }

    #[test]
    fn what_it_was_sent_back_for_reaches_the_planner() {
        let part = PromptPart::new("rework", &[("hook", "teacher-adjudication")], "- Revise \"Starter\": shorter");
        let mut asked = request(Message::user("iteration for 3B"));
        asked.messages.push(Message::assistant("# Loops\n\n## Starter (5 minutes)\n\nThree questions.\n", Vec::new()));
        asked.messages.push(Message { parts: vec![part], ..Message::user("") });
        let answer = complete(&asked).unwrap();
        assert!(matches!(answer.stop, Stop::EndTurn) || !answer.calls.is_empty());
        assert_ne!(answer.text, asked.messages[1].said);
    }
}
