//! Leaves of a TrueType font what a document uses.
//!
//! Glyphs keep their numbers, so that no table of the document has to be changed; the outlines of others become empty.
//! The crates that do this change features of what the engine is built from.

use std::collections::BTreeSet;

use ttf_parser::{Face, GlyphId, Tag};

/// The font with these glyphs and what they are composed of; nothing if the font is not TrueType.
pub(super) fn subset(face: &Face<'_>, used: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let raw = face.raw_face();
    let table = |name: &[u8; 4]| raw.table(Tag::from_bytes(name));
    let glyf = table(b"glyf")?;
    let places = places(table(b"loca")?, table(b"head")?)?;
    let mut wanted: BTreeSet<u16> = used.clone();
    wanted.insert(0);
    let mut queue: Vec<u16> = wanted.iter().copied().collect();
    while let Some(glyph) = queue.pop() {
        for part in components(outline(glyf, &places, glyph)?) {
            if wanted.insert(part) {
                queue.push(part);
            }
        }
    }
    let count = wanted.last()?.checked_add(1)?;
    let (mut outlines, mut offsets, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
    for glyph in 0..count {
        offsets.extend(u32::try_from(outlines.len()).ok()?.to_be_bytes());
        let kept = wanted.contains(&glyph);
        let advance = if kept { face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0) } else { 0 };
        let bearing = if kept { face.glyph_hor_side_bearing(GlyphId(glyph)).unwrap_or(0) } else { 0 };
        metrics.extend(advance.to_be_bytes());
        metrics.extend(bearing.to_be_bytes());
        if kept {
            outlines.extend_from_slice(outline(glyf, &places, glyph)?);
            outlines.resize(outlines.len().next_multiple_of(4), 0);
        }
    }
    offsets.extend(u32::try_from(outlines.len()).ok()?.to_be_bytes());
    let mut head = table(b"head")?.to_vec();
    set(&mut head, 8, &[0; 4])?;
    // Long offsets.
    set(&mut head, 50, &[0, 1])?;
    let mut hhea = table(b"hhea")?.to_vec();
    set(&mut hhea, 34, &count.to_be_bytes())?;
    let mut maxp = table(b"maxp")?.to_vec();
    set(&mut maxp, 4, &count.to_be_bytes())?;
    let mut tables: Vec<([u8; 4], Vec<u8>)> = vec![
        (*b"glyf", outlines),
        (*b"head", head),
        (*b"hhea", hhea),
        (*b"hmtx", metrics),
        (*b"loca", offsets),
        (*b"maxp", maxp),
    ];
    for name in [*b"cvt ", *b"fpgm", *b"prep"] {
        tables.extend(table(&name).map(|bytes| (name, bytes.to_vec())));
    }
    tables.sort_by_key(|(name, _)| *name);
    put_together(&tables)
}

fn set(bytes: &mut [u8], at: usize, value: &[u8]) -> Option<()> {
    bytes.get_mut(at..at + value.len())?.copy_from_slice(value);
    Some(())
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes)
}

fn places(loca: &[u8], head: &[u8]) -> Option<Vec<usize>> {
    let long = u16_at(head, 50)? == 1;
    let of = |bytes: &[u8]| bytes.iter().fold(0_usize, |sum, byte| sum * 256 + usize::from(*byte));
    Some(if long {
        loca.chunks_exact(4).map(of).collect()
    } else {
        loca.chunks_exact(2).map(|it| of(it) * 2).collect()
    })
}

fn outline<'a>(glyf: &'a [u8], places: &[usize], glyph: u16) -> Option<&'a [u8]> {
    let at = usize::from(glyph);
    glyf.get(*places.get(at)?..*places.get(at + 1)?)
}

/// The glyphs that a composed one is made of.
fn components(outline: &[u8]) -> Vec<u16> {
    const WORDS: u16 = 1;
    const SCALE: u16 = 8;
    const MORE: u16 = 0x20;
    const TWO_SCALES: u16 = 0x40;
    const MATRIX: u16 = 0x80;
    let mut parts = Vec::new();
    // A negative number of contours says that it is composed.
    if u16_at(outline, 0).is_none_or(|contours| contours < 0x8000) {
        return parts;
    }
    let mut at = 10;
    while let (Some(flags), Some(glyph)) = (u16_at(outline, at), u16_at(outline, at + 2)) {
        parts.push(glyph);
        at += if flags & WORDS != 0 { 8 } else { 6 };
        at += match () {
            () if flags & SCALE != 0 => 2,
            () if flags & TWO_SCALES != 0 => 4,
            () if flags & MATRIX != 0 => 8,
            () => 0,
        };
        if flags & MORE == 0 {
            break;
        }
    }
    parts
}

fn checksum(bytes: &[u8]) -> u32 {
    let word = |chunk: &[u8]| {
        let sum = chunk.iter().fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte));
        sum << (8 * (4 - chunk.len()))
    };
    bytes.chunks(4).map(word).fold(0, u32::wrapping_add)
}

fn put_together(tables: &[([u8; 4], Vec<u8>)]) -> Option<Vec<u8>> {
    let count = u16::try_from(tables.len()).ok()?;
    let power = 15 - u16::try_from(count.max(1).leading_zeros()).ok()?;
    let range = 16 << power;
    let mut font = vec![0, 1, 0, 0];
    for value in [count, range, power, count * 16 - range] {
        font.extend(value.to_be_bytes());
    }
    let mut at = 12 + 16 * tables.len();
    let mut head_at = 0;
    for (name, bytes) in tables {
        if name == b"head" {
            head_at = at;
        }
        font.extend(name);
        font.extend(checksum(bytes).to_be_bytes());
        font.extend(u32::try_from(at).ok()?.to_be_bytes());
        font.extend(u32::try_from(bytes.len()).ok()?.to_be_bytes());
        at += bytes.len().next_multiple_of(4);
    }
    for (_, bytes) in tables {
        font.extend_from_slice(bytes);
        font.resize(font.len().next_multiple_of(4), 0);
    }
    let adjustment = 0xB1B0_AFBA_u32.wrapping_sub(checksum(&font));
    set(&mut font, head_at + 8, &adjustment.to_be_bytes())?;
    Some(font)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::fonts::{Font, Fonts};

    /// A composed letter brings its parts, and other parsers read the result.
    #[test]
    fn a_subset_is_a_font_with_the_same_letters() {
        let fonts = Fonts::load().unwrap();
        for font in Font::ALL {
            let face = fonts.face(font).unwrap();
            let used: BTreeSet<u16> = "aé½".chars().map(|c| face.glyph_index(c).unwrap().0).collect();
            let bytes = subset(face, &used).unwrap();
            assert!(bytes.len() < font.bytes().len() / 4, "{} bytes", bytes.len());
            let small = Face::parse(&bytes, 0).unwrap();
            for glyph in used {
                assert_eq!(small.glyph_bounding_box(GlyphId(glyph)), face.glyph_bounding_box(GlyphId(glyph)));
                assert_eq!(small.glyph_hor_advance(GlyphId(glyph)), face.glyph_hor_advance(GlyphId(glyph)));
            }
            assert_eq!(checksum(&bytes), 0xB1B0_AFBA);
        }
    }
}
