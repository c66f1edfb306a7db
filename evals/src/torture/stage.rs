//! Runs a guest on the sandbox's own interface and says what it saw.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ta_core::Point;
use ta_core::event::CallReport;
use ta_core::files::Files;
use ta_core::hook::{Brief, CallContext, Change, HookInput, Subject, Verdict};
use ta_core::kind::Kind;
use ta_core::message::{Message, ToolCall, ToolResult};
use ta_core::parts;
use ta_core::question::Question;
use ta_core::request::{ModelReply, NoAnswer, Request};
use ta_sandbox::{
    CallOutcome, Ended, Guest, HookResponse, Inputs, Invocation, Limits, Rights, Sandbox, SandboxConfig, SkillReader,
    ToolFailure, Workspace,
};

use super::row::Expectation;

/// The program that compiles for tests: built beside them.
///
/// # Errors
/// Where it is not there.
pub fn compiler() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let directory = own.parent().and_then(Path::parent).ok_or("this program lies nowhere")?;
    let program = directory.join("torture-compiler");
    if program.is_file() { Ok(program) } else { Err(format!("there is no {}", program.display())) }
}

/// The guest that does nothing wrong: the control.
pub const GOOD: &str = "good";

/// What was seen of a guest.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The code of the failure, with where it was noticed; none where the call returned.
    pub code: Option<String>,
    /// Whether it was refused when it was loaded.
    pub at_load: bool,
    /// Why it failed.
    pub reason: String,
    /// The text that it returned: of a modification, a reason, a tool's result.
    pub text: String,
    /// The question that it ended with.
    pub question: Option<Question>,
    /// What the call used; nothing where it was refused.
    pub report: CallReport,
    /// Time of loading and calling together.
    pub elapsed: Duration,
}

/// A sandbox with a workspace, where guests are loaded and called.
pub struct Stage {
    /// The sandbox.
    pub sandbox: Sandbox,
    workspace: Option<Arc<dyn Files>>,
    /// What every call is told.
    pub told: Option<Arc<Inputs>>,
    /// The seed of every call.
    pub seed: [u8; 32],
    /// Where skills come from.
    pub skills: Option<Arc<dyn SkillReader>>,
}

impl Stage {
    /// Sets one up. With a cache, a guest that is loaded again is not compiled again, so that a time is its own.
    ///
    /// # Errors
    /// Where the engine or the workspace does not open.
    pub fn new(cache: Option<&Path>, workspace: Option<&Path>) -> Result<Self, String> {
        let cache_dir = cache.map(Path::to_path_buf);
        let config = SandboxConfig { cache_dir, ..SandboxConfig::new(compiler()?) };
        let sandbox = Sandbox::new(&config).map_err(|error| error.to_string())?;
        let workspace = workspace.map(Workspace::open).transpose().map_err(|error| error.to_string())?;
        Ok(Self { sandbox, workspace: workspace.map(|it| Arc::new(it) as _), told: None, seed: [7; 32], skills: None })
    }

    /// Loads and calls a component as its expectation says, with limits of its kind changed by `adjust`.
    ///
    /// # Errors
    /// Where the expectation names what there is not. What becomes of the guest is never an error.
    pub async fn perform(
        &self,
        bytes: &[u8],
        expectation: &Expectation,
        adjust: fn(&mut Limits),
    ) -> Result<Seen, String> {
        let mut limits = Limits::of(expectation.kind.parse::<Kind>()?);
        adjust(&mut limits);
        let started = Instant::now();
        let rights = Rights::from_words(&expectation.rights, BTreeMap::new());
        let loaded = self.sandbox.load("torture:guest", bytes, None, rights, limits).await;
        let guest = match loaded {
            Ok(guest) => guest,
            Err(error) => {
                let code = Some(error.code.to_owned());
                let elapsed = started.elapsed();
                return Ok(Seen { code, at_load: true, reason: error.message, elapsed, ..Seen::default() });
            }
        };
        let mut seen = self.call(&guest, &expectation.point).await?;
        seen.elapsed = started.elapsed();
        Ok(seen)
    }

    /// Calls a guest at a point, or its tool.
    ///
    /// # Errors
    /// Where there is no such point.
    pub async fn call(&self, guest: &Guest, point: &str) -> Result<Seen, String> {
        let input = if point == "tool" { None } else { Some(input(point.parse()?)) };
        let mut told = self.told.clone();
        loop {
            let invocation = self.invocation(guest, told);
            let Some(input) = &input else {
                let call = ToolCall { id: "1".into(), name: "torture".into(), arguments: "{}".into() };
                let outcome = self.sandbox.call_tool(guest, &call, invocation).await;
                let Some((import, json)) = nobody(&outcome) else { return Ok(seen(outcome, tool_text)) };
                told = Some(Arc::new(Inputs::answered(outcome, import, json)));
                continue;
            };
            let outcome = self.sandbox.call_hook(guest, input, invocation).await;
            let Some((import, json)) = nobody(&outcome) else { return Ok(seen(outcome, hook_text)) };
            told = Some(Arc::new(Inputs::answered(outcome, import, json)));
        }
    }

    fn invocation(&self, guest: &Guest, told: Option<Arc<Inputs>>) -> Invocation {
        let context = CallContext { run: "run".into(), agent: "planner".into(), ..CallContext::default() };
        Invocation {
            workspace: self.workspace.clone(),
            skills: self.skills.clone(),
            inputs: told,
            now_ms: 1_800_000_000_000,
            seed: self.seed,
            ..Invocation::new(context, Arc::clone(&guest.rights), guest.limits)
        }
    }
}

/// What a call that asks a model is told: that nobody answers. The import, and the answer as JSON.
fn nobody<T>(outcome: &CallOutcome<T>) -> Option<(String, Vec<u8>)> {
    let Ended::Requested(requested) = &outcome.ended else { return None };
    let Request::Model(_) = &requested.request else { return None };
    let reply = ModelReply::Err(NoAnswer::Unavailable("nobody can be asked".to_owned()));
    Some((requested.import(), serde_json::to_vec(&reply).unwrap_or_default()))
}

fn seen<T>(outcome: CallOutcome<T>, text: fn(T) -> String) -> Seen {
    let mut seen = Seen { report: outcome.report, ..Seen::default() };
    match outcome.ended {
        Ended::Returned(value) => seen.text = text(value),
        Ended::Requested(requested) => match requested.request {
            Request::Ask { question } => seen.question = Some(question),
            Request::Model(_) => seen.reason = "it asks a model".to_owned(),
            Request::Tool { name, .. } => seen.reason = format!("it calls {name}"),
        },
        Ended::Failed(failure) => {
            seen.code = Some(failure.code.to_owned());
            seen.reason = failure.reason;
        }
    }
    seen
}

fn tool_text(result: Result<String, ToolFailure>) -> String {
    result.unwrap_or_else(|failure| failure.message)
}

fn hook_text(response: HookResponse) -> String {
    match response.verdict {
        Verdict::Modify(
            Change::Text { text } | Change::Arguments { arguments: text } | Change::Output { output: text, .. },
        ) => text,
        Verdict::Abort { reason, .. } | Verdict::Refuse { reason } => reason,
        _ => String::new(),
    }
}

/// A small event of a point.
#[must_use]
pub fn input(point: Point) -> HookInput {
    let call = || ToolCall { id: "1".into(), name: "read_file".into(), arguments: "{}".into() };
    let result = || ToolResult { id: "1".into(), name: "read_file".into(), failed: false, text: "text".into() };
    let brief =
        || Brief { decisions: vec!["one".into()], constraints: vec![], reason: "why".into(), open_questions: vec![] };
    match point {
        Point::PreLoop => HookInput::PreLoop {
            input: "a lesson".into(),
            subjects: vec![Subject { kind: "class".into(), id: "3B".into() }],
            facts: None,
        },
        Point::PreModel => HookInput::PreModel { messages: vec![Message::user("a lesson")].into(), system_bytes: 10 },
        Point::PostModel => {
            HookInput::PostModel { text: "text".into(), calls: vec![call()], input_tokens: 1, output_tokens: 1 }
        }
        Point::PreTool => HookInput::PreTool { call: call() },
        Point::PostTool => HookInput::PostTool { call: call(), result: result(), writes: vec![] },
        Point::PostLoop => HookInput::PostLoop {
            output: "## Starter\n".into(),
            shown: vec![],
            parts: parts::read("## Starter\n"),
            reads: vec![],
            accepted: vec![],
            decisions: vec![],
            facts: None,
        },
        Point::OnHandoff => HookInput::OnHandoff { source: "a".into(), target: "b".into(), brief: brief() },
        Point::OnSubagentStart => HookInput::OnSubagentStart { agent: "a".into(), task: "t".into(), turns_max: 3 },
        Point::OnSubagentEnd => {
            HookInput::OnSubagentEnd { agent: "a".into(), status: "success".into(), summary: "done".into() }
        }
    }
}
