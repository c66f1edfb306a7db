//! How calls fail and why components are refused.

use ta_core::text::visible;
use wasmtime::Trap;

use crate::limits::REASON_BYTES_MAX;

/// Why a call did not end well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// A stable word: `hook.deadline`, `hook.memory`, `hook.stack`, `hook.trap`, `hook.payload`, `hook.malformed`,
    /// `hook.host_calls`, `hook.questions`, `hook.requests`, `hook.limit`, `hook.divergence`, `host.bug`.
    pub code: &'static str,
    /// What happened.
    pub reason: String,
}

impl Failure {
    pub(crate) fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Self { code, reason: shown(reason.into()) }
    }
}

/// A text that may hold a guest's own words, such as the name of an import: bounded, and nothing in it acts on a terminal.
fn shown(mut text: String) -> String {
    cut(&mut text, REASON_BYTES_MAX);
    let mut text = visible(&text);
    cut(&mut text, REASON_BYTES_MAX);
    text
}

/// Cuts a text at a character boundary.
pub(crate) fn cut(text: &mut String, bytes_max: usize) {
    if text.len() > bytes_max {
        let end = (0..=bytes_max).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
}

/// What a host function raises to end the call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    #[error("the call waits for an answer")]
    Requested(Box<crate::invocation::Requested>),
    #[error("{0}")]
    Limit(&'static str, String),
}

impl Stop {
    pub(crate) fn limit(code: &'static str, reason: impl Into<String>) -> wasmtime::Error {
        wasmtime::Error::new(Self::Limit(code, reason.into()))
    }
}

/// Tells what an error of the engine means. A host function's own stop is handled before.
pub(crate) fn of_error(error: &wasmtime::Error, instantiating: bool) -> Failure {
    if let Some(Stop::Limit(code, reason)) = error.downcast_ref::<Stop>() {
        return Failure::new(code, reason.clone());
    }
    let cause = error.root_cause().to_string();
    if let Some(trap) = error.downcast_ref::<Trap>() {
        return of_trap(*trap, &cause);
    }
    // The engine has no types for these; the torture guests keep the words honest. Only the cause is read: what
    // stands around it is a backtrace with names that the guest chose.
    let has = |words: &str| cause.contains(words);
    if has("fuel allocated for hostcalls") {
        return Failure::new("hook.payload", "it handed over more data than one crossing may carry");
    }
    if has("memory limits") || has("memory count too high") {
        return Failure::new("hook.memory", cause);
    }
    if has("handle limit exceeded") || has("resource limit exceeded") || has("table limits") {
        return Failure::new("hook.limit", cause);
    }
    if cause.starts_with("requested len ") && has(" exceeds limit ") {
        return Failure::new("hook.limit", "it asked for more random bytes than one request may give");
    }
    let code = if instantiating { "hook.trap" } else { "hook.malformed" };
    Failure::new(code, cause)
}

fn of_trap(trap: Trap, cause: &str) -> Failure {
    match trap {
        Trap::OutOfFuel => Failure::new("hook.deadline", "it used all its fuel"),
        Trap::Interrupt => Failure::new("hook.deadline", "it used all its time"),
        Trap::StackOverflow => Failure::new("hook.stack", "it used all its stack"),
        _ => Failure::new("hook.trap", cause.to_owned()),
    }
}

/// Why a component is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SandboxError {
    /// A stable word: `plugin.malformed`, `plugin.world_mismatch`, `plugin.import_denied`, `plugin.digest_mismatch`,
    /// `plugin.too_large`, `plugin.too_complex` for what cannot be compiled within reason, `sandbox.engine`,
    /// `sandbox.compiler`, `host.bug`, and a call's code where it does not even start.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl SandboxError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: shown(message.into()), hint: hint.into() }
    }
}
