//! How lasting lessons read.

/// A section as it is spoken of in general: `Starter` becomes `starters`.
pub(crate) fn several(section: &str) -> String {
    let lowered = section.to_lowercase();
    match lowered.as_str() {
        "plenary" => "plenaries".into(),
        "practice" => "practice parts".into(),
        other if other.ends_with('s') => other.into(),
        other => format!("{other}s"),
    }
}

/// `Starters of 5 minutes rather than 8 work for 3B`.
pub(crate) fn timing(section: &str, before: u32, after: u32, class: Option<&str>) -> String {
    let minutes = if after == 1 { "1 minute".to_owned() } else { format!("{after} minutes") };
    let whom = class.map_or_else(String::new, |class| format!(" for {class}"));
    format!("{} of {minutes} rather than {before} work{whom}", capitalised(&several(section)))
}

/// `Starters with 3 questions rather than 5 work for 3B`.
pub(crate) fn count(section: &str, thing: &str, before: usize, after: usize, class: Option<&str>) -> String {
    let plural = if after == 1 { "" } else { "s" };
    let whom = class.map_or_else(String::new, |class| format!(" for {class}"));
    format!("{} with {after} {thing}{plural} rather than {before} work{whom}", capitalised(&several(section)))
}

/// `Practice parts for 3B: fewer steps, more pictures`.
pub(crate) fn wish(section: &str, said: &str, class: Option<&str>) -> String {
    let whom = class.map_or_else(String::new, |class| format!(" for {class}"));
    format!("{}{whom}: {}", capitalised(&several(section)), continued(said.trim_end_matches('.')))
}

/// A sentence as it goes on after a colon: an abbreviation keeps its capitals.
fn continued(text: &str) -> String {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return String::new() };
    let rest = chars.as_str();
    let word = rest.starts_with(char::is_lowercase);
    if word { first.to_lowercase().chain(rest.chars()).collect() } else { text.to_owned() }
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::{count, timing, wish};

    #[test]
    fn lessons_learned_are_sentences() {
        assert_eq!(timing("Starter", 8, 5, Some("3B")), "Starters of 5 minutes rather than 8 work for 3B");
        assert_eq!(timing("Plenary", 4, 1, None), "Plenaries of 1 minute rather than 4 work");
        assert_eq!(
            count("Exit questions", "question", 4, 2, Some("3B")),
            "Exit questions with 2 questions rather than 4 work for 3B"
        );
        assert_eq!(wish("Practice", "Fewer steps.", Some("3B")), "Practice parts for 3B: fewer steps");
    }
}
