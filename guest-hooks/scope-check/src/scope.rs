//! Whether a request is one for this plugin: planning lessons and the resources for them.
//!
//! Rules in plain words: a teacher who is refused must be told why, and the same request must always be answered
//! the same way. What decides is what is asked *for*, not what is talked *about*: "a lesson on writing references" is a
//! lesson, "a reference for Callum" is not. So every rule of `rules` names a product, and a word of teaching before it
//! ("worksheet on …") makes it a topic, unless it hurts people. Anything that no rule names is taken as a topic and planned,
//! since refusing a lesson costs a teacher more than planning a silly one; only a question about the world without a class
//! or a word of teaching is not.
//!
//! Start with [`classify`].

use std::ops::Range;

mod clause;
mod pattern;
mod rules;
mod vocabulary;

use clause::{Clause, clauses};
use pattern::{PATTERNS, Pattern};
pub use rules::CHAT_REASON as NO_LESSON;
use rules::{RULES, Rule};

/// What a request is to the plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// It asks for a lesson or something for one.
    InScope,
    /// It asks for something else.
    OutOfScope {
        /// What it asks for.
        kind: Kind,
        /// Why it is refused and what to do instead, for the teacher.
        reason: String,
    },
    /// A lesson, and something beside it that is left out: planned, with a note.
    InPart {
        /// What is left out and why, for the teacher.
        reason: String,
    },
    /// No rule refuses it, it names neither a class nor a word of teaching, and all of it is vague or a question: planned all
    /// the same, with a note, unless a model that may be asked says that it is no lesson.
    Unsure {
        /// What is unclear, for the teacher.
        reason: String,
    },
}

/// What is asked for instead of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Nothing at all.
    Empty,
    /// To set the plugin's own rules aside.
    Instructions,
    /// What hurts people, also as the topic of a lesson.
    Harm,
    /// Advice on a child's safety or health, or on the law.
    Advice,
    /// A reference, recommendation or personal statement.
    Reference,
    /// A pupil's report or a comment for it.
    Report,
    /// Marks or grades for pupils' work.
    Marking,
    /// A message to a pupil's home.
    HomeLetter,
    /// A record of a pupil's behaviour.
    Behaviour,
    /// A statutory plan or form about a pupil or an outing.
    SupportPlan,
    /// Work that a pupil should do.
    PupilWork,
    /// An opinion on politics.
    Politics,
    /// The teacher's own papers: applications, reviews, minutes.
    Paperwork,
    /// Something to buy.
    Shopping,
    /// Programs and devices that are not for a lesson.
    Code,
    /// Conversation.
    Chat,
}

impl Kind {
    /// The name in traces and studies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Instructions => "instructions",
            Self::Harm => "harm",
            Self::Advice => "advice",
            Self::Reference => "reference",
            Self::Report => "report",
            Self::Marking => "marking",
            Self::HomeLetter => "home-letter",
            Self::Behaviour => "behaviour",
            Self::SupportPlan => "support-plan",
            Self::PupilWork => "pupil-work",
            Self::Politics => "politics",
            Self::Paperwork => "paperwork",
            Self::Shopping => "shopping",
            Self::Code => "code",
            Self::Chat => "chat",
        }
    }
}

const EMPTY: &str = "There is nothing here to plan from yet. Give a class and a topic, such as \"iteration for 3B\".";

const VAGUE: &str = "I take this as a request for a lesson, but I am not sure of the topic. Name a class and a topic, such as \
    \"percentages for 2A\", and the draft will fit better.";

const QUESTION: &str = "This reads as a question rather than a lesson. I take it as the topic of one; say so if you meant \
    something else.";

/// Says what a request is to the plugin.
pub fn classify(request: &str) -> Scope {
    let clauses = clauses(request);
    if clauses.is_empty() {
        return Scope::OutOfScope { kind: Kind::Empty, reason: EMPTY.to_owned() };
    }
    // A class or a word of teaching anywhere shows that a joke or a poem is meant for pupils.
    let teaches = clauses.iter().any(|clause| clause.names_class() || clause.is_about_lessons());
    let excuse = Excuse { teaches, practises: practises(&clauses) };
    let refused: Vec<Option<&Rule>> = clauses.iter().map(|clause| refusal(clause, excuse)).collect();
    let Some(rule) = refused.iter().flatten().min_by_key(|rule| rule.kind) else {
        return if teaches { Scope::InScope } else { unclear(&clauses) };
    };
    // A request to set the rules aside, one about a child's safety, or a reference is not made harmless by a lesson beside
    // it.
    let planned =
        || clauses.iter().zip(&refused).any(|(clause, refused)| refused.is_none() && clause.lesson_at().is_some());
    let whole = matches!(rule.kind, Kind::Instructions | Kind::Harm | Kind::Advice | Kind::Reference);
    if whole || !planned() {
        return Scope::OutOfScope { kind: rule.kind, reason: rule.reason.to_owned() };
    }
    Scope::InPart { reason: format!("I plan the lesson and leave out the rest. {}", rule.reason) }
}

/// What in a request may show that something is meant for pupils.
#[derive(Debug, Clone, Copy)]
struct Excuse {
    /// A class or a word of teaching.
    teaches: bool,
    /// A class and a skill to practise: "mail merge of report cards, 3B".
    practises: bool,
}

/// Whether a request names a class and a skill that is practised on whatever text is at hand.
fn practises(clauses: &[Clause]) -> bool {
    let named = |patterns: &[Pattern]| {
        clauses.iter().any(|clause| patterns.iter().any(|pattern| pattern.find(clause).is_some()))
    };
    clauses.iter().any(Clause::names_class) && named(&PATTERNS.skills) && !named(&PATTERNS.not_practice)
}

/// The rule that refuses a clause, if any.
fn refusal(clause: &Clause, excuse: Excuse) -> Option<&'static Rule> {
    let excused = |rule: &Rule| {
        let practice = matches!(rule.kind, Kind::Report | Kind::HomeLetter | Kind::Chat);
        (rule.excusable && excuse.teaches) || (practice && excuse.practises)
    };
    let with_patterns = RULES.iter().zip(&PATTERNS.rules).filter(|(rule, _)| !excused(rule));
    let mut refusing = with_patterns.filter(|(rule, patterns)| {
        let mut asked = patterns.iter().filter_map(|pattern| pattern.find(clause));
        // What hurts people is no topic either.
        asked.any(|at| rule.kind == Kind::Harm || !is_topic(clause, at))
            || (rule.kind == Kind::Reference && PATTERNS.beside_lesson.iter().any(|it| it.find(clause).is_some()))
    });
    refusing.next().map(|(rule, _)| rule)
}

/// Whether some words of a clause are the topic of a lesson: one is asked for before them ("worksheet on …"), or right
/// after them ("letter to parents worksheet").
fn is_topic(clause: &Clause, words: Range<usize>) -> bool {
    clause.lesson_at().is_some_and(|at| at < words.start)
        || PATTERNS.lesson_after.iter().any(|pattern| pattern.begins_at(clause, words.end))
}

/// Requests that no rule refuses and that name neither a class nor anything to teach with. A question among them wants an
/// answer, not a lesson.
fn unclear(clauses: &[Clause]) -> Scope {
    if clauses.iter().all(Clause::is_vague) {
        Scope::Unsure { reason: VAGUE.to_owned() }
    } else if clauses.iter().all(|clause| clause.wants_answer() || clause.is_sum()) {
        Scope::OutOfScope { kind: Kind::Chat, reason: rules::CHAT_REASON.to_owned() }
    } else if clauses.iter().all(Clause::is_question) {
        Scope::Unsure { reason: QUESTION.to_owned() }
    } else {
        Scope::InScope
    }
}

#[cfg(test)]
mod tests;
