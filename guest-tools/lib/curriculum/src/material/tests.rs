use super::{Check, parse, path};

fn file() -> String {
    let mut text = String::from("---\noutcome: MNU 3-07a\nsubject: maths\n---\n\n# Percentages\n\nFor the teacher.\n");
    text.push_str("\n## Worked examples\n\n### w1\n\nFind 35% of £60.\n\n1. 10% is £6.\n2. 5% is half of that,\n   £3.\n\n- **Answer:** £21\n- **Check:** expr 0.35*60 = 21\n");
    text.push_str("\n## Sources\n\n### s1: Prices\n\n> Tea costs £2.\n\n- **From:** Written for this lesson\n");
    let items = |text: &mut String, section: &str, letter: char, first: usize, number: usize| {
        text.push_str(&format!("\n## {section}\n"));
        for at in first..first + number {
            text.push_str(&format!("\n### {letter}{at}\n\nWhat is {at} + 1?\n\n- **Answer:** {}\n- **Reason:** one more\n  than {at}\n- **Check:** expr {at}+1 = {}\n", at + 1, at + 1));
        }
    };
    items(&mut text, "Recall", 'r', 1, 3);
    items(&mut text, "Practice: first step", 'p', 1, 4);
    items(&mut text, "Practice: second step", 'p', 5, 4);
    items(&mut text, "Practice: third step", 'p', 9, 4);
    items(&mut text, "Exit questions", 'e', 1, 4);
    text.push_str("\n## Misconceptions\n\n### m1: Tea is free.\n\nWhat does tea cost?\n\n- **Answer:** £2\n- **Reason:** it says so\n- **Check:** quote £2\n- **Uses:** s1\n- **Criterion:** 2\n- **Topics:** tea, prices\n");
    text
}

#[test]
fn a_whole_file_is_read() {
    let (file, faults) = parse(&file());
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!((file.outcome.as_str(), file.subject.as_str()), ("MNU 3-07a", "maths"));
    assert_eq!(file.worked[0].steps, ["10% is £6.", "5% is half of that, £3."]);
    assert_eq!(file.worked[0].check, Some(Check::Expr(vec![("0.35*60".into(), "21".into())])));
    assert_eq!(file.practice.iter().map(|item| item.step).collect::<Vec<_>>()[3..5], [Some(1), Some(2)]);
    assert_eq!(file.practice[0].reason, "one more than 1");
    let wrong = &file.misconceptions[0];
    assert_eq!((wrong.title.as_str(), wrong.criterion), ("Tea is free.", Some(2)));
    assert_eq!(
        (wrong.topics.as_slice(), wrong.uses.as_deref()),
        (["tea", "prices"].map(String::from).as_slice(), Some("s1"))
    );
    assert_eq!(file.source("s1").unwrap().parts(), (String::new(), Some("> Tea costs £2.".into())));
    assert_eq!(path("maths", &file.outcome), "material/maths/MNU-3-07a.md");
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_remedy() {
    let cases = [
        ("- **Answer:** 2\n", "", "`r1` has no answer"),
        ("- **Check:** expr 1+1 = 2", "- **Check:** magic", "`Check` is `magic`"),
        ("- **Check:** expr 1+1 = 2", "- **Check:** expr 2", "`Check` is `expr 2`"),
        ("### p2\n", "### p1\n", "the id `p1` stands twice"),
        ("### p3\n", "### third\n", "the id `third` is none"),
        ("## Recall\n", "## Remember\n", "there is no section `Remember`"),
        ("- **Uses:** s1\n", "- **Uses:** s2\n", "`m1` uses `s2`, which is no source"),
        ("- **From:** Written for this lesson\n", "", "`s1` does not say where it is from"),
        ("2. 5% is half of that,\n   £3.\n", "", "`w1` shows fewer than 2 steps"),
        ("- **Criterion:** 2", "- **Criterion:** two", "`Criterion` is `two`"),
        ("- **Topics:** tea", "- **Topic:** tea", "there is no field `Topic`"),
        ("outcome: MNU 3-07a", "outcome: percent", "`outcome` is `percent`"),
        ("What does tea cost?", "What?\n\nAnd this?", "`m1` has more than one paragraph"),
    ];
    for (from, to, message) in cases {
        let text = file().replacen(from, to, 1);
        let (_, faults) = parse(&text);
        let found = faults.iter().find(|fault| fault.message == message);
        assert!(found.is_some_and(|fault| fault.line > 0 && !fault.remedy.is_empty()), "{message}: {faults:?}");
    }
    let line = file().lines().position(|line| line == "### r1").unwrap() + 1;
    let (read, faults) = parse(&file().replacen("- **Answer:** 2\n", "", 1));
    assert_eq!(faults[1].line as usize, line, "{faults:?}");
    assert_eq!((read.recall.len(), read.practice.len()), (2, 12), "the rest is used");
}

#[test]
fn the_question_is_parted_from_its_code() {
    let text = file().replacen(
        "What is 5 + 1?",
        "What is printed? `n` is a\nnumber.\n\n```python\nprint(6)\n\nprint(7)\n```",
        1,
    );
    let (file, faults) = parse(&text);
    assert!(faults.is_empty(), "{faults:?}");
    let item = &file.practice[4];
    let (ask, block) = item.parts();
    assert_eq!(
        (ask.as_str(), block.as_deref()),
        ("What is printed? `n` is a number.", Some("```python\nprint(6)\n\nprint(7)\n```"))
    );
    assert_eq!(item.python().as_deref(), Some("print(6)\n\nprint(7)\n"));
}

#[test]
fn any_text_is_read_without_a_panic() {
    for text in [
        "",
        "---",
        "---\n---\n### x",
        "## Recall\n### r1\n- **",
        "# a\n###\n- **Answer:**",
        "\u{FEFF}---\r\noutcome: x\r\n---\r\n",
    ] {
        assert!(!parse(text).1.is_empty(), "{text:?}");
    }
}
