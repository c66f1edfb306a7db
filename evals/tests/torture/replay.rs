//! C1, L2 and P5: the same seed gives the same bytes, questions come one at a time, and a bug of the host ends the
//! call and nothing else.

use std::sync::Arc;

use ta_core::question::Outcome;
use ta_evals::torture::{GOOD, Row, Seen, Stage, component, row};
use ta_sandbox::{Inputs, SkillReader, SkillText};

fn guest(name: &str) -> (Row, Vec<u8>) {
    let row = row(name).unwrap();
    let bytes = component(&row.wat, &row.expectation.point).unwrap();
    (row, bytes)
}

async fn perform(stage: &Stage, name: &str) -> Seen {
    let (row, bytes) = guest(name);
    stage.perform(&bytes, &row.expectation, |_| {}).await.unwrap()
}

#[tokio::test]
async fn c1_randomness_comes_from_the_seed() {
    let mut stage = Stage::new(None, None).unwrap();
    for name in ["c1-random", "c1-wasi-same"] {
        stage.seed = [7; 32];
        let first = perform(&stage, name).await;
        let again = perform(&stage, name).await;
        stage.seed = [8; 32];
        let other = perform(&stage, name).await;
        assert!(first.code.is_none() && first.text.len() >= 16, "{name}: {first:?}");
        assert_eq!(first.text, again.text, "{name}");
        assert_ne!(first.text, other.text, "{name}");
        assert_eq!(first.report.fuel, again.report.fuel, "{name}: the same call costs the same");
    }
}

#[tokio::test]
async fn l2_one_question_at_a_time_and_a_limit_to_them() {
    let mut stage = Stage::new(None, None).unwrap();
    let first = perform(&stage, "l2-questions").await;
    let question = first.question.expect("it parks at its first question");
    assert_eq!(question.id, "again");

    let told = |import: &str, times: usize| {
        let answer = serde_json::to_vec(&Outcome::Dismissed).unwrap();
        Some(Arc::new(Inputs { sequence: vec![(format!("ask {import}"), answer); times], ..Inputs::default() }))
    };
    stage.told = told(&question.hash(), 1);
    assert!(perform(&stage, "l2-questions").await.question.is_some(), "it parks at its second");

    stage.told = told(&question.hash(), 1_000);
    let flooded = perform(&stage, "l2-questions").await;
    assert_eq!(flooded.code.as_deref(), Some("hook.requests"), "{flooded:?}");

    stage.told = told("of another question", 1);
    let diverged = perform(&stage, "l2-questions").await;
    assert_eq!(diverged.code.as_deref(), Some("hook.divergence"), "{diverged:?}");
}

struct Buggy;

impl SkillReader for Buggy {
    fn read(&self, reference: &str) -> Result<SkillText, String> {
        panic!("a bug of the host, met at `{reference}`")
    }
}

#[tokio::test]
async fn p5_a_panic_of_the_host_ends_the_call_and_not_the_host() {
    let mut stage = Stage::new(None, None).unwrap();
    stage.skills = Some(Arc::new(Buggy));
    for _ in 0..3 {
        let seen = perform(&stage, "p5-panic").await;
        assert_eq!(seen.code.as_deref(), Some("host.bug"), "{seen:?}");
        let good = perform(&stage, GOOD).await;
        assert_eq!(good.code, None, "{good:?}");
    }
}

/// A guest that never ends and one that sleeps do not hold up a good one on a runtime with a single thread.
#[tokio::test(flavor = "current_thread")]
async fn a_good_hook_has_its_turn_beside_bad_ones() {
    let stage = Stage::new(None, None).unwrap();
    let (row, bytes) = guest(GOOD);
    let limits = ta_sandbox::Limits::of(ta_core::kind::Kind::Guardrail);
    let good = stage.sandbox.load("good", &bytes, None, ta_sandbox::Rights::default(), limits).await.unwrap();
    let calls = async {
        let mut times = Vec::new();
        for _ in 0..11 {
            let started = std::time::Instant::now();
            assert_eq!(stage.call(&good, &row.expectation.point).await.unwrap().code, None);
            times.push(started.elapsed());
            tokio::task::yield_now().await;
        }
        times.sort();
        times[times.len() / 2]
    };
    let bad = async { tokio::join!(perform(&stage, "g1-loop-export"), perform(&stage, "g4-wasi-sleep")) };
    let ((one, two), usual) = tokio::join!(bad, calls);
    assert_eq!(one.code.as_deref(), Some("hook.deadline"));
    assert_eq!(two.code.as_deref(), Some("hook.deadline"));
    assert!(usual < std::time::Duration::from_millis(100), "{usual:?}");
}
