//! Web pages, and the text inside a Word document: tags say what is a heading, a paragraph, a cell.

use html5gum::{Token, Tokenizer};

use super::{Block, Cell, Parts, Place, Shape};
use crate::error::ImportError;
use crate::limits::{CELLS_MAX, ROWS_MAX, TEXT_BYTES_MAX};

/// What a tag means for blocks, in either language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A paragraph begins or ends.
    Block,
    /// A heading.
    Heading,
    /// A table.
    Table,
    /// A row.
    Row,
    /// A cell; `true` for one of the head.
    Cell(bool),
    /// A line break within a paragraph.
    Break,
    /// Nothing of it is text.
    Hidden,
    /// Its text is text wherever it stands.
    Inline,
}

fn of_html(tag: &str) -> Role {
    match tag {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption" | "summary" => Role::Heading,
        "table" => Role::Table,
        "tr" => Role::Row,
        "td" => Role::Cell(false),
        "th" => Role::Cell(true),
        "br" => Role::Break,
        "script" | "style" | "head" | "noscript" | "template" | "svg" | "nav" | "footer" => Role::Hidden,
        "a" | "abbr" | "b" | "cite" | "code" | "em" | "font" | "i" | "kbd" | "mark" | "q" | "s" | "small" | "span"
        | "strong" | "sub" | "sup" | "u" | "var" | "wbr" | "img" | "del" | "ins" => Role::Inline,
        _ => Role::Block,
    }
}

fn of_word(tag: &str) -> Role {
    match tag {
        "w:p" => Role::Block,
        "w:tbl" => Role::Table,
        "w:tr" => Role::Row,
        "w:tc" => Role::Cell(false),
        "w:br" | "w:cr" | "w:tab" => Role::Break,
        "w:deltext" | "w:instrtext" => Role::Hidden,
        _ => Role::Inline,
    }
}

pub(super) fn html(text: &str) -> Result<Parts, ImportError> {
    Reader::new(text, of_html, Place::Line).read()
}

pub(super) fn word(text: &str) -> Result<Parts, ImportError> {
    Reader::new(text, of_word, Place::Paragraph).read()
}

/// A table that is open: its head, and the row that is being read.
#[derive(Debug, Default)]
struct Table {
    heads: Option<Vec<String>>,
    row: Vec<(bool, String)>,
    /// How many tables lie within a cell of this one: their rows are text of that cell.
    inner: u32,
}

struct Reader<'a> {
    text: &'a str,
    role: fn(&str) -> Role,
    place: fn(u32) -> Place,
    parts: Parts,
    /// The text since the last boundary.
    open: String,
    heading: bool,
    hidden: Option<String>,
    table: Option<Table>,
    number: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, role: fn(&str) -> Role, place: fn(u32) -> Place) -> Self {
        let (parts, open) = (Parts::default(), String::new());
        Self { text, role, place, parts, open, heading: false, hidden: None, table: None, number: 1 }
    }

    fn read(mut self) -> Result<Parts, ImportError> {
        if self.text.len() > TEXT_BYTES_MAX {
            let message = format!("the text has {} bytes; at most {TEXT_BYTES_MAX} are read", self.text.len());
            return Err(ImportError::new("import.too-large", message, "split the document"));
        }
        let html = (self.place)(1) == Place::Line(1);
        for Ok(token) in Tokenizer::new(self.text) {
            match token {
                Token::StartTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    self.start(&name, tag.self_closing);
                    if let Some(value) = tag.attributes.get(&b"w:val"[..]).filter(|_| name == "w:pstyle") {
                        self.heading = String::from_utf8_lossy(value).to_lowercase().starts_with("heading");
                    }
                }
                Token::EndTag(tag) => self.end(&String::from_utf8_lossy(&tag.name)),
                Token::String(text) if self.hidden.is_none() => self.words(&String::from_utf8_lossy(&text), html),
                Token::String(_) | Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
            if self.parts.blocks.len() > ROWS_MAX {
                let message = format!("the document has more than {ROWS_MAX} paragraphs and rows");
                return Err(ImportError::new("import.too-large", message, "split the document"));
            }
        }
        self.close();
        Ok(self.parts)
    }

    /// In HTML a line break is a space; its number is what a person can look up.
    fn words(&mut self, text: &str, html: bool) {
        if html {
            if self.open.trim().is_empty() {
                let blank = text.len() - text.trim_start().len();
                let (blank, rest) = text.split_at(blank);
                self.count(blank);
                self.open.push_str(&rest.replace(['\n', '\r'], " "));
                self.later(rest);
            } else {
                self.open.push_str(&text.replace(['\n', '\r'], " "));
                self.later(text);
            }
        } else {
            self.open.push_str(text);
        }
    }

    fn count(&mut self, text: &str) {
        self.number += u32::try_from(text.matches('\n').count()).unwrap_or(0);
    }

    /// Line breaks within a paragraph are counted once it is closed: its place is its first line.
    fn later(&mut self, text: &str) {
        let breaks = text.matches('\n').count();
        // A vertical tab stands for a line that was passed; it is taken out with the paragraph.
        self.open.extend(std::iter::repeat_n('\u{b}', breaks));
    }

    fn start(&mut self, name: &str, self_closing: bool) {
        if self.hidden.is_some() {
            return;
        }
        match (self.role)(name) {
            Role::Hidden if !self_closing => {
                self.close_text();
                self.hidden = Some(name.to_owned());
            }
            Role::Hidden | Role::Inline => {}
            Role::Break => self.open.push('\n'),
            Role::Block => self.close_text(),
            Role::Heading => {
                self.close_text();
                self.heading = true;
            }
            Role::Table => match &mut self.table {
                Some(table) => table.inner += 1,
                None => {
                    self.close_text();
                    self.table = Some(Table::default());
                }
            },
            Role::Row => {
                if self.table.as_ref().is_none_or(|table| table.inner == 0) {
                    self.close_row();
                }
            }
            Role::Cell(head) => {
                if let Some(table) = self.table.as_mut().filter(|table| table.inner == 0) {
                    end_cell(table, &mut self.open, &mut self.number);
                    if table.row.len() < CELLS_MAX {
                        table.row.push((head, String::new()));
                    }
                }
            }
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(hidden) = &self.hidden {
            if hidden == name {
                self.hidden = None;
            }
            return;
        }
        match (self.role)(name) {
            Role::Block | Role::Heading => self.close_text(),
            Role::Row if self.table.as_ref().is_some_and(|table| table.inner == 0) => self.close_row(),
            Role::Table => match &mut self.table {
                Some(table) if table.inner > 0 => table.inner -= 1,
                _ => self.close(),
            },
            Role::Row | Role::Cell(_) | Role::Break | Role::Hidden | Role::Inline => {}
        }
    }

    /// Ends a paragraph; within a cell it is a line break.
    fn close_text(&mut self) {
        if self.table.is_some() {
            if !self.open.trim().is_empty() {
                self.open.push('\n');
            }
            return;
        }
        let place = (self.place)(self.number);
        let (text, lines) = taken(&mut self.open);
        if !text.is_empty() {
            let shape = if self.heading { Shape::Heading(text) } else { Shape::Text(text) };
            self.parts.blocks.push(Block { place, column: 0, shape });
            if matches!(place, Place::Paragraph(_)) {
                self.number += 1;
            }
        }
        self.number += lines;
        self.heading = false;
    }

    fn close_row(&mut self) {
        let Some(table) = &mut self.table else { return };
        let place = (self.place)(self.number);
        end_cell(table, &mut self.open, &mut self.number);
        let row = std::mem::take(&mut table.row);
        if row.iter().all(|(_, text)| text.is_empty()) {
            return;
        }
        if matches!(place, Place::Paragraph(_)) {
            self.number += 1;
        }
        let head_cells = row.iter().all(|(head, _)| *head) || matches!(place, Place::Paragraph(_));
        if table.heads.is_none() && row.len() > 1 {
            let heads: Vec<String> = row.iter().map(|(_, text)| text.replace('\n', " ")).collect();
            let plain = !heads.iter().any(|head| head.chars().any(|c| c.is_ascii_digit()) && head.len() > 40);
            table.heads = Some(if head_cells && plain { heads } else { Vec::new() });
        }
        let heads = table.heads.clone().unwrap_or_default();
        let cells = (0..)
            .zip(row)
            .map(|(index, (_, text)): (usize, _)| Cell { head: heads.get(index).cloned().unwrap_or_default(), text });
        let shape = Shape::Row(cells.collect());
        self.parts.blocks.push(Block { place, column: 0, shape });
    }

    fn close(&mut self) {
        self.close_row();
        self.table = None;
        self.close_text();
    }
}

/// Puts the open text into the cell that is open.
fn end_cell(table: &mut Table, open: &mut String, number: &mut u32) {
    let (text, lines) = taken(open);
    *number += lines;
    if let Some((_, cell)) = table.row.last_mut() {
        if !cell.is_empty() && !text.is_empty() {
            cell.push('\n');
        }
        cell.push_str(&text);
    }
}

/// The open text, its spaces collapsed and its lines kept, and how many lines of the source it took.
fn taken(open: &mut String) -> (String, u32) {
    let text = std::mem::take(open);
    let passed = u32::try_from(text.matches('\u{b}').count()).unwrap_or(0);
    let text = text.replace('\u{b}', "");
    let lines = text.split('\n').map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    (lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"), passed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn shown(parts: &Parts) -> Vec<String> {
        parts
            .blocks
            .iter()
            .map(|block| match &block.shape {
                Shape::Heading(text) => format!("{}: # {text}", block.place),
                Shape::Text(text) => format!("{}: {text}", block.place),
                Shape::Row(cells) => {
                    let cells: Vec<String> =
                        cells.iter().map(|cell| format!("{}={}", cell.head, cell.text.replace('\n', "/"))).collect();
                    format!("{}: [{}]", block.place, cells.join(" | "))
                }
            })
            .collect()
    }

    #[test]
    fn a_page() {
        let page = "<html><head><title>no</title></head>\n<body><script>if (a < b) {}</script>\n<h2>Third level</h2>\n<p>one\ntwo &amp; <b>three</b></p>\n<table><tr><th>Code</th><th>Text</th></tr>\n<tr><td>A<td>b<br>c</table>\n<p>end";
        let found = shown(&html(page).unwrap());
        assert_eq!(
            found,
            [
                "line 3: # Third level",
                "line 4: one two & three",
                "line 6: [Code=Code | Text=Text]",
                "line 7: [Code=A | Text=b/c]",
                "line 8: end"
            ]
        );
    }

    #[test]
    fn a_word_document() {
        let text = "<w:document><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Third</w:t></w:r></w:p><w:p><w:r><w:t>TCH</w:t></w:r><w:r><w:t xml:space=\"preserve\"> 3-14a</w:t><w:tab/></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl></w:document>";
        assert_eq!(
            shown(&word(text).unwrap()),
            ["paragraph 1: # Third", "paragraph 2: TCH 3-14a", "paragraph 3: [x y=x/y | =]"]
        );
    }
}
