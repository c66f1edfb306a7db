//! Events of a study: what its own session keeps, which names nobody, and what a participant's keeps, which can be erased.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something happened in a study, beside any run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StudyRecorded {
    /// The study.
    pub study: String,
    /// The public id of the participant that it is about; none where it is about the study as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    /// What happened.
    pub what: StudyStep,
}

/// What can happen in a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StudyStep {
    /// It began. Everything that its sessions rest on is pinned here.
    Started(Box<StudyStarted>),
    /// Participants were given access codes.
    Coded {
        /// Their public ids.
        participants: Vec<String>,
        /// The level of each factor that they were given with.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        levels: BTreeMap<String, String>,
    },
    /// A participant began, and was assigned: nobody knew of it before.
    Assigned {
        /// The place in the design's list.
        slot: u64,
        /// The conditions in order.
        sequence: Vec<String>,
    },
    /// What the study rests on is not as it was at the start.
    Drifted {
        /// What differs, and from what.
        changes: Vec<String>,
        /// Whether the session was refused; else it is marked.
        refused: bool,
    },
    /// A participant goes no further; what they did stays, the cell is free again.
    DroppedOut,
    /// A participant withdrew: their data are erased, the cell is free again.
    Withdrawn {
        /// The class of the reason: `asked`, `ineligible`, `error`.
        reason: String,
        /// Records that were erased.
        records: u64,
    },
    /// The study was exported.
    Exported {
        /// SHA-256 over the digests of the files, sorted by name.
        sha256: String,
        /// Whether participants and conditions are codes there.
        blinded: bool,
        /// SHA-256 of the key, as JSON kept beside the journal, that says which code is whom; none where nothing is a code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key_sha256: Option<String>,
    },
    /// The key of a blinded export was opened.
    Unblinded {
        /// The export, by its digest.
        sha256: String,
    },
    /// It is over: no session begins any more, and its seed may be shown.
    Closed,
    /// The participant agreed to take part.
    Consented {
        /// Version of the text.
        version: String,
        /// SHA-256 of the text.
        sha256: String,
    },
    /// The participant begins a task.
    TaskBegun {
        /// The task.
        task: String,
        /// The condition; empty for a practice.
        condition: String,
        /// The how-manieth condition of the participant's, counted from 1; 0 for a practice.
        place: u32,
        /// The session of the run; none where nobody answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// What differed from the start, where sessions with differences are marked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drift: Vec<String>,
    },
    /// The participant's task is over.
    TaskEnded {
        /// The task.
        task: String,
        /// The condition; empty for a practice.
        condition: String,
        /// How: the status of its run, `written` where the participant wrote alone, `time` where the time was up.
        how: String,
        /// Active time in milliseconds: at work with it, answers to questions included, breaks left out.
        active_ms: u64,
        /// What the participant wrote, where nobody answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The participant answered a questionnaire.
    Answered {
        /// The questionnaire.
        questionnaire: String,
        /// When: `before`, `after` or `end`.
        moment: String,
        /// The task that it is about; empty at the end.
        task: String,
        /// The condition; empty for a practice and at the end.
        condition: String,
        /// The answer to each item: a number of its scale, or a text; none where it was left out.
        answers: BTreeMap<String, Value>,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// The participant has done everything.
    Finished,
}

/// A study began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StudyStarted {
    /// Version of the host.
    pub host: String,
    /// The name of the design.
    pub design: String,
    /// The conditions, in the order in which the design numbers them.
    pub conditions: Vec<String>,
    /// Conditions that each participant meets.
    pub each: u32,
    /// Participants of a whole round of the design.
    pub block: u32,
    /// Participants that are planned.
    pub participants: u32,
    /// What all draws of the assignment follow from, as a decimal number. Nobody is shown it before the study is closed.
    pub seed: String,
    /// SHA-256 of the study's texts as one JSON object by path, kept beside the journal.
    pub texts_sha256: String,
    /// The workspace directory.
    pub workspace: String,
    /// What each condition rests on.
    pub pins: BTreeMap<String, ConditionPins>,
}

/// What a condition rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionPins {
    /// SHA-256 by what it is of: `text agents/NAME.md`, `component NAME`, `workspace soul.md`, `file answers.json`.
    pub sha256: BTreeMap<String, String>,
    /// Name of the provider that answers; empty where nobody does.
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
}
