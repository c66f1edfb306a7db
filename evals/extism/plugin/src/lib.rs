//! The check as an Extism plugin: JSON in, JSON out. `cargo xtask bench --guests` builds it into
//! `evals/extism/plugin.wasm`.

use extism_pdk::{FnResult, plugin_fn};

/// Checks an event.
#[plugin_fn]
pub fn check(event: String) -> FnResult<String> {
    Ok(bench_check::check_event(&event)?.to_json())
}
