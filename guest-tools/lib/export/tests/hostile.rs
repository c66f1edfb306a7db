//! Whatever text comes in: a document or an error with a code, in bounded time, and never a panic.

use crate::support;

use std::time::{Duration, Instant};

use proptest::prelude::*;
use ta_export::{Form, Options, Part, export};

/// Far more than is needed, also unoptimised and on a busy machine.
const LONGEST: Duration = Duration::from_secs(40);

fn all(text: &str) {
    for part in [Part::All, Part::Pupil] {
        for form in [Form::Markdown, Form::Docx, Form::Pdf] {
            match export(text, form, &Options { part, ..Options::default() }) {
                Ok(bytes) if form == Form::Docx => {
                    support::docx(&bytes);
                }
                // What is huge takes the reader here longer than the writer.
                Ok(bytes) if form == Form::Pdf && bytes.len() < 200_000 => {
                    support::pdf(&bytes);
                }
                Ok(_) => {}
                Err(error) => assert!(error.code().starts_with("export.")),
            }
        }
    }
}

#[test]
fn hostile_texts_are_answered_in_bounded_time() {
    let sections = "# x\n\n## Worksheet\n\n";
    let texts = [
        ("ten megabytes", "word ".repeat(2 << 20)),
        ("one line", "w".repeat(900_000)),
        ("quotations", format!("{}x\n", ">".repeat(10_000)).repeat(50)),
        ("lists", format!("{}x\n", "- ".repeat(10_000)).repeat(20)),
        ("indented", (0..1_000).map(|level| format!("{}- x\n", "  ".repeat(level))).collect()),
        ("rows", format!("|a|b|\n|---|---|\n{}", "|1|2|\n".repeat(100_000))),
        ("columns", format!("{}\n{}\n{}\n", "|a".repeat(20_000), "|---".repeat(20_000), "|b".repeat(20_000))),
        ("emphasis", "*_".repeat(50_000)),
        ("brackets", "[".repeat(100_000)),
        ("links", "[x](".repeat(50_000)),
        ("formula", format!("$${}$$", "\\frac{".repeat(50_000))),
        ("formulas", "$x^2$ ".repeat(15_000)),
        ("environments", format!("$${}$$", "\\begin{cases} ".repeat(10_000))),
        ("tags", "<b>".repeat(100_000)),
        ("fences", "```\n".repeat(50_000)),
        ("headings", "# h\n".repeat(19_000)),
        ("ticks", "`".repeat(100_001)),
    ];
    for (name, text) in texts {
        let begun = Instant::now();
        all(&format!("{sections}{text}"));
        let took = begun.elapsed();
        println!("{name}: {took:?}");
        assert!(took < LONGEST, "{name} took {took:?}");
    }
}

#[test]
fn signs_that_mislead_do_not_come_through() {
    let text = "# A\u{202E}B\u{0}C\u{200B}D\u{7}\n\nx\u{2066}y\u{FEFF}z \u{E000}\u{FFFE} \u{1B}[31m\n";
    let files = support::docx(&export(text, Form::Docx, &Options::default()).unwrap());
    assert!(files["word/document.xml"].text.starts_with("ABCD\nxyz  [31m"), "{:?}", files["word/document.xml"].text);
    assert!(files["docProps/core.xml"].text.contains("ABCD"));
    let (pdf, _) = support::pdf(&export(text, Form::Pdf, &Options::default()).unwrap());
    assert!(pdf.starts_with("ABCD xyz"), "{pdf:?}");
    let markdown = export(text, Form::Markdown, &Options::default()).unwrap();
    assert_eq!(String::from_utf8(markdown).unwrap(), "# ABCD\n\nxyz  [31m\n");
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("## Starter\n".to_owned()),
        Just("## Worksheet\n\n".to_owned()),
        Just("- ".to_owned()),
        Just("  1. ".to_owned()),
        Just("> ".to_owned()),
        Just("| a | b |\n|---|--:|\n| 1 | 2 |\n".to_owned()),
        Just("|".to_owned()),
        Just("```\n".to_owned()),
        Just("**Answer:** ".to_owned()),
        Just("$".to_owned()),
        Just("$$".to_owned()),
        Just("\\(".to_owned()),
        Just("\\frac{1}{".to_owned()),
        Just("\\left( \\sqrt[3]{x}^2_".to_owned()),
        Just("\\begin{cases} a & b \\\\".to_owned()),
        Just("[x](https://example.org)".to_owned()),
        Just("<br><script>".to_owned()),
        Just("*_`~~".to_owned()),
        "[ -~]{0,12}",
        "\\PC{0,8}",
        any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_document_or_an_error(pieces in proptest::collection::vec(piece(), 0..60)) {
        all(&pieces.concat());
    }

    #[test]
    fn any_formula_is_shown_without_latex(formula in "[a-z0-9{}^_&\\\\ ()+=-]{0,60}") {
        let text = format!("# x\n\n$${formula}$$\n\n$a{formula}b$");
        for form in [Form::Docx, Form::Pdf] {
            export(&text, form, &Options::default()).unwrap();
        }
    }
}
