//! Reading a class profile, whoever wrote it: front matter if there is any, plain prose if there is not.

use ta_curriculum::level::{Level, Levels};

use super::needs::Advice;
use super::phrase::{number_word, without_stop};
use super::words::{keys, overlap, tokens};

/// A group of pupils that needs something, as the profile says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) group: String,
    /// What is hard for them; may be empty.
    pub(crate) need: String,
    /// What they get; may be empty.
    pub(crate) support: String,
    /// What skills advise beyond that.
    pub(crate) advice: Vec<Advice>,
}

impl Need {
    /// The group without what stands in parentheses.
    pub(crate) fn short_group(&self) -> &str {
        self.group.split(" (").next().unwrap_or(&self.group).trim()
    }

    /// Everything that is said about it.
    pub(crate) fn text(&self) -> String {
        format!("{} {} {}", self.group, self.need, self.support)
    }
}

/// What a profile says about a class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) class: Option<String>,
    pub(crate) year: Option<String>,
    pub(crate) level: Option<Level>,
    pub(crate) subjects: Vec<String>,
    pub(crate) period_minutes: Option<u32>,
    pub(crate) needs: Vec<Need>,
    /// List items under "What works" and the like.
    pub(crate) works: Vec<String>,
    /// List items under "What does not".
    pub(crate) works_not: Vec<String>,
    /// List items under "What they know already".
    pub(crate) knows: Vec<String>,
    /// The longest starter that the profile allows.
    pub(crate) starter_minutes_max: Option<u32>,
}

impl Profile {
    /// Reads a profile; what it does not understand it leaves.
    pub(crate) fn read(text: &str) -> Self {
        let (front, body) = front_matter(text);
        let mut profile = Self::default();
        profile.take_front(&front);
        profile.take_body(body);
        profile.period_minutes = profile.period_minutes.or_else(|| period_in(body));
        profile.level = profile.level.or_else(|| profile.year.as_deref().and_then(level_of_year));
        profile
    }

    fn take_front(&mut self, lines: &[&str]) {
        let mut in_needs = false;
        for line in lines {
            let indented = line.starts_with([' ', '\t']) || line.trim_start().starts_with("- ");
            if in_needs && indented {
                self.take_need_line(line.trim());
                continue;
            }
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = plain(value);
            in_needs = false;
            match key.trim().to_lowercase().as_str() {
                "class" => self.class = some(value),
                "year" | "year_group" | "stage" => self.year = some(value),
                "level" => self.level = value.parse::<Levels>().ok().map(Levels::low),
                "subjects" | "subject" => self.subjects = listed(&value),
                "period_minutes" | "period" | "minutes" | "lesson_minutes" => {
                    self.period_minutes = first_number(&value)
                }
                "needs" | "support_needs" => in_needs = true,
                _ => {}
            }
        }
        self.needs.retain(|need| !need.group.is_empty());
        for need in &mut self.needs {
            let says_none = ["none", "nothing", "no", "n/a", "-", "none yet", "unknown", "tbc", "?"];
            if says_none.contains(&without_stop(&need.support).trim().to_lowercase().as_str()) {
                need.support.clear();
            }
        }
    }

    fn take_need_line(&mut self, line: &str) {
        let (starts, rest) = match line.strip_prefix("- ") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let field = rest.split_once(':').map(|(key, value)| (key.trim().to_lowercase(), plain(value)));
        let named =
            field.as_ref().is_some_and(|(key, _)| ["group", "who", "need", "support", "what"].contains(&key.as_str()));
        if starts && !named {
            self.needs.push(need_of_item(rest));
            return;
        }
        if starts {
            self.needs.push(Need::default());
        }
        let (Some(need), Some((key, value))) = (self.needs.last_mut(), field) else { return };
        match key.as_str() {
            "group" | "who" => need.group = value,
            "need" => need.need = value,
            "support" | "what" => need.support = value,
            // A long value that was broken over two lines.
            _ => need.support = format!("{} {}", need.support, rest.trim()).trim().to_owned(),
        }
    }

    fn take_body(&mut self, body: &str) {
        let mut heading = String::new();
        for item in items(body) {
            match item {
                Line::Heading(text) => heading = text.to_lowercase(),
                Line::Item(text) => self.take_item(&heading, &text),
            }
        }
        self.starter_minutes_max = body.lines().find_map(starter_limit);
    }

    fn take_item(&mut self, heading: &str, text: &str) {
        let under = |words: &[&str]| words.iter().any(|word| heading.contains(word));
        if under(&["does not", "doesn't", "avoid", "do not"]) {
            self.works_not.push(text.to_owned());
        } else if under(&["work", "like"]) {
            self.works.push(text.to_owned());
        } else if under(&["know", "done already", "covered", "prior"]) {
            self.knows.push(text.to_owned());
        } else if under(&["need", "support"]) {
            let need = need_of_item(text);
            let wanted = keys(&need.group);
            let known = |other: &Need| overlap(&other.text(), &wanted) * 2 > wanted.len();
            if !self.needs.iter().any(known) {
                self.needs.push(need);
            }
        }
    }
}

enum Line {
    Heading(String),
    Item(String),
}

/// Headings and list items of a text; an item takes the lines that continue it.
fn items(body: &str) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    let mut open = false;
    for line in body.lines() {
        let trimmed = line.trim();
        if let Some(heading) = trimmed.strip_prefix('#') {
            found.push(Line::Heading(heading.trim_start_matches('#').trim().to_owned()));
            open = false;
        } else if let Some(text) = trimmed.strip_prefix("- ").or_else(|| trimmed.strip_prefix("* ")) {
            found.push(Line::Item(text.to_owned()));
            open = true;
        } else if let (true, false, Some(Line::Item(text))) = (open, trimmed.is_empty(), found.last_mut()) {
            text.push(' ');
            text.push_str(trimmed);
        } else {
            open = false;
        }
    }
    found
}

/// "Two pupils with EAL: pictures before text" or "**Two pupils** – pictures before text".
fn need_of_item(text: &str) -> Need {
    let text = text.replace("**", "").replace(['*', '`'], "");
    let text = plain(&text);
    let parted = [": ", " – ", " — ", " - ", " → "]
        .iter()
        .filter_map(|mark| text.split_once(mark))
        .min_by_key(|(before, _)| before.len());
    match parted {
        Some((group, support)) => {
            Need { group: without_stop(group).to_owned(), support: without_stop(support).to_owned(), ..Need::default() }
        }
        None => Need { group: without_stop(&text).to_owned(), ..Need::default() },
    }
}

/// The lines between the fences, and what follows them.
fn front_matter(text: &str) -> (Vec<&str>, &str) {
    let Some(rest) = text.trim_start_matches('\u{feff}').strip_prefix("---") else { return (Vec::new(), text) };
    let Some(end) = rest.find("\n---") else { return (Vec::new(), text) };
    let front = rest.get(..end).unwrap_or_default();
    let body = rest.get(end + 4..).unwrap_or_default();
    (front.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')).collect(), body)
}

fn plain(value: &str) -> String {
    let value = value.trim();
    let value = value.split(" #").next().unwrap_or(value).trim();
    value.trim_matches(['"', '\'']).trim().to_owned()
}

fn some(value: String) -> Option<String> {
    Some(value).filter(|value| !value.is_empty())
}

fn listed(value: &str) -> Vec<String> {
    let inner = value.trim_matches(['[', ']']);
    inner.split(',').map(|item| plain(item).to_lowercase()).filter(|item| !item.is_empty()).collect()
}

fn first_number(value: &str) -> Option<u32> {
    tokens(value).iter().find_map(|token| token.raw.parse().ok())
}

/// S1 to S3 are planned at third level unless the profile says otherwise.
pub(crate) fn level_of_year(year: &str) -> Option<Level> {
    match year.trim().to_uppercase().as_str() {
        "S1" | "S2" | "S3" => Some(Level::Third),
        "S4" | "S5" | "S6" => Some(Level::Fourth),
        "P5" | "P6" | "P7" => Some(Level::Second),
        "P2" | "P3" | "P4" => Some(Level::First),
        "P1" => Some(Level::Early),
        _ => None,
    }
}

/// "periods of 45 minutes", "50-minute periods", "a period has 55 minutes".
fn period_in(body: &str) -> Option<u32> {
    body.split(['.', '\n']).find_map(|sentence| {
        let tokens = tokens(sentence);
        let words: Vec<String> = tokens.iter().map(|token| token.raw.to_lowercase()).collect();
        let speaks_of_period = words.iter().any(|word| word.starts_with("period") || word.starts_with("lesson"));
        let minutes = words.iter().position(|word| word.starts_with("minute") || word == "min")?;
        let number = words.get(minutes.checked_sub(1)?)?;
        number.parse().ok().filter(|minutes| speaks_of_period && (20..=180).contains(minutes))
    })
}

/// "A starter of eight minutes at most".
fn starter_limit(line: &str) -> Option<u32> {
    let lower = line.to_lowercase();
    let limits = lower.contains("starter")
        && ["at most", "no more than", "maximum", "no longer than"].iter().any(|words| lower.contains(words));
    let tokens = tokens(&lower);
    let at = tokens.iter().position(|token| token.raw.starts_with("minute"))?;
    let number = tokens.get(at.checked_sub(1)?)?;
    number_word(number.raw).filter(|_| limits)
}

/// How long a starter is to be by what is remembered: "Starters of 5 minutes work better than 8". The first number of
/// minutes is the one that works.
pub(crate) fn starter_remembered(memory: &str) -> Option<u32> {
    memory.lines().rev().find_map(|line| {
        let lower = line.to_lowercase();
        let tokens = tokens(&lower);
        let at = tokens.iter().position(|token| token.raw.starts_with("minute"))?;
        let number = tokens.get(at.checked_sub(1)?)?;
        number_word(number.raw).filter(|_| lower.trim_start_matches(['-', ' ']).starts_with("starter"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = "---\nclass: 3B\nyear: S3\nlevel: third\nsubjects: [computing, maths]\npupils: 24\nperiod_minutes: 50\nneeds:\n  \
        - group: two pupils with English as an additional language\n    need: reading long instructions\n    support: keywords with pictures\n  \
        - group: one dyslexic pupil\n    support: \"pale paper; no copying\"\n---\n\n# 3B\n\n## What works\n\n- Pairs at one laptop\n  with roles\n\
        - A starter of eight minutes at most; no more.\n\n## What does not\n\n- Long talks.\n";

    #[test]
    fn front_matter_and_prose_are_read() {
        let profile = Profile::read(FULL);
        assert_eq!(profile.class.as_deref(), Some("3B"));
        assert_eq!((profile.level, profile.period_minutes), (Some(Level::Third), Some(50)));
        assert_eq!(profile.subjects, ["computing", "maths"]);
        assert_eq!(profile.needs.len(), 2);
        assert_eq!(profile.needs[1].support, "pale paper; no copying");
        assert_eq!(profile.works[0], "Pairs at one laptop with roles");
        assert_eq!(profile.works_not, ["Long talks."]);
        assert_eq!(profile.starter_minutes_max, Some(8));
    }

    #[test]
    fn what_is_remembered_about_starters_is_read() {
        let memory = "# 3B\n\n- Starters of 5 minutes rather than 8 work for 3B\n- Practice of 25 minutes\n";
        assert_eq!(starter_remembered(memory), Some(5));
        assert_eq!(starter_remembered("- Three retrieval questions as a starter.\n- Plenary of 5 minutes\n"), None);
    }

    #[test]
    fn a_profile_in_prose_will_do() {
        let text = "# Class 2A\n\nThey are in S2. We have 45-minute periods.\n\n## Additional support needs\n\n\
            - **Two pupils with EAL**: pictures before text\n- One wheelchair user\n";
        let profile = Profile::read(text);
        assert_eq!(profile.period_minutes, Some(45));
        assert_eq!(profile.needs[0].group, "Two pupils with EAL");
        assert_eq!(profile.needs[0].support, "pictures before text");
        assert_eq!(profile.needs[1].group, "One wheelchair user");
    }

    #[test]
    fn needs_may_be_plain_items_and_are_not_told_twice() {
        let text = "---\nyear: S1\nneeds:\n  - two pupils with EAL: pictures\n---\n\n## Needs\n\n- Two pupils with EAL – pictures\n- one pupil who lip-reads\n";
        let profile = Profile::read(text);
        let groups: Vec<_> = profile.needs.iter().map(|need| need.group.as_str()).collect();
        assert_eq!(groups, ["two pupils with EAL", "one pupil who lip-reads"]);
        assert_eq!(profile.level, Some(Level::Third));
    }

    #[test]
    fn nothing_is_no_profile_and_no_error() {
        assert_eq!(Profile::read(""), Profile::default());
        assert_eq!(Profile::read("---\nbroken"), Profile::default());
    }
}
