//! Curriculum files as the tools show them: numbered lines that become entries again, each with where it stands.

use ta_curriculum::code::Code;
use ta_curriculum::file::{CurriculumFile, Entry};
use ta_curriculum::level::{Level, Levels};
use ta_curriculum::pointer::format_pointer;

use super::examples::Example;
use super::material::{Keyword, Misconception, Outcome, aside};
use super::phrase::{claim, one_line, sentence};
use super::words::{key, keys};

mod vocabulary;

pub(crate) use vocabulary::Vocabulary;

/// A curriculum file that was read.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// Path below the workspace.
    pub(crate) path: String,
    pub(crate) file: CurriculumFile,
    pub(crate) words: Vocabulary,
    /// The words of the subject's names.
    name_keys: Vec<String>,
    /// Those, and what else names the subject: they are no topic.
    pub(crate) subject_keys: Vec<String>,
}

/// The text of a file from the numbered lines that `read_file` gives.
pub(crate) fn unnumbered(listing: &str) -> String {
    let mut text = String::new();
    for line in listing.lines() {
        let numbered = line.split_once('\t').filter(|(number, _)| number.trim().parse::<u32>().is_ok());
        match numbered {
            Some((_, rest)) => {
                text.push_str(rest);
                text.push('\n');
            }
            None if cut(line).is_some() => {}
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

/// Where a listing was cut: the last line shown and how many there are.
pub(crate) fn cut(line: &str) -> Option<(u32, u32)> {
    let inner = line.strip_prefix("[lines ")?.strip_suffix(']')?;
    let (shown, total) = inner.split_once(" of ")?;
    let (_, last) = shown.split_once('-')?;
    Some((last.parse().ok()?, total.parse().ok()?))
}

impl Source {
    pub(crate) fn read(path: &str, text: &str) -> Self {
        let mut source = Self {
            path: path.to_owned(),
            file: CurriculumFile::parse(text),
            words: Vocabulary::default(),
            name_keys: Vec::new(),
            subject_keys: Vec::new(),
        };
        source.name_keys = keys(&format!("{} {}", source.subject(), source.title()));
        source.subject_keys.clone_from(&source.name_keys);
        if source.name_keys.iter().any(|word| word.starts_with("math")) {
            source.subject_keys.extend(["maths", "mathematics", "numeracy"].map(key));
        }
        let places: Vec<Place<'_>> = places(std::slice::from_ref(&source)).collect();
        source.words = Vocabulary::of(&places, source.subject_keys.clone());
        source
    }

    /// The subject by its short name, as class profiles use it.
    pub(crate) fn subject(&self) -> String {
        let meta = &self.file.meta;
        meta.subject.clone().or_else(|| meta.title.clone()).unwrap_or_else(|| self.path.clone()).to_lowercase()
    }

    /// The subject as it reads in a sentence.
    pub(crate) fn title(&self) -> String {
        let meta = &self.file.meta;
        meta.title.clone().or_else(|| meta.subject.clone()).unwrap_or_else(|| self.path.clone())
    }

    /// Whether the file belongs to one of a class's subjects.
    pub(crate) fn is_of(&self, subjects: &[String]) -> bool {
        let known = &self.name_keys;
        subjects.iter().any(|subject| {
            keys(subject)
                .iter()
                .any(|word| known.iter().any(|known| known.starts_with(word) || word.starts_with(known.as_str())))
        })
    }
}

/// One entry with the file that it stands in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) source: &'a Source,
    pub(crate) entry: &'a Entry,
}

/// Every entry of several files, in order.
pub(crate) fn places(sources: &[Source]) -> impl Iterator<Item = Place<'_>> {
    sources.iter().flat_map(|source| source.file.entries.iter().map(move |entry| Place { source, entry }))
}

/// Finds the entry of a code.
pub(crate) fn find(sources: &[Source], code: Code) -> Option<Place<'_>> {
    places(sources).find(|place| place.entry.codes.contains(&code))
}

impl<'a> Place<'a> {
    pub(crate) fn code(&self) -> Option<Code> {
        self.entry.codes.first().copied()
    }

    /// The levels that the entry names, else those of its codes.
    pub(crate) fn is_at(&self, level: Level) -> bool {
        match self.entry.field("Level").and_then(|text| text.parse::<Levels>().ok()) {
            Some(levels) => levels.contains(level),
            None => self.entry.codes.iter().any(|code| code.level() == level),
        }
    }

    pub(crate) fn is_verified(&self) -> bool {
        self.entry.field("Status").is_some_and(|status| status.trim().eq_ignore_ascii_case("verified"))
    }

    pub(crate) fn topics(&self) -> Vec<&'a str> {
        split(self.entry.field("Topics"), ',')
    }

    pub(crate) fn outcome_text(&self) -> Option<&'a str> {
        self.outcome_at().map(|(_, text)| text)
    }

    /// The outcome with the number of its first line; where no field holds it, the prose that follows the heading.
    fn outcome_at(&self) -> Option<(u32, &'a str)> {
        let fields = &self.entry.fields;
        let field = fields.iter().find(|field| field.name.eq_ignore_ascii_case("Outcome"));
        let field = field.map(|field| (field.line, field.value.trim())).filter(|(_, text)| !text.is_empty());
        field.or_else(|| {
            let (heading, rest) = self.entry.text.split_once('\n')?;
            let gap = rest.len() - rest.trim_start().len();
            let blank = rest.get(..gap)?.matches('\n').count();
            let prose = rest.trim_start().split("\n\n").next()?.trim_end();
            let is_prose = !prose.is_empty() && !prose.starts_with(['-', '*', '#', '|', '>', '`', '+', '<', '!']);
            let line = self.entry.first_line + 1 + u32::try_from(blank).unwrap_or(0);
            (is_prose && !heading.is_empty()).then_some((line, prose))
        })
    }

    pub(crate) fn prior(&self) -> Vec<&'a str> {
        split(self.entry.field("Prior knowledge"), ';')
    }

    pub(crate) fn assessment(&self) -> Vec<&'a str> {
        split(self.entry.field("Assessment"), ';')
    }

    pub(crate) fn keywords(&self) -> Vec<Keyword> {
        let items = split(self.entry.field("Keywords"), ';');
        items
            .into_iter()
            .map(|item| match item.split_once(": ") {
                Some((term, meaning)) => Keyword { term: one_line(term), meaning: one_line(meaning) },
                None => Keyword { term: one_line(item), meaning: String::new() },
            })
            .collect()
    }

    pub(crate) fn misconceptions(&self) -> Vec<Misconception> {
        let items = split(self.entry.field("Misconceptions"), ';');
        items.into_iter().map(misconception).collect()
    }

    /// What the outcome is worked on with, each with its answer.
    pub(crate) fn examples(&self) -> Vec<Example> {
        self.listed("Examples")
    }

    /// Questions about what pupils should know already, each with its answer.
    pub(crate) fn recall(&self) -> Vec<Example> {
        self.listed("Recall")
    }

    fn listed(&self, field: &str) -> Vec<Example> {
        self.entry.field(field).unwrap_or_default().lines().filter_map(Example::read).collect()
    }

    /// Codes named in a field such as `Before`.
    pub(crate) fn codes_in(&self, field: &str) -> Vec<Code> {
        let organiser = self.code().map(|code| code.organiser().to_owned());
        let text = self.entry.field(field).unwrap_or_default();
        let found = ta_curriculum::code::find_codes_with(text, organiser.as_slice());
        found.into_iter().flat_map(|found| found.codes).collect()
    }

    /// The outcome with its pointer: heading to outcome line, and words that stand there. Of several codes that share
    /// one text, the one of the level is named; where that is not the class's, the outcome says so.
    pub(crate) fn outcome(&self, level: Option<Level>, class: Option<Level>) -> Option<Outcome> {
        let at_level = self.entry.codes.iter().copied().find(|code| Some(code.level()) == level);
        let code = at_level.or_else(|| self.code())?;
        let title = one_line(&self.entry.title);
        let says = self.outcome_text().map_or_else(|| sentence(&title), |text| sentence(&one_line(text)));
        let quote = self.quote();
        let first = self.entry.first_line;
        // A value over several lines ends where its breaks say.
        let end = |(line, text): (u32, &str)| line + u32::try_from(text.matches('\n').count()).unwrap_or(0);
        let last = self.outcome_at().map_or(first, end);
        let pointer = format_pointer(&code.to_string(), &self.source.path, first, last, Some(&quote));
        let kind = self.source.file.meta.text_kind.as_deref().unwrap_or_default();
        Some(Outcome {
            pointer,
            aside: aside(code.level(), class),
            says,
            verified: self.is_verified(),
            paraphrase: kind.trim().eq_ignore_ascii_case("paraphrase"),
        })
    }

    /// Words of the entry to quote: the whole outcome where it is short, else the longest stretch of its first sentence, or of
    /// the rest, that needs no escaping, else the heading.
    fn quote(&self) -> String {
        let title = self.entry.title.trim();
        let Some(outcome) = self.outcome_text() else { return title.to_owned() };
        if !tells_enough(outcome) {
            return if outcome.split_whitespace().count() > 1 || title.is_empty() { outcome } else { title }.to_owned();
        }
        let stretch = first_sentence(outcome).and_then(plain_stretch).or_else(|| plain_stretch(outcome));
        stretch.unwrap_or(if title.is_empty() { outcome } else { title }).to_owned()
    }
}

/// Whether words are enough of a quote to be found in one place only; fewer prove something only as the whole of a text.
fn tells_enough(text: &str) -> bool {
    const WORDS_MIN: usize = 3;
    const CHARS_MIN: usize = 12;
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    words >= WORDS_MIN && text.chars().filter(|c| c.is_alphanumeric()).count() >= CHARS_MIN
}

/// The longest part between marks of markdown and quotation marks, if it tells enough.
fn plain_stretch(text: &str) -> Option<&str> {
    const MARKS: [char; 14] = ['"', '“', '”', '*', '`', '_', '\n', '[', ']', '|', '\\', '<', '&', '>'];
    text.split(MARKS).map(str::trim).filter(|part| tells_enough(part)).max_by_key(|part| part.len())
}

fn first_sentence(text: &str) -> Option<&str> {
    let end = text.find(". ").or_else(|| text.find(['\n', '.'])).unwrap_or(text.len());
    text.get(..end).map(str::trim).filter(|sentence| !sentence.is_empty())
}

fn misconception(item: &str) -> Misconception {
    let parted = ["→", "->", "=>"].iter().find_map(|arrow| item.split_once(arrow));
    let (idea, answer) = parted.unwrap_or((item, ""));
    let said = claim(idea);
    Misconception {
        idea: one_line(said.unwrap_or(idea)).trim_matches(['“', '”', '"']).to_owned(),
        answer: one_line(answer),
        is_claim: said.is_some(),
        shown_by: None,
    }
}

fn split(field: Option<&str>, at: char) -> Vec<&str> {
    let field = field.unwrap_or_default();
    field
        .split(at)
        .map(str::trim)
        .filter(|item| !item.is_empty() && !item.starts_with("none ") && *item != "none")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "---\nsubject: computing\n---\n\n## TCH 3-14a: reads and explains constructs of code\n\n- **Level:** third\n\
        - **Status:** verified\n- **Outcome:** Pupils explain what loops and \"ifs\" do in a program. More.\n\
        - **Topics:** iteration, loops\n- **Before:** TCH 2-14a\n- **Misconceptions:** a loop ends at once → trace it; confusing = and ==\n\
        - **Keywords:** loop: code that repeats; variable\n";

    fn source() -> Source {
        Source::read("curriculum/cfe-computing.md", FILE)
    }

    #[test]
    fn an_entry_gives_up_its_fields() {
        let source = source();
        let place = places(std::slice::from_ref(&source)).next().unwrap();
        assert_eq!(place.topics(), ["iteration", "loops"]);
        assert!(place.is_verified() && place.is_at(Level::Third) && !place.is_at(Level::Fourth));
        assert_eq!(place.codes_in("Before")[0].to_string(), "TCH 2-14a");
        let wrong = place.misconceptions();
        assert!(wrong[0].is_claim && wrong[0].answer == "trace it");
        assert!(!wrong[1].is_claim && wrong[1].answer.is_empty());
        assert_eq!(place.keywords()[1], Keyword { term: "variable".into(), meaning: String::new() });
        assert!(source.is_of(&["computing".into()]) && !source.is_of(&["maths".into()]));
    }

    #[test]
    fn a_pointer_quotes_words_between_the_marks() {
        let source = source();
        let outcome = places(std::slice::from_ref(&source)).next().unwrap().outcome(None, None).unwrap();
        assert_eq!(outcome.pointer, "[TCH 3-14a](curriculum/cfe-computing.md#L5-L9 \"Pupils explain what loops and\")");
    }

    #[test]
    fn numbered_lines_become_the_file_again() {
        let listing = "     1\t# A\n     2\t\n     3\tb\tc\n[lines 1-3 of 9]";
        assert_eq!(unnumbered(listing), "# A\n\nb\tc\n");
        assert_eq!(cut("[lines 1-3 of 9]"), Some((3, 9)));
    }
}
