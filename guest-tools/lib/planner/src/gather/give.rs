//! Puts what a material file holds in place of what was made from the entry of the curriculum file.

use super::super::examples::{Example, Role};
use super::super::given::{Given, Standing, choose, is_topic, keep_topic};
use super::super::matching::Found;
use super::super::material::{Misconception, Question};
use super::super::phrase::{one_line, task};
use super::super::words::{keys, overlap, with_relatives};
use super::{Gathered, MISCONCEPTIONS_MAX, ONLY_NAMED, ranked};

/// Exit questions of a lesson, where there are so many.
const EXIT_WANTED: usize = 3;

/// Each check of the explanation is about a wrong idea of its own.
const MISCONCEPTIONS_WANTED: usize = 2;

/// Gives a lesson its material, if the file holds enough about its topic.
pub(super) fn give(gathered: &mut Gathered, found: &Found<'_>, given: &Given, practice_minutes: u32) {
    let Some(place) = found.matches.first().map(|one| one.place) else { return };
    let material = &mut gathered.material;
    let items = place.assessment();
    let task_of = |at: usize| {
        let asked = task(&one_line(items.get(at)?))?;
        material.tasks.iter().position(|task| *task == asked)
    };
    let mut examples = given.examples(task_of);
    let own = keys(&found.topic);
    // A wish for the outcome as a whole names none of its topics, and then everything belongs to it.
    let is_narrow = place.topics().iter().any(|topic| is_topic(topic, &own));
    if is_narrow && !keep_topic(&mut examples, &own) {
        return;
    }
    let mut passages = given.passages();
    let standing = match found.asked {
        Some(class) if class < found.level => Standing::Below,
        Some(class) if class > found.level => Standing::Above,
        _ => Standing::At,
    };
    choose(&mut examples, &mut passages, &found.topic, practice_minutes, standing);
    let wanted = with_relatives(&own);
    let ideas = if is_narrow { given.misconceptions(&own) } else { given.misconceptions(&[]) };
    material.misconceptions = ideas_of(ranked(&ideas, |one| one.idea.as_str(), &wanted), &material.misconceptions);
    material.exit = exit_of(&examples, &material.exit);
    material.past = past_of(if is_narrow { given.recall(&own) } else { given.recall(&[]) }, &material.past);
    material.examples = examples;
    material.passages = passages;
    let faults = given.faults.iter();
    let unread = faults.map(|it| format!("`{}`, line {}: {}; {}", given.path, it.line, it.message, it.remedy));
    gathered.notes.retain(|note| !note.starts_with(ONLY_NAMED));
    gathered.notes.extend(unread);
}

/// The exit questions of the file; where it has too few on the topic, questions follow that the practice has no time for, then those of
/// the curriculum file that can be answered as they stand.
fn exit_of(examples: &[Example], of_entry: &[Question]) -> Vec<Question> {
    let asked = |one: &Example| {
        let Question { ask, answer } = one.question();
        Question { ask: one.of.map_or(ask.clone(), |of| format!("{ask} (criterion {})", of + 1)), answer }
    };
    let of_role = |role: Role| examples.iter().filter(move |one| one.role == role);
    let mut exit: Vec<Question> = of_role(Role::Exit).map(asked).collect();
    let spare =
        of_role(Role::Spare).filter(|one| one.step == Some(2) && !one.is_long() && one.uses.is_none()).map(asked);
    let answered = of_entry.iter().filter(|question| question.can_be_asked()).cloned();
    let missing = EXIT_WANTED.saturating_sub(exit.len());
    exit.extend(spare.chain(answered).take(missing));
    exit
}

/// Questions that look back: those of the file, then what the curriculum file asks besides.
fn past_of(given: Vec<Question>, of_entry: &[Question]) -> Vec<Question> {
    let known: Vec<Vec<String>> = given.iter().map(|question| keys(&question.ask)).collect();
    let is_new = |question: &&Question| {
        let own = keys(&question.ask).len();
        question.can_be_asked() && !known.iter().any(|known| overlap(&question.ask, known) * 2 > own)
    };
    let more: Vec<Question> = of_entry.iter().filter(is_new).cloned().collect();
    given.into_iter().chain(more).collect()
}

/// The wrong ideas of the file; where it has too few on the topic, those of the curriculum file that are least like them.
fn ideas_of(given: Vec<Misconception>, of_entry: &[Misconception]) -> Vec<Misconception> {
    let missing = MISCONCEPTIONS_WANTED.saturating_sub(given.len());
    let known: Vec<String> = given.iter().flat_map(|one| keys(&one.idea)).collect();
    let mut others: Vec<&Misconception> = of_entry.iter().filter(|one| one.is_claim).collect();
    others.sort_by_key(|one| overlap(&one.idea, &known));
    let more: Vec<Misconception> = others.into_iter().take(missing).cloned().collect();
    given.into_iter().take(MISCONCEPTIONS_MAX).chain(more).collect()
}
