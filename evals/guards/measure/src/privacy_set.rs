//! Texts with personal data and without.
//!
//! A marked span counts as found when something that the guard found overlaps it, and an alarm as false when it overlaps no
//! marked span: where a span ends is a convention. How many ends agree is shown apart. Offsets of the sets are characters.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;

use crate::score::{Counts, share};

#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    id: String,
    text: String,
    spans: Vec<(usize, usize, String)>,
    group: String,
}

#[derive(Debug, Default, Clone)]
struct Tally {
    items: usize,
    /// Items in which nothing was missed and nothing was found that is not there.
    right: usize,
    exact: usize,
    counts: Counts,
}

pub(crate) fn run(items: &[Item], wrong: bool) -> String {
    let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut all = Tally::default();
    let mut table = String::new();
    for item in items {
        let found = found(&item.text);
        let overlaps = |span: &(usize, usize, String)| found.iter().any(|it| it.start < span.1 && span.0 < it.end);
        let caught = item.spans.iter().filter(|span| overlaps(span)).count();
        let false_alarms: Vec<&Range<usize>> =
            found.iter().filter(|it| !item.spans.iter().any(|span| it.start < span.1 && span.0 < it.end)).collect();
        let exact = item.spans.iter().filter(|span| found.contains(&(span.0..span.1))).count();
        for span in &item.spans {
            let (of_kind, caught) = kinds.entry(&span.2).or_default();
            *of_kind += 1;
            *caught += usize::from(overlaps(span));
        }
        let missed: Vec<_> = item.spans.iter().filter(|span| !overlaps(span)).collect();
        for tally in [&mut all, groups.entry(&item.group).or_default()] {
            tally.items += 1;
            tally.right += usize::from(missed.is_empty() && false_alarms.is_empty());
            tally.exact += exact;
            tally.counts.found += caught;
            tally.counts.missed += missed.len();
            tally.counts.false_alarms += false_alarms.len();
        }
        if wrong && !(missed.is_empty() && false_alarms.is_empty()) {
            let part = |range: Range<usize>| item.text.chars().skip(range.start).take(range.len()).collect::<String>();
            let missed: Vec<String> = missed.iter().map(|span| part(span.0..span.1)).collect();
            let alarms: Vec<String> = false_alarms.iter().map(|range| part((*range).clone())).collect();
            let text: String = item.text.chars().take(200).collect();
            let text = text.replace('\n', " / ");
            let _ = writeln!(table, "{} missed {missed:?}, false {alarms:?}: {text}", item.id);
        }
    }
    let _ = writeln!(table, "group                              items right precision recall    F1  exact ends");
    for (group, tally) in groups.iter().chain([(&"all", &all)]) {
        let counts = tally.counts;
        let _ = writeln!(
            table,
            "{group:35} {:4} {:5}     {:5.3}  {:5.3} {:5.3}  {:5.3}",
            tally.items,
            tally.right,
            counts.precision(),
            counts.recall(),
            counts.f1(),
            share(tally.exact, counts.found + counts.missed)
        );
    }
    for (kind, (of_kind, caught)) in kinds {
        let _ = writeln!(table, "{kind:20} {caught:4} of {of_kind:4}");
    }
    table
}

/// What the guard finds in a request, in characters.
fn found(text: &str) -> Vec<Range<usize>> {
    let characters = |byte: usize| text.get(..byte).unwrap_or_default().chars().count();
    privacy::in_request(text).into_iter().map(|range| characters(range.start)..characters(range.end)).collect()
}
