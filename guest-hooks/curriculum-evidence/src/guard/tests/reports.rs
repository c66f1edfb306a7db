//! The report as a whole, and what the model is told.

use super::workspace::{COMPUTING, MATHS, Workspace, class_3b, pointer, report};
use crate::guard::{Class, Finding, MESSAGE_CHARS_MAX, check, rework_instruction};

const LESSON: &str = "# Iteration, 3B

CfE third level.

## Outcomes

- {TCH 3-14a}: explains constructs that represent structured information
- TCH 3-15a: chooses tools to design, build and test a solution
- {MNU 3-07a} (layers of hardware and software)

## Starter

Retrieve TCH 3-99z. As in CCSS.MATH.CONTENT.7.EE.A.1.

## Main

Second level outcome {TCH 3-14b}.
";

fn lesson() -> String {
    ["TCH 3-14a", "TCH 3-14b", "MNU 3-07a"]
        .iter()
        .fold(LESSON.to_owned(), |text, code| text.replace(&format!("{{{code}}}"), &pointer(code)))
}

#[test]
fn findings_come_by_line_with_their_sections() {
    let report = report(&lesson());
    let shown: Vec<_> =
        report.findings.iter().map(|f| (f.line, f.class.name(), f.section.as_deref().unwrap_or("-"))).collect();
    assert_eq!(
        shown,
        [
            (8, "no-pointer", "Outcomes"),
            (9, "wrong-text", "Outcomes"),
            (13, "unknown-code", "Starter"),
            (13, "other-curriculum", "Starter"),
            (17, "wrong-level", "Main"),
        ]
    );
    // Five codes, one foreign code, three pointers.
    assert_eq!(report.checked, 9);
}

#[test]
fn each_file_is_read_once() {
    let mut workspace = Workspace::new();
    check(&format!("{} {} {}", lesson(), lesson(), pointer("TCH 3-13a")), &class_3b(), &mut workspace);
    assert_eq!((workspace.reads.get(COMPUTING), workspace.reads.get(MATHS)), (Some(&1), Some(&1)));
}

#[test]
fn a_lesson_without_claims_is_clean() {
    let report = report("# Iteration\n\n## Starter\n\nThree questions on loops.");
    assert_eq!((report.findings.len(), report.checked), (0, 0));
}

#[test]
fn the_instruction_names_every_problem_and_how_to_repair_it() {
    let text = rework_instruction(&report(&lesson()).findings);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "Some claims of curriculum alignment cannot be followed to their source. Repair these and change nothing else:"
    );
    assert!(
        lines[1].starts_with("- Line 8, section \"Outcomes\" (no-pointer): TCH 3-15a is claimed without evidence."),
        "{text}"
    );
    assert_eq!(lines.len(), 7);
    assert!(lines[6].ends_with("Where no outcome fits, drop the claim rather than bend it."));
    assert_eq!(rework_instruction(&[]), "");
}

#[test]
fn a_long_list_of_findings_is_cut() {
    let finding =
        |line| Finding { class: Class::NoPointer, code: None, section: None, line, message: "No evidence.".to_owned() };
    let findings: Vec<Finding> = (1..=25).map(finding).collect();
    let text = rework_instruction(&findings);
    assert!(text.contains("- Line 20 (no-pointer)") && !text.contains("- Line 21 "), "{text}");
    assert!(text.contains("- And 5 more"), "{text}");
}

#[test]
fn messages_stay_short_whatever_is_in_them() {
    let long = "long ".repeat(200);
    let path = format!("curriculum/{}.md", "x".repeat(300));
    for output in [
        format!("[TCH 3-14a]({path}#L1 \"{long}\")"),
        format!("[TCH 3-14a](curriculum/cfe-computing.md#L47 \"{long}\")"),
        format!("[TCH 3-14a](<{path}#L9-L1> \"{long}\")"),
        format!("[note]({path}#L1)"),
        format!("TCH 3-14a: {}", "watercolour landscapes paint brushes ".repeat(30)),
        "TCH 3-13a, TCH 3-14a, TCH 3-14b, TCH 3-15a, TCH 3-13b: third level".to_owned(),
        format!("CCSS.{}.1", "X".repeat(400)),
    ] {
        for finding in report(&output).findings {
            let length = finding.message.chars().count();
            assert!(length <= MESSAGE_CHARS_MAX, "{length}: {}", finding.message);
        }
    }
}

#[test]
fn the_names_of_the_classes_are_fixed() {
    let names: Vec<&str> = Class::ALL.iter().map(|class| class.name()).collect();
    assert_eq!(
        names,
        [
            "unknown-code",
            "wrong-level",
            "wrong-text",
            "quote-not-found",
            "range-outside-file",
            "file-missing",
            "file-changed",
            "other-curriculum",
            "no-pointer",
        ]
    );
}
