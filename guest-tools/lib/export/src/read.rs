//! Reads markdown into blocks. No HTML is passed on, no picture is fetched.

use std::rc::Rc;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::ExportError;
use crate::document::{Align, Block, Inline, Item, List, Style, Table};
use crate::limits;
use crate::math::Math;

/// Reads a cleaned text.
pub(crate) fn read(markdown: &str) -> Result<Vec<Block>, ExportError> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_MATH;
    let mut reader = Reader { frames: vec![Frame::new(Container::Page)], ..Reader::default() };
    for event in Parser::new_ext(markdown, options) {
        reader.event(event);
        if reader.parts > limits::PARTS {
            return Err(ExportError::TooManyParts);
        }
    }
    Ok(reader.finish())
}

/// What is open.
#[derive(Debug)]
enum Container {
    Page,
    Quote,
    List { start: Option<u64>, items: Vec<Item> },
    Item { ticked: Option<bool> },
}

#[derive(Debug)]
struct Frame {
    container: Container,
    blocks: Vec<Block>,
}

impl Frame {
    fn new(container: Container) -> Self {
        Self { container, blocks: Vec::new() }
    }
}

#[derive(Debug, Default)]
struct Reader {
    frames: Vec<Frame>,
    /// Containers that are open beyond the depth that is kept.
    beyond: usize,
    inlines: Vec<Inline>,
    bold: usize,
    italic: usize,
    strike: usize,
    links: Vec<Option<Rc<str>>>,
    heading: Option<u8>,
    code: Option<String>,
    html: Option<String>,
    table: Option<Table>,
    row: Vec<Vec<Inline>>,
    parts: usize,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, false),
            Event::Code(text) => self.text(&text, true),
            Event::InlineMath(text) => self.inlines.push(Inline::Math(Math::read(&text))),
            Event::DisplayMath(text) => self.formula(&text),
            Event::Html(text) => match &mut self.html {
                Some(html) => html.push_str(&text),
                None => self.inline_html(&text),
            },
            Event::InlineHtml(text) => self.inline_html(&text),
            Event::SoftBreak => self.text(" ", false),
            Event::HardBreak => self.inlines.push(Inline::Break),
            Event::Rule => {
                self.flush();
                self.push(Block::Rule);
            }
            Event::TaskListMarker(done) => {
                if let Some(Frame { container: Container::Item { ticked }, .. }) = self.frames.last_mut() {
                    *ticked = Some(done);
                }
            }
            Event::FootnoteReference(name) => self.text(&format!("[{name}]"), false),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = Some(level as u8);
            }
            Tag::BlockQuote(_) => self.open(Container::Quote),
            Tag::List(start) => self.open(Container::List { start, items: Vec::new() }),
            Tag::Item => self.open(Container::Item { ticked: None }),
            Tag::CodeBlock(kind) => {
                self.flush();
                let maths = matches!(&kind, CodeBlockKind::Fenced(language) if &**language == "math");
                self.code = Some(if maths { "$$".to_owned() } else { String::new() });
            }
            Tag::HtmlBlock => {
                self.flush();
                self.html = Some(String::new());
            }
            Tag::Table(columns) => {
                self.flush();
                let align = |it: &Alignment| match it {
                    Alignment::Center => Align::Centre,
                    Alignment::Right => Align::Right,
                    Alignment::None | Alignment::Left => Align::Left,
                };
                let columns = columns.iter().take(limits::COLUMNS).map(align).collect();
                self.table = Some(Table { columns, ..Table::default() });
            }
            Tag::TableHead | Tag::TableRow => self.row.clear(),
            Tag::Emphasis => self.italic += 1,
            Tag::Strong => self.bold += 1,
            Tag::Strikethrough => self.strike += 1,
            Tag::Link { dest_url, .. } => self.links.push(address(&dest_url)),
            Tag::Image { .. } => self.text("[Picture: ", false),
            Tag::Paragraph => self.flush(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let inlines = trimmed(std::mem::take(&mut self.inlines));
                if let Some(level) = self.heading.take().filter(|_| !inlines.is_empty()) {
                    self.push(Block::Heading { level, inlines });
                }
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => self.close(),
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                match code.strip_prefix("$$") {
                    Some(formula) => self.push(Block::Formula(Math::read(formula))),
                    None => self.push(Block::Code(code.trim_end_matches('\n').replace('\t', "    "))),
                }
            }
            TagEnd::HtmlBlock => {
                let text = without_tags(&self.html.take().unwrap_or_default());
                self.text(&text, false);
                self.flush();
            }
            TagEnd::TableCell => {
                self.parts += 1;
                let cell = trimmed(std::mem::take(&mut self.inlines));
                let full = self.row.len() >= limits::COLUMNS;
                match self.row.last_mut() {
                    Some(last) if full => {
                        last.push(Inline::Text { text: " · ".into(), style: Style::default() });
                        last.extend(cell);
                    }
                    _ => self.row.push(cell),
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let mut row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    row.resize(table.columns.len(), Vec::new());
                    if tag == TagEnd::TableHead {
                        table.head = row;
                    } else {
                        table.rows.push(row);
                    }
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take().filter(|it| !it.columns.is_empty()) {
                    self.push(Block::Table(table));
                }
            }
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Strikethrough => self.strike = self.strike.saturating_sub(1),
            TagEnd::Link => {
                self.links.pop();
            }
            TagEnd::Image => self.text("]", false),
            TagEnd::Paragraph => self.flush(),
            _ => {}
        }
    }

    fn style(&self, code: bool) -> Style {
        Style {
            bold: self.bold > 0,
            italic: self.italic > 0,
            strike: self.strike > 0,
            code,
            link: self.links.last().cloned().flatten(),
        }
    }

    fn text(&mut self, text: &str, code: bool) {
        if let Some(open) = &mut self.code {
            open.push_str(text);
            return;
        }
        let style = self.style(code);
        match self.inlines.last_mut() {
            Some(Inline::Text { text: before, style: same }) if *same == style => before.push_str(text),
            _ => self.inlines.push(Inline::Text { text: text.to_owned(), style }),
        }
    }

    /// A formula on a line of its own, where there may be one.
    fn formula(&mut self, text: &str) {
        let math = Math::read(text);
        if self.table.is_some() || self.heading.is_some() {
            self.inlines.push(Inline::Math(math));
        } else {
            self.flush();
            self.push(Block::Formula(math));
        }
    }

    /// A line break is the one tag that lessons use.
    fn inline_html(&mut self, html: &str) {
        if html.to_ascii_lowercase().starts_with("<br") {
            self.inlines.push(Inline::Break);
        }
    }

    fn open(&mut self, container: Container) {
        self.flush();
        // A list and its items belong together: never an item without its list.
        let is_item = matches!(container, Container::Item { .. });
        let deep = self.frames.len() > limits::DEPTH * 2 && !is_item;
        if self.beyond > 0 || deep {
            self.beyond += 1;
        } else {
            self.frames.push(Frame::new(container));
        }
    }

    fn close(&mut self) {
        self.flush();
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        if self.frames.len() < 2 {
            return;
        }
        let Some(Frame { container, blocks }) = self.frames.pop() else { return };
        match container {
            Container::Page => {}
            Container::Quote if blocks.is_empty() => {}
            Container::Quote => self.push(Block::Quote(blocks)),
            Container::List { start, items } if !items.is_empty() => {
                self.push(Block::List(List { start, items }));
            }
            Container::List { .. } => {}
            Container::Item { ticked } => {
                self.parts += 1;
                if let Some(Frame { container: Container::List { items, .. }, .. }) = self.frames.last_mut() {
                    items.push(Item { ticked, blocks });
                }
            }
        }
    }

    fn flush(&mut self) {
        if self.table.is_some() || self.heading.is_some() {
            return;
        }
        let inlines = trimmed(std::mem::take(&mut self.inlines));
        if !inlines.is_empty() {
            self.push(Block::Paragraph(inlines));
        }
    }

    fn push(&mut self, block: Block) {
        self.parts += 1;
        if let Some(frame) = self.frames.last_mut() {
            frame.blocks.push(block);
        }
    }

    fn finish(mut self) -> Vec<Block> {
        self.flush();
        while self.frames.len() > 1 {
            self.beyond = 0;
            self.close();
        }
        self.frames.pop().map(|frame| frame.blocks).unwrap_or_default()
    }
}

/// Addresses that lead out of the document. Pointers into the workspace lead nowhere on paper.
fn address(url: &str) -> Option<Rc<str>> {
    let lower = url.to_ascii_lowercase();
    let known = ["https://", "http://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme));
    let plain = url.len() <= 2_000 && url.chars().all(|c| c.is_ascii_graphic());
    (known && plain).then(|| Rc::from(url))
}

fn trimmed(mut inlines: Vec<Inline>) -> Vec<Inline> {
    let is_blank = |it: &Inline| match it {
        Inline::Text { text, .. } => text.trim().is_empty(),
        Inline::Break => true,
        Inline::Math(math) => math.is_empty(),
    };
    while inlines.last().is_some_and(is_blank) {
        inlines.pop();
    }
    let first = inlines.iter().position(|it| !is_blank(it)).unwrap_or(inlines.len());
    inlines.drain(..first);
    inlines
}

/// The text between tags; nothing of scripts, styles and comments.
fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let opens = |name: &str| rest.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
        let end = if opens("<!--") {
            "-->"
        } else if opens("<script") {
            "</script>"
        } else if opens("<style") {
            "</style>"
        } else {
            ">"
        };
        let Some(found) = rest.find(end) else { return out };
        out.push(' ');
        rest = rest.get(found + end.len()..).unwrap_or_default();
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
