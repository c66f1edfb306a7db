//! What a lesson can begin with: the classes and the outcomes of the workspace.

use serde::Serialize;
use serde_json::Value;
use ta_curriculum::file::CurriculumFile;
use ta_guest::granted::{Files, Workspace};

use ta_fields::front_matter::markdown;

/// A class of the workspace.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Class {
    id: String,
    title: String,
    /// The first of its subjects.
    subject: String,
    subjects: Vec<String>,
    level: String,
    /// Minutes of a period.
    #[serde(skip_serializing_if = "Option::is_none")]
    minutes: Option<u64>,
    /// Needs, without names.
    needs: Vec<String>,
}

/// An outcome of a curriculum file.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Topic {
    code: String,
    title: String,
    subject: String,
    level: String,
    path: String,
}

/// What a lesson can begin with.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Beginnings {
    classes: Vec<Class>,
    topics: Vec<Topic>,
}

/// Reads them in the workspace. A file that cannot be read is left out: the tree shows it, and `validate` says what is wrong.
pub(crate) fn of(files: &Files<'_, impl Workspace>) -> Beginnings {
    let texts = |directory: &str| {
        let inside = format!("{directory}/");
        let paths = files.below(directory, ".md").into_iter();
        let direct = paths.filter(|path| path.strip_prefix(&inside).is_some_and(|name| !name.contains('/')));
        let read = |path: String| files.read(&path).ok().map(|read| (path, read.text));
        direct.filter_map(read).collect::<Vec<_>>()
    };
    let classes = texts("classes").iter().filter_map(|(path, text)| class(path, text)).collect();
    let topics = texts("curriculum").iter().flat_map(|(path, text)| topics(path, text)).collect();
    Beginnings { classes, topics }
}

fn class(path: &str, text: &str) -> Option<Class> {
    let id = path.strip_prefix("classes/")?.strip_suffix(".md")?.to_owned();
    let document = markdown(path, text).ok()?;
    let fields = document.fields.map(|fields| fields.fields).unwrap_or_default();
    let word =
        |name: &str| fields.get(name).and_then(|field| field.value.as_str()).map(ToOwned::to_owned).unwrap_or_default();
    let list = |name: &str| fields.get(name).and_then(|field| field.value.as_array()).cloned().unwrap_or_default();
    let subjects: Vec<String> = list("subjects").iter().filter_map(|it| it.as_str().map(ToOwned::to_owned)).collect();
    let group = |need: &Value| need.get("group")?.as_str().map(ToOwned::to_owned);
    let title = document.body.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&id).trim().to_owned();
    Some(Class {
        title,
        subject: subjects.first().cloned().unwrap_or_default(),
        subjects,
        level: word("level"),
        minutes: fields.get("period_minutes").and_then(|field| field.value.as_u64()),
        needs: list("needs").iter().filter_map(group).collect(),
        id,
    })
}

fn topics(path: &str, text: &str) -> Vec<Topic> {
    let file = CurriculumFile::parse(text);
    let subject = file.meta.subject.clone().or(file.meta.title.clone()).unwrap_or_default();
    let topic = |entry: &ta_curriculum::file::Entry| {
        let code = entry.codes.first()?;
        Some(Topic {
            code: code.to_string(),
            title: entry.title.clone(),
            subject: subject.clone(),
            level: entry.field("level").map_or_else(|| code.level().name().to_owned(), ToOwned::to_owned),
            path: path.to_owned(),
        })
    };
    file.entries.iter().filter_map(topic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_and_its_topics() {
        let text = "---\nclass: 3B\nlevel: third\nsubjects: [computing, maths]\nperiod_minutes: 50\nneeds:\n  \
                    - group: two pupils\n    need: reading\n    support: pictures\n---\n\n# 3B, computing\n";
        let class = class("classes/3B.md", text).unwrap();
        assert_eq!(
            (class.id.as_str(), class.title.as_str(), class.subject.as_str()),
            ("3B", "3B, computing", "computing")
        );
        assert_eq!((class.minutes, class.needs), (Some(50), vec!["two pupils".to_owned()]));
        let file = "---\nsubject: computing\n---\n\n## TCH 3-14a: Loops\n\n## TCH 4-14a: More\n\n- **Level:** fourth\n";
        let found = topics("curriculum/cfe-computing.md", file);
        let shown: Vec<(&str, &str, &str)> =
            found.iter().map(|it| (it.code.as_str(), it.title.as_str(), it.level.as_str())).collect();
        assert_eq!(shown, [("TCH 3-14a", "Loops", "third"), ("TCH 4-14a", "More", "fourth")]);
    }
}
