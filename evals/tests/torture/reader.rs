//! Hostile readers: each comes to a named end, and a good one reads afterwards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ta_core::hook::CallContext;
use ta_core::kind::Kind;
use ta_evals::torture::{Stage, component};
use ta_sandbox::{
    Block, DocumentFailure, Ended, Guest, Invocation, Limits, Place, Reading, ReadingRequest, Rights, Shape,
};

/// A reader with this body: its memory holds a document at 1024, with one heading, `sound`, on page 3.
fn reader(body: &str, data: &str) -> Vec<u8> {
    let wat = format!(
        r#"(module
  (memory (export "memory") 2)
  (global $top (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (data (i32.const 2048) "sound" "text" "No Word")
  ;; ok; format 2053, 4; 7 pages; one block at 1536; no doubt.
  (data (i32.const 1024) "\00\00\00\00" "\05\08\00\00\04\00\00\00" "\01\00\00\00\07\00\00\00" "\00\06\00\00\01\00\00\00" "\80\06\00\00\00\00\00\00")
  ;; A block: page 3, column 0, a heading at 2048 of 5.
  (data (i32.const 1536) "\00\00\00\00\03\00\00\00" "\00\00\00\00" "\00\00\00\00\00\08\00\00\05\00\00\00")
  ;; A doubt: kind 2057, 7; no place; message 2048, 5.
  (data (i32.const 1664) "\09\08\00\00\07\00\00\00" "\00\00\00\00\00\00\00\00\00\00\00\00" "\00\08\00\00\05\00\00\00")
  {data}
  (func (export "teacher-assist:plugin/reader@0.2.0#read") (param i32 i32 i32 i32 i32 i32) (result i32)
    {body}))"#
    );
    component(&wat, "reader").unwrap()
}

async fn load(stage: &Stage, bytes: &[u8], limits: Limits) -> Guest {
    stage.sandbox.load("torture:reader", bytes, None, Rights::default(), limits).await.unwrap()
}

async fn read(stage: &Stage, guest: &Guest, bytes: &[u8]) -> Ended<Result<Reading, DocumentFailure>> {
    let request = ReadingRequest { name: "a.txt", bytes, options: &[] };
    let invocation = Invocation::new(CallContext::default(), Arc::clone(&guest.rights), guest.limits);
    stage.sandbox.call_reader(guest, request, invocation).await.ended
}

#[tokio::test]
async fn a_hostile_reader_comes_to_a_named_end() {
    let stage = Stage::new(None, None).unwrap();
    let usual = Limits::of(Kind::Reader);
    assert_eq!((usual.fuel, usual.cpu_ms, usual.memory_bytes), (20_000_000_000, 5_000, 256 << 20));
    assert!(!usual.asks && usual.requests == 0 && usual.model_calls == 0);
    let small = Limits { fuel: 20_000_000, ..usual };
    let good = load(&stage, &reader("(i32.const 1024)", ""), usual).await;
    let block = Block { place: Place::Page(3), column: 0, shape: Shape::Heading("sound".to_owned()) };
    let sound = Reading { format: "text".to_owned(), pages: Some(7), blocks: vec![block], doubts: Vec::new() };
    let out = "(i32.const 1024)";
    let grown = "(drop (memory.grow (i32.const 800))) (i32.const 1024)";
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
        ("blocks beyond its memory", out, r#"(data (i32.const 1048) "\ff\ff\ff\0f")"#, "hook."),
        ("two million blocks", grown, r#"(data (i32.const 1044) "\00\00\02\00\80\84\1e\00")"#, "hook.payload"),
        ("a shape that there is none of", out, r#"(data (i32.const 1548) "\09")"#, "hook.malformed"),
        ("a format that is no word", out, r#"(data (i32.const 1028) "\09\08\00\00\07\00\00\00")"#, "reader.malformed"),
        ("a doubt whose kind is no word", out, r#"(data (i32.const 1056) "\01")"#, "reader.malformed"),
        (
            "a failure whose code is none",
            out,
            r#"(data (i32.const 1024) "\01\00\00\00" "\09\08\00\00\07\00\00\00" "\00\08\00\00\05\00\00\00\00\08\00\00\05\00\00\00")"#,
            "reader.malformed",
        ),
    ] {
        let guest = load(&stage, &reader(body, data), small).await;
        let began = Instant::now();
        match read(&stage, &guest, what.as_bytes()).await {
            Ended::Failed(failure) => assert!(failure.code.starts_with(code), "{what}: {failure:?}"),
            other => panic!("{what}: {other:?}"),
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{what}");
        let Ended::Returned(Ok(reading)) = read(&stage, &good, what.as_bytes()).await else {
            panic!("the good one after: {what}")
        };
        assert_eq!(reading, sound, "{what}");
    }
}
