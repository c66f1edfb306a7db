//! What was said in a session of a flow, and what was shown: the conversation, from the journal.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use ta_runtime::flows::FlowName;
use ta_runtime::history;
use ta_runtime::surface::{Event, Record, ShownMessage};
use utoipa::{IntoParams, ToSchema};

use super::flows::standing;
use crate::error::{Problem, Result};
use crate::limits::ROWS_MAX;
use crate::sign_in::codes::Speaker;
use crate::state::App;
use crate::wire::ShownMessageSchema;

/// A part of a conversation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Conversation {
    /// What was said and shown, in order.
    parts: Vec<ConversationPart>,
    /// Whether there is more before it.
    earlier: bool,
}

/// What somebody said, or what they were shown.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConversationPart {
    /// Its number in the session.
    seq: u64,
    /// When, in milliseconds since 1970-01-01 UTC.
    at_ms: u64,
    /// In which role somebody said something.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    /// Their words.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What was shown, every hook having let it pass.
    #[schema(value_type = Vec<ShownMessageSchema>)]
    messages: Vec<ShownMessage>,
}

impl ConversationPart {
    /// What a record adds to the conversation. Whoever has a code sees no words of another role.
    fn of(record: Record, speaker: &Speaker) -> Option<Self> {
        let Record { seq, at_ms, event, .. } = record;
        match event {
            Event::MessageSaid(said) if matches!(speaker, Speaker::Teacher(_)) || said.role == speaker.role() => {
                Some(Self { seq, at_ms, role: Some(said.role), text: Some(said.text), messages: Vec::new() })
            }
            Event::MessagesShown(shown) if !shown.messages.is_empty() => {
                Some(Self { seq, at_ms, role: None, text: None, messages: shown.messages })
            }
            _ => None,
        }
    }
}

/// Which part.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only what came before this number: `seq` of the first part that is known.
    before: Option<u64>,
    limit: Option<usize>,
}

/// The conversation of a session, the newest part of it first asked for: what was said, and what was shown for it.
#[utoipa::path(get, path = "/api/flows/{plugin}/{flow}/sessions/{id}/messages", tag = "flows",
    params(("plugin" = String, Path), ("flow" = String, Path), ("id" = String, Path), Which),
    responses((status = 200, body = Conversation), (status = 404, body = Problem)))]
pub(crate) async fn all(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path((plugin, flow, id)): Path<(String, String, String)>,
    Query(which): Query<Which>,
) -> Result<Json<Conversation>> {
    standing(&app, &speaker, &id, &FlowName { plugin, flow }).await?;
    let records = history::lineage(&*app.store, &id).await?;
    let wanted = records.into_iter().filter(|record| which.before.is_none_or(|before| record.seq < before));
    let mut parts: Vec<_> = wanted.filter_map(|record| ConversationPart::of(record, &speaker)).collect();
    let limit = which.limit.unwrap_or(ROWS_MAX).clamp(1, ROWS_MAX);
    let left_out = parts.len().saturating_sub(limit);
    parts.drain(..left_out);
    Ok(Json(Conversation { parts, earlier: left_out > 0 }))
}
