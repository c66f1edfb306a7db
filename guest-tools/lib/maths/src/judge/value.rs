//! One number or expression against another: unit, value, rounding, form.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::{Case, Outcome};
use crate::expr::{Angle, Expr};
use crate::form::{Form, fits, ratio_simplified};
use crate::numeric::evaluate;
use crate::parse::Quantity;
use crate::same::{Same, rational_value, rounded, same};
use crate::units::{self, Unit};
use crate::why::Reason;

/// A value this near to the expected one, as a share of it, looks as if it was only rounded otherwise.
const NEAR: f64 = 0.02;

pub(super) fn compare(case: &Case<'_>, asked: &Quantity, said: &Quantity) -> Outcome {
    if asked.expr.is_constant() && !said.expr.is_constant() {
        return Err(Reason::NeedsValue);
    }
    let target = target(case, asked, said);
    let percent_unit = case.options.units.as_deref().is_some_and(|units| units.trim() == "%");
    let expected = if percent_unit { Expr::Percent(Box::new(asked.expr.clone())) } else { asked.expr.clone() };
    let value = match unit_factor(case, target.as_ref(), said, percent_unit) {
        Ok(factor) if factor.is_one() => said.expr.clone(),
        Ok(factor) => Expr::Product(vec![said.expr.clone(), Expr::Number(factor, None)]),
        // The number may be right all the same; the sentence says which of both it is.
        Err(reason) => {
            let bare = if percent_unit { Expr::Percent(Box::new(said.expr.clone())) } else { said.expr.clone() };
            return Err(if valued(case, &expected, &bare).is_ok() { reason } else { Reason::Different });
        }
    };
    valued(case, &expected, &value)?;
    match case.options.form {
        Some(form) if !fits(&said.expr, form) => Err(Reason::Form(form)),
        _ => Ok(()),
    }
}

/// The unit that the expected number is in, where one is known.
fn target(case: &Case<'_>, asked: &Quantity, said: &Quantity) -> Option<Unit> {
    if let Some(name) = &case.options.units {
        return Some(units::named(name));
    }
    let pounds = units::currency('£')?;
    let pence = said.unit.as_ref().is_some_and(|unit| unit.like(&pounds) && *unit != pounds);
    // Pence for pounds are the same money, where the question speaks of pounds.
    asked.unit.clone().or_else(|| (pence && case.question.contains('£')).then_some(pounds))
}

fn unit_factor(case: &Case<'_>, target: Option<&Unit>, said: &Quantity, percent: bool) -> Result<BigRational, Reason> {
    let asked_for = case.options.units.is_some();
    if percent {
        let written = matches!(said.expr, Expr::Percent(_)) && said.unit.is_none();
        return if written { Ok(BigRational::one()) } else { Err(Reason::UnitMissing) };
    }
    match (target, &said.unit) {
        (None, _) => Ok(BigRational::one()),
        // A word of the question for what is counted is the unit `pupils`.
        (Some(target), None) if target.name.is_some() && said.counted => Ok(BigRational::one()),
        (Some(_), None) if asked_for => Err(Reason::UnitMissing),
        (Some(_), None) => Ok(BigRational::one()),
        (Some(target), Some(unit)) if unit.like(target) => Ok(&unit.size / &target.size),
        (Some(_), Some(_)) => Err(Reason::UnitKind),
    }
}

fn valued(case: &Case<'_>, expected: &Expr, value: &Expr) -> Outcome {
    let asked = match case.options.round {
        Some(place) => Expr::Number(rounded(expected, place, case.angle).ok_or(Reason::Unsure)?, None),
        None => expected.clone(),
    };
    match same(value, &asked, case.angle) {
        Same::Equal => Ok(()),
        Same::Unknown => Err(Reason::Undefined),
        Same::Different => Err(near_miss(case, expected, &asked, value)),
    }
}

/// What went wrong, where it can be seen.
fn near_miss(case: &Case<'_>, expected: &Expr, asked: &Expr, value: &Expr) -> Reason {
    let opposite = Expr::Negative(Box::new(asked.clone()));
    if same(value, &opposite, case.angle) == Same::Equal {
        return Reason::Sign;
    }
    if !value.is_constant() {
        return Reason::Different;
    }
    let other = match case.angle {
        Angle::Degrees => Angle::Radians,
        Angle::Radians => Angle::Degrees,
    };
    let turned = match case.options.round {
        Some(place) => rounded(expected, place, other).map(|value| Expr::Number(value, None)),
        None => Some(expected.clone()),
    };
    let uses_angle = expected.any(&|part| matches!(part, Expr::Call(..)));
    if uses_angle && turned.is_some_and(|turned| same(value, &turned, other) == Same::Equal) {
        return Reason::Angle;
    }
    let at = |expr: &Expr| evaluate(expr, case.angle, &|_| f64::NAN).map(|found| found.value);
    let near = at(value).zip(at(expected)).is_some_and(|(value, exact)| (value - exact).abs() <= exact.abs() * NEAR);
    let whole = rational_value(expected, case.angle).is_some_and(|value| value.is_integer());
    match case.options.round {
        Some(_) if near => Reason::Rounding,
        None if near && !whole && decimal(value) => match case.options.form {
            Some(Form::Exact | Form::Simplified) => Reason::Form(Form::Exact),
            _ => Reason::Approximate,
        },
        _ => Reason::Different,
    }
}

fn decimal(expr: &Expr) -> bool {
    expr.any(&|part| matches!(part, Expr::Number(_, Some(_))))
}

/// Ratios are equal where their parts are in proportion.
pub(super) fn ratio(case: &Case<'_>, asked: &[Expr], said: &[Expr]) -> Outcome {
    let (Some(first), Some(other)) = (asked.first(), said.first()) else {
        return Err(Reason::Undefined);
    };
    if asked.len() != said.len() {
        return Err(Reason::Different);
    }
    let zero =
        |expr: &Expr| rational_value(expr, case.angle).is_some_and(|value| value.is_zero() || value.is_negative());
    if said.iter().any(zero) {
        return Err(Reason::Different);
    }
    let product = |one: &Expr, two: &Expr| Expr::Product(vec![one.clone(), two.clone()]);
    let proportional = |said: &[Expr]| {
        let other = said.first().unwrap_or(other);
        asked
            .iter()
            .zip(said)
            .all(|(asked, said)| same(&product(asked, other), &product(said, first), case.angle) == Same::Equal)
    };
    if !proportional(said) {
        let turned: Vec<Expr> = said.iter().rev().cloned().collect();
        return Err(if proportional(&turned) { Reason::Order } else { Reason::Different });
    }
    match case.options.form {
        Some(Form::Simplified) if !ratio_simplified(said) => Err(Reason::Form(Form::Simplified)),
        _ => Ok(()),
    }
}
