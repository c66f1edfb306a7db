//! What the benchmarks measure: the check as a component in the sandbox, and the events that every participant is given.
//!
//! This crate never ships, and never times anything itself: that is for its benches. Start with [`Subject`], then
//! `benches/table/main.rs`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ta_core::hook::{CallContext, HookInput, Verdict};
use ta_core::kind::Kind;
use ta_core::message::{Message, ToolCall, ToolResult};
use ta_sandbox::{Ended, Guest, HookResponse, Invocation, Limits, Rights, Sandbox, SandboxConfig};
use tokio::runtime::Runtime;

/// What a step of the benchmark returns.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The component; `cargo xtask bench --guests` builds it.
pub const COMPONENT: &[u8] = include_bytes!("../check.wasm");

/// Bytes of the JSON event.
const EVENT_BYTES: usize = 4_096;
/// Messages of the typed event, and bytes of each.
const MESSAGES: usize = 10;
const MESSAGE_BYTES: usize = 500;
/// Messages of the conversation of a long run.
const LONG_MESSAGES: usize = 2_000;
const SENTENCE: &str = "Pupils trace a loop on paper and predict what it prints before they run it. ";
const HEADINGS: [&str; 8] = [
    "Outcomes",
    "Success criteria",
    "Starter (8 minutes)",
    "Explanation (12 minutes)",
    "Practice (20 minutes)",
    "Differentiation",
    "Plenary (10 minutes)",
    "Exit questions",
];

/// A component in a sandbox.
pub struct Subject {
    runtime: Runtime,
    sandbox: Sandbox,
    guest: Guest,
}

impl Subject {
    /// Loads the check.
    ///
    /// # Errors
    /// Where the component is refused.
    pub fn check(cache: Option<&Path>) -> Outcome<Self> {
        Self::load(cache, COMPONENT, Limits::of(Kind::Guardrail))
    }

    /// Loads any component with the rights of an ordinary guardrail.
    ///
    /// # Errors
    /// Where the component is refused.
    pub fn load(cache: Option<&Path>, component: &[u8], limits: Limits) -> Outcome<Self> {
        let config = SandboxConfig { cache_dir: cache.map(Path::to_path_buf), ..SandboxConfig::new(compiler()?) };
        Self::with(&config, component, limits)
    }

    /// The same in a sandbox of any configuration.
    ///
    /// # Errors
    /// Where the component is refused.
    pub fn with(config: &SandboxConfig, component: &[u8], limits: Limits) -> Outcome<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let sandbox = Sandbox::new(config)?;
        let rights = Rights::from_words(
            &["log".to_owned(), "config".to_owned(), "tasks".to_owned()],
            std::collections::BTreeMap::new(),
        );
        let guest = runtime.block_on(sandbox.load("bench:check", component, None, rights, limits))?;
        Ok(Self { runtime, sandbox, guest })
    }

    /// SHA-256 of the component.
    pub fn sha256(&self) -> &str {
        &self.guest.sha256
    }

    /// One call in a fresh instance, as a run makes it.
    pub fn call(&self, input: &HookInput) -> Ended<HookResponse> {
        let invocation = Invocation {
            now_ms: 1_800_000_000_000,
            seed: [7; 32],
            ..Invocation::new(context(), Arc::clone(&self.guest.rights), self.guest.limits)
        };
        self.runtime.block_on(self.sandbox.call_hook(&self.guest, input, invocation)).ended
    }

    /// The same, for a call that must return.
    ///
    /// # Errors
    /// Where it fails.
    pub fn respond(&self, input: &HookInput) -> Outcome<HookResponse> {
        match self.call(input) {
            Ended::Returned(response) => Ok(response),
            other => Err(format!("the call did not return: {other:?}").into()),
        }
    }
}

/// The program that compiles for benchmarks: built beside them.
///
/// # Errors
/// Where it is not there.
pub fn compiler() -> Outcome<PathBuf> {
    let own = std::env::current_exe()?;
    let directory = own.parent().and_then(Path::parent).ok_or("this program lies nowhere")?;
    let program = directory.join("bench-compiler");
    if program.is_file() { Ok(program) } else { Err(format!("there is no {}", program.display()).into()) }
}

fn context() -> CallContext {
    CallContext {
        run: "0f3a6c1e9b7d4e52a1c8f0d2b4a69e31".into(),
        session: "7c2e5a90d1b34f68b9e0c3d5f7a18264".into(),
        plugin: "lesson-planning".into(),
        command: "create-lesson".into(),
        agent: "planner".into(),
        subject: Some(ta_core::hook::Subject { kind: "class".into(), id: "3B".into() }),
        input: "iteration for 3B, no laptops that day".into(),
        turn: 3,
        rework_round: 0,
        extra: Vec::new(),
    }
}

/// A section of a lesson with exactly so many bytes.
fn section(number: usize, bytes: usize) -> String {
    let heading = HEADINGS.get(number).map_or_else(String::new, |heading| format!("## {heading}\n"));
    let mut text = heading + &SENTENCE.repeat(bytes / SENTENCE.len() + 1);
    text.truncate(bytes);
    text
}

/// The JSON event: seven messages with a section each; the eighth section is missing, so that there is a finding to return.
pub fn event() -> Outcome<String> {
    let write = |bytes: usize, last: usize| {
        let text = |number| section(number, if number == 6 { last } else { bytes });
        let messages: Vec<_> =
            (0..7).map(|number| serde_json::json!({ "role": "assistant", "text": text(number) })).collect();
        serde_json::to_string(&serde_json::json!({
            "point": "pre-model", "subject": { "kind": "class", "id": "3B" }, "agent": "planner", "turn": 3, "messages": messages
        }))
    };
    let bytes = EVENT_BYTES / 8;
    let short = write(bytes, bytes)?.len();
    Ok(write(bytes, bytes + EVENT_BYTES - short)?)
}

/// The check of the JSON event, at the point where a guest is given JSON.
///
/// # Errors
/// Where the event cannot be written.
pub fn json_check() -> Outcome<HookInput> {
    let call = ToolCall { id: "call-1".into(), name: "check".into(), arguments: event()? };
    Ok(HookInput::PreTool { call })
}

/// The typed event: ten messages of 500 bytes, a whole lesson, which passes.
pub fn typed_check() -> HookInput {
    let messages = (0..MESSAGES).map(|number| match number % 2 {
        0 => Message::user(section(number, MESSAGE_BYTES)),
        _ => Message::assistant(section(number, MESSAGE_BYTES), Vec::new()),
    });
    HookInput::PreModel { messages: messages.collect(), system_bytes: 12_000 }
}

/// A long conversation that ends with those ten messages.
pub fn long_check() -> HookInput {
    let HookInput::PreModel { messages: last, system_bytes } = typed_check() else { return typed_check() };
    let earlier = (0..LONG_MESSAGES - MESSAGES).map(|number| Message::user(section(number % MESSAGES, MESSAGE_BYTES)));
    HookInput::PreModel { messages: earlier.chain(last.iter().cloned()).collect(), system_bytes }
}

/// The texts of the typed event.
pub fn texts(input: &HookInput) -> Vec<String> {
    let HookInput::PreModel { messages, .. } = input else { return Vec::new() };
    messages.iter().map(|message| message.text.clone()).collect()
}

/// The events of all hooks of one turn: pre-model, post-model, pre-tool, post-tool.
pub fn turn() -> Vec<HookInput> {
    let path = r#"{"path":"curriculum/computing-science.md"}"#;
    let call = || ToolCall { id: "call-1".into(), name: "read_file".into(), arguments: path.into() };
    let text = SENTENCE.repeat(26);
    let result = ToolResult { id: "call-1".into(), name: "read_file".into(), failed: false, text: text.clone() };
    vec![
        typed_check(),
        HookInput::PostModel { text, calls: vec![call()], input_tokens: 9_000, output_tokens: 600 },
        HookInput::PreTool { call: call() },
        HookInput::PostTool { call: call(), result, writes: Vec::new() },
    ]
}

/// The call that never ends.
#[must_use]
pub fn endless() -> HookInput {
    HookInput::PreTool { call: ToolCall { id: "1".into(), name: "endless".into(), arguments: "{}".into() } }
}

/// The smallest call: what a fresh instance costs before it does anything.
pub fn smallest() -> HookInput {
    HookInput::PreTool { call: ToolCall { id: "1".into(), name: "none".into(), arguments: "{}".into() } }
}

/// What the JSON check must say, whoever runs it.
pub fn is_right(response: &HookResponse) -> bool {
    matches!(response.verdict, Verdict::Abort { .. }) && response.findings.len() == 1
}
