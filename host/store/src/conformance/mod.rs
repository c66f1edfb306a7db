//! What every backend must do, as a suite that runs against any of them.
//!
//! The store's own tests run it; a backend in another crate turns on the feature `conformance` and runs it too:
//!
//! ```text
//! conformance::check(|| Ok(Arc::new(RamStore::new()))).await?;
//! ```

mod chain;
mod claims;
mod codes;
mod erase;
mod journal;
mod later;
mod lesson;
mod lists;
mod memory;
mod sample;
mod search;
mod views;

use std::fmt::Debug;
use std::sync::Arc;

use ta_core::model::BoxFuture;

use crate::error::StoreError;
use crate::store::Store;

pub use lesson::{lesson, rare};
pub use sample::{
    answered, asked, called, decided, decision, deleted, finished, finished_with, forked, hooked, note, parked,
    prompted, remembered, renamed, replied, restored, resumed, started, started_for, used,
};

/// A backend does not do what it must.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{case}: {what}")]
pub struct Failure {
    /// What was tried.
    pub case: &'static str,
    /// What was expected and what was found.
    pub what: String,
}

/// Why a case failed.
struct Wrong(String);

impl From<StoreError> for Wrong {
    fn from(error: StoreError) -> Self {
        Self(format!("{error} [{}]", error.code()))
    }
}

type Outcome = Result<(), Wrong>;
type Case = (&'static str, fn(Arc<dyn Store>) -> BoxFuture<'static, Outcome>);

const CASES: &[Case] = &[
    ("events are numbered from 1 without gaps", |store| Box::pin(journal::numbers(store))),
    ("reading goes on after a number, up to a limit", |store| Box::pin(journal::reads_pages(store))),
    ("what is appended is what is read", |store| Box::pin(journal::reads_what_was_appended(store))),
    ("a writer that has not seen the end is refused", |store| Box::pin(journal::refuses_conflicts(store))),
    ("of many writers at one place one wins", |store| Box::pin(journal::one_wins(store))),
    ("writers of different sessions do not disturb each other", |store| Box::pin(journal::parallel(store))),
    ("a run stays in its session", |store| Box::pin(journal::run_stays(store))),
    ("what could not be read again is refused", |store| Box::pin(journal::refuses_unreadable(store))),
    ("ids are plain", |store| Box::pin(journal::refuses_ids(store))),
    ("order is by number, whatever the clock says", |store| Box::pin(journal::clock_goes_back(store))),
    ("blobs are kept by digest", |store| Box::pin(journal::keeps_blobs(store))),
    ("what is to be durable later is there", |store| Box::pin(later::is_there(store))),
    ("what is to be durable later is checked", |store| Box::pin(later::refuses(store))),
    ("every read sees what was accepted before it", |store| Box::pin(later::every_read(store))),
    ("runs of a session take turns", |store| Box::pin(later::runs_take_turns(store))),
    ("the records of a session form a chain", |store| Box::pin(chain::holds(store))),
    ("a chain tells what was changed, moved or left out", |store| Box::pin(chain::tells(store))),
    ("a session's row follows its events", |store| Box::pin(views::session_follows(store))),
    ("a session's row is about its last run", |store| Box::pin(views::session_has_runs(store))),
    ("a run's row adds up its model calls", |store| Box::pin(views::run_adds_up(store))),
    ("a title is cut between characters", |store| Box::pin(views::cuts_titles(store))),
    ("views are made again from the events", |store| Box::pin(views::rebuilds(store))),
    ("sessions are listed newest first, page by page", |store| Box::pin(lists::pages(store))),
    ("sessions are listed by plugin", |store| Box::pin(lists::by_plugin(store))),
    ("a page stays where it is while sessions begin", |store| Box::pin(lists::stays(store))),
    ("sessions are listed by owner, subject and time", |store| Box::pin(lists::filters(store))),
    ("a deleted session is in no list until it is put back", |store| Box::pin(lists::deleted(store))),
    ("sessions that are not over are listed by themselves", |store| Box::pin(lists::unfinished(store))),
    ("ids are found by their beginning", |store| Box::pin(lists::finds(store))),
    ("an ambiguous beginning names its candidates", |store| Box::pin(lists::names_candidates(store))),
    ("sessions are found by words", |store| Box::pin(search::finds_words(store))),
    ("words a person types have no other meaning", |store| Box::pin(search::words_are_data(store))),
    ("a search without words lists the newest", |store| Box::pin(search::newest_without_words(store))),
    ("a search stays with its owner", |store| Box::pin(search::keeps_owners_apart(store))),
    ("a search is narrowed by subject, plugin and time", |store| Box::pin(search::filters(store))),
    ("hits come best first", |store| Box::pin(search::ranks(store))),
    ("a snippet marks what was found", |store| Box::pin(search::marks_snippets(store))),
    ("what the person wrote when deciding is found", |store| Box::pin(search::finds_decisions(store))),
    ("memory files follow the events", |store| Box::pin(memory::folds_files(store))),
    ("notes that are shown are counted", |store| Box::pin(memory::counts_uses(store))),
    ("a session and its forks count as one", |store| Box::pin(memory::counts_a_fork_once(store))),
    ("memory stays with its owner", |store| Box::pin(memory::keeps_owners_apart(store))),
    ("every read, write and decision is audited", |store| Box::pin(memory::audits(store))),
    ("what happens outside runs is not listed", |store| Box::pin(memory::outside_runs(store))),
    ("memory is made again in the order of the appends", |store| Box::pin(memory::rebuilds(store))),
    ("of an erased session nothing is left but its headers", |store| Box::pin(erase::leaves_nothing(store))),
    ("an erased session has come to its end", |store| Box::pin(erase::ends_a_session(store))),
    ("a session that is being written is not erased", |store| Box::pin(erase::respects_claims(store))),
    ("a session whose past others share is not erased without them", |store| Box::pin(erase::knows_forks(store))),
    ("everything of an owner is found and erased", |store| Box::pin(erase::reaches_an_owner(store))),
    ("what was forgotten stays so", |store| Box::pin(erase::keeps_what_was_forgotten(store))),
    ("a note whose move is erased is where it was", |store| Box::pin(erase::gives_back_what_was_moved(store))),
    ("a person's own lines stay, an erased session's notes go", |store| {
        Box::pin(erase::leaves_what_a_person_typed(store))
    }),
    ("a session has one writer", |store| Box::pin(claims::one_writer(store))),
    ("a claim past its time is taken over", |store| Box::pin(claims::expires(store))),
    ("a clock set back does not keep a session for ever", |store| Box::pin(claims::clock_goes_back(store))),
    ("access codes open one session and can be revoked", |store| Box::pin(codes::are_kept(store))),
    ("an access code goes with its session", |store| Box::pin(codes::go_with_their_session(store))),
    ("what is due is listed, the first first", |store| Box::pin(codes::due(store))),
];

/// Runs every case, each against a new and empty store. Has to run within a tokio runtime.
///
/// # Errors
/// The first case that fails.
pub async fn check(make: impl Fn() -> Result<Arc<dyn Store>, StoreError>) -> Result<(), Failure> {
    for (case, run) in CASES {
        let failure = |Wrong(what)| Failure { case, what };
        let store = make().map_err(|error| failure(error.into()))?;
        run(store).await.map_err(failure)?;
    }
    Ok(())
}

/// Two values have to be the same.
fn same<T: PartialEq<U> + Debug, U: Debug>(what: &str, found: &T, expected: &U) -> Outcome {
    if found == expected {
        return Ok(());
    }
    Err(Wrong(format!("{what}: expected {expected:?}, found {found:?}")))
}

/// A request has to be refused with this code.
fn refused<T: Debug>(what: &str, outcome: Result<T, StoreError>, code: &str) -> Result<StoreError, Wrong> {
    match outcome {
        Err(error) if error.code() == code => Ok(error),
        other => Err(Wrong(format!("{what}: expected `{code}`, found {other:?}"))),
    }
}
