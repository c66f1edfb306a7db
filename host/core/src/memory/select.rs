//! Which notes of an entry point go into a prompt.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score::{Scores, Words};
use super::{ENTRY_LINES_MAX, MemoryFile, MemoryPath, MemoryRules};

/// Tokens of one memory file in a prompt.
pub const TOKENS_MAX: usize = 1_500;
/// Characters of a token, for an estimate.
const TOKEN_CHARS: usize = 4;

/// A note that was weighed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chosen {
    /// The note.
    pub note: String,
    /// What it is about.
    pub kind: String,
    /// Its scores.
    pub scores: Scores,
    /// Its weight.
    pub weight: f64,
}

/// What was chosen of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Selection {
    /// The file.
    pub path: MemoryPath,
    /// Its lines; those beyond the first 200 are not looked at.
    pub lines: usize,
    /// Tokens of what was included, estimated.
    pub tokens: usize,
    /// What was included, in the order of the file.
    pub included: Vec<Chosen>,
    /// What was left out for want of room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Chosen>,
}

/// The part of an entry point that goes into a prompt, and why.
///
/// Lines are kept in their order. Where all of them fit, all are included. Otherwise notes of the kinds that come first do, then the others by weight, as long as there is room; text that is no note stays only where everything fits,
/// headings where a note below them does.
#[must_use]
pub fn select(
    file: &MemoryFile,
    rules: &MemoryRules,
    about: &Words,
    now_ms: u64,
    tokens_max: usize,
) -> (String, Selection) {
    let lines: Vec<_> = file.lines().take(ENTRY_LINES_MAX).collect();
    let mut weighed: Vec<(usize, Chosen)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (Some(note), Some(record)) = (line.note, line.note.and_then(|note| file.record(note))) else { continue };
        let scores = Scores::of(note, record, about, now_ms);
        let chosen = Chosen { note: note.to_owned(), kind: record.kind.clone(), scores, weight: scores.for_prompt() };
        weighed.push((index, chosen));
    }
    let whole: usize = lines.iter().map(|line| tokens(line.raw)).sum();
    let fits = whole <= tokens_max;
    let mut order: Vec<usize> = (0..weighed.len()).collect();
    let rank = |at: &usize| weighed.get(*at).map(|(_, chosen)| (!rules.first(&chosen.kind), -chosen.weight));
    order.sort_by(|one, other| rank(one).partial_cmp(&rank(other)).unwrap_or(std::cmp::Ordering::Equal));
    let mut room = tokens_max;
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        let Some((line, chosen)) = weighed.get(at) else { continue };
        let cost = tokens(&chosen.note);
        if fits || cost <= room {
            room = room.saturating_sub(cost);
            kept.push(*line);
        }
    }
    let text = shown(&lines, &kept, fits);
    let (included, left_out): (Vec<_>, Vec<_>) = weighed.into_iter().partition(|(line, _)| kept.contains(line));
    let plain = |list: Vec<(usize, Chosen)>| list.into_iter().map(|(_, chosen)| chosen).collect();
    let selection = Selection {
        path: file.path.clone(),
        lines: file.text.lines().count(),
        tokens: tokens(&text),
        included: plain(included),
        left_out: plain(left_out),
    };
    (text, selection)
}

fn shown(lines: &[super::Line<'_>], kept: &[usize], fits: bool) -> String {
    let mut text = String::new();
    let mut heading: Option<&str> = None;
    for (index, line) in lines.iter().enumerate() {
        if !fits && line.raw.starts_with('#') {
            heading = Some(line.raw);
        } else if fits || kept.contains(&index) {
            for line in heading.take().into_iter().chain([line.raw]) {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text.trim().to_owned()
}

fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(TOKEN_CHARS)
}
