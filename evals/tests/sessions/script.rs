//! What the model says in one run: tasks, work given to others, drafts that keep, change, rename or lose parts.

use serde_json::{Value, json};

use super::choices::Choices;
use super::guests::TASKS;

/// Drafts after the first: more than a person asks for.
const REVISIONS: usize = 6;

/// Titles of the parts; two of them are one title with other minutes.
const TITLES: [&str; 4] = ["Task (9 minutes)", "Talk", "Task (12 minutes)", "End"];

pub(crate) struct Author<'a> {
    pub(crate) choices: &'a mut Choices,
    /// So that no two texts are the same.
    pub(crate) words: &'a mut u64,
}

impl Author<'_> {
    fn word(&mut self, kind: &str) -> String {
        *self.words += 1;
        format!("{kind}-{:06}", self.words)
    }

    /// The script of a run that makes something about this topic; one that goes on with a session plans less.
    pub(crate) fn work(&mut self, topic: &str, goes_on: bool) -> Value {
        let mut answers = Vec::new();
        if self.choices.percent(if goes_on { 30 } else { 70 }) {
            let mut calls = self.tasks();
            if self.choices.percent(25) {
                let task = self.word("look");
                calls.push(json!({ "name": "spawn_subagent", "arguments": {
                    "agent": "helper", "task": task, "decisions": [], "constraints": [], "context": "" } }));
            }
            answers.push(said("", &calls));
        }
        if self.choices.percent(25) {
            let mut calls = if self.choices.percent(50) { self.tasks() } else { Vec::new() };
            calls.push(json!({ "name": "transfer_to_other", "arguments": {
                "reason": "yours", "decisions": [], "constraints": [], "open_questions": [] } }));
            answers.push(said("", &calls));
        }
        let mut parts: Vec<(String, String)> = Vec::new();
        for title in TITLES {
            let text = self.word("part");
            parts.push((title.to_owned(), text));
        }
        answers.push(said(&draft(topic, &parts), &[]));
        for _ in 0..REVISIONS {
            if self.choices.percent(15) {
                let calls = self.tasks();
                answers.push(said("", &calls));
            }
            let revised = self.revised(&parts);
            answers.push(said(&draft(topic, &revised), &[]));
        }
        let helped = "seen\n\n## Decisions\nnone\n\n## Constraints\nnone\n\n## Open questions\nnone\n";
        json!({ "answers": answers, "repeat_last": true, "agents": { "helper": [said(helped, &[])] } })
    }

    fn tasks(&mut self) -> Vec<Value> {
        let calls = 1 + self.choices.below(2);
        let mut made = Vec::new();
        for _ in 0..calls {
            let mut tasks = Vec::new();
            for id in 0..=self.choices.below(2) {
                tasks.push(json!({ "id": id.to_string(), "title": self.word("job"), "status": "pending" }));
            }
            made.push(json!({ "name": TASKS, "arguments": { "tasks": tasks } }));
        }
        made
    }

    fn revised(&mut self, parts: &[(String, String)]) -> Vec<(String, String)> {
        let mut revised = Vec::new();
        for (title, text) in parts {
            match self.choices.below(10) {
                0 => {}
                1 => revised.push((format!("{title} again"), text.clone())),
                2 | 3 => {
                    let text = self.word("part");
                    revised.push((title.clone(), text));
                }
                4 => {
                    let text = self.word("part");
                    revised.push((title.split(" (").next().unwrap().to_owned(), text));
                }
                _ => revised.push((title.clone(), text.clone())),
            }
        }
        revised
    }
}

/// The script of a quiz.
pub(crate) fn quiz() -> Value {
    let asked = said(&json!({ "question": "What is 2 + 2?", "answer": "4" }).to_string(), &[]);
    let judged = said(&json!({ "right": true, "feedback": "Yes." }).to_string(), &[]);
    json!({ "answers": [], "repeat_last": true, "agents": { "asker": [asked], "judge": [judged] } })
}

fn said(text: &str, calls: &[Value]) -> Value {
    json!({ "text": text, "calls": calls, "usage": { "input_tokens": 900, "output_tokens": 300 } })
}

fn draft(topic: &str, parts: &[(String, String)]) -> String {
    let parts: Vec<String> = parts.iter().map(|(title, text)| format!("\n## {title}\n\n{text}\n")).collect();
    format!("# {topic}\n{}", parts.concat())
}
