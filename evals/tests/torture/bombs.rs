//! Components that are small, or not so small, and made to cost a compiler far more than they weigh.

use super::bytes::{
    BLOCK, BR_IF, BR_TABLE, CALL, COMPONENT, DROP, END, GET, I32, LOOP, SET, ZERO, body, component, core, functions,
    list, many, module, number, section, signature, text, types,
};

type Bomb = (String, Vec<u8>);

/// All of them, each with its name.
pub(super) fn bombs() -> Vec<Bomb> {
    let mut bombs = Vec::new();
    nested_types(&mut bombs);
    costly_code(&mut bombs);
    crowded_modules(&mut bombs);
    crowded_components(&mut bombs);
    bombs
}

/// Types within types, and types of twice what they are made of.
fn nested_types(bombs: &mut Vec<Bomb>) {
    let mut add = |name: String, bytes: Vec<u8>| bombs.push((name, bytes));
    for depth in [1_000, 5_000, 100_000] {
        add(format!("component types nested {depth} deep"), nested(0x41, depth));
        add(format!("instance types nested {depth} deep"), nested(0x42, depth));
        add(
            format!("lists of lists, {depth} deep"),
            types(depth, |at| if at == 0 { vec![0x70, 0x79] } else { of(0x70, at) }),
        );
        add(
            format!("options of options, {depth} deep"),
            types(depth, |at| if at == 0 { vec![0x6b, 0x79] } else { of(0x6b, at) }),
        );
        add(format!("components within components, {depth} deep"), towers(depth));
    }
    for times in [25, 60, 1_000] {
        add(
            format!("tuples of twice the one before, {times} times"),
            doubled(times, |at| [vec![0x6f, 2], number(at), number(at)].concat()),
        );
        add(
            format!("records of twice the one before, {times} times"),
            doubled(times, |at| [vec![0x72, 2], text("a"), number(at), text("b"), number(at)].concat()),
        );
    }
}

/// Functions whose code costs more than its bytes.
fn costly_code(bombs: &mut Vec<Bomb>) {
    let mut add = |name: String, bytes: Vec<u8>| bombs.push((name, bytes));
    for (blocks, values) in [(1_000, 1_000), (10_000, 200), (10_000, 30)] {
        add(format!("{blocks} blocks of {values} parameters"), carrying(BLOCK, blocks, values));
        add(format!("{blocks} loops of {values} parameters"), carrying(LOOP, blocks, values));
    }
    for (targets, values) in [(1_000, 1_000), (9_000, 1_000), (9_000, 250), (100_000, 30)] {
        add(format!("a table of {targets} branches with {values} values"), table(targets, values));
    }
    for values in [200, 30] {
        add(format!("a million branches with {values} values"), branches(1_000_000, values));
    }
    for (loops, locals) in [(2_000, 2_000), (3_000, 3_000), (20_000, 100)] {
        add(format!("{loops} loops within loops over {locals} variables"), variables(loops, locals));
    }
    for (count, results) in [(500, 1_000), (20_000, 200), (100_000, 16)] {
        add(format!("{count} functions of {results} results"), wide(count, results));
    }
    for count in [1_000_000, 3_000_000] {
        add(
            format!("one function of {count} calls"),
            functions(1, &[signature(0, 0)], &body(0, &[CALL, 0].repeat(count))),
        );
        add(format!("{count} functions"), functions(count, &[signature(0, 0)], &body(0, &[])));
    }
    add(
        "a thousand functions of 2,000 calls".into(),
        functions(1_000, &[signature(0, 0)], &body(0, &[CALL, 0].repeat(2_000))),
    );
    add("10,000 functions of 50,000 variables".into(), functions(10_000, &[signature(0, 0)], &body(50_000, &[])));
    add(
        "200,000 blocks within blocks".into(),
        functions(1, &[signature(0, 0)], &body(0, &[[BLOCK, 0x40].repeat(200_000), vec![END; 200_000]].concat())),
    );
}

/// Core modules with too much of one thing.
fn crowded_modules(bombs: &mut Vec<Bomb>) {
    let mut add = |name: String, bytes: Vec<u8>| bombs.push((name, bytes));
    for count in [1_000_000, 2_000_000] {
        add(format!("{count} elements"), elements(count));
        add(format!("{count} globals"), core(&[section(6, &many(count, &[I32, 0, 0x41, 0, END]))]));
        add(format!("{count} core types"), core(&[section(1, &many(count, &signature(0, 0)))]));
    }
    add(
        "100,000 segments of elements".into(),
        core(&[
            section(1, &list(&[signature(0, 0)])),
            section(3, &[1, 0]),
            section(9, &many(100_000, &[1, 0, 1, 0])),
            section(10, &many(1, &body(0, &[]))),
        ]),
    );
    add(
        "a million segments of data".into(),
        core(&[section(5, &[1, 0, 1]), section(12, &number(1_000_000)), section(11, &many(1_000_000, &[1, 0]))]),
    );
    add("a million exports".into(), exports(1_000_000));
}

/// Components with too much of one thing, or of instances of instances.
fn crowded_components(bombs: &mut Vec<Bomb>) {
    let mut add = |name: String, bytes: Vec<u8>| bombs.push((name, bytes));
    add("a thousand core modules".into(), component(&[section(1, &module(&[])).repeat(1_000)]));
    add("a million component types".into(), types(1_000_000, |_| vec![0x70, 0x79]));
    add("a million aliases".into(), aliases(1_000_000));
    add("200,000 imports".into(), imports(200_000));
    add(
        "500,000 flags".into(),
        types(1, |_| {
            [vec![0x6e], number(500_000), (0..500_000).flat_map(|at| text(&format!("f{at}"))).collect()].concat()
        }),
    );
    for (length, instances) in [(15, 2), (30, 2), (3, 1_000), (100, 3)] {
        add(format!("{instances} instances of the one before, {length} times"), chain(length, instances));
    }
    add(
        "100,000 instances of a core module".into(),
        component(&[section(1, &module(&[])), section(2, &many(100_000, &[0, 0, 0]))]),
    );
    add("100,000 lowered functions".into(), lowered(100_000));
}

/// A type that holds the number of the one before.
fn of(kind: u8, at: usize) -> Vec<u8> {
    [vec![kind], number(at - 1)].concat()
}

/// A type within a type within a type, in the bytes themselves.
fn nested(kind: u8, depth: usize) -> Vec<u8> {
    let opening = [kind, 1, 1].repeat(depth);
    component(&[section(7, &[vec![1], opening, vec![kind, 0]].concat())])
}

fn towers(levels: usize) -> Vec<u8> {
    // From the innermost: each is as long as what it holds and its own few bytes.
    let mut length = COMPONENT.len();
    let mut headers = Vec::new();
    for _ in 0..levels {
        let header = [COMPONENT.to_vec(), vec![4], number(length)].concat();
        length += header.len();
        headers.push(header);
    }
    [headers.into_iter().rev().flatten().collect(), COMPONENT.to_vec()].concat()
}

fn doubled(times: usize, twice: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    types(times + 1, |at| if at == 0 { vec![0x6f, 2, 0x79, 0x79] } else { twice(at - 1) })
}

/// Blocks within blocks, each of which takes and gives so many values.
fn carrying(kind: u8, blocks: usize, values: usize) -> Vec<u8> {
    let opening = [vec![kind], vec![1]].concat().repeat(blocks);
    let code = [ZERO.repeat(values), opening, vec![END; blocks], vec![DROP; values]].concat();
    functions(1, &[signature(0, 0), signature(values, values)], &body(0, &code))
}

fn table(targets: usize, values: usize) -> Vec<u8> {
    let code = [
        vec![BLOCK, 1],
        ZERO.repeat(values + 1),
        vec![BR_TABLE],
        number(targets),
        vec![0; targets],
        vec![0, END],
        vec![DROP; values],
    ];
    functions(1, &[signature(0, 0), signature(0, values)], &body(0, &code.concat()))
}

fn branches(count: usize, values: usize) -> Vec<u8> {
    let each = [ZERO.to_vec(), vec![BR_IF, 0]].concat().repeat(count);
    let code = [vec![BLOCK, 1], ZERO.repeat(values), each, vec![END], vec![DROP; values]].concat();
    functions(1, &[signature(0, 0), signature(0, values)], &body(0, &code))
}

/// Loops within loops, and within the innermost every variable is read and written.
pub(super) fn variables(loops: usize, locals: usize) -> Vec<u8> {
    let touched = (0..locals).flat_map(|at| [vec![GET], number(at), vec![SET], number((at + 1) % locals)].concat());
    let ends = [GET, 0, BR_IF, 0, END].repeat(loops);
    functions(1, &[signature(0, 0)], &body(locals, &[[LOOP, 0x40].repeat(loops), touched.collect(), ends].concat()))
}

fn wide(count: usize, results: usize) -> Vec<u8> {
    functions(count, &[signature(0, results)], &body(0, &ZERO.repeat(results)))
}

fn elements(count: usize) -> Vec<u8> {
    let segment = [vec![1, 0, 0x41, 0, END], many(count, &[0])].concat();
    let limits = [vec![1, 0x70, 0], number(count)].concat();
    core(&[
        section(1, &list(&[signature(0, 0)])),
        section(3, &[1, 0]),
        section(4, &limits),
        section(9, &segment),
        section(10, &many(1, &body(0, &[]))),
    ])
}

fn exports(count: usize) -> Vec<u8> {
    let names = (0..count).map(|at| [text(&format!("e{at}")), vec![0, 0]].concat()).collect::<Vec<_>>();
    core(&[
        section(1, &list(&[signature(0, 0)])),
        section(3, &[1, 0]),
        section(7, &list(&names)),
        section(10, &many(1, &body(0, &[]))),
    ])
}

/// Names for a type that stands outside.
fn aliases(count: usize) -> Vec<u8> {
    let inner = component(&[section(6, &many(count, &[0x03, 0x02, 1, 0]))]);
    component(&[section(7, &[1, 0x70, 0x79]), section(4, &inner)])
}

fn imports(count: usize) -> Vec<u8> {
    let names = (0..count).map(|at| [vec![0], text(&format!("a:b/i{at}")), vec![1, 0]].concat()).collect::<Vec<_>>();
    component(&[section(7, &[1, 0x40, 0, 1, 0]), section(10, &list(&names))])
}

/// Components beside each other, each of which instantiates the one before it so many times: nothing is nested.
pub(super) fn chain(length: usize, instances: usize) -> Vec<u8> {
    let mut sections = vec![section(4, COMPONENT)];
    for index in 0..length {
        // The component before this one, from one level up.
        let alias = section(6, &[vec![1, 0x04, 0x02, 1], number(index)].concat());
        sections.push(section(4, &component(&[alias, section(5, &many(instances, &[0, 0, 0]))])));
    }
    sections.push(section(5, &[vec![1, 0], number(length), vec![0]].concat()));
    component(&sections)
}

fn lowered(count: usize) -> Vec<u8> {
    let import = section(10, &[vec![1, 0], text("a:b/c"), vec![1, 0]].concat());
    component(&[section(7, &[1, 0x40, 0, 1, 0]), import, section(8, &many(count, &[0x01, 0x00, 0, 0]))])
}
