//! Requests that are in scope, out of it, or unsure.
//!
//! What is measured is refusing: a request that is out and is refused was found. Unsure counts as wrong in F1: as missed where the
//! request is out, as a false alarm where it is in. Items that are labelled unsure have no right answer of the two; they are
//! counted apart.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use scope_check::scope::{Scope, classify};
use serde::Deserialize;

use crate::score::{Counts, share};

#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    id: String,
    text: String,
    label: Label,
    group: String,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Label {
    In,
    Out,
    Unsure,
}

#[derive(Debug, Default, Clone)]
struct Tally {
    items: usize,
    right: usize,
    unsure: usize,
    refusing: Counts,
}

pub(crate) fn run(items: &[Item], wrong: bool) -> String {
    let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    let mut table = String::new();
    for item in items {
        let said = label(&classify(&item.text));
        for tally in [&mut all, groups.entry(&item.group).or_default()] {
            tally.add(item.label, said);
        }
        if wrong && said != item.label {
            let text: String = item.text.chars().take(220).collect();
            let _ = writeln!(table, "{} {:?}, said {said:?}: {}", item.id, item.label, text.replace('\n', " / "));
        }
    }
    let _ = writeln!(table, "group                items right unsure  precision recall    F1");
    for (group, tally) in groups.iter().chain([(&"all", &all)]) {
        let refusing = tally.refusing;
        let _ = writeln!(
            table,
            "{group:20} {:5} {:5} {:5.1}%      {:5.3}  {:5.3} {:5.3}",
            tally.items,
            tally.right,
            100.0 * share(tally.unsure, tally.items),
            refusing.precision(),
            refusing.recall(),
            refusing.f1()
        );
    }
    table
}

fn label(scope: &Scope) -> Label {
    match scope {
        Scope::InScope => Label::In,
        Scope::OutOfScope { .. } => Label::Out,
        Scope::Unsure { .. } => Label::Unsure,
    }
}

impl Tally {
    fn add(&mut self, label: Label, said: Label) {
        self.items += 1;
        self.right += usize::from(label == said);
        self.unsure += usize::from(said == Label::Unsure);
        match (label, said) {
            (Label::Out, Label::Out) => self.refusing.found += 1,
            (Label::Out, _) => self.refusing.missed += 1,
            (Label::In, Label::Out | Label::Unsure) => self.refusing.false_alarms += 1,
            (Label::In, Label::In) | (Label::Unsure, _) => {}
        }
    }
}
