//! References that begin with the name of their framework, and claims that are its name only.

use super::{Foreign, Framework};
use crate::markdown::part;

/// Whether a text has the shape of a framework's references.
type Shape = fn(&str) -> bool;

/// Names that stand before a reference, each with the shape that the reference has.
const PREFIXES: &[(&str, Framework, Shape)] = &[
    ("AQA", Framework::ExamBoard, is_specification),
    ("OCR", Framework::ExamBoard, is_specification),
    ("CCEA", Framework::ExamBoard, is_specification),
    ("WJEC", Framework::ExamBoard, is_specification),
    ("Edexcel", Framework::ExamBoard, is_specification),
    ("EDEXCEL", Framework::ExamBoard, is_specification),
    ("Eduqas", Framework::ExamBoard, is_specification),
    ("Pearson", Framework::ExamBoard, is_specification),
    ("TEKS", Framework::Texas, is_numbering),
    ("ISTE", Framework::Iste, is_numbering),
    ("CSTA", Framework::Csta, is_numbering),
    ("NGSS", Framework::NextGenerationScience, is_numbering),
    ("ACARA", Framework::Australia, is_numbering),
];

/// The framework of "AQA 8525" or "ISTE 5c", given both parts.
pub(super) fn of_prefix(prefix: &str, reference: &str) -> Option<Framework> {
    let known = PREFIXES.iter().find(|(name, ..)| *name == prefix);
    known.filter(|(_, _, is_reference)| is_reference(reference)).map(|(_, framework, _)| *framework)
}

/// `3.1.2`: a section of a specification.
pub(super) fn is_section(token: &str) -> bool {
    token.contains('.') && token.split('.').all(|piece| !piece.is_empty() && piece.bytes().all(|b| b.is_ascii_digit()))
}

/// `8525`, `J277`, `1CP2`, `3.1.1`; a year is none.
fn is_specification(token: &str) -> bool {
    let year = token.len() == 4 && (token.starts_with("19") || token.starts_with("20"));
    let code = (4..=5).contains(&token.len())
        && token.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        && token.bytes().filter(u8::is_ascii_digit).count() >= 2;
    is_section(token) || (code && !(year && token.bytes().all(|b| b.is_ascii_digit())))
}

/// `126.40`, `5c`, `1.5.d`: a number with more to it; a bare one may count anything.
fn is_numbering(token: &str) -> bool {
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    let plain = token.len() <= 12 && token.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
    plain && (1..token.len()).contains(&digits) && token.starts_with(|c: char| c.is_ascii_digit())
}

/// Subjects of the syllabuses of New South Wales.
const SUBJECTS: &str = "AC DT EN GE HT LS MA PD SC ST TE";

/// `VCDTDI050` of Victoria, `DT2-8P` of New South Wales.
pub(super) fn is_state_of_australia(token: &str) -> bool {
    let is_capital = |b: u8| b.is_ascii_uppercase();
    if let Some(rest) = token.strip_prefix("VC") {
        let letters = rest.trim_end_matches(|c: char| c.is_ascii_digit());
        return (3..=6).contains(&letters.len()) && letters.bytes().all(is_capital) && rest.len() == letters.len() + 3;
    }
    let Some((subject, outcome)) = token.split_once('-') else { return false };
    let (letters, stage) = (part(subject, 0..2), part(subject, 2..subject.len()));
    let number = outcome.trim_end_matches(|c: char| c.is_ascii_uppercase());
    SUBJECTS.split(' ').any(|known| known == letters)
        && matches!(stage, "1" | "2" | "3" | "4" | "5" | "6")
        && (1..=2).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
        && (1..=3).contains(&(outcome.len() - number.len()))
}

/// How far from "National Curriculum" its key stage may stand.
const STAGE_BYTES: usize = 30;

/// Finds "National Curriculum … Key Stage 3" where outcomes are claimed.
pub(super) fn find_named(text: &str, claims: &impl Fn(usize) -> bool) -> Vec<Foreign> {
    const NAME: &str = "national curriculum";
    // Lower case of ASCII only, so that places stay.
    let lower = text.to_ascii_lowercase();
    let named = lower.match_indices(NAME).filter(|(start, _)| claims(*start));
    let staged = named.filter_map(|(start, _)| {
        let after = start + NAME.len();
        let near = (after..=lower.len().min(after + STAGE_BYTES)).rev().find(|end| lower.is_char_boundary(*end));
        let after = part(&lower, after..near.unwrap_or(after)).split('\n').next().unwrap_or_default();
        let stage = ["key stage ", "ks"].into_iter().find_map(|name| {
            let digit = after.find(name)? + name.len();
            part(after, digit..digit + 1).starts_with(['1', '2', '3', '4']).then_some(digit + 1)
        });
        let end = start + NAME.len() + stage?;
        let as_written = part(text, start..end).to_owned();
        Some(Foreign { as_written, framework: Framework::England, start, end })
    });
    staged.collect()
}
