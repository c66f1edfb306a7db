//! Every state that a session can reach, by a search over the code that runs: at most one step is in progress, statuses change
//! by the table alone, what is done stays as it is, and from each state there is a way to the end.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};
use support::Told;
use ta_study::plan::{Plan, Status, TRANSITIONS};
use ta_study::session::{Event, Step, Wait, step};
use ta_study::state::{Stage, Standing, State};

/// Steps of a plan in the search: enough for one that is taught or done, and one that is to come.
const STEPS: usize = 2;

/// What makes two states the same: all that decides, and no text, time or id.
fn key(step: &Step) -> String {
    let state = &step.state;
    // Of a step that is done nothing is counted any more. Two right answers and more are one: the fifth, which completes a step by
    // itself, only adds a way on.
    let counts = |it: &ta_study::plan::Step| match it.status {
        Status::Completed => (0, true),
        Status::Pending | Status::InProgress | Status::Blocked => {
            let counts = it.counts();
            (counts.questions_correct.min(2), counts.questions_correct == counts.attempts)
        }
    };
    let statuses: Vec<_> = state.plan.todo_list.iter().map(|it| (it.status, counts(it))).collect();
    let stage = match &state.stage {
        Stage::Planning { reason, tries } => format!("planning {} {tries}", reason.is_some()),
        other => format!("{other:?}"),
    };
    let open = state.open.as_ref().map(|open| open.hints.min(3));
    let counts = (state.wrong_in_a_row, state.plan.metadata.replan_count, state.nudged);
    format!("{statuses:?} {stage} {open:?} {counts:?} {:?}", state.standing)
}

fn proposed(id: Option<&str>) -> Value {
    json!({ "step_id": id, "title": "T", "description": "D", "teaching_approach": "A", "success_criteria": "S" })
}

/// Every kind of thing that can happen to a state.
fn events(at: &Step) -> Vec<Event> {
    let said = |words: &str| Event::Said(words.to_owned());
    let answered = |value: &Value| Event::Answered(Ok(value.to_string()));
    let nobody = || Event::Answered(Err("no".to_owned()));
    let broken = || Event::Answered(Ok("Well done!".to_owned()));
    let plan = &at.state.plan;
    match &at.wait {
        Wait::Agent { name: "planner", .. } => {
            planners(plan).iter().map(answered).chain([nobody(), broken()]).collect()
        }
        Wait::Agent { name: "executor", .. } => {
            let of = |kind: &str| json!({ "message": "M?", "reasoning": "R", "meta": { "message_type": kind, "difficulty": "easy" } });
            let all = ["question", "explanation", "hint"].map(|kind| answered(&of(kind)));
            all.into_iter().chain([nobody(), broken()]).collect()
        }
        Wait::Agent { name: "evaluator", .. } => {
            evaluators(plan).iter().map(answered).chain([nobody(), broken()]).collect()
        }
        Wait::Agent { .. } => vec![answered(&json!({ "summary": "S" })), nobody(), broken()],
        Wait::Learner(_) => vec![
            said("an answer"),
            said("hint"),
            said("end"),
            said("help"),
            said(""),
            Event::Woken,
            Event::Withheld("w".to_owned()),
            Event::Returned("r".to_owned()),
        ],
        Wait::Teacher => vec![
            said("look at the drawing"),
            said("skip: it is too early"),
            said("skip:"),
            said("end"),
            said(""),
            Event::Withheld("w".to_owned()),
            Event::Woken,
        ],
        Wait::End => Vec::new(),
    }
}

fn planners(plan: &Plan) -> Vec<Value> {
    let open: Vec<&str> = plan
        .todo_list
        .iter()
        .filter(|it| matches!(it.status, Status::Pending | Status::Blocked))
        .map(|it| it.step_id.as_str())
        .collect();
    let kept: Vec<Value> = open.iter().map(|id| proposed(Some(id))).collect();
    let settled = plan.todo_list.iter().find(|it| it.status == Status::Completed).map(|it| proposed(Some(&it.step_id)));
    let of = |steps: Vec<Value>| json!({ "todo_list": steps, "reasoning": "R", "changes_made": "C" });
    let mut all = vec![of(Vec::new()), of(settled.into_iter().collect())];
    if plan.todo_list.is_empty() {
        all.extend((1..=2).map(|steps| of(vec![proposed(None); steps])));
        return all;
    }
    all.push(of(kept.clone()));
    all.extend(kept.first().map(|first| of(vec![first.clone()])));
    if plan.todo_list.len() < STEPS {
        all.push(of([vec![proposed(None)], kept].concat()));
        all.push(of(vec![proposed(None)]));
    }
    all
}

fn evaluators(plan: &Plan) -> Vec<Value> {
    let current = plan.current().map(|it| it.step_id.clone()).unwrap_or_default();
    let next = plan.todo_list.iter().find(|it| it.status == Status::Pending && it.step_id != current);
    let of = |score: f64, statuses: Value, replan: bool| {
        json!({
            "score": score, "feedback": "F", "reasoning": "R", "updated_step_statuses": statuses, "assessment_note": "N",
            "was_off_topic": false, "replan_needed": replan, "replan_reason": if replan { json!("P") } else { Value::Null },
        })
    };
    let completed = json!({ &current: "completed" });
    let mut all = vec![
        of(1.0, json!({}), false),
        of(1.0, completed.clone(), false),
        of(0.7, completed.clone(), true),
        of(0.0, json!({}), false),
        of(0.0, completed, false),
        of(0.2, json!({ &current: "blocked" }), true),
        of(2.0, json!({}), false),
        of(0.0, json!({ "nobody": "completed" }), false),
    ];
    if let Some(next) = next {
        all.push(of(1.0, json!({ &current: "completed", &next.step_id: "completed" }), false));
        all.push(of(0.0, json!({ &next.step_id: "completed" }), false));
    }
    let off = json!({
        "score": null, "feedback": "", "reasoning": "R", "assessment_note": "", "was_off_topic": true,
        "off_topic_response": "Back.", "replan_needed": true, "updated_step_statuses": { &current: "completed" },
    });
    all.push(off);
    all
}

/// What must hold of every step of the flow, and of what it came from.
fn holds(before: Option<&Step>, event: &Event, after: &Step) {
    let state = &after.state;
    let plan = &state.plan;
    let count = |status| plan.todo_list.iter().filter(|it| it.status == status).count();
    assert!(count(Status::InProgress) <= 1, "two steps in progress after {event:?}");
    assert!(plan.metadata.replan_count <= 3 && plan.metadata.plan_version <= 4);
    let ids: BTreeSet<&String> = plan.todo_list.iter().map(|it| &it.step_id).collect();
    assert_eq!(ids.len(), plan.todo_list.len(), "an id stands twice");
    match &after.wait {
        Wait::Learner(_) if state.stage == Stage::Listening => {
            assert_eq!(state.standing, Standing::Active);
            assert!(plan.current().is_some(), "the learner is waited for, and there is no step");
            assert_eq!(count(Status::Blocked), 0, "a step stays blocked and nobody sees to it");
        }
        Wait::Teacher => {
            assert_eq!((state.standing, plan.metadata.replan_count), (Standing::Intervention, 3));
            assert!(plan.blocked().is_some());
        }
        Wait::End => assert!(matches!(state.standing, Standing::Completed | Standing::Ended)),
        Wait::Learner(_) | Wait::Agent { .. } => {}
    }
    if state.standing == Standing::Completed {
        assert!(plan.completed() && !plan.todo_list.is_empty() && after.wait == Wait::End);
    }
    let Some(before) = before else { return };
    for step in &before.state.plan.todo_list {
        let now = plan.step(&step.step_id).unwrap_or_else(|| panic!("a step is lost after {event:?}"));
        if step.status == Status::Completed {
            let text = |step| serde_json::to_string(step).unwrap();
            assert_eq!(text(step), text(now), "what is done was changed by {event:?}");
        }
        assert!(reaches(step.status, now.status), "{:?} became {:?} by {event:?}", step.status, now.status);
    }
    let off_topic = matches!(event, Event::Answered(Ok(text)) if text.contains("\"was_off_topic\":true"));
    if off_topic {
        assert_eq!(&before.state.plan, plan, "an off-topic reply touches no status");
    }
}

/// Whether one step of the flow may lead from a status to another: by changes of the table, one after the other.
fn reaches(from: Status, to: Status) -> bool {
    let mut known = BTreeSet::from([from]);
    loop {
        let more: Vec<Status> =
            TRANSITIONS.iter().filter(|(it, _, _)| known.contains(it)).map(|(_, _, to)| *to).collect();
        let length = known.len();
        known.extend(more);
        if known.len() == length {
            return known.contains(&to);
        }
    }
}

/// Leaves out what decides nothing, so that the search is quick: texts, and what is kept for people.
fn forgets(state: &mut State) {
    (state.logs, state.alerts, state.asked) = (Vec::new(), Vec::new(), Vec::new());
    state.notes = String::new();
    state.conversation = ta_study::conversation::Conversation::default();
}

#[test]
fn no_state_is_a_dead_end() {
    let world = Told { data: false, ..Told::new() };
    let first = step(&world, None, &Event::Begun("fractions".to_owned())).unwrap();
    holds(None, &Event::Woken, &first);
    let mut known: BTreeMap<String, usize> = BTreeMap::from([(key(&first), 0)]);
    let mut states: Vec<Step> = vec![first];
    let mut into: Vec<Vec<usize>> = vec![Vec::new()];
    let mut open: VecDeque<usize> = VecDeque::from([0]);
    while let Some(at) = open.pop_front() {
        let from = states[at].clone();
        for event in events(&from) {
            let mut after = step(&world, Some(from.state.clone()), &event).unwrap();
            holds(Some(&from), &event, &after);
            forgets(&mut after.state);
            let next = *known.entry(key(&after)).or_insert_with(|| {
                states.push(after.clone());
                into.push(Vec::new());
                open.push_back(states.len() - 1);
                states.len() - 1
            });
            into[next].push(at);
        }
        assert!(states.len() < 20_000, "the search does not end");
    }
    for wanted in [Standing::Completed, Standing::Ended] {
        // Backwards from the ends: whatever is not met has no way there.
        let ends = |it: &Step| it.state.standing == wanted && it.wait == Wait::End;
        let mut met: BTreeSet<usize> = (0..states.len()).filter(|at| ends(&states[*at])).collect();
        let mut edge: Vec<usize> = met.iter().copied().collect();
        while let Some(at) = edge.pop() {
            for from in &into[at] {
                if met.insert(*from) {
                    edge.push(*from);
                }
            }
        }
        let over = |it: &Step| it.wait == Wait::End;
        let lost: Vec<usize> = (0..states.len()).filter(|at| !met.contains(at) && !over(&states[*at])).collect();
        let shown = lost.first().map(|at| key(&states[*at]));
        assert!(
            lost.is_empty(),
            "{} of {} states have no way to {wanted:?}, such as {shown:?}",
            lost.len(),
            states.len()
        );
    }
    let count = |of: fn(&State) -> bool| states.iter().filter(|it| of(&it.state)).count();
    let seen = (count(|it| it.standing == Standing::Intervention), count(|it| it.plan.blocked().is_some()));
    assert!(states.len() > 500 && seen.0 > 0 && seen.1 > 0, "{} states, {seen:?}", states.len());
    println!("{} states, {} transitions", states.len(), into.iter().map(Vec::len).sum::<usize>());
}

#[test]
fn the_table_has_a_way_from_every_status_to_completed_and_none_back() {
    for status in [Status::Pending, Status::InProgress, Status::Blocked] {
        assert!(reaches(status, Status::Completed), "{status:?}");
    }
    assert!(TRANSITIONS.iter().all(|(from, _, _)| *from != Status::Completed), "what is done stays done");
    let causes: BTreeSet<_> = TRANSITIONS.iter().map(|(from, cause, _)| (from, cause)).collect();
    assert_eq!(causes.len(), TRANSITIONS.len(), "a cause leads to one status");
}
