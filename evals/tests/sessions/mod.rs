//! Random histories of sessions, on the real runtime and a journal in memory: runs, one after the other and side by side,
//! questions answered, declined and left open, handoffs, subagents, a flow, forks, answers taken back, texts edited
//! meanwhile, and a process that is killed in the middle. After each thing that is done, a small model of its own says
//! what must hold ([`rules`]).
//!
//! Eight defects that this project once had are put back, one at a time, where the journal is read and written
//! ([`defects`], through [`seam`]): the same histories must find each of them, by the rule that it breaks.

mod choices;
mod defects;
mod guests;
mod person;
mod rules;
mod script;
mod seam;
mod stage;

use std::sync::atomic::{AtomicU64, Ordering};

use defects::Defect;
use rules::Rule;
use stage::{Seen, Stage};

/// Histories without a defect: those of the seeds from 1. The variable of this name asks for more.
const HISTORIES: u64 = 120;
/// Histories within which a defect has to be found.
const HISTORIES_MAX: u64 = 2_000;

/// What the histories have to come to, or the rules hold for nothing.
const REACHED: [&str; 21] = [
    "hook.finished",
    "request.answered",
    "question.item_decided",
    "tasks.replaced",
    "writes.done",
    "handoff.made",
    "subagent.finished",
    "flow.stepped",
    "message.said",
    "run.parked",
    "run.resumed",
    "run.forked",
    "success",
    "error_hook_abort",
    "error_max_budget",
    "killed",
    "stopped",
    "swapped",
    "agent.answered",
    "message.shown",
    "model.answered",
];

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn random_histories_keep_what_they_promise() {
    let histories = std::env::var("HISTORIES").map_or(HISTORIES, |number| number.parse().unwrap());
    let begun = std::time::Instant::now();
    let seen = played(histories);
    println!("{histories} histories in {:.1} s: {seen:?}", begun.elapsed().as_secs_f64());
    let missing: Vec<_> = REACHED.iter().filter(|what| seen.get(*what).is_none_or(|times| *times == 0)).collect();
    assert!(missing.is_empty(), "no history came to {missing:?}: {seen:?}");
}

/// Plays the histories of the seeds from 1, side by side, each thread on a stage of its own.
fn played(histories: u64) -> Seen {
    let next = AtomicU64::new(1);
    let play = || {
        runtime().block_on(async {
            let (stage, mut all) = (Stage::new(None), Seen::new());
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed > histories {
                    return all;
                }
                add(&mut all, stage.play(seed).await.unwrap_or_else(|(_, what)| panic!("{what}")));
            }
        })
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(play)).collect();
        let mut all = Seen::new();
        for thread in threads {
            add(&mut all, thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    })
}

fn add(all: &mut Seen, more: Seen) {
    for (what, times) in more {
        *all.entry(what).or_default() += times;
    }
}

/// Plays histories until one breaks a rule, which must be this one.
fn finds(defect: Defect, rule: Rule) {
    let (seed, broken, what) = runtime().block_on(async {
        let stage = Stage::new(Some(defect));
        for seed in 1..=HISTORIES_MAX {
            match stage.play(seed).await {
                // A fork that began where it must not, and what it lost does not show.
                Ok(_) | Err((Rule::Steps, _)) => {}
                Err((broken, what)) => return (seed, broken, what),
            }
        }
        panic!("{defect:?} was put back, and {HISTORIES_MAX} histories did not find it");
    });
    println!("{defect:?}: found after {seed} histories by {broken:?}");
    assert_eq!(broken, rule, "{what}");
}

#[test]
fn parts_that_share_an_id_are_found() {
    finds(Defect::PartsShareAnId, Rule::Accepted);
}

#[test]
fn saving_that_replaces_is_found() {
    finds(Defect::SavingReplaces, Rule::Saved);
}

#[test]
fn tasks_that_are_replaced_side_by_side_are_found() {
    finds(Defect::TasksSideBySide, Rule::Tasks);
}

#[test]
fn tasks_of_one_run_alone_are_found() {
    finds(Defect::TasksOfOneRun, Rule::Tasks);
}

#[test]
fn a_fork_with_a_seed_of_its_own_is_found() {
    finds(Defect::SeedOfTheFork, Rule::Ends);
}

#[test]
fn texts_that_are_not_pinned_are_found() {
    finds(Defect::TextsOfNow, Rule::Texts);
}

#[test]
fn a_fork_between_a_call_and_its_effects_is_found() {
    finds(Defect::ForkWithinAStep, Rule::Tasks);
}

#[test]
fn a_trace_that_lists_other_components_is_found() {
    finds(Defect::ComponentsOfTheParent, Rule::Digests);
}
