//! Whether an answer is written in the form that was asked for.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::expr::Expr;

/// A form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Nothing rounded.
    Exact,
    /// Lowest terms, no square left under a root, like terms gathered.
    Simplified,
    /// A whole number and a fraction.
    Mixed,
    /// With a decimal point.
    Decimal,
    /// With a per cent sign.
    Percent,
    /// A number from 1 to below 10, times a power of ten.
    Scientific,
    /// Several values in their order.
    Ordered,
}

impl Form {
    /// The form that a word names.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Some(match word {
            "exact" => Self::Exact,
            "simplified" => Self::Simplified,
            "mixed" => Self::Mixed,
            "decimal" => Self::Decimal,
            "percent" => Self::Percent,
            "scientific" => Self::Scientific,
            "ordered" => Self::Ordered,
            _ => return None,
        })
    }
}

/// Whether the expression is written so.
#[must_use]
pub fn fits(expr: &Expr, form: Form) -> bool {
    let unsigned = unsigned(expr);
    match form {
        // A rounded value differs from the expected one, so it never comes here.
        Form::Exact | Form::Ordered => true,
        Form::Simplified => simplified(expr),
        Form::Mixed => match unsigned {
            Expr::Mixed(_, top, bottom) => top < bottom,
            Expr::Number(_, None) => true,
            Expr::Quotient(top, bottom) => match (whole(top), whole(bottom)) {
                (Some(top), Some(bottom)) => top.abs() < bottom.abs(),
                _ => false,
            },
            _ => false,
        },
        Form::Decimal => matches!(unsigned, Expr::Number(..)),
        Form::Percent => matches!(unsigned, Expr::Percent(_)),
        Form::Scientific => scientific(unsigned),
    }
}

/// Whether the parts of a ratio are whole numbers without a common divisor.
#[must_use]
pub fn ratio_simplified(parts: &[Expr]) -> bool {
    let numbers: Option<Vec<BigInt>> = parts.iter().map(whole).collect();
    numbers.is_some_and(|numbers| numbers.iter().fold(BigInt::zero(), |divisor, number| divisor.gcd(number)).is_one())
}

fn unsigned(expr: &Expr) -> &Expr {
    match expr {
        Expr::Negative(inner) => unsigned(inner),
        _ => expr,
    }
}

fn whole(expr: &Expr) -> Option<BigInt> {
    match expr {
        Expr::Number(value, None) => Some(value.to_integer()),
        Expr::Negative(inner) => whole(inner).map(|value| -value),
        _ => None,
    }
}

fn scientific(expr: &Expr) -> bool {
    let Expr::Product(factors) = expr else {
        return false;
    };
    let [Expr::Number(front, _), Expr::Power(base, exponent)] = factors.as_slice() else {
        return false;
    };
    let ten = BigRational::from_integer(10.into());
    let (least, most) = (BigRational::one(), &ten);
    *front >= least
        && front < most
        && matches!(base.as_ref(), Expr::Number(base, None) if *base == ten)
        && whole(exponent).is_some()
}

/// What is left of a term without its numeric factor: its letters and roots, in order.
fn kind(expr: &Expr) -> String {
    match unsigned(expr) {
        Expr::Number(..) | Expr::Mixed(..) | Expr::Percent(_) => String::new(),
        Expr::Product(factors) => {
            let mut kinds: Vec<String> = factors.iter().map(kind).filter(|kind| !kind.is_empty()).collect();
            kinds.sort_unstable();
            kinds.join("*")
        }
        Expr::Quotient(top, bottom) => match kind(bottom).as_str() {
            "" => kind(top),
            below => format!("{}/{below}", kind(top)),
        },
        other => format!("{other:?}"),
    }
}

fn numeric(expr: &Expr) -> bool {
    match expr {
        Expr::Number(..) | Expr::Mixed(..) | Expr::Percent(_) => true,
        Expr::Negative(inner) => numeric(inner),
        Expr::Quotient(top, bottom) => numeric(top) && numeric(bottom),
        _ => false,
    }
}

fn is_root(expr: &Expr) -> bool {
    matches!(unsigned(expr), Expr::Root(..))
}

fn simplified(expr: &Expr) -> bool {
    let parts = expr.children().into_iter().all(simplified);
    parts
        && match expr {
            Expr::Sum(terms) => distinct(terms.iter().map(kind)),
            Expr::Product(factors) => product_simplified(factors),
            Expr::Quotient(top, bottom) => quotient_simplified(top, bottom),
            Expr::Mixed(_, top, bottom) => top < bottom && top.gcd(bottom).is_one(),
            Expr::Root(2, under) => match under.as_ref() {
                Expr::Number(value, None) => square_free(&value.to_integer()),
                Expr::Number(..) | Expr::Quotient(..) | Expr::Mixed(..) => false,
                _ => true,
            },
            // A power of numbers can be worked out.
            Expr::Power(base, exponent) => {
                !(numeric(base) && numeric(exponent)) && whole(exponent).is_none_or(|value| value > BigInt::one())
            }
            Expr::Negative(inner) => !matches!(inner.as_ref(), Expr::Negative(_)),
            _ => true,
        }
}

fn product_simplified(factors: &[Expr]) -> bool {
    let one = |factor: &Expr| whole(factor).is_some_and(|value| value.is_one());
    let bases = factors.iter().filter(|factor| !numeric(factor) && !is_root(factor)).map(|factor| match factor {
        Expr::Power(base, _) => format!("{base:?}"),
        other => format!("{other:?}"),
    });
    factors.iter().filter(|factor| numeric(factor)).count() <= 1
        && factors.iter().filter(|factor| is_root(factor)).count() <= 1
        && !factors.iter().any(one)
        && distinct(bases)
}

fn quotient_simplified(top: &Expr, bottom: &Expr) -> bool {
    // The root in a denominator can be cleared.
    if bottom.any(&|part| matches!(part, Expr::Root(..)))
        || matches!(bottom, Expr::Quotient(..))
        || matches!(top, Expr::Quotient(..))
    {
        return false;
    }
    let common = coefficient(top).gcd(&coefficient(bottom));
    let letters = |expr: &Expr| match expr {
        Expr::Sum(_) => Vec::new(),
        other => other.variables(),
    };
    let shared = letters(top).into_iter().any(|letter| letters(bottom).contains(&letter));
    let whole_bottom = whole(bottom);
    common.is_one()
        && !shared
        && whole_bottom.is_none_or(|bottom| !bottom.is_one() && !bottom.is_negative())
        && !decimal(top)
        && !decimal(bottom)
}

fn decimal(expr: &Expr) -> bool {
    expr.any(&|part| matches!(part, Expr::Number(_, Some(_))))
}

/// The greatest whole number that divides every term; one where none does.
fn coefficient(expr: &Expr) -> BigInt {
    match expr {
        Expr::Number(value, None) => value.to_integer().abs(),
        Expr::Negative(inner) => coefficient(inner),
        Expr::Product(factors) => {
            factors.iter().map(coefficient).fold(BigInt::one(), |product, factor| product * factor)
        }
        Expr::Sum(terms) => terms.iter().map(coefficient).fold(BigInt::zero(), |divisor, term| divisor.gcd(&term)),
        _ => BigInt::one(),
    }
}

/// Whether no square divides it; of a number too large to try, that it does not is taken for granted.
fn square_free(value: &BigInt) -> bool {
    let Some(value) = value.to_u64().filter(|value| *value > 1) else {
        return value.is_positive() && !value.is_one();
    };
    let roots = (2_u64..100_000).take_while(|root| root * root <= value);
    !roots.map(|root| root * root).any(|square| value.is_multiple_of(square))
}

fn distinct(kinds: impl Iterator<Item = String>) -> bool {
    let mut kinds: Vec<String> = kinds.collect();
    let count = kinds.len();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.len() == count
}
