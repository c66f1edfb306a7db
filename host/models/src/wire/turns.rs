//! The conversation as every provider takes it: each call with its result behind it, no result without its call.

use std::borrow::Cow;

use ta_core::message::{Message, Role, ToolCall, ToolResult};

/// Said first where a conversation would begin with the model.
const OPENING: &str = "Go on.";
/// Stands where a call has no result: an interrupted run, or a conversation that was shortened.
const LOST: &str = "no result was kept for this call";

/// One turn.
#[derive(Debug, PartialEq)]
pub(super) enum Turn<'a> {
    /// What the person says.
    User(Cow<'a, str>),
    /// What the model said. Not empty.
    Assistant {
        /// Place of the message in the conversation.
        place: usize,
        text: &'a str,
        calls: &'a [ToolCall],
    },
    /// The results of the calls right before, one for each, in their order.
    Results(Vec<Cow<'a, ToolResult>>),
}

/// The turns of a conversation. Whatever the history looks like, what is made of it is accepted.
pub(super) fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    let mut rest = messages.iter().enumerate().peekable();
    while let Some((place, message)) = rest.next() {
        match message.role {
            Role::User if message.text.is_empty() => {}
            Role::User => turns.push(Turn::User(Cow::Borrowed(&message.text))),
            Role::Assistant if message.text.is_empty() && message.calls.is_empty() => {}
            Role::Assistant => {
                turns.push(Turn::Assistant { place, text: &message.text, calls: &message.calls });
                let mut found = Vec::new();
                while let Some((_, next)) = rest.next_if(|(_, next)| next.role == Role::Tool) {
                    found.extend(next.result.as_ref());
                }
                answer(&message.calls, found, &mut turns);
            }
            Role::Tool => turns.extend(message.result.as_ref().map(orphan)),
        }
    }
    if !matches!(turns.first(), Some(Turn::User(_))) {
        turns.insert(0, Turn::User(Cow::Borrowed(OPENING)));
    }
    turns
}

/// Pairs calls and results. What has no call of its own is told as text.
fn answer<'a>(calls: &'a [ToolCall], mut found: Vec<&'a ToolResult>, turns: &mut Vec<Turn<'a>>) {
    let results = calls.iter().map(|call| match found.iter().position(|result| result.id == call.id) {
        Some(place) => Cow::Borrowed(found.remove(place)),
        None => {
            let (id, name) = (call.id.clone(), call.name.clone());
            Cow::Owned(ToolResult { id, name, failed: true, text: LOST.to_owned() })
        }
    });
    let results: Vec<_> = results.collect();
    if !results.is_empty() {
        turns.push(Turn::Results(results));
    }
    turns.extend(found.into_iter().map(orphan));
}

fn orphan(result: &ToolResult) -> Turn<'_> {
    Turn::User(Cow::Owned(format!("Result of {}: {}", result.name, result.text)))
}
