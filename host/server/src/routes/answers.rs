//! Questions that wait, and what people answer.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ta_runtime::Reply;
use ta_runtime::host::now_ms;
use ta_runtime::run::{check_decision, check_outcome};
use ta_runtime::surface::{Answer, Decision, Event, Outcome, Question, SessionRow};
use tokio::time::timeout;
use utoipa::ToSchema;

use super::runs::own_run;
use crate::error::{ApiError, Problem, Result};
use crate::limits::{ANSWERED_TIMEOUT, DECISIONS_MAX, TEXT_CHARS_MAX};
use crate::live::{Desk, Job, Posted, begin};
use crate::open_questions::{Open, has_its_answer};
use crate::sign_in::Teacher;
use crate::state::App;
use crate::wire::{DecisionSchema, OutcomeSchema, QuestionSchema, Subject};

/// A question that waits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Waiting)]
pub(crate) struct WaitingLine {
    session: String,
    run: String,
    /// The session's title.
    title: String,
    subject: Option<Subject>,
    #[schema(value_type = QuestionSchema)]
    question: Question,
    /// Its hash: an answer names it.
    hash: String,
    /// Decisions that have fallen already.
    #[schema(value_type = Vec<DecisionSchema>)]
    decided: Vec<Decision>,
    /// Who asks: a hook, the component of a tool, or `host`.
    by: String,
    asked_ms: u64,
}

impl From<&Open> for WaitingLine {
    fn from(open: &Open) -> Self {
        Self {
            session: open.session.clone(),
            run: open.run.clone(),
            title: open.title.clone(),
            subject: open.subject.clone(),
            question: open.ask.question.clone(),
            hash: open.ask.hash.clone(),
            decided: open.ask.decided.clone(),
            by: open.ask.by.clone(),
            asked_ms: open.asked_ms,
        }
    }
}

/// All questions that wait for this teacher, the oldest first.
#[utoipa::path(get, path = "/api/waiting", tag = "answers", responses((status = 200, body = [WaitingLine])))]
pub(crate) async fn waiting(State(app): State<Arc<App>>, Teacher(who): Teacher) -> Result<Json<Vec<WaitingLine>>> {
    let open = app.open.of_teacher(&*app.store, &who.owner).await?;
    Ok(Json(open.iter().map(|open| WaitingLine::from(&**open)).collect()))
}

/// What a person answers: decisions on items, or what becomes of the question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenAnswer {
    /// Hash of the question.
    hash: String,
    #[serde(default)]
    #[schema(value_type = Option<Vec<DecisionSchema>>)]
    decisions: Vec<Decision>,
    #[schema(value_type = Option<OutcomeSchema>)]
    outcome: Option<Outcome>,
}

/// Answers a question. Answers 202 when the answer is in the journal; a run that was parked goes on with it.
#[utoipa::path(post, path = "/api/runs/{run}/answers", tag = "answers", params(("run" = String, Path)),
    request_body = GivenAnswer, responses((status = 202), (status = 409, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(run): Path<String>,
    Json(given): Json<GivenAnswer>,
) -> Result<StatusCode> {
    let (session, run) = own_run(&app, &run, &who.owner).await?;
    // Before the question is looked up: an outcome that another tab gives meanwhile is one that comes after this.
    let from = app.store.last_seq(&session.id).await?;
    let open = match app.open.of_session(&*app.store, &session).await? {
        Some(open) if open.run == run.id && open.ask.hash == given.hash => open,
        _ => return Err(not_open(&app, &session, &given.hash).await?),
    };
    check(&open.ask.question, &given)?;
    let at_ms = now_ms();
    let replies = given.decisions.iter().cloned().map(Reply::Decided);
    let replies = replies.chain(given.outcome.clone().map(Reply::Outcome));
    let posted: Vec<Posted> = replies.map(|reply| Posted { hash: given.hash.clone(), reply, at_ms }).collect();
    hand_over(&app, &who.owner, &session, &open, posted).await?;
    let kept = timeout(ANSWERED_TIMEOUT, in_the_journal(&app, &session, from, &given)).await;
    kept.unwrap_or_else(|_| Err(unconfirmed()))?;
    Ok(StatusCode::ACCEPTED)
}

/// To the run where it is at work, else the run goes on with it.
async fn hand_over(
    app: &Arc<App>,
    teacher: &str,
    session: &SessionRow,
    open: &Open,
    mut posted: Vec<Posted>,
) -> Result<()> {
    // Twice it may be that a run is just being parked, or just taken up by another tab.
    for _ in 0..5 {
        if let Some(live) = app.live.of(&session.id) {
            match live.desk.put(posted) {
                None => return Ok(()),
                Some(back) => posted = back,
            }
            live.over().await;
        }
        let desk = Desk::with(&open.ask.hash, open.shown_ms, posted.clone());
        match begin(app, teacher, Job::Resume(session.id.clone()), desk).await {
            Err(error) if error.problem.code == "session.busy" => {}
            begun => return begun.map(|_| ()),
        }
    }
    Err(unconfirmed())
}

fn unconfirmed() -> ApiError {
    let message = "the answer did not come into the journal";
    let hint = "look whether the question is still open, and answer it again";
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "answer.unconfirmed", message, hint).later(1)
}

fn check(question: &Question, given: &GivenAnswer) -> Result<()> {
    if given.decisions.is_empty() && given.outcome.is_none() {
        return Err(ApiError::bad("answer.empty", "there is no answer in it", "send decisions or an outcome"));
    }
    let texts = given.decisions.iter().filter_map(|decision| decision.text.as_deref());
    let texts = texts.chain(match &given.outcome {
        Some(Outcome::Answered(Answer::Text(text))) => Some(text.as_str()),
        _ => None,
    });
    let too_long = texts.into_iter().any(|text| text.chars().count() > TEXT_CHARS_MAX);
    if given.decisions.len() > DECISIONS_MAX || too_long {
        let message = format!("an answer has {DECISIONS_MAX} decisions of {TEXT_CHARS_MAX} characters at the most");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "request.too_large", message, "shorten it"));
    }
    given.decisions.iter().try_for_each(|decision| check_decision(question, decision))?;
    given.outcome.iter().try_for_each(|outcome| check_outcome(question, outcome))?;
    Ok(())
}

/// Why a question is not the open one.
async fn not_open(app: &App, session: &SessionRow, hash: &str) -> Result<ApiError> {
    let lineage = ta_runtime::history::lineage(&*app.store, &session.id).await?;
    Ok(if has_its_answer(&lineage, &session.last_run, hash) {
        let hint = "the page shows what became of it; to take it back, use undo";
        ApiError::conflict("question.answered", "this question has its answer already", hint)
    } else {
        let hint = "reload what is waiting and answer that";
        ApiError::conflict("question.other", "this is not the question that waits", hint)
    })
}

/// Ready when everything that was given is in the journal.
async fn in_the_journal(app: &App, session: &SessionRow, from: u64, given: &GivenAnswer) -> Result<()> {
    let mut said = app.hub.session(&session.id);
    let mut after = from;
    let mut missing: Vec<&Decision> = given.decisions.iter().collect();
    loop {
        for record in app.store.read(&session.id, after, crate::limits::RECORDS_PAGE).await? {
            after = record.seq;
            match &record.event {
                Event::ItemDecided(decided) if decided.hash == given.hash => {
                    if let Some(at) = missing.iter().position(|decision| **decision == decided.decision) {
                        missing.swap_remove(at);
                    }
                }
                Event::RequestAnswered(answered) if answered.hash == given.hash => {
                    let same = given.outcome.as_ref().is_none_or(|outcome| Some(outcome) == answered.outcome());
                    // Somebody else was first: this answer does not hold, and whoever gave it has to know.
                    return if same { Ok(()) } else { Err(not_open(app, session, &given.hash).await?) };
                }
                _ => {}
            }
        }
        if missing.is_empty() && given.outcome.is_none() {
            return Ok(());
        }
        if app.live.of(&session.id).is_none() && app.store.last_seq(&session.id).await? == after {
            return Err(unconfirmed());
        }
        // A word is enough, or a moment: the journal says what it is.
        let _ = timeout(std::time::Duration::from_millis(500), said.recv()).await;
    }
}
