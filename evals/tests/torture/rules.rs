//! P7: one rule at every door, whatever the cache holds.

use ta_core::capability::Capability;
use ta_core::kind::Kind;
use ta_evals::torture::{GOOD, Stage, component, row};
use ta_sandbox::{CacheReport, Limits, Rights};

use super::bytes::{MODULE, section};

fn rights(capabilities: &[Capability]) -> Rights {
    Rights { capabilities: capabilities.to_vec(), ..Rights::default() }
}

/// A good guest with more core modules than a plain component may have; nobody instantiates them.
fn large() -> Vec<u8> {
    let row = row(GOOD).unwrap();
    let good = component(&row.wat, &row.expectation.point).unwrap();
    [good, section(1, MODULE).repeat(40)].concat()
}

#[tokio::test]
async fn what_is_refused_cold_is_refused_warm() {
    let cache = tempfile::tempdir().unwrap();
    let (large, limits) = (large(), Limits::of(Kind::Guardrail));
    for round in ["cold", "warm"] {
        // Each in a process of its own, as it were.
        let stage = Stage::new(Some(&cache.path().join("cache")), None).unwrap();
        let refused = stage.sandbox.load("large", &large, None, rights(&[]), limits).await.unwrap_err();
        assert_eq!(refused.code, "plugin.too_complex", "{round}: {refused}");
        stage.sandbox.inspect(&large).unwrap();
        let refused = stage.sandbox.load("large", &large, None, rights(&[]), limits).await.unwrap_err();
        assert_eq!(refused.code, "plugin.too_complex", "{round}, after it was inspected: {refused}");
        // With a runtime's limits it is taken, and kept; who is granted none is refused all the same.
        let guest = stage.sandbox.load("large", &large, None, rights(&[Capability::Wasi]), limits).await.unwrap();
        assert_eq!(guest.cache, CacheReport { hit: round == "warm", rejected: None });
        let refused = stage.sandbox.load("large", &large, None, rights(&[]), limits).await.unwrap_err();
        assert_eq!(refused.code, "plugin.too_complex", "{round}, while it is in use: {refused}");
    }
}

/// A guest that needs more than it is given to start is refused, also where it once started with more.
#[tokio::test]
async fn what_does_not_start_within_its_limits_is_refused_warm_too() {
    let cache = tempfile::tempdir().unwrap();
    let text = r#"(module
      (memory (export "memory") 2)
      (func $start (local $at i32)
        (loop $again
          (br_if $again (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (i32.const 100000)))))
      (start $start)
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
      (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32) (i32.const 1024)))"#;
    let bytes = component(text, "post-loop").unwrap();
    let (much, little) = (Limits::of(Kind::Guardrail), Limits { fuel: 10_000, ..Limits::of(Kind::Guardrail) });
    for (limits, code) in [(little, Some("hook.deadline")), (much, None), (little, Some("hook.deadline")), (much, None)]
    {
        let stage = Stage::new(Some(&cache.path().join("cache")), None).unwrap();
        let loaded = stage.sandbox.load("slow", &bytes, None, rights(&[]), limits).await;
        assert_eq!(loaded.as_ref().err().map(|error| error.code), code, "{limits:?}");
    }
}

#[tokio::test]
async fn foreign_exports_are_named_and_not_called() {
    let row = row("p7-foreign-export").unwrap();
    let bytes = component(&row.wat, &row.expectation.point).unwrap();
    let inspection = Stage::new(None, None).unwrap().sandbox.inspect(&bytes).unwrap();
    assert_eq!(inspection.foreign, ["extra"]);
    assert_eq!(inspection.points.len(), 1);
}

/// What is known of a component is enough to refuse it, and to take it: its code is read by the first call.
#[tokio::test]
async fn code_is_read_when_it_is_called() {
    let cache = tempfile::tempdir().unwrap();
    let row = row(GOOD).unwrap();
    let bytes = component(&row.wat, &row.expectation.point).unwrap();
    let stage = || Stage::new(Some(&cache.path().join("cache")), None).unwrap();
    let load = async |stage: &Stage| {
        stage.sandbox.load(GOOD, &bytes, None, rights(&[]), Limits::of(Kind::Guardrail)).await.unwrap()
    };
    load(&stage()).await;
    let mapped = || {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines().filter(|line| line.contains(cache.path().to_str().unwrap())).count()
    };
    let stage = stage();
    let guest = load(&stage).await;
    assert!(guest.cache.hit);
    assert_eq!(mapped(), 0, "nothing of it was read");
    assert_eq!(stage.call(&guest, "post-loop").await.unwrap().code, None);
    assert!(mapped() > 0, "its code is the file's, not a copy");
}
