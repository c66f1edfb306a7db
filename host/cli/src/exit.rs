//! Exit codes. They are part of the interface; the reference lists them.

use ta_runtime::error::Kind;
use ta_runtime::surface::Status;
use ta_runtime::{Ended, RuntimeError};

/// An exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code(u8);

/// It did what it was asked to.
pub(crate) const SUCCESS: Code = Code(0);
/// A configuration or a file is wrong.
pub(crate) const CONFIGURATION: Code = Code(1);
/// The command line makes no sense.
pub(crate) const USAGE: Code = Code(2);
/// The run waits for an answer, or was interrupted.
pub(crate) const PARKED: Code = Code(3);
/// A hook ended the run.
pub(crate) const ABORTED: Code = Code(4);
/// The run reached a limit.
pub(crate) const LIMIT: Code = Code(5);
/// A provider, the disk or the journal.
pub(crate) const ENVIRONMENT: Code = Code(6);
/// What was asked for was declined: nothing is wrong.
pub(crate) const DECLINED: Code = Code(7);

/// Nothing answers: no key, and no provider of the plugin's own.
pub(crate) const NO_PROVIDER: Code = Code(8);

impl From<Code> for std::process::ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code.0)
    }
}

pub(crate) const fn of_end(ended: &Ended) -> Code {
    match ended {
        Ended::Finished(Status::Success) => SUCCESS,
        Ended::Finished(Status::Declined) => DECLINED,
        Ended::Finished(Status::ErrorHookAbort) => ABORTED,
        Ended::Finished(_) => LIMIT,
        Ended::Parked | Ended::Interrupted => PARKED,
        Ended::Provider(_) | Ended::FlowFailed { .. } => ENVIRONMENT,
    }
}

pub(crate) const fn of_error(error: &RuntimeError) -> Code {
    match error.kind {
        Kind::Configuration => CONFIGURATION,
        Kind::Usage => USAGE,
        Kind::Environment => ENVIRONMENT,
        Kind::NoProvider => NO_PROVIDER,
    }
}
