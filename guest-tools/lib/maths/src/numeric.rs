//! Values with a bound on their error, for what has no exact form.

use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::expr::{Angle, Expr, Function};

/// Relative error of one operation: a few units in the last place, since libraries differ there.
const STEP: f64 = 1e-15;

/// A number that lies within `error` of `value`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approx {
    /// The middle.
    pub value: f64,
    /// Half the width.
    pub error: f64,
}

impl Approx {
    fn new(value: f64, error: f64) -> Option<Self> {
        let error = error + value.abs() * STEP;
        (value.is_finite() && error.is_finite() && value.abs() < 1e200).then_some(Self { value, error })
    }

    fn times(self, other: Self) -> Option<Self> {
        let error = self.value.abs() * other.error + other.value.abs() * self.error + self.error * other.error;
        Self::new(self.value * other.value, error)
    }

    fn over(self, other: Self) -> Option<Self> {
        let least = other.value.abs() - other.error;
        if least <= 0.0 {
            return None;
        }
        let value = self.value / other.value;
        Self::new(value, (self.error + value.abs() * other.error) / least)
    }

    /// Whether both may be the same number, as far as either is known.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        let scale = self.value.abs().max(other.value.abs());
        (self.value - other.value).abs() <= self.error + other.error + scale * 1e-12
    }
}

/// The value of a rational number.
#[must_use]
pub fn rational(value: &BigRational) -> Option<Approx> {
    Approx::new(value.to_f64()?, 0.0)
}

/// The value where each letter has the number that `at` gives; none where it is undefined or too large.
pub fn evaluate(expr: &Expr, angle: Angle, at: &dyn Fn(char) -> f64) -> Option<Approx> {
    let inner = |expr: &Expr| evaluate(expr, angle, at);
    match expr {
        Expr::Number(value, _) => rational(value),
        Expr::Mixed(whole, top, bottom) => {
            rational(&(BigRational::from_integer(whole.clone()) + BigRational::new(top.clone(), bottom.clone())))
        }
        Expr::Percent(part) => inner(part)?.over(Approx { value: 100.0, error: 0.0 }),
        Expr::Degrees(part) => inner(part),
        Expr::Pi => Approx::new(std::f64::consts::PI, 0.0),
        Expr::Variable(letter) => Approx::new(at(*letter), 0.0),
        Expr::Negative(part) => inner(part).map(|part| Approx { value: -part.value, error: part.error }),
        Expr::PlusMinus(_) => None,
        Expr::Sum(terms) => terms.iter().try_fold(Approx { value: 0.0, error: 0.0 }, |sum, term| {
            let term = inner(term)?;
            Approx::new(sum.value + term.value, sum.error + term.error)
        }),
        Expr::Product(factors) => {
            factors.iter().try_fold(Approx { value: 1.0, error: 0.0 }, |product, factor| product.times(inner(factor)?))
        }
        Expr::Quotient(top, bottom) => inner(top)?.over(inner(bottom)?),
        Expr::Power(base, exponent) => power(inner(base)?, inner(exponent)?),
        Expr::Root(degree, part) => root(inner(part)?, *degree),
        Expr::Call(function, argument) => call(*function, argument, inner(argument)?, angle),
    }
}

fn power(base: Approx, exponent: Approx) -> Option<Approx> {
    let value = base.value.powf(exponent.value);
    if !value.is_finite() {
        return None;
    }
    // d(b^e) = b^e (e db/b + ln|b| de); a whole exponent is exact.
    let exact = exponent.value.fract() == 0.0 && exponent.error <= exponent.value.abs() * STEP * 2.0;
    let by_base = if base.value == 0.0 { base.error } else { (exponent.value * base.error / base.value).abs() };
    let by_exponent = if exact || base.value == 0.0 { 0.0 } else { (base.value.abs().ln() * exponent.error).abs() };
    Approx::new(value, value.abs() * (by_base + by_exponent) * 2.0)
}

fn root(of: Approx, degree: u32) -> Option<Approx> {
    let value = match degree {
        2 if of.value < 0.0 && of.value + of.error >= 0.0 => 0.0,
        2 => of.value.sqrt(),
        3 => of.value.cbrt(),
        _ => of.value.powf(1.0 / f64::from(degree)),
    };
    if !value.is_finite() {
        return None;
    }
    let relative = if of.value == 0.0 { 0.0 } else { of.error / of.value.abs() };
    let at_nought = if of.value == 0.0 || relative > 0.5 { of.error.powf(1.0 / f64::from(degree)) } else { 0.0 };
    Approx::new(value, value.abs() * relative + at_nought)
}

fn call(function: Function, argument: &Expr, of: Approx, angle: Angle) -> Option<Approx> {
    let degrees = match argument {
        Expr::Degrees(_) => true,
        // Something with π in it is an angle in radians, also where bare numbers are degrees.
        _ => angle == Angle::Degrees && !argument.any(&|part| *part == Expr::Pi),
    };
    let turn = if degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
    let radians = Approx::new(of.value * turn, of.error * turn)?;
    let back = if angle == Angle::Degrees { 180.0 / std::f64::consts::PI } else { 1.0 };
    match function {
        Function::Sin => Approx::new(radians.value.sin(), radians.error),
        Function::Cos => Approx::new(radians.value.cos(), radians.error),
        Function::Tan => {
            let cos = Approx::new(radians.value.cos(), radians.error)?;
            Approx::new(radians.value.sin(), radians.error)?.over(cos)
        }
        Function::Asin | Function::Acos => {
            let value = if function == Function::Asin { of.value.asin() } else { of.value.acos() };
            let slope = (1.0 - of.value * of.value).max(1e-12).sqrt();
            Approx::new(value * back, of.error / slope * back)
        }
        Function::Atan => Approx::new(of.value.atan() * back, of.error * back),
        Function::Abs => Approx::new(of.value.abs(), of.error),
        Function::Log | Function::Ln => {
            let value = if function == Function::Log { of.value.log10() } else { of.value.ln() };
            (of.value > of.error).then(|| Approx::new(value, of.error / (of.value - of.error)))?
        }
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate;
    use crate::expr::Angle;
    use crate::parse::quantity;
    use crate::text::plain;
    use crate::token::Setting;

    #[test]
    fn values_lie_within_their_error() {
        for (text, value) in [
            ("12 tan 35", 8.402_490_458_516_463),
            ("sin(pi/6)", 0.5),
            ("\\sqrt{29}", 5.385_164_807_134_504),
            ("2^0.5", std::f64::consts::SQRT_2),
            ("sin^-1(0.5)", 30.0),
            ("10^-3", 0.001),
        ] {
            let quantity = quantity(&plain(text), &Setting::default()).unwrap();
            let found = evaluate(&quantity.expr, Angle::Degrees, &|_| 0.0).unwrap();
            assert!((found.value - value).abs() <= found.error + value.abs() * 1e-15, "{text}: {found:?}");
            assert!(found.error < 1e-12, "{text}: {found:?}");
        }
        for text in ["1/0", "10^10^10", "tan 90 / 0", "sqrt(-1)"] {
            let quantity = quantity(&plain(text), &Setting::default()).unwrap();
            assert_eq!(evaluate(&quantity.expr, Angle::Degrees, &|_| 0.0), None, "{text}");
        }
    }
}
