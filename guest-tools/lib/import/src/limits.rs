//! Limits of what is read: a source comes from anywhere. Time and memory are the host's to limit.

/// Pages of a PDF.
pub const PAGES_MAX: usize = 2_000;
/// Glyphs on one page: a page of small print has 10,000.
pub const PAGE_GLYPHS_MAX: usize = 100_000;
/// Instructions on one page.
pub const PAGE_OPERATIONS_MAX: usize = 2_000_000;
/// Characters of the text of a whole source.
pub const TEXT_BYTES_MAX: usize = 32 * 1024 * 1024;
/// How deep forms of a PDF may lie in one another.
pub const FORM_DEPTH_MAX: usize = 8;
/// What the text inside a DOCX may inflate to, in bytes.
pub const INFLATED_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Files in the directory of a DOCX.
pub const ZIP_ENTRIES_MAX: usize = 10_000;
/// Rows of tables.
pub const ROWS_MAX: usize = 200_000;
/// Cells of a row.
pub const CELLS_MAX: usize = 256;
/// Doubts of one kind that are listed; the rest is counted.
pub const DOUBTS_SHOWN_MAX: usize = 200;
/// A pattern file, in bytes, and one pattern of it, compiled.
pub const PATTERN_FILE_BYTES_MAX: usize = 256 * 1024;
/// The size of one compiled pattern, in bytes.
pub const PATTERN_BYTES_MAX: usize = 1024 * 1024;
