//! What happens, line by line, on standard error; a spinner while something takes a while.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use ta_runtime::surface::{Event, HookFinished, Point, Record, RunStarted, ToolSettled, Verdict, line, visible};
use ta_runtime::{Observer, Starting};

use crate::args::Output;
use crate::out;

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const RED: Style = AnsiColor::Red.on_default();
/// Characters of a line about an event.
const LINE_CHARS_MAX: usize = 160;

/// Prints what happens.
pub(crate) struct Progress {
    output: Output,
    spinner: Mutex<Option<ProgressBar>>,
    animated: bool,
    /// Whether the answer that comes is worth showing piece by piece.
    live: AtomicBool,
    /// Whether the last line shown is a piece of an answer, and open.
    open: AtomicBool,
}

impl Progress {
    pub(crate) fn new(output: Output) -> Self {
        let animated = output == Output::Text && std::io::stderr().is_terminal();
        let (live, open) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { output, spinner: Mutex::new(None), animated, live, open }
    }

    /// Prints a line; the spinner goes.
    pub(crate) fn say(&self, text: &str) {
        self.quiet();
        if self.output == Output::Text {
            anstream::eprintln!("{text}");
        }
    }

    /// Takes the spinner away, before somebody is asked.
    pub(crate) fn quiet(&self) {
        let mut spinner = self.spinner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(spinner) = spinner.take() {
            spinner.finish_and_clear();
        }
        if self.open.swap(false, Ordering::Relaxed) {
            anstream::eprintln!();
        }
    }

    fn spin(&self, text: String) {
        if !self.animated {
            return;
        }
        let mut slot = self.spinner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let spinner = slot.get_or_insert_with(|| {
            let spinner = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                spinner.set_style(style);
            }
            spinner.enable_steady_tick(Duration::from_millis(120));
            spinner
        });
        spinner.set_message(text);
    }

    fn settled(&self, settled: &ToolSettled) {
        if let Some(by) = &settled.refused_by {
            let (tool, text) = (visible(&settled.result.name), line(&settled.result.text, LINE_CHARS_MAX));
            self.say(&format!("  {YELLOW}{tool} refused by {}{YELLOW:#}: {text}", visible(by)));
        }
    }

    fn tell(&self, event: &Event) {
        match event {
            Event::RunStarted(start) => self.taken(start),
            Event::HookFinished(hook) => self.hook(hook),
            Event::ModelAnswered(answered) => {
                let usage = answered.answer.usage;
                if answered.answer.cached {
                    return self.say(&format!("{DIM}turn {}{DIM:#}  a kept answer, nothing was sent", answered.turn));
                }
                let about = if usage.estimated { "about " } else { "" };
                self.say(&format!(
                    "{DIM}turn {}{DIM:#}  {about}{} tokens in, {} out, {} ms",
                    answered.turn, usage.input_tokens, usage.output_tokens, answered.elapsed_ms
                ));
            }
            Event::ContextCompacted(it) => self.say(&format!(
                "{DIM}room{DIM:#}  {} older messages are a summary now, about {} tokens instead of {}",
                it.summary.messages, it.tokens_after, it.tokens_before
            )),
            Event::ToolStarted(started) => {
                self.say(&format!(
                    "  {} {DIM}{}{DIM:#}",
                    visible(&started.call.name),
                    line(&started.call.arguments, LINE_CHARS_MAX)
                ));
            }
            Event::ToolFinished(finished) if finished.result.failed => {
                self.say(&format!(
                    "  {YELLOW}{} failed{YELLOW:#}: {}",
                    visible(&finished.result.name),
                    line(&finished.result.text, LINE_CHARS_MAX)
                ));
            }
            Event::ToolSettled(settled) => self.settled(settled),
            Event::SubagentStarted(started) => {
                let (agent, task) = (visible(&started.order.agent), line(&started.order.task, LINE_CHARS_MAX));
                self.say(&format!("{BOLD}{agent}{BOLD:#} {DIM}begins:{DIM:#} {task}"));
            }
            Event::SubagentFinished(finished) => {
                let (agent, status) = (visible(&finished.agent), finished.status.name());
                let advice = finished.summary.iter().flat_map(|summary| &summary.decisions);
                self.say(&format!("{BOLD}{agent}{BOLD:#} {DIM}is done:{DIM:#} {status}"));
                for advice in advice {
                    self.say(&format!("    {DIM}{}{DIM:#}", line(advice, LINE_CHARS_MAX)));
                }
            }
            Event::HandoffMade(made) => {
                let (target, reason) = (visible(&made.target), line(&made.brief.reason, LINE_CHARS_MAX));
                self.say(&format!("{BOLD}{target}{BOLD:#} {DIM}takes over:{DIM:#} {reason}"));
            }
            Event::WritesDone(done) => {
                for refused in &done.refused {
                    self.say(&format!("  {YELLOW}not written{YELLOW:#}: {}", line(refused, LINE_CHARS_MAX)));
                }
            }
            Event::ModelFailed(failed) => {
                self.say(&format!("{RED}the model failed{RED:#}: {}", visible(&failed.error.message)))
            }
            Event::ModelPartial(partial) => {
                let kept = partial.text.chars().count();
                self.say(&format!(
                    "{YELLOW}broken off{YELLOW:#}: {kept} characters of an answer are kept in the trace"
                ));
            }
            Event::RunResumed(_) => self.say(&format!("{DIM}going on where it was{DIM:#}")),
            _ => {}
        }
    }

    fn taken(&self, start: &RunStarted) {
        let subject = start.subject.as_ref();
        let subject = subject.map_or_else(|| "nothing named".to_owned(), |it| format!("{} {}", it.kind, it.id));
        self.say(&format!(
            "{BOLD}{}:{}{BOLD:#}  \"{}\"",
            start.plugin,
            start.command,
            line(&start.input, LINE_CHARS_MAX)
        ));
        self.say(&format!(
            "{DIM}taken as:{DIM:#} {}, agent {}, provider {}",
            visible(&subject),
            start.agent,
            start.provider
        ));
    }

    fn hook(&self, hook: &HookFinished) {
        // Around every model and tool call, a hook is worth a line where it has something to say.
        let around_calls = matches!(hook.point, Point::PreModel | Point::PostModel | Point::PreTool | Point::PostTool);
        let silent = hook.verdict == Verdict::Pass && hook.notes.is_empty() && hook.findings.is_empty();
        if around_calls && silent {
            return;
        }
        let time = hook.report.elapsed_us / 1_000;
        let tenth = hook.report.elapsed_us / 100 % 10;
        let (style, mark) = match hook.verdict {
            Verdict::Pass | Verdict::Modify(_) => (GREEN, "✓"),
            Verdict::Rework { .. } => (YELLOW, "↻"),
            _ => (RED, "✗"),
        };
        self.say(&format!(
            "{style}{mark}{style:#} {} {DIM}{} {time}.{tenth} ms{DIM:#} {}",
            visible(&hook.hook),
            hook.point,
            hook.verdict.name()
        ));
        for finding in &hook.findings {
            self.say(&format!(
                "    {YELLOW}{}{YELLOW:#} {}",
                visible(&finding.class),
                line(&finding.message, LINE_CHARS_MAX)
            ));
        }
        for note in &hook.notes {
            self.say(&format!("    {DIM}{}{DIM:#}", line(note, LINE_CHARS_MAX)));
        }
    }
}

impl Observer for Progress {
    fn record(&self, record: &Record) {
        match self.output {
            Output::Text => self.tell(&record.event),
            Output::Jsonl => out::json(record),
            Output::Json => {}
        }
    }

    fn starting(&self, starting: &Starting) {
        if let Starting::Model(provider, ..) = starting {
            // These answer all at once, and the end shows the same again.
            self.live.store(!matches!(provider.as_str(), "offline" | "script"), Ordering::Relaxed);
        }
        self.spin(match starting {
            Starting::Component(name) => format!("loading {name}"),
            Starting::Hook(name) => format!("hook {name}"),
            Starting::Model(provider, model, turn) => format!("turn {turn}: {provider} {model}"),
            Starting::Tools(names) => format!("tools: {}", names.join(", ")),
            Starting::Flow(name) => format!("flow {name}"),
            Starting::Agent(name) => format!("agent {name}"),
        });
    }

    fn notice(&self, text: &str) {
        self.quiet();
        anstream::eprintln!("{YELLOW}note{YELLOW:#}: {}", visible(text));
    }

    fn delta(&self, text: &str) {
        if !self.animated || !self.live.load(Ordering::Relaxed) {
            return;
        }
        if !self.open.load(Ordering::Relaxed) {
            self.quiet();
        }
        anstream::eprint!("{DIM}{}{DIM:#}", visible(text));
        self.open.store(true, Ordering::Relaxed);
    }

    fn restarted(&self) {
        if self.open.load(Ordering::Relaxed) {
            self.say(&format!("{YELLOW}that broke off and does not count{YELLOW:#}"));
        }
    }
}
