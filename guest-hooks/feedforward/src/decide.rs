//! What follows from the answers: corrections of passages, and a count for the trace.

use ta_guest::Decision;
use ta_guest::prompt::Correction;

use crate::compose::{Form, Item};
use crate::profile::Field;
use crate::shown::{cut, one_line};

/// Longest text that a teacher puts in a passage's place, in characters.
const TEXT_CHARS_MAX: usize = 600;

/// How much of an item's label the model reads in a sentence, in characters.
const ABOUT_CHARS_MAX: usize = 140;

/// What the answers come to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Decided {
    pub(crate) corrections: Vec<Correction>,
    pub(crate) notes: Vec<String>,
}

/// Goes through the items in their order; an item without a decision is used as it stands.
pub(crate) fn decide(items: &[Item], decisions: &[Decision]) -> Decided {
    let mut decided = Decided::default();
    let (mut confirmed, mut modified, mut dismissed) = (0_u32, 0_u32, 0_u32);
    for item in items {
        let Some(decision) = decisions.iter().find(|decision| decision.item == item.id) else { continue };
        let text = cut(&one_line(decision.text.as_deref().unwrap_or_default()), TEXT_CHARS_MAX);
        match decision.choice.as_str() {
            "modify" if !text.is_empty() => {
                modified += 1;
                decided.notes.push(format!("modified {}: {text}", item.id));
                decided.corrections.extend(changed(item, &text));
            }
            "dismiss" => {
                dismissed += 1;
                decided.notes.push(format!("dismissed {}", item.id));
                decided.corrections.extend(left_out(item));
            }
            "modify" => {
                confirmed += 1;
                decided.notes.push(format!("{} was to change, but nothing was said: used as it stands", item.id));
            }
            _ => confirmed += 1,
        }
    }
    let stray = decisions.iter().filter(|decision| items.iter().all(|item| item.id != decision.item));
    let stray =
        stray.map(|decision| format!("ignored a decision on \"{}\", which was not shown", cut(&decision.item, 80)));
    decided.notes.extend(stray);
    let count = format!("{confirmed} confirmed, {modified} modified, {dismissed} dismissed, of {}", items.len());
    decided.notes.insert(0, count);
    decided
}

/// The item's passages with the teacher's text in their place.
fn changed(item: &Item, text: &str) -> Vec<Correction> {
    let why = format!("The teacher changed \"{}\" for this lesson; it now says: {text}", about(item));
    let correction = |old: &str, new: Option<String>| correction(item, old, new, &why);
    match &item.form {
        Form::Basics(fields) => fields_with(fields, text).map(|(old, new)| correction(old, Some(new))).collect(),
        Form::Need(need) => vec![correction(&need.raw, Some(need.with_support(text)))],
        // The text stands for all of them: it takes the place of the first, and the others go.
        Form::Passages(passages) => {
            let first = passages.iter().take(1).map(|passage| correction(&passage.raw, Some(passage.with(text))));
            first.chain(passages.iter().skip(1).map(|passage| correction(&passage.raw, None))).collect()
        }
    }
}

/// The item's passages, left out.
fn left_out(item: &Item) -> Vec<Correction> {
    let why = format!("The teacher said: do not rely on \"{}\" for this lesson.", about(item));
    let raws: Vec<&str> = match &item.form {
        Form::Basics(fields) => fields.iter().map(|field| field.raw.as_str()).collect(),
        Form::Need(need) => vec![need.raw.as_str()],
        Form::Passages(passages) => passages.iter().map(|passage| passage.raw.as_str()).collect(),
    };
    raws.into_iter().map(|raw| correction(item, raw, None, &why)).collect()
}

fn correction(item: &Item, old: &str, new: Option<String>, why: &str) -> Correction {
    Correction { source: item.source.clone(), old: old.into(), new, why: why.into() }
}

fn about(item: &Item) -> String {
    cut(&item.label.replace('"', "'"), ABOUT_CHARS_MAX)
}

/// The fields that a text names a new value of ("only 40 minutes today", "S4, fourth level"). Where it names none, the
/// text stands beside the first field as a comment, so that whoever reads the file reads it.
fn fields_with<'a>(fields: &'a [Field], text: &str) -> impl Iterator<Item = (&'a str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for field in fields {
        if let Some(value) = value_for(&field.name, text).filter(|value| *value != field.value) {
            found.push((field.raw.as_str(), format!("{}: {value}", field.name)));
        }
    }
    if found.is_empty() {
        found.extend(fields.first().map(|field| (field.raw.as_str(), format!("{}\n# {text}", field.raw))));
    }
    found.into_iter()
}

/// The value that a text gives a field, where it gives one.
fn value_for(field: &str, text: &str) -> Option<String> {
    let lowered = text.to_lowercase();
    let words: Vec<&str> = lowered.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match field {
        "year" => {
            let year = |word: &&&str| {
                word.strip_prefix('s').is_some_and(|rest| matches!(rest, "1" | "2" | "3" | "4" | "5" | "6"))
            };
            words.iter().find(year).map(|word| word.to_uppercase())
        }
        "level" => {
            const LEVELS: [&str; 5] = ["early", "first", "second", "third", "fourth"];
            // "first" is a word of every day: it is a level only before "level".
            let pairs = words.iter().zip(words.iter().skip(1));
            let level = |(word, next): &(&&str, &&str)| **next == "level" && LEVELS.contains(*word);
            pairs.into_iter().find(level).map(|(word, _)| (*word).to_owned())
        }
        "period_minutes" => {
            const PERIOD_MINUTES: std::ops::RangeInclusive<u32> = 10..=240;
            let number = |word: &str| word.trim_end_matches("min").parse::<u32>().ok();
            let minutes = words.iter().zip(words.iter().skip(1).chain(std::iter::once(&"")));
            let minutes = minutes.filter(|(word, next)| next.starts_with("min") || word.ends_with("min"));
            let mut minutes = minutes.filter_map(|(word, _)| number(word));
            minutes.find(|minutes| PERIOD_MINUTES.contains(minutes)).map(|minutes| minutes.to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::value_for;

    #[test]
    fn basics_are_read_from_words() {
        for (field, text, value) in [
            ("period_minutes", "only 40 minutes today", Some("40")),
            ("period_minutes", "a 45min period", Some("45")),
            ("period_minutes", "3 minutes", None),
            ("year", "they are S4 now", Some("S4")),
            ("level", "Fourth level", Some("fourth")),
            ("level", "the first half only", None),
            ("pupils", "20", None),
        ] {
            assert_eq!(value_for(field, text).as_deref(), value, "{text}");
        }
    }
}
