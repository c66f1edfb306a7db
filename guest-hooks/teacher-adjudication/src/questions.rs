//! The questions, as the teacher reads them.

use ta_guest::ask::{Choice, Item, Items, Kind, OptionKind, Question};

use crate::alternatives::Alternative;
use crate::lesson::Part;

/// Which of a section's alternatives is to take its place.
pub(crate) fn which_alternative(part: &Part, alternatives: &[Alternative]) -> Question {
    let choices = (1..).zip(alternatives).map(|(number, alternative): (u32, _)| Choice {
        id: number.to_string(),
        label: alternative.label.clone(),
        detail: Some(alternative.body.clone()),
    });
    Question {
        id: format!("alternatives:{}", part.id),
        title: format!("Which alternative for \"{}\"?", part.name),
        detail: "The one you choose takes the section's place, word for word; the others are dropped.".into(),
        kind: Kind::Choice(choices.collect()),
    }
}

/// What is to happen with each of the parts.
pub(crate) fn decide_on<'a>(parts: impl Iterator<Item = &'a Part>, whole: bool) -> Question {
    let items = parts.map(|part| Item { id: part.id.clone(), label: part.name.clone(), detail: part.text.clone() });
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
    let (id, title) =
        if whole { ("bundle", "Your decision on this lesson") } else { ("sections", "Your decision on each section") };
    Question {
        id: id.into(),
        title: title.into(),
        detail: "What you accept stays as it is, word for word. The rest is drafted again and comes back to you."
            .into(),
        kind: Kind::Items(Items { items: items.collect(), options }),
    }
}
