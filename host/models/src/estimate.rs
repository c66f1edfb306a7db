//! What a call would have cost in tokens, for providers that count none.

use ta_core::message::{ToolCall, Usage};
use ta_core::model::ModelRequest;

/// English text comes to about four bytes a token with the tokenizers in use; good enough to compare runs.
const BYTES_PER_TOKEN: usize = 4;

/// About how many tokens a request comes to: what a budget reserves before the call, when nobody has counted yet.
#[must_use]
pub fn tokens_of(request: &ModelRequest) -> u64 {
    let messages: usize = request
        .messages
        .iter()
        .map(|message| {
            let result = message.result.as_ref().map_or(0, |result| result.text.len());
            message.text.len() + call_bytes(&message.calls) + result
        })
        .sum();
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.input_schema.to_string().len())
        .sum();
    tokens(request.system.len() + messages + tools)
}

/// Estimates the tokens of one call from the bytes that went in and came out.
pub(crate) fn usage(request: &ModelRequest, text: &str, calls: &[ToolCall]) -> Usage {
    Usage {
        input_tokens: tokens_of(request),
        output_tokens: tokens(text.len() + call_bytes(calls)),
        estimated: true,
        ..Usage::default()
    }
}

fn call_bytes(calls: &[ToolCall]) -> usize {
    calls.iter().map(|call| call.name.len() + call.arguments.len()).sum()
}

fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u64::MAX)
}
