//! Why a provider could not answer: one kind for each thing that can be done about it.
//!
//! | code | what happened | tried again |
//! |---|---|---|
//! | `model.connect` | no connection | yes |
//! | `model.timeout.connect`, `.first_byte`, `.stalled` | one of the three timers ran out | yes |
//! | `model.rate_limited` | too many requests | yes, when the provider says |
//! | `model.overloaded`, `model.server` | the provider is busy or broken | yes |
//! | `model.stream_cut` | the answer broke off | once, from the start |
//! | `model.spend` | no credit, or a limit of spending | no |
//! | `model.auth`, `model.forbidden` | the key is not accepted, or not for this | no |
//! | `model.not_found` | no such model or address | no |
//! | `model.too_long` | the conversation does not fit | no |
//! | `model.bad_request` | the provider refuses the request | no |
//! | `model.unreadable`, `model.reply_too_large` | the reply is not what this format says, or has no end | no |
//! | `model.key_missing`, `model.key_file`, `model.insecure_url` | no key to send, or no safe way to send it | no |
//! | `model.provider_unknown`, `model.base_url`, `model.client` | the settings cannot work | no |
//! | `model.prices` | the price file cannot be read | no |
//! | `model.completion_cache` | answers cannot be kept | no |
//! | `model.cassette_missing`, `.cassette_mismatch`, `.cassette_unreadable`, `.cassette_write` | playing back or recording | no |

use std::time::Duration;

use ta_core::model::ModelError;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No connection could be made.
    Connect,
    /// No connection within the time allowed.
    TimeoutConnect,
    /// A connection, but no byte of an answer in time.
    TimeoutFirstByte,
    /// The answer stopped making progress.
    TimeoutStalled,
    /// Too many requests.
    RateLimited,
    /// No credit, or a limit of spending.
    Spend,
    /// The key is not accepted.
    Auth,
    /// The key is not allowed this.
    Forbidden,
    /// No such model or address.
    NotFound,
    /// The conversation is longer than the model reads.
    TooLong,
    /// The provider refuses the request.
    BadRequest,
    /// The provider has no room just now.
    Overloaded,
    /// The provider broke.
    Server,
    /// The answer broke off.
    StreamCut,
    /// The reply is not of the format.
    Unreadable,
    /// The reply is longer than anything this host takes.
    ReplyTooLarge,
    /// There is no key.
    KeyMissing,
    /// The key file cannot be used.
    KeyFile,
    /// The key would travel unprotected.
    InsecureUrl,
    /// There is no provider of that name.
    ProviderUnknown,
    /// The base URL is missing or none.
    BaseUrl,
    /// The HTTP client could not be made.
    Client,
    /// The price file cannot be read.
    Prices,
    /// Answers cannot be kept.
    CompletionCache,
    /// The cassette holds no further exchange.
    CassetteMissing,
    /// The request is not the recorded one.
    CassetteMismatch,
    /// The cassette cannot be read.
    CassetteUnreadable,
    /// The cassette cannot be written.
    CassetteWrite,
}

/// Whether a call is worth making again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// It would fail the same way.
    Never,
    /// After a pause, as often as the policy says.
    AfterPause,
    /// Once: what failed had begun well.
    Once,
}

impl Kind {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Connect => "model.connect",
            Self::TimeoutConnect => "model.timeout.connect",
            Self::TimeoutFirstByte => "model.timeout.first_byte",
            Self::TimeoutStalled => "model.timeout.stalled",
            Self::RateLimited => "model.rate_limited",
            Self::Spend => "model.spend",
            Self::Auth => "model.auth",
            Self::Forbidden => "model.forbidden",
            Self::NotFound => "model.not_found",
            Self::TooLong => "model.too_long",
            Self::BadRequest => "model.bad_request",
            Self::Overloaded => "model.overloaded",
            Self::Server => "model.server",
            Self::StreamCut => "model.stream_cut",
            Self::Unreadable => "model.unreadable",
            Self::ReplyTooLarge => "model.reply_too_large",
            Self::KeyMissing => "model.key_missing",
            Self::KeyFile => "model.key_file",
            Self::InsecureUrl => "model.insecure_url",
            Self::ProviderUnknown => "model.provider_unknown",
            Self::BaseUrl => "model.base_url",
            Self::Client => "model.client",
            Self::Prices => "model.prices",
            Self::CompletionCache => "model.completion_cache",
            Self::CassetteMissing => "model.cassette_missing",
            Self::CassetteMismatch => "model.cassette_mismatch",
            Self::CassetteUnreadable => "model.cassette_unreadable",
            Self::CassetteWrite => "model.cassette_write",
        }
    }

    /// Whether the call is worth making again.
    #[must_use]
    pub const fn again(self) -> Again {
        match self {
            Self::Connect
            | Self::TimeoutConnect
            | Self::TimeoutFirstByte
            | Self::TimeoutStalled
            | Self::RateLimited
            | Self::Overloaded
            | Self::Server => Again::AfterPause,
            Self::StreamCut => Again::Once,
            _ => Again::Never,
        }
    }

    /// What to do about it, where the failure itself knows no better.
    const fn hint(self) -> &'static str {
        match self {
            Self::Connect | Self::TimeoutConnect => "Check the network, the proxy and the base URL, then go on.",
            Self::TimeoutFirstByte | Self::TimeoutStalled | Self::StreamCut | Self::Overloaded | Self::Server => {
                "Go on in a few minutes."
            }
            Self::RateLimited => "Wait a little, then go on; or ask the provider for a higher limit.",
            Self::Spend => "Add credit or raise the spending limit with the provider; trying again changes nothing.",
            Self::Auth => "Check the key of this provider: it may be mistyped, revoked, or one of another service.",
            Self::Forbidden => {
                "This key may not use that model or feature: check what it is allowed with the provider."
            }
            Self::NotFound => "Check the name of the model and the base URL; `models` lists what the provider has.",
            Self::TooLong => "Begin a new session, shorten the request, or choose a model that reads more.",
            Self::BadRequest => "Try another model; if it goes on, please report it with the code and the sentence.",
            Self::Unreadable => "Check the base URL: something else than the provider may be answering there.",
            Self::ReplyTooLarge => "Ask for less at once, or choose another model.",
            Self::KeyMissing => "Set the environment variable, or put the key into a key file.",
            Self::KeyFile => "Mend the file, or set the key in the environment.",
            Self::InsecureUrl => "Use https, or a server on this machine.",
            Self::ProviderUnknown => "`models` lists the providers.",
            Self::BaseUrl => "Give an address such as https://example.org/v1.",
            Self::Client => "Check the system's certificates and proxy settings.",
            Self::Prices => "Mend the price file, or leave it out.",
            Self::CassetteMissing | Self::CassetteMismatch => "Record the run again; something in it has changed.",
            Self::CassetteUnreadable => "Check the directory of the cassette, or record it again.",
            Self::CompletionCache | Self::CassetteWrite => "Check that the directory exists and can be written.",
        }
    }
}

/// A failure on its way up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind.
    pub kind: Kind,
    /// What happened, in a sentence. Holds no key.
    pub message: String,
    /// What to do, where it is known better than by the kind.
    pub hint: Option<String>,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
    /// Whether part of an answer had come already: then the call is made again once at the most.
    pub midway: bool,
}

impl Failure {
    /// A failure of a kind, with what happened.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, retry_after: None, midway: false }
    }

    /// The same with a hint of its own.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same, as a failure in the middle of an answer.
    #[must_use]
    pub const fn midway(mut self) -> Self {
        self.midway = true;
        self
    }

    /// Whether the call is worth making again.
    #[must_use]
    pub const fn again(&self) -> Again {
        match self.kind.again() {
            Again::AfterPause if self.midway => Again::Once,
            again => again,
        }
    }
}

impl From<Failure> for ModelError {
    fn from(failure: Failure) -> Self {
        let hint = failure.hint.unwrap_or_else(|| failure.kind.hint().to_owned());
        Self { code: failure.kind.code().to_owned(), message: failure.message, hint }
    }
}

/// A provider's own words, fit to be shown: one line, no control characters, not endless.
#[must_use]
pub fn quoted(words: &str) -> String {
    const CHARS_MAX: usize = 300;
    let mut line: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
    line.retain(|char| !char.is_control());
    if let Some((most, _)) = line.char_indices().nth(CHARS_MAX) {
        // Keys are looked for later, and have to be whole then: none is cut in two. They are runs of such characters.
        let plain = |char: char| char.is_ascii_graphic();
        let (kept, rest) = line.split_at(most);
        let kept = if rest.starts_with(plain) { kept.trim_end_matches(plain) } else { kept };
        line = format!("{}…", kept.trim_end());
    }
    line
}
