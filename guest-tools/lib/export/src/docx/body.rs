//! The text of the document.

use std::rc::Rc;

use super::formula;
use super::xml::Xml;
use crate::Prepared;
use crate::document::{Align, Block, Inline, Item, List, Style, Table, text_of};

/// The width of the text, in twentieths of a point: A4 less its margins.
pub(super) const TEXT_WIDTH: usize = 11_906 - 2 * MARGIN;
/// 2 cm.
pub(super) const MARGIN: usize = 1_134;
/// How far each level of a list stands in.
pub(super) const INDENT: usize = 425;
/// Word knows nine levels of lists.
const LEVEL_MAX: usize = 8;

/// The text with what it refers to.
pub(super) struct Body {
    pub(super) text: Vec<u8>,
    /// Addresses, by the number of their relation.
    pub(super) links: Vec<Rc<str>>,
    /// First numbers of the numbered lists, in order.
    pub(super) numbers: Vec<(usize, u64)>,
}

pub(super) fn write(document: &Prepared) -> Body {
    let mut body = Writer { xml: Xml::new(), links: Vec::new(), numbers: Vec::new() };
    body.xml.open(
        "w:document",
        &[
            ("xmlns:w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
            ("xmlns:r", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
            ("xmlns:m", "http://schemas.openxmlformats.org/officeDocument/2006/math"),
        ],
    );
    body.xml.open("w:body", &[]);
    body.blocks(&document.blocks, Place::default());
    body.section();
    body.xml.close("w:body");
    body.xml.close("w:document");
    Body { text: body.xml.finish(), links: body.links, numbers: body.numbers }
}

/// Where a block stands.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// Levels of lists around it.
    level: usize,
    /// The list and whether the mark is still to be set.
    number: Option<(usize, bool)>,
    quoted: bool,
}

struct Writer {
    xml: Xml,
    links: Vec<Rc<str>>,
    numbers: Vec<(usize, u64)>,
}

impl Writer {
    fn blocks(&mut self, blocks: &[Block], place: Place) {
        let mut place = place;
        for block in blocks {
            self.block(block, &mut place);
        }
    }

    fn block(&mut self, block: &Block, place: &mut Place) {
        match block {
            Block::Heading { level, inlines } => {
                let style = format!("Heading{}", (*level).clamp(1, 4));
                self.paragraph(Some(&style), inlines, place);
            }
            Block::Paragraph(inlines) => {
                let style = if place.quoted { Some("Quote") } else { None };
                self.paragraph(style, inlines, place);
            }
            Block::List(list) => {
                if matches!(place.number, Some((_, true))) {
                    self.paragraph(None, &[], place);
                }
                self.list(list, *place);
            }
            Block::Quote(blocks) => {
                self.blocks(blocks, Place { quoted: true, ..*place });
                place.number = place.number.map(|(number, _)| (number, false));
            }
            Block::Code(code) => {
                for line in code.split('\n') {
                    let style = Style { code: true, ..Style::default() };
                    let inline = Inline::Text { text: line.to_owned(), style };
                    self.paragraph(Some("Code"), &[inline], place);
                }
            }
            Block::Table(table) => self.table(table),
            Block::Rule => {
                self.xml.open("w:p", &[]);
                self.xml.open("w:pPr", &[]);
                self.xml.open("w:pBdr", &[]);
                let line = [("w:val", "single"), ("w:sz", "6"), ("w:space", "1"), ("w:color", "A6A6A6")];
                self.xml.empty("w:bottom", &line);
                self.xml.close("w:pBdr");
                self.xml.close("w:pPr");
                self.xml.close("w:p");
            }
            Block::Formula(math) => {
                self.xml.open("w:p", &[]);
                self.xml.open("m:oMathPara", &[]);
                formula::write(&mut self.xml, math);
                self.xml.close("m:oMathPara");
                self.xml.close("w:p");
            }
        }
    }

    fn list(&mut self, list: &List, place: Place) {
        let level = place.level.min(LEVEL_MAX);
        let number = match list.start {
            None => 1,
            Some(first) => {
                self.numbers.push((level, first));
                self.numbers.len() + 1
            }
        };
        for Item { ticked, blocks } in &list.items {
            let mut inner = Place { level: place.level + 1, number: Some((number, true)), quoted: place.quoted };
            let mut blocks = blocks.as_slice();
            if let Some(ticked) = ticked {
                let mark = if *ticked { "☑ " } else { "☐ " };
                let mut inlines = vec![Inline::Text { text: mark.into(), style: Style::default() }];
                if let Some((Block::Paragraph(first), rest)) = blocks.split_first() {
                    inlines.extend_from_slice(first);
                    blocks = rest;
                }
                self.paragraph(None, &inlines, &mut inner);
            } else if blocks.is_empty() {
                self.paragraph(None, &[], &mut inner);
            }
            self.blocks(blocks, inner);
        }
    }

    /// A paragraph; as the first of an item it carries the mark.
    fn paragraph(&mut self, style: Option<&str>, inlines: &[Inline], place: &mut Place) {
        self.xml.open("w:p", &[]);
        self.xml.open("w:pPr", &[]);
        let level = place.level.saturating_sub(1).min(LEVEL_MAX);
        let in_list = match place.number {
            Some((1, true)) => Some("ListBullet"),
            Some((_, true)) => Some("ListNumber"),
            Some((_, false)) => Some("ListContinue"),
            None => None,
        };
        if let Some(style) = style.or(in_list) {
            self.xml.value("w:pStyle", style);
        }
        if let Some((number, true)) = place.number {
            self.xml.open("w:numPr", &[]);
            self.xml.value("w:ilvl", &level.to_string());
            self.xml.value("w:numId", &number.to_string());
            self.xml.close("w:numPr");
            place.number = Some((number, false));
        } else if place.number.is_some() {
            let left = (INDENT * (level + 1)).to_string();
            self.xml.empty("w:ind", &[("w:left", &left)]);
        }
        self.xml.close("w:pPr");
        self.inlines(inlines);
        self.xml.close("w:p");
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text { text, style } => match &style.link {
                    Some(address) => {
                        let id = format!("rIdLink{}", self.link(address));
                        self.xml.open("w:hyperlink", &[("r:id", &id)]);
                        self.run(text, style);
                        self.xml.close("w:hyperlink");
                    }
                    None => self.run(text, style),
                },
                Inline::Break => {
                    self.xml.open("w:r", &[]);
                    self.xml.empty("w:br", &[]);
                    self.xml.close("w:r");
                }
                Inline::Math(math) => formula::write(&mut self.xml, math),
            }
        }
    }

    fn link(&mut self, address: &Rc<str>) -> usize {
        match self.links.last() {
            // A link of several styles is several runs.
            Some(last) if last == address => {}
            _ => self.links.push(Rc::clone(address)),
        }
        self.links.len()
    }

    fn run(&mut self, text: &str, style: &Style) {
        self.xml.open("w:r", &[]);
        let plain = Style { link: None, ..style.clone() } == Style::default();
        if !plain || style.link.is_some() {
            self.xml.open("w:rPr", &[]);
            if style.link.is_some() {
                self.xml.value("w:rStyle", "Hyperlink");
            } else if style.code {
                self.xml.value("w:rStyle", "CodeInline");
            }
            for (set, name) in [(style.bold, "w:b"), (style.italic, "w:i"), (style.strike, "w:strike")] {
                if set {
                    self.xml.empty(name, &[]);
                }
            }
            self.xml.close("w:rPr");
        }
        self.xml.open("w:t", &[("xml:space", "preserve")]);
        self.xml.text(&text.replace('\n', " "));
        self.xml.close("w:t");
        self.xml.close("w:r");
    }

    fn table(&mut self, table: &Table) {
        let widths = widths(table);
        self.xml.open("w:tbl", &[]);
        self.xml.open("w:tblPr", &[]);
        self.xml.value("w:tblStyle", "LessonTable");
        let total = widths.iter().sum::<usize>().to_string();
        self.xml.empty("w:tblW", &[("w:w", &total), ("w:type", "dxa")]);
        self.xml.empty("w:tblLayout", &[("w:type", "fixed")]);
        self.xml.empty("w:tblLook", &[("w:val", "0020"), ("w:firstRow", "1")]);
        self.xml.close("w:tblPr");
        self.xml.open("w:tblGrid", &[]);
        for width in &widths {
            self.xml.empty("w:gridCol", &[("w:w", &width.to_string())]);
        }
        self.xml.close("w:tblGrid");
        let head = (!table.head.iter().all(Vec::is_empty)).then_some(&table.head);
        for (row, is_head) in head.into_iter().map(|it| (it, true)).chain(table.rows.iter().map(|it| (it, false))) {
            self.xml.open("w:tr", &[]);
            self.xml.open("w:trPr", &[]);
            self.xml.empty("w:cantSplit", &[]);
            if is_head {
                self.xml.empty("w:tblHeader", &[]);
            }
            self.xml.close("w:trPr");
            for ((cell, width), align) in row.iter().zip(&widths).zip(&table.columns) {
                self.cell(cell, *width, *align, is_head);
            }
            self.xml.close("w:tr");
        }
        self.xml.close("w:tbl");
        // Two tables without a paragraph between them would be one.
        self.xml.open("w:p", &[]);
        self.xml.open("w:pPr", &[]);
        self.xml.empty("w:spacing", &[("w:after", "60"), ("w:line", "120"), ("w:lineRule", "exact")]);
        self.xml.close("w:pPr");
        self.xml.close("w:p");
    }

    fn cell(&mut self, cell: &[Inline], width: usize, align: Align, is_head: bool) {
        self.xml.open("w:tc", &[]);
        self.xml.open("w:tcPr", &[]);
        self.xml.empty("w:tcW", &[("w:w", &width.to_string()), ("w:type", "dxa")]);
        self.xml.close("w:tcPr");
        self.xml.open("w:p", &[]);
        self.xml.open("w:pPr", &[]);
        self.xml.value("w:pStyle", if is_head { "TableHead" } else { "TableText" });
        match align {
            Align::Left => {}
            Align::Centre => self.xml.value("w:jc", "center"),
            Align::Right => self.xml.value("w:jc", "right"),
        }
        self.xml.close("w:pPr");
        self.inlines(cell);
        self.xml.close("w:p");
        self.xml.close("w:tc");
    }

    /// A4, portrait, with a footer.
    fn section(&mut self) {
        let margin = MARGIN.to_string();
        self.xml.open("w:sectPr", &[]);
        self.xml.empty("w:footerReference", &[("w:type", "default"), ("r:id", "rIdFooter")]);
        self.xml.empty("w:pgSz", &[("w:w", "11906"), ("w:h", "16838")]);
        let sides = [("w:top", &*margin), ("w:right", &margin), ("w:bottom", &margin), ("w:left", &margin)];
        let rest = [("w:header", "567"), ("w:footer", "567"), ("w:gutter", "0")];
        self.xml.empty("w:pgMar", &[sides.as_slice(), &rest].concat());
        self.xml.close("w:sectPr");
    }
}

/// Widths of columns that together fill the text: by how much stands in them, none too narrow to read.
fn widths(table: &Table) -> Vec<usize> {
    let count = table.columns.len().max(1);
    let least = (TEXT_WIDTH / count).min(TEXT_WIDTH / 8);
    let mut weights = vec![1_usize; count];
    for row in std::iter::once(&table.head).chain(&table.rows) {
        for (weight, cell) in weights.iter_mut().zip(row) {
            *weight = (*weight).max(text_of(cell).chars().count().clamp(4, 60));
        }
    }
    let sum = weights.iter().sum::<usize>().max(1);
    let free = TEXT_WIDTH - least * count;
    weights.iter().map(|weight| least + free * weight / sum).collect()
}
