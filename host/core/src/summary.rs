//! What stays of messages that made room: what was decided, what holds, what it rests on, and a line for each turn.
//!
//! It is made by rules from the journal, never by a model: the same records give the same summary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ta_text::pointer::{find_pointers, format_pointer};

use crate::machine::Asked;
use crate::marked::{Element, Marked, opens};
use crate::message::{Message, Role};
use crate::question::{Answer, Outcome};
use crate::shape;
use crate::text::line;

/// The tag of the message that a model reads.
const TAG: &str = "earlier";
/// Lines of each part; of more, the newest stay.
const DECISIONS_MAX: usize = 200;
const CONSTRAINTS_MAX: usize = 60;
const EVIDENCE_MAX: usize = 100;
const FILES_MAX: usize = 60;
const TURNS_MAX: usize = 60;
/// Characters of a decision's or a constraint's words: enough for what a teacher types.
const WORDS_CHARS_MAX: usize = 400;
/// Characters of a turn's line.
const TURN_CHARS_MAX: usize = 120;
/// Words of one tool's result that are kept for their shape.
const SEEN_MAX: usize = 40;
/// Separates what a line is about from what it says: a later line about the same replaces it.
const ABOUT: &str = ": ";

/// What is known of messages that made room.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// How many messages it stands for.
    pub messages: usize,
    /// How many of them were the model's.
    pub answers: usize,
    /// What the teacher decided, the latest decision on each item.
    pub decisions: Vec<String>,
    /// What was asked for, and what has to stay as it is.
    pub constraints: Vec<String>,
    /// Evidence pointers.
    pub evidence: Vec<String>,
    /// Files that were read and written.
    pub files: Vec<String>,
    /// A line for each turn.
    pub turns: Vec<String>,
}

impl Summary {
    /// Takes in questions that have their outcome. Items go by their ids: a label may show what must not be repeated.
    pub fn decided(&mut self, questions: &[Asked]) {
        for Asked { question, outcome, .. } in questions {
            let Outcome::Answered(answer) = outcome else { continue };
            match answer {
                Answer::Items(decisions) => {
                    for it in decisions {
                        let text = it.text.as_ref().map_or_else(String::new, |text| format!(" ({text})"));
                        self.decide(&format!("{}/{}", question.id, it.item), &format!("{}{text}", it.choice));
                    }
                }
                Answer::Choice(words) | Answer::Text(words) => self.decide(&question.id, words),
            }
        }
    }

    fn decide(&mut self, about: &str, what: &str) {
        let about = format!("{}{ABOUT}", line(about, WORDS_CHARS_MAX).replace(ABOUT, " "));
        self.decisions.retain(|earlier| !earlier.starts_with(&about));
        self.decisions.push(format!("{about}{}", line(what, WORDS_CHARS_MAX)));
        newest(&mut self.decisions, DECISIONS_MAX);
    }

    /// Takes in something that holds.
    pub fn constrain(&mut self, words: &str) {
        add(&mut self.constraints, line(words, WORDS_CHARS_MAX), CONSTRAINTS_MAX);
    }

    /// Takes in a file and what was done with it.
    pub fn file(&mut self, what: &str) {
        add(&mut self.files, line(what, WORDS_CHARS_MAX), FILES_MAX);
    }

    /// Takes in a message that makes room; what has one of these shapes in a tool's result is kept.
    pub fn drop(&mut self, message: &Message, shapes: &[String]) {
        self.messages += 1;
        let said = line(&message.text, TURN_CHARS_MAX);
        match message.role {
            Role::User => {
                self.constrain(&message.text);
                self.turn(format!("teacher or hook: {said}"));
            }
            Role::Assistant => {
                self.answers += 1;
                for call in &message.calls {
                    self.turn(line(&format!("called {} {}", call.name, call.arguments), TURN_CHARS_MAX));
                }
                if !said.is_empty() {
                    self.turn(format!("model: {said}"));
                }
            }
            Role::Tool => self.result(message, shapes),
        }
        self.evidence_of(&message.text);
    }

    fn result(&mut self, message: &Message, shapes: &[String]) {
        let Some(result) = &message.result else { return };
        let how = if result.failed { "failed with" } else { "gave" };
        self.seen_in(&result.name, &result.text, shapes);
        self.turn(format!("{} {how} {} bytes", line(&result.name, TURN_CHARS_MAX), result.text.len()));
    }

    fn evidence_of(&mut self, text: &str) {
        for it in find_pointers(text) {
            let pointer = format_pointer(&it.text, &it.path, it.from, it.to, it.quote.as_deref());
            add(&mut self.evidence, line(&pointer, 2 * WORDS_CHARS_MAX), EVIDENCE_MAX);
        }
    }

    /// What has a shape that the plugin wants kept, in a tool's result: what may be claimed has been looked up.
    fn seen_in(&mut self, tool: &str, text: &str, shapes: &[String]) {
        let words = shape::found(text, shapes, SEEN_MAX);
        if !words.is_empty() {
            let seen = format!("seen in a result of {tool}: {}", words.join(", "));
            add(&mut self.evidence, line(&seen, 2 * WORDS_CHARS_MAX), EVIDENCE_MAX);
        }
    }

    fn turn(&mut self, text: String) {
        self.turns.push(text);
        newest(&mut self.turns, TURNS_MAX);
    }

    /// The message that the model reads.
    #[must_use]
    pub fn render(&self) -> String {
        let mut text =
            "The conversation began before what follows; this is what is kept of it. Decisions and constraints \
                        still hold.\n"
                .to_owned();
        let parts = [
            ("Decisions of the teacher", &self.decisions),
            ("Asked for, and to be kept to", &self.constraints),
            ("Evidence", &self.evidence),
            ("Files", &self.files),
            ("Turns", &self.turns),
        ];
        for (title, lines) in parts.iter().filter(|(_, lines)| !lines.is_empty()) {
            text.push_str(&format!("\n## {title}\n- {}\n", lines.join("\n- ")));
        }
        let (messages, answers) = (self.messages.to_string(), self.answers.to_string());
        Element::text(TAG, &text).with("messages", &messages).with("answers", &answers).alone()
    }
}

/// Whether a message is a summary's.
#[must_use]
pub fn is_summary(message: &Message) -> bool {
    message.role == Role::User && opens(&message.text, TAG)
}

/// How many answers of a model a conversation holds, those that made room included.
#[must_use]
pub fn answers(messages: &[Message]) -> usize {
    let gone = messages.first().filter(|first| is_summary(first)).and_then(|first| {
        let elements = Marked::read(&first.text)?.elements(TAG);
        elements.first()?.attribute("answers")?.parse().ok()
    });
    messages.iter().filter(|message| message.role == Role::Assistant).count() + gone.unwrap_or(0)
}

fn add(lines: &mut Vec<String>, text: String, most: usize) {
    if text.is_empty() {
        return;
    }
    lines.retain(|earlier| *earlier != text);
    lines.push(text);
    newest(lines, most);
}

fn newest(lines: &mut Vec<String>, most: usize) {
    let over = lines.len().saturating_sub(most);
    lines.drain(..over);
}
