//! The counterfactual as a report that a person reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ta_core::hook::Finding;

use super::swap::{CallSwap, RunSwap, Said, Swapped};

/// Characters of a reason or a finding.
const TEXT_CHARS_MAX: usize = 300;
/// Characters of an id or a digest.
const ID_CHARS: usize = 12;

/// The report as markdown.
#[must_use]
pub fn report(swapped: &Swapped) -> String {
    let totals = &swapped.totals;
    let mut text = format!("# `{}`, swapped\n\n", swapped.hook);
    let _ = writeln!(text, "- Component now: `{}`", short(&swapped.sha256_now));
    let _ = writeln!(text, "- Runs: {}, calls of the hook: {}", totals.runs, totals.calls);
    let _ = writeln!(text, "- Calls with another verdict: {}", totals.verdicts_changed);
    let _ = writeln!(text, "- Calls with other findings: {}\n", totals.findings_changed);
    text.push_str("| verdict | then | now |\n|---|---|---|\n");
    let mut words: Vec<&String> = totals.verdicts_then.keys().chain(totals.verdicts_now.keys()).collect();
    words.sort();
    words.dedup();
    let count = |counts: &BTreeMap<String, usize>, word: &str| counts.get(word).copied().unwrap_or_default();
    for word in words {
        let (then, now) = (count(&totals.verdicts_then, word), count(&totals.verdicts_now, word));
        let _ = writeln!(text, "| {word} | {then} | {now} |");
    }
    for (title, counts) in [("Found now only", &totals.found_now_only), ("Found then only", &totals.found_then_only)] {
        if !counts.is_empty() {
            let list: Vec<String> = counts.iter().map(|(class, count)| format!("{class} {count}")).collect();
            let _ = write!(text, "\n{title}: {}\n", list.join(", "));
        }
    }
    swapped.runs.iter().for_each(|run| of_run(run, &mut text));
    text
}

fn of_run(run: &RunSwap, text: &mut String) {
    let _ = write!(text, "\n## Run {}\n\nComponent then: `{}`\n", short(&run.run), short(&run.sha256_then));
    if run.calls.is_empty() {
        text.push_str("\nThe hook was not called.\n");
    }
    for call in &run.calls {
        of_call(call, text);
    }
}

fn of_call(call: &CallSwap, text: &mut String) {
    let same = if call.differs() { "" } else { " (the same)" };
    let _ = write!(
        text,
        "\n### Record {}: {}, turn {}, round {}{same}\n\n- then: {}\n- now: {}\n",
        call.seq,
        call.point,
        call.turn,
        call.rework_round,
        sentence(&call.then),
        sentence(&call.now)
    );
    for (title, findings) in [("only now", &call.found_now_only), ("only then", &call.found_then_only)] {
        for finding in findings {
            let _ = writeln!(text, "- {title}: {}", found(finding));
        }
    }
}

fn sentence(said: &Said) -> String {
    let code = said.code.as_deref().map(|code| format!(" [{code}]")).unwrap_or_default();
    let reason = said.reason.as_deref().map(|reason| format!(": {}", cut(reason))).unwrap_or_default();
    let findings = if said.findings == 0 { String::new() } else { format!(" ({} findings)", said.findings) };
    format!("{}{code}{findings}{reason}", said.verdict)
}

fn found(finding: &Finding) -> String {
    let line = finding.line.map(|line| format!(" line {line}")).unwrap_or_default();
    format!("{}{line}: {}", finding.class, cut(&finding.message))
}

/// One line that cannot break the report's own markdown.
fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(TEXT_CHARS_MAX).collect();
    let dots = if line.chars().count() > TEXT_CHARS_MAX { " …" } else { "" };
    format!("{}{dots}", cut.replace('<', "&lt;"))
}

fn short(id: &str) -> &str {
    id.get(..ID_CHARS).unwrap_or(id)
}
