//! Proposals from the difference between the first draft and what came of it.

use crate::lesson::{Lesson, Section, key};
use crate::proposal::{Proposal, Scope};
use crate::said::Revision;
use crate::sentences::{count, timing};

/// What the makers of proposals look at.
pub(crate) struct View<'a> {
    pub(crate) class: Option<&'a str>,
    pub(crate) first: &'a Lesson,
    pub(crate) last: &'a Lesson,
    /// What the teacher sent back, oldest first.
    pub(crate) revisions: &'a [Revision],
}

impl View<'_> {
    pub(crate) fn scope(&self) -> Scope {
        self.class.map_or(Scope::Teacher, |class| Scope::Class(class.to_owned()))
    }

    /// Sections before and after, of those that the teacher sent back: what else changed followed from them, or came from
    /// a guardrail.
    fn revised(&self) -> impl Iterator<Item = (&Section, &Section)> {
        let sent_back = |section: &&Section| self.revisions.iter().any(|it| key(&it.section) == section.key);
        self.first.sections.iter().filter(sent_back).filter_map(|first| Some((first, self.last.section(&first.key)?)))
    }
}

/// Whether words are about how long something takes.
fn about_time(said: &str) -> bool {
    let lowered = said.to_lowercase();
    ["minute", " min", "short", "long", "time", "quick", "brief"].iter().any(|word| lowered.contains(word))
}

/// Minutes that changed.
pub(crate) fn minutes(view: &View<'_>) -> Vec<Proposal> {
    let changed = view.revised().filter_map(|(first, last)| {
        let (before, after) = (first.minutes?, last.minutes?);
        // Minutes that followed from another section's are not what the teacher asked for.
        if before == after || !said_of(view, first).any(|said| about_time(&said)) {
            return None;
        }
        let done = if after < before { "shortened" } else { "lengthened" };
        let reason = format!("You {done} \"{}\" from {before} to {after} minutes.", first.name);
        let text = timing(&first.name, before, after, view.class);
        let evidence = said_of(view, first).chain(measured(first, last));
        Some(Proposal::new(view.scope(), "timing", 65, &text, reason).evidence(evidence))
    });
    changed.collect()
}

/// Steps and questions that went or came, where neither the minutes nor the teacher's words say it better.
pub(crate) fn counts(view: &View<'_>) -> Vec<Proposal> {
    let changed = view.revised().filter_map(|(first, last)| {
        if first.minutes != last.minutes || said_of(view, first).next().is_some() {
            return None;
        }
        let (thing, before, after) = if first.questions != last.questions && first.questions > 1 {
            ("question", first.questions, last.questions)
        } else {
            ("step", first.steps, last.steps)
        };
        // One more or less happens in any rewriting.
        if after == 0 || before == 0 || before.abs_diff(after) < 2 {
            return None;
        }
        let reason = format!("\"{}\" went from {before} {thing}s to {after} when you had it revised.", first.name);
        let text = count(&first.name, thing, before, after, view.class);

        Some(Proposal::new(view.scope(), "preference", 55, &text, reason).evidence(measured(first, last)))
    });
    changed.collect()
}

/// Sentences that became much shorter, or much more like speech, in what was sent back.
pub(crate) fn register(view: &View<'_>) -> Option<Proposal> {
    const WORDS_MIN: usize = 60;
    const CONTRACTIONS_MIN: usize = 3;
    let texts: Vec<(&str, &str)> =
        view.revised().map(|(first, last)| (first.body.as_str(), last.body.as_str())).collect();
    let before: String = texts.iter().map(|(first, _)| *first).collect::<Vec<_>>().join("\n");
    let after: String = texts.iter().map(|(_, last)| *last).collect::<Vec<_>>().join("\n");
    let sections: Vec<String> = view.revised().map(|(first, _)| first.name.clone()).collect();
    if before.split_whitespace().count().min(after.split_whitespace().count()) < WORDS_MIN {
        return None;
    }
    let (spoken_before, spoken_after) = (contractions(&before), contractions(&after));
    if spoken_after >= spoken_before + CONTRACTIONS_MIN {
        let reason = "What you had revised reads more like speech than the first draft.".to_owned();
        let evidence = [format!("{}: {spoken_before} -> {spoken_after} forms such as \"you're\"", sections.join(", "))];
        let text = "Texts for pupils in an informal register, as if spoken";
        return Some(Proposal::new(Scope::Teacher, "preference", 50, text, reason).evidence(evidence));
    }
    let (long, short) = (sentence_words(&before), sentence_words(&after));
    if short > 0 && short * 4 <= long * 3 {
        let reason = "What you had revised has much shorter sentences than the first draft.".to_owned();
        let evidence = [format!("{}: {long} -> {short} words a sentence", sections.join(", "))];
        let whom = view.class.map_or_else(String::new, |class| format!(" for {class}"));
        let text = format!("Sentences of about {short} words rather than {long} work{whom}");
        return Some(Proposal::new(view.scope(), "preference", 50, &text, reason).evidence(evidence));
    }
    None
}

/// What was taught: the lesson's title, once.
pub(crate) fn topic(view: &View<'_>) -> Option<Proposal> {
    const SECTIONS_MIN: usize = 3;
    let class = view.class?;
    let title = view.last.title.replace('"', "'");
    if title.is_empty() || view.last.sections.len() < SECTIONS_MIN {
        return None;
    }
    let text = format!("Planned \"{title}\" for {class}");
    let reason = format!("So that a later lesson for {class} can build on it.");
    Some(Proposal::new(view.scope(), "topic", 40, &text, reason).evidence(["the lesson of this session".to_owned()]))
}

/// What can be counted of a change, as evidence.
pub(crate) fn measured(first: &Section, last: &Section) -> Vec<String> {
    let minutes =
        first.minutes.zip(last.minutes).map(|(before, after)| (u64::from(before), u64::from(after), "minutes"));
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let questions = (count(first.questions), count(last.questions), "questions");
    let steps = (count(first.steps), count(last.steps), "numbered lines");
    let all = minutes.into_iter().chain([questions, steps]).filter(|(before, after, _)| before != after);
    all.map(|(before, after, what)| format!("{}: {before} -> {after} {what} in this lesson", first.name)).collect()
}

fn said_of<'a>(view: &'a View<'_>, section: &'a Section) -> impl Iterator<Item = String> + 'a {
    let own = view.revisions.iter().filter(|it| key(&it.section) == section.key);
    own.filter(|it| !it.text.is_empty()).map(|it| format!("you said: \"{}\"", it.text))
}

fn contractions(text: &str) -> usize {
    const ENDINGS: [&str; 7] = ["n't", "'re", "'ll", "'ve", "'m", "let's", "'d"];
    let text = text.to_lowercase().replace('’', "'");
    text.split_whitespace()
        .filter(|word| ENDINGS.iter().any(|ending| word.trim_end_matches([',', '.', '!', '?']).ends_with(ending)))
        .count()
}

/// Words in a sentence, on average.
fn sentence_words(text: &str) -> usize {
    let sentences =
        text.split(['.', '!', '?', '\n']).map(|it| it.split_whitespace().count()).filter(|count| *count > 1);
    let (count, words) = sentences.fold((0_usize, 0_usize), |(count, words), sentence| (count + 1, words + sentence));
    words.checked_div(count).unwrap_or(0)
}
