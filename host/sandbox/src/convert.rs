//! Between the contract's types and the core's. Nothing but conversion happens here.

use ta_core::hook::{self, CallContext, Change, HookInput, Verdict};
use ta_core::message;
use wasmtime::component::ResourceTable;

use crate::bindings::exports::teacher_assist::plugin as points;
use crate::bindings::teacher_assist::plugin::{ask, tasks, types, workspace};
use crate::call::HookResponse;

mod flow;
mod provider;
mod questions;
mod reader;
mod writer;

pub use flow::Stepped;
pub use provider::{Provided, ProviderFailure};
pub use reader::{Block, Cell, Doubt, Place, Reading, ReadingRequest, Shape};
pub use writer::{Document, DocumentFailure, DocumentRequest};

pub(crate) fn context(context: &CallContext) -> types::Context {
    types::Context {
        run: context.run.clone(),
        session: context.session.clone(),
        plugin: context.plugin.clone(),
        command: context.command.clone(),
        agent: context.agent.clone(),
        subject: context.subject.as_ref().map(Into::into),
        input: context.input.clone(),
        turn: context.turn,
        rework_round: context.rework_round,
        extra: context.extra.iter().map(|it| types::Entry { name: it.name.clone(), value: it.value.clone() }).collect(),
    }
}

impl From<types::Finding> for hook::Finding {
    fn from(it: types::Finding) -> Self {
        Self {
            class: it.class,
            about: it.about.into_iter().map(Into::into).collect(),
            part: it.part,
            line: it.line,
            message: it.message,
        }
    }
}

impl From<types::Entry> for hook::Entry {
    fn from(it: types::Entry) -> Self {
        Self { name: it.name, value: it.value }
    }
}

impl From<&hook::Subject> for types::Subject {
    fn from(it: &hook::Subject) -> Self {
        Self { kind: it.kind.clone(), id: it.id.clone() }
    }
}

impl From<types::Subject> for hook::Subject {
    fn from(it: types::Subject) -> Self {
        Self { kind: it.kind, id: it.id }
    }
}

impl From<types::Part> for hook::Part {
    fn from(it: types::Part) -> Self {
        Self { id: it.id, title: it.title, text: it.text }
    }
}

impl From<&hook::Part> for types::Part {
    fn from(it: &hook::Part) -> Self {
        Self { id: it.id.clone(), title: it.title.clone(), text: it.text.clone() }
    }
}

impl From<types::Observation> for hook::Observation {
    fn from(it: types::Observation) -> Self {
        Self { name: it.name, schema: it.schema, data: it.data }
    }
}

impl From<types::ShownMessage> for hook::ShownMessage {
    fn from(it: types::ShownMessage) -> Self {
        Self { speech: it.speech, emotion: it.emotion, display: it.display, visual: it.visual }
    }
}

impl From<&hook::ShownMessage> for types::ShownMessage {
    fn from(it: &hook::ShownMessage) -> Self {
        Self {
            speech: it.speech.clone(),
            emotion: it.emotion.clone(),
            display: it.display.clone(),
            visual: it.visual.clone(),
        }
    }
}

impl From<&hook::FileChange> for types::FileChange {
    fn from(it: &hook::FileChange) -> Self {
        Self {
            path: it.path.clone(),
            before: it.before.clone(),
            after: it.after.clone(),
            difference: it.difference.clone(),
        }
    }
}

impl From<&hook::FileDigest> for types::FileDigest {
    fn from(it: &hook::FileDigest) -> Self {
        Self { path: it.path.clone(), sha256: it.sha256.clone() }
    }
}

impl From<&message::ToolCall> for types::ToolCall {
    fn from(it: &message::ToolCall) -> Self {
        Self { id: it.id.clone(), name: it.name.clone(), arguments: it.arguments.clone() }
    }
}

impl From<types::ToolCall> for message::ToolCall {
    fn from(it: types::ToolCall) -> Self {
        Self { id: it.id, name: it.name, arguments: it.arguments }
    }
}

impl From<&message::ToolResult> for types::ToolResult {
    fn from(it: &message::ToolResult) -> Self {
        Self { id: it.id.clone(), name: it.name.clone(), failed: it.failed, text: it.text.clone() }
    }
}

impl From<types::ToolResult> for message::ToolResult {
    fn from(it: types::ToolResult) -> Self {
        Self { id: it.id, name: it.name, failed: it.failed, text: it.text }
    }
}

impl From<&message::Message> for types::Message {
    fn from(it: &message::Message) -> Self {
        let role = match it.role {
            message::Role::User => types::Role::User,
            message::Role::Assistant => types::Role::Assistant,
            message::Role::Tool => types::Role::Tool,
        };
        let calls = it.calls.iter().map(Into::into).collect();
        Self { role, text: it.text.clone(), calls, result: it.result.as_ref().map(Into::into) }
    }
}

impl From<types::Message> for message::Message {
    fn from(it: types::Message) -> Self {
        let role = match it.role {
            types::Role::User => message::Role::User,
            types::Role::Assistant => message::Role::Assistant,
            types::Role::Tool => message::Role::Tool,
        };
        let calls = it.calls.into_iter().map(Into::into).collect();
        message::Body { role, text: it.text, calls, result: it.result.map(Into::into) }.into()
    }
}

impl From<&hook::Brief> for points::on_handoff::Brief {
    fn from(it: &hook::Brief) -> Self {
        Self {
            decisions: it.decisions.clone(),
            constraints: it.constraints.clone(),
            reason: it.reason.clone(),
            open_questions: it.open_questions.clone(),
        }
    }
}

impl From<points::on_handoff::Brief> for hook::Brief {
    fn from(it: points::on_handoff::Brief) -> Self {
        Self {
            decisions: it.decisions,
            constraints: it.constraints,
            reason: it.reason,
            open_questions: it.open_questions,
        }
    }
}

impl TryFrom<points::tool::Definition> for message::ToolDefinition {
    type Error = String;

    fn try_from(it: points::tool::Definition) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if it.name.is_empty() || it.name.len() > 64 || !it.name.chars().all(fits) {
            return Err(format!("`{}` is no name of a tool", it.name.escape_default()));
        }
        let input_schema: serde_json::Value = serde_json::from_str(&it.input_schema)
            .map_err(|error| format!("the schema of the tool `{}` is no JSON: {error}", it.name))?;
        if !input_schema.is_object() {
            return Err(format!("the schema of the tool `{}` is no object", it.name));
        }
        Ok(Self {
            name: it.name,
            description: it.description,
            input_schema,
            idempotent: it.idempotent,
            only_reads: it.only_reads,
        })
    }
}

fn abort(it: types::Abort) -> Verdict {
    Verdict::Abort { code: it.code, reason: it.reason, declined: it.declined }
}

fn rework(it: types::Rework) -> Verdict {
    Verdict::Rework {
        instruction: it.instruction,
        accepted: it.accepted.into_iter().map(Into::into).collect(),
        rounds_max: it.rounds_max,
    }
}

const fn text(text: String) -> Verdict {
    Verdict::Modify(Change::Text { text })
}

macro_rules! response {
    ($point:ident, $($variant:ident$(($value:ident))? => $verdict:expr),*) => {
        impl From<points::$point::Response> for HookResponse {
            fn from(it: points::$point::Response) -> Self {
                let verdict = match it.verdict {
                    points::$point::Verdict::Pass => Verdict::Pass,
                    points::$point::Verdict::Abort(value) => abort(value),
                    $(points::$point::Verdict::$variant$(($value))? => $verdict,)*
                };
                Self {
                    verdict,
                    notes: it.notes,
                    findings: it.findings.into_iter().map(Into::into).collect(),
                    observations: it.observations.into_iter().map(Into::into).collect(),
                }
            }
        }
    };
}

response!(pre_loop, Modify(it) => {
    let additions = it.additions.into_iter().map(|it| hook::Addition { title: it.title, text: it.text, source: it.source });
    Verdict::Modify(Change::Input { input: it.input, additions: additions.collect() })
});
response!(pre_model, Modify(it) => {
    Verdict::Modify(Change::Messages { messages: it.into_iter().map(Into::into).collect() })
});
response!(post_model, Modify(it) => text(it), Rework(it) => rework(it));
response!(pre_tool,
    Modify(it) => Verdict::Modify(Change::Arguments { arguments: it }),
    Refuse(it) => Verdict::Refuse { reason: it });
response!(post_tool, Modify(it) => text(it), Refuse(it) => Verdict::Refuse { reason: it });
response!(post_loop,
    Modify(it) => {
        let shown = it.shown.into_iter().map(Into::into).collect();
        Verdict::Modify(Change::Output { output: it.output, shown })
    },
    Rework(it) => rework(it));
response!(on_handoff, Modify(it) => Verdict::Modify(Change::Brief { brief: it.into() }));
response!(on_subagent_start, Modify(it) => text(it));
response!(on_subagent_end, Modify(it) => text(it));

macro_rules! event {
    ($point:ident, $variant:ident { $($field:ident),* } => { $($name:ident: $value:expr),* }) => {
        pub(crate) fn $point(input: &HookInput, _: &mut ResourceTable) -> Option<points::$point::Event> {
            let HookInput::$variant { $($field),* } = input else { return None };
            Some(points::$point::Event { $($name: $value),* })
        }
    };
}

event!(pre_loop, PreLoop { input, subjects, facts } => {
    input: input.clone(), subjects: subjects.iter().map(Into::into).collect(), facts: facts.clone()
});
/// The messages stay here: the guest is given a handle.
pub(crate) fn pre_model(input: &HookInput, table: &mut ResourceTable) -> Option<points::pre_model::Event> {
    let HookInput::PreModel { messages, system_bytes } = input else { return None };
    let messages = table.push(messages.clone()).ok()?;
    Some(points::pre_model::Event { messages, system_bytes: *system_bytes })
}
event!(post_model, PostModel { text, calls, input_tokens, output_tokens } => {
    text: text.clone(), calls: calls.iter().map(Into::into).collect(),
    input_tokens: *input_tokens, output_tokens: *output_tokens
});
event!(pre_tool, PreTool { call } => { call: call.into() });
event!(post_tool, PostTool { call, result, writes } => {
    call: call.into(), result: result.into(), writes: writes.iter().map(Into::into).collect()
});
event!(post_loop, PostLoop { output, shown, parts, reads, accepted, decisions, facts } => {
    output: output.clone(),
    shown: shown.iter().map(Into::into).collect(),
    parts: parts.iter().map(Into::into).collect(),
    reads: reads.iter().map(Into::into).collect(),
    accepted: accepted.iter().map(Into::into).collect(),
    decisions: decisions.iter().cloned().map(Into::into).collect(),
    facts: facts.clone()
});
event!(on_handoff, OnHandoff { source, target, brief } => {
    source: source.clone(), target: target.clone(), brief: brief.into()
});
event!(on_subagent_start, OnSubagentStart { agent, task, turns_max } => {
    agent: agent.clone(), task: task.clone(), turns_max: *turns_max
});
event!(on_subagent_end, OnSubagentEnd { agent, status, summary } => {
    agent: agent.clone(), status: status.clone(), summary: summary.clone()
});

impl From<ta_core::files::FileEntry> for workspace::Listed {
    fn from(it: ta_core::files::FileEntry) -> Self {
        let kind = match (it.file, it.directory) {
            (true, _) => workspace::EntryKind::File,
            (_, true) => workspace::EntryKind::Directory,
            _ => workspace::EntryKind::Other,
        };
        Self { name: it.name, kind, size: it.size }
    }
}

impl From<ta_core::files::WorkspaceError> for workspace::Error {
    fn from(it: ta_core::files::WorkspaceError) -> Self {
        use ta_core::files::WorkspaceErrorCode as Code;
        let code = match it.code {
            Code::NotFound => workspace::ErrorCode::NotFound,
            Code::Outside => workspace::ErrorCode::Outside,
            Code::ReadOnly => workspace::ErrorCode::ReadOnly,
            Code::Protected => workspace::ErrorCode::Protected,
            Code::TooLarge => workspace::ErrorCode::TooLarge,
            Code::NotText => workspace::ErrorCode::NotText,
            Code::WrongKind => workspace::ErrorCode::WrongKind,
            Code::Changed => workspace::ErrorCode::Changed,
            Code::Quota => workspace::ErrorCode::Quota,
            Code::NotGranted => workspace::ErrorCode::NotGranted,
            Code::Io => workspace::ErrorCode::Io,
        };
        Self { code, message: it.message }
    }
}

impl From<tasks::Task> for ta_core::event::Task {
    fn from(it: tasks::Task) -> Self {
        use ta_core::event::TaskStatus;
        let status = match it.status {
            tasks::Status::Pending => TaskStatus::Pending,
            tasks::Status::InProgress => TaskStatus::InProgress,
            tasks::Status::Completed => TaskStatus::Completed,
        };
        Self { id: it.id, title: it.title, status }
    }
}

impl From<ta_core::event::Task> for tasks::Task {
    fn from(it: ta_core::event::Task) -> Self {
        use ta_core::event::TaskStatus;
        let status = match it.status {
            TaskStatus::Pending => tasks::Status::Pending,
            TaskStatus::InProgress => tasks::Status::InProgress,
            TaskStatus::Completed => tasks::Status::Completed,
        };
        Self { id: it.id, title: it.title, status }
    }
}
