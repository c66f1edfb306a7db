//! Reading a lesson's material back from its text, so that a section can be written anew whoever wrote the rest: this
//! planner, a language model or a teacher.

use ta_curriculum::code::find_codes;
use ta_curriculum::level::{Level, Levels};

use super::material::{Family, Keyword, Material, Misconception, Outcome, Question};
use super::phrase::{claim, i_can, one_line, task, uncapitalised, without_stop};
use super::profile::Need;
use super::questions::{Past, exit, past};
use super::sections::{Kind, Lesson};

/// Takes from a lesson what it says about itself.
pub(crate) fn material(lesson: &Lesson) -> Material {
    let outcomes = items(lesson.body_of(Kind::Outcomes)).iter().filter_map(|item| outcome(item)).collect();
    let criteria: Vec<String> =
        items(lesson.body_of(Kind::Criteria)).iter().filter_map(|item| criterion(item)).collect();
    let prior: Vec<String> =
        items(lesson.body_of(Kind::Prior)).iter().map(|item| without_stop(item).to_owned()).collect();
    let keywords: Vec<Keyword> =
        items(lesson.body_of(Kind::Keywords)).iter().filter_map(|item| keyword(item)).collect();
    let misconceptions: Vec<Misconception> =
        items(lesson.body_of(Kind::Misconceptions)).iter().filter_map(|item| misconception(item)).collect();
    let tasks: Vec<String> =
        Material::tasks_of_criteria(&criteria).into_iter().filter(|task| !task.starts_with("use the words ")).collect();
    let mut asked = questions(lesson.body_of(Kind::Starter));
    if asked.is_empty() {
        asked = past(Past {
            topic: &topic(lesson),
            prior: &prior,
            recall: &[],
            words: &[],
            claims: &[],
            difficult: &[],
            today: &misconceptions,
            ahead: &keywords,
        });
    }
    Material {
        topic: topic(lesson),
        class: class(lesson).unwrap_or_else(|| "the class".to_owned()),
        family: family(lesson),
        exit: exit(&tasks, &keywords, &misconceptions, &[]),
        past: asked,
        needs: needs(lesson.body_of(Kind::Differentiation)),
        outcomes,
        tasks,
        criteria,
        prior,
        misconceptions,
        keywords,
        ..Material::default()
    }
}

/// Fills from what was read in the conversation whatever the lesson itself does not say.
pub(crate) fn completed(mut own: Material, known: Material) -> Material {
    fn fill<T>(own: &mut Vec<T>, known: Vec<T>) {
        if own.is_empty() {
            *own = known;
        }
    }
    fill(&mut own.tasks, known.tasks);
    fill(&mut own.criteria, known.criteria);
    fill(&mut own.prior, known.prior);
    fill(&mut own.misconceptions, known.misconceptions);
    fill(&mut own.keywords, known.keywords);
    fill(&mut own.outcomes, known.outcomes);
    if !known.needs.is_empty() {
        own.needs = known.needs;
    }
    // Questions that the starter does not ask yet come after those that it does.
    let fresh: Vec<Question> =
        known.past.into_iter().filter(|question| !own.past.iter().any(|one| one.ask == question.ask)).collect();
    own.past.extend(fresh);
    fill(&mut own.exit, known.exit);
    own.ahead = own.ahead.or(known.ahead);
    own.examples = known.examples;
    own.passages = known.passages;
    own.works = known.works;
    own.knows = known.knows;
    own
}

fn topic(lesson: &Lesson) -> String {
    let title = lesson.title();
    let topic = title.strip_prefix("Skills in ").unwrap_or(title);
    if topic.is_empty() { "the topic".to_owned() } else { uncapitalised(topic) }
}

/// The level in the line under the title: that of the class.
pub(crate) fn level(lesson: &Lesson) -> Option<Level> {
    let after = lesson.preamble.split_once("**Level:**")?.1;
    after.split(['·', '\n']).next()?.trim().parse::<Levels>().ok().map(Levels::low)
}

/// The class in the line under the title.
pub(crate) fn class(lesson: &Lesson) -> Option<String> {
    let after = lesson.preamble.split_once("**Class:**")?.1;
    let class = after.split(['·', '(', '\n']).next()?.trim();
    (!class.is_empty() && class != "not named").then(|| class.to_owned())
}

fn family(lesson: &Lesson) -> Family {
    let text = lesson.body_of(Kind::Outcomes);
    let organiser =
        find_codes(text).first().and_then(|found| found.codes.first().copied()).map(|code| code.organiser().to_owned());
    Family::of_code(organiser.as_deref().unwrap_or_default(), text)
}

/// List items and table rows of a section, without their marks; nested items and the heads of tables are left out.
fn items(body: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut rows = 0;
    for line in body.lines() {
        let number_end = line.find(". ").filter(|end| {
            line.get(..*end).is_some_and(|digits| digits.chars().all(|c| c.is_ascii_digit()) && !digits.is_empty())
        });
        if let Some(text) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
            items.push(text.trim_start_matches("[ ] ").trim().to_owned());
        } else if let Some(text) = number_end.and_then(|end| line.get(end + 2..)) {
            items.push(text.trim().to_owned());
        } else if line.starts_with('|') {
            rows += 1;
            // The first two rows are the head and the line under it.
            let filled: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
            if rows > 2 && !filled.is_empty() {
                items.push(filled.join(" | "));
            }
        } else {
            rows = 0;
        }
    }
    items.retain(|item| !item.is_empty());
    items
}

fn outcome(item: &str) -> Option<Outcome> {
    let pointer = ta_curriculum::pointer::find_pointers(item).into_iter().next()?;
    let rest = item.get(pointer.end..)?;
    let is_aside = |text: &str| text.starts_with(" (") && text.contains(" level, ") && text.ends_with(" the class");
    let (aside, says) = match rest.split_once("):").filter(|(aside, _)| is_aside(aside)) {
        Some((aside, says)) => (format!("{aside})"), says),
        None => (String::new(), rest.trim_start_matches(':')),
    };
    let paraphrase = says.contains(Outcome::PARAPHRASE);
    let verified = !paraphrase && !says.contains(Outcome::NOT_VERIFIED);
    let says = says.replace(Outcome::PARAPHRASE, "").replace(Outcome::NOT_VERIFIED, "").trim().to_owned();
    let pointer = item.get(pointer.start..pointer.end)?.to_owned();
    Some(Outcome { pointer, aside, says, verified, paraphrase })
}

fn criterion(item: &str) -> Option<String> {
    if let Some(at) = item.find("I can ") {
        let text = item.get(at..)?.split(" | ").next()?.trim_matches(['“', '”', '"']);
        let text = text.split(" 0 · ").next().unwrap_or(text);
        return Some(format!("{}.", without_stop(text)));
    }
    let asked = item.strip_prefix("Can you ").map(|rest| rest.trim_end_matches('?'));
    task(asked.unwrap_or(item)).map(|task| i_can(&task))
}

fn keyword(item: &str) -> Option<Keyword> {
    let plain = item.replace("**", "").replace(['*', '`'], "");
    let (term, meaning) = plain
        .split_once(": ")
        .or_else(|| plain.split_once(" ↔ "))
        .or_else(|| plain.split_once(" | "))
        .or_else(|| plain.split_once(" – "))?;
    let term = term.trim().trim_end_matches(" means");
    (term.split_whitespace().count() <= 5)
        .then(|| Keyword { term: term.to_owned(), meaning: without_stop(meaning).to_owned() })
}

fn misconception(item: &str) -> Option<Misconception> {
    let plain = item.replace("**", "");
    let quoted = plain.split_once('“').and_then(|(_, rest)| rest.split_once('”'));
    let (idea, answer) = quoted
        .or_else(|| plain.split_once('→'))
        .or_else(|| plain.split_once(" | "))
        .or_else(|| plain.split_once(": "))?;
    let answer = answer.trim_start_matches(['|', ' ', '.', ':', '→', '–', '-']);
    let said = claim(idea);
    Some(Misconception {
        idea: uncapitalised(without_stop(&one_line(said.unwrap_or(idea)))),
        answer: uncapitalised(without_stop(&one_line(answer))),
        is_claim: said.is_some() && quoted.is_some(),
        shown_by: None,
    })
}

/// "1. Question? **Answer:** answer"
fn questions(body: &str) -> Vec<Question> {
    items(body)
        .into_iter()
        .filter(|item| item.contains("**Answer:**"))
        .filter_map(|item| {
            let (ask, answer) = item.split_once("**Answer:**")?;
            // Grids name points and answers apart; those are no question and answer in one.
            let ask = ask.trim();
            (ask.split_whitespace().count() >= 3)
                .then(|| Question { ask: ask.to_owned(), answer: Some(answer.trim().to_owned()) })
        })
        .collect()
}

/// "- **Group** (need): support." with nested items for the places, which are found anew.
fn needs(body: &str) -> Vec<Need> {
    items(body)
        .into_iter()
        .filter_map(|item| {
            let (group, rest) = item.strip_prefix("**")?.split_once("**")?;
            let rest = rest.trim();
            let (need, support) = match rest.strip_prefix('(').and_then(|inner| inner.split_once("): ")) {
                Some((need, support)) => (need, support),
                None => ("", rest.trim_start_matches(':').trim()),
            };
            Some(Need {
                group: group.trim_end_matches(':').to_owned(),
                need: need.to_owned(),
                support: without_stop(support).to_owned(),
                ..Need::default()
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: &str = "# While loops\n\n**Class:** 3B (S3) · **Level:** third · **Length:** 50 minutes\n\n## Outcomes\n\n\
        - [TCH 3-14a](curriculum/c.md#L1-L4 \"words that stand there\"): Pupils explain what loops do. (paraphrase, not yet verified)\n\n\
        ## Success criteria\n\n- I can complete a trace table.\n- I can use the words *a* and *b* correctly when I explain my work.\n\n\
        ## Misconceptions\n\n- **“A loop ends at once.”** Trace it.\n\n## Keywords\n\n- **loop**: code that repeats\n\n\
        ## Starter (8 minutes)\n\n1. Which word means “x”? **Answer:** y.\n\n\
        ## Differentiation\n\n- **Two pupils with EAL** (long texts): pictures; starters.\n  - *Pictures*: here.\n";

    #[test]
    fn a_lesson_tells_what_it_is_made_of() {
        let material = material(&Lesson::read(LESSON));
        assert_eq!((material.topic.as_str(), material.class.as_str()), ("while loops", "3B"));
        assert_eq!(material.family, Family::Programming);
        assert_eq!(material.tasks, ["complete a trace table"]);
        assert_eq!(material.keywords[0].meaning, "code that repeats");
        assert_eq!(material.misconceptions[0].idea, "a loop ends at once");
        assert_eq!(material.past[0].answer.as_deref(), Some("y."));
        assert!(!material.outcomes[0].verified && material.outcomes[0].says == "Pupils explain what loops do.");
        assert_eq!(material.needs[0].support, "pictures; starters");
    }

    #[test]
    fn a_lesson_of_another_hand_is_read_as_far_as_it_goes() {
        let text = "# Loops\n\n## Key words\n\n| word | meaning |\n|---|---|\n| loop | repeats |\n\n## Misconceptions\n\n- It ends at once → trace it\n";
        let material = material(&Lesson::read(text));
        assert_eq!(material.keywords[0].term, "loop");
        assert_eq!(material.misconceptions[0].answer, "trace it");
        assert!(!material.misconceptions[0].is_claim);
    }
}
