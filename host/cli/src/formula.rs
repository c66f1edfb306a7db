//! Formulas of what a flow shows, for a terminal: `$\frac{3}{4}\sqrt{2}$` as `3/4√2`. What cannot be put into signs stays as it is.

/// Commands without arguments, and the sign for each.
const SIGNS: [(&str, &str); 20] = [
    ("\\times", "×"),
    ("\\cdot", "·"),
    ("\\div", "÷"),
    ("\\approx", "≈"),
    ("\\neq", "≠"),
    ("\\leq", "≤"),
    ("\\geq", "≥"),
    ("\\pm", "±"),
    ("\\ldots", "…"),
    ("\\pi", "π"),
    ("\\theta", "θ"),
    ("\\alpha", "α"),
    ("\\beta", "β"),
    ("\\sin", "sin"),
    ("\\cos", "cos"),
    ("\\tan", "tan"),
    ("\\left", ""),
    ("\\right", ""),
    ("\\quad", "  "),
    ("\\%", "%"),
];
/// What can be raised, and how it looks then.
const RAISED: [(&str, &str); 7] =
    [("^{-1}", "⁻¹"), ("^\\circ", "°"), ("^{\\circ}", "°"), ("^2", "²"), ("^{2}", "²"), ("^3", "³"), ("^{3}", "³")];

/// A text with the formulas between its dollar signs in plain signs.
pub(crate) fn readable(text: &str) -> String {
    let parts: Vec<&str> = text.split('$').collect();
    // With a dollar sign left over it is money, or broken: both stay as they are.
    if parts.len().is_multiple_of(2) {
        return text.to_owned();
    }
    parts.iter().enumerate().map(|(at, part)| if at % 2 == 1 { plain(part) } else { (*part).to_owned() }).collect()
}

fn plain(formula: &str) -> String {
    let mut text = formula.to_owned();
    for (latex, sign) in RAISED.iter().chain(&SIGNS) {
        text = text.replace(latex, sign);
    }
    while let Some(next) = with_arguments(&text) {
        text = next;
    }
    text.replace("\\,", " ")
}

/// One fraction, root or text put into signs, the innermost first; none where there is none left.
fn with_arguments(text: &str) -> Option<String> {
    let commands = ["\\frac{", "\\sqrt{", "\\text{", "\\mathrm{"];
    let (at, command) = commands.iter().filter_map(|it| Some((text.rfind(it)?, *it))).max()?;
    let (before, rest) = (text.get(..at)?, text.get(at + command.len()..)?);
    let (first, rest) = rest.split_once('}')?;
    let whole = |part: &str| match part.chars().all(|c| c.is_alphanumeric() || "°√.".contains(c)) {
        true => part.to_owned(),
        false => format!("({part})"),
    };
    Some(match command {
        "\\frac{" => {
            let (second, rest) = rest.strip_prefix('{')?.split_once('}')?;
            // A whole number in front of a fraction belongs to it.
            let gap = if before.ends_with(|c: char| c.is_ascii_digit()) { " " } else { "" };
            format!("{before}{gap}{}/{}{rest}", whole(first), whole(second))
        }
        "\\sqrt{" => format!("{before}√{}{rest}", whole(first)),
        _ => format!("{before}{first}{rest}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_read_without_latex() {
        for (shown, read) in [
            ("Write $\\frac{3}{4} + \\frac{a}{b + 1}$.", "Write 3/4 + a/(b + 1)."),
            ("$5\\sqrt{3}$ and $\\frac{\\sqrt{3}}{2}$", "5√3 and √3/2"),
            ("$1\\frac{2}{3}$", "1 2/3"),
            ("$\\sin^{-1}\\left(\\frac{3}{5}\\right) = 36.9^\\circ$", "sin⁻¹(3/5) = 36.9°"),
            ("$\\frac{\\text{opposite}}{\\text{hypotenuse}}$", "opposite/hypotenuse"),
            ("It costs $5.", "It costs $5."),
            ("$\\odd{x}$ and $\\frac{1}$", "\\odd{x} and \\frac{1}"),
        ] {
            assert_eq!(readable(shown), read);
        }
    }
}
