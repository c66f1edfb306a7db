//! Tools that a guest may call: who makes the call is the host's business.

use ta_core::model::BoxFuture;

use crate::call::ToolFailure;

/// Who calls a plugin's tools for its guests. A result is in the journal before it is given.
pub trait PluginTools: Send + Sync {
    /// Calls one tool with the text of a JSON object.
    fn call(&self, name: String, arguments: String) -> BoxFuture<'_, Result<String, ToolFailure>>;
}
