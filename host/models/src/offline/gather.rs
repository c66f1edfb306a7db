//! Gathering a lesson's material from the entries that were chosen: what belongs to the topic comes first, and where the
//! files say nothing about it, that is noted instead of made up.

use super::material::{Family, Keyword, Material};
use super::matching::Found;
use super::phrase::{i_can, listed, one_line, task};
use super::profile::Profile;
use super::questions::{Past, exit, past};
use super::sources::{Place, Source, find};
use super::words::{keys, overlap, with_relatives};

const TASKS_MAX: usize = 3;
const PRIOR_MAX: usize = 4;
const MISCONCEPTIONS_MAX: usize = 3;
const KEYWORDS_MAX: usize = 5;

/// Material with what had to be noted about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gathered {
    pub(crate) material: Material,
    /// Sentences for "About this draft".
    pub(crate) notes: Vec<String>,
}

/// Gathers the material for what was found.
pub(crate) fn gather(found: &Found<'_>, sources: &[Source], profile: &Profile, difficulties: &[String]) -> Gathered {
    let places: Vec<Place<'_>> = found.matches.iter().map(|one| one.place).collect();
    let difficult: Vec<String> = difficulties.iter().flat_map(|text| keys(text)).collect();
    let mut wanted = keys(&found.topic);
    let words_of_topic = with_relatives(&wanted);
    wanted.extend(difficult.iter().cloned());
    let wanted = with_relatives(&wanted);

    let earlier = neighbours(&places, sources, "Before");
    let later = neighbours(&places, sources, "After");
    let assessment: Vec<String> = in_turns(places.iter().map(|place| owned(place.assessment())).collect());
    let tasks: Vec<String> = chosen(&assessment, String::as_str, &wanted, 2, TASKS_MAX);
    let prior = chosen(&in_turns(places.iter().map(|place| owned(place.prior())).collect()), String::as_str, &wanted, 3, PRIOR_MAX);
    let all_words: Vec<Keyword> = in_turns(places.iter().map(Place::keywords).collect());
    let keywords = keywords(&all_words, &wanted);
    let ideas = in_turns(places.iter().map(Place::misconceptions).collect());
    let misconceptions = chosen(&ideas, |one| one.idea.as_str(), &wanted, 2, MISCONCEPTIONS_MAX);

    let earlier_words: Vec<Keyword> = ranked(&in_turns(earlier.iter().map(Place::keywords).collect()), |w| w.term.as_str(), &wanted);
    let earlier_ideas = ranked(&in_turns(earlier.iter().map(Place::misconceptions).collect()), |one| one.idea.as_str(), &wanted);
    let struggling: Vec<Keyword> = all_words.iter().filter(|word| overlap(&word.term, &difficult) > 0).take(2).cloned().collect();
    let bare_tasks: Vec<String> = tasks.iter().filter_map(|item| task(item)).collect();
    let about: String = places.iter().filter_map(Place::outcome_text).collect::<Vec<_>>().join(" ");
    let subject = places.first().map(|place| place.source.subject()).unwrap_or_default();
    let asked = Past { prior: &prior, words: &earlier_words, claims: &earlier_ideas, difficult: &struggling };

    let material = Material {
        topic: found.topic.clone(),
        class: profile.class.clone().unwrap_or_else(|| "the class".to_owned()),
        family: Family::of(&subject, &about),
        outcomes: places.iter().filter_map(|place| place.outcome(Some(found.level))).collect(),
        criteria: criteria(&tasks, &keywords),
        past: past(asked),
        exit: exit(&bare_tasks, &keywords, &misconceptions),
        ahead: ahead(&later, &wanted),
        works: of_subject(&profile.works, &subject),
        knows: of_subject(&profile.knows, &subject),
        needs: profile.needs.clone(),
        tasks: bare_tasks,
        prior,
        misconceptions,
        keywords,
    };
    let notes = notes(&assessment, &ideas, &all_words, &words_of_topic, &found.topic);
    Gathered { material, notes }
}

/// The entries that a field such as `Before` names, as far as they were read.
fn neighbours<'a>(places: &[Place<'a>], sources: &'a [Source], field: &str) -> Vec<Place<'a>> {
    places.iter().flat_map(|place| place.codes_in(field)).filter_map(|code| find(sources, code)).collect()
}

fn owned(items: Vec<&str>) -> Vec<String> {
    items.into_iter().map(one_line).collect()
}

/// The first of each list, then the second of each: no outcome crowds out another.
fn in_turns<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut all: Vec<(usize, T)> = lists.into_iter().flat_map(|list| list.into_iter().enumerate()).collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, item)| item).collect()
}

/// Those that speak of the topic first; the order of the file otherwise.
fn ranked<T: Clone>(items: &[T], text: impl Fn(&T) -> &str, wanted: &[String]) -> Vec<T> {
    let mut ranked = items.to_vec();
    ranked.sort_by_key(|item| overlap(text(item), wanted) == 0);
    ranked
}

/// Those that speak of the topic; others only to reach the least number, all where none does.
fn chosen<T: Clone>(items: &[T], text: impl Fn(&T) -> &str, wanted: &[String], least: usize, most: usize) -> Vec<T> {
    let fitting = items.iter().filter(|item| overlap(text(item), wanted) > 0).count();
    let number = if fitting == 0 { most } else { fitting.clamp(least, most) };
    ranked(items, text, wanted).into_iter().take(number).collect()
}

/// Keywords of the topic and those that their meanings are told with.
fn keywords(all: &[Keyword], wanted: &[String]) -> Vec<Keyword> {
    const LEAST: usize = 3;
    let mut wanted = wanted.to_vec();
    for word in all.iter().filter(|word| overlap(&word.term, &wanted) > 0).cloned().collect::<Vec<_>>() {
        wanted.extend(keys(&word.meaning));
    }
    chosen(all, |word| word.term.as_str(), &wanted, LEAST, KEYWORDS_MAX)
}

/// Criteria in pupils' words: what the assessment asks, and the words used with understanding.
fn criteria(tasks: &[String], keywords: &[Keyword]) -> Vec<String> {
    const CRITERIA_MAX: usize = 4;
    let mut criteria: Vec<String> = tasks.iter().map(|item| i_can(item)).collect();
    let terms: Vec<String> = keywords.iter().take(3).map(|word| format!("*{}*", word.term)).collect();
    if criteria.len() < CRITERIA_MAX && terms.len() > 1 {
        criteria.push(format!("I can use the words {} correctly when I explain my work.", listed(&terms)));
    }
    criteria
}

/// The first thing the next outcome asks for, preferably about the topic.
fn ahead(later: &[Place<'_>], wanted: &[String]) -> Option<String> {
    let items: Vec<String> = later.iter().flat_map(|place| owned(place.assessment())).collect();
    ranked(&items, String::as_str, wanted).iter().find_map(|item| task(item))
}

/// Lines of a profile that are about the subject, or about none in particular: "Maths: bar models before rules".
fn of_subject(lines: &[String], subject: &str) -> Vec<String> {
    let is_label = |label: &str| label.split_whitespace().count() <= 2 && !label.contains(',');
    let mut own = Vec::new();
    let mut general = Vec::new();
    for line in lines {
        match line.split_once(": ").filter(|(label, _)| is_label(label)) {
            Some((label, rest)) if overlap(label, &keys(subject)) > 0 => own.push(rest.to_owned()),
            Some(_) => {}
            None => general.push(line.clone()),
        }
    }
    own.extend(general);
    own
}

fn notes(tasks: &[String], ideas: &[super::material::Misconception], words: &[Keyword], topic_keys: &[String], topic: &str) -> Vec<String> {
    let speaks = |text: &str| overlap(text, topic_keys) > 0;
    let said = tasks.iter().any(|task| speaks(task)) || ideas.iter().any(|one| speaks(&one.idea)) || words.iter().any(|word| speaks(&word.term));
    let mut notes = Vec::new();
    if !said {
        notes.push(format!(
            "The curriculum file lists {topic} among the topics of this outcome and says nothing more about it. Tasks and wrong ideas are those of the whole outcome: bend them towards {topic}, or replace them."
        ));
    }
    if tasks.is_empty() {
        notes.push("The entry names no assessment: tasks and criteria are general.".to_owned());
    }
    notes
}
