//! Writing a resource for pupils, with its answers: worksheet, revision guide, quiz.
//!
//! Every question has its answer, because both come from the same line of the curriculum file. What the files cannot give,
//! an example to work on, is marked for the teacher and not made up.

use super::compose::{Plan, class_line, sources_of};
use super::examples::{Example, dealt, stopped};
use super::material::{Keyword, Material};
use super::needs::{Entrance, starting_point};
use super::phrase::{capitalised, sentence, uncapitalised, without_stop};
use super::product::Resource;
use super::profile::Need;
use super::title::title;
use super::words::says;

/// A question on paper with its answer.
struct Item {
    ask: String,
    answer: String,
}

/// Writes the resource.
pub(crate) fn compose(plan: &Plan, kind: Resource) -> String {
    let material = &plan.gathered.material;
    let (name, body) = match kind {
        Resource::Worksheet => ("Worksheet", worksheet(material)),
        Resource::RevisionGuide => ("Revision guide", revision_guide(material)),
        Resource::Quiz => ("Quiz", quiz(material)),
    };
    let head = class_line(plan);
    let head = head.split(" · **Length:**").next().unwrap_or(&head);
    let mut text = format!("# {name}: {}\n\n{head}\n\n{body}\n", title(&material.topic));
    text.push_str(&format!("\n## For the teacher\n\n{}\n", for_teacher(plan, kind)));
    text.push_str(&format!("\n## About this draft\n\n{}\n", sources_of(plan, &[])));
    text
}

fn worksheet(material: &Material) -> String {
    let words = with_meaning(material);
    let mut parts = Vec::new();
    let mut answers = Vec::new();
    if words.len() >= 2 {
        let (sheet, answer) = matching(&words);
        parts.push(format!("## 1 Words\n\nWhich meaning belongs to which word? Write the letter.\n\n{sheet}"));
        answers.push(format!("**1** {answer}"));
    }
    let judged = right_or_wrong(material);
    if !judged.is_empty() {
        parts.push(format!(
            "## 2 Right or wrong?\n\nTick what is right. Mend what is wrong on the line below it.\n\n{}",
            lines(&judged, "______________________________")
        ));
        answers.push(format!("**2** {}", answers_in_line(&judged)));
    }
    let (tasks, answer) = if material.examples.is_empty() { tasks(material) } else { questions(material) };
    parts.push(format!("## 3 Tasks\n\n{tasks}"));
    answers.push(format!("**3** {answer}"));
    if let Some(first) = words.first() {
        parts.push(format!("## 4 In your own words\n\nSomebody was absent today. Tell them in two sentences what *{}* means, with an example.\n\n______________________________\n\n______________________________", first.term));
        answers.push(format!("**4** listen for: {}.", without_stop(&first.meaning)));
    }
    format!("{}\n\n## Answers\n\n{}", parts.join("\n\n"), answers.join("\n\n"))
}

/// Three ways in, each a task with room to write.
fn tasks(material: &Material) -> (String, String) {
    let task = |at: usize| {
        material
            .tasks
            .get(at)
            .map_or_else(|| format!("explain {} with an example", material.topic), |task| without_stop(task).to_owned())
    };
    let core = if material.tasks.len() > 1 { format!("{}; then {}", task(0), task(1)) } else { task(0) };
    let last = last_task(material);
    let listens: Vec<String> =
        material.criteria.iter().map(|criterion| uncapitalised(without_stop(criterion))).collect();
    let answer = format!("your own examples decide; a good answer lets you say: {}.", listens.join("; "));
    let text = format!(
        "Begin where your teacher says. Your example is on the board or in the box.\n\n**A.** {}. The first step is done with you.\n\n______________________________\n\n**B.** {}.\n\n______________________________\n\n______________________________\n\n**C.** {}.\n\n______________________________\n\n______________________________",
        capitalised(&task(0)),
        capitalised(&core),
        capitalised(&last)
    );
    (text, answer)
}

/// What the third way in asks for.
fn last_task(material: &Material) -> String {
    let task = material
        .tasks
        .first()
        .map_or_else(|| format!("explain {} with an example", material.topic), |task| without_stop(task).to_owned());
    material.claims().last().map_or_else(
        || format!("write a task of this kind for your neighbour, with its answer: {task}"),
        |claim| {
            format!(
                "a pupil says: “{}.” Show with an example of your own why that is wrong",
                capitalised(without_stop(&claim.idea))
            )
        },
    )
}

/// The examples of the curriculum file in three ways in, the first of them worked through; and their answers.
fn questions(material: &Material) -> (String, String) {
    const ROOM: &str = "______________________________";
    const QUESTIONS_MAX: usize = 8;
    let own: Vec<&Example> = if material.is_given() {
        let dealt = dealt(&material.examples);
        dealt.worked.into_iter().chain(dealt.sheet).collect()
    } else {
        material.examples.iter().take(QUESTIONS_MAX).collect()
    };
    let mut all = own.into_iter();
    let mut text = String::from("Begin where your teacher says.\n\n");
    if let Some(first) = all.next() {
        let steps: Vec<String> = first.steps.iter().map(|step| format!("- {step}")).collect();
        text.push_str(&format!("{}\n\n{}\n\n", first.shown("Done for you."), steps.join("\n")));
    }
    let rest: Vec<&Example> = all.collect();
    let mut answers = Vec::new();
    for (at, one) in rest.iter().enumerate() {
        let way = match at {
            0 => "**A.**\n\n",
            1 => "**B.**\n\n",
            _ => "",
        };
        text.push_str(&format!("{way}{}\n\n{ROOM}\n\n{ROOM}\n\n", one.shown(&format!("{}.", at + 1))));
        answers.push(format!("{}: {}", at + 1, without_stop(&one.reasoned())));
    }
    text.push_str(&format!("**C.** {}.\n\n{ROOM}\n\n{ROOM}", capitalised(&last_task(material))));
    answers.push("C: your own example decides".to_owned());
    (text, format!("{}.", answers.join("; ")))
}

fn revision_guide(material: &Material) -> String {
    let know: Vec<String> = with_meaning(material)
        .iter()
        .map(|word| format!("- **{}**: {}.", word.term, without_stop(&word.meaning)))
        .collect();
    let able: Vec<String> =
        material.criteria.iter().map(|criterion| format!("- [ ] {}", sentence(criterion))).collect();
    let slips: Vec<String> = material
        .misconceptions
        .iter()
        .map(|one| {
            let mend = if one.answer.is_empty() {
                String::new()
            } else {
                format!(" To convince yourself: {}.", uncapitalised(without_stop(&one.answer)))
            };
            format!("- Many write “{}”. That is wrong.{mend}", without_stop(&one.idea))
        })
        .collect();
    let items = quiz_items(material);
    let test: Vec<String> = items.iter().enumerate().map(|(at, item)| format!("{}. {}", at + 1, item.ask)).collect();
    let answers: Vec<String> =
        items.iter().enumerate().map(|(at, item)| format!("{}. {}", at + 1, item.answer)).collect();
    let first = material
        .tasks
        .first()
        .map_or_else(|| format!("explain {}", material.topic), |task| without_stop(task).to_owned());
    format!(
        "## What you need to know\n\nCover the right side and say each meaning aloud before you look.\n\n{}\n\n\
         ## What you can do when you are ready\n\nTick only what you did today without looking.\n\n{}\n\n\
         ## Mistakes to look out for\n\n{}\n\n\
         ## Three short sessions\n\n1. **Today, 15 minutes.** Questions 1 to 3 below with the page covered; then do this once: {first}.\n\
         2. **In three days, 15 minutes.** All questions, without reading first. Read only what you got wrong.\n\
         3. **In a week, 15 minutes.** Only the questions that went wrong; then explain one of them to somebody at home.\n\n\
         ## Test yourself\n\n{}\n\n## Answers\n\n{}",
        know.join("\n"),
        able.join("\n"),
        if slips.is_empty() { "The curriculum file names none for this outcome.".to_owned() } else { slips.join("\n") },
        test.join("\n"),
        answers.join("\n"),
    )
}

fn quiz(material: &Material) -> String {
    let items = quiz_items(material);
    let asked: Vec<String> = items.iter().enumerate().map(|(at, item)| format!("{}. {}", at + 1, item.ask)).collect();
    let answers: Vec<String> =
        items.iter().enumerate().map(|(at, item)| format!("{}. {}", at + 1, item.answer)).collect();
    format!(
        "## Questions\n\nAlone, without notes. “?” is an allowed answer. About {} minutes.\n\n{}\n\n## Answers\n\n{}",
        items.len() * 3 / 2 + 1,
        asked.join("\n"),
        answers.join("\n")
    )
}

/// Questions on words, ideas and earlier lessons, each with an answer and what a wrong one shows.
fn quiz_items(material: &Material) -> Vec<Item> {
    const ITEMS_MAX: usize = 10;
    let words = with_meaning(material);
    let choices = (0..words.len()).step_by(2).filter_map(|at| choice(&words, at));
    let meanings = words.iter().skip(1).step_by(2).map(|word| Item {
        ask: format!("Which word means “{}”?", without_stop(&word.meaning)),
        answer: format!("{}.", word.term),
    });
    let ideas = material.claims().map(|one| Item {
        ask: format!("“{}.” Right or wrong? Give a reason.", capitalised(without_stop(&one.idea))),
        answer: if one.answer.is_empty() {
            "wrong.".to_owned()
        } else {
            format!("wrong. If many say right: {}.", uncapitalised(without_stop(&one.answer)))
        },
    });
    let before =
        material.past.iter().filter_map(|one| Some(Item { ask: one.ask.clone(), answer: one.answer.clone()? }));
    let before =
        before.filter(|item| !item.ask.starts_with("A guess for today") && !item.ask.starts_with("You may have met"));
    let mut items: Vec<Item> = before.take(2).collect();
    let worked = material.examples.iter().filter(|one| !one.is_long()).take(4);
    items.extend(worked.map(|one| Item { ask: one.ask.clone(), answer: stopped(&one.answer()) }));
    items.extend(choices);
    items.extend(meanings);
    items.extend(ideas);
    items.truncate(ITEMS_MAX);
    items
}

/// A word with its own meaning and two others.
fn choice(words: &[&Keyword], at: usize) -> Option<Item> {
    const LETTERS: [char; 3] = ['A', 'B', 'C'];
    let right = words.get(at)?;
    let wrong: Vec<&&Keyword> = words.iter().filter(|word| word.term != right.term).take(2).collect();
    let mut shown = wrong.clone();
    shown.insert(at % 3, right);
    if shown.len() < LETTERS.len() {
        return None;
    }
    let options: Vec<String> =
        LETTERS.iter().zip(&shown).map(|(letter, word)| format!("{letter}: {}", without_stop(&word.meaning))).collect();
    let letter =
        |word: &Keyword| LETTERS.iter().zip(&shown).find(|(_, one)| one.term == word.term).map(|(letter, _)| *letter);
    let others: Vec<String> =
        wrong.iter().filter_map(|word| Some(format!("{} is *{}*", letter(word)?, word.term))).collect();
    Some(Item {
        ask: format!("What does *{}* mean? {}.", right.term, options.join("; ")),
        answer: format!("{}; {}.", letter(right)?, others.join(", ")),
    })
}

fn with_meaning(material: &Material) -> Vec<&Keyword> {
    material.keywords.iter().filter(|word| !word.meaning.is_empty()).collect()
}

/// Words beside the meanings of other words, and which letters are right.
fn matching(words: &[&Keyword]) -> (String, String) {
    let letter = |at: usize| u8::try_from(at).ok().map_or('?', |at| char::from(b'A' + at));
    let count = words.len();
    let mut rows = String::from("| | word | | meaning |\n|---|---|---|---|\n");
    let mut right = Vec::new();
    // Moved on, so that no word stands beside its own meaning.
    let shift = if count > 3 { 2 } else { 1 };
    let shown: Vec<usize> = (0..count).map(|at| (at + shift) % count).collect();
    for (at, (word, other)) in words.iter().zip(&shown).enumerate() {
        let meaning = words.get(*other).map_or("", |word| without_stop(&word.meaning));
        rows.push_str(&format!("| ___ | {} | {} | {meaning} |\n", word.term, letter(at)));
        let place = shown.iter().position(|one| *one == at).map_or('?', letter);
        right.push(format!("{}: {place}", word.term));
    }
    (rows.trim_end().to_owned(), format!("{}.", right.join("; ")))
}

/// Wrong ideas between true statements, so that "wrong" is not always right.
fn right_or_wrong(material: &Material) -> Vec<Item> {
    let mut truths = with_meaning(material).into_iter().map(|word| Item {
        ask: format!("*{}* means: {}.", capitalised(&word.term), without_stop(&word.meaning)),
        answer: "right".to_owned(),
    });
    let mut items = Vec::new();
    for claim in material.claims() {
        let mend = if claim.answer.is_empty() {
            String::new()
        } else {
            format!(" ({})", uncapitalised(without_stop(&claim.answer)))
        };
        items.push(Item { ask: sentence(&capitalised(&claim.idea)), answer: format!("wrong{mend}") });
        items.extend(truths.next());
    }
    // The same order each time, and none that pupils could guess the answers from.
    items.sort_by_key(|item| (item.ask.len() * 7) % 11);
    items
}

fn lines(items: &[Item], room: &str) -> String {
    items
        .iter()
        .enumerate()
        .map(|(at, item)| format!("{}. ☐ {}\n\n   {room}", at + 1, item.ask))
        .collect::<Vec<_>>()
        .join("\n")
}

fn answers_in_line(items: &[Item]) -> String {
    items.iter().enumerate().map(|(at, item)| format!("{}: {}", at + 1, item.answer)).collect::<Vec<_>>().join("; ")
        + "."
}

fn for_teacher(plan: &Plan, kind: Resource) -> String {
    let material = &plan.gathered.material;
    let mut text: Vec<String> = material
        .outcomes
        .iter()
        .map(|outcome| format!("- {}: {}{}", outcome.claim(), sentence(&outcome.says), outcome.mark()))
        .collect();
    if kind == Resource::Worksheet {
        let own = if material.examples.is_empty() {
            format!(
                "The files hold no {}: put one for each of A, B and C on the board or paste it into a box, and work it through first.",
                material.examples()
            )
        } else {
            "The questions come from the curriculum file: work them through first.".to_owned()
        };
        text.push(format!(
            "- {own}{}{}",
            starting_point(material, Entrance::Support).replace("Way in", "A is the way in"),
            starting_point(material, Entrance::Challenge).replace("Way in", "C is the way in"),
        ));
    }
    text.extend(material.needs.iter().filter_map(on_paper));
    text.push("- Cut off the answers before you copy.".to_owned());
    text.join("\n")
}

/// What a need changes about something on paper.
fn on_paper(need: &Need) -> Option<String> {
    const ABOUT_PAPER: &str = "print|paper|point|font|large|enlarged|sheet|typed|colour|colours|pictures|keywords|steps|lines|read|sentence starters|laptop|scribe|chunks|task";
    let parts: Vec<&str> = need.support.split(';').map(str::trim).filter(|part| says(part, ABOUT_PAPER)).collect();
    (!parts.is_empty()).then(|| format!("- For {}: {}.", uncapitalised(&need.group), parts.join("; ")))
}
