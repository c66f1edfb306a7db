//! A teacher's memory: looked at, changed, taken away.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use ta_runtime::memory;
use ta_runtime::surface::{Change, FILE_BYTES_MAX, MemoryFile, MemoryPath, MemoryRules};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, Problem, Result};
use crate::limits::ROWS_MAX;
use crate::sign_in::Teacher;
use crate::state::App;

/// A note and what is known about it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NoteLine {
    text: String,
    /// What it is about: one of the kinds that a plugin declares.
    kind: String,
    /// Whether the plugin that declares the kind lets such notes come before all others.
    first: bool,
    /// How much it matters, 0 to 100.
    importance: u8,
    /// Sessions that came to it.
    times: u32,
    /// How often it was shown to a model.
    uses: u32,
    /// Who wrote it down: a hook, `consolidation` or `person`.
    by: String,
    /// The run that it comes from; none where a person typed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// The session of that run.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<String>,
    created_ms: u64,
}

/// A memory file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MemoryText {
    /// Such as `memory/MEMORY.md`.
    path: String,
    text: String,
    /// Digest of the text: a change names it.
    sha256: String,
    updated_ms: u64,
    notes: Vec<NoteLine>,
}

impl MemoryText {
    fn of(file: &MemoryFile, rules: &MemoryRules) -> Self {
        let notes = file.noted().map(|(text, note)| {
            let of_run = note.by != memory::PERSON;
            NoteLine {
                text: text.to_owned(),
                kind: note.kind.clone(),
                first: rules.first(&note.kind),
                importance: note.importance,
                times: note.times,
                uses: note.uses,
                by: note.by.clone(),
                run: of_run.then(|| note.run.clone()),
                session: of_run.then(|| note.session.clone()),
                evidence: note.evidence.clone(),
                created_ms: note.created_ms,
            }
        });
        Self {
            path: file.path.to_string(),
            text: file.text.clone(),
            sha256: file.sha256(),
            updated_ms: file.updated_ms,
            notes: notes.collect(),
        }
    }
}

/// This teacher's memory.
#[utoipa::path(get, path = "/api/memory", tag = "memory", responses((status = 200, body = [MemoryText])))]
pub(crate) async fn all(State(app): State<Arc<App>>, Teacher(who): Teacher) -> Result<Json<Vec<MemoryText>>> {
    let rules = memory::rules(&app.host)?;
    Ok(Json(app.store.memory(&who.owner).await?.iter().map(|file| MemoryText::of(file, &rules)).collect()))
}

/// The whole text of a file.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMemory {
    text: String,
    /// Digest of the text that it takes the place of; none for a new file.
    before: Option<String>,
}

/// Writes a memory file.
#[utoipa::path(put, path = "/api/memory/{*path}", tag = "memory", params(("path" = String, Path)), request_body = NewMemory,
    responses((status = 200, body = MemoryText), (status = 409, body = Problem), (status = 400, body = Problem)))]
pub(crate) async fn write(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(path): Path<String>,
    Json(new): Json<NewMemory>,
) -> Result<Json<MemoryText>> {
    let path = memory::path(&path)?;
    if new.text.len() > FILE_BYTES_MAX {
        let message = format!("a memory file has at most {FILE_BYTES_MAX} bytes");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "memory.too_large", message, "shorten it"));
    }
    let _one_at_a_time = app.changing.lock().await;
    let present = app.store.memory_file(&who.owner, &path).await?;
    unchanged(present.as_ref(), new.before.as_deref())?;
    let change = memory::written(&app.host, path.clone(), new.before, new.text)?;
    memory::change(&app.host, &who.owner, vec![change]).await?;
    let file = memory::file(&app.host, &who.owner, &path).await?;
    Ok(Json(MemoryText::of(&file, &memory::rules(&app.host)?)))
}

/// Nothing is overwritten that the person has not seen.
fn unchanged(present: Option<&MemoryFile>, before: Option<&str>) -> Result<()> {
    if present.map(MemoryFile::sha256).as_deref() == before {
        return Ok(());
    }
    let hint = "look at what it holds now, and put the two together";
    let mut error = ApiError::conflict("memory.conflict", "the file has changed meanwhile", hint);
    error.current = Some(match present {
        Some(file) => json!({ "text": file.text, "sha256": file.sha256() }),
        None => json!(null),
    });
    Err(error)
}

/// What is taken away.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Forget {
    /// Digest of the text that was seen.
    before: String,
    /// Only this note of it.
    note: Option<String>,
}

/// Takes a memory file away, or one note of it.
#[utoipa::path(delete, path = "/api/memory/{*path}", tag = "memory", params(("path" = String, Path)), request_body = Forget,
    responses((status = 204), (status = 409, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(path): Path<String>,
    Json(forget): Json<Forget>,
) -> Result<StatusCode> {
    let path = memory::path(&path)?;
    let _one_at_a_time = app.changing.lock().await;
    let present = memory::file(&app.host, &who.owner, &path).await?;
    unchanged(Some(&present), Some(&forget.before))?;
    let change = match forget.note {
        Some(text) => Change::Forgotten { path, text },
        None => Change::Removed { path },
    };
    memory::change(&app.host, &who.owner, vec![change]).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which rows.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Audited {
    /// Only this file.
    path: Option<String>,
    limit: Option<usize>,
}

/// One thing that was done to memory.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditLine {
    at_ms: u64,
    session: String,
    run: String,
    seq: u64,
    /// The hook, the tool, `prompt`, `consolidation`, or who answered.
    by: String,
    /// `read`, `written` or `decided`.
    kind: String,
    path: Option<String>,
    /// Plain text.
    detail: String,
}

/// Who read and wrote what, and what was decided about proposals, the newest first.
#[utoipa::path(get, path = "/api/memory-audit", tag = "memory", params(Audited), responses((status = 200, body = [AuditLine])))]
pub(crate) async fn audit(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Query(audited): Query<Audited>,
) -> Result<Json<Vec<AuditLine>>> {
    let path: Option<MemoryPath> = audited.path.as_deref().map(memory::path).transpose()?;
    let limit = audited.limit.unwrap_or(ROWS_MAX).clamp(1, ROWS_MAX);
    let rows = app.store.memory_audit(&who.owner, path.as_ref(), limit).await?;
    let lines = rows.into_iter().map(|row| AuditLine {
        at_ms: row.at_ms,
        session: row.session,
        run: row.run,
        seq: row.seq,
        by: row.by,
        kind: row.kind.name().to_owned(),
        path: row.path.map(|path| path.to_string()),
        detail: row.detail,
    });
    Ok(Json(lines.collect()))
}
