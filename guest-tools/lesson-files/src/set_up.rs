//! Guided set-up: answers to a few questions, written as the same markdown that a teacher would write by hand.

mod text;

use serde::{Deserialize, Serialize};
use ta_curriculum::file::CurriculumFile;

use crate::check::{File, LEVELS};

/// Classes that are set up at once.
const CLASSES_MAX: usize = 20;
/// Letters of a class's name.
const CLASS_BYTES_MAX: usize = 32;
/// Where curriculum files lie.
const CURRICULUM: &str = "curriculum/";
/// The assistant's own words.
const SOUL: &str = "soul.md";

/// About the teacher; never a name.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AboutTeacher {
    /// Subjects, the room, devices, printing: a line each.
    about: Vec<String>,
    /// What a lesson should have.
    likes: Vec<String>,
    /// What it should not.
    avoids: Vec<String>,
    /// Languages and tools.
    tools: Vec<String>,
}

/// How the teacher teaches.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AboutPedagogy {
    /// A line each.
    principles: Vec<String>,
    /// Where they pull against each other.
    tensions: Vec<String>,
}

/// A need within a class; never a name.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AboutNeed {
    /// Such as `two pupils with English as an additional language`.
    group: String,
    need: String,
    support: String,
}

/// A class.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AboutClass {
    /// Such as `3B`; the name of its file.
    id: String,
    year: Option<String>,
    /// `early`, `first`, `second`, `third` or `fourth`.
    level: String,
    subjects: Vec<String>,
    pupils: Option<u32>,
    period_minutes: u32,
    needs: Vec<AboutNeed>,
    /// What they know already.
    knows: Vec<String>,
    works: Vec<String>,
    does_not_work: Vec<String>,
    /// The room, in a sentence or two.
    room: String,
}

/// What a workspace is made from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answers {
    teacher: Option<AboutTeacher>,
    pedagogy: Option<AboutPedagogy>,
    #[serde(default)]
    classes: Vec<AboutClass>,
    /// Curriculum files, by their names in `set_up_choices`.
    #[serde(default)]
    curriculum: Vec<String>,
    /// Files that may be taken over as they are, which the host puts here.
    #[serde(default)]
    templates: Vec<File>,
}

/// What is wrong with the answers, for whoever gave them.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refused {
    code: &'static str,
    message: String,
    hint: &'static str,
    /// Whose mistake it is: that of whoever asked.
    usage: bool,
}

impl Refused {
    const fn new(code: &'static str, message: String, hint: &'static str) -> Self {
        Self { code, message, hint, usage: true }
    }
}

/// The files of a workspace, each with its text.
///
/// # Errors
/// `setup.classes`, `setup.class`, `setup.curriculum`.
pub(crate) fn files(answers: &Answers) -> Result<Vec<File>, Refused> {
    if answers.classes.len() > CLASSES_MAX {
        let message = format!("at most {CLASSES_MAX} classes are set up at once");
        return Err(Refused::new("setup.classes", message, "send the others after these"));
    }
    let template = |path: &str| answers.templates.iter().find(|it| it.path == path).cloned();
    let file = |path: &str, text: String| File { path: path.to_owned(), text };
    let mut files = Vec::new();
    files.extend(answers.teacher.as_ref().map(|teacher| file("teacher.md", text::teacher(teacher))));
    files.extend(answers.pedagogy.as_ref().map(|pedagogy| file("pedagogy.md", text::pedagogy(pedagogy))));
    // Whoever begins with an empty workspace gets the assistant's own words too.
    files.extend(template(SOUL).filter(|_| answers.teacher.is_some()));
    for class in &answers.classes {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if class.id.is_empty() || class.id.len() > CLASS_BYTES_MAX || !class.id.chars().all(plain) {
            let message = format!("`{}` cannot be a class's name", class.id);
            return Err(Refused::new("setup.class", message, "use letters and digits, such as 3B"));
        }
        files.push(file(&format!("classes/{}.md", class.id), text::class(class)));
    }
    for name in &answers.curriculum {
        let Some(taken) = template(&format!("{CURRICULUM}{name}")) else {
            let message = format!("there is no curriculum `{name}` to take over");
            return Err(Refused::new("setup.curriculum", message, "`set_up_choices` lists them"));
        };
        files.push(taken);
    }
    Ok(files)
}

/// Files that could be taken over.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Offered {
    #[serde(default)]
    templates: Vec<File>,
}

/// A curriculum that can be taken over.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Curriculum {
    name: String,
    title: String,
    subject: String,
    /// Outcomes in it.
    outcomes: usize,
}

/// What can be chosen from.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Choices {
    curricula: Vec<Curriculum>,
    levels: [&'static str; 5],
}

pub(crate) fn choices(offered: &Offered) -> Choices {
    let curriculum = |it: &File| {
        let name = it.path.strip_prefix(CURRICULUM)?.to_owned();
        let file = CurriculumFile::parse(&it.text);
        let subject = file.meta.subject.unwrap_or_default();
        let title = file.meta.title.unwrap_or_else(|| subject.clone());
        Some(Curriculum { name, title, subject, outcomes: file.entries.len() })
    };
    Choices { curricula: offered.templates.iter().filter_map(curriculum).collect(), levels: LEVELS }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn made(answers: serde_json::Value) -> Result<Vec<String>, &'static str> {
        let answers: Answers = serde_json::from_value(answers).unwrap();
        files(&answers).map(|files| files.into_iter().map(|it| it.path).collect()).map_err(|error| error.code)
    }

    #[test]
    fn files_of_the_answers_and_those_that_are_taken_over() {
        let templates = json!([{ "path": "soul.md", "text": "I plan." }, { "path": "curriculum/a.md", "text": "x" }]);
        let all = json!({ "teacher": { "about": ["Maths."] }, "classes": [{ "id": "4A" }], "curriculum": ["a.md"], "templates": templates });
        assert_eq!(made(all).unwrap(), ["teacher.md", "soul.md", "classes/4A.md", "curriculum/a.md"]);
        assert_eq!(made(json!({ "templates": templates })).unwrap(), Vec::<String>::new());
        assert_eq!(made(json!({ "curriculum": ["b.md"], "templates": templates })), Err("setup.curriculum"));
        for id in ["", "../3B", "3 B", "é"] {
            assert_eq!(made(json!({ "classes": [{ "id": id }] })), Err("setup.class"), "{id}");
        }
        assert_eq!(made(json!({ "classes": vec![json!({ "id": "3B" }); 21] })), Err("setup.classes"));
    }

    #[test]
    fn choices_are_the_curricula_that_were_offered() {
        let text = "---\nsubject: maths\n---\n\n## MNU 3-07a: Percentages\n";
        let templates = json!([{ "path": "curriculum/m.md", "text": text }, { "path": "soul.md", "text": "" }]);
        let offered: Offered = serde_json::from_value(json!({ "templates": templates })).unwrap();
        let [only] = choices(&offered).curricula.try_into().unwrap();
        assert_eq!((only.name.as_str(), only.title.as_str(), only.outcomes), ("m.md", "maths", 1));
    }
}
