//! A study that has started: its own session in the journal, and where it stands.
//!
//! That session holds what happens in the study as a whole, by participants' public ids, and nothing that a participant said. It is
//! written by whoever knows its last record: two who start a study, or assign a participant, at the same time cannot both do so.

use std::collections::BTreeMap;

use ta_runtime::codes::{self, Bits};
use ta_runtime::host::now_ms;
use ta_runtime::surface::{
    CodeFilter, CodeRow, Event, OWNER_DEFAULT, Store, StudyRecorded, StudyStarted, StudyStep, digest,
};
use ta_runtime::{Host, RuntimeError, history};

use crate::definition::{Study, StudyFiles, participant};
use crate::design::{Levels, Sequence};
use crate::draws::{fill, fresh_seed};
use crate::under::{self, Place};

/// Tries against another writer: each needs one append.
const TRIES: usize = 8;
/// Codes that are given at once at the most.
pub const CODES_MAX: usize = 500;
/// Days for which a code is good.
const CODE_DAYS: u64 = 365;
/// Milliseconds of a day.
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
/// Bytes of a code's id.
const ID_BYTES: usize = 16;
/// The role of whoever has a code.
const ROLE: &str = "participant";

/// A participant as the study's session tells of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Participant {
    /// The level of each factor.
    pub levels: Levels,
    /// The place in the design's list, and the conditions in order, once they have begun.
    pub assigned: Option<(usize, Vec<String>)>,
    /// How they left, where they have: `dropped-out` or `withdrawn`.
    pub gone: Option<&'static str>,
    /// Whether they have done everything.
    pub finished: bool,
}

/// Where a study stands.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// How it started; none where it has not.
    pub started: Option<StudyStarted>,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub started_ms: u64,
    /// Whoever was given a code, by public id.
    pub participants: BTreeMap<String, Participant>,
    /// What was found not to be as at the start.
    pub drift: Vec<String>,
    /// Whether it is over.
    pub closed: bool,
    /// Number of the last record of its session.
    pub last_seq: u64,
}

/// The session of a study.
#[must_use]
pub fn session_of(study: &str) -> String {
    format!("study-{study}")
}

/// The session of a participant that holds what they said outside any run.
#[must_use]
pub fn session_of_participant(study: &str, participant: &str) -> String {
    format!("study-{study}-{participant}")
}

/// The owner of a participant's runs.
#[must_use]
pub fn owner_of(study: &str, participant: &str) -> String {
    format!("study.{study}.{participant}")
}

/// What a participant's code opens.
fn opens(study: &str, participant: &str) -> String {
    format!("studies/{study}/{participant}")
}

impl Standing {
    /// Where a study stands.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub async fn of(store: &dyn Store, study: &str) -> Result<Self, RuntimeError> {
        let mut standing = Self::default();
        for record in history::records(store, &session_of(study)).await? {
            standing.last_seq = record.seq;
            if let Event::StudyRecorded(recorded) = record.event {
                standing.take(*recorded, record.at_ms);
            }
        }
        Ok(standing)
    }

    fn take(&mut self, recorded: StudyRecorded, at_ms: u64) {
        let StudyRecorded { participant, what, .. } = recorded;
        let mut whom = |act: &mut dyn FnMut(&mut Participant)| {
            if let Some(id) = &participant {
                act(self.participants.entry(id.clone()).or_default());
            }
        };
        match what {
            StudyStep::Started(started) => (self.started, self.started_ms) = (Some(*started), at_ms),
            StudyStep::Coded { participants, levels } => {
                for id in participants {
                    self.participants.entry(id).or_default().levels.clone_from(&levels);
                }
            }
            StudyStep::Assigned { slot, sequence } => {
                let slot = usize::try_from(slot).unwrap_or(usize::MAX);
                whom(&mut |it| it.assigned = Some((slot, sequence.clone())));
            }
            StudyStep::Drifted { changes, .. } => self.drift.extend(changes),
            StudyStep::DroppedOut => whom(&mut |it| it.gone = Some("dropped-out")),
            StudyStep::Withdrawn { .. } => whom(&mut |it| it.gone = Some("withdrawn")),
            StudyStep::Finished => whom(&mut |it| it.finished = true),
            StudyStep::Closed => self.closed = true,
            StudyStep::Exported { .. }
            | StudyStep::Unblinded { .. }
            | StudyStep::Consented { .. }
            | StudyStep::TaskBegun { .. }
            | StudyStep::TaskEnded { .. }
            | StudyStep::Answered { .. } => {}
        }
    }

    /// How it started.
    ///
    /// # Errors
    /// `study.not_started`.
    pub fn started(&self, study: &str) -> Result<&StudyStarted, RuntimeError> {
        self.started.as_ref().ok_or_else(|| {
            let hint = format!("`study check {study}`, then `study start {study}`");
            RuntimeError::usage("study.not_started", format!("the study `{study}` has not started"), hint)
        })
    }

    /// Those who are in the study now and have begun: places, sequences by the conditions' numbers, levels.
    #[must_use]
    pub fn there(&self, conditions: &[String]) -> (Vec<usize>, Vec<Sequence>, Vec<(usize, Levels)>) {
        let (mut slots, mut taken, mut levels) = (Vec::new(), Vec::new(), Vec::new());
        for participant in self.participants.values().filter(|it| it.gone.is_none()) {
            let Some((slot, sequence)) = &participant.assigned else { continue };
            let number = |name: &String| conditions.iter().position(|known| known == name);
            let sequence: Sequence = sequence.iter().filter_map(number).collect();
            levels.push((sequence.first().copied().unwrap_or(0), participant.levels.clone()));
            slots.push(*slot);
            taken.push(sequence);
        }
        (slots, taken, levels)
    }
}

/// Appends to the session of a study.
///
/// # Errors
/// `store.conflict` where it ends elsewhere by now.
pub(crate) async fn append(
    store: &dyn Store,
    session: &str,
    last: u64,
    recorded: Vec<StudyRecorded>,
    blobs: Vec<Vec<u8>>,
) -> Result<(), RuntimeError> {
    let events = recorded.into_iter().map(|it| Event::StudyRecorded(Box::new(it))).collect();
    store.append(session, session, last, now_ms(), events, blobs.into_iter().map(Into::into).collect()).await?;
    Ok(())
}

/// Appends what depends on where the study stands: where somebody else was quicker, it is decided anew.
///
/// # Errors
/// What `decide` says; `study.busy` where somebody else is quicker all the time.
pub(crate) async fn decide(
    store: &dyn Store,
    study: &str,
    decide: impl FnMut(&Standing) -> Decision,
) -> Result<Standing, RuntimeError> {
    decide_with(store, study, &[], decide).await
}

/// What is decided: of which participant, if of one, and what; none where there is nothing to decide.
pub(crate) type Decision = Result<Option<(Option<String>, StudyStep)>, RuntimeError>;

/// The same, with bytes that are kept beside it.
pub(crate) async fn decide_with(
    store: &dyn Store,
    study: &str,
    blobs: &[Vec<u8>],
    mut decide: impl FnMut(&Standing) -> Decision,
) -> Result<Standing, RuntimeError> {
    for _ in 0..TRIES {
        let standing = Standing::of(store, study).await?;
        let Some((participant, what)) = decide(&standing)? else { return Ok(standing) };
        let recorded = StudyRecorded { study: study.to_owned(), participant, what };
        match append(store, &session_of(study), standing.last_seq, vec![recorded], blobs.to_vec()).await {
            Err(error) if error.code == "store.conflict" => {}
            appended => {
                appended?;
                return Standing::of(store, study).await;
            }
        }
    }
    Err(RuntimeError::usage("study.busy", "the study is being written elsewhere all the time", "try again in a moment"))
}

/// Starts a study: pins everything that it rests on and draws its seed.
///
/// # Errors
/// What `check` would say; `study.started` where it has started already, by whomever.
pub async fn start(host: &Host, files: &StudyFiles) -> Result<Standing, RuntimeError> {
    let study = Study::read(files)?;
    let place = Place { host, files, study: &study };
    let mut pins = BTreeMap::new();
    for (name, condition) in &study.conditions {
        for task in &study.tasks {
            under::request(place, condition, task)?;
        }
        pins.insert(name.clone(), under::pins(place, condition)?);
    }
    let texts = files.to_keep()?;
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let workspace = std::path::absolute(&host.config.workspace).unwrap_or_else(|_| host.config.workspace.clone());
    let started = StudyStarted {
        host: env!("CARGO_PKG_VERSION").to_owned(),
        design: study.design.kind.name().to_owned(),
        conditions: study.conditions.keys().cloned().collect(),
        each: small(study.design.each),
        block: small(study.design.block),
        participants: small(study.participants),
        seed: fresh_seed()?.to_string(),
        texts_sha256: digest(&texts),
        workspace: workspace.display().to_string(),
        pins,
    };
    let store = host.store()?;
    let what = StudyStep::Started(Box::new(started));
    let recorded = StudyRecorded { study: study.name.clone(), participant: None, what };
    match append(&*store, &session_of(&study.name), 0, vec![recorded], vec![texts]).await {
        Err(error) if error.code == "store.conflict" => {
            let message = format!("the study `{}` has started already", study.name);
            let hint = "`study status` shows it; a changed study is another one: give it another name with `study new`";
            Err(RuntimeError::usage("study.started", message, hint))
        }
        appended => {
            appended?;
            Standing::of(&*store, &study.name).await
        }
    }
}

/// The study as it began, from the journal.
///
/// # Errors
/// `study.not_started`, and where the journal does not hold it whole.
pub async fn begun(store: &dyn Store, files: &StudyFiles) -> Result<(Standing, StudyFiles, Study), RuntimeError> {
    let standing = Standing::of(store, &files.name).await?;
    let started = standing.started(&files.name)?;
    let bytes = store.blob(&started.texts_sha256).await?.unwrap_or_default();
    let directory = files.directory.clone();
    let kept = StudyFiles::kept(&files.name, &bytes, directory)?;
    let study = Study::read(&kept)?;
    Ok((standing, kept, study))
}

/// Whether sessions of a study may begin.
///
/// # Errors
/// `study.not_started`, `study.closed`.
pub async fn ready(host: &Host, files: &StudyFiles) -> Result<(), RuntimeError> {
    open(&Standing::of(&*host.store()?, &files.name).await?, &files.name)
}

/// An access code that was given. The code itself is told here and never again.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GivenCode {
    /// The participant's public id.
    pub participant: String,
    /// What opens their session.
    pub code: String,
    /// When it ends, in milliseconds since 1970-01-01 UTC.
    pub expires_ms: u64,
}

/// Gives codes to so many more participants, all of these levels.
///
/// # Errors
/// `study.not_started`, `study.closed`, `study.codes` for too many, `study.level` for a level that the study does not have.
pub async fn give_codes(
    host: &Host,
    files: &StudyFiles,
    count: usize,
    levels: &Levels,
) -> Result<Vec<GivenCode>, RuntimeError> {
    if !(1..=CODES_MAX).contains(&count) {
        let message = format!("codes are given 1 to {CODES_MAX} at once");
        return Err(RuntimeError::usage("study.codes", message, "give such a number with --count"));
    }
    let store = host.store()?;
    let (_, _, study) = begun(&*store, files).await?;
    check_levels(&study, levels)?;
    let mut ids = Vec::new();
    decide(&*store, &study.name, |standing| {
        open(standing, &study.name)?;
        let first = standing.participants.len();
        ids = (first + 1..=first + count).map(participant).collect();
        Ok(Some((None, StudyStep::Coded { participants: ids.clone(), levels: levels.clone() })))
    })
    .await?;
    let created_ms = now_ms();
    let expires_ms = created_ms.saturating_add(CODE_DAYS * DAY_MS);
    let (mut rows, mut given) = (Vec::new(), Vec::new());
    for participant in ids {
        let (mut id, mut bits) = ([0_u8; ID_BYTES], Bits::default());
        fill(&mut id)?;
        fill(&mut bits)?;
        let code = codes::written(&bits);
        rows.push(CodeRow {
            id: hex::encode(id),
            sha256: codes::digest(&code).unwrap_or_default(),
            owner: OWNER_DEFAULT.to_owned(),
            opens: opens(&study.name, &participant),
            role: ROLE.to_owned(),
            subject: None,
            created_ms,
            expires_ms,
            revoked_ms: None,
            session: Some(session_of_participant(&study.name, &participant)),
        });
        given.push(GivenCode { participant, code, expires_ms });
    }
    store.add_codes(rows).await?;
    Ok(given)
}

fn check_levels(study: &Study, levels: &Levels) -> Result<(), RuntimeError> {
    for (factor, known) in &study.factors {
        if !levels.get(factor).is_some_and(|level| known.contains(level)) {
            let message = format!("the level of `{factor}` is not said, or is none of: {}", known.join(", "));
            let hint = format!("give it with --level {factor}={}", known.first().map_or("…", String::as_str));
            return Err(RuntimeError::usage("study.level", message, hint));
        }
    }
    match levels.keys().find(|factor| !study.factors.contains_key(*factor)) {
        Some(factor) => {
            let message = format!("the study has no factor `{factor}`");
            Err(RuntimeError::usage("study.level", message, "factors stand in `[assignment.factors]`"))
        }
        None => Ok(()),
    }
}

/// Whether sessions may begin.
///
/// # Errors
/// `study.closed`.
pub(crate) fn open(standing: &Standing, study: &str) -> Result<(), RuntimeError> {
    standing.started(study)?;
    if standing.closed {
        let message = format!("the study `{study}` is closed");
        return Err(RuntimeError::usage("study.closed", message, "whoever ran it closed it; nothing begins any more"));
    }
    Ok(())
}

/// The participant whose code somebody typed.
///
/// # Errors
/// `code.unknown` for one that there is not or that is of something else, `code.expired`, `code.revoked`.
pub async fn participant_of(store: &dyn Store, study: &str, typed: &str) -> Result<String, RuntimeError> {
    let hint = "whoever gave it has a list of them; a code has twenty letters and digits";
    let unknown = || RuntimeError::usage("code.unknown", "there is no such access code", hint);
    // By what was typed alone: an id opens nothing.
    let sha256 = codes::digest(typed).ok_or_else(unknown)?;
    let row = store.codes(CodeFilter::Sha256(sha256)).await?.into_iter().next().ok_or_else(unknown)?;
    let participant = row.opens.strip_prefix(&format!("studies/{study}/")).ok_or_else(unknown)?;
    match codes::check(&row, now_ms()) {
        Ok(()) => Ok(participant.to_owned()),
        Err(codes::Shut::Expired) => Err(RuntimeError::usage("code.expired", "the access code has expired", hint)),
        Err(codes::Shut::Revoked) => Err(RuntimeError::usage("code.revoked", "the access code was revoked", hint)),
    }
}

/// Closes a study: nothing begins any more, and its seed may be shown.
///
/// # Errors
/// `study.not_started`, `study.closed`.
pub async fn close(host: &Host, name: &str) -> Result<Standing, RuntimeError> {
    let store = host.store()?;
    decide(&*store, name, |standing| {
        open(standing, name)?;
        Ok(Some((None, StudyStep::Closed)))
    })
    .await
}
