use super::pages::{Laid, paginate};
use super::strips::{TEXT_HEIGHT, TEXT_WIDTH, layout};
use super::{fonts, lines};
use crate::{Part, Prepared, read};

fn laid(markdown: &str, part: Part) -> Vec<Vec<Laid>> {
    let blocks = read::read(&crate::clean::formulas(markdown)).unwrap();
    let prepared = Prepared { title: "x".into(), language: "en-GB".into(), part, blocks };
    let fonts = fonts::Fonts::load().unwrap();
    paginate(layout(&prepared, &fonts).strips)
}

fn words(laid: &Laid) -> String {
    let pieces = laid.strip.lines.iter().flat_map(|it| &it.line.pieces);
    let text = pieces.map(|piece| match piece {
        lines::Piece::Text { glyphs, .. } => glyphs.iter().map(|it| it.character).collect(),
        lines::Piece::Formula { text, .. } => text.clone(),
    });
    text.collect()
}

fn texts() -> Vec<String> {
    let long = "W".repeat(3_000);
    let formula = format!("$$ {} $$", "x_{12} + \\frac{aaaa}{bbbb} = ".repeat(60));
    let inline = format!("Text with ${}$ inside.", "abcdefgh".repeat(80));
    let wide = format!("|{}\n|{}\n|{}\n", "head|".repeat(12), "---|".repeat(12), "incomprehensibilities|".repeat(12));
    let deep = (0..16).map(|level| format!("{}- {long}\n", "  ".repeat(level))).collect();
    let tower = format!("$${}x{}$$", "\\frac{1}{".repeat(30), "}".repeat(30));
    let rows = format!("$$\\begin{{aligned}} {} \\end{{aligned}}$$", "a &= b \\\\ ".repeat(300));
    let cell = format!("|a|b|\n|---|---|\n|{}|y|\n", "word ".repeat(3_000));
    let code = format!("```\n{long}\n```\n\n> > > {long}\n\n1000000000. {long}");
    let mut all = vec![long.clone(), formula, inline, wide, deep, tower, rows, cell, code];
    all.push(include_str!("../../tests/lessons/quadratics.md").into());
    all.push(include_str!("../../tests/lessons/iteration.md").into());
    all
}

#[test]
fn nothing_stands_beyond_the_text_area() {
    for text in texts() {
        for part in [Part::All, Part::Pupil] {
            for laid in laid(&text, part).iter().flatten() {
                assert!(laid.top + laid.strip.height <= TEXT_HEIGHT + 0.1, "{} {}", laid.top, laid.strip.height);
                for placed in &laid.strip.lines {
                    let right = placed.x + placed.line.width;
                    assert!(placed.x >= -0.1 && right <= TEXT_WIDTH + 0.1, "{right}: {:.80}", words(laid));
                    let lowest = placed.baseline + placed.line.descent;
                    assert!(lowest <= laid.strip.height + 0.1, "{lowest} of {}", laid.strip.height);
                }
                for ([left, _, width, _], _) in &laid.strip.fills {
                    assert!(*left >= -0.1 && left + width <= TEXT_WIDTH + 0.1);
                }
            }
        }
    }
}

#[test]
fn cells_stay_inside_their_columns() {
    let table = "|a|b|c|\n|---|:-:|--:|\n|incomprehensibilities of it all|$x^2+y^2+z^2=r^2$|`some code here`|\n";
    for laid in laid(table, Part::All).iter().flatten() {
        let mut lines: Vec<_> = laid.strip.lines.iter().collect();
        lines.sort_by(|one, other| one.x.total_cmp(&other.x));
        for pair in lines.windows(2) {
            assert!(pair[0].x + pair[0].line.width <= pair[1].x, "{}", words(laid));
        }
    }
}

/// Whatever stands before it: a heading is never the last on its page.
#[test]
fn headings_stay_with_their_text() {
    for count in 20..60 {
        let text = format!("{}## Heading\n\nIts text.\n\n{}", "Line.\n\n".repeat(count), "More.\n\n".repeat(40));
        for page in laid(&text, Part::All) {
            assert_ne!(words(page.last().unwrap()), "Heading", "after {count} lines");
        }
    }
}

#[test]
fn a_table_has_its_head_on_every_page() {
    let text = format!("| number | name |\n|---|---|\n{}", "| 1 | one |\n".repeat(200));
    let pages = laid(&text, Part::All);
    assert!(pages.len() > 3);
    for (index, page) in pages.iter().enumerate() {
        assert_eq!(words(&page[0]), "numbername");
        assert_eq!(page[0].again, index > 0, "read aloud once only");
    }
}

#[test]
fn signs_that_no_font_has_are_replaced_by_something_readable() {
    let fonts = fonts::Fonts::load().unwrap();
    let shown =
        |text: &str| -> String { fonts.line(fonts::Font::Regular, text).iter().map(|it| it.character).collect() };
    assert_eq!(shown("£5 – naïve Łódź Привіт ∠ABC ≤ ⇒ ☐"), "£5 – naïve Łódź Привіт ∠ABC ≤ ⇒ ☐");
    assert_eq!(shown("✅ done 👍, 你好"), "✓ done , □□");
}
