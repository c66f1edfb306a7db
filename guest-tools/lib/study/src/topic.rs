//! A topic as data: steps with what is explained, asked, accepted and hinted. A topic is one YAML file; no code is written for
//! a new one.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Hints of a question: a question back, an idea, a step towards the answer.
pub const HINTS: usize = 3;

/// A topic.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// What a learner calls it.
    pub title: String,
    /// The subject that it belongs to.
    pub subject: String,
    /// The level that it is written for.
    pub level: String,
    /// Words that show that a reply is about it.
    pub words: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<TopicStep>,
    /// Steps that come before one of those where it does not work.
    #[serde(default)]
    pub first: Vec<TopicStep>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopicStep {
    /// Its name within the topic.
    pub id: String,
    /// What a learner calls it.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// How it is taught.
    pub approach: String,
    /// How it is taught a second time.
    pub approach_again: String,
    /// When it is done.
    pub criteria: String,
    /// What a learner reads before the first question.
    pub explain: String,
    /// The step of `first` that comes before this one where it does not work.
    #[serde(default)]
    pub needs: Option<String>,
    /// Its questions, from easy to hard.
    pub questions: Vec<Asked>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Its words.
    pub ask: String,
    /// Answers that are right, each as words that stand in it in this order.
    #[serde(default)]
    pub accept: Vec<String>,
    /// What there is to choose from, where it is a choice: an answer names one.
    #[serde(default)]
    pub options: Vec<String>,
    /// Ideas of an answer in one's own words: of each, one of these has to be there.
    #[serde(default)]
    pub ideas: Vec<Vec<String>>,
    /// `easy`, `medium`, `hard`.
    pub difficulty: String,
    /// A question back, an idea, a step.
    pub hints: Vec<String>,
    /// What is said to a right answer: why it is right.
    pub right: String,
    /// Answers that tell what went wrong, and what is said to them.
    #[serde(default)]
    pub mistakes: BTreeMap<String, String>,
}

impl Topic {
    /// Reads a topic.
    ///
    /// # Errors
    /// What is wrong, with its line.
    pub fn read(yaml: &str) -> Result<Self, String> {
        serde_saphyr::from_str(yaml).map_err(|error| error.to_string())
    }

    /// All steps.
    pub fn all(&self) -> impl Iterator<Item = &TopicStep> {
        self.steps.iter().chain(&self.first)
    }

    /// The step of this title.
    #[must_use]
    pub fn titled(&self, title: &str) -> Option<&TopicStep> {
        self.all().find(|step| step.title == title)
    }

    /// The question that a message ends with, and its step.
    #[must_use]
    pub fn question(&self, message: &str) -> Option<(&TopicStep, &Asked)> {
        let asked = |step| move |it| (step, it);
        self.all()
            .flat_map(|step: &TopicStep| step.questions.iter().map(asked(step)))
            .find(|(_, it): &(&TopicStep, &Asked)| message.trim().ends_with(it.ask.trim()))
    }
}
