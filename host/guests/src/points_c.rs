//! The places of the template in C that differ from point to point.

use ta_runtime::surface::Point;

use crate::points::{self, Answer};

/// What the template says at this point; nothing where it cannot be had.
pub(crate) fn values(point: Point) -> Vec<(&'static str, String)> {
    let answer = match points::answer(point) {
        Answer::Rework => {
            "response->verdict.tag = REWORK;\n    response->verdict.val.rework.instruction = reason;\n    \
             response->verdict.val.rework.rounds_max = 2;"
        }
        Answer::Refuse => "response->verdict.tag = REFUSE;\n    response->verdict.val.refuse = reason;",
        Answer::Abort => {
            "response->verdict.tag = ABORT;\n    response->verdict.val.abort.code = copy(\"unfinished\");\n    \
             response->verdict.val.abort.reason = reason;"
        }
    };
    let tag = match points::answer(point) {
        Answer::Rework => "REWORK",
        Answer::Refuse => "REFUSE",
        Answer::Abort => "ABORT",
    };
    let upper = point.name().replace('-', "_").to_uppercase();
    vec![
        ("text", format!("event->{}", points::path(point))),
        ("answer", answer.to_owned()),
        ("tag", tag.to_owned()),
        ("upper", upper),
    ]
}
