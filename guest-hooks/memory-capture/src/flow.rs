//! The order of things: gather, propose, ask once, write what was confirmed.

use ta_guest::ask::{Answer, Item, Items, Kind, OptionKind, Outcome, Question};
use ta_guest::memory_update::NewNote;
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Abort, Context, Decision, journal, memory, sessions, setting};

use crate::changes::{self, View};
use crate::known::{Known, MEMORY};
use crate::lesson::Lesson;
use crate::noted::noted;
use crate::patterns::patterns;
use crate::personal::{contact, personal};
use crate::proposal::{Proposal, WORKING_FILE};
use crate::said::{changed_before, revisions, wishes};
use crate::words::{cut, one_line, words};

/// Proposals of one run: more are a chore.
const PROPOSALS_DEFAULT: usize = 5;
const PROPOSALS_MAX: usize = 10;

/// Earlier runs that are looked at.
const PAST_RUNS: u32 = 8;

/// Files of memory that are compared with.
const FILES_MAX: usize = 20;

/// Longest text that an edit makes of a note, in characters: the host's limit.
const TEXT_CHARS_MAX: usize = 500;

/// What the hook needs of the host: the imports in a component, tables in tests.
pub(crate) trait Host {
    /// Whether the run has a memory at all.
    fn remembers(&self) -> bool;
    fn drafts(&self) -> Vec<journal::Draft>;
    fn questions(&self) -> Vec<journal::Asked>;
    fn past_runs(&self, class: Option<&str>, limit: u32) -> Vec<sessions::PastRun>;
    fn files(&self) -> Vec<String>;
    fn read(&self, path: &str) -> Option<memory::File>;
    fn put(&mut self, question: &Question) -> Outcome;
    fn remember(&mut self, path: &str, note: &NewNote) -> Result<String, String>;
    fn forget(&mut self, path: &str, text: &str) -> Result<(), String>;
}

/// The configuration, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    proposals_max: usize,
    /// Whether what was taught is proposed.
    topics: bool,
}

impl Settings {
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, Abort> {
        let proposals_max = setting("proposals-max", get("proposals-max"), PROPOSALS_DEFAULT, "a whole number")?;
        Ok(Self {
            proposals_max: proposals_max.min(PROPOSALS_MAX),
            topics: setting("topics", get("topics"), true, "`true` or `false`")?,
        })
    }
}

/// Proposes what to remember; whatever comes of it, the lesson stays as it is.
pub(crate) fn capture(settings: &Settings, context: &Context, event: &Event, host: &mut impl Host) -> Response {
    let questions = host.questions();
    // Questions of this very round are this call's own: run again after an answer, it has to come to them again.
    let earlier = || {
        let own = questions.iter().filter(|asked| asked.question == MEMORY);
        own.filter(|asked| asked.rework_round < context.rework_round)
    };
    let waved_away = earlier().any(|asked| asked.outcome != "answered");
    if waved_away || !host.remembers() {
        return Response::pass();
    }
    let class = context.about("class").filter(|class| plain(class));
    let past = class.map(|class| host.past_runs(Some(class), PAST_RUNS)).unwrap_or_default();
    let mut known = known(host, class);
    known.dismissed(&past);
    known.dismissed(&host.past_runs(None, PAST_RUNS));
    known.decided(earlier());
    let noted = noted(host, class);
    let proposals = proposals(settings, class, event, &questions, (&past, &host.drafts()), (noted, &known));
    if proposals.is_empty() {
        return Response::pass();
    }
    match host.put(&question(&proposals)) {
        Outcome::Answered(Answer::Items(decisions)) => Response::pass().notes(written(&proposals, &decisions, host)),
        outcome => {
            let why = match outcome {
                Outcome::Declined => "declined",
                Outcome::Dismissed => "dismissed",
                Outcome::TimedOut => "nobody answered in time",
                Outcome::Answered(_) => "answered in another kind",
            };
            Response::pass().note(format!("{} proposed to remember: {why}", proposals.len()))
        }
    }
}

/// The name becomes part of a path, so it may not hold anything that leads elsewhere.
fn plain(class: &str) -> bool {
    !class.is_empty() && class.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '))
}

/// What memory holds of the teacher and of this class.
fn known(host: &impl Host, class: Option<&str>) -> Known {
    let mut known = Known::default();
    let of_class = class.map(|class| format!("memory/classes/{class}/"));
    let near = |path: &String| {
        !path.starts_with("memory/classes/") || of_class.as_ref().is_some_and(|own| path.starts_with(own.as_str()))
    };
    // What a model noted, nobody has confirmed.
    let confirmed = |path: &String| !path.ends_with(WORKING_FILE);
    let mut paths: Vec<String> = host.files().into_iter().filter(near).filter(confirmed).collect();
    paths.sort_by_key(|path| !path.ends_with("/MEMORY.md"));
    for path in paths.into_iter().take(FILES_MAX) {
        if let Some(file) = host.read(&path) {
            known.remember_file(&file);
        }
    }
    known
}

/// The best proposals, none that is known, doubtful or said twice.
fn proposals(
    settings: &Settings,
    class: Option<&str>,
    event: &Event,
    questions: &[journal::Asked],
    (past, drafts): (&[sessions::PastRun], &[journal::Draft]),
    (noted, known): (Vec<Proposal>, &Known),
) -> Vec<Proposal> {
    let last = Lesson::read(&event.output);
    let first = drafts.first().map_or_else(|| last.clone(), |draft| Lesson::read(&draft.text));
    let revisions = revisions(questions);
    let view = View { class, first: &first, last: &last, revisions: &revisions };
    let mut all = patterns(&view, past);
    all.extend(changed_before(&view, questions));
    all.extend(changes::minutes(&view));
    all.extend(wishes(&view));
    all.extend(changes::counts(&view));
    all.extend(changes::register(&view));
    all.extend(noted);

    // Stable: of two as important, the one with more behind it stands first above.
    all.sort_by_key(|proposal| std::cmp::Reverse(proposal.importance));
    let lesson = words(&event.output);
    let topic = changes::topic(&view).filter(|_| settings.topics);
    let mut ids: Vec<String> = Vec::new();
    all.retain(|proposal| {
        let id = proposal.id();
        let new = !id.is_empty() && !ids.contains(&id) && !known.holds(proposal) && !doubtful(proposal, &lesson);
        ids.push(id);
        new
    });
    // The topic has the last place, whatever else there is: the next lesson builds on it.
    let topic = topic.filter(|topic| !known.holds(topic));
    all.truncate(settings.proposals_max.saturating_sub(usize::from(topic.is_some())));
    all.extend(topic);
    all
}

/// Whether a proposal could point at a person, in its text or in its evidence.
fn doubtful(proposal: &Proposal, lesson: &[String]) -> bool {
    std::iter::once(&proposal.text).chain(&proposal.evidence).any(|text| personal(text, lesson))
}

fn question(proposals: &[Proposal]) -> Question {
    let option = |id: &str, label: &str, text_prompt: Option<&str>| OptionKind {
        id: id.into(),
        label: label.into(),
        text_prompt: text_prompt.map(Into::into),
    };
    let options = vec![
        option("confirm", "Remember it", None),
        option("edit", "Change it", Some("What should be remembered instead?")),
        option("dismiss", "Do not remember it", None),
    ];
    let items =
        proposals.iter().map(|proposal| Item { id: proposal.id(), label: proposal.label(), detail: proposal.detail() });
    Question {
        id: MEMORY.into(),
        title: "What is worth remembering from this lesson?".into(),
        detail: "What you confirm is used in later lessons, and you can change or delete it at any time. What you dismiss is not \
                 proposed again. Write of groups, never of a pupil by name."
            .into(),
        kind: Kind::Items(Items { items: items.collect(), options }),
    }
}

/// Writes what was confirmed, and says what became of each proposal.
fn written(proposals: &[Proposal], decisions: &[Decision], host: &mut impl Host) -> Vec<String> {
    let (mut confirmed, mut edited, mut dismissed) = (0_u32, 0_u32, 0_u32);
    let mut notes = Vec::new();
    for proposal in proposals {
        let id = proposal.id();
        let Some(decision) = decisions.iter().find(|decision| decision.item == id) else { continue };
        let text = cut(&one_line(decision.text.as_deref().unwrap_or_default()), TEXT_CHARS_MAX.saturating_sub(1));
        let text = match decision.choice.as_str() {
            "confirm" => proposal.text.clone(),
            "edit" if text.is_empty() => {
                notes.push(format!("not remembered, since the change says nothing: {}", proposal.text));
                continue;
            }
            "edit" if contact(&text) => {
                notes.push(format!("not remembered, since the change of \"{id}\" holds an address or a long number"));
                continue;
            }
            "edit" => text,
            _ => {
                dismissed += 1;
                notes.push(format!("dismissed: {}", proposal.text));
                notes.extend(taken_out(proposal, host));
                continue;
            }
        };
        let path = proposal.scope.path();
        match host.remember(&path, &proposal.note(&text)) {
            Ok(done) => {
                if decision.choice == "edit" {
                    edited += 1
                } else {
                    confirmed += 1
                }
                notes.push(format!("{done} in {path}: {text}"));
                notes.extend(taken_out(proposal, host));
            }
            Err(message) => notes.push(format!("could not be remembered in {path}: {message}")),
        }
    }
    let count = proposals.len();
    notes.insert(
        0,
        format!("{count} proposed to remember: {confirmed} confirmed, {edited} edited, {dismissed} dismissed"),
    );
    notes
}

/// Takes a working note out that was decided on; says why where that cannot be.
fn taken_out(proposal: &Proposal, host: &mut impl Host) -> Option<String> {
    let noted = proposal.noted.as_ref()?;
    let failed = host.forget(&noted.path, &noted.text).err()?;
    Some(format!("the working note stays in {}: {failed}", noted.path))
}

#[cfg(test)]
#[path = "flow_tests.rs"]
mod tests;
