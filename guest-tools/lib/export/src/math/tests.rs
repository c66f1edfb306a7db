use super::Math;

fn text(latex: &str) -> String {
    Math::read(latex).to_text()
}

#[test]
fn formulas_of_lessons_are_read() {
    let cases = [
        (r"\frac{1}{2}+\frac{1}{3}", "1/2 + 1/3"),
        (r"x = \frac{-b \pm \sqrt{b^2-4ac}}{2a}", "x = (−b ± √(b² − 4ac))/(2a)"),
        (r"a^2+b^2=c^2", "a² + b² = c²"),
        (r"\mathrm{H}_2\mathrm{O}", "H₂O"),
        (r"\sqrt[3]{27}=3", "∛27 = 3"),
        (r"30^\circ", "30°"),
        (r"\left(\frac{x}{y}\right)^{n+1}", "(x/y)ⁿ⁺¹"),
        (r"\begin{cases} x+y=3 \\ x-y=1 \end{cases}", "{x + y = 3 ; x − y = 1"),
        (r"5\,\text{cm} \times 3\,\text{cm}", "5 cm × 3 cm"),
        (r"1{,}000.5", "1,000.5"),
        (r"\sin 30 = 0.5", "sin 30 = 0.5"),
    ];
    for (latex, expected) in cases {
        assert_eq!(text(latex), expected, "{latex}");
    }
}

#[test]
fn broken_and_unknown_latex_never_shows_itself() {
    let cases = [
        (r"\frac{1}{", "1/"),
        (r"\unknown{x}", "unknown x"),
        (r"x^", "x"),
        (r"}}x{{", "x"),
        (r"\left(", "("),
        (r"\end{cases} 1", "1"),
        (r"\begin{aligned} a &= b", "a = b"),
        (r"^^2", "2"),
        (r"\", ""),
    ];
    for (latex, expected) in cases {
        assert_eq!(text(latex).trim_end_matches("()"), expected, "{latex}");
    }
    let deep = r"\frac{".repeat(5_000) + &"{".repeat(5_000) + &"^{".repeat(5_000);
    assert!(!text(&deep).contains('\\'));
}
