//! The output as a reader sees it: what is said in it, where, and next to what.

use std::collections::BTreeMap;
use std::ops::Range;

use ta_curriculum::code::{Code, Fault, Found, find_codes_with};
use ta_curriculum::fold::Folded;
use ta_curriculum::foreign::{Foreign, find_foreign_where};
use ta_curriculum::inline::{Markup, blank, scan};
use ta_curriculum::markdown::{Block, Kind, blocks, lines, part};
use ta_curriculum::outline::Outline;
use ta_curriculum::pointer::{Pointer, pointers_in};

/// A place where the output names codes.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// The codes; empty where there is a fault.
    pub(super) codes: Vec<Code>,
    pub(super) fault: Option<Fault>,
    pub(super) as_written: String,
    pub(super) range: Range<usize>,
    pub(super) line: u32,
    /// Number of the block that it stands in.
    pub(super) block: usize,
    /// Number of the pointer whose text it stands in.
    pub(super) pointer: Option<usize>,
}

/// An output, read. Everything in it is in the order of the output.
#[derive(Debug)]
pub(super) struct Page {
    /// The output with everything blanked that says nothing to a reader: code blocks, comments, targets and titles of
    /// links, addresses, file names. What stands at an offset here stands there in the output.
    pub(super) visible: String,
    pub(super) blocks: Vec<Block>,
    pub(super) pointers: Vec<Pointer>,
    pub(super) mentions: Vec<Mention>,
    /// Codes in fenced blocks and in the descriptions of images: nobody cites there, but an invented code misleads there too.
    pub(super) aside: Vec<Mention>,
    pub(super) foreign: Vec<Foreign>,
    outline: Outline,
    /// Byte offset of each line.
    starts: Vec<usize>,
    /// Together they are the blocks.
    sentences: Vec<Range<usize>>,
    /// The number of the first mention of each code.
    first: BTreeMap<Code, usize>,
}

impl Page {
    /// Reads an output; organisers are those of the workspace's curriculum files.
    pub(super) fn read(output: &str, organisers: &[String]) -> Self {
        let markup = scan(output);
        let visible = visible(output, &markup);
        let breaks = output.match_indices('\n').map(|(offset, _)| offset + 1);
        let blocks = blocks(&lines(output));
        let mut page = Self {
            sentences: blocks.iter().flat_map(|block| sentences(&visible, block)).collect(),
            blocks,
            pointers: pointers_in(output, &markup),
            foreign: Vec::new(),
            outline: Outline::read(output),
            starts: std::iter::once(0).chain(breaks).collect(),
            mentions: Vec::new(),
            aside: Vec::new(),
            first: BTreeMap::new(),
            visible,
        };
        let folded = Folded::new(&page.visible);
        page.mentions = page.mentions_of(&folded, organisers);
        page.aside = page.mentions_of(&Folded::new(&aside(output, &markup)), organisers);
        page.foreign = find_foreign_where(folded.text(), |offset| page.claims_at(folded.original(offset)));
        for foreign in &mut page.foreign {
            (foreign.start, foreign.end) = (folded.original(foreign.start), folded.original(foreign.end));
        }
        for (index, mention) in page.mentions.iter().enumerate() {
            for code in &mention.codes {
                page.first.entry(*code).or_insert(index);
            }
        }
        page
    }

    fn mentions_of(&self, folded: &Folded, organisers: &[String]) -> Vec<Mention> {
        let found = find_codes_with(folded.text(), organisers).into_iter();
        let placed = found.map(|found| {
            let (start, end) = (folded.original(found.start), folded.original(found.end));
            self.mention(Found { start, end, ..found })
        });
        placed.collect()
    }

    fn mention(&self, found: Found) -> Mention {
        let pointer = last_at(&self.pointers, |pointer| pointer.start <= found.start);
        let within = |index: &usize| self.pointers.get(*index).is_some_and(|pointer| found.start < pointer.end);
        Mention {
            line: self.line_at(found.start),
            block: last_at(&self.blocks, |block| block.range.start <= found.start).unwrap_or(0),
            pointer: pointer.filter(within),
            range: found.start..found.end,
            codes: found.codes,
            fault: found.fault,
            as_written: found.as_written,
        }
    }

    /// Number of the line at a byte offset, from 1.
    pub(super) fn line_at(&self, offset: usize) -> u32 {
        let lines = self.starts.partition_point(|&start| start <= offset);
        u32::try_from(lines).unwrap_or(u32::MAX)
    }

    /// The title of the section that a line stands in.
    pub(super) fn section_at(&self, line: u32) -> Option<String> {
        self.outline.section_at(line).map(|section| section.title.clone())
    }

    /// Whether outcomes are claimed at a byte offset: its section or its own line says so.
    fn claims_at(&self, offset: usize) -> bool {
        let line = self.line_at(offset);
        let start = usize::try_from(line).ok().and_then(|line| self.starts.get(line.checked_sub(1)?)).copied();
        let start = start.unwrap_or(offset).max(offset.saturating_sub(BEFORE_BYTES_MAX));
        let start = (start..=offset).find(|start| self.visible.is_char_boundary(*start)).unwrap_or(offset);
        let before = part(&self.visible, start..offset);
        let title = self.outline.section_at(line).map(|section| section.title.as_str());
        names_claims(title.unwrap_or_default()) || names_claims(before)
    }

    /// The range of what comes before the first section.
    pub(super) fn preamble(&self) -> Range<usize> {
        let preamble = self.outline.preamble.as_ref();
        preamble.map_or(0..0, |preamble| preamble.range.clone())
    }

    /// The mentions that begin in a range.
    pub(super) fn mentions_in(&self, range: &Range<usize>) -> &[Mention] {
        let start = self.mentions.partition_point(|mention| mention.range.start < range.start);
        let end = self.mentions.partition_point(|mention| mention.range.start < range.end);
        self.mentions.get(start..end).unwrap_or_default()
    }

    /// The first mention of a code.
    pub(super) fn first_mention(&self, code: Code) -> Option<&Mention> {
        self.first.get(&code).and_then(|&index| self.mentions.get(index))
    }

    /// The byte range of the sentence around an offset: at most its block. Rows and headings are one sentence each.
    pub(super) fn sentence(&self, offset: usize) -> Range<usize> {
        let index = last_at(&self.sentences, |sentence| sentence.start <= offset);
        let sentence = index.and_then(|index| self.sentences.get(index));
        sentence.cloned().unwrap_or(offset..offset)
    }
}

/// Beginnings of words that stand over or before the outcomes that a lesson claims.
const CLAIMING_STEMS: &[&str] = &["outcome", "standard", "benchmark", "align", "curriculum link", "experiences and"];

/// As much of a line as is read before a reference, since a text may be one long line.
const BEFORE_BYTES_MAX: usize = 200;

fn names_claims(text: &str) -> bool {
    let text = text.to_lowercase();
    CLAIMING_STEMS.iter().any(|stem| text.contains(stem))
}

/// The number of the last of some ordered things that begin early enough.
fn last_at<T>(things: &[T], begins: impl FnMut(&T) -> bool) -> Option<usize> {
    things.partition_point(begins).checked_sub(1)
}

fn sentences(visible: &str, block: &Block) -> Vec<Range<usize>> {
    if matches!(block.kind, Kind::Row | Kind::Heading(_)) {
        return vec![block.range.clone()];
    }
    let text = part(visible, block.range.clone());
    let mut sentences = Vec::new();
    let mut start = block.range.start;
    for (at, mark) in text.match_indices(['.', '!', '?']) {
        if ends_sentence(text, at) {
            let end = block.range.start + at + mark.len();
            sentences.push(start..end);
            start = end;
        }
    }
    if start < block.range.end {
        sentences.push(start..block.range.end);
    }
    sentences
}

/// A full stop after one of these does not end a sentence.
const ABBREVIATIONS: &str = "e.g i.e eg ie cf vs approx no p pp incl esp mins min";

/// Marks that may stand between the end of a sentence and the space after it.
const CLOSING_MARKS: &[char] = &['"', '\'', ')', ']', '*', '_', '\u{201D}', '\u{2019}'];

/// Whether the mark at a byte offset is followed by a space and belongs to no abbreviation and no item's number.
fn ends_sentence(text: &str, at: usize) -> bool {
    let after = part(text, at + 1..text.len()).trim_start_matches(CLOSING_MARKS);
    if !after.chars().next().is_none_or(char::is_whitespace) {
        return false;
    }
    let before = part(text, 0..at);
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next();
    let word = word.unwrap_or_default();
    let abbreviated = ABBREVIATIONS.split(' ').any(|known| known.eq_ignore_ascii_case(word));
    let numbers_item = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) && before.trim_start() == word;
    !abbreviated && !numbers_item
}

fn visible(output: &str, markup: &Markup) -> String {
    let links = markup.links.iter().map(|link| {
        let start = if link.image { link.start } else { link.text.end + 1 };
        start..link.end
    });
    let shown = blank(output, markup.hidden.iter().cloned().chain(links));
    let addresses = words(&shown).into_iter().filter(|range| is_address(part(&shown, range.clone())));
    blank(&shown, addresses)
}

/// The output with everything blanked but fenced blocks and the descriptions of images.
fn aside(output: &str, markup: &Markup) -> String {
    let fenced = lines(output).into_iter().filter(|line| line.kind == Kind::Code).map(|line| line.start..line.end());
    let images = markup.links.iter().filter(|link| link.image).map(|link| link.text.clone());
    let mut kept: Vec<Range<usize>> = fenced.chain(images).collect();
    kept.sort_by_key(|range| range.start);
    let ends = std::iter::once(0).chain(kept.iter().map(|range| range.end));
    let starts = kept.iter().map(|range| range.start).chain([output.len()]);
    let shown = blank(output, ends.zip(starts).filter(|(end, start)| end < start).map(|(end, start)| end..start));
    let addresses = words(&shown).into_iter().filter(|range| is_address(part(&shown, range.clone())));
    blank(&shown, addresses)
}

/// The byte ranges of what stands between spaces.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (c.is_whitespace(), start) {
            (true, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    words.extend(start.map(|from| from..text.len()));
    words
}

/// The endings of files that a lesson may name: a code in a file's name claims nothing.
const FILE_ENDINGS: &str = ".md .pdf .docx .doc .pptx .ppt .odt .html .txt .csv .png .jpg";

fn is_address(word: &str) -> bool {
    let bare = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let is_file = || FILE_ENDINGS.split(' ').any(|ending| bare.ends_with(ending));
    word.contains("://") || word.contains("www.") || (bare.contains('.') && is_file())
}
