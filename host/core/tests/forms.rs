//! An output with a form, as the machine sees it: what is sent back, what counts anew, what a hook may do to it.

use std::sync::Arc;

use crate::support;

use support::{Play, answer};
use ta_core::Point;
use ta_core::event::{Event, HookBinding, Limits, RunStarted, Status};
use ta_core::hook::{Change, OnFailure, Verdict};
use ta_core::machine::{Action, Framing, Machine, ModelCall};

const FITTING: &str = "{\"title\":\"Loops\"}";

fn begun(limits: Limits) -> Play {
    let mut play = Play { machine: Machine::default(), records: Vec::new() };
    let hook = HookBinding { hook: "gate".into(), point: Point::PostLoop, on_failure: OnFailure::Abort };
    let schema = serde_json::json!({ "type": "object", "required": ["title"] });
    let started = RunStarted { limits, hooks: vec![hook], output_schema: Some(schema), ..RunStarted::default() };
    play.feed(Event::RunStarted(Box::new(started)));
    play.prompt();
    play
}

#[test]
fn hooks_see_only_what_has_the_form() {
    let mut play = begun(Limits::default());
    play.model(answer("[]", &[]));
    assert!(matches!(play.pending(), Action::CallModel(call) if call.messages.len() == 3), "{:?}", play.pending());
    play.model(answer(FITTING, &[]));
    play.hook("gate", Verdict::Pass);
    assert_eq!(play.end(), (Status::Success, Some(FITTING.to_owned())));
}

#[test]
fn a_hook_that_takes_the_form_away_ends_the_run_by_name() {
    let mut play = begun(Limits::default());
    play.model(answer(FITTING, &[]));
    play.hook("gate", Verdict::Modify(Change::Output { output: "[]".into(), shown: Vec::new() }));
    assert_eq!(play.end().0, Status::ErrorOutputSchema);
    assert!(play.reason().unwrap().starts_with("a hook changed the output"), "{:?}", play.reason());
}

#[test]
fn repairs_are_counted_anew_for_the_answer_to_a_rework() {
    let mut play = begun(Limits::default());
    for round in 0..3 {
        play.model(answer("[]", &[]));
        play.model(answer("no JSON", &[]));
        play.model(answer(FITTING, &[]));
        if round < 2 {
            let instruction = "shorter".to_owned();
            play.hook("gate", Verdict::Rework { instruction, accepted: Vec::new(), rounds_max: 9 });
        }
    }
    play.hook("gate", Verdict::Pass);
    assert_eq!(play.end().0, Status::Success);
    play = begun(Limits::default());
    for _ in 0..3 {
        play.model(answer("[]", &[]));
    }
    assert_eq!(play.end(), (Status::ErrorOutputSchema, Some("[]".to_owned())));
}

#[test]
fn repairs_are_turns_and_the_schema_is_part_of_what_is_sent() {
    let mut play = begun(Limits { max_turns: 1, ..Limits::default() });
    let Action::CallModel(call) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let (system, tools) = (call.framing.system().to_owned(), call.framing.tools().to_vec());
    let without = ModelCall { framing: Arc::new(Framing::new(system, tools, None)), ..ModelCall::clone(&call) };
    assert_ne!(call.request_sha256(), without.request_sha256());
    assert!(call.input_tokens_max() > without.input_tokens_max(), "what is set aside reckons with it");
    play.model(answer("[]", &[]));
    assert_eq!(play.end().0, Status::ErrorMaxTurns);
}
