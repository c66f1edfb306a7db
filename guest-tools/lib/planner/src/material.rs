//! What a lesson is made of: everything that the sections are composed from, in one place.

use ta_curriculum::level::Level;

use super::examples::{Example, Role};
use super::given::Passage;
use super::phrase::{listed, task};
use super::profile::Need;
use super::questions::SHOW_IT;

/// Groups of subjects that are practised in the same ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Family {
    Programming,
    Computing,
    Maths,
    Languages,
    English,
    Social,
    #[default]
    Other,
}

impl Family {
    pub(crate) const ALL: [Self; 7] =
        [Self::Programming, Self::Computing, Self::Maths, Self::Languages, Self::English, Self::Social, Self::Other];

    /// The word for it in the bank of activities.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Programming => "programming",
            Self::Computing => "computing",
            Self::Maths => "maths",
            Self::Languages => "languages",
            Self::English => "english",
            Self::Social => "social",
            Self::Other => "other",
        }
    }

    /// The family of a subject, by its name and by what the outcome is about.
    pub(crate) fn of(subject: &str, about: &str) -> Self {
        let (subject, about) = (subject.to_lowercase(), about.to_lowercase());
        let has = |words: &[&str]| words.iter().any(|word| subject.contains(word));
        if has(&["comput", "informatics"]) {
            let programs = ["program", "code", "loop", "construct", "subprogram"];
            return if programs.iter().any(|word| about.contains(word)) { Self::Programming } else { Self::Computing };
        }
        if has(&["math", "numer"]) {
            Self::Maths
        } else if has(&["french", "german", "spanish", "italian", "gaelic", "gàidhlig", "mandarin", "language", "urdu"])
            && !has(&["english"])
        {
            Self::Languages
        } else if has(&["english", "litera"]) {
            Self::English
        } else if has(&["histor", "social", "geograph", "modern studies", "religio"]) {
            Self::Social
        } else {
            Self::Other
        }
    }

    /// The family of an outcome code, for lessons whose files are not at hand.
    pub(crate) fn of_code(organiser: &str, about: &str) -> Self {
        let subject = match organiser {
            "TCH" => "computing",
            "MNU" | "MTH" => "maths",
            "MLAN" | "LGL" | "LCL" => "language",
            "LIT" | "ENG" => "english",
            "SOC" | "RME" | "RERC" => "social",
            _ => "",
        };
        Self::of(subject, about)
    }
}

/// A wrong idea and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misconception {
    pub(crate) idea: String,
    /// What the teacher says or does; empty where the file does not say.
    pub(crate) answer: String,
    /// Whether the idea is a statement that can be put to the class as true or false.
    pub(crate) is_claim: bool,
    /// The question that shows who has it, with the right answer.
    pub(crate) shown_by: Option<Question>,
}

/// A term with its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keyword {
    pub(crate) term: String,
    /// Empty where the file does not say.
    pub(crate) meaning: String,
}

/// A question with the answer that can be derived from the files, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) ask: String,
    pub(crate) answer: Option<String>,
}

impl Question {
    /// Whether it can be put to a class as it stands: it has an answer, and nothing is left to be chosen.
    pub(crate) fn can_be_asked(&self) -> bool {
        self.answer.is_some() && !self.ask.starts_with(SHOW_IT)
    }
}

/// An outcome with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The evidence pointer, ready to be written.
    pub(crate) pointer: String,
    /// Which level it is of, in parentheses, where that is not the class's; empty otherwise.
    pub(crate) aside: String,
    /// What the entry says, as one or more sentences.
    pub(crate) says: String,
    pub(crate) verified: bool,
    /// Whether the file says that its wording is not the official one.
    pub(crate) paraphrase: bool,
}

impl Outcome {
    pub(crate) const NOT_VERIFIED: &str = "(not yet verified)";
    pub(crate) const PARAPHRASE: &str = "(paraphrase, not yet verified)";

    /// What stands after an outcome that nobody has compared with the published document yet.
    pub(crate) fn mark(&self) -> String {
        match (self.verified, self.paraphrase) {
            (true, _) => String::new(),
            (false, true) => format!(" {}", Self::PARAPHRASE),
            (false, false) => format!(" {}", Self::NOT_VERIFIED),
        }
    }

    /// Pointer and level, as they stand before the colon.
    pub(crate) fn claim(&self) -> String {
        format!("{}{}", self.pointer, self.aside)
    }
}

/// " (second level, one below the class)", so that the line of the outcome says of itself which level it is of; nothing
/// where it is the class's own.
pub(crate) fn aside(own: Level, class: Option<Level>) -> String {
    let Some(class) = class.filter(|class| *class != own) else { return String::new() };
    let side = if own < class { "below" } else { "above" };
    let distance = match own.number().abs_diff(class.number()) {
        1 => "one",
        2 => "two",
        3 => "three",
        _ => "four",
    };
    format!(" ({own} level, {distance} {side} the class)", own = own.name())
}

/// What the sections of one lesson are composed from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Material {
    /// The topic as it stands in the middle of a sentence.
    pub(crate) topic: String,
    /// The class by its name, or "the class".
    pub(crate) class: String,
    pub(crate) family: Family,
    pub(crate) outcomes: Vec<Outcome>,
    /// What pupils do to show the outcome, as bare verb phrases.
    pub(crate) tasks: Vec<String>,
    /// The criteria in pupils' words.
    pub(crate) criteria: Vec<String>,
    pub(crate) prior: Vec<String>,
    pub(crate) misconceptions: Vec<Misconception>,
    pub(crate) keywords: Vec<Keyword>,
    pub(crate) needs: Vec<Need>,
    /// What is worked on, in the order in which it is used; the numbers are those of the tasks.
    pub(crate) examples: Vec<Example>,
    /// What is read, heard or counted, of a material file.
    pub(crate) passages: Vec<Passage>,
    /// Questions that look back.
    pub(crate) past: Vec<Question>,
    /// Questions on today's lesson.
    pub(crate) exit: Vec<Question>,
    /// What the next outcome asks for, as a bare verb phrase.
    pub(crate) ahead: Option<String>,
    /// What the profile says works with this class.
    pub(crate) works: Vec<String>,
    /// What the profile says about what the class knows.
    pub(crate) knows: Vec<String>,
}

impl Material {
    /// Whether a material file says what is shown, practised and asked.
    pub(crate) fn is_given(&self) -> bool {
        self.examples.iter().any(|one| matches!(one.role, Role::Practice(_)))
    }

    /// Wrong ideas that can be put to the class.
    pub(crate) fn claims(&self) -> impl Iterator<Item = &Misconception> {
        self.misconceptions.iter().filter(|one| one.is_claim)
    }

    /// One of the things that this subject is worked on with, such as "an example of fractions".
    pub(crate) fn example(&self) -> String {
        let lead = match self.family {
            Family::Social => "a source on",
            Family::English => "a short text on",
            Family::Languages => "a short model of",
            _ => "an example of",
        };
        format!("{lead} {}", self.topic)
    }

    /// Several of them, such as "examples of fractions".
    pub(crate) fn examples(&self) -> String {
        let lead = match self.family {
            Family::Social => "sources on",
            Family::English => "short texts on",
            Family::Languages => "short models of",
            _ => "examples of",
        };
        format!("{lead} {}", self.topic)
    }

    /// The terms in italics as a list within a sentence.
    pub(crate) fn words(&self) -> Option<String> {
        const IN_A_SENTENCE_MAX: usize = 5;
        let terms: Vec<String> =
            self.keywords.iter().take(IN_A_SENTENCE_MAX).map(|word| format!("*{}*", word.term)).collect();
        (!terms.is_empty()).then(|| listed(&terms))
    }

    /// The bare tasks that the criteria speak of, for lessons read back from their text.
    pub(crate) fn tasks_of_criteria(criteria: &[String]) -> Vec<String> {
        criteria
            .iter()
            .filter_map(|criterion| task(criterion))
            .map(|task| task.replace("my own", "their own"))
            .collect()
    }
}
