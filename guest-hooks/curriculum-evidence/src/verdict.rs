//! What follows from the findings: nothing, another round, or the end of the run.

use std::collections::BTreeMap;
use std::str::FromStr;

use ta_curriculum::outline::Outline;
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Abort, Part, setting};

use crate::guard::{Class, Finding, Report, rework_instruction};

/// Rounds in which a model may repair its claims: one to repair, one for what it broke.
const ROUNDS_DEFAULT: u32 = 2;

const CURRICULUM_DEFAULT: &str = "curriculum";

/// Findings that a person is shown; the others are in the trace.
const FINDINGS_SHOWN_MAX: usize = 3;

/// A longer output is no lesson, and checking it would take more than the time that a guard has.
const OUTPUT_BYTES_MAX: usize = 200_000;

/// The response to an output that is too long to be checked.
pub(crate) fn too_long(output: &str) -> Option<Response> {
    let reason = || {
        format!(
            "The lesson is too long to be checked: {} bytes, and at most {OUTPUT_BYTES_MAX} are read. Ask for a shorter one, or \
             for one section at a time.",
            output.len()
        )
    };
    (output.len() > OUTPUT_BYTES_MAX).then(|| Response::abort("too-long", reason()))
}

/// What is done about findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// The run ends.
    Abort,
    /// The model repairs them.
    Rework,
}

impl FromStr for OnFailure {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "abort" => Ok(Self::Abort),
            "rework" => Ok(Self::Rework),
            _ => Err(()),
        }
    }
}

/// The configuration, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) on_failure: OnFailure,
    /// Rounds of rework before the host aborts instead.
    pub(crate) rounds: u32,
    /// Directory of the curriculum files, below the workspace.
    pub(crate) curriculum: String,
}

impl Settings {
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, Abort> {
        let curriculum = get("curriculum").unwrap_or_else(|| CURRICULUM_DEFAULT.into());
        let curriculum = curriculum.trim().trim_start_matches("./").trim_end_matches('/');
        Ok(Self {
            on_failure: setting("on-failure", get("on-failure"), OnFailure::Rework, "`abort` or `rework`")?,
            rounds: setting("rounds", get("rounds"), ROUNDS_DEFAULT, "a whole number")?,
            curriculum: if curriculum.is_empty() { ".".into() } else { curriculum.into() },
        })
    }
}

/// The response to a report. Its findings are in it, whatever the verdict. What the teacher has accepted stays accepted in
/// another round, but for the sections in which something was found: those have to change.
pub(crate) fn respond(settings: &Settings, report: Report, event: &Event) -> Response {
    if report.findings.is_empty() {
        return Response::pass().note(match report.checked {
            0 => "no claim about the curriculum to check".to_owned(),
            checked => format!("checked {checked} outcome codes and pointers: every one can be followed"),
        });
    }
    let outline = Outline::read(&event.output);
    let part = |found: &Finding| outline.section_at(found.line).map(|section| section.id.clone());
    let response = match settings.on_failure {
        OnFailure::Abort => Response::abort("curriculum-evidence", reason(&report.findings)),
        OnFailure::Rework => {
            let found_in = |it: &&Part| report.findings.iter().any(|found| part(found).as_deref() == Some(&it.id));
            let kept = event.accepted.iter().filter(|it| !found_in(it)).cloned().collect();
            Response::rework(rework_instruction(&report.findings), settings.rounds).accepted(kept)
        }
    };
    let note =
        format!("{} of {} checked: {}", count(report.findings.len()), report.checked, by_class(&report.findings));
    let shown = report.findings.iter().map(|found| finding(found, part(found)));
    response.note(note).findings(shown.collect())
}

/// The reason in a teacher's words, with the first findings.
fn reason(findings: &[Finding]) -> String {
    let mut text = format!(
        "The lesson says things about the curriculum that cannot be followed to a curriculum file: {}.",
        by_class(findings)
    );
    for finding in findings.iter().take(FINDINGS_SHOWN_MAX) {
        text.push_str(&format!("\nLine {}: {}", finding.line, finding.message));
    }
    if findings.len() > FINDINGS_SHOWN_MAX {
        text.push_str(&format!("\nAnd {} more.", findings.len() - FINDINGS_SHOWN_MAX));
    }
    text
}

/// How many findings there are of each class, in the order of the classes.
fn by_class(findings: &[Finding]) -> String {
    let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.class).or_default() += 1;
    }
    let counted = counts.iter().map(|(class, count)| format!("{count} × {}", said(*class)));
    counted.collect::<Vec<_>>().join(", ")
}

const fn said(class: Class) -> &'static str {
    match class {
        Class::UnknownCode => "a code that no curriculum file has",
        Class::WrongLevel => "a code of another level than the text says",
        Class::WrongText => "a code with a text that is not its own",
        Class::QuoteNotFound => "a quote that does not stand where it points",
        Class::RangeOutsideFile => "a pointer to lines that the file does not have",
        Class::FileMissing => "a pointer to a file that cannot be read",
        Class::FileChanged => "a pointer to a file that changed during the run",
        Class::OtherCurriculum => "a code of another curriculum than the class's",
        Class::NoPointer => "a code without a pointer to its text",
    }
}

fn count(findings: usize) -> String {
    if findings == 1 { "1 finding".into() } else { format!("{findings} findings") }
}

fn finding(found: &Finding, part: Option<String>) -> ta_guest::Finding {
    let finding = ta_guest::Finding::new(found.class.name(), found.message.as_str()).at(part, Some(found.line));
    match &found.code {
        Some(code) => finding.about("outcome", code.as_str()),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use ta_curriculum::outline::slug;
    use ta_guest::Part;
    use ta_guest::post_loop::{Event, Verdict};

    use super::{OUTPUT_BYTES_MAX, OnFailure, Settings, respond, too_long};
    use crate::guard::{Class, Finding, Report};

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        let get = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Settings::read(get).unwrap()
    }

    fn report(count: u32) -> Report {
        let finding = |line| Finding {
            class: if line % 2 == 0 { Class::NoPointer } else { Class::UnknownCode },
            code: Some("TCH 3-99z".into()),
            section: Some("Outcomes".into()),
            line,
            message: "no such code; choose another".into(),
        };
        Report { findings: (1..=count).map(finding).collect(), checked: 7 }
    }

    #[test]
    fn settings_have_defaults_and_nonsense_is_refused() {
        let expected = Settings { on_failure: OnFailure::Rework, rounds: 2, curriculum: "curriculum".into() };
        assert_eq!(settings(&[]), expected);
        assert_eq!(settings(&[("curriculum", "./sqa/n5/")]).curriculum, "sqa/n5");
        let abort = Settings::read(|name| (name == "on-failure").then(|| "warn".into())).unwrap_err();
        assert_eq!(abort.code, "configuration");
    }

    #[test]
    fn nothing_found_passes_with_the_count() {
        let response = respond(&settings(&[]), report(0), &Event::default());
        assert_eq!(response.verdict, Verdict::Pass);
        assert_eq!(response.notes, ["checked 7 outcome codes and pointers: every one can be followed"]);
        let response = respond(&settings(&[]), Report::default(), &Event::default());
        assert_eq!(response.notes, ["no claim about the curriculum to check"]);
    }

    #[test]
    fn an_output_that_is_too_long_is_not_checked() {
        let response = too_long(&"x".repeat(OUTPUT_BYTES_MAX + 1)).unwrap();
        let Verdict::Abort(abort) = &response.verdict else { panic!("{:?}", response.verdict) };
        assert!(abort.code == "too-long" && abort.reason.contains("too long"), "{}", abort.reason);
        assert!(too_long(&"x".repeat(OUTPUT_BYTES_MAX)).is_none());
    }

    #[test]
    fn findings_are_reworked_by_default() {
        let part = |title: &str| Part { id: slug(title), title: title.into(), text: "x".into() };
        let accepted = vec![part("Starter"), part("Outcomes")];
        let output = "## Outcomes\n\nTCH 3-99z\n\n## Starter\n".into();
        let event = Event { output, accepted: accepted.clone(), ..Event::default() };
        let response = respond(&settings(&[("rounds", "5")]), report(1), &event);
        let Verdict::Rework(rework) = &response.verdict else { panic!("{:?}", response.verdict) };
        assert_eq!(rework.rounds_max, 5);
        // The other one has to change, whatever the teacher said of it.
        assert_eq!(rework.accepted, accepted[..1]);
        assert!(rework.instruction.contains("no such code; choose another"), "{}", rework.instruction);
        assert_eq!(response.notes, ["1 finding of 7 checked: 1 × a code that no curriculum file has"]);
        let finding = &response.findings[0];
        assert_eq!((finding.class.as_str(), finding.line), ("unknown-code", Some(1)));
        assert_eq!((finding.part.as_deref(), finding.about[0].value.as_str()), (Some("outcomes"), "TCH 3-99z"));
    }

    #[test]
    fn findings_abort_with_a_reason_that_a_teacher_understands() {
        let response = respond(&settings(&[("on-failure", "abort")]), report(5), &Event::default());
        let Verdict::Abort(abort) = &response.verdict else { panic!("{:?}", response.verdict) };
        assert_eq!(abort.code, "curriculum-evidence");
        assert_eq!(
            abort.reason,
            "The lesson says things about the curriculum that cannot be followed to a curriculum file: \
             3 × a code that no curriculum file has, 2 × a code without a pointer to its text.\n\
             Line 1: no such code; choose another\nLine 2: no such code; choose another\n\
             Line 3: no such code; choose another\nAnd 2 more."
        );
        assert_eq!(response.findings.len(), 5);
    }
}
