//! What the surfaces name of the crates below, one by one: what they print, ask and list.

pub use ta_core::event::{
    CallReport, ComponentPin, ConditionPins, HookBinding, HookFinished, ItemDecided, ObservationsMade, PromptAssembled,
    RequestAnswer, RequestAnswered, RequestMade, RunStarted, SessionDeleted, SessionRenamed, SessionRestored, Status,
    StudyRecorded, StudyStarted, StudyStep, ToolSettled,
};
pub use ta_core::files::paths::protected_path;
pub use ta_core::files::{Applied, Files, WorkspaceError, WorkspaceErrorCode};
pub use ta_core::flow::{PersonWait, ShownMessage};
pub use ta_core::hook::{Observation, OnFailure, Subject, Verdict};
pub use ta_core::machine::{Action, Ask, Draft, Machine};
pub use ta_core::manifest::{ComponentEntry, Manifest, manifest as read_manifest};
pub use ta_core::memory::{Change, FILE_BYTES_MAX, MemoryFile, MemoryPath, MemoryRules, OWNER_DEFAULT};
pub use ta_core::model::BoxFuture;
pub use ta_core::observation::{check as check_observations, of_surface};
pub use ta_core::question::{Answer, Choice, Decision, Item, OptionKind, Outcome, Question, QuestionKind};
pub use ta_core::request::Request;
pub use ta_core::text::{line, sentence, visible};
pub use ta_core::trace::{Span, Trace};
pub use ta_core::{Event, Point, Record};
pub use ta_fields::fields::{Fields, nearest};
pub use ta_fields::front_matter::{markdown, toml};
pub use ta_fields::problem::Problem;
pub use ta_store::{
    About, CodeChange, CodeFilter, CodeRow, Cursor, Hit, RunRow, SearchQuery, SessionFilter, SessionRow, State, Store,
    StoreError, digest,
};
