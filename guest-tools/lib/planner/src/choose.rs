//! Choosing how a section is run: by the subject, by what the teacher likes, and otherwise by the topic, so that two
//! lessons of a week do not look alike.

use std::collections::BTreeSet;

use super::bank::{Pattern, patterns};
use super::material::Material;
use super::means::{Means, Preference};
use super::render::{Scene, render};
use super::sections::Kind;
use super::wish::Wish;
use super::words::says;

/// A pattern with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) pattern: Pattern,
    pub(crate) text: String,
}

/// Of the patterns that suit equally, a first draft is one of these many: the rest is kept for revisions.
const FIRST_CHOICES: usize = 3;

/// Starters and plenaries that nothing speaks against take turns; these many, the best liked first.
const LIKED_CHOICES: usize = 6;

/// Whether the profile says that lessons of this class begin in one and the same way.
fn has_one_opening(material: &Material) -> bool {
    material.works.iter().any(|line| says(line, "same opening|same starter|same start|same beginning"))
}

/// All drafts of a section that the material allows, the most suitable first.
pub(crate) fn drafts(kind: Kind, material: &Material, wish: &Wish, preference: &Preference) -> Vec<Draft> {
    let scene = Scene { material, wish, kind };
    let mut drafts: Vec<(i32, Draft)> = patterns(kind, material.family)
        .into_iter()
        .filter(|pattern| !pattern.given || material.is_given())
        .filter_map(|pattern| {
            let text = render(&pattern, scene)?;
            Some((score(&pattern, preference), Draft { pattern, text }))
        })
        .collect();
    drafts.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    drafts.into_iter().map(|(_, draft)| draft).collect()
}

/// The draft for a new lesson. Lists stay plain; activities vary with the topic.
pub(crate) fn first_draft(kind: Kind, material: &Material, wish: &Wish, preference: &Preference) -> String {
    let is_activity = matches!(kind, Kind::Starter | Kind::Explanation | Kind::Practice | Kind::Plenary);
    // These two belong to the subject: only the request itself may ask for another way, what is liked in general not.
    let mut of_request = Preference { wants: wish.preference.wants.clone(), avoids: preference.avoids.clone() };
    // Things to hold belong to the practice; explained is the same as ever.
    if kind == Kind::Explanation {
        of_request.wants.remove(&Means::HandsOn);
    }
    let preference = match kind {
        Kind::Practice | Kind::Explanation => &of_request,
        _ if is_activity => preference,
        _ => &Preference::default(),
    };
    let mut drafts = drafts(kind, material, wish, preference);
    // The other ways speak of things that a material file does not hold.
    if drafts.iter().any(|draft| draft.pattern.given) {
        drafts.retain(|draft| draft.pattern.given);
    }
    let has_first = drafts.iter().any(|draft| !draft.pattern.later);
    drafts.retain(|draft| !(has_first && draft.pattern.later && score(&draft.pattern, &wish.preference) <= 0));
    if kind == Kind::Starter && has_one_opening(material) {
        // The bank begins with the plainest way.
        drafts.sort_by_key(|draft| draft.pattern.name != "From memory");
        return drafts.into_iter().next().map(|draft| draft.text).unwrap_or_default();
    }
    let takes_turns = matches!(kind, Kind::Starter | Kind::Plenary);
    // What the request itself asks for counts alone, where a way of beginning or ending holds it.
    let is_asked = |draft: &Draft| !draft.pattern.means.is_disjoint(&wish.preference.wants);
    if takes_turns && drafts.iter().any(is_asked) {
        drafts.retain(is_asked);
    }
    let best = drafts.first().map(|draft| score(&draft.pattern, preference));
    let own = drafts.iter().filter(|draft| !draft.pattern.families.is_empty()).count();
    let suits = |draft: &&Draft| {
        let own = Some(score(&draft.pattern, preference));
        // A liking that holds for every lesson rules nothing out, or all lessons of a class would begin alike.
        own == best || takes_turns && own >= Some(0)
    };
    let most = if takes_turns { LIKED_CHOICES } else { FIRST_CHOICES };
    let equals = drafts.iter().filter(suits).take(most).count();
    let choices = match (kind, is_activity) {
        (Kind::Practice, _) if own > 0 && best <= Some(0) => equals.min(own),
        (_, true) => equals,
        (_, false) => 1,
    };
    // Each part counts from another place, so that the same starter does not always bring the same plenary.
    let at = if choices == 0 { 0 } else { spread(&format!("{}{kind:?}", material.topic)) % choices };
    drafts.into_iter().nth(at).map(|draft| draft.text).unwrap_or_default()
}

fn score(pattern: &Pattern, preference: &Preference) -> i32 {
    let count = |set: &BTreeSet<Means>| i32::try_from(pattern.means.intersection(set).count()).unwrap_or(0);
    3 * count(&preference.wants) - 5 * count(&preference.avoids)
}

/// A number that is the same for the same topic, everywhere and always.
fn spread(text: &str) -> usize {
    let sum = text.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    // The last letters alone would decide otherwise.
    let mixed = (sum ^ (sum >> 15)).wrapping_mul(0x2c1b_3c6d);
    usize::try_from(mixed ^ (mixed >> 12)).unwrap_or_default()
}
