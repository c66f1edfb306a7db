//! Plain text: paragraphs part at blank lines, and at lines that look like headings.

use super::{Block, Parts, Place, Shape};
use crate::error::ImportError;
use crate::limits::TEXT_BYTES_MAX;

/// A line of at most this many words without an end is a heading where blank lines stand around it.
const HEADING_WORDS_MAX: usize = 8;

/// Bytes as text: UTF-8, UTF-16 with its mark, else the Windows code page of western Europe.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => bytes.iter().map(|&byte| windows(byte)).collect(),
        },
    }
}

/// The Windows code page 1252, which is also an encoding of PDF fonts.
pub(super) fn windows(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => HIGH.get(usize::from(byte - 0x80)).copied().unwrap_or('\u{fffd}'),
        _ => char::from(byte),
    }
}

pub(super) fn read(text: &str) -> Result<Parts, ImportError> {
    if text.len() > TEXT_BYTES_MAX {
        let message = format!("the text has {} bytes; at most {TEXT_BYTES_MAX} are read", text.len());
        return Err(ImportError::new("import.too-large", message, "split the document"));
    }
    let mut parts = Parts::default();
    let mut lines: Vec<&str> = Vec::new();
    let mut first = 1;
    for (number, line) in (1..).zip(text.lines().chain([""])) {
        let marked = line.trim_start().starts_with('#');
        if line.trim().is_empty() || marked {
            parts.blocks.extend(block(first, &lines));
            lines.clear();
        }
        if marked {
            let heading = line.trim().trim_matches('#').trim().to_owned();
            parts.blocks.push(Block { place: Place::Line(number), column: 0, shape: Shape::Heading(heading) });
        } else if !line.trim().is_empty() {
            if lines.is_empty() {
                first = number;
            }
            lines.push(line.trim());
        }
    }
    Ok(parts)
}

fn block(first: u32, lines: &[&str]) -> Option<Block> {
    let place = Place::Line(first);
    match lines {
        [] => None,
        [line] if is_heading(line) => Some(Block { place, column: 0, shape: Shape::Heading((*line).to_owned()) }),
        lines => Some(Block::text(place, lines.join("\n"))),
    }
}

fn is_heading(line: &str) -> bool {
    let words = line.split_whitespace().count();
    let ends = line.ends_with(['.', '!', '?', ',', ';']);
    // A digit is likely part of a code or of a question's number.
    words <= HEADING_WORDS_MAX
        && !ends
        && !line.chars().any(|c| c.is_ascii_digit())
        && !line.starts_with(['-', '*', '•'])
}
