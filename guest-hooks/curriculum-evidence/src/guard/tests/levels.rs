//! What the text around a code says about its level.

use super::workspace::{Workspace, assert_clean, message, pointer, report};
use crate::guard::{Class, Context, check};
use ta_curriculum::level::{Level, Levels};

/// Puts a good pointer in the place of each code in braces, so that only the level can be wrong.
fn with_pointers(text: &str) -> String {
    let codes = [
        "TCH 2-13a",
        "TCH 2-14a",
        "TCH 2-15a",
        "TCH 3-13a",
        "TCH 3-14a",
        "TCH 3-14b",
        "TCH 3-15a",
        "TCH 4-14a",
        "LIT 3-26a",
        "MNU 2-07a",
    ];
    codes.iter().fold(text.to_owned(), |text, code| text.replace(&format!("{{{code}}}"), &pointer(code)))
}

fn classes(text: &str) -> Vec<Class> {
    report(&with_pointers(text)).findings.into_iter().map(|finding| finding.class).collect()
}

#[test]
fn a_code_under_the_name_of_another_level_is_found() {
    let texts = [
        "Third level outcome: {TCH 2-14a}",
        "Second level outcome {TCH 3-14a}",
        "Second level outcome [{TCH 3-14a}]",
        "{TCH 2-14a} (third level)",
        "{TCH 2-14a}, third level",
        "{TCH 2-14a} – Third Level",
        "{TCH 2-14a} at third level.",
        "{TCH 2-14a} is a third level outcome.",
        "At third level, {TCH 2-14a} asks for more.",
        "CfE Level 3: {TCH 2-14a}",
        "Level 2 outcome {TCH 3-14a}",
        "This lesson meets the curriculum at third level through loops and lists, as in {TCH 2-14a}.",
        "Pupils work at fourth level on the constructs of {TCH 3-14a}.",
        "**Level:** second\n**Outcome:** {TCH 3-14a}",
        "| Third level | {TCH 2-14a} | loops |",
        "## Third level outcomes\n\n- {TCH 2-14a}",
        "## Outcomes\n\nThird level:\n\n- {TCH 2-14a}\n",
        "## Outcomes\n\n**Second level**\n- {TCH 3-14a}",
        "- Third level\n  - {TCH 2-14a}",
        "Early level: {TCH 2-13a}",
        "Third/fourth level: {TCH 2-14a}",
        "Second level: {LIT 3-26a}",
        "At third level pupils met {TCH 2-14a}.",
        "Outcome (3rd level): {MNU 2-07a}",
        "This addresses **third level** {TCH 2-15a}.",
        "Experiences and outcomes, third level e.g. {TCH 2-13a}.",
    ];
    let missed: Vec<&str> = texts.into_iter().filter(|text| classes(text) != [Class::WrongLevel]).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn other_levels_named_for_good_reasons_pass() {
    let texts = [
        "Third level outcome: {TCH 3-14a}",
        "{TCH 3-14a} (third level) builds on {TCH 2-14a} (second level).",
        "Builds on second level work on repetition towards {TCH 3-14a}.",
        "From second level ({TCH 2-14a}) to {TCH 3-14a}.",
        "Pupils still working at second level get a scaffolded version of {TCH 3-14a}.",
        "Some pupils at second level need {TCH 3-14a} in smaller steps.",
        "Prior learning at second level comes first: loops. Then {TCH 3-14a}.",
        "At third level, pupils revisit {TCH 3-14a} and recap {TCH 2-14a}.",
        "Second level pupils met {TCH 2-14a}; third level pupils meet {TCH 3-14a}.",
        "Third/fourth level: {TCH 3-14a}",
        "Third and fourth level: {TCH 3-14a}, {TCH 4-14a}",
        "Fourth level: {LIT 3-26a}",
        "Third level: {LIT 3-26a}",
        "Challenge level 2: extend {TCH 3-14a} with nested loops.",
        "SCQF level 4 units follow from {TCH 3-14a}.",
        "A second-level heading introduces {TCH 3-14a}.",
        "The second level of the game uses {TCH 3-14a}.",
        "## Second and third level outcomes\n\n- {TCH 2-14a}\n- {TCH 3-14a}",
        "## Third level outcomes\n\n- Prior knowledge: {TCH 2-14a}\n- {TCH 3-14a}",
        "## Third level outcomes\n\n- {TCH 2-14a} (second level)\n- {TCH 3-14a}",
        "## Progression from second level\n\n- {TCH 3-14a}",
        "## Third level\n\n- {TCH 3-14a}\n\n## Stretch\n\n- {TCH 4-14a}",
        "- Third level\n  - {TCH 3-14a}\n- Second level\n  - {TCH 2-14a}",
        "| Second level | {TCH 2-14a} | Third level | {TCH 3-14a} |",
        "# Loops at second level\n\n## Outcomes\n\n- {TCH 3-14a}",
        "Unlike second level, {TCH 3-14a} asks for structure.",
        "For the third level group {TCH 3-14a}, for the others {TCH 2-14a}.",
        "Plan: {TCH 3-14a}. At second level this was met in blocks.",
        "{TCH 3-14a} and its second level forerunner {TCH 2-14a}.",
    ];
    let accused: Vec<&str> = texts.into_iter().filter(|text| !classes(text).is_empty()).collect();
    assert!(accused.is_empty(), "{accused:#?}");
}

#[test]
fn the_message_offers_the_same_strand_at_the_level_said() {
    assert_eq!(
        message(&with_pointers("Third level outcome: {TCH 2-14a}")),
        "TCH 2-14a is of second level, but the text around it says third level. The files have TCH 3-14a, TCH 3-14b at third \
         level. Correct the code or the level."
    );
}

fn for_class(level: Option<Levels>, text: &str) -> Vec<Class> {
    let context = Context { class_level: level, framework: Some("CfE".to_owned()), reads: Vec::new() };
    check(&with_pointers(text), &context, &mut Workspace::new())
        .findings
        .into_iter()
        .map(|finding| finding.class)
        .collect()
}

#[test]
fn the_class_says_nothing_for_a_text_that_says_nothing() {
    let third = Some(Level::Third.into());
    let off = "## Outcomes\n\n- {TCH 2-14a}\n- {TCH 2-15a}";
    assert_eq!(for_class(third, off), []);
    assert_eq!(for_class(None, off), []);
    assert_eq!(for_class(Some(Levels::between(Level::Second, Level::Third)), off), []);
    assert_eq!(for_class(None, &format!("# Loops\n\nCfE third level\n\n{off}")), [Class::WrongLevel]);
    for good in [
        "- {TCH 2-14a}\n- {TCH 3-14a}",
        "- {TCH 2-14a} (second level)",
        "- {TCH 2-14a}: the core ideas of a language.\n\n## About this draft\n\nThe outcome is of second level, one below the class.",
        "- {TCH 2-14a}, revised before the new topic",
        "- {TCH 4-14a}, fourth level, as a stretch",
        "- {LIT 3-26a}",
        "no codes",
    ] {
        assert_eq!(for_class(third, good), [], "{good}");
    }
}

#[test]
fn the_lessons_head_says_the_level_of_what_nothing_nearer_speaks_of() {
    let third = Some(Level::Third.into());
    let first = Some(Level::First.into());
    assert_eq!(for_class(first, "{MNU 2-07a} Pupils round numbers before they calculate"), []);
    assert_eq!(for_class(third, "- {TCH 2-14a} at the class's level"), [Class::WrongLevel]);
    let lesson = |level: &str, outcomes: &str| {
        format!("# Loops\n\n**Class:** 3B (S3) · **Level:** {level} · **Time:** 50 min\n\n## Outcomes\n\n{outcomes}\n")
    };
    assert_eq!(for_class(third, &lesson("fourth", "- {TCH 3-14a}")), [Class::WrongLevel]);
    assert_eq!(for_class(third, &lesson("third", "- {TCH 2-14a}\n- {TCH 3-14a}")), [Class::WrongLevel]);
    assert_eq!(
        for_class(third, &lesson("third", "- {TCH 3-14a} (second level, one below the class)")),
        [Class::WrongLevel]
    );
    assert_eq!(for_class(third, "# Loops at fourth level\n\n## Outcomes\n\n- {TCH 2-14a}"), [Class::WrongLevel]);
    for good in [
        "- {TCH 3-14a}",
        "- {TCH 2-14a} (second level, one below the class)",
        "- {TCH 2-14a}: the core ideas of a language. (second level, one below the class)",
        "- {TCH 3-14a}\n- {TCH 4-14a} as a stretch",
        "- {TCH 3-14a}\n\n## Stretch\n\n- {TCH 4-14a}",
    ] {
        assert_eq!(for_class(third, &lesson("third", good)), [], "{good}");
    }
    let findings =
        check(&with_pointers(&lesson("fourth", "- {TCH 3-14a}")), &Context::default(), &mut Workspace::new()).findings;
    let told = "TCH 3-14a is of third level, but the lesson's head says fourth level.";
    assert!(findings[0].message.starts_with(told), "{}", findings[0].message);
}

#[test]
fn a_pair_counts_for_both_its_levels() {
    let pair = super::workspace::pointer_named("LIT 3-26a", "LIT 3-26a / LIT 4-26a");
    assert_clean(&format!("Fourth level: {pair}"));
    assert_clean(&format!("Third level: {pair}"));
}
