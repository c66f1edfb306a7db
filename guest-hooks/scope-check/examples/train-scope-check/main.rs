//! Learns the weights of scope-check and writes them to `weights.bin`.
//!
//! `cargo run --release -p scope-check --example train-scope-check` learns from the text made of `training/*.txt`, from the lists of the
//! tests, and from the working half of `evals/guards/requests`. `-- --cross` writes nothing: it measures instead, on each group of the working
//! half with that group left out of what is learned from, which is the only measure to go by while changing anything here.
//! `-- --own` leaves the whole working half out. The unopened half is never read.

mod made;
mod set;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use scope_check::scope::text::{Kind, Stretch, plain, stretches};
use scope_check::scope::{Reader, score};
use ta_linear::Model;
use ta_linear::train::{Example, Options, train};

use made::Made;
use set::{Item, Label};

const OPTIONS: Options = Options { bits: 17, epochs: 6, rate: 0.1, decay: 2e-6 };

/// How much a request counts that somebody wrote, for each made one.
const KNOWN_WEIGHT: f64 = 3.0;

/// A made request that is out teaches that of its stretches which lie mostly inside what is out.
const INSIDE_PERCENT: usize = 70;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let work = set::read(&root.join("../../evals/guards/requests/scope.work.jsonl"))?;
    let lists = set::lists(&root.join("src/scope/tests"))?;
    let made = made::requests(&root.join("training"))?;
    eprintln!("{} made, {} of lists, {} of the working half", made.len(), lists.len(), work.len());
    let learner = Learner::new(&made, &lists);
    let mode = std::env::args().nth(1).unwrap_or_default();
    let groups: BTreeSet<&str> = work.iter().map(|item| item.group.as_str()).collect();
    match mode.as_str() {
        "--cross" => {
            for group in groups {
                let (held, others): (Vec<&Item>, Vec<&Item>) = work.iter().partition(|item| item.group == group);
                print(&held, &learner.learn(&others));
            }
        }
        "--folds" => {
            for fold in 0..5 {
                let held: Vec<&Item> = work.iter().skip(fold).step_by(5).collect();
                let others: Vec<&Item> =
                    work.iter().enumerate().filter(|(at, _)| at % 5 != fold).map(|(_, item)| item).collect();
                print(&held, &learner.learn(&others));
            }
        }
        "--lists" => {
            print(&lists.iter().collect::<Vec<_>>(), &Learner::new(&made, &[]).learn(&work.iter().collect::<Vec<_>>()))
        }
        "--own" => print(&work.iter().collect::<Vec<_>>(), &learner.learn(&[])),
        _ => {
            let bytes = learner.learn(&work.iter().collect::<Vec<_>>());
            print(&work.iter().chain(&lists).collect::<Vec<_>>(), &bytes);
            std::fs::write(root.join("weights.bin"), bytes)?;
            std::fs::write(
                root.join("training/learned.txt"),
                format!("{:08x}\n", scope_check::scope::learned_from(root)),
            )?;
        }
    }
    Ok(())
}

/// What the made requests and the lists teach, worked out once.
struct Learner {
    reader: Reader,
    base: Vec<Example>,
    lists: Vec<Item>,
}

impl Learner {
    fn new(made: &[Made], lists: &[Item]) -> Self {
        let reader = Reader::default();
        let base = made.iter().flat_map(|made| of_made(made, &reader)).collect();
        Self { reader, base, lists: lists.to_vec() }
    }

    /// The weights, with requests of which only the whole is known. Those that are out teach by the stretch that a first model finds
    /// furthest out.
    fn learn(&self, work: &[&Item]) -> Vec<u8> {
        let known: Vec<&Item> = work.iter().copied().chain(&self.lists).collect();
        let mut bytes = Vec::new();
        for round in 0..3 {
            let model = Model::new(&bytes);
            let of_known = known.iter().flat_map(|item| of_item(item, &self.reader, (round > 0).then_some(&model)));
            let examples: Vec<Example> = self.base.iter().cloned().chain(of_known).collect();
            bytes = train(&examples, &OPTIONS).bytes();
        }
        bytes
    }
}

fn of_made(made: &Made, reader: &Reader) -> Vec<Example> {
    let shown = plain(&made.text);
    let request = reader.read(&shown);
    let all = stretches(request.words());
    let example = |stretch: &Stretch, yes| Example { features: request.features(stretch), yes, weight: 1.0 };
    let Some(out) = &made.out else {
        return all.iter().map(|stretch| example(stretch, false)).collect();
    };
    let bytes = |stretch: &Stretch| {
        let words = request.words().get(stretch.words.clone()).unwrap_or_default();
        words.first().map_or(0, |word| word.range.start)..words.last().map_or(0, |word| word.range.end)
    };
    let mut examples = Vec::new();
    for stretch in &all {
        let range = bytes(stretch);
        let shared = range.end.min(out.end).saturating_sub(range.start.max(out.start));
        let whole = shared * 100 >= out.len() * INSIDE_PERCENT;
        if whole && (!made.together || stretch.kind != Kind::Part) {
            examples.push(example(stretch, true));
        } else if shared == 0 && !made.together {
            examples.push(example(stretch, false));
        }
    }
    examples
}

fn of_item(item: &Item, reader: &Reader, model: Option<&Model<'_>>) -> Vec<Example> {
    let shown = plain(&item.text);
    let request = reader.read(&shown);
    let all = stretches(request.words());
    let example = |stretch: &Stretch, yes| Example { features: request.features(stretch), yes, weight: KNOWN_WEIGHT };
    match (item.label, model) {
        (Label::Unsure, _) => Vec::new(),
        (Label::In, _) => all.iter().map(|stretch| example(stretch, false)).collect(),
        (Label::Out, None) => {
            let last =
                all.iter().filter(|stretch| stretch.kind != Kind::Part).max_by_key(|stretch| stretch.words.len());
            last.map(|stretch| example(stretch, true)).into_iter().collect()
        }
        (Label::Out, Some(model)) => {
            let mut scored: Vec<_> =
                all.iter().map(|stretch| (model.score(&request.features(stretch)), stretch)).collect();
            scored.sort_by_key(|(score, _)| -score);
            scored.into_iter().take(2).map(|(_, stretch)| example(stretch, true)).collect()
        }
    }
}

/// Each request with its score and what it is, for whoever sets the thresholds.
fn print(items: &[&Item], bytes: &[u8]) {
    let model = Model::new(bytes);
    for item in items {
        let text: String = item.text.chars().take(170).collect();
        let score = score(&item.text, &model).unwrap_or_default();
        println!("{score}\t{:?}\t{}\t{}", item.label, item.group, text.replace('\n', " / "));
    }
}
