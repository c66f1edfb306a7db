//! Each code as a whole: does the workspace know it, and does anything in the output prove it.

use std::collections::{BTreeMap, HashSet};

use ta_curriculum::code::{Code, Fault, ORGANISERS};

use super::library::Library;
use super::page::{Mention, Page};
use super::pointers::Followed;
use super::{Class, Context, Finding, clipped};

/// Where a code stands with the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Standing {
    /// A curriculum file of the class's framework has it.
    Known,
    /// Only files of this other framework have it.
    Elsewhere(String),
    /// No curriculum file has it.
    Unknown,
}

/// The codes that an output claims.
pub(super) type Standings = BTreeMap<Code, Standing>;

/// Looks up every code that the output names.
pub(super) fn standings(page: &Page, library: &Library, context: &Context) -> Standings {
    let codes = page.mentions.iter().flat_map(|mention| mention.codes.iter().copied());
    codes.map(|code| (code, standing(code, library, context))).collect()
}

fn standing(code: Code, library: &Library, context: &Context) -> Standing {
    let mut other = None;
    for (source, _) in library.entries(code) {
        match (&source.file.meta.framework, &context.framework) {
            (Some(found), Some(expected)) if !is_same_framework(found, expected) => other = Some(found.clone()),
            _ => return Standing::Known,
        }
    }
    other.map_or(Standing::Unknown, Standing::Elsewhere)
}

/// Reports codes that no file has, codes of other curricula, and codes that nothing proves.
pub(super) fn check(
    page: &Page,
    library: &Library,
    context: &Context,
    standings: &Standings,
    followed: &Followed,
    findings: &mut Vec<Finding>,
) {
    for mention in page.mentions.iter().filter(|mention| mention.fault.is_some()) {
        findings.push(finding(page, mention, Class::UnknownCode, mention.as_written.clone(), faulty(mention)));
    }
    for (&code, standing) in standings {
        let Some(mention) = page.first_mention(code) else {
            continue;
        };
        let problem = match standing {
            Standing::Unknown => Some((Class::UnknownCode, unknown(code, library))),
            Standing::Elsewhere(framework) => Some((Class::OtherCurriculum, elsewhere(code, framework, context))),
            Standing::Known if followed.proven.contains(&code) || followed.tried.contains(&code) => None,
            Standing::Known => Some((Class::NoPointer, unproven(code, mention, page, library))),
        };
        if let Some((class, message)) = problem {
            findings.push(finding(page, mention, class, code.to_string(), message));
        }
    }
    aside(page, library, standings, findings);
    foreign(page, context, findings);
}

/// Reports invented codes in fenced blocks and descriptions of images. A program has capitals and digits of its own, so only
/// known organisers count there; a real code there is an example and needs no pointer.
fn aside(page: &Page, library: &Library, standings: &Standings, findings: &mut Vec<Finding>) {
    let known = |organiser: &str| {
        ORGANISERS.contains(&organiser) || library.organisers().iter().any(|known| known == organiser)
    };
    let mut told: HashSet<Code> = standings.keys().copied().collect();
    for mention in &page.aside {
        let organiser = mention.as_written.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if mention.fault == Some(Fault::NoSuchLevel) && known(organiser) {
            findings.push(finding(page, mention, Class::UnknownCode, mention.as_written.clone(), faulty(mention)));
        }
        for &code in mention.codes.iter().filter(|code| known(code.organiser())) {
            if library.entries(code).next().is_none() && told.insert(code) {
                let message = unknown(code, library);
                findings.push(finding(page, mention, Class::UnknownCode, code.to_string(), message));
            }
        }
    }
}

fn finding(page: &Page, mention: &Mention, class: Class, code: String, message: String) -> Finding {
    Finding { class, code: Some(code), section: page.section_at(mention.line), line: mention.line, message }
}

fn faulty(mention: &Mention) -> String {
    let written = &mention.as_written;
    match mention.fault {
        Some(Fault::NoLetter) => {
            format!(
                "{written} is not a whole outcome code: its letter is missing, as in TCH 3-14a. Use the code that the curriculum file has."
            )
        }
        _ => format!(
            "{written} cannot be an outcome code: levels go from 0 (early) to 4 (fourth). Use a code that the curriculum file has."
        ),
    }
}

fn unknown(code: Code, library: &Library) -> String {
    let near = nearest(code, library);
    let near = if near.is_empty() { String::new() } else { format!(" The files have {}.", list(&near)) };
    let unread = match library.unread() {
        0 => String::new(),
        count => format!(" ({count} curriculum file(s) could not be read.)"),
    };
    format!(
        "{code} is in no curriculum file of the workspace.{near}{unread} Use a code that a file has, or drop the claim."
    )
}

/// Most codes named as suggestions.
const NEAREST_MAX: usize = 3;

/// The codes of the same organiser that are likeliest to have been meant: the nearest number, the same level first.
fn nearest(code: Code, library: &Library) -> Vec<Code> {
    let mut near: Vec<Code> = library.codes().filter(|known| known.organiser() == code.organiser()).collect();
    near.sort_by_key(|known| {
        let distance = known.number().abs_diff(code.number());
        (known.level() != code.level(), distance, known.letter() != code.letter(), *known)
    });
    near.truncate(NEAREST_MAX);
    near
}

fn elsewhere(code: Code, framework: &str, context: &Context) -> String {
    let expected = context.framework.as_deref().unwrap_or("another curriculum");
    format!(
        "{code} stands only in files of {framework}, but this class follows {expected}. Claim an outcome of the class's own curriculum."
    )
}

fn unproven(code: Code, mention: &Mention, page: &Page, library: &Library) -> String {
    let place = library.entries(code).next().map(|(source, entry)| source.place_of(entry)).unwrap_or_default();
    // What follows the code is still a parenthesis, so somebody meant a link and a renderer sees none.
    let after = page.visible.get(mention.range.end..).unwrap_or_default().trim_start_matches(['*', '_', '`']);
    let reason = if mention.pointer.is_some() {
        "The pointer around it proves another code."
    } else if after.starts_with("](") {
        "What follows it does not read as a link: a double quote inside the quote is written \\\", a space in the path %20."
    } else {
        "Nothing points to its text."
    };
    format!(
        "{code} is claimed without evidence. {reason} Write [{code}](path#L12-L14 \"words that stand there\") once; its entry is {place}."
    )
}

fn foreign(page: &Page, context: &Context, findings: &mut Vec<Finding>) {
    let expected = context.framework.as_deref().unwrap_or("Curriculum for Excellence");
    let mut seen: Vec<&str> = Vec::new();
    for foreign in &page.foreign {
        if seen.contains(&foreign.as_written.as_str()) || is_same_framework(foreign.framework.name(), expected) {
            continue;
        }
        seen.push(&foreign.as_written);
        let line = page.line_at(foreign.start);
        let message = format!(
            "{} is a code of the {}, but this class follows {expected}. Use an outcome of the class's own curriculum.",
            clipped(&foreign.as_written, 60),
            foreign.framework
        );
        let code = Some(foreign.as_written.clone());
        findings.push(Finding { class: Class::OtherCurriculum, code, section: page.section_at(line), line, message });
    }
}

/// Names that people give one framework; the first is the one that counts.
const FRAMEWORK_NAMES: &[&[&str]] = &[
    &["cfe", "curriculum for excellence"],
    &["common core", "ccss"],
    &["national curriculum", "nc england"],
    &["csta"],
    &["next generation science", "ngss"],
    &["australian curriculum", "acara"],
];

/// Whether two names mean one framework: "CfE 2017" and "Curriculum for Excellence" do.
pub(super) fn is_same_framework(a: &str, b: &str) -> bool {
    let kind = |name: &str| {
        let name = name.to_lowercase();
        FRAMEWORK_NAMES
            .iter()
            .position(|names| names.iter().any(|known| name.contains(known)))
            .ok_or(name.trim().to_owned())
    };
    kind(a) == kind(b)
}

/// Codes as they are listed in messages.
pub(super) fn list(codes: &[Code]) -> String {
    let shown: Vec<String> = codes.iter().map(Code::to_string).collect();
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ta_curriculum::foreign::Framework;

    #[test]
    fn one_framework_has_many_names() {
        for (a, b) in [
            ("CfE", "Curriculum for Excellence"),
            ("CfE 2017", "cfe (draft 2026)"),
            ("Common Core", Framework::CommonCore.name()),
            ("NC England", Framework::England.name()),
            ("IB MYP", "ib myp "),
        ] {
            assert!(is_same_framework(a, b), "{a} and {b}");
        }
        assert!(!is_same_framework("CfE", "Common Core") && !is_same_framework("IB MYP", "CfE"));
    }
}
