use super::*;
use crate::normalise::{Case, normalise};

const EXAMPLE: &str = r#"[TCH 3-14a](curriculum/cfe-computing.md#L12-L14 "words that stand there")"#;

fn only(markdown: &str) -> Pointer {
    let mut pointers = find_pointers(markdown);
    assert_eq!(pointers.len(), 1, "{markdown}");
    pointers.remove(0)
}

#[test]
fn a_pointer_is_a_link_to_lines_with_a_quote() {
    let output = format!("# Loops\n\nThis lesson meets {EXAMPLE}.\n");
    let pointer = only(&output);
    assert_eq!(pointer.text, "TCH 3-14a");
    assert_eq!(pointer.path, "curriculum/cfe-computing.md");
    assert_eq!(pointer.range(), Ok(12..=14));
    assert_eq!(pointer.quote.as_deref(), Some("words that stand there"));
    assert_eq!(pointer.line, 3);
    assert_eq!(&output[pointer.start..pointer.end], EXAMPLE);
    assert_eq!(pointer.to_string(), EXAMPLE);
    assert_eq!(pointer.place(), "curriculum/cfe-computing.md#L12-L14");
}

#[test]
fn targets_and_titles_may_be_written_as_markdown_allows() {
    for (markdown, path, lines, quote) in [
        ("[a](c.md#L3)", "c.md", (3, 3), None),
        ("[a](c.md#L3-5 'q')", "c.md", (3, 5), Some("q")),
        ("[a](c.md#l3–l5 (q))", "c.md", (3, 5), Some("q")),
        ("[a](<c d.md#L3> \"q\")", "c d.md", (3, 3), Some("q")),
        ("[a](c%20d.md#L3 \"say \\\"q\\\"\")", "c d.md", (3, 3), Some("say \"q\"")),
        ("[a](c%2.md#L3)", "c%2.md", (3, 3), None),
        ("[a](a#b.md#L3)", "a#b.md", (3, 3), None),
        ("[a](c.md#L99999999999)", "c.md", (u32::MAX, u32::MAX), None),
    ] {
        let pointer = only(markdown);
        assert_eq!(
            (pointer.path.as_str(), (pointer.from, pointer.to), pointer.quote.as_deref()),
            (path, lines, quote),
            "{markdown}"
        );
    }
}

#[test]
fn links_without_lines_and_links_in_code_are_no_pointers() {
    let fenced = format!("```\n{EXAMPLE}\n```");
    let quoted = format!("`{EXAMPLE}`");
    let image = format!("!{EXAMPLE}");
    let plain = [
        "[a](c.md)",
        "[a](c.md#heading)",
        "[a](c.md#Level)",
        "[a](c.md#L)",
        "[a](c.md#L1-)",
        "[a](https://example.org)",
    ];
    for markdown in plain.into_iter().chain([fenced.as_str(), quoted.as_str(), image.as_str()]) {
        assert_eq!(find_pointers(markdown), [], "{markdown}");
    }
}

#[test]
fn a_range_that_is_none_is_told_and_not_dropped() {
    assert_eq!(only("[a](c.md#L14-L12 \"q\")").range(), Err(RangeFault::Backwards));
    assert_eq!(only("[a](c.md#L0 \"q\")").range(), Err(RangeFault::Zero));
    assert_eq!(RangeFault::Backwards.to_string(), "the last line comes before the first");
}

#[test]
fn the_line_is_that_of_the_output() {
    let text = "one [a](c.md#L1)\n\ntwo [b\nb](c.md#L2) [c](c.md#L3)\n";
    assert_eq!(find_pointers(text).iter().map(|pointer| pointer.line).collect::<Vec<_>>(), [1, 3, 4]);
}

/// A small generator, so that the property below tries the same texts on every machine.
struct Letters(u64);

impl Letters {
    fn text(&mut self, alphabet: &[&str]) -> String {
        let length = self.next() % 12;
        (0..length).map(|_| alphabet[self.next() % alphabet.len()]).collect()
    }

    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0)
    }
}

const ALPHABET: &[&str] = &[
    "a", "B 3", "\"", "\\", "]", "[", "(", ")", "'", "`", "&quot;", "&", "è", " ", "|", "<", ">", "%41", "#L3", "*",
    "_", "!", "\\\"",
];

#[test]
fn what_is_written_is_read_back() {
    let mut letters = Letters(7);
    for round in 0..5000 {
        let (text, path) = (letters.text(ALPHABET), letters.text(ALPHABET));
        let quote = (round % 5 != 0).then(|| letters.text(ALPHABET));
        let written = format_pointer(&text, &path, 3, 4, quote.as_deref());
        let read = only(&written);
        assert_eq!((read.text, read.path, read.quote), (text, path, quote), "{written}");
        assert_eq!((read.from, read.to, read.end), (3, 4, written.len()));
    }
}

#[test]
fn line_breaks_become_spaces_and_the_words_stay() {
    let mut letters = Letters(11);
    let with_breaks: Vec<&str> =
        ALPHABET.iter().copied().chain(["\n", "\r\n", "\n\n", "\n- ", "\n> ", "\n## "]).collect();
    for _ in 0..2000 {
        let quote = letters.text(&with_breaks);
        let written = format_pointer("TCH 3-14a", "c.md", 1, 2, Some(&quote));
        assert!(!written.contains('\n'), "{written}");
        let read = only(&written).quote.unwrap_or_default();
        assert_eq!(normalise(&read, Case::Keep), normalise(&quote, Case::Keep), "{written}");
    }
}
