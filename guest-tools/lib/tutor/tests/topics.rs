//! The topics that ship: each can be used, and 200 problems of each shape hold together.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

use std::collections::BTreeMap;

use answer_leak::facts::Facts;
use answer_leak::leak::leak;
use ta_tutor::draw::{Problem, draw};
use ta_tutor::speech::spoken;
use ta_tutor::topic::{Shape, Topic};
use ta_tutor::validate::{self, inconsistent};

/// Problems that are drawn of each shape.
const INSTANCES: u64 = 200;

fn topics() -> BTreeMap<String, String> {
    let directory = support::topics();
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let topics = files.filter(|path| path.extension().is_some_and(|it| it == "yaml") && !path.ends_with("matrix.yaml"));
    topics
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

fn shapes() -> Vec<(String, Shape)> {
    let read = |(file, yaml): (String, String)| {
        let topic = Topic::read(&yaml).unwrap();
        topic
            .sections
            .into_iter()
            .flat_map(|it| it.shapes)
            .map(move |shape| (format!("{file} {}", shape.id.text), shape))
    };
    topics().into_iter().flat_map(read).collect()
}

#[test]
fn every_topic_passes_its_validator() {
    let findings: Vec<String> = topics()
        .iter()
        .flat_map(|(file, yaml)| validate::topic(file, yaml))
        .map(|finding| finding.to_string())
        .collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn two_hundred_problems_of_each_shape_hold_together() {
    let mut wrong = Vec::new();
    for (name, shape) in shapes() {
        let drawn: Vec<Problem> = (0..INSTANCES).map(|seed| draw(&shape, seed).unwrap()).collect();
        let found = drawn.iter().find_map(|problem| {
            inconsistent(&shape, problem)
                .or_else(|| unsaid(problem))
                .or_else(|| misjudged(problem))
                .or_else(|| kept_back(problem))
        });
        wrong.extend(found.map(|(line, message, _)| format!("{name}, line {line}: {message}")));
        let mut questions: Vec<&str> = drawn.iter().map(|problem| problem.question.as_str()).collect();
        questions.sort_unstable();
        questions.dedup();
        if questions.len() < 2 {
            wrong.push(format!("{name}: only one question can be drawn"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What cannot be said aloud, or has a placeholder left.
fn unsaid(problem: &Problem) -> Option<(u64, String, &'static str)> {
    let texts = problem.hints.iter().chain(&problem.solution).chain([&problem.question]);
    let odd = texts.map(|text| (text, spoken(text))).find(|(text, said)| {
        said.is_empty() || said.contains(['\\', '$', '{', '}', '*', '^']) || text.contains("[[") || text.contains("]]")
    });
    odd.map(|(text, said)| (0, format!("`{text}` is said `{said}`"), ""))
}

/// What the checker does not judge as it has to: the answer is right, as typed and as shown, each mistake wrong, prose nothing.
fn misjudged(problem: &Problem) -> Option<(u64, String, &'static str)> {
    let judged = |given: &str| support::check(&problem.question, given, &problem.answer, &problem.options);
    let told = |given: &str, what: &str| {
        let message = format!("`{given}` for `{}` is {:?} and not {what}", problem.answer, judged(given));
        Some((0, format!("{message} in `{}`", problem.question), ""))
    };
    if judged(&problem.answer).right != Some(true) {
        return told(&problem.answer, "right");
    }
    // A word in LaTeX may be nothing that anybody types, but it is not wrong.
    if judged(&problem.shown).right == Some(false) {
        return told(&problem.shown, "right");
    }
    for (mistake, _) in &problem.mistakes {
        if judged(mistake).right != Some(false) {
            return told(mistake, "wrong");
        }
    }
    let prose = "what is for lunch today";
    if judged(prose).right.is_some() { told(prose, "undecided") } else { None }
}

/// What the guard would send back: a hint, or what a known mistake tells.
fn kept_back(problem: &Problem) -> Option<(u64, String, &'static str)> {
    let facts = Facts {
        problem: problem.question.clone(),
        answers: vec![problem.answer.clone(), problem.shown.clone()],
        steps: problem.steps.clone(),
    };
    let texts = problem.hints.iter().chain(problem.mistakes.iter().map(|(_, says)| says));
    let found =
        texts.map(|text| (text, leak(&facts, &[spoken(text), text.clone()]))).find(|(_, found)| found.is_some());
    found.map(|(text, found)| (0, format!("the guard keeps back `{text}`: {found:?} in `{}`", problem.question), ""))
}
