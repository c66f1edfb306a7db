//! What is to be written: a lesson, a unit of lessons, a resource for pupils, versions of a task, or a review.
//!
//! Who is at work says it first: an agent that was handed over to, or spawned, keeps the command of the run that it
//! belongs to.

use super::phrase::number_word;
use super::prompt::Prompt;
use super::words::{says, tokens};

/// What is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Lesson,
    Unit,
    Resource,
    Versions,
    Review,
    /// A change of the workspace.
    Change,
}

/// A resource for pupils.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    Worksheet,
    RevisionGuide,
    Quiz,
}

pub(crate) const RESOURCE_WORDS: &str =
    "worksheet|worksheets|work sheet|handout|practice sheet|revision guide|revision sheet|study guide|quiz|quizzes";
pub(crate) const VERSIONS_WORDS: &str =
    "differentiated versions|differentiated version|three versions|versions for|version for each|differentiated sheets";
const UNIT_WORDS: &str = "unit|units|unit of work|scheme of work|block|sequence";

/// The most lessons of a unit: a term of two periods a week.
const LESSONS_MAX: u32 = 20;

impl Product {
    pub(crate) fn of(prompt: &Prompt) -> Self {
        match prompt.agent.as_str() {
            "pedagogy-reviewer" => return Self::Review,
            "workspace-keeper" => return Self::Change,
            "resource-creator" => return Self::Resource,
            "differentiation-specialist" => return Self::Versions,
            _ => {}
        }
        let command = prompt.command.rsplit(':').next().unwrap_or_default();
        let speaks = |word: &str| command.contains(word);
        match () {
            () if speaks("review") => Self::Review,
            () if speaks("unit") => Self::Unit,
            () if speaks("resource") || speaks("worksheet") || speaks("quiz") => Self::Resource,
            () if speaks("different") => Self::Versions,
            () => Self::Lesson,
        }
    }

    /// The request without the words that only say what is to be written: what is left names class and topic.
    pub(crate) fn cleaned(self, request: &str) -> String {
        let phrases = match self {
            Self::Lesson | Self::Review | Self::Change => return request.to_owned(),
            Self::Unit => UNIT_WORDS,
            Self::Resource => RESOURCE_WORDS,
            Self::Versions => VERSIONS_WORDS,
        };
        let mut rest = request.to_owned();
        if self == Self::Unit
            && let Some((start, end, _)) = number_of_lessons(request)
        {
            rest.replace_range(start..end, " ");
        }
        let mut phrases: Vec<&str> = phrases.split('|').chain(["with answers", "and its answers"]).collect();
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        for phrase in phrases {
            rest = without(&rest, phrase);
        }
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        let leads =
            ["a ", "an ", "the ", "make ", "write ", "create ", "plan ", "me ", "of ", "on ", "about ", "with "];
        let mut rest = rest.as_str();
        while let Some(shorter) = leads.iter().find_map(|lead| rest.strip_prefix(lead)) {
            rest = shorter;
        }
        rest.replace(" a on ", " on ").trim_matches([',', ':', ' ']).to_owned()
    }
}

impl Resource {
    pub(crate) fn of(request: &str) -> Self {
        if says(request, "revision guide|revision sheet|study guide|revision") {
            Self::RevisionGuide
        } else if says(request, "quiz|quizzes|test") {
            Self::Quiz
        } else {
            Self::Worksheet
        }
    }
}

/// How many lessons a request speaks of.
pub(crate) fn lessons(request: &str) -> Option<usize> {
    let (_, _, number) = number_of_lessons(request)?;
    usize::try_from(number.clamp(2, LESSONS_MAX)).ok()
}

/// "of four lessons", "6 periods": where it stands, and the number.
fn number_of_lessons(request: &str) -> Option<(usize, usize, u32)> {
    let tokens = tokens(request);
    tokens.windows(2).find_map(|pair| {
        let [number, unit] = pair else { return None };
        let is_unit = ["lesson", "lessons", "periods"].contains(&unit.raw.to_lowercase().as_str());
        let value = number_word(&number.raw.to_lowercase()).filter(|value| is_unit && *value >= 2)?;
        Some((number.start, unit.start + unit.raw.len(), value))
    })
}

/// The text without a phrase, wherever it stands as words of its own.
fn without(text: &str, phrase: &str) -> String {
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return text.to_owned();
    }
    let alone = |at: usize| {
        let before = lower.get(..at).and_then(|text| text.chars().next_back());
        let after = lower.get(at + phrase.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    match lower.match_indices(phrase).map(|(at, _)| at).find(|at| alone(*at)) {
        Some(at) => {
            let (before, after) =
                (text.get(..at).unwrap_or_default(), text.get(at + phrase.len()..).unwrap_or_default());
            format!("{before} {after}")
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_request_names_class_and_topic() {
        let unit = |text: &str| Product::Unit.cleaned(text);
        assert_eq!(unit("a unit of 4 lessons on iteration for 3B"), "iteration for 3B");
        assert_eq!(unit("iteration for 3B, six lessons"), "iteration for 3B");
        let resource = |text: &str| Product::Resource.cleaned(text);
        assert_eq!(resource("worksheet on percentages for 1B"), "percentages for 1B");
        assert_eq!(resource("quiz with answers: iteration for 3B"), "iteration for 3B");
        assert_eq!(resource("percentages for 1B, revision guide"), "percentages for 1B");
        assert_eq!(Product::Lesson.cleaned("unit fractions for 1B"), "unit fractions for 1B");
        assert_eq!((lessons("six lessons on loops"), lessons("loops")), (Some(6), None));
    }

    #[test]
    fn the_agent_says_it_before_the_command() {
        let prompt =
            |agent: &str, command: &str| Prompt { agent: agent.into(), command: command.into(), ..Prompt::default() };
        assert_eq!(Product::of(&prompt("planner", "create-unit")), Product::Unit);
        assert_eq!(Product::of(&prompt("resource-creator", "create-lesson")), Product::Resource);
        assert_eq!(Product::of(&prompt("pedagogy-reviewer", "create-lesson")), Product::Review);
        assert_eq!(Product::of(&prompt("", "")), Product::Lesson);
    }
}
