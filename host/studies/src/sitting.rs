//! A participant's session: what comes next, under the condition that the study decided, until everything is done or they stop.
//!
//! Whoever has a code brings nothing but answers. Which condition is next, whether anything has changed since the study began, and
//! in which workspace and memory the runs are is decided here.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use ta_runtime::host::now_ms;
use ta_runtime::surface::{
    Answer, Choice, Event, Outcome, Question, QuestionKind, Record, State, Store, StoreError, StudyRecorded, StudyStep,
    digest,
};
use ta_runtime::{Ended, Host, Observer, Person, RunEnd, RunRequest, RuntimeError, history, run};

use crate::asking::{answer, asked, value};
use crate::definition::{Study, StudyFiles, Task, Who};
use crate::design::There;
use crate::home;
use crate::steps::{Step, to_come};
use crate::study::{self, Standing, append, decide, owner_of, participant_of, session_of_participant};
use crate::under::{self, Place, differences};

/// How long a sitting holds a participant's session against another one with the same code, without renewing it.
const CLAIM_TTL_MS: u64 = 60 * 60 * 1_000;
/// Characters of a session's id: those of every other session.
const RUN_ID_CHARS: usize = 32;
/// The question about taking part, in files of answers.
pub const CONSENT: &str = "consent";
/// The question about what a participant writes alone, in files of answers.
pub const WORK: &str = "work";

/// How far a participant has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The public id.
    pub participant: String,
    /// What is done.
    pub done: usize,
    /// What there is to do in all.
    pub of: usize,
    /// How it stands: `finished`, `waits` or `declined`.
    pub state: &'static str,
    /// What comes next, in words that name no condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A sitting of one participant.
pub struct Sitting<'a> {
    host: &'a Host,
    store: Arc<dyn Store>,
    files: StudyFiles,
    pub(crate) study: Study,
    participant: String,
}

impl<'a> Sitting<'a> {
    /// The sitting of whoever has this code.
    ///
    /// # Errors
    /// `code.unknown` and its like, `study.closed`, `study.gone` for somebody who has left.
    pub async fn of_code(host: &'a Host, files: &StudyFiles, code: &str) -> Result<Self, RuntimeError> {
        let store = host.store()?;
        let participant = participant_of(&*store, &files.name, code).await?;
        let (standing, files, study) = study::begun(&*store, files).await?;
        study::open(&standing, &study.name)?;
        if let Some(how) = standing.participants.get(&participant).and_then(|it| it.gone) {
            let message = format!("{participant} has {}", how.replace('-', " "));
            return Err(RuntimeError::usage("study.gone", message, "whoever gave the code can give another one"));
        }
        Ok(Self { host, store, files, study, participant })
    }

    /// The participant's public id.
    #[must_use]
    pub fn participant(&self) -> &str {
        &self.participant
    }

    /// Goes on until everything is done, or the person says nothing now.
    ///
    /// # Errors
    /// `study.drift` where something is not as at the start, `session.busy` where the same code is at work elsewhere, and what runs
    /// say before they begin; what was done until then is kept. `begins` is how many tasks may begin: before one more it waits.
    pub async fn go_on(
        &self,
        person: &dyn Person,
        observer: &dyn Observer,
        begins: usize,
    ) -> Result<Progress, RuntimeError> {
        let session = self.session();
        let holder = format!("sitting-{}-{}", std::process::id(), now_ms());
        self.store.claim(&session, &holder, now_ms(), CLAIM_TTL_MS).await.map_err(at_work_elsewhere)?;
        let came = self.all(person, observer, begins).await;
        self.store.release(&session, &holder).await?;
        came
    }

    async fn all(
        &self,
        person: &dyn Person,
        observer: &dyn Observer,
        mut begins: usize,
    ) -> Result<Progress, RuntimeError> {
        loop {
            let records = self.said().await?;
            let standing = Standing::of(&*self.store, &self.study.name).await?;
            let assigned = standing.participants.get(&self.participant).and_then(|it| it.assigned.clone());
            let sequence = assigned.as_ref().map(|(_, sequence)| sequence.clone()).unwrap_or_default();
            let (left, of) = to_come(&self.study, &sequence, &records);
            let progress = |state| Progress {
                participant: self.participant.clone(),
                done: of - left.len(),
                of,
                state,
                next: left.first().map(|step| self.named(step)),
            };
            let agreed = left.first() != Some(&Step::Consent);
            if agreed && assigned.is_none() {
                self.assign().await?;
                continue;
            }
            let went_on = match left.first() {
                None => {
                    self.finish(&standing).await?;
                    return Ok(progress("finished"));
                }
                Some(Step::Consent) => match self.consent(person).await? {
                    Some(false) => return Ok(progress("declined")),
                    Some(true) => true,
                    None => false,
                },
                Some(Step::Ask { questionnaire, moment, task, condition }) => {
                    self.ask(person, &records, (questionnaire, moment, task, condition)).await?
                }
                Some(Step::Do { task, condition, .. }) if begins == 0 && begun(&records, task, condition).is_none() => {
                    return Ok(progress("waits"));
                }
                Some(Step::Do { task, condition, place }) => {
                    begins = begins.saturating_sub(usize::from(begun(&records, task, condition).is_none()));
                    self.work(&standing, &records, (task, condition, *place), (person, observer)).await?
                }
            };
            if !went_on {
                return Ok(progress("waits"));
            }
        }
    }

    /// What comes next, in words that a participant may read.
    fn named(&self, step: &Step<'_>) -> String {
        match step {
            Step::Consent => "consent".to_owned(),
            Step::Ask { questionnaire, .. } => {
                let known = self.study.questionnaires.get(*questionnaire);
                known.map_or_else(|| (*questionnaire).to_owned(), |it| it.title.clone())
            }
            Step::Do { task, .. } => task.title.clone(),
        }
    }

    /// What was said and done, and the conditions in order once they are assigned.
    pub(crate) async fn so_far(&self) -> Result<(Vec<StudyRecorded>, Vec<String>), RuntimeError> {
        let standing = Standing::of(&*self.store, &self.study.name).await?;
        let assigned = standing.participants.get(&self.participant).and_then(|it| it.assigned.clone());
        Ok((self.said().await?, assigned.map(|(_, sequence)| sequence).unwrap_or_default()))
    }

    fn session(&self) -> String {
        session_of_participant(&self.study.name, &self.participant)
    }

    /// The session of a run: known before it begins, so that one that was broken off is found again.
    fn session_of_run(&self, place: u32, task: &Task) -> String {
        let mut id = digest(format!("{}/{place}/{}", self.session(), task.name).as_bytes());
        id.truncate(RUN_ID_CHARS);
        id
    }

    /// What the participant has said and done so far.
    async fn said(&self) -> Result<Vec<StudyRecorded>, RuntimeError> {
        said(&*self.store, &self.session()).await
    }

    async fn note(&self, what: StudyStep) -> Result<(), RuntimeError> {
        let session = self.session();
        let last = self.store.last_seq(&session).await?;
        let participant = Some(self.participant.clone());
        let recorded = StudyRecorded { study: self.study.name.clone(), participant, what };
        append(&*self.store, &session, last, vec![recorded], Vec::new()).await
    }

    /// Decides what the participant meets: nobody knew of it before.
    async fn assign(&self) -> Result<(), RuntimeError> {
        decide(&*self.store, &self.study.name, |standing| {
            study::open(standing, &self.study.name)?;
            let own = standing.participants.get(&self.participant).cloned().unwrap_or_default();
            if own.assigned.is_some() {
                return Ok(None);
            }
            let started = standing.started(&self.study.name)?;
            let seed = started.seed.parse().map_err(|_| {
                let hint = "put a backup in its place with `teacher-assist restore FILE`";
                RuntimeError::environment("store.corrupt", "the study's seed is no number", hint)
            })?;
            let (slots, taken, mut levels) = standing.there(&started.conditions);
            levels.push((0, own.levels));
            let there = There { taken: &taken, slots: &slots, levels: &levels };
            let (slot, sequence) = self.study.design.assign(self.study.participants, there, seed);
            let slot = u64::try_from(slot).unwrap_or(u64::MAX);
            let what = StudyStep::Assigned { slot, sequence: self.study.named(&sequence) };
            Ok(Some((Some(self.participant.clone()), what)))
        })
        .await
        .map(drop)
    }

    async fn finish(&self, standing: &Standing) -> Result<(), RuntimeError> {
        if standing.participants.get(&self.participant).is_some_and(|it| it.finished) {
            return Ok(());
        }
        let finished = (Some(self.participant.clone()), StudyStep::Finished);
        decide(&*self.store, &self.study.name, |_| Ok(Some(finished.clone()))).await.map(drop)
    }

    async fn consent(&self, person: &dyn Person) -> Result<Option<bool>, RuntimeError> {
        let choice = |id: &str, label: &str| Choice { id: id.to_owned(), label: label.to_owned(), detail: None };
        let choices = vec![choice("agree", "I take part"), choice("decline", "I do not")];
        let title = self.study.title.clone();
        let kind = QuestionKind::Choice { choices };
        let question = Question { id: CONSENT.to_owned(), title, detail: self.study.consent.clone(), kind };
        match answer(person, question, 1).await {
            None => Ok(None),
            Some((Outcome::Answered(Answer::Choice(choice)), _)) if choice == "agree" => {
                let (version, sha256) = (self.study.consent_version.clone(), digest(self.study.consent.as_bytes()));
                self.note(StudyStep::Consented { version, sha256 }).await?;
                Ok(Some(true))
            }
            Some(_) => Ok(Some(false)),
        }
    }

    /// Puts a questionnaire. Gives whether it was answered to its end.
    async fn ask(
        &self,
        person: &dyn Person,
        records: &[StudyRecorded],
        (questionnaire, moment, task, condition): (&str, &str, &str, &str),
    ) -> Result<bool, RuntimeError> {
        let Some(known) = self.study.questionnaires.get(questionnaire) else { return Ok(false) };
        let before = records.iter().filter(
            |it| matches!(&it.what, StudyStep::Answered { questionnaire: other, .. } if other == questionnaire),
        );
        let time = u32::try_from(before.count() + 1).unwrap_or(u32::MAX);
        let (mut answers, mut elapsed_ms) = (BTreeMap::new(), 0_u64);
        for item in &known.items {
            let Some((outcome, took_ms)) = answer(person, asked(known, item), time).await else { return Ok(false) };
            answers.insert(item.id.clone(), value(item, &outcome)?);
            elapsed_ms = elapsed_ms.saturating_add(took_ms);
        }
        let (questionnaire, moment) = (questionnaire.to_owned(), moment.to_owned());
        let (task, condition) = (task.to_owned(), condition.to_owned());
        self.note(StudyStep::Answered { questionnaire, moment, task, condition, answers, elapsed_ms }).await?;
        Ok(true)
    }

    /// Does a task, or goes on with it. Gives whether it is over.
    async fn work(
        &self,
        standing: &Standing,
        records: &[StudyRecorded],
        (task, condition, place): (&Task, &str, u32),
        (person, observer): (&dyn Person, &dyn Observer),
    ) -> Result<bool, RuntimeError> {
        let rules = self.study.conditions.get(condition).unwrap_or(&self.study.base);
        let session = match begun(records, task, condition) {
            Some(session) => session,
            None => {
                let drift = self.drift(standing, condition).await?;
                let nobody = rules.who == Who::Nobody;
                let session = (!nobody).then(|| self.session_of_run(place, task));
                let (task, condition) = (task.name.clone(), condition.to_owned());
                self.note(StudyStep::TaskBegun { task, condition, place, session: session.clone(), drift }).await?;
                session
            }
        };
        let Some(session) = session else { return self.alone(person, (task, condition)).await };
        let own = home::host_of(self.host, (&self.study.name, &self.participant), rules.workspace)?;
        let owner = owner_of(&self.study.name, &self.participant);
        let end = match self.store.session(&session).await? {
            None => {
                let place = Place { host: self.host, files: &self.files, study: &self.study };
                let Some(request) = under::request(place, rules, task)? else { return Ok(false) };
                let request = run_of(request, owner, session.clone());
                run::start(&own, &request, person, observer).await?
            }
            Some(row) if row.state == State::Finished => {
                return self.ended(&session, (task, condition), row.last_status.as_deref()).await;
            }
            Some(_) if self.time_is_up(&session, task).await? => {
                return self.ended(&session, (task, condition), Some("time")).await;
            }
            Some(_) => run::resume(&own, &session, &owner, person, observer).await?,
        };
        match end {
            RunEnd { ended: Ended::Finished(status), .. } => {
                self.ended(&session, (task, condition), Some(status.name())).await
            }
            RunEnd { .. } => Ok(false),
        }
    }

    /// A task that the participant does alone.
    async fn alone(&self, person: &dyn Person, (task, condition): (&Task, &str)) -> Result<bool, RuntimeError> {
        let kind = QuestionKind::Text { suggestion: None };
        let question = Question { id: WORK.to_owned(), title: task.title.clone(), detail: task.text.clone(), kind };
        let before = self.said().await?;
        let written = before.iter().filter(|it| matches!(&it.what, StudyStep::TaskEnded { text: Some(_), .. }));
        let time = u32::try_from(written.count() + 1).unwrap_or(u32::MAX);
        let Some((outcome, active_ms)) = answer(person, question, time).await else { return Ok(false) };
        let text = match outcome {
            Outcome::Answered(Answer::Text(text)) => text,
            _ => String::new(),
        };
        let (task, condition, how) = (task.name.clone(), condition.to_owned(), "written".to_owned());
        self.note(StudyStep::TaskEnded { task, condition, how, active_ms, text: Some(text) }).await?;
        Ok(true)
    }

    async fn ended(
        &self,
        session: &str,
        (task, condition): (&Task, &str),
        how: Option<&str>,
    ) -> Result<bool, RuntimeError> {
        let active_ms = active_ms(&history::records(&*self.store, session).await?);
        let (task, condition) = (task.name.clone(), condition.to_owned());
        let how = how.unwrap_or_default().to_owned();
        self.note(StudyStep::TaskEnded { task, condition, how, active_ms, text: None }).await?;
        Ok(true)
    }

    async fn time_is_up(&self, session: &str, task: &Task) -> Result<bool, RuntimeError> {
        let Some(minutes) = task.minutes else { return Ok(false) };
        let used = active_ms(&history::records(&*self.store, session).await?);
        Ok(used > u64::from(minutes) * 60_000)
    }

    /// What is not as it was when the study began.
    async fn drift(&self, standing: &Standing, condition: &str) -> Result<Vec<String>, RuntimeError> {
        let started = standing.started(&self.study.name)?;
        let place = Place { host: self.host, files: &self.files, study: &self.study };
        let mut changes = self.changed_texts()?;
        if let (Some(then), Some(rules)) = (started.pins.get(condition), self.study.conditions.get(condition)) {
            match under::pins(place, rules) {
                Ok(now) => changes.extend(differences(then, &now)),
                Err(error) => changes.push(error.message),
            }
        }
        if changes.is_empty() {
            return Ok(changes);
        }
        let refused = !self.study.drift_is_marked;
        let drifted = (Some(self.participant.clone()), StudyStep::Drifted { changes: changes.clone(), refused });
        decide(&*self.store, &self.study.name, |_| Ok(Some(drifted.clone()))).await?;
        if !refused {
            return Ok(changes);
        }
        let message = format!("since the study began something has changed: {}", changes.join("; "));
        let hint =
            "put it back as it was; a study that goes on with a difference says `drift = \"mark\"` before it starts";
        Err(RuntimeError::configuration("study.drift", message, hint))
    }

    /// Files of the study that are not as they were: a condition that is changed after the start is another one.
    fn changed_texts(&self) -> Result<Vec<String>, RuntimeError> {
        let Some(directory) = self.files.directory.as_deref().and_then(Path::parent) else { return Ok(Vec::new()) };
        let Ok(now) = StudyFiles::named(directory, &self.study.name) else {
            return Ok(vec!["the study's files are gone".to_owned()]);
        };
        let read = |files: &StudyFiles| -> Result<BTreeMap<String, String>, RuntimeError> {
            Ok(serde_json::from_slice(&files.to_keep()?).unwrap_or_default())
        };
        let (then, now) = (read(&self.files)?, read(&now)?);
        let changed = then.iter().filter(|(path, text)| now.get(*path) != Some(text)).map(|(path, _)| path);
        let new = now.keys().filter(|path| !then.contains_key(*path));
        Ok(changed.chain(new).map(|path| format!("file {path} of the study was changed")).collect())
    }
}

/// The session of a task that was begun under a condition, where one was; none within where nobody answers.
pub(crate) fn begun(records: &[StudyRecorded], task: &Task, condition: &str) -> Option<Option<String>> {
    records.iter().rev().find_map(|record| match &record.what {
        StudyStep::TaskBegun { task: name, condition: under, session, .. }
            if *name == task.name && under == condition =>
        {
            Some(session.clone())
        }
        _ => None,
    })
}

/// What a participant has said and done, from their session.
pub(crate) async fn said(store: &dyn Store, session: &str) -> Result<Vec<StudyRecorded>, RuntimeError> {
    let records = history::records(store, session).await?;
    let recorded = |record: Record| match record.event {
        Event::StudyRecorded(recorded) => Some(*recorded),
        _ => None,
    };
    Ok(records.into_iter().filter_map(recorded).collect())
}

fn run_of(request: RunRequest, owner: String, session: String) -> RunRequest {
    RunRequest { owner: Some(owner), begins: Some(session), ..request }
}

/// Time at work in milliseconds: from record to record, without the breaks after which a run was taken up again.
#[must_use]
pub fn active_ms(records: &[Record]) -> u64 {
    let gap = |pair: &[Record]| match pair {
        [before, after] if !matches!(after.event, Event::RunResumed(_)) => after.at_ms.saturating_sub(before.at_ms),
        _ => 0,
    };
    records.windows(2).map(gap).sum()
}

fn at_work_elsewhere(error: StoreError) -> RuntimeError {
    if error.code() != "store.claimed" {
        return error.into();
    }
    let message = "the session of this code is open elsewhere";
    RuntimeError::usage("session.busy", message, "close it there, or go on there; nothing is lost")
}
