//! A lesson, a class and a teacher who answers from a script, for tests.

use std::collections::BTreeMap;

use ta_guest::ask::{Answer, Kind, Outcome, Question};
use ta_guest::journal::Asked;
use ta_guest::post_loop::{Event, Response};
use ta_guest::workspace::Granted;
use ta_guest::{Context, Decision};

use crate::flow::{Host, Settings, reflect};

pub(crate) const PROFILE: &str = include_str!("../../../workspace/classes/3B.md");

pub(crate) const LESSON: &str = "# Repeating with loops
**Class:** 3B (S3) · **Level:** third · **Length:** 50 minutes

## Success criteria

- I can predict what a loop prints.
- I can trace a counter in a table.

## Misconceptions

- \"A loop runs once for each line\" → Trace it together.

## Keywords

- **iteration**: doing the same steps again
- **counter**: a variable that counts

## Starter (8 minutes)

1. What is a variable? (a named value)
2. What does `print` do? (it shows a value)
3. What is a sequence? (steps in order)
4. What comes next in this iteration? (the second line)

## Explanation (12 minutes)

1. Show the loop on the board.
2. Boards up: what is printed?
3. Check: how often does it run?

## Practice (20 minutes)

1. Predict the output.
2. Run it.
3. Change the number.
4. Swap with a partner.
5. Make one of your own.

## Differentiation

| Group | Support |
|---|---|
| two pupils with English as an additional language | pictures |
| three pupils who finish early | break the loop |

## Plenary (10 minutes)

Draw it together.

## Exit questions

1. Which loop prints three stars?
   - A: the first
   - B: the second
   - C: the third
   - D: none
2. Predict the output of the loop. Answer: 1 2 3
";

#[derive(Default)]
pub(crate) struct Table {
    profile: Option<&'static str>,
    outcomes: BTreeMap<&'static str, Outcome>,
    journal: Vec<Asked>,
    pub(crate) asked: Vec<Question>,
}

impl Host for Table {
    fn granted(&self) -> Vec<Granted> {
        vec![Granted { name: "classes".into(), writable: false }]
    }

    fn read(&self, directory: &str, path: &str) -> Option<String> {
        assert_eq!(directory, "classes");
        self.profile.filter(|_| path == "3B.md").map(Into::into)
    }

    fn questions(&self) -> Vec<Asked> {
        self.journal.clone()
    }

    fn put(&mut self, question: &Question) -> Outcome {
        self.asked.push(question.clone());
        self.outcomes.get(question.id.as_str()).cloned().unwrap_or(Outcome::Dismissed)
    }
}

impl Table {
    pub(crate) fn of_3b() -> Self {
        Self { profile: Some(PROFILE), ..Self::default() }
    }

    pub(crate) fn with(mut self, id: &'static str, outcome: Outcome) -> Self {
        self.outcomes.insert(id, outcome);
        self
    }

    pub(crate) fn choose(self, id: &'static str, choice: &str) -> Self {
        self.with(id, Outcome::Answered(Answer::Choice(choice.into())))
    }

    pub(crate) fn answer(self, decisions: &[(&str, &str, Option<&str>)]) -> Self {
        let decision = |(item, choice, text): &(&str, &str, Option<&str>)| Decision {
            item: (*item).into(),
            choice: (*choice).into(),
            text: text.map(Into::into),
        };
        self.with("reflection", Outcome::Answered(Answer::Items(decisions.iter().map(decision).collect())))
    }

    pub(crate) fn asked_before(mut self, question: &str, rework_round: u32) -> Self {
        self.journal.push(Asked {
            hook: "reflection-prompt".into(),
            question: question.into(),
            outcome: "dismissed".into(),
            decisions: Vec::new(),
            answer: None,
            rework_round,
            elapsed_ms: 1_000,
        });
        self
    }

    pub(crate) fn items(&self) -> Vec<(&str, &str)> {
        let question = self.asked.iter().find(|question| question.id == "reflection").unwrap();
        match &question.kind {
            Kind::Items(items) => items.items.iter().map(|it| (it.id.as_str(), it.label.as_str())).collect(),
            _ => panic!("not a question about items"),
        }
    }
}

pub(crate) fn run(config: &[(&str, &str)], table: &mut Table, output: &str, rework_round: u32) -> Response {
    let get = |name: &str| config.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let context = Context {
        command: "create-lesson".into(),
        input: "3B iteration".into(),
        rework_round,
        ..Context::of("class", "3B")
    };
    let event = Event { output: output.into(), ..Event::default() };
    reflect(&Settings::read(get).unwrap(), &context, &event, table)
}
