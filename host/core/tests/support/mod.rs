//! Plays a run against the machine: each call is one record.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    reason = "shared by several tests"
)]

use std::collections::BTreeMap;

use ta_core::event::*;
use ta_core::hook::{CallContext, FileChange, Finding, OnFailure, Verdict};
use ta_core::machine::{Action, Machine, Settlement};
use ta_core::message::{StopReason, ToolCall, ToolDefinition, ToolResult, Usage};
use ta_core::model::ModelAnswer;
use ta_core::question::{Decision, Item, OptionKind, Outcome, Question, QuestionKind};
use ta_core::{Point, Record};

pub struct Play {
    pub machine: Machine,
    pub records: Vec<Record>,
}

pub fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

pub fn answer(text: &str, calls: &[ToolCall]) -> ModelAnswer {
    ModelAnswer {
        text: text.into(),
        calls: calls.to_vec(),
        stop: StopReason::EndTurn,
        usage: Usage { input_tokens: 1, output_tokens: 1, ..Usage::default() },
        ..ModelAnswer::default()
    }
}

pub fn finding(class: &str) -> Finding {
    Finding { class: class.into(), about: Vec::new(), part: None, line: Some(1), message: "m".into() }
}

pub mod hook {
    pub fn input_of(input: &ta_core::hook::HookInput) -> &str {
        match input {
            ta_core::hook::HookInput::PreLoop { input, .. } => input,
            other => panic!("{other:?}"),
        }
    }
}

impl Play {
    pub fn start(hooks: &[(&str, Point, OnFailure)], limits: Limits) -> Self {
        let hooks = hooks
            .iter()
            .map(|(hook, point, on_failure)| HookBinding {
                hook: (*hook).into(),
                point: *point,
                on_failure: *on_failure,
            })
            .collect();
        Self::start_with(RunStarted {
            input: "iteration for 3B".into(),
            limits,
            hooks,
            components: BTreeMap::new(),
            ..RunStarted::default()
        })
    }

    pub fn start_with(started: RunStarted) -> Self {
        let mut play = Self { machine: Machine::default(), records: Vec::new() };
        play.feed(Event::RunStarted(Box::new(started)));
        play
    }

    pub fn feed(&mut self, event: Event) {
        let seq = self.records.len() as u64 + 1;
        let record = Record { session: "s".into(), seq, run: "r".into(), at_ms: 1_000 + seq, event };
        self.machine.next(&record);
        self.records.push(record);
        // There is nothing to decide about it here, and no disk to look at.
        if let Action::Settle(settlement) = self.pending().clone() {
            let Settlement { settled, effects, .. } = *settlement;
            self.feed(Event::ToolSettled(Box::new(settled)));
            if let Some(tasks) = effects.tasks {
                self.feed(Event::TasksReplaced(TasksReplaced { tasks }));
            }
        }
    }

    pub fn pending(&self) -> &Action {
        self.machine.pending()
    }

    pub fn prompt(&mut self) {
        self.prompt_with(&["read_file"]);
    }

    pub fn prompt_with(&mut self, tools: &[&str]) {
        let tool = |name: &&str| ToolDefinition {
            name: (*name).into(),
            description: String::new(),
            input_schema: serde_json::json!({}),
            idempotent: true,
            only_reads: true,
        };
        let prompt = PromptAssembled {
            system: "S".into(),
            parts: Vec::new(),
            tools: tools.iter().map(tool).collect(),
            parts_sha256: None,
            memory: Vec::new(),
        };
        self.feed(Event::PromptAssembled(Box::new(prompt)));
    }

    pub fn model(&mut self, answer: ModelAnswer) {
        let turn = self.machine.ledger().turns + 1;
        self.feed(Event::ModelAnswered(Box::new(ModelAnswered { turn, answer, elapsed_ms: 1 })));
    }

    pub fn tool(&mut self, id: &str, name: &str, result: Result<&str, &str>) {
        self.tool_with(id, name, result, Vec::new());
    }

    pub fn tool_with(&mut self, id: &str, name: &str, result: Result<&str, &str>, staged: Vec<FileChange>) {
        let failed = result.is_err();
        let text = result.unwrap_or_else(|text| text).to_owned();
        let result = ToolResult { id: id.into(), name: name.into(), failed, text };
        self.feed(Event::ToolFinished(Box::new(ToolFinished {
            result,
            code: None,
            staged,
            effects: Effects::default(),
            report: CallReport::default(),
        })));
    }

    pub fn hook(&mut self, name: &str, verdict: Verdict) {
        self.hook_with(name, verdict, Vec::new());
    }

    pub fn hook_with(&mut self, name: &str, verdict: Verdict, findings: Vec<Finding>) {
        let point = match self.pending() {
            Action::RunHook(call) => call.point,
            other => panic!("no hook is due: {other:?}"),
        };
        self.feed(Event::HookFinished(Box::new(HookFinished {
            hook: name.into(),
            point,
            sha256: "0".into(),
            context: CallContext::default(),
            verdict,
            notes: Vec::new(),
            findings,
            observations: Vec::new(),
            report: CallReport::default(),
        })));
    }

    /// Goes on, everything passing, until a hook of this point is due.
    pub fn until_hook(&mut self, point: Point) {
        for _ in 0..20 {
            match self.pending().clone() {
                Action::RunHook(call) if call.point == point => return,
                Action::RunHook(call) => self.hook(&call.hook, Verdict::Pass),
                Action::Assemble(_) => self.prompt(),
                Action::CallModel(request) => {
                    let asked = request.messages.iter().any(|message| message.result.is_some());
                    let calls = if asked { Vec::new() } else { vec![call("a", "read_file", "{}")] };
                    self.model(answer(if asked { "# L" } else { "" }, &calls));
                }
                Action::CallTools(calls) => self.tool(&calls[0].call.id, &calls[0].call.name, Ok("text")),
                other => panic!("{other:?}"),
            }
        }
        panic!("the point was never reached");
    }

    pub fn question(&mut self, hook: &str, id: &str) -> String {
        self.question_by(hook, Some(Point::PostLoop), None, id)
    }

    pub fn question_by(&mut self, by: &str, point: Option<Point>, call: Option<&str>, id: &str) -> String {
        let item = Item { id: "A".into(), label: "A".into(), detail: "text".into() };
        let option = OptionKind { id: "accept".into(), label: "Accept".into(), text_prompt: None };
        let kind = QuestionKind::Items { items: vec![item], options: vec![option] };
        let question = Question { id: id.into(), title: "?".into(), detail: String::new(), kind };
        let hash = question.hash();
        let asked = QuestionAsked {
            by: by.into(),
            point,
            call: call.map(Into::into),
            question,
            hash: hash.clone(),
            report: CallReport::default(),
        };
        self.feed(Event::QuestionAsked(Box::new(asked)));
        hash
    }

    /// A guest calls the tool `read_file`; answers with the id of the call.
    pub fn requests(&mut self, by: &str, point: Option<Point>, within: Option<&str>, reads: bool) -> String {
        let (name, id) = (if reads { "read_file" } else { "write_file" }, format!("{by}/{}", self.records.len()));
        let requested = ToolRequested {
            by: by.into(),
            point,
            call: within.map(Into::into),
            request: call(&id, name, "{}"),
            import: format!("tools.call {name}"),
            report: CallReport::default(),
        };
        self.feed(Event::ToolRequested(Box::new(requested)));
        id
    }

    pub fn decided(&mut self, hash: &str, decision: Decision) {
        self.feed(Event::ItemDecided(ItemDecided { hash: hash.into(), decision, elapsed_ms: 1 }));
    }

    pub fn answered(&mut self, hash: &str, outcome: Outcome) {
        let by = "person".to_owned();
        self.feed(Event::QuestionAnswered(QuestionAnswered { hash: hash.into(), outcome, by, elapsed_ms: 1 }));
    }

    pub fn end(&self) -> (Status, Option<String>) {
        match self.pending() {
            Action::Finish(finish) => (finish.status, finish.output.clone()),
            other => panic!("the run is not at its end: {other:?}"),
        }
    }

    pub fn reason(&self) -> Option<String> {
        match self.pending() {
            Action::Finish(finish) => finish.reason.clone(),
            _ => None,
        }
    }
}
