//! The writer of the lesson plugins: a lesson as Word, PDF or markdown, all of it or what pupils read.
//!
//! How a document looks is decided in `ta-export`; here a request is taken from the contract's records and the document put into
//! them. It needs no import.

use ta_export::{ExportError, Form, Options, Part};
use ta_guest::writer::{Document, Failure, Request};

ta_guest::writer!(write);

fn write(request: &Request) -> Result<Document, Failure> {
    let form = match request.format.as_str() {
        "docx" => Form::Docx,
        "md" => Form::Markdown,
        "pdf" => Form::Pdf,
        other => return Err(Failure::new("form", format!("there is no form `{other}`"), "docx, md or pdf")),
    };
    let part = match request.part.as_deref() {
        None => Part::All,
        Some("pupil") => Part::Pupil,
        Some(other) => return Err(Failure::new("part", format!("there is no part `{other}`"), "pupil, or all of it")),
    };
    let mut options = Options { part, ..Options::default() };
    if let Some(language) = request.option("language") {
        options.language = language.to_owned();
    }
    let bytes = ta_export::export(&request.text, form, &options).map_err(|error| refused(&error))?;
    let name = ta_export::file_name(&ta_export::title(&request.text), form, part);
    Ok(Document { bytes, media_type: ta_export::media_type(form).to_owned(), name })
}

/// The host puts `export.` before the code of a writer's failure.
fn refused(error: &ExportError) -> Failure {
    let code = error.code();
    Failure::new(code.strip_prefix("export.").unwrap_or(code), error.to_string(), error.hint())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: &str = "# Adding ½\n\n## Starter\n\n- $\\frac12+\\frac12$? **Answer:** 1\n\n## Notes\n\nSlowly.\n";

    #[test]
    fn each_form_is_written_and_called_by_its_name() {
        for (format, begins, media_type) in [
            ("docx", "PK", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("md", "# Adding", "text/markdown; charset=utf-8"),
            ("pdf", "%PDF-1.7", "application/pdf"),
        ] {
            let document = write(&Request::new(format, LESSON)).unwrap();
            assert!(document.bytes.starts_with(begins.as_bytes()), "{format}");
            assert_eq!((document.name, document.media_type.as_str()), (format!("adding.{format}"), media_type));
        }
    }

    #[test]
    fn pupils_get_their_part_alone() {
        let request = Request { part: Some("pupil".into()), ..Request::new("md", LESSON) };
        let document = write(&request).unwrap();
        let text = String::from_utf8(document.bytes).unwrap();
        assert!(text.contains("Starter") && !text.contains("Answer") && !text.contains("Slowly"), "{text}");
        assert_eq!(document.name, "adding-pupils.md");
    }

    #[test]
    fn what_cannot_be_written_says_why() {
        let code = |request: &Request| write(request).unwrap_err().code;
        assert_eq!(code(&Request::new("odt", LESSON)), "form");
        assert_eq!(code(&Request::new("pdf", "")), "empty");
        let part = |part: &str| Request { part: Some(part.into()), ..Request::new("pdf", "# Notes\n\nText.\n") };
        assert_eq!((code(&part("pupil")), code(&part("answers"))), ("no-pupil-part".to_owned(), "part".to_owned()));
        assert_eq!(code(&Request::new("pdf", LESSON).with_option("language", "plain")), "language");
        let gaelic = write(&Request::new("docx", LESSON).with_option("language", "gd")).unwrap();
        assert_ne!(gaelic.bytes, write(&Request::new("docx", LESSON)).unwrap().bytes);
    }
}
