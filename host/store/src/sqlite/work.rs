//! What the writer is asked for, and the parts of a transaction that it makes of that.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rusqlite::Connection;
use ta_core::Record;
use tokio::sync::oneshot;

use super::append::append;
use super::claims::{claim, release};
use super::{codes, erase, views};
use crate::codes::{CodeChange, CodeRow};
use crate::erase::{Erased, Erasure};
use crate::error::StoreError;
use crate::prepare::Prepared;

/// Where a caller waits for what became of its request.
pub(super) type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Any statement, for tests that do what nobody may.
#[cfg(test)]
pub(super) type Tamper = dyn Fn(&Connection) -> rusqlite::Result<()> + Send;

/// A write and whoever waits for it.
pub(super) enum Work {
    /// Answered when it is durable, with the records after a number.
    Append {
        prepared: Prepared,
        after: u64,
        answer: Answer<Vec<Record>>,
    },
    /// Answered when it is accepted.
    AppendLater {
        prepared: Prepared,
        answer: Answer<Vec<Record>>,
    },
    /// Answered when what was accepted before is durable: all of a session, or of all sessions what can be.
    Barrier {
        session: Option<String>,
        answer: Answer<()>,
    },
    Claim {
        session: String,
        holder: String,
        now_ms: u64,
        ttl_ms: u64,
        answer: Answer<()>,
    },
    Release {
        session: String,
        holder: String,
        answer: Answer<()>,
    },
    /// Answered when the file was written anew.
    Erase {
        erasure: Erasure,
        erased: RefCell<Option<Erased>>,
        answer: Answer<Erased>,
    },
    AddCodes {
        codes: Vec<CodeRow>,
        answer: Answer<()>,
    },
    /// Answered with the code as it is then.
    ChangeCode {
        id: String,
        change: CodeChange,
        changed: RefCell<Option<CodeRow>>,
        answer: Answer<Option<CodeRow>>,
    },
    Rebuild {
        answer: Answer<()>,
    },
    #[cfg(test)]
    Tamper {
        tamper: Box<Tamper>,
        answer: Answer<()>,
    },
}

impl Work {
    /// Carries the request out, within a transaction. May be called again after that was rolled back.
    fn run(&self, connection: &Connection) -> Result<(), StoreError> {
        match self {
            Self::Append { prepared, .. } | Self::AppendLater { prepared, .. } => append(connection, prepared),
            Self::Barrier { .. } => Ok(()),
            Self::Claim { session, holder, now_ms, ttl_ms, .. } => claim(connection, session, holder, *now_ms, *ttl_ms),
            Self::Release { session, holder, .. } => release(connection, session, holder),
            Self::Erase { erasure, erased, .. } => {
                erased.replace(Some(erase::erase(connection, erasure)?));
                Ok(())
            }
            Self::AddCodes { codes, .. } => codes::add(connection, codes),
            Self::ChangeCode { id, change, changed, .. } => {
                changed.replace(codes::change(connection, id, change)?);
                Ok(())
            }
            Self::Rebuild { .. } => views::rebuild(connection),
            #[cfg(test)]
            Self::Tamper { tamper, .. } => Ok(tamper(connection)?),
        }
    }

    /// The session that it appends to, or whose appends it waits for.
    pub(super) fn session(&self) -> Option<&str> {
        match self {
            Self::Append { prepared, .. } | Self::AppendLater { prepared, .. } => Some(&prepared.session),
            Self::Barrier { session, .. } => session.as_deref(),
            _ => None,
        }
    }

    /// Tells the caller, if it still waits.
    pub(super) fn answer(self, outcome: Result<(), StoreError>) {
        let _ = match self {
            Self::Append { prepared, after, answer } => {
                answer.send(outcome.map(|()| prepared.into_records(after))).is_ok()
            }
            Self::AppendLater { prepared, answer } => answer.send(outcome.map(|()| prepared.into_records(0))).is_ok(),
            Self::Erase { erased, answer, .. } => {
                let outcome = outcome.and_then(|()| erased.into_inner().ok_or(StoreError::Closed));
                answer.send(outcome).is_ok()
            }
            Self::ChangeCode { changed, answer, .. } => answer.send(outcome.map(|()| changed.into_inner())).is_ok(),
            Self::Barrier { answer, .. }
            | Self::Claim { answer, .. }
            | Self::Release { answer, .. }
            | Self::AddCodes { answer, .. }
            | Self::Rebuild { answer } => answer.send(outcome).is_ok(),
            #[cfg(test)]
            Self::Tamper { answer, .. } => answer.send(outcome).is_ok(),
        };
    }
}

/// A part of a transaction, which succeeds or fails as a whole: what was kept, a request, or what was kept and the request
/// that it be durable.
pub(super) struct Part {
    pub(super) kept: Option<Prepared>,
    pub(super) work: Option<Work>,
}

impl Part {
    /// A request, with what is kept of its session where it has to do with that.
    pub(super) fn of(work: Work, all_kept: &mut BTreeMap<String, Prepared>) -> Self {
        let kept = |session: &String| all_kept.get(session);
        match work {
            Work::Append { prepared, after, answer }
                if kept(&prepared.session).is_some_and(|kept| kept.goes_on_with(&prepared)) =>
            {
                let prepared = match all_kept.remove(&prepared.session) {
                    Some(mut whole) => {
                        whole.go_on(prepared);
                        whole
                    }
                    None => prepared,
                };
                Self { kept: None, work: Some(Work::Append { prepared, after, answer }) }
            }
            Work::Barrier { session: Some(session), answer } => {
                let kept = all_kept.remove(&session);
                Self { kept, work: Some(Work::Barrier { session: Some(session), answer }) }
            }
            work => Self { kept: None, work: Some(work) },
        }
    }

    pub(super) fn run(&self, connection: &Connection) -> Result<(), StoreError> {
        self.kept.as_ref().map_or(Ok(()), |kept| append(connection, kept))?;
        self.work.as_ref().map_or(Ok(()), |work| work.run(connection))
    }

    /// The last event that it appends.
    pub(super) fn last(&self) -> Option<&Record> {
        let asked = match &self.work {
            Some(Work::Append { prepared, .. }) => Some(prepared),
            _ => None,
        };
        asked.or(self.kept.as_ref())?.entries.last().map(|entry| &entry.record)
    }
}
