//! Pointers that hold and pointers that do not.

use super::workspace::{
    COMPUTING, LITERACY, MATHS, Workspace, assert_clean, assert_only, class_3b, digest, found, message, pointer,
    pointer_named,
};
use crate::guard::{Class, Context, ReadError, check};

const GOOD: &str = r#"[TCH 3-14a](curriculum/cfe-computing.md#L47 "explains constructs that represent structured information in languages")"#;

#[test]
fn a_pointer_to_the_codes_own_words_holds() {
    assert_eq!(pointer("TCH 3-14a"), GOOD);
    assert_clean(GOOD);
    for output in [
        // The whole entry, part of the sentence, other capitals, words over a line break, words left out.
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L45-L52 "Represent structured information")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L50 "a list or a nested loop stands for")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L45 "constructs of languages")"#,
        r#"[TCH 3-13a](curriculum/cfe-computing.md#L31-L32 "where they apply in everyday systems")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L47 "explains constructs … structured information")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L51 'off-by-one errors; "=" as equality')"#,
        // Lenient forms of the code, of the path and of the lines.
        r#"[TCH 314a](./curriculum/cfe-computing.md#L47-47 (explains constructs that represent))"#,
        r#"[**TCH 3-14a**](<curriculum/cfe-computing.md#L47> 'explains constructs that represent')"#,
        // A range that reaches beyond the entry, with the quote inside it.
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L40-L60 "explains constructs that represent")"#,
    ] {
        assert_clean(output);
    }
}

#[test]
fn a_quote_that_is_not_there_is_found_and_its_place_named() {
    let wrong_line =
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L46 "explains constructs that represent structured information")"#;
    assert_eq!(
        message(wrong_line),
        "The words \"explains constructs that represent structured info…\" do not stand on line 46 of curriculum/cfe-computing.md. \
         They stand on line 47: correct the lines."
    );
    let from_memory = r#"[TCH 3-14a](curriculum/cfe-computing.md#L45-L52 "I can explain how to write clean code")"#;
    assert!(message(from_memory).ends_with("do not quote from memory."));
    for output in [
        wrong_line,
        from_memory,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L47)"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L47 "")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L47 "the")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L45 "TCH 3-14a")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L46 "Level: third")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L47 "structured languages in information")"#,
        // Lines of another entry, but the words are this code's own: only the lines are wrong.
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L56 "explains constructs that represent structured information")"#,
    ] {
        assert_only(output, Class::QuoteNotFound);
    }
    assert!(message(r#"[TCH 3-14a](curriculum/cfe-computing.md#L47 "the")"#).contains("too short to prove anything"));
}

#[test]
fn another_outcomes_words_are_a_wrong_text() {
    let output =
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L56 "explains how layers of hardware and software fit together")"#;
    assert_eq!(
        message(output),
        "The words \"explains how layers of hardware and software fit t…\" (line 56) belong to TCH 3-14b, not to TCH 3-14a, whose \
         entry is curriculum/cfe-computing.md#L45-L52. Quote that entry, or claim TCH 3-14b."
    );
    for output in [
        output,
        // The right lines with another entry's words.
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L47 "chooses tools to design, build, test and improve")"#,
        // Words of the introduction.
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L11 "Paraphrases, not official wording")"#,
        // Files that do not hold the code at all.
        r#"[TCH 3-14a](curriculum/cfe-maths.md#L15 "calculates with fractions, decimals and percentages")"#,
        r#"[TCH 3-14a](classes/3B.md#L2 "Two pupils with English as an additional language")"#,
    ] {
        assert_only(output, Class::WrongText);
    }
}

#[test]
fn lines_must_be_in_the_file() {
    for output in [
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L400-L402 "explains constructs that represent")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L47-L400 "explains constructs that represent")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L52-L47 "explains constructs that represent")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L0 "explains constructs that represent")"#,
        r#"[TCH 3-14a](curriculum/cfe-computing.md#L99999999999 "explains constructs that represent")"#,
    ] {
        assert_only(output, Class::RangeOutsideFile);
    }
    let lines = include_str!("cfe-computing.md").lines().count();
    let told = message(r#"[TCH 3-14a](curriculum/cfe-computing.md#L400 "explains constructs that represent")"#);
    assert!(told.contains(&format!("curriculum/cfe-computing.md has {lines} lines")), "{told}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_reason() {
    for (path, part) in [
        ("curriculum/computing.md", "there is no such file in the workspace. Point to"),
        ("../secrets.md", "the path leads out of the workspace. Point to"),
        ("../curriculum/cfe-computing.md", "Did you mean curriculum/cfe-computing.md?"),
        ("cfe-computing.md", "Did you mean curriculum/cfe-computing.md?"),
        ("https://example.org/cfe.md", "the path leads out of the workspace"),
    ] {
        let output = format!("[TCH 3-14a]({path}#L47 \"explains constructs that represent\")");
        assert_only(&output, Class::FileMissing);
        let told = message(&output);
        assert!(told.contains(part), "{told}");
    }
    let mut workspace = Workspace::new();
    workspace.withhold("curriculum/private.md", ReadError::NotGranted);
    let output = "[TCH 3-14a](curriculum/private.md#L47 \"explains constructs that represent\")";
    let findings = check(output, &class_3b(), &mut workspace).findings;
    assert_eq!(findings.len(), 1);
    assert!(findings[0].class == Class::FileMissing && findings[0].message.contains("may not read there"));
}

fn after_reading(reads: &[(&str, &str)], output: &str) -> Vec<Class> {
    let reads = reads.iter().map(|(path, sha256)| ((*path).to_owned(), (*sha256).to_owned())).collect();
    let context = Context { reads, ..class_3b() };
    check(output, &context, &mut Workspace::new()).findings.into_iter().map(|finding| finding.class).collect()
}

#[test]
fn a_file_that_changed_since_it_was_read_is_one_finding() {
    let now = digest(include_str!("cfe-computing.md"));
    let two = format!("{GOOD} and {}", pointer("TCH 3-14b"));
    assert_eq!(after_reading(&[(COMPUTING, "0123")], &two), [Class::FileChanged]);
    assert_eq!(after_reading(&[(COMPUTING, &now)], &two), []);
    assert_eq!(after_reading(&[(COMPUTING, &now.to_uppercase())], &two), []);
    assert_eq!(after_reading(&[(COMPUTING, "0123"), (COMPUTING, &now)], &two), [], "it was read again");
    assert_eq!(after_reading(&[(COMPUTING, &now), (COMPUTING, "0123")], &two), [Class::FileChanged]);
    for path in [format!("./{COMPUTING}"), format!(".//{COMPUTING}"), COMPUTING.replace('/', "/./")] {
        assert_eq!(after_reading(&[(&path, "0123")], &two), [Class::FileChanged], "{path}");
    }
    assert_eq!(
        after_reading(&[(COMPUTING, "0123")], &GOOD.replace("(curriculum", "(./curriculum")),
        [Class::FileChanged]
    );
    assert_eq!(after_reading(&[(MATHS, "0123"), (LITERACY, "4567")], &two), [], "other files may change");
}

#[test]
fn a_pointer_without_a_code_is_checked_for_its_words_only() {
    assert_only(r#"See [the file](curriculum/cfe-computing.md#L47 "words that are not there")."#, Class::QuoteNotFound);
    assert_only(
        r#"See [the file](curriculum/cfe-computing.md#L900 "explains constructs that represent")."#,
        Class::RangeOutsideFile,
    );
    assert_only(r#"See [the file](curriculum/none.md#L1 "explains constructs that represent")."#, Class::FileMissing);
    assert_clean(r#"See [the file](curriculum/cfe-computing.md#L11 "Paraphrases, not official wording")."#);
    assert_clean(r#"See [the class](classes/3B.md#L900 "no curriculum file, so no claim")."#);
    // It may stand beside the code that it proves.
    assert_clean(r#"TCH 3-14a ([source](curriculum/cfe-computing.md#L47 "explains constructs that represent"))"#);
    assert_eq!(
        found(r#"TCH 3-14a ([source](curriculum/cfe-computing.md#L56 "explains how layers of hardware"))"#),
        ["no-pointer TCH 3-14a"]
    );
}

#[test]
fn a_shared_entry_is_proven_for_all_its_codes() {
    assert_clean(&pointer_named("LIT 3-26a", "LIT 3-26a / LIT 4-26a"));
    assert_clean(&format!("{} and later LIT 4-26a", pointer("LIT 3-26a")));
    assert_clean(&format!("LIT 3-26a / 4-26a: {}", pointer_named("LIT 3-26a", "LIT 4-26a")));
    // Two codes with entries of their own need a pointer each.
    assert_eq!(found(&pointer_named("TCH 3-13a", "TCH 3-13a, TCH 3-13b")), ["no-pointer TCH 3-13b"]);
}

#[test]
fn every_bad_pointer_is_told_even_beside_a_good_one() {
    let output = format!("{GOOD}\n\n[TCH 3-14a](curriculum/cfe-computing.md#L47 \"words that are not there\")");
    assert_only(&output, Class::QuoteNotFound);
}

#[test]
fn a_short_quote_will_do_where_it_is_the_whole_text() {
    let mut workspace = Workspace::new();
    let file = "---\nframework: CfE\n---\n## SOC 2-01a: People\n- **Outcome:** Know castles.\n- **Topic:** keeps\n";
    workspace.add("curriculum/social.md", file);
    let mut classes = |quote: &str| {
        let output = format!("[SOC 2-01a](curriculum/social.md#L4-L6 \"{quote}\")");
        check(&output, &class_3b(), &mut workspace).findings.into_iter().map(|f| f.class).collect::<Vec<_>>()
    };
    for whole in ["Know castles.", "know castles", "People"] {
        assert_eq!(classes(whole), [], "{whole}");
    }
    for part in ["castles", "Know", "keeps", "SOC 2-01a"] {
        assert_eq!(classes(part), [Class::QuoteNotFound], "{part}");
    }
}
