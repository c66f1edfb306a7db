//! What a teacher's answer says, and how it is told to the model and in the trace.

use ta_guest::Decision;
use ta_guest::ask::Answer;
use ta_guest::journal::Asked;

use crate::alternatives::Alternative;
use crate::lesson::{Part, State};

/// What is asked for when a teacher wants a section revised without saying how.
const REVISE_DEFAULT: &str = "Draft this section again, differently.";

/// Alternatives: more than five cannot be compared, fewer than two are no choice.
pub(crate) const ALTERNATIVES_MIN: u32 = 2;
pub(crate) const ALTERNATIVES_MAX: u32 = 5;

/// Numbers as a teacher may write them.
const NUMBER_WORDS: [&str; 7] = ["zero", "one", "two", "three", "four", "five", "six"];

/// How much of an answer that makes no sense is repeated in a note, in characters.
const QUOTED_CHARS_MAX: usize = 40;

/// How many alternatives of a section the last decision on it asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted(usize);

impl Wanted {
    /// Looks for the section's last decision among those of earlier rounds, oldest first.
    pub(crate) fn of(earlier: &[Decision], id: &str) -> Option<Self> {
        let last = earlier.iter().rev().find(|decision| decision.item == id || decision.item == "whole")?;
        // Asked for the whole lesson, they may as well come as whole lessons or in some sections only.
        let wanted = last.choice == "alternatives" && last.item == id;
        wanted.then(|| Self(count(last.text.as_deref().unwrap_or_default()).number() as usize))
    }

    /// What to say where fewer came back than were asked for.
    pub(crate) fn missing(self, found: usize) -> Option<String> {
        let came = match found {
            _ if found >= self.0 => return None,
            0 => "one text".to_owned(),
            found => found.to_string(),
        };
        Some(format!("{} alternatives were asked for, {came} came back", self.0))
    }
}

/// The alternative that an answer names, with its number. What was chosen, or why nothing was, is noted.
pub(crate) fn picked<'a>(
    answer: &Answer,
    alternatives: &'a [Alternative],
    name: &str,
    notes: &mut Vec<String>,
) -> Option<(u32, &'a Alternative)> {
    let Answer::Choice(id) = answer else {
        notes.push(format!("no alternative chosen for \"{name}\""));
        return None;
    };
    let found = (1..).zip(alternatives).find(|(number, _): &(u32, _)| number.to_string() == *id);
    notes.push(match found {
        Some((number, alternative)) => format!("chose alternative {number} for \"{name}\": {}", alternative.label),
        None => format!("no alternative chosen for \"{name}\": \"{}\" is none of them", cut(id)),
    });
    found
}

/// Puts a decision into effect on its part; none leaves it undecided, or as it was chosen.
pub(crate) fn take(part: &mut Part, decision: Option<&Decision>, notes: &mut Vec<String>) {
    let name = part.name.clone();
    let silent = || if let State::Chosen(number) = part.state { State::Chosen(number) } else { State::Undecided };
    let Some(decision) = decision else {
        part.state = silent();
        return;
    };
    let text = decision.text.as_deref().unwrap_or_default();
    part.state = match decision.choice.as_str() {
        "accept" => {
            notes.push(format!("accepted \"{name}\""));
            State::Accepted
        }
        "revise" => {
            // The instruction has one line for each section.
            let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let wish = if folded.is_empty() { REVISE_DEFAULT.to_owned() } else { folded };
            let wish = match part.state {
                State::Chosen(number) => format!("use alternative {number}, then: {wish}"),
                _ => wish,
            };
            notes.push(format!("to revise \"{name}\": {wish}"));
            State::Revise(wish)
        }
        "alternatives" => {
            let count = count(text);
            notes.push(format!("{} alternatives for \"{name}\"", count.number()));
            notes.extend(count.note(&name, text));
            State::Alternatives(count.number())
        }
        other => {
            notes.push(format!("ignored \"{}\" for \"{name}\": it is none of the options", cut(other)));
            silent()
        }
    };
}

/// How many alternatives a text asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// So many, which can be done.
    Fits(u32),
    /// More or fewer than can be compared: the nearest that can.
    Kept(u32),
    /// It names no number.
    Unread,
}

impl Count {
    pub(crate) const fn number(self) -> u32 {
        match self {
            Self::Fits(number) | Self::Kept(number) => number,
            Self::Unread => ALTERNATIVES_MIN,
        }
    }

    fn note(self, name: &str, text: &str) -> Option<String> {
        let range = format!("{ALTERNATIVES_MIN} to {ALTERNATIVES_MAX}");
        match self {
            Self::Fits(_) => None,
            Self::Kept(number) => {
                Some(format!("\"{name}\": \"{}\" is not {range}, so {number} are asked for", cut(text)))
            }
            Self::Unread if text.trim().is_empty() => None,
            Self::Unread => {
                Some(format!("\"{name}\": no number in \"{}\", so {ALTERNATIVES_MIN} are asked for", cut(text)))
            }
        }
    }
}

/// The first number in the text, kept between the least and the most.
pub(crate) fn count(text: &str) -> Count {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let number = words.filter_map(|word| {
        let digits: String = word.chars().take_while(char::is_ascii_digit).take(4).collect();
        let written = NUMBER_WORDS.iter().position(|number| word.eq_ignore_ascii_case(number));
        digits.parse::<u32>().ok().or_else(|| written.and_then(|number| u32::try_from(number).ok()))
    });
    match number.take(1).last() {
        None => Count::Unread,
        Some(number) if (ALTERNATIVES_MIN..=ALTERNATIVES_MAX).contains(&number) => Count::Fits(number),
        Some(number) => Count::Kept(number.clamp(ALTERNATIVES_MIN, ALTERNATIVES_MAX)),
    }
}

/// The part's line in the instruction.
pub(crate) fn line(part: &Part) -> Option<String> {
    let name = &part.name;
    match &part.state {
        State::Accepted => Some(format!("- Accepted \"{name}\"")),
        State::Revise(text) => Some(format!("- Revise \"{name}\": {text}")),
        State::Chosen(number) => Some(format!("- Revise \"{name}\": use alternative {number}")),
        State::Alternatives(count) => Some(format!("- Alternatives \"{name}\": {count}")),
        State::Open | State::Skipped | State::Undecided => None,
    }
}

/// How long the person took over each of this round's questions; nothing where the journal is not granted.
pub(crate) fn times(asked: &[Asked], ids: &[String], rework_round: u32) -> Vec<String> {
    let own = |asked: &&Asked| asked.rework_round == rework_round && ids.contains(&asked.question);
    let time = |asked: &Asked| {
        let how = match asked.outcome.as_str() {
            "answered" => "decided in",
            "dismissed" => "waved away after",
            "declined" => "declined after",
            _ => "left without an answer for",
        };
        format!("\"{}\" {how} {}", asked.question, duration(asked.elapsed_ms))
    };
    asked.iter().filter(own).map(time).collect()
}

/// Milliseconds as a person says them.
fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0 => "under 1 s".into(),
        1..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

fn cut(text: &str) -> String {
    let short: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(QUOTED_CHARS_MAX).collect();
    if short.chars().count() == QUOTED_CHARS_MAX { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::{Count, count, duration};

    #[test]
    fn a_number_is_found_in_what_a_teacher_writes() {
        for (text, expected) in [
            ("", Count::Unread),
            ("3", Count::Fits(3)),
            ("Three, please", Count::Fits(3)),
            ("about 4, please", Count::Fits(4)),
            ("lots", Count::Unread),
            ("9", Count::Kept(5)),
            ("0", Count::Kept(2)),
            ("one", Count::Kept(2)),
            ("99999999999", Count::Kept(5)),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
        assert_eq!(Count::Unread.number(), 2);
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        for (ms, said) in [
            (999, "under 1 s"),
            (42_100, "42 s"),
            (119_999, "119 s"),
            (150_000, "2 min 30 s"),
            (90_061_000, "25 h 1 min"),
        ] {
            assert_eq!(duration(ms), said);
        }
    }
}
