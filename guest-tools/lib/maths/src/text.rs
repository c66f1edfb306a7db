//! One spelling for what people type: Unicode signs, simple LaTeX and words for operations become ASCII.
//!
//! Start reading at [`plain`].

/// Longest text that is read, in bytes. An answer is a line, not a page.
pub const TEXT_BYTES_MAX: usize = 2_000;

/// The text in ASCII where this crate knows how: `2½` becomes `2⟨1/2⟩`, whose brackets no keyboard has, `√75` `sqrt 75`, `x²` `x^2`.
#[must_use]
pub fn plain(text: &str) -> String {
    phrases(&latex(&signs(text)))
}

/// Unicode signs, one by one.
fn signs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut raised = false;
    for sign in text.chars() {
        if let Some(digit) = superscript(sign) {
            out.push_str(if raised { "" } else { "^(" });
            out.push(digit);
            raised = true;
            continue;
        }
        if raised {
            out.push(')');
            raised = false;
        }
        match spelled(sign) {
            Some(spelling) => out.push_str(spelling),
            None => out.push(folded(sign)),
        }
    }
    if raised {
        out.push(')');
    }
    out
}

fn superscript(sign: char) -> Option<char> {
    Some(match sign {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        '⁻' => '-',
        'ⁿ' => 'n',
        _ => return None,
    })
}

fn spelled(sign: char) -> Option<&'static str> {
    Some(match sign {
        '½' => "⟨1/2⟩",
        '⅓' => "⟨1/3⟩",
        '⅔' => "⟨2/3⟩",
        '¼' => "⟨1/4⟩",
        '¾' => "⟨3/4⟩",
        '⅕' => "⟨1/5⟩",
        '⅖' => "⟨2/5⟩",
        '⅗' => "⟨3/5⟩",
        '⅘' => "⟨4/5⟩",
        '⅙' => "⟨1/6⟩",
        '⅚' => "⟨5/6⟩",
        '⅐' => "⟨1/7⟩",
        '⅛' => "⟨1/8⟩",
        '⅜' => "⟨3/8⟩",
        '⅝' => "⟨5/8⟩",
        '⅞' => "⟨7/8⟩",
        '⅑' => "⟨1/9⟩",
        '⅒' => "⟨1/10⟩",
        '√' => " sqrt ",
        '∛' => " cbrt ",
        'π' | '𝜋' | 'Π' => " pi ",
        '≤' | '⩽' | '≦' => "<=",
        '≥' | '⩾' | '≧' => ">=",
        '≠' => "!=",
        '∶' | '：' => ":",
        '≈' | '≃' | '≅' => "~",
        '±' | '∓' => "+-",
        '…' => "...",
        '℃' => "°C",
        'º' | '˚' => "°",
        '∠' | '△' | '∆' | '∴' | '⇒' | '→' => " ",
        '′' | '’' | '‘' => "'",
        _ => return None,
    })
}

fn folded(sign: char) -> char {
    match sign {
        '−' | '–' | '—' | '‐' | '‑' | '﹣' | '－' => '-',
        '×' | '·' | '∙' | '⋅' | '✕' | '✖' | '∗' | '•' => '*',
        '÷' | '⁄' | '∕' | '／' => '/',
        '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{2007}' | '\u{2008}' | '\u{3000}' | '\t' | '\r' => ' ',
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '（' | '）' | '＋' | '＝' | '，' | '．' | '％' => {
            // The full-width forms stand in the order of ASCII.
            u32::from(sign).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(sign)
        }
        _ => sign,
    }
}

/// Commands of LaTeX that stand for one spelling. Longer names stand before their beginnings.
const COMMANDS: &[(&str, &str)] = &[
    ("\\displaystyle", " "),
    ("\\approx", "~"),
    ("\\arcsin", " asin "),
    ("\\arccos", " acos "),
    ("\\arctan", " atan "),
    ("\\degree", "°"),
    ("\\circ", "°"),
    ("\\times", "*"),
    ("\\cdot", "*"),
    ("\\div", "/"),
    ("\\left", ""),
    ("\\right", ""),
    ("\\leq", "<="),
    ("\\le", "<="),
    ("\\geq", ">="),
    ("\\ge", ">="),
    ("\\neq", "!="),
    ("\\ne", "!="),
    ("\\lt", "<"),
    ("\\gt", ">"),
    ("\\pm", "+-"),
    ("\\pounds", "£"),
    ("\\quad", " "),
    ("\\pi", " pi "),
    ("\\sin", " sin "),
    ("\\cos", " cos "),
    ("\\tan", " tan "),
    ("\\%", "%"),
    ("\\$", "$"),
    ("\\{", "{"),
    ("\\}", "}"),
    ("\\(", " "),
    ("\\)", " "),
    ("\\[", " "),
    ("\\]", " "),
    ("\\,", " "),
    ("\\;", " "),
    ("\\:", " "),
    ("\\!", ""),
    ("\\ ", " "),
];

/// Simple LaTeX: fractions, roots, powers and the commands above. What is not known stays as it is, and is then not readable.
fn latex(text: &str) -> String {
    let dollars = text.matches('$').count();
    let mut rest = text;
    let mut out = String::with_capacity(text.len());
    // A pair of dollar signs fences LaTeX; a single one is money.
    let fenced = dollars >= 2 && dollars.is_multiple_of(2);
    while let Some(sign) = rest.chars().next() {
        if sign == '\\' {
            rest = command(rest, &mut out);
            continue;
        }
        rest = rest.get(sign.len_utf8()..).unwrap_or_default();
        match sign {
            '$' if fenced => out.push(' '),
            '^' if rest.trim_start().starts_with("{") => match group(rest) {
                Some((inner, after)) => {
                    let inner = latex(inner);
                    // `^{\circ}` raises a degree sign, which is no power.
                    out.push_str(&if inner.trim() == "°" { inner } else { format!("^({inner})") });
                    rest = after;
                }
                None => out.push(sign),
            },
            '^' if rest.trim_start().starts_with("\\circ") => {}
            '_' => {}
            _ => out.push(sign),
        }
    }
    out
}

/// Reads one command at the start of `rest`, writes its spelling, and returns what follows.
fn command<'a>(rest: &'a str, out: &mut String) -> &'a str {
    for name in ["\\dfrac", "\\tfrac", "\\cfrac", "\\frac"] {
        if let Some((top, below)) = rest.strip_prefix(name).and_then(argument)
            && let Some((bottom, after)) = argument(below)
        {
            let whole = top.bytes().chain(bottom.bytes()).all(|byte| byte.is_ascii_digit());
            // Brackets round the whole keep it together after a power or another division.
            out.push_str(&match whole {
                true => format!("⟨{top}/{bottom}⟩"),
                false => format!("(({})/({}))", latex(top), latex(bottom)),
            });
            return after;
        }
    }
    if let Some(after) = rest.strip_prefix("\\sqrt") {
        if let Some((degree, below)) = after.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
            if let Some((inner, after)) = argument(below) {
                let name = if degree.trim() == "3" { "cbrt" } else { "unknownroot" };
                out.push_str(&format!(" {name}({})", latex(inner)));
                return after;
            }
        } else if let Some((inner, after)) = argument(after) {
            out.push_str(&format!(" sqrt({})", latex(inner)));
            return after;
        }
    }
    for name in ["\\text", "\\mathrm", "\\textrm", "\\mathbf", "\\operatorname"] {
        if let Some((inner, after)) = rest.strip_prefix(name).and_then(group) {
            out.push(' ');
            out.push_str(&latex(inner));
            out.push(' ');
            return after;
        }
    }
    for (name, spelling) in COMMANDS {
        if let Some(after) = rest.strip_prefix(name) {
            out.push_str(spelling);
            return after;
        }
    }
    out.push('\\');
    rest.get(1..).unwrap_or_default()
}

/// A group in braces, or one sign, as LaTeX takes an argument.
fn argument(text: &str) -> Option<(&str, &str)> {
    group(text).or_else(|| {
        let text = text.trim_start();
        let sign = text.chars().next().filter(|sign| sign.is_ascii_alphanumeric())?;
        text.split_at_checked(sign.len_utf8())
    })
}

/// What stands in the braces at the start, and what follows them.
fn group(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let inner = text.strip_prefix('{')?;
    let mut depth = 1_u32;
    for (at, sign) in inner.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((inner.get(..at)?, inner.get(at + 1..)?));
        }
    }
    None
}

/// Words for operations, with the sign each is read as. Longer phrases stand before their beginnings.
const PHRASES: &[(&str, &str)] = &[
    ("is greater than or equal to", ">="),
    ("is less than or equal to", "<="),
    ("greater than or equal to", ">="),
    ("less than or equal to", "<="),
    ("is greater than", ">"),
    ("is more than", ">"),
    ("greater than", ">"),
    ("is less than", "<"),
    ("less than", "<"),
    ("is equal to", "="),
    ("to the power of", "^"),
    ("to the power", "^"),
    ("the square root of", " sqrt "),
    ("square root of", " sqrt "),
    ("the cube root of", " cbrt "),
    ("cube root of", " cbrt "),
    ("square root", " sqrt "),
    ("cube root", " cbrt "),
    ("multiplied by", "*"),
    ("divided by", "/"),
    ("plus or minus", "+-"),
    ("per cent", "%"),
    ("percent", "%"),
    ("equals", "="),
    ("times", "*"),
    ("over", "/"),
    ("plus", "+"),
    ("minus", "-"),
    ("negative", "-"),
    ("squared", "^2"),
    ("cubed", "^3"),
    ("root", " sqrt "),
    ("degrees", "°"),
    ("degree", "°"),
    ("deg", "°"),
];

/// Words for operations become signs, where they stand as words of their own; `5root3` is read too.
fn phrases(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(sign) = rest.chars().next() {
        let found = if before.is_ascii_alphabetic() {
            None
        } else {
            PHRASES.iter().find_map(|(phrase, spelling)| {
                let head = rest.get(..phrase.len())?;
                let after = rest.get(phrase.len()..)?;
                let ends = phrase.ends_with('%') || !after.starts_with(|next: char| next.is_ascii_alphabetic());
                (ends && head.eq_ignore_ascii_case(phrase)).then_some((*spelling, after))
            })
        };
        if let Some((spelling, after)) = found {
            out.push_str(spelling);
            rest = after;
            before = ' ';
        } else {
            out.push(sign);
            rest = rest.get(sign.len_utf8()..).unwrap_or_default();
            before = sign;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    fn squeezed(text: &str) -> String {
        plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn signs_latex_and_words_have_one_spelling() {
        for (typed, read) in [
            ("−13", "-13"),
            ("3⅔", "3⟨2/3⟩"),
            ("x²", "x^(2)"),
            ("10⁻³", "10^(-3)"),
            ("5√3", "5 sqrt 3"),
            ("\\frac{7}{12}", "⟨7/12⟩"),
            ("\\frac{x+1}{2}", "((x+1)/(2))"),
            ("$4\\sqrt{3}$", "4 sqrt(3)"),
            ("\\sqrt{\\frac12}", "sqrt(⟨1/2⟩)"),
            ("1.2\\times10^{3}", "1.2*10^(3)"),
            ("30^\\circ", "30°"),
            ("30^{\\circ}", "30°"),
            ("5 root 3", "5 sqrt 3"),
            ("12cm squared", "12cm ^2"),
            ("8 percent", "8 %"),
            ("x is greater than 3", "x > 3"),
            ("overall", "overall"),
            ("$3", "$3"),
        ] {
            assert_eq!(squeezed(typed), read, "{typed}");
        }
    }
}
