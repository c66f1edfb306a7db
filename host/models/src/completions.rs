//! Answers kept while something is being developed: the same request gets the recorded answer, and costs nothing.
//!
//! A directory holds one JSON file a request, named by the SHA-256 of all that decides the answer: provider, model,
//! address and request. Only answers are kept, neither requests nor failures. Off by default, and never for a study.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ta_core::model::{BoxFuture, Deltas, Model, ModelAnswer, ModelError, ModelRequest, Unwatched};

use crate::failure::{Failure, Kind};

/// A model behind a directory of its answers.
pub struct Completions {
    inner: Arc<dyn Model>,
    directory: PathBuf,
    /// Name of the model, and where it is.
    about: (String, String),
}

/// An answer as its file keeps it.
#[derive(Serialize, Deserialize)]
struct Kept {
    provider: String,
    model: String,
    answer: ModelAnswer,
}

impl std::fmt::Debug for Completions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Completions({}, {})", self.inner.provider(), self.directory.display())
    }
}

impl Completions {
    /// Puts a directory in front of a model. `model` is its name, `base_url` where it is called.
    ///
    /// # Errors
    /// `model.completion_cache` where the directory cannot be made.
    pub fn new(inner: Arc<dyn Model>, model: &str, base_url: &str, directory: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(directory).map_err(|error| {
            let message = format!("The directory {} cannot be made: {error}.", directory.display());
            Failure::new(Kind::CompletionCache, message)
        })?;
        let about = (model.to_owned(), base_url.to_owned());
        Ok(Self { inner, directory: directory.to_owned(), about })
    }

    fn file(&self, request: &ModelRequest) -> PathBuf {
        let (model, base_url) = &self.about;
        let decides = (self.inner.provider(), model, base_url, request);
        let digest = Sha256::digest(serde_json::to_vec(&decides).unwrap_or_default());
        self.directory.join(format!("{}.json", hex::encode(digest)))
    }

    async fn answer(&self, request: &ModelRequest, deltas: &dyn Deltas) -> Result<ModelAnswer, ModelError> {
        let file = self.file(request);
        if let Some(answer) = read(&file) {
            deltas.text(&answer.text);
            return Ok(ModelAnswer { cached: true, cost_usd: 0.0, cache_saved_usd: 0.0, ..answer });
        }
        let answer = self.inner.stream(request, deltas).await?;
        let (provider, model) = (self.inner.provider().to_owned(), self.about.0.clone());
        let kept = Kept { provider, model, answer };
        // The answer is paid for and counts, whether it could be kept or not.
        if let Err(error) = write(&file, &kept) {
            deltas.notice(&format!("the answer could not be kept in {}: {error}", self.directory.display()));
        }
        Ok(kept.answer)
    }
}

/// What cannot be read is asked for anew, and replaced.
fn read(file: &Path) -> Option<ModelAnswer> {
    let kept: Kept = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    Some(kept.answer)
}

/// Whole or not at all: several runs may share the directory.
fn write(file: &Path, kept: &Kept) -> std::io::Result<()> {
    let temporary = file.with_extension(format!("{}-{:x}", std::process::id(), fastrand::u64(..)));
    std::fs::write(&temporary, serde_json::to_vec_pretty(kept)?)?;
    std::fs::rename(&temporary, file)
}

impl Model for Completions {
    fn provider(&self) -> &str {
        self.inner.provider()
    }

    fn complete<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        self.stream(request, &Unwatched)
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        deltas: &'a dyn Deltas,
    ) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        Box::pin(self.answer(request, deltas))
    }
}
