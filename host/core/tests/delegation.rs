//! Subagents and handoffs: who is at work, what they see, what comes back.

use crate::support;

use std::collections::BTreeMap;

use support::{Play, answer, call};
use ta_core::Point;
use ta_core::event::{AgentBinding, Event, HookBinding, Limits, RunStarted, Status};
use ta_core::hook::{Brief, Change, HookInput, OnFailure, Verdict};
use ta_core::machine::{Action, Machine, PromptForm};

const ORDER: &str = r###"{"agent":"reviewer","task":"Review the draft.","decisions":["50 minutes"],"constraints":["no phones"],"context":"# Draft"}"###;
const REVIEW: &str =
    "Sound.\n\n## Decisions\n- Shorten the starter.\n\n## Constraints\n- Keep the cards.\n\n## Open questions\nnone\n";
const BRIEF: &str =
    r#"{"reason":"a worksheet is wanted","decisions":["3B"],"constraints":["one page"],"open_questions":["colour?"]}"#;

fn binding(hook: &str, point: Point) -> HookBinding {
    HookBinding { hook: hook.into(), point, on_failure: OnFailure::Abort }
}

/// A run of `planner`, with `hooks` of its own and `reviewers` of the others'.
fn start(hooks: &[HookBinding], others: &[HookBinding], limits: Limits) -> Play {
    let agent = || AgentBinding { hooks: others.to_vec(), memory: false, max_turns: 3, output_schema: None };
    Play::start_with(RunStarted {
        agent: "planner".into(),
        input: "iteration for 3B".into(),
        limits,
        hooks: hooks.to_vec(),
        agents: BTreeMap::from(["reviewer", "maker", "third"].map(|name| (name.to_owned(), agent()))),
        ..RunStarted::default()
    })
}

const TOOLS: [&str; 4] = ["read_file", "spawn_subagent", "transfer_to_maker", "transfer_to_third"];

fn plain() -> Play {
    let mut play = start(&[], &[], Limits::default());
    play.prompt_with(&TOOLS);
    play
}

/// Appends what the machine wants to have appended.
fn obey(play: &mut Play) {
    let event = match play.pending().clone() {
        Action::Spawn(started) => Event::SubagentStarted(started),
        Action::Return(finished) => Event::SubagentFinished(finished),
        Action::HandOff(made) => Event::HandoffMade(made),
        other => panic!("no other agent is due: {other:?}"),
    };
    play.feed(event);
}

fn last_message(play: &Play) -> String {
    let Action::CallModel(call) = play.pending() else { panic!("{:?}", play.pending()) };
    let last = call.messages.last().unwrap();
    last.result.as_ref().map_or_else(|| last.text.clone(), |result| result.text.clone())
}

#[test]
fn a_subagent_has_a_conversation_of_its_own_and_gives_a_summary_back() {
    let mut play = plain();
    play.model(answer("", &[call("s", "spawn_subagent", ORDER), call("r", "read_file", "{}")]));
    // What tools find comes first.
    let Action::CallTools(calls) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(calls.iter().map(|it| it.call.id.as_str()).collect::<Vec<_>>(), ["r"]);
    play.tool("r", "read_file", Ok("text"));
    assert!(matches!(play.pending(), Action::Spawn(it) if it.order.agent == "reviewer" && it.turns_max == 3));
    obey(&mut play);
    assert!(
        matches!(play.pending(), Action::Assemble(it) if it.agent == "reviewer" && it.form == PromptForm::Subagent)
    );
    assert_eq!((play.machine.agent(), play.machine.spawned_by()), ("reviewer", Some("s")));
    play.prompt_with(&["read_file"]);
    let Action::CallModel(request) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(request.messages.len(), 1, "nothing of the parent's conversation");
    for part in ["Review the draft.", "- 50 minutes", "- no phones", "# Draft"] {
        assert!(request.messages[0].text.contains(part), "{part}");
    }
    play.model(answer(REVIEW, &[]));
    assert!(matches!(play.pending(), Action::Return(it) if it.status == Status::Success));
    obey(&mut play);
    assert_eq!((play.machine.agent(), play.machine.spawned_by()), ("planner", None));
    let history = &play.machine.conversation().history;
    let results: Vec<&str> = history.iter().filter_map(|it| it.result.as_ref()).map(|it| it.text.as_str()).collect();
    assert_eq!(results.len(), 2);
    assert!(results[0].contains("Shorten the starter.") && results[0].contains("Keep the cards."), "{}", results[0]);
    play.model(answer("# Lesson", &[]));
    assert_eq!(play.end(), (Status::Success, Some("# Lesson".to_owned())));
    assert_eq!((play.machine.ledger().turns, play.machine.ledger().usage.input_tokens), (3, 3), "one ledger");
}

#[test]
fn a_subagent_is_told_once_that_its_summary_lacks_something() {
    let mut play = plain();
    play.model(answer("", &[call("s", "spawn_subagent", ORDER)]));
    obey(&mut play);
    play.prompt_with(&[]);
    play.model(answer("Sound.", &[]));
    assert!(last_message(&play).contains("## Decisions"));
    play.model(answer("Sound, as I said.", &[]));
    let Action::Return(finished) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(finished.summary.as_ref().unwrap().summary, "Sound, as I said.");
}

#[test]
fn a_subagent_uses_its_own_turns_and_the_runs_money() {
    let mut play = plain();
    play.model(answer("", &[call("s", "spawn_subagent", ORDER)]));
    obey(&mut play);
    play.prompt_with(&["read_file"]);
    for id in ["1", "2", "3"] {
        play.model(answer("", &[call(id, "read_file", &format!("{{\"n\":{id}}}"))]));
        play.tool(id, "read_file", Ok(id));
    }
    let Action::Return(finished) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!((finished.status, finished.summary.is_none()), (Status::ErrorMaxTurns, true));
    obey(&mut play);
    assert!(last_message(&play).contains("all 3 turns are used"));

    let mut play = start(&[], &[], Limits { max_budget_usd: Some(1.0), ..Limits::default() });
    play.prompt_with(&TOOLS);
    play.model(answer("", &[call("s", "spawn_subagent", ORDER)]));
    obey(&mut play);
    play.prompt_with(&["read_file"]);
    let mut dear = answer("", &[call("r", "read_file", "{}")]);
    dear.cost_usd = 1.5;
    play.model(dear);
    play.tool("r", "read_file", Ok("text"));
    assert!(matches!(play.pending(), Action::Return(it) if it.status == Status::ErrorMaxBudget));
    obey(&mut play);
    assert_eq!(play.end().0, Status::ErrorMaxBudget, "its parent has no more either");
}

#[test]
fn a_subagent_gives_no_work_away() {
    let mut play = plain();
    play.model(answer("", &[call("s", "spawn_subagent", ORDER)]));
    obey(&mut play);
    play.prompt_with(&["read_file"]);
    play.model(answer("", &[call("x", "spawn_subagent", ORDER), call("y", "transfer_to_maker", BRIEF)]));
    assert!(last_message(&play).contains("there is no tool"));
}

#[test]
fn guardrails_stand_at_every_boundary() {
    let own = [binding("before", Point::OnSubagentStart), binding("after", Point::OnSubagentEnd)];
    let others = [binding("guard", Point::PreLoop), binding("guard", Point::PostModel)];
    let mut play = start(&own, &others, Limits::default());
    play.prompt_with(&TOOLS);
    play.model(answer("", &[call("s", "spawn_subagent", ORDER)]));
    play.hook("before", Verdict::Modify(Change::Text { text: "Review half of it.".into() }));
    obey(&mut play);
    let Action::RunHook(hook) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!((hook.context.agent.as_str(), hook.point), ("reviewer", Point::PreLoop));
    assert!(matches!(&hook.input, HookInput::PreLoop { input, .. } if input.contains("Review half of it.")));
    play.hook("guard", Verdict::Pass);
    play.prompt_with(&[]);
    play.model(answer("a secret", &[]));
    play.hook("guard", Verdict::Abort { code: "no".into(), reason: "that must not be said".into(), declined: false });
    let Action::RunHook(hook) = play.pending() else { panic!("{:?}", play.pending()) };
    let HookInput::OnSubagentEnd { status, summary, .. } = &hook.input else { panic!("{:?}", hook.input) };
    assert_eq!(status, "error_hook_abort");
    assert!(!summary.contains("secret") && summary.contains("that must not be said"));
    play.hook("after", Verdict::Modify(Change::Text { text: "It was stopped.".into() }));
    obey(&mut play);
    assert_eq!(last_message(&play), "It was stopped.");

    let mut play = start(&own, &others, Limits::default());
    play.prompt_with(&TOOLS);
    play.model(answer("", &[call("s", "spawn_subagent", ORDER)]));
    play.hook("before", Verdict::Abort { code: "no".into(), reason: "not now".into(), declined: false });
    assert_eq!(play.end().0, Status::ErrorHookAbort);
}

#[test]
fn what_cannot_be_read_is_an_error_that_the_model_reads() {
    for (arguments, expected) in [
        ("{}", "missing field `agent`"),
        (r#"{"agent":"nobody","task":"t"}"#, "there is no subagent `nobody`"),
        (r#"{"agent":"reviewer","task":""}"#, "`task` is empty"),
    ] {
        let mut play = plain();
        play.model(answer("", &[call("s", "spawn_subagent", arguments)]));
        assert!(last_message(&play).contains(expected), "{arguments}: {}", last_message(&play));
    }
    let mut play = plain();
    play.model(answer("", &[call("t", "transfer_to_maker", r#"{"reason":"because"}"#)]));
    assert!(last_message(&play).contains("missing field `decisions`"));
}

#[test]
fn a_handoff_gives_the_conversation_away_for_good() {
    let own = [binding("watch", Point::OnHandoff)];
    let others = [binding("guard", Point::PreLoop)];
    let mut play = start(&own, &others, Limits::default());
    play.prompt_with(&TOOLS);
    let calls = [call("t", "transfer_to_maker", BRIEF), call("u", "transfer_to_third", BRIEF)];
    play.model(answer("I hand over.", &calls));
    let Action::RunHook(hook) = play.pending() else { panic!("{:?}", play.pending()) };
    let HookInput::OnHandoff { source, target, brief } = &hook.input else { panic!("{:?}", hook.input) };
    assert_eq!((source.as_str(), target.as_str()), ("planner", "maker"));
    let brief = Brief { constraints: vec!["half a page".into()], ..brief.clone() };
    play.hook("watch", Verdict::Modify(Change::Brief { brief }));
    obey(&mut play);
    let Action::RunHook(hook) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!((hook.context.agent.as_str(), hook.hook.as_str()), ("maker", "guard"));
    play.hook("guard", Verdict::Pass);
    assert!(matches!(play.pending(), Action::Assemble(it) if it.agent == "maker" && it.form == PromptForm::Whole));
    play.prompt_with(&TOOLS);
    let told = last_message(&play);
    for part in ["from=\"planner\"", "a worksheet is wanted", "half a page", "colour?"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let history = &play.machine.conversation().history;
    assert_eq!(history[0].text, "iteration for 3B");
    let results: Vec<&str> = history.iter().filter_map(|it| it.result.as_ref()).map(|it| it.text.as_str()).collect();
    assert_eq!(results, ["maker has taken over", "not done: you have handed over already"]);
    // It may hand over again, as often as it likes; the run's turns are one count.
    play.model(answer("", &[call("v", "transfer_to_third", BRIEF)]));
    obey(&mut play);
    // The request is the same, and the hook has seen it: it is not asked about again.
    play.prompt_with(&[]);
    play.model(answer("# Worksheet", &[]));
    assert_eq!(play.end(), (Status::Success, Some("# Worksheet".to_owned())));
    assert_eq!(play.machine.agent(), "third");
}

#[test]
fn what_a_hook_made_of_a_brief_is_checked_again() {
    let mut play = start(&[binding("watch", Point::OnHandoff)], &[], Limits::default());
    play.prompt_with(&TOOLS);
    play.model(answer("", &[call("t", "transfer_to_maker", BRIEF)]));
    let empty =
        Brief { decisions: Vec::new(), constraints: Vec::new(), reason: " ".into(), open_questions: Vec::new() };
    play.hook("watch", Verdict::Modify(Change::Brief { brief: empty }));
    assert!(last_message(&play).contains("`reason` is empty"));
    assert_eq!(play.machine.agent(), "planner");
}

#[test]
fn a_run_is_rebuilt_from_its_journal_at_any_place() {
    let mut play = plain();
    play.model(answer("", &[call("s", "spawn_subagent", ORDER), call("t", "transfer_to_maker", BRIEF)]));
    obey(&mut play);
    play.prompt_with(&["read_file"]);
    play.model(answer("", &[call("r", "read_file", "{}")]));
    play.tool("r", "read_file", Ok("text"));
    play.model(answer(REVIEW, &[]));
    obey(&mut play);
    obey(&mut play);
    play.prompt_with(&[]);
    play.model(answer("# End", &[]));
    let mut pending = Vec::new();
    let mut machine = Machine::default();
    for record in &play.records {
        pending.push(machine.next(record).clone());
    }
    for (cut, expected) in pending.iter().enumerate() {
        let mut again = Machine::default();
        for record in &play.records[..=cut] {
            again.next(record);
        }
        assert_eq!(again.pending(), expected, "{cut}");
    }
    assert_eq!(play.end().1.as_deref(), Some("# End"));
}
