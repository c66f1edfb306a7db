//! Hostile writers: each comes to a named end, and a good one writes afterwards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ta_core::hook::CallContext;
use ta_core::kind::Kind;
use ta_evals::torture::{Stage, component};
use ta_sandbox::{Document, DocumentFailure, DocumentRequest, Ended, Guest, Invocation, Limits, Rights};

/// A writer with this body: its memory holds a document at 1024, whose bytes are `sound`.
fn writer(body: &str, data: &str) -> Vec<u8> {
    let wat = format!(
        r#"(module
  (memory (export "memory") 2)
  (global $top (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (data (i32.const 2048) "sound" "text/plain" "a.txt" "../a.txt" "text\0aplain" "Not Plain")
  ;; ok; bytes 2048, 5; media type 2053, 10; name 2063, 5.
  (data (i32.const 1024) "\00\00\00\00" "\00\08\00\00\05\00\00\00" "\05\08\00\00\0a\00\00\00" "\0f\08\00\00\05\00\00\00")
  {data}
  (func (export "teacher-assist:plugin/writer@0.2.0#write") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
    {body}))"#
    );
    component(&wat, "writer").unwrap()
}

async fn load(stage: &Stage, bytes: &[u8], limits: Limits) -> Guest {
    stage.sandbox.load("torture:writer", bytes, None, Rights::default(), limits).await.unwrap()
}

async fn written(stage: &Stage, guest: &Guest, text: &str) -> Ended<Result<Document, DocumentFailure>> {
    let request = DocumentRequest { format: "txt", text, part: None };
    let invocation = Invocation::new(CallContext::default(), Arc::clone(&guest.rights), guest.limits);
    stage.sandbox.call_writer(guest, request, invocation).await.ended
}

#[tokio::test]
async fn a_hostile_writer_comes_to_a_named_end() {
    let stage = Stage::new(None, None).unwrap();
    let usual = Limits::of(Kind::Writer);
    assert_eq!((usual.fuel, usual.cpu_ms, usual.memory_bytes), (2_000_000_000, 5_000, 256 << 20));
    assert!(!usual.asks && usual.requests == 0 && usual.model_calls == 0);
    let small = Limits { fuel: 20_000_000, ..usual };
    let good = load(&stage, &writer("(i32.const 1024)", ""), usual).await;
    let out = "(i32.const 1024)";
    for (what, body, data, code) in [
        ("traps", "(unreachable)", "", "hook.trap"),
        ("never ends", "(loop $again (br $again)) (unreachable)", "", "hook.deadline"),
        (
            "eats memory",
            "(loop $more (drop (memory.grow (i32.const 256))) (br $more)) (unreachable)",
            "",
            "hook.memory",
        ),
        ("answers nowhere", "(i32.const 0x7fff0000)", "", "hook."),
        ("a document beyond its memory", out, r#"(data (i32.const 1032) "\ff\ff\ff\0f")"#, "hook."),
        ("a name that is a path", out, r#"(data (i32.const 1044) "\14\08\00\00\08\00\00\00")"#, "writer.malformed"),
        ("no name", out, r#"(data (i32.const 1048) "\00")"#, "writer.malformed"),
        (
            "a media type with a line break",
            out,
            r#"(data (i32.const 1036) "\1c\08\00\00\0a\00\00\00")"#,
            "writer.malformed",
        ),
        (
            "a failure whose code is none",
            out,
            r#"(data (i32.const 1024) "\01\00\00\00" "\26\08\00\00\09\00\00\00")"#,
            "writer.malformed",
        ),
    ] {
        let guest = load(&stage, &writer(body, data), small).await;
        let began = Instant::now();
        match written(&stage, &guest, what).await {
            Ended::Failed(failure) => assert!(failure.code.starts_with(code), "{what}: {failure:?}"),
            other => panic!("{what}: {other:?}"),
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{what}");
        let Ended::Returned(Ok(sound)) = written(&stage, &good, what).await else {
            panic!("the good one after: {what}")
        };
        assert_eq!(
            (sound.bytes.as_slice(), sound.media_type.as_str(), sound.name.as_str()),
            (b"sound".as_slice(), "text/plain", "a.txt")
        );
    }
}

/// A document of 32 MiB comes through whole; one byte more does not.
#[tokio::test]
async fn a_document_has_32_mib_at_the_most() {
    let stage = Stage::new(None, None).unwrap();
    let grown = "(drop (memory.grow (i32.const 600))) (i32.const 1024)";
    for (length, whole) in [("\\00\\00\\00\\02", true), ("\\01\\00\\00\\02", false)] {
        let data = format!(r#"(data (i32.const 1032) "{length}")"#);
        let guest = load(&stage, &writer(grown, &data), Limits::of(Kind::Writer)).await;
        match written(&stage, &guest, "").await {
            Ended::Returned(Ok(document)) => assert!(whole && document.bytes.len() == 32 << 20),
            Ended::Failed(failure) => assert!(!whole && failure.code == "writer.malformed", "{failure:?}"),
            other => panic!("{other:?}"),
        }
    }
}
