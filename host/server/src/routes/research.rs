//! What a researcher sees: runs of teachers who agreed to it, under pseudonyms; traces, replay, counterfactual.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ta_runtime::components::Swap;
use ta_runtime::surface::{About, Cursor, Event, RunRow, SessionFilter, SessionRow};
use ta_runtime::{history, inspect, plugin, replay};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, Problem, Result};
use crate::limits::ROWS_MAX;
use crate::research::ComponentFile;
use crate::sign_in::Researcher;
use crate::state::App;
use crate::wire::{RunLine, Subject, TraceSchema};

/// Sessions of a page where nothing is said.
const ROWS: usize = 50;
/// Sessions that are looked through for a page: those of teachers who did not agree are passed over.
const LOOKED_THROUGH_MAX: usize = 2_000;

/// Which runs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only runs whose owner, hooks, command or subject hold this.
    q: Option<String>,
    plugin: Option<String>,
    /// Only runs about this, such as a class.
    subject: Option<String>,
    /// Only runs that ended so, such as `success`; or that stand so, such as `parked`.
    status: Option<String>,
    since_ms: Option<u64>,
    until_ms: Option<u64>,
    /// `next` of the page before.
    after: Option<String>,
    /// Sessions at the most.
    limit: Option<usize>,
}

/// A run, without a name.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ResearchRun {
    #[serde(flatten)]
    run: RunLine,
    plugin: String,
    subject: Option<Subject>,
    /// Stands for the owner, the same one in all runs of this server.
    owner_alias: String,
    /// For each hook, how often it said what: `{"scope-check": {"pass": 1}}`.
    hooks: BTreeMap<String, BTreeMap<String, usize>>,
}

/// A page of runs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ResearchPage {
    runs: Vec<ResearchRun>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// Runs of teachers who agreed to be part of research, the newest session first.
#[utoipa::path(get, path = "/api/research/runs", tag = "research", params(Wanted), responses((status = 200, body = ResearchPage)))]
pub(crate) async fn runs(
    State(app): State<Arc<App>>,
    _: Researcher,
    Query(wanted): Query<Wanted>,
) -> Result<Json<ResearchPage>> {
    let limit = wanted.limit.unwrap_or(ROWS).clamp(1, ROWS_MAX);
    let words = wanted.q.unwrap_or_default().to_lowercase();
    let status = wanted.status.filter(|status| !status.is_empty());
    let after = wanted.after.filter(|after| !after.is_empty()).map(|text| text.parse::<Cursor>()).transpose();
    let after = after.map_err(|why| ApiError::bad("request.cursor", why, "take `next` of the page before"))?;
    let filter = SessionFilter {
        plugin: wanted.plugin,
        subject: wanted.subject.filter(|subject| !subject.is_empty()).map(About::id),
        since_ms: wanted.since_ms,
        until_ms: wanted.until_ms,
        after,
        ..SessionFilter::newest(LOOKED_THROUGH_MAX)
    };
    let rows = app.store.sessions(filter).await?;
    let (mut runs, mut sessions) = (Vec::new(), 0);
    let mut last = None;
    for row in &rows {
        if sessions == limit {
            break;
        }
        last = Some(row);
        if !app.research.agreed(&row.owner) {
            continue;
        }
        sessions += 1;
        for run in app.store.runs(&row.id).await? {
            let run = research_run(&app, row, run).await?;
            let fits = status.as_ref().is_none_or(|wanted| run.run.is(wanted));
            if fits && run.holds(&words) {
                runs.push(run);
            }
        }
    }
    let whole = last.map(|row| &row.id) == rows.last().map(|row| &row.id) && rows.len() < LOOKED_THROUGH_MAX;
    let next = last.filter(|_| !whole).map(|row| row.cursor().to_string());
    Ok(Json(ResearchPage { runs, next }))
}

impl ResearchRun {
    /// Whether one of the words that a researcher sees of it holds this.
    fn holds(&self, words: &str) -> bool {
        let shown = [self.owner_alias.as_str(), &self.plugin, &self.run.command, &self.run.id];
        let shown = shown
            .into_iter()
            .chain(self.subject.as_ref().map(|subject| subject.id.as_str()))
            .chain(self.hooks.keys().map(String::as_str));
        words.is_empty() || shown.into_iter().any(|text| text.to_lowercase().contains(words))
    }
}

async fn research_run(app: &App, row: &SessionRow, run: RunRow) -> Result<ResearchRun> {
    let mut hooks: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut after = run.first_seq.saturating_sub(1);
    while after < run.last_seq {
        let records = app.store.read(&run.session, after, ROWS_MAX).await?;
        let Some(last) = records.last().map(|record| record.seq) else { break };
        after = last;
        for record in records.iter().filter(|record| record.run == run.id) {
            if let Event::HookFinished(hook) = &record.event {
                let verdicts = hooks.entry(hook.hook.clone()).or_default();
                *verdicts.entry(hook.verdict.name().to_owned()).or_default() += 1;
            }
        }
    }
    let state = if run.id == row.last_run { app.state_of(&row.id, run.state) } else { run.state };
    Ok(ResearchRun {
        run: RunLine::of(run, state),
        plugin: row.plugin.clone(),
        subject: row.subject.clone().map(Into::into),
        owner_alias: app.research.alias(&row.owner),
        hooks,
    })
}

/// The run, where its teacher agreed; else it is not told apart from none.
async fn agreed(app: &App, run: &str) -> Result<(RunRow, SessionRow)> {
    let missing = || ApiError::not_found("such run");
    let run = app.store.run(run).await?.ok_or_else(missing)?;
    let row = app.store.session(&run.session).await?;
    let row = row.filter(|row| row.deleted_ms.is_none() && app.research.agreed(&row.owner)).ok_or_else(missing)?;
    Ok((run, row))
}

/// The trace of a run.
#[utoipa::path(get, path = "/api/research/runs/{run}/trace", tag = "research", params(("run" = String, Path)),
    responses((status = 200, body = TraceSchema), (status = 404, body = Problem)))]
pub(crate) async fn trace(State(app): State<Arc<App>>, _: Researcher, Path(run): Path<String>) -> Result<Json<Value>> {
    let (run, row) = agreed(&app, &run).await?;
    let trace = history::trace_of(&*app.store, &run.id).await?;
    let mut value = serde_json::to_value(trace).unwrap_or_default();
    app.research.without_names(&mut value, &row.owner);
    Ok(Json(value))
}

/// The records of a run as JSON lines, those of a shared past before its own.
#[utoipa::path(get, path = "/api/research/runs/{run}/journal", tag = "research", params(("run" = String, Path)),
    responses((status = 200, content_type = "application/x-ndjson", body = String), (status = 404, body = Problem)))]
pub(crate) async fn journal(State(app): State<Arc<App>>, _: Researcher, Path(run): Path<String>) -> Result<Response> {
    let (run, row) = agreed(&app, &run).await?;
    let mut records = history::lineage(&*app.store, &row.id).await?;
    let chain = history::chain(&records, &run.id);
    records.retain(|record| chain.contains(&record.run));
    let mut lines = String::new();
    for record in &records {
        let mut value = serde_json::to_value(record).unwrap_or_default();
        app.research.without_names(&mut value, &row.owner);
        lines.push_str(&value.to_string());
        lines.push('\n');
    }
    let name = format!("attachment; filename=\"{}.jsonl\"", run.id);
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, Body::from(lines)).into_response())
}

/// Another component in a hook's place.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SwapIn {
    hook: String,
    /// Its id in `GET /api/research/components`.
    component: String,
}

/// How a run is made again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Again {
    swap: Option<SwapIn>,
}

/// Makes a run again from its journal, with no model and no person; with `swap`, says what another component would have
/// said. Answers with the report of `replay` as JSON.
#[utoipa::path(post, path = "/api/research/runs/{run}/replay", tag = "research", params(("run" = String, Path)),
    request_body = Again, responses((status = 200, body = Object), (status = 404, body = Problem), (status = 400, body = Problem)))]
pub(crate) async fn again(
    State(app): State<Arc<App>>,
    _: Researcher,
    Path(run): Path<String>,
    again: Option<Json<Again>>,
) -> Result<Json<Value>> {
    let (run, row) = agreed(&app, &run).await?;
    let _turn = app.replaying.acquire().await;
    let mut report = match again.and_then(|Json(again)| again.swap) {
        None => serde_json::to_value(replay::replay(&app.host, &run.id).await?),
        Some(swap) => {
            let known = app.research.components();
            let component = known.into_iter().find(|file| file.id == swap.component);
            let Some(component) = component else {
                let message = format!("there is no component `{}` to swap in", swap.component);
                return Err(ApiError::bad("component.unknown", message, "/api/research/components lists them"));
            };
            let swap = Swap { hook: swap.hook, file: component.file };
            serde_json::to_value(replay::swap(&app.host, &[run.id], &swap).await?)
        }
    }
    .unwrap_or_default();
    app.research.without_names(&mut report, &row.owner);
    Ok(Json(report))
}

/// A component that may be swapped in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ComponentLine {
    /// Names it in a replay.
    id: String,
    name: String,
    /// The hook that it is meant for, where its name begins with that of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    hook: Option<String>,
    sha256: String,
    /// The lifecycle points that it has something for.
    points: Vec<String>,
    /// Where it is from.
    source: String,
}

/// Components that may be swapped in: those that whoever runs the server has put there.
#[utoipa::path(get, path = "/api/research/components", tag = "research", responses((status = 200, body = [ComponentLine])))]
pub(crate) async fn components(State(app): State<Arc<App>>, _: Researcher) -> Result<Json<Vec<ComponentLine>>> {
    let plugins = plugin::all(app.host.config.plugins.as_deref(), &mut Vec::new())?;
    let hooks: Vec<&String> = plugins.iter().flat_map(|plugin| plugin.manifest.hooks.keys()).collect();
    let line = |file: ComponentFile| {
        // What cannot be read or is no component is left out: nobody could swap it in.
        let found = inspect::inspect(&app.host, &file.file.display().to_string()).ok()?;
        let of = hooks.iter().filter(|hook| file.id.starts_with(hook.as_str())).max_by_key(|hook| hook.len());
        Some(ComponentLine {
            hook: of.map(|hook| (*hook).clone()),
            name: file.id.clone(),
            id: file.id,
            sha256: found.sha256,
            points: found.exports,
            source: "swaps".to_owned(),
        })
    };
    Ok(Json(app.research.components().into_iter().filter_map(line).collect()))
}

/// Whether a teacher's runs are part of research.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agreement {
    /// Whether researchers of this server may look at this teacher's runs, without the name.
    research: bool,
}

/// A teacher agrees that researchers look at their runs, or takes it back.
#[utoipa::path(put, path = "/api/me/research", tag = "account", request_body = Agreement, responses((status = 204)))]
pub(crate) async fn agree(
    State(app): State<Arc<App>>,
    crate::sign_in::Teacher(who): crate::sign_in::Teacher,
    Json(agreement): Json<Agreement>,
) -> Result<axum::http::StatusCode> {
    app.research.agree(&who.owner, agreement.research)?;
    Ok(axum::http::StatusCode::NO_CONTENT)
}
