//! The check, for those who change the sandbox: `cargo bench -p ta-bench --bench check` says what a change has done
//! since the last time. The table of the README is another: `cargo xtask bench`.

use criterion::{Criterion, criterion_group, criterion_main};
use ta_bench::{Outcome, Subject};

fn check(criterion: &mut Criterion) -> Outcome<()> {
    let cache = tempfile::tempdir()?;
    let subject = Subject::check(Some(&cache.path().join("cache")))?;
    let (event, json, typed, turn) =
        (ta_bench::event()?, ta_bench::json_check()?, ta_bench::typed_check(), ta_bench::turn());
    let mut group = criterion.benchmark_group("check");
    group.bench_function("native", |bencher| bencher.iter(|| bench_check::check_event(&event)));
    group.bench_function("sandboxed", |bencher| bencher.iter(|| subject.call(&json)));
    group.bench_function("sandboxed, typed", |bencher| bencher.iter(|| subject.call(&typed)));
    group.bench_function("all hooks of a turn", |bencher| {
        bencher.iter(|| turn.iter().map(|input| subject.call(input)).collect::<Vec<_>>());
    });
    group.bench_function("smallest call", |bencher| {
        let smallest = ta_bench::smallest();
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
