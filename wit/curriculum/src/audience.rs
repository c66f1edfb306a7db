//! Which sections of a lesson pupils read, from their headings.
//!
//! | section | what pupils read |
//! |---|---|
//! | Success criteria, learning intentions | its list items |
//! | Keywords, vocabulary | terms and definitions |
//! | Starter, practice, task, quiz, exit questions | what does not speak to the teacher |
//! | a heading with worksheet, handout, task sheet, revision, homework, slides, reading or "for pupils" in it | all of it |
//! | everything else | nothing |

/// What of a section pupils read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// List items only.
    Items,
    /// Terms and their definitions.
    Keywords,
    /// Items, rows, quotations, and paragraphs that are not about pupils.
    Tasks,
    /// All of it.
    All,
    /// Nothing.
    Nothing,
}

/// Words in a heading that make the whole section one for pupils.
const WHOLE: [&str; 8] =
    ["worksheet", "handout", "task sheet", "revision", "homework", "slides", "reading", "for pupils"];

impl Reading {
    /// What pupils read of a section with this heading.
    #[must_use]
    pub fn of(title: &str) -> Self {
        let title = title.to_lowercase();
        let begins = |word: &str| title.trim_start().starts_with(word);
        let has = |word: &str| title.contains(word);
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

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn headings_say_for_whom() {
        for (title, expected) in [
            ("Success criteria", Reading::Items),
            ("Keywords", Reading::Keywords),
            ("Starter (8 minutes)", Reading::Tasks),
            ("Exit questions", Reading::Tasks),
            ("Worksheet: loops", Reading::All),
            ("Explanation (10 minutes)", Reading::Nothing),
            ("About this draft", Reading::Nothing),
        ] {
            assert_eq!(Reading::of(title), expected, "{title}");
        }
    }
}
