//! What a teacher wants changed, read from plain words. Whatever no rule understands is kept word for word, so that it
//! can stand in the section as a note: a wish is never dropped in silence.

use super::cuts::{self, Cut};
use super::means::{Preference, is_only_means};
use super::phrase::{number_word, one_line};
use super::words::{is_asking_word, is_function_word, keys, says, tokens};

/// A wish for one section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    /// The minutes that the section is to have.
    pub(crate) minutes: Option<u32>,
    pub(crate) length: Option<Length>,
    pub(crate) demand: Option<Demand>,
    pub(crate) form: Option<Form>,
    /// How many questions more.
    pub(crate) more_questions: Option<usize>,
    pub(crate) preference: Preference,
    /// What the examples are to be about, in the teacher's words.
    pub(crate) context: Option<String>,
    /// What is to be at the centre.
    pub(crate) focus: Option<String>,
    /// What is to be added, in the teacher's words.
    pub(crate) additions: Vec<String>,
    /// The number of an item to take out.
    pub(crate) remove_item: Option<usize>,
    /// The number of an alternative to keep.
    pub(crate) pick: Option<usize>,
    /// Whether the minutes are to stay as they are.
    pub(crate) keeps_time: bool,
    /// Whether another way is wanted, whichever.
    pub(crate) different: bool,
    /// How much of the section is to be left.
    pub(crate) cut: Option<Cut>,
    /// Whether a translation is asked for, which no rule can give.
    pub(crate) translates: bool,
    /// What was not understood, in the teacher's words.
    pub(crate) notes: Vec<String>,
}

/// Shorter or longer than it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Shorter,
    Longer,
}

/// Easier or harder than it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    Easier,
    Harder,
}

/// How the text is to be set out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Table,
    Checklist,
    Steps,
}

const DIFFERENT: &str = "differently|different|another way|another one|something else|something different|try again|new idea|\
    draft this section again|redraft|rewrite|redo|start over|from scratch";
const FORMS: &[(Form, &str)] = &[
    (Form::Table, "table|grid|columns"),
    (Form::Checklist, "checklist|tick list|to tick|tick boxes"),
    (Form::Steps, "numbered|step by step|numbered list|in steps|bullet points|bullets"),
];
const SHORTER: &str = "shorter|shorten|briefer|less text|less time|too long|quicker|concise|cut down|trim|fewer questions|\
    fewer words|condense|reduce";
const LONGER: &str = "longer|more detail|more detailed|more time|too short|lengthen|extend|expand|fuller|elaborate";
const EASIER: &str = "easier|simpler|simplify|too hard|too difficult|more support|scaffold|scaffolding|more accessible|\
    less demanding|simple language|plain language|plainer";
const HARDER: &str = "harder|more challenging|more challenge|too easy|stretch|more demanding|tougher|more difficult|deeper|\
    more rigorous";
const CONTEXT_LEADS: &str = "in the context of|the context of|based on|themed around|themed on|set in|linked to|link it to|link to|\
    connect it to|connect to|relate it to|relate to|related to|theme of|examples about|examples from|\
    example of|examples of|about|using|use|with|around";
const FOCUS_LEADS: &str = "focus on|focus more on|more on|emphasise|concentrate on|more about|centre on";
const ADDITION_LEADS: &str = "add in|add|include|mention|put in|bring in|work in|refer to";

impl Wish {
    /// Reads what a teacher wrote about one section.
    pub(crate) fn read(text: &str) -> Self {
        let mut wish = Self::default();
        let mut last_was_context = false;
        for clause in clauses(text) {
            let understood = wish.take(&clause);
            // "use football and rugby scores": the second half belongs to the context of the first.
            if !understood && last_was_context {
                wish.context = wish.context.take().map(|context| format!("{context} and {clause}"));
            } else if !understood {
                wish.notes.push(clause.clone());
                last_was_context = false;
            } else {
                last_was_context = wish.context.as_ref().is_some_and(|context| clause.ends_with(context.as_str()));
            }
        }
        wish
    }

    /// Whether nothing was asked for at all.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn take(&mut self, clause: &str) -> bool {
        if cuts::asks_for_translation(clause) {
            self.translates = true;
            return true;
        }
        if let Some(cut) = cuts::read(clause) {
            // "fewer criteria, only two": the number says it better.
            self.cut = Some(cut).filter(|cut| *cut != Cut::Fewer).or(self.cut).or(Some(cut));
            return true;
        }
        let mut understood = self.take_numbers(clause);
        if says(clause, SHORTER) || says(clause, LONGER) {
            self.length = Some(if says(clause, SHORTER) { Length::Shorter } else { Length::Longer });
            understood = true;
        }
        if says(clause, EASIER) || says(clause, HARDER) {
            self.demand = Some(if says(clause, EASIER) { Demand::Easier } else { Demand::Harder });
            understood = true;
        }
        if says(clause, DIFFERENT) {
            self.different = true;
            understood = true;
        }
        if says(clause, "keep the minutes|keep the time|same time|same minutes|same length") {
            self.keeps_time = true;
            understood = true;
        }
        if let Some((form, _)) = FORMS.iter().find(|(_, words)| says(clause, words)) {
            self.form = Some(*form);
            understood = true;
        }
        let says_what = self.take_words(clause);
        // "hill walking" as a context asks nobody to walk.
        let about = self.context.as_deref().filter(|context| clause.contains(context));
        let preference = Preference::of(&about.map_or(clause.to_owned(), |context| clause.replace(context, " ")));
        if !preference.is_empty() {
            understood = true;
            self.preference = preference.over(&self.preference);
        }
        says_what || understood
    }

    fn take_numbers(&mut self, clause: &str) -> bool {
        let tokens = tokens(clause);
        let words: Vec<String> = tokens.iter().map(|token| token.raw.to_lowercase()).collect();
        let number_before = |names: &[&str]| {
            let at = words.iter().position(|word| names.contains(&word.as_str()))?;
            // "3 more questions", "five whole minutes": the number stands up to two words before.
            let near = words.get(at.saturating_sub(3)..at)?;
            near.iter().rev().find_map(|word| number_word(word))
        };
        let number_after = |names: &[&str]| {
            let at = words.iter().position(|word| names.contains(&word.as_str()))?;
            words.get(at + 1).and_then(|word| number_word(word))
        };
        let ordinal = ["first", "second", "third", "fourth", "fifth"];
        let position = words.iter().find_map(|word| ordinal.iter().position(|name| name == word)).map(|at| at + 1);
        let mut understood = false;
        if let Some(minutes) = number_before(&["minute", "minutes", "min", "mins"]) {
            self.minutes = Some(minutes);
            understood = true;
        }
        let alternative = number_after(&["alternative", "option", "version"]).and_then(|n| usize::try_from(n).ok());
        let keeps = says(clause, "use|keep|take|choose|prefer|pick|go with|select");
        if let Some(number) =
            alternative.or(position.filter(|_| says(clause, "alternative|option|version"))).filter(|_| keeps)
        {
            self.pick = Some(number);
            return true;
        }
        let removes = says(clause, "remove|drop|delete|leave out|without|take out|cut");
        let items = ["question", "step", "point", "item", "bullet", "number"];
        let item = number_after(&items)
            .and_then(|n| usize::try_from(n).ok())
            .or(position.filter(|_| says(clause, &items.join("|"))));
        if let Some(item) = item.filter(|_| removes) {
            self.remove_item = Some(item);
            return true;
        }
        if says(clause, "more questions|more question|extra questions|extra question|additional questions")
            || (says(clause, "more|extra") && says(clause, "questions"))
        {
            let number = number_before(&["question", "questions"]).and_then(|n| usize::try_from(n).ok());
            self.more_questions = Some(number.unwrap_or(2));
            understood = true;
        }
        understood
    }

    fn take_words(&mut self, clause: &str) -> bool {
        if let Some(rest) = after(clause, FOCUS_LEADS).filter(|rest| has_content(rest)) {
            self.focus = Some(rest);
            return true;
        }
        if let Some(rest) = after(clause, ADDITION_LEADS).filter(|rest| has_content(rest) && !is_only_means(rest)) {
            if !says(clause, "more questions|extra questions") && self.minutes.is_none() {
                self.additions.push(rest);
            }
            return true;
        }
        let context = after(clause, CONTEXT_LEADS).map(|rest| without_trailing(&rest));
        if let Some(context) = context.filter(|rest| has_content(rest) && !is_only_means(rest) && !is_measure(rest)) {
            self.context = Some(context);
            return true;
        }
        false
    }
}

/// The parts of a wish that stand on their own.
fn clauses(text: &str) -> Vec<String> {
    let text = one_line(text);
    text.split([',', ';', '!', '?', '\n'])
        .flat_map(|part| part.split(". "))
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" but "))
        .flat_map(|part| part.split(" then "))
        .map(|part| part.trim().trim_end_matches('.').trim())
        .filter(|part| has_words(part))
        .map(str::to_owned)
        .collect()
}

fn has_words(text: &str) -> bool {
    tokens(text)
        .iter()
        .any(|token| !["and", "but", "then", "please", "also"].contains(&token.raw.to_lowercase().as_str()))
}

/// What follows the first of several leads, without articles.
fn after(clause: &str, leads: &str) -> Option<String> {
    let tokens = tokens(clause);
    let words: Vec<String> = tokens.iter().map(|token| token.raw.to_lowercase()).collect();
    let (at, length) = leads.split('|').find_map(|lead| {
        let wanted: Vec<&str> = lead.split(' ').collect();
        let at = words
            .windows(wanted.len())
            .position(|window| window.iter().map(String::as_str).eq(wanted.iter().copied()))?;
        Some((at, wanted.len()))
    })?;
    let rest: Vec<&super::words::Token<'_>> = tokens
        .iter()
        .skip(at + length)
        .skip_while(|token| {
            ["a", "an", "the", "some", "more", "their", "in"].contains(&token.raw.to_lowercase().as_str())
        })
        .collect();
    let start = rest.first()?.start;
    clause.get(start..).map(|rest| rest.trim().to_owned())
}

fn without_trailing(text: &str) -> String {
    let mut rest = text.trim();
    for ending in [
        " please",
        " instead",
        " as the context",
        " as a context",
        " as context",
        " as an example",
        " as examples",
        " for the examples",
        " in the examples",
        " throughout",
    ] {
        rest = rest.strip_suffix(ending).unwrap_or(rest).trim_end();
    }
    rest.to_owned()
}

fn has_content(text: &str) -> bool {
    tokens(text).iter().any(|token| !is_function_word(token.raw) && !is_asking_word(token.raw))
}

/// "5 minutes", "three questions", "half the time": an amount, not a context.
fn is_measure(text: &str) -> bool {
    says(text, "minutes|minute|min|mins|questions|question|words|time|detail|text|sentences|alternative")
        || keys(text).iter().all(|key| number_word(key).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::means::Means;

    #[test]
    fn the_usual_wishes_are_understood() {
        let wish = Wish::read("make it shorter, use mini-whiteboards");
        assert_eq!(wish.length, Some(Length::Shorter));
        assert!(wish.preference.wants.contains(&Means::Whiteboards));
        assert_eq!((wish.context, wish.notes.len()), (None, 0));

        assert_eq!(Wish::read("5 minutes only").minutes, Some(5));
        assert_eq!(Wish::read("cut to five minutes").minutes, Some(5));
        assert_eq!(Wish::read("as a table please").form, Some(Form::Table));
        assert_eq!(Wish::read("this is too easy").demand, Some(Demand::Harder));
        assert_eq!(Wish::read("add three more questions").more_questions, Some(3));
        assert_eq!(Wish::read("use alternative 2").pick, Some(2));
        assert_eq!(Wish::read("keep the second option").pick, Some(2));
        assert_eq!(Wish::read("remove question 3").remove_item, Some(3));
        assert_eq!(Wish::read("focus on conditions").focus.as_deref(), Some("conditions"));
    }

    #[test]
    fn a_named_context_is_kept_in_the_teachers_words() {
        assert_eq!(Wish::read("use football scores").context.as_deref(), Some("football scores"));
        assert_eq!(Wish::read("use football and rugby scores").context.as_deref(), Some("football and rugby scores"));
        assert_eq!(Wish::read("link it to the school fair, in pairs").context.as_deref(), Some("school fair"));
        assert!(Wish::read("using hill walking").preference.is_empty());
        assert_eq!(Wish::read("a game about the Clyde ferries").context.as_deref(), Some("Clyde ferries"));
    }

    #[test]
    fn what_is_not_understood_stays_as_a_note() {
        let wish = Wish::read("shorter; Mr Fox must not appear");
        assert_eq!(wish.length, Some(Length::Shorter));
        assert_eq!(wish.notes, ["Mr Fox must not appear"]);
        assert_eq!(Wish::read("xyzzy").notes, ["xyzzy"]);
        assert!(Wish::read("").is_empty());
    }

    #[test]
    fn additions_are_kept() {
        assert_eq!(Wish::read("add a question about nested loops").additions, ["question about nested loops"]);
        assert_eq!(Wish::read("include a timer").additions, ["timer"]);
    }
}
