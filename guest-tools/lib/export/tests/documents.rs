//! Documents are read back by other libraries than those that wrote them.

use crate::support;

use std::collections::BTreeMap;

use support::{docx, pdf, pdf_objects};
use ta_export::{ExportError, Form, Options, Part, export, file_name, media_type, title};

const ITERATION: &str = include_str!("lessons/iteration.md");
const QUADRATICS: &str = include_str!("lessons/quadratics.md");

fn options(part: Part) -> Options {
    Options { part, ..Options::default() }
}

/// Words of a lesson without the marks of markdown.
fn words(markdown: &str) -> Vec<String> {
    let plain = markdown.replace(['*', '`', '#'], " ");
    let mut words = Vec::new();
    for line in plain.lines() {
        // Of a pointer only its text is shown.
        let line = match (line.find("]("), line.find("):")) {
            (Some(from), Some(to)) => format!("{} {}", &line[..from], &line[to + 2..]),
            _ => line.to_owned(),
        };
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | ' '));
        words.extend(line.replace(['[', ']'], " ").split_whitespace().map(str::to_owned));
    }
    words
}

#[test]
fn a_word_document_holds_every_word_in_order() {
    let files = docx(&export(ITERATION, Form::Docx, &options(Part::All)).unwrap());
    let body = &files["word/document.xml"];
    let mut rest = body.text.as_str();
    for word in words(ITERATION) {
        let at = rest.find(&word).unwrap_or_else(|| panic!("`{word}` is missing before: {rest:.80}"));
        rest = &rest[at + word.len()..];
    }
}

#[test]
fn a_word_document_has_real_styles() {
    let files = docx(&export(QUADRATICS, Form::Docx, &options(Part::All)).unwrap());
    let body = &files["word/document.xml"];
    let styles: Vec<&str> = body.attributes("w:pStyle", "w:val");
    for style in ["Heading1", "Heading2", "Heading3", "ListNumber", "ListBullet", "Quote", "Code", "TableHead"] {
        assert!(styles.contains(&style), "{style}");
        assert!(files["word/styles.xml"].attributes("w:style", "w:styleId").contains(&style), "{style} is not defined");
    }
    assert_eq!(body.attributes("w:pgSz", "w:w"), ["11906"], "A4");
    assert_eq!(body.count("w:tblHeader"), 1, "the head of the table is repeated");
    let grid: usize = body.attributes("w:gridCol", "w:w").iter().map(|it| it.parse::<usize>().unwrap()).sum();
    assert!(grid <= 11_906 - 2 * 1_134, "{grid}: the table fits the page");
    assert!(files["word/styles.xml"].attributes("w:lang", "w:val").contains(&"en-GB"));
    assert!(files["docProps/core.xml"].text.contains("Quadratics & friends"));
    assert_eq!(files["word/footer1.xml"].attributes("w:fldSimple", "w:instr"), ["PAGE", "NUMPAGES"]);
    // Every relation and every list that the text names is there.
    let relations = files["word/_rels/document.xml.rels"].attributes("Relationship", "Id");
    for id in body.attributes("w:hyperlink", "r:id") {
        assert!(relations.contains(&id), "{id}");
    }
    let numbers = files["word/numbering.xml"].attributes("w:num", "w:numId");
    for id in body.attributes("w:numId", "w:val") {
        assert!(numbers.contains(&id), "{id}");
    }
}

#[test]
fn formulas_are_words_own_and_never_latex() {
    let files = docx(&export(QUADRATICS, Form::Docx, &options(Part::All)).unwrap());
    let body = &files["word/document.xml"];
    for part in ["m:f", "m:rad", "m:sSup", "m:sSub", "m:d", "m:m"] {
        assert!(body.count(part) > 0, "{part}");
    }
    let (text, _) = pdf(&export(QUADRATICS, Form::Pdf, &options(Part::All)).unwrap());
    for text in [&body.text, &text] {
        for latex in ["\\frac", "\\sqrt", "\\pm", "\\(", "$", "begin{", "<br>", "<b>", "cat.png"] {
            assert!(!text.contains(latex), "{latex} in {text}");
        }
    }
}

#[test]
fn a_pdf_holds_every_word_with_its_characters() {
    let (text, pages) = pdf(&export(ITERATION, Form::Pdf, &options(Part::All)).unwrap());
    let squeezed = text.split_whitespace().collect::<String>();
    for word in words(ITERATION) {
        assert!(squeezed.contains(&word), "{word}");
    }
    assert!(pages >= 3);
    assert!(text.contains(&format!("Page 1 of {pages}")) && text.contains(&format!("Page {pages} of {pages}")));
    let (text, _) = pdf(&export(QUADRATICS, Form::Pdf, &options(Part::All)).unwrap());
    for word in ["£5,", "naïve", "Привіт,", "Łódź,", "αβγ,", "“quotes”", "–", "½", "⇒"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_pdf_says_what_it_is() {
    let bytes = export(QUADRATICS, Form::Pdf, &options(Part::All)).unwrap();
    let objects = pdf_objects(&bytes);
    for mark in ["/StructTreeRoot", "/Marked true", "/DisplayDocTitle true", "(en-GB)", "/Outlines", "/FontFile2"] {
        assert!(objects.contains(mark), "{mark}");
    }
    for role in ["/S /H1", "/S /H2", "/S /Table", "/S /TH", "/S /L", "/S /Formula", "/S /Link"] {
        assert!(objects.contains(role), "{role}");
    }
    assert!(objects.contains("https://www.bbc.co.uk/bitesize"));
    assert!(!objects.contains("curriculum/x.md"), "pointers into the workspace lead nowhere on paper");
}

#[test]
fn the_same_lesson_gives_the_same_bytes() {
    for form in [Form::Markdown, Form::Docx, Form::Pdf] {
        for part in [Part::All, Part::Pupil] {
            let one = export(QUADRATICS, form, &options(part)).unwrap();
            assert_eq!(one, export(QUADRATICS, form, &options(part)).unwrap());
        }
    }
}

#[test]
fn pupils_see_no_answers_in_any_form() {
    let whole: BTreeMap<Form2, String> = texts(ITERATION, Part::All);
    for (form, text) in texts(ITERATION, Part::Pupil) {
        for secret in ["Answer", "repeat loop.", "If many say yes", "Misconceptions", "Ukrainian", "TCH 3-14a", "early"]
        {
            assert!(whole[&form].contains(secret), "{secret}");
            assert!(!text.contains(secret), "{form:?}: {secret}");
        }
        for kept in ["Show it:", "conditional loop", "Exit questions", "Starter", "Which word means", "I can choose"] {
            assert!(text.contains(kept), "{form:?}: {kept}");
        }
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form2 {
    Markdown,
    Docx,
    Pdf,
}

fn texts(lesson: &str, part: Part) -> BTreeMap<Form2, String> {
    let of = |form| export(lesson, form, &options(part)).unwrap();
    BTreeMap::from([
        (Form2::Markdown, String::from_utf8(of(Form::Markdown)).unwrap()),
        (Form2::Docx, docx(&of(Form::Docx))["word/document.xml"].text.clone()),
        (Form2::Pdf, pdf(&of(Form::Pdf)).0),
    ])
}

#[test]
fn names_and_errors() {
    assert_eq!(file_name("Adding ½ & ⅓: pupils’ way", Form::Docx, Part::All), "adding-pupils-way.docx");
    assert_eq!(file_name("../../etc/passwd", Form::Pdf, Part::Pupil), "etc-passwd-pupils.pdf");
    assert_eq!(file_name("你好", Form::Markdown, Part::All), "lesson.md");
    assert_eq!(file_name("CON", Form::Markdown, Part::All), "lesson-con.md");
    assert_eq!(title("# *Loops* in `code`\n"), "Loops in code");
    assert_eq!(media_type(Form::Pdf), "application/pdf");
    let errors = [
        (export("", Form::Pdf, &Options::default()), "export.empty"),
        (export(" \u{202E}\n", Form::Docx, &Options::default()), "export.empty"),
        (export("# x\n\ntext", Form::Pdf, &options(Part::Pupil)), "export.no-pupil-part"),
        (export("x", Form::Pdf, &Options { language: "<x>".into(), ..Options::default() }), "export.language"),
        (export(&"a".repeat(10 << 20), Form::Pdf, &Options::default()), "export.too-large"),
        (export(&"a\n\n".repeat(30_000), Form::Docx, &Options::default()), "export.too-many-parts"),
    ];
    for (result, code) in errors {
        let error: ExportError = result.unwrap_err();
        assert_eq!(error.code(), code);
        assert!(!error.to_string().is_empty() && !error.hint().is_empty());
    }
}
