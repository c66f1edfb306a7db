//! Every entry of the curriculum files that the project ships, planned for.

use std::path::Path;

use ta_curriculum::file::CurriculumFile;
use ta_curriculum::level::Levels;

use super::form::check;
use super::room::Room;
use super::samples::CLASS_3B;

pub(super) fn shipped(directory: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../workspace").join(directory);
    let mut files: Vec<(String, String)> = std::fs::read_dir(&root)
        .unwrap_or_else(|error| panic!("{}: {error}", root.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            (
                format!("{directory}/{}", path.file_name().unwrap().to_string_lossy()),
                std::fs::read_to_string(&path).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

pub(super) fn room(class: &str) -> Room {
    let mut files = shipped("curriculum");
    files.push(("classes/9Z.md".into(), class.into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Room::new(&files)
}

#[test]
fn every_shipped_entry_can_be_planned_from() {
    let mut planned = 0;
    for (path, text) in shipped("curriculum") {
        let file = CurriculumFile::parse(&text);
        let subject = file.meta.subject.clone().unwrap_or_default();
        for entry in &file.entries {
            let Some(topic) = entry.field("Topics").and_then(|topics| topics.split(',').next()) else { continue };
            let level = entry
                .field("Level")
                .and_then(|level| level.parse::<Levels>().ok())
                .map_or(entry.codes[0].level(), Levels::low);
            let class = CLASS_3B
                .replace("3B", "9Z")
                .replace("level: third", &format!("level: {level}"))
                .replace("[computing]", &format!("[{subject}]"));
            let room = room(&class);
            let lesson = room.say(&format!("{} for 9Z", topic.trim()));
            check(&lesson, &room, Some("9Z"), 50);
            let named = entry.codes.iter().any(|code| lesson.contains(&format!("[{code}](")));
            assert!(named, "{path}: “{topic}” does not lead to {}:\n{lesson}", entry.codes[0]);
            planned += 1;
        }
    }
    assert!(planned > 50, "only {planned} entries found");
}

#[test]
fn topics_of_no_subject_are_refused() {
    let room = room(&CLASS_3B.replace("3B", "9Z"));
    for topic in
        ["photosynthesis", "lunch", "the water cycle", "binary stars", "animal husbandry", "how to bake bread", "asdf"]
    {
        let answer = room.say(&format!("{topic} for 9Z"));
        assert!(
            answer.starts_with("No outcome in this workspace's curriculum files covers this topic."),
            "{topic}: {answer}"
        );
        assert!(ta_curriculum::code::find_codes(&answer).is_empty(), "{answer}");
        assert!(answer.contains("opics"), "{answer}");
    }
}

#[test]
fn the_shipped_classes_are_planned_for() {
    for (path, text) in shipped("classes") {
        let class = path.trim_start_matches("classes/").trim_end_matches(".md").to_owned();
        let mut room = room(CLASS_3B);
        room.files.insert(path.clone(), text.clone());
        let profile = crate::profile::Profile::read(&text);
        let period = profile.period_minutes.unwrap_or(50);
        let file = shipped("curriculum").into_iter().map(|(_, text)| CurriculumFile::parse(&text)).find(|file| {
            let subject = file.meta.subject.clone().unwrap_or_default();
            profile.subjects.contains(&subject)
        });
        let Some(file) = file else { continue };
        let at_level =
            |entry: &&ta_curriculum::file::Entry| profile.level.is_none_or(|level| entry.codes[0].level() == level);
        let Some(entry) = file.entries.iter().find(at_level) else { continue };
        let topic = entry.field("Topics").unwrap().split(',').next().unwrap();
        let lesson = room.say(&format!("{topic} for {class}"));
        check(&lesson, &room, Some(&class), period);
    }
}
