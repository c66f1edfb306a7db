//! Questions that wait for a person: found by feeding the machine the journal, and kept until the session goes on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ta_runtime::person::next_item;
use ta_runtime::surface::{Action, Ask, Event, QuestionKind, Record, SessionFilter, SessionRow, State, Store};
use ta_runtime::{RuntimeError, history};

use crate::wire::Subject;

/// A question that waits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Open {
    pub(crate) session: String,
    pub(crate) run: String,
    pub(crate) title: String,
    pub(crate) subject: Option<Subject>,
    pub(crate) ask: Ask,
    /// When it was asked.
    pub(crate) asked_ms: u64,
    /// When it was asked or an item of it was last decided.
    pub(crate) shown_ms: u64,
}

type Result<T> = std::result::Result<T, RuntimeError>;

/// Sessions that are remembered; beyond, all are looked at anew.
const KNOWN_MAX: usize = 10_000;

/// What is open in a session, with the number of the record up to which that holds.
type Known = (u64, Option<Arc<Open>>);

/// What is open, by session.
#[derive(Default)]
pub(crate) struct OpenQuestions {
    known: Mutex<HashMap<String, Known>>,
}

impl OpenQuestions {
    /// The question that waits in a session.
    pub(crate) async fn of_session(&self, store: &dyn Store, row: &SessionRow) -> Result<Option<Arc<Open>>> {
        if row.state == State::Finished {
            return Ok(None);
        }
        let last = store.last_seq(&row.id).await?;
        if let Some((seq, open)) = self.known().get(&row.id)
            && *seq == last
        {
            return Ok(open.clone());
        }
        let open = find(store, row).await?.map(Arc::new);
        let mut known = self.known();
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(row.id.clone(), (last, open.clone()));
        Ok(open)
    }

    /// All questions that wait for a teacher, the oldest first.
    pub(crate) async fn of_teacher(&self, store: &dyn Store, teacher: &str) -> Result<Vec<Arc<Open>>> {
        let mut found = Vec::new();
        for row in unfinished(store, teacher).await? {
            found.extend(self.of_session(store, &row).await?);
        }
        found.sort_by_key(|open| open.asked_ms);
        Ok(found)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sessions of a teacher whose latest run is not over.
async fn unfinished(store: &dyn Store, teacher: &str) -> Result<Vec<SessionRow>> {
    const PAGE: usize = 500;
    let mut found = Vec::new();
    let mut filter = SessionFilter { owner: Some(teacher.to_owned()), unfinished: true, ..SessionFilter::newest(PAGE) };
    loop {
        let rows = store.sessions(filter.clone()).await?;
        filter.after = rows.last().map(SessionRow::cursor);
        let full = rows.len() == PAGE;
        found.extend(rows);
        if !full {
            return Ok(found);
        }
    }
}

/// Whether the question with this hash has been answered: its outcome is in the journal, or every item of it is decided and
/// the outcome follows by itself.
pub(crate) fn has_its_answer(lineage: &[Record], run: &str, hash: &str) -> bool {
    let outcome = |it: &Record| matches!(&it.event, Event::RequestAnswered(answered) if answered.hash == hash);
    if lineage.iter().any(outcome) {
        return true;
    }
    match history::machine(lineage, run).pending() {
        Action::Ask(ask) => ask.hash == hash && all_decided(ask),
        _ => false,
    }
}

/// Whether no item of a question is left for the person.
fn all_decided(ask: &Ask) -> bool {
    matches!(ask.question.kind, QuestionKind::Items { .. }) && next_item(ask).is_none()
}

async fn find(store: &dyn Store, row: &SessionRow) -> Result<Option<Open>> {
    let lineage = history::lineage(store, &row.id).await?;
    let machine = history::machine(&lineage, &row.last_run);
    let Action::Ask(ask) = machine.pending() else { return Ok(None) };
    if all_decided(ask) {
        return Ok(None);
    }
    let chain = history::chain(&lineage, &row.last_run);
    let of_run = || lineage.iter().rev().filter(|record| chain.contains(&record.run));
    let asked = of_run().find(|it| matches!(&it.event, Event::RequestMade(made) if made.hash == ask.hash));
    let asked_ms = asked.map_or(row.updated_ms, |record| record.at_ms);
    let decided = of_run().find(|it| matches!(&it.event, Event::ItemDecided(decided) if decided.hash == ask.hash));
    Ok(Some(Open {
        session: row.id.clone(),
        run: row.last_run.clone(),
        title: row.title.clone(),
        subject: row.subject.clone().map(Into::into),
        ask: (**ask).clone(),
        asked_ms,
        shown_ms: decided.map_or(asked_ms, |record| record.at_ms.max(asked_ms)),
    }))
}

#[cfg(test)]
mod tests {
    use ta_runtime::surface::OnFailure;
    use ta_runtime::surface::{
        CallReport, HookBinding, ItemDecided, Request, RequestAnswer, RequestAnswered, RequestMade, RunStarted,
    };
    use ta_runtime::surface::{Decision, Item, OptionKind, Outcome, Question};
    use ta_runtime::surface::{Point, Record};

    use super::{Event, QuestionKind, has_its_answer};

    /// A run whose first hook asks about two items, and the question's hash.
    fn asked() -> (Vec<Event>, String) {
        let item = |id: &str| Item { id: id.into(), label: id.into(), detail: String::new() };
        let options = vec![OptionKind { id: "use".into(), label: "Use it".into(), text_prompt: None }];
        let kind = QuestionKind::Items { items: vec![item("a"), item("b")], options };
        let question = Question { id: "feedforward".into(), title: "?".into(), detail: String::new(), kind };
        let (hash, point) = (question.hash(), Point::PreLoop);
        let hook = || "feedforward".to_owned();
        let hooks = vec![HookBinding { hook: hook(), point, on_failure: OnFailure::Abort }];
        let made = RequestMade {
            id: "feedforward@1/1".into(),
            by: hook(),
            point: Some(point),
            call: None,
            number: 1,
            hash: hash.clone(),
            request: Request::Ask { question },
            report: CallReport::default(),
        };
        let started = RunStarted { hooks, ..RunStarted::default() };
        (vec![Event::RunStarted(Box::new(started)), Event::RequestMade(Box::new(made))], hash)
    }

    fn decided(hash: &str, item: &str) -> Event {
        let decision = Decision { item: item.into(), choice: "use".into(), text: None };
        Event::ItemDecided(ItemDecided { hash: hash.into(), decision, elapsed_ms: 1 })
    }

    fn records(events: &[Event]) -> Vec<Record> {
        let record = |(seq, event): (u64, &Event)| Record {
            session: "s".into(),
            seq,
            run: "r".into(),
            at_ms: seq,
            event: event.clone(),
        };
        (1..).zip(events).map(record).collect()
    }

    #[test]
    fn a_question_is_answered_as_soon_as_its_last_item_is_decided() {
        let (mut events, hash) = asked();
        let answered = |events: &[Event]| has_its_answer(&records(events), "r", &hash);
        assert!(!answered(&events));
        events.push(decided(&hash, "a"));
        assert!(!answered(&events), "one item is left");
        events.push(decided(&hash, "b"));
        assert!(answered(&events), "its outcome is about to be appended");
        assert!(!has_its_answer(&records(&events), "r", "another"));
        let answer =
            RequestAnswer::Ask { outcome: Outcome::Dismissed, answered_by: "person".to_owned(), elapsed_ms: 1 };
        let (id, by, sha256) = ("feedforward@1/1".into(), "feedforward".into(), "0".into());
        let over = RequestAnswered { id, by, hash: hash.clone(), sha256, answer };
        events.push(Event::RequestAnswered(Box::new(over)));
        assert!(answered(&events));
    }
}
