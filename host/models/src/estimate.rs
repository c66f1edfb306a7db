//! What a call would have cost in tokens, for providers that count none, or say that it was none.

use ta_core::message::{ToolCall, Usage};
use ta_core::model::ModelRequest;
use ta_core::tokens;

/// About how many tokens a request comes to: what a budget reserves before the call, when nobody has counted yet.
#[must_use]
pub fn tokens_of(request: &ModelRequest) -> u64 {
    tokens::of_bytes(tokens::framing_bytes(&request.system, &request.tools) + request.messages.bytes())
}

/// Usage as it counts: the provider's own; no less than the estimate where part of that could not be read; and the
/// estimate where the provider says that it was nothing. Servers that count nothing say zero, and no request is empty.
#[must_use]
pub fn completed(told: Option<Usage>, request: &ModelRequest, text: &str, calls: &[ToolCall]) -> Usage {
    let guess = usage(request, text, calls);
    let told = told.unwrap_or(Usage { estimated: true, ..Usage::default() });
    let counted = |told_of_it: u64, guess: u64| match told_of_it {
        0 => guess,
        _ if told.estimated => told_of_it.max(guess),
        _ => told_of_it,
    };
    let input_tokens = counted(told.input_tokens, guess.input_tokens);
    let output_tokens = counted(told.output_tokens, guess.output_tokens);
    let made_up = (input_tokens, output_tokens) != (told.input_tokens, told.output_tokens);
    Usage { input_tokens, output_tokens, estimated: told.estimated || made_up, ..told }
}

/// Estimates the tokens of one call from the bytes that went in and came out.
pub(crate) fn usage(request: &ModelRequest, text: &str, calls: &[ToolCall]) -> Usage {
    let calls: usize = calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
    Usage {
        input_tokens: tokens_of(request),
        output_tokens: tokens::of_bytes(text.len() + calls),
        estimated: true,
        ..Usage::default()
    }
}
