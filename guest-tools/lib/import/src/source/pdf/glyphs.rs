//! What a page shows, glyph by glyph: the text operators of PDF (ISO 32000-1, 9.3 and 9.4), nothing else.

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::{Page, Resources};

use super::font::Font;
use super::rules::{Path, Rules};
use crate::limits::{FORM_DEPTH_MAX, PAGE_GLYPHS_MAX, PAGE_OPERATIONS_MAX};

/// A transformation: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Debug, Clone, Copy)]
struct Matrix {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
}

impl Matrix {
    const IDENTITY: Self = Self { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };

    fn of(numbers: [f64; 6]) -> Self {
        let [a, b, c, d, e, f] = numbers;
        Self { a, b, c, d, e, f }
    }

    /// First this, then another.
    fn then(self, next: Self) -> Self {
        Self {
            a: self.a * next.a + self.b * next.c,
            b: self.a * next.b + self.b * next.d,
            c: self.c * next.a + self.d * next.c,
            d: self.c * next.b + self.d * next.d,
            e: self.e * next.a + self.f * next.c + next.e,
            f: self.e * next.b + self.f * next.d + next.f,
        }
    }

    fn moved(x: f64, y: f64) -> Self {
        Self { e: x, f: y, ..Self::IDENTITY }
    }

    fn point(self, x: f64, y: f64) -> (f64, f64) {
        (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)
    }
}

/// One sign on the page, in points from its lower left corner.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Glyph {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) size: f64,
    pub(super) text: String,
}

#[derive(Debug, Clone)]
struct State {
    ctm: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    spacing: f64,
    word_spacing: f64,
    scale: f64,
    leading: f64,
    rise: f64,
}

/// Fonts that were read, by their objects: the pages of a document share them.
pub(super) type Fonts = HashMap<ObjectIdentifier, Rc<Font>>;

/// Collects the glyphs of a page.
pub(super) struct Collector<'a> {
    pub(super) glyphs: Vec<Glyph>,
    pub(super) rules: Rules,
    /// Signs of fonts that do not say what they are.
    pub(super) unknown: usize,
    /// Whether a limit was reached.
    pub(super) cut: bool,
    operations: usize,
    path: Path,
    fonts: &'a mut Fonts,
}

/// How many graphics states may be saved at once.
const STATES_MAX: usize = 512;

impl<'a> Collector<'a> {
    pub(super) fn new(fonts: &'a mut Fonts) -> Self {
        Self {
            glyphs: Vec::new(),
            rules: Rules::default(),
            unknown: 0,
            cut: false,
            operations: 0,
            path: Path::default(),
            fonts,
        }
    }

    pub(super) fn page(&mut self, page: &Page<'_>, resources: &Resources<'_>) {
        let state = State {
            ctm: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            spacing: 0.0,
            word_spacing: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        };
        self.content(page.typed_operations(), resources, state, 0);
    }

    fn content(&mut self, mut operations: TypedIter<'_>, resources: &Resources<'_>, state: State, depth: usize) {
        let mut states = vec![state];
        let (mut text, mut line) = (Matrix::IDENTITY, Matrix::IDENTITY);
        while let Some(operation) = operations.next() {
            self.operations += 1;
            if self.operations > PAGE_OPERATIONS_MAX || self.glyphs.len() > PAGE_GLYPHS_MAX {
                self.cut = true;
                return;
            }
            let saved = states.len();
            let Some(state) = states.last_mut() else { return };
            match operation {
                Op::SaveState(_) if saved < STATES_MAX => {
                    let copy = state.clone();
                    states.push(copy);
                }
                Op::RestoreState(_) if saved > 1 => drop(states.pop()),
                Op::Transform(m) => {
                    state.ctm = Matrix::of([m.0, m.1, m.2, m.3, m.4, m.5].map(|it| it.as_f64())).then(state.ctm);
                }
                Op::XObject(object) if depth < FORM_DEPTH_MAX => {
                    if let Some(stream) = resources.x_objects.get::<Stream<'_>>(object.0) {
                        self.form(&stream, resources, state.clone(), depth);
                    }
                }
                Op::BeginText(_) => (text, line) = (Matrix::IDENTITY, Matrix::IDENTITY),
                Op::CharacterSpacing(it) => state.spacing = it.0.as_f64(),
                Op::WordSpacing(it) => state.word_spacing = it.0.as_f64(),
                Op::HorizontalScaling(it) => state.scale = it.0.as_f64() / 100.0,
                Op::TextLeading(it) => state.leading = it.0.as_f64(),
                Op::TextRise(it) => state.rise = it.0.as_f64(),
                Op::TextFont(it) => {
                    state.font = self.font(resources, it.0);
                    state.size = it.1.as_f64();
                }
                Op::SetTextMatrix(m) => {
                    line = Matrix::of([m.0, m.1, m.2, m.3, m.4, m.5].map(|it| it.as_f64()));
                    text = line;
                }
                Op::NextLine(it) => (text, line) = next_line(line, it.0.as_f64(), it.1.as_f64()),
                Op::NextLineAndSetLeading(it) => {
                    state.leading = -it.1.as_f64();
                    (text, line) = next_line(line, it.0.as_f64(), it.1.as_f64());
                }
                Op::NextLineUsingLeading(_) => (text, line) = next_line(line, 0.0, -state.leading),
                Op::ShowText(it) => self.show(it.0.as_bytes(), state, &mut text),
                Op::NextLineAndShowText(it) => {
                    (text, line) = next_line(line, 0.0, -state.leading);
                    self.show(it.0.as_bytes(), state, &mut text);
                }
                Op::ShowTextWithParameters(it) => {
                    (state.word_spacing, state.spacing) = (it.0.as_f64(), it.1.as_f64());
                    (text, line) = next_line(line, 0.0, -state.leading);
                    self.show(it.2.as_bytes(), state, &mut text);
                }
                Op::ShowTexts(it) => self.show_all(it.0, state, &mut text),
                operation => self.draw(&operation, state.ctm),
            }
        }
    }

    /// Paths: only the rules of tables are wanted of them.
    fn draw(&mut self, operation: &Op<'_, '_>, ctm: Matrix) {
        match operation {
            Op::MoveTo(it) => self.path.begin(ctm.point(it.0.as_f64(), it.1.as_f64())),
            Op::LineTo(it) => self.path.line(ctm.point(it.0.as_f64(), it.1.as_f64())),
            Op::RectPath(it) => {
                let [x, y, w, h] = [&it.0, &it.1, &it.2, &it.3].map(|it| it.as_f64());
                self.path.begin(ctm.point(x, y));
                for (x, y) in [(x + w, y), (x + w, y + h), (x, y + h), (x, y)] {
                    self.path.line(ctm.point(x, y));
                }
            }
            Op::FillPathNonZero(_) | Op::FillPathEvenOdd(_) => self.rules.take(&mut self.path, false),
            Op::StrokePath(_)
            | Op::CloseAndStrokePath(_)
            | Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => self.rules.take(&mut self.path, true),
            Op::EndPath(_) => self.path.clear(),
            _ => {}
        }
    }

    fn form(&mut self, stream: &Stream<'_>, outer: &Resources<'_>, mut state: State, depth: usize) {
        let dict = stream.dict();
        if dict.get::<Name<'_>>("Subtype").is_none_or(|kind| kind.as_ref() != b"Form") {
            return;
        }
        let Ok(data) = stream.decoded() else { return };
        if let Some(matrix) = dict.get::<[f64; 6]>("Matrix") {
            state.ctm = Matrix::of(matrix).then(state.ctm);
        }
        let own = dict.get::<Dict<'_>>("Resources").map(Resources::new);
        self.content(TypedIter::new(&data), own.as_ref().unwrap_or(outer), state, depth + 1);
    }

    fn font(&mut self, resources: &Resources<'_>, name: &Name<'_>) -> Option<Rc<Font>> {
        let dict = resources.get_font(name)?;
        let id = dict.obj_id();
        if let Some(known) = id.and_then(|id| self.fonts.get(&id)) {
            return Some(Rc::clone(known));
        }
        let font = Rc::new(Font::read(&dict));
        if let Some(id) = id {
            self.fonts.insert(id, Rc::clone(&font));
        }
        Some(font)
    }

    fn show_all(&mut self, parts: &Array<'_>, state: &State, text: &mut Matrix) {
        for part in parts.iter::<Object<'_>>() {
            match part {
                Object::Number(offset) => {
                    let moved = -offset.as_f64() / 1000.0 * state.size * state.scale;
                    *text = Matrix::moved(moved, 0.0).then(*text);
                }
                Object::String(string) => self.show(string.as_bytes(), state, text),
                _ => {}
            }
        }
    }

    fn show(&mut self, bytes: &[u8], state: &State, text: &mut Matrix) {
        let Some(font) = &state.font else { return };
        for (code, length) in font.codes(bytes) {
            let width = font.width(code);
            let placed = Matrix::moved(0.0, state.rise).then(*text).then(state.ctm);
            let space = length == 1 && code == 32;
            let advance =
                (width * state.size + state.spacing + if space { state.word_spacing } else { 0.0 }) * state.scale;
            let size = state.size * (placed.c * placed.c + placed.d * placed.d).sqrt();
            // Turned text is a label at the side of a page, not what an outcome says.
            let upright = placed.b.abs() < placed.a.abs() * 0.2 && placed.a > 0.0;
            match font.text(code) {
                Some(shown) if upright && size.is_finite() && placed.e.is_finite() && placed.f.is_finite() => {
                    let width = width * state.size * state.scale * placed.a;
                    self.glyphs.push(Glyph { x: placed.e, y: placed.f, width, size: size.abs(), text: shown });
                }
                Some(_) => {}
                None => self.unknown += 1,
            }
            *text = Matrix::moved(advance, 0.0).then(*text);
            if self.glyphs.len() > PAGE_GLYPHS_MAX {
                self.cut = true;
                return;
            }
        }
    }
}

fn next_line(line: Matrix, x: f64, y: f64) -> (Matrix, Matrix) {
    let next = Matrix::moved(x, y).then(line);
    (next, next)
}
