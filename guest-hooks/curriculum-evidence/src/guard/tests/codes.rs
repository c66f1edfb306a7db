//! Which codes are claims, and which claims lack evidence.

use super::workspace::{LITERACY, Workspace, assert_clean, assert_only, class_3b, found, message, pointer, report};
use crate::guard::{Class, Context, ReadError, check};

#[test]
fn a_code_that_no_file_has_is_found_once() {
    assert_eq!(found("TCH 3-99z here, and TCH 3-99z there."), ["unknown-code TCH 3-99z"]);
    assert_eq!(
        message("This meets TCH 3-14c."),
        "TCH 3-14c is in no curriculum file of the workspace. The files have TCH 3-14a, TCH 3-14b, TCH 3-13a. Use a code that a \
         file has, or drop the claim."
    );
    for output in [
        "CMP 3-14b is met.",
        "TCH 314z",
        "tch 3-99a",
        // Codes that cannot be: no such level, no letter.
        "TCH 7-14a",
        "Meets TCH 3-14.",
        // A pointer does not make it known, and is not told of besides.
        r#"[TCH 3-99z](curriculum/cfe-computing.md#L47 "explains constructs that represent")"#,
        r#"[TCH 3-99z](curriculum/none.md#L900)"#,
        // Inline code is shown to the reader like any text.
        "`TCH 3-99z`",
    ] {
        assert_only(output, Class::UnknownCode);
    }
}

#[test]
fn a_code_that_no_file_has_is_found_however_it_is_hidden() {
    for output in [
        "```TCH 3-99z```",
        "```\nTCH 3-99z\n```",
        "~~~ python\nprint('TCH 3-99z')\n~~~",
        "![TCH 3-99z](poster.png)",
        "TCH\u{200b} 3-\u{200b}99z",
        "ТСН 3-99z",
        "TCH&nbsp;3-99z",
        "<b>TCH</b> 3-99z",
        "ＴＣＨ 3-99z",
        "TCH.3.99z",
        "Meets TCH 3 - 99 z.",
    ] {
        assert_eq!(found(output), ["unknown-code TCH 3-99z"], "{output}");
    }
    let findings = report("Mòran\n\n```\nx\n```\n\n<i>ТСН</i>&nbsp;3-99z").findings;
    assert_eq!(findings.iter().map(|f| f.line).collect::<Vec<_>>(), [7]);
    assert_eq!(found("```\nTCH 7-14a\n```"), ["unknown-code TCH 7-14a"]);
    // A program's own capitals are no codes, and an image is no pointer.
    assert_clean("```\nABC 1-23d\n```");
    let image = format!("!{} TCH 3-14a", pointer("TCH 3-14a"));
    assert_only(&image, Class::NoPointer);
    // A pointer whose text hides nothing from the eye holds.
    assert_clean(&super::workspace::pointer_named("TCH 3-14a", "**TCH**&nbsp;3\u{200b}-14a"));
}

#[test]
fn a_claim_without_a_pointer_is_found_at_its_first_mention() {
    let output = "# Loops\n\n## Outcomes\n\n- TCH 3-14a\n- TCH 3-15a\n\n## After\n\nTCH 3-14a again.";
    let findings = report(output).findings;
    let shown: Vec<_> =
        findings.iter().map(|f| (f.class.name(), f.code.as_deref(), f.section.as_deref(), f.line)).collect();
    assert_eq!(
        shown,
        [
            ("no-pointer", Some("TCH 3-14a"), Some("Outcomes"), 5),
            ("no-pointer", Some("TCH 3-15a"), Some("Outcomes"), 6)
        ]
    );
    assert_eq!(
        findings[0].message,
        "TCH 3-14a is claimed without evidence. Nothing points to its text. Write [TCH 3-14a](path#L12-L14 \"words that stand \
         there\") once; its entry is curriculum/cfe-computing.md#L45-L52."
    );
}

#[test]
fn one_good_pointer_anywhere_covers_every_mention() {
    assert_clean(&format!(
        "## Before\n\nTCH 3-14a comes next.\n\n## Outcomes\n\n- {}\n\n## After\n\nTCH 314a, TCH\u{a0}3\u{2011}14a.",
        pointer("TCH 3-14a")
    ));
}

#[test]
fn a_link_that_does_not_read_as_one_is_explained() {
    for output in [
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L51 "off-by-one errors; "=" as equality")"#,
        "[TCH 3-14a](curriculum/cfe computing.md#L47 \"explains constructs that represent\")",
        "[TCH 3-14a](curriculum/cfe-computing.md#L47 \u{201C}explains constructs\u{201D})",
    ] {
        let told = message(output);
        assert!(told.contains("does not read as a link"), "{told}");
    }
    let told = message("[TCH 3-14a](curriculum/cfe-computing.md)");
    assert!(told.contains("Nothing points to its text"), "{told}");
}

#[test]
fn codes_that_say_nothing_to_the_reader_are_no_claims() {
    for output in [
        "```\nTCH 3-14a\n```",
        "<!-- TCH 3-14a -->",
        "https://example.org/TCH%203-14a/TCH-3-14a",
        "see lessons/TCH-3-14a.md and TCH-3-15a.pdf",
        "[the plan](lessons/plan.md \"TCH 3-14a\")",
        "![TCH 3-14a](poster.png)",
        "AES 256, ISO 9001b, room ENG 2",
        "",
    ] {
        assert_clean(output);
    }
    // The quote may name other codes.
    assert_clean(
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L52 "TCH 3-14b (how layers of hardware and software fit together), TCH 3-15a")"#,
    );
}

#[test]
fn codes_of_other_curricula_are_found() {
    for output in [
        "Aligned to CCSS.MATH.CONTENT.7.EE.A.1",
        "Standard 7.EE.A.1, and again 7.EE.A.1",
        "Common Core RL.7.1",
        "NC KS3: algorithms",
        "Meets Ma3/2.1",
        "CSTA 2-AP-12",
    ] {
        assert_only(output, Class::OtherCurriculum);
    }
    assert_eq!(
        message("Standard 7.EE.A.1"),
        "7.EE.A.1 is a code of the Common Core (USA), but this class follows CfE. Use an outcome of the class's own curriculum."
    );
    assert_clean("A worksheet made for KS3 pupils, section 7.2.1");
    let american = Context { framework: Some("Common Core".to_owned()), ..Context::default() };
    assert_eq!(check("Standard 7.EE.A.1", &american, &mut Workspace::new()).findings, []);
}

#[test]
fn claims_by_the_codes_of_other_boards_and_countries_are_found() {
    for output in [
        r#"[AQA 8525 3.1.2](curriculum/cfe-computing.md#L47 "explains constructs that represent")"#,
        r#"[ZQ9-8P](curriculum/cfe-computing.md#L47 "explains constructs that represent")"#,
        r#"[XK.8.3](curriculum/none.md#L47 "explains constructs that represent")"#,
        "ACELA1547",
        "VCDTDI050",
        "## Outcomes\n\n- RL.8.3",
        "OCR J277 2.1.1",
        "DT2-8P",
        "TEKS 126.40",
        "ISTE 5c",
        "GCSE AQA 3.1.1",
        "## Outcomes\n\n- England National Curriculum Key Stage 3",
    ] {
        assert_only(output, Class::OtherCurriculum);
    }
    for text in [
        "Java 17, Q3, RL circuits and an AQA 2019 paper, with Key Stage 3 materials of the National Curriculum",
        r#"See [lines L47-L48](curriculum/cfe-computing.md#L47 "explains constructs that represent")."#,
        r#"See [L47](curriculum/cfe-computing.md#L47 "explains constructs that represent")."#,
        r#"See [CfE 2017](curriculum/cfe-computing.md#L47 "explains constructs that represent")."#,
    ] {
        assert_clean(text);
    }
}

fn with_common_core() -> Workspace {
    let mut workspace = Workspace::new();
    workspace.add("curriculum/common-core.md", include_str!("common-core.md"));
    workspace
}

#[test]
fn a_file_of_another_framework_is_another_curriculum() {
    let names = |output: &str, context: &Context| {
        let findings = check(output, context, &mut with_common_core()).findings;
        findings.iter().map(|f| f.class.name()).collect::<Vec<_>>()
    };
    let pointed = r#"[ABC 3-01a](curriculum/common-core.md#L6 "understands ratio concepts")"#;
    assert_eq!(names("ABC 3-01a", &class_3b()), ["other-curriculum"]);
    assert_eq!(names(pointed, &class_3b()), ["other-curriculum"]);
    assert_eq!(names(pointed, &Context::default()), Vec::<&str>::new(), "no framework is asked for");
    let mixed = r#"[TCH 3-14a](curriculum/common-core.md#L6 "understands ratio concepts")"#;
    assert_eq!(names(mixed, &class_3b()), ["other-curriculum"]);
}

#[test]
fn without_curriculum_files_every_code_is_unknown() {
    let findings = check("TCH 3-14a", &class_3b(), &mut Workspace::empty()).findings;
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].class, Class::UnknownCode);
    let mut workspace = Workspace::empty();
    workspace.withhold(LITERACY, ReadError::TooLarge);
    let findings = check("LIT 3-26a", &class_3b(), &mut workspace).findings;
    assert!(findings[0].message.contains("(1 curriculum file(s) could not be read.)"), "{}", findings[0].message);
}

#[test]
fn organisers_of_the_workspace_count_however_they_are_written() {
    let mut workspace = Workspace::new();
    workspace.add(
        "curriculum/digital.md",
        "---\nframework: CfE\n---\n## DGT 3-01a: devices\n- **Outcome:** chooses a device for a purpose\n",
    );
    let findings = check("DGT 301a", &class_3b(), &mut workspace).findings;
    assert_eq!(findings.iter().map(|f| f.class).collect::<Vec<_>>(), [Class::NoPointer]);
}
