//! What a sentence, and what stands above it, says about levels.

use std::cell::OnceCell;
use std::ops::Range;

use ta_curriculum::level::{LevelMention, Levels, find_levels};
use ta_curriculum::markdown::{Kind, part};

use crate::guard::page::Page;

/// Words that may stand between a level and the code that it belongs to: "third level outcome: TCH 2-14a".
const BETWEEN: &str = "a an and at by cfe code codes computing curriculum e es experience experiences for from g in is \
    mathematics maths numeracy o of organiser organisers os outcome outcomes science statement subject the";

/// More words between level and code than this, and they are not about each other.
const BETWEEN_WORDS_MAX: usize = 4;

/// Beginnings of words that show a sentence to be about going from one level to another, or about some of the class.
const MOVING_STEMS: &[&str] = &[
    "above",
    "ahead",
    "already",
    "before",
    "below",
    "beyond",
    "bridg",
    "build",
    "catch",
    "challeng",
    "compar",
    "consolidat",
    "differentiat",
    "earlier",
    "enrich",
    "exten",
    "foundation",
    "instead",
    "moving",
    "onward",
    "prepar",
    "prerequisite",
    "previous",
    "progress",
    "rather",
    "recap",
    "reinforc",
    "retriev",
    "revis",
    "scaffold",
    "secur",
    "simplif",
    "stretch",
    "toward",
    "unlike",
];

/// As these, for short words that begin others: "not" is meant and "note" is not.
const MOVING_WORDS: &str =
    "built from gap gaps later mixed move moves next not prior ready some step steps still those who yet";

/// Words that make a level that of people, not of the code before it: "TCH 2-14a, third level pupils".
const PEOPLE: &str = "pupil pupils learner learners class classes work child children group groups student students";

/// Words that make "Level 3" a level of the curriculum.
const CURRICULAR: &str = "cfe curriculum outcome outcomes experiences benchmark benchmarks";

/// The levels that a sentence names.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The sentence.
    pub(super) range: Range<usize>,
    /// Levels of the curriculum, in order.
    pub(super) levels: Vec<Levels>,
    /// Whether it is about going from one level to another.
    pub(super) moving: bool,
    /// Everything that may be a level, with offsets in the page.
    mentions: Vec<LevelMention>,
}

impl Said {
    pub(super) fn read(page: &Page, range: Range<usize>) -> Self {
        let text = part(&page.visible, range.clone());
        let mut mentions = find_levels(text);
        let levels = mentions.iter().filter(|level| is_curricular(text, level)).map(|level| level.levels).collect();
        for level in &mut mentions {
            level.start += range.start;
            level.end += range.start;
        }
        Self { levels, moving: is_moving(text), mentions, range }
    }

    /// The levels that nothing but linking words parts from a code, on either side.
    pub(super) fn near(&self, page: &Page, code: &Range<usize>) -> Vec<Levels> {
        // A level further away has another between itself and the code.
        let after = self.mentions.partition_point(|level| level.start < code.end);
        let before = after.checked_sub(1).and_then(|index| self.mentions.get(index));
        let before =
            before.filter(|level| self.is_linked(page, level.end..code.start) && !self.is_contrasted(page, level));
        let after = self.mentions.get(after);
        let after =
            after.filter(|level| self.is_linked(page, code.end..level.start) && !self.is_of_people(page, level));
        before.into_iter().chain(after).map(|level| level.levels).collect()
    }

    fn is_linked(&self, page: &Page, between: Range<usize>) -> bool {
        let between = part(&page.visible, between);
        let mut words = words(between);
        let linking = words.by_ref().take(BETWEEN_WORDS_MAX).all(|word| is_one_of(word, BETWEEN));
        linking && words.next().is_none() && !between.contains([';', '!', '?', '\n'])
    }

    /// "Unlike second level, TCH 3-14a …"
    fn is_contrasted(&self, page: &Page, level: &LevelMention) -> bool {
        words(part(&page.visible, self.range.start..level.start)).next_back().is_some_and(is_moving)
    }

    /// "TCH 2-14a, third level pupils …"
    fn is_of_people(&self, page: &Page, level: &LevelMention) -> bool {
        let after = part(&page.visible, level.end..self.range.end);
        !after.starts_with([')', ']', ',', ';']) && words(after).next().is_some_and(|word| is_one_of(word, PEOPLE))
    }
}

/// Whether a level is one of the curriculum: "third level" is, "Level 3" only with a word that says so.
fn is_curricular(text: &str, level: &LevelMention) -> bool {
    let labelled = part(text, level.start..level.end).contains([':', '|']);
    let before = words(part(text, 0..level.start)).next_back();
    let after = words(part(text, level.end..text.len())).next();
    !level.numbered || labelled || before.into_iter().chain(after).any(|word| is_one_of(word, CURRICULAR))
}

/// Whether a sentence is about going from one level to another.
fn is_moving(text: &str) -> bool {
    let begins = |word: &str, stem: &str| word.get(..stem.len()).is_some_and(|head| head.eq_ignore_ascii_case(stem));
    words(text).any(|word| MOVING_STEMS.iter().any(|stem| begins(word, stem)) || is_one_of(word, MOVING_WORDS))
}

/// What the head of a lesson, before its first section and its first code, says its level is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) levels: Levels,
    /// `**Level:** third`, which is about the whole lesson; a title or a sentence may name a level in passing.
    pub(super) labelled: bool,
}

impl Head {
    pub(super) fn read(page: &Page) -> Option<Self> {
        let preamble = page.preamble();
        let end = page.mentions.first().map_or(preamble.end, |mention| mention.range.start.min(preamble.end));
        let text = part(&page.visible, preamble.start..end);
        let is_labelled = |level: &&LevelMention| part(text, level.start..level.end).contains([':', '|']);
        let named: Vec<LevelMention> =
            find_levels(text).into_iter().filter(|level| is_curricular(text, level)).collect();
        let labelled = named.iter().find(is_labelled);
        let level = labelled.or(named.first())?;
        Some(Self { levels: level.levels, labelled: labelled.is_some() })
    }
}

/// Blocks that are looked through for what stands above a code: more than a section has, and few enough for thousands of
/// codes.
const BLOCKS_ABOVE_MAX: usize = 120;

/// What the items, lines and headings above a block say, each read at most once.
pub(super) struct Above<'a> {
    page: &'a Page,
    read: Vec<OnceCell<Said>>,
}

impl<'a> Above<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        Self { page, read: page.blocks.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The levels that a block names itself.
    pub(super) fn within(&self, number: usize) -> &[Levels] {
        let block = self.page.blocks.get(number).zip(self.read.get(number));
        block.map_or(&[], |(block, read)| &read.get_or_init(|| Said::read(self.page, block.range.clone())).levels)
    }

    /// The levels named by the nearest item, line or heading above a block that names any; `None` if one on the way speaks
    /// of going from level to level.
    pub(super) fn said(&self, number: usize) -> Option<&[Levels]> {
        let Some(here) = self.page.blocks.get(number) else { return Some(&[]) };
        let mut indent = here.indent;
        let mut depth = if let Kind::Heading(level) = here.kind { level } else { u8::MAX };
        let mut listed = here.kind == Kind::Item;
        let before = self.page.blocks.iter().zip(&self.read).take(number).rev().take(BLOCKS_ABOVE_MAX);
        for (block, read) in before {
            let is_above = match block.kind {
                // The page's title is about the lesson, not about this code.
                Kind::Heading(level) if level < depth && level > 1 => {
                    (depth, listed) = (level, false);
                    true
                }
                Kind::Item if listed && block.indent < indent => {
                    indent = block.indent;
                    true
                }
                Kind::Text if listed => {
                    listed = false;
                    leads_in(part(&self.page.visible, block.range.clone()).trim())
                }
                _ => false,
            };
            if is_above {
                let said = read.get_or_init(|| Said::read(self.page, block.range.clone()));
                if said.moving {
                    return None;
                }
                if !said.levels.is_empty() {
                    return Some(&said.levels);
                }
            }
            // Nothing stands above a section's heading but the title.
            if depth <= 2 && !listed {
                break;
            }
        }
        Some(&[])
    }
}

/// Whether a line announces the list after it: it ends with a colon, or is bold from end to end.
fn leads_in(line: &str) -> bool {
    let bare = line.trim_matches(['*', '_']);
    bare.ends_with(':') || (bare.len() + 4 <= line.len() && line.starts_with(['*', '_']) && line.ends_with(['*', '_']))
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_one_of(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed.eq_ignore_ascii_case(word))
}
