//! What a guest leaves in memory, tables and globals is seen by nobody: neither by its own next instance nor by another
//! component's, though both get a place in the pool that was used before.

use std::sync::Arc;

use ta_evals::torture::{Stage, component};
use ta_sandbox::{Guest, Kind, Limits, Rights};

/// More than there are places for memories on a small machine, so that one's place becomes another's.
const GUESTS: i32 = 40;
const ROUNDS: usize = 3;

/// A guest that traps unless everything is as its text says, and then leaves its secret everywhere: in the memory that it
/// begins with, in what it grows by (more than what stays with a place), in a table, in a global.
fn leaves_behind(secret: &str, pages: u32, data: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
  (memory (export "memory") {pages})
  (table $table 64 100000 funcref)
  (elem (table $table) (i32.const 7) func $expect)
  (global $top (mut i32) (i32.const 65536))
  (global $secret (mut i64) (i64.const 1))
  (data (i32.const 4096) "{data}")
  (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (func $expect (param i32) (if (i32.eqz (local.get 0)) (then unreachable)))
  ;; From the end of what the arguments took to the end of the memory: nothing but zeros, then the secret.
  (func $visit (param $from i32) (param $to i32)
    (loop $next
      (if (i32.lt_u (local.get $from) (local.get $to)) (then
        (call $expect (i64.eqz (i64.load (local.get $from))))
        (i64.store (local.get $from) (i64.const {secret}))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $next)))))
  (func $elements (param $from i32) (param $to i32)
    (loop $next
      (if (i32.lt_u (local.get $from) (local.get $to)) (then
        (call $expect (i32.eq (ref.is_null (table.get $table (local.get $from))) (i32.ne (local.get $from) (i32.const 7))))
        (table.set $table (local.get $from) (ref.func $expect))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next)))))
  (elem declare func $expect)
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32)
    (call $expect (i64.eq (global.get $secret) (i64.const 1)))
    (global.set $secret (i64.const {secret}))
    (call $expect (i32.eq (i32.load8_u (i32.const 4096)) (i32.const {first})))
    (call $expect (i32.eqz (i32.load8_u (i32.const {after}))))
    (i32.store8 (i32.const 4096) (i32.const 0))
    (i32.store8 (i32.const {after}) (i32.const 255))
    (call $visit (i32.const 8192) (i32.const 65536))
    (call $visit (i32.add (i32.and (global.get $top) (i32.const -8)) (i32.const 8)) (i32.mul (i32.const {pages}) (i32.const 65536)))
    (call $expect (i32.ne (memory.grow (i32.const 64)) (i32.const -1)))
    (call $visit (i32.mul (i32.const {pages}) (i32.const 65536)) (i32.mul (memory.size) (i32.const 65536)))
    (call $elements (i32.const 0) (i32.const 64))
    (call $expect (i32.ne (table.grow $table (ref.null func) (i32.const 20000)) (i32.const -1)))
    (call $elements (i32.const 64) (table.size $table))
    (i32.const 1024)))"#,
        first = data.as_bytes()[0],
        after = 4096 + data.len(),
    );
    component(&text, "post-loop").unwrap_or_else(|error| panic!("{error}"))
}

async fn load(stage: &Stage, bytes: &[u8]) -> Guest {
    stage.sandbox.load("torture:secret", bytes, None, Rights::default(), Limits::of(Kind::Guardrail)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_fresh_instance_holds_nothing_of_an_earlier_one() {
    let stage = Arc::new(Stage::new(None, None).unwrap());
    let mut guests = Vec::new();
    for number in 0..GUESTS {
        let (secret, pages) = (format!("{}", -1 - number), 2 + u32::try_from(number).unwrap() % 40);
        guests.push(Arc::new(load(&stage, &leaves_behind(&secret, pages, &format!("{number} began"))).await));
    }
    for _ in 0..ROUNDS {
        let calls: Vec<_> = guests
            .iter()
            .flat_map(|guest| [guest, guest])
            .map(|guest| {
                let (stage, guest) = (Arc::clone(&stage), Arc::clone(guest));
                tokio::spawn(async move { stage.call(&guest, "post-loop").await.unwrap() })
            })
            .collect();
        for call in calls {
            let seen = call.await.unwrap();
            assert_eq!(seen.code, None, "{}", seen.reason);
        }
    }
}

/// A component of more memories than a place in the pool has is made on demand, and nobody sees a difference.
#[tokio::test]
async fn what_does_not_fit_into_the_pool_runs_all_the_same() {
    let stage = Stage::new(None, None).unwrap();
    let text = r#"(module
  (memory (export "memory") 2) (memory 1) (memory 1) (memory 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32)
    (i32.store 3 (i32.const 8) (i32.const 1))
    (i32.const 1024)))"#;
    let guest = load(&stage, &component(text, "post-loop").unwrap()).await;
    for _ in 0..3 {
        let seen = stage.call(&guest, "post-loop").await.unwrap();
        assert_eq!(seen.code, None, "{}", seen.reason);
    }
}
