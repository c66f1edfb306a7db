//! How many tokens something comes to, where nobody has counted.
//!
//! English text comes to about four bytes a token with the tokenizers in use. That is good enough to compare runs and to
//! know when a window fills; what a call may cost at the most is reckoned otherwise, in the machine's budget.

use crate::message::{Message, ToolDefinition};

/// Bytes of a token.
const BYTES_PER_TOKEN: usize = 4;

/// About how many tokens so many bytes come to.
#[must_use]
pub fn of_bytes(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u64::MAX)
}

/// Bytes of a message that a model reads.
#[must_use]
pub fn message_bytes(message: &Message) -> usize {
    let calls: usize = message.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
    message.text.len() + calls + message.result.as_ref().map_or(0, |result| result.text.len())
}

/// Bytes of what is sent beside the messages: system prompt and tools.
#[must_use]
pub fn framing_bytes(system: &str, tools: &[ToolDefinition]) -> usize {
    let tool = |it: &ToolDefinition| it.name.len() + it.description.len() + it.input_schema.to_string().len();
    system.len() + tools.iter().map(tool).sum::<usize>()
}
