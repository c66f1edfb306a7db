//! What a lesson is made of: everything that the sections are composed from, in one place.

use super::phrase::{listed, task};
use super::profile::Need;

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

/// An outcome with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The evidence pointer, ready to be written.
    pub(crate) pointer: String,
    /// What the entry says, as one or more sentences.
    pub(crate) says: String,
    pub(crate) verified: bool,
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
    /// Wrong ideas that can be put to the class.
    pub(crate) fn claims(&self) -> impl Iterator<Item = &Misconception> {
        self.misconceptions.iter().filter(|one| one.is_claim)
    }

    /// The terms in italics as a list within a sentence.
    pub(crate) fn words(&self) -> Option<String> {
        const IN_A_SENTENCE_MAX: usize = 4;
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
