//! A second provider takes over where the first one fails for good.

use std::sync::Arc;

use ta_core::model::{BoxFuture, Deltas, Model, ModelAnswer, ModelError, ModelRequest, Unwatched};

use crate::watch::Watched;

/// Two models: the second is asked what the first could not answer, each time anew.
pub struct Fallback {
    first: Arc<dyn Model>,
    second: Arc<dyn Model>,
    second_name: String,
}

impl std::fmt::Debug for Fallback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fallback({}, {})", self.first.provider(), self.second_name)
    }
}

impl Fallback {
    /// `second_model` is the name of the second provider's model, for the trace.
    #[must_use]
    pub fn new(first: Arc<dyn Model>, second: Arc<dyn Model>, second_model: &str) -> Self {
        let second_name = format!("{}/{second_model}", second.provider());
        Self { first, second, second_name }
    }

    async fn answer(&self, request: &ModelRequest, deltas: &dyn Deltas) -> Result<ModelAnswer, ModelError> {
        let watched = Watched::new(deltas);
        let first = match self.first.stream(request, &watched).await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let said = first.message.trim_end_matches('.');
        deltas.notice(&format!("{said}; {} takes over.", self.second_name));
        watched.begin_again();
        match self.second.stream(request, deltas).await {
            Ok(answer) => {
                let answered_by = answer.answered_by.or_else(|| Some(self.second_name.clone()));
                Ok(ModelAnswer { answered_by, ..answer })
            }
            // What is wrong with the provider that was asked for is what can be mended; the other is mentioned.
            Err(second) => {
                let message = format!("{said}; {} took over and failed, too: {}", self.second_name, second.message);
                Err(ModelError { message, ..first })
            }
        }
    }
}

impl Model for Fallback {
    fn provider(&self) -> &str {
        self.first.provider()
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
