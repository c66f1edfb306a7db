//! What must be true of every lesson.

use ta_curriculum::file::CurriculumFile;
use ta_curriculum::normalise::{Case, Passage};
use ta_curriculum::outline::Outline;
use ta_curriculum::pointer::find_pointers;

use super::room::Room;
use crate::profile::Profile;
use crate::sections::minutes;

const HEADINGS: [&str; 13] = [
    "Outcomes",
    "Success criteria",
    "Prior knowledge",
    "Misconceptions",
    "Keywords",
    "Starter",
    "Explanation",
    "Practice",
    "Differentiation",
    "Plenary",
    "Exit questions",
    "Resources",
    "About this draft",
];

/// Checks form, minutes, needs and evidence of a lesson against the workspace it was made from.
pub(super) fn check(lesson: &str, room: &Room, class: Option<&str>, period: u32) {
    check_form(lesson, period);
    check_evidence(lesson, room);
    if let Some(class) = class {
        check_needs(lesson, &room.files[&format!("classes/{class}.md")]);
    }
    check_language(lesson);
    check_levels(lesson);
}

fn check_form(lesson: &str, period: u32) {
    let outline = Outline::read(lesson);
    let titles: Vec<String> = outline.sections.iter().map(|section| crate::sections::bare(&section.title)).collect();
    assert_eq!(titles, HEADINGS, "{lesson}");
    let title = lesson.lines().next().unwrap().strip_prefix("# ").unwrap();
    assert!(title.chars().count() <= 80 && !title.ends_with('?'), "{title}");
    assert!(!title.split(' ').next().unwrap().ends_with("ing") || title.starts_with("String"), "a gerund: {title}");
    let timed: Vec<u32> = outline.sections.iter().filter_map(|section| minutes(&section.title)).collect();
    assert_eq!((timed.len(), timed.iter().sum::<u32>()), (4, period), "{lesson}");
    assert!(lesson.contains(&format!("**Length:** {period} minutes")), "{lesson}");
    for section in &outline.sections {
        let body = lesson[section.range.clone()].lines().skip(1).collect::<Vec<_>>().join("\n");
        assert!(body.trim().len() > 20, "{} is empty:\n{lesson}", section.title);
    }
}

fn check_evidence(lesson: &str, room: &Room) {
    let pointers = find_pointers(lesson);
    assert!((1..=3).contains(&pointers.len()), "{} pointers in\n{lesson}", pointers.len());
    for pointer in &pointers {
        let text = &room.files[&pointer.path];
        let lines: Vec<&str> = text.lines().collect();
        let (from, to) = (pointer.from as usize, pointer.to as usize);
        assert!(from >= 1 && from <= to && to <= lines.len(), "{pointer}");
        let passage = lines[from - 1..to].join("\n");
        let quote = pointer.quote.as_deref().unwrap();
        assert!(passage.contains(quote), "“{quote}” does not stand in\n{passage}");
        assert!(Passage::new(&passage, pointer.from, Case::Keep).find(quote).is_some());
        let file = CurriculumFile::parse(text);
        let entry =
            file.entries.iter().find(|entry| entry.codes.iter().any(|code| code.to_string() == pointer.text)).unwrap();
        assert!(entry.first_line <= pointer.from && pointer.to <= entry.last_line, "{pointer}");
        let status = entry.field("Status").unwrap_or("unverified");
        let line = lesson.lines().find(|line| line.contains(&pointer.text)).unwrap();
        let paraphrase = file.meta.text_kind.as_deref() == Some("paraphrase");
        assert_eq!(line.contains("not yet verified)"), status != "verified", "{line}");
        assert_eq!(line.contains("(paraphrase, "), paraphrase && status != "verified", "{line}");
    }
    // Codes stand under Outcomes and nowhere else; the name of a material file claims nothing.
    let outline = Outline::read(lesson);
    for section in outline.sections.iter().filter(|section| section.title != "Outcomes") {
        let is_path = |part: &&str| !(part.starts_with("material/") && part.ends_with(".md"));
        let body: Vec<&str> = lesson[section.range.clone()].split('`').filter(is_path).collect();
        let found = ta_curriculum::code::find_codes(&body.join("`"));
        assert!(found.is_empty(), "a code under {}: {found:?}", section.title);
    }
}

fn check_needs(lesson: &str, profile: &str) {
    let outline = Outline::read(lesson);
    let section = outline.sections.iter().find(|section| section.title == "Differentiation").unwrap();
    let text = lesson[section.range.clone()].to_lowercase();
    for need in Profile::read(profile).needs {
        assert!(text.contains(&need.group.to_lowercase()), "{} is missing in\n{text}", need.group);
        for part in need.support.split(';') {
            let part = part.trim().trim_end_matches('.').to_lowercase();
            assert!(text.contains(&part), "{part} is missing in\n{text}");
        }
    }
}

/// A level named anywhere but under the title, beside a code or in words of the profile would be a claim without a pointer.
fn check_levels(lesson: &str) {
    let outline = Outline::read(lesson);
    for section in &outline.sections {
        let from_profile =
            ["Outcomes", "Differentiation", "Resources", "Prior knowledge"].contains(&section.title.as_str());
        // The line of an outcome says its own level where it is not that of the class.
        let is_outcome = |line: &&str| section.title == "Outcomes" && line.starts_with("- [");
        let text: Vec<&str> = lesson[section.range.clone()].lines().filter(|line| !is_outcome(line)).collect();
        let found = ta_curriculum::level::find_levels(&text.join("\n"));
        assert!(from_profile || found.is_empty(), "{}: {found:?}", section.title);
    }
    assert!(ta_curriculum::foreign::find_foreign(lesson).is_empty());
}

/// Slips that filling patterns could leave behind.
fn check_language(lesson: &str) {
    for slip in
        ["..", " ,", " .", "{", "}", "undefined", "None", "an example of an example", "  - *: ", "?.", "“.", "( ", ":."]
    {
        let found = lesson.lines().find(|line| line.contains(slip) && !line.contains("…") && !line.starts_with("- `"));
        assert!(found.is_none(), "“{slip}” in: {}", found.unwrap_or_default());
    }
    for word in ["color", "behavior", "center ", "organize", "analyze", "math "] {
        assert!(!lesson.contains(word), "American spelling: {word}");
    }
}
