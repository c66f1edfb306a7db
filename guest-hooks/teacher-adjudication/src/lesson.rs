//! The lesson under adjudication: its sections and what was decided on each.

use std::collections::BTreeMap;
use std::ops::Range;

use ta_curriculum::outline::{Outline, slug};
use ta_guest::post_loop::Event;

/// How a section whose heading has no text is called.
const UNTITLED: &str = "Untitled";

/// What became of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// Not asked about yet.
    Open,
    /// Not to be asked about.
    Skipped,
    /// Stays as it is.
    Accepted,
    /// Asked about, without an answer.
    Undecided,
    /// Has the text of the alternative with this number, which the teacher chose.
    Chosen(u32),
    /// To be drafted again, with what should change.
    Revise(String),
    /// To be drafted in so many alternatives.
    Alternatives(u32),
}

/// A section, or the lesson as a whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// How answers name it: the part's id.
    pub(crate) id: String,
    /// How people and models read it: the heading, numbered where the same one occurs again.
    pub(crate) name: String,
    /// The heading as it stands.
    pub(crate) heading: String,
    /// Its text, with its heading, as it is to stand in the output.
    pub(crate) text: String,
    /// The text it was accepted with in an earlier round, byte for byte.
    kept: Option<String>,
    /// Where it stands in the output.
    range: Range<usize>,
    pub(crate) state: State,
    /// Whether it has been asked about in this call.
    pub(crate) asked: bool,
    /// What an earlier round asked for and this one did not bring.
    pub(crate) missing: Option<String>,
}

impl Part {
    /// Whether it is to be drafted again.
    pub(crate) fn is_reworked(&self) -> bool {
        matches!(self.state, State::Revise(_) | State::Alternatives(_))
    }

    /// Accepts it with the text it had then. Where it stands, white space at its end belongs to the output: a last section
    /// without a line break may stand in the middle now.
    fn keep(&mut self, accepted: &ta_guest::Part) {
        self.state = State::Accepted;
        self.kept = Some(accepted.text.clone());
        let end = self.text.get(self.text.trim_end().len()..).unwrap_or_default().to_owned();
        self.text = [accepted.text.trim_end(), &end].concat();
    }
}

/// The output in its sections.
pub(crate) struct Lesson<'a> {
    output: &'a str,
    pub(crate) parts: Vec<Part>,
    /// Parts accepted earlier that are no longer in the output.
    gone: Vec<ta_guest::Part>,
}

impl<'a> Lesson<'a> {
    /// Reads the sections of the event's output; those accepted earlier are marked so, and those of `skip` are set aside.
    pub(crate) fn read(event: &'a Event, skip: &[String]) -> Self {
        let mut headings = BTreeMap::new();
        let sections = Outline::read(&event.output).sections;
        let parts = sections.into_iter().map(|section| {
            let heading = section.title;
            let shown = if heading.is_empty() { UNTITLED } else { &heading };
            let number = headings.entry(shown.to_lowercase()).and_modify(|number| *number += 1).or_insert(1);
            let name = if *number == 1 { shown.to_owned() } else { format!("{shown} ({number})") };
            let skipped = skip.iter().any(|skip| slug(skip) == slug(&heading));
            let text = event.output.get(section.range.clone()).unwrap_or_default().to_owned();
            let state = if skipped { State::Skipped } else { State::Open };
            Part {
                id: section.id,
                name,
                heading,
                text,
                kept: None,
                range: section.range,
                state,
                asked: false,
                missing: None,
            }
        });
        let mut lesson = Self { output: &event.output, parts: parts.collect(), gone: Vec::new() };
        lesson.mark_accepted(&event.accepted);
        lesson
    }

    /// The lesson as one part.
    pub(crate) fn whole(&self) -> Part {
        Part {
            id: "whole".into(),
            name: "the whole lesson".into(),
            heading: "the whole lesson".into(),
            text: self.text(),
            kept: None,
            range: 0..self.output.len(),
            state: State::Open,
            asked: false,
            missing: None,
        }
    }

    /// The output, with every section as it stands now.
    pub(crate) fn text(&self) -> String {
        let start = self.parts.first().map_or(self.output.len(), |part| part.range.start);
        let preamble = self.output.get(..start).unwrap_or_default();
        [preamble].into_iter().chain(self.parts.iter().map(|part| part.text.as_str())).collect()
    }

    /// Every part accepted so far, byte for byte.
    pub(crate) fn accepted(&self) -> Vec<ta_guest::Part> {
        let here = self.parts.iter().filter(|part| part.state == State::Accepted);
        let here = here.map(|part| {
            let text = part.kept.as_ref().unwrap_or(&part.text).clone();
            ta_guest::Part { id: part.id.clone(), title: part.heading.clone(), text }
        });
        here.chain(self.gone.iter().cloned()).collect()
    }

    /// The part that still has the accepted words is the one that was accepted, else the one of its id.
    fn mark_accepted(&mut self, accepted: &[ta_guest::Part]) {
        let mut left: Vec<&ta_guest::Part> = Vec::new();
        for earlier in accepted {
            match self.open(|part| part.text.trim_end() == earlier.text.trim_end()) {
                Some(part) => part.keep(earlier),
                None => left.push(earlier),
            }
        }
        for earlier in left {
            match self.open(|part| part.id == earlier.id) {
                Some(part) => part.keep(earlier),
                None => self.gone.push(earlier.clone()),
            }
        }
    }

    fn open(&mut self, fits: impl Fn(&Part) -> bool) -> Option<&mut Part> {
        let open = |part: &&mut Part| matches!(part.state, State::Open | State::Skipped);
        self.parts.iter_mut().filter(open).find(|part| fits(part))
    }
}
