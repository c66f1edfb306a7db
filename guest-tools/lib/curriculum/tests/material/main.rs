//! The material files that are shipped: each is whole, belongs to an outcome, and every answer that a machine can check is right.
//!
//! Other files are checked with `TA_MATERIAL=/path/to/workspace cargo test -p ta-curriculum --test material`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod checks;
mod french;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use checks::{Counts, wrong_in};
use ta_curriculum::code::Code;
use ta_curriculum::file::CurriculumFile;
use ta_curriculum::material::{Check, parse, path};

fn workspace() -> PathBuf {
    std::env::var_os("TA_MATERIAL")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../workspace"), PathBuf::from)
}

/// Markdown files below a directory, with their paths from there.
fn files(root: &Path, directory: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(root.join(&directory)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{directory}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                open.push(name);
            } else {
                assert!(name.ends_with(".md"), "{name}: only markdown belongs here");
                let text = std::fs::read_to_string(entry.path()).unwrap();
                all.push((name, text));
            }
        }
    }
    all.sort();
    all
}

/// How many items of `Assessment` each outcome of a subject has.
fn outcomes(root: &Path) -> BTreeMap<(String, Code), usize> {
    let mut all = BTreeMap::new();
    for (_, text) in files(root, "curriculum") {
        let file = CurriculumFile::parse(&text);
        let subject = file.meta.subject.clone().unwrap_or_default();
        for entry in &file.entries {
            let items = entry.field("Assessment").unwrap_or_default().split(';').count();
            all.extend(entry.codes.iter().map(|code| ((subject.clone(), *code), items)));
        }
    }
    all
}

#[test]
fn every_file_is_whole_and_every_answer_that_can_be_checked_is_right() {
    let root = workspace();
    let outcomes = outcomes(&root);
    let mut wrong = Vec::new();
    let mut counts = Counts::default();
    let files = files(&root, "material");
    for (name, text) in &files {
        let (file, faults) = parse(text);
        wrong.extend(faults.iter().map(|it| format!("{name}:{}: {}; {}", it.line, it.message, it.remedy)));
        let code = file.outcome.parse::<Code>().ok();
        let criteria = code.and_then(|code| outcomes.get(&(file.subject.clone(), code)));
        match criteria {
            None => wrong.push(format!("{name}:1: {} has no outcome {}", file.subject, file.outcome)),
            Some(criteria) => {
                let beyond = file.items().filter(|item| item.criterion.is_some_and(|number| number > *criteria));
                wrong.extend(beyond.map(|item| format!("{name}:{}: there are {criteria} criteria", item.line)));
            }
        }
        if *name != path(&file.subject, &file.outcome) {
            wrong.push(format!("{name}:1: name it {}", path(&file.subject, &file.outcome)));
        }
        wrong.extend(wrong_in(name, &file, &mut counts));
    }
    println!("{} files; {counts}", files.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(files.len() >= 6 && counts.checked() > 0, "{counts}");
}

/// One wrong answer of each kind is found: a check that nothing fails is none.
#[test]
fn a_false_answer_of_every_kind_is_found() {
    let item = |question: &str, answer: &str, check: &str| {
        let text = format!(
            "---\noutcome: MNU 3-07a\nsubject: maths\n---\n## Sources\n### s1: A\n> The gate was locked.\n\n- **From:** Written for this lesson\n\n## Recall\n### r1\n{question}\n\n- **Answer:** {answer}\n- **Check:** {check}\n- **Uses:** s1\n\n## Practice: first step\n### p1\n{question}\n\n- **Answer:** {answer}\n- **Reason:** so\n- **Check:** {check}\n- **Uses:** s1\n"
        );
        let (file, _) = parse(&text);
        assert!(!file.practice.is_empty(), "{check}");
        wrong_in("x.md", &file, &mut Counts::default())
    };
    let code = "What is printed?\n\n```python\nfor n in range(3):\n    print(n)\n```";
    let right = [
        ("What is 25% of £48?", "£12", "expr 48/4 = 12"),
        (code, "0, 1, 2", "code"),
        ("What is 3 * 4?", "12", "code print(3 * 4)"),
        ("we go", "nous allons", "grammar aller, nous = allons"),
        ("they finish", "ils finissent", "grammar finir, ils = finissent"),
        ("she has sold", "vendu", "grammar vendre, participe = vendu"),
        ("the small ones (feminine)", "petites", "grammar petit, feminine plural = petites"),
        ("Which word?", "“locked”", "quote locked"),
    ];
    for (question, answer, check) in right {
        assert_eq!(item(question, answer, check), Vec::<String>::new(), "{check}");
    }
    let false_ones = [
        ("What is 25% of £48?", "£12", "expr 48/4 = 13"),
        ("What is 25% of £48?", "£13", "expr 48/4 = 12"),
        ("What is 25% of £48?", "£120", "expr 48/4 = 12"),
        (code, "0, 1, 2, 3", "code"),
        (code, "1, 2, 3", "code"),
        ("What is 3 * 4?", "7", "code print(3 * 4)"),
        ("What stops?", "nothing", "code while True: pass"),
        ("we go", "nous allez", "grammar aller, nous = allez"),
        ("we go", "nous allez", "grammar aller, nous = allons"),
        ("a verb that is not known", "x", "grammar absoudre, nous = x"),
        ("Which word?", "“open”", "quote open"),
        ("Which word?", "“open”", "quote locked"),
    ];
    for (question, answer, check) in false_ones {
        assert!(!item(question, answer, check).is_empty(), "{check}: {answer}");
    }
}

#[test]
fn most_kinds_are_used() {
    let mut counts = Counts::default();
    for (_, text) in files(&workspace(), "material") {
        for item in parse(&text).0.items() {
            if let Some(check) = &item.check {
                counts.add(check);
            }
        }
    }
    assert!(counts.of(&Check::Human) * 2 < counts.all(), "more than half of the answers cannot be checked: {counts}");
}
