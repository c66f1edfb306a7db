//! Signals as examples, and how long looking for them takes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use ta_routing::{Router, Signal, TEXT_BYTES_MAX};

fn signal(capability: &str, pattern: &str, keywords: &[&str], confidence: f64) -> Signal {
    Signal {
        capability: capability.to_owned(),
        pattern: Some(pattern.to_owned()).filter(|it| !it.is_empty()),
        keywords: keywords.iter().map(|it| (*it).to_owned()).collect(),
        confidence,
    }
}

#[test]
fn the_best_signal_decides_and_a_tie_is_unsure() {
    let router = Router::new(vec![
        signal("review", r"look at .*code", &["Code Review"], 0.85),
        signal("debug", "", &["crash", "fails"], 0.9),
        signal("test", "", &["tests"], 0.9),
        signal("chat", r"^\s*hell+o\b", &[], 0.5),
        signal("cafe", "caf[éè]", &[], 0.8),
    ])
    .unwrap();
    for (text, capability, confidence, sure) in [
        ("Look at the CODE in src/auth", Some("review"), 0.85, true),
        ("a code-review, please", Some("review"), 0.85, true),
        ("look at this code: it crashed", Some("review"), 0.85, true),
        ("look at this code: the crash comes again", Some("debug"), 0.9, true),
        ("the tests crash", Some("debug"), 0.9, false),
        ("Hello there", Some("chat"), 0.5, false),
        ("UN CAFÉ", Some("cafe"), 0.8, true),
        ("", None, 0.0, false),
        ("something else", None, 0.0, false),
    ] {
        let routed = router.route(text);
        assert_eq!((routed.capability, routed.sure()), (capability, sure), "{text}: {routed:?}");
        assert!((routed.confidence - confidence).abs() < 1e-9, "{text}: {routed:?}");
    }
    assert_eq!(router.route("the tests crash").tied, ["test"]);
}

#[test]
fn every_signal_that_cannot_be_used_is_named() {
    let bad = Router::new(vec![
        signal("fine", "fine", &[], 0.9),
        signal("a", "(", &[], 0.9),
        signal("b", "((a{1,100}){1,100}){1,100}", &[], 0.9),
        signal("c", "", &[], 0.9),
        signal("d", "d", &[], 1.5),
        signal("e", "x*", &[], 0.9),
        signal("f", "", &["!"], 0.9),
        signal("g", "(?=look)", &[], 0.9),
    ])
    .unwrap_err();
    let told: Vec<(usize, &str)> = bad.iter().map(|it| (it.at, it.code)).collect();
    let patterns = [1, 2, 5, 7].map(|at| (at, "signal.pattern"));
    let mut expected =
        [patterns.as_slice(), &[(3, "signal.empty"), (4, "signal.confidence"), (6, "signal.empty")]].concat();
    expected.sort_unstable();
    assert_eq!(told, expected, "{bad:?}");
    assert!(bad[1].message.contains("shorten what it repeats"), "{}", bad[1].message);
}

/// A thousand signals as teams write them: half of them patterns, half keywords.
fn thousand() -> Router {
    let verbs =
        ["review", "deploy", "migrate", "measure", "rename", "archive", "translate", "invoice", "restore", "compare"];
    let things =
        ["ledger", "cluster", "report", "schema", "tenant", "webhook", "quota", "banner", "survey", "firmware"];
    let signals = (0..1_000).map(|at| {
        let (verb, thing) = (verbs[at % 10], things[at / 10 % 10]);
        let capability = format!("capability-{at}");
        match at % 2 {
            0 => signal(&capability, &format!(r"\b{verb}(s|ed|ing)?\b.*\b{thing}-?{at}s?\b"), &[], 0.8),
            _ => signal(&capability, "", &[&format!("{verb} the {thing} {at}")], 0.8),
        }
    });
    Router::new(signals.collect()).unwrap()
}

/// The shortest of some tries: what the work takes, without what else the machine does.
fn quickest(router: &Router, text: &str) -> Duration {
    let timed = || {
        let began = Instant::now();
        let _ = std::hint::black_box(router.route(std::hint::black_box(text)));
        began.elapsed()
    };
    (0..30).map(|_| timed()).min().unwrap()
}

/// What the promise is in a release build: `cargo test --release -p ta-routing -- --nocapture` prints what it took. Without
/// optimisation the bound is that of the whole promise, 50 ms.
#[test]
fn a_thousand_signals_are_looked_for_within_the_bound() {
    let began = Instant::now();
    let router = thousand();
    let made = began.elapsed();
    let bound = Duration::from_millis(if cfg!(debug_assertions) { 50 } else { 1 });
    let began = Instant::now();
    assert_eq!(router.route("please review the ledger-0 before Monday").capability, Some("capability-0"));
    let first = began.elapsed();
    assert_eq!(router.route("please deploy the ledger 1 now").capability, Some("capability-1"));
    let hostile = "a".repeat(TEXT_BYTES_MAX);
    let many = "review deploy migrate ".repeat(200);
    let pasted = format!("please review the ledger-0\n{}", "x é ".repeat(100_000));
    let usual = "could you please review what we wrote about the ledger-0 and tell me what you think of it";
    println!("made in {made:?}, first {first:?}");
    for (name, text) in [("usual", usual), ("one letter", &hostile), ("verbs", &many), ("pasted", &pasted)] {
        let took = quickest(&router, text);
        println!("{name}: {took:?}");
        assert!(took < bound, "{name}: {took:?}");
    }
}

/// Patterns that take a backtracking engine for ever take this one no longer than others.
#[test]
fn no_pattern_is_catastrophic() {
    let text = format!("{}!", "a".repeat(TEXT_BYTES_MAX - 1));
    let plain = Router::new(vec![signal("a", "a+$", &[], 0.8)]).unwrap();
    let worst =
        Router::new(["(a+)+$", "(a|a)*$b", "(a|aa)+$", "(.*a){12}$"].map(|it| signal("a", it, &[], 0.8)).to_vec());
    let (plain, worst) = (quickest(&plain, &text), quickest(&worst.unwrap(), &text));
    assert!(worst < plain * 100 + Duration::from_millis(5), "{plain:?}, {worst:?}");
}
