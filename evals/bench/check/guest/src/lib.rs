//! The check as a component, at the four points of a turn. It never does more than hand the texts to `bench_check`.
//!
//! `cargo xtask bench --guests` builds it into `evals/bench/check.wasm`.

use bench_check::{Answer, check_event, check_texts};
use ta_guest::types::Message;
use ta_guest::{Context, Conversation, Finding, post_model, post_tool, pre_model, pre_tool};

const CODE: &str = "sections-missing";
/// A call of this tool never ends, to see how soon it is stopped.
const ENDLESS: &str = "endless";
const REASON: &str = "the lesson lacks sections";
/// Messages that are checked before a model call, the last of the conversation: earlier ones were checked before earlier calls.
const MESSAGES: usize = 10;

ta_guest::pre_model!(before_the_model);
ta_guest::post_model!(after_the_model);
ta_guest::pre_tool!(before_a_tool);
ta_guest::post_tool!(after_a_tool);

/// The verdict and the findings, in the words of a point.
macro_rules! respond {
    ($point:ident, $answer:expr) => {{
        let answer: Answer = $answer;
        let words = format!("{} words", answer.words);
        if answer.passes() {
            $point::Response::pass().note(words)
        } else {
            $point::Response::abort(CODE, REASON).note(words).findings(findings(answer))
        }
    }};
}

fn findings(answer: Answer) -> Vec<Finding> {
    let finding = |message: String| Finding::new(CODE, message);
    answer.findings.into_iter().map(finding).collect()
}

fn before_the_model(_: &Context, event: &pre_model::Event) -> pre_model::Response {
    let messages: Vec<Message> = event.messages.some(event.messages.count().saturating_sub(MESSAGES), MESSAGES);
    respond!(pre_model, check_texts(messages.iter().map(|message| message.text.as_str())))
}

fn after_the_model(_: &Context, event: &post_model::Event) -> post_model::Response {
    respond!(post_model, check_texts([event.text.as_str()]))
}

/// A tool's arguments are JSON, so this is the point where the check parses.
fn before_a_tool(_: &Context, event: &pre_tool::Event) -> pre_tool::Response {
    if event.call.name == ENDLESS {
        loop {
            std::hint::black_box(());
        }
    }
    match check_event(&event.call.arguments) {
        Ok(answer) => respond!(pre_tool, answer),
        Err(error) => pre_tool::Verdict::Refuse(error.to_string()).into(),
    }
}

fn after_a_tool(_: &Context, event: &post_tool::Event) -> post_tool::Response {
    respond!(post_tool, check_texts([event.result.text.as_str()]))
}
