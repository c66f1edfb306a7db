//! What holds for the machine whatever happens.

use crate::support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use support::{Play, answer, call};
use ta_core::event::{AgentBinding, CallReport, Event, HookBinding, Limits, RunForked, RunStarted, WritesDone};
use ta_core::hook::{Change, FileChange, OnFailure, Part, Verdict};
use ta_core::machine::{Action, HOST, Machine, PlannedCall, PromptForm};
use ta_core::question::{Answer, Decision, Outcome};
use ta_core::{Point, Record};

const HOOKS: [(&str, Point, OnFailure); 10] = [
    ("in", Point::PreLoop, OnFailure::Abort),
    ("before", Point::PreModel, OnFailure::Skip),
    ("after", Point::PostModel, OnFailure::Abort),
    ("may", Point::PreTool, OnFailure::Abort),
    ("seen", Point::PostTool, OnFailure::Skip),
    ("check", Point::PostLoop, OnFailure::Ask),
    ("gate", Point::PostLoop, OnFailure::Abort),
    ("over", Point::OnHandoff, OnFailure::Abort),
    ("begin", Point::OnSubagentStart, OnFailure::Skip),
    ("back", Point::OnSubagentEnd, OnFailure::Abort),
];
/// What a call was told so far.
fn told(earlier: &Option<CallReport>) -> usize {
    earlier.as_ref().map_or(0, |report| report.inputs.len())
}

const SUBAGENT_TURNS: u32 = 3;
const TOOLS: [&str; 3] = ["read_file", "spawn_subagent", "transfer_to_other"];
const ORDER: &str = r#"{"agent":"other","task":"t","decisions":[],"constraints":[]}"#;
const BRIEF: &str = r#"{"reason":"r","decisions":[],"constraints":[],"open_questions":[]}"#;
const LIMITS: Limits = Limits {
    max_turns: 12,
    max_budget_usd: None,
    max_tokens: None,
    max_minutes: None,
    max_output_tokens: None,
    max_tool_retries: 3,
    max_no_progress_iterations: 3,
    force_finalize_on_stall: true,
    max_rework_rounds: 4,
};
/// More records than any run of these limits can have.
const RECORDS_MAX: usize = 2_000;

fn verdict(point: Point, choice: u8) -> Verdict {
    let text = || Change::Text { text: "# L\n\n## A\n\nchanged\n".into() };
    match (choice % 16, point) {
        (0, _) => Verdict::Failed { code: "hook.trap".into(), reason: "oops".into() },
        (1, _) => Verdict::Abort { code: "no".into(), reason: "because".into(), declined: false },
        (2 | 3, Point::PostModel | Point::PostLoop) => Verdict::Rework {
            instruction: "again".into(),
            accepted: vec![Part { id: "a".into(), title: "A".into(), text: "## A\n\nkept\n".into() }],
            rounds_max: 3,
        },
        (4, Point::PreTool | Point::PostTool) => Verdict::Refuse { reason: "no".into() },
        (5, Point::PostModel | Point::PostTool) => Verdict::Modify(text()),
        (5, Point::PostLoop) => {
            Verdict::Modify(Change::Output { output: "# L\n\n## A\n\nchanged\n".into(), shown: Vec::new() })
        }
        // A change that the point may not allow: it must count as a failure, not as a change.
        (6, _) => Verdict::Modify(Change::Arguments { arguments: "{}".into() }),
        _ => Verdict::Pass,
    }
}

/// Answers a call of a tool.
fn tools(play: &mut Play, planned: &PlannedCall, choice: u8) {
    if choice % 16 == 11 && told(&planned.earlier) < 3 {
        play.question_by("files", None, Some(&planned.call.id), "which");
        return;
    }
    if choice % 16 == 13 && planned.callers.len() < 4 {
        let id = planned.call.id.clone();
        play.requests("files", None, Some(&id), choice % 32 == 13);
        return;
    }
    let result = if choice.is_multiple_of(3) { Err("failed") } else { Ok("text") };
    let change = |path: &str, before: Option<&str>| FileChange {
        path: path.into(),
        before: before.map(Into::into),
        after: "2".into(),
        difference: "+2\n".into(),
    };
    let staged = match choice % 5 {
        _ if result.is_err() => Vec::new(),
        0 => vec![change("new.md", None)],
        1 => vec![change("new.md", None), change("old.md", Some("1")), change("same.md", Some("2"))],
        _ => Vec::new(),
    };
    play.tool_with(&planned.call.id, "read_file", result, staged);
}

/// Answers whatever the machine wants, as the choices say.
fn step(play: &mut Play, choice: u8) {
    match play.pending().clone() {
        Action::RunHook(hook) if choice % 16 == 7 && told(&hook.earlier) < 3 => {
            play.question(&hook.hook, "sections");
        }
        Action::RunHook(hook) if choice % 16 == 9 && hook.callers.len() < 4 => {
            play.requests(&hook.hook, Some(hook.point), None, choice % 32 == 9);
        }
        Action::RunHook(hook) => play.hook(&hook.hook, verdict(hook.point, choice)),
        Action::Assemble(wanted) if wanted.form == PromptForm::Subagent => play.prompt(),
        Action::Assemble(_) => play.prompt_with(&TOOLS),
        Action::Spawn(started) => play.feed(Event::SubagentStarted(started)),
        Action::Return(finished) => play.feed(Event::SubagentFinished(finished)),
        Action::HandOff(made) => play.feed(Event::HandoffMade(made)),
        Action::CallModel(_) | Action::CallModels(_) => {
            let path = format!("{{\"path\":\"{}\"}}", choice % 5);
            let calls = match choice % 9 {
                0 => vec![call("x", "read_file", &path), call("y", "read_file", "{}")],
                1 => vec![call("x", "read_file", &path)],
                2 => vec![call("x", "nothing", "{"), call("x", "read_file", &path)],
                3 => vec![call("s", "spawn_subagent", ORDER), call("x", "read_file", &path)],
                4 => vec![call("s", "spawn_subagent", "{}"), call("t", "spawn_subagent", ORDER)],
                5 => vec![call("h", "transfer_to_other", BRIEF), call("s", "spawn_subagent", ORDER)],
                _ => Vec::new(),
            };
            let text = if choice.is_multiple_of(7) { "" } else { "# L\n\n## A\n\ntext\n\n## B\n\ntext\n" };
            play.model(answer(text, &calls));
        }
        Action::CallTools(calls) => tools(play, &calls[calls.len() - 1], choice),
        Action::PutQuestion(asked) => play.feed(Event::RequestMade(asked)),
        Action::PlaceWrites(intended) => {
            let (by, paths) = (intended.by.clone(), intended.writes.iter().map(|write| write.path.clone()).collect());
            play.feed(Event::WritesIntended(intended));
            play.feed(Event::WritesDone(WritesDone { by, paths, refused: Vec::new() }));
        }
        Action::Ask(ask) if ask.by == HOST && choice.is_multiple_of(2) => {
            play.answered(&ask.hash, Outcome::Answered(Answer::Choice("yes".into())));
        }
        Action::Ask(ask) => match choice % 4 {
            0 => play.answered(&ask.hash, Outcome::Dismissed),
            1 => play.answered("of another question", Outcome::Declined),
            2 => play.decided(&ask.hash, Decision { item: "A".into(), choice: "accept".into(), text: None }),
            _ => play.answered(&ask.hash, Outcome::Answered(Answer::Items(ask.decided))),
        },
        Action::Reply(reply) => play.feed(Event::RequestAnswered(Box::new(reply.answered))),
        Action::Compact(compacted) => play.feed(Event::ContextCompacted(compacted)),
        Action::AskModel(_)
        | Action::CallFlow(_)
        | Action::Settle(_)
        | Action::Show(_)
        | Action::Listen(_)
        | Action::TakeAnswer(_)
        | Action::Finish(_)
        | Action::Wait => {}
    }
}

fn ended(machine: &Machine) -> bool {
    matches!(machine.pending(), Action::Finish(_) | Action::Wait)
}

fn play(choices: &[u8]) -> Play {
    let bindings = || HOOKS.map(|(hook, point, on_failure)| HookBinding { hook: hook.into(), point, on_failure });
    let other =
        AgentBinding { hooks: bindings().to_vec(), memory: true, max_turns: SUBAGENT_TURNS, output_schema: None };
    let mut play = Play::start_with(RunStarted {
        agent: "first".into(),
        input: "iteration for 3B".into(),
        limits: LIMITS,
        hooks: bindings().to_vec(),
        agents: BTreeMap::from([("other".to_owned(), other)]),
        ..RunStarted::default()
    });
    let mut choices = choices.iter().copied().chain(std::iter::repeat(15));
    while !ended(&play.machine) && play.records.len() < RECORDS_MAX {
        step(&mut play, choices.next().unwrap());
    }
    play
}

fn fed(records: &[Record]) -> Machine {
    let mut machine = Machine::default();
    for record in records {
        machine.next(record);
    }
    machine
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever happens, a run comes to an end, with exactly one status, within its limits.
    #[test]
    fn every_run_ends_within_its_limits(choices in prop::collection::vec(any::<u8>(), 0..300)) {
        let play = play(&choices);
        prop_assert!(matches!(play.pending(), Action::Finish(_)), "after {} records: {:?}", play.records.len(), play.pending());
        // One more for the last answer that a stalled run may give, the run's own and each subagent's.
        let subagents = play.records.iter().filter(|it| matches!(it.event, Event::SubagentStarted(_))).count();
        let most = LIMITS.max_turns + 1 + (SUBAGENT_TURNS + 1) * u32::try_from(subagents).unwrap();
        prop_assert!(play.machine.ledger().turns <= most && subagents <= 16);
        prop_assert!(play.machine.ledger().rework_rounds <= LIMITS.max_rework_rounds);
    }

    /// A run is its journal: fed again, whole or in two parts, it is at the same place.
    #[test]
    fn a_run_is_rebuilt_from_its_records(choices in prop::collection::vec(any::<u8>(), 0..120), cut in 0.0..1.0_f64) {
        let play = play(&choices);
        let whole = fed(&play.records);
        prop_assert_eq!(whole.pending(), play.machine.pending());
        let at = (play.records.len() as f64 * cut) as usize;
        let mut parts = fed(&play.records[..at]);
        for record in &play.records[at..] {
            parts.next(record);
        }
        prop_assert_eq!(parts.pending(), play.machine.pending());
        prop_assert_eq!(parts.summary(), play.machine.summary());
    }

    /// A fork stands where the run stood, whatever had happened by then, and goes on under its own name.
    #[test]
    fn a_fork_stands_where_the_run_stood(choices in prop::collection::vec(any::<u8>(), 0..120), cut in 0.0..1.0_f64) {
        let play = play(&choices);
        let at = 1 + ((play.records.len() - 1) as f64 * cut) as usize;
        let before = fed(&play.records[..at]);
        let start = before.start().clone();
        let last = &play.records[at - 1];
        let forked = RunForked { session: last.session.clone(), run: last.run.clone(), through: last.seq, start };
        let first = Record {
            session: "other".into(),
            run: "fork".into(),
            seq: 1,
            at_ms: last.at_ms,
            event: Event::RunForked(Box::new(forked)),
        };
        let mut fork = before.clone();
        fork.next(&first);
        prop_assert_eq!(fork.pending(), before.pending());
        prop_assert_eq!(fork.summary(), before.summary());
    }

    /// Every tool result stands behind the message that asked for it, and every call has one: providers refuse anything else.
    #[test]
    fn the_history_is_one_that_providers_take(choices in prop::collection::vec(any::<u8>(), 0..200)) {
        let play = play(&choices);
        if let Action::CallModel(request) = play.pending() {
            prop_assert!(!request.messages.is_empty());
        }
        let mut open: Vec<String> = Vec::new();
        for message in play.machine.conversation().own_messages() {
            match &message.result {
                Some(result) => {
                    prop_assert_eq!(open.first(), Some(&result.id));
                    open.remove(0);
                }
                None => prop_assert!(open.is_empty(), "calls without results before {:?}", message),
            }
            open.extend(message.calls.iter().map(|call| call.id.clone()));
        }
    }
}
