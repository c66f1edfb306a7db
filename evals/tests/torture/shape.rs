//! M2: components made to keep a compiler busy are refused before it sees them.

use std::time::{Duration, Instant};

use ta_core::kind::Kind;
use ta_sandbox::{Limits, Rights, Sandbox, SandboxConfig};

const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
const MODULE: &[u8] = b"\0asm\x01\0\0\0";

fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7f).unwrap();
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

fn section(id: u8, body: &[u8]) -> Vec<u8> {
    [vec![id], number(body.len()), body.to_vec()].concat()
}

fn many(count: usize, each: &[u8]) -> Vec<u8> {
    [number(count), each.repeat(count)].concat()
}

/// A component with one core module of so many functions of the same body.
fn functions(count: usize, body: &[u8]) -> Vec<u8> {
    let one = [number(body.len()), body.to_vec()].concat();
    let module =
        [MODULE, &section(1, &[1, 0x60, 0, 0]), &section(3, &many(count, &[0])), &section(10, &many(count, &one))];
    [COMPONENT, &section(1, &module.concat())].concat()
}

/// Components beside each other, each of which instantiates the one before it so many times: nothing is nested.
fn chain(length: usize, instances: usize) -> Vec<u8> {
    let mut bytes = [COMPONENT, &section(4, COMPONENT)].concat();
    for index in 0..length {
        // The component before this one, from one level up.
        let alias = section(6, &[vec![1, 0x04, 0x02, 1], number(index)].concat());
        let inner = [COMPONENT, &alias, &section(5, &many(instances, &[0, 0, 0]))].concat();
        bytes.extend(section(4, &inner));
    }
    bytes.extend(section(5, &[vec![1, 0], number(length), vec![0]].concat()));
    bytes
}

fn towers(levels: usize) -> Vec<u8> {
    (0..levels).fold(COMPONENT.to_vec(), |inner, _| [COMPONENT, &section(4, &inner)].concat())
}

/// A core module that exports its one function under so many names.
fn exports(count: usize) -> Vec<u8> {
    let names = (0..count).map(|number| format!("e{number}"));
    let entries: Vec<u8> =
        names.flat_map(|name| [number(name.len()), name.into_bytes(), vec![0, 0]].concat()).collect();
    let exports = [number(count), entries].concat();
    let code = section(10, &[1, 2, 0, 0x0b]);
    let module = [MODULE, &section(1, &[1, 0x60, 0, 0]), &section(3, &[1, 0]), &section(7, &exports), &code].concat();
    [COMPONENT, &section(1, &module)].concat()
}

/// Types that are twice the one before.
fn doubled(times: usize) -> Vec<u8> {
    let mut types = [number(times + 1), vec![0x6f, 2, 0x79, 0x79]].concat();
    for index in 0..times {
        types.extend([vec![0x6f, 2], number(index), number(index)].concat());
    }
    [COMPONENT, &section(7, &types)].concat()
}

async fn refusal(bytes: &[u8]) -> (String, String, Duration) {
    let sandbox = Sandbox::new(&SandboxConfig::default()).unwrap();
    let started = Instant::now();
    let loaded = sandbox.load("torture", bytes, None, Rights::default(), Limits::of(Kind::Guardrail)).await;
    let error = loaded.expect_err("it exports nothing");
    (error.code.to_owned(), error.message, started.elapsed())
}

#[tokio::test]
async fn m2_what_would_keep_the_compiler_busy_is_refused_at_once() {
    let nested_blocks = [vec![0], [0x02, 0x40].repeat(200_000), vec![0x0b; 200_001]].concat();
    let cases = [
        ("a million functions", functions(1_000_000, &[0, 0x0b]), "hook.limit"),
        ("blocks within blocks", functions(1, &nested_blocks), "hook.limit"),
        ("two to the power of thirty instances", chain(30, 2), "hook.limit"),
        ("a thousand instances, each of a thousand", chain(3, 1_000), "hook.limit"),
        ("components within components", towers(5_000), "hook.limit"),
        ("types of a billion fields", doubled(30), "plugin.malformed"),
    ];
    for (what, bytes, code) in cases {
        let (found, message, elapsed) = refusal(&bytes).await;
        println!("{what}: {elapsed:?} {found} {message}");
        assert_eq!(found, code, "{what}: {message}");
        assert!(elapsed < Duration::from_secs(2), "{what}: {elapsed:?}");
    }
}

#[tokio::test]
async fn m2_what_a_compiler_can_do_is_left_to_it() {
    let cases = [
        ("functions", functions(2_000, &[0, 0x0b])),
        ("instances", chain(3, 4)),
        ("components", towers(10)),
        ("types", doubled(10)),
        ("exports", exports(50_000)),
    ];
    for (what, bytes) in cases {
        let (code, message, elapsed) = refusal(&bytes).await;
        assert_eq!(code, "plugin.world_mismatch", "{what}: {message}");
        assert!(elapsed < Duration::from_secs(5), "{what}: {elapsed:?}");
    }
}
