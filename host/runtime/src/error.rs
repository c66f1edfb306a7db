//! Errors of the runtime: a stable code, a sentence, a hint, and what kind of trouble it is.

use ta_core::files::WorkspaceError;
use ta_core::model::ModelError;
use ta_fields::problem::Problem;
use ta_models::failure::Failure;
use ta_models::failure::Kind::BaseUrl;
use ta_sandbox::SandboxError;
use ta_store::StoreError;

/// The code of what has no provider, and the status of the run that was asked for.
pub const NO_PROVIDER: &str = "error_no_provider";

/// What kind of trouble, which decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something that a person configured or wrote.
    Configuration,
    /// Something that a person asked for in a way that cannot be.
    Usage,
    /// A provider, the disk or the journal.
    Environment,
    /// Nothing answers: no key, and no provider of the plugin's own.
    NoProvider,
}

/// Why something could not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeError {
    /// What kind of trouble.
    pub kind: Kind,
    /// A stable word, such as `command.unknown`.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Problems in files, where it is about files.
    pub problems: Vec<Problem>,
}

impl RuntimeError {
    /// Trouble with a configuration.
    #[must_use]
    pub fn configuration(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            kind: Kind::Configuration,
            code: code.into(),
            message: message.into(),
            hint: hint.into(),
            problems: Vec::new(),
        }
    }

    /// Trouble with what was asked for.
    #[must_use]
    pub fn usage(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, ..Self::configuration(code, message, hint) }
    }

    /// Trouble with provider, disk or journal.
    #[must_use]
    pub fn environment(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: Kind::Environment, ..Self::configuration(code, message, hint) }
    }

    /// Nothing answers.
    #[must_use]
    pub fn no_provider(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: Kind::NoProvider, ..Self::configuration(NO_PROVIDER, message, hint) }
    }

    /// Problems in files.
    #[must_use]
    pub fn problems(what: &str, problems: Vec<Problem>) -> Self {
        let message = format!("{what} has {} problem{}", problems.len(), if problems.len() == 1 { "" } else { "s" });
        Self {
            problems,
            ..Self::configuration(
                "configuration.invalid",
                message,
                "mend the places below; `validate` checks everything",
            )
        }
    }
}

impl std::fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for RuntimeError {}

impl From<SandboxError> for RuntimeError {
    fn from(error: SandboxError) -> Self {
        Self::configuration(error.code, error.message, error.hint)
    }
}

impl From<WorkspaceError> for RuntimeError {
    fn from(error: WorkspaceError) -> Self {
        let hint = "look at the path; `validate` checks the whole workspace";
        match error.code {
            ta_core::files::WorkspaceErrorCode::Io => {
                Self::environment(error.code.name(), error.message, "look at the disk: space, rights, mounts")
            }
            code => Self::configuration(code.name(), error.message, hint),
        }
    }
}

impl From<ModelError> for RuntimeError {
    fn from(error: ModelError) -> Self {
        // An address that cannot be one is what somebody typed.
        let kind = if error.code == BaseUrl.code() { Kind::Usage } else { Kind::Configuration };
        Self { kind, ..Self::configuration(&error.code, error.message, error.hint) }
    }
}

impl From<Failure> for RuntimeError {
    fn from(failure: Failure) -> Self {
        ModelError::from(failure).into()
    }
}

impl From<StoreError> for RuntimeError {
    fn from(error: StoreError) -> Self {
        // An id that names nothing is what somebody typed, not trouble with the journal.
        let typed = matches!(
            error.code(),
            "store.not_found"
                | "store.ambiguous"
                | "store.prefix_too_short"
                | "store.bad_id"
                | "session.erased"
                | "session.forked"
        );
        let kind = if typed { Kind::Usage } else { Kind::Environment };
        Self { kind, ..Self::environment(error.code(), error.to_string(), error.hint()) }
    }
}
