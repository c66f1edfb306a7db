//! Which characters the codes and the glyph names of simple fonts stand for (ISO 32000-1, annex D).

use crate::source::plain::windows;

/// The upper half of the encoding of old Macintosh fonts.
const MACINTOSH: &str = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";

/// Where the standard encoding differs from that of Windows, as far as texts use it.
const STANDARD: [(u8, char); 17] = [
    (0x27, '’'),
    (0x60, '‘'),
    (0xA4, '⁄'),
    (0xA9, '\''),
    (0xAA, '“'),
    (0xAC, '‹'),
    (0xAD, '›'),
    (0xAE, 'ﬁ'),
    (0xAF, 'ﬂ'),
    (0xB1, '–'),
    (0xB7, '•'),
    (0xB9, '„'),
    (0xBA, '”'),
    (0xBC, '…'),
    (0xD0, '—'),
    (0xF1, 'æ'),
    (0xFA, 'œ'),
];

/// The character of a byte in one of the encodings that have a name; an unknown name is the standard one.
pub(super) fn base_encoding(name: &str, byte: u8) -> Option<char> {
    if byte < 0x20 {
        return None;
    }
    match name {
        "MacRomanEncoding" if byte >= 0x80 => MACINTOSH.chars().nth(usize::from(byte - 0x80)),
        "WinAnsiEncoding" | "MacRomanEncoding" => Some(windows(byte)),
        _ => {
            let other = STANDARD.iter().find(|(code, _)| *code == byte).map(|(_, c)| *c);
            Some(other.unwrap_or_else(|| windows(byte)))
        }
    }
}

/// Glyph names of more than a letter, as texts in English, French and Gaelic use them.
const NAMES: &str = "space  |exclam !|quotedbl \"|numbersign #|dollar $|percent %|ampersand &|quotesingle '|quoteright ’|quoteleft ‘|\
    parenleft (|parenright )|asterisk *|plus +|comma ,|hyphen -|period .|slash /|zero 0|one 1|two 2|three 3|four 4|five 5|six 6|\
    seven 7|eight 8|nine 9|colon :|semicolon ;|less <|equal =|greater >|question ?|at @|bracketleft [|backslash \\|bracketright ]|\
    asciicircum ^|underscore _|grave `|braceleft {|bar ||braceright }|asciitilde ~|quotedblleft “|quotedblright ”|quotesinglbase ‚|\
    quotedblbase „|endash –|emdash —|bullet •|ellipsis …|fi ﬁ|fl ﬂ|ff ﬀ|ffi ﬃ|ffl ﬄ|minus −|multiply ×|divide ÷|degree °|\
    plusminus ±|sterling £|Euro €|section §|copyright ©|registered ®|trademark ™|agrave à|aacute á|acircumflex â|adieresis ä|\
    ccedilla ç|egrave è|eacute é|ecircumflex ê|edieresis ë|igrave ì|iacute í|icircumflex î|idieresis ï|ntilde ñ|ograve ò|oacute ó|\
    ocircumflex ô|odieresis ö|ugrave ù|uacute ú|ucircumflex û|udieresis ü|ae æ|oe œ|germandbls ß|Agrave À|Aacute Á|Acircumflex Â|\
    Adieresis Ä|Ccedilla Ç|Egrave È|Eacute É|Ecircumflex Ê|Igrave Ì|Iacute Í|Ograve Ò|Oacute Ó|Odieresis Ö|Ugrave Ù|Uacute Ú|\
    Udieresis Ü|AE Æ|OE Œ|guillemotleft «|guillemotright »|periodcentered ·|nbspace \u{a0}|softhyphen \u{ad}|sfthyphen \u{ad}|\
    lessequal ≤|greaterequal ≥|notequal ≠|radical √|pi π|mu µ|onehalf ½|onequarter ¼|threequarters ¾|twosuperior ²|threesuperior ³";

/// The character of a glyph's name: `a`, `eacute`, `uni00E9`, `u1F600`; what follows a dot is a variant.
pub(super) fn of_name(name: &str) -> Option<char> {
    let name = name.split('.').next().unwrap_or(name);
    let mut letters = name.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        return Some(only);
    }
    let known = NAMES.split('|').find_map(|pair| pair.strip_prefix(name)?.strip_prefix(' ')?.chars().next());
    // The bar parts the names, so it is none of them.
    known.or_else(|| (name == "bar").then_some('|')).or_else(|| {
        let digits = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'))?;
        let digits = digits.get(..digits.len().min(if name.starts_with("uni") { 4 } else { 6 }))?;
        (digits.len() >= 4).then(|| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes() {
        for (name, expected) in [
            ("a", Some('a')),
            ("eacute", Some('é')),
            ("space", Some(' ')),
            ("bar", Some('|')),
            ("uni00E9", Some('é')),
            ("u00E9", Some('é')),
            ("fi", Some('ﬁ')),
            ("one.oldstyle", Some('1')),
            ("g123", None),
            (".notdef", None),
        ] {
            assert_eq!(of_name(name), expected, "{name}");
        }
        assert_eq!(base_encoding("WinAnsiEncoding", 0x96), Some('–'));
        assert_eq!(base_encoding("MacRomanEncoding", 0x8E), Some('é'));
        assert_eq!(base_encoding("", 0xAE), Some('ﬁ'));
        assert_eq!(MACINTOSH.chars().count(), 128);
    }
}
