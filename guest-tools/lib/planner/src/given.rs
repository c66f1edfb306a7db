//! Material files in a lesson: which were read, and their items as examples with a place of their own.
//!
//! A file says what is shown, practised and asked at the end, so nothing is dealt out as it is with the lines of a curriculum file. What a
//! period has no time for is kept for a teacher who asks for more.

use ta_curriculum::material::{Check, Fault, Item, MaterialFile, parse};

use super::examples::{Example, Role};
use super::material::{Misconception, Question};
use super::phrase::{sentence, without_stop};
use super::words::{keys, overlap};

/// A material file that was read.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) path: String,
    pub(crate) file: MaterialFile,
    pub(crate) faults: Vec<Fault>,
}

/// Minutes that one practice question takes, with looking at its answer.
const MINUTES_OF_A_QUESTION: u32 = 2;

/// Fewer questions are no practice.
const QUESTIONS_MIN: usize = 4;

/// Words of questions, answers and passages in one practice: the form of a lesson allows 800, and how to work takes the rest.
const WORDS_MAX: usize = 600;

/// Of ten questions, how many are of each step: for a class below the level of the outcome, at it, above it.
const SHARES: [[usize; 3]; 3] = [[5, 3, 2], [3, 4, 3], [2, 3, 5]];

/// Where a class stands to the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Below,
    At,
    Above,
}

/// What is read, heard or counted in the lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) from: String,
}

impl Given {
    pub(crate) fn read(path: &str, text: &str) -> Self {
        let (file, faults) = parse(text);
        Self { path: path.to_owned(), file, faults }
    }

    /// Whether enough of it is whole to teach a lesson with.
    pub(crate) fn is_usable(&self) -> bool {
        !self.file.worked.is_empty() && self.file.practice.len() >= QUESTIONS_MIN && self.file.exit.len() > 1
    }

    /// Answers that only a person can judge.
    pub(crate) fn unread(&self) -> usize {
        self.file.items().filter(|item| item.check == Some(Check::Human)).count()
    }

    /// The items as examples; `tasks` says which task of the lesson a criterion is.
    pub(crate) fn examples(&self, task: impl Fn(usize) -> Option<usize>) -> Vec<Example> {
        let lists: [(&[Item], Role); 3] =
            [(&self.file.worked, Role::Worked), (&self.file.practice, Role::Spare), (&self.file.exit, Role::Exit)];
        let of = |item: &Item| item.criterion.and_then(|number| task(number.checked_sub(1)?));
        lists
            .into_iter()
            .flat_map(|(items, role)| items.iter().map(move |item| (item, role)))
            .map(|(item, role)| Example::given(item, role, of(item)))
            .collect()
    }

    pub(crate) fn passages(&self) -> Vec<Passage> {
        let passage = |item: &Item| Passage {
            id: item.id.clone(),
            title: item.title.clone(),
            text: item.question.clone(),
            from: item.from.clone(),
        };
        self.file.sources.iter().map(passage).collect()
    }

    pub(crate) fn recall(&self, wanted: &[String]) -> Vec<Question> {
        let question =
            |item: &Item| Question { ask: item.parts().0, answer: Some(answered(&item.answer, &item.reason)) };
        self.file.recall.iter().filter(|item| !is_elsewhere(&item.topics, wanted)).map(question).collect()
    }

    pub(crate) fn misconceptions(&self, wanted: &[String]) -> Vec<Misconception> {
        let one = |item: &Item| Misconception {
            idea: without_stop(&item.title).to_owned(),
            answer: without_stop(&item.reason).to_owned(),
            is_claim: true,
            shown_by: Some(Question { ask: item.parts().0, answer: Some(without_stop(&item.answer).to_owned()) }),
        };
        self.file.misconceptions.iter().filter(|item| !is_elsewhere(&item.topics, wanted)).map(one).collect()
    }
}

/// An answer with the reason behind it.
pub(crate) fn answered(answer: &str, reason: &str) -> String {
    let answer = super::examples::stopped(answer);
    if reason.is_empty() { answer } else { format!("{answer} {}", sentence(reason)) }
}

/// Whether two wordings name one topic: the words of one all stand in the other. "Equivalent fractions" is a topic of its own beside
/// "adding fractions", and both belong to "fractions".
pub(crate) fn is_topic(named: &str, wanted: &[String]) -> bool {
    let named = keys(named);
    !named.is_empty() && (named.iter().all(|key| wanted.contains(key)) || wanted.iter().all(|key| named.contains(key)))
}

/// Whether an item with these topics is about something else.
fn is_elsewhere(topics: &[String], wanted: &[String]) -> bool {
    !wanted.is_empty() && !topics.is_empty() && !topics.iter().any(|topic| is_topic(topic, wanted))
}

/// Leaves out what is about something else, if enough stays for a lesson; says whether it does.
pub(crate) fn keep_topic(examples: &mut Vec<Example>, wanted: &[String]) -> bool {
    let stays = |one: &&Example| !is_elsewhere(&one.topics, wanted);
    let count = |role: Role| examples.iter().filter(|one| one.role == role).filter(stays).count();
    let enough = count(Role::Spare) >= QUESTIONS_MIN && count(Role::Worked) > 0 && count(Role::Exit) > 0;
    if enough {
        examples.retain(|one| !is_elsewhere(&one.topics, wanted));
    }
    enough
}

/// Chooses the practice questions of a lesson: what belongs to the topic first, each step with its share, in the order of
/// the file; as many as there are minutes and room for. Worked examples and exit questions about the topic come first.
pub(crate) fn choose(
    examples: &mut [Example],
    passages: &mut Vec<Passage>,
    topic: &str,
    minutes: u32,
    standing: Standing,
) {
    let wanted = keys(topic);
    let distance = |one: &Example| {
        let named = one.topics.iter().any(|topic| is_topic(topic, &wanted)) || overlap(&one.ask, &wanted) > 1;
        if named { 0 } else { 1 + usize::from(!one.topics.is_empty()) }
    };
    examples.sort_by_key(|one| (one.role, if one.role == Role::Spare { 0 } else { distance(one) }));
    let count = usize::try_from(minutes.div_ceil(MINUTES_OF_A_QUESTION)).unwrap_or(QUESTIONS_MIN).max(QUESTIONS_MIN);
    let quotas = quotas(count, standing);
    let order = in_turns(examples, distance);
    let mut words = 0;
    let mut chosen: Vec<usize> = Vec::new();
    let mut shown: Vec<String> =
        examples.iter().filter(|one| one.role == Role::Worked).filter_map(|one| one.uses.clone()).take(1).collect();
    words += shown.iter().map(|id| words_of(passages, id)).sum::<usize>();
    // First each step up to its share, then whatever the others leave open.
    for round in 0..2 {
        let mut taken = [0_usize; 3];
        for (at, step) in &order {
            let Some(one) = examples.get(*at) else { continue };
            let slot = usize::from(step.saturating_sub(1)).min(2);
            let (Some(taken), Some(quota)) = (taken.get_mut(slot), quotas.get(slot)) else { continue };
            let is_open = round > 0 || *taken < *quota;
            let source = one.uses.as_ref().filter(|id| !shown.contains(id));
            let own = one.words() + source.map_or(0, |id| words_of(passages, id));
            if chosen.contains(at) || !is_open || chosen.len() >= count || words + own > WORDS_MAX {
                continue;
            }
            *taken += 1;
            words += own;
            shown.extend(source.cloned());
            chosen.push(*at);
        }
    }
    for (at, one) in examples.iter_mut().enumerate() {
        if let (true, Some(step)) = (chosen.contains(&at), one.step) {
            one.role = Role::Practice(step);
        }
    }
    examples.sort_by_key(|one| one.role);
    shown.extend(examples.iter().filter(|one| one.role == Role::Exit).filter_map(|one| one.uses.clone()));
    passages.retain(|passage| shown.contains(&passage.id));
}

/// The practice questions as they are taken, with their steps: what belongs to the topic first, and within each step one of every
/// criterion before the second of any, so that nothing that is to be shown at the end goes unpractised.
fn in_turns(examples: &[Example], distance: impl Fn(&Example) -> usize) -> Vec<(usize, u8)> {
    let mut turns: Vec<(usize, usize, usize, u8)> = Vec::new();
    for (at, one) in examples.iter().enumerate() {
        let (Some(step), near) = (one.step, distance(one)) else { continue };
        let alike = |(other, ..): &&(usize, usize, usize, u8)| *other == near;
        let before = turns
            .iter()
            .filter(alike)
            .filter(|(.., other, of)| *of == step && examples.get(*other).is_some_and(|other| other.of == one.of));
        turns.push((near, before.count(), at, step));
    }
    turns.sort_unstable();
    turns.into_iter().map(|(_, _, at, step)| (at, step)).collect()
}

/// How many questions of each step.
fn quotas(count: usize, standing: Standing) -> [usize; 3] {
    let [first, _, third] = match standing {
        Standing::Below => SHARES[0],
        Standing::At => SHARES[1],
        Standing::Above => SHARES[2],
    };
    let of = |share: usize| (count * share / 10).max(1);
    [of(first), count.saturating_sub(of(first) + of(third)), of(third)]
}

fn words_of(passages: &[Passage], id: &str) -> usize {
    passages.iter().find(|passage| passage.id == id).map_or(0, |passage| passage.text.split_whitespace().count())
}
