//! Fonts, as far as text needs them: which letters a code stands for, and how wide it is.

use std::collections::HashMap;

use hayro_cmap::{BfString, CMap};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};

use super::names::{base_encoding, of_name};

/// A font.
#[derive(Debug)]
pub(super) struct Font {
    /// Bytes of a code.
    length: usize,
    to_unicode: Option<CMap>,
    /// What each code of a font of one byte stands for, without the map.
    encoding: Vec<Option<char>>,
    /// Widths of codes, in ems.
    widths: HashMap<u32, f64>,
    missing_width: f64,
}

/// A width where the font says none: that of an average letter.
const WIDTH_DEFAULT: f64 = 0.5;
/// The most codes that one range of widths may name.
const RANGE_MAX: u32 = 65_536;

impl Font {
    pub(super) fn read(dict: &Dict<'_>) -> Self {
        let map = dict.get::<Stream<'_>>("ToUnicode").and_then(|stream| CMap::parse(&stream.decoded().ok()?, |_| None));
        let composite = dict.get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"Type0");
        if composite { Self::composite(dict, map) } else { Self::simple(dict, map) }
    }

    fn simple(dict: &Dict<'_>, to_unicode: Option<CMap>) -> Self {
        let base = dict.get::<Name<'_>>("BaseFont").map(|name| name.as_str().to_owned()).unwrap_or_default();
        let fixed = base.contains("Courier") || base.contains("Mono");
        let first = dict.get::<u32>("FirstChar").unwrap_or(0);
        let mut widths = HashMap::new();
        if let Some(list) = dict.get::<Array<'_>>("Widths") {
            for (code, width) in (first..).zip(list.iter::<f64>()).take(256) {
                widths.insert(code, width / 1000.0);
            }
        } else if !fixed {
            widths.extend((32..).zip(STANDARD_WIDTHS).map(|(code, width)| (code, f64::from(width) / 1000.0)));
        }
        // Type 3 fonts measure in their own space; their matrix is nearly always a thousandth as well.
        let missing_width = if fixed { 0.6 } else { WIDTH_DEFAULT };
        Self { length: 1, to_unicode, encoding: encoding(dict, &base), widths, missing_width }
    }

    fn composite(dict: &Dict<'_>, to_unicode: Option<CMap>) -> Self {
        let descendant = dict.get::<Array<'_>>("DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
        let missing = descendant.as_ref().and_then(|font| font.get::<f64>("DW")).unwrap_or(1000.0);
        let list = descendant.as_ref().and_then(|font| font.get::<Array<'_>>("W"));
        let widths = list.map(|list| composite_widths(&list)).unwrap_or_default();
        Self { length: 2, to_unicode, encoding: Vec::new(), widths, missing_width: missing / 1000.0 }
    }

    /// The codes of a string, each with its number of bytes.
    pub(super) fn codes(&self, bytes: &[u8]) -> Vec<(u32, usize)> {
        let number = |part: &[u8]| part.iter().fold(0_u32, |sum, &byte| (sum << 8) | u32::from(byte));
        bytes.chunks(self.length).map(|part| (number(part), part.len())).collect()
    }

    /// A code's width in ems.
    pub(super) fn width(&self, code: u32) -> f64 {
        self.widths.get(&code).copied().unwrap_or(self.missing_width)
    }

    /// What a code stands for.
    pub(super) fn text(&self, code: u32) -> Option<String> {
        let mapped = self.to_unicode.as_ref().and_then(|map| map.lookup_bf_string(code));
        let text = match mapped {
            Some(BfString::Char(c)) => Some(c.to_string()),
            Some(BfString::String(text)) => Some(text),
            None => {
                let place = usize::try_from(code).ok()?;
                self.encoding.get(place).copied().flatten().map(String::from)
            }
        };
        // A zero stands for "no such letter" in maps that are filled up.
        text.filter(|text| !text.chars().any(|c| c == '\0' || c == '\u{fffd}'))
    }
}

fn encoding(dict: &Dict<'_>, font: &str) -> Vec<Option<char>> {
    let named = dict.get::<Name<'_>>("Encoding").map(|name| name.as_str().to_owned());
    let table = dict.get::<Dict<'_>>("Encoding");
    let base = named.or_else(|| table.as_ref()?.get::<Name<'_>>("BaseEncoding").map(|name| name.as_str().to_owned()));
    let symbols = font.contains("Symbol") || font.contains("Dingbats");
    let mut encoding: Vec<Option<char>> = match base.as_deref() {
        // Signs, not letters: the codes of letters would be read for them.
        None if symbols => vec![None; 256],
        base => (0..=255).map(|byte| base_encoding(base.unwrap_or_default(), byte)).collect(),
    };
    if let Some(differences) = table.and_then(|table| table.get::<Array<'_>>("Differences")) {
        let mut code = 0_usize;
        for item in differences.iter::<Object<'_>>() {
            match item {
                Object::Number(number) => code = usize::try_from(number.as_i64()).unwrap_or(usize::MAX),
                Object::Name(name) => {
                    if let Some(slot) = encoding.get_mut(code) {
                        *slot = of_name(name.as_str());
                    }
                    code = code.saturating_add(1);
                }
                _ => {}
            }
        }
    }
    encoding
}

/// Reads `c [w1 w2 …]` and `first last w`.
fn composite_widths(list: &Array<'_>) -> HashMap<u32, f64> {
    let mut widths = HashMap::new();
    let mut numbers: Vec<f64> = Vec::new();
    for item in list.iter::<Object<'_>>() {
        match item {
            Object::Number(number) => numbers.push(number.as_f64()),
            Object::Array(inner) => {
                let first = numbers.pop().and_then(code_of).unwrap_or(0);
                widths.extend((first..=u32::from(u16::MAX)).zip(inner.iter::<f64>().map(|width| width / 1000.0)));
                numbers.clear();
            }
            _ => numbers.clear(),
        }
        if let [first, last, width] = *numbers.as_slice() {
            if let (Some(first), Some(last)) = (code_of(first), code_of(last)) {
                widths.extend((first..=last.min(first.saturating_add(RANGE_MAX))).map(|code| (code, width / 1000.0)));
            }
            numbers.clear();
        }
    }
    widths
}

fn code_of(number: f64) -> Option<u32> {
    let inside = (0.0..=65_535.0).contains(&number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the range of 16 bits")]
    inside.then_some(number as u32)
}

/// Widths of Helvetica from the space to the tilde, in thousandths: fonts that every reader has state none themselves.
const STANDARD_WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];
