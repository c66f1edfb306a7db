//! A run as spans of OpenTelemetry, by its conventions for generative AI, in the JSON of OTLP.
//!
//! Like a trace it is a view of the journal: the same records give the same spans with the same ids. So it is made here from
//! records and not with OpenTelemetry's SDK, which notes spans down while they happen, under ids and a clock of its own; its
//! exporter needs Protobuf even for JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::event::{
    Event, HandoffMade, HookFinished, ModelAnswered, Record, RequestAnswer, RequestAnswered, RunStarted, Status,
    SubagentFinished, ToolFinished,
};
use crate::hook::Verdict;
use crate::kind::Kind;
use crate::machine::{Machine, ModelCall};
use crate::message::Usage;
use crate::request::Request;

mod said;

use said::{Asked, KIND, attribute, attributes, finish_reason, message, named, of_model, provider_name, said, tokens};

/// Spans of one request to a collector.
const SPANS_PER_REQUEST: usize = 256;
/// `SpanKind` and `StatusCode` as OTLP numbers them.
const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;
const STATUS_ERROR: u8 = 2;

/// The requests to a collector for the last sitting of a run: from where it began, or was gone on with, to its end. The
/// records are those of the run and, in a fork, of what it shares. What was said is left out unless `content` wants it.
#[must_use]
pub fn requests(records: &[Record], content: bool) -> Vec<Value> {
    let spans = Sitting::of(records, content).map(Sitting::spans).unwrap_or_default();
    let resource =
        attributes([("service.name", json!("teacher-assist")), ("service.version", json!(env!("CARGO_PKG_VERSION")))]);
    let scope = json!({ "name": "teacher-assist", "version": env!("CARGO_PKG_VERSION") });
    spans
        .chunks(SPANS_PER_REQUEST)
        .map(|spans| {
            let scoped = json!([{ "scope": scope, "spans": spans }]);
            json!({ "resourceSpans": [{ "resource": { "attributes": resource }, "scopeSpans": scoped }] })
        })
        .collect()
}

/// What is known of a run while its records are gone through.
struct Sitting<'a> {
    records: &'a [Record],
    /// Place of the first record of the sitting.
    first: usize,
    start: RunStarted,
    run: &'a str,
    session: &'a str,
    content: bool,
    /// What the model was sent, by turn; only where it is wanted.
    sent: BTreeMap<u32, ModelCall>,
    arguments: BTreeMap<&'a str, &'a str>,
    /// The span that what comes now stands below: the sitting, or the subagent that works.
    parent: String,
    /// What was asked for and is not answered yet, by its id: when, and what.
    asked: BTreeMap<&'a str, (u64, &'a Request)>,
    /// Who was asked for a turn, where that is the second provider.
    second: BTreeMap<u32, Asked<'a>>,
    /// Tokens of the sitting so far.
    usage: Usage,
}

impl<'a> Sitting<'a> {
    fn of(records: &'a [Record], content: bool) -> Option<Self> {
        let last = records.last()?;
        let begins =
            |record: &Record| matches!(record.event, Event::RunStarted(_) | Event::RunForked(_) | Event::RunResumed(_));
        let first = records.iter().rposition(begins)?;
        let mut machine = Machine::default();
        let (mut sent, mut arguments) = (BTreeMap::new(), BTreeMap::new());
        for record in records {
            if let (Event::ModelCalled(called), true) = (&record.event, content)
                && let Some(call) = machine.model_call(called.turn)
            {
                sent.insert(called.turn, ModelCall::clone(call));
            }
            if let Event::ToolStarted(started) = &record.event {
                arguments.insert(started.call.id.as_str(), started.call.arguments.as_str());
            }
            machine.next(record);
        }
        let (run, session, start) = (last.run.as_str(), last.session.as_str(), machine.start().clone());
        let (parent, asked) = (String::new(), BTreeMap::new());
        let (second, usage) = (BTreeMap::new(), Usage::default());
        let mut sitting =
            Self { records, first, start, run, session, content, sent, arguments, parent, asked, second, usage };
        sitting.parent = sitting.root_id();
        // A subagent may work, and a question be open, since an earlier sitting.
        for record in records.get(..first).unwrap_or_default() {
            sitting.follow(record);
        }
        Some(sitting)
    }

    /// Notes what later spans stand below, and when something was asked.
    fn follow(&mut self, record: &'a Record) {
        match &record.event {
            Event::SubagentStarted(_) => self.parent = self.id(record.seq),
            Event::SubagentFinished(_) => self.parent = self.root_id(),
            Event::RequestMade(made) => drop(self.asked.insert(&made.id, (record.at_ms, &made.request))),
            _ => {}
        }
    }

    fn spans(mut self) -> Vec<Value> {
        let sitting = self.records.get(self.first..).unwrap_or_default();
        let mut spans = Vec::new();
        for (index, record) in sitting.iter().enumerate() {
            let later = sitting.get(index..).unwrap_or_default();
            if let Event::SubagentFinished(finished) = &record.event {
                spans.push(self.subagent(record, finished));
            }
            self.follow(record);
            match &record.event {
                Event::ModelCalled(_)
                | Event::ModelFellBack(_)
                | Event::ModelAnswered(_)
                | Event::ModelFailed(_)
                | Event::ModelPartial(_) => spans.extend(self.of_a_call(record)),
                Event::HookFinished(hook) => spans.push(self.hook(record, hook)),
                Event::ToolFinished(tool) => spans.push(self.tool(record, tool, later)),
                Event::RequestAnswered(answered) => {
                    if let RequestAnswer::Model { usage: of_guest, .. } = &answered.answer {
                        self.usage = self.usage.plus(*of_guest);
                        spans.extend(self.guest_chat(record, answered, later));
                    }
                    spans.extend(self.question(record, answered));
                }
                Event::HandoffMade(handoff) => spans.push(self.handoff(record, handoff)),
                // Said by the span of what it belongs to, or nothing that takes time.
                Event::RunStarted(_)
                | Event::PromptAssembled(_)
                | Event::RequestMade(_)
                | Event::ItemDecided(_)
                | Event::ContextCompacted(_)
                | Event::ToolStarted(_)
                | Event::ToolSettled(_)
                | Event::WritesIntended(_)
                | Event::WritesDone(_)
                | Event::SubagentStarted(_)
                | Event::SubagentFinished(_)
                | Event::TasksReplaced(_)
                | Event::PromptCorrected(_)
                | Event::MemoryWritten(_)
                | Event::MemoryConsolidated(_)
                | Event::FlowStepped(_)
                | Event::FlowFailed(_)
                | Event::FlowWoken
                | Event::AgentAnswered(_)
                | Event::MessageSaid(_)
                | Event::MessagesShown(_)
                | Event::RunParked(_)
                | Event::RunResumed(_)
                | Event::RunForked(_)
                | Event::RunFinished(_)
                | Event::ObservationsMade(_)
                | Event::SessionRenamed(_)
                | Event::SessionDeleted(_)
                | Event::SessionRestored(_)
                | Event::SessionErased(_)
                | Event::StudyRecorded(_) => {}
            }
        }
        spans.extend(self.root(sitting, self.usage));
        spans
    }

    /// What comes of a call of a model. An answer and a failure are told with who was asked for them.
    fn of_a_call(&mut self, record: &'a Record) -> Option<Value> {
        let start = self.start.clone();
        let own = (start.provider.as_str(), start.model.as_str());
        let asked = |second: &BTreeMap<u32, Asked<'a>>, turn: u32| second.get(&turn).copied();
        match &record.event {
            Event::ModelCalled(called) => {
                self.second.remove(&called.turn);
                None
            }
            Event::ModelFellBack(fell) => {
                self.second.insert(fell.turn, named(&fell.by));
                Some(self.no_chat(record, own, fell.turn, &fell.error.code))
            }
            Event::ModelAnswered(answered) => {
                self.usage = self.usage.plus(answered.answer.usage);
                Some(self.chat(record, answered.answer.answered_by.as_deref().map_or(own, named), answered))
            }
            Event::ModelFailed(failed) => {
                let asked = asked(&self.second, failed.turn).unwrap_or(own);
                Some(self.no_chat(record, asked, failed.turn, &failed.error.code))
            }
            Event::ModelPartial(partial) => {
                let asked = asked(&self.second, partial.turn).unwrap_or(own);
                Some(self.no_chat(record, asked, partial.turn, "broken_off"))
            }
            _ => None,
        }
    }

    /// The whole sitting: the parent of all else.
    fn root(&self, sitting: &[Record], usage: Usage) -> Option<Value> {
        let (first, last) = (sitting.first()?, sitting.last()?);
        let status = if let Event::RunFinished(finished) = &last.event { Some(finished.status) } else { None };
        let failed = status.filter(|status| *status != Status::Success).map(Status::name);
        let more = [
            ("gen_ai.agent.name", json!(self.start.agent)),
            ("gen_ai.conversation.id", json!(self.session)),
            ("teacher_assist.run", json!(self.run)),
            ("teacher_assist.command", json!(format!("{}:{}", self.start.plugin, self.start.command))),
            ("teacher_assist.status", json!(status.map_or("parked", Status::name))),
        ];
        let own = (self.start.provider.as_str(), self.start.model.as_str());
        let attributes = [of_model(own, "invoke_agent", usage), attributes(more)].concat();
        let times = (first.at_ms.saturating_mul(1_000_000), last.at_ms.saturating_mul(1_000_000));
        let name = format!("invoke_agent {}", self.start.agent);
        Some(self.span(&self.id(first.seq), None, (&name, INTERNAL), times, attributes, failed))
    }

    fn chat(&self, record: &Record, asked: Asked<'_>, answered: &ModelAnswered) -> Value {
        let answer = &answered.answer;
        let more = [
            ("gen_ai.response.finish_reasons", json!([finish_reason(answer.stop)])),
            ("teacher_assist.turn", json!(answered.turn)),
            ("teacher_assist.cost_usd", json!(answer.cost_usd)),
        ];
        let mut all = [of_model(asked, "chat", answer.usage), attributes(more)].concat();
        if let Some(sent) = self.sent.get(&answered.turn) {
            let system = json!([{ "type": "text", "content": sent.framing.system() }]);
            all.extend(attributes([
                ("gen_ai.system_instructions", json!(system.to_string())),
                ("gen_ai.input.messages", json!(Value::from_iter(sent.messages.iter().map(message)).to_string())),
                ("gen_ai.output.messages", json!(json!([said(answer)]).to_string())),
            ]));
        }
        let name = format!("chat {}", asked.1);
        let times = lasted(record, answered.elapsed_ms.saturating_mul(1_000));
        self.span(&self.id(record.seq), Some(self.parent.clone()), (&name, CLIENT), times, all, None)
    }

    /// A call that was not answered.
    fn no_chat(&self, record: &Record, asked: Asked<'_>, turn: u32, code: &str) -> Value {
        let turn = attributes([("teacher_assist.turn", json!(turn))]);
        let all = [of_model(asked, "chat", Usage::default()), turn].concat();
        let name = format!("chat {}", asked.1);
        self.span(&self.id(record.seq), Some(self.parent.clone()), (&name, CLIENT), lasted(record, 0), all, Some(code))
    }

    /// What a subagent did, and all that it did below it.
    fn subagent(&self, record: &Record, finished: &SubagentFinished) -> Value {
        let of_call =
            |record: &&Record| matches!(&record.event, Event::SubagentStarted(it) if it.call == finished.call);
        let started = self.records.iter().rev().find(of_call).unwrap_or(record);
        let all = attributes([
            ("gen_ai.operation.name", json!("invoke_agent")),
            ("gen_ai.agent.name", json!(finished.agent)),
            (KIND, json!("AGENT")),
            ("teacher_assist.status", json!(finished.status.name())),
        ]);
        let times = (started.at_ms.saturating_mul(1_000_000), record.at_ms.saturating_mul(1_000_000));
        let failed = (finished.status != Status::Success).then(|| finished.status.name());
        let name = format!("invoke_agent {}", finished.agent);
        self.span(&self.id(started.seq), Some(self.root_id()), (&name, INTERNAL), times, all, failed)
    }

    fn handoff(&self, record: &Record, handoff: &HandoffMade) -> Value {
        let all = attributes([
            (KIND, json!("CHAIN")),
            ("teacher_assist.handoff.source", json!(handoff.source)),
            ("teacher_assist.handoff.target", json!(handoff.target)),
        ]);
        let name = format!("handoff {}", handoff.target);
        self.span(&self.id(record.seq), Some(self.parent.clone()), (&name, INTERNAL), lasted(record, 0), all, None)
    }

    /// A question to the person, and what they decided; what they wrote is content.
    fn question(&self, record: &Record, answered: &RequestAnswered) -> Option<Value> {
        let RequestAnswer::Ask { outcome, answered_by, .. } = &answered.answer else { return None };
        let (at_ms, request) = self.asked.get(answered.id.as_str())?;
        let Request::Ask { question } = request else { return None };
        let mut all = attributes([
            (KIND, json!("CHAIN")),
            ("teacher_assist.question.id", json!(question.id)),
            ("teacher_assist.question.by", json!(answered.by)),
            ("teacher_assist.question.answered_by", json!(answered_by)),
        ]);
        if self.content {
            all.extend(attributes([("teacher_assist.question.outcome", json!(json!(outcome).to_string()))]));
        }
        // From when it was asked: the time of the person, also over a pause in which nobody sat there.
        let times = (at_ms.saturating_mul(1_000_000), record.at_ms.saturating_mul(1_000_000));
        let name = format!("question {}", question.id);
        Some(self.span(&self.id(record.seq), Some(self.parent.clone()), (&name, INTERNAL), times, all, None))
    }

    /// A guest's question to a model: below the guest's call, which ends after it.
    fn guest_chat(&self, record: &Record, answered: &RequestAnswered, later: &[Record]) -> Option<Value> {
        let RequestAnswer::Model { usage, cost_usd, elapsed_ms, code } = &answered.answer else { return None };
        let made = |event: &Event| match event {
            Event::RequestMade(made) if made.id == answered.id => made.call.clone(),
            _ => None,
        };
        let call = self.records.iter().rev().find_map(|record| made(&record.event));
        let of_guest = |record: &&Record| match (&record.event, &call) {
            (Event::HookFinished(hook), None) => hook.hook == answered.by,
            (Event::ToolFinished(tool), Some(call)) => tool.result.id == *call,
            _ => false,
        };
        let parent = later.iter().find(of_guest).map_or_else(|| self.parent.clone(), |it| self.id(it.seq));
        let (provider, model) =
            self.start.guest_model.as_ref().map_or(("", ""), |it| (it.provider.as_str(), it.model.as_str()));
        let all = [
            attributes([
                ("gen_ai.operation.name", json!("chat")),
                (KIND, json!("LLM")),
                ("gen_ai.provider.name", json!(provider_name(provider))),
                ("gen_ai.request.model", json!(model)),
                ("teacher_assist.cost_usd", json!(cost_usd)),
            ]),
            tokens(*usage),
        ];
        let times = lasted(record, elapsed_ms.saturating_mul(1_000));
        let name = format!("chat {model}");
        Some(self.span(&self.id(record.seq), Some(parent), (&name, CLIENT), times, all.concat(), code.as_deref()))
    }

    fn tool(&self, record: &Record, tool: &ToolFinished, later: &[Record]) -> Value {
        // Before the next call of a model, which may ask for another call of the same id.
        let of_turn = later.iter().take_while(|record| !matches!(record.event, Event::ModelCalled(_)));
        let settled = of_turn.map(|record| &record.event).find_map(|event| match event {
            Event::ToolSettled(settled) if settled.result.id == tool.result.id => Some(settled),
            _ => None,
        });
        // What the model was given, where that is not what the tool said.
        let result = settled.map_or(&tool.result, |settled| &settled.result);
        let refused = settled.is_some_and(|settled| settled.refused_by.is_some());
        let mut all = attributes([
            ("gen_ai.operation.name", json!("execute_tool")),
            (KIND, json!("TOOL")),
            ("gen_ai.tool.name", json!(result.name)),
            ("gen_ai.tool.call.id", json!(result.id)),
            ("gen_ai.tool.type", json!("function")),
            ("teacher_assist.fuel", json!(tool.report.fuel)),
        ]);
        if self.content {
            let arguments = self.arguments.get(result.id.as_str()).copied().unwrap_or_default();
            all.extend(attributes([
                ("gen_ai.tool.call.arguments", json!(arguments)),
                ("gen_ai.tool.call.result", json!(result.text)),
            ]));
        }
        let code = if refused { "refused" } else { tool.code.as_deref().unwrap_or("failed") };
        let failed = result.failed.then_some(code);
        let name = format!("execute_tool {}", result.name);
        let times = lasted(record, tool.report.elapsed_us);
        self.span(&self.id(record.seq), Some(self.parent.clone()), (&name, INTERNAL), times, all, failed)
    }

    fn hook(&self, record: &Record, hook: &HookFinished) -> Value {
        let guardrail = self.start.components.get(&hook.hook).is_some_and(|pin| pin.kind == Kind::Guardrail);
        let all = attributes([
            (KIND, json!(if guardrail { "GUARDRAIL" } else { "CHAIN" })),
            ("teacher_assist.hook.name", json!(hook.hook)),
            ("teacher_assist.hook.point", json!(hook.point)),
            ("teacher_assist.hook.sha256", json!(hook.sha256)),
            ("teacher_assist.hook.verdict", json!(hook.verdict.name())),
            ("teacher_assist.hook.findings", json!(hook.findings.len())),
            ("teacher_assist.fuel", json!(hook.report.fuel)),
        ]);
        let failed = match &hook.verdict {
            Verdict::Failed { code, .. } => Some(code.as_str()),
            Verdict::Pass
            | Verdict::Modify(_)
            | Verdict::Refuse { .. }
            | Verdict::Rework { .. }
            | Verdict::Abort { .. } => None,
        };
        let name = format!("hook {}", hook.hook);
        let times = lasted(record, hook.report.elapsed_us);
        self.span(&self.id(record.seq), Some(self.parent.clone()), (&name, INTERNAL), times, all, failed)
    }

    fn root_id(&self) -> String {
        self.records.get(self.first).map(|record| self.id(record.seq)).unwrap_or_default()
    }

    /// The id of the span that a record stands for.
    fn id(&self, seq: u64) -> String {
        hex::encode(Sha256::digest(format!("{}\0{seq}", self.run)).get(..8).unwrap_or_default())
    }

    fn span(
        &self,
        id: &str,
        parent: Option<String>,
        (name, kind): (&str, u8),
        (from, to): (u64, u64),
        mut all: Vec<Value>,
        failed: Option<&str>,
    ) -> Value {
        all.extend(failed.map(|code| attribute("error.type", &json!(code))));
        let status = if failed.is_some() { json!({ "code": STATUS_ERROR }) } else { json!({}) };
        let mut span = json!({
            // The id of a run is a UUID without its hyphens, which is what an id of a trace is.
            "traceId": self.run,
            "spanId": id,
            "name": name,
            "kind": kind,
            // Numbers of 64 bits are texts in OTLP's JSON.
            "startTimeUnixNano": from.to_string(),
            "endTimeUnixNano": to.to_string(),
            "attributes": all,
            "status": status,
        });
        if let (Some(parent), Some(span)) = (parent, span.as_object_mut()) {
            span.insert("parentSpanId".to_owned(), json!(parent));
        }
        span
    }
}

/// Begin and end in nanoseconds of what ended with a record.
fn lasted(record: &Record, elapsed_us: u64) -> (u64, u64) {
    let to = record.at_ms.saturating_mul(1_000_000);
    (to.saturating_sub(elapsed_us.saturating_mul(1_000)), to)
}
