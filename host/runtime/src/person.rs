//! Who answers questions: a person at a terminal or a page, a file of answers, or nobody.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Mutex;

use ta_core::flow::{PersonWait, ShownMessage};
use ta_core::machine::Ask;
use ta_core::model::BoxFuture;
use ta_core::question::{Answer, Decision, Item, OptionKind, Outcome, QuestionKind};

/// What comes back when a question is put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// A decision on one item; the question stays open until every item has one.
    Decided(Decision),
    /// What became of the question.
    Outcome(Outcome),
    /// Nothing now: the run is parked.
    Later,
}

/// Answers questions.
pub trait Person: Send + Sync {
    /// Puts a question. Called again after each decision on an item, with the decisions so far.
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply>;

    /// What the person says to a flow that waits for them, having been shown this, and having spoken so often before. None
    /// where they say nothing now: the run is parked.
    fn say<'a>(
        &'a self,
        _wait: &'a PersonWait,
        _shown: &'a [ShownMessage],
        _times: usize,
    ) -> BoxFuture<'a, Option<String>> {
        Box::pin(std::future::ready(None))
    }

    /// Who this is, for the journal: `person`, `answers-file`, `accept`, `dismiss`.
    fn name(&self) -> &'static str;

    /// How long the person took for the reply to this question, in milliseconds, where that is not how long
    /// [`ask`](Self::ask) took: a person who answers a run that was parked has been thinking since it asked.
    fn took_ms(&self, _ask: &Ask) -> Option<u64> {
        None
    }

    /// Ready when the person wants the run to stop. Whatever is under way is given up then, and the run is parked.
    fn stops(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}

/// The question that stands for a flow's wait, in files of answers and in the JSON of a parked run.
pub const SAY: &str = "say";

/// A person who says one thing, and whose questions somebody else answers.
pub struct Saying<'a> {
    text: Mutex<Option<String>>,
    others: &'a dyn Person,
}

impl<'a> Saying<'a> {
    /// Says this, once.
    #[must_use]
    pub fn once(text: String, others: &'a dyn Person) -> Self {
        Self { text: Mutex::new(Some(text)), others }
    }
}

impl Person for Saying<'_> {
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply> {
        self.others.ask(ask)
    }

    fn say<'a>(
        &'a self,
        wait: &'a PersonWait,
        shown: &'a [ShownMessage],
        times: usize,
    ) -> BoxFuture<'a, Option<String>> {
        let said = self.text.lock().ok().and_then(|mut text| text.take());
        match said {
            Some(text) => Box::pin(std::future::ready(Some(text))),
            None => self.others.say(wait, shown, times),
        }
    }

    fn name(&self) -> &'static str {
        match self.others.name() {
            "nobody" => "person",
            name => name,
        }
    }

    fn took_ms(&self, ask: &Ask) -> Option<u64> {
        self.others.took_ms(ask)
    }

    fn stops(&self) -> BoxFuture<'_, ()> {
        self.others.stops()
    }
}

/// Nobody: every question parks the run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Person for Nobody {
    fn ask<'a>(&'a self, _ask: &'a Ask) -> BoxFuture<'a, Reply> {
        Box::pin(std::future::ready(Reply::Later))
    }

    fn name(&self) -> &'static str {
        "nobody"
    }
}

/// Answers every question the same way.
#[derive(Debug, Clone, Copy)]
pub enum Always {
    /// Accepts: the option `accept` or the first one that needs no words, the suggestion of a text.
    Accept,
    /// Dismisses.
    Dismiss,
}

impl Person for Always {
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply> {
        let reply = match self {
            Self::Dismiss => Reply::Outcome(Outcome::Dismissed),
            Self::Accept => accept(ask),
        };
        Box::pin(std::future::ready(reply))
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Dismiss => "dismiss",
        }
    }
}

fn accept(ask: &Ask) -> Reply {
    match &ask.question.kind {
        QuestionKind::Choice { choices } => match choices.first() {
            Some(choice) => Reply::Outcome(Outcome::Answered(Answer::Choice(choice.id.clone()))),
            None => Reply::Outcome(Outcome::Dismissed),
        },
        QuestionKind::Text { suggestion } => {
            Reply::Outcome(Outcome::Answered(Answer::Text(suggestion.clone().unwrap_or_default())))
        }
        QuestionKind::Items { options, .. } => match (next_item(ask), plain_option(options)) {
            (Some(item), Some(option)) => {
                Reply::Decided(Decision { item: item.id.clone(), choice: option.id.clone(), text: None })
            }
            _ => Reply::Outcome(Outcome::Dismissed),
        },
    }
}

/// The option that needs no words of the person: `accept` where there is one, else the first without a text.
#[must_use]
pub fn plain_option(options: &[OptionKind]) -> Option<&OptionKind> {
    let accept = options.iter().find(|option| option.id == "accept");
    accept.or_else(|| options.iter().find(|option| option.text_prompt.is_none())).or_else(|| options.first())
}

/// The first item that has no decision yet.
#[must_use]
pub fn next_item(ask: &Ask) -> Option<&Item> {
    let QuestionKind::Items { items, .. } = &ask.question.kind else { return None };
    items.iter().find(|item| !ask.decided.iter().any(|decision| decision.item == item.id))
}

/// Answers from a file:
///
/// ```json
/// { "answers": [
///     { "question": "sections", "items": { "starter": { "revise": "make it shorter" }, "plenary": { "alternatives": "2" }, "*": "accept" } },
///     { "question": "sections", "items": { "*": "accept" } },
///     { "question": "alternatives:plenary", "choice": "2" },
///     { "question": "*", "outcome": "dismissed" } ] }
/// ```
///
/// The n-th time a question is asked it takes the n-th entry of its id; the last one counts for all later times.
/// `*` stands for every question, or item, that has no entry of its own. A question without an entry parks the run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswersFile {
    answers: Vec<Entry>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    question: String,
    choice: Option<String>,
    text: Option<String>,
    items: Option<BTreeMap<String, Choice>>,
    outcome: Option<Refusal>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Refusal {
    Declined,
    Dismissed,
    TimedOut,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Choice {
    Plain(String),
    WithText(BTreeMap<String, String>),
}

impl AnswersFile {
    /// Reads the file's text.
    ///
    /// # Errors
    /// A sentence with line and column.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn entry(&self, ask: &Ask) -> Option<&Entry> {
        let of = |id: &str| self.answers.iter().filter(|entry| entry.question == id).collect::<Vec<_>>();
        let own = of(&ask.question.id);
        let entries = if own.is_empty() { of("*") } else { own };
        let index = usize::try_from(ask.time.saturating_sub(1)).unwrap_or(usize::MAX);
        entries.get(index).or_else(|| entries.last()).copied()
    }
}

impl Person for AnswersFile {
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply> {
        let reply = self.entry(ask).and_then(|entry| entry.reply(ask)).unwrap_or(Reply::Later);
        Box::pin(std::future::ready(reply))
    }

    /// The n-th text of an entry of id `say`; after the last one nothing is said.
    fn say<'a>(
        &'a self,
        _wait: &'a PersonWait,
        _shown: &'a [ShownMessage],
        times: usize,
    ) -> BoxFuture<'a, Option<String>> {
        let said = self.answers.iter().filter(|entry| entry.question == SAY).nth(times);
        Box::pin(std::future::ready(said.and_then(|entry| entry.text.clone())))
    }

    fn name(&self) -> &'static str {
        "answers-file"
    }
}

impl Entry {
    fn reply(&self, ask: &Ask) -> Option<Reply> {
        if let Some(refusal) = self.outcome {
            return Some(Reply::Outcome(match refusal {
                Refusal::Declined => Outcome::Declined,
                Refusal::Dismissed => Outcome::Dismissed,
                Refusal::TimedOut => Outcome::TimedOut,
            }));
        }
        match &ask.question.kind {
            QuestionKind::Choice { .. } => self.choice.clone().map(Answer::Choice),
            QuestionKind::Text { .. } => self.text.clone().map(Answer::Text),
            QuestionKind::Items { .. } => {
                let item = next_item(ask)?;
                let items = self.items.as_ref()?;
                let choice = items.get(&item.id).or_else(|| items.get("*"))?;
                let (choice, text) = match choice {
                    Choice::Plain(choice) => (choice.clone(), None),
                    Choice::WithText(map) => {
                        map.iter().next().map(|(choice, text)| (choice.clone(), Some(text.clone())))?
                    }
                };
                return Some(Reply::Decided(Decision { item: item.id.clone(), choice, text }));
            }
        }
        .map(|answer| Reply::Outcome(Outcome::Answered(answer)))
    }
}
