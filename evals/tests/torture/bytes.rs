//! Components and core modules, byte by byte: larger than a text of them could be.

pub(super) const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
pub(super) const MODULE: &[u8] = b"\0asm\x01\0\0\0";
/// A value type of a core module.
pub(super) const I32: u8 = 0x7f;
/// Instructions.
pub(super) const BLOCK: u8 = 0x02;
pub(super) const LOOP: u8 = 0x03;
pub(super) const END: u8 = 0x0b;
pub(super) const BR_IF: u8 = 0x0d;
pub(super) const BR_TABLE: u8 = 0x0e;
pub(super) const CALL: u8 = 0x10;
pub(super) const DROP: u8 = 0x1a;
pub(super) const GET: u8 = 0x20;
pub(super) const SET: u8 = 0x21;
pub(super) const ZERO: [u8; 2] = [0x41, 0];

/// An unsigned number, seven bits a byte, the lowest first.
pub(super) fn number(mut number: usize) -> Vec<u8> {
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

pub(super) fn section(id: u8, body: &[u8]) -> Vec<u8> {
    [vec![id], number(body.len()), body.to_vec()].concat()
}

/// A list of so many of the same.
pub(super) fn many(count: usize, each: &[u8]) -> Vec<u8> {
    [number(count), each.repeat(count)].concat()
}

/// A list of different ones.
pub(super) fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [number(items.len()), items.concat()].concat()
}

/// A text, with its length before it.
pub(super) fn text(text: &str) -> Vec<u8> {
    [number(text.len()), text.as_bytes().to_vec()].concat()
}

pub(super) fn component(sections: &[Vec<u8>]) -> Vec<u8> {
    [COMPONENT.to_vec(), sections.concat()].concat()
}

pub(super) fn module(sections: &[Vec<u8>]) -> Vec<u8> {
    [MODULE.to_vec(), sections.concat()].concat()
}

/// A component of one core module.
pub(super) fn core(sections: &[Vec<u8>]) -> Vec<u8> {
    component(&[section(1, &module(sections))])
}

/// A type of a function of so many parameters and results, all of them numbers.
pub(super) fn signature(params: usize, results: usize) -> Vec<u8> {
    [vec![0x60], many(params, &[I32]), many(results, &[I32])].concat()
}

/// A function's code: its locals, numbers all of them, and its instructions without the last `end`.
pub(super) fn body(locals: usize, instructions: &[u8]) -> Vec<u8> {
    let declared = if locals == 0 { number(0) } else { [number(1), number(locals), vec![I32]].concat() };
    let code = [declared, instructions.to_vec(), vec![END]].concat();
    [number(code.len()), code].concat()
}

/// A component with one core module of so many functions of one type and one code.
pub(super) fn functions(count: usize, types: &[Vec<u8>], code: &[u8]) -> Vec<u8> {
    core(&[section(1, &list(types)), section(3, &many(count, &[0])), section(10, &many(count, code))])
}

/// A component of types, each written by number.
pub(super) fn types(count: usize, kind: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    component(&[section(7, &[number(count), (0..count).flat_map(kind).collect()].concat())])
}
