//! What a call would have cost in tokens, for providers that count none.

use ta_core::message::{ToolCall, Usage};
use ta_core::model::ModelRequest;
use ta_core::tokens;

/// About how many tokens a request comes to: what a budget reserves before the call, when nobody has counted yet.
#[must_use]
pub fn tokens_of(request: &ModelRequest) -> u64 {
    tokens::of_bytes(tokens::request_bytes(&request.system, &request.messages, &request.tools))
}

/// Usage as it counts: the provider's own, or, where part of that could not be read, no less than the estimate.
pub(crate) fn completed(told: Option<Usage>, request: &ModelRequest, text: &str, calls: &[ToolCall]) -> Usage {
    match told {
        Some(told) if !told.estimated => told,
        told => {
            let (told, guess) = (told.unwrap_or_default(), usage(request, text, calls));
            Usage {
                input_tokens: told.input_tokens.max(guess.input_tokens),
                output_tokens: told.output_tokens.max(guess.output_tokens),
                estimated: true,
                ..told
            }
        }
    }
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
