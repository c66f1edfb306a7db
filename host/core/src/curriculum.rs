//! A curriculum file, checked: its front matter, and that its entries say what their codes say.

use std::collections::BTreeMap;

use ta_curriculum::file::CurriculumFile;
use ta_curriculum::level::Levels;

use crate::front_matter::markdown;
use crate::problem::Problem;

/// Checks a curriculum file; every problem goes into the list.
pub fn curriculum_file(file: &str, text: &str, problems: &mut Vec<Problem>) {
    match markdown(file, text) {
        Err(problem) => return problems.push(problem),
        Ok(document) => match document.fields {
            None => {
                let remedy = "begin the file with `---`, the fields subject, title, framework, version, text_kind and source, and `---`";
                let message = "the curriculum file has no front matter";
                problems.push(Problem::new("front-matter.missing", file, message, remedy).at(Some(1)));
            }
            Some(fields) => {
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
        },
    }
    let parsed = CurriculumFile::parse(text);
    if parsed.entries.is_empty() && parsed.labelled.is_empty() {
        let remedy = "write each outcome under a heading that begins with its code: `## TCH 3-14a: what it says`";
        problems.push(Problem::new("curriculum.empty", file, "there is no entry in this file", remedy));
    }
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for it in &parsed.labelled {
        if let Some(first) = seen.insert(it.label.clone(), it.entry.first_line) {
            let message = format!("{} has an entry already, at line {first}", it.label);
            let line = usize::try_from(it.entry.first_line).ok();
            problems.push(Problem::new("curriculum.duplicate", file, message, "keep one of the two").at(line));
        }
    }
    for entry in &parsed.entries {
        let line = usize::try_from(entry.first_line).ok();
        for code in &entry.codes {
            if let Some(first) = seen.insert(code.to_string(), entry.first_line) {
                let message = format!("{code} has an entry already, at line {first}");
                problems.push(Problem::new("curriculum.duplicate", file, message, "keep one of the two").at(line));
            }
        }
        let Some(field) = entry.fields.iter().find(|field| field.name.eq_ignore_ascii_case("level")) else { continue };
        let at = usize::try_from(field.line).ok();
        match field.value.parse::<Levels>() {
            Err(_) => {
                let message = format!("`{}` is no level", field.value);
                problems.push(
                    Problem::new("field.value", file, message, "write early, first, second, third or fourth")
                        .at(at)
                        .field("Level"),
                );
            }
            Ok(levels) if !entry.codes.iter().any(|code| levels.contains(code.level())) => {
                let codes: Vec<String> = entry.codes.iter().map(ToString::to_string).collect();
                let message = format!("{} is not of the level `{}`", codes.join(" / "), field.value);
                problems.push(
                    Problem::new("curriculum.level", file, message, "mend the code or the level").at(at).field("Level"),
                );
            }
            Ok(_) => {}
        }
    }
}
