//! How much is turned into a document.

/// The longest text, in bytes: a lesson has about 12,000.
pub(crate) const SOURCE_BYTES: usize = 1024 * 1024;
/// Paragraphs, list items and cells of one document.
pub(crate) const PARTS: usize = 20_000;
/// How deep lists and quotations may stand inside each other; what is deeper is read at this depth.
pub(crate) const DEPTH: usize = 8;
/// How deep formulas may stand inside each other; what is deeper is written in a line.
pub(crate) const MATH_DEPTH: usize = 12;
/// Signs of one formula; what follows is left out and said so by `…`.
pub(crate) const MATH_TOKENS: usize = 2_000;
/// Columns of a table that still fit a page; further ones are written into the last.
pub(crate) const COLUMNS: usize = 12;
/// Characters of a document's title.
pub(crate) const TITLE_CHARS: usize = 120;
