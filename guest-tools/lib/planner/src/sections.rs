//! The sections of a lesson: recognised by their headings, replaced byte for byte.

use ta_curriculum::outline::Outline;

use super::words::tokens;

/// What a section is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Outcomes,
    Criteria,
    Prior,
    Misconceptions,
    Keywords,
    Starter,
    Explanation,
    Practice,
    Differentiation,
    Plenary,
    Exit,
    Resources,
    About,
    Other,
}

/// Words by which headings and requests name a section, the most telling first.
const NAMES: &[(Kind, &str)] = &[
    (Kind::Exit, "exit question|exit questions|exit ticket|exit quiz|exit"),
    (Kind::Criteria, "success criteria|success criterion|criteria"),
    (Kind::Prior, "prior knowledge|prior learning|prerequisites"),
    (Kind::Misconceptions, "misconceptions|misconception|common mistakes|wrong ideas"),
    (Kind::Keywords, "keywords|keyword|key words|key terms|vocabulary|glossary|definitions|definition"),
    (Kind::Outcomes, "outcomes|outcome|learning intentions|curriculum links"),
    (Kind::Starter, "starter|warm up|warm-up|do now|beginning|opening"),
    (Kind::Explanation, "explanation|teaching input|input|main teaching|exposition|modelling"),
    (Kind::Practice, "practice|main activity|main task|activities|worksheet|tasks"),
    (Kind::Plenary, "plenary|closing|wrap up|wrap-up|round-up"),
    (Kind::Differentiation, "differentiation|support needs|additional support"),
    (Kind::Resources, "resources|materials|equipment"),
    (Kind::About, "about this draft"),
];

/// The sections of a lesson in their order, as they are headed.
pub(crate) const ORDER: &[(Kind, &str)] = &[
    (Kind::Outcomes, "Outcomes"),
    (Kind::Criteria, "Success criteria"),
    (Kind::Prior, "Prior knowledge"),
    (Kind::Misconceptions, "Misconceptions"),
    (Kind::Keywords, "Keywords"),
    (Kind::Starter, "Starter"),
    (Kind::Explanation, "Explanation"),
    (Kind::Practice, "Practice"),
    (Kind::Differentiation, "Differentiation"),
    (Kind::Plenary, "Plenary"),
    (Kind::Exit, "Exit questions"),
    (Kind::Resources, "Resources"),
    (Kind::About, "About this draft"),
];

impl Kind {
    /// What a heading stands for.
    pub(crate) fn of(title: &str) -> Self {
        let bare = bare(title);
        let exact = ORDER.iter().find(|(_, name)| name.eq_ignore_ascii_case(&bare)).map(|(kind, _)| *kind);
        exact.or_else(|| named_in(&bare).first().copied()).unwrap_or(Self::Other)
    }
}

/// The kinds of section that a text names, in the order of the list above.
pub(crate) fn named_in(text: &str) -> Vec<Kind> {
    let said = super::words::Said::read(text);
    NAMES.iter().filter(|(_, names)| said.has(names)).map(|(kind, _)| *kind).collect()
}

/// A heading without its minutes.
pub(crate) fn bare(title: &str) -> String {
    match minutes_place(title) {
        Some((start, _, _)) => title.get(..start).unwrap_or(title).trim().to_owned(),
        None => title.trim().to_owned(),
    }
}

/// The minutes in a heading.
pub(crate) fn minutes(title: &str) -> Option<u32> {
    minutes_place(title).map(|(_, _, minutes)| minutes)
}

/// Where "(8 minutes)" stands: from the parenthesis to the end of it, with the number.
fn minutes_place(title: &str) -> Option<(usize, usize, u32)> {
    let start = title.rfind('(')?;
    let inner = title.get(start + 1..)?;
    let length = inner.find(')')?;
    let words = tokens(inner.get(..length)?);
    let number = words.first()?.raw.parse().ok()?;
    let unit = words.get(1)?.raw.to_lowercase();
    unit.starts_with("min").then_some((start, start + length + 2, number))
}

/// The same heading line with other minutes.
pub(crate) fn with_minutes(line: &str, minutes: u32) -> String {
    match minutes_place(line) {
        Some((start, end, _)) => {
            let (before, after) = (line.get(..start).unwrap_or_default(), line.get(end..).unwrap_or_default());
            let unit = if minutes == 1 { "minute" } else { "minutes" };
            format!("{before}({minutes} {unit}){after}")
        }
        None => line.to_owned(),
    }
}

/// One section of a lesson, free to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// The heading's text.
    pub(crate) title: String,
    pub(crate) kind: Kind,
    /// The heading line as it stands, with its line break.
    head: String,
    /// Everything below the heading, as it stands.
    below: String,
}

/// A lesson taken apart. Written out again unchanged, it is the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lesson {
    pub(crate) preamble: String,
    pub(crate) sections: Vec<Section>,
}

impl Lesson {
    pub(crate) fn read(text: &str) -> Self {
        let outline = Outline::read(text);
        let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
        let sections = outline.sections.iter().map(|section| {
            let whole = part(section.range.clone());
            let head_end = whole.find('\n').map_or(whole.len(), |at| at + 1);
            let (head, below) = whole.split_at(head_end);
            Section {
                title: section.title.clone(),
                kind: Kind::of(&section.title),
                head: head.to_owned(),
                below: below.to_owned(),
            }
        });
        Self {
            preamble: outline.preamble.map(|preamble| part(preamble.range).to_owned()).unwrap_or_default(),
            sections: sections.collect(),
        }
    }

    /// The lesson as text.
    pub(crate) fn write(&self) -> String {
        let mut text = self.preamble.clone();
        for section in &self.sections {
            text.push_str(&section.head);
            text.push_str(&section.below);
        }
        text
    }

    /// The title in the preamble, without its mark.
    pub(crate) fn title(&self) -> &str {
        self.preamble.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim()
    }

    /// The section that a name means: the same heading but for minutes and case, else the one of that kind.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let name = name.trim_start_matches('#').trim();
        let wanted = bare(name);
        let is = |section: &&(usize, &Section), name: &str| bare(&section.1.title).eq_ignore_ascii_case(name);
        let numbered: Vec<(usize, &Section)> = self.sections.iter().enumerate().collect();
        let mut same = numbered.iter().find(|section| is(section, &wanted)).map(|(at, _)| *at);
        // Hooks tell headings that occur twice apart by a number: "Task (9 minutes) (2)".
        let counted = name.strip_suffix(')').and_then(|open| open.rsplit_once(" ("));
        if let Some((heading, number)) =
            counted.and_then(|(heading, digits)| Some((bare(heading), digits.parse::<usize>().ok()?)))
        {
            let nth = numbered.iter().filter(|section| is(section, &heading)).nth(number.saturating_sub(1));
            same = nth.map(|(at, _)| *at).or(same);
        }
        let kind = Kind::of(&wanted);
        same.or_else(|| self.of_kind(kind).filter(|_| kind != Kind::Other))
    }

    pub(crate) fn of_kind(&self, kind: Kind) -> Option<usize> {
        self.sections.iter().position(|section| section.kind == kind)
    }

    /// The text of the first section of a kind.
    pub(crate) fn body_of(&self, kind: Kind) -> &str {
        self.of_kind(kind).and_then(|at| self.sections.get(at)).map_or("", Section::body)
    }
}

impl Section {
    /// What stands under the heading, without the blank lines around it.
    pub(crate) fn body(&self) -> &str {
        self.below.trim()
    }

    pub(crate) fn minutes(&self) -> Option<u32> {
        minutes(&self.title)
    }

    /// Puts another body in; the blank lines around it stay as they were.
    pub(crate) fn set_body(&mut self, body: &str) {
        let lead = self.below.get(..self.below.len() - self.below.trim_start().len()).unwrap_or_default();
        let tail = self.below.get(self.below.trim_end().len()..).unwrap_or_default();
        let (lead, tail) = if self.below.trim().is_empty() { ("\n", "\n\n") } else { (lead, tail) };
        if !self.head.ends_with('\n') {
            self.head.push('\n');
        }
        self.below = format!("{lead}{}{tail}", body.trim());
    }

    /// Puts other minutes into the heading and changes nothing else.
    pub(crate) fn set_minutes(&mut self, minutes: u32) {
        self.head = with_minutes(&self.head, minutes);
        self.title = with_minutes(&self.title, minutes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: &str =
        "# T\r\n\r\n## Starter (8 minutes)\r\n\r\nfive questions\r\n\r\n## Warm words\n\nx\n## Exit questions\n\ny";

    #[test]
    fn a_lesson_survives_being_taken_apart() {
        assert_eq!(Lesson::read(LESSON).write(), LESSON);
        assert_eq!(Lesson::read("").write(), "");
    }

    #[test]
    fn minutes_and_bodies_change_alone() {
        let mut lesson = Lesson::read(LESSON);
        let at = lesson.find("starter (10 minutes)").unwrap();
        lesson.sections[at].set_minutes(5);
        lesson.sections[at].set_body("three questions");
        assert_eq!(
            lesson.write(),
            LESSON.replace("8 minutes", "5 minutes").replace("five questions", "three questions")
        );
    }

    #[test]
    fn headings_are_recognised_however_they_are_put() {
        assert_eq!(Kind::of("Practice (20 minutes)"), Kind::Practice);
        assert_eq!(Kind::of("Warm-up (5 min)"), Kind::Starter);
        assert_eq!(Kind::of("EXIT TICKET"), Kind::Exit);
        assert_eq!(Kind::of("Homework"), Kind::Other);
        assert_eq!(minutes("Warm-up (5 min)"), Some(5));
        assert_eq!(minutes("Loops (again)"), None);
        assert_eq!(named_in("make the starter shorter"), [Kind::Starter]);
    }
}
