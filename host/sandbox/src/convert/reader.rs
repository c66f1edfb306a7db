//! Readers: the files that they are given, and what they read in them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::writer::{DocumentFailure, failed, plain_word};
use crate::bindings::exports::teacher_assist::plugin::reader;
use crate::bindings::teacher_assist::plugin::types;

/// What a reader is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadingRequest<'a> {
    /// The file's name, without its directory.
    pub name: &'a str,
    /// The file.
    pub bytes: &'a [u8],
    /// What the caller says of it, by name.
    pub options: &'a [(String, String)],
}

/// A document that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// What the file is, such as `pdf`.
    pub format: String,
    /// How many pages, where it has pages.
    pub pages: Option<u32>,
    /// Its blocks, in reading order.
    pub blocks: Vec<Block>,
    /// What was uncertain.
    pub doubts: Vec<Doubt>,
}

/// A heading, paragraph or row, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Where.
    pub place: Place,
    /// In which column of the page; 0 where there is but one.
    pub column: u32,
    /// What.
    pub shape: Shape,
}

/// Where something stands in a file, counted from 1. As JSON: `{"page": 3}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A page.
    Page(u32),
    /// A line.
    Line(u32),
    /// A row of a table.
    Row(u32),
    /// A paragraph of a document without pages.
    Paragraph(u32),
}

/// What a block is. As JSON: `{"heading": "Third level"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A heading.
    Heading(String),
    /// A paragraph; lines as they are broken in the file.
    Text(String),
    /// A row of a table.
    Row(Vec<Cell>),
}

/// One cell of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// What the head of its column says; empty where the table has none.
    pub head: String,
    /// Its text.
    pub text: String,
}

/// What a person should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// A stable word.
    pub kind: String,
    /// Where; none where it is about the document as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// A sentence.
    pub message: String,
}

impl reader::Request {
    pub(crate) fn of(it: &ReadingRequest<'_>, configuration: &BTreeMap<String, String>) -> Self {
        let told = it.options.iter().map(|(name, value)| (name, value));
        let option = |(name, value): (&String, &String)| types::Entry { name: name.clone(), value: value.clone() };
        Self {
            name: it.name.to_owned(),
            bytes: it.bytes.to_vec(),
            options: configuration.iter().chain(told).map(option).collect(),
        }
    }
}

impl From<reader::Place> for Place {
    fn from(it: reader::Place) -> Self {
        match it {
            reader::Place::Page(number) => Self::Page(number),
            reader::Place::Line(number) => Self::Line(number),
            reader::Place::Row(number) => Self::Row(number),
            reader::Place::Paragraph(number) => Self::Paragraph(number),
        }
    }
}

impl From<reader::Block> for Block {
    fn from(it: reader::Block) -> Self {
        let cell = |it: reader::Cell| Cell { head: it.head, text: it.text };
        let shape = match it.shape {
            reader::Shape::Heading(text) => Shape::Heading(text),
            reader::Shape::Text(text) => Shape::Text(text),
            reader::Shape::Row(cells) => Shape::Row(cells.into_iter().map(cell).collect()),
        };
        Self { place: it.place.into(), column: it.column, shape }
    }
}

/// A document whose words are words; the error says which is not.
impl TryFrom<reader::Document> for Reading {
    type Error = String;

    fn try_from(it: reader::Document) -> Result<Self, String> {
        plain_word(&it.format, "format")?;
        let mut doubts = Vec::with_capacity(it.doubts.len());
        for doubt in it.doubts {
            plain_word(&doubt.kind, "kind of doubt")?;
            doubts.push(Doubt { kind: doubt.kind, place: doubt.place.map(Place::from), message: doubt.message });
        }
        let blocks = it.blocks.into_iter().map(Block::from).collect();
        Ok(Self { format: it.format, pages: it.pages, blocks, doubts })
    }
}

impl TryFrom<reader::Failure> for DocumentFailure {
    type Error = String;

    fn try_from(it: reader::Failure) -> Result<Self, String> {
        failed(it.code, &it.message, &it.hint)
    }
}
