//! The component that the benchmark measures speaks the contract of today.

use std::collections::BTreeMap;

use ta_core::kind::Kind;
use ta_evals::torture::Stage;
use ta_sandbox::{Limits, Rights};

#[tokio::test]
async fn the_benchmarks_component_is_loaded_and_answers_at_every_point_that_is_measured() {
    let stage = Stage::new(None, None).unwrap();
    let bytes = include_bytes!("../bench/check.wasm");
    let rights = Rights::from_words(&["log".to_owned()], BTreeMap::new());
    let loaded = stage.sandbox.load("bench:check", &bytes[..], None, rights, Limits::of(Kind::Guardrail)).await;
    let guest = loaded.unwrap_or_else(|error| panic!("{}; build it with `cargo xtask bench --guests`", error.message));
    for point in ["pre-model", "post-model", "pre-tool", "post-tool"] {
        let seen = stage.call(&guest, point).await.unwrap();
        assert_eq!(seen.code, None, "{point}: {}", seen.reason);
    }
}
