//! Questions made from what the files say: definitions asked both ways, claims to judge, things to do.

use super::examples::{Example, dealt};
use super::material::{Keyword, Misconception, Question};
use super::phrase::{capitalised, known_statement, uncapitalised, without_stop};
use super::words::{keys, overlap};

/// Marks something to do, for which the files hold no example: the teacher puts one up.
pub(crate) const SHOW_IT: &str = "*Show it:*";

/// More than this is no starter any more.
const PAST_MAX: usize = 7;

/// With fewer questions that look back, one that looks ahead is added.
const PAST_ENOUGH: usize = 5;

/// What a question that looks back can be made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Past<'a> {
    pub(crate) topic: &'a str,
    pub(crate) prior: &'a [String],
    /// Questions with answers about these, by their numbers.
    pub(crate) recall: &'a [(usize, Example)],
    /// Keywords of the outcome before.
    pub(crate) words: &'a [Keyword],
    /// Wrong ideas of the outcome before.
    pub(crate) claims: &'a [Misconception],
    /// Words of this lesson that pupils are known to struggle with.
    pub(crate) difficult: &'a [Keyword],
    /// Wrong ideas about today's topic: one makes curious where there is little to look back on.
    pub(crate) today: &'a [Misconception],
    /// Words of today: where the files say nothing of earlier lessons, what pupils know of these is asked first.
    pub(crate) ahead: &'a [Keyword],
}

/// So many questions of a starter have an answer that can be put right at once.
const ANSWERED_MIN: usize = 2;

/// A starter shows four questions or five: what has to be among them stands before.
const SHOWN: usize = 4;

/// Questions for the starter, in turns from each source: a word, a claim, a task.
pub(crate) fn past(from: Past<'_>) -> Vec<Question> {
    let mut tasks = from.prior.iter().enumerate().flat_map(|(at, item)| of_item(at, item, from));
    let mut words = from.words.iter().enumerate().filter_map(|(at, word)| of_word(word, at));
    let mut claims = from.claims.iter().filter(|one| one.is_claim).map(of_claim);
    let mut questions: Vec<Question> = from.difficult.iter().filter_map(|word| of_word(word, 0)).collect();
    while questions.len() < PAST_MAX {
        // What was written for just this comes first: it is concrete.
        let round = if from.recall.is_empty() {
            [words.next(), claims.next(), tasks.next(), None]
        } else {
            [tasks.next(), words.next(), tasks.next(), claims.next()]
        };
        let round: Vec<Question> = round.into_iter().flatten().collect();
        if round.is_empty() {
            break;
        }
        questions.extend(round);
    }
    if questions.is_empty() {
        questions.push(Question {
            ask: format!("Which three things do you remember that {} will need?", from.topic),
            answer: None,
        });
    }
    let answered = questions.iter().take(SHOWN).filter(|question| question.answer.is_some()).count();
    let ahead = from.ahead.iter().filter_map(met_before).take(ANSWERED_MIN.saturating_sub(answered));
    for (at, question) in ahead.enumerate() {
        questions.insert((2 * at + 1).min(questions.len()), question);
    }
    if questions.len() < PAST_ENOUGH {
        questions.extend(from.today.iter().find(|one| one.is_claim).map(guess));
    }
    questions.truncate(PAST_MAX);
    questions
}

/// Questions on today's lesson: the choice of a meaning, a claim with its reason, tasks.
pub(crate) fn exit(
    tasks: &[String],
    words: &[Keyword],
    claims: &[Misconception],
    examples: &[Example],
) -> Vec<Question> {
    // The last claim first: the explanation begins with the others.
    let mut claims = claims.iter().filter(|one| one.is_claim).rev().map(of_claim_with_reason);
    let kept = dealt(examples).exit;
    let mut choices = (0..words.len()).filter_map(|at| choice(words, at));
    let number = tasks.len();
    let mut tasks = tasks.iter().enumerate().map(|(at, task)| of_task(at, task, &kept));
    // With three criteria every one of them is asked about; there is no room for the choice of a meaning then.
    if number > 2 {
        let mut questions: Vec<Question> = claims.next().into_iter().chain(tasks).collect();
        questions.extend([choices.next(), claims.next(), choices.next(), claims.next()].into_iter().flatten());
        return questions;
    }
    // From the word to the task: the first four ask about a word, a wrong idea and two criteria.
    let mut questions: Vec<Question> =
        [choices.next(), claims.next(), tasks.next(), tasks.next()].into_iter().flatten().collect();
    questions.extend([claims.next(), tasks.next(), choices.next(), claims.next()].into_iter().flatten());
    questions
}

/// A task with the example kept for it, or as something to show.
fn of_task(at: usize, task: &str, kept: &[&Example]) -> Question {
    match kept.iter().find(|one| one.of == Some(at)) {
        Some(example) => {
            let Question { ask, answer } = example.question();
            Question { ask: format!("{ask} (criterion {})", at + 1), answer }
        }
        None => Question { ask: format!("{SHOW_IT} {}.", uncapitalised(without_stop(task))), answer: None },
    }
}

/// What is asked about one item of prior knowledge: the questions that the file holds, else one made of its wording.
fn of_item(at: usize, item: &str, from: Past<'_>) -> Vec<Question> {
    let own: Vec<Question> = from.recall.iter().filter(|(of, _)| *of == at).map(|(_, one)| one.question()).collect();
    if own.is_empty() { vec![of_prior(item, from.words)] } else { own }
}

/// "know that …" becomes a true statement to judge; anything else is something to do.
fn of_prior(item: &str, words: &[Keyword]) -> Question {
    if let Some(statement) = known_statement(item) {
        return Question {
            ask: format!("True or false: {}?", uncapitalised(statement)),
            answer: Some("true; ask one pupil for an example.".to_owned()),
        };
    }
    let wanted = keys(item);
    let heard: Vec<String> = words
        .iter()
        .filter(|word| overlap(&word.term, &wanted) > 0)
        .take(1)
        .map(|word| format!("your own; listen for *{}*.", word.term))
        .collect();
    Question { ask: format!("{SHOW_IT} {}.", uncapitalised(without_stop(item))), answer: heard.into_iter().next() }
}

/// A term for its meaning, or the meaning for its term: by turns.
fn of_word(word: &Keyword, at: usize) -> Option<Question> {
    if word.meaning.is_empty() {
        return None;
    }
    let meaning = without_stop(&word.meaning);
    Some(if at.is_multiple_of(2) {
        Question { ask: format!("Which word means “{meaning}”?"), answer: Some(format!("{}.", word.term)) }
    } else {
        Question { ask: format!("What does *{}* mean?", word.term), answer: Some(format!("{meaning}.")) }
    })
}

fn of_claim(one: &Misconception) -> Question {
    let idea = uncapitalised(without_stop(&one.idea));
    Question { ask: format!("True or false: {idea}?"), answer: Some(format!("false.{}", shown(one))) }
}

/// A word of today: who has met it already, and as what?
fn met_before(word: &Keyword) -> Option<Question> {
    let meaning = without_stop(&word.meaning);
    (!meaning.is_empty()).then(|| Question {
        ask: format!("You may have met this word: what does *{}* mean?", word.term),
        answer: Some(format!("{meaning}. If hardly anybody knows it, take longer over it in the explanation.")),
    })
}

fn guess(one: &Misconception) -> Question {
    Question {
        ask: format!("A guess for today, yes or no: {}?", uncapitalised(without_stop(&one.idea))),
        answer: Some("not told yet; it comes back in the explanation.".to_owned()),
    }
}

fn of_claim_with_reason(one: &Misconception) -> Question {
    let idea = capitalised(without_stop(&one.idea));
    Question { ask: format!("“{idea}.” Is that right? Give a reason."), answer: Some(format!("no.{}", shown(one))) }
}

fn shown(one: &Misconception) -> String {
    let answer = without_stop(&one.answer);
    if answer.is_empty() { String::new() } else { format!(" If many say yes: {}.", uncapitalised(answer)) }
}

/// "Which of these is a fixed loop?" with the meanings of other words beside the right one.
fn choice(words: &[Keyword], at: usize) -> Option<Question> {
    const WRONG_ONES: usize = 2;
    let with_meaning: Vec<&Keyword> = words.iter().filter(|word| !word.meaning.is_empty()).collect();
    let right = with_meaning.get(at)?;
    let wrong: Vec<&&Keyword> = with_meaning.iter().filter(|word| word.term != right.term).take(WRONG_ONES).collect();
    if wrong.len() < WRONG_ONES {
        return None;
    }
    // The right one moves from question to question, so that its letter gives nothing away.
    let place = (right.term.len() + at) % (WRONG_ONES + 1);
    let mut options: Vec<&Keyword> = wrong.iter().map(|word| **word).collect();
    options.insert(place, right);
    let letters = ["A", "B", "C"];
    let listed: Vec<String> = letters
        .iter()
        .zip(&options)
        .map(|(letter, word)| format!("{letter}: {}", without_stop(&word.meaning)))
        .collect();
    let others: Vec<String> = letters
        .iter()
        .zip(&options)
        .filter(|(_, word)| word.term != right.term)
        .map(|(letter, word)| format!("{letter} is *{}*", word.term))
        .collect();
    Some(Question {
        ask: format!("What does *{}* mean? {}.", right.term, listed.join("; ")),
        answer: Some(format!("{}; {}.", letters.get(place).copied().unwrap_or_default(), others.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(term: &str, meaning: &str) -> Keyword {
        Keyword { term: term.into(), meaning: meaning.into() }
    }

    fn wrong(idea: &str, answer: &str) -> Misconception {
        Misconception { idea: idea.into(), answer: answer.into(), is_claim: true, shown_by: None }
    }

    #[test]
    fn the_starter_asks_in_turns() {
        let prior = ["use a repeat block".to_owned(), "know that a variable holds one value".to_owned()];
        let words =
            [word("repeat loop", "blocks that run a set number of times"), word("event", "what starts a script")];
        let claims = [wrong("a variable keeps every value", "wipe the old one")];
        let questions = past(Past {
            topic: "loops",
            prior: &prior,
            recall: &[],
            words: &words,
            claims: &claims,
            difficult: &[],
            today: &[],
            ahead: &[],
        });
        let asked: Vec<_> = questions.iter().map(|question| question.ask.as_str()).collect();
        assert_eq!(
            asked,
            [
                "Which word means “blocks that run a set number of times”?",
                "True or false: a variable keeps every value?",
                "*Show it:* use a repeat block.",
                "What does *event* mean?",
                "True or false: a variable holds one value?",
            ]
        );
        assert_eq!(questions[2].answer.as_deref(), Some("your own; listen for *repeat loop*."));
        assert_eq!(questions[1].answer.as_deref(), Some("false. If many say yes: wipe the old one."));
    }

    #[test]
    fn without_earlier_lessons_words_of_today_are_asked_for() {
        let prior = ["place whole numbers on a line".to_owned(), "read a scale".to_owned()];
        let ahead = [word("integer", "a whole number"), word("zero", "nothing"), word("scale", "marks on a line")];
        let from = Past {
            topic: "x",
            prior: &prior,
            recall: &[],
            words: &[],
            claims: &[],
            difficult: &[],
            today: &[],
            ahead: &ahead,
        };
        let questions = past(from);
        let answered: Vec<bool> = questions.iter().map(|question| question.answer.is_some()).collect();
        assert_eq!(answered, [false, true, false, true]);
        assert!(questions[1].ask.contains("*integer*") && questions[3].ask.contains("*zero*"), "{questions:?}");
    }

    #[test]
    fn a_choice_is_made_of_the_other_meanings() {
        let words = [word("a", "first"), word("b", "second"), word("c", "third")];
        let question = choice(&words, 0).unwrap();
        assert_eq!(question.ask, "What does *a* mean? A: second; B: first; C: third.");
        assert_eq!(question.answer.as_deref(), Some("B; A is *b*, C is *c*."));
        assert_eq!(choice(&words[..2], 0), None);
    }
}
