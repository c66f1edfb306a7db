//! Learns the weights of the safeguarding guard and writes them to `weights.bin`.
//!
//! `cargo run --release -p safeguarding --example train-safeguarding` learns from the texts made of `training/*.txt` and from the set to work
//! with. `-- --cross` writes nothing: it measures each fifth of that set with weights learned without it, which is the
//! only measure to go by while anything here is changed. The unopened half is never read.

mod made;

use std::error::Error;
use std::path::Path;

use safeguarding::concern::{BITS, of, scores};
use safeguarding::contact::holds_contact;
use safeguarding::features::{features, words};
use serde_json::Value;
use ta_linear::train::{Example, Options, train};

const OPTIONS: Options = Options { bits: BITS, epochs: 8, rate: 0.1, decay: 2e-6 };

/// How much a message of the set counts for each made one.
const WORK_WEIGHT: f64 = 4.0;

/// A message and its label: none, distress, harm or contact.
#[derive(Debug, Clone)]
struct Item {
    text: String,
    label: String,
    weight: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let work = work(&root.join("../../evals/guards/sets/safeguarding.work.jsonl"))?;
    let mut made: Vec<Item> = made::messages(&root.join("training"))?
        .into_iter()
        .map(|(label, text)| Item { text, label, weight: 1.0 })
        .collect();
    let taught = made::taught(&root.join("../.."))?;
    eprintln!("{} sentences of what is taught", taught.len());
    made.extend(taught.into_iter().map(|text| Item { text, label: "none".to_owned(), weight: 1.0 }));
    eprintln!("{} made, {} of the set", made.len(), work.len());
    match std::env::args().nth(1).as_deref() {
        Some("--cross") => {
            for fold in 0..5 {
                let (held, others): (Vec<_>, Vec<_>) = work.iter().enumerate().partition(|(at, _)| at % 5 == fold);
                let examples: Vec<&Item> = made.iter().chain(others.into_iter().map(|(_, item)| item)).collect();
                print(&held.into_iter().map(|(_, item)| item).collect::<Vec<_>>(), &learn(&examples));
            }
        }
        Some("--own") => print(&work.iter().collect::<Vec<_>>(), &learn(&made.iter().collect::<Vec<_>>())),
        _ => {
            let weights = learn(&made.iter().chain(&work).collect::<Vec<_>>());
            print(&work.iter().collect::<Vec<_>>(), &weights);
            std::fs::write(root.join("weights.bin"), weights)?;
        }
    }
    Ok(())
}

fn work(path: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let mut items = Vec::new();
    for line in std::fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line)?;
        let field = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        items.push(Item { text: field("text"), label: field("label"), weight: WORK_WEIGHT });
    }
    Ok(items)
}

/// The weights of the four models, one behind the other.
fn learn(items: &[&Item]) -> Vec<u8> {
    let featured: Vec<(Vec<u32>, &Item)> = items.iter().map(|item| (features(&words(&item.text)), *item)).collect();
    let model = |yes: &dyn Fn(&str) -> bool| {
        let examples: Vec<Example> = featured
            .iter()
            .map(|(features, item)| Example { features: features.clone(), yes: yes(&item.label), weight: item.weight })
            .collect();
        train(&examples, &OPTIONS).bytes()
    };
    let mut bytes = model(&|label| label != "none");
    for label in ["harm", "contact", "distress"] {
        bytes.extend(model(&|found| found == label));
    }
    bytes
}

fn print(items: &[&Item], weights: &[u8]) {
    for item in items {
        let scores = scores(&item.text, weights);
        let found = of(scores, holds_contact(&item.text)).map_or("none", |found| found.word());
        let mark = if found == item.label { ' ' } else { '*' };
        println!("{mark}\t{}\t{found}\t{scores:?}\t{}", item.label, item.text);
    }
}
