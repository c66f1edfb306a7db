//! Which model answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ta_core::definition::Agent;
use ta_core::model::Model;
use ta_models::{Offline, Script};

use crate::error::RuntimeError;

/// A model, and what the run calls it.
pub struct Chosen {
    /// Name of the provider.
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
    /// Why it is another than the agent asks for, where it is.
    pub notice: Option<String>,
}

/// Chooses provider and model: what the person asked for; else the agent's, where this version can call it; else `offline`.
///
/// # Errors
/// Where the provider that was asked for is none that this version can call.
pub fn choose(agent: &Agent, provider: Option<&str>, model: Option<&str>) -> Result<Chosen, RuntimeError> {
    let asked = provider.unwrap_or(&agent.provider);
    match named(asked, model) {
        Err(_) if provider.is_none() => {
            let notice = format!(
                "the agent asks for {} of {asked}, which this version cannot call: the offline planner writes instead",
                agent.model
            );
            Ok(Chosen { provider: "offline".to_owned(), model: "planner".to_owned(), notice: Some(notice) })
        }
        chosen => chosen,
    }
}

/// The provider of that name.
///
/// # Errors
/// `provider.unavailable` where this version cannot call it.
pub fn named(provider: &str, model: Option<&str>) -> Result<Chosen, RuntimeError> {
    let default = match provider {
        "offline" => "planner",
        "script" => "script",
        _ => {
            let message = format!("the provider `{provider}` cannot be called by this version");
            let hint = "use `--provider offline` or `--provider script --script FILE`";
            return Err(RuntimeError::usage("provider.unavailable", message, hint));
        }
    };
    Ok(Chosen { provider: provider.to_owned(), model: model.unwrap_or(default).to_owned(), notice: None })
}

/// Makes the model of a provider. `history_answers` is the number of answers that the session holds already.
///
/// # Errors
/// Where a script is missing or cannot be read.
pub fn model(provider: &str, script: Option<&Path>, history_answers: usize) -> Result<Arc<dyn Model>, RuntimeError> {
    if provider != "script" {
        return Ok(Arc::new(Offline));
    }
    let Some(path) = script else {
        return Err(RuntimeError::usage(
            "script.missing",
            "the provider `script` needs a file of answers",
            "give it with --script FILE",
        ));
    };
    let broken = |why: String| {
        let message = format!("the script {} cannot be used: {why}", path.display());
        RuntimeError::configuration("script.invalid", message, "the reference shows its form")
    };
    let text = std::fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
    let script = Script::parse(&text).map_err(|error| broken(error.to_string()))?;
    Ok(Arc::new(script.with_history_start(history_answers)))
}

/// The path of a script as a journal can keep it.
#[must_use]
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
