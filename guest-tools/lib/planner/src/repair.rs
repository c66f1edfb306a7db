//! Repairing the evidence of a lesson: reading the curriculum again, renewing pointers, dropping codes that do not exist.

use ta_curriculum::code::{Code, find_codes};
use ta_curriculum::level::Level;
use ta_curriculum::pointer::find_pointers;

use super::answers::NO_OUTCOME;
use super::look;
use super::matching::find as find_topic;
use super::read_back;
use super::revise::NOTE;
use super::sections::{Kind, Lesson};
use super::session::known_curriculum;
use super::sources::{Place, Source, find};
use super::talk::{Desk, Reply};

/// Repairs the outcomes and every other mention of a code; none while files have to be read first.
pub(crate) fn outcomes(
    desk: &mut Desk<'_>,
    lesson: &mut Lesson,
    findings: &[String],
    accepted: &[usize],
) -> Option<()> {
    let names = look::list(desk, "curriculum");
    if desk.waits() {
        return None;
    }
    let names = match names {
        Reply::Here(names) => names,
        // Without a listing there are still the files that the lesson points to.
        _ => paths(lesson),
    };
    // The files that the lesson points to first; the others only for a code that stands in none of them.
    let (_, all) = look::by_subject(&names, &[]);
    let pointed: Vec<String> = paths(lesson).into_iter().filter(|path| all.contains(path)).collect();
    let mut curriculum = look::curriculum(desk, if pointed.is_empty() { all.clone() } else { pointed });
    if desk.waits() {
        return None;
    }
    let stands = |code: &Code| find(&curriculum.sources, *code).is_some();
    if !find_codes(&lesson.write()).iter().flat_map(|found| &found.codes).all(stands) {
        curriculum = look::curriculum(desk, all);
        if desk.waits() {
            return None;
        }
    }
    if curriculum.sources.is_empty() {
        curriculum = known_curriculum(desk);
    }
    let at = lesson.of_kind(Kind::Outcomes);
    if let Some(at) = at.filter(|at| !accepted.contains(at)) {
        let body = repaired_outcomes(lesson, findings, &curriculum.sources);
        if let Some(section) = lesson.sections.get_mut(at) {
            section.set_body(&body);
        }
    }
    for (number, section) in lesson.sections.iter_mut().enumerate() {
        let is_free = Some(number) != at && !accepted.contains(&number);
        if is_free && !find_codes(section.body()).is_empty() {
            let body = with_pointers(section.body(), &curriculum.sources);
            section.set_body(&body);
        }
    }
    Some(())
}

fn paths(lesson: &Lesson) -> Vec<String> {
    let mut paths: Vec<String> = find_pointers(&lesson.write()).into_iter().map(|pointer| pointer.path).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// The outcomes that exist, each with a fresh pointer; if none is left, those that fit the topic.
fn repaired_outcomes(lesson: &Lesson, findings: &[String], sources: &[Source]) -> String {
    let body = lesson.body_of(Kind::Outcomes);
    // Findings also name codes of other sections and codes to choose from; they count where nothing else is named.
    let mut named = find_codes(body);
    if named.is_empty() {
        named.extend(findings.iter().flat_map(|line| find_codes(line).into_iter().take(1)));
    }
    let mut codes: Vec<Code> = Vec::new();
    for code in named.into_iter().flat_map(|found| found.codes) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let mut places: Vec<Place<'_>> = Vec::new();
    for place in codes.iter().filter_map(|code| find(sources, *code)) {
        if !places.iter().any(|known| known.entry == place.entry) {
            places.push(place);
        }
    }
    if places.is_empty() {
        places = fitting(lesson, sources);
    }
    if places.is_empty() {
        return NO_OUTCOME.to_owned();
    }
    let class = read_back::level(lesson);
    let lines = places.iter().filter_map(|place| line(place, &codes, class));
    lines.collect::<Vec<_>>().join("\n")
}

fn fitting<'a>(lesson: &Lesson, sources: &'a [Source]) -> Vec<Place<'a>> {
    let found = find_topic(sources, &[read_back::material(lesson).topic], read_back::level(lesson), &[]);
    found.map(|found| found.matches.into_iter().map(|one| one.place).collect()).unwrap_or_default()
}

fn line(place: &Place<'_>, wanted: &[Code], class: Option<Level>) -> Option<String> {
    let level = place.entry.codes.iter().find(|code| wanted.contains(code)).map(|code| code.level());
    let outcome = place.outcome(level.or(class), class)?;
    Some(format!("- {}: {}{}", outcome.claim(), outcome.says, outcome.mark()))
}

/// Every code of a text with its pointer; one that no file holds is taken out.
fn with_pointers(body: &str, sources: &[Source]) -> String {
    let mut text = body.to_owned();
    // From the end, so that places before it keep their numbers.
    for found in find_codes(body).into_iter().rev() {
        if is_teachers_line(body, found.start) {
            continue;
        }
        let pointer =
            find_pointers(body).into_iter().find(|pointer| pointer.start <= found.start && found.end <= pointer.end);
        if pointer.as_ref().is_some_and(|pointer| !within_text(body, pointer.start, found.start)) {
            continue;
        }
        let (start, end) = pointer.map_or((found.start, found.end), |pointer| (pointer.start, pointer.end));
        let fresh = found
            .codes
            .first()
            .and_then(|code| find(sources, *code)?.outcome(Some(code.level()), None))
            .map(|outcome| outcome.pointer);
        text.replace_range(
            start..end,
            fresh.as_deref().unwrap_or("an outcome that these curriculum files do not hold"),
        );
    }
    text
}

/// What a teacher wrote stays as it was written, codes and all.
fn is_teachers_line(body: &str, at: usize) -> bool {
    let line = body.get(..at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    line.starts_with(NOTE) || line.starts_with("**Also in this part:**")
}

/// Whether a code stands between the brackets of its link and not in the quotation after them.
fn within_text(body: &str, start: usize, at: usize) -> bool {
    body.get(start..at).is_some_and(|before| !before.contains("]("))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "## TCH 3-14a: reads constructs of code\n\n- **Level:** third\n- **Status:** verified\n- **Outcome:** Pupils explain what loops do in a program.\n- **Topics:** iteration\n";
    const FRESH: &str = "[TCH 3-14a](curriculum/c.md#L1-L5 \"Pupils explain what loops do in a program\")";

    fn sources() -> Vec<Source> {
        vec![Source::read("curriculum/c.md", FILE)]
    }

    fn lesson(outcomes: &str) -> Lesson {
        Lesson::read(&format!(
            "# Iteration\n\n**Level:** third\n\n## Outcomes\n\n{outcomes}\n\n## Starter (8 minutes)\n\nx\n"
        ))
    }

    #[test]
    fn pointers_are_renewed_and_unknown_codes_dropped() {
        let lesson = lesson("- TCH 3-14a: loops\n- [TCH 3-99z](curriculum/c.md#L9 \"nothing\"): invented");
        let body = repaired_outcomes(&lesson, &[], &sources());
        assert_eq!(body, format!("- {FRESH}: Pupils explain what loops do in a program."));
    }

    #[test]
    fn where_nothing_is_left_the_topic_decides() {
        assert!(repaired_outcomes(&lesson("- TCH 3-99z: invented"), &[], &sources()).contains(FRESH));
        assert_eq!(repaired_outcomes(&lesson("- TCH 3-99z: invented"), &[], &[]), NO_OUTCOME);
    }

    #[test]
    fn codes_elsewhere_get_the_same_pointer() {
        let text = with_pointers("See TCH 3-14a and [TCH 3-98y](curriculum/c.md#L1 \"x\").", &sources());
        assert_eq!(text, format!("See {FRESH} and an outcome that these curriculum files do not hold."));
    }
}
