//! P1, P2 and P3: bytes that are no component, components of another contract, and changed ones.

use std::time::{Duration, Instant};

use ta_evals::torture::{GOOD, Stage, component, expanded, row};
use ta_sandbox::{Capability, Guest, Kind, Limits, Rights, SandboxError};

fn good() -> Vec<u8> {
    let row = row(GOOD).unwrap();
    component(&row.wat, &row.expectation.point).unwrap()
}

async fn load(stage: &Stage, bytes: &[u8], pinned: Option<&str>) -> Result<Guest, SandboxError> {
    let rights = Rights { capabilities: vec![Capability::Log], ..Rights::default() };
    stage.sandbox.load("torture", bytes, pinned, rights, Limits::of(Kind::Guardrail)).await
}

/// Bytes that look random and are the same every time.
fn noise(length: usize, mut state: u64) -> Vec<u8> {
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        })
        .collect()
}

#[tokio::test]
async fn p1_what_is_no_component_is_malformed() {
    let stage = Stage::new(None, None).unwrap();
    let header = b"\0asm\x0d\0\x01\0";
    let good = good();
    let cases = [
        ("nothing", Vec::new()),
        ("a text", b"(component)".to_vec()),
        ("a script", b"#!/bin/sh\nrm -rf /\n".to_vec()),
        ("an archive", [b"PK\x03\x04".as_slice(), &noise(4_096, 1)].concat()),
        ("noise", noise(100_000, 2)),
        ("noise after a header", [header.as_slice(), &noise(100_000, 3)].concat()),
        ("a core module", wat::parse_str("(module)").unwrap()),
        ("half a header", b"\0asm\x0d".to_vec()),
        ("a later layer", b"\0asm\x0d\0\x02\0".to_vec()),
        ("two components in a row", [good.as_slice(), &good].concat()),
    ];
    for (what, bytes) in cases {
        let started = Instant::now();
        let error = load(&stage, &bytes, None).await.expect_err(what);
        assert_eq!(error.code, "plugin.malformed", "{what}: {error}");
        assert!(!error.hint.is_empty());
        assert!(started.elapsed() < Duration::from_secs(1), "{what}");
    }
    let huge = vec![0; (16 << 20) + 1];
    assert_eq!(load(&stage, &huge, None).await.expect_err("too large").code, "plugin.too_large");
    assert!(load(&stage, &good, None).await.is_ok());
}

#[tokio::test]
async fn p1_a_component_cut_anywhere_is_refused() {
    let stage = Stage::new(None, None).unwrap();
    let good = good();
    for end in (0..good.len()).step_by(17) {
        let Err(error) = load(&stage, &good[..end], None).await else {
            // What is cut between two sections may be a whole component, of another contract or of a custom section less.
            continue;
        };
        assert!(["plugin.malformed", "plugin.world_mismatch"].contains(&error.code), "{end}: {error}");
    }
}

/// Whatever comes of it, it comes soon and the process lives.
#[tokio::test]
async fn p1_a_component_with_one_wrong_byte_is_refused_or_contained() {
    let stage = Stage::new(None, None).unwrap();
    let good = good();
    let mut refused = 0;
    let values = noise(good.len(), 4);
    for (offset, value) in values.iter().enumerate().step_by(11) {
        let mut bytes = good.clone();
        bytes[offset] ^= value | 1;
        let started = Instant::now();
        match load(&stage, &bytes, None).await {
            Ok(guest) => drop(stage.call(&guest, "post-loop").await.unwrap()),
            Err(error) => {
                refused += 1;
                assert!(error.code.starts_with("plugin.") || error.code.starts_with("hook."), "{offset}: {error}");
            }
        }
        assert!(started.elapsed() < Duration::from_secs(2), "{offset}: {:?}", started.elapsed());
    }
    assert!(refused > 30, "only {refused} were refused");
}

#[tokio::test]
async fn p1_a_large_custom_section_is_never_unpacked() {
    let stage = Stage::new(None, None).unwrap();
    let length: usize = 15 << 20;
    let size = [0x80 | (length & 0x7f), 0x80 | (length >> 7 & 0x7f), 0x80 | (length >> 14 & 0x7f), length >> 21];
    let section = [vec![0], size.map(|byte| u8::try_from(byte).unwrap()).to_vec(), vec![1, b'z'], vec![0; length - 2]];
    let bytes = [good(), section.concat()].concat();
    let started = Instant::now();
    assert!(load(&stage, &bytes, None).await.is_ok());
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

/// A guest that does nothing wrong, as a whole component, so that its contract can be changed.
fn whole() -> String {
    expanded(
        r#"(component
  (core module $module
    (memory (export "memory") 2)
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
    (func (export "run") (param i32) (result i32) (i32.const 1024)))
  (core instance $main (instantiate $module))
  ;; frame
)"#,
    )
}

#[tokio::test]
async fn p2_another_contract_is_refused_by_name_and_version() {
    let stage = Stage::new(None, None).unwrap();
    let whole = whole();
    let log = |version: &str, parameters: &str| {
        let import = format!(
            "(component\n  (import \"teacher-assist:plugin/log@{version}\" (instance\n    \
             (type $level' (enum \"debug\" \"info\" \"warn\" \"error\"))\n    \
             (export \"level\" (type $level (eq $level')))\n    (export \"write\" (func {parameters}))))\n"
        );
        whole.replacen("(component\n", &import, 1)
    };
    let right = r#"(param "level" $level) (param "message" string)"#;
    let cases: [(&str, String, &[&str]); 9] = [
        ("a later contract", whole.replace("@0.2.0", "@0.3.0"), &["plugin@0.3.0", "plugin@0.2.0"]),
        ("a stable contract", whole.replace("@0.2.0", "@1.0.0"), &["plugin@1.0.0", "plugin@0.2.0"]),
        ("no version", whole.replace("@0.2.0", ""), &["none", "plugin@0.2.0"]),
        ("a later log", log("0.3.0", right), &["plugin@0.3.0", "plugin@0.2.0"]),
        ("an unknown point", whole.replace("on-subagent-end", "on-coffee"), &["on-coffee"]),
        ("another package", whole.replace("teacher-assist:plugin", "other:plugin"), &["other:plugin"]),
        ("no `run`", whole.replace(r#"(export "run" (func $run)"#, r#"(export "walk" (func $run)"#), &["run"]),
        ("another field", whole.replace("\"summary\"", "\"resume\""), &["resume"]),
        ("another import", log("0.2.0", r#"(param "level" $level)"#), &["write"]),
    ];
    for (what, text, words) in cases {
        let bytes = component(&text, "").unwrap_or_else(|error| panic!("{what}: {error}"));
        let error = load(&stage, &bytes, None).await.expect_err(what);
        assert_eq!(error.code, "plugin.world_mismatch", "{what}: {error}");
        for word in words {
            assert!(error.message.contains(word), "{what}: `{word}` is not in `{error}`");
        }
    }
    for fits in [whole.clone(), log("0.2.0", right), log("0.2.7", right), whole.replace("@0.2.0", "@0.2.7")] {
        let guest = load(&stage, &component(&fits, "").unwrap(), None).await.unwrap();
        let seen = stage.call(&guest, "on-subagent-end").await.unwrap();
        assert_eq!(seen.code, None, "{seen:?}");
    }
}

#[tokio::test]
async fn p3_changed_bytes_are_refused_and_good_ones_are_not() {
    let stage = Stage::new(None, None).unwrap();
    let bytes = good();
    let pinned = load(&stage, &bytes, None).await.unwrap().sha256;
    assert!(load(&stage, &bytes, Some(&pinned)).await.is_ok());
    assert!(load(&stage, &bytes, Some(&pinned.to_uppercase())).await.is_ok());
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    for (what, bytes, pin) in [
        ("a changed byte", &changed, pinned.as_str()),
        ("one byte more", &[bytes.as_slice(), &[0]].concat(), &pinned),
        ("half a pin", &bytes, &pinned[..32]),
        ("an empty pin", &bytes, ""),
    ] {
        let error = load(&stage, bytes, Some(pin)).await.expect_err(what);
        assert_eq!(error.code, "plugin.digest_mismatch", "{what}: {error}");
    }
    assert!(load(&stage, &bytes, Some(&pinned)).await.is_ok());
}
