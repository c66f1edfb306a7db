//! A text as blocks and runs: what every form of document is made from.

use std::rc::Rc;

use crate::math::Math;

/// One block of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Heading {
        level: u8,
        inlines: Vec<Inline>,
    },
    Paragraph(Vec<Inline>),
    List(List),
    Quote(Vec<Block>),
    /// Lines of code, without the last line break.
    Code(String),
    Table(Table),
    Rule,
    /// A formula on a line of its own.
    Formula(Math),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct List {
    /// The first number; absent for bullets.
    pub(crate) start: Option<u64>,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Item {
    /// Of a task list: whether it is ticked.
    pub(crate) ticked: Option<bool>,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

/// A table; every row has as many cells as there are columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Align>,
    pub(crate) head: Vec<Vec<Inline>>,
    pub(crate) rows: Vec<Vec<Vec<Inline>>>,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Inline {
    Text { text: String, style: Style },
    Break,
    Math(Math),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) code: bool,
    pub(crate) strike: bool,
    /// An address on the web that the text leads to.
    pub(crate) link: Option<Rc<str>>,
}

/// The words of a line, without styles.
pub(crate) fn text_of(inlines: &[Inline]) -> String {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text { text: more, .. } => text.push_str(more),
            Inline::Break => text.push(' '),
            Inline::Math(math) => text.push_str(&math.to_text()),
        }
    }
    text
}
