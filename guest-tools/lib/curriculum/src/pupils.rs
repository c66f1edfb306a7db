//! Which parts of a lesson are meant for pupils.
//!
//! The rule, from the form of a lesson (see the planner's instructions):
//!
//! | section | what pupils read |
//! |---|---|
//! | Success criteria | its list items |
//! | Keywords | terms and definitions; the terms count as known everywhere in the lesson |
//! | Starter, Practice, Exit questions | list items, rows of tables and quotations; other paragraphs unless they speak of pupils, the class or groups, for then they speak to the teacher |
//! | a heading with worksheet, handout, task sheet, revision, homework, slides or reading in it | all of it |
//! | everything else | nothing |
//!
//! Inside these, what follows "Answer" up to the end of the item and remarks such as "If many say yes" are for the
//! teacher. Whoever measures the language of a lesson and whoever hands it out follow the same rule.

/// How a section of a lesson is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// List items only.
    Items,
    /// Terms with their definitions.
    Keywords,
    /// Items, rows, quotations, and paragraphs that are not about pupils.
    Tasks,
    /// All of it.
    All,
    /// None of it.
    Nothing,
}

impl Reading {
    /// The reading of the section with this heading.
    pub fn of(title: &str) -> Self {
        let title = title.to_lowercase();
        let begins = |word: &str| title.trim_start().starts_with(word);
        let has = |word: &str| title.contains(word);
        const WHOLE: [&str; 8] =
            ["worksheet", "handout", "task sheet", "revision", "homework", "slides", "reading", "for pupils"];
        if WHOLE.iter().any(|word| has(word)) {
            return Self::All;
        }
        match () {
            () if begins("success criteria") || has("learning intention") => Self::Items,
            () if begins("keyword") || begins("key word") || begins("vocabulary") => Self::Keywords,
            () if begins("starter") || begins("practice") || begins("exit") || has("quiz") || begins("task") => {
                Self::Tasks
            }
            () => Self::Nothing,
        }
    }
}

/// Whether a heading inside a section opens what only the teacher reads: a sheet's own answers stand at its end.
pub fn opens_answers(title: &str) -> bool {
    let title = title.to_lowercase();
    title.contains("answer") || title.contains("for the teacher")
}

/// Where the answer begins, which pupils do not see.
pub fn answer_at(text: &str) -> Option<usize> {
    ["**Answer", "*Answer", "Answer:", "Answers:", "**Answers", "→"].iter().filter_map(|mark| text.find(mark)).min()
}

/// Words that show that a paragraph speaks to the teacher.
const TO_TEACHER: &str = "pupil pupils class everybody everyone they their groups teams pairs pair teacher profile circulate \
    whoever nobody somebody";

/// Whether a paragraph speaks of pupils, and so to the teacher. A numbered question may speak of anybody.
pub fn speaks_to_teacher(text: &str) -> bool {
    if text.trim_start().starts_with("**Question ") {
        return false;
    }
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').map(str::to_lowercase);
    words.filter(|word| !word.is_empty()).any(|word| TO_TEACHER.split_whitespace().any(|other| other == word))
}

/// How remarks to the teacher inside an item begin.
const REMARKS: [&str; 14] = [
    "if many",
    "if most",
    "if fewer",
    "if more",
    "if several",
    "expect ",
    "listen for",
    "accept ",
    "check that",
    "hint for the teacher",
    "note for",
    "when a third",
    "way in for",
    "a full answer",
];

/// Whether a sentence is a remark to the teacher.
pub fn is_remark(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    REMARKS.iter().any(|remark| lower.starts_with(remark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_read_by_their_headings() {
        assert_eq!(Reading::of("Success criteria"), Reading::Items);
        assert_eq!(Reading::of("Starter (8 minutes)"), Reading::Tasks);
        assert_eq!(Reading::of("Practice: homework"), Reading::All);
        assert_eq!(Reading::of("Explanation"), Reading::Nothing);
        assert!(opens_answers("Answers to the sheet"));
        assert!(!opens_answers("Questions"));
    }

    #[test]
    fn answers_and_remarks_are_told_from_questions() {
        assert_eq!(answer_at("What is 2 + 2? **Answer:** 4"), Some(15));
        assert_eq!(answer_at("What is 2 + 2?"), None);
        assert!(is_remark("If many say yes: draw it."));
        assert!(speaks_to_teacher("Then the pairs answer these:"));
        assert!(!speaks_to_teacher("Write down what you remember."));
        assert!(!speaks_to_teacher("**Question 3.** Two pupils share 8 pizzas."));
    }
}
