//! Formulas in one line of Unicode.

use super::Math;

pub(super) fn write(math: &Math) -> String {
    let mut out = String::new();
    part(math, &mut out);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn part(math: &Math, out: &mut String) {
    match math {
        Math::Row(parts) => parts.iter().enumerate().for_each(|(index, it)| match it {
            // A sign before its value, not between two.
            Math::Operator(sign)
                if !it.is_relation()
                    && index
                        .checked_sub(1)
                        .and_then(|at| parts.get(at))
                        .is_none_or(|it| matches!(it, Math::Operator(_))) =>
            {
                out.push_str(sign);
            }
            other => part(other, out),
        }),
        Math::Letter(text) | Math::Sign(text) | Math::Upright(text) => {
            let word = text.chars().count() > 1 && text.chars().all(char::is_alphabetic);
            if word && out.ends_with(|c: char| c.is_alphanumeric()) {
                out.push(' ');
            }
            out.push_str(text);
            if word {
                out.push(' ');
            }
        }
        Math::Operator(sign) => {
            out.push(' ');
            out.push_str(sign);
            out.push(' ');
        }
        Math::Space => out.push(' '),
        Math::Fraction(top, bottom) => {
            bracketed(top, out);
            out.push('/');
            bracketed(bottom, out);
        }
        Math::Root { degree, of } => root(degree.as_deref(), of, out),
        Math::Script { base, sub, sup } => {
            part(base, out);
            if let Some(sub) = sub.as_deref().map(write) {
                out.push_str(&lowered(&sub).unwrap_or_else(|| format!("_({sub})")));
            }
            if let Some(sup) = sup.as_deref().map(write) {
                out.push_str(&raised(&sup).unwrap_or_else(|| format!("^({sup})")));
            }
        }
        Math::Fence { open, close, of } => {
            out.push_str(open);
            part(of, out);
            out.push_str(close);
        }
        Math::Over { mark, of } => marked(*mark, of, out),
        Math::Lines(rows) => {
            for (index, row) in rows.iter().enumerate() {
                if index > 0 {
                    out.push_str("; ");
                }
                for cell in row {
                    part(cell, out);
                    out.push(' ');
                }
            }
        }
    }
}

/// A root with its degree.
fn root(degree: Option<&Math>, of: &Math, out: &mut String) {
    match degree.map(write).as_deref() {
        Some("3") => out.push('∛'),
        Some("4") => out.push('∜'),
        Some(degree) => {
            out.push_str(&raised(degree).unwrap_or_else(|| format!("({degree})")));
            out.push('√');
        }
        None => out.push('√'),
    }
    bracketed(of, out);
}

/// A mark over every letter.
fn marked(mark: char, of: &Math, out: &mut String) {
    let combining = match mark {
        '→' => '\u{20D7}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '˙' => '\u{307}',
        _ => '\u{305}',
    };
    for c in write(of).chars() {
        out.push(c);
        out.push(combining);
    }
}

/// In brackets where it is more than one thing.
fn bracketed(math: &Math, out: &mut String) {
    let text = write(math);
    if text.chars().all(char::is_alphabetic) || text.chars().all(char::is_numeric) || text.chars().count() == 1 {
        out.push_str(&text);
    } else {
        out.push('(');
        out.push_str(&text);
        out.push(')');
    }
}

/// Written with raised signs, if there are such for all of it.
fn raised(text: &str) -> Option<String> {
    const SIGNS: &str = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺−⁻=⁼(⁽)⁾nⁿiⁱ′′°°∘°";
    mapped(text, SIGNS)
}

fn lowered(text: &str) -> Option<String> {
    const SIGNS: &str = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊−₋=₌(₍)₎nₙaₐxₓ";
    mapped(text, SIGNS)
}

fn mapped(text: &str, signs: &str) -> Option<String> {
    let find = |c: char| {
        let mut pairs = signs.chars();
        while let (Some(from), Some(to)) = (pairs.next(), pairs.next()) {
            if from == c {
                return Some(to);
            }
        }
        None
    };
    text.chars().filter(|c| *c != ' ').map(find).collect()
}
