//! Looks a topic through: each problem names file, line, what is wrong and what to do.

use std::collections::BTreeSet;
use std::fmt;

use crate::draw::{Fault, Problem, draw, share};
use crate::matrix::HINTS;
use crate::topic::{Section, Shape, Topic};

/// Instances that are drawn of each shape.
const INSTANCES: u64 = 20;
/// Draws of a hundred for which the conditions have to hold.
const SHARE_MIN: u32 = 5;
/// Shapes that a section needs, so that a learner is not asked the same again.
const SHAPES_MIN: usize = 3;

/// Something wrong with a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file.
    pub file: String,
    /// The line, counted from 1; 0 where it is not known.
    pub line: u64,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}; {}", self.file, self.line, self.message, self.remedy)
    }
}

/// All that is wrong with a topic; nothing where it can be used.
#[must_use]
pub fn topic(file: &str, yaml: &str) -> Vec<Finding> {
    let topic = match serde_saphyr::from_str::<Topic>(yaml) {
        Ok(topic) => topic,
        Err(error) => {
            let line = error.location().map_or(0, |at| at.line());
            let message = error.without_snippet().to_string();
            let remedy =
                "a topic is YAML with title, about, welcome and sections; put a text that begins with `[` in quotes";
            return vec![Finding { file: file.to_owned(), line, message, remedy: remedy.to_owned() }];
        }
    };
    let mut found = Found { file, list: Vec::new() };
    let mut ids = BTreeSet::new();
    if topic.sections.is_empty() {
        found.add(0, "the topic has no sections", "add one under `sections`");
    }
    for section in &topic.sections {
        if !ids.insert(section.id.text.as_str()) {
            found.add(
                section.id.line,
                &format!("`{}` stands twice", section.id.text),
                "give each section and shape a name of its own",
            );
        }
        found.section(section);
        for shape in &section.shapes {
            if !ids.insert(shape.id.text.as_str()) {
                found.add(
                    shape.id.line,
                    &format!("`{}` stands twice", shape.id.text),
                    "give each section and shape a name of its own",
                );
            }
            found.shape(shape);
        }
    }
    found.list
}

struct Found<'a> {
    file: &'a str,
    list: Vec<Finding>,
}

impl Found<'_> {
    fn add(&mut self, line: u64, message: &str, remedy: &str) {
        self.list.push(Finding {
            file: self.file.to_owned(),
            line,
            message: message.to_owned(),
            remedy: remedy.to_owned(),
        });
    }

    fn section(&mut self, section: &Section) {
        let (line, rubric) = (section.id.line, &section.rubric.mastery);
        let contexts: BTreeSet<&str> = section.shapes.iter().map(|shape| shape.context.as_str()).collect();
        if section.shapes.len() < SHAPES_MIN {
            self.add(line, &format!("a section with {} shapes", section.shapes.len()), "give it at least 3");
        }
        if rubric.contexts as usize > contexts.len() || rubric.contexts > rubric.correct_without_hints {
            self.add(
                line,
                &format!("mastery asks for {} contexts, which cannot come about", rubric.contexts),
                "ask for fewer, or add shapes with other contexts",
            );
        }
        if rubric.correct_without_hints == 0 || rubric.correct_without_hints > rubric.last_n {
            self.add(
                line,
                "mastery can never be reached or is there at once",
                "let `correct_without_hints` be 1 to `last_n`",
            );
        }
        if section.rubric.struggling.solutions_in_a_row == 0 {
            self.add(line, "nobody would ever be seen to struggle", "let `solutions_in_a_row` be 1 and more");
        }
    }

    fn shape(&mut self, shape: &Shape) {
        let line = shape.id.line;
        if shape.hints.len() != HINTS as usize {
            self.add(line, &format!("{} hints", shape.hints.len()), "give three: a question, an idea, a step");
        }
        if shape.hints.first().is_some_and(|hint| !hint.text.trim_end().ends_with('?')) {
            self.add(
                shape.hints.first().map_or(line, |it| it.line),
                "the first hint is no question",
                "end it with a question",
            );
        }
        if shape.solution.is_empty() {
            self.add(line, "there is no solution", "write its steps, the last of which comes to the answer");
        }
        match share(shape, 1) {
            Ok(share) if share < SHARE_MIN => {
                let message = format!("the conditions hold for {share} of 100 draws");
                let at = shape.conditions.first().map_or(line, |it| it.line);
                self.add(at, &message, "draw from what can do, so that at least 5 of 100 hold");
            }
            Ok(_) => {}
            Err(fault) => return self.fault(&fault),
        }
        for seed in 0..INSTANCES {
            match draw(shape, seed) {
                Ok(problem) => {
                    if let Some((line, message, remedy)) = inconsistent(shape, &problem) {
                        return self.add(line, &message, remedy);
                    }
                }
                Err(fault) => return self.fault(&fault),
            }
        }
    }

    fn fault(&mut self, fault: &Fault) {
        self.add(fault.line, &fault.message, "mend it; the skill `topics` lists what an expression may hold");
    }
}

/// What does not fit together in a problem, with the line and what to do.
#[must_use]
pub fn inconsistent(shape: &Shape, problem: &Problem) -> Option<(u64, String, &'static str)> {
    for (hint, text) in shape.hints.iter().zip(&problem.hints) {
        if gives_away(text, problem) {
            let message = format!("the hint `{text}` holds the answer `{}`", problem.shown);
            return Some((hint.line, message, "say how to come to it, not what it is"));
        }
    }
    let last = (shape.solution.last()?, problem.solution.last()?);
    if !squeezed(last.1).contains(&squeezed(&problem.shown)) {
        let message = format!("the solution ends with `{}`, and the answer is `{}`", last.1, problem.shown);
        return Some((last.0.line, message, "let its last step come to the answer as `shown` writes it"));
    }
    let mut texts = problem.hints.iter().chain(&problem.solution).chain([&problem.question]);
    let odd = texts.find(|text| text.matches('$').count() % 2 == 1);
    odd.map(|text| (shape.id.line, format!("a `$` is missing in `{text}`"), "write formulas as `$…$`"))
}

/// Whether a text holds the answer where the question does not.
fn gives_away(text: &str, problem: &Problem) -> bool {
    let answer = tokens(&problem.shown);
    // A letter alone, such as `a`, is a word of every sentence.
    let telling = answer.len() > 1 || answer.iter().any(|token| token.len() > 1 || is_number(token));
    telling && holds(&tokens(text), &answer) && !holds(&tokens(&problem.question), &answer)
}

/// Whether tokens stand within others in their order, and not as a part of something longer: `x = 3` is no part of `2x = 3 + 4`.
fn holds(text: &[String], answer: &[String]) -> bool {
    let goes_on =
        |token: &String| is_number(token) || ["+", "-", "*", "/", "^", "\\times", "\\div"].contains(&token.as_str());
    (0..text.len()).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let behind = text.get(at + answer.len());
        text.get(at..at + answer.len()) == Some(answer) && !before.is_some_and(goes_on) && !behind.is_some_and(goes_on)
    })
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

/// Numbers, words, commands of LaTeX and signs, in lower case.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.to_lowercase().chars().filter(|c| *c != '$') {
        let number = |c: char| c.is_ascii_digit() || c == '.';
        let same = (number(c) && number(last)) || (c.is_alphabetic() && (last.is_alphabetic() || last == '\\'));
        match tokens.last_mut().filter(|_| same) {
            Some(token) => token.push(c),
            None if !c.is_whitespace() => tokens.push(c.to_string()),
            None => {}
        }
        last = c;
    }
    tokens.into_iter().map(|token| token.trim_end_matches('.').to_owned()).filter(|token| !token.is_empty()).collect()
}

/// Without blanks and dollar signs.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '$').collect()
}
