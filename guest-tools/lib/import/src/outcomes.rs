//! Outcomes of a document: each code with the text that is its own.
//!
//! Published curricula put the code before its text, after it, in the margin, or in a column of a table. Which of the
//! first two, a document does throughout, so it is decided once, by what is clear. A code in the middle of a line is a
//! mention, not an outcome.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::doubt::{Doubt, Kind};
use crate::framework::{Code, Framework};
use crate::hits::{self, Hit};
use crate::source::{Block, Cell, Document, Place, Shape};
use crate::text::{essence, on_one_line, trimmed};

/// A shorter text is hardly an outcome, in characters.
const TEXT_SHORT: usize = 25;
/// A longer one has probably swallowed what follows, in characters.
const TEXT_LONG: usize = 900;
/// Words of a paragraph that only names a level.
const LEVEL_WORDS_MAX: usize = 6;

/// An outcome, or several codes that share one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Its codes.
    #[serde(serialize_with = "texts")]
    pub codes: Vec<Code>,
    /// Its text, on one line.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// Other texts that the document gives to the same code.
    pub others: Vec<(Place, String)>,
}

fn texts<S: serde::Serializer>(codes: &[Code], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(codes.iter().map(|code| &code.text))
}

impl Outcome {
    /// Its codes as they are written in a heading.
    pub fn heading(&self) -> String {
        self.codes.iter().map(|code| code.text.as_str()).collect::<Vec<_>>().join(" / ")
    }
}

/// Outcomes, and what was uncertain about them.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// In the order of the document.
    pub outcomes: Vec<Outcome>,
    /// What was uncertain.
    pub doubts: Vec<Doubt>,
    /// How often a code was seen, mentions included.
    pub seen: usize,
}

/// Finds the outcomes of a document.
pub fn find(document: &Document, framework: &Framework) -> Outcomes {
    let mut finder = Finder {
        framework,
        found: Outcomes::default(),
        waiting: None,
        levels: BTreeMap::new(),
        mentions: BTreeMap::new(),
    };
    let paragraphs: Vec<Paragraph> = document.blocks.iter().map(|block| Paragraph::read(block, framework)).collect();
    let before = finder.text_before_code(&paragraphs);
    for (index, paragraph) in (0..).zip(&paragraphs) {
        let ahead = paragraphs.get(..index).unwrap_or_default();
        finder.paragraph(paragraph, ahead, before);
    }
    finder.end()
}

/// A block with its codes.
struct Paragraph<'a> {
    block: &'a Block,
    text: String,
    hits: Vec<Hit>,
}

impl<'a> Paragraph<'a> {
    fn read(block: &'a Block, framework: &Framework) -> Self {
        let read = match &block.shape {
            Shape::Text(text) | Shape::Heading(text) => hits::read(framework, text),
            Shape::Row(_) => hits::read(framework, ""),
        };
        Self { block, text: read.text, hits: read.hits }
    }

    fn is_plain_text(&self) -> bool {
        matches!(self.block.shape, Shape::Text(_)) && self.hits.is_empty() && !trimmed(&self.text).is_empty()
    }

    /// The text between two places.
    fn between(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Whether nothing but marks stands on the line before a hit, or after it.
    fn begins_line(&self, hit: &Hit) -> bool {
        let line = self.between(0, hit.found.start);
        !line.rsplit('\n').next().unwrap_or_default().chars().any(char::is_alphanumeric)
    }

    fn ends_line(&self, hit: &Hit) -> bool {
        let line = self.between(hit.found.end, self.text.len());
        !line.split('\n').next().unwrap_or_default().chars().any(char::is_alphanumeric)
    }
}

/// An outcome whose text may go on in the next paragraph.
struct Waiting {
    outcome: Outcome,
    column: u32,
}

struct Finder<'a> {
    framework: &'a Framework,
    found: Outcomes,
    waiting: Option<Waiting>,
    /// The level that was named last, by column.
    levels: BTreeMap<u32, usize>,
    /// Codes that were only mentioned, each with its first place.
    mentions: BTreeMap<String, Place>,
}

impl Finder<'_> {
    /// Whether text stands before its code, for the document as a whole.
    fn text_before_code(&mut self, paragraphs: &[Paragraph<'_>]) -> bool {
        let (mut before, mut after, mut alone_before, mut alone_after) = (0, 0, 0, 0);
        for (index, paragraph) in (0..).zip(paragraphs).filter(|(_, it)| !it.hits.is_empty()) {
            for hit in &paragraph.hits {
                match (paragraph.begins_line(hit), paragraph.ends_line(hit)) {
                    (true, false) => after += 1,
                    (false, true) => before += 1,
                    _ => {}
                }
            }
            let first = paragraph.hits.first().map_or(0, |hit| hit.found.start);
            let last = paragraph.hits.last().map_or(0, |hit| hit.found.end);
            let leads = trimmed(paragraph.between(0, first)).is_empty();
            let trails = trimmed(paragraph.between(last, paragraph.text.len())).is_empty();
            let plain =
                |index: Option<usize>| index.and_then(|it| paragraphs.get(it)).is_some_and(Paragraph::is_plain_text);
            match (leads, trails) {
                (true, false) => after += 1,
                (false, true) => before += 1,
                (true, true) => {
                    alone_before += usize::from(plain(usize::checked_sub(index, 1)));
                    alone_after += usize::from(plain(Some(index + 1)));
                }
                (false, false) => {}
            }
        }
        if before == after && before + alone_before + alone_after > 0 {
            if alone_before == alone_after {
                let message = "it is not clear whether a text stands before its code or after it; after it was taken";
                self.found.doubts.push(Doubt::of(Kind::Direction, message));
            }
            return alone_before > alone_after;
        }
        if before.min(after) * 4 > before.max(after) {
            let message = format!(
                "{before} texts seem to stand before their code and {after} after it; {} was taken for all",
                if before > after { "before" } else { "after" }
            );
            self.found.doubts.push(Doubt::of(Kind::Direction, message));
        }
        before > after
    }

    fn paragraph(&mut self, paragraph: &Paragraph<'_>, ahead: &[Paragraph<'_>], before: bool) {
        match &paragraph.block.shape {
            Shape::Row(cells) => {
                self.release();
                self.row(cells, paragraph.block.place);
            }
            Shape::Heading(_) if paragraph.hits.is_empty() => {
                self.release();
                self.level_heading(paragraph);
            }
            Shape::Heading(_) | Shape::Text(_) if paragraph.hits.is_empty() => {
                if paragraph.text.split_whitespace().count() <= LEVEL_WORDS_MAX && self.level_heading(paragraph) {
                    return self.release();
                }
                self.goes_on(paragraph);
            }
            Shape::Heading(_) | Shape::Text(_) => {
                self.release();
                self.coded(paragraph, ahead, before);
            }
        }
    }

    /// Takes the level that a heading names; answers whether it named one.
    fn level_heading(&mut self, paragraph: &Paragraph<'_>) -> bool {
        let column = paragraph.block.column;
        let level = self.framework.level_named(&paragraph.text.replace('\n', " "));
        // A heading over all columns says nothing for the columns of the table before it any more.
        if column == 0 {
            self.levels.clear();
        }
        if let Some(level) = level {
            self.levels.insert(column, level);
        }
        level.is_some()
    }

    /// A paragraph without codes: the rest of a text that has not ended, or nothing.
    fn goes_on(&mut self, paragraph: &Paragraph<'_>) {
        let Some(waiting) = &mut self.waiting else { return };
        let text = &waiting.outcome.text;
        let first = paragraph.text.trim_start();
        // An address at the foot of a page stands between the two halves of a text.
        if !first.contains(char::is_whitespace) && (first.contains("://") || first.starts_with("www.")) {
            return;
        }
        let item = first.starts_with(['•', '·', '-', '▪', '◦', '●', '*']);
        let broken = !text.is_empty() && !ends(text) && first.starts_with(char::is_lowercase);
        let open = broken || text.is_empty() || text.ends_with(':') || item && !text.is_empty();
        // A sentence that is broken off goes on in the next column.
        if !open || (waiting.column != paragraph.block.column && !broken) {
            return self.release();
        }
        let (more, joined) = on_one_line(&paragraph.text);
        hyphens(&mut self.found.doubts, paragraph.block.place, &joined);
        if !waiting.outcome.text.is_empty() {
            waiting.outcome.text.push(' ');
        }
        waiting.outcome.text.push_str(trimmed(&more));
    }

    /// A paragraph with codes: parted at those that stand at an end of their line.
    fn coded(&mut self, paragraph: &Paragraph<'_>, ahead: &[Paragraph<'_>], before: bool) {
        let place = paragraph.block.place;
        let own = |hit: &&Hit| if before { paragraph.ends_line(hit) } else { paragraph.begins_line(hit) };
        for hit in &paragraph.hits {
            self.look(hit, place, own(&hit));
        }
        let groups = grouped(paragraph, &paragraph.hits.iter().filter(own).collect::<Vec<_>>());
        let mut from = 0;
        for (index, group) in (0..).zip(&groups) {
            let (start, end) = group.span;
            let next = groups.get(index + 1).map_or(paragraph.text.len(), |next| next.span.0);
            let text = if before { paragraph.between(from, start) } else { paragraph.between(end, next) };
            from = end;
            let (mut text, mut joined) = on_one_line(text);
            if before && trimmed(&text).is_empty() && index == 0 {
                (text, joined) = text_above(ahead, paragraph.block.column);
            }
            hyphens(&mut self.found.doubts, place, &joined);
            let outcome =
                Outcome { codes: group.codes.clone(), text: trimmed(&text).to_owned(), place, others: Vec::new() };
            self.level_of(&outcome, self.levels.get(&paragraph.block.column).copied(), "the heading");
            let last = index + 1 == groups.len();
            if last && !before {
                self.waiting = Some(Waiting { outcome, column: paragraph.block.column });
            } else {
                self.keep(outcome);
            }
        }
    }

    /// A row of a table: codes in a cell of their own belong to the cell that holds the text.
    fn row(&mut self, cells: &[Cell], place: Place) {
        let read: Vec<hits::Read> = cells.iter().map(|cell| hits::read(self.framework, &cell.text)).collect();
        let level = (0..).zip(cells).find_map(|(_, cell): (usize, _)| {
            let head = cell.head.to_lowercase();
            let about = ["level", "stage", "grade", "year"].iter().any(|word| head.contains(word));
            if about { self.level_of_cell(&cell.text) } else { None }
        });
        let alone = |read: &hits::Read| !read.hits.is_empty() && self.framework.is_code(&read.text);
        let codes: Vec<usize> = (0..).zip(&read).filter(|(_, read)| alone(read)).map(|(index, _)| index).collect();
        if let [only] = *codes.as_slice() {
            let Some(hits) = read.get(only).map(|read| &read.hits) else { return };
            hits.iter().for_each(|hit| self.look(hit, place, true));
            let codes: Vec<Code> = hits.iter().flat_map(|hit| hit.found.codes.clone()).collect();
            let (text, joined) = text_of_row(cells, only, self.framework);
            hyphens(&mut self.found.doubts, place, &joined);
            if !codes.is_empty() {
                let outcome = Outcome { codes, text, place, others: Vec::new() };
                self.level_of(&outcome, level, "its row");
                self.keep(outcome);
            }
            return;
        }
        for (cell, read) in cells.iter().zip(read) {
            if read.hits.is_empty() {
                continue;
            }
            let block = Block { place, column: 0, shape: Shape::Text(read.text.clone()) };
            let paragraph = Paragraph { block: &block, text: read.text, hits: read.hits };
            let ends = paragraph.hits.iter().all(|hit| paragraph.ends_line(hit) && !paragraph.begins_line(hit))
                || !paragraph.between(0, paragraph.hits.first().map_or(0, |hit| hit.found.start)).trim().is_empty();
            let named = self.framework.level_named(&cell.head).or(level);
            let kept = std::mem::take(&mut self.levels);
            self.levels.extend(named.map(|level| (0, level)));
            self.coded(&paragraph, &[], ends);
            self.release();
            self.levels = kept;
        }
    }

    fn level_of_cell(&self, text: &str) -> Option<usize> {
        let by_code = self.framework.levels.iter().position(|level| level.code.eq_ignore_ascii_case(text.trim()));
        by_code.or_else(|| self.framework.level_named(text))
    }

    /// Notes what is odd about a code, and that it was mentioned.
    fn look(&mut self, hit: &Hit, place: Place, own: bool) {
        self.found.seen += hit.found.codes.len().max(1);
        if let Some(fault) = hit.found.fault {
            self.found.doubts.push(Doubt::at(
                Kind::NoCode,
                place,
                format!("something reads as a code and is none: {fault}"),
            ));
        }
        for code in &hit.found.codes {
            let doubt = |kind, message: &str| Doubt::at(kind, place, message).code(&code.text);
            if hit.joined {
                self.found.doubts.push(doubt(Kind::CodeJoined, "the code was broken over two lines and was joined"));
            }
            if hit.look_alike {
                let message = "the code is written with letters of another alphabet and was read as what it looks like";
                self.found.doubts.push(doubt(Kind::LookAlike, message));
            }
            if !self.framework.knows_organiser(&code.organiser) {
                let message = format!("`{}` is no organiser of {}", code.organiser, self.framework.title);
                self.found.doubts.push(doubt(Kind::UnknownOrganiser, &message));
            }
            if !own {
                self.mentions.entry(code.text.clone()).or_insert(place);
            }
        }
    }

    fn level_of(&mut self, outcome: &Outcome, claimed: Option<usize>, by: &str) {
        let Some(claimed) = claimed else { return };
        if outcome.codes.iter().all(|code| code.level.is_some_and(|level| level != claimed)) {
            let named = self.framework.level_name(claimed);
            let message = format!("{by} says {named}, the code does not");
            self.found.doubts.push(Doubt::at(Kind::LevelMismatch, outcome.place, message).code(&outcome.heading()));
        }
    }

    fn release(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            self.keep(waiting.outcome);
        }
    }

    /// Keeps an outcome, once for each code.
    fn keep(&mut self, outcome: Outcome) {
        if outcome.text.is_empty() {
            for code in outcome.codes {
                self.mentions.entry(code.text).or_insert(outcome.place);
            }
            return;
        }
        let same = |kept: &Outcome| kept.codes.iter().any(|code| outcome.codes.contains(code));
        let Some(kept) = self.found.outcomes.iter_mut().find(|kept| same(kept)) else {
            self.found.outcomes.push(outcome);
            return;
        };
        let known = essence(&kept.text) == essence(&outcome.text)
            || kept.others.iter().any(|(_, other)| essence(other) == essence(&outcome.text));
        if !known {
            let message = format!("it has another text at {}; both are kept, the first as its own", outcome.place);
            let doubt = Doubt::at(Kind::TwoTexts, kept.place, message).code(&kept.heading());
            kept.others.push((outcome.place, outcome.text));
            self.found.doubts.push(doubt);
        }
    }

    fn end(mut self) -> Outcomes {
        self.release();
        let mut found = self.found;
        for (code, place) in self.mentions {
            if !found.outcomes.iter().any(|outcome| outcome.codes.iter().any(|own| own.text == code)) {
                let message = "the code is seen and no text belongs to it";
                found.doubts.push(Doubt::at(Kind::NoText, place, message).code(&code));
            }
        }
        let ended = found.outcomes.iter().filter(|outcome| ends(&outcome.text)).count();
        let usual = ended * 3 >= found.outcomes.len() * 2;
        for outcome in found.outcomes.iter().filter(|outcome| usual && !ends(&outcome.text)) {
            let message = "its text does not end like a sentence, as the others do: look whether it goes on elsewhere";
            found.doubts.push(Doubt::at(Kind::OpenText, outcome.place, message).code(&outcome.heading()));
        }
        for outcome in &found.outcomes {
            let length = outcome.text.chars().count();
            let doubt = |kind, what: &str| {
                Doubt::at(kind, outcome.place, format!("its text has {length} characters: {what}"))
                    .code(&outcome.heading())
            };
            if length < TEXT_SHORT {
                found.doubts.push(doubt(Kind::ShortText, "look whether something is missing"));
            } else if length > TEXT_LONG {
                found.doubts.push(doubt(Kind::LongText, "look whether it holds what belongs to others"));
            }
        }
        found
    }
}

/// Whether a text ends like a sentence.
fn ends(text: &str) -> bool {
    text.trim_end_matches(['"', '\'', '”', '’', ')']).ends_with(['.', '?', '!', '…'])
}

/// Codes that share one text: nothing stands between them.
struct Group {
    codes: Vec<Code>,
    span: (usize, usize),
}

fn grouped(paragraph: &Paragraph<'_>, hits: &[&Hit]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for hit in hits.iter().filter(|hit| !hit.found.codes.is_empty()) {
        let (start, end) = (hit.found.start, hit.found.end);
        match groups.last_mut() {
            Some(last) if !paragraph.between(last.span.1, start).chars().any(char::is_alphanumeric) => {
                last.codes.extend(hit.found.codes.iter().cloned());
                last.span.1 = end;
            }
            _ => groups.push(Group { codes: hit.found.codes.clone(), span: (start, end) }),
        }
    }
    groups
}

/// The text of the paragraphs right above a code that stands alone.
fn text_above(ahead: &[Paragraph<'_>], column: u32) -> (String, Vec<String>) {
    let mut parts: Vec<&str> = Vec::new();
    for paragraph in ahead.iter().rev().take_while(|it| it.is_plain_text() && it.block.column == column) {
        let text = paragraph.text.trim();
        parts.push(text);
        // A paragraph that begins in the middle, or with a mark of a list, has more above it.
        if !text.starts_with(|c: char| c.is_lowercase() || matches!(c, '•' | '·' | '-' | '▪' | '●')) {
            break;
        }
    }
    parts.reverse();
    on_one_line(&parts.join("\n"))
}

/// The cell that holds a row's text: by its head, else the longest.
fn text_of_row(cells: &[Cell], code: usize, framework: &Framework) -> (String, Vec<String>) {
    const HEADS: [&str; 8] =
        ["outcome", "statement", "description", "standard", "experience", "text", "expectation", "objective"];
    let others = || (0..).zip(cells).filter(|(index, _): &(usize, _)| *index != code).map(|(_, cell)| cell);
    let plain = || others().filter(|cell| framework.level_named(&cell.text).is_none() || cell.text.len() > 60);
    let named = HEADS
        .iter()
        .find_map(|head| plain().find(|cell| cell.head.to_lowercase().contains(head) && !cell.text.trim().is_empty()));
    let cell = named.or_else(|| plain().max_by_key(|cell| cell.text.chars().count()));
    let (text, joined) = on_one_line(cell.map(|cell| cell.text.as_str()).unwrap_or_default());
    (trimmed(&text).to_owned(), joined)
}

fn hyphens(doubts: &mut Vec<Doubt>, place: Place, joined: &[String]) {
    for word in joined {
        let message = format!("`{word}` was broken at the end of a line and is written as one word");
        doubts.push(Doubt::at(Kind::HyphenJoined, place, message));
    }
}
