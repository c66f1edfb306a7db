//! The output of a session as a document: its text, its sections, its evidence looked up, what came before it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use ta_runtime::surface::{Files, Machine};
use ta_runtime::{documents, history};
use ta_text::normalise::{Case, Passage};
use ta_text::outline::Outline;
use ta_text::pointer::{Pointer, find_pointers};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, Problem, Result};
use crate::sign_in::{Teacher, Who};
use crate::state::App;

/// A section of the document.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SectionLine {
    /// Stable for this text.
    id: String,
    title: String,
    /// Its first line, counted from 1: that of its heading.
    from: u32,
    /// Its last line.
    to: u32,
}

/// A claim and what it rests on, looked up in the workspace as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EvidenceLine {
    /// The text of the link.
    claim: String,
    path: String,
    /// First line pointed to.
    from: u32,
    /// Last line pointed to.
    to: u32,
    quote: String,
    /// Whether the quote stands on those lines.
    holds: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Line of the document that the claim stands on.
    line: u32,
}

/// An output as it came before the person decided on it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DraftLine {
    /// Rounds of rework before it.
    rework_round: u32,
    text: String,
}

/// The document of a run.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Document {
    run: String,
    /// How the run ended, such as `success`; none while it has not.
    status: Option<String>,
    markdown: String,
    /// Where it was saved, below the workspace.
    saved: Option<String>,
    sections: Vec<SectionLine>,
    evidence: Vec<EvidenceLine>,
    drafts: Vec<DraftLine>,
}

/// Which run.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfRun {
    /// The run; the latest one that has an output where none is named.
    run: Option<String>,
}

/// The output of a session, to read.
#[utoipa::path(get, path = "/api/sessions/{id}/document", tag = "document", params(("id" = String, Path), OfRun),
    responses((status = 200, body = Document), (status = 404, body = Problem)))]
pub(crate) async fn document(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
    Query(of): Query<OfRun>,
) -> Result<Json<Document>> {
    let (run, machine) = with_output(&app, &who, &id, of.run.as_deref()).await?;
    let markdown = machine.conversation().last_output.as_deref().unwrap_or_default().to_owned();
    let finished = machine.ledger().finished.as_ref();
    let workspace = app.host.workspace()?;
    Ok(Json(Document {
        run,
        status: finished.map(|finished| finished.status.name().to_owned()),
        saved: finished.and_then(|finished| finished.saved.clone()),
        sections: sections(&markdown),
        evidence: find_pointers(&markdown).into_iter().map(|pointer| evidence(&*workspace, pointer)).collect(),
        drafts: machine.conversation().drafts.iter().map(draft).collect(),
        markdown,
    }))
}

fn draft(draft: &ta_runtime::surface::Draft) -> DraftLine {
    DraftLine { rework_round: draft.rework_round, text: draft.text.clone() }
}

/// A run of the session with its output: the one that was named, else the latest that has one.
async fn with_output(app: &App, who: &Who, id: &str, run: Option<&str>) -> Result<(String, Machine)> {
    app.own_session(id, &who.owner).await?;
    let lineage = history::lineage(&*app.store, id).await?;
    let mut runs: Vec<String> = app.store.runs(id).await?.into_iter().rev().map(|row| row.id).collect();
    if let Some(run) = run {
        runs.retain(|known| known == run);
    }
    let mut first = None;
    for run in runs {
        let machine = history::machine(&lineage, &run);
        if machine.conversation().last_output.as_deref().is_some() {
            return Ok((run, machine));
        }
        first.get_or_insert((run, machine));
    }
    first.ok_or_else(|| ApiError::not_found("such run"))
}

fn sections(markdown: &str) -> Vec<SectionLine> {
    let outline = Outline::read(markdown);
    let line = |(index, section): (usize, &ta_text::outline::Section)| SectionLine {
        id: format!("section-{}", index + 1),
        title: section.title.clone(),
        from: section.first_line,
        to: section.last_line,
    };
    outline.sections.iter().enumerate().map(line).collect()
}

fn evidence(workspace: &dyn Files, pointer: Pointer) -> EvidenceLine {
    let why = refuted(workspace, &pointer).err();
    EvidenceLine {
        claim: pointer.text,
        path: pointer.path,
        from: pointer.from,
        to: pointer.to,
        quote: pointer.quote.unwrap_or_default(),
        holds: why.is_none(),
        why,
        line: pointer.line,
    }
}

/// Whether the quote stands where the pointer says; why not, in a sentence.
fn refuted(workspace: &dyn Files, pointer: &Pointer) -> std::result::Result<(), String> {
    let range = pointer.range().map_err(|fault| fault.to_string())?;
    let quote = pointer.quote.as_deref().ok_or("there is no quote to look for")?;
    super::files::visible(&pointer.path).map_err(|error| error.problem.message)?;
    let (text, _) = workspace.read(&pointer.path).map_err(|error| error.message)?;
    let lines: Vec<&str> = text.lines().collect();
    let (from, to) = (*range.start(), *range.end());
    let start = usize::try_from(from).unwrap_or(usize::MAX).saturating_sub(1);
    let end = usize::try_from(to).unwrap_or(usize::MAX);
    let passage = lines.get(start..end).ok_or_else(|| format!("the file has {} lines", lines.len()))?;
    let found = Passage::new(&passage.join("\n"), from, Case::Ignore).find(quote);
    found.map(|_| ()).ok_or_else(|| format!("the quote does not stand on lines {from} to {to}"))
}

/// In which form, and what of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Export {
    /// One of the forms that the session's plugin writes, such as `md`, `docx` or `pdf`.
    form: String,
    /// One of the parts that it writes by themselves; `all` is the whole text, as where none is named.
    part: Option<String>,
    /// The run; the latest one that has an output where none is named.
    run: Option<String>,
}

/// The output as a file.
#[utoipa::path(get, path = "/api/sessions/{id}/export", tag = "document", params(("id" = String, Path), Export),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>)))]
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
    Query(wanted): Query<Export>,
) -> Result<Response> {
    let (_, machine) = with_output(&app, &who, &id, wanted.run.as_deref()).await?;
    let Some(markdown) = machine.conversation().last_output.as_deref() else {
        return Err(ApiError::not_found("output yet"));
    };
    let of = Some(machine.ledger().start.plugin.as_str());
    let part = wanted.part.as_deref().filter(|part| *part != "all");
    let asked = documents::Wanted { plugin: None, of, form: &wanted.form, part, text: markdown };
    let document = documents::write(&app.host, asked).await?;
    let (name, media_type) = (document.name, document.media_type);
    let mut response = document.bytes.into_response();
    let headers = response.headers_mut();
    if let Ok(media_type) = HeaderValue::from_str(&media_type) {
        headers.insert(header::CONTENT_TYPE, media_type);
    }
    // Saved, never shown: a file of the workspace is no page of this server.
    if let Ok(disposition) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}
