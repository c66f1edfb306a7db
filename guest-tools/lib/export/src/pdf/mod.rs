//! The form `Pdf`: A4, tagged, with bookmarks and its fonts inside.
//!
//! [`strips`] lays the blocks out, [`pages`] divides them among pages, [`paint`] writes what stands on each page and
//! [`file`](mod@file) the objects around it. No line is wider than the text: [`lines`] breaks it, formulas are made smaller.

mod file;
mod fonts;
mod formula;
mod lines;
mod pages;
mod paint;
mod strips;
mod subset;
mod tags;

use crate::{ExportError, Prepared};

pub(crate) fn write(document: &Prepared) -> Result<Vec<u8>, ExportError> {
    let fonts = fonts::Fonts::load()?;
    let strips::Layout { mut tree, strips, .. } = strips::layout(document, &fonts);
    let pages = pages::paginate(strips);
    let painted = paint::paint(&pages, &fonts, &mut tree, &document.title);
    file::write(document, &fonts, &tree, painted)
}

#[cfg(test)]
mod tests;
