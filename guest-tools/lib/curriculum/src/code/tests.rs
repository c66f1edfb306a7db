use super::*;

/// What is found in a text, each place as the codes it claims.
fn found(text: &str) -> Vec<String> {
    let join = |found: Found| found.codes.iter().map(Code::to_string).collect::<Vec<_>>().join(" / ");
    find_codes(text).into_iter().map(join).collect()
}

#[test]
fn a_code_has_one_right_form() {
    let code: Code = "TCH 3-14a".parse().expect("the form of the documents");
    assert_eq!((code.organiser(), code.level(), code.number(), code.letter()), ("TCH", Level::Third, 14, 'a'));
    assert_eq!(code.to_string(), "TCH 3-14a");
    assert_eq!("MLAN 1-01b".parse::<Code>().map(|code| code.to_string()).as_deref(), Ok("MLAN 1-01b"));
    for text in
        ["TCH 3-14A", "tch 3-14a", "TCH3-14a", "TCH 3-14a ", "TCH 5-14a", "TC 3-14a", "TECHN 3-14a", "", "TCH 3-1a"]
    {
        assert_eq!(text.parse::<Code>(), Err(NotACode), "{text}");
    }
}

#[test]
fn a_code_cannot_be_made_from_parts_that_do_not_fit() {
    assert_eq!(Code::new("TC", Level::Third, 14, 'a'), None);
    assert_eq!(Code::new("TCH", Level::Third, 100, 'a'), None);
    assert_eq!(Code::new("TCH", Level::Third, 14, '1'), None);
    assert_eq!(Code::new("tch", Level::Third, 4, 'A').map(|code| code.to_string()).as_deref(), Some("TCH 3-04a"));
}

#[test]
fn codes_are_found_however_they_are_written() {
    for (text, expected) in [
        ("TCH 3-14a", "TCH 3-14a"),
        ("MNU 201a", "MNU 2-01a"),
        ("TCH 1-14B", "TCH 1-14b"),
        ("TCH3-14a", "TCH 3-14a"),
        ("TCH-3-14a", "TCH 3-14a"),
        ("TCH 314a", "TCH 3-14a"),
        ("tch 3-14a", "TCH 3-14a"),
        ("Tch 3-14a", "TCH 3-14a"),
        ("TCH\u{a0}3\u{2011}14a", "TCH 3-14a"),
        ("TCH 3–14a", "TCH 3-14a"),
        ("TCH 3 - 14a", "TCH 3-14a"),
        ("TCH 3 - 14 a", "TCH 3-14a"),
        ("TCH.3.14a", "TCH 3-14a"),
        ("TCH_3_14a", "TCH 3-14a"),
        ("MNU 3-1a", "MNU 3-01a"),
        ("**TCH** 3-14a", "TCH 3-14a"),
        ("(TCH 3-14a)", "TCH 3-14a"),
        ("_TCH 3-14a_", "TCH 3-14a"),
        ("TCH\n3-14a", "TCH 3-14a"),
        ("ABC 1-23d", "ABC 1-23d"),
        ("LGL 2-05a", "LGL 2-05a"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
        assert_eq!(found(&format!("Outcome: {text}, and so on.")), [expected], "{text} within a sentence");
    }
}

#[test]
fn a_slash_makes_one_shared_outcome() {
    for (text, expected) in [
        ("LIT 3-26a / LIT 4-26a", "LIT 3-26a / LIT 4-26a"),
        ("LIT 3-26a/LIT 4-26a", "LIT 3-26a / LIT 4-26a"),
        ("LIT 3-26a / 4-26a", "LIT 3-26a / LIT 4-26a"),
        ("LIT 0-01a / LIT 0-11a / LIT 0-20a", "LIT 0-01a / LIT 0-11a / LIT 0-20a"),
        ("TCH 3-13a/b", "TCH 3-13a / TCH 3-13b"),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
    assert_eq!(found("TCH 3-14a / a starter"), ["TCH 3-14a"]);
}

#[test]
fn a_list_may_name_its_organiser_once() {
    assert_eq!(found("TCH 3-13a, 3-14a and 3-15a"), ["TCH 3-13a", "TCH 3-14a", "TCH 3-15a"]);
    assert_eq!(found("TCH 3-13a; MNU 3-07a & 3-10a"), ["TCH 3-13a", "MNU 3-07a", "MNU 3-10a"]);
    assert_eq!(found("[TCH 3-13a]          , [3-14a]     "), ["TCH 3-13a", "TCH 3-14a"]);
    assert_eq!(found("TCH 3-13a 3-14a"), ["TCH 3-13a"], "nothing joins the two");
}

#[test]
fn ordinary_text_holds_no_codes() {
    for text in [
        "AES 256",
        "ISO 9001b",
        "RFC 2119a",
        "SHA 256b",
        "the 3-14a bus",
        "ABC 3-14A",
        "abc 3-14a",
        "ABC3-14a",
        "lit 201a",
        "eng 21a",
        "MNU 31a",
        "MTH 3.14",
        "the end of ENG. 3.14 is near pi",
        "ENG 24-13",
        "LIT 3-14-2026",
        "TCH",
        "TCH 3",
        "TCH 3-14ab",
        "xTCH 3-14a",
        "class 3B, period 2-3",
        "BBC 1",
        "3B 2A 2C",
        "for i in range(3-14)",
        "S3-14a",
        "MTH 3-145a",
        "SOC 12-01a",
    ] {
        assert!(found(text).is_empty(), "{text}: {:?}", found(text));
    }
}

#[test]
fn what_reads_as_a_code_and_cannot_be_one_is_found_with_its_fault() {
    for (text, fault) in
        [("TCH 7-14a", Fault::NoSuchLevel), ("TCH 3-14.", Fault::NoLetter), ("(LIT 3-26)", Fault::NoLetter)]
    {
        let found = find_codes(text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].codes.len(), found[0].fault), (0, Some(fault)), "{text}");
    }
}

#[test]
fn places_are_byte_offsets_of_what_was_written() {
    let text = "Mòran — TCH 3–14a (and MNU 201a).";
    let found = find_codes(text);
    let written: Vec<&str> = found.iter().map(|found| &text[found.start..found.end]).collect();
    assert_eq!(written, ["TCH 3–14a", "MNU 201a"]);
    assert_eq!(found[0].as_written, "TCH 3–14a");
}

#[test]
fn organisers_of_the_workspace_may_be_written_freely_too() {
    assert!(found("DGT 314a").is_empty());
    let more = ["DGT".to_owned()];
    assert_eq!(find_codes_with("DGT 314a", &more).len(), 1);
}

#[test]
fn a_heading_may_name_any_organiser() {
    let found = code_at_start("DGT 314a: devices").expect("a code at the start");
    assert_eq!((found.codes[0].to_string().as_str(), found.end), ("DGT 3-14a", 8));
    assert_eq!(code_at_start("About TCH 3-14a"), None);
}
