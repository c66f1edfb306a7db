//! The questions, as the teacher reads them.

use ta_guest::ask::{Choice, Item, Items, Kind, OptionKind, Question};

use crate::alternatives::Alternative;
use crate::lesson::Part;

/// Whether what is left open is asked about for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It is.
    First,
    /// It was left open, and has to be decided on.
    Required,
}

/// Which of the alternatives is to take the place of a section, or of the whole lesson. `missing` says what was asked
/// for and is not there.
pub(crate) fn which_alternative(id: &str, name: &str, alternatives: &[Alternative], missing: Option<&str>) -> Question {
    let choices = (1..).zip(alternatives).map(|(number, alternative): (u32, _)| Choice {
        id: number.to_string(),
        label: alternative.label.clone(),
        detail: Some(alternative.body.clone()),
    });
    let rule = "The one you choose takes its place, word for word; the others are dropped. You can still ask for changes to it.";
    Question {
        id: format!("alternatives:{id}"),
        title: format!("Which alternative for \"{name}\"?"),
        detail: missing.map_or_else(|| rule.into(), |missing| format!("{rule} ({missing}.)")),
        kind: Kind::Choice(choices.collect()),
    }
}

/// What is to happen with each of the parts.
pub(crate) fn decide_on<'a>(parts: impl Iterator<Item = &'a Part>, whole: bool, again: Again) -> Question {
    let mut missing = String::new();
    let items = parts.map(|part| {
        if let Some(text) = &part.missing {
            missing.push_str(&format!(" For \"{}\", {text}.", part.name));
        }
        Item { id: part.id.clone(), label: part.name.clone(), detail: part.text.clone() }
    });
    let items = items.collect();
    let option = |id: &str, label: &str, text_prompt: Option<&str>| OptionKind {
        id: id.into(),
        label: label.into(),
        text_prompt: text_prompt.map(Into::into),
    };
    let options = vec![
        option("accept", "Accept", None),
        option("revise", "Revise", Some("What should change?")),
        option("alternatives", "Alternatives", Some("How many? (2 to 5)")),
    ];
    let id = if whole { "bundle" } else { "sections" };
    let title = match (whole, again) {
        (true, Again::First) => "Your decision on this lesson",
        (false, Again::First) => "Your decision on each section",
        (_, Again::Required) => "Still to be decided",
    };
    let rule = match again {
        Again::First => {
            "What you accept stays as it is, word for word. The rest is drafted again and comes back to you."
        }
        Again::Required => {
            "This lesson is finalised only when everything has been decided on. What you decided before is kept; without \
             a decision on the rest, the run ends here."
        }
    };
    Question {
        id: id.into(),
        title: title.into(),
        detail: format!("{rule}{missing}"),
        kind: Kind::Items(Items { items, options }),
    }
}
