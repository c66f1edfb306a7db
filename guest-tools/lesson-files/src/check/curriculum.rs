//! A curriculum file: its front matter, and that its entries say what their codes say.

use std::collections::BTreeMap;

use ta_curriculum::file::{CurriculumFile, Entry};
use ta_curriculum::level::Levels;

use ta_fields::fields::Fields;
use ta_fields::front_matter::markdown;
use ta_fields::problem::Problem;

/// Checks a curriculum file; every problem goes into the list.
pub(super) fn file(file: &str, text: &str, problems: &mut Vec<Problem>) {
    // The host says of every file whether its front matter can be read, before it asks anybody else.
    let Ok(document) = markdown(file, text) else { return };
    match document.fields {
        None => {
            let remedy = "begin the file with `---`, the fields subject, title, framework, version, text_kind and source, and `---`";
            let message = "the curriculum file has no front matter";
            problems.push(Problem::new("front-matter.missing", file, message, remedy).at(Some(1)));
        }
        Some(fields) => head(&fields, problems),
    }
    entries(file, &CurriculumFile::parse(text), problems);
}

fn head(fields: &Fields, problems: &mut Vec<Problem>) {
    for (name, example) in [
        ("subject", "subject: computing"),
        ("version", "version: \"2017\""),
        ("source", "source: where the text comes from"),
    ] {
        fields.required(name, example, problems);
    }
    fields.text("title", problems);
    fields.text("framework", problems);
    if fields.fields.contains_key("text_kind") {
        fields.one_of("text_kind", &["paraphrase", "official"], problems);
    } else {
        fields.required("text_kind", "text_kind: paraphrase", problems);
    }
}

fn entries(file: &str, parsed: &CurriculumFile, problems: &mut Vec<Problem>) {
    if parsed.entries.is_empty() && parsed.labelled.is_empty() {
        let remedy = "write each outcome under a heading that begins with its code: `## TCH 3-14a: what it says`";
        problems.push(Problem::new("curriculum.empty", file, "there is no entry in this file", remedy));
    }
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut once = |name: String, line: u32, problems: &mut Vec<Problem>| {
        if let Some(first) = seen.insert(name.clone(), line) {
            let message = format!("{name} has an entry already, at line {first}");
            let problem = Problem::new("curriculum.duplicate", file, message, "keep one of the two");
            problems.push(problem.at(usize::try_from(line).ok()));
        }
    };
    for it in &parsed.labelled {
        once(it.label.clone(), it.entry.first_line, problems);
    }
    for entry in &parsed.entries {
        for code in &entry.codes {
            once(code.to_string(), entry.first_line, problems);
        }
        level(file, entry, problems);
    }
}

fn level(file: &str, entry: &Entry, problems: &mut Vec<Problem>) {
    let Some(field) = entry.fields.iter().find(|field| field.name.eq_ignore_ascii_case("level")) else { return };
    let at = usize::try_from(field.line).ok();
    let problem = match field.value.parse::<Levels>() {
        Err(_) => {
            let message = format!("`{}` is no level", field.value);
            Problem::new("field.value", file, message, "write early, first, second, third or fourth")
        }
        Ok(levels) if !entry.codes.iter().any(|code| levels.contains(code.level())) => {
            let codes: Vec<String> = entry.codes.iter().map(ToString::to_string).collect();
            let message = format!("{} is not of the level `{}`", codes.join(" / "), field.value);
            Problem::new("curriculum.level", file, message, "mend the code or the level")
        }
        Ok(_) => return,
    };
    problems.push(problem.at(at).field("Level"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(String, Option<usize>)> {
        let mut problems = Vec::new();
        file("curriculum/a.md", text, &mut problems);
        problems.into_iter().map(|it| (it.code, it.line)).collect()
    }

    const HEAD: &str = "---\nsubject: computing\nversion: \"2017\"\nsource: a page\ntext_kind: paraphrase\n---\n\n";

    #[test]
    fn entries_say_what_their_codes_say() {
        assert_eq!(codes(&format!("{HEAD}## TCH 3-14a: Loops\n\n- **Level:** third\n")), []);
        let problem = |code: &str, line: usize| (code.to_owned(), Some(line));
        let twice =
            format!("{HEAD}## TCH 3-14a: Loops\n\n- **Level:** second\n\n## TCH 3-14a: Again\n\n- **Level:** top\n");
        assert_eq!(
            codes(&twice),
            [problem("curriculum.level", 10), problem("curriculum.duplicate", 12), problem("field.value", 14)]
        );
        assert_eq!(codes("# Nothing\n"), [problem("front-matter.missing", 1), ("curriculum.empty".to_owned(), None)]);
    }
}
