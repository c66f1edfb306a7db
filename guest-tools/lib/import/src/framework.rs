//! Curricula as patterns: how their codes are written, which levels and organisers there are.
//!
//! Curriculum for Excellence is built in, since its codes are read the many ways that people write them. Any other is a
//! small TOML file; `docs/formats.md` describes it.

use regex::{Captures, Regex, RegexBuilder};
use serde_json::Value;
use ta_curriculum::code::{Fault, ORGANISERS, find_codes};
use ta_curriculum::level::Level as CfeLevel;

use crate::limits::{PATTERN_BYTES_MAX, PATTERN_FILE_BYTES_MAX};
use crate::text::Folding;
use ta_fields::fields::Fields;
use ta_fields::front_matter::toml;
use ta_fields::problem::Problem;

/// The name of the one that is built in.
pub const BUILT_IN: &str = "cfe";

/// A curriculum.
#[derive(Debug, Clone)]
pub struct Framework {
    /// Its name in front matter, such as `cfe`.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Its levels, lowest first.
    pub levels: Vec<Level>,
    /// Its organisers; empty where any will do.
    pub organisers: Vec<Organiser>,
    /// Whether organiser and number name the same strand on every level.
    pub strands: bool,
    rules: Rules,
}

/// A level: how it is written in codes, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// In codes.
    pub code: String,
    /// For people, as in "third level".
    pub name: String,
}

/// An organiser: how it is written in codes, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organiser {
    /// In codes.
    pub code: String,
    /// For people.
    pub name: String,
}

#[derive(Debug, Clone)]
enum Rules {
    Cfe,
    Patterns(Vec<Pattern>),
}

#[derive(Debug, Clone)]
struct Pattern {
    regex: Regex,
    form: String,
}

/// A code in its one right form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// As it is written.
    pub text: String,
    /// Its organiser.
    pub organiser: String,
    /// Its level, counted from the lowest; none where the code names none.
    pub level: Option<usize>,
    /// Its number.
    pub number: String,
}

/// What of a text is codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Nothing.
    Nothing,
    /// There are some in it.
    Within,
    /// They are all of it.
    Whole,
}

/// A place in a text where codes stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Several where they share one text; none where it cannot be a code.
    pub codes: Vec<Code>,
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last one.
    pub end: usize,
    /// Why it cannot be a code.
    pub fault: Option<&'static str>,
}

impl Framework {
    /// Curriculum for Excellence.
    pub fn cfe() -> Self {
        let levels =
            CfeLevel::ALL.iter().map(|level| Level { code: level.number().to_string(), name: level.name().to_owned() });
        let named = |code: &&str| Organiser { code: (*code).to_owned(), name: cfe_organiser(code).to_owned() };
        Self {
            name: BUILT_IN.to_owned(),
            title: "Curriculum for Excellence (Scotland)".to_owned(),
            levels: levels.collect(),
            organisers: ORGANISERS.iter().map(named).collect(),
            strands: true,
            rules: Rules::Cfe,
        }
    }

    /// Reads a pattern file. Every problem goes into the list; none comes back where it cannot be used.
    pub fn read(file: &str, text: &str, problems: &mut Vec<Problem>) -> Option<Self> {
        if text.len() > PATTERN_FILE_BYTES_MAX {
            let message = format!("the file has {} bytes; at most {PATTERN_FILE_BYTES_MAX} are read", text.len());
            problems.push(Problem::new("framework.too-large", file, message, "keep to patterns, levels, organisers"));
            return None;
        }
        let fields = match toml(file, text) {
            Ok(fields) => fields,
            Err(problem) => {
                problems.push(problem);
                return None;
            }
        };
        let before = problems.len();
        fields.only(&["name", "title", "strands", "levels", "organisers", "codes"], problems);
        let name = fields.required("name", "name = \"england\"", problems);
        let title = fields.required("title", "title = \"National curriculum in England\"", problems);
        let pair = |(code, name): (String, String)| Level { code, name };
        let levels: Vec<Level> = pairs(&fields, "levels", problems).into_iter().map(pair).collect();
        let pair = |(code, name): (String, String)| Organiser { code, name };
        let organisers = pairs(&fields, "organisers", problems).into_iter().map(pair).collect();
        let patterns = patterns(&fields, problems);
        if name.eq_ignore_ascii_case(BUILT_IN) {
            let message = format!("`{BUILT_IN}` is built in");
            problems.push(Problem::new("framework.name", file, message, "give it another name").field("name"));
        }
        let framework = Self {
            name,
            title,
            levels,
            organisers,
            strands: fields.boolean("strands", problems).unwrap_or_default(),
            rules: Rules::Patterns(patterns.iter().map(|(pattern, _)| pattern.clone()).collect()),
        };
        if problems.len() == before {
            patterns.iter().for_each(|(_, example)| framework.try_example(file, example, problems));
        }
        (problems.len() == before).then_some(framework)
    }

    /// An example must be found, whole, and come out as it is.
    fn try_example(&self, file: &str, example: &str, problems: &mut Vec<Problem>) {
        let found = self.find(example);
        let whole = matches!(found.as_slice(), [one] if one.start == 0 && one.end == example.len()
            && matches!(one.codes.as_slice(), [code] if code.text == example));
        if !whole {
            let came: Vec<String> = found.iter().flat_map(|one| &one.codes).map(|code| code.text.clone()).collect();
            let message = if came.is_empty() {
                format!("the patterns do not find their example `{example}`")
            } else {
                format!("the example `{example}` comes out as `{}`", came.join("`, `"))
            };
            let remedy = "mend the pattern, the form or the example; levels and organisers must list theirs";
            problems.push(Problem::new("framework.example", file, message, remedy).field("codes"));
        }
    }

    /// Finds codes, in order.
    pub fn find(&self, text: &str) -> Vec<Found> {
        let folding = Folding::new(text);
        let mut found = match &self.rules {
            Rules::Cfe => cfe_codes(folding.text()),
            Rules::Patterns(patterns) => self.pattern_codes(patterns, folding.text()),
        };
        for one in &mut found {
            (one.start, one.end) = (folding.original(one.start), folding.original_end(one.end));
        }
        found
    }

    /// What of a text is codes.
    pub fn sight(&self, text: &str) -> Sight {
        let found = self.find(text);
        if found.is_empty() {
            return Sight::Nothing;
        }
        let mut rest = String::new();
        let mut at = 0;
        for one in &found {
            rest.push_str(text.get(at..one.start).unwrap_or_default());
            at = one.end;
        }
        rest.push_str(text.get(at..).unwrap_or_default());
        if rest.chars().any(char::is_alphanumeric) { Sight::Within } else { Sight::Whole }
    }

    /// Whether a text is codes and nothing else.
    pub fn is_code(&self, text: &str) -> bool {
        self.sight(text) == Sight::Whole
    }

    /// The level that a text names, as a heading or a cell would: "Third level", "Key Stage 3".
    pub fn level_named(&self, text: &str) -> Option<usize> {
        if matches!(self.rules, Rules::Cfe) {
            let levels: ta_curriculum::level::Levels = text.trim().parse().ok()?;
            // Two levels in one heading contradict neither.
            return (levels.low() == levels.high()).then(|| usize::from(levels.low().number()));
        }
        let text = text.to_lowercase();
        let named = (0..).zip(&self.levels).filter(|(_, level)| has_word(&text, &level.name.to_lowercase()));
        // "Grade 1" stands in "Grade 10" too, and the longest name is the one that is meant.
        named.max_by_key(|(_, level)| level.name.len()).map(|(index, _)| index)
    }

    /// A level's name.
    pub fn level_name(&self, level: usize) -> &str {
        self.levels.get(level).map_or("", |level| level.name.as_str())
    }

    /// An organiser's name, where the framework lists it.
    pub fn organiser_name(&self, code: &str) -> Option<&str> {
        self.organisers.iter().find(|organiser| organiser.code == code).map(|organiser| organiser.name.as_str())
    }

    /// Whether an organiser is one of the framework's; any is where it lists none.
    pub fn knows_organiser(&self, code: &str) -> bool {
        self.organisers.is_empty() || self.organiser_name(code).is_some()
    }

    fn pattern_codes(&self, patterns: &[Pattern], text: &str) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for pattern in patterns {
            for captures in pattern.regex.captures_iter(text) {
                let Some(whole) = captures.get(0).filter(|whole| !whole.is_empty()) else { continue };
                let before = text.get(..whole.start()).and_then(|before| before.chars().next_back());
                let after = text.get(whole.end()..).and_then(|after| after.chars().next());
                if before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric) {
                    continue;
                }
                let code = self.code_of(pattern, &captures);
                let fault = code.is_none().then_some("the framework has no such level");
                let codes = code.into_iter().collect();
                found.push(Found { codes, start: whole.start(), end: whole.end(), fault });
            }
        }
        found.sort_by_key(|one| (one.start, std::cmp::Reverse(one.end)));
        let mut end = 0;
        found.retain(|one| {
            let keeps = one.start >= end;
            end = end.max(one.end);
            keeps
        });
        found
    }

    fn code_of(&self, pattern: &Pattern, captures: &Captures<'_>) -> Option<Code> {
        let group = |name: &str| captures.name(name).map(|it| it.as_str().trim().to_owned()).unwrap_or_default();
        let written = group("level");
        let level = (0..).zip(&self.levels).find(|(_, level)| level.code.eq_ignore_ascii_case(&written));
        if !written.is_empty() && level.is_none() {
            return None;
        }
        let organiser = group("organiser");
        let listed = self.organisers.iter().find(|listed| listed.code.eq_ignore_ascii_case(&organiser));
        let organiser = listed.map_or_else(|| organiser.to_uppercase(), |listed| listed.code.clone());
        let number = group("number");
        let mut text = String::new();
        for (literal, slot) in slots(&pattern.form) {
            text.push_str(literal);
            let (name, how) = slot.split_once(':').unwrap_or((slot, ""));
            let value = match name {
                "level" => level.map(|(_, level)| level.code.clone()).unwrap_or_default(),
                "organiser" => organiser.clone(),
                name => group(name),
            };
            text.push_str(&match how {
                "lower" => value.to_lowercase(),
                "upper" => value.to_uppercase(),
                "02" if value.len() == 1 => format!("0{value}"),
                _ => value,
            });
        }
        Some(Code { text, organiser, level: level.map(|(index, _)| index), number })
    }
}

/// The literal parts of a form, each with the slot after it: `KS{level}/` is `("KS", "level"), ("/", "")`.
fn slots(form: &str) -> Vec<(&str, &str)> {
    let mut slots = Vec::new();
    let mut rest = form;
    while let Some((literal, after)) = rest.split_once('{') {
        let (slot, after) = after.split_once('}').unwrap_or((after, ""));
        slots.push((literal, slot));
        rest = after;
    }
    slots.push((rest, ""));
    slots
}

fn has_word(text: &str, word: &str) -> bool {
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).and_then(|it| it.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|it| it.chars().next());
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
}

fn cfe_codes(text: &str) -> Vec<Found> {
    let found = find_codes(text).into_iter().map(|found| Found {
        codes: found
            .codes
            .iter()
            .map(|code| Code {
                text: code.to_string(),
                organiser: code.organiser().to_owned(),
                level: Some(usize::from(code.level().number())),
                number: format!("{:02}", code.number()),
            })
            .collect(),
        start: found.start,
        end: found.end,
        fault: found.fault.map(|fault| match fault {
            Fault::NoSuchLevel => "there is no such level",
            Fault::NoLetter => "its letter is missing",
        }),
    });
    found.collect()
}

fn cfe_organiser(code: &str) -> &'static str {
    match code {
        "ENG" => "English",
        "EXA" => "expressive arts",
        "GAI" => "Gàidhlig",
        "HWB" => "health and wellbeing",
        "LCL" => "classical languages",
        "LGL" => "Gaelic (learners)",
        "LIT" => "literacy",
        "MLAN" => "modern languages",
        "MNU" => "numeracy",
        "MTH" => "mathematics",
        "RERC" => "religious education in Roman Catholic schools",
        "RME" => "religious and moral education",
        "SCN" => "sciences",
        "SOC" => "social studies",
        "TCH" => "technologies",
        _ => "",
    }
}

/// Reads `[[name]]` tables of `code` and `name`.
fn pairs(fields: &Fields, field: &str, problems: &mut Vec<Problem>) -> Vec<(String, String)> {
    let Some(found) = fields.fields.get(field) else { return Vec::new() };
    let items = found.value.as_array().cloned().unwrap_or_default();
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    let mut pairs = Vec::new();
    for item in &items {
        if let (Some(code), Some(name)) = (text(item, "code"), text(item, "name")) {
            pairs.push((code, name));
        } else {
            let message = "each needs a code and a name";
            let remedy = format!("write `[[{field}]]`, `code = \"3\"`, `name = \"third\"`");
            let problem = Problem::new("field.value", &fields.file, message, remedy);
            problems.push(problem.at(Some(found.line)).field(field));
        }
    }
    pairs
}

/// Reads `[[codes]]`: pattern, form, example.
fn patterns(fields: &Fields, problems: &mut Vec<Problem>) -> Vec<(Pattern, String)> {
    let line = fields.fields.get("codes").map(|field| field.line);
    let mut problem = |message: String| {
        let remedy = "write `[[codes]]`, `pattern = '…(?P<level>…)(?P<organiser>…)(?P<number>…)'`, `form = \"{organiser} {level}-{number}\"`, `example = \"…\"`";
        problems.push(Problem::new("framework.pattern", &fields.file, message, remedy).at(line).field("codes"));
    };
    let items = fields.fields.get("codes").and_then(|field| field.value.as_array().cloned()).unwrap_or_default();
    if items.is_empty() {
        problem("there is no pattern".to_owned());
    }
    let mut patterns = Vec::new();
    for item in &items {
        let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (pattern, form, example) = (text("pattern"), text("form"), text("example"));
        if pattern.is_empty() || form.is_empty() || example.is_empty() {
            problem("each needs a pattern, a form and an example".to_owned());
            continue;
        }
        let built = RegexBuilder::new(&pattern).case_insensitive(true).size_limit(PATTERN_BYTES_MAX).build();
        match built {
            Ok(regex) => {
                let groups: Vec<&str> = regex.capture_names().flatten().collect();
                let slots = slots(&form).into_iter().map(|(_, slot)| slot.split(':').next().unwrap_or_default());
                for slot in slots.filter(|slot| !slot.is_empty() && !groups.contains(slot)) {
                    problem(format!("the form names `{slot}`, which the pattern does not have"));
                }
                patterns.push((Pattern { regex, form }, example));
            }
            Err(error) => problem(format!("the pattern is no regular expression: {error}")),
        }
    }
    patterns
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

    use super::*;

    const PATTERN: &str = "name = 'x'\ntitle = 'X'\n[[levels]]\ncode = '3'\nname = 'key stage 3'\n[[organisers]]\ncode = 'Co'\nname = 'computing'\n[[codes]]\npattern = 'KS\\s?(?P<level>\\d)[/ -](?P<organiser>Co)[/ -]?(?P<number>\\d+)(?P<letter>[a-z])?'\nform = 'KS{level}/{organiser}/{number:02}{letter:lower}'\nexample = 'KS3/Co/02'\n";

    #[test]
    fn codes_come_out_in_one_form() {
        let mut problems = Vec::new();
        let framework = Framework::read("x.toml", PATTERN, &mut problems).unwrap();
        assert_eq!(problems, []);
        let found = framework.find("see ks 3–co 2B, KS9/Co/1, XKS3/Co/1 and KS3/Co/12");
        let shown: Vec<(Vec<&str>, Option<&str>)> =
            found.iter().map(|it| (it.codes.iter().map(|code| code.text.as_str()).collect(), it.fault)).collect();
        let fault = Some("the framework has no such level");
        assert_eq!(shown, [(vec!["KS3/Co/02b"], None), (vec![], fault), (vec!["KS3/Co/12"], None)]);
        assert_eq!(framework.level_named("Key Stage 3 programme"), Some(0));
        assert!(framework.is_code("(KS3/Co/2)") && !framework.is_code("KS3/Co/2 programs"));
    }

    #[test]
    fn pattern_files_say_what_is_wrong() {
        for (from, to, code) in [
            ("example = 'KS3/Co/02'", "example = 'KS3/Ma/02'", "framework.example"),
            ("{number:02}", "{numbr}", "framework.pattern"),
            ("(?P<level>\\d)", "(?P<level>\\d", "framework.pattern"),
            ("name = 'x'", "name = 'CfE'", "framework.name"),
            ("code = '3'\n", "", "field.value"),
        ] {
            let mut problems = Vec::new();
            assert!(Framework::read("x.toml", &PATTERN.replacen(from, to, 1), &mut problems).is_none(), "{to}");
            assert!(problems.iter().any(|problem| problem.code == code), "{to}: {problems:?}");
        }
    }

    #[test]
    fn the_built_in_reads_what_people_write() {
        let framework = Framework::cfe();
        let codes = |text: &str| -> Vec<String> {
            framework.find(text).into_iter().flat_map(|found| found.codes).map(|code| code.text).collect()
        };
        for text in ["MNU 201a", "MNU 2-01A", "ＭＮＵ\u{a0}2–01a", "ΜΝU 2-01a", "mnu 2-01a", "MNU 2\u{AD}-\u{200B}01a"]
        {
            assert_eq!(codes(text), ["MNU 2-01a"], "{text}");
        }
        assert_eq!(codes("LIT 3-26a / LIT 4-26a"), ["LIT 3-26a", "LIT 4-26a"]);
        assert_eq!(framework.level_named("Third Level"), Some(3));
        assert_eq!(framework.level_named("Third and fourth level"), None);
    }
}
