//! Following each pointer to the words it names.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use ta_curriculum::code::Code;
use ta_curriculum::file::Entry;
use ta_curriculum::normalise::{Case, Passage, normalise};
use ta_curriculum::pointer::Pointer;

use super::codes::{Standing, Standings, list};
use super::library::{Library, Source, cleaned, is_same_path};
use super::page::Page;
use super::{Class, Context, Finding, clipped};

/// What following the pointers showed.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// How many were followed.
    pub(super) count: usize,
    /// Codes with a pointer to their own text.
    pub(super) proven: HashSet<Code>,
    /// Codes with a pointer that was found wanting, so that it need not be said again that they lack one.
    pub(super) tried: HashSet<Code>,
}

/// A class with a message: a finding that does not know its place yet.
type Problem = (Class, String);

/// A quote needs this many letters and digits to prove anything.
const QUOTE_CHARS_MIN: usize = 12;
/// And this many words, unless they are long.
const QUOTE_WORDS_MIN: usize = 3;
/// Fewer words will do from this many letters and digits on: "structured information" is found in few places.
const QUOTE_CHARS_ENOUGH: usize = 18;
/// As much of a quote as a message shows.
const QUOTE_CHARS_SHOWN: usize = 50;

/// Follows every pointer that claims something: one with a known code in its text, or into a curriculum file.
pub(super) fn check(
    page: &Page,
    library: &Library,
    context: &Context,
    standings: &Standings,
    findings: &mut Vec<Finding>,
) -> Followed {
    let mut followed = Followed::default();
    let mut changed: HashSet<&str> = HashSet::new();
    let known = |code: &Code| standings.get(code) == Some(&Standing::Known);
    for pointer in &page.pointers {
        let mentions = page.mentions_in(&(pointer.start..pointer.end));
        let named = mentions.iter().flat_map(|mention| mention.codes.iter().copied());
        let codes: Vec<Code> = named.filter(known).collect();
        // A pointer for codes that no file has is told of once, as an unknown code.
        let claims = if mentions.is_empty() { library.is_curriculum(&pointer.path) } else { !codes.is_empty() };
        if !claims {
            continue;
        }
        followed.count += 1;
        if mentions.is_empty() && library.is_curriculum(&pointer.path) && is_code_like(&pointer.text) {
            findings.extend(no_code(pointer, page, library, context));
            continue;
        }
        match follow(pointer, &codes, library, context) {
            Ok(proven) => followed.proven.extend(proven),
            Err((class, message)) => {
                // Whoever shares the entry shares the trouble.
                let shared = codes.iter().flat_map(|code| library.entries(*code)).flat_map(|(_, entry)| &entry.codes);
                followed.tried.extend(codes.iter().chain(shared));
                // A changed file is one problem, however many pointers lead into it.
                if class == Class::FileChanged && !changed.insert(cleaned(&pointer.path)) {
                    continue;
                }
                let code = codes.first().map(Code::to_string);
                findings.push(Finding {
                    class,
                    code,
                    section: page.section_at(pointer.line),
                    line: pointer.line,
                    message,
                });
            }
        }
    }
    followed
}

/// Gives the codes that a pointer proves, or what is wrong with it.
fn follow(pointer: &Pointer, codes: &[Code], library: &Library, context: &Context) -> Result<Vec<Code>, Problem> {
    let source = library.source_at(&pointer.path).map_err(|error| {
        let hint = match library.namesake(&pointer.path) {
            Some(known) => format!("Did you mean {known}? Paths begin at the workspace's root."),
            None => "Point to a curriculum file of the workspace, by its path from the root.".to_owned(),
        };
        (Class::FileMissing, format!("Cannot read {}: {}. {hint}", clipped(&pointer.path, 80), error.reason()))
    })?;
    if !codes.is_empty() {
        unchanged(source, context)?;
        same_framework(source, codes, context)?;
    }
    let range = range(pointer, source)?;
    let cited = |entry: &Entry| codes.is_empty() || entry.codes.iter().any(|code| codes.contains(code));
    let is_whole = |quote: &str| source.entries_in(&range).any(|entry| cited(entry) && is_whole_text(entry, quote));
    let quote = quote(pointer, is_whole)?;
    if codes.is_empty() {
        followed_bare(source, &range, quote)
    } else {
        followed_for(source, &range, quote, codes, library)
    }
}

/// A code that is none of Curriculum for Excellence cannot be proven by its files. Nothing is said of one that is known as
/// another curriculum's, since that is told of as such, or where the files are of a curriculum with codes of its own.
fn no_code(pointer: &Pointer, page: &Page, library: &Library, context: &Context) -> Option<Finding> {
    let of_file = library.source_at(&pointer.path).ok().and_then(|source| source.file.meta.framework.as_deref());
    let expected = of_file.or(context.framework.as_deref()).unwrap_or(CFE);
    let told = page.foreign.iter().any(|foreign| (pointer.start..pointer.end).contains(&foreign.start));
    if told || !super::codes::is_same_framework(expected, CFE) {
        return None;
    }
    let code = clipped(pointer.text.trim(), QUOTE_CHARS_SHOWN);
    let message = format!(
        "{code} is no code of {expected}, so {} cannot prove it. Claim an outcome of the class's own curriculum, by its code.",
        clipped(&pointer.path, 80)
    );
    let section = page.section_at(pointer.line);
    Some(Finding { class: Class::OtherCurriculum, code: Some(code), section, line: pointer.line, message })
}

const CFE: &str = "Curriculum for Excellence";

/// Words in capitals that name the curriculum or a course, not a code.
const NO_CODE_WORDS: &str = "CFE SQA BGE MD PDF HTML";
/// A code has this many letters and digits.
const CODE_CHARS_MIN: usize = 4;

/// Whether a link's text is written as a code is: every word in capitals or with a digit, and both in it. "L12-L14" names
/// lines.
fn is_code_like(text: &str) -> bool {
    let is_mark = |c: char| c.is_ascii_punctuation();
    let mut words = text.split_whitespace().map(|word| word.trim_matches(is_mark)).filter(|word| !word.is_empty());
    let chars = |wanted: fn(&char) -> bool| text.chars().filter(wanted).count();
    let (digits, capitals) = (chars(|c| c.is_ascii_digit()), chars(|c| c.is_ascii_uppercase()));
    let is_code = |word: &str| {
        let lines = word
            .split('-')
            .all(|part| part.strip_prefix(['L', 'l']).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())));
        let shouted = word.bytes().all(|b| b.is_ascii_uppercase());
        let lower = word.bytes().filter(u8::is_ascii_lowercase).count();
        let named = NO_CODE_WORDS.split(' ').any(|known| known == word);
        !lines && !named && lower < 3 && (shouted || word.bytes().any(|b| b.is_ascii_digit()))
    };
    digits > 0 && capitals > 0 && digits + capitals >= CODE_CHARS_MIN - 1 && words.all(is_code)
}

fn unchanged(source: &Source, context: &Context) -> Result<(), Problem> {
    let read = context.reads.iter().rev().find(|(path, _)| is_same_path(path, &source.path));
    match read {
        Some((_, sha256)) if !sha256.eq_ignore_ascii_case(&source.sha256) => Err((
            Class::FileChanged,
            format!(
                "{} has changed since it was read in this run, so its lines may have moved. Read it again and renew every pointer into it.",
                source.path
            ),
        )),
        _ => Ok(()),
    }
}

fn same_framework(source: &Source, codes: &[Code], context: &Context) -> Result<(), Problem> {
    match (&source.file.meta.framework, &context.framework) {
        (Some(found), Some(expected)) if !super::codes::is_same_framework(found, expected) => Err((
            Class::OtherCurriculum,
            format!(
                "{} is cited from {}, which belongs to {found}; this class follows {expected}. Cite the class's own curriculum file.",
                list(codes),
                source.path
            ),
        )),
        _ => Ok(()),
    }
}

fn range(pointer: &Pointer, source: &Source) -> Result<RangeInclusive<u32>, Problem> {
    let count = source.line_count();
    let fault = match pointer.range() {
        Ok(range) if *range.end() <= count => return Ok(range),
        Ok(_) => format!("{} has {count} lines", source.path),
        Err(fault) => fault.to_string(),
    };
    let place = clipped(&pointer.place(), 100);
    Err((
        Class::RangeOutsideFile,
        format!("{place} is no range of lines: {fault}. Read the file and give the lines that hold the quote."),
    ))
}

/// The quote of a pointer; a short one only where it is a whole text of an entry, which cannot be quoted at more length.
fn quote(pointer: &Pointer, is_whole: impl Fn(&str) -> bool) -> Result<&str, Problem> {
    let Some(quote) = pointer.quote.as_deref().filter(|quote| !quote.trim().is_empty()) else {
        let message = format!(
            "The pointer to {} has no quote. Add words that stand on those lines as the link's title, in double quotes.",
            pointer.place()
        );
        return Err((Class::QuoteNotFound, message));
    };
    // The code itself stands in every entry's heading, so it proves nothing.
    let found = ta_curriculum::code::find_codes(quote);
    let bare = ta_curriculum::inline::blank(quote, found.iter().map(|found| found.start..found.end));
    let words = bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    let chars = bare.chars().filter(|c| c.is_alphanumeric()).count();
    let short = chars < QUOTE_CHARS_MIN || (words < QUOTE_WORDS_MIN && chars < QUOTE_CHARS_ENOUGH);
    if short && !is_whole(quote) {
        let shown = clipped(quote, QUOTE_CHARS_SHOWN);
        return Err((
            Class::QuoteNotFound,
            format!(
                "The quote \"{shown}\" is too short to prove anything. Quote at least {QUOTE_WORDS_MIN} words of the outcome."
            ),
        ));
    }
    Ok(quote)
}

/// The fields that hold what an outcome is.
const TEXT_FIELDS: [&str; 3] = ["outcome", "description", "text"];

/// Whether a quote is an entry's whole title or the whole text of its outcome.
fn is_whole_text(entry: &Entry, quote: &str) -> bool {
    let bare = |text: &str| {
        let plain = normalise(text, Case::Ignore);
        plain.trim_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation()).to_owned()
    };
    let quote = bare(quote);
    let fields = TEXT_FIELDS.iter().filter_map(|name| entry.field(name));
    // An entry without fields is a heading and a text.
    let body = entry.text.split_once('\n').map(|(_, body)| body).filter(|_| entry.fields.is_empty());
    !quote.is_empty() && fields.chain(body).chain([entry.title.as_str()]).any(|text| bare(text) == quote)
}

/// A pointer without a code: its words must stand there, and prove the entry that they stand in.
fn followed_bare(source: &Source, range: &RangeInclusive<u32>, quote: &str) -> Result<Vec<Code>, Problem> {
    match found_in(source, range, quote) {
        Some((from, _)) => Ok(source.entry_at(from).map(|entry| entry.codes.clone()).unwrap_or_default()),
        None => Err(not_found(source, range, quote, source.find(quote))),
    }
}

fn followed_for(
    source: &Source,
    range: &RangeInclusive<u32>,
    quote: &str,
    codes: &[Code],
    library: &Library,
) -> Result<Vec<Code>, Problem> {
    let own = source.entries_of(codes);
    if own.is_empty() {
        return Err(no_entry(source, codes, library));
    }
    let lines_of = |entry: &Entry| entry.first_line..=entry.last_line;
    let proven: Vec<Code> = own
        .iter()
        .filter(|entry| overlap(range, &lines_of(entry)).is_some_and(|both| found_in(source, &both, quote).is_some()))
        .flat_map(|entry| entry.codes.iter().copied())
        .collect();
    if !proven.is_empty() {
        return Ok(proven);
    }
    let at_home = || own.iter().find_map(|entry| found_in(source, &lines_of(entry), quote));
    let elsewhere = found_in(source, range, quote).or_else(|| {
        // Words of the code's own entry under wrong lines are a wrong range, not a wrong text.
        if at_home().is_some() { None } else { source.find(quote) }
    });
    let place = own.first().map(|entry| source.place_of(entry)).unwrap_or_default();
    match elsewhere.map(|(line, _)| (line, source.entry_at(line))) {
        Some((line, Some(other))) => Err((
            Class::WrongText,
            format!(
                "The words \"{}\" (line {line}) belong to {}, not to {}, whose entry is {place}. Quote that entry, or claim {}.",
                clipped(quote, QUOTE_CHARS_SHOWN),
                list(&other.codes),
                list(codes),
                list(&other.codes)
            ),
        )),
        Some((line, None)) => Err((
            Class::WrongText,
            format!(
                "The words \"{}\" (line {line}) stand outside the entry of {}, which is {place}. Quote the entry itself.",
                clipped(quote, QUOTE_CHARS_SHOWN),
                list(codes)
            ),
        )),
        None => Err(not_found(source, range, quote, at_home())),
    }
}

fn no_entry(source: &Source, codes: &[Code], library: &Library) -> Problem {
    let place =
        codes.iter().find_map(|code| library.entries(*code).next()).map(|(source, entry)| source.place_of(entry));
    let place = place.map(|place| format!(" Its entry is {place}: quote that.")).unwrap_or_default();
    (
        Class::WrongText,
        format!("{} holds no entry of {}, so its words cannot be this outcome's.{place}", source.path, list(codes)),
    )
}

fn not_found(source: &Source, range: &RangeInclusive<u32>, quote: &str, place: Option<(u32, u32)>) -> Problem {
    let shown = clipped(quote, QUOTE_CHARS_SHOWN);
    let lines = lines_named(*range.start(), *range.end());
    let advice = match place {
        Some((from, to)) => format!("They stand on {}: correct the lines.", lines_named(from, to)),
        None => "Read the file again and quote its own words; do not quote from memory.".to_owned(),
    };
    (Class::QuoteNotFound, format!("The words \"{shown}\" do not stand on {lines} of {}. {advice}", source.path))
}

fn lines_named(from: u32, to: u32) -> String {
    if from == to { format!("line {from}") } else { format!("lines {from}-{to}") }
}

fn overlap(a: &RangeInclusive<u32>, b: &RangeInclusive<u32>) -> Option<RangeInclusive<u32>> {
    let both = *a.start().max(b.start())..=*a.end().min(b.end());
    (!both.is_empty()).then_some(both)
}

fn found_in(source: &Source, range: &RangeInclusive<u32>, quote: &str) -> Option<(u32, u32)> {
    Passage::new(source.lines(range), *range.start(), Case::Ignore).find(quote)
}
