#![allow(clippy::all, missing_docs)]
use std::time::Instant;
use ta_sandbox::*;
fn leb(mut n: usize, out: &mut Vec<u8>) {
    loop {
        let b = (n & 0x7f) as u8;
        n >>= 7;
        if n == 0 {
            out.push(b);
            break;
        }
        out.push(b | 0x80);
    }
}
fn section(id: u8, body: &[u8]) -> Vec<u8> {
    let mut v = vec![id];
    leb(body.len(), &mut v);
    v.extend_from_slice(body);
    v
}
const HEAD: &[u8] = b"\0asm\x0d\0\x01\0";
const CORE: &[u8] = b"\0asm\x01\0\0\0";
fn module(sections: &[Vec<u8>]) -> Vec<u8> {
    let mut v = CORE.to_vec();
    for s in sections {
        v.extend(s)
    }
    v
}
fn component(sections: &[Vec<u8>]) -> Vec<u8> {
    let mut v = HEAD.to_vec();
    for s in sections {
        v.extend(s)
    }
    v
}
fn vecn(n: usize, each: &[u8]) -> Vec<u8> {
    let mut v = vec![];
    leb(n, &mut v);
    for _ in 0..n {
        v.extend_from_slice(each)
    }
    v
}
fn functions(n: usize, body: &[u8]) -> Vec<u8> {
    let mut one = vec![];
    leb(body.len(), &mut one);
    one.extend_from_slice(body);
    component(&[section(
        1,
        &module(&[section(1, &[1, 0x60, 0, 0]), section(3, &vecn(n, &[0])), section(10, &vecn(n, &one))]),
    )])
}
async fn go(name: &str, bytes: Vec<u8>) {
    let s = Sandbox::new(&SandboxConfig::default()).unwrap();
    let t = Instant::now();
    let n = bytes.len();
    let r = s
        .load("t", &bytes, None, Rights::default(), Limits::of(Kind::Guardrail))
        .await
        .err()
        .map(|e| format!("{} {}", e.code, e.message.chars().take(150).collect::<String>()));
    println!("{name}: {n} bytes {:?} {r:?}", t.elapsed());
}
#[tokio::test]
async fn scratch() {
    let which = std::env::var("WHICH").unwrap_or_default();
    let n: usize = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    match which.as_str() {
        "functions" => go("functions", functions(n, &[0, 0x0b])).await,
        "bigfn" => {
            let mut b = vec![0];
            for _ in 0..n {
                b.extend([0x41, 1, 0x1a]);
            }
            b.push(0x0b);
            go("bigfn", functions(1, &b)).await
        }
        "blocks" => {
            let mut b = vec![0];
            for _ in 0..n {
                b.extend([0x02, 0x40]);
            }
            for _ in 0..n {
                b.push(0x0b)
            }
            b.push(0x0b);
            go("blocks", functions(1, &b)).await
        }
        "ifs" => {
            let mut b = vec![1, 1, 0x7f];
            for _ in 0..n {
                b.extend([0x20, 0, 0x04, 0x40, 0x20, 0, 0x45, 0x21, 0, 0x0b]);
            }
            b.push(0x0b);
            go("ifs", functions(1, &b)).await
        }
        "brtable" => {
            let mut b = vec![0, 0x02, 0x40, 0x41, 0, 0x0e];
            leb(n, &mut b);
            for _ in 0..=n {
                b.push(0)
            }
            b.push(0x0b);
            b.push(0x0b);
            go("brtable", functions(1, &b)).await
        }
        "loads" => {
            let mut b = vec![0];
            for _ in 0..n {
                b.extend([0x41, 0, 0x41, 0, 0x28, 2, 0, 0x36, 2, 0]);
            }
            b.push(0x0b);
            let mut one = vec![];
            leb(b.len(), &mut one);
            one.extend_from_slice(&b);
            go(
                "loads",
                component(&[section(
                    1,
                    &module(&[
                        section(1, &[1, 0x60, 0, 0]),
                        section(3, &vecn(1, &[0])),
                        section(5, &[1, 0, 1]),
                        section(10, &vecn(1, &one)),
                    ]),
                )]),
            )
            .await
        }
        "locals" => {
            let mut b = vec![1];
            leb(n, &mut b);
            b.push(0x7f);
            for i in 0..n {
                b.push(0x20);
                leb(i, &mut b);
                b.push(0x21);
                leb((i * 7919) % n, &mut b);
            }
            b.push(0x0b);
            go("locals", functions(1, &b)).await
        }
        "nested" => {
            let mut v = HEAD.to_vec();
            for _ in 0..n {
                v = component(&[section(4, &v)]);
            }
            go("nested", v).await
        }
        "modules" => {
            let m = section(1, &module(&[]));
            let mut v = HEAD.to_vec();
            for _ in 0..n {
                v.extend(&m)
            }
            go("modules", v).await
        }
        "double" => {
            // component i contains component i-1 and instantiates it twice
            let mut v = HEAD.to_vec();
            for _ in 0..n {
                v = component(&[section(4, &v), section(5, &[2, 0, 0, 0, 0, 0, 0])]);
            }
            go("double", v).await
        }
        "doublemodule" => {
            // leaf: module with instance
            let mut v = component(&[section(1, &module(&[])), section(2, &[1, 0, 0, 0])]);
            for _ in 0..n {
                v = component(&[section(4, &v), section(5, &[2, 0, 0, 0, 0, 0, 0])]);
            }
            go("doublemodule", v).await
        }
        "types" => {
            // tuple doubling
            let mut t = vec![];
            leb(n + 1, &mut t);
            t.extend([0x6f, 2, 0x79, 0x79]);
            for i in 0..n {
                t.push(0x6f);
                t.push(2);
                leb(i, &mut t);
                leb(i, &mut t);
            }
            go("types", component(&[section(7, &t)])).await
        }
        "listdepth" => {
            let mut t = vec![];
            leb(n + 1, &mut t);
            t.extend([0x70, 0x79]);
            for i in 0..n {
                t.push(0x70);
                leb(i, &mut t);
            }
            go("listdepth", component(&[section(7, &t)])).await
        }
        "custom" => {
            let mut b = vec![1, b'x'];
            b.resize(n, 0);
            go("custom", component(&[section(0, &b)])).await
        }
        "exports" => {
            let mut e = vec![];
            leb(n, &mut e);
            for i in 0..n {
                let s = format!("e{i}");
                e.push(s.len() as u8);
                e.extend(s.as_bytes());
                e.extend([0, 0]);
            }
            let mut one = vec![];
            leb(2, &mut one);
            one.extend([0, 0x0b]);
            go(
                "exports",
                component(&[section(
                    1,
                    &module(&[
                        section(1, &[1, 0x60, 0, 0]),
                        section(3, &[1, 0]),
                        section(7, &e),
                        section(10, &[1, 2, 0, 0x0b]),
                    ]),
                )]),
            )
            .await
        }
        "data" => {
            let mut v = vec![];
            leb(n, &mut v);
            for _ in 0..n {
                v.extend([1, 0]);
            }
            go("data", component(&[section(1, &module(&[section(5, &[1, 0, 1]), section(11, &v)]))])).await
        }
        "fact" => {
            let kind = std::env::var("KIND").unwrap_or("string".into());
            let mut types = format!("(type $t0 (tuple u8 {kind}))");
            for i in 1..=n { types.push_str(&format!("(type $t{i} (tuple $t{} $t{}))", i - 1, i - 1)); }
            let text = format!(r#"(component
              (component $a {types}
                (core module $m (memory (export "memory") 1) (func (export "realloc") (param i32 i32 i32 i32) (result i32) i32.const 0) (func (export "f") (param i32 i32)))
                (core instance $i (instantiate $m))
                (func (export "f") (param "x" (list $t{n})) (canon lift (core func $i "f") (memory (core memory $i "memory")) (realloc (core func $i "realloc")))))
              (instance $a (instantiate $a))
              (component $b {types}
                (import "f" (func $f (param "x" (list $t{n}))))
                (core module $libc (memory (export "memory") 1))
                (core instance $libc (instantiate $libc))
                (core func $l (canon lower (func $f) (memory (core memory $libc "memory"))))
                (core module $m (import "" "f" (func $f (param i32 i32))) (func (export "g") (call $f (i32.const 0) (i32.const 0))))
                (core instance (instantiate $m (with "" (instance (export "f" (func $l)))))))
              (instance (instantiate $b (with "f" (func $a "f")))))"#);
            go("fact", ta_evals::torture::component(&text, "x").unwrap()).await }
        _ => {}
    }
}
