//! Who watches a run.

use ta_core::Record;

/// Something that is about to begin and may take a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Starting {
    /// A component is being compiled or loaded.
    Component(String),
    /// A hook.
    Hook(String),
    /// A model call: provider, model, turn.
    Model(String, String, u32),
    /// Tool calls, by name.
    Tools(Vec<String>),
    /// A flow.
    Flow(String),
    /// Another agent's work.
    Agent(String),
}

/// Is told what happens, after it is in the journal.
pub trait Observer: Send + Sync {
    /// Something has happened.
    fn record(&self, record: &Record);

    /// Something begins. Not in the journal: for progress only.
    fn starting(&self, starting: &Starting);

    /// A sentence about something out of the ordinary, such as a cache that could not be used.
    fn notice(&self, text: &str);

    /// More of the answer of a model. Not in the journal: the finished answer is, or what had come of it.
    fn delta(&self, _text: &str) {}

    /// The answer so far is void: it begins anew.
    fn restarted(&self) {}
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn record(&self, _record: &Record) {}
    fn starting(&self, _starting: &Starting) {}
    fn notice(&self, _text: &str) {}
}
