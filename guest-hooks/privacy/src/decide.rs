//! What is asked about, what was decided, and what the texts look like afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ta_guest::ask::{Answer, Item, Items, Kind as AskKind, OptionKind, Outcome, Question};
use ta_guest::journal::Asked;
use ta_guest::{Abort, Finding};

use crate::hints;
use crate::scan::{Found, Kind, Scanner, Source};
use crate::words::folded;

/// The question's name. In later calls of a run the turn or the tool call follows it after a colon, so that a call knows
/// its own question, which it has to come to again, from those that were answered before.
pub(crate) const QUESTION: &str = "privacy";

/// What a decision may be; whatever else it is counts as the first.
const REDACT: &str = "redact";
const ALLOW: &str = "allow";

/// More cannot be looked at one by one; the rest is redacted unasked.
const ITEMS_MAX: usize = 60;

/// How much of what was found, and of the text around it, an item shows, in characters.
const SHOWN_CHARS_MAX: usize = 40;
const AROUND_CHARS_MAX: usize = 50;

/// How many places an item names.
const PLACES_MAX: usize = 6;

/// The person, and what the journal holds of the questions so far: the host in a component, a script in tests.
pub(crate) trait Ask {
    fn put(&mut self, question: &Question) -> Outcome;

    /// The questions that have their outcome, of every hook, oldest first.
    fn asked(&self) -> Vec<Asked>;
}

/// A text to look through.
#[derive(Debug, Clone)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) source: Source,
    /// Where it stands, as it follows "in": `your request`.
    pub(crate) place: String,
    pub(crate) stage: Stage,
}

/// What is known of a text already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing: what is found in it is asked about.
    New,
    /// The same, in a file whose lines are named.
    File,
    /// It was looked through before in this run: what was decided then is done again, and nothing is asked.
    Seen,
    /// It was seen, and it holds nothing of what was decided on.
    Clean,
}

/// A place in a text with what stands there instead.
pub(crate) type Cut = (Range<usize>, &'static str);

/// What came of looking through the texts.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// For each text what it became; none where it stays as it is.
    pub(crate) texts: Vec<Option<String>>,
    /// For each text that changed, where.
    pub(crate) ranges: Vec<Option<Vec<Cut>>>,
    pub(crate) notes: Vec<String>,
    pub(crate) findings: Vec<Finding>,
}

impl Settled {
    /// Whether any text was changed.
    pub(crate) fn changed(&self) -> bool {
        self.texts.iter().any(Option::is_some)
    }
}

/// Looks through texts, asks about what has not been decided on in this run, and redacts what is not allowed. `id` is the
/// id of the question, should one be asked.
///
/// # Errors
/// Too much was to be looked at, so nobody can say what the texts hold.
pub(crate) fn settle(id: &str, texts: &[Text<'_>], earlier: Earlier, ask: &mut impl Ask) -> Result<Settled, Abort> {
    let found = look(texts, &earlier)?;
    let (groups, order) = grouped(texts, &found);
    let mut settled = Settled::default();
    if earlier.refused && !groups.is_empty() {
        settled
            .notes
            .push("you were asked before in this run and did not decide, so everything found is redacted".into());
    }
    let is_new = |id: &&String| !earlier.refused && !earlier.choices.contains_key(*id);
    let items = order.iter().filter(is_new).filter_map(|id| Some(item(id, groups.get(id)?)));
    let items: Vec<Item> = items.take(ITEMS_MAX).collect();
    let mut choices = earlier.choices;
    if !items.is_empty() {
        let count = items.len();
        let outcome = ask.put(&question(id, Items { items, options: options() }));
        settled.notes.push(take(outcome, count, &mut choices));
    }
    let changed = texts.iter().zip(&found).map(|(text, found)| redacted(text.text, found, &choices));
    (settled.texts, settled.ranges) = changed.map(Option::unzip).unzip();
    settled.findings = groups
        .iter()
        .map(|(id, group)| {
            let done = if choices.get(id) == Some(&Choice::Allow) { "allowed by you" } else { "redacted" };
            let message = format!("{} in {}: {done}.", group.found.kind.label(), group.places.join("; "));
            Finding::new("personal-data", message)
        })
        .collect();
    Ok(settled)
}

/// What is found in each text.
fn look(texts: &[Text<'_>], earlier: &Earlier) -> Result<Vec<Vec<Found>>, Abort> {
    let scanner = Scanner::new();
    let decided = |key: &str| earlier.redacts_name(key);
    let scan = |text: &Text<'_>, decided: &dyn Fn(&str) -> bool| match text.stage {
        Stage::Clean => Vec::new(),
        Stage::Seen => {
            let mut found = scanner.scan(text.text, text.source, decided);
            found.retain(|found| earlier.is_unlisted() || earlier.redacts(found.kind, &found.key));
            found
        }
        Stage::New | Stage::File => scanner.scan(text.text, text.source, decided),
    };
    let found: Vec<Vec<Found>> = texts.iter().map(|text| scan(text, &decided)).collect();
    let whole = |found| if scanner.is_exhausted() { Err(too_much()) } else { Ok(found) };
    // Whoever is named as a pupil in the request or in one file is meant in the other files too.
    let is_pupil = |found: &&Found| found.kind == Kind::Pupil;
    let named: BTreeSet<&str> = found.iter().flatten().filter(is_pupil).map(|found| found.key.as_str()).collect();
    if named.is_empty() || !texts.iter().any(|text| text.stage == Stage::File) {
        return whole(found);
    }
    let known = |key: &str| named.contains(key) || decided(key);
    whole(texts.iter().map(|text| scan(text, &known)).collect())
}

fn too_much() -> Abort {
    let reason = "There are too many names, numbers and addresses to be looked through for personal data at once. Ask for less \
                  at a time, take lists out of the files, or begin a new session.";
    Abort::fault("too-much", reason)
}

/// Something that was found, wherever it stands.
struct Group<'t> {
    text: &'t Text<'t>,
    found: &'t Found,
    places: Vec<String>,
}

/// What was found in texts that are new, each once, by its id; and the ids in order of their first place.
fn grouped<'t>(texts: &'t [Text<'t>], found: &'t [Vec<Found>]) -> (BTreeMap<String, Group<'t>>, Vec<String>) {
    let (mut groups, mut order) = (BTreeMap::<String, Group<'t>>::new(), Vec::new());
    for (text, found) in texts.iter().zip(found).filter(|(text, _)| matches!(text.stage, Stage::New | Stage::File)) {
        let (mut line, mut end) = (1, 0);
        for found in found {
            // What was found stands in order, so no line is counted twice.
            let between = text.text.as_bytes().get(end..found.range.start).unwrap_or_default();
            line += between.iter().filter(|byte| **byte == b'\n').count();
            end = found.range.start;
            let id = item_id(found.kind, &found.key);
            let group = groups.entry(id).or_insert_with_key(|id| {
                order.push(id.clone());
                Group { text, found, places: Vec::new() }
            });
            if group.places.len() < PLACES_MAX {
                let file = text.stage == Stage::File;
                let place = if file { format!("{}, line {line}", text.place) } else { text.place.clone() };
                if !group.places.contains(&place) {
                    group.places.push(place);
                }
            }
        }
    }
    (groups, order)
}

/// What the person decided on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Redact,
    Allow,
}

/// What earlier calls of this run asked, as far as it has been decided.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    choices: BTreeMap<String, Choice>,
    /// A question was waved away, declined or left: nobody wants to be asked again.
    refused: bool,
    /// More was found than was asked about one by one, and was redacted as well.
    over: bool,
    /// Digests of the names that were redacted: they are compared with every word of a conversation.
    names: BTreeSet<u64>,
}

impl Earlier {
    pub(crate) fn read(asked: &[Asked], own: &str) -> Self {
        let mut earlier = Self::default();
        let of_this_hook = |question: &str| question == QUESTION || question.starts_with("privacy:");
        for asked in asked.iter().filter(|asked| of_this_hook(&asked.question) && asked.question != own) {
            earlier.refused |= asked.outcome != "answered";
            // An answer that decides on nothing is none, and its items are not known any more.
            earlier.over |= asked.decisions.is_empty() || asked.decisions.len() >= ITEMS_MAX;
            for decision in &asked.decisions {
                earlier.choices.insert(decision.item.clone(), choice(&decision.choice));
            }
        }
        let redacted = earlier.choices.iter().filter(|(_, choice)| **choice == Choice::Redact);
        let name = |(id, _): (&String, &Choice)| {
            let digits = id.strip_prefix(Kind::Pupil.name())?.strip_prefix(':')?;
            u64::from_str_radix(digits, 16).ok()
        };
        earlier.names = redacted.filter_map(name).collect();
        earlier
    }

    /// Whether anything at all was redacted, so that it has to be again in every call.
    pub(crate) fn redacted_any(&self) -> bool {
        self.is_unlisted() || self.choices.values().any(|choice| *choice == Choice::Redact)
    }

    /// Whether things were redacted that nobody decided on, so that the journal does not name them.
    const fn is_unlisted(&self) -> bool {
        self.refused || self.over
    }

    fn redacts(&self, kind: Kind, key: &str) -> bool {
        self.choices.get(&item_id(kind, key)) == Some(&Choice::Redact)
    }

    fn redacts_name(&self, key: &str) -> bool {
        !self.names.is_empty() && self.names.contains(&digest(key))
    }

    fn redacts_kind(&self, kind: Kind) -> bool {
        let of_kind = |id: &str| id.strip_prefix(kind.name()).is_some_and(|rest| rest.starts_with(':'));
        self.choices.iter().any(|(id, choice)| *choice == Choice::Redact && of_kind(id))
    }

    /// Whether a text may hold something that was redacted; a cheap look that finds too much rather than too little.
    pub(crate) fn may_be_in(&self, text: &str) -> bool {
        if self.is_unlisted() {
            return true;
        }
        let is_name = |word: &str| self.redacts_name(&folded(word));
        (!self.names.is_empty() && hints::words(text).any(is_name))
            || hints::KINDS.iter().any(|(kind, hint)| self.redacts_kind(*kind) && hint(text))
    }
}

fn choice(word: &str) -> Choice {
    if word == ALLOW { Choice::Allow } else { Choice::Redact }
}

/// Takes over the answer and says in a sentence what it was.
fn take(outcome: Outcome, count: usize, choices: &mut BTreeMap<String, Choice>) -> String {
    let decisions = match outcome {
        Outcome::Answered(Answer::Items(decisions)) => decisions,
        Outcome::Answered(_) => Vec::new(),
        Outcome::Dismissed => return format!("the question was waved away, so all {count} found are redacted"),
        Outcome::Declined => return format!("the question was declined, so all {count} found are redacted"),
        Outcome::TimedOut => return format!("nobody answered in time, so all {count} found are redacted"),
    };
    let mut allowed = 0;
    for decision in decisions {
        let choice = choice(&decision.choice);
        allowed += usize::from(choice == Choice::Allow);
        choices.insert(decision.item, choice);
    }
    format!("{} of {count} redacted, {allowed} allowed", count.saturating_sub(allowed))
}

/// The text with everything replaced that is not allowed, and what was replaced; none where nothing is.
fn redacted(text: &str, found: &[Found], choices: &BTreeMap<String, Choice>) -> Option<(String, Vec<Cut>)> {
    let allowed = |found: &&Found| choices.get(&item_id(found.kind, &found.key)) == Some(&Choice::Allow);
    let cuts = found.iter().filter(|found| !allowed(found));
    let cuts: Vec<Cut> = cuts.map(|found| (found.range.clone(), found.kind.stand_in())).collect();
    if cuts.is_empty() {
        return None;
    }
    Some((replaced(text, 0..text.len(), &cuts), cuts))
}

/// A part of a text with the places in it replaced.
pub(crate) fn replaced(text: &str, part: Range<usize>, cuts: &[Cut]) -> String {
    let mut out = String::new();
    let mut end = part.start;
    for (range, stand_in) in cuts.iter().filter(|(range, _)| range.start >= part.start && range.end <= part.end) {
        out.push_str(text.get(end..range.start).unwrap_or_default());
        out.push_str(stand_in);
        end = range.end;
    }
    out.push_str(text.get(end..part.end).unwrap_or_default());
    out
}

/// An id that holds nothing of what it stands for, and is the same wherever that occurs in the run.
pub(crate) fn item_id(kind: Kind, key: &str) -> String {
    format!("{}:{:016x}", kind.name(), digest(key))
}

/// FNV-1a, 64 bits: short, and nothing more is needed to tell a few dozen apart.
fn digest(key: &str) -> u64 {
    key.bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn options() -> Vec<OptionKind> {
    let option = |id: &str, label: &str| OptionKind { id: id.into(), label: label.into(), text_prompt: None };
    vec![option(REDACT, "Redact"), option(ALLOW, "Allow")]
}

fn item(id: &str, group: &Group<'_>) -> Item {
    let Group { text, found, places } = group;
    let shown: String = text.text.get(found.range.clone()).unwrap_or_default().chars().take(SHOWN_CHARS_MAX).collect();
    let start = found.range.start;
    let near = (start.saturating_sub(AROUND_CHARS_MAX * 4)..start).find(|at| text.text.is_char_boundary(*at));
    let before = text.text.get(near.unwrap_or(start)..start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let skip = line.chars().count().saturating_sub(AROUND_CHARS_MAX);
    let cut_before = if skip > 0 { "…" } else { "" };
    let line: String = line.chars().skip(skip).collect();
    let after = text.text.get(found.range.end..).unwrap_or_default().lines().next().unwrap_or_default();
    let rest: String = after.chars().take(AROUND_CHARS_MAX).collect();
    let cut_after = if rest.len() < after.len() { "…" } else { "" };
    let (place, others) = places.split_first().map_or(("", &[] as &[String]), |(first, rest)| (first, rest));
    let others = if others.is_empty() { String::new() } else { format!("\n\nAlso in {}.", others.join("; ")) };
    Item {
        id: id.into(),
        label: format!("{}: \"{shown}\"", found.kind.label()),
        detail: format!(
            "In {place}: “{cut_before}{}{shown}{}{cut_after}”{others}\n\nRedacted, `{}` stands there instead.",
            line.trim_start(),
            rest.trim_end(),
            found.kind.stand_in()
        ),
    }
}

fn question(id: &str, items: Items) -> Question {
    let title = match items.items.len() {
        1 => "This looks like personal data. May it be used?".into(),
        count => format!("{count} things look like personal data. May they be used?"),
    };
    Question {
        id: id.into(),
        title,
        detail: "Nothing has been sent to a model or remembered yet. What you redact is replaced by a word in brackets, here and for the rest of this \
                 run; what you allow goes to the model as it stands. Your files stay as they are. A lesson hardly ever needs a pupil's name."
            .into(),
        kind: AskKind::Items(items),
    }
}
