//! Codes of other countries' curricula.
//!
//! A model that has read the whole web drifts into them. Only what is written like a reference counts: a worksheet "made
//! for KS3" is a fact about the worksheet, "NC KS3 Ma2.1" is a claim of alignment. Where a form is also ordinary text
//! (`RL.7.1`), the framework must be named nearby.

use std::fmt;

use crate::cursor::Cursor;

mod named;

/// A framework whose codes are recognised here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Framework {
    /// Common Core State Standards, mathematics and English (USA).
    CommonCore,
    /// National Curriculum (England).
    England,
    /// K-12 Computer Science Standards (USA).
    Csta,
    /// Next Generation Science Standards (USA).
    NextGenerationScience,
    /// Australian Curriculum, with the syllabuses of its states.
    Australia,
    /// Specifications of the examination boards of England, Wales and Northern Ireland.
    ExamBoard,
    /// Texas Essential Knowledge and Skills (USA).
    Texas,
    /// ISTE standards (USA).
    Iste,
}

impl Framework {
    /// The name a teacher knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::CommonCore => "Common Core (USA)",
            Self::England => "National Curriculum (England)",
            Self::Csta => "CSTA standards (USA)",
            Self::NextGenerationScience => "Next Generation Science Standards (USA)",
            Self::Australia => "Australian Curriculum",
            Self::ExamBoard => "examination boards outside Scotland",
            Self::Texas => "Texas standards (TEKS)",
            Self::Iste => "ISTE standards (USA)",
        }
    }
}

impl fmt::Display for Framework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A code of another curriculum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// The text as it was written.
    pub as_written: String,
    /// The framework it belongs to.
    pub framework: Framework,
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last character.
    pub end: usize,
}

/// How far from `RL.7.1` the words "CCSS" or "Common Core" may stand for it to be read as a code.
const NEARBY_BYTES: usize = 200;

/// Finds codes of other curricula, in order.
pub fn find_foreign(text: &str) -> Vec<Foreign> {
    find_foreign_where(text, |_| false)
}

/// As [`find_foreign`], where the caller knows at which byte offsets outcomes are claimed: there `RL.7.1` needs no framework
/// nearby, and "National Curriculum, Key Stage 3" is a claim as well.
pub fn find_foreign_where(text: &str, claims: impl Fn(usize) -> bool) -> Vec<Foreign> {
    let mut found = find_codes(text, &claims);
    found.extend(named::find_named(text, &claims));
    found.sort_by_key(|foreign| foreign.start);
    found
}

fn find_codes(text: &str, claims: &impl Fn(usize) -> bool) -> Vec<Foreign> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let next = tokens.get(index + 1).filter(|next| text.get(token.end..next.start).is_some_and(is_gap));
        let near = || claims(token.start) || names_common_core_near(text, token);
        if let Some(framework) = framework_of(token.text, near) {
            found.push(token.foreign(text, token.end, framework));
        } else if let Some((framework, next)) =
            next.and_then(|next| Some((framework_of_pair(token.text, next.text)?, next)))
        {
            index += 1;
            // "AQA 8525 3.1.2": board, specification, section.
            let last = tokens.get(index + 1).filter(|last| text.get(next.end..last.start).is_some_and(is_gap));
            let last = last.filter(|last| framework == Framework::ExamBoard && named::is_section(last.text));
            index += usize::from(last.is_some());
            found.push(token.foreign(text, last.unwrap_or(next).end, framework));
        }
        index += 1;
    }
    found
}

#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl Token<'_> {
    fn foreign(&self, text: &str, end: usize, framework: Framework) -> Foreign {
        let as_written = text.get(self.start..end).unwrap_or(self.text).to_owned();
        Foreign { as_written, framework, start: self.start, end }
    }
}

/// Words with the punctuation that references have inside.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '/' | ':');
    let mut cursor = Cursor::new(text, 0);
    let mut tokens = Vec::new();
    while let Some(start) = cursor.next_word() {
        let word = cursor.take_run(usize::MAX, inside).trim_end_matches(['.', '-', '/', ':']);
        tokens.push(Token { text: word, start, end: start + word.len() });
    }
    tokens
}

fn is_gap(between: &str) -> bool {
    between.len() <= 3 && between.chars().all(|c| c.is_whitespace() || matches!(c, ':' | '.'))
}

fn framework_of(token: &str, near_common_core: impl Fn() -> bool) -> Option<Framework> {
    // Few words hold a digit, and every code does.
    if !token.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let prefixed = token.strip_prefix("CCSS").is_some_and(|rest| rest.starts_with(['.', '-', ':', '/']));
    if prefixed || is_common_core_maths(token) || (is_common_core_english(token) && near_common_core()) {
        Some(Framework::CommonCore)
    } else if is_england(token) {
        Some(Framework::England)
    } else if is_csta(token) {
        Some(Framework::Csta)
    } else if is_next_generation_science(token) {
        Some(Framework::NextGenerationScience)
    } else if is_australia(token) || named::is_state_of_australia(token) {
        Some(Framework::Australia)
    } else {
        token.split_once(['.', '-', '/', ':']).and_then(|(prefix, rest)| named::of_prefix(prefix, rest))
    }
}

/// "CCSS 7.EE.A.1", "NC KS3", "KS3 Ma2.1": two words that are a reference together.
fn framework_of_pair(token: &str, next: &str) -> Option<Framework> {
    let common_core = token == "CCSS" && (is_common_core_maths(next) || is_common_core_english(next));
    let england =
        (token == "NC" && key_stage(next).is_some()) || (key_stage(token) == Some("") && is_england_reference(next));
    match (common_core, england) {
        (true, _) => Some(Framework::CommonCore),
        (_, true) => Some(Framework::England),
        _ => named::of_prefix(token, next),
    }
}

fn names_common_core_near(text: &str, token: &Token<'_>) -> bool {
    let mut from = token.start.saturating_sub(NEARBY_BYTES);
    let mut to = (token.end + NEARBY_BYTES).min(text.len());
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    while !text.is_char_boundary(to) {
        to += 1;
    }
    text.get(from..to).is_some_and(|near| near.contains("CCSS") || near.to_lowercase().contains("common core"))
}

/// `7.EE.A.1`, `7.EE.1`, `K.CC.A.2`, `HSA-REI.B.3`, `A-REI.B.3`.
fn is_common_core_maths(token: &str) -> bool {
    const DOMAINS: &str = "CC OA NBT NF MD G RP NS EE SP F";
    const HIGH_SCHOOL: &str = "RN Q CN VM SSE APR CED REI IF BF LE TF CO SRT C GPE GMD MG ID IC CP MD";
    let cluster = |part: &str| matches!(part, "A" | "B" | "C" | "D");
    let parts: Vec<&str> = token.split(['.', '-']).collect();
    match parts.as_slice() {
        [grade, domain, group, number] if is_grade(grade) => {
            is_one_of(domain, DOMAINS) && cluster(group) && is_item(number)
        }
        [grade, domain, last] if is_grade(grade) => {
            is_one_of(domain, DOMAINS) && domain.len() > 1 && (cluster(last) || is_item(last))
        }
        [category, domain, group, number] => {
            let category = category.strip_prefix("HS").unwrap_or(category);
            matches!(category, "N" | "A" | "F" | "G" | "S")
                && is_one_of(domain, HIGH_SCHOOL)
                && cluster(group)
                && is_item(number)
        }
        _ => false,
    }
}

/// `RL.7.1`, `W.9-10.2`: also ordinary numbering, so the caller asks for the framework's name nearby.
fn is_common_core_english(token: &str) -> bool {
    const STRANDS: &str = "RL RI RF W SL L RH RST WHST";
    let parts: Vec<&str> = token.split('.').collect();
    match parts.as_slice() {
        [strand, grade, number] => {
            let grades = is_grade(grade) || matches!(*grade, "6-8" | "9-10" | "11-12");
            is_one_of(strand, STRANDS) && grades && is_item(number)
        }
        _ => false,
    }
}

/// `KS3/Ma/2.1`, `NC-KS3`, `Ma3/2.1`.
fn is_england(token: &str) -> bool {
    if let Some(rest) = token.strip_prefix("NC").and_then(|rest| rest.strip_prefix(['-', '/', ':', '.'])) {
        return key_stage(rest).is_some();
    }
    if let Some(rest) = key_stage(token) {
        return rest.get(1..).is_some_and(|rest| is_england_reference(rest.trim_start_matches(['-', '/', ':', '.'])));
    }
    token.split_once('/').is_some_and(|(subject, rest)| {
        is_subject_level(subject) && rest.starts_with(|c: char| c.is_ascii_digit()) && is_dotted(rest)
    })
}

/// What follows `KS3` in a token that begins with it.
fn key_stage(token: &str) -> Option<&str> {
    token.strip_prefix("KS")?.strip_prefix(['1', '2', '3', '4']).filter(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// `Ma2.1`, `Ma/2.1`, `2.1`, `CS-1`: not `KS4`, `S1`, `Y7` or another number, which go on with the sentence.
fn is_england_reference(token: &str) -> bool {
    if let Some((subject, number)) = token.split_once(['-', '/', '.']) {
        let letters = (2..=4).contains(&subject.len())
            && subject.bytes().all(|b| b.is_ascii_alphabetic())
            && !subject.starts_with("KS");
        let digits = subject.len() < 3
            && subject.bytes().all(|b| b.is_ascii_digit())
            && !token.contains('-')
            && !token.contains('/');
        return ((letters && subject.starts_with(|c: char| c.is_ascii_uppercase()))
            || digits
            || is_subject_level(subject))
            && is_dotted(number);
    }
    is_subject_level(token)
}

/// `Ma3`, `En2`, `Sc1`: subject and attainment target.
fn is_subject_level(token: &str) -> bool {
    ["Ma", "En", "Sc", "Hi", "Gg", "Ge", "Te", "Mu", "Ar"].iter().any(|subject| {
        token.strip_prefix(subject).is_some_and(|digit| digit.len() == 1 && digit.bytes().all(|b| b.is_ascii_digit()))
    })
}

fn is_csta(token: &str) -> bool {
    let parts: Vec<&str> = token.split('-').collect();
    match parts.as_slice() {
        [level, strand, number] => {
            matches!(*level, "1A" | "1B" | "2" | "3A" | "3B")
                && matches!(*strand, "CS" | "NI" | "DA" | "AP" | "IC")
                && number.len() == 2
                && number.bytes().all(|b| b.is_ascii_digit())
        }
        _ => false,
    }
}

fn is_next_generation_science(token: &str) -> bool {
    let parts: Vec<&str> = token.split('-').collect();
    match parts.as_slice() {
        [grade, strand, number] => {
            let subject = strand.trim_end_matches(|c: char| c.is_ascii_digit());
            matches!(*grade, "K" | "1" | "2" | "3" | "4" | "5" | "MS" | "HS")
                && matches!(subject, "PS" | "LS" | "ESS" | "ETS")
                && strand.len() == subject.len() + 1
                && is_item(number)
        }
        _ => false,
    }
}

/// `ACMNA123` and `ACELA1547` of the old version and `AC9M7N01` of the new.
fn is_australia(token: &str) -> bool {
    let Some(rest) = token.strip_prefix("AC") else {
        return false;
    };
    let capitals = rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let letters = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = rest.len() - letters.len();
    let old = (3..=4).contains(&digits)
        && (3..=6).contains(&letters.len())
        && letters.bytes().all(|b| b.is_ascii_uppercase());
    let new = rest.starts_with('9') && digits == 2 && (4..=8).contains(&letters.len());
    capitals && (old || new)
}

fn is_one_of(part: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == part)
}

fn is_grade(part: &str) -> bool {
    matches!(part, "K" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8")
}

/// A number of one or two digits, with a letter at most.
fn is_item(part: &str) -> bool {
    let digits = part.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(part);
    (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `2.1`, `2`, `2.1a`, `Ma/2.1`.
fn is_dotted(part: &str) -> bool {
    !part.is_empty() && part.split(['.', '/']).all(|piece| is_item(piece) || is_subject_level(piece))
}

#[cfg(test)]
mod tests;
