//! Whether two expressions have one value.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::exact::exact;
use crate::expr::{Angle, Expr};
use crate::numeric::{evaluate, rational};
use crate::poly::{Atom, Fraction, Inexact};

/// How two expressions compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Same {
    /// They are equal wherever both are defined.
    Equal,
    /// They differ.
    Different,
    /// It cannot be told: one is undefined, or too large.
    Unknown,
}

/// Numbers that letters are given, where the exact forms do not decide. Positive first: many formulas are of lengths.
const POINTS: [f64; 14] = [
    0.731_058_6,
    1.414_731_2,
    2.236_481_9,
    0.318_732_4,
    3.141_219_7,
    1.732_918_3,
    0.577_215_8,
    2.718_033_1,
    1.202_057_3,
    4.669_201_8,
    -0.618_203_7,
    -1.259_921_4,
    -2.502_907_5,
    -0.834_626_1,
];

/// Fewest points at which both must be defined.
const POINTS_MIN: usize = 4;

/// Compares two expressions.
#[must_use]
pub fn same(one: &Expr, other: &Expr, angle: Angle) -> Same {
    match (exact(one, angle), exact(other, angle)) {
        (Ok(first), Ok(second)) => match difference(&first, &second) {
            // Digests stand for what has no exact form, so numbers have to agree as well.
            Ok(left) if left.top.is_zero() => {
                let opaque = first.top.has(|atom| matches!(atom, Atom::Opaque(_)));
                if opaque && at_points(one, other, angle) == Same::Different { Same::Unknown } else { Same::Equal }
            }
            Ok(left) if !left.top.has(|atom| matches!(atom, Atom::Opaque(_))) => Same::Different,
            Ok(_) | Err(_) => at_points(one, other, angle),
        },
        (Err(Inexact::Undefined), _) | (_, Err(Inexact::Undefined)) => Same::Unknown,
        _ => at_points(one, other, angle),
    }
}

fn difference(one: &Fraction, other: &Fraction) -> Result<Fraction, Inexact> {
    one.plus(&other.negative())
}

fn at_points(one: &Expr, other: &Expr, angle: Angle) -> Same {
    let constant = one.is_constant() && other.is_constant();
    let mut met = 0;
    for shift in 0..if constant { 1 } else { POINTS.len() } {
        let at = |letter: char| {
            let index = (u32::from(letter) as usize).wrapping_mul(5).wrapping_add(shift) % POINTS.len();
            // Two letters of one remainder still get two numbers.
            POINTS.get(index).copied().unwrap_or(1.0) + f64::from(u32::from(letter) % 97) / 1_000.0
        };
        match (evaluate(one, angle, &at), evaluate(other, angle, &at)) {
            (Some(first), Some(second)) if first.meets(second) => met += 1,
            (Some(_), Some(_)) => return Same::Different,
            _ => {}
        }
    }
    if met >= if constant { 1 } else { POINTS_MIN } { Same::Equal } else { Same::Unknown }
}

/// Whether an expression is nought.
#[must_use]
pub fn is_nought(expr: &Expr, angle: Angle) -> Same {
    same(expr, &Expr::whole(0), angle)
}

/// The exact rational value of a constant; none where it is irrational or undefined.
#[must_use]
pub fn rational_value(expr: &Expr, angle: Angle) -> Option<BigRational> {
    exact(expr, angle).ok()?.as_constant()
}

/// Where a number is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// So many digits behind the point.
    Decimals(u32),
    /// So many digits from the first that is not nought.
    Figures(u32),
}

/// Most places.
pub const PLACES_MAX: u32 = 30;

/// The value rounded half away from nought; none where it is not known well enough, or is no number.
#[must_use]
pub fn rounded(expr: &Expr, place: Place, angle: Angle) -> Option<BigRational> {
    if let Some(value) = rational_value(expr, angle) {
        return round(&value, place);
    }
    let found = evaluate(expr, angle, &|_| f64::NAN)?;
    // Both ends of what it may be must come to the same.
    let end = |value: f64| BigRational::from_float(value).and_then(|value| round(&value, place));
    let (least, most) = (end(found.value - found.error)?, end(found.value + found.error)?);
    (least == most).then_some(least)
}

fn round(value: &BigRational, place: Place) -> Option<BigRational> {
    if value.is_zero() {
        return Some(value.clone());
    }
    let decimals = match place {
        Place::Decimals(places) => i64::from(places.min(PLACES_MAX)),
        Place::Figures(figures) => i64::from(figures.clamp(1, PLACES_MAX)) - 1 - magnitude(value)?,
    };
    let scale = num_traits::pow(BigRational::from_integer(10.into()), usize::try_from(decimals.abs()).ok()?);
    let shifted = if decimals >= 0 { value.abs() * &scale } else { value.abs() / &scale };
    let half = BigRational::new(1.into(), 2.into());
    let whole = (shifted + half).floor();
    let rounded = if decimals >= 0 { whole / scale } else { whole * scale };
    Some(if value.is_negative() { -rounded } else { rounded })
}

/// The exponent of ten of the first digit that is not nought.
fn magnitude(value: &BigRational) -> Option<i64> {
    let approx = rational(&value.abs())?;
    let mut exponent = approx.value.log10().floor() as i64;
    let ten = |exponent: i64| {
        let power = num_traits::pow(BigRational::from_integer(10.into()), usize::try_from(exponent.abs()).ok()?);
        Some(if exponent >= 0 { power } else { power.recip() })
    };
    // The logarithm is a float: just below a power of ten it may say the next.
    if ten(exponent)? > value.abs() {
        exponent -= 1;
    }
    if ten(exponent + 1)? <= value.abs() {
        exponent += 1;
    }
    Some(exponent)
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::{Place, Same, round, rounded, same};
    use crate::expr::{Angle, Expr};
    use crate::parse::quantity;
    use crate::text::plain;
    use crate::token::Setting;

    fn expr(text: &str) -> Expr {
        quantity(&plain(text), &Setting::new("", "abnxy".chars())).unwrap().expr
    }

    #[test]
    fn equal_expressions_are_found_equal() {
        for (one, other) in [
            ("5√3", "√75"),
            ("√2/2", "1/√2"),
            ("8 sin 60°", "4√3"),
            ("tan 45", "1"),
            ("2(x+3)", "2x + 6"),
            ("(x^2-1)/(x-1)", "x+1"),
            ("6ab", "2*b*3*a"),
            ("4 + 5(n-1)", "5n - 1"),
            ("14 sin 35", "14*sin(35°)"),
            ("sin(x)^2 + cos(x)^2", "1"),
            ("sqrt(x^2*y^2)", "sqrt(x^2) sqrt(y^2)"),
            ("1/(1+√2)", "√2 - 1"),
            ("cbrt 27", "3"),
            ("8^(1/3)", "2"),
            ("sin(pi/6)", "1/2"),
        ] {
            assert_eq!(same(&expr(one), &expr(other), Angle::Degrees), Same::Equal, "{one}, {other}");
        }
    }

    #[test]
    fn different_expressions_are_found_different() {
        for (one, other) in [
            ("5√3", "8.660254037844386467"),
            ("12 tan 35", "8.402"),
            ("pi", "22/7"),
            ("x^2", "2x"),
            ("sqrt(x^2)", "x"),
            ("2(x+3)", "2x+3"),
            ("sin x", "cos x"),
        ] {
            assert_eq!(same(&expr(one), &expr(other), Angle::Degrees), Same::Different, "{one}, {other}");
        }
        for (one, other) in [("1/0", "5"), ("10^10^10", "5"), ("√(0-1)", "1"), ("tan 90", "1")] {
            assert_eq!(same(&expr(one), &expr(other), Angle::Degrees), Same::Unknown, "{one}, {other}");
        }
    }

    #[test]
    fn rounding_is_half_away_from_nought() {
        let number = |top: i64, bottom: i64| BigRational::new(top.into(), bottom.into());
        for (value, place, expected) in [
            (number(25, 10), Place::Decimals(0), number(3, 1)),
            (number(-25, 10), Place::Decimals(0), number(-3, 1)),
            (number(5049, 1), Place::Figures(3), number(5050, 1)),
            (number(3861, 1_000_000), Place::Figures(2), number(39, 10_000)),
            (number(9996, 10), Place::Figures(3), number(1000, 1)),
            (number(1, 1), Place::Figures(1), number(1, 1)),
        ] {
            assert_eq!(round(&value, place), Some(expected), "{value} {place:?}");
        }
        assert_eq!(rounded(&expr("√29"), Place::Decimals(2), Angle::Degrees), Some(number(539, 100)));
        assert_eq!(rounded(&expr("12 tan 35"), Place::Decimals(1), Angle::Degrees), Some(number(84, 10)));
    }
}
