//! The rows of an export, from what participants did and from the journals of their runs.

use std::collections::BTreeMap;

use serde_json::Value;
use similar::TextDiff;
use ta_runtime::surface::{
    Answer, Event, Outcome, Point, Question, QuestionKind, Record, Request, RequestAnswer, StudyStep, Verdict,
};

use super::tables::{AnswerRow, DecisionRow, ParticipantRow, RunRow, SectionRow};

/// Beyond this distance hardly a word is the same.
const REPLACED_FROM: f64 = 0.8;
/// Up to this distance the words alone were changed.
const WORDING_TO: f64 = 0.3;

/// What a participant did.
pub(super) struct Material {
    pub(super) participant: String,
    pub(super) finished: bool,
    pub(super) dropped_out: bool,
    /// What they said and did outside runs, each with its time.
    pub(super) steps: Vec<(u64, StudyStep)>,
    /// The journals of their runs, by session.
    pub(super) runs: BTreeMap<String, Vec<Record>>,
    /// What the runs used, by session: turns, tokens sent and received, US dollars.
    pub(super) used: BTreeMap<String, (u64, u64, u64, f64)>,
}

/// All tables.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) participants: Vec<ParticipantRow>,
    pub(super) runs: Vec<RunRow>,
    pub(super) sections: Vec<SectionRow>,
    pub(super) decisions: Vec<DecisionRow>,
    pub(super) answers: Vec<AnswerRow>,
}

/// A task that was begun.
struct Begun<'a> {
    task: &'a str,
    condition: &'a str,
    place: u32,
    session: Option<&'a String>,
    drift: bool,
    at_ms: u64,
}

impl Tables {
    /// Adds what one participant did.
    pub(super) fn add(&mut self, material: &Material, texts: bool) {
        let mut own = ParticipantRow {
            participant: material.participant.clone(),
            began_ms: material.steps.first().map_or(0, |(at_ms, _)| *at_ms),
            last_ms: material.steps.last().map_or(0, |(at_ms, _)| *at_ms),
            finished: material.finished,
            dropped_out: material.dropped_out,
            ..ParticipantRow::default()
        };
        for (at_ms, step) in &material.steps {
            match step {
                StudyStep::TaskBegun { task, condition, place, session, drift } => {
                    let (drift, session) = (!drift.is_empty(), session.as_ref());
                    let begun = Begun { task, condition, place: *place, session, drift, at_ms: *at_ms };
                    let row = self.run(material, &begun, texts);
                    if !row.practice && !row.how.is_empty() {
                        own.tasks_done += 1;
                        own.active_ms += row.active_ms;
                    }
                    self.runs.push(row);
                }
                StudyStep::Answered { .. } => self.answered(&material.participant, step, texts),
                StudyStep::Started(_)
                | StudyStep::Coded { .. }
                | StudyStep::Assigned { .. }
                | StudyStep::Drifted { .. }
                | StudyStep::DroppedOut
                | StudyStep::Withdrawn { .. }
                | StudyStep::Exported { .. }
                | StudyStep::Unblinded { .. }
                | StudyStep::Closed
                | StudyStep::Consented { .. }
                | StudyStep::TaskEnded { .. }
                | StudyStep::Finished => {}
            }
        }
        self.participants.push(own);
    }

    fn answered(&mut self, participant: &str, step: &StudyStep, texts: bool) {
        let StudyStep::Answered { questionnaire, moment, task, condition, answers, elapsed_ms } = step else { return };
        for (item, value) in answers {
            self.answers.push(AnswerRow {
                participant: participant.to_owned(),
                task: task.clone(),
                condition: condition.clone(),
                moment: moment.clone(),
                questionnaire: questionnaire.clone(),
                item: item.clone(),
                value: value.as_f64(),
                text: value.as_str().filter(|_| texts).map(ToOwned::to_owned),
                elapsed_ms: *elapsed_ms,
            });
        }
    }

    fn run(&mut self, material: &Material, begun: &Begun<'_>, texts: bool) -> RunRow {
        let mut row = RunRow {
            participant: material.participant.clone(),
            task: begun.task.to_owned(),
            condition: begun.condition.to_owned(),
            place: u64::from(begun.place),
            practice: begun.place == 0,
            began_ms: begun.at_ms,
            drift: begun.drift,
            ..RunRow::default()
        };
        for (_, step) in &material.steps {
            if let StudyStep::TaskEnded { task, condition, how, active_ms, text } = step
                && (task.as_str(), condition.as_str()) == (begun.task, begun.condition)
            {
                (row.how, row.active_ms) = (how.clone(), *active_ms);
                row.output_words = text.as_deref().map_or(0, words);
            }
        }
        let Some(session) = begun.session else { return row };
        if let Some((turns, sent, received, usd)) = material.used.get(session) {
            (row.turns, row.input_tokens, row.output_tokens, row.cost_usd) = (*turns, *sent, *received, *usd);
        }
        let records = material.runs.get(session).map(Vec::as_slice).unwrap_or_default();
        for record in records {
            count(record, &mut row);
        }
        let asked = Asked::of(records);
        let decisions = asked.decisions(&row, begun.at_ms, texts);
        row.decisions = number(decisions.len());
        self.sections.extend(asked.sections(&row));
        self.decisions.extend(decisions);
        row
    }
}

/// What one record adds to the row of its run.
fn count(record: &Record, row: &mut RunRow) {
    match &record.event {
        Event::ToolStarted(_) => row.tool_calls += 1,
        Event::RequestMade(made) if matches!(made.request, Request::Ask { .. }) => row.questions += 1,
        Event::HookFinished(hook) => {
            row.findings += number(hook.findings.len());
            row.reworks += u64::from(matches!(hook.verdict, Verdict::Rework { .. }));
        }
        Event::RunFinished(finished) => row.output_words = finished.output.as_deref().map_or(0, words),
        // What is counted is named above; everything else that happens in a run stands in the list of events.
        _ => {}
    }
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn words(text: &str) -> u64 {
    number(text.split_whitespace().count())
}

/// A decision, as the journal tells of it.
struct Decided<'a> {
    hash: &'a str,
    item: &'a str,
    choice: String,
    text: Option<&'a str>,
    elapsed_ms: u64,
    at_ms: u64,
}

/// What was asked in a run, and what was decided.
struct Asked<'a> {
    /// Each time something was asked: its hash, who asked, where, the question.
    questions: Vec<(&'a str, &'a str, Option<Point>, &'a Question)>,
    decided: Vec<Decided<'a>>,
}

impl<'a> Asked<'a> {
    fn of(records: &'a [Record]) -> Self {
        let mut asked = Self { questions: Vec::new(), decided: Vec::new() };
        for record in records {
            match &record.event {
                Event::RequestMade(made) => {
                    if let Request::Ask { question } = &made.request {
                        asked.questions.push((&made.hash, &made.by, made.point, question));
                    }
                }
                Event::ItemDecided(it) => asked.decided.push(Decided {
                    hash: &it.hash,
                    item: &it.decision.item,
                    choice: it.decision.choice.clone(),
                    text: it.decision.text.as_deref(),
                    elapsed_ms: it.elapsed_ms,
                    at_ms: record.at_ms,
                }),
                Event::RequestAnswered(answered) => {
                    if let RequestAnswer::Ask { outcome, elapsed_ms, .. } = &answered.answer {
                        let whole = |choice: &str, text| Decided {
                            hash: &answered.hash,
                            item: "",
                            choice: choice.to_owned(),
                            text,
                            elapsed_ms: *elapsed_ms,
                            at_ms: record.at_ms,
                        };
                        match outcome {
                            Outcome::Answered(Answer::Choice(choice)) => asked.decided.push(whole(choice, None)),
                            Outcome::Answered(Answer::Text(text)) => asked.decided.push(whole("text", Some(text))),
                            // Item by item, each was told when it fell.
                            Outcome::Answered(Answer::Items(_)) => {}
                            Outcome::Declined => asked.decided.push(whole("declined", None)),
                            Outcome::Dismissed => asked.decided.push(whole("dismissed", None)),
                            Outcome::TimedOut => asked.decided.push(whole("timed-out", None)),
                        }
                    }
                }
                // Nothing else is asked or decided.
                _ => {}
            }
        }
        asked
    }

    fn question(&self, hash: &str) -> Option<(&'a str, &'a Question)> {
        let found = self.questions.iter().find(|(known, ..)| *known == hash);
        found.map(|(_, by, _, question)| (*by, *question))
    }

    fn decisions(&self, run: &RunRow, began_ms: u64, texts: bool) -> Vec<DecisionRow> {
        let row = |(number, it): (u64, &Decided<'_>)| {
            let (asked_by, question) = self.question(it.hash).map_or(("", ""), |(by, question)| (by, &question.id));
            DecisionRow {
                participant: run.participant.clone(),
                task: run.task.clone(),
                condition: run.condition.clone(),
                number,
                asked_by: asked_by.to_owned(),
                question: question.to_owned(),
                item: it.item.to_owned(),
                choice: it.choice.clone(),
                text_chars: number_of_chars(it.text),
                text: it.text.filter(|_| texts).map(ToOwned::to_owned),
                elapsed_ms: it.elapsed_ms,
                after_ms: it.at_ms.saturating_sub(began_ms),
            }
        };
        (1..).zip(&self.decided).map(row).collect()
    }

    /// The parts of drafts that were shown for a decision: after the model has answered, item by item.
    fn sections(&self, run: &RunRow) -> Vec<SectionRow> {
        // By question and item: two questions may have items of one name.
        let mut shown: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        let mut hashes: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for (hash, _, _, question) in self.questions.iter().filter(|(_, _, point, _)| *point == Some(Point::PostLoop)) {
            let QuestionKind::Items { items, .. } = &question.kind else { continue };
            for item in items.iter().filter(|item| words(&item.detail) > 0) {
                shown.entry((&question.id, &item.id)).or_default().push(&item.detail);
                hashes.entry((&question.id, &item.id)).or_default().push(hash);
            }
        }
        let row = |((question, section), details): ((&str, &str), Vec<&str>)| {
            let own = hashes.get(&(question, section)).cloned().unwrap_or_default();
            let decided = || self.decided.iter().filter(|it| it.item == section && own.contains(&it.hash));
            let (first, last) = (details.first().copied().unwrap_or(""), details.last().copied().unwrap_or(""));
            let (edit, distance) = edit(first, last);
            SectionRow {
                participant: run.participant.clone(),
                task: run.task.clone(),
                condition: run.condition.clone(),
                question: question.to_owned(),
                section: section.to_owned(),
                shown: number(details.len()),
                decision: decided().next_back().map(|it| it.choice.clone()),
                elapsed_ms: decided().map(|it| it.elapsed_ms).sum(),
                edit: edit.to_owned(),
                distance,
                words_first: words(first),
                words_last: words(last),
            }
        };
        shown.into_iter().map(row).collect()
    }
}

fn number_of_chars(text: Option<&str>) -> u64 {
    number(text.map_or(0, |text| text.chars().count()))
}

/// What kind of change lies between two texts, and how far they are apart.
fn edit(before: &str, after: &str) -> (&'static str, f64) {
    if before.trim() == after.trim() {
        return ("none", 0.0);
    }
    let distance = f64::from(1.0 - TextDiff::from_words(before, after).ratio());
    let lines = |text: &str| {
        let mut lines: Vec<String> =
            text.lines().map(|line| line.trim().to_owned()).filter(|it| !it.is_empty()).collect();
        lines.sort();
        lines
    };
    let (was, is) = (lines(before), lines(after));
    let kind = match distance {
        _ if was == is => "structure",
        distance if distance >= REPLACED_FROM => "replaced",
        distance if distance <= WORDING_TO && was.len() == is.len() => "wording",
        _ => "content",
    };
    (kind, (distance * 1_000.0).round() / 1_000.0)
}

/// An event without anything that names somebody or says what they wrote: for the list of events.
pub(super) fn event(material: &Material, session: &str, record: &Record, task: (&str, &str)) -> Value {
    let first_ms = material.runs.get(session).and_then(|records| records.first()).map_or(0, |first| first.at_ms);
    let detail = match &record.event {
        Event::ModelAnswered(it) => serde_json::json!({ "turn": it.turn, "usage": it.answer.used() }),
        Event::ToolStarted(it) => serde_json::json!({ "tool": it.call.name, "component": it.component }),
        Event::HookFinished(it) => serde_json::json!({
            "hook": it.hook, "point": it.point, "sha256": it.sha256, "verdict": verdict(&it.verdict),
            "findings": it.findings.iter().map(|finding| finding.class.as_str()).collect::<Vec<_>>(),
        }),
        Event::RequestMade(it) => serde_json::json!({ "by": it.by, "number": it.number }),
        Event::ItemDecided(it) => {
            serde_json::json!({ "item": it.decision.item, "choice": it.decision.choice, "elapsed_ms": it.elapsed_ms })
        }
        Event::RunFinished(it) => serde_json::json!({ "status": it.status }),
        // The name alone says what happened; what was said stays in the journal.
        _ => Value::Null,
    };
    serde_json::json!({
        "participant": material.participant, "task": task.0, "condition": task.1, "seq": record.seq,
        "after_ms": record.at_ms.saturating_sub(first_ms), "type": record.event.name(), "detail": detail,
    })
}

const fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Modify(_) => "modify",
        Verdict::Refuse { .. } => "refuse",
        Verdict::Rework { .. } => "rework",
        Verdict::Abort { .. } => "abort",
        Verdict::Failed { .. } => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::edit;

    #[test]
    fn kinds_of_edits() {
        let text = "one two three four five six\nseven eight nine ten";
        assert_eq!(edit(text, text), ("none", 0.0));
        assert_eq!(edit(text, "seven eight nine ten\none two three four five six").0, "structure");
        assert_eq!(edit(text, "one two three four five SIX\nseven eight nine ten").0, "wording");
        assert_eq!(
            edit(text, "one two three four five six\nseven eight nine ten\na further line that is new").0,
            "content"
        );
        assert_eq!(edit(text, "nothing in common").0, "replaced");
    }
}
