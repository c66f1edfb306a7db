//! What is wrong with an item or a file, each with its line and what to do.

use super::read::{Section, fault};
use super::{
    BYTES_MAX, Check, EXIT_MIN, Fault, Item, MaterialFile, PRACTICE_MIN, PRACTICE_OF_STEP_MIN, RECALL_MIN, STEPS_MIN,
};
use crate::code::Code;

/// What an item lacks.
pub(super) fn of_item(section: Section, item: &Item, faults: &mut Vec<Fault>) {
    let id = &item.id;
    let mut say =
        |message: String, remedy: &str| faults.push(Fault { line: item.line, message, remedy: remedy.to_owned() });
    let plain = id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().skip(1).all(|c| c.is_ascii_digit());
    if !plain || id.len() < 2 {
        say(format!("the id `{id}` is none"), "begin the heading with a letter and a number, such as `### p1`");
    }
    if item.question.is_empty() {
        say(format!("`{id}` asks nothing"), "write the question below its heading");
    }
    if section == Section::Sources {
        if item.title.is_empty() {
            say(format!("`{id}` has no title"), "write it behind the id, as `### s1: title`");
        }
        if item.from.is_empty() {
            say(
                format!("`{id}` does not say where it is from"),
                "add `- **From:**` with a citation, or `Written for this lesson`",
            );
        }
        return;
    }
    if item.answer.is_empty() {
        say(format!("`{id}` has no answer"), "add `- **Answer:**` below the question");
    }
    if item.check.is_none() {
        say(
            format!("`{id}` does not say how its answer is checked"),
            "add `- **Check:**`, with `human` where nothing else fits",
        );
    }
    if matches!(section, Section::Practice(_) | Section::Misconceptions) && item.reason.is_empty() {
        say(format!("`{id}` gives no reason"), "add `- **Reason:**`: why the answer is right");
    }
    if section == Section::Worked && item.steps.len() < STEPS_MIN {
        say(format!("`{id}` shows fewer than {STEPS_MIN} steps"), "write them as a numbered list below the question");
    }
    if section == Section::Misconceptions && item.title.is_empty() {
        say(format!("`{id}` names no wrong idea"), "write it behind the id, as `### m1: the wrong idea`");
    }
    let in_a_list = matches!(section, Section::Recall | Section::Exit | Section::Misconceptions);
    if in_a_list && (item.question.contains("\n\n") || item.parts().1.is_some()) {
        say(
            format!("`{id}` has more than one paragraph"),
            "ask it in one, with code inside backticks: it stands in a list",
        );
    }
    if matches!(&item.check, Some(Check::Code(_)))
        && item.python().is_none()
        && matches!(&item.check, Some(Check::Code(code)) if code.is_empty())
    {
        say(
            format!("`{id}` has no Python to run"),
            "put it between ```python and ```, or write what is run behind `code`",
        );
    }
    if matches!(&item.check, Some(Check::Quote(_))) && item.uses.is_none() {
        say(format!("`{id}` quotes no source"), "add `- **Uses:**` with the id of the source");
    }
}

/// What a file lacks as a whole.
pub(super) fn of_file(text: &str, file: &MaterialFile, faults: &mut Vec<Fault>) {
    let mut say = |line: u32, message: String, remedy: &str| {
        faults.push(Fault { line, message, remedy: remedy.to_owned() });
    };
    if file.outcome.parse::<Code>().is_err() {
        say(
            1,
            format!("`outcome` is `{}`", file.outcome),
            "name the code in the front matter, as `outcome: MNU 3-07a`",
        );
    }
    if file.subject.is_empty() {
        say(1, "`subject` is missing".to_owned(), "name it in the front matter as the curriculum file does");
    }
    if text.len() > BYTES_MAX {
        say(1, format!("{} bytes, {BYTES_MAX} are the most", text.len()), "leave out what no lesson needs");
    }
    let of_step = |step: u8| file.practice.iter().filter(|item| item.step == Some(step)).count();
    let counts = [
        ("Worked examples", file.worked.len(), 1),
        ("Recall", file.recall.len(), RECALL_MIN),
        ("Practice: first step", of_step(1), PRACTICE_OF_STEP_MIN),
        ("Practice: second step", of_step(2), PRACTICE_OF_STEP_MIN),
        ("Practice: third step", of_step(3), PRACTICE_OF_STEP_MIN),
        ("Practice", file.practice.len(), PRACTICE_MIN),
        ("Exit questions", file.exit.len(), EXIT_MIN),
        ("Misconceptions", file.misconceptions.len(), 1),
    ];
    for (name, count, least) in counts.into_iter().filter(|(_, count, least)| count < least) {
        say(1, format!("{name}: {count} whole items, {least} are needed"), "add items, or mend those named here");
    }
    for item in file.items() {
        let unknown = item.uses.as_ref().filter(|id| file.source(id).is_none());
        faults.extend(unknown.map(|id| {
            fault(
                item.line,
                &format!("`{}` uses `{id}`, which is no source", item.id),
                "name one of the items under Sources",
            )
        }));
    }
}
