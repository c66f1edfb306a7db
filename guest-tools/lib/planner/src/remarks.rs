//! What a lesson says about itself: where it comes from, what was assumed, what to check.

use super::advice::SkillText;
use super::gather::Gathered;
use super::given::Given;
use super::phrase::listed;
use super::plan::Work;
use super::sources::Place;

/// The files and skills that the lesson rests on, each with what was taken from it.
pub(crate) fn files(work: &Work<'_>, skills: &[SkillText<'_>], given: &[Given]) -> Vec<String> {
    let mut files = Vec::new();
    if let (Some(class), None) = (&work.profile.class, &work.profile_fault) {
        files.push(format!("`classes/{class}.md`: length of the period, needs, what works"));
    }
    let used: Vec<Place<'_>> = work.found.matches.iter().map(|one| one.place).collect();
    for source in &work.curriculum.sources {
        let lines: Vec<String> = used
            .iter()
            .filter(|place| place.source.path == source.path)
            .map(|place| format!("lines {} to {}", place.entry.first_line, place.entry.last_line))
            .collect();
        if lines.is_empty() {
            files.push(format!("`{}`: searched, nothing taken", source.path));
        } else {
            files.push(format!(
                "`{}`: {}, and the entries named there as coming before and after",
                source.path,
                listed(&lines)
            ));
        }
    }
    files.extend(
        given.iter().map(|one| format!("`{}`: worked examples, questions with their answers, wrong ideas", one.path)),
    );
    if !skills.is_empty() {
        let names: Vec<String> = skills.iter().map(|skill| format!("`{}`", skill.name)).collect();
        files.push(format!("skills {}", listed(&names)));
    }
    files
}

/// What could not be done, what was assumed, what differs from what was asked.
pub(crate) fn remarks(work: &Work<'_>, skill_fault: Option<&str>, difficulties: &[String]) -> Vec<String> {
    let mut remarks = Vec::new();
    match (&work.profile.class, &work.profile_fault) {
        (None, _) => remarks.push(
            "No class was named. The lesson is planned for the level that the topic's outcome has, for 50 minutes unless you said otherwise, and for nobody's particular needs".to_owned(),
        ),
        (Some(class), Some(why)) => remarks.push(format!("The profile of {class} could not be read ({why}). Level, length and needs are assumed: put them right")),
        (Some(class), None) if work.profile.level.is_none() => remarks.push(format!("The profile of {class} names no level; that of the outcome is used")),
        _ => {}
    }
    if let Some(best) = work.found.matches.first() {
        let subjects = &work.profile.subjects;
        if !subjects.is_empty() && !best.place.source.is_of(subjects) {
            remarks.push(format!(
                "The profile names {} as the subject of the class; this outcome comes from the file of {}",
                listed(subjects),
                best.place.source.title()
            ));
        }
    }
    let found = &work.found;
    if !found.unknown.is_empty() {
        let words: Vec<String> = found.unknown.iter().map(|word| format!("“{word}”")).collect();
        remarks.push(format!("The curriculum files do not know {}; the outcome was found by the rest of “{}”. Check that it is what you mean", listed(&words), found.topic));
    }
    if found.named_elsewhere {
        remarks.push(format!("An entry of another level names “{}” as such; at the level of the class only part of it was found. See whether the outcome above is the right one", found.topic));
    }
    for (path, why) in &work.curriculum.unread {
        remarks.push(format!("`{path}` could not be read ({why}), so it was not searched"));
    }
    if let Some(why) = skill_fault {
        remarks.push(format!("Skills could not be read ({why}); the lesson was written without them"));
    }
    for difficulty in difficulties {
        remarks.push(format!(
            "Because of “{difficulty}”, what the files say about it comes first in starter and explanation"
        ));
    }
    remarks
}

/// What stands under the outcomes where they are not of the class's own level. Names no level itself: that would be a
/// claim without a pointer.
pub(crate) fn outcome_remark(work: &Work<'_>) -> Option<String> {
    let own = work.profile.level.or(work.ask.level)?;
    let used = work.found.level;
    let beside = if used < own { "one level below" } else { "one level above" };
    (used != own).then(|| format!("No entry at the level of the class covers this topic; this one stands {beside}. Decide whether it fits before you use the lesson."))
}

/// What the teacher should look at.
pub(crate) fn checks(work: &Work<'_>, gathered: &Gathered, of_skill: &[String], given: &[Given]) -> Vec<String> {
    let material = &gathered.material;
    let mut checks = Vec::new();
    let unverified = material.outcomes.iter().filter(|outcome| !outcome.verified).count();
    checks.push(match unverified {
        0 => "The outcomes used are marked as verified in their file".to_owned(),
        1 if material.outcomes.len() == 1 => "The outcome used is not yet verified: compare code and meaning with the published document before you report on it".to_owned(),
        _ => format!("{unverified} of the outcomes used are not yet verified (marked above): compare code and meaning with the published document before you report on them"),
    });
    if let Some(meta) = work.found.matches.first().map(|one| &one.place.source.file.meta) {
        let is_paraphrase =
            meta.text_kind.as_deref().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("paraphrase"));
        if is_paraphrase {
            let source = meta.source.as_deref().map(|source| format!(" ({source})")).unwrap_or_default();
            checks.push(format!(
                "Wording of outcomes is a paraphrase for planning; the official text is elsewhere{source}"
            ));
        }
    }
    checks.push(if let (true, Some(given)) = (material.is_given(), given.first()) {
        let (unread, all) = (given.unread(), given.file.items().filter(|item| item.check.is_some()).count());
        format!("Questions and answers come from `{}`. Of its {all} answers {} are of a kind that can be worked out or looked up by machine; read the other {unread} with the eye of your class", given.path, all - unread)
    } else if material.examples.is_empty() {
        format!(
            "The files hold no {}. Choose one for each question marked “Show it”, two for the explanation and one for the practice, and work them through yourself",
            material.examples()
        )
    } else {
        "Examples and their answers come from the curriculum file. Work them through once, and change names and numbers to what your class knows; where a question is marked “Show it”, the file holds none and you choose".to_owned()
    });
    checks.push("Minutes are divided by a rule and leave none for handing out devices".to_owned());
    if !of_skill.is_empty() {
        checks.push(format!("From the skill `backward-design`: {}", of_skill.join(" ")));
    }
    checks
}
