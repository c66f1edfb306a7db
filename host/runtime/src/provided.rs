//! Providers that a plugin brings: components that answer as a model does.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use ta_core::definition::PROVIDER_OFFLINE;
use ta_core::event::{CallReport, ComponentPin};
use ta_core::hook::CallContext;
use ta_core::kind::Kind;
use ta_core::message::Usage;
use ta_core::model::{BoxFuture, Model, ModelAnswer, ModelError, ModelRequest, ProviderCall};
use ta_sandbox::{Ended, Guest, Invocation, Provided, Sandbox, SkillReader};

use crate::components::Components;
use crate::error::RuntimeError;
use crate::host::Host;
use crate::plugin::Plugin;
use crate::run::effects::AgentSkills;

/// How often a request is made whose failure the component calls retryable.
const TRIES: u32 = 3;

/// What a plugin brings to answer as a model.
pub(crate) struct Brought<'a> {
    /// Name of the plugin.
    pub(crate) plugin: &'a str,
    components: Option<(&'a Plugin, &'a Components)>,
}

impl<'a> Brought<'a> {
    /// The providers among a plugin's loaded components.
    #[must_use]
    pub(crate) fn by(plugin: &'a Plugin, components: &'a Components) -> Self {
        Self { plugin: &plugin.manifest.name, components: Some((plugin, components)) }
    }

    /// No plugin is asked: only providers over a network answer.
    #[must_use]
    pub(crate) const fn nothing() -> Self {
        Self { plugin: "", components: None }
    }

    /// The provider of this name, where the plugin brings one.
    ///
    /// # Errors
    /// `plugin.world_mismatch` where its component answers nothing.
    pub(crate) fn open(&self, host: &Host, name: &str) -> Result<Option<Arc<dyn Model>>, RuntimeError> {
        let Some((plugin, components)) = self.components else { return Ok(None) };
        let answers = |pin: &&ComponentPin| pin.kind == Kind::Provider;
        let Some(guest) = components.pins.get(name).filter(answers).and_then(|_| components.guests.get(name)) else {
            return Ok(None);
        };
        if !guest.inspection.provider {
            let message = format!("the component of the provider `{name}` does not export `provider`");
            let hint = "mend `component` in plugin.toml; `inspect` shows what a component exports";
            return Err(RuntimeError::configuration("plugin.world_mismatch", message, hint));
        }
        let skills: Arc<dyn SkillReader> = Arc::new(AgentSkills(plugin.skills.clone()));
        let (sandbox, guest, name) = (host.sandbox.clone(), Arc::clone(guest), name.to_owned());
        Ok(Some(Arc::new(Component { sandbox, guest, name, skills })))
    }
}

/// Nothing answers for a plugin: it needs a key, or a provider of its own.
pub(crate) fn none(plugin: &str, why: &str) -> RuntimeError {
    let message =
        format!("nothing answers for the plugin `{plugin}`: {why}, and it brings no provider `{PROVIDER_OFFLINE}`");
    let hint = "set the key, choose another provider with --provider (`models` lists them), or play answers from a file with \
                --provider script --script FILE";
    RuntimeError::no_provider(message, hint)
}

/// A provider's component as a model.
struct Component {
    sandbox: Sandbox,
    guest: Arc<Guest>,
    name: String,
    skills: Arc<dyn SkillReader>,
}

/// What came of one try.
enum Tried {
    Answer(Box<ModelAnswer>),
    Failed { why: String, again: bool },
}

impl Component {
    async fn ask(&self, request: &ModelRequest, attempt: u32) -> Tried {
        let seed = Sha256::new().chain_update(request.moment.seed).chain_update(attempt.to_le_bytes()).finalize();
        let (rights, limits) = (Arc::clone(&self.guest.rights), self.guest.limits);
        let invocation = Invocation {
            skills: Some(Arc::clone(&self.skills)),
            now_ms: request.moment.at_ms,
            seed: seed.into(),
            ..Invocation::new(CallContext::default(), rights, limits)
        };
        let outcome = self.sandbox.call_provider(&self.guest, request, invocation).await;
        let failed = |why: String, again| Tried::Failed { why, again };
        match outcome.ended {
            Ended::Returned(Ok(provided)) => Tried::Answer(Box::new(self.answer(request, provided, outcome.report))),
            Ended::Returned(Err(failure)) => {
                failed(format!("{} [{}]", sentence(&failure.message), failure.code), failure.retryable)
            }
            Ended::Failed(failure) => failed(format!("{} [{}]", sentence(&failure.reason), failure.code), false),
            Ended::Requested(_) => failed("it makes a request of its own [hook.requests]".into(), false),
        }
    }

    /// The answer, with what the call used. What it was told of skills follows from the plugin's texts: no blob keeps it.
    fn answer(&self, request: &ModelRequest, provided: Provided, report: CallReport) -> ModelAnswer {
        let told = Usage {
            input_tokens: provided.input_tokens,
            output_tokens: provided.output_tokens,
            estimated: true,
            ..Usage::default()
        };
        let usage = ta_models::completed(Some(told), request, &provided.text, &provided.calls);
        let report = CallReport { inputs: Vec::new(), ..report };
        let (name, sha256) = (self.name.clone(), self.guest.sha256.clone());
        ModelAnswer {
            text: provided.text,
            calls: provided.calls,
            stop: provided.stop,
            usage,
            declined: provided.declined,
            component: Some(Box::new(ProviderCall { name, sha256, report })),
            ..ModelAnswer::default()
        }
    }
}

fn sentence(text: &str) -> &str {
    text.trim().trim_end_matches('.')
}

impl Model for Component {
    fn provider(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        Box::pin(async move {
            let mut last = String::new();
            for attempt in 0..TRIES {
                match self.ask(request, attempt).await {
                    Tried::Answer(answer) => return Ok(*answer),
                    Tried::Failed { why, again: true } => last = why,
                    Tried::Failed { why, again: false } => {
                        last = why;
                        break;
                    }
                }
            }
            Err(ModelError {
                code: "model.provider_failed".to_owned(),
                message: format!("the provider `{}` has no answer: {last}", self.guest.name),
                hint: "mend the component, or go on with another provider: fork --provider NAME".to_owned(),
            })
        })
    }
}
