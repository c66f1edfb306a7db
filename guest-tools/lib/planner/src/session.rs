//! The material of a lesson that stands in the conversation, from its own text and from what was read on the way.

use ta_curriculum::code::find_codes;
use ta_curriculum::level::Level;

use super::advice::{SkillText, advice};
use super::gather::{Beside, gather};
use super::given::Given;
use super::look::Curriculum;
use super::matching::{Found, Match};
use super::material::Material;
use super::profile::Profile;
use super::read_back;
use super::sections::{Kind, Lesson};
use super::sources::{Source, find, unnumbered};
use super::talk::Desk;

/// The material for revising a lesson.
pub(crate) fn material_for(desk: &Desk<'_>, lesson: &Lesson) -> Material {
    let own = read_back::material(lesson);
    let known = known_curriculum(desk);
    let mut profile = known_profile(desk, read_back::class(lesson));
    let skills: Vec<SkillText<'_>> =
        desk.talk.skills_read().into_iter().map(|(name, text)| SkillText { name, text }).collect();
    for need in profile.iter_mut().flat_map(|profile| &mut profile.needs) {
        need.advice.extend(advice(&skills, need));
    }
    let matches: Vec<Match<'_>> =
        codes(lesson).filter_map(|code| find(&known.sources, code)).map(Match::certain).collect();
    if matches.is_empty() {
        let needs = profile.map(|profile| profile.needs).unwrap_or_default();
        return read_back::completed(own, Material { needs, ..Material::default() });
    }
    let level = codes(lesson).next().map_or(Level::Third, |code| code.level());
    let asked = read_back::level(lesson);
    let found = Found {
        matches,
        topic: own.topic.clone(),
        tail: String::new(),
        level,
        asked,
        unknown: Vec::new(),
        named_elsewhere: false,
    };
    let given = known_material(desk);
    let minutes = lesson.of_kind(Kind::Practice).and_then(|at| lesson.sections.get(at)?.minutes()).unwrap_or_default();
    let beside = Beside { given: &given, practice_minutes: minutes, ..Beside::default() };
    let gathered = gather(&found, &known.sources, &profile.unwrap_or_default(), beside);
    let family = gathered.material.family;
    let mut all = read_back::completed(own, gathered.material);
    all.family = family;
    all
}

fn codes(lesson: &Lesson) -> impl Iterator<Item = ta_curriculum::code::Code> {
    find_codes(lesson.body_of(Kind::Outcomes)).into_iter().flat_map(|found| found.codes)
}

/// The curriculum files that were read anywhere in the conversation.
pub(crate) fn known_curriculum(desk: &Desk<'_>) -> Curriculum {
    let texts = whole_files(desk);
    let sources =
        texts.iter().filter(|(path, _)| path.starts_with("curriculum/")).map(|(path, text)| Source::read(path, text));
    Curriculum { sources: sources.filter(|source| !source.file.entries.is_empty()).collect(), unread: Vec::new() }
}

/// The material files that were read anywhere in the conversation.
fn known_material(desk: &Desk<'_>) -> Vec<Given> {
    let texts = whole_files(desk);
    let files = texts.iter().filter(|(path, _)| path.starts_with("material/"));
    files.map(|(path, text)| Given::read(path, text)).collect()
}

fn known_profile(desk: &Desk<'_>, class: Option<String>) -> Option<Profile> {
    let path = format!("classes/{}.md", class.as_deref()?);
    let texts = whole_files(desk);
    let (_, text) = texts.iter().find(|(name, _)| *name == path)?;
    let mut profile = Profile::read(text);
    profile.class = profile.class.or(class);
    Some(profile)
}

/// Files that were read, their pages joined. A file that was read again counts as it was the last time.
fn whole_files(desk: &Desk<'_>) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for (path, listing) in desk.talk.files_read() {
        let first = listing.split('\t').next().and_then(|number| number.trim().parse::<u32>().ok()).unwrap_or(1);
        let text = unnumbered(listing);
        match files.iter_mut().find(|(known, _)| *known == path) {
            Some((_, whole)) if first > 1 => whole.push_str(&text),
            Some((_, whole)) => *whole = text,
            None => files.push((path, text)),
        }
    }
    files
}
