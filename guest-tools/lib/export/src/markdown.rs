//! The form `Markdown`: the text itself, cleaned.

/// The text with line breaks of one kind and without trailing blank lines.
pub(crate) fn write(markdown: &str) -> Vec<u8> {
    let mut text = markdown.trim_end().to_owned();
    text.push('\n');
    text.into_bytes()
}
