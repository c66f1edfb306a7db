//! From glyphs to paragraphs: lines, segments of lines, columns.
//!
//! A segment ends where the gap is wider than any between words. Segments that stand closely below one another are a
//! paragraph, or the cell of a table. Paragraphs are read column by column where white space parts the page from top to
//! bottom, else from the top down. All measures are in ems of the text they are about.

use super::glyphs::Glyph;
use super::rules::Rules;

/// A gap between words begins here.
const WORD_GAP: f64 = 0.17;
/// A gap between columns begins here; justified lines have up to an em between words.
const COLUMN_GAP: f64 = 1.1;
/// Glyphs whose baselines differ by less stand on one line: superscripts stay with their line.
const SAME_LINE: f64 = 0.35;
/// Baselines of one paragraph lie less apart.
const LINE_DISTANCE: f64 = 1.75;
/// Sizes of one paragraph differ by less.
const SAME_SIZE: f64 = 0.15;
/// Text this much larger than most is a heading.
const HEADING_SIZE: f64 = 1.12;
/// Words that begin below one another after a gap this wide begin a column,
const ALIGNED_GAP: f64 = 0.45;
/// where they begin within so many points of each other,
const ALIGNED_WITHIN: f64 = 0.6;
/// on at least so many lines,
const ALIGNED_LINES_MIN: usize = 4;
/// none further from the next.
const ALIGNED_DISTANCE: f64 = 6.0;
/// Headers and footers stand within this distance of the first or the last line.
const EDGE: f64 = 3.0;
/// How deep columns and rows may be parted.
const DEPTH_MAX: usize = 24;

/// A paragraph with its place on the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) text: String,
    pub(super) heading: bool,
    pub(super) column: u32,
    /// Whether it stands at the upper or lower edge of the page's text.
    pub(super) edge: bool,
}

#[derive(Debug, Clone)]
struct Segment {
    left: f64,
    right: f64,
    y: f64,
    size: f64,
    text: String,
}

#[derive(Debug, Clone)]
struct Paragraph {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    size: f64,
    text: String,
    column: u32,
    open: bool,
}

/// The paragraphs of a page, in reading order.
pub(super) fn blocks(glyphs: Vec<Glyph>, rules: &Rules, is_code: &dyn Fn(&str) -> bool) -> Vec<Placed> {
    let rules = &with_aligned(&glyphs, rules.clone());
    let lines = lines(glyphs, rules);
    let paragraphs = paragraphs(&lines, rules, is_code);
    let usual = usual_size(&paragraphs);
    let top = paragraphs.iter().map(|it| it.top).fold(f64::NEG_INFINITY, f64::max);
    let bottom = paragraphs.iter().map(|it| it.bottom).fold(f64::INFINITY, f64::min);
    let mut ordered = Vec::new();
    let mut columns = 0;
    order(paragraphs, 0, 0, &mut columns, &mut ordered);
    let placed = ordered.into_iter().map(|it| {
        let heading = it.size > usual * HEADING_SIZE && it.text.chars().count() < 200;
        let edge = top - it.top < EDGE * usual || it.bottom - bottom < EDGE * usual;
        Placed { text: it.text, heading, column: it.column, edge }
    });
    placed.collect()
}

/// Adds a rule wherever words begin below one another after a gap: the columns of a table that draws no rules.
fn with_aligned(glyphs: &[Glyph], mut rules: Rules) -> Rules {
    let mut starts: Vec<(f64, f64, f64)> = Vec::new();
    for mut line in baselines(glyphs.to_vec()) {
        line.retain(|glyph| !glyph.text.trim().is_empty());
        line.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut reach = f64::INFINITY;
        for glyph in &line {
            if glyph.x - reach > ALIGNED_GAP * glyph.size {
                starts.push((glyph.x, glyph.y, glyph.size));
            }
            reach = if reach.is_finite() { reach.max(glyph.x + glyph.width) } else { glyph.x + glyph.width };
        }
    }
    starts.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    for column in starts.chunk_by(|a, b| b.0 - a.0 < ALIGNED_WITHIN) {
        let mut column = column.to_vec();
        column.sort_by(|a, b| b.1.total_cmp(&a.1));
        for run in column.chunk_by(|a, b| a.1 - b.1 < ALIGNED_DISTANCE * a.2) {
            if let (true, [first, .., last]) = (run.len() >= ALIGNED_LINES_MIN, run) {
                rules.aligned(first.0 - 0.5, last.1 - last.2 * 0.2, first.1 + first.2 * 0.8);
            }
        }
    }
    rules
}

/// Glyphs on their baselines, from the top.
fn baselines(mut glyphs: Vec<Glyph>) -> Vec<Vec<Glyph>> {
    glyphs.retain(|glyph| glyph.size > 0.5);
    glyphs.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x.total_cmp(&b.x)));
    let mut lines: Vec<Vec<Glyph>> = Vec::new();
    for glyph in glyphs {
        let same = |first: &Glyph| (first.y - glyph.y).abs() < SAME_LINE * first.size.max(glyph.size);
        match lines.last_mut() {
            Some(line) if line.first().is_some_and(same) => line.push(glyph),
            _ => lines.push(vec![glyph]),
        }
    }
    lines
}

/// The lines of a page, each parted into segments.
fn lines(glyphs: Vec<Glyph>, rules: &Rules) -> Vec<Vec<Segment>> {
    let lines = baselines(glyphs).into_iter().map(|line| segments(line, rules));
    lines.filter(|line| !line.is_empty()).collect()
}

fn segments(mut glyphs: Vec<Glyph>, rules: &Rules) -> Vec<Segment> {
    let upright = glyphs.first().map(|first| rules.through(first.y, first.size)).unwrap_or_default();
    glyphs.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut segments: Vec<Segment> = Vec::new();
    let mut blank = false;
    for glyph in glyphs {
        // A blank has a width like any letter; what counts is where the next letter stands.
        if glyph.text.trim().is_empty() {
            blank = true;
            continue;
        }
        // A letter may lean over the rule of its cell by a hair.
        let ruled = |last: &Segment| upright.iter().any(|&x| last.right - 1.0 <= x && x <= glyph.x + 1.0);
        let near = |last: &Segment| glyph.x - last.right < COLUMN_GAP * last.size.max(glyph.size);
        let joined = segments.last_mut().filter(|last| near(last) && !ruled(last));
        match joined {
            Some(last) => {
                // Bold text is at times the same glyph twice, a hair apart.
                let doubled = glyph.x < last.right - glyph.width * 0.7 && last.text.ends_with(&glyph.text);
                if doubled {
                    continue;
                }
                if blank || glyph.x - last.right > WORD_GAP * glyph.size {
                    last.text.push(' ');
                }
                last.text.push_str(&glyph.text);
                last.right = last.right.max(glyph.x + glyph.width);
                last.size = last.size.max(glyph.size);
            }
            None => segments.push(Segment {
                left: glyph.x,
                right: glyph.x + glyph.width,
                y: glyph.y,
                size: glyph.size,
                text: glyph.text,
            }),
        }
        blank = false;
    }
    segments
}

fn paragraphs(lines: &[Vec<Segment>], rules: &Rules, is_code: &dyn Fn(&str) -> bool) -> Vec<Paragraph> {
    let mut all: Vec<Paragraph> = Vec::new();
    for line in lines {
        let line = with_margin_codes(line, &all, rules, is_code);
        for segment in line {
            attach(&mut all, rules, segment);
        }
    }
    all
}

/// A code in the margin belongs to the text on its right: joined here, so that no column parts them. A code that ends
/// the text above it stays there.
fn with_margin_codes(
    line: &[Segment],
    above: &[Paragraph],
    rules: &Rules,
    is_code: &dyn Fn(&str) -> bool,
) -> Vec<Segment> {
    let mut joined: Vec<Segment> = Vec::new();
    let mut waits = false;
    for segment in line {
        let code = is_code(&segment.text);
        match joined.last_mut().filter(|_| waits && !code) {
            Some(last) => {
                last.text.push(' ');
                last.text.push_str(&segment.text);
                last.right = segment.right;
                waits = false;
            }
            None => {
                let ends_text = above.iter().any(|paragraph| {
                    continues(paragraph, segment, rules) && !is_code(paragraph.text.lines().last().unwrap_or_default())
                });
                waits = code && !ends_text;
                joined.push(segment.clone());
            }
        }
    }
    joined
}

/// Whether a segment is the next line of a paragraph, or more of its last one.
fn continues(paragraph: &Paragraph, segment: &Segment, rules: &Rules) -> bool {
    let size = paragraph.size.max(segment.size);
    let beside = segment.left < paragraph.right && paragraph.left < segment.right;
    let below = paragraph.bottom - segment.y;
    let same = (paragraph.size - segment.size).abs() <= SAME_SIZE * size;
    let near = paragraph.open && same && beside && below > -SAME_LINE * size && below < LINE_DISTANCE * size;
    near && !rules.part_lines(paragraph.bottom, segment.y, segment.left, segment.right)
}

fn attach(all: &mut Vec<Paragraph>, rules: &Rules, segment: Segment) {
    let candidates: Vec<usize> =
        (0..).zip(all.iter()).filter(|(_, it)| continues(it, &segment, rules)).map(|(index, _)| index).collect();
    if let [only] = *candidates.as_slice()
        && let Some(paragraph) = all.get_mut(only)
    {
        let same_line = (paragraph.bottom - segment.y).abs() < SAME_LINE * segment.size;
        paragraph.text.push(if same_line { ' ' } else { '\n' });
        paragraph.text.push_str(&segment.text);
        paragraph.left = paragraph.left.min(segment.left);
        paragraph.right = paragraph.right.max(segment.right);
        paragraph.bottom = segment.y;
        return;
    }
    // What stretches below several columns ends them.
    for index in candidates {
        if let Some(paragraph) = all.get_mut(index) {
            paragraph.open = false;
        }
    }
    all.push(Paragraph {
        left: segment.left,
        right: segment.right,
        top: segment.y + segment.size * 0.8,
        bottom: segment.y,
        size: segment.size,
        text: segment.text,
        column: 0,
        open: true,
    });
}

/// The size that most of the text has.
fn usual_size(paragraphs: &[Paragraph]) -> f64 {
    let mut sizes: Vec<(f64, usize)> = paragraphs.iter().map(|it| (it.size, it.text.len())).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = sizes.iter().map(|(_, length)| length).sum::<usize>() / 2;
    let mut seen = 0;
    sizes
        .into_iter()
        .find(|(_, length)| {
            seen += length;
            seen >= half
        })
        .map_or(0.0, |(size, _)| size)
}

/// Reading order: columns where white space parts them from top to bottom, else rows, until neither does.
fn order(mut region: Vec<Paragraph>, depth: usize, column: u32, columns: &mut u32, into: &mut Vec<Paragraph>) {
    let across = if depth < DEPTH_MAX { parted(&mut region, |it| (it.left, it.right)) } else { None };
    if let Some(at) = across {
        let (left, right) = split(region, at);
        for part in [left, right] {
            *columns += 1;
            let own = *columns;
            order(part, depth + 1, own, columns, into);
        }
        return;
    }
    let down = if depth < DEPTH_MAX { parted(&mut region, |it| (-it.top, -it.bottom)) } else { None };
    if let Some(at) = down {
        let (above, below) = split(region, at);
        order(above, depth + 1, column, columns, into);
        order(below, depth + 1, column, columns, into);
        return;
    }
    region.sort_by(|a, b| b.top.total_cmp(&a.top).then(a.left.total_cmp(&b.left)));
    into.extend(region.into_iter().map(|mut it| {
        it.column = column;
        it
    }));
}

fn split(mut region: Vec<Paragraph>, at: usize) -> (Vec<Paragraph>, Vec<Paragraph>) {
    let rest = region.split_off(at.min(region.len()));
    (region, rest)
}

/// Sorts by one side and finds the first place that nothing stretches over.
fn parted(region: &mut [Paragraph], side: impl Fn(&Paragraph) -> (f64, f64)) -> Option<usize> {
    region.sort_by(|a, b| side(a).0.total_cmp(&side(b).0));
    let mut reach = f64::NEG_INFINITY;
    for (index, it) in (0..).zip(region.iter()) {
        let (from, to) = side(it);
        if index > 0 && from > reach {
            return Some(index);
        }
        reach = reach.max(to);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(lines: &[(f64, f64, &str)]) -> Vec<Glyph> {
        let glyphs = lines.iter().flat_map(|&(x, y, text)| {
            (0..).zip(text.chars()).map(move |(index, c)| Glyph {
                x: x + f64::from(index) * 5.0,
                y,
                width: 5.0,
                size: 10.0,
                text: c.to_string(),
            })
        });
        glyphs.collect()
    }

    fn is_code(text: &str) -> bool {
        text.starts_with("AB ") && text.len() == 4
    }

    fn texts(lines: &[(f64, f64, &str)]) -> Vec<String> {
        blocks(page(lines), &Rules::default(), &is_code).into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn a_table_is_read_column_by_column() {
        let lines = [
            (50.0, 700.0, "second"),
            (250.0, 700.0, "third"),
            (50.0, 670.0, "orders cards"),
            (250.0, 670.0, "traces a"),
            (250.0, 658.0, "program"),
            (50.0, 658.0, "AB 2"),
            (250.0, 646.0, "AB 3"),
        ];
        assert_eq!(texts(&lines), ["second", "orders cards\nAB 2", "third", "traces a\nprogram\nAB 3"]);
    }

    #[test]
    fn codes_in_the_margin_stay_with_their_text() {
        let lines = [
            (50.0, 700.0, "AB 2"),
            (120.0, 700.0, "orders cards"),
            (120.0, 688.0, "by suit"),
            (50.0, 660.0, "AB 3"),
            (120.0, 660.0, "traces"),
        ];
        assert_eq!(texts(&lines), ["AB 2 orders cards\nby suit", "AB 3 traces"]);
    }

    #[test]
    fn a_line_over_two_columns_parts_what_is_above_from_what_is_below() {
        let lines = [
            (50.0, 700.0, "a heading that reaches over both of the columns"),
            (50.0, 660.0, "left one"),
            (200.0, 660.0, "right one"),
            (50.0, 640.0, "left two"),
            (200.0, 640.0, "right two"),
        ];
        let found = texts(&lines);
        assert_eq!(found[1..], ["left one", "left two", "right one", "right two"]);
    }
}
