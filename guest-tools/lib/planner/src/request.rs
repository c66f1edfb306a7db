//! What a teacher asks for: class, length, level, topic, and what else is to be borne in mind.

use ta_curriculum::level::{Level, find_levels};

use super::means::{Preference, is_only_means};
use super::profile::level_of_year;
use super::words::says;
mod class;

use class::{is_year, looks_like_class};

use super::words::{Token, is_asking_word, is_function_word, tokens};

/// A request, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ask {
    /// The class, by the name of its file.
    pub(crate) class: Option<String>,
    /// Something written like a class of which there is no file.
    pub(crate) unknown_class: Option<String>,
    pub(crate) minutes: Option<u32>,
    pub(crate) double_period: bool,
    /// A level or year named beside the class.
    pub(crate) level: Option<Level>,
    /// What may be the topic, likeliest first.
    pub(crate) phrases: Vec<String>,
    /// Phrases that stood side by side, in case they are one topic: "speed, distance and time".
    pub(crate) merged: Option<String>,
    /// What was said about the pupils' difficulties.
    pub(crate) difficulties: Vec<String>,
    /// Everything else that was said.
    pub(crate) notes: Vec<String>,
    /// The path of a lesson that it names.
    pub(crate) lesson: Option<String>,
}

const DIFFICULTY_WORDS: &str = "struggle|struggled|struggles|struggling|difficult|difficulty|difficulties|confuse|confused|confuses|weak|\
    mix up|mixed up|mixing up|stuck|forget|forgot|forgotten|trouble|unsure|shaky|problems with|found hard|\
    find hard|finding hard|misunderstand|misunderstood|can't|not secure";
const NOTE_STARTS: &str = "they|most|many|half|he|she|use|using|without|no|not|include|focus|but|because|last|we|our|nobody|\
    everybody|everyone|only|please|in|with|keep|avoid";
/// Parts of a lesson: minutes beside one of these are not the length of the lesson.
pub(crate) const PART_WORDS: &[&str] = &[
    "starter",
    "warm",
    "explanation",
    "practice",
    "plenary",
    "exit",
    "activity",
    "quiz",
    "task",
    "discussion",
    "video",
    "intro",
];

impl Ask {
    /// Reads a request, given the names of the class files there are.
    pub(crate) fn read(text: &str, classes: &[String]) -> Self {
        let mut ask = Self { lesson: lesson_path(text), ..Self::default() };
        let text = match &ask.lesson {
            Some(path) => text.replace(path.as_str(), " "),
            None => text.to_owned(),
        };
        let tokens = tokens(&text);
        let mut used = vec![false; tokens.len()];
        ask.take_class(&text, &tokens, classes, &mut used);
        ask.take_length(&tokens, &mut used);
        ask.take_level(&text, &tokens, &mut used);
        ask.take_phrases(&text, &tokens, &used);
        ask
    }

    fn take_class(&mut self, text: &str, words: &[Token<'_>], classes: &[String], used: &mut [bool]) {
        let mut named: Vec<&String> = classes.iter().collect();
        named.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for class in named {
            let wanted: Vec<String> = tokens(class).iter().map(|token| token.raw.to_lowercase()).collect();
            let place = words
                .windows(wanted.len().max(1))
                .position(|window| window.iter().map(|token| token.raw.to_lowercase()).eq(wanted.iter().cloned()));
            if let Some(at) = place.filter(|_| !wanted.is_empty()) {
                self.class = Some(class.clone());
                mark(used, words, at, wanted.len());
                return;
            }
        }
        let place = (0..words.len()).find(|at| looks_like_class(text, words, *at));
        if let Some(at) = place {
            let length = if words.get(at).is_some_and(|word| is_year(word.raw)) { 3 } else { 1 };
            let named: Vec<&str> = words.iter().skip(at).take(length).map(|token| token.raw).collect();
            self.unknown_class = Some(named.join(" "));
            mark(used, words, at, length);
        }
    }

    fn take_length(&mut self, words: &[Token<'_>], used: &mut [bool]) {
        let lower: Vec<String> = words.iter().map(|token| token.raw.to_lowercase()).collect();
        let is = |at: usize, options: &[&str]| lower.get(at).is_some_and(|word| options.contains(&word.as_str()));
        for at in 0..lower.len() {
            let near_part = (at.saturating_sub(4)..at + 3).any(|near| near != at && is(near, PART_WORDS));
            let number = at
                .checked_sub(1)
                .and_then(|before| lower.get(before))
                .and_then(|word| super::phrase::number_word(word));
            // "Kilometres per hour" is a unit and no length.
            if at.checked_sub(1).is_some_and(|before| is(before, &["per"])) {
                continue;
            }
            if is(at, &["minute", "minutes", "min", "mins"]) && !near_part {
                self.minutes = self.minutes.or(number);
                mark(used, words, at.saturating_sub(1), 2);
            } else if is(at, &["hour", "hours"]) && !near_part {
                let half = at >= 2 && is(at - 2, &["half"]);
                let and_half = is(at + 1, &["and"]) && is(at + 3, &["half"]);
                let whole = number.unwrap_or(1) * 60;
                self.minutes = Some(if half { 30 } else { whole + if and_half { 30 } else { 0 } });
                mark(used, words, at.saturating_sub(1), 2);
            } else if is(at, &["double"]) && is(at + 1, &["period", "lesson", "slot"])
                || is(at, &["two"]) && is(at + 1, &["periods"])
            {
                self.double_period = true;
                mark(used, words, at, 2);
            }
        }
    }

    fn take_level(&mut self, text: &str, words: &[Token<'_>], used: &mut [bool]) {
        if let Some(mention) = find_levels(text).first() {
            self.level = Some(mention.levels.low());
            for (token, used) in words.iter().zip(used.iter_mut()) {
                *used |= mention.start <= token.start && token.end <= mention.end;
            }
        }
        if let Some(at) = words.iter().zip(used.iter()).position(|(token, used)| !used && is_year(token.raw)) {
            self.level = self.level.or_else(|| words.get(at).and_then(|token| level_of_year(token.raw)));
            mark(used, words, at, 1);
        }
    }

    fn take_phrases(&mut self, text: &str, words: &[Token<'_>], used: &[bool]) {
        let mut later = Vec::new();
        for segment in segments(text, words) {
            let start = segment.first().map_or(0, |(at, _)| *at);
            let kept: Vec<&Token<'_>> = segment
                .iter()
                .filter(|(at, _)| !used.get(*at).copied().unwrap_or(false))
                .map(|(_, token)| *token)
                .collect();
            let phrase = joined(text, &kept);
            if !kept.iter().any(|token| !is_function_word(token.raw) && !is_asking_word(token.raw))
                && !is_named_topic(&kept)
            {
                continue;
            }
            let (phrase, way) = parted(&phrase);
            self.notes.extend(way);
            let first = kept.first().map(|token| token.raw.to_lowercase()).unwrap_or_default();
            if says(&phrase, DIFFICULTY_WORDS) {
                self.difficulties.push(phrase);
            } else if NOTE_STARTS.split('|').any(|start| start == first) && (start > 0 || first != "in") {
                later.push(phrase.clone());
                self.notes.push(phrase);
            } else if self.phrases.is_empty() {
                self.phrases.push(phrase);
            } else {
                self.phrases.push(phrase.clone());
                self.notes.push(phrase);
            }
        }
        self.merged = Some(self.phrases.join(", ")).filter(|_| self.phrases.len() > 1);
        // "use fractions" alone: then the note is the topic.
        if self.phrases.is_empty() && self.class.is_none() {
            self.phrases = later;
        }
    }

    /// Whether it names a topic of its own.
    pub(crate) fn has_topic(&self) -> bool {
        !self.phrases.is_empty()
    }
}

/// "databases without computers", "probability as a game": that belongs to the way of working, not to the topic.
fn parted(phrase: &str) -> (String, Option<String>) {
    // "a practical lesson on circuits"
    let led = [" lesson on ", " lesson about ", " activity on "]
        .iter()
        .find_map(|lead| phrase.split_once(lead))
        .filter(|(way, _)| !Preference::of(way).is_empty() && is_only_means(way));
    if let Some((way, topic)) = led {
        return (topic.to_owned(), Some(way.to_owned()));
    }
    let at = [" without ", " as a "].iter().find_map(|lead| phrase.find(lead));
    let parts = at.and_then(|at| Some((phrase.get(..at)?, phrase.get(at + 1..)?)));
    match parts.filter(|(_, rest)| !Preference::of(rest).is_empty() && is_only_means(rest)) {
        Some((topic, rest)) => (topic.to_owned(), Some(rest.to_owned())),
        None => (phrase.to_owned(), None),
    }
}

/// "time management" and "like terms" are made of asking words and are topics all the same.
fn is_named_topic(words: &[&Token<'_>]) -> bool {
    let content: Vec<&str> = words.iter().map(|token| token.raw).filter(|word| !is_function_word(word)).collect();
    let askers = [
        "plan", "make", "lesson", "please", "need", "want", "tomorrow", "today", "next", "now", "again", "same",
        "period", "hello", "hi",
    ];
    content.len() >= 2 && content.iter().all(|word| !askers.contains(&word.to_lowercase().as_str()))
}

/// Marks words as used, and with them the little word that led to them.
fn mark(used: &mut [bool], words: &[Token<'_>], at: usize, length: usize) {
    used.iter_mut().skip(at).take(length).for_each(|used| *used = true);
    let lead = at.checked_sub(1).and_then(|before| words.get(before).map(|token| (before, token)));
    if let Some((before, token)) = lead {
        let leads = ["for", "with", "to", "class", "my", "a", "an", "the"].contains(&token.raw.to_lowercase().as_str());
        if let Some(used) = used.get_mut(before).filter(|_| leads) {
            *used = true;
        }
    }
}

/// The words between two marks of punctuation, with their numbers.
fn segments<'a, 'b>(text: &str, words: &'b [Token<'a>]) -> Vec<Vec<(usize, &'b Token<'a>)>> {
    const MARKS: &[&str] = &[",", ";", "!", "?", "(", ")", ": ", ". ", "\n", " - ", " – ", "—"];
    let mut segments: Vec<Vec<(usize, &Token<'_>)>> = Vec::new();
    let mut last_end = 0;
    for (at, token) in words.iter().enumerate() {
        let gap = text.get(last_end..token.start).unwrap_or_default();
        let parted = MARKS.iter().any(|mark| gap.contains(mark));
        match segments.last_mut().filter(|_| !parted) {
            Some(segment) => segment.push((at, token)),
            None => segments.push(vec![(at, token)]),
        }
        last_end = token.end;
    }
    segments
}

/// The words as they were written, with a space where something between them was taken out.
fn joined(text: &str, words: &[&Token<'_>]) -> String {
    let mut out = String::new();
    let mut last_end = None;
    for token in words {
        match last_end.and_then(|end| text.get(end..token.start)) {
            Some(gap) if !gap.chars().any(char::is_alphanumeric) => out.push_str(gap),
            Some(_) => out.push(' '),
            None => {}
        }
        out.push_str(token.raw);
        last_end = Some(token.end);
    }
    out
}

/// A path below `lessons/`.
fn lesson_path(text: &str) -> Option<String> {
    let start = text.find("lessons/")?;
    let rest = text.get(start..)?;
    let end = rest.find(".md").map(|at| at + 3)?;
    let path = rest.get(..end)?;
    (!path.contains(char::is_whitespace)).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Ask {
        Ask::read(text, &["3B".into(), "1B".into(), "S3-set-2".into()])
    }

    #[test]
    fn class_topic_and_length_are_told_apart() {
        let ask = read("Plan a 40 minute lesson on percentages for 1B");
        assert_eq!((ask.class.as_deref(), ask.minutes), (Some("1B"), Some(40)));
        assert!(ask.phrases[0].contains("percentages"), "{ask:?}");
        let ask = read("3B tomorrow: while loops, they struggled with conditions");
        assert_eq!(ask.class.as_deref(), Some("3B"));
        assert_eq!(ask.phrases, ["while loops"]);
        assert_eq!(ask.difficulties, ["they struggled with conditions"]);
        assert_eq!(read("fractions").phrases, ["fractions"]);
        assert_eq!(read("iteration for s3 set 2").class.as_deref(), Some("S3-set-2"));
        assert!(read("double period on bearings, 1b").double_period);
        assert_eq!(read("an hour and a half on area").minutes, Some(90));
        assert_eq!(read("time management").phrases, ["time management"]);
        assert!(!read("now for 1B").has_topic());
    }

    #[test]
    fn unknown_classes_are_noticed_and_formulas_are_not_classes() {
        assert_eq!(read("loops for 4C").unknown_class.as_deref(), Some("4C"));
        assert_eq!(read("loops for 4c please").unknown_class.as_deref(), Some("4c"));
        assert_eq!(read("S2 set 4: area").unknown_class.as_deref(), Some("S2 set 4"));
        assert_eq!(read("3D shapes").unknown_class, None);
        assert_eq!(read("equations such as 2x + 3").unknown_class, None);
        assert_eq!(read("area for S2").level, Some(Level::Third));
    }

    #[test]
    fn minutes_of_a_part_are_not_the_length_of_the_lesson() {
        assert_eq!(read("bearings for 1B with a 5 minute starter").minutes, None);
        assert_eq!(read("kilometres per hour for 1B").minutes, None);
        assert_eq!(
            read("make the starter shorter in lessons/3B-iteration.md").lesson.as_deref(),
            Some("lessons/3B-iteration.md")
        );
    }

    #[test]
    fn wishes_are_kept_beside_the_topic() {
        let ask = read("percentages for 1B, no computers, use football scores");
        assert_eq!(ask.phrases, ["percentages"]);
        assert_eq!(ask.notes, ["no computers", "use football scores"]);
    }
}
