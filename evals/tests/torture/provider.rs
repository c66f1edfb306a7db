//! Hostile providers: each comes to a named end, and a good one is answered by afterwards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ta_core::hook::CallContext;
use ta_core::kind::Kind;
use ta_core::message::{Message, StopReason};
use ta_core::model::ModelRequest;
use ta_evals::torture::{Stage, component};
use ta_sandbox::{Ended, Guest, Invocation, Limits, Provided, ProviderFailure, Rights};

/// A provider with this body: its memory holds an answer at 1024, whose text is `sound`.
fn provider(body: &str, data: &str) -> Vec<u8> {
    let wat = format!(
        r#"(module
  (memory (export "memory") 2)
  (global $top (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (data (i32.const 2048) "sound")
  ;; ok; text 2048, 5; no calls; 3 and 4 tokens; end-turn.
  (data (i32.const 1024) "\00\00\00\00\00\00\00\00" "\00\08\00\00\05\00\00\00" "\00\00\00\00\00\00\00\00"
    "\03\00\00\00\00\00\00\00" "\04\00\00\00\00\00\00\00" "\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00")
  {data}
  (func (export "teacher-assist:plugin/provider@0.2.0#complete") (param i32) (result i32)
    {body}))"#
    );
    component(&wat, "provider").unwrap()
}

async fn load(stage: &Stage, bytes: &[u8], limits: Limits) -> Guest {
    stage.sandbox.load("torture:provider", bytes, None, Rights::default(), limits).await.unwrap()
}

async fn asked(stage: &Stage, guest: &Guest, words: &str) -> Ended<Result<Provided, ProviderFailure>> {
    let request = ModelRequest { messages: vec![Message::user(words)].into(), ..ModelRequest::default() };
    let invocation = Invocation::new(CallContext::default(), Arc::clone(&guest.rights), guest.limits);
    stage.sandbox.call_provider(guest, &request, invocation).await.ended
}

#[tokio::test]
async fn a_hostile_provider_comes_to_a_named_end() {
    let stage = Stage::new(None, None).unwrap();
    let usual = Limits::of(Kind::Provider);
    assert_eq!((usual.fuel, usual.cpu_ms, usual.memory_bytes), (2_000_000_000, 10_000, 128 << 20));
    assert!(!usual.asks && usual.requests == 0 && usual.model_calls == 0);
    let small = Limits { fuel: 20_000_000, ..usual };
    let good = load(&stage, &provider("(i32.const 1024)", ""), usual).await;
    // The call at 3072: an empty id, the name `sound`, no arguments; at 1040 the list that holds it.
    let no_id = r#"(data (i32.const 3072) "\00\00\00\00\00\00\00\00" "\00\08\00\00\05\00\00\00" "\00\00\00\00\00\00\00\00")
                   (data (i32.const 1040) "\00\0c\00\00\01\00\00\00")"#;
    for (what, body, data, code) in [
        ("traps", "(unreachable)", "", "hook.trap"),
        ("never ends", "(loop $again (br $again)) (unreachable)", "", "hook.deadline"),
        (
            "eats memory",
            "(loop $more (drop (memory.grow (i32.const 256))) (br $more)) (unreachable)",
            "",
            "hook.memory",
        ),
        ("answers nowhere", "(i32.const 0x7fff0000)", "", "hook.malformed"),
        (
            "says more than it may",
            "(i32.const 1024)",
            r#"(data (i32.const 1032) "\00\00\00\00\ff\ff\ff\0f")"#,
            "hook.malformed",
        ),
        ("calls without an id", "(i32.const 1024)", no_id, "provider.malformed"),
    ] {
        let guest = load(&stage, &provider(body, data), small).await;
        let began = Instant::now();
        match asked(&stage, &guest, what).await {
            Ended::Failed(failure) => {
                assert!(
                    failure.code == code || (code == "hook.malformed" && failure.code.starts_with("hook.")),
                    "{what}: {failure:?}"
                );
            }
            other => panic!("{what}: {other:?}"),
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{what}");
        let Ended::Returned(Ok(sound)) = asked(&stage, &good, what).await else { panic!("the good one after: {what}") };
        assert_eq!(
            (sound.text.as_str(), sound.stop, sound.input_tokens, sound.output_tokens),
            ("sound", StopReason::EndTurn, 3, 4)
        );
    }
}

/// What a person types cannot be larger than a provider's memory holds: a named end, and the host goes on.
#[tokio::test]
async fn a_request_that_no_memory_holds_is_a_failure() {
    let stage = Stage::new(None, None).unwrap();
    let guest = load(&stage, &provider("(i32.const 1024)", ""), Limits::of(Kind::Provider)).await;
    let Ended::Failed(failure) = asked(&stage, &guest, &"a".repeat(1 << 20)).await else {
        panic!("it holds two pages")
    };
    assert!(failure.code.starts_with("hook."), "{failure:?}");
    assert!(matches!(asked(&stage, &guest, "short").await, Ended::Returned(Ok(_))));
}
