//! Text as the eye reads it, for finding codes in it.
//!
//! `ТСН 3-99z` in Cyrillic letters, full-width letters, a zero-width space inside a code, `TCH&nbsp;3-99z`, `<b>TCH</b>`:
//! a reader sees a code in all of them. [`Folded`] holds what is seen, and knows where each part of it stands in the text.
//! It is for searching only: nothing folded is ever shown or compared with a quote.

use crate::markdown::part;

/// A text in plain letters.
#[derive(Debug, Clone)]
pub struct Folded {
    text: String,
    /// Where the distance between an offset here and in the original changes: both offsets, in order.
    shifts: Vec<(usize, usize)>,
}

impl Folded {
    /// Folds a text.
    pub fn new(text: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(text.len()), shifts: vec![(0, 0)] };
        let mut at = 0;
        while let Some(c) = part(text, at..text.len()).chars().next() {
            let (shown, length) = match c {
                '&' => entity(part(text, at..text.len())),
                '<' => tag(part(text, at..text.len())),
                '\\' => {
                    part(text, at + 1..text.len()).starts_with(|c: char| c.is_ascii_punctuation()).then_some((None, 1))
                }
                _ => None,
            }
            .unwrap_or((Some(c), c.len_utf8()));
            let shown = shown.map(plain).filter(|c| !is_ignorable(*c));
            folded.text.extend(shown);
            at += length;
            if shown.map_or(0, char::len_utf8) != length {
                folded.shifts.push((folded.text.len(), at));
            }
        }
        folded
    }

    /// The folded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset in the original of an offset in the folded text that lies between characters.
    pub fn original(&self, offset: usize) -> usize {
        let after = self.shifts.partition_point(|&(folded, _)| folded <= offset);
        let shift = after.checked_sub(1).and_then(|index| self.shifts.get(index));
        shift.map_or(offset, |&(folded, original)| original + (offset - folded))
    }
}

/// Whether a character shows nothing: it joins, parts or turns others.
fn is_ignorable(c: char) -> bool {
    !c.is_ascii()
        && matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Letters that look like Latin ones, each with that one: Greek and Cyrillic.
const LOOKALIKES: &str = "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa οo ρp υu νv АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY аa \
    сc еe һh іi јj оo рp ѕs хx уy ԁd ԛq ԝw Ԍg ʟL ꓔT ꓚC ꓧH";

/// The plain form of a character: of a full-width one and of a look-alike.
fn plain(c: char) -> char {
    match c {
        c if c.is_ascii() => c,
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{370}'..='\u{52F}' | '\u{29F}' | '\u{A4D0}'..='\u{A4FF}' => {
            let same = LOOKALIKES.split(' ').find_map(|pair| pair.strip_prefix(c)?.chars().next());
            same.unwrap_or(c)
        }
        c => c,
    }
}

/// Named entities that stand inside codes when they are typeset.
const ENTITIES: &[(&str, char)] = &[
    ("&nbsp;", ' '),
    ("&ensp;", ' '),
    ("&emsp;", ' '),
    ("&thinsp;", ' '),
    ("&ndash;", '-'),
    ("&mdash;", '-'),
    ("&minus;", '-'),
    ("&hyphen;", '-'),
    ("&dash;", '-'),
    ("&shy;", '\u{AD}'),
    ("&zwj;", '\u{200D}'),
    ("&zwnj;", '\u{200C}'),
];

/// The longest number of an entity, and of a tag that is left out, in bytes.
const NUMBER_BYTES_MAX: usize = 8;
const TAG_BYTES_MAX: usize = 200;

/// The character that an entity at the start of a text stands for, and the entity's length.
fn entity(text: &str) -> Option<(Option<char>, usize)> {
    if let Some((entity, c)) = ENTITIES.iter().find(|(entity, _)| text.starts_with(entity)) {
        return Some((Some(*c), entity.len()));
    }
    let number = text.strip_prefix("&#")?;
    let end = number.bytes().take(NUMBER_BYTES_MAX).position(|b| b == b';')?;
    let digits = part(number, 0..end);
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((Some(char::from_u32(code)?), "&#;".len() + end))
}

/// Tags that part nothing: what stands on both sides is one word.
const INLINE_TAGS: &str = "a abbr b bdi code em font i kbd mark s small span strong sub sup u var wbr";

/// What a tag at the start of a text is read as, nothing or a space, and the tag's length.
fn tag(text: &str) -> Option<(Option<char>, usize)> {
    let inner = text.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let name = inner.split(|c: char| !c.is_ascii_alphanumeric()).next().filter(|name| !name.is_empty())?;
    let end = text.bytes().take(TAG_BYTES_MAX).position(|b| matches!(b, b'>' | b'\n'))?;
    let closed = text.as_bytes().get(end) == Some(&b'>');
    let inline = INLINE_TAGS.split(' ').any(|tag| tag.eq_ignore_ascii_case(name));
    closed.then_some((if inline { None } else { Some(' ') }, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_code_is_read_as_one() {
        for text in [
            "TCH\u{200b} 3-\u{200b}99z",
            "ТСН 3-99z",
            "TCH&nbsp;3-99z",
            "TCH&#160;3&#x2d;99z",
            "<b>TCH</b> 3-99z",
            "TCH 3\\-99z",
            "<span class=\"code\">TCH</span><wbr> 3-99z",
            "ＴＣＨ　３－９９ｚ",
        ] {
            assert_eq!(Folded::new(text).text().replace(['\u{a0}', '\u{3000}'], " "), "TCH 3-99z", "{text}");
        }
        assert_eq!(Folded::new("a<br>b, x < y, List<T>, & so &amp; on").text(), "a b, x < y, List , & so &amp; on");
    }

    #[test]
    fn places_are_those_of_the_original() {
        let text = "Mòran &nbsp; <i>ТСН</i> 3-99z.";
        let folded = Folded::new(text);
        let start = folded.text().find("TCH").expect("folded");
        let end = folded.text().find('.').expect("the end");
        assert_eq!(&text[folded.original(start)..folded.original(end)], "ТСН</i> 3-99z");
        assert_eq!(folded.original(folded.text().len()), text.len());
    }
}
