//! The fonts of a document, and which sign each character gets.
//!
//! Noto Sans for text, DejaVu Sans Mono for code, DejaVu Sans for signs that these lack. Their licences (Apache 2.0, and
//! that of Bitstream Vera) allow shipping and embedding; the fonts carry them inside.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use ttf_parser::{Face, GlyphId};

use crate::ExportError;

/// One of the fonts, by its place in [`Fonts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Font {
    Regular,
    Bold,
    Italic,
    BoldItalic,
    Mono,
    Signs,
}

impl Font {
    pub(super) const ALL: [Self; 6] =
        [Self::Regular, Self::Bold, Self::Italic, Self::BoldItalic, Self::Mono, Self::Signs];

    pub(super) fn bytes(self) -> &'static [u8] {
        match self {
            Self::Regular => notosans::REGULAR_TTF,
            Self::Bold => notosans::BOLD_TTF,
            Self::Italic => notosans::ITALIC_TTF,
            Self::BoldItalic => notosans::BOLD_ITALIC_TTF,
            Self::Mono => dejavu::sans_mono::regular(),
            Self::Signs => dejavu::sans::regular(),
        }
    }

    /// Its name in the file, with the mark of a subset.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Regular => "TALESA+NotoSans",
            Self::Bold => "TALESB+NotoSans-Bold",
            Self::Italic => "TALESC+NotoSans-Italic",
            Self::BoldItalic => "TALESD+NotoSans-BoldItalic",
            Self::Mono => "TALESE+DejaVuSansMono",
            Self::Signs => "TALESF+DejaVuSans",
        }
    }

    /// Its name in the pages' resources.
    pub(super) fn resource(self) -> &'static [u8] {
        match self {
            Self::Regular => b"F0",
            Self::Bold => b"F1",
            Self::Italic => b"F2",
            Self::BoldItalic => b"F3",
            Self::Mono => b"F4",
            Self::Signs => b"F5",
        }
    }

    pub(super) fn of(bold: bool, italic: bool) -> Self {
        match (bold, italic) {
            (false, false) => Self::Regular,
            (true, false) => Self::Bold,
            (false, true) => Self::Italic,
            (true, true) => Self::BoldItalic,
        }
    }
}

/// A character as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Glyph {
    pub(super) font: Font,
    pub(super) id: u16,
    /// In parts of the size.
    pub(super) advance: f32,
    pub(super) character: char,
}

pub(super) struct Fonts {
    faces: BTreeMap<Font, Face<'static>>,
    /// Characters that were looked up already: a text has few different ones.
    known: RefCell<HashMap<(Font, char), Option<Glyph>>>,
}

impl Fonts {
    pub(super) fn load() -> Result<Self, ExportError> {
        let mut faces = BTreeMap::new();
        for font in Font::ALL {
            let face = Face::parse(font.bytes(), 0)
                .map_err(|error| ExportError::Internal(format!("{}: {error}", font.name())))?;
            faces.insert(font, face);
        }
        Ok(Self { faces, known: RefCell::default() })
    }

    pub(super) fn face(&self, font: Font) -> Option<&Face<'static>> {
        self.faces.get(&font)
    }

    /// Height above and depth below the baseline, in parts of the size.
    pub(super) fn extent(&self, font: Font) -> (f32, f32) {
        self.face(font).map_or((1.0, 0.3), |face| {
            let em = f32::from(face.units_per_em()).max(1.0);
            (f32::from(face.ascender()) / em, -f32::from(face.descender()) / em)
        })
    }

    fn find(&self, font: Font, character: char) -> Option<Glyph> {
        if let Some(known) = self.known.borrow().get(&(font, character)) {
            return *known;
        }
        let found = self.look_up(font, character);
        self.known.borrow_mut().insert((font, character), found);
        found
    }

    fn look_up(&self, font: Font, character: char) -> Option<Glyph> {
        let face = self.face(font)?;
        let GlyphId(id) = face.glyph_index(character)?;
        let em = f32::from(face.units_per_em()).max(1.0);
        let advance = f32::from(face.glyph_hor_advance(GlyphId(id)).unwrap_or(0)) / em;
        Some(Glyph { font, id, advance, character })
    }

    /// How a character is drawn; signs that no font has are replaced by something readable.
    pub(super) fn draw(&self, font: Font, character: char, out: &mut Vec<Glyph>) {
        let character = if matches!(character, '\u{A0}' | '\n' | '\t') { ' ' } else { character };
        let found = self.find(font, character).or_else(|| self.find(Font::Signs, character));
        if let Some(glyph) = found {
            out.push(glyph);
            return;
        }
        let instead = match character {
            '✅' => '✓',
            '❌' => '✗',
            '➡' => '→',
            '⬅' => '←',
            '⭐' => '★',
            '⟂' => '⊥',
            '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
            // Pictures that decorate a line, and marks on letters that are not there.
            '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' | '\u{20D0}'..='\u{20FF}' | '\u{300}'..='\u{36F}' => {
                return;
            }
            _ => '□',
        };
        out.extend(self.find(font, instead).or_else(|| self.find(Font::Signs, instead)));
    }

    /// A line of characters in one font.
    pub(super) fn line(&self, font: Font, text: &str) -> Vec<Glyph> {
        let mut glyphs = Vec::new();
        for character in text.chars() {
            self.draw(font, character, &mut glyphs);
        }
        glyphs
    }
}

/// The width of a line of glyphs at a size, in points.
pub(super) fn width(glyphs: &[Glyph], size: f32) -> f32 {
    glyphs.iter().map(|it| it.advance * size).sum()
}
