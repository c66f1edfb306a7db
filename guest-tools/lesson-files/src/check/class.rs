//! The front matter of a class profile, `classes/<class>.md`.

use serde_json::Value;

use ta_fields::front_matter::markdown;
use ta_fields::problem::Problem;

/// Minutes that a lesson may last.
const PERIOD_MINUTES: std::ops::RangeInclusive<u32> = 10..=240;

/// Pupils of a class at the most.
const PUPILS_MAX: u32 = 60;

/// The levels of a class.
pub(crate) const LEVELS: [&str; 5] = ["early", "first", "second", "third", "fourth"];

/// Checks a class profile; every problem goes into the list.
pub(super) fn profile(file: &str, name: &str, text: &str, problems: &mut Vec<Problem>) {
    // The host says of every file whether its front matter can be read, before it asks anybody else.
    let Ok(document) = markdown(file, text) else { return };
    let Some(fields) = document.fields else {
        let remedy =
            format!("begin the file with `---`, `class: {name}`, `level: third`, `period_minutes: 50` and `---`");
        problems.push(
            Problem::new("front-matter.missing", file, "the class profile has no front matter", remedy).at(Some(1)),
        );
        return;
    };
    fields.only(&["class", "year", "level", "framework", "subjects", "pupils", "period_minutes", "needs"], problems);
    let class = fields.required("class", &format!("class: {name}"), problems);
    if !class.is_empty() && class != name {
        let message = format!("the class `{class}` is not the file's, `{name}`");
        let line = fields.fields.get("class").map(|field| field.line);
        problems.push(
            Problem::new("field.value", file, message, format!("write `class: {name}` or rename the file"))
                .at(line)
                .field("class"),
        );
    }
    fields.one_of("level", &LEVELS, problems);
    if !fields.fields.contains_key("level") {
        fields.required("level", "level: third", problems);
    }
    fields.count("period_minutes", PERIOD_MINUTES, problems);
    if !fields.fields.contains_key("period_minutes") {
        fields.required("period_minutes", "period_minutes: 50", problems);
    }
    fields.text("year", problems);
    fields.text("framework", problems);
    fields.list("subjects", problems);
    fields.count("pupils", 0..=PUPILS_MAX, problems);
    if let Some(needs) = fields.fields.get("needs") {
        check_needs(file, needs.line, &needs.value, problems);
    }
}

fn check_needs(file: &str, line: usize, needs: &Value, problems: &mut Vec<Problem>) {
    let sound = needs.as_array().is_some_and(|needs| {
        needs
            .iter()
            .all(|need| ["group", "need", "support"].iter().all(|name| need.get(name).is_some_and(Value::is_string)))
    });
    if !sound && !needs.is_null() {
        let message = "each need has a `group`, a `need` and a `support`, all texts";
        let remedy = "write `- group: two pupils with …`, `need: …`, `support: …`; never a name";
        problems.push(Problem::new("field.type", file, message, remedy).at(Some(line)).field("needs"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_3b(text: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        profile("classes/3B.md", "3B", text, &mut problems);
        problems
    }

    #[test]
    fn a_profile_and_its_problems() {
        assert_eq!(of_3b("---\nclass: 3B\nlevel: third\nperiod_minutes: 50\n---\n"), []);
        let problems = of_3b("---\nclass: 3C\nlevel: thrid\nperiod_minutes: 500\nneeds: none\n---\n");
        let fields: Vec<_> = problems.iter().map(|problem| problem.field.clone().unwrap_or_default()).collect();
        assert_eq!(fields, ["class", "level", "period_minutes", "needs"]);
        let lines: Vec<_> = problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [Some(2), Some(3), Some(4), Some(5)]);
    }

    #[test]
    fn a_mistyped_field_is_told_with_the_nearest() {
        let problems = of_3b("---\nclass: 3B\nlevel: third\nperiod_minutes: 50\nneds: []\n---\n");
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!((problems[0].code.as_str(), problems[0].line), ("field.unknown", Some(5)));
        assert!(problems[0].remedy.contains("did you mean `needs`?"), "{problems:?}");
        assert_eq!(of_3b("# 3B\n")[0].code, "front-matter.missing");
    }
}
