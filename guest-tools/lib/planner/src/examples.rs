//! Examples and questions with their answers, as a curriculum file holds them, and where in a lesson each is used.
//!
//! An entry may have two fields of one line an example: `Examples` on the outcome itself, `Recall` on what it stands on.
//!
//! ```text
//! - **Recall:**
//!   - 1: Fill the gap: 2/3 = ☐/12. → 8
//! - **Examples:**
//!   - 2: Work out 2/3 + 1/4. → 2/3 = 8/12 | 1/4 = 3/12 | 8/12 + 3/12 = 11/12
//! ```
//!
//! The number says which item of `Assessment` (for `Recall`: of `Prior knowledge`) it exercises; `|` parts the steps of the
//! answer, `⏎` the lines of code. Nothing is made up here: an entry without examples leaves them to the teacher.

use ta_curriculum::material::Item;

use super::given::{Passage, answered};
use super::material::{Material, Question};
use super::phrase::{one_line, without_stop};
use super::words::{keys, overlap};

/// Parts the lines of code inside backticks.
const LINE: char = '⏎';

/// Questions of the practice sheet: more than these are not reached in a period.
const SHEET_MAX: usize = 6;

/// Where in a lesson an example belongs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Wherever it is needed: a line of a curriculum file.
    #[default]
    Any,
    /// Worked through in the explanation.
    Worked,
    /// A question of the practice, with its step from 1 to 3.
    Practice(u8),
    /// A question of the practice that there is no time for.
    Spare,
    /// Asked at the end.
    Exit,
}

/// Something to work on, with its answer in steps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) ask: String,
    /// Code, a table or a quotation below the wording, as markdown.
    pub(crate) block: Option<String>,
    /// Never empty.
    pub(crate) steps: Vec<String>,
    /// Why the answer is right; empty where the file does not say.
    pub(crate) reason: String,
    /// The number of what it exercises: of the item in its field, later of the lesson's task.
    pub(crate) of: Option<usize>,
    pub(crate) role: Role,
    /// 1 to 3 for a practice question of a material file.
    pub(crate) step: Option<u8>,
    /// What it is about, where its file covers more than one topic.
    pub(crate) topics: Vec<String>,
    /// The id of the passage that is needed.
    pub(crate) uses: Option<String>,
}

impl Example {
    /// Reads one line of a field.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let line = line.trim().trim_start_matches("- ").trim();
        let (ask, answer) = line.split_once(" → ")?;
        let numbered = ask.split_once(": ").and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest)));
        let (of, ask) = match numbered {
            Some((number, rest)) => (number.checked_sub(1), rest),
            None => (None, ask),
        };
        let steps: Vec<String> = answer.split(" | ").map(|step| without_stop(step).to_owned()).collect();
        (!ask.trim().is_empty()).then(|| Self { ask: ask.trim().to_owned(), steps, of, ..Self::default() })
    }

    /// An item of a material file.
    pub(crate) fn given(item: &Item, role: Role, of: Option<usize>) -> Self {
        let (ask, block) = item.parts();
        let mut steps: Vec<String> = item.steps.iter().map(|step| without_stop(step).to_owned()).collect();
        steps.push(without_stop(&item.answer).to_owned());
        Self {
            ask,
            block,
            steps,
            reason: item.reason.clone(),
            of,
            role,
            step: item.step,
            topics: item.topics.clone(),
            uses: item.uses.clone(),
        }
    }

    /// Words of question, answer and reason.
    pub(crate) fn words(&self) -> usize {
        let texts = [self.ask.as_str(), self.block.as_deref().unwrap_or_default(), &self.reason];
        texts.into_iter().chain(self.steps.iter().map(String::as_str)).map(|text| text.split_whitespace().count()).sum()
    }

    /// Whether it holds code over several lines, which has room in a section of its own only.
    pub(crate) fn is_long(&self) -> bool {
        self.ask.contains(LINE) || self.block.is_some()
    }

    /// The result, without the way there.
    pub(crate) fn result(&self) -> &str {
        self.steps.last().map_or("", String::as_str)
    }

    /// The answer with its steps.
    pub(crate) fn answer(&self) -> String {
        self.steps.join("; ")
    }

    /// The answer with its steps and the reason for it.
    pub(crate) fn reasoned(&self) -> String {
        answered(&self.answer(), &self.reason)
    }

    /// As a question with its result.
    pub(crate) fn question(&self) -> Question {
        Question { ask: one_line(&self.ask), answer: Some(answered(self.result(), &self.reason)) }
    }

    /// As it stands within a sentence: lines of code are parted by strokes.
    pub(crate) fn in_a_line(&self) -> String {
        let lines = self.block.iter().flat_map(|block| block.lines()).filter(|line| !line.starts_with("```"));
        let parts: Vec<&str> =
            self.ask.split(LINE).chain(lines).map(str::trim).filter(|line| !line.is_empty()).collect();
        parts.join(" / ")
    }

    /// The wording in front of the code, and the code.
    fn parts(&self) -> (String, Option<String>) {
        let code = self.ask.split('`').nth(1).filter(|code| code.contains(LINE));
        let Some(code) = code else { return (self.ask.clone(), None) };
        let ask = self.ask.replace(&format!("`{code}`"), "");
        (one_line(&ask), Some(code.replace(LINE, "\n")))
    }

    /// The question with its steps below it, and the result apart from them where a material file gives it so.
    fn worked_through(&self, name: &str) -> String {
        let listed = |steps: &[String]| {
            let lines: Vec<String> = steps.iter().map(|step| format!("- {}", without_stop(step))).collect();
            lines.join("\n")
        };
        match (self.role, self.steps.split_last()) {
            (Role::Worked, Some((answer, steps))) => {
                format!("{}\n\n{}\n\n**Answer:** {}", self.shown(name), listed(steps), stopped(answer))
            }
            _ => format!("{}\n\n{}", self.shown(name), listed(&self.steps)),
        }
    }

    /// The question as a paragraph under a bold name, with its code below.
    pub(crate) fn shown(&self, name: &str) -> String {
        let (ask, code) = self.parts();
        let code = code.map(|code| format!("\n\n```text\n{code}\n```")).unwrap_or_default();
        let block = self.block.as_ref().map(|block| format!("\n\n{block}")).unwrap_or_default();
        format!("**{name}** {ask}{code}{block}")
    }
}

/// Puts examples into the order in which a lesson uses them: those of the first task first, of these what has two words of
/// the topic ("area of a triangle"). Otherwise the order of the file holds, which goes from easy to hard.
pub(crate) fn ordered(mut examples: Vec<Example>, topic: &str) -> Vec<Example> {
    let words = keys(topic);
    let enough = words.len().clamp(1, 2);
    let elsewhere = |one: &Example| overlap(&one.ask, &words) < enough;
    examples.sort_by_key(|one| (one.of.unwrap_or(usize::MAX), elsewhere(one)));
    examples
}

/// The examples of a lesson, dealt out: none is used twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Dealt<'a> {
    /// Worked through by the teacher.
    pub(crate) worked: Option<&'a Example>,
    /// Done together with the class.
    pub(crate) second: Option<&'a Example>,
    /// For the practice, from easy to hard.
    pub(crate) sheet: Vec<&'a Example>,
    /// For the end of the lesson.
    pub(crate) exit: Vec<&'a Example>,
}

/// Deals the examples out: two to the explanation, the last of each task to the exit, the rest to the practice.
pub(crate) fn dealt(examples: &[Example]) -> Dealt<'_> {
    const EXIT_MAX: usize = 3;
    const SHEET_MIN: usize = 2;
    if examples.iter().any(|one| one.role != Role::Any) {
        return by_role(examples);
    }
    let mut rest: Vec<&Example> = examples.iter().collect();
    if rest.is_empty() {
        return Dealt::default();
    }
    // The first with more than a result: steps are what the explanation is about.
    let worked = rest.remove(rest.iter().position(|one| one.steps.len() > 1).unwrap_or(0));
    let alike = rest.iter().position(|one| one.of == worked.of).unwrap_or(0);
    let second = (!rest.is_empty()).then(|| rest.remove(alike));
    let mut exit: Vec<&Example> = Vec::new();
    // The worked task is asked for at the end as well; a task that has one example only keeps it for the sheet last.
    let tasks: Vec<Option<usize>> = rest.iter().map(|one| one.of).collect();
    for task in tasks {
        let known = exit.iter().any(|one| one.of == task);
        let last = rest.iter().rposition(|one| one.of == task && !one.is_long());
        let enough = exit.is_empty() || rest.len() > SHEET_MIN;
        if let Some(at) = last.filter(|_| !known && enough && exit.len() < EXIT_MAX && rest.len() > 1) {
            exit.push(rest.remove(at));
        }
    }
    rest.truncate(SHEET_MAX);
    Dealt { worked: Some(worked), second, sheet: rest, exit }
}

/// The examples of material files, which say themselves where they belong.
fn by_role(examples: &[Example]) -> Dealt<'_> {
    let of = |wanted: fn(Role) -> bool| examples.iter().filter(move |one| wanted(one.role));
    let mut worked = of(|role| role == Role::Worked);
    let (first, second) = (worked.next(), worked.next());
    let sheet: Vec<&Example> = of(|role| matches!(role, Role::Practice(_))).collect();
    // With one example that is worked through, the next is a question that there is no time for in the practice.
    let second = second.or_else(|| of(|role| role == Role::Spare).find(|one| one.step == Some(1)));
    Dealt { worked: first, second, sheet, exit: of(|role| role == Role::Exit).collect() }
}

/// What stands below the steps of the explanation: an example worked through, and one to do together.
pub(crate) fn board(material: &Material) -> Option<String> {
    let dealt = dealt(&material.examples);
    let worked = dealt.worked?;
    let mut text = worked.worked_through("Worked example.");
    if let Some(second) = dealt.second {
        let is_worked = second.role == Role::Worked;
        text.push_str("\n\n");
        text.push_str(&if is_worked {
            second.worked_through("Second example, together.")
        } else {
            let shown = second.shown("Second example, together.");
            format!("{shown}{}**Answer:** {}", gap(second), second.reasoned())
        });
    }
    Some(text)
}

/// What stands below the steps of the practice: the questions with their answers.
pub(crate) fn sheet(material: &Material) -> Option<String> {
    let sheet = dealt(&material.examples).sheet;
    if sheet.is_empty() {
        return None;
    }
    if material.is_given() {
        return Some(sheet_in_steps(material, &sheet));
    }
    let lead = match sheet.len() {
        1 => "**Question for the sheet.**".to_owned(),
        2 => "**Questions for the sheet.** Support begins at 1, challenge at 2.".to_owned(),
        number => format!("**Questions for the sheet.** Support begins at 1, core at 2, challenge at {number}."),
    };
    let answer = |one: &Example| format!("**Answer:** {}", stopped(&one.answer()));
    let items = sheet.iter().enumerate();
    let (items, joint): (Vec<String>, &str) = if sheet.iter().any(|one| one.is_long()) {
        let paragraph = |(at, one): (usize, &&Example)| {
            format!("{}{}{}", one.shown(&format!("Question {}.", at + 1)), gap(one), answer(one))
        };
        (items.map(paragraph).collect(), "\n\n")
    } else {
        (items.map(|(at, one)| format!("{}. {} {}", at + 1, one.ask, answer(one))).collect(), "\n")
    };
    Some(format!("{lead}\n\n{}", items.join(joint)))
}

/// The names of the steps on the sheet, which pupils read.
const STEP_NAMES: [&str; 3] = ["Step 1: to get going", "Step 2: the goal", "Step 3: further"];

/// What is needed first, then the questions by their steps, numbered through.
fn sheet_in_steps(material: &Material, sheet: &[&Example]) -> String {
    let mut parts: Vec<String> = material.passages.iter().map(passage).collect();
    let mut number = 0;
    for (step, name) in (1..).zip(STEP_NAMES) {
        let of_step: Vec<&&Example> = sheet.iter().filter(|one| one.step == Some(step)).collect();
        if of_step.is_empty() {
            continue;
        }
        let apart = of_step.iter().any(|one| one.is_long());
        let mut items = Vec::new();
        for one in of_step {
            number += 1;
            let answer = format!("**Answer:** {}", one.reasoned());
            items.push(if apart {
                format!(
                    "{}{}{answer}",
                    one.shown(&format!("Question {number}.")),
                    if one.is_long() { "\n\n" } else { " " }
                )
            } else {
                format!("{number}. {} {answer}", one.ask)
            });
        }
        parts.push(format!("**{name}**\n\n{}", items.join(if apart { "\n\n" } else { "\n" })));
    }
    parts.join("\n\n")
}

/// A passage as pupils read it: its title and where it is from, then the text as a quotation.
fn passage(passage: &Passage) -> String {
    let lines: Vec<String> = passage
        .text
        .lines()
        .map(|line| if line.starts_with(['>', '|']) || line.is_empty() { line.to_owned() } else { format!("> {line}") })
        .collect();
    format!("**{}.** {}\n\n{}", without_stop(&passage.title), stopped(&passage.from), lines.join("\n"))
}

/// The text with one mark at its end.
pub(crate) fn stopped(text: &str) -> String {
    let text = text.trim_end();
    // A sentence that is quoted brings its own mark.
    let ended = text.trim_end_matches(['”', '’', '»']).ends_with(['.', '?', '!', '…']);
    if ended { text.to_owned() } else { format!("{text}.") }
}

/// What parts an answer from its question: code has to end first.
fn gap(example: &Example) -> &'static str {
    if example.is_long() { "\n\n" } else { " " }
}

/// The examples of one task.
pub(crate) fn of_task(material: &Material, task: usize) -> impl DoubleEndedIterator<Item = &Example> {
    material.examples.iter().filter(move |one| one.of == Some(task))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(lines: &[&str]) -> Vec<Example> {
        lines.iter().filter_map(|line| Example::read(line)).collect()
    }

    #[test]
    fn a_line_gives_question_steps_and_task() {
        let one = Example::read("- 2: Work out 1/2 + 1/3. → 3/6 + 2/6 | 5/6").unwrap();
        assert_eq!((one.ask.as_str(), one.of, one.result()), ("Work out 1/2 + 1/3.", Some(1), "5/6"));
        assert_eq!(Example::read("At 3: what is next? → 5").unwrap().of, None);
        assert_eq!(Example::read("- no answer"), None);
    }

    #[test]
    fn every_example_is_dealt_once() {
        let all = examples(&["1: a → 1", "1: b → 2", "1: c → 3", "2: d → 4", "2: e → 5", "3: f → 6"]);
        let dealt = dealt(&all);
        let asks = |list: &[&Example]| list.iter().map(|one| one.ask.clone()).collect::<Vec<_>>();
        assert_eq!((dealt.worked.unwrap().ask.as_str(), dealt.second.unwrap().ask.as_str()), ("a", "b"));
        assert_eq!(asks(&dealt.exit), ["c", "e"]);
        assert_eq!(asks(&dealt.sheet), ["d", "f"]);
        assert_eq!(super::dealt(&[]), Dealt::default());
    }

    #[test]
    fn code_stands_in_lines_of_its_own() {
        let examples = examples(&["What is shown? `SET n TO 1⏎SEND n TO DISPLAY` → n is 1 | 1"]);
        let material = Material { examples, ..Material::default() };
        assert_eq!(
            board(&material).unwrap(),
            "**Worked example.** What is shown?\n\n```text\nSET n TO 1\nSEND n TO DISPLAY\n```\n\n- n is 1\n- 1"
        );
    }
}
