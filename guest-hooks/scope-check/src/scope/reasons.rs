//! What is asked for instead of a lesson, and what a teacher is told then.

use super::groups::{Groups, Set};

/// What is asked for instead of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Nothing at all.
    Empty,
    /// To set the plugin's own rules aside.
    Instructions,
    /// What hurts people, also as the topic of a lesson.
    Harm,
    /// A reference, recommendation or personal statement.
    Reference,
    /// A pupil's report or a comment for it.
    Report,
    /// A record of a pupil's behaviour.
    Behaviour,
    /// A judgement of a colleague.
    Colleague,
    /// Work that a pupil should do.
    PupilWork,
    /// Marks or grades for pupils' work.
    Marking,
    /// The teacher's own papers: applications, minutes, plans and forms of the school.
    Paperwork,
    /// A letter or message to anybody.
    Letter,
    /// Programs and devices that are not for a lesson.
    Code,
    /// Advice on health, money, the law, relationships, a child's safety.
    Advice,
    /// Speeches and verses for occasions.
    Speech,
    /// News and politics of the day.
    News,
    /// Something to buy, cook or do in one's own time.
    Leisure,
    /// Conversation, and whatever else is no lesson.
    Chat,
}

/// A kind, its name in traces and studies, the groups of words that show it, and what a teacher is told.
struct About {
    kind: Kind,
    name: &'static str,
    groups: &'static [&'static str],
    reason: &'static str,
}

/// The kinds in the order in which they are told where several apply.
const KINDS: &[About] = &[
    About {
        kind: Kind::Instructions,
        name: "instructions",
        groups: &["inject"],
        reason: "I keep to the rules that I was set up with, so I cannot put them aside. If one of them stands in the way of a \
            lesson, tell me what the lesson needs and I will look for a way.",
    },
    About {
        kind: Kind::Harm,
        name: "harm",
        groups: &["harm"],
        reason: "I do not plan lessons in how people are hurt. I can plan one on the history, the science or the ethics of it, \
            without instructions.",
    },
    About {
        kind: Kind::Reference,
        name: "reference",
        groups: &["refdoc"],
        reason: "I plan lessons; references and statements about a person are yours to write, on your school's own form and with \
            your guidance team. I can plan a lesson on how references are written, or on writing about oneself.",
    },
    About {
        kind: Kind::Report,
        name: "report",
        groups: &["reportdoc"],
        reason: "I plan lessons; reports and report comments judge a child and are yours to write, in your school's reporting \
            system. I can plan a lesson on report writing, or one that gathers evidence of what pupils can do.",
    },
    About {
        kind: Kind::Behaviour,
        name: "behaviour",
        groups: &["discipline"],
        reason: "I plan lessons; records of a pupil's behaviour go through your school's own system and your guidance team. I can \
            plan a calmer start to a lesson, class routines, or a lesson on respect.",
    },
    About {
        kind: Kind::Colleague,
        name: "colleague",
        groups: &["judge"],
        reason: "I plan lessons and do not judge teachers; that needs somebody who was there and answers for it. I can look over \
            a lesson of your own with you.",
    },
    About {
        kind: Kind::PupilWork,
        name: "pupil-work",
        groups: &["submit"],
        reason: "I plan lessons for teachers and do not do the work that a pupil should do: it would be no evidence of learning. \
            I can write a model answer to another question, a writing frame, or a step-by-step guide for the class.",
    },
    About {
        kind: Kind::Marking,
        name: "marking",
        groups: &["marking"],
        reason: "I plan lessons; marks and grades for pupils' own work need your judgement and stay out of here. I can write a \
            marking scheme, success criteria, or a task for the lesson in which pupils mark and improve work themselves.",
    },
    About {
        kind: Kind::Paperwork,
        name: "paperwork",
        groups: &["selfdoc"],
        reason: "I plan lessons; job applications, reviews, minutes, plans and forms of your own are better written with your own \
            tools. I can plan a lesson or a unit, and say in it how it meets the curriculum.",
    },
    About {
        kind: Kind::Letter,
        name: "letter",
        groups: &["message"],
        reason: "I plan lessons; letters and messages that are really sent speak for you or the school and go your own way. I can \
            plan a lesson on letters or e-mails, or write a homework task that explains itself at home.",
    },
    About {
        kind: Kind::Code,
        name: "code",
        groups: &["codething"],
        reason: "I plan lessons and do not write or repair programs and devices for other uses; your technician or your \
            authority's service desk can. I can write code as an example for a lesson, or plan a lesson on such a program.",
    },
    About {
        kind: Kind::Advice,
        name: "advice",
        groups: &["health", "law", "money", "love", "safety"],
        reason: "This is not something to decide with a planning tool. If a child may be at risk, speak to your child protection \
            coordinator today; for health, to your surgery or the school nurse; for the law and money, to your union or an adviser. \
            I can plan a lesson on a topic such as this one.",
    },
    About {
        kind: Kind::Speech,
        name: "speech",
        groups: &["speech"],
        reason: "I plan lessons and do not write speeches, verses or cards for occasions. I can plan a lesson in which pupils \
            write or give one.",
    },
    About {
        kind: Kind::News,
        name: "news",
        groups: &["news"],
        reason: "I have no news and no opinions to offer, and teachers are asked to stay balanced as well. I can plan a lesson in \
            which pupils weigh the arguments of several sides.",
    },
    About {
        kind: Kind::Leisure,
        name: "leisure",
        groups: &["food", "leisure"],
        reason: "I plan lessons and cannot help with shopping, cooking or free time. I can list what a lesson needs, or plan one \
            on budgets, recipes or travel.",
    },
];

const CHAT: &str = "I plan lessons and what belongs to them, and this does not look like a part of it. Give a class and a topic, \
    such as \"iteration for 3B\"; I can also adapt a lesson, make a resource, or look one over.";

const EMPTY: &str = "There is nothing here to plan from yet. Give a class and a topic, such as \"iteration for 3B\".";

impl Kind {
    /// What the groups of the words show; conversation where they show nothing.
    pub(super) fn of(set: Set, groups: &Groups) -> Self {
        let shows = |about: &&About| about.groups.iter().any(|name| set & groups.named(name) != 0);
        KINDS.iter().find(shows).map_or(Self::Chat, |about| about.kind)
    }

    /// The name in traces and studies.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Chat => "chat",
            _ => self.about().map_or("chat", |about| about.name),
        }
    }

    /// What a teacher is told.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Empty => EMPTY,
            Self::Chat => CHAT,
            _ => self.about().map_or(CHAT, |about| about.reason),
        }
    }

    fn about(self) -> Option<&'static About> {
        KINDS.iter().find(|about| about.kind == self)
    }
}
