//! PDF: the text layer of each page, glyph by glyph, put together again into lines, columns and paragraphs.

use std::collections::HashMap;

use hayro_syntax::page::{Page, Resources};
use hayro_syntax::{LoadPdfError, Pdf};

use super::{Block, Parts, Place, Shape};
use crate::doubt::{Doubt, Kind};
use crate::error::ImportError;
use crate::framework::Sight;
use crate::limits::{PAGES_MAX, TEXT_BYTES_MAX};

mod font;
mod glyphs;
mod layout;
mod names;
mod rules;

/// Pages from which on a repeated line is a header or a footer.
const REPEATED_PAGES_MIN: usize = 3;
/// The longest header or footer, in characters.
const REPEATED_CHARS_MAX: usize = 150;

pub(super) fn read(name: &str, bytes: Vec<u8>, sight: &dyn Fn(&str) -> Sight) -> Result<Parts, ImportError> {
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(_) => ImportError::new(
            "import.encrypted",
            format!("{name} is encrypted and opens with a password only"),
            "open it with the password, save a copy without one, and import that",
        ),
        LoadPdfError::Invalid => ImportError::new(
            "import.malformed",
            format!("{name} is no PDF that can be read"),
            "open it, save it anew as PDF or text, and import that",
        ),
    })?;
    let pages = pdf.pages();
    if pages.len() > PAGES_MAX {
        let message = format!("{name} has {} pages; at most {PAGES_MAX} are read", pages.len());
        return Err(ImportError::new("import.too-large", message, "split the document"));
    }
    let mut parts = Parts { pages: u32::try_from(pages.len()).ok(), ..Parts::default() };
    let mut length = 0;
    let mut edges: Vec<bool> = Vec::new();
    let mut fonts = glyphs::Fonts::new();
    for (number, page) in (1..).zip(pages.iter()) {
        let found = page_blocks(page, &mut fonts, number, &|text| sight(text) == Sight::Whole, &mut parts.doubts);
        edges.extend(found.iter().map(|(_, edge)| *edge));
        let found: Vec<Block> = found.into_iter().map(|(block, _)| block).collect();
        length += found.iter().map(|block| text_of(block).len()).sum::<usize>();
        if length > TEXT_BYTES_MAX {
            let message = format!("the text of {name} has more than {TEXT_BYTES_MAX} bytes");
            return Err(ImportError::new("import.too-large", message, "split the document"));
        }
        parts.blocks.extend(found);
    }
    without_repeated(&mut parts, &edges, pages.len(), sight);
    Ok(parts)
}

fn page_blocks(
    page: &Page<'_>,
    fonts: &mut glyphs::Fonts,
    number: u32,
    is_code: &dyn Fn(&str) -> bool,
    doubts: &mut Vec<Doubt>,
) -> Vec<(Block, bool)> {
    let place = Place::Page(number);
    let mut collector = glyphs::Collector::new(fonts);
    let resources: &Resources<'_> = page.resources();
    collector.page(page, resources);
    if collector.cut {
        let message = "the page holds more than is read; the rest of it is left out";
        doubts.push(Doubt::at(Kind::UnreadablePage, place, message));
    }
    let unknown = collector.unknown;
    let glyphs = collector.glyphs;
    if glyphs.is_empty() {
        let message = if unknown > 0 {
            "the page has text whose font does not say which letters it shows: copy its text by hand"
        } else {
            "the page has no text: it is scanned, a picture or empty; run a text recognition over it"
        };
        doubts.push(Doubt::at(Kind::UnreadablePage, place, message));
        return Vec::new();
    }
    if unknown * 10 > glyphs.len() {
        let message = format!("the font does not say which letters {unknown} of its signs are; they are left out");
        doubts.push(Doubt::at(Kind::UnreadablePage, place, message));
    }
    let placed = layout::blocks(glyphs, &collector.rules, is_code).into_iter();
    placed
        .map(|block| {
            let shape = if block.heading { Shape::Heading(block.text) } else { Shape::Text(block.text) };
            (Block { place, column: block.column, shape }, block.edge)
        })
        .collect()
}

fn text_of(block: &Block) -> &str {
    match &block.shape {
        Shape::Heading(text) | Shape::Text(text) => text,
        Shape::Row(_) => "",
    }
}

/// Takes out what stands on most pages, numbers apart: headers and footers.
fn without_repeated(parts: &mut Parts, edges: &[bool], pages: usize, sight: &dyn Fn(&str) -> Sight) {
    if pages < REPEATED_PAGES_MIN {
        return;
    }
    let mut seen: HashMap<String, Vec<Place>> = HashMap::new();
    for (block, _) in parts.blocks.iter().zip(edges).filter(|(_, edge)| **edge) {
        let places = seen.entry(without_numbers(text_of(block))).or_default();
        if places.last() != Some(&block.place) {
            places.push(block.place);
        }
    }
    let repeated = |block: &Block| {
        let text = text_of(block);
        let places = seen.get(&without_numbers(text)).map_or(0, Vec::len);
        let often = places >= REPEATED_PAGES_MIN && places * 2 > pages;
        // What holds a code is no footer: its number is what tells it from the next one.
        often && text.chars().count() <= REPEATED_CHARS_MAX && sight(text) == Sight::Nothing
    };
    let mut told: Vec<String> = Vec::new();
    let mut kept = Vec::new();
    for (block, edge) in std::mem::take(&mut parts.blocks).into_iter().zip(edges) {
        if !edge || !repeated(&block) {
            kept.push(block);
            continue;
        }
        let key = without_numbers(text_of(&block));
        if !told.contains(&key) {
            let message = format!("\"{}\" stands on most pages and is left out", text_of(&block).replace('\n', " "));
            parts.doubts.push(Doubt::at(Kind::RepeatedLine, block.place, message));
            told.push(key);
        }
    }
    parts.blocks = kept;
}

/// The text with a mark for each number.
fn without_numbers(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            _ if !c.is_ascii_digit() => plain.push(c),
            _ if plain.ends_with('#') => {}
            _ => plain.push('#'),
        }
    }
    plain
}
