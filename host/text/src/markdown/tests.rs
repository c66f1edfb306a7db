use super::*;

fn kinds(markdown: &str) -> Vec<Kind> {
    lines(markdown).iter().map(|line| line.kind).collect()
}

#[test]
fn lines_are_numbered_from_one_and_know_their_place() {
    let text = "# Loops\r\n\r\nè text\n";
    let lines = lines(text);
    let shown: Vec<_> = lines.iter().map(|line| (line.number, line.text, &text[line.start..line.end()])).collect();
    assert_eq!(shown, [(1, "# Loops", "# Loops"), (2, "", ""), (3, "è text", "è text")]);
    assert!(super::lines("").is_empty());
}

#[test]
fn a_line_is_what_a_reader_sees() {
    use Kind::{Blank, Code, Comment, Heading, Item, Row, Text};
    let page = "# Title\n\ntext\n- item\n  1. item\n| a | b |\n```python\n# no heading\n```\n<!-- a note\n# hidden\n-->\n#hash";
    assert_eq!(
        kinds(page),
        [Heading(1), Blank, Text, Item, Item, Row, Code, Code, Code, Comment, Comment, Comment, Text]
    );
}

#[test]
fn fences_close_only_with_their_own_mark() {
    use Kind::{Code, Text};
    assert_eq!(kinds("~~~\n```\n~~~\nx"), [Code, Code, Code, Text]);
    assert_eq!(kinds("````\n```\n````\nx"), [Code, Code, Code, Text]);
    assert_eq!(kinds("- ```\n  code\n  ```\nx"), [Code, Code, Code, Text]);
    assert_eq!(kinds("> ```\n> code\nx"), [Code, Code, Text], "the quotation ended, and the fence with it");
    assert_eq!(kinds("```inline``` code"), [Text]);
    assert_eq!(kinds("```\nnever closed"), [Code, Code]);
}

#[test]
fn blocks_are_paragraphs_items_headings_and_rows() {
    let text = "# Title\npara one\ngoes on\n\n- item\n  goes on\n  - inner\n\n```\ncode\n```\n| a | b |\n| c | d |\n";
    let shown: Vec<_> =
        blocks(&lines(text)).into_iter().map(|block| (block.line, part(text, block.range).to_owned())).collect();
    let expected = [
        (1, "# Title"),
        (2, "para one\ngoes on"),
        (5, "- item\n  goes on"),
        (7, "  - inner"),
        (12, "| a | b |"),
        (13, "| c | d |"),
    ];
    assert_eq!(shown, expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn headings_lose_their_marks() {
    assert_eq!(heading("## Starter ##"), Some((2, "Starter")));
    assert_eq!(heading("   ### C#"), Some((3, "C#")));
    assert_eq!(heading("#"), Some((1, "")));
    for line in ["##Starter", "####### seven", "    # code", "text"] {
        assert_eq!(heading(line), None, "{line}");
    }
}

#[test]
fn items_lose_their_markers() {
    assert_eq!(item("  - **Level:** third"), Some("**Level:** third"));
    assert_eq!(item("12) twelve"), Some("twelve"));
    for line in ["**bold** text", "-5 degrees", "3.14", "text"] {
        assert_eq!(item(line), None, "{line}");
    }
}
