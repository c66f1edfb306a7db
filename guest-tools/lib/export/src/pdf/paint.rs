//! Writes what stands on the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use pdf_writer::{Content, Name, Str, TextStr};

use super::fonts::{Font, Fonts, Glyph, width};
use super::formula::Drawn;
use super::lines::Piece;
use super::pages::Laid;
use super::strips::{BOTTOM, Ink, MARGIN, PAGE, Placed};
use super::tags::{Kid, Role, Tag, Tree};

/// A link on a page: left, bottom, right, top.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) page: usize,
    pub(super) rect: [f32; 4],
    pub(super) address: Rc<str>,
    pub(super) tag: Tag,
}

/// A heading to jump to.
#[derive(Debug, Clone)]
pub(super) struct Bookmark {
    pub(super) level: u8,
    pub(super) title: String,
    pub(super) page: usize,
    pub(super) top: f32,
}

#[derive(Debug, Default)]
pub(super) struct Painted {
    pub(super) contents: Vec<Vec<u8>>,
    /// For each page, the tag of each marked content.
    pub(super) marks: Vec<Vec<Tag>>,
    pub(super) links: Vec<Link>,
    pub(super) bookmarks: Vec<Bookmark>,
    /// Glyphs that were used, each with the character that it stands for.
    pub(super) used: BTreeMap<Font, BTreeMap<u16, char>>,
}

pub(super) fn paint(pages: &[Vec<Laid>], fonts: &Fonts, tree: &mut Tree, title: &str) -> Painted {
    let mut painted = Painted::default();
    for (page, laid) in pages.iter().enumerate() {
        let mut painter = Painter { page, content: Content::new(), marks: Vec::new(), to: &mut painted, tree };
        for it in laid {
            painter.strip(it);
        }
        painter.footer(fonts, title, pages.len());
        let (content, marks) = (painter.content.finish().to_vec(), painter.marks);
        painted.contents.push(content);
        painted.marks.push(marks);
    }
    painted
}

struct Painter<'a> {
    page: usize,
    content: Content,
    marks: Vec<Tag>,
    to: &'a mut Painted,
    tree: &'a mut Tree,
}

fn colour(ink: Ink) -> [f32; 3] {
    match ink {
        Ink::Text => [0.08, 0.08, 0.08],
        Ink::Heading => [0.12, 0.23, 0.37],
        Ink::Quiet => [0.25, 0.25, 0.25],
        Ink::Line => [0.6, 0.65, 0.7],
        Ink::Shade => [0.95, 0.957, 0.968],
        Ink::Head => [0.91, 0.93, 0.953],
        Ink::Bar => [0.62, 0.7, 0.78],
    }
}

const LINK: [f32; 3] = [0.04, 0.34, 0.64];

impl Painter<'_> {
    fn strip(&mut self, laid: &Laid) {
        let top = PAGE.1 - MARGIN - laid.top;
        if let Some((level, title)) = laid.strip.heading.clone().filter(|_| !laid.again) {
            self.to.bookmarks.push(Bookmark { level, title, page: self.page, top: top + 4.0 });
        }
        if !laid.strip.fills.is_empty() {
            self.content.begin_marked_content(Name(b"Artifact"));
            for ([left, from, width, height], ink) in &laid.strip.fills {
                self.fill(*ink, [MARGIN + left, top - from - height, *width, *height]);
            }
            self.content.end_marked_content();
        }
        for placed in &laid.strip.lines {
            self.line(placed, top, laid.again);
        }
    }

    fn fill(&mut self, ink: Ink, [x, y, width, height]: [f32; 4]) {
        let [red, green, blue] = colour(ink);
        self.content.set_fill_rgb(red, green, blue);
        self.content.rect(x, y, width, height);
        self.content.fill_nonzero();
    }

    fn line(&mut self, placed: &Placed, top: f32, again: bool) {
        let baseline = top - placed.baseline;
        // What follows each other with one tag is one marked content.
        let mut open: Option<Tag> = None;
        if again {
            self.content.begin_marked_content(Name(b"Artifact"));
        }
        let mut link: Option<(Rc<str>, Tag)> = None;
        for piece in &placed.line.pieces {
            let tag = match piece {
                Piece::Formula { text, .. } => {
                    let tag = self.tree.add(Role::Formula, placed.tag);
                    self.tree.say(tag, text);
                    tag
                }
                Piece::Text { style, .. } => match (&style.link, &link) {
                    (None, _) => placed.tag,
                    (Some(address), Some((same, tag))) if address == same => *tag,
                    (Some(address), _) => {
                        let tag = self.tree.add(Role::Link, placed.tag);
                        link = Some((Rc::clone(address), tag));
                        tag
                    }
                },
            };
            if !again && open != Some(tag) {
                if open.is_some() {
                    self.content.end_marked_content();
                }
                self.mark(tag, piece);
                open = Some(tag);
            }
            self.piece(placed, piece, baseline, tag, again);
        }
        if again || open.is_some() {
            self.content.end_marked_content();
        }
    }

    fn mark(&mut self, tag: Tag, piece: &Piece) {
        let number = i32::try_from(self.marks.len()).unwrap_or(i32::MAX);
        let name: &[u8] = match self.tree.role(tag) {
            Role::Heading(_) => b"H",
            Role::Formula | Role::Link | Role::Code => b"Span",
            Role::Label => b"Lbl",
            _ => b"P",
        };
        let mut marked = self.content.begin_marked_content_with_properties(Name(name));
        let mut properties = marked.properties();
        properties.identify(number);
        if let Piece::Formula { text, .. } = piece {
            properties.actual_text(TextStr(text));
        }
        drop(properties);
        drop(marked);
        self.marks.push(tag);
        self.tree.attach(tag, Kid::Content(self.page, number));
    }

    fn piece(&mut self, placed: &Placed, piece: &Piece, baseline: f32, tag: Tag, again: bool) {
        let left = MARGIN + placed.x;
        match piece {
            Piece::Formula { x, drawn, .. } => self.formula(drawn, left + x, baseline, placed.ink),
            Piece::Text { x, glyphs, style } => {
                let size = placed.line.size;
                let x = left + x;
                let ink = if style.link.is_some() { LINK } else { colour(placed.ink) };
                self.glyphs(glyphs, x, baseline, size, ink);
                let spaces = glyphs.iter().rev().take_while(|it| it.character == ' ').count();
                let shown = glyphs.get(..glyphs.len() - spaces).unwrap_or_default();
                let width = width(shown, size);
                let [red, green, blue] = ink;
                if style.strike {
                    self.content.set_fill_rgb(red, green, blue);
                    self.content.rect(x, baseline + size * 0.27, width, 0.6).fill_nonzero();
                }
                if let Some(address) = &style.link {
                    self.content.set_fill_rgb(red, green, blue);
                    self.content.rect(x, baseline - size * 0.14, width, 0.5).fill_nonzero();
                    if !again && width > 0.0 {
                        let rect = [x, baseline - size * 0.25, x + width, baseline + size * 0.85];
                        self.tree.attach(tag, Kid::Annotation(self.page, self.to.links.len()));
                        self.to.links.push(Link { page: self.page, rect, address: Rc::clone(address), tag });
                    }
                }
            }
        }
    }

    fn formula(&mut self, drawn: &Drawn, x: f32, baseline: f32, ink: Ink) {
        let [red, green, blue] = colour(ink);
        for signs in &drawn.signs {
            self.glyphs(&signs.glyphs, x + signs.x, baseline + signs.y, signs.size, colour(ink));
        }
        self.content.set_fill_rgb(red, green, blue);
        for [left, bottom, width, height] in &drawn.lines {
            self.content.rect(x + left, baseline + bottom, *width, *height).fill_nonzero();
        }
    }

    /// Glyphs that follow each other, each font in a run of its own.
    fn glyphs(&mut self, glyphs: &[Glyph], x: f32, y: f32, size: f32, [red, green, blue]: [f32; 3]) {
        if glyphs.is_empty() {
            return;
        }
        self.content.set_fill_rgb(red, green, blue);
        self.content.begin_text();
        let mut x = x;
        for run in glyphs.chunk_by(|one, other| one.font == other.font) {
            let Some(font) = run.first().map(|it| it.font) else { continue };
            let mut bytes = Vec::with_capacity(run.len() * 2);
            let used = self.to.used.entry(font).or_default();
            for glyph in run {
                bytes.extend(glyph.id.to_be_bytes());
                used.entry(glyph.id).or_insert(glyph.character);
            }
            self.content.set_font(Name(font.resource()), size);
            self.content.set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]);
            self.content.show(Str(&bytes));
            x += width(run, size);
        }
        self.content.end_text();
    }

    /// The title on the left, the page on the right.
    fn footer(&mut self, fonts: &Fonts, title: &str, pages: usize) {
        const SIZE: f32 = 8.5;
        let ink = [0.35, 0.35, 0.35];
        let y = BOTTOM / 2.0;
        let number = fonts.line(Font::Regular, &format!("Page {} of {pages}", self.page + 1));
        let right = PAGE.0 - MARGIN - width(&number, SIZE);
        let room = right - MARGIN - 20.0;
        let mut shown = fonts.line(Font::Regular, title);
        if width(&shown, SIZE) > room {
            let more = fonts.line(Font::Regular, "…");
            while width(&shown, SIZE) + width(&more, SIZE) > room && shown.pop().is_some() {}
            shown.extend(more);
        }
        self.content.begin_marked_content(Name(b"Artifact"));
        self.glyphs(&shown, MARGIN, y, SIZE, ink);
        self.glyphs(&number, right, y, SIZE, ink);
        self.content.end_marked_content();
    }
}

/// The numbers of the glyphs of a font that were used.
pub(super) fn numbers(used: &BTreeMap<u16, char>) -> BTreeSet<u16> {
    used.keys().copied().collect()
}
