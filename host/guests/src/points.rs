//! What differs from point to point in the guest that a template begins: it looks for places that are marked as unfinished.

use serde_json::{Value, json};
use ta_runtime::surface::Point;

/// A text without a mark, and one with a mark.
pub(crate) const FINISHED: &str = "All is said.";
pub(crate) const UNFINISHED: &str = "One thing is said. TODO: the other.";
/// The mark in it.
pub(crate) const MARK: &str = "TODO";

/// What a point lets a hook answer to a text that is not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The model is asked again.
    Rework,
    /// The tool is not called, or what it wrote is dropped.
    Refuse,
    /// The run ends.
    Abort,
}

/// What a hook at this point answers.
pub(crate) const fn answer(point: Point) -> Answer {
    match point {
        Point::PostModel | Point::PostLoop => Answer::Rework,
        Point::PreTool | Point::PostTool => Answer::Refuse,
        Point::PreLoop | Point::PreModel | Point::OnHandoff | Point::OnSubagentStart | Point::OnSubagentEnd => {
            Answer::Abort
        }
    }
}

/// The path of the text that it looks at, in the fields of the point's event.
pub(crate) const fn path(point: Point) -> &'static str {
    match point {
        Point::PreLoop => "input",
        Point::PreModel => "messages",
        Point::PostModel => "text",
        Point::PreTool => "call.arguments",
        Point::PostTool => "result.text",
        Point::PostLoop => "output",
        Point::OnHandoff => "brief.reason",
        Point::OnSubagentStart => "task",
        Point::OnSubagentEnd => "summary",
    }
}

/// An event of the point that holds a text.
pub(crate) fn event(point: Point, text: &str) -> Value {
    let call = || json!({ "id": "1", "name": "write_file", "arguments": json!({ "path": "notes.md", "text": text }).to_string() });
    match point {
        Point::PreLoop => json!({ "input": text }),
        Point::PreModel => json!({ "messages": [{ "role": "user", "text": text }] }),
        Point::PostModel => json!({ "text": text }),
        Point::PreTool => json!({ "call": call() }),
        Point::PostTool => {
            json!({ "call": call(), "result": { "id": "1", "name": "write_file", "failed": false, "text": text } })
        }
        Point::PostLoop => json!({ "output": text }),
        Point::OnHandoff => {
            let brief = json!({ "decisions": [], "constraints": [], "reason": text, "open_questions": [] });
            json!({ "source": "planner", "target": "reviewer", "brief": brief })
        }
        Point::OnSubagentStart => json!({ "agent": "helper", "task": text, "turns_max": 3 }),
        Point::OnSubagentEnd => json!({ "agent": "helper", "status": "success", "summary": text }),
    }
}

/// What the guest of every template says to a text: none found, or one place in the first line.
pub(crate) fn expected(point: Point, finished: bool) -> Value {
    if finished {
        return json!({ "verdict": "pass", "notes": [format!("no `{MARK}`")] });
    }
    let finding = json!({ "class": "unfinished", "line": 1, "message": format!("line 1 says `{MARK}`: finish it") });
    let reason = format!("Finish what is marked `{MARK}`: 1 place.");
    match answer(point) {
        Answer::Rework => json!({ "verdict": "rework", "reason": reason, "findings": [finding] }),
        Answer::Refuse => json!({ "verdict": "modify", "code": "refuse", "reason": reason, "findings": [finding] }),
        Answer::Abort => json!({ "verdict": "abort", "code": "unfinished", "reason": reason, "findings": [finding] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_an_event_with_the_text_at_its_path() {
        for point in Point::ALL {
            let event = event(point, UNFINISHED);
            let found = path(point).split('.').try_fold(&event, |value, key| value.get(key));
            assert!(found.is_some_and(|it| it.to_string().contains(MARK)), "{point}: {event}");
        }
    }
}
