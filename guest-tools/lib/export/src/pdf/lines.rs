//! Breaks a paragraph into lines that are never wider than they may be.

use std::rc::Rc;

use super::fonts::{Font, Fonts, Glyph};
use super::formula::{Drawn, Formulas};
use crate::document::{Inline, Style};
use crate::math::Math;

/// What stands on a line; `x` from its left edge.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text { x: f32, glyphs: Vec<Glyph>, style: Rc<Style> },
    Formula { x: f32, drawn: Drawn, text: String },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Line {
    pub(super) pieces: Vec<Piece>,
    /// Without spaces at its end.
    pub(super) width: f32,
    pub(super) ascent: f32,
    pub(super) descent: f32,
    pub(super) size: f32,
}

/// How a paragraph is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setting {
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) italic: bool,
    /// Height of a line, in parts of the size.
    pub(super) leading: f32,
}

/// The smallest thing that is placed.
#[derive(Debug, Clone)]
enum Atom {
    Glyph { glyph: Glyph, style: Rc<Style>, breaks: bool },
    Formula { drawn: Drawn, text: String },
    Break,
}

impl Atom {
    fn width(&self, size: f32) -> f32 {
        match self {
            Self::Glyph { glyph, .. } => glyph.advance * size,
            Self::Formula { drawn, .. } => drawn.width,
            Self::Break => 0.0,
        }
    }

    fn is_space(&self) -> bool {
        matches!(self, Self::Glyph { glyph, .. } if glyph.character == ' ')
    }

    /// Whether a line may end after it.
    fn breaks(&self) -> bool {
        match self {
            Self::Glyph { breaks, .. } => *breaks,
            Self::Formula { .. } => true,
            Self::Break => false,
        }
    }
}

/// The lines of a paragraph.
pub(super) fn lines(fonts: &Fonts, inlines: &[Inline], setting: Setting, width: f32) -> Vec<Line> {
    let atoms = atoms(fonts, inlines, setting, width);
    let mut lines = Vec::new();
    let mut begin = 0;
    while begin < atoms.len() {
        let (end, next) = line_end(&atoms, begin, setting.size, width);
        lines.push(line(atoms.get(begin..end).unwrap_or_default(), setting));
        begin = next.max(begin + 1);
    }
    lines
}

/// Widths of the widest word and of the whole, for tables.
pub(super) fn extents(fonts: &Fonts, inlines: &[Inline], setting: Setting) -> (f32, f32) {
    let (mut word, mut widest, mut whole, mut longest) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    for atom in atoms(fonts, inlines, setting, f32::MAX) {
        let width = atom.width(setting.size);
        if matches!(atom, Atom::Break) {
            whole = 0.0;
        }
        whole += width;
        longest = longest.max(whole);
        if !atom.is_space() {
            word += width;
            widest = widest.max(word);
        }
        if atom.is_space() || atom.breaks() || matches!(atom, Atom::Break) {
            word = 0.0;
        }
    }
    (widest, longest)
}

fn atoms(fonts: &Fonts, inlines: &[Inline], setting: Setting, width: f32) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for inline in inlines {
        match inline {
            Inline::Break => atoms.push(Atom::Break),
            Inline::Text { text, style } => {
                let font = if style.code {
                    Font::Mono
                } else {
                    Font::of(style.bold || setting.bold, style.italic || setting.italic)
                };
                let style = Rc::new(style.clone());
                let mut glyphs = Vec::new();
                let mut signs = text.chars().peekable();
                while let Some(sign) = signs.next() {
                    fonts.draw(font, sign, &mut glyphs);
                    let next = signs.peek().copied();
                    let breaks = match sign {
                        '\u{A0}' => false,
                        ' ' => next.is_none_or(|next| next != ' '),
                        '-' | '–' | '—' | '/' => next.is_some_and(char::is_alphabetic),
                        // Scripts without spaces.
                        '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' => true,
                        _ => false,
                    };
                    for glyph in glyphs.drain(..) {
                        atoms.push(Atom::Glyph { glyph, style: Rc::clone(&style), breaks });
                    }
                }
            }
            Inline::Math(math) => {
                let formulas = Formulas { fonts, bold: setting.bold };
                for part in breakable(math) {
                    let mut drawn = formulas.draw(&part, setting.size);
                    if drawn.width > width {
                        let by = width / drawn.width;
                        drawn = drawn.scaled(by);
                    }
                    atoms.push(Atom::Formula { drawn, text: part.to_text() });
                }
            }
        }
    }
    atoms
}

/// A formula in parts that may stand on different lines: it breaks before a sign of relation.
pub(super) fn breakable(math: &Math) -> Vec<Math> {
    let Math::Row(parts) = math else { return vec![math.clone()] };
    let mut all: Vec<Vec<Math>> = vec![Vec::new()];
    for part in parts {
        if part.is_relation() && all.last().is_some_and(|it| !it.is_empty()) {
            all.push(Vec::new());
        }
        if let Some(last) = all.last_mut() {
            last.push(part.clone());
        }
    }
    all.into_iter().map(Math::Row).collect()
}

/// Where a line ends and where the next begins.
fn line_end(atoms: &[Atom], begin: usize, size: f32, width: f32) -> (usize, usize) {
    let mut used = 0.0;
    let mut last_break = None;
    for (at, atom) in atoms.iter().enumerate().skip(begin) {
        if matches!(atom, Atom::Break) {
            return (at, at + 1);
        }
        let next = used + atom.width(size);
        // A space may stand beyond the edge: nobody sees it.
        if next > width + 0.01 && at > begin && !atom.is_space() {
            let end = last_break.unwrap_or(at);
            return (end, end);
        }
        used = next;
        if atom.breaks() {
            last_break = Some(at + 1);
        }
    }
    (atoms.len(), atoms.len())
}

fn line(atoms: &[Atom], setting: Setting) -> Line {
    let size = setting.size;
    let room = size * setting.leading;
    let mut line = Line { ascent: room * 0.74, descent: room * 0.26, size, ..Line::default() };
    let mut x = 0.0;
    for atom in atoms {
        let width = atom.width(size);
        match atom {
            Atom::Break => {}
            Atom::Formula { drawn, text } => {
                line.ascent = line.ascent.max(drawn.ascent + size * 0.15);
                line.descent = line.descent.max(drawn.descent + size * 0.15);
                line.pieces.push(Piece::Formula { x, drawn: drawn.clone(), text: text.clone() });
            }
            Atom::Glyph { glyph, style, .. } => match line.pieces.last_mut() {
                Some(Piece::Text { glyphs, style: same, .. })
                    if same == style && glyphs.last().is_some_and(|it| it.font == glyph.font) =>
                {
                    glyphs.push(*glyph);
                }
                _ => line.pieces.push(Piece::Text { x, glyphs: vec![*glyph], style: Rc::clone(style) }),
            },
        }
        x += width;
        if !atom.is_space() {
            line.width = x;
        }
    }
    line
}
