//! The markdown that a guided set-up writes.

use std::fmt::Write as _;

use super::{AboutClass, AboutPedagogy, AboutTeacher};

/// `teacher.md`.
pub(super) fn teacher(teacher: &AboutTeacher) -> String {
    let mut text = "# About me\n".to_owned();
    items(&mut text, None, &teacher.about);
    items(&mut text, Some("What I like in a lesson"), &teacher.likes);
    items(&mut text, Some("What I avoid"), &teacher.avoids);
    items(&mut text, Some("Languages and tools I teach with"), &teacher.tools);
    text
}

/// `pedagogy.md`.
pub(super) fn pedagogy(pedagogy: &AboutPedagogy) -> String {
    let mut text = "# How I like to teach\n".to_owned();
    items(&mut text, None, &pedagogy.principles);
    items(&mut text, Some("Where these pull against each other"), &pedagogy.tensions);
    text
}

/// `classes/ID.md`.
pub(super) fn class(class: &AboutClass) -> String {
    let mut text = format!("---\nclass: {}\n", scalar(&class.id));
    if let Some(year) = class.year.as_deref().filter(|year| !year.trim().is_empty()) {
        let _ = writeln!(text, "year: {}", scalar(year));
    }
    let _ = writeln!(text, "level: {}\nframework: cfe", scalar(&class.level));
    let subjects: Vec<String> = class.subjects.iter().map(|subject| scalar(subject)).collect();
    let _ = writeln!(text, "subjects: [{}]", subjects.join(", "));
    if let Some(pupils) = class.pupils {
        let _ = writeln!(text, "pupils: {pupils}");
    }
    let _ = writeln!(text, "period_minutes: {}", class.period_minutes);
    if class.needs.is_empty() {
        text.push_str("needs: []\n");
    } else {
        text.push_str("needs:\n");
        for need in &class.needs {
            let (group, need, support) = (scalar(&need.group), scalar(&need.need), scalar(&need.support));
            let _ = writeln!(text, "  - group: {group}\n    need: {need}\n    support: {support}");
        }
    }
    let subjects = class.subjects.join(" and ");
    let _ =
        writeln!(text, "---\n\n# {}{}{}", class.id, if subjects.is_empty() { "" } else { ", " }, one_line(&subjects));
    items(&mut text, Some("What they know already"), &class.knows);
    items(&mut text, Some("What works"), &class.works);
    items(&mut text, Some("What does not"), &class.does_not_work);
    if !class.room.trim().is_empty() {
        let _ = write!(text, "\n## The room\n\n{}\n", one_line(&class.room));
    }
    text
}

/// A heading with a list below it; nothing where there are no items.
fn items(text: &mut String, heading: Option<&str>, items: &[String]) {
    let items: Vec<String> = items.iter().map(|item| one_line(item)).filter(|item| !item.is_empty()).collect();
    if items.is_empty() {
        return;
    }
    if let Some(heading) = heading {
        let _ = write!(text, "\n## {heading}\n");
    }
    text.push('\n');
    for item in items {
        let _ = writeln!(text, "- {}", item.trim_start_matches("- "));
    }
}

/// What a person typed, in one line: a line break would end what it stands in.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A value of YAML: as it is where nothing in it has a meaning, else in quotation marks, as JSON writes them.
fn scalar(text: &str) -> String {
    let text = one_line(text);
    let plain = text.chars().next().is_some_and(char::is_alphabetic)
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/' | '(' | ')' | ';' | '\''));
    let word = text.to_lowercase();
    let other = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(&word.as_str());
    if plain && !other { text } else { serde_json::to_string(&text).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::super::AboutNeed;
    use super::*;
    use crate::check::{File, files};

    #[test]
    fn whatever_is_typed_the_file_is_sound() {
        let nasty = "two: \"pupils\" # who\n---\nread: {all} 'of' it, - no";
        let class = AboutClass {
            id: "3B".into(),
            year: Some("S3: yes".into()),
            level: "third".into(),
            subjects: vec!["computing".into(), "no".into(), "C#, F#".into()],
            pupils: Some(24),
            period_minutes: 50,
            needs: vec![AboutNeed { group: nasty.into(), need: "1".into(), support: String::new() }],
            knows: vec![nasty.into(), " ".into(), "- loops".into()],
            room: nasty.into(),
            ..AboutClass::default()
        };
        let text = super::class(&class);
        let file = File { path: "classes/3B.md".to_owned(), text: text.clone() };
        assert_eq!(files(&[file]), [], "{text}");
        assert!(text.contains("- loops\n") && text.lines().filter(|line| line.trim() == "---").count() == 2, "{text}");
    }

    #[test]
    fn a_profile_reads_as_if_written_by_hand() {
        let about = AboutTeacher { about: vec!["Computing in S1 to S3.".into()], ..AboutTeacher::default() };
        assert_eq!(teacher(&about), "# About me\n\n- Computing in S1 to S3.\n");
    }
}
