//! Lays out formulas: fractions stacked, powers raised, roots under a line.

use super::fonts::{Font, Fonts, Glyph, width};
use crate::math::Math;

/// A formula as signs and lines around a baseline; `y` grows upwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Drawn {
    pub(super) width: f32,
    pub(super) ascent: f32,
    pub(super) descent: f32,
    pub(super) signs: Vec<Signs>,
    /// Left, bottom, width, height.
    pub(super) lines: Vec<[f32; 4]>,
}

/// Signs of one size on one line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Signs {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) glyphs: Vec<Glyph>,
}

impl Drawn {
    /// Puts another one at a place.
    fn put(&mut self, other: Self, x: f32, y: f32) {
        self.ascent = self.ascent.max(other.ascent + y);
        self.descent = self.descent.max(other.descent - y);
        self.width = self.width.max(x + other.width);
        self.signs.extend(other.signs.into_iter().map(|it| Signs { x: it.x + x, y: it.y + y, ..it }));
        self.lines.extend(other.lines.into_iter().map(|[left, bottom, w, h]| [left + x, bottom + y, w, h]));
    }

    fn append(&mut self, other: Self) {
        let x = self.width;
        self.put(other, x, 0.0);
    }

    /// Smaller, so that it fits.
    pub(super) fn scaled(mut self, by: f32) -> Self {
        self.width *= by;
        self.ascent *= by;
        self.descent *= by;
        for it in &mut self.signs {
            it.x *= by;
            it.y *= by;
            it.size *= by;
        }
        for line in &mut self.lines {
            for value in line {
                *value *= by;
            }
        }
        self
    }
}

pub(super) struct Formulas<'a> {
    pub(super) fonts: &'a Fonts,
    pub(super) bold: bool,
}

impl Formulas<'_> {
    fn signs(&self, font: Font, text: &str, size: f32) -> Drawn {
        let glyphs = self.fonts.line(font, text);
        let width = width(&glyphs, size);
        let signs = vec![Signs { x: 0.0, y: 0.0, size, glyphs }];
        Drawn { width, ascent: size * 0.75, descent: size * 0.22, signs, lines: Vec::new() }
    }

    fn upright(&self) -> Font {
        Font::of(self.bold, false)
    }

    /// Room of a part of the size.
    fn room(size: f32, part: f32) -> Drawn {
        Drawn { width: size * part, ..Drawn::default() }
    }

    pub(super) fn draw(&self, math: &Math, size: f32) -> Drawn {
        match math {
            Math::Row(parts) => self.row(parts, size),
            Math::Letter(text) => {
                // Greek capitals stand upright.
                let slanted = !text.chars().all(|c| c.is_uppercase() && !c.is_ascii());
                self.signs(Font::of(self.bold, slanted), text, size)
            }
            Math::Upright(text) => self.signs(self.upright(), text, size),
            Math::Operator(text) => {
                let mut drawn = Self::room(size, 0.2);
                drawn.append(self.signs(self.upright(), text, size));
                drawn.append(Self::room(size, 0.2));
                drawn
            }
            Math::Sign(text) => self.signs(self.upright(), text, size),
            Math::Space => Self::room(size, 0.3),
            Math::Fraction(top, bottom) => self.fraction(top, bottom, size),
            Math::Root { degree, of } => self.root(degree.as_deref(), of, size),
            Math::Script { base, sub, sup } => self.script(base, sub.as_deref(), sup.as_deref(), size),
            Math::Fence { open, close, of } => self.fence(open, close, of, size),
            Math::Over { mark, of } => self.over(*mark, of, size),
            Math::Lines(rows) => self.table(rows, size),
        }
    }

    fn row(&self, parts: &[Math], size: f32) -> Drawn {
        let mut drawn = Drawn { ascent: size * 0.75, descent: size * 0.22, ..Drawn::default() };
        let mut before: Option<&Math> = None;
        for part in parts {
            let after_value = before.is_some_and(|it| !matches!(it, Math::Operator(_)));
            match (part, before) {
                // A sign that belongs to the value after it.
                (Math::Operator(sign), _) if !after_value && !part.is_relation() => {
                    drawn.append(self.signs(self.upright(), sign, size))
                }
                // "sin x" is two words.
                (Math::Letter(_) | Math::Upright(_), Some(Math::Upright(word)))
                    if word.chars().count() > 1 && word.ends_with(char::is_alphabetic) =>
                {
                    drawn.append(Self::room(size, 0.18));
                    drawn.append(self.draw(part, size));
                }
                _ => drawn.append(self.draw(part, size)),
            }
            before = Some(part);
        }
        drawn
    }

    fn fraction(&self, top: &Math, bottom: &Math, size: f32) -> Drawn {
        let inner = (size * 0.86).max(5.0);
        let (top, bottom) = (self.draw(top, inner), self.draw(bottom, inner));
        let axis = size * 0.27;
        let gap = size * 0.14;
        let width = top.width.max(bottom.width) + size * 0.2;
        let mut drawn = Self::room(size, 0.08);
        let left = drawn.width;
        let (top_x, top_y) = (left + (width - top.width) / 2.0, axis + gap + top.descent);
        let (bottom_x, bottom_y) = (left + (width - bottom.width) / 2.0, axis - gap - bottom.ascent);
        drawn.put(top, top_x, top_y);
        drawn.put(bottom, bottom_x, bottom_y);
        drawn.lines.push([left, axis - 0.3, width, 0.6]);
        drawn.width = left + width + size * 0.08;
        drawn
    }

    fn root(&self, degree: Option<&Math>, of: &Math, size: f32) -> Drawn {
        let inner = self.draw(of, size);
        let height = inner.ascent + inner.descent + size * 0.12;
        // The sign is as high as what stands under it.
        let scale = (height / (size * 1.02)).clamp(1.0, 6.0);
        let sign = self.signs(Font::Signs, "√", size * scale);
        let mut drawn = Drawn::default();
        if let Some(degree) = degree {
            let small = self.draw(degree, (size * 0.6).max(4.0));
            let y = inner.ascent * 0.45;
            drawn.put(small, 0.0, y);
            drawn.width = (drawn.width - size * 0.25).max(0.0);
        }
        // The foot of the sign in DejaVu Sans stands 0.02 below the baseline, its head 0.93 above.
        let left = drawn.width;
        let width = sign.width;
        let top = inner.ascent + size * 0.1;
        drawn.put(sign, left, top - 0.905 * size * scale);
        let line_left = left + width - size * scale * 0.03;
        drawn.lines.push([line_left, top, inner.width + size * 0.1, 0.6]);
        drawn.put(inner, left + width, 0.0);
        drawn.ascent = drawn.ascent.max(top + 1.2);
        drawn.descent = drawn.descent.min(size * 6.0);
        drawn.width += size * 0.1;
        drawn
    }

    fn script(&self, base: &Math, sub: Option<&Math>, sup: Option<&Math>, size: f32) -> Drawn {
        let mut drawn = self.draw(base, size);
        let small = (size * 0.7).max(4.0);
        let (ascent, descent) = (drawn.ascent, drawn.descent);
        let x = drawn.width + size * 0.03;
        if let Some(sup) = sup {
            let sup = self.draw(sup, small);
            let y = (ascent - small * 0.45).max(size * 0.33);
            drawn.put(sup, x, y);
        }
        if let Some(sub) = sub {
            let sub = self.draw(sub, small);
            drawn.put(sub, x, -(descent - small * 0.1).max(size * 0.14));
        }
        drawn
    }

    fn fence(&self, open: &str, close: &str, of: &Math, size: f32) -> Drawn {
        let inner = self.draw(of, size);
        let height = inner.ascent + inner.descent;
        let scale = (height / (size * 1.05)).clamp(1.0, 8.0);
        let middle = (inner.ascent - inner.descent) / 2.0;
        let mut drawn = Drawn::default();
        let bracket = |drawn: &mut Drawn, text: &str| {
            if !text.is_empty() {
                let mut sign = self.signs(self.upright(), text, size * scale);
                // A bracket reaches from 0.76 above to 0.24 below the baseline.
                (sign.ascent, sign.descent) = (size * scale * 0.76, size * scale * 0.24);
                let x = drawn.width;
                drawn.put(sign, x, middle - 0.26 * size * scale);
            }
        };
        bracket(&mut drawn, open);
        drawn.append(inner);
        bracket(&mut drawn, close);
        drawn
    }

    fn over(&self, mark: char, of: &Math, size: f32) -> Drawn {
        let mut drawn = self.draw(of, size);
        let (width, ascent) = (drawn.width, drawn.ascent);
        if mark == '‾' {
            drawn.lines.push([0.0, ascent + size * 0.05, width, 0.6]);
            drawn.ascent += size * 0.15;
        } else {
            let sign = self.signs(self.upright(), &mark.to_string(), size * 0.7);
            let x = ((width - sign.width) / 2.0).max(0.0);
            drawn.put(sign, x, ascent - size * 0.1);
        }
        drawn
    }

    fn table(&self, rows: &[Vec<Math>], size: f32) -> Drawn {
        let cells: Vec<Vec<Drawn>> =
            rows.iter().map(|row| row.iter().map(|cell| self.draw(cell, size)).collect()).collect();
        let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            let widths = cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.width);
            widths.fold(0.0_f32, f32::max)
        };
        let widths: Vec<f32> = (0..columns).map(widest).collect();
        let gap = size * 0.3;
        let heights: Vec<(f32, f32)> = cells
            .iter()
            .map(|row| row.iter().fold((size * 0.75, size * 0.22), |(a, d), it| (a.max(it.ascent), d.max(it.descent))))
            .collect();
        let total: f32 = heights.iter().map(|(ascent, descent)| ascent + descent + gap).sum();
        let mut drawn = Drawn::default();
        let mut top = total / 2.0 + size * 0.27;
        for (row, (ascent, descent)) in cells.into_iter().zip(heights) {
            let mut x = 0.0;
            for (cell, width) in row.into_iter().zip(&widths) {
                drawn.put(cell, x, top - ascent);
                x += width + size * 0.35;
            }
            top -= ascent + descent + gap;
        }
        drawn
    }
}
