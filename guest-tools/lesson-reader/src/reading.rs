//! Documents, read.

use ta_guest::reader::{Block, Cell, Document, Doubt, Failure, Place, Request, Shape};
use ta_import::framework::Framework;
use ta_import::{ImportError, source};

/// The option that holds a pattern file: how the codes of a curriculum other than the built-in one are written.
const PATTERNS: &str = "patterns";

pub(crate) fn read(request: Request) -> Result<Document, Failure> {
    let framework = match request.option(PATTERNS) {
        None => Framework::cfe(),
        Some(text) => Framework::read(PATTERNS, text, &mut Vec::new()).ok_or_else(unusable)?,
    };
    let source = source::Source { name: request.name, bytes: request.bytes };
    let read = source.read(&|text| framework.sight(text)).map_err(refused)?;
    Ok(Document {
        format: read.format.name().to_owned(),
        pages: read.pages,
        blocks: read.blocks.into_iter().map(block).collect(),
        doubts: read.doubts.into_iter().map(doubt).collect(),
    })
}

fn unusable() -> Failure {
    Failure::new("patterns", "the pattern file cannot be used", "mend it: `curriculum check` says where")
}

/// The host puts `import.` before the code of a reader's failure.
fn refused(error: ImportError) -> Failure {
    Failure::new(error.code.strip_prefix("import.").unwrap_or(error.code), error.message, error.hint)
}

fn place(it: source::Place) -> Place {
    match it {
        source::Place::Page(number) => Place::Page(number),
        source::Place::Line(number) => Place::Line(number),
        source::Place::Row(number) => Place::Row(number),
        source::Place::Paragraph(number) => Place::Paragraph(number),
    }
}

fn block(it: source::Block) -> Block {
    let shape = match it.shape {
        source::Shape::Heading(text) => Shape::Heading(text),
        source::Shape::Text(text) => Shape::Text(text),
        source::Shape::Row(cells) => {
            Shape::Row(cells.into_iter().map(|it| Cell { head: it.head, text: it.text }).collect())
        }
    };
    Block { place: place(it.place), column: it.column, shape }
}

fn doubt(it: ta_import::doubt::Doubt) -> Doubt {
    Doubt { kind: it.kind.name().to_owned(), place: it.place.map(place), message: it.message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_places() {
        let read = read(Request::new("a.txt", b"Third level\n\nTCH 3-14a\tFollows a loop.\nIt ends.\n")).unwrap();
        assert_eq!((read.format.as_str(), read.pages, read.doubts.len()), ("text", None, 0));
        let [heading, text] = read.blocks.as_slice() else { panic!("{:?}", read.blocks) };
        assert_eq!((heading.place, &heading.shape), (Place::Line(1), &Shape::Heading("Third level".into())));
        assert_eq!(text.place, Place::Line(3));
        let sheet = super::read(Request::new("a.csv", b"code,text\nTCH 3-14a,Follows a loop.\n")).unwrap();
        let cell = |head: &str, text: &str| Cell { head: head.into(), text: text.into() };
        let row = Shape::Row(vec![cell("code", "TCH 3-14a"), cell("text", "Follows a loop.")]);
        assert_eq!((sheet.blocks[0].place, &sheet.blocks[0].shape), (Place::Row(2), &row));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let code = |request: Request| read(request).unwrap_err().code;
        assert_eq!(code(Request::new("a.txt", b"")), "empty");
        assert_eq!(code(Request::new("a.odt", b"text")), "format");
        assert_eq!(code(Request::new("a.docx", b"PK\x03\x04 and no more")), "docx");
        assert_eq!(code(Request::new("a.pdf", b"%PDF-1.7\nnothing of it\n%%EOF")), "malformed");
        assert_eq!(code(Request::new("a.txt", b"text").with_option("patterns", "name = 1")), "patterns");
    }
}
