//! The host knows no lessons: what a school needs is a plugin's, so its words stand nowhere in what the host is made of.

use std::fs;
use std::path::{Path, PathBuf};

/// Words of a school.
const WORDS: [&str; 6] = ["lesson", "curricul", "pupil", "learner", "classroom", "class_profile"];

/// Directories of a teacher's workspace.
const DIRECTORIES: [&str; 2] = ["classes/", "lessons/"];

/// What may stand there all the same: the name of the plugin that ships, and of its command, in examples of what to type.
const NAMES: [&str; 2] = ["lesson-planning", "create-lesson"];

/// Lines that still have such a word, by file and the reason. This list may only become shorter.
const LEFT: &[(&str, usize, &str)] = &[
    ("host/cli/src/args.rs", 5, IMPORT),
    ("host/cli/src/args/curriculum.rs", 8, IMPORT),
    ("host/cli/src/commands.rs", 2, IMPORT),
    ("host/cli/src/curriculum/check.rs", 10, IMPORT),
    ("host/cli/src/curriculum/mod.rs", 11, IMPORT),
    ("host/cli/src/curriculum/patterns.rs", 6, IMPORT),
    ("host/cli/src/main.rs", 1, IMPORT),
    ("host/runtime/src/sample.rs", 1, "what a developer's own runs wrote into the sample workspace is not shipped"),
];

/// Why the command line still has them.
const IMPORT: &str = "`curriculum import|check` names the files that a plugin's actions make and check";

/// The sources of the product: without tests, and without the suites that every backend of a trait has to pass.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["tests", "conformance", "snapshots", "target"].contains(&name.as_str()) {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// An outcome code, such as `TCH 3-14a`.
fn has_code(line: &str) -> bool {
    let letters: Vec<char> = line.chars().collect();
    letters.windows(6).any(|window| {
        let [space, level, dash, tens, ones, letter] = window else { return false };
        *space == ' '
            && ('0'..='4').contains(level)
            && *dash == '-'
            && tens.is_ascii_digit()
            && ones.is_ascii_digit()
            && letter.is_ascii_lowercase()
    })
}

fn speaks_of_school(line: &str) -> bool {
    let mut text = line.to_lowercase();
    for name in NAMES {
        text = text.replace(name, "");
    }
    WORDS.iter().chain(&DIRECTORIES).any(|word| text.contains(word)) || has_code(line)
}

#[test]
fn the_host_knows_no_lessons() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    sources(&root.join("host"), &mut files);
    assert!(files.len() > 200, "{} files", files.len());
    let mut found = Vec::new();
    let mut left: Vec<(String, usize)> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let shown = file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let lines: Vec<String> = product
            .lines()
            .zip(1..)
            .filter(|(line, _)| speaks_of_school(line))
            .map(|(line, number)| format!("{shown}:{number}: {}", line.trim()))
            .collect();
        let allowed = LEFT.iter().find(|(path, _, _)| *path == shown).map_or(0, |(_, lines, _)| *lines);
        if lines.len() > allowed {
            found.extend(lines);
        } else if allowed > 0 {
            left.push((shown, lines.len()));
        }
    }
    assert!(
        found.is_empty(),
        "say it without the words of a school, or move it into the plugin:\n{}",
        found.join("\n")
    );
    let listed: Vec<(String, usize)> = LEFT.iter().map(|(path, lines, _)| ((*path).to_owned(), *lines)).collect();
    left.sort();
    assert_eq!(left, listed, "left: what there is, right: what the list allows. Shorten the list");
}

#[test]
fn words_of_a_school_are_told_from_names() {
    for line in ["/// Saves a lesson.", "curriculum/x.md", "one Pupil", "see TCH 3-14a", "classes/3B.md"] {
        assert!(speaks_of_school(line), "{line}");
    }
    for line in ["lesson-planning:create-lesson \"iteration for 3B\"", "a class of errors", "subclasses", "3-14"] {
        assert!(!speaks_of_school(line), "{line}");
    }
}
