//! The functions of expressions: of numbers, and of how a number is written.

use crate::exact::{Exact, gcd};
use crate::value::Value;

/// Calls a function.
///
/// # Errors
/// A sentence: there is none of that name, or it cannot take these arguments.
pub fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    match arguments {
        [x] => one(name, x),
        [x, y] => two(name, x, y),
        [test, yes, no] if name == "if" => Ok(if test.holds() { yes.clone() } else { no.clone() }),
        _ => Err(unknown(name, arguments.len())),
    }
}

fn one(name: &str, x: &Value) -> Result<Value, String> {
    let text = |text: String| Ok(Value::Text(text));
    match name {
        "sin" => real(x).map(|it| Value::Real(it.to_radians().sin())),
        "cos" => real(x).map(|it| Value::Real(it.to_radians().cos())),
        "tan" => real(x).map(|it| Value::Real(it.to_radians().tan())),
        "asin" => angle(real(x)?.asin()),
        "acos" => angle(real(x)?.acos()),
        "atan" => angle(real(x)?.atan()),
        "sqrt" => match x.exact().filter(|_| matches!(x, Value::Exact(_))).and_then(Exact::root) {
            Some(root) => Ok(Value::Exact(root)),
            None => Some(real(x)?)
                .filter(|it| *it >= 0.0)
                .map(|it| Value::Real(it.sqrt()))
                .ok_or_else(|| format!("there is no square root of `{x}`")),
        },
        "abs" => exact(x).map(|it| Value::Exact(it.absolute())),
        "floor" => exact(x).map(|it| Value::whole(it.floor())),
        "num" => exact(x).map(|it| Value::whole(it.numerator())),
        "den" => exact(x).map(|it| Value::whole(it.denominator())),
        "is_whole" => Ok(Value::truth(exact(x)?.is_whole())),
        "is_square" => Ok(Value::truth(exact(x)?.root().is_some())),
        "frac" => text(fraction(exact(x)?)),
        "mixed" => text(mixed(exact(x)?)),
        "plain" => text(plain(exact(x)?)),
        "coef" => text(match exact(x)? {
            it if it == Exact::whole(1) => String::new(),
            it if it == Exact::whole(-1) => "-".to_owned(),
            it => it.to_string(),
        }),
        "signed" => text(signed(exact(x)?)),
        _ => Err(unknown(name, 1)),
    }
}

fn two(name: &str, x: &Value, y: &Value) -> Result<Value, String> {
    match name {
        "round" => {
            let places = places(y)?;
            exact(x)?.rounded(places).map(Value::Exact).ok_or_else(|| format!("`{x}` cannot be rounded"))
        }
        "fixed" => Ok(Value::Text(exact(x)?.fixed(places(y)?))),
        "gcd" => Ok(Value::whole(gcd(whole(x)?, whole(y)?))),
        "lcm" => {
            let (x, y) = (whole(x)?, whole(y)?);
            let common = gcd(x, y);
            if common == 0 { Ok(Value::whole(0)) } else { Ok(Value::whole((x / common * y).abs())) }
        }
        "min" => Ok(if real(x)? <= real(y)? { x.clone() } else { y.clone() }),
        "max" => Ok(if real(x)? >= real(y)? { x.clone() } else { y.clone() }),
        "char" => {
            let at = usize::try_from(whole(y)?).ok().and_then(|at| at.checked_sub(1));
            let found = at.and_then(|at| x.to_string().chars().nth(at));
            found.map(|c| Value::Text(c.to_string())).ok_or_else(|| format!("`{x}` has no character number {y}"))
        }
        "word" => {
            let at = usize::try_from(whole(y)?).ok().and_then(|at| at.checked_sub(1));
            let all = x.to_string();
            let found = at.and_then(|at| all.split('|').nth(at)).map(|it| Value::read(it.trim()));
            found.ok_or_else(|| format!("`{x}` has no part number {y} between its `|`"))
        }
        _ => Err(unknown(name, 2)),
    }
}

fn unknown(name: &str, arguments: usize) -> String {
    format!(
        "there is no function `{name}` of {arguments}; there are, of one: sin, cos, tan, asin, acos, atan, sqrt, abs, floor, \
         num, den, is_whole, is_square, frac, mixed, plain, coef, signed; of two: round, fixed, gcd, lcm, min, max, char, word; \
         of three: if"
    )
}

fn real(value: &Value) -> Result<f64, String> {
    value.real().ok_or_else(|| format!("`{value}` is no number"))
}

fn exact(value: &Value) -> Result<Exact, String> {
    value.exact().ok_or_else(|| format!("`{value}` is no number"))
}

/// A whole number.
///
/// # Errors
/// A sentence, where it is none.
pub fn whole(value: &Value) -> Result<i128, String> {
    let whole = exact(value)?;
    if whole.is_whole() { Ok(whole.numerator()) } else { Err(format!("`{value}` is no whole number")) }
}

fn places(value: &Value) -> Result<u32, String> {
    let places = u32::try_from(whole(value)?).ok().filter(|it| *it <= 12);
    places.ok_or_else(|| "a number has 0 to 12 decimal places".to_owned())
}

fn angle(radians: f64) -> Result<Value, String> {
    if radians.is_nan() { Err("no angle has that ratio".to_owned()) } else { Ok(Value::Real(radians.to_degrees())) }
}

/// LaTeX: `\frac{3}{4}`, or the whole number.
fn fraction(value: Exact) -> String {
    let sign = if value.numerator() < 0 { "-" } else { "" };
    match value.is_whole() {
        true => value.numerator().to_string(),
        false => format!("{sign}\\frac{{{}}}{{{}}}", value.numerator().abs(), value.denominator()),
    }
}

/// LaTeX: `1\frac{2}{3}` where it is more than 1.
fn mixed(value: Exact) -> String {
    let (size, whole) = (value.absolute(), value.absolute().floor());
    let rest = size.plus(Exact::whole(-whole)).unwrap_or(size);
    match (whole, rest.numerator()) {
        (0, _) | (_, 0) => fraction(value),
        _ => format!("{}{whole}{}", if value.numerator() < 0 { "-" } else { "" }, fraction(rest)),
    }
}

/// `3/4`, or the whole number.
fn plain(value: Exact) -> String {
    match value.is_whole() {
        true => value.numerator().to_string(),
        false => format!("{}/{}", value.numerator(), value.denominator()),
    }
}

/// `+ 5` or `- 5`, as it stands behind another term.
fn signed(value: Exact) -> String {
    if value.numerator() < 0 { format!("- {}", value.opposite()) } else { format!("+ {value}") }
}

#[cfg(test)]
mod tests {
    use crate::expression::{Names, evaluate};

    #[test]
    fn numbers_are_written_as_asked() {
        for (text, written) in [
            ("frac(6/8)", "\\frac{3}{4}"),
            ("frac(-1/2)", "-\\frac{1}{2}"),
            ("frac(4)", "4"),
            ("mixed(7/3)", "2\\frac{1}{3}"),
            ("mixed(6/3)", "2"),
            ("mixed(2/3)", "\\frac{2}{3}"),
            ("plain(10/4)", "5/2"),
            ("coef(1) + 'x' + signed(-3)", "x- 3"),
            ("coef(-1)", "-"),
            ("signed(2.5)", "+ 2.5"),
            ("word('a ramp|a ladder', 2)", "a ladder"),
            ("lcm(4, 6)", "12"),
            ("round(asin(0.5), 6)", "30"),
        ] {
            let value = evaluate(text, &Names::new()).map_or_else(|error| error, |it| it.to_string());
            assert_eq!(value, written, "{text}");
        }
        assert!(evaluate("asin(2)", &Names::new()).unwrap_err().contains("no angle"));
    }
}
