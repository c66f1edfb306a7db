//! A topic as data: sections, what counts as mastery of each, and the shapes of their problems.
//!
//! A topic is one YAML file; no code is written for a new one. Start reading at [`Topic`], then [`Shape`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;

/// A text of a topic, with the line that it stands in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Spanned<String>")]
pub struct Text {
    /// The text.
    pub text: String,
    /// Its line, counted from 1; 0 where it is not known.
    pub line: u64,
}

impl From<Spanned<String>> for Text {
    fn from(spanned: Spanned<String>) -> Self {
        Self { line: spanned.referenced.line(), text: spanned.value }
    }
}

/// A topic.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// What a learner calls it.
    pub title: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// What a learner is told first.
    pub welcome: String,
    /// Its sections, in the order in which they are learned.
    pub sections: Vec<Section>,
}

/// A section of a topic.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its name within the topic.
    pub id: Text,
    /// What a learner calls it.
    pub title: String,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// What a learner can do who has mastered it.
    pub objectives: Vec<String>,
    /// What is good to have at hand.
    pub formulas: Vec<String>,
    /// What a learner is told who comes to it for the first time.
    pub intro: String,
    /// What a learner is told who comes back to it.
    pub resume: String,
    /// What counts as mastery.
    pub rubric: Rubric,
    /// Its problems.
    pub shapes: Vec<Shape>,
}

/// How hard a section is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Difficulty {
    /// What everything rests on.
    #[default]
    Foundation,
    /// What the topic is about.
    Core,
    /// What goes beyond it.
    Advanced,
}

/// What counts as which level. The first part is counted by code, the second is what an agent reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubric {
    /// What makes mastery.
    pub mastery: Mastery,
    /// What makes a section one that a learner struggles with.
    pub struggling: Struggling,
}

/// All of the counts, and half of the signs where somebody can judge them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mastery {
    /// Problems that have to be right without a hint, among the last ones.
    pub correct_without_hints: u32,
    /// Contexts that these have to come from.
    pub contexts: u32,
    /// How many of the last problems are looked at.
    pub last_n: u32,
    /// Hints that the last problems may have taken together.
    pub max_hints: u32,
    /// What can be seen in how a learner works, by id.
    #[serde(default)]
    pub signs: BTreeMap<String, String>,
}

/// Any of these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Struggling {
    /// Worked solutions in a row.
    pub solutions_in_a_row: u32,
    /// What can be seen in how a learner works, by id.
    #[serde(default)]
    pub signs: BTreeMap<String, String>,
}

/// The shape of a problem: what is drawn, and texts in which `[[…]]` stands for an expression over it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Its name within the topic.
    pub id: Text,
    /// What the problem is about: a learner has to meet more than one.
    pub context: String,
    /// What is drawn, by name: `3..12`, or a list of which one is taken.
    #[serde(default)]
    pub draw: BTreeMap<String, Drawn>,
    /// What follows from it, each as `name = expression`, in order.
    #[serde(default, rename = "let")]
    pub derived: Vec<Text>,
    /// What has to hold, or is drawn again.
    #[serde(default, rename = "where")]
    pub conditions: Vec<Text>,
    /// The question, as markdown with LaTeX.
    pub question: Text,
    /// The expected answer, as the checker reads it.
    pub answer: Text,
    /// The answer as it is written, in LaTeX without its dollar signs; the answer itself where it is left out.
    pub shown: Option<Text>,
    /// What the checker has to look at besides the value.
    #[serde(default)]
    pub options: Options,
    /// What to write, for somebody whose answer cannot be read.
    pub expects: Text,
    /// A question, an idea, a step.
    pub hints: Vec<Text>,
    /// The worked solution, a step a line; the last one comes to the answer.
    pub solution: Vec<Text>,
    /// Values on the way that give the answer away.
    #[serde(default)]
    pub steps: Vec<Text>,
    /// Wrong answers that tell what went wrong.
    #[serde(default)]
    pub mistakes: Vec<Mistake>,
    /// What is drawn beside it.
    pub visual: Option<Picture>,
}

/// A parameter of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Drawn {
    /// `3..12`, or `3..12 step 3`: a whole number, both ends included.
    Range(String),
    /// One of these.
    OneOf(Vec<Cell>),
}

/// One of several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A whole number.
    Whole(i64),
    /// A fraction such as `2/3`, a decimal, or a text.
    Text(String),
}

/// What the checker has to look at besides the value; its own words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// What a bare angle is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<String>,
    /// To what the answer is rounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<Round>,
    /// The form that it has to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// The unit that it has to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<String>,
}

/// To what an answer is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Round {
    /// Decimal places.
    Dp(u32),
    /// Significant figures.
    Sf(u32),
}

/// A wrong answer that tells what went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// The answer, as the checker reads it.
    pub answer: Text,
    /// What a learner is told who gives it.
    pub says: Text,
}

/// What is drawn beside a problem.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Picture {
    /// The kind of drawing.
    pub tool_name: Text,
    /// Its parameters: expressions stand in `[[…]]`; a text that is one expression and comes to a number is a number.
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// What stands below it.
    pub caption: Text,
    /// The same in words, for somebody who does not see it.
    pub alternative: Text,
}

impl Topic {
    /// Reads a topic.
    ///
    /// # Errors
    /// A sentence with the line, where it is none.
    pub fn read(yaml: &str) -> Result<Self, String> {
        serde_saphyr::from_str(yaml).map_err(|error| error.to_string())
    }

    /// A section, by its name.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id.text == id)
    }

    /// A shape, by its name.
    #[must_use]
    pub fn shape(&self, id: &str) -> Option<&Shape> {
        self.sections.iter().flat_map(|section| &section.shapes).find(|shape| shape.id.text == id)
    }
}
