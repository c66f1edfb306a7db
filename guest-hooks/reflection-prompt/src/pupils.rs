//! Questions about the groups that the class's profile names.

use crate::bank::{Candidate, View, detail};
use crate::lesson::Kind;
use crate::profile::Need;
use crate::words::{cut, escaped, one_line, quote, shared, words};

/// How much of a group is named in a question, in characters.
const GROUP_CHARS_MAX: usize = 80;

/// Other words by which planners name a group.
const ALSO: &[(&str, &str)] = &[
    ("additional language", "eal"),
    ("english", "eal"),
    ("dyslexi", "reading"),
    ("visual", "sight print"),
    ("hearing", "deaf"),
    ("attention", "adhd focus"),
    ("finish early", "challenge stretch extension"),
    ("more challenge", "stretch extension"),
];

/// A need of the profile that Differentiation says nothing of.
pub(crate) fn need_unmet(view: &View<'_>) -> Option<Candidate> {
    let section = view.of(Kind::Differentiation)?;
    let said = words(&section.body);
    let lowered = section.body.to_lowercase();
    // The support does not count: its words (paper, pairs) stand in every lesson.
    let unmet = view.profile.needs.iter().find(|need| {
        let mut telling = words(&need.group);
        let also = ALSO.iter().filter(|(named, _)| need.group.to_lowercase().contains(named));
        telling.extend(also.flat_map(|(_, words)| words.split(' ').map(str::to_owned)));
        let spelled_out = |word: &String| lowered.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
        !telling.is_empty() && shared(&telling, &said) == 0 && !telling.iter().any(spelled_out)
    })?;
    let place = view.of(Kind::Practice).map_or_else(|| "the lesson".into(), |practice| practice.titled());
    let text =
        format!("Differentiation says nothing about {}: where in {place} does it get hard for them?", group(unmet));
    Some(Candidate {
        id: "need-unmet",
        area: Kind::Differentiation,
        points: 98,
        text,
        detail: detail(section, &shown(unmet)),
    })
}

/// Where pupils who find language hard first meet a keyword.
pub(crate) fn keyword_met(view: &View<'_>) -> Option<Candidate> {
    const LANGUAGE: [&str; 5] = ["english", "language", "dyslex", "speech", "hearing"];
    let of_language = |need: &&Need| {
        let group = need.group.to_lowercase();
        LANGUAGE.iter().any(|word| group.contains(word))
    };
    let need = view.profile.needs.iter().find(of_language)?;
    let keywords = view.of(Kind::Keywords)?;
    let keyword = keywords.terms().first().copied()?;
    let told = words(keyword);
    let mut taught = [Kind::Starter, Kind::Explanation, Kind::Practice].into_iter().filter_map(|kind| view.of(kind));
    let met = taught.find(|section| !told.is_empty() && shared(&told, &words(&section.body)) > 0);
    let whom = group(need);
    let (text, points) = match met {
        Some(section) => (
            format!(
                "{whom} first {} {} in {}: what have they seen of it by then?",
                verb(need, "meet"),
                quote(keyword),
                section.name
            ),
            if section.kind == Kind::Starter { 68 } else { 58 },
        ),
        None => (
            format!(
                "{} is a keyword, but no part of the lesson uses it: where will {whom} hear and say it?",
                quote(keyword)
            ),
            80,
        ),
    };
    let text = capitalised(&text);
    Some(Candidate { id: "keyword-met", area: Kind::Keywords, points, text, detail: detail(keywords, &shown(need)) })
}

/// What those who are quick will do, and when.
pub(crate) fn early_finishers(view: &View<'_>) -> Option<Candidate> {
    const QUICK: [&str; 5] = ["finish early", "more challenge", "stretch", "want more", "ahead of"];
    let quick = |need: &&Need| {
        let text = format!("{} {}", need.group, need.need).to_lowercase();
        QUICK.iter().any(|word| text.contains(word))
    };
    let need = view.profile.needs.iter().find(quick)?;
    let practice = view.of(Kind::Practice)?;
    let taken = practice.minutes?;
    let text = format!(
        "{} may be done by minute {} of {}: is what waits for them deeper, or only more?",
        capitalised(&group(need)),
        taken / 2,
        practice.titled()
    );
    Some(Candidate {
        id: "early-finishers",
        area: Kind::Practice,
        points: 60,
        text,
        detail: detail(practice, &shown(need)),
    })
}

/// The group without what stands in brackets behind it.
fn group(need: &Need) -> String {
    let group = need.group.split(" (").next().unwrap_or(&need.group);
    cut(&escaped(&one_line(group)), GROUP_CHARS_MAX)
}

/// The verb as it goes with the group: one pupil meets, two pupils meet.
fn verb(need: &Need, verb: &str) -> String {
    let single = ["one ", "a ", "an "].iter().any(|start| need.group.to_lowercase().starts_with(start));
    if single { format!("{verb}s") } else { verb.to_owned() }
}

fn shown(need: &Need) -> String {
    let parts = [&need.group, &need.need, &need.support];
    let parts: Vec<&str> = parts.iter().map(|part| part.as_str()).filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
