//! What is shown, as it is said: plain text without LaTeX and markdown.

/// A text as it is said aloud.
#[must_use]
pub fn spoken(display: &str) -> String {
    let mut said = String::with_capacity(display.len());
    let mut maths = false;
    for (index, part) in display.replace("$$", "$").split('$').enumerate() {
        if index > 0 {
            maths = !maths;
        }
        if maths { said.push_str(&formula(part)) } else { said.push_str(&prose(part)) }
    }
    said.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".").replace(" ,", ",").replace(" ?", "?")
}

fn prose(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches(['#', '>']).trim_start();
        let line = line.strip_prefix("- ").unwrap_or(line);
        said.extend(line.chars().filter(|c| !matches!(c, '*' | '_' | '`' | '\\' | '|')));
        said.push('\n');
    }
    if !text.ends_with('\n') {
        said.pop();
    }
    said.replace('°', " degrees").replace('√', " square root of ").replace('≈', " is about ")
}

/// Words for what LaTeX writes as a command without arguments.
const WORDS: [(&str, &str); 17] = [
    ("\\ldots", ""),
    ("\\times", " times "),
    ("\\cdot", " times "),
    ("\\div", " divided by "),
    ("\\approx", " is about "),
    ("\\neq", " is not "),
    ("\\circ", " degrees "),
    ("\\sin", " sine "),
    ("\\cos", " cosine "),
    ("\\tan", " tangent "),
    ("\\theta", " theta "),
    ("\\pm", " plus or minus "),
    ("\\left", ""),
    ("\\right", ""),
    ("\\quad", " "),
    ("\\%", " per cent "),
    ("\\pi", " pi "),
];

fn formula(latex: &str) -> String {
    let mut text =
        latex.replace("^{-1}", " inverse ").replace("^\\circ", " degrees ").replace("^{\\circ}", " degrees ");
    while let Some(said) = with_arguments(&text) {
        text = said;
    }
    for (command, word) in WORDS {
        text = text.replace(command, word);
    }
    for (power, word) in [("^2", " squared "), ("^3", " cubed "), ("^", " to the power ")] {
        text = text.replace(power, word);
    }
    for (sign, word) in
        [("=", " equals "), ("<", " is less than "), (">", " is more than "), ("+", " plus "), ("/", " over ")]
    {
        text = text.replace(sign, word);
    }
    let minus = text.replace("- ", " minus ").replace('-', " minus ");
    minus.chars().filter(|c| !matches!(c, '\\' | '{' | '}' | '_' | ';' | '!')).collect()
}

/// One fraction, root or text of a formula in words; none where there is none left.
fn with_arguments(text: &str) -> Option<String> {
    let commands = [("\\frac", 2), ("\\dfrac", 2), ("\\tfrac", 2), ("\\sqrt", 1), ("\\text", 1), ("\\mathrm", 1)];
    let (at, command, count) =
        commands.iter().filter_map(|(name, count)| Some((text.find(&format!("{name}{{"))?, *name, *count))).min()?;
    let (before, rest) = text.split_at(at);
    let (first, rest) = group(rest.get(command.len()..)?)?;
    let (said, rest) = match (command, count) {
        (_, 2) => {
            let (second, rest) = group(rest)?;
            // A whole number in front of a fraction belongs to it: one and two thirds.
            let and = if before.ends_with(|c: char| c.is_ascii_digit()) { " and " } else { " " };
            (format!("{and}{first} over {second} "), rest)
        }
        ("\\sqrt", _) => (format!(" the square root of {first} "), rest),
        _ => (format!(" {first} "), rest),
    };
    Some(format!("{before}{said}{rest}"))
}

/// What stands in braces at the beginning, and what comes behind.
fn group(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some((text.get(1..at)?, text.get(at + 1..)?)),
            '}' => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_said_in_words() {
        for (shown, said) in [
            ("**Right.** The side is $5\\sqrt{3}$ cm.", "Right. The side is 5 the square root of 3 cm."),
            ("$\\frac{3}{4} + \\frac{1}{8}$", "3 over 4 plus 1 over 8"),
            ("$1\\frac{2}{3}$ hours", "1 and 2 over 3 hours"),
            ("$a^2 + b^2 = c^2$", "a squared plus b squared equals c squared"),
            ("$\\sin 30^\\circ = 0.5$", "sine 30 degrees equals 0.5"),
            ("$$\\tan^{-1} x$$", "tangent inverse x"),
            ("$3x - 2 = -5$", "3x minus 2 equals minus 5"),
            ("# Hints\n- one\n- `two`", "Hints one two"),
            ("an angle of 35°, is it?", "an angle of 35 degrees, is it?"),
            ("$\\sqrt{\\frac{1}{4}}$", "the square root of 1 over 4"),
        ] {
            assert_eq!(spoken(shown), said);
        }
    }

    #[test]
    fn broken_latex_is_said_without_its_marks() {
        let said = spoken("$\\frac{3}{4 and \\sqrt{x$ **b");
        assert!(!said.contains(['\\', '$', '{', '}', '*']), "{said}");
    }
}
