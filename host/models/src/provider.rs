//! The providers by name: the shipped ones, and those that an operator's file adds or changes.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use ta_core::manifest::operator::ProviderEntry;

use crate::failure::{Failure, Kind};
use crate::wire::Wire;

/// A provider that can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// Its name, as in `--provider`.
    pub name: &'static str,
    /// The shipped provider whose ways it has: its own name, for a shipped one.
    pub like: &'static str,
    /// Under which name its key stands: one company may have two wire formats.
    pub account: &'static str,
    /// Under which name its prices and windows stand.
    pub priced: &'static str,
    /// The wire format.
    pub wire: Wire,
    /// The variable that holds its key; empty where it needs none.
    pub key_variable: &'static str,
    /// The variable that says where it is instead; empty where there is none.
    pub address_variable: &'static str,
    /// Whether a call without a key is of no use.
    pub needs_key: bool,
    /// Where it is; empty where that has to be said.
    pub base_url: &'static str,
    /// The model where none is named; empty where that has to be said.
    pub model: &'static str,
    /// A cheap one, for small questions; empty where the run's own model is asked those too.
    pub cheap: &'static str,
}

const PROVIDERS: [Provider; 6] = [
    Provider {
        name: "anthropic",
        like: "anthropic",
        account: "anthropic",
        priced: "anthropic",
        wire: Wire::Anthropic,
        key_variable: "ANTHROPIC_API_KEY",
        address_variable: "ANTHROPIC_BASE_URL",
        needs_key: true,
        base_url: "https://api.anthropic.com",
        model: "claude-sonnet-4-6",
        cheap: "claude-haiku-4-5",
    },
    Provider {
        name: "openai",
        like: "openai",
        account: "openai",
        priced: "openai",
        wire: Wire::Responses,
        key_variable: "OPENAI_API_KEY",
        address_variable: "OPENAI_BASE_URL",
        needs_key: true,
        base_url: "https://api.openai.com/v1",
        model: "gpt-5.4-mini",
        cheap: "gpt-5.4-nano",
    },
    Provider {
        name: "openai-chat",
        like: "openai-chat",
        account: "openai",
        priced: "openai",
        wire: Wire::Chat,
        key_variable: "OPENAI_API_KEY",
        address_variable: "OPENAI_BASE_URL",
        needs_key: true,
        base_url: "https://api.openai.com/v1",
        model: "gpt-5.4-mini",
        cheap: "gpt-5.4-nano",
    },
    Provider {
        name: "google",
        like: "google",
        account: "google",
        priced: "google",
        wire: Wire::Gemini,
        key_variable: "GEMINI_API_KEY",
        address_variable: "GOOGLE_GEMINI_BASE_URL",
        needs_key: true,
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        model: "gemini-3.5-flash",
        cheap: "gemini-3.5-flash-lite",
    },
    Provider {
        name: "ollama",
        like: "ollama",
        account: "ollama",
        priced: "ollama",
        wire: Wire::Ollama,
        key_variable: "",
        address_variable: "OLLAMA_HOST",
        needs_key: false,
        base_url: "http://127.0.0.1:11434",
        model: "qwen3:4b",
        cheap: "",
    },
    Provider {
        name: "compatible",
        like: "compatible",
        account: "compatible",
        priced: "compatible",
        wire: Wire::Chat,
        key_variable: "COMPATIBLE_API_KEY",
        address_variable: "",
        needs_key: false,
        base_url: "",
        model: "",
        cheap: "",
    },
];

impl Provider {
    /// The shipped provider of a name.
    ///
    /// # Errors
    /// `model.provider_unknown` where there is none.
    pub fn shipped(name: &str) -> Result<&'static Self, Failure> {
        Providers::default().named(name)
    }

    /// Whether an address is the company's own, which can do more than those that only speak like it.
    pub(crate) fn native(&self, base_url: &str) -> bool {
        PROVIDERS.iter().any(|it| it.name == self.like && it.base_url == base_url)
    }
}

/// The providers that can be called over a network: the shipped ones, and those of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Providers(Vec<&'static Provider>);

impl Default for Providers {
    /// The shipped ones.
    fn default() -> Self {
        Self(PROVIDERS.iter().collect())
    }
}

impl Providers {
    /// The provider of a name.
    ///
    /// # Errors
    /// `model.provider_unknown` where there is none.
    pub fn named(&self, name: &str) -> Result<&'static Provider, Failure> {
        self.0.iter().find(|it| it.name == name).copied().ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|it| it.name).collect();
            let message = format!("There is no provider `{}`.", name.escape_debug());
            Failure::new(Kind::ProviderUnknown, message).with_hint(format!("Use one of {}.", names.join(", ")))
        })
    }

    /// All of them, the shipped ones first.
    pub fn all(&self) -> impl Iterator<Item = &'static Provider> {
        self.0.iter().copied()
    }

    /// These and an operator's, which takes the place of one of its name.
    ///
    /// # Errors
    /// `model.provider_unknown` where it is like none of the shipped ones.
    pub fn with(mut self, name: &str, own: &ProviderEntry) -> Result<Self, Failure> {
        let shipped = Provider::shipped(name).ok();
        let like = match own.like.as_deref() {
            Some(like) => Provider::shipped(like)?,
            None => Provider::shipped(name)?,
        };
        let own_or = |own: &Option<String>, usual: &'static str| own.as_deref().map_or(usual, kept);
        // A gateway takes keys of its own: it is never sent the company's.
        let (account, key_variable, address_variable) = match shipped {
            Some(it) => (it.account, own_or(&own.key_variable, it.key_variable), it.address_variable),
            None => (kept(name), own_or(&own.key_variable, ""), ""),
        };
        let provider = Provider {
            name: kept(name),
            like: like.name,
            account,
            priced: own_or(&own.prices_of, account),
            wire: like.wire,
            key_variable,
            address_variable,
            needs_key: !key_variable.is_empty() && shipped.is_none_or(|it| it.needs_key),
            base_url: own_or(&own.base_url, shipped.map_or("", |it| it.base_url)),
            model: own_or(&own.model, shipped.map_or("", |it| it.model)),
            cheap: own_or(&own.cheap, shipped.map_or("", |it| it.cheap)),
        };
        let provider = KEPT.provider(provider);
        match self.0.iter_mut().find(|it| it.name == name) {
            Some(place) => *place = provider,
            None => self.0.push(provider),
        }
        Ok(self)
    }
}

/// What operators said of providers, for as long as the process lives: each different line once, so a file that is read again
/// and again takes no more memory.
struct Kept {
    texts: Mutex<BTreeSet<&'static str>>,
    providers: Mutex<Vec<&'static Provider>>,
}

static KEPT: Kept = Kept { texts: Mutex::new(BTreeSet::new()), providers: Mutex::new(Vec::new()) };

fn kept(text: &str) -> &'static str {
    let mut texts = KEPT.texts.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = texts.get(text) {
        return text;
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(text);
    text
}

impl Kept {
    fn provider(&self, provider: Provider) -> &'static Provider {
        let mut providers = self.providers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = providers.iter().find(|it| ***it == provider) {
            return known;
        }
        let provider: &'static Provider = Box::leak(Box::new(provider));
        providers.push(provider);
        provider
    }
}
