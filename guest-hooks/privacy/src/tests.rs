use std::path::Path;

use crate::scan::{Found, Scanner, Source};

const PERSONAL: &str = include_str!("../corpus/personal.txt");
const HARMLESS: &str = include_str!("../corpus/harmless.txt");

fn scan(scanner: &Scanner, source: Source, text: &str) -> Vec<Found> {
    scanner.scan(text, source, &|_| false)
}

fn entries(corpus: &'static str) -> impl Iterator<Item = (Source, &'static str)> {
    corpus.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (source, rest) = line.split_once(' ').unwrap();
        (if source == "R" { Source::Request } else { Source::File }, rest)
    })
}

#[test]
fn what_is_personal_is_found_with_its_kind_and_its_place() {
    let scanner = Scanner::new();
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for (source, rest) in entries(PERSONAL) {
        let (expected, text) = rest.split_once(" | ").unwrap();
        let text = if text.starts_with("##") { text.replace('/', "\n") } else { text.to_owned() };
        let found = scan(&scanner, source, &text);
        let mut shown: Vec<String> =
            found.iter().map(|found| format!("{}={}", found.kind.name(), &text[found.range.clone()])).collect();
        for expected in expected.split("; ") {
            all += 1;
            match shown.iter().position(|shown| shown == expected) {
                Some(at) => {
                    shown.remove(at);
                    right += 1;
                }
                None => wrong.push(format!("missed {expected} in: {text}")),
            }
        }
        wrong.extend(shown.iter().map(|shown| format!("too much: {shown} in: {text}")));
    }
    assert!(wrong.is_empty(), "{right} of {all}\n{}", wrong.join("\n"));
}

#[test]
fn what_is_harmless_is_left_alone() {
    let scanner = Scanner::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (source, text) in entries(HARMLESS) {
        count += 1;
        for found in scan(&scanner, source, text) {
            wrong.push(format!("{}={} in: {text}", found.kind.name(), &text[found.range.clone()]));
        }
    }
    assert!(count > 200, "{count}");
    // What is learned is not a table of these lines: one in a hundred may come out otherwise.
    assert!(wrong.len() * 100 <= count, "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
}

/// All markdown below a directory of the repository.
fn markdown(directory: &Path, texts: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            markdown(&path, texts);
        } else if path.extension().is_some_and(|it| it == "md") {
            texts.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn what_the_host_ships_holds_nobody() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for directory in ["workspace", "plugins", "guest-tools/lib/planner/src/bank", "guest-hooks/age-appropriate/samples"]
    {
        markdown(&root.join(directory), &mut texts);
    }
    assert!(texts.len() > 20, "{}", texts.len());
    let scanner = Scanner::new();
    for (path, text) in texts {
        for source in [Source::File, Source::Request] {
            let found = scan(&scanner, source, &text);
            let shown: Vec<&str> = found.iter().map(|found| &text[found.range.clone()]).collect();
            assert!(shown.is_empty(), "{path}: {shown:?}");
        }
    }
}

#[test]
fn hostile_text_is_read_without_harm() {
    let scanner = Scanner::new();
    let long = ["Liam M. ".repeat(3000), "1 A Place ".repeat(3000), "@".repeat(20_000), "a@".repeat(10_000)];
    let odd = [
        "`",
        "```",
        "```\nLiam struggles",
        "Liam'",
        "’s",
        "\u{feff}",
        "Łukasz’s mum",
        "é@é.com",
        "0",
        "+44",
        "1/1/",
        "\r\n\n",
    ];
    for text in long.iter().map(String::as_str).chain(odd) {
        for found in scan(&scanner, Source::Request, text) {
            assert!(text.get(found.range).is_some());
        }
    }
}
