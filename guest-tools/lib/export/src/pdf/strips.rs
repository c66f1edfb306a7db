//! The document as strips: what is never divided between pages, from top to bottom.

use super::fonts::Fonts;
use super::lines::{Line, Setting, breakable, extents, lines};
use super::tags::{Role, Tag, Tree};
use crate::document::{Align, Block, Inline, Item, List, Style, Table, text_of};
use crate::math::Math;
use crate::{Part, Prepared};

/// Points: A4 and its margins.
pub(super) const PAGE: (f32, f32) = (595.28, 841.89);
pub(super) const MARGIN: f32 = 56.7;
/// Below the text stands the footer.
pub(super) const BOTTOM: f32 = 64.0;
pub(super) const TEXT_WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
pub(super) const TEXT_HEIGHT: f32 = PAGE.1 - MARGIN - BOTTOM;
/// Room inside a cell, left and right.
const PADDING: f32 = 5.0;
const INDENT: f32 = 18.0;

/// What has a colour of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Text,
    Heading,
    Quiet,
    /// Fills.
    Line,
    Shade,
    Head,
    Bar,
}

#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) x: f32,
    /// From the strip's top to the baseline.
    pub(super) baseline: f32,
    pub(super) line: Line,
    pub(super) tag: Tag,
    pub(super) ink: Ink,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Strip {
    pub(super) height: f32,
    /// Room above, which a page's top swallows.
    pub(super) gap: f32,
    pub(super) lines: Vec<Placed>,
    /// Left, top from the strip's top, width, height.
    pub(super) fills: Vec<([f32; 4], Ink)>,
    /// Stands on the same page as the next.
    pub(super) keep: bool,
    /// The table it belongs to, and whether it is of its head.
    pub(super) table: Option<(usize, bool)>,
    /// A heading: level and words, for bookmarks.
    pub(super) heading: Option<(u8, String)>,
}

pub(super) struct Layout<'a> {
    fonts: &'a Fonts,
    pub(super) tree: Tree,
    pub(super) strips: Vec<Strip>,
    body: Setting,
    tables: usize,
    /// Room before the next strip, asked for by the last.
    after: f32,
}

/// Where blocks stand.
#[derive(Debug, Clone, Copy)]
struct Place {
    left: f32,
    width: f32,
    tag: Tag,
    ink: Ink,
    level: usize,
    /// Bars of quotations around it begin here.
    bar: Option<f32>,
    tight: bool,
}

/// Lays a document out.
pub(super) fn layout<'a>(document: &Prepared, fonts: &'a Fonts) -> Layout<'a> {
    // Pupils read it at arm's length: larger letters and more room between lines.
    let (size, leading) = match document.part {
        Part::All => (10.5, 1.42),
        Part::Pupil => (12.0, 1.55),
    };
    let body = Setting { size, leading, bold: false, italic: false };
    let mut layout = Layout { fonts, tree: Tree::new(), strips: Vec::new(), body, tables: 0, after: 0.0 };
    let place =
        Place { left: 0.0, width: TEXT_WIDTH, tag: Tree::root(), ink: Ink::Text, level: 0, bar: None, tight: false };
    layout.blocks(&document.blocks, place);
    layout
}

impl Layout<'_> {
    fn blocks(&mut self, blocks: &[Block], place: Place) {
        for block in blocks {
            self.block(block, place);
        }
    }

    fn block(&mut self, block: &Block, place: Place) {
        match block {
            Block::Heading { level, inlines } => self.heading(*level, inlines, place),
            Block::Paragraph(inlines) => {
                let tag = self.tree.add(Role::Paragraph, place.tag);
                let after = if place.tight { 2.5 } else { 5.5 };
                self.paragraph(inlines, self.body, Place { tag, ..place }, 0.0, after);
            }
            Block::List(list) => self.list(list, place),
            Block::Quote(blocks) => {
                let tag = self.tree.add(Role::Quote, place.tag);
                let left = place.left + 12.0;
                let bar = place.bar.or(Some(place.left));
                let width = (place.width - 12.0).max(60.0);
                self.blocks(blocks, Place { left, width, tag, bar, ink: Ink::Quiet, ..place });
                self.after = self.after.max(7.0);
            }
            Block::Code(code) => self.code(code, place),
            Block::Table(table) => self.table(table, place),
            Block::Rule => {
                let fills = vec![([place.left, 4.0, place.width, 0.7], Ink::Line)];
                let gap = std::mem::take(&mut self.after).max(4.0);
                self.strips.push(Strip { height: 9.0, gap, fills, ..Strip::default() });
            }
            Block::Formula(math) => self.formula(math, place),
        }
    }

    fn heading(&mut self, level: u8, inlines: &[Inline], place: Place) {
        let base = self.body.size / 10.5;
        let (size, before, after) = match level {
            1 => (18.0, 16.0, 7.0),
            2 => (13.5, 15.0, 4.0),
            3 => (11.8, 11.0, 3.0),
            _ => (10.8, 9.0, 3.0),
        };
        let setting = Setting { size: size * base, leading: 1.25, bold: true, italic: false };
        let tag = self.tree.add(Role::Heading(level.clamp(1, 6)), place.tag);
        let from = self.strips.len();
        self.paragraph(inlines, setting, Place { tag, ink: Ink::Heading, ..place }, before, after);
        for strip in self.strips.iter_mut().skip(from) {
            strip.keep = true;
        }
        if let Some(first) = self.strips.get_mut(from) {
            first.heading = Some((level, text_of(inlines)));
        }
    }

    fn paragraph(&mut self, inlines: &[Inline], setting: Setting, place: Place, before: f32, after: f32) {
        let lines = lines(self.fonts, inlines, setting, place.width);
        let count = lines.len();
        for (index, line) in lines.into_iter().enumerate() {
            let gap = if index == 0 { std::mem::take(&mut self.after).max(before) } else { 0.0 };
            let height = line.ascent + line.descent;
            let placed = Placed { x: place.left, baseline: line.ascent, line, tag: place.tag, ink: place.ink };
            // No single line alone at the foot or the head of a page.
            let keep = count > 1 && (index == 0 || index + 2 == count);
            let fills = bar(place, height, gap);
            self.strips.push(Strip { height, gap, lines: vec![placed], fills, keep, ..Strip::default() });
        }
        self.after = after;
    }

    fn list(&mut self, list: &List, place: Place) {
        let tag = self.tree.add(Role::List, place.tag);
        let width = (place.width - INDENT).max(60.0);
        for (number, Item { ticked, blocks }) in (list.start.unwrap_or(1)..).zip(&list.items) {
            let item = self.tree.add(Role::Item, tag);
            let label_tag = self.tree.add(Role::Label, item);
            let body = self.tree.add(Role::Body, item);
            let label = match (ticked, list.start) {
                (Some(true), _) => "☑".to_owned(),
                (Some(false), _) => "☐".to_owned(),
                (None, Some(_)) if place.level % 2 == 1 => format!("{}.", letters(number)),
                (None, Some(_)) => format!("{number}."),
                (None, None) => ["•", "–", "▪"].get(place.level % 3).copied().unwrap_or("•").to_owned(),
            };
            let inner =
                Place { left: place.left + INDENT, width, tag: body, level: place.level + 1, tight: true, ..place };
            let from = self.strips.len();
            self.blocks(blocks, inner);
            if self.strips.len() == from {
                self.paragraph(&[plain(" ")], self.body, inner, 0.0, 2.5);
            }
            let style = [plain(&label)];
            if let (Some(line), Some(first)) =
                (lines(self.fonts, &style, self.body, TEXT_WIDTH).pop(), self.strips.get_mut(from))
            {
                // A label that is wider than its room stands further left, but on the page.
                let x = (place.left + (INDENT - 5.0 - line.width).clamp(0.0, 3.0)).max(0.0);
                let baseline = first.lines.first().map_or(line.ascent, |it| it.baseline);
                first.lines.insert(0, Placed { x, baseline, line, tag: label_tag, ink: place.ink });
            }
        }
        self.after = if place.level == 0 { 6.5 } else { 2.5 };
    }

    fn code(&mut self, code: &str, place: Place) {
        let tag = self.tree.add(Role::Code, place.tag);
        let setting = Setting { size: self.body.size * 0.86, leading: 1.35, bold: false, italic: false };
        let style = Style { code: true, ..Style::default() };
        let mut all = Vec::new();
        for source in code.split('\n') {
            let text = if source.is_empty() { " " } else { source };
            let inline = Inline::Text { text: text.to_owned(), style: style.clone() };
            all.extend(lines(self.fonts, &[inline], setting, place.width - 14.0));
        }
        let count = all.len();
        for (index, line) in all.into_iter().enumerate() {
            let (top, bottom) = (if index == 0 { 5.0 } else { 0.0 }, if index + 1 == count { 5.0 } else { 0.0 });
            let height = line.ascent + line.descent + top + bottom;
            let gap = if index == 0 { std::mem::take(&mut self.after).max(3.0) } else { 0.0 };
            let fills = vec![([place.left, 0.0, place.width, height + 0.2], Ink::Shade)];
            let baseline = top + line.ascent;
            let placed = Placed { x: place.left + 7.0, baseline, line, tag, ink: Ink::Text };
            let keep = index + 1 < count && (count <= 12 || index < 2);
            self.strips.push(Strip { height, gap, lines: vec![placed], fills, keep, ..Strip::default() });
        }
        self.after = 8.0;
    }

    fn formula(&mut self, math: &Math, place: Place) {
        let setting = Setting { size: self.body.size * 1.05, ..self.body };
        let parts: Vec<Inline> = breakable(math).into_iter().map(Inline::Math).collect();
        let (_, whole) = extents(self.fonts, &parts, setting);
        let parts = if whole <= place.width { vec![Inline::Math(math.clone())] } else { parts };
        // In one piece where it fits.
        let tag = self.tree.add(Role::Paragraph, place.tag);
        for mut line in lines(self.fonts, &parts, setting, place.width) {
            let most = TEXT_HEIGHT * 0.9;
            if line.ascent + line.descent > most {
                shrink(&mut line, most);
            }
            let gap = std::mem::take(&mut self.after).max(4.0);
            let x = place.left + ((place.width - line.width) / 2.0).max(0.0);
            let height = line.ascent + line.descent;
            let placed = Placed { x, baseline: line.ascent, line, tag, ink: place.ink };
            let fills = bar(place, height, gap);
            self.strips.push(Strip { height, gap, lines: vec![placed], fills, ..Strip::default() });
        }
        self.after = 7.0;
    }

    fn table(&mut self, table: &Table, place: Place) {
        self.tables += 1;
        let setting = Setting { size: self.body.size * 0.93, leading: 1.35, ..self.body };
        let head = Setting { bold: true, ..setting };
        let widths = self.widths(table, setting, head, place.width);
        let tag = self.tree.add(Role::Table, place.tag);
        let mut first = true;
        if !table.head.iter().all(Vec::is_empty) {
            self.row(&table.head, table, &widths, head, Place { tag, ..place }, first);
            first = false;
        }
        for row in &table.rows {
            self.row(row, table, &widths, setting, Place { tag, ..place }, first);
            first = false;
        }
        self.after = 9.0;
    }

    /// Widths that together fill the place: every column as wide as its widest word, the rest by how much stands in it.
    fn widths(&self, table: &Table, setting: Setting, head: Setting, width: f32) -> Vec<f32> {
        let count = table.columns.len().max(1);
        let mut bounds = vec![(12.0_f32, 12.0_f32); count];
        for (index, row) in std::iter::once(&table.head).chain(&table.rows).enumerate() {
            let setting = if index == 0 { head } else { setting };
            for (bound, cell) in bounds.iter_mut().zip(row) {
                let (word, whole) = extents(self.fonts, cell, setting);
                bound.0 = bound.0.max(word + 1.0);
                bound.1 = bound.1.max(whole + 1.0);
            }
        }
        let room = width - count as f32 * 2.0 * PADDING;
        // No word takes more than half of the table for itself.
        let least: Vec<f32> = bounds.iter().map(|(word, _)| word.min(room / 2.0)).collect();
        let most: Vec<f32> = bounds.iter().zip(&least).map(|((_, whole), least)| whole.max(*least)).collect();
        let (least_sum, most_sum): (f32, f32) = (least.iter().sum(), most.iter().sum());
        let inner: Vec<f32> = if least_sum >= room {
            least.iter().map(|it| it * room / least_sum).collect()
        } else if most_sum <= room {
            most.iter().map(|it| it * room / most_sum).collect()
        } else {
            let part = (room - least_sum) / (most_sum - least_sum);
            least.iter().zip(&most).map(|(least, most)| least + (most - least) * part).collect()
        };
        inner.into_iter().map(|it| it + 2.0 * PADDING).collect()
    }

    /// A row: one strip for each of its lines, kept together where it is not too high.
    fn row(&mut self, row: &[Vec<Inline>], table: &Table, widths: &[f32], setting: Setting, place: Place, first: bool) {
        let tag = self.tree.add(Role::Row, place.tag);
        let is_head = setting.bold;
        let role = if is_head { Role::HeadCell } else { Role::Cell };
        let mut cells = Vec::new();
        let mut left = place.left;
        for ((cell, width), align) in row.iter().zip(widths).zip(&table.columns) {
            let inner = width - 2.0 * PADDING;
            let lines = lines(self.fonts, cell, setting, inner.max(4.0));
            cells.push((left, inner, *align, self.tree.add(role, tag), lines));
            left += width;
        }
        let count = cells.iter().map(|(.., lines)| lines.len()).max().unwrap_or(0).max(1);
        let empty = setting.size * setting.leading;
        for index in 0..count {
            let of = |lines: &[Line]| lines.get(index).map_or((0.0, 0.0), |it| (it.ascent, it.descent));
            let (ascent, descent) = cells.iter().fold((empty * 0.74, empty * 0.26), |(a, d), (.., lines)| {
                let (ascent, descent) = of(lines);
                (f32::max(a, ascent), f32::max(d, descent))
            });
            let (top, bottom) = (if index == 0 { 3.5 } else { 0.0 }, if index + 1 == count { 3.5 } else { 0.0 });
            let height = ascent + descent + top + bottom;
            let mut strip = Strip { height, table: Some((self.tables, is_head)), ..Strip::default() };
            if first && index == 0 {
                strip.gap = std::mem::take(&mut self.after).max(4.0);
            }
            if is_head {
                strip.fills.push(([place.left, 0.0, left - place.left, height], Ink::Head));
            }
            borders(&mut strip, place.left, widths, (index == 0, index + 1 == count));
            for (left, inner, align, tag, lines) in &cells {
                let Some(line) = lines.get(index) else { continue };
                let spare = (inner - line.width).max(0.0);
                let shift = match align {
                    Align::Left => 0.0,
                    Align::Centre => spare / 2.0,
                    Align::Right => spare,
                };
                let (x, ink) = (left + PADDING + shift, place.ink);
                strip.lines.push(Placed { x, baseline: top + ascent, line: line.clone(), tag: *tag, ink });
            }
            strip.keep = is_head || (index + 1 < count && count <= 20);
            self.strips.push(strip);
        }
    }
}

fn plain(text: &str) -> Inline {
    Inline::Text { text: text.to_owned(), style: Style::default() }
}

/// `a`, `b`, …, as the second level of numbers is written.
fn letters(number: u64) -> String {
    let letter = u32::try_from(number.saturating_sub(1) % 26).ok().and_then(|it| char::from_u32(u32::from('a') + it));
    letter.map_or_else(|| number.to_string(), String::from)
}

/// The bar left of a quotation.
fn bar(place: Place, height: f32, gap: f32) -> Vec<([f32; 4], Ink)> {
    place.bar.map(|x| ([x + 1.0, -gap.min(6.0), 2.2, height + gap.min(6.0)], Ink::Bar)).into_iter().collect()
}

fn shrink(line: &mut Line, most: f32) {
    let by = most / (line.ascent + line.descent);
    for piece in &mut line.pieces {
        if let super::lines::Piece::Formula { x, drawn, .. } = piece {
            *x *= by;
            *drawn = std::mem::take(drawn).scaled(by);
        }
    }
    line.ascent *= by;
    line.descent *= by;
    line.width *= by;
}

fn borders(strip: &mut Strip, left: f32, widths: &[f32], (top, bottom): (bool, bool)) {
    const THIN: f32 = 0.6;
    let total: f32 = widths.iter().sum();
    let mut x = left;
    strip.fills.push(([x, 0.0, THIN, strip.height], Ink::Line));
    for width in widths {
        x += width;
        strip.fills.push(([x - THIN, 0.0, THIN, strip.height], Ink::Line));
    }
    if top {
        strip.fills.push(([left, 0.0, total, THIN], Ink::Line));
    }
    if bottom {
        strip.fills.push(([left, strip.height - THIN / 2.0, total, THIN], Ink::Line));
    }
}
