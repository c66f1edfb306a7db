//! Changing a lesson that exists: one that the request names, or the one that this conversation is about.

use super::answers::{no_lesson, what_to_change};
use super::cuts::NO_TRANSLATION;
use super::look;
use super::request::Ask;
use super::revise::{Change, apply};
use super::rework::{activities, meant};
use super::sections::{Kind, Lesson, bare};
use super::session::material_for;
use super::talk::{Desk, Reply};
use super::timing::{PERIOD_MINUTES, Timing};
use super::wish::Wish;
use super::words::{keys, overlap, says};

/// Changes a lesson of the workspace; none while tools have to be asked first.
pub(crate) fn refine(desk: &mut Desk<'_>) -> Option<String> {
    let request = desk.talk.request();
    let ask = Ask::read(&request, &[]);
    if let Some(path) = &ask.lesson {
        if let Some(name) = path.strip_prefix("lessons/") {
            // Reading what is not there, and again, would be turns without progress.
            let names = look::list(desk, "lessons");
            if desk.waits() {
                return None;
            }
            let names = names.here().unwrap_or_default();
            if !names.iter().any(|it| it == name) {
                return desk.decline(no_lesson(path, &names));
            }
        }
        return match look_at(desk, path) {
            Reply::Here(text) => changed(desk, &text, path, &without(&request, path)),
            Reply::Asked => None,
            _ => not_found(desk, path),
        };
    }
    let names = look::list(desk, "lessons");
    if desk.waits() {
        return None;
    }
    let names = names.here().unwrap_or_default();
    let Some(name) = newest(&names, &request) else {
        return match desk.talk.earlier_lesson() {
            Some(text) => changed(desk, text, "the lesson above", &request),
            None => desk.decline(no_lesson("the request names no lesson that is there", &names)),
        };
    };
    let path = format!("lessons/{name}");
    match look_at(desk, &path) {
        Reply::Here(text) => changed(desk, &text, &path, &request_without_name(&request, &name)),
        Reply::Asked => None,
        _ => desk.decline(no_lesson(&path, &names)),
    }
}

/// Changes the lesson that this conversation wrote last.
pub(crate) fn refine_here(desk: &mut Desk<'_>) -> Option<String> {
    let text = desk.talk.earlier_lesson()?;
    let request = desk.talk.request();
    changed(desk, text, "the lesson above", &request)
}

/// Whether a request in plain words is about changing a lesson rather than about planning one.
pub(crate) fn is_about_change(request: &str, lesson: &str) -> bool {
    let ask = Ask::read(request, &[]);
    let names_class = ask.class.is_some() || ask.unknown_class.is_some();
    let wish = Wish::read(request);
    let says_how = wish.length.is_some()
        || wish.demand.is_some()
        || wish.more_questions.is_some()
        || wish.pick.is_some()
        || wish.remove_item.is_some()
        || wish.cut.is_some()
        || wish.translates;
    !names_class && (!meant(&Lesson::read(lesson), request).is_empty() || says_how)
}

fn look_at(desk: &mut Desk<'_>, path: &str) -> Reply<String> {
    match look::file(desk, path) {
        // The last line break of a file does not show in numbered lines; lessons end with one.
        Reply::Here(text) if !text.trim().is_empty() => Reply::Here(text),
        Reply::Here(_) => Reply::Failed("the file is empty".to_owned()),
        other => other,
    }
}

fn not_found(desk: &mut Desk<'_>, path: &str) -> Option<String> {
    let names = look::list(desk, "lessons");
    if desk.waits() {
        return None;
    }
    desk.decline(no_lesson(path, &names.here().unwrap_or_default()))
}

/// The newest lesson whose name fits best: by a date or number in the name, else the last of the list.
pub(crate) fn newest(names: &[String], request: &str) -> Option<String> {
    let wanted = keys(request);
    let fit = |name: &String| overlap(&name.replace(['-', '_', '.'], " "), &wanted);
    // Units and resources lie beside the lessons, and are meant only where they are named.
    let meant = |name: &&String| {
        ["-unit", "-resource"].iter().all(|end| !name.contains(end) || says(request, end.trim_start_matches('-')))
    };
    let best = names.iter().filter(meant).map(fit).max().filter(|best| *best > 0)?;
    let mut fitting: Vec<&String> = names.iter().filter(meant).filter(|name| fit(name) == best).collect();
    fitting.sort_by_key(|name| digits(name));
    fitting.last().map(|name| (*name).clone())
}

/// The numbers in a name, for the order of dates and of "-2", "-10".
fn digits(name: &str) -> Vec<u64> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

fn without(request: &str, path: &str) -> String {
    let rest = request.replace(path, " ");
    let rest = rest.trim().trim_start_matches([':', '-', ',']).trim();
    let rest = [" in", " of", " from", " for"].iter().find_map(|end| rest.strip_suffix(end)).unwrap_or(rest);
    rest.trim_end_matches(':').to_owned()
}

/// The request without the words that only found the lesson.
fn request_without_name(request: &str, name: &str) -> String {
    let named = keys(&name.replace(['-', '_', '.'], " "));
    let mut rest = request.to_owned();
    let tokens: Vec<(usize, usize)> = super::words::tokens(request)
        .iter()
        .filter(|token| named.contains(&token.key))
        .map(|token| (token.start, token.end))
        .collect();
    for (start, end) in tokens.into_iter().rev() {
        rest.replace_range(start..end, "");
    }
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    rest.trim_start_matches([',', ':', ' ', '-'])
        .trim_end_matches([' ', ','])
        .replace(" for,", ",")
        .trim_end_matches(" for")
        .trim_end_matches(" in")
        .to_owned()
}

fn changed(desk: &mut Desk<'_>, text: &str, name: &str, request: &str) -> Option<String> {
    let mut lesson = Lesson::read(text);
    let ask = Ask::read(request, &[]);
    let places = meant(&lesson, request);
    let wish = Wish::read(request);
    let how = wish.length.is_some() || wish.demand.is_some() || wish.context.is_some() || !wish.preference.is_empty();
    let places = match (places.is_empty(), ask.minutes) {
        (false, _) => places,
        (true, Some(minutes)) => return Some(retimed(lesson, minutes).write()),
        (true, None) if how => activities(&lesson),
        (true, None) if wish.translates => return desk.decline(NO_TRANSLATION.to_owned()),
        (true, None) => {
            let titles: Vec<String> = lesson.sections.iter().map(|section| bare(&section.title)).collect();
            return desk.decline(what_to_change(name, &titles));
        }
    };
    let several = places.len() > 1;
    let changes: Vec<(usize, Change)> =
        places.into_iter().map(|at| (at, Change::Revise(for_section(request, several)))).collect();
    let material = material_for(desk, &lesson);
    apply(&mut lesson, &changes, &[], &material);
    Some(lesson.write())
}

/// "Make the lesson shorter" cannot shorten every part within the same period: the texts get shorter instead.
pub(crate) fn for_section(request: &str, several: bool) -> String {
    let has_length = Wish::read(request).length.is_some();
    if several && has_length { format!("keep the minutes; {request}") } else { request.to_owned() }
}

/// Divides the lesson anew over another length.
pub(crate) fn retimed(mut lesson: Lesson, minutes: u32) -> Lesson {
    let minutes = minutes.clamp(*PERIOD_MINUTES.start(), *PERIOD_MINUTES.end());
    let timing = Timing::of_period(minutes, None);
    let parts = [
        (Kind::Starter, timing.starter),
        (Kind::Explanation, timing.explanation),
        (Kind::Practice, timing.practice),
        (Kind::Plenary, timing.plenary),
    ];
    for (kind, part) in parts {
        let at = lesson.of_kind(kind);
        if let Some(section) = at.and_then(|at| lesson.sections.get_mut(at)) {
            section.set_minutes(part);
        }
    }
    if let Some((before, after)) = lesson.preamble.split_once("**Length:** ") {
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        lesson.preamble = format!("{before}**Length:** {minutes}{rest}");
    }
    lesson
}
