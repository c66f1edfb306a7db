//! Files of the workspace, which all teachers of the server share.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use ta_runtime::check;
use ta_runtime::plugin::{self, Plugin};
use ta_runtime::surface::{Applied, Files, WorkspaceErrorCode, protected_path};
use utoipa::ToSchema;

use crate::error::{ApiError, Problem, Result};
use crate::sign_in::Teacher;
use crate::state::App;

/// How deep the tree is shown.
const DEPTH_MAX: usize = 8;
/// Entries of the tree in all.
const ENTRIES_MAX: usize = 10_000;
/// Bytes of a file: the most that a workspace reads.
const FILE_BYTES_MAX: usize = 1024 * 1024;

/// The role of what no plugin knows about.
const OTHER: &str = "other";

/// What plugins know of files.
fn known(app: &App) -> Result<Vec<Plugin>> {
    Ok(plugin::declared(app.host.config.plugins.as_deref())?)
}

fn role(plugins: &[Plugin], path: &str) -> String {
    plugin::role(plugins, path).unwrap_or(OTHER).to_owned()
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EntryKind {
    /// A directory.
    Directory,
    /// A file.
    File,
}

/// An entry of the tree.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FileNode {
    name: String,
    /// Below the workspace; empty for the workspace itself.
    path: String,
    kind: EntryKind,
    /// What it is for, in the word of a plugin that knows; `other` where none does.
    role: String,
    /// Bytes, for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// When it was last changed, for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_ms: Option<u64>,
    /// For a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    children: Option<Vec<FileNode>>,
}

/// The whole workspace as a tree.
#[utoipa::path(get, path = "/api/files", tag = "workspace", responses((status = 200, body = FileNode)))]
pub(crate) async fn tree(State(app): State<Arc<App>>, _: Teacher) -> Result<Json<FileNode>> {
    let workspace = app.host.workspace()?;
    let plugins = known(&app)?;
    let name = app.host.config.workspace.file_name().map(|name| name.to_string_lossy().into_owned());
    let walked = tokio::task::spawn_blocking(move || {
        let mut left = ENTRIES_MAX;
        children((&*workspace, &plugins), "", DEPTH_MAX, &mut left)
    });
    let children = walked.await.map_err(|_| ApiError::not_found("tree"))??;
    Ok(Json(FileNode {
        name: name.unwrap_or_default(),
        path: String::new(),
        kind: EntryKind::Directory,
        role: OTHER.to_owned(),
        size: None,
        changed_ms: None,
        children: Some(children),
    }))
}

fn children(
    (workspace, plugins): (&dyn Files, &[Plugin]),
    path: &str,
    depth: usize,
    left: &mut usize,
) -> Result<Vec<FileNode>> {
    let mut nodes = Vec::new();
    for entry in workspace.entries(path)? {
        // Hidden names are the host's: keys, histories, writes that are under way.
        if entry.name.starts_with('.') || !(entry.file || entry.directory) || *left == 0 {
            continue;
        }
        *left -= 1;
        let below = if path.is_empty() { entry.name.clone() } else { format!("{path}/{}", entry.name) };
        let inner = match entry.directory {
            true if depth > 1 => Some(children((workspace, plugins), &below, depth - 1, left)?),
            true => Some(Vec::new()),
            false => None,
        };
        nodes.push(FileNode {
            name: entry.name,
            kind: if entry.directory { EntryKind::Directory } else { EntryKind::File },
            role: role(plugins, &below),
            size: entry.file.then_some(entry.size),
            changed_ms: if entry.file { workspace.changed_ms(&below) } else { None },
            path: below,
            children: inner,
        });
    }
    Ok(nodes)
}

/// A file's text.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FileText {
    path: String,
    text: String,
    /// Digest of the text: a change names it.
    sha256: String,
    /// What it is for, in the word of a plugin that knows; `other` where none does.
    role: String,
    /// Whether it may be changed here.
    writable: bool,
    /// What is wrong with it, in sentences.
    problems: Vec<String>,
}

/// Hidden files are the host's, and are not there for anybody else.
pub(crate) fn visible(path: &str) -> Result<()> {
    if path.split('/').any(|name| name.starts_with('.') && !matches!(name, "." | "..")) {
        return Err(ApiError::not_found("such file"));
    }
    Ok(())
}

/// A file's text, as JSON: never as a page.
#[utoipa::path(get, path = "/api/files/{*path}", tag = "workspace", params(("path" = String, Path)),
    responses((status = 200, body = FileText), (status = 403, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn read(State(app): State<Arc<App>>, _: Teacher, Path(path): Path<String>) -> Result<Json<FileText>> {
    visible(&path)?;
    let (text, sha256) = app.host.workspace()?.read(&path)?;
    let writable = !protected_path(&path);
    let problems = problems(&app, &path, &text).await?;
    Ok(Json(FileText { role: role(&known(&app)?, &path), writable, problems, path, text, sha256 }))
}

/// What is wrong with a file of the workspace.
pub(crate) async fn problems(app: &App, path: &str, text: &str) -> Result<Vec<String>> {
    Ok(check::one(&app.host, path, text).await?.iter().map(ToString::to_string).collect())
}

/// A file's new text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewText {
    text: String,
    /// Digest of the text that it takes the place of; none for a new file.
    before: Option<String>,
}

/// A file that was written.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Written {
    sha256: String,
    /// What is wrong with it, in sentences.
    problems: Vec<String>,
}

/// Writes a file, unless somebody else has written it meanwhile: then nothing is overwritten, and `current` holds what is
/// there.
#[utoipa::path(put, path = "/api/files/{*path}", tag = "workspace", params(("path" = String, Path)), request_body = NewText,
    responses((status = 200, body = Written), (status = 409, body = Problem), (status = 403, body = Problem)))]
pub(crate) async fn write(
    State(app): State<Arc<App>>,
    _: Teacher,
    Path(path): Path<String>,
    Json(new): Json<NewText>,
) -> Result<Json<Written>> {
    visible(&path)?;
    if new.text.len() > FILE_BYTES_MAX {
        let message = format!("a file has at most {FILE_BYTES_MAX} bytes");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "path.too_large", message, "split it"));
    }
    let workspace = app.host.workspace()?;
    let _one_at_a_time = app.changing.lock().await;
    if workspace.apply(&path, new.before.as_deref(), new.text.as_bytes())? == Applied::Conflict {
        return Err(conflict(&*workspace, &path));
    }
    let problems = problems(&app, &path, &new.text).await?;
    app.tell_files(&[path]);
    Ok(Json(Written { sha256: ta_runtime::surface::digest(new.text.as_bytes()), problems }))
}

/// What the file holds now, for whoever wanted to change what it held before.
pub(crate) fn conflict(workspace: &dyn Files, path: &str) -> ApiError {
    let message = format!("`{path}` has changed meanwhile; nothing was overwritten");
    let mut error = ApiError::conflict("file.conflict", message, "look at what it holds now, and put the two together");
    error.current = match workspace.read(path) {
        Ok((text, sha256)) => Some(json!({ "text": text, "sha256": sha256 })),
        Err(error) if error.code == WorkspaceErrorCode::NotFound => Some(json!(null)),
        Err(_) => None,
    };
    error
}

/// The file that was seen.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seen {
    /// Digest of the text that was seen.
    before: String,
}

/// Takes a file away, unless it has changed meanwhile.
#[utoipa::path(delete, path = "/api/files/{*path}", tag = "workspace", params(("path" = String, Path)), request_body = Seen,
    responses((status = 204), (status = 409, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    _: Teacher,
    Path(path): Path<String>,
    Json(seen): Json<Seen>,
) -> Result<StatusCode> {
    visible(&path)?;
    let workspace = app.host.workspace()?;
    let _one_at_a_time = app.changing.lock().await;
    match workspace.remove(&path, &seen.before)? {
        Applied::Written => app.tell_files(&[path]),
        Applied::AlreadyThere => {}
        Applied::Conflict => return Err(conflict(&*workspace, &path)),
    }
    Ok(StatusCode::NO_CONTENT)
}
