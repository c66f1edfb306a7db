//! The form `Docx`: a Word document with real styles, lists, tables and formulas.
//!
//! A document of Word is a zip of XML files. `body` writes the text, `formula` its formulas, `parts` what stays the
//! same in every document, `xml` the signs. Times are fixed, so the same lesson gives the same bytes.

mod body;
mod formula;
mod parts;
mod xml;

use std::io::Write;

use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::{ExportError, Prepared};

/// How much work goes into making it small: 0 to 10.
const COMPRESSION: u8 = 6;

pub(crate) fn write(document: &Prepared) -> Result<Vec<u8>, ExportError> {
    let body = body::write(document);
    let files: [(&str, Vec<u8>); 9] = [
        ("[Content_Types].xml", parts::CONTENT_TYPES.into()),
        ("_rels/.rels", parts::PACKAGE_RELATIONS.into()),
        ("docProps/core.xml", parts::core(&document.title, &document.language)),
        ("word/document.xml", body.text),
        ("word/_rels/document.xml.rels", parts::relations(&body.links)),
        ("word/styles.xml", parts::styles(&document.language, document.part)),
        ("word/numbering.xml", parts::numbering(&body.numbers)),
        ("word/settings.xml", parts::settings(&document.language)),
        ("word/footer1.xml", parts::footer(&document.title)),
    ];
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in &files {
        add(&mut archive, name, bytes).map_err(|error| ExportError::Internal(format!("{name}: {error}")))?;
    }
    archive.finish().map_err(|error| ExportError::Internal(error.to_string()))
}

fn add(archive: &mut ZipArchiveWriter<Vec<u8>>, name: &str, bytes: &[u8]) -> Result<(), rawzip::Error> {
    // The first moment that a zip can name.
    let time = UtcDateTime::from_unix(315_532_800);
    let file = archive.new_file(name).compression_method(CompressionMethod::DEFLATE).last_modified(time);
    let (mut entry, config) = file.start()?;
    let mut data = config.wrap(Deflate { to: &mut entry, held: Vec::new() });
    data.write_all(bytes)?;
    let (deflate, sums) = data.finish()?;
    let packed = miniz_oxide::deflate::compress_to_vec(&deflate.held, COMPRESSION);
    deflate.to.write_all(&packed)?;
    entry.finish(sums)?;
    Ok(())
}

/// Holds a file until it is whole: they are small, and are packed at once.
struct Deflate<'a, W> {
    to: &'a mut W,
    held: Vec<u8>,
}

impl<W> Write for Deflate<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.held.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
