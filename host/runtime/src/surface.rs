//! What the surfaces name of the crates below, one by one: what they print, ask and list.

pub use ta_core::event::{
    CallReport, HookBinding, HookFinished, ItemDecided, ObservationsMade, PromptAssembled, RequestAnswer,
    RequestAnswered, RequestMade, RunStarted, SessionDeleted, SessionRenamed, SessionRestored, Status, ToolSettled,
};
pub use ta_core::fields::nearest;
pub use ta_core::files::paths::protected_path;
pub use ta_core::files::{Applied, Files, WorkspaceError, WorkspaceErrorCode};
pub use ta_core::flow::{PersonWait, ShownMessage};
pub use ta_core::front_matter::markdown;
pub use ta_core::hook::{Observation, OnFailure, Subject, Verdict};
pub use ta_core::machine::{Action, Ask, Draft, Machine};
pub use ta_core::memory::{Change, FILE_BYTES_MAX, MemoryFile, MemoryPath, MemoryRules, OWNER_DEFAULT};
pub use ta_core::model::BoxFuture;
pub use ta_core::observation::{check as check_observations, of_surface};
pub use ta_core::problem::Problem;
pub use ta_core::question::{Answer, Choice, Decision, Item, OptionKind, Outcome, Question, QuestionKind};
pub use ta_core::request::Request;
pub use ta_core::text::{line, sentence, visible};
pub use ta_core::trace::{Span, Trace};
pub use ta_core::{Event, Point, Record};
pub use ta_store::{
    About, CodeChange, CodeFilter, CodeRow, Cursor, Hit, RunRow, SearchQuery, SessionFilter, SessionRow, State, Store,
    StoreError, digest,
};
