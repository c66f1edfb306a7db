//! The front matter of a class profile, `classes/<class>.md`.

use serde_json::Value;

use crate::front_matter::markdown;
use crate::problem::Problem;

/// Minutes that a lesson may last.
pub const PERIOD_MINUTES: std::ops::RangeInclusive<u32> = 10..=240;

/// What the host needs to know about a class; its prose is for people and models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassProfile {
    /// Its identifier, such as `3B`.
    pub class: String,
    /// Its level, such as `third`.
    pub level: Option<String>,
    /// Length of a lesson in minutes.
    pub period_minutes: Option<u32>,
}

/// Reads a class profile; every problem goes into the list.
pub fn class_profile(file: &str, name: &str, text: &str, problems: &mut Vec<Problem>) -> Option<ClassProfile> {
    let document = match markdown(file, text) {
        Ok(document) => document,
        Err(problem) => {
            problems.push(problem);
            return None;
        }
    };
    let Some(fields) = document.fields else {
        let remedy =
            format!("begin the file with `---`, `class: {name}`, `level: third`, `period_minutes: 50` and `---`");
        problems.push(
            Problem::new("front-matter.missing", file, "the class profile has no front matter", remedy).at(Some(1)),
        );
        return None;
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
    let level = fields.one_of("level", &["early", "first", "second", "third", "fourth"], problems);
    if !fields.fields.contains_key("level") {
        fields.required("level", "level: third", problems);
    }
    let period_minutes = fields.count("period_minutes", PERIOD_MINUTES, problems);
    if !fields.fields.contains_key("period_minutes") {
        fields.required("period_minutes", "period_minutes: 50", problems);
    }
    fields.text("year", problems);
    fields.text("framework", problems);
    fields.list("subjects", problems);
    fields.count("pupils", 0..=60, problems);
    if let Some(needs) = fields.fields.get("needs") {
        check_needs(file, needs.line, &needs.value, problems);
    }
    Some(ClassProfile { class, level, period_minutes })
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

    #[test]
    fn a_profile_and_its_problems() {
        let mut problems = Vec::new();
        let good = "---\nclass: 3B\nlevel: third\nperiod_minutes: 50\n---\n";
        assert_eq!(class_profile("classes/3B.md", "3B", good, &mut problems).unwrap().period_minutes, Some(50));
        assert_eq!(problems, []);
        class_profile(
            "classes/3B.md",
            "3B",
            "---\nclass: 3C\nlevel: thrid\nperiod_minutes: 500\nneeds: none\n---\n",
            &mut problems,
        );
        let fields: Vec<_> = problems.iter().map(|problem| problem.field.clone().unwrap_or_default()).collect();
        assert_eq!(fields, ["class", "level", "period_minutes", "needs"]);
    }
}
