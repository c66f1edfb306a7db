//! Earlier sessions, as guests and people read them: those of one owner.

use std::fmt::Write as _;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ta_core::event::{Event, Status};
use ta_core::hook::Subject;
use ta_core::machine::{Asked, Machine};
use ta_core::model::BoxFuture;
use ta_core::question::{Answer, Outcome};
use ta_sandbox::{PastRun, SessionFound, SessionQuery, SessionReader};
use ta_store::{SearchQuery, SessionFilter, SessionRow, State, Store};

use crate::history;

/// Bytes of a session that a guest reads.
const SESSION_BYTES_MAX: usize = 100 * 1024;
/// Sessions looked through for earlier runs, for each run that is wanted: most sessions have one run that ended well.
const SESSIONS_PER_RUN: usize = 3;
const DAY_MS: u64 = 86_400_000;

/// Reads the sessions of one owner, all but one.
pub struct Sessions {
    /// The journal.
    pub store: Arc<dyn Store>,
    /// The owner.
    pub owner: String,
    /// The plugin whose earlier runs are shown.
    pub plugin: String,
    /// The session that asks.
    pub own: String,
}

/// The day of a time, as `2026-11-22`, in UTC: the same on every machine that replays it.
#[must_use]
pub fn day(at_ms: u64) -> String {
    let at = i64::try_from(at_ms).ok().and_then(|at| Timestamp::from_millisecond(at).ok()).unwrap_or_default();
    at.to_zoned(TimeZone::UTC).date().to_string()
}

/// The first millisecond of a day and the first after it.
///
/// # Errors
/// A sentence, where it is no day.
pub fn day_ms(text: &str) -> Result<(u64, u64), String> {
    let unfit = |_| format!("`{text}` is no day; write it as 2026-11-22");
    let date: Date = text.parse().map_err(unfit)?;
    let start = date.to_zoned(TimeZone::UTC).map_err(unfit)?.timestamp().as_millisecond();
    let start = u64::try_from(start).unwrap_or(0);
    Ok((start, start.saturating_add(DAY_MS)))
}

impl SessionReader for Sessions {
    fn search(&self, query: SessionQuery) -> BoxFuture<'_, Result<Vec<SessionFound>, String>> {
        Box::pin(async move {
            let since = query.since.as_deref().map(day_ms).transpose()?.map(|(start, _)| start);
            let until = query.until.as_deref().map(day_ms).transpose()?.map(|(_, end)| end.saturating_sub(1));
            let wanted = SearchQuery {
                owner: self.owner.clone(),
                words: query.words,
                plugin: None,
                subject: query.subject.map(Into::into),
                since_ms: since,
                until_ms: until,
                // One more, since the session that asks may be among them.
                limit: query.limit as usize + 1,
            };
            let hits = self.store.search(wanted).await.map_err(|error| error.to_string())?;
            let others = hits.into_iter().filter(|hit| hit.session.id != self.own).take(query.limit as usize);
            Ok(others.map(|hit| found(hit.session, hit.snippet)).collect())
        })
    }

    fn read(&self, session: String) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async move {
            let row = history::session(&*self.store, &session).await.ok().filter(|row| row.owner == self.owner);
            // Another owner's session is not told apart from one that does not exist.
            let row = row.ok_or_else(|| format!("there is no session `{session}`; search_sessions finds their ids"))?;
            self.transcript(&row).await
        })
    }

    fn past_runs(&self, subject: Option<Subject>, limit: u32) -> BoxFuture<'_, Vec<PastRun>> {
        Box::pin(async move {
            let mut runs = Vec::new();
            let filter = SessionFilter {
                plugin: Some(self.plugin.clone()),
                owner: Some(self.owner.clone()),
                subject: subject.map(Into::into),
                ..SessionFilter::newest(limit as usize * SESSIONS_PER_RUN)
            };
            let rows = self.store.sessions(filter).await.unwrap_or_default();
            for row in rows.iter().filter(|row| row.id != self.own && row.state == State::Finished) {
                if runs.len() >= limit as usize {
                    break;
                }
                runs.extend(self.runs_of(row).await);
            }
            runs.truncate(limit as usize);
            runs
        })
    }
}

fn found(row: SessionRow, snippet: String) -> SessionFound {
    SessionFound {
        day: day(row.created_ms),
        session: row.id,
        title: row.title,
        subject: row.subject,
        command: row.command,
        snippet,
    }
}

impl Sessions {
    /// The runs of a session that ended well, the newest first.
    async fn runs_of(&self, row: &SessionRow) -> Vec<PastRun> {
        let Ok(lineage) = history::lineage(&*self.store, &row.id).await else { return Vec::new() };
        let mut runs = Vec::new();
        let mut machine: Option<Machine> = None;
        for record in &lineage {
            if matches!(record.event, Event::RunStarted(_)) {
                machine = Some(Machine::default());
            }
            let Some(machine) = &mut machine else { continue };
            machine.next(record);
            let Event::RunFinished(finished) = &record.event else { continue };
            if finished.status == Status::Success && record.session == row.id {
                let context = machine.ledger();
                runs.push(PastRun {
                    session: row.id.clone(),
                    run: record.run.clone(),
                    command: machine.start().command.clone(),
                    day: day(record.at_ms),
                    input: machine.start().input.clone(),
                    first_output: machine
                        .conversation()
                        .drafts
                        .first()
                        .map(|draft| draft.text.clone())
                        .unwrap_or_default(),
                    final_output: finished.output.clone().unwrap_or_default(),
                    questions: context.questions.clone(),
                });
            }
        }
        runs.reverse();
        runs
    }

    /// A session as markdown: for each run the request, what the person decided, and the output.
    async fn transcript(&self, row: &SessionRow) -> Result<String, String> {
        let lineage = history::lineage(&*self.store, &row.id).await.map_err(|error| error.message)?;
        let mut text = format!("# Session {} of {}\n", row.id, day(row.created_ms));
        let mut machine: Option<Machine> = None;
        for record in &lineage {
            if let Event::RunStarted(start) = &record.event {
                machine = Some(Machine::default());
                let subject = start.subject.as_ref();
                let subject = subject.map_or_else(|| "nothing named".to_owned(), |it| format!("{} {}", it.kind, it.id));
                let _ = write!(text, "\n## {} ({subject})\n\nRequest: {}\n", start.command, start.input);
            }
            let Some(machine) = &mut machine else { continue };
            machine.next(record);
            if let Event::RunFinished(finished) = &record.event {
                decisions(&machine.ledger().questions, &mut text);
                let _ = write!(text, "\nEnded: {}\n", finished.status.name());
                if let Some(output) = &finished.output {
                    let _ = write!(text, "\n{}\n", output.trim());
                }
            }
        }
        Ok(shortened(text))
    }
}

fn decisions(questions: &[Asked], text: &mut String) {
    for asked in questions {
        let _ = write!(text, "\n{} ({}):", asked.question.title, asked.hook);
        match &asked.outcome {
            Outcome::Answered(Answer::Items(decisions)) => {
                for decision in decisions {
                    let said = decision.text.as_deref().map(|said| format!(": {said}")).unwrap_or_default();
                    let _ = write!(text, "\n- {}: {}{said}", decision.item, decision.choice);
                }
                text.push('\n');
            }
            Outcome::Answered(Answer::Choice(answer) | Answer::Text(answer)) => drop(writeln!(text, " {answer}")),
            Outcome::Declined => text.push_str(" declined\n"),
            Outcome::Dismissed => text.push_str(" dismissed\n"),
            Outcome::TimedOut => text.push_str(" nobody answered in time\n"),
        }
    }
}

/// The beginning and the end of a long text.
fn shortened(text: String) -> String {
    if text.len() <= SESSION_BYTES_MAX {
        return text;
    }
    let half = SESSION_BYTES_MAX / 2;
    let head = text.floor_char_boundary(half);
    let tail = text.ceil_char_boundary(text.len() - half);
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    format!("{head}\n\n[the middle is left out]\n\n{tail}")
}
