//! The provider `offline` of release notes: writes them by rules, with no network and no language model.
//!
//! It does what a model would do with the same prompt: it calls `list_changes`, and writes notes from what that answers, each
//! item with its commits. Wishes that it understands are few, and every answer says how it came about: subjects stand as
//! their authors wrote them. The same request has the same answer. Start reading at [`complete`].

mod notes;
mod wishes;

use serde_json::Value;
use ta_guest::provider::{Answer, Failure, Message, Request};
use ta_guest::types::{Role, ToolCall, ToolResult};

use wishes::Wishes;

/// The tool that it writes from.
const TOOL: &str = "list_changes";

ta_guest::provider!(complete);

/// Answers a request: with a call of the tool until its result is there, then with the notes.
fn complete(request: &Request) -> Result<Answer, Failure> {
    let asked = request.messages.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
    let wishes = Wishes::of(&words(request, asked));
    let since = request.messages.get(asked..).unwrap_or_default();
    match since.iter().rev().find_map(result) {
        Some(result) if result.failed => Ok(Answer::declined(request, result.text.clone())),
        Some(result) => write(request, &result.text, &wishes),
        None if request.offers(TOOL) => {
            let arguments = wishes
                .release
                .as_ref()
                .map_or_else(|| "{}".to_owned(), |it| serde_json::json!({ "release": it }).to_string());
            let id = format!("changes-{}", request.messages.len());
            Ok(Answer::calls(request, vec![ToolCall { id, name: TOOL.into(), arguments }]))
        }
        None => Err(Failure::new(
            "no-tool",
            format!("the tool `{TOOL}` is not on offer, and nothing else says what changed"),
        )),
    }
}

/// What the person asked for: what a guardrail sends back is no request of theirs, and the one before it still holds.
fn words(request: &Request, asked: usize) -> String {
    let before = request.messages.get(..=asked).unwrap_or_default();
    let own = |message: &&Message| {
        message.role == Role::User
            && !message.said.is_empty()
            && !message.parts.iter().any(|part| part.name == "rework")
    };
    before.iter().rev().find(own).map(|message| message.said.clone()).unwrap_or_default()
}

fn result(message: &Message) -> Option<&ToolResult> {
    message.result.as_ref().filter(|result| result.name == TOOL)
}

fn write(request: &Request, text: &str, wishes: &Wishes) -> Result<Answer, Failure> {
    let unfit = |why: String| Failure::new("result", format!("what `{TOOL}` answered cannot be read: {why}"));
    let listed: Value = serde_json::from_str(text).map_err(|error| unfit(error.to_string()))?;
    let listed = notes::Listed::of(&listed).ok_or_else(|| unfit("it names no release".to_owned()))?;
    Ok(match notes::written(&listed, wishes) {
        Ok(notes) => Answer::text(request, notes),
        Err(reason) => Answer::declined(request, reason),
    })
}

#[cfg(test)]
mod tests {
    use ta_guest::provider::{PromptPart, Stop, Tool};

    use super::*;

    fn request(messages: Vec<Message>) -> Request {
        let tool = Tool { name: TOOL.into(), description: String::new(), input_schema: "{}".into() };
        Request { messages, tools: vec![tool], ..Request::default() }
    }

    fn told(text: &str, failed: bool) -> Message {
        Message::tool(ToolResult { id: "changes-1".into(), name: TOOL.into(), failed, text: text.into() })
    }

    const RESULT: &str = r##"{"release":"1.4.0","list":"releases/1.4.0.txt","left_out":[],"unread":[],
        "changes":[{"kind":"new","scope":null,"text":"tabs","breaking":null,"reference":"#4","commits":["a1b2c3d"]}]}"##;

    #[test]
    fn it_reads_before_it_writes() {
        let first = complete(&request(vec![Message::user("notes for 1.4.0, please")])).unwrap();
        assert_eq!((first.calls.len(), first.calls[0].arguments.as_str()), (1, "{}"));
        let asked = vec![Message::user("notes"), Message::assistant("", first.calls), told(RESULT, false)];
        let second = complete(&request(asked)).unwrap();
        assert!(second.calls.is_empty() && second.text.contains("- Tabs (#4, a1b2c3d)"), "{}", second.text);
        assert!(second.text.contains("without a language model"));
        assert!(second.input_tokens > 0 && second.output_tokens > 0);
    }

    #[test]
    fn what_the_tool_refuses_is_a_polite_no() {
        let asked = vec![Message::user("notes"), told("There is no list releases/9.txt.", true)];
        let answer = complete(&request(asked)).unwrap();
        assert!(matches!(answer.stop, Stop::Declined(reason) if reason.contains("releases/9.txt")));
    }

    #[test]
    fn a_request_before_a_rework_still_holds() {
        let rework = Message { parts: vec![PromptPart::new("rework", &[], "mend it")], ..Message::user("") };
        let asked = request(vec![
            Message::user("everything, please"),
            told(RESULT, false),
            Message::assistant("x", vec![]),
            rework,
        ]);
        assert!(Wishes::of(&words(&asked, 3)).everything);
        assert_eq!(complete(&asked).unwrap().calls.len(), 1);
    }

    #[test]
    fn without_the_tool_there_is_no_answer() {
        let failure = complete(&Request { messages: vec![Message::user("notes")], ..Request::default() }).unwrap_err();
        assert!(failure.code == "no-tool" && !failure.retryable);
        assert_eq!(complete(&request(vec![Message::user("x"), told("no JSON", false)])).unwrap_err().code, "result");
    }
}
