//! The exact form of an expression.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::expr::{Angle, Expr, Function};
use crate::poly::{Atom, Fraction, Inexact, Monomial, Poly, square_root};

/// The exact form, where a bare number in a trigonometric function is an angle in `angle`.
///
/// # Errors
/// Where it is undefined or would be too large.
pub fn exact(expr: &Expr, angle: Angle) -> Result<Fraction, Inexact> {
    let inner = |expr: &Expr| exact(expr, angle);
    match expr {
        Expr::Number(value, _) => Ok(Fraction::constant(value.clone())),
        Expr::Mixed(whole, top, bottom) => Ok(Fraction::constant(
            BigRational::from_integer(whole.clone()) + BigRational::new(top.clone(), bottom.clone()),
        )),
        Expr::Percent(part) => inner(part)?.over(&Fraction::constant(BigRational::from_integer(100.into()))),
        // Outside a trigonometric function a degree sign is a unit.
        Expr::Degrees(part) => inner(part),
        Expr::Pi => Ok(Poly::atom(Atom::Pi).into()),
        Expr::Variable(letter) => Ok(Poly::atom(Atom::Variable(*letter)).into()),
        Expr::Negative(part) => Ok(inner(part)?.negative()),
        // Callers split both signs into two values first.
        Expr::PlusMinus(_) => Err(Inexact::Undefined),
        Expr::Sum(terms) => {
            terms.iter().try_fold(Fraction::constant(BigRational::zero()), |sum, term| sum.plus(&inner(term)?))
        }
        Expr::Product(factors) => factors
            .iter()
            .try_fold(Fraction::constant(BigRational::one()), |product, factor| product.times(&inner(factor)?)),
        Expr::Quotient(top, bottom) => inner(top)?.over(&inner(bottom)?),
        Expr::Power(base, exponent) => power(&inner(base)?, &inner(exponent)?),
        Expr::Root(degree, part) => root(&inner(part)?, *degree),
        Expr::Call(function, argument) => call(*function, argument, angle),
    }
}

fn power(base: &Fraction, exponent: &Fraction) -> Result<Fraction, Inexact> {
    match exponent.as_constant() {
        Some(exponent) if exponent.is_integer() => {
            if base.top.is_zero() && !exponent.is_positive() {
                return Err(Inexact::Undefined);
            }
            base.to_power(&exponent.to_integer())
        }
        Some(exponent) if base.as_constant().is_some() => {
            let degree = exponent.denom().to_u32().filter(|degree| *degree <= 12).ok_or(Inexact::Large)?;
            root(&base.to_power(exponent.numer())?, degree)
        }
        _ => Ok(opaque("power", &[base, exponent])),
    }
}

fn root(of: &Fraction, degree: u32) -> Result<Fraction, Inexact> {
    let Some(value) = of.as_constant() else {
        return Ok(opaque(&format!("root {degree}"), &[of]));
    };
    if degree == 2 {
        return match square_root(&value) {
            Ok(root) => Ok(root.into()),
            Err(Inexact::Large) => Ok(opaque("root 2", &[of])),
            Err(Inexact::Undefined) => Err(Inexact::Undefined),
        };
    }
    if value.is_negative() && degree.is_even() {
        return Err(Inexact::Undefined);
    }
    let (top, bottom) = (value.numer().nth_root(degree), value.denom().nth_root(degree));
    let raised = |root: &BigInt| num_traits::pow(root.clone(), degree as usize);
    if raised(&top) == *value.numer() && raised(&bottom) == *value.denom() {
        return Ok(Fraction::constant(BigRational::new(top, bottom)));
    }
    Ok(opaque(&format!("root {degree}"), &[of]))
}

/// The name of a thing without a simpler form is a digest of what it is made of: written out, names of names would double in
/// length with each nesting.
fn opaque(name: &str, of: &[&Fraction]) -> Fraction {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let text = format!("{name} {of:?}");
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let digest = text.bytes().fold(start, |digest, byte| (digest ^ u128::from(byte)).wrapping_mul(PRIME));
    Poly::atom(Atom::Opaque(digest)).into()
}

fn call(function: Function, argument: &Expr, angle: Angle) -> Result<Fraction, Inexact> {
    let of = exact(argument, angle)?;
    let name = format!("{function:?} {angle:?}");
    match function {
        Function::Sin | Function::Cos | Function::Tan => {
            let Some(degrees) = in_degrees(argument, &of, angle) else {
                return Ok(opaque(&name, &[&of]));
            };
            match special(function, &degrees)? {
                Some(value) => Ok(value),
                None => Ok(opaque(&format!("{function:?} Degrees"), &[&Fraction::constant(degrees)])),
            }
        }
        Function::Abs => match of.as_constant() {
            Some(value) => Ok(Fraction::constant(value.abs())),
            None => Ok(opaque("abs", &[&of])),
        },
        Function::Asin | Function::Acos | Function::Atan => Ok(opaque(&name, &[&of])),
        Function::Log | Function::Ln => Ok(opaque(&format!("{function:?}"), &[&of])),
    }
}

/// The angle in degrees, where it is a rational number of them.
fn in_degrees(argument: &Expr, of: &Fraction, angle: Angle) -> Option<BigRational> {
    let written = matches!(argument, Expr::Degrees(_));
    match (of.as_constant(), angle) {
        (Some(value), _) if written || value.is_zero() => Some(value),
        (Some(value), Angle::Degrees) => Some(value),
        (Some(_), Angle::Radians) => None,
        // A rational multiple of π is an angle in radians, also where bare numbers are degrees.
        (None, _) => {
            let bottom = of.bottom.as_constant()?;
            let mut terms = of.top.terms();
            let (monomial, value) = terms.next()?;
            let only = terms.next().is_none() && *monomial == Monomial::from([(Atom::Pi, 1)]);
            only.then(|| value / bottom * BigRational::from_integer(180.into()))
        }
    }
}

/// The value at a multiple of 15 degrees; none elsewhere.
fn special(function: Function, degrees: &BigRational) -> Result<Option<Fraction>, Inexact> {
    let fifteen = degrees / BigRational::from_integer(15.into());
    if !fifteen.is_integer() {
        return Ok(None);
    }
    let steps = fifteen.to_integer().mod_floor(&24.into()).to_i64().ok_or(Inexact::Large)?;
    let value = match function {
        Function::Sin => sine(steps)?,
        Function::Cos => sine(steps + 6)?,
        Function::Tan => return sine(steps)?.over(&sine(steps + 6)?).map(Some),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// The sine of so many times 15 degrees.
fn sine(steps: i64) -> Result<Fraction, Inexact> {
    let steps = steps.rem_euclid(24);
    let (sign, first) = if steps >= 12 { (-1, steps - 12) } else { (1, steps) };
    let first = if first > 6 { 12 - first } else { first };
    let part = |under: i64, sign: i64, below: i64| {
        square_root(&BigRational::from_integer(under.into()))?
            .times(&Poly::constant(BigRational::new(sign.into(), below.into())))
    };
    let value = match first {
        0 => Poly::default(),
        // sin 15° = (√6 − √2) / 4, sin 75° = (√6 + √2) / 4
        1 => part(6, sign, 4)?.plus(&part(2, -sign, 4)?)?,
        2 => part(1, sign, 2)?,
        3 => part(2, sign, 2)?,
        4 => part(3, sign, 2)?,
        5 => part(6, sign, 4)?.plus(&part(2, sign, 4)?)?,
        _ => part(1, sign, 1)?,
    };
    Ok(value.into())
}
