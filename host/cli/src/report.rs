//! How a run ended, for people and for programs.

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use ta_runtime::person::SAY;
use ta_runtime::surface::{sentence, visible};
use ta_runtime::{Ended, RunEnd};

use crate::args::Output;
use crate::exit::{self, Code};
use crate::formula::readable;
use crate::out::outln;

const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const RED: Style = AnsiColor::Red.on_default();
/// Characters of an id that a person needs to type: enough to be the only one.
const ID_CHARS: usize = 8;

/// The first characters of an id.
pub(crate) fn short(id: &str) -> &str {
    id.get(..ID_CHARS).unwrap_or(id)
}

/// Prints how a run ended.
pub(crate) fn end(end: &RunEnd, output: Output, workspace: &std::path::Path) -> Code {
    match output {
        Output::Text => text(end, workspace),
        Output::Json => outln!("{}", object(end)),
        // The last event says it already.
        Output::Jsonl => {}
    }
    if let Some(sentence) = next_step(end).filter(|_| output != Output::Text) {
        eprintln!("{sentence}");
    }
    exit::of_end(&end.ended)
}

fn status(end: &RunEnd) -> &'static str {
    match &end.ended {
        Ended::Finished(status) => status.name(),
        Ended::Parked | Ended::Interrupted | Ended::Provider(_) | Ended::FlowFailed { .. } => "parked",
    }
}

fn object(end: &RunEnd) -> Value {
    json!({
        "run": end.run,
        "session": end.session,
        "status": status(end),
        "reason": end.reason,
        "output": end.output,
        "saved": end.saved,
        "usage": end.usage,
        "cost_usd": end.cost_usd,
        "findings": end.findings,
        "messages": end.messages,
        "reply": end.reply,
        "question": end.question,
    })
}

/// Failures that a run which goes on as it began runs into again, unless the provider changes.
const NEED_ANOTHER: [&str; 5] =
    ["model.not_found", "model.forbidden", "model.bad_request", "model.too_long", "model.unreadable"];

fn next_step(end: &RunEnd) -> Option<String> {
    let id = short(&end.session);
    let resume = format!("teacher-assist --resume {id}");
    let says = end.question.as_ref().is_some_and(|question| question.id == SAY);
    match &end.ended {
        Ended::Parked if says => Some(format!("It is your turn. Go on with: teacher-assist resume {id} --say \"…\"")),
        Ended::FlowFailed { code, message } => Some(format!(
            "The flow failed: {} [{code}]. What was said last is undone, nothing before it is lost. Go on with: {resume}",
            visible(message.trim_end_matches('.'))
        )),
        Ended::Parked => Some(format!("The run waits for your answer. Go on with: {resume}")),
        Ended::Interrupted => Some(format!("Stopped, nothing is lost. Go on with: {resume}")),
        Ended::Provider(error) => {
            let said = visible(error.message.trim_end_matches('.'));
            let hint = visible(&sentence(&error.hint));
            let go_on = if NEED_ANOTHER.contains(&error.code.as_str()) {
                let fork = format!("teacher-assist fork {id} --at {}", end.last_seq);
                format!(
                    "With another model or address: {fork} --model NAME (--provider, --base-url). As it began, once \
                     that can work: {resume}"
                )
            } else {
                format!("Go on with: {resume}")
            };
            Some(format!("{said} [{}]. {hint} The run is kept. {go_on}", error.code))
        }
        Ended::Finished(_) => None,
    }
}

fn text(end: &RunEnd, workspace: &std::path::Path) {
    if let (Ended::Finished(_), Some(output), true) = (&end.ended, &end.output, end.messages.is_empty()) {
        outln!("\n{}\n", visible(output.trim_end()));
    }
    for message in &end.messages {
        outln!("\n{}\n", readable(&visible(message.display.trim_end())));
    }
    match &end.ended {
        Ended::Finished(ta_runtime::surface::Status::Success) => anstream::eprintln!("{GREEN}success{GREEN:#}"),
        Ended::Finished(status) => {
            let reason = end.reason.as_deref().unwrap_or("no reason given");
            anstream::eprintln!("{RED}{}{RED:#}: {}", status.name(), visible(reason));
        }
        _ => anstream::eprintln!("{YELLOW}parked{YELLOW:#}"),
    }
    if let Some(saved) = &end.saved {
        anstream::eprintln!("saved  {BOLD}{}{BOLD:#}", workspace.join(saved).display());
    }
    let about = if end.usage.estimated { "about " } else { "" };
    anstream::eprintln!(
        "cost   ${:.4}, {about}{} tokens in, {} out",
        end.cost_usd,
        end.usage.input_tokens,
        end.usage.output_tokens
    );
    anstream::eprintln!("session {}, trace: teacher-assist --trace {}", short(&end.session), short(&end.run));
    if let Some(sentence) = next_step(end) {
        anstream::eprintln!("{sentence}");
    }
}
