//! The check, for those who change the sandbox: `cargo bench -p ta-evals --bench check` says what a change has done
//! since the last time. The table of the README is another: `cargo xtask bench`.

mod subjects;

use criterion::{Criterion, criterion_group, criterion_main};
use subjects::{Outcome, Subject};

fn check(criterion: &mut Criterion) -> Outcome<()> {
    let cache = tempfile::tempdir()?;
    let subject = Subject::check(Some(&cache.path().join("cache")))?;
    let (event, json, typed, turn) =
        (subjects::event()?, subjects::json_check()?, subjects::typed_check(), subjects::turn());
    let mut group = criterion.benchmark_group("check");
    group.bench_function("native", |bencher| bencher.iter(|| bench_check::check_event(&event)));
    group.bench_function("sandboxed", |bencher| bencher.iter(|| subject.call(&json)));
    group.bench_function("sandboxed, typed", |bencher| bencher.iter(|| subject.call(&typed)));
    group.bench_function("all hooks of a turn", |bencher| {
        bencher.iter(|| turn.iter().map(|input| subject.call(input)).collect::<Vec<_>>());
    });
    group.bench_function("smallest call", |bencher| {
        let smallest = subjects::smallest();
        bencher.iter(|| subject.call(&smallest));
    });
    group.finish();
    Ok(())
}

fn run(criterion: &mut Criterion) {
    if let Err(error) = check(criterion) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

criterion_group!(benches, run);
criterion_main!(benches);
