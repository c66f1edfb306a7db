//! Lists, traces and reports, as text.

use anstyle::{AnsiColor, Style};
use serde_json::Value;
use ta_runtime::hook_run::HookReport;
use ta_runtime::inspect::Report as Inspection;
use ta_runtime::journal_check::JournalReport;
use ta_runtime::plugin::Plugin;
use ta_runtime::replay::Replayed;
use ta_runtime::surface::{Hit, Problem, PromptAssembled, SessionRow, Span, Trace, line, visible};
use ta_runtime::tool_run::ToolReport;
use ta_runtime::validate::Report as Validation;

use crate::out::outln;
use crate::report::short;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const RED: Style = AnsiColor::Red.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const TITLE_CHARS_MAX: usize = 60;
const LINE_CHARS_MAX: usize = 140;

pub(crate) fn plugins(plugins: &[Plugin]) {
    for plugin in plugins {
        let place =
            plugin.files.directory.as_ref().map_or_else(|| "built in".to_owned(), |it| it.display().to_string());
        outln!("{BOLD}{}{BOLD:#} {} {DIM}({place}){DIM:#}", plugin.manifest.name, plugin.manifest.version);
        outln!("  {}", visible(&plugin.manifest.description));
        for command in plugin.commands.values() {
            let name = format!("{}:{}", plugin.manifest.name, command.name);
            outln!("  {GREEN}{name}{GREEN:#}\n      {}", line(&command.description, LINE_CHARS_MAX));
        }
    }
}

pub(crate) fn sessions(rows: &[SessionRow]) {
    if rows.is_empty() {
        outln!("no sessions yet; begin one: teacher-assist lesson-planning:create-lesson \"iteration for 3B\"");
    }
    for row in rows {
        let state = row.last_status.clone().unwrap_or_else(|| row.state.to_string());
        outln!(
            "{BOLD}{}{BOLD:#}  {}  {:<16} {}:{}  {}",
            short(&row.id),
            date(row.updated_ms),
            state,
            row.plugin,
            row.command,
            line(&row.title, TITLE_CHARS_MAX)
        );
    }
}

pub(crate) fn hits(hits: &[Hit]) {
    if hits.is_empty() {
        outln!("no session matches");
    }
    for hit in hits {
        let row = &hit.session;
        let about = row.subject.as_ref().map_or("-", |subject| subject.id.as_str());
        outln!(
            "{BOLD}{}{BOLD:#}  {}  {about}  {}",
            short(&row.id),
            date(row.created_ms),
            line(&row.title, TITLE_CHARS_MAX)
        );
        if !hit.snippet.is_empty() {
            outln!("    {DIM}{}{DIM:#}", line(&hit.snippet, LINE_CHARS_MAX));
        }
    }
}

pub(crate) fn replayed(run: &Replayed) {
    match &run.divergence {
        None => outln!(
            "{GREEN}the same{GREEN:#}  run {}  {} records, {} calls made again, output sha256 {}",
            short(&run.run),
            run.events,
            run.calls,
            run.output_sha256.as_deref().unwrap_or("none")
        ),
        Some(it) => {
            outln!(
                "{RED}diverges{RED:#}  run {}  at record {} ({}): {}",
                short(&run.run),
                it.seq,
                it.event,
                visible(&it.what)
            );
            outln!("  recorded {}", line(&it.recorded.to_string(), LINE_CHARS_MAX * 4));
            outln!("  now      {}", line(&it.now.to_string(), LINE_CHARS_MAX * 4));
        }
    }
}

fn date(ms: u64) -> String {
    let timestamp = jiff::Timestamp::from_millisecond(i64::try_from(ms).unwrap_or(0)).unwrap_or_default();
    timestamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

pub(crate) fn trace(trace: &Trace) {
    let status = trace.status.as_deref().unwrap_or("not over");
    outln!("{BOLD}trace {}{BOLD:#}  session {}  {}  {}", trace.trace, trace.session, trace.command, status);
    outln!("{DIM}\"{}\", begun {}{DIM:#}", line(&trace.input, LINE_CHARS_MAX), date(trace.started_ms));
    for span in &trace.spans {
        let time = span.elapsed_us.map_or_else(String::new, milliseconds);
        outln!(
            "{DIM}{:>4} {:>10}{DIM:#}  {:<9} {BOLD}{}{BOLD:#} {}",
            span.seq,
            time,
            span.kind,
            line(&span.name, 40),
            about(span)
        );
    }
    let usage = |name: &str| trace.summary.pointer(&format!("/usage/{name}")).and_then(Value::as_u64).unwrap_or(0);
    if usage("cached_read_tokens") + usage("cached_write_tokens") > 0 {
        outln!(
            "prompt cache: {} tokens read, {} written, {}",
            usage("cached_read_tokens"),
            usage("cached_write_tokens"),
            saved(trace.summary.get("cache_saved_usd"))
        );
    }
    outln!("{DIM}{}{DIM:#}", line(&trace.summary.to_string(), 400));
}

fn milliseconds(us: u64) -> String {
    format!("{}.{:02} ms", us / 1_000, us / 10 % 100)
}

fn about(span: &Span) -> String {
    let text = |name: &str| span.attributes.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = |name: &str| span.attributes.get(name).and_then(Value::as_u64).unwrap_or(0);
    let at = |path: &str| span.attributes.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let said = match span.kind.as_str() {
        "hook" => {
            let digest = text("sha256");
            let findings = span.attributes.get("findings").and_then(Value::as_array).map_or(0, Vec::len);
            let found = if findings > 0 { format!(", {findings} findings") } else { String::new() };
            format!(
                "{} {}{found} sha256 {} {}",
                text("point"),
                text("verdict"),
                digest.get(..12).unwrap_or(&digest),
                text("reason")
            )
        }
        "model" => model(span),
        "context" if span.attributes.get("tokens").is_some() => {
            format!("about {} tokens of the window's {}, and no room to be made", number("tokens"), number("window"))
        }
        "context" => format!(
            "about {} tokens instead of {}, window {}",
            span.attributes.pointer("/tokens_after").cloned().unwrap_or_default(),
            span.attributes.pointer("/tokens_before").cloned().unwrap_or_default(),
            span.attributes.pointer("/window").cloned().unwrap_or_default()
        ),
        "guest-model" => match text("code") {
            code if code.is_empty() => {
                format!("asked a model: {} tokens in, {} out", number("input_tokens"), number("output_tokens"))
            }
            code => format!("asked a model, without an answer: {code}"),
        },
        "subagent-start" => at("/order/task"),
        "subagent" => format!("{} {}", text("status"), at("/summary/summary")),
        "handoff" => at("/brief/reason"),
        "decision" => format!("{} {}", text("choice"), text("text")),
        "run" if !text("reason").is_empty() && !text("status").is_empty() => {
            format!("{}: {}", text("status"), text("reason"))
        }
        "run" => format!("{}{}{}", text("status"), text("reason"), text("host")),
        "tool" if !text("refused_by").is_empty() => {
            format!("refused by {}: {}", text("refused_by"), at("/result/text"))
        }
        "tool" => span.attributes.pointer("/result/text").and_then(Value::as_str).unwrap_or_default().to_owned(),
        "tool-start" => {
            span.attributes.pointer("/call/arguments").and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        _ => span.attributes.to_string(),
    };
    line(&said, LINE_CHARS_MAX)
}

/// What a prompt cache saved, or what putting tokens into it cost more so far.
fn saved(usd: Option<&Value>) -> String {
    let usd = usd.and_then(Value::as_f64).unwrap_or_default();
    if usd < 0.0 { format!("${:.4} more", -usd) } else { format!("${usd:.4} saved") }
}

/// A call of a model: what it used, who answered, what went wrong.
fn model(span: &Span) -> String {
    let text = |path: &str| span.attributes.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let number = |path: &str| span.attributes.pointer(path).and_then(Value::as_u64).unwrap_or(0);
    let failed = text("/error/message");
    if !failed.is_empty() {
        let by = text("/by");
        return if by.is_empty() { failed.to_owned() } else { format!("by {by}: {failed}") };
    }
    if span.attributes.pointer("/cached").and_then(Value::as_bool) == Some(true) {
        return format!("a kept answer, nothing was sent, {}", text("/stop"));
    }
    let cached = match number("/cached_read_tokens") + number("/cached_write_tokens") {
        0 => String::new(),
        _ => format!(
            " ({} of them cached, {})",
            number("/cached_read_tokens"),
            saved(span.attributes.pointer("/cache_saved_usd"))
        ),
    };
    let by = text("/answered_by");
    let by = if by.is_empty() { String::new() } else { format!(", by {by}") };
    let component = match text("/component/sha256") {
        "" => String::new(),
        sha256 => format!(", component {} {}", text("/component/name"), short(sha256)),
    };
    format!(
        "{} tokens in{cached}, {} out, {}{by}{component}",
        number("/input_tokens"),
        number("/output_tokens"),
        text("/stop")
    )
}

pub(crate) fn prompt(prompt: &PromptAssembled) {
    outln!("{}", prompt.system);
    outln!("");
    for tool in &prompt.tools {
        outln!("tool {}: {}", tool.name, line(&tool.description, LINE_CHARS_MAX));
    }
}

pub(crate) fn hook(report: &HookReport) {
    let style = match report.verdict {
        "pass" | "modify" => GREEN,
        "rework" | "parked" => YELLOW,
        _ => RED,
    };
    let code = report.code.as_ref().map_or_else(String::new, |code| format!(" [{code}]"));
    outln!("{style}{}{style:#}{} {DIM}{}{DIM:#}", report.verdict, visible(&code), milliseconds(report.elapsed_us));
    if let Some(reason) = &report.reason {
        outln!("{}", visible(reason));
    }
    for finding in &report.findings {
        let at = finding.line.map_or_else(String::new, |line| format!(" line {line}"));
        outln!("  {YELLOW}{}{YELLOW:#}{at} {}", visible(&finding.class), visible(&finding.message));
    }
    for note in report.notes.iter().chain(&report.logs) {
        outln!("  {DIM}{}{DIM:#}", visible(note));
    }
}

pub(crate) fn tool(report: &ToolReport) {
    let (style, word) = match (&report.error, &report.question) {
        (Some(_), _) => (RED, "failed"),
        (None, Some(_)) => (YELLOW, "asks"),
        (None, None) => (GREEN, "answered"),
    };
    outln!("{style}{word}{style:#} {} {DIM}{}{DIM:#}", visible(&report.tool), milliseconds(report.elapsed_us));
    if let Some(error) = &report.error {
        outln!("{} [{}]", visible(&error.message), visible(&error.code));
    }
    if let Some(question) = &report.question {
        outln!("{}", visible(&question.title));
    }
    if let Some(result) = &report.result {
        outln!("{}", visible(result.trim_end()));
    }
    for write in &report.writes {
        let done = if write.applied { "wrote" } else { "would write" };
        outln!("  {YELLOW}{done}{YELLOW:#} {} {DIM}{} bytes{DIM:#}", visible(&write.path), write.text.len());
    }
    for note in &report.notes {
        outln!("  {DIM}{}{DIM:#}", visible(note));
    }
}

pub(crate) fn inspection(report: &Inspection) {
    let list = |items: &[String]| if items.is_empty() { "nothing".to_owned() } else { items.join(", ") };
    outln!("{BOLD}{}{BOLD:#}  {} bytes", report.component, report.bytes);
    outln!("  sha256   {}", report.sha256);
    if let Some(pinned) = &report.pinned {
        let same = if *pinned == report.sha256 {
            format!("{GREEN}the same{GREEN:#}")
        } else {
            format!("{RED}{pinned}{RED:#}")
        };
        outln!("  pinned   {same}");
    }
    outln!("  exports  {}", list(&report.exports));
    if !report.foreign.is_empty() {
        outln!("  ignored  {}", list(&report.foreign));
    }
    if let Some(points) = &report.runs_at {
        outln!("  runs at  {}", list(points));
    }
    if let Some(tools) = &report.tools {
        outln!("  tools    {}", list(tools));
    }
    outln!("  imports  {}", list(&report.imports));
    outln!("  needs    {}", list(&report.needs));
    match (&report.asks, &report.granted) {
        (Some(asks), Some(granted)) => {
            outln!("  asks for {}", list(asks));
            outln!("  granted  {}", list(granted));
        }
        _ => outln!("  {DIM}a file without a manifest; `hook run` grants it log, ask, config, clock and random{DIM:#}"),
    }
    for (name, value) in &report.config {
        outln!("  config   {name} = {}", visible(value));
    }
}

fn problems(problems: &[Problem]) {
    for problem in problems {
        let text = visible(&problem.to_string());
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        outln!("{RED}✗{RED:#} {first}\n{DIM}{rest}{DIM:#}");
    }
}

pub(crate) fn journal(report: &JournalReport) {
    problems(&report.problems);
    let style = if report.problems.is_empty() { GREEN } else { RED };
    outln!(
        "{style}{} problems{style:#} in {} records of {} runs in {} sessions",
        report.problems.len(),
        report.records,
        report.runs,
        report.sessions
    );
}

pub(crate) fn validation(report: &Validation) {
    problems(&report.problems);
    for warning in &report.warnings {
        let text = visible(&warning.to_string());
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        outln!("{YELLOW}!{YELLOW:#} {first}\n{DIM}{rest}{DIM:#}");
    }
    for it in &report.skill_manifests {
        let name = visible(&format!("{}:{}", it.plugin, it.agent));
        outln!("{DIM}skills in the prompt of {name}: {}, about {} tokens{DIM:#}", it.skills, it.tokens);
    }
    if !report.fails_open.is_empty() {
        let open = report.fails_open.iter().map(|it| format!("{}:{} ({})", it.plugin, it.hook, it.kind));
        outln!("{DIM}skipped where they fail: {}{DIM:#}", visible(&open.collect::<Vec<_>>().join(", ")));
    }
    let style = if report.problems.is_empty() { GREEN } else { RED };
    outln!(
        "{style}{} problems{style:#}, {} warnings in {} plugins ({} definitions, {} components) and {} workspace files",
        report.problems.len(),
        report.warnings.len(),
        report.plugins,
        report.definitions,
        report.components,
        report.workspace_files
    );
}
