//! Kinds of changes, in the order in which notes tell them.

/// What kind of change a commit makes, for people who use the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A hole that is closed.
    Security,
    /// Something that can be done now.
    New,
    /// Something that is done otherwise, or better.
    Changed,
    /// The same in less time or room.
    Faster,
    /// Something that went wrong.
    Fixed,
    /// Something that is to go.
    Deprecated,
    /// Something that is gone.
    Removed,
    /// What is written about the program.
    Documented,
    /// What nobody notices who only uses it: tests, builds, code put in order.
    Internal,
}

impl Kind {
    /// All of them, in the order in which notes tell them.
    pub const ALL: [Self; 9] = [
        Self::Security,
        Self::New,
        Self::Changed,
        Self::Faster,
        Self::Fixed,
        Self::Deprecated,
        Self::Removed,
        Self::Documented,
        Self::Internal,
    ];

    /// The heading of its section.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Security => "Security",
            Self::New => "New",
            Self::Changed => "Changed",
            Self::Faster => "Faster",
            Self::Fixed => "Fixed",
            Self::Deprecated => "Deprecated",
            Self::Removed => "Removed",
            Self::Documented => "Documentation",
            Self::Internal => "Internal",
        }
    }

    /// The word in a tool's result.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Security => "security",
            Self::New => "new",
            Self::Changed => "changed",
            Self::Faster => "faster",
            Self::Fixed => "fixed",
            Self::Deprecated => "deprecated",
            Self::Removed => "removed",
            Self::Documented => "documented",
            Self::Internal => "internal",
        }
    }

    /// The kind of that word.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that a type of Conventional Commits stands for.
    fn of_type(word: &str) -> Option<Self> {
        Some(match word {
            "feat" | "feature" => Self::New,
            "fix" | "bugfix" | "hotfix" => Self::Fixed,
            "perf" => Self::Faster,
            "security" | "sec" => Self::Security,
            "deprecate" | "deprecated" => Self::Deprecated,
            "remove" | "removed" => Self::Removed,
            "change" | "changed" | "improve" | "revert" | "ux" | "ui" => Self::Changed,
            "docs" | "doc" => Self::Documented,
            "refactor" | "test" | "tests" | "chore" | "build" | "ci" | "style" | "deps" | "release" | "wip" => {
                Self::Internal
            }
            _ => return None,
        })
    }

    /// The kind that the first word of a plain sentence stands for.
    fn of_sentence(text: &str) -> Self {
        let lower = text.to_lowercase();
        let starts = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
        if lower.contains("cve-") || lower.contains("vulnerab") {
            Self::Security
        } else if starts(&["add ", "adds ", "added ", "allow ", "allows ", "support ", "introduce ", "new "]) {
            Self::New
        } else if starts(&["fix ", "fixes ", "fixed ", "fix: ", "correct ", "repair ", "handle ", "do not ", "don't "])
        {
            Self::Fixed
        } else if starts(&["speed up ", "speeds up ", "faster ", "optimise ", "optimize ", "reduce "]) {
            Self::Faster
        } else if starts(&["remove ", "removes ", "removed ", "drop ", "drops ", "delete "]) {
            Self::Removed
        } else if starts(&["deprecate "]) {
            Self::Deprecated
        } else if starts(&["document ", "docs ", "readme"]) {
            Self::Documented
        } else if starts(&["refactor ", "bump ", "test ", "tests ", "clean ", "rename ", "release ", "ci "]) {
            Self::Internal
        } else {
            Self::Changed
        }
    }
}

/// Kind, scope, whether it is marked as breaking, and text of a subject: `feat(cli)!: text`, or a plain sentence.
pub(crate) fn of_subject(subject: &str) -> (Kind, Option<&str>, bool, &str) {
    conventional(subject).unwrap_or_else(|| (Kind::of_sentence(subject), None, false, subject))
}

fn conventional(subject: &str) -> Option<(Kind, Option<&str>, bool, &str)> {
    let (head, text) = subject.split_once(": ")?;
    let (head, breaking) = head.strip_suffix('!').map_or((head, false), |head| (head, true));
    let (word, scope) = match head.split_once('(') {
        Some((word, rest)) => (word, Some(rest.strip_suffix(')')?)),
        None => (head, None),
    };
    let kind = Kind::of_type(word.trim().to_lowercase().as_str())?;
    // Updates of what the program is built from are nobody's news, whatever they are called.
    let kind = if matches!(scope, Some("deps" | "deps-dev")) && kind != Kind::Security { Kind::Internal } else { kind };
    Some((kind, scope.filter(|scope| !scope.is_empty()), breaking, text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_have_a_kind() {
        for (subject, kind, text) in [
            ("feat: tabs", Kind::New, "tabs"),
            ("Fix(api)!: a hole", Kind::Fixed, "a hole"),
            ("fix(deps): bump serde", Kind::Internal, "bump serde"),
            ("security: check the length", Kind::Security, "check the length"),
            ("note: not a type", Kind::Changed, "note: not a type"),
            ("Add tabs", Kind::New, "Add tabs"),
            ("Patch CVE-2026-1234", Kind::Security, "Patch CVE-2026-1234"),
            ("Do not lose the last line", Kind::Fixed, "Do not lose the last line"),
            ("The table has borders", Kind::Changed, "The table has borders"),
        ] {
            let (found, _, _, said) = of_subject(subject);
            assert_eq!((found, said), (kind, text), "{subject}");
        }
        assert_eq!(of_subject("feat(cli)!: tabs"), (Kind::New, Some("cli"), true, "tabs"));
    }

    #[test]
    fn names_are_read_again() {
        assert!(Kind::ALL.into_iter().all(|kind| Kind::from_name(kind.name()) == Some(kind)));
    }
}
