//! `sessions`: earlier sessions of the same person.

use ta_core::hook::Subject;
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::sessions;
use crate::host::journal::asked;
use crate::invocation::{PastRun, SessionFound, SessionQuery};
use crate::limits::{PAST_RUNS_MAX, SESSIONS_FOUND_MAX};
use crate::state::State;

/// The error of a run that has no memory and so no earlier sessions.
const NONE: &str = "this run sees no earlier sessions";

impl sessions::Host for State {
    async fn search(&mut self, query: sessions::Query) -> Result<std::result::Result<Vec<sessions::Found>, String>> {
        self.enter()?;
        let query = SessionQuery {
            words: query.words,
            subject: query.subject.map(Into::into),
            since: query.since,
            until: query.until,
            limit: query.limit.min(SESSIONS_FOUND_MAX),
        };
        let import = format!("sessions.search {}", serde_json::to_string(&query).unwrap_or_default());
        let found: std::result::Result<Vec<SessionFound>, String> = match self.noted(&import)? {
            Some(found) => found,
            None => match self.invocation.sessions.clone() {
                Some(reader) => reader.search(query).await,
                None => Err(NONE.to_owned()),
            },
        };
        self.note(&import, &found);
        Ok(found.map(|found| found.into_iter().map(Into::into).collect()))
    }

    async fn read(&mut self, session: String) -> Result<std::result::Result<String, String>> {
        self.enter()?;
        let import = format!("sessions.read {session}");
        let text: std::result::Result<String, String> = match self.noted(&import)? {
            Some(text) => text,
            None => match self.invocation.sessions.clone() {
                Some(reader) => reader.read(session).await,
                None => Err(NONE.to_owned()),
            },
        };
        self.note(&import, &text);
        Ok(text)
    }

    async fn past_runs(&mut self, subject: Option<sessions::Subject>, limit: u32) -> Result<Vec<sessions::PastRun>> {
        self.enter()?;
        let limit = limit.min(PAST_RUNS_MAX);
        let subject: Option<Subject> = subject.map(Into::into);
        let whom = subject.as_ref().map_or_else(|| "*".to_owned(), |it| format!("{}/{}", it.kind, it.id));
        let import = format!("sessions.past-runs {whom} {limit}");
        let runs: Vec<PastRun> = match self.noted(&import)? {
            Some(runs) => runs,
            None => match self.invocation.sessions.clone() {
                Some(reader) => reader.past_runs(subject, limit).await,
                None => Vec::new(),
            },
        };
        self.note(&import, &runs);
        Ok(runs.into_iter().map(Into::into).collect())
    }
}

impl From<SessionFound> for sessions::Found {
    fn from(it: SessionFound) -> Self {
        Self {
            session: it.session,
            title: it.title,
            subject: it.subject.as_ref().map(Into::into),
            command: it.command,
            day: it.day,
            snippet: it.snippet,
        }
    }
}

impl From<PastRun> for sessions::PastRun {
    fn from(it: PastRun) -> Self {
        Self {
            session: it.session,
            run: it.run,
            command: it.command,
            day: it.day,
            input: it.input,
            first_output: it.first_output,
            final_output: it.final_output,
            questions: it.questions.iter().map(asked).collect(),
        }
    }
}
