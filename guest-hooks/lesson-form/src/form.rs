//! What a lesson holds. This table is the only place where counts and lengths are written down; `docs/formats.md` shows it.
//!
//! The counts follow what the planning assistant of Oak National Academy holds its lessons to (2026), widened where a
//! lesson of one period needs less or a mixed class more. The word counts are our judgement: the least is what a part
//! cannot be taught from, the most what nobody reads before a lesson.

/// Characters of a title.
pub const TITLE_CHARS_MAX: usize = 80;

/// Words of a whole lesson. More is a scheme of work.
pub const LESSON_WORDS_MAX: usize = 4_500;

/// Words of the definition of a keyword.
pub const DEFINITION_WORDS_MAX: usize = 25;

/// Words of a success criterion, which pupils read.
pub const CRITERION_WORDS_MAX: usize = 35;

/// Checks of the whole class while something is explained.
pub const CHECKS_MIN: usize = 2;

/// An answer without sections that is no longer than this is an answer in words, such as a question back, and no lesson.
pub const ANSWER_WORDS_MAX: usize = 400;

/// What is particular about a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Nothing beyond counts and lengths.
    Plain,
    /// Each item has a pointer to the curriculum.
    Evidenced,
    /// Each item begins with "I can".
    ICan,
    /// Each item says what to do about the wrong idea.
    Answered,
    /// Each item is a term with its definition.
    Defined,
    /// Questions about what pupils should know already, with their answers.
    Retrieval,
    /// Steps with checks of the whole class.
    Checked,
    /// An answer to each need of the class.
    ByNeed,
    /// Questions with their answers.
    Exit,
}

/// One part of a lesson.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// The heading that it stands under.
    pub heading: &'static str,
    /// Other words by which a heading names it, in lower case.
    pub also: &'static [&'static str],
    /// Whether its heading has minutes, which count towards the period.
    pub timed: bool,
    /// List items or table rows, least and most.
    pub items: (usize, usize),
    /// Words, least and most.
    pub words: (usize, usize),
    /// What is particular about it.
    pub rule: Rule,
    /// What it is for, as a model or a teacher reads it when it is missing.
    pub holds: &'static str,
}

const fn part(
    heading: &'static str,
    also: &'static [&'static str],
    items: (usize, usize),
    words: (usize, usize),
    rule: Rule,
    holds: &'static str,
) -> Part {
    Part { heading, also, timed: false, items, words, rule, holds }
}

const fn timed(part: Part) -> Part {
    Part { timed: true, ..part }
}

/// The parts, in their order. No limit of items is `(0, usize::MAX)`.
pub const PARTS: [Part; 13] = [
    part(
        "Outcomes",
        &["outcome", "learning outcomes", "curriculum outcomes"],
        (1, 3),
        (5, 400),
        Rule::Evidenced,
        "one to three outcomes, each with its evidence pointer",
    ),
    part(
        "Success criteria",
        &["success criterion"],
        (1, 5),
        (5, 150),
        Rule::ICan,
        "one to five criteria in pupils' words, each beginning with \"I can\"",
    ),
    part(
        "Prior knowledge",
        &["prior learning"],
        (1, 6),
        (5, 250),
        Rule::Plain,
        "what pupils need to know already, one to six points",
    ),
    part(
        "Misconceptions",
        &["misconception", "common misconceptions"],
        (1, 4),
        (8, 300),
        Rule::Answered,
        "one to four wrong ideas, each with what to do about it",
    ),
    part(
        "Keywords",
        &["key words", "vocabulary", "key vocabulary"],
        (2, 6),
        (6, 220),
        Rule::Defined,
        "two to six terms, each with a definition",
    ),
    timed(part(
        "Starter",
        &["starter quiz"],
        (2, usize::MAX),
        (20, 450),
        Rule::Retrieval,
        "at least two questions about what pupils should know already, with answers",
    )),
    timed(part(
        "Explanation",
        &["teaching input", "main explanation"],
        (2, usize::MAX),
        (40, 700),
        Rule::Checked,
        "the steps of the explanation, with at least two checks of the whole class",
    )),
    timed(part("Practice", &["main practice"], (2, usize::MAX), (40, 800), Rule::Plain, "the tasks themselves")),
    part(
        "Differentiation",
        &["differentiation and support"],
        (1, usize::MAX),
        (8, 900),
        Rule::ByNeed,
        "what each group of the class profile gets",
    ),
    timed(part(
        "Plenary",
        &["plenary and review"],
        (0, usize::MAX),
        (15, 350),
        Rule::Plain,
        "how the lesson is drawn together",
    )),
    part(
        "Exit questions",
        &["exit ticket", "exit quiz"],
        (2, 6),
        (12, 400),
        Rule::Exit,
        "two to six questions, each with its answer",
    ),
    part("Resources", &["materials"], (1, usize::MAX), (3, 350), Rule::Plain, "what to print, hand out or open"),
    part(
        "About this draft",
        &["about the draft"],
        (0, usize::MAX),
        (10, 700),
        Rule::Plain,
        "that it is a draft, what it rests on, what to check first",
    ),
];

/// Homework, which a lesson has where it was asked for.
pub const HOMEWORK: Part = part(
    "Homework",
    &["home learning"],
    (0, usize::MAX),
    (12, 300),
    Rule::Plain,
    "the homework that was asked for: the task itself, what a good answer holds, how long it takes",
);
