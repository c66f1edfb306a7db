//! Which events have to be durable before a run goes on.
//!
//! Nobody outside may see an event, and nothing may be paid, asked or written because of it, before it is durable. Within
//! that, a run that is killed may lose its last events: it does the same again from the last one that is there, and
//! nobody has seen that it was otherwise.

use ta_core::event::{Event, RequestAnswer};
use ta_core::request::Request;

/// Whether the run waits until an event is durable, and with it all before it.
pub(super) const fn at_once(event: &Event) -> bool {
    match event {
        // Whoever began it is told its ids.
        Event::RunStarted(_)
        | Event::RunForked(_)
        | Event::RunResumed(_)
        // A model is about to be paid; and what it was paid for is never paid again.
        | Event::ModelCalled(_)
        | Event::ModelAnswered(_)
        | Event::ModelFailed(_)
        | Event::ModelFellBack(_)
        | Event::ModelPartial(_)
        // The person is told that the decision was taken.
        | Event::ItemDecided(_)
        // What is said and shown passes between the person and the run.
        | Event::MessageSaid(_)
        | Event::MessagesShown(_)
        | Event::FlowFailed(_)
        | Event::FlowWoken
        // Files are about to be changed. Tools and hooks change nothing by themselves: what they write is staged.
        | Event::WritesIntended(_)
        // The run holds nothing more, and somebody is told how it ended.
        | Event::RunParked(_)
        | Event::RunFinished(_)
        // Whoever sent them is told that they are kept.
        | Event::ObservationsMade(_)
        | Event::SessionRenamed(_)
        | Event::SessionDeleted(_)
        | Event::SessionRestored(_)
        | Event::SessionErased(_)
        | Event::StudyRecorded(_) => true,
        // The person is asked, or a model is paid; and the answer is not asked for again. A tool that is called changes nothing
        // before its writes are durable.
        Event::RequestMade(made) => !matches!(made.request, Request::Tool { .. }),
        Event::RequestAnswered(answered) => !matches!(answered.answer, RequestAnswer::Tool { .. }),
        Event::PromptAssembled(_)
        | Event::HookFinished(_)
        | Event::ContextCompacted(_)
        | Event::ToolStarted(_)
        | Event::ToolFinished(_)
        | Event::ToolSettled(_)
        // Done once more where this is lost: what is there already is left as it is.
        | Event::WritesDone(_)
        | Event::SubagentStarted(_)
        | Event::SubagentFinished(_)
        | Event::HandoffMade(_)
        | Event::TasksReplaced(_)
        | Event::PromptCorrected(_)
        | Event::FlowStepped(_)
        | Event::AgentAnswered(_)
        | Event::MemoryWritten(_)
        | Event::MemoryConsolidated(_) => false,
    }
}
