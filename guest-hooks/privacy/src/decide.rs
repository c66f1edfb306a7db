//! What is asked about, what was decided, and what the texts look like afterwards.

use std::collections::BTreeMap;

use ta_guest::Finding;
use ta_guest::ask::{Answer, Item, Items, Kind as AskKind, OptionKind, Outcome, Question};
use ta_guest::journal::Asked;

use crate::scan::{Found, Kind, Scanner, Source};

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
}

/// What came of looking through the texts.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// For each text what it became; none where it stays as it is.
    pub(crate) texts: Vec<Option<String>>,
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
pub(crate) fn settle(id: &str, texts: &[Text<'_>], ask: &mut impl Ask) -> Settled {
    let scanner = Scanner::new();
    let earlier = Earlier::read(&ask.asked(), id);
    let decided = |key: &str| earlier.choices.get(&item_id(Kind::Pupil, key)) == Some(&Choice::Redact);
    let found: Vec<Vec<Found>> = texts.iter().map(|text| scanner.scan(text.text, text.source, &decided)).collect();
    let mut items = Items { items: Vec::new(), options: options() };
    let mut places: BTreeMap<String, (Kind, String)> = BTreeMap::new();
    for (text, found) in texts.iter().zip(&found) {
        for found in found {
            let id = item_id(found.kind, &found.key);
            if places.contains_key(&id) {
                continue;
            }
            let is_new = !earlier.choices.contains_key(&id) && !earlier.refused;
            if is_new && items.items.len() < ITEMS_MAX {
                items.items.push(item(&id, text, found));
            }
            places.insert(id, (found.kind, text.place.clone()));
        }
    }
    let mut settled = Settled::default();
    let mut choices = earlier.choices;
    if earlier.refused && !places.is_empty() {
        settled
            .notes
            .push("you were asked before in this run and did not decide, so everything found is redacted".into());
    }
    if !items.items.is_empty() {
        let count = items.items.len();
        let outcome = ask.put(&question(id, items));
        settled.notes.push(take(outcome, count, &mut choices));
    }
    settled.texts = texts.iter().zip(&found).map(|(text, found)| redacted(text.text, found, &choices)).collect();
    settled.findings = places
        .iter()
        .map(|(id, (kind, place))| {
            let done = if choices.get(id) == Some(&Choice::Allow) { "allowed by you" } else { "redacted" };
            let message = format!("{} in {place}: {done}.", kind.label());
            Finding { class: "personal-data".into(), code: None, section: None, line: None, message }
        })
        .collect();
    settled
}

/// What the person decided on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Redact,
    Allow,
}

/// What earlier calls of this run asked, as far as it has been decided.
struct Earlier {
    choices: BTreeMap<String, Choice>,
    /// A question was waved away, declined or left: nobody wants to be asked again.
    refused: bool,
}

impl Earlier {
    fn read(asked: &[Asked], own: &str) -> Self {
        let mut earlier = Self { choices: BTreeMap::new(), refused: false };
        let of_this_hook = |question: &str| question == QUESTION || question.starts_with("privacy:");
        for asked in asked.iter().filter(|asked| of_this_hook(&asked.question) && asked.question != own) {
            earlier.refused |= asked.outcome != "answered";
            for decision in &asked.decisions {
                earlier.choices.insert(decision.item.clone(), choice(&decision.choice));
            }
        }
        earlier
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

/// The text with everything replaced that is not allowed; none where nothing is.
fn redacted(text: &str, found: &[Found], choices: &BTreeMap<String, Choice>) -> Option<String> {
    let mut out = String::new();
    let mut end = 0;
    for found in found {
        if choices.get(&item_id(found.kind, &found.key)) == Some(&Choice::Allow) {
            continue;
        }
        out.push_str(text.get(end..found.range.start).unwrap_or_default());
        out.push_str(found.kind.stand_in());
        end = found.range.end;
    }
    if end == 0 {
        return None;
    }
    out.push_str(text.get(end..).unwrap_or_default());
    Some(out)
}

/// An id that holds nothing of what it stands for, and is the same wherever that occurs in the run.
pub(crate) fn item_id(kind: Kind, key: &str) -> String {
    // FNV-1a, 64 bits: short, and nothing more is needed to tell a few dozen apart.
    let digest = key
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{}:{digest:016x}", kind.name())
}

fn options() -> Vec<OptionKind> {
    let option = |id: &str, label: &str| OptionKind { id: id.into(), label: label.into(), text_prompt: None };
    vec![option(REDACT, "Redact"), option(ALLOW, "Allow")]
}

fn item(id: &str, text: &Text<'_>, found: &Found) -> Item {
    let shown: String = text.text.get(found.range.clone()).unwrap_or_default().chars().take(SHOWN_CHARS_MAX).collect();
    let before = text.text.get(..found.range.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let skip = line.chars().count().saturating_sub(AROUND_CHARS_MAX);
    let cut_before = if skip > 0 { "…" } else { "" };
    let line: String = line.chars().skip(skip).collect();
    let after = text.text.get(found.range.end..).unwrap_or_default().lines().next().unwrap_or_default();
    let rest: String = after.chars().take(AROUND_CHARS_MAX).collect();
    let cut_after = if rest.len() < after.len() { "…" } else { "" };
    Item {
        id: id.into(),
        label: format!("{}: \"{shown}\"", found.kind.label()),
        detail: format!(
            "In {}: “{cut_before}{}{shown}{}{cut_after}”\n\nRedacted, `{}` stands there instead.",
            text.place,
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
        detail: "Nothing has been sent or stored yet. What you redact is replaced by a word in brackets, here and for the rest of this \
                 run; what you allow goes to the model as it stands. A lesson hardly ever needs a pupil's name."
            .into(),
        kind: AskKind::Items(items),
    }
}
