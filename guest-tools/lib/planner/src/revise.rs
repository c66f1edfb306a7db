//! Rewriting single sections of a lesson as a teacher asks, and leaving every other byte as it is.

use super::choose::{Draft, drafts};
use super::compose::two_rounds;
use super::cuts::{self, Cut, NO_TRANSLATION};
use super::demands::{additions, demands, without_demands};
use super::material::Material;
use super::means::Preference;
use super::minutes::{Verdict, settle};
use super::phrase::one_line;
use super::reshape::{alternative, forms, trimmed, without_item, without_nested, without_question};
use super::sections::{Kind, Lesson, Section};
use super::timing::PRACTICE_IN_ONE_MINUTES_MAX;
use super::wish::{Form, Length, Wish};

/// How a wish stands in the lesson that no rule could carry out.
pub(crate) const NOTE: &str = "Teacher's note to work in:";

/// As many alternatives as can be told apart at a glance.
const ALTERNATIVES_MAX: usize = 5;

/// What is to become of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// Rewrite it as this text asks.
    Revise(String),
    /// Offer so many other ways.
    Alternatives(usize),
    /// Write this under it: it has no place of its own.
    Note(String),
}

/// Applies changes to sections, by their numbers; accepted ones keep every byte.
pub(crate) fn apply(lesson: &mut Lesson, changes: &[(usize, Change)], accepted: &[usize], material: &Material) {
    let changes: Vec<&(usize, Change)> = changes.iter().filter(|(at, _)| !accepted.contains(at)).collect();
    let wishes: Vec<(usize, Wish)> = changes
        .iter()
        .map(|(at, change)| match change {
            Change::Revise(text) => (*at, Wish::read(text)),
            Change::Alternatives(_) | Change::Note(_) => (*at, Wish::default()),
        })
        .collect();
    let minutes_before: Vec<Option<u32>> = lesson.sections.iter().map(Section::minutes).collect();
    let verdicts = settle(lesson, &wishes, accepted);
    for (((at, change), (_, wish)), verdict) in changes.iter().zip(&wishes).zip(verdicts) {
        let before = minutes_before.get(*at).copied().flatten();
        let Some(section) = lesson.sections.get_mut(*at) else { continue };
        let minutes = section.minutes();
        let scene = Old { kind: section.kind, body: section.body(), minutes, before, material };
        let mut body = match change {
            Change::Revise(text) => revised(scene, wish, text, &verdict),
            Change::Alternatives(number) => alternatives(scene, *number),
            Change::Note(text) => format!("{}\n\n{NOTE} {text}", scene.body),
        };
        if let Verdict::Kept(why) = verdict {
            body.push_str(&format!("\n\n{why}"));
        }
        section.set_body(&body);
    }
}

/// A section as it stands.
#[derive(Debug, Clone, Copy)]
struct Old<'a> {
    kind: Kind,
    body: &'a str,
    minutes: Option<u32>,
    /// The minutes before this revision.
    before: Option<u32>,
    material: &'a Material,
}

impl Old<'_> {
    /// Drafts from the bank, those that the wish asks for first.
    fn drafts(self, wish: &Wish) -> Vec<Draft> {
        let mut drafts = drafts(self.kind, self.material, wish, &wish.preference);
        if self.kind == Kind::Practice && self.minutes.is_some_and(|minutes| minutes > PRACTICE_IN_ONE_MINUTES_MAX) {
            drafts = in_two_rounds(&drafts);
        }
        drafts
    }

    /// The body without one of its items. A pupil's need is not taken out by its number.
    fn without_item(self, number: usize) -> Option<String> {
        if self.kind == Kind::Differentiation {
            return None;
        }
        if self.body.contains("**Step 1: ") {
            return without_question(self.body, number);
        }
        without_item(self.body, number)
    }

    /// The body with fewer items; where there are not more, or they cannot be counted, it says so. Nobody's need is taken
    /// out by a rule.
    fn cut(self, cut: Cut) -> String {
        let kept = if self.kind == Kind::Differentiation { None } else { cuts::kept(self.body, cut) };
        kept.unwrap_or_else(|| {
            let why = match self.kind {
                Kind::Differentiation => {
                    "Nothing is taken out here by a rule, since each point is what a pupil needs: say which one may go."
                }
                _ if cuts::has_items(self.body) => "There are no more here than you asked for.",
                _ => {
                    "This part is not made of points that could be counted: ask for it as a list first, then for fewer."
                }
            };
            format!("{}\n\n{why}", self.body.trim_end())
        })
    }

    /// Whether the section stands as this pattern would have it.
    fn is(self, draft: &Draft) -> bool {
        let named = !draft.pattern.name.starts_with('(') && self.body.contains(&format!("**{}.**", draft.pattern.name));
        named || self.body.starts_with(draft.text.as_str())
    }
}

/// A long practice is made of two patterns: each with one from the other half of the list.
fn in_two_rounds(drafts: &[Draft]) -> Vec<Draft> {
    let other_half = drafts.iter().cycle().skip(drafts.len() / 2);
    let pairs = drafts.iter().zip(other_half).filter(|(first, second)| first.pattern != second.pattern);
    pairs
        .map(|(first, second)| Draft { pattern: first.pattern.clone(), text: two_rounds(&first.text, &second.text) })
        .collect()
}

fn revised(old: Old<'_>, wish: &Wish, text: &str, verdict: &Verdict) -> String {
    if let Some(kept) = wish.pick.and_then(|number| alternative(old.body, number)) {
        return kept;
    }
    if wish.cut == Some(Cut::All) {
        return cuts::LEFT_OUT.to_owned();
    }
    let cut = || wish.cut.map(|cut| old.cut(cut));
    let base = wish.remove_item.and_then(|number| old.without_item(number)).or_else(cut);
    let mut body = base.unwrap_or_else(|| base_for(old, wish));
    if wish.translates && !body.contains(NO_TRANSLATION) {
        body.push_str(&format!("\n\n{NO_TRANSLATION}"));
    }
    for line in additions(old.kind, wish, &body, old.material) {
        body.push_str(&format!("\n\n{line}"));
    }
    if let Some(line) = demands(old.kind, wish, old.material) {
        body = format!("{}\n\n{line}", without_demands(&body));
    }
    for note in &unmet(old, wish) {
        body.push_str(&format!("\n\n{NOTE} {note}"));
    }
    let is_same = body.trim() == old.body.trim() && *verdict != Verdict::Changed;
    if is_same {
        let asked = one_line(text);
        let note = if asked.is_empty() { "make it different in a way of your own." } else { asked.as_str() };
        body.push_str(&format!("\n\n{NOTE} {note}"));
    }
    body
}

/// What could not be done by rule, in the teacher's words.
fn unmet(old: Old<'_>, wish: &Wish) -> Vec<String> {
    let mut notes = wish.notes.clone();
    if let Some(context) = wish.context.as_ref().filter(|_| old.material.is_given()) {
        notes.push(format!(
            "set it in {context} (the questions stand in a material file with checked answers and are not told anew by rules; change the story in those that you want to)"
        ));
    }
    if let Some(number) = wish.pick.filter(|number| alternative(old.body, *number).is_none()) {
        notes.push(format!("alternative {number} (there is none of that number here)"));
    }
    if let Some(number) = wish.remove_item.filter(|number| old.without_item(*number).is_none()) {
        notes.push(format!("take out number {number} (there is none here)"));
    }
    notes
}

/// The text to begin from: the present one where only something is added to it, another where the way of working changes
/// or nothing in the wish says how.
fn base_for(old: Old<'_>, wish: &Wish) -> String {
    if *wish == (Wish { translates: true, ..Wish::default() }) {
        return old.body.to_owned();
    }
    let drafts = old.drafts(wish);
    let present = drafts.iter().find(|draft| old.is(draft));
    let only_adds =
        wish.demand.is_some() || wish.context.is_some() || wish.more_questions.is_some() || !wish.additions.is_empty();
    let wants_other_way = !wish.preference.is_empty() && !present.is_some_and(|draft| meets(draft, &wish.preference));
    if wants_other_way {
        // Only a pattern made of what is wanted replaces the present one; else the wish is woven into it.
        if let Some(better) = drafts.iter().find(|draft| !old.is(draft) && meets(draft, &wish.preference)) {
            return better.text.clone();
        }
    }
    if let Some(form) = wish.form {
        return set_out(old, form, &drafts);
    }
    if wish.length.is_some() || wish.minutes.is_some() || wish.focus.is_some() {
        return resized(old, wish, present);
    }
    if only_adds || !wish.preference.is_empty() {
        return with_context(old, wish);
    }
    let other = drafts
        .iter()
        .filter(|draft| !old.is(draft))
        .map(|draft| draft.text.clone())
        .find(|text| text.trim() != old.body.trim());
    other.or_else(|| forms(old.body).into_iter().find(|form| form != old.body)).unwrap_or_else(|| old.body.to_owned())
}

/// The section in another form: a pattern that has it, else the present text put into it.
fn set_out(old: Old<'_>, form: Form, drafts: &[Draft]) -> String {
    let (mark, number) = match form {
        Form::Steps => ("1. ", 0),
        Form::Checklist => ("- [ ] ", 1),
        Form::Table => ("|---", 2),
    };
    let has_form = |text: &str| text.lines().any(|line| line.starts_with(mark));
    let draft = drafts.iter().find(|draft| !old.is(draft) && has_form(&draft.text)).map(|draft| draft.text.clone());
    draft.or_else(|| forms(old.body).into_iter().nth(number)).unwrap_or_else(|| old.body.to_owned())
}

/// Whether a pattern is made of something wanted and of nothing unwanted.
fn meets(draft: &Draft, preference: &Preference) -> bool {
    let means = &draft.pattern.means;
    let wanted = preference.wants.is_empty() || !means.is_disjoint(&preference.wants);
    wanted && means.is_disjoint(&preference.avoids)
}

/// The present way of working, shorter or longer, or with what matters first.
fn resized(old: Old<'_>, wish: &Wish, present: Option<&Draft>) -> String {
    let fewer_minutes = old.minutes.zip(old.before).is_some_and(|(now, before)| now < before);
    let shorter = wish.length == Some(Length::Shorter) || (wish.length.is_none() && fewer_minutes);
    let mut sized = wish.clone();
    if shorter {
        sized.length = Some(Length::Shorter);
    }
    let again = present
        .and_then(|present| old.drafts(&sized).into_iter().find(|draft| draft.pattern == present.pattern))
        .map(|draft| draft.text);
    match again {
        Some(text) if shorter && text.len() < old.body.len() => text,
        Some(text) if !shorter && (wish.focus.is_some() || text.len() > old.body.len()) => text,
        // Nobody's need and no outcome may be shortened away.
        _ if shorter && old.kind == Kind::Differentiation => without_nested(old.body),
        _ if shorter && old.kind == Kind::Outcomes => old.body.to_owned(),
        _ if shorter => trimmed(old.body),
        _ => old.body.to_owned(),
    }
}

/// The present text with its examples set in the context asked for.
fn with_context(old: Old<'_>, wish: &Wish) -> String {
    let example = old.material.example();
    match &wish.context {
        Some(context) => old.body.replace(&example, &format!("{example} with {context}")),
        None => old.body.to_owned(),
    }
}

/// Other ways to run the section, each complete, each different from the present one.
fn alternatives(old: Old<'_>, number: usize) -> String {
    let number = number.clamp(1, ALTERNATIVES_MAX);
    let wish = Wish::default();
    let mut texts: Vec<String> = Vec::new();
    let others = old.drafts(&wish).into_iter().filter(|draft| !old.is(draft)).map(|draft| draft.text);
    for text in others.chain(forms(old.body)) {
        if texts.len() < number && !texts.contains(&text) && text.trim() != old.body.trim() {
            texts.push(text);
        }
    }
    let parts = texts.iter().enumerate().map(|(at, text)| format!("### Alternative {}\n\n{text}", at + 1));
    parts.collect::<Vec<_>>().join("\n\n")
}
