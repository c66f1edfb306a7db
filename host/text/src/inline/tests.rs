use super::*;

/// Each link as its text, target and title.
fn links(markdown: &str) -> Vec<(String, String, String)> {
    let show = |link: Link| (markdown[link.text].to_owned(), link.target, link.title.unwrap_or_default());
    scan(markdown).links.into_iter().map(show).collect()
}

fn link(text: &str, target: &str, title: &str) -> (String, String, String) {
    (text.to_owned(), target.to_owned(), title.to_owned())
}

#[test]
fn titles_and_targets_may_be_written_in_every_way_markdown_allows() {
    for (markdown, expected) in [
        ("[a](b)", link("a", "b", "")),
        ("[a](b \"c\")", link("a", "b", "c")),
        ("[a](b 'c \"d\"')", link("a", "b", "c \"d\"")),
        ("[a](b (c))", link("a", "b", "c")),
        (r#"[a](b "c \"d\" \\")"#, link("a", "b", r#"c "d" \"#)),
        ("[a](b\n  \"c\nd\")", link("a", "b", "c\nd")),
        ("[a](<b c> \"d\")", link("a", "b c", "d")),
        ("[a](b(c)d)", link("a", "b(c)d", "")),
        ("[a](b \"c &quot;d&quot; &unknown;\")", link("a", "b", "c \"d\" &unknown;")),
        ("[a `]` b](c)", link("a `]` b", "c", "")),
        ("[a](b \"c ` d\") and ` e", link("a", "b", "c ` d")),
        ("[[a]](b)", link("[a]", "b", "")),
        ("[a \\] b](c)", link("a \\] b", "c", "")),
        ("- [ ] [a](b)", link("a", "b", "")),
        ("\\![a](b)", link("a", "b", "")),
    ] {
        assert_eq!(links(markdown), [expected], "{markdown}");
    }
}

#[test]
fn what_a_renderer_shows_as_text_is_no_link() {
    for markdown in [
        "[a] (b)",
        "[a](b c)",
        "[a](b \"c\"d\")",
        "[a](b \u{201c}c\u{201d})",
        "`[a](b)`",
        "```\n[a](b)\n```",
        "\\[a](b)",
        "[a\n\nb](c)",
        "<!-- [a](b) -->",
        "text <!-- [a](b) --> text",
        "[a](b",
        "[a](b \"c)",
    ] {
        assert_eq!(links(markdown), [], "{markdown}");
    }
}

#[test]
fn links_do_not_nest_but_images_stand_inside_them() {
    assert_eq!(links("[a [b](c) d](e)"), [link("b", "c", "")]);
    assert_eq!(links("[![i](p)](u)"), [link("i", "p", ""), link("![i](p)", "u", "")]);
    assert!(scan("![a](b)").links[0].image);
}

#[test]
fn code_never_runs_from_one_block_into_the_next() {
    let text = "a ` b\n\n[c](d) ` e\n\n- ``f ` g``";
    let markup = scan(text);
    assert_eq!(markup.links.len(), 1);
    assert_eq!(markup.code.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>(), ["``f ` g``"]);
}

#[test]
fn blanking_keeps_every_offset() {
    let text = "aè\nb c";
    let blanked = blank(text, std::iter::once(1..5));
    assert_eq!(blanked, "a  \n  c");
    assert_eq!(blanked.len(), text.len());
}

#[test]
fn hostile_nesting_is_read_in_time() {
    let text = "[](".repeat(4000) + &"`".repeat(4000) + &"[".repeat(4000);
    assert!(scan(&text).links.is_empty());
}
