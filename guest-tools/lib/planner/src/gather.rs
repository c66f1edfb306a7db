//! Gathering a lesson's material from the entries that were chosen: what belongs to the topic comes first, and where the
//! files say nothing about it, that is noted instead of made up.

mod give;

use super::examples::{Example, ordered};
use super::given::Given;
use super::matching::Found;
use super::material::{Family, Keyword, Material};
use super::phrase::{i_can, listed, one_line, task};
use super::profile::Profile;
use super::questions::{Past, exit, past};
use super::sources::{Place, Source, find};
use super::words::{is_asking_word, is_soft, keys, overlap, with_relatives};

const TASKS_MAX: usize = 3;
const PRIOR_MAX: usize = 4;
const MISCONCEPTIONS_MAX: usize = 3;
const KEYWORDS_MAX: usize = 5;

/// How the note begins that the file does no more than name the topic.
const ONLY_NAMED: &str = "The curriculum file lists";

/// Material with what had to be noted about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gathered {
    pub(crate) material: Material,
    /// Sentences for "About this draft".
    pub(crate) notes: Vec<String>,
}

/// What a lesson's material is gathered from besides the entries.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Beside<'a> {
    /// What pupils are said to find difficult.
    pub(crate) difficulties: &'a [String],
    /// The material files of the outcomes, as far as there are any.
    pub(crate) given: &'a [Given],
    /// Minutes of the practice.
    pub(crate) practice_minutes: u32,
}

/// Gathers the material for what was found.
pub(crate) fn gather(found: &Found<'_>, sources: &[Source], profile: &Profile, beside: Beside<'_>) -> Gathered {
    let mut gathered = of_entries(found, sources, profile, beside.difficulties);
    if let Some(given) = beside.given.iter().find(|given| belongs(found, given)) {
        give::give(&mut gathered, found, given, beside.practice_minutes);
    }
    gathered
}

/// Whether a file is that of the first outcome: a lesson is taught with one.
fn belongs(found: &Found<'_>, given: &Given) -> bool {
    let code = given.file.outcome.parse::<ta_curriculum::code::Code>().ok();
    let first = found.matches.first().map(|one| one.place);
    given.is_usable() && code.is_some_and(|code| first.is_some_and(|place| place.entry.codes.contains(&code)))
}

fn of_entries(found: &Found<'_>, sources: &[Source], profile: &Profile, difficulties: &[String]) -> Gathered {
    let places: Vec<Place<'_>> = found.matches.iter().map(|one| one.place).collect();
    let difficult: Vec<String> = difficulties.iter().flat_map(|text| keys(text)).collect();
    let mut wanted = keys(&found.topic);
    let words_of_topic = with_relatives(&wanted);
    wanted.extend(difficult.iter().cloned());
    let wanted = with_relatives(&wanted);
    // What the topic names itself, and what pupils find difficult, count more than what only means the same.
    let telling: Vec<String> =
        keys(&found.topic).into_iter().chain(difficult.iter().cloned()).chain(difficult.iter().cloned()).collect();

    let others = other_topics(&places, &wanted);
    let sieve = Sieve { wanted: &wanted, telling: &telling, others: &others };

    let earlier = neighbours(&places, sources, "Before");
    let later = neighbours(&places, sources, "After");
    let assessment: Vec<String> = in_turns(places.iter().map(|place| owned(place.assessment())).collect());
    let tasks: Vec<String> = sieve.chosen(&assessment, String::as_str, 2, TASKS_MAX);
    let before: Vec<String> = in_turns(places.iter().map(|place| owned(place.prior())).collect());
    let prior = sieve.chosen(&before, String::as_str, 3, PRIOR_MAX);
    let all_words: Vec<Keyword> = in_turns(places.iter().map(Place::keywords).collect());
    let keywords = sieve.keywords(&all_words);
    let ideas = in_turns(places.iter().map(Place::misconceptions).collect());
    let misconceptions = sieve.chosen(&ideas, |one| one.idea.as_str(), 2, MISCONCEPTIONS_MAX);

    let earlier_words: Vec<Keyword> =
        ranked(&in_turns(earlier.iter().map(Place::keywords).collect()), |w| w.term.as_str(), &wanted);
    let earlier_ideas =
        ranked(&in_turns(earlier.iter().map(Place::misconceptions).collect()), |one| one.idea.as_str(), &wanted);
    let struggling: Vec<Keyword> =
        all_words.iter().filter(|word| overlap(&word.term, &difficult) > 0).take(2).cloned().collect();
    let bare_tasks: Vec<String> = tasks.iter().filter_map(|item| task(item)).collect();
    let about_text: String = places.iter().filter_map(Place::outcome_text).collect::<Vec<_>>().join(" ");
    let subject = places.first().map(|place| place.source.subject()).unwrap_or_default();
    let examples = ordered(examples(&places, &bare_tasks), &found.topic);
    let recall = recall(&places, &prior);
    let asked = Past {
        topic: &found.topic,
        prior: &prior,
        recall: &recall,
        words: &earlier_words,
        claims: &earlier_ideas,
        difficult: &struggling,
        today: &misconceptions,
        ahead: &keywords,
    };

    let material = Material {
        topic: found.topic.clone(),
        class: profile.class.clone().unwrap_or_else(|| "the class".to_owned()),
        family: Family::of(&subject, &about_text),
        outcomes: places.iter().filter_map(|place| place.outcome(Some(found.level), found.asked)).collect(),
        criteria: criteria(&tasks, &keywords),
        past: past(asked),
        exit: exit(&bare_tasks, &keywords, &misconceptions, &examples),
        examples,
        passages: Vec::new(),
        ahead: ahead(&later, &wanted),
        works: of_subject(&profile.works, &subject, &profile.subjects),
        knows: about(of_subject(&profile.knows, &subject, &profile.subjects), &prior_words(&wanted, &prior)),
        needs: profile.needs.clone(),
        tasks: bare_tasks,
        prior,
        misconceptions,
        keywords,
    };
    let notes = notes(&places, &words_of_topic, &found.topic);
    Gathered { material, notes }
}

/// Words of the topic and of what it stands on.
fn prior_words(wanted: &[String], prior: &[String]) -> Vec<String> {
    let telling = prior.iter().flat_map(|item| keys(item)).filter(|word| !is_soft(word) && !is_asking_word(word));
    wanted.iter().cloned().chain(telling).collect()
}

/// The examples of the chosen tasks, numbered as these are; those of tasks that were not chosen stay behind.
fn examples(places: &[Place<'_>], tasks: &[String]) -> Vec<Example> {
    let mut all = Vec::new();
    for place in places {
        let items = place.assessment();
        for mut example in place.examples() {
            if let Some(at) = example.of {
                let asked = items.get(at).and_then(|item| task(&one_line(item)));
                example.of = asked.and_then(|asked| tasks.iter().position(|task| *task == asked));
                if example.of.is_none() {
                    continue;
                }
            }
            all.push(example);
        }
    }
    all
}

/// A question for each item of prior knowledge that has one.
fn recall(places: &[Place<'_>], prior: &[String]) -> Vec<(usize, Example)> {
    let mut all = Vec::new();
    for place in places {
        let items = owned(place.prior());
        for example in place.recall() {
            let item = example.of.and_then(|at| items.get(at));
            let at = item.and_then(|item| prior.iter().position(|one| one == item));
            all.extend(at.map(|at| (at, example)));
        }
    }
    all
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

/// Words of the entry's other topics: what speaks of these and not of the topic belongs to another lesson.
fn other_topics(places: &[Place<'_>], wanted: &[String]) -> Vec<String> {
    let topics = places.iter().flat_map(Place::topics).filter(|topic| overlap(topic, wanted) == 0);
    topics.flat_map(keys).filter(|word| !is_soft(word) && !is_asking_word(word)).collect()
}

/// Tells what belongs to the topic from what belongs to the outcome's other topics.
#[derive(Debug, Clone, Copy)]
struct Sieve<'a> {
    wanted: &'a [String],
    /// Words that count more; one that stands twice counts twice.
    telling: &'a [String],
    others: &'a [String],
}

impl Sieve<'_> {
    /// What speaks of the topic first, then what speaks of no topic in particular; what belongs to another topic only to
    /// reach the least number, or where nothing speaks of this one.
    fn chosen<T: Clone>(self, items: &[T], text: impl Fn(&T) -> &str, least: usize, most: usize) -> Vec<T> {
        let rank = |item: &T| match (overlap(text(item), self.wanted), overlap(text(item), self.others)) {
            (1.., _) => 0,
            (0, 0) => 1,
            (0, _) => 2,
        };
        let told = |item: &T| {
            keys(text(item))
                .iter()
                .map(|word| self.telling.iter().filter(|known| *known == word).count())
                .sum::<usize>()
        };
        let mut sorted = items.to_vec();
        sorted.sort_by_key(|item| (rank(item), std::cmp::Reverse(told(item))));
        let fitting = items.iter().filter(|item| rank(item) == 0).count();
        let fair = items.iter().filter(|item| rank(item) < 2).count();
        let number = if fitting == 0 { most } else { fair.clamp(least, most) };
        sorted.into_iter().take(number).collect()
    }

    /// Keywords of the topic and those that their meanings are told with.
    fn keywords(self, all: &[Keyword]) -> Vec<Keyword> {
        const LEAST: usize = 3;
        let mut wanted = self.wanted.to_vec();
        for word in all.iter().filter(|word| overlap(&word.term, self.wanted) > 0) {
            wanted.extend(keys(&word.meaning));
        }
        Sieve { wanted: &wanted, ..self }.chosen(all, |word| word.term.as_str(), LEAST, KEYWORDS_MAX)
    }
}

/// Criteria in pupils' words: what the assessment asks, and the words used with understanding.
fn criteria(tasks: &[String], keywords: &[Keyword]) -> Vec<String> {
    const CRITERIA_MAX: usize = 3;
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

/// Those that share more than a word with the topic and what it stands on.
fn about(lines: Vec<String>, wanted: &[String]) -> Vec<String> {
    lines.into_iter().filter(|line| overlap(line, wanted) > 1).collect()
}

/// Lines of a profile that are about the subject, or about none in particular: "Maths: bar models before rules".
/// Sentences that name another subject of the class are left out.
fn of_subject(lines: &[String], subject: &str, subjects: &[String]) -> Vec<String> {
    let others: Vec<String> =
        subjects.iter().flat_map(|name| keys(name)).filter(|name| !keys(subject).contains(name)).collect();
    let own_sentences = |line: &str| {
        let kept: Vec<&str> = line.split_inclusive(". ").filter(|sentence| overlap(sentence, &others) == 0).collect();
        kept.concat().trim().to_owned()
    };
    let is_label = |label: &str| label.split_whitespace().count() <= 2 && !label.contains(',');
    let mut own = Vec::new();
    let mut general = Vec::new();
    for line in lines {
        match line.split_once(": ").filter(|(label, _)| is_label(label)) {
            Some((label, rest)) if overlap(label, &keys(subject)) > 0 => own.push(rest.to_owned()),
            Some(_) => {}
            None => general.push(own_sentences(line)),
        }
    }
    own.extend(general);
    own.retain(|line| !line.is_empty());
    own
}

/// What has to be said where the file does no more than name the topic.
fn notes(places: &[Place<'_>], topic_keys: &[String], topic: &str) -> Vec<String> {
    let speaks = |place: &Place<'_>| {
        let fields = ["Outcome", "Assessment", "Misconceptions", "Keywords"]
            .map(|name| place.entry.field(name).unwrap_or_default());
        // The first topic is what the entry as a whole is about.
        let is_first = place.topics().first().is_some_and(|first| overlap(first, topic_keys) > 0);
        is_first
            || overlap(&place.entry.title, topic_keys) > 0
            || fields.iter().any(|text| overlap(text, topic_keys) > 0)
    };
    let mut notes = Vec::new();
    if !places.iter().any(speaks) {
        notes.push(format!(
            "{ONLY_NAMED} {topic} among the topics of this outcome and does not use the word again. Tasks and wrong ideas are those of the whole outcome: see whether they fit {topic}, and bend or replace them."
        ));
    }
    if places.iter().all(|place| place.assessment().is_empty()) {
        notes.push("The entry names no assessment: tasks and criteria are general.".to_owned());
    }
    notes
}
