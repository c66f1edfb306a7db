//! Finding the description beside a code.

use std::ops::Range;

use ta_curriculum::code::Code;
use ta_curriculum::markdown::{Block, Kind, part};

use crate::guard::page::{Mention, Page};
use crate::guard::words::{Stem, Weight, Weights, stem, words};

/// A description and the codes that it stands beside.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// The codes described: one, or a list with nothing but joints between.
    pub(super) codes: Vec<Code>,
    /// Codes that the description itself names ("builds on TCH 2-14a"): it may well speak of them.
    pub(super) named: Vec<Code>,
    pub(super) text: String,
    pub(super) line: u32,
    /// True where the form says "this is what the code means", false where a sentence is merely followed by the code.
    pub(super) states: bool,
    /// True where the description speaks as outcomes do: "I can …".
    pub(super) voiced: bool,
    /// Different content words.
    pub(super) words: Vec<Stem>,
    /// How many of them are no names.
    pub(super) plain: usize,
    /// Different words of teaching.
    pub(super) teaching: Vec<Stem>,
}

/// Mentions in a row, such as "TCH 3-13a, TCH 3-14a", and the room around them.
struct Cluster<'a> {
    mentions: Vec<&'a Mention>,
    range: Range<usize>,
    block: &'a Block,
    /// Where the cluster before this one in the block ends, or the block begins.
    from: usize,
    /// Where the next cluster in the block begins, or the block ends.
    to: usize,
}

/// Verbs after which a code's meaning is told: "TCH 3-14a asks pupils to …".
const MEANING: &[&str] = &[
    "is about ",
    "asks ",
    "covers ",
    "requires ",
    "says ",
    "states ",
    "means ",
    "describes ",
    "expects ",
    "focuses on ",
    "concerns ",
    "deals with ",
    "is where ",
    "is the outcome ",
    "which is about ",
    "which asks ",
    "which covers ",
    "which says ",
    "which requires ",
    "calls for ",
    "wants ",
];

/// How outcomes begin.
const VOICES: &[&str] = &["i can ", "i have ", "i am ", "i understand ", "i know ", "learners can ", "pupils can "];

/// Finds what stands beside each code of a page.
pub(super) fn descriptions(page: &Page) -> Vec<Beside> {
    let weights = Weights::new();
    let mut found = Vec::new();
    for cluster in clusters(page) {
        let after = cluster.after(page, cluster.range.end);
        // "TCH 3-14a (loops): explains …" says it twice.
        let bracket =
            after.as_ref().map(|(range, _)| range.end).filter(|&end| page.visible.get(end..=end) == Some(")"));
        let again = bracket.and_then(|end| cluster.after(page, end));
        let places = [after.or_else(|| cluster.below(page)), again, cluster.ahead(page)];
        for (range, states) in places.into_iter().flatten() {
            found.extend(cluster.beside(page, range, states, &weights));
        }
    }
    found
}

/// Puts together the mentions that have nothing but joints between them.
fn clusters(page: &Page) -> Vec<Cluster<'_>> {
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    for mention in page.mentions.iter().filter(|mention| mention.fault.is_none()) {
        let Some(block) = page.blocks.get(mention.block) else { continue };
        let mut from = block.range.start;
        if let Some(last) = clusters.last_mut().filter(|last| last.block == block) {
            if is_joint(part(&page.visible, last.range.end..mention.range.start)) {
                last.mentions.push(mention);
                last.range.end = mention.range.end;
                continue;
            }
            last.to = mention.range.start;
            from = last.range.end;
        }
        let (mentions, range) = (vec![mention], mention.range.clone());
        clusters.push(Cluster { mentions, range, block, from, to: block.range.end });
    }
    clusters
}

fn is_joint(between: &str) -> bool {
    let mut words = between.split(|c: char| !c.is_alphanumeric());
    !between.contains(['\n', ':', '|', ';']) && words.all(|word| matches!(word, "" | "and" | "or"))
}

impl Cluster<'_> {
    /// The description after a code: ": …", "— …", "(…)", "| … |" or "asks …".
    fn after(&self, page: &Page, from: usize) -> Option<(Range<usize>, bool)> {
        let rest = part(&page.visible, from..self.to);
        let closing = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | ']' | ')');
        let open = rest.trim_start_matches(closing);
        let (text, closers) = opened(open, open.len() < rest.len())?;
        let start = self.to - text.trim_start().len();
        let row = self.block.kind == Kind::Row;
        let end = if row { self.to } else { page.sentence(start).end.min(self.to) };
        let text = part(&page.visible, start..end.max(start));
        let length = text.find(closers).unwrap_or(text.len());
        let length = text.find(';').map_or(length, |semicolon| semicolon.min(length));
        Some((start..start + length, true))
    }

    /// The first sentence of what stands under a heading, or on the line after one, that is nothing but a code.
    fn below(&self, page: &Page) -> Option<(Range<usize>, bool)> {
        let bare = |range: Range<usize>| !part(&page.visible, range).contains(char::is_alphanumeric);
        let line = part(&page.visible, self.range.end..self.block.range.end).find('\n');
        let end = line.map_or(self.block.range.end, |line| self.range.end + line);
        if !bare(self.block.range.start..self.range.start) || !bare(self.range.end..end) {
            return None;
        }
        let start = match line {
            Some(_) => end + 1,
            None => {
                let next = page.blocks.get(self.mentions.first()?.block + 1)?;
                let heads = matches!(self.block.kind, Kind::Heading(_)) && next.kind == Kind::Text;
                heads.then_some(next.range.start)?
            }
        };
        Some((start..page.sentence(start).end, false))
    }

    /// The description before a code in brackets or after a dash: "explains … (TCH 3-14a)", "explains … — TCH 3-14a".
    fn ahead(&self, page: &Page) -> Option<(Range<usize>, bool)> {
        let pointer = self.mentions.first()?.pointer.and_then(|pointer| page.pointers.get(pointer));
        let to = pointer.map_or(self.range.start, |pointer| pointer.start);
        let mut sentence = page.sentence(self.range.start).start;
        // "Explains how. (TCH 3-14a)": the code is a sentence by itself.
        if !part(&page.visible, sentence..to).contains(char::is_alphanumeric) {
            sentence = page.sentence(sentence.saturating_sub(1)).start;
        }
        let from = if self.block.kind == Kind::Row { self.from } else { sentence.max(self.from) };
        let text = part(&page.visible, from..to.max(from));
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
        let text = text.strip_suffix(['(', '[', '\u{2013}', '\u{2014}', '|']).or_else(|| text.strip_suffix(" -"))?;
        let start = text.rfind(['|', ';']).map_or(from, |before| from + before + 1);
        Some((start..from + text.len(), false))
    }

    fn beside(&self, page: &Page, range: Range<usize>, states: bool, weights: &Weights) -> Option<Beside> {
        let text = part(&page.visible, range.clone());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        let mut found = Beside {
            codes: self.mentions.iter().flat_map(|mention| mention.codes.iter().copied()).collect(),
            named: self.named(page, range.start),
            text: text.to_owned(),
            line: self.mentions.first()?.line,
            states,
            voiced: VOICES.iter().any(|voice| begins(text, voice)),
            ..Beside::default()
        };
        for (index, word) in words(text).enumerate() {
            let stem = stem(word);
            match weights.of(word) {
                Weight::Content if !found.words.contains(&stem) => {
                    found.words.push(stem);
                    found.plain += usize::from(index == 0 || !word.starts_with(char::is_uppercase));
                }
                Weight::Teaching if !found.teaching.contains(&stem) => found.teaching.push(stem),
                _ => {}
            }
        }
        (!found.words.is_empty()).then_some(found)
    }

    /// The codes that go on the same sentence after a description that breaks off before them: "builds on …". After a
    /// comma or a semicolon the next code begins a description of its own.
    fn named(&self, page: &Page, start: usize) -> Vec<Code> {
        let sentence = page.sentence(start);
        let others = page.mentions_in(&(self.range.end..sentence.end.max(self.range.end))).iter();
        let within = others.filter(|other| {
            let before = part(&page.visible, self.range.end..other.range.start);
            let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '*' | '_'));
            !before.ends_with([',', ';', '|', '.', ':'])
        });
        within.flat_map(|other| other.codes.iter().copied()).collect()
    }
}

/// What follows the mark or verb that opens a description, and the marks that close it.
fn opened(text: &str, spaced: bool) -> Option<(&str, &'static [char])> {
    let mark = text.chars().next()?;
    let inner = part(text, mark.len_utf8()..text.len());
    match mark {
        ':' | '=' | '\u{2013}' | '\u{2014}' | '\u{2192}' => Some((inner, &[']'])),
        '-' if spaced => Some((inner, &[']'])),
        '|' => Some((inner, &['|'])),
        '(' => Some((inner, &[')'])),
        '"' | '\u{201C}' => Some((inner, &['"', '\u{201D}'])),
        _ => {
            let verb = MEANING.iter().find(|verb| begins(text, verb))?;
            Some((part(text, verb.len()..text.len()), &[']']))
        }
    }
}

fn begins(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}
