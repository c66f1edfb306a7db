//! Learns the weights of the privacy guard's names and writes them to `weights.bin`.
//!
//! `cargo run --release -p privacy --example train-privacy` learns from text made of `training/*.txt` and the lists of names, from the
//! corpora of the tests, and from the working half of `evals/guards/requests`. `-- --cross` writes nothing: it measures each group of
//! the working half with that group left out. `-- --words` makes `data/words.bin` of the lists of words, after which it has to be built again. The unopened half is never read.

#![expect(clippy::indexing_slicing, reason = "it runs where weights are made, on text that lies beside it")]

mod made;

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

use privacy::{examples, in_request_by, words_filter};
use ta_linear::Model;
use ta_linear::train::{Example, Options, train};

const OPTIONS: Options = Options { bits: 16, epochs: 8, rate: 0.1, decay: 2e-6 };

/// How much a word counts in text that somebody wrote, for each made one.
const KNOWN_WEIGHT: f64 = 3.0;

/// A text with the bytes of what is personal in it.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    text: String,
    /// Names.
    names: Vec<Range<usize>>,
    /// Everything.
    spans: Vec<Range<usize>>,
    group: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if std::env::args().nth(1).as_deref() == Some("--words") {
        let text = |path: &str| std::fs::read_to_string(root.join(path));
        let (own, english) = (text("data/words.txt")?, text("training/words.txt")?);
        std::fs::write(
            root.join("data/words.bin"),
            words_filter(own.split_whitespace().chain(english.split_whitespace())),
        )?;
        return Ok(());
    }
    let work = read(&root.join("../../evals/guards/requests/privacy.work.jsonl"))?;
    let corpus = corpora(root)?;
    let made = made::texts(root)?;
    eprintln!("{} made, {} of corpora, {} of the working half", made.len(), corpus.len(), work.len());
    let base: Vec<Example> = made
        .iter()
        .flat_map(|item| of(item, 1.0))
        .chain(corpus.iter().flat_map(|item| of(item, 2.0 * KNOWN_WEIGHT)))
        .collect();
    let learn = |work: &[&Item]| {
        let all: Vec<Example> =
            base.iter().cloned().chain(work.iter().flat_map(|item| of(item, KNOWN_WEIGHT))).collect();
        train(&all, &OPTIONS).bytes()
    };
    let mut score = Score::default();
    match std::env::args().nth(1).as_deref() {
        Some("--cross") => {
            let groups: BTreeSet<&str> = work.iter().map(|item| item.group.as_str()).collect();
            for group in groups {
                let (held, others): (Vec<&Item>, Vec<&Item>) = work.iter().partition(|item| item.group == group);
                let bytes = learn(&others);
                held.iter().for_each(|item| score.add(item, &Model::new(&bytes)));
            }
        }
        Some("--own") => {
            let bytes = learn(&[]);
            work.iter().for_each(|item| score.add(item, &Model::new(&bytes)));
        }
        _ => {
            let bytes = learn(&work.iter().collect::<Vec<_>>());
            work.iter().for_each(|item| score.add(item, &Model::new(&bytes)));
            std::fs::write(root.join("weights.bin"), bytes)?;
        }
    }
    println!("{score:?}, F1 {:.3}", score.f1());
    Ok(())
}

fn of(item: &Item, weight: f64) -> Vec<Example> {
    let each = examples(&item.text, &item.names).into_iter();
    each.map(|(features, yes)| Example { features, yes, weight: if yes { weight * 1.5 } else { weight } }).collect()
}

#[derive(Debug, Default)]
struct Score {
    found: u32,
    missed: u32,
    alarms: u32,
}

impl Score {
    fn add(&mut self, item: &Item, model: &Model<'_>) {
        let found = in_request_by(&item.text, *model);
        let meets = |one: &Range<usize>, other: &Range<usize>| one.start < other.end && other.start < one.end;
        let missed: Vec<&str> = item
            .spans
            .iter()
            .filter(|span| !found.iter().any(|it| meets(it, span)))
            .map(|span| &item.text[span.clone()])
            .collect();
        let alarms: Vec<&str> = found
            .iter()
            .filter(|it| !item.spans.iter().any(|span| meets(it, span)))
            .map(|it| &item.text[it.clone()])
            .collect();
        self.found += u32::try_from(item.spans.len() - missed.len()).unwrap_or(0);
        self.missed += u32::try_from(missed.len()).unwrap_or(0);
        self.alarms += u32::try_from(alarms.len()).unwrap_or(0);
        if !missed.is_empty() || !alarms.is_empty() {
            let text: String = item.text.chars().take(150).collect();
            println!("[{}] missed {missed:?}, alarms {alarms:?}: {}", item.group, text.replace('\n', " / "));
        }
    }

    fn f1(&self) -> f64 {
        2.0 * f64::from(self.found) / f64::from(2 * self.found + self.missed + self.alarms).max(1.0)
    }
}

fn read(path: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let mut items = Vec::new();
    for line in std::fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()) {
        let value: serde_json::Value = serde_json::from_str(line)?;
        let text = value["text"].as_str().unwrap_or_default().to_owned();
        let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (mut names, mut spans) = (Vec::new(), Vec::new());
        for span in value["spans"].as_array().into_iter().flatten() {
            let at = |at: usize| usize::try_from(span[at].as_u64().unwrap_or(0)).unwrap_or(0);
            let range = bytes[at(0)]..bytes[at(1)];
            let kind = span[2].as_str().unwrap_or_default();
            let described = kind == "health" && text[range.clone()].split(' ').count() > 3;
            if kind == "name" || (kind == "health" && !described) {
                names.push(range.clone());
            }
            spans.push(range);
        }
        let group = value["group"].as_str().unwrap_or_default().to_owned();
        items.push(Item { text, names, spans, group });
    }
    Ok(items)
}

/// The corpora of the tests, as requests.
fn corpora(root: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let mut items = Vec::new();
    let item = |text: &str, names: Vec<Range<usize>>| Item {
        text: text.into(),
        spans: names.clone(),
        names,
        group: "corpus".into(),
    };
    for line in std::fs::read_to_string(root.join("corpus/harmless.txt"))?.lines().filter(|line| !line.starts_with('#'))
    {
        items.push(item(line.split_once(' ').map_or("", |(_, text)| text), Vec::new()));
    }
    for line in std::fs::read_to_string(root.join("corpus/personal.txt"))?.lines().filter(|line| !line.starts_with('#'))
    {
        let Some((expected, text)) = line.split_once(' ').and_then(|(_, rest)| rest.split_once(" | ")) else {
            continue;
        };
        let text = if text.starts_with("##") { text.replace('/', "\n") } else { text.to_owned() };
        let mut names = Vec::new();
        for name in expected.split("; ").filter_map(|found| found.strip_prefix("pupil-name=")) {
            names.extend(text.match_indices(name).map(|(at, name)| at..at + name.len()));
        }
        items.push(item(&text, names));
    }
    let mut directories =
        vec![root.join("../../workspace"), root.join("../../plugins"), root.join("../../host/models/src/offline/bank")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                items.push(item(&std::fs::read_to_string(&path)?, Vec::new()));
            }
        }
    }
    items.sort_by(|one, other| one.text.cmp(&other.text));
    Ok(items)
}
