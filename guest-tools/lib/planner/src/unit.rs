//! Writing a unit: lessons in an order in which each stands on the ones before.
//!
//! The first lesson finds out what the outcome before left behind and meets the words; each of the next has one thing that
//! pupils do to show the outcome, in the order of the curriculum file; the last brings them together. What was learned is
//! asked for again in the lesson after and once more two lessons later.

use super::compose::{Plan, class_line, sources_of};
use super::examples::{Example, dealt, of_task, stopped};
use super::material::{Keyword, Material, Misconception};
use super::needs::{Entrance, starting_point};
use super::phrase::{capitalised, i_can, sentence, uncapitalised, without_stop};
use super::title::title;

/// What a lesson of the unit is for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Role {
    Begin,
    /// The tasks by their numbers, and whether it is the second lesson on them.
    Work {
        tasks: Vec<usize>,
        again: bool,
    },
    Together,
}

/// Writes the unit.
pub(crate) fn compose(plan: &Plan, wanted: Option<usize>) -> String {
    let material = &plan.gathered.material;
    let roles = roles(material.tasks.len(), wanted);
    let mut text =
        format!("# {}\n\n{}\n", title(&material.topic), class_line(plan).replace("**Length:**", "**Each lesson:**"));
    text.push_str(&format!("\n**Unit:** {} lessons\n\n## Outcomes\n\n", roles.len()));
    for outcome in &material.outcomes {
        text.push_str(&format!("- {}: {}{}\n", outcome.claim(), sentence(&outcome.says), outcome.mark()));
    }
    if let Some(remark) = &plan.outcome_remark {
        text.push_str(&format!("\n{remark}\n"));
    }
    text.push_str(&format!("\n## How it builds\n\n{}", table(material, &roles)));
    for (at, role) in roles.iter().enumerate() {
        let minutes = plan.minutes;
        text.push_str(&format!("\n## Lesson {} ({minutes} minutes): {}\n\n", at + 1, name(material, role)));
        text.push_str(&lesson(material, &roles, at));
    }
    text.push_str(&format!("\n## Assessment\n\n{}\n", assessment(material, roles.len())));
    text.push_str(&format!("\n## Needs across the unit\n\n{}\n", needs(material)));
    text.push_str(&format!("\n## About this draft\n\n{}\n", about(plan, &roles)));
    text
}

/// The order of lessons. With fewer lessons than tasks, tasks share a lesson; with more, tasks get a second one.
fn roles(tasks: usize, wanted: Option<usize>) -> Vec<Role> {
    let count = wanted.unwrap_or(tasks + 2).max(2);
    let mut roles = Vec::new();
    let between = match count.saturating_sub(2) {
        0 => 1,
        between => {
            roles.push(Role::Begin);
            between
        }
    };
    let once = between.min(tasks.max(1));
    let doubled = between.saturating_sub(tasks.max(1));
    for slot in 0..once {
        let own = (tasks * slot / once)..(tasks * (slot + 1) / once);
        let tasks: Vec<usize> = own.collect();
        roles.push(Role::Work { tasks: tasks.clone(), again: false });
        // Second lessons are spread from the last task backwards: what is hardest comes last and needs them most.
        let extra = doubled / once + usize::from(once - 1 - slot < doubled % once);
        roles.extend((0..extra).map(|_| Role::Work { tasks: tasks.clone(), again: true }));
    }
    roles.push(Role::Together);
    roles
}

fn name(material: &Material, role: &Role) -> String {
    match role {
        Role::Begin => "what you bring, and the words".to_owned(),
        Role::Together => "bringing it together".to_owned(),
        Role::Work { tasks, again } => {
            let what = tasks.iter().filter_map(|at| material.tasks.get(*at)).next();
            let what = what.map_or_else(|| material.topic.clone(), |task| uncapitalised(without_stop(task)));
            if *again { format!("{what}: alone, and in new cases") } else { what }
        }
    }
}

fn table(material: &Material, roles: &[Role]) -> String {
    let mut rows = String::from("| lesson | stands on | adds |\n|---|---|---|\n");
    for (at, role) in roles.iter().enumerate() {
        let on = match (role, at) {
            (Role::Begin, _) | (_, 0) => {
                material.prior.first().map_or_else(|| "earlier years".to_owned(), |item| without_stop(item).to_owned())
            }
            (Role::Together, 1) => "lesson 1".to_owned(),
            (Role::Together, _) => format!("lessons 1 to {at}"),
            (Role::Work { again: true, .. }, _) => format!("lesson {at}, done with help there"),
            _ => format!("lesson {at}"),
        };
        let adds = match role {
            Role::Begin => words_of(material, roles, at)
                .iter()
                .map(|word| format!("*{}*", word.term))
                .collect::<Vec<_>>()
                .join(", "),
            Role::Together => "choosing among all of it without being told which".to_owned(),
            Role::Work { .. } => name(material, role),
        };
        rows.push_str(&format!("| {} | {on} | {} |\n", at + 1, if adds.is_empty() { "first examples" } else { &adds }));
    }
    rows
}

/// The words that are new in a lesson: half of them at the beginning, the others as they are needed.
fn words_of<'a>(material: &'a Material, roles: &[Role], at: usize) -> Vec<&'a Keyword> {
    let teaching: Vec<usize> = (0..roles.len())
        .filter(|at| !matches!(roles.get(*at), Some(Role::Together | Role::Work { again: true, .. }) | None))
        .collect();
    let Some(place) = teaching.iter().position(|one| *one == at) else { return Vec::new() };
    let total = material.keywords.len();
    let range = (total * place / teaching.len())..(total * (place + 1) / teaching.len());
    material.keywords.get(range).unwrap_or_default().iter().collect()
}

fn idea_of<'a>(material: &'a Material, role: &Role) -> Option<&'a Misconception> {
    let Role::Work { tasks, again: false } = role else { return None };
    tasks.first().and_then(|at| material.misconceptions.get(*at))
}

fn lesson(material: &Material, roles: &[Role], at: usize) -> String {
    let Some(role) = roles.get(at) else { return String::new() };
    let mut lines = vec![format!("- **Goal:** {}", goal(material, role)), starter(material, roles, at)];
    let words = words_of(material, roles, at);
    if !words.is_empty() {
        let listed: Vec<String> =
            words.iter().map(|word| format!("*{}* ({})", word.term, without_stop(&word.meaning))).collect();
        lines.push(format!("- **New words:** {}.", listed.join("; ")));
    }
    if let Some(idea) = idea_of(material, role) {
        let answer = if idea.answer.is_empty() { String::new() } else { format!(" {}", sentence(&idea.answer)) };
        lines.push(format!("- **Wrong idea to meet:** “{}.”{answer}", capitalised(without_stop(&idea.idea))));
    }
    lines.extend(work(material, role));
    lines.push(format!("- **At the door:** {}", exit(material, roles, at)));
    lines.join("\n") + "\n"
}

fn goal(material: &Material, role: &Role) -> String {
    match role {
        Role::Begin => {
            format!("I can say what I know already that {} will need, and use its first words.", material.topic)
        }
        Role::Together => "I can decide by myself which of this a new problem needs, and check my own work.".to_owned(),
        Role::Work { tasks, .. } => {
            let goals: Vec<String> =
                tasks.iter().filter_map(|at| material.tasks.get(*at)).map(|task| sentence(&i_can(task))).collect();
            if goals.is_empty() {
                format!("I can explain {} with an example.", material.topic)
            } else {
                goals.join(" ")
            }
        }
    }
}

/// What was learned comes back in the lesson after and once more two lessons later.
fn starter(material: &Material, roles: &[Role], at: usize) -> String {
    let Some(before) = at.checked_sub(1) else {
        let asked: Vec<String> = material.past.iter().take(4).map(question).collect();
        return format!("- **Starter, from earlier years:**\n{}", indented(&asked));
    };
    let mut asked: Vec<String> = Vec::new();
    for back in [Some(before), at.checked_sub(3)].into_iter().flatten() {
        asked.extend(words_of(material, roles, back).first().map(|word| {
            format!(
                "From lesson {}: what does *{}* mean? **Answer:** {}.",
                back + 1,
                word.term,
                without_stop(&word.meaning)
            )
        }));
        let idea = roles.get(back).and_then(|role| idea_of(material, role)).filter(|idea| idea.is_claim);
        asked.extend(idea.map(|idea| {
            format!(
                "From lesson {}: “{}.” Right or wrong? **Answer:** wrong; ask for the reason.",
                back + 1,
                capitalised(without_stop(&idea.idea))
            )
        }));
    }
    if asked.is_empty() {
        asked.push(format!(
            "On paper, without notes: everything from lesson {at} in two minutes; then compare with the partner's."
        ));
    }
    format!("- **Starter, without notes:**\n{}", indented(&asked))
}

fn indented(items: &[String]) -> String {
    items.iter().map(|item| format!("  - {item}")).collect::<Vec<_>>().join("\n")
}

fn question(question: &super::material::Question) -> String {
    match &question.answer {
        Some(answer) => format!("{} **Answer:** {answer}", question.ask),
        None => question.ask.clone(),
    }
}

fn work(material: &Material, role: &Role) -> Vec<String> {
    let support = starting_point(material, Entrance::Support).replace("Way in", "The first is the way in");
    let challenge = starting_point(material, Entrance::Challenge).replace("Way in", "The last is the way in");
    let own = |tasks: &[usize]| -> Vec<String> {
        tasks.iter().filter_map(|at| material.tasks.get(*at)).map(|task| without_stop(task).to_owned()).collect()
    };
    match role {
        Role::Begin => vec![format!(
            "- **Pupils do:** sort {} into “I could do this”, “with help” and “new”, then take one of the first kind and show the steps. Note which of the prior knowledge is missing: lesson 2 begins there.{support}",
            material.examples()
        )],
        Role::Work { tasks, again: false } => vec![
            shown(material, tasks, &own(tasks)),
            format!(
                "- **Pupils do:** {}. The first with half of the steps given, the next alone, the last chosen by the pair.{support}{challenge}",
                own(tasks).join("; then ")
            ),
        ],
        Role::Work { tasks, again: true } => vec![format!(
            "- **Pupils do:** the same as in the lesson before, in cases that look different: {}. No steps given; every third task is one of an earlier lesson.{support}{challenge}",
            own(tasks).join("; then ")
        )],
        Role::Together => vec![format!(
            "- **Pupils do:** a mixed set in which nothing says which kind comes next: {}. First alone, then marked by the pair with the criteria, then one is done again better.{support}{challenge}",
            material.tasks.iter().map(|task| without_stop(task)).collect::<Vec<_>>().join("; ")
        )],
    }
}

fn exit(material: &Material, roles: &[Role], at: usize) -> String {
    let Some(role) = roles.get(at) else { return String::new() };
    match role {
        Role::Work { tasks, .. } => {
            let task = tasks.last().and_then(|at| material.tasks.get(*at));
            let task = task.map_or_else(
                || format!("explain {} in two sentences", material.topic),
                |task| without_stop(task).to_owned(),
            );
            let own = roles.get(at).and_then(|role| door(material, role));
            if let Some(example) = own {
                return format!(
                    "on a slip, alone: {} **Answer:** {} If fewer than two thirds manage, the next lesson opens with one more example.",
                    example.in_a_line(),
                    stopped(example.result())
                );
            }
            format!(
                "on a slip, alone: {task}. If fewer than two thirds manage, the next lesson opens with one more example."
            )
        }
        Role::Begin => match words_of(material, roles, at).first() {
            Some(word) => format!("what does *{}* mean? **Answer:** {}.", word.term, without_stop(&word.meaning)),
            None => "one thing you could do already, one that is new.".to_owned(),
        },
        Role::Together => "the assessment below, or its first three questions.".to_owned(),
    }
}

/// The example that a lesson works through, where the file holds one for its first task.
fn shown(material: &Material, tasks: &[usize], own: &[String]) -> String {
    let exit = dealt(&material.examples).exit;
    let mut examples = tasks.iter().flat_map(|at| of_task(material, *at)).filter(|one| !exit.contains(one));
    let Some(first) = examples.next() else {
        return format!(
            "- **You show:** one example worked through aloud, a second one with the class, for this: {}.",
            own.join("; ")
        );
    };
    let second = examples
        .next()
        .map(|one| format!(" Then with the class: {} **Answer:** {}", one.in_a_line(), stopped(&one.answer())))
        .unwrap_or_default();
    format!("- **You show:** {} Step by step: {}{second}", first.in_a_line(), stopped(&first.answer()))
}

/// What is asked at the door: the last example of the lesson's tasks, where there are more than the two that are shown.
fn door<'a>(material: &'a Material, role: &Role) -> Option<&'a Example> {
    let Role::Work { tasks, .. } = role else { return None };
    let exit = dealt(&material.examples).exit;
    let examples: Vec<&Example> =
        tasks.iter().flat_map(|at| of_task(material, *at)).filter(|one| !exit.contains(one)).collect();
    if examples.len() > 2 { examples.last().copied() } else { None }
}

fn assessment(material: &Material, lessons: usize) -> String {
    let mut text = format!("In lesson {lessons} or the period after it, without notes:\n\n");
    for (at, one) in material.exit.iter().enumerate() {
        text.push_str(&format!("{}. {}\n", at + 1, question(one)));
    }
    text.push_str("\n| secure | not yet |\n|---|---|\n");
    for task in &material.tasks {
        let task = without_stop(task);
        text.push_str(&format!(
            "| {task}, alone and with a reason | only with the first step given; back to its lesson |\n"
        ));
    }
    if let Some(ahead) = &material.ahead {
        text.push_str(&format!("\nWhoever is secure in all of it goes on to this: {}.\n", without_stop(ahead)));
    }
    text.trim_end().to_owned()
}

fn needs(material: &Material) -> String {
    if material.needs.is_empty() {
        return "No needs are stated for this class.".to_owned();
    }
    let line = |need: &super::profile::Need| {
        let support = without_stop(&need.support);
        let support =
            if support.is_empty() { "the profile does not say what helps; ask before lesson 1" } else { support };
        format!(
            "- **{}**: {support}. In every lesson from the first; see after the middle of the unit what can be taken away.",
            capitalised(&need.group)
        )
    };
    material.needs.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn about(plan: &Plan, roles: &[Role]) -> String {
    let material = &plan.gathered.material;
    let mut extra = vec![format!(
        "This is the order of {} lessons, not their detail: plan each with `create-lesson` when its turn comes, from what the lesson before showed",
        roles.len()
    )];
    if material.tasks.len() + 2 < roles.len() {
        extra.push(
            "There are more lessons than the curriculum file has steps: some steps have a second lesson".to_owned(),
        );
    } else if roles.len() < material.tasks.len() + 2 {
        extra.push("There are fewer lessons than steps: some lessons carry two, or the beginning is cut short. Look at those first".to_owned());
    }
    sources_of(plan, &extra)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_as_many_as_asked_for_and_lose_no_task() {
        for tasks in 1..6 {
            for wanted in 2..15 {
                let roles = roles(tasks, Some(wanted));
                assert_eq!(roles.len(), wanted, "{tasks} tasks: {roles:?}");
                let mut met: Vec<usize> = roles
                    .iter()
                    .filter_map(|role| match role {
                        Role::Work { tasks, .. } => Some(tasks.clone()),
                        _ => None,
                    })
                    .flatten()
                    .collect();
                assert!(met.is_sorted(), "{met:?}");
                met.dedup();
                assert_eq!(met, (0..tasks).collect::<Vec<_>>(), "{wanted} lessons");
                assert_eq!(roles.last(), Some(&Role::Together));
            }
        }
        assert_eq!(roles(3, None).len(), 5);
    }
}
