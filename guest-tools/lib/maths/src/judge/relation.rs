//! Equations and inequalities: equal where one is the other times a number.

use num_rational::BigRational;
use num_traits::Signed;

use super::{Case, Outcome};
use crate::answer::{Item, Relation, Statement, Value};
use crate::exact::exact;
use crate::expr::{Angle, Expr};
use crate::poly::{Atom, Poly};
use crate::same::{Same, is_nought, same};
use crate::text::plain;
use crate::why::Reason;

/// Compares where an equation or an inequality is expected; none where a value is.
pub(super) fn compare(case: &Case<'_>, asked: &Item, said: &Item) -> Option<Outcome> {
    let expected = match &asked.value {
        Value::Statements(statements) => statements.clone(),
        Value::Quantity(quantity) if !quantity.expr.is_constant() => vec![named(asked)?],
        Value::Quantity(_) | Value::Point(_) | Value::Ratio(_) => return None,
    };
    let given = match &said.value {
        Value::Statements(statements) => statements.clone(),
        Value::Quantity(quantity) => match named(said) {
            Some(statement) => vec![statement],
            None => return Some(Err(bare(&expected, &quantity.expr, case.angle))),
        },
        Value::Point(_) | Value::Ratio(_) => return Some(Err(Reason::NeedsEquation)),
    };
    Some(statements(case, &expected, &given))
}

/// `y = 2x + 1`, read as a name with a value, as an equation.
fn named(item: &Item) -> Option<Statement> {
    let letter = item.name.as_ref().filter(|name| name.len() == 1)?.chars().next()?;
    match &item.value {
        Value::Quantity(quantity) => {
            Some(Statement { left: Expr::Variable(letter), relation: Relation::Equal, right: quantity.expr.clone() })
        }
        Value::Point(_) | Value::Ratio(_) | Value::Statements(_) => None,
    }
}

/// An expression alone, where an equation or an inequality is expected.
fn bare(expected: &[Statement], expr: &Expr, angle: Angle) -> Reason {
    let side = |statement: &Statement| {
        statement.relation == Relation::Equal
            && [&statement.left, &statement.right].into_iter().any(|side| same(side, expr, angle) == Same::Equal)
    };
    if expected.iter().any(side) { Reason::NeedsEquation } else { Reason::Different }
}

fn statements(case: &Case<'_>, expected: &[Statement], given: &[Statement]) -> Outcome {
    let solved = expected.iter().all(|statement| isolated(statement).is_some());
    let to_solve = solved && (expected.iter().all(one_letter) || asks_for_subject(case.question));
    if to_solve && !given.iter().all(|statement| isolated(statement).is_some()) {
        return Err(Reason::NotSolved);
    }
    let mut hits = vec![false; expected.len()];
    let mut first = None;
    for statement in given {
        let mut hit = false;
        for (asked, found) in expected.iter().zip(hits.iter_mut()) {
            match equivalent(case, asked, statement) {
                Ok(()) => {
                    *found = true;
                    hit = true;
                }
                Err(reason) => first = first.or(Some(reason)),
            }
        }
        if !hit {
            return Err(first.unwrap_or(Reason::Different));
        }
    }
    if !hits.iter().all(|hit| *hit) {
        return Err(Reason::Missing);
    }
    Ok(())
}

/// The letter that stands alone on one side and does not occur on the other.
fn isolated(statement: &Statement) -> Option<(char, &Expr)> {
    let alone = |side: &Expr, other: &Expr| match side {
        Expr::Variable(letter) if !other.variables().contains(letter) => Some(*letter),
        _ => None,
    };
    let (left, right) = (&statement.left, &statement.right);
    alone(left, right).map(|letter| (letter, right)).or_else(|| alone(right, left).map(|letter| (letter, left)))
}

fn one_letter(statement: &Statement) -> bool {
    let mut letters = statement.left.variables();
    letters.extend(statement.right.variables());
    letters.sort_unstable();
    letters.dedup();
    letters.len() == 1
}

fn asks_for_subject(question: &str) -> bool {
    let lower = plain(question).to_lowercase();
    ["subject", "in terms of", "rearrange", "solve"].iter().any(|word| lower.contains(word))
}

fn equivalent(case: &Case<'_>, asked: &Statement, said: &Statement) -> Outcome {
    let kinds_fit = asked.relation == said.relation;
    let factor = factor(asked, said, case.angle);
    let equation = matches!(asked.relation, Relation::Equal | Relation::Unequal);
    match factor {
        Some(factor) if kinds_fit && (equation || factor.is_positive()) => Ok(()),
        Some(factor) if asked.relation != Relation::Equal && said.relation != Relation::Equal => {
            Err(if factor.is_positive() { Reason::Boundary } else { Reason::Direction })
        }
        Some(_) => Err(Reason::Different),
        None if kinds_fit && equation && solves(asked, said, case.angle) => Ok(()),
        None => Err(Reason::Different),
    }
}

/// What the difference of the sides of one is to that of the other; none where they are not in proportion.
fn factor(asked: &Statement, said: &Statement, angle: Angle) -> Option<BigRational> {
    let difference = |statement: &Statement| {
        let difference = Expr::Sum(vec![statement.left.clone(), Expr::Negative(Box::new(statement.right.clone()))]);
        exact(&difference, angle).ok()
    };
    let (one, other) = (difference(asked)?, difference(said)?);
    let bottoms = one.bottom.as_constant().zip(other.bottom.as_constant());
    if bottoms.is_none() && asked.relation != Relation::Equal {
        return None;
    }
    let (one, other) = (one.top, other.top);
    let (monomial, first) = one.terms().next()?;
    let (_, second) = other.terms().find(|(found, _)| *found == monomial)?;
    let factor = second / first;
    let scaled = one.times(&Poly::constant(factor.clone())).ok()?;
    let left = other.plus(&scaled.negative()).ok()?;
    let letters = one.has(|atom| matches!(atom, Atom::Variable(_) | Atom::Opaque(_)));
    (left.is_zero() && letters).then_some(factor)
}

/// Whether putting the given letter's value into the expected formula makes both sides equal: `c = √(a² + b²)`.
fn solves(asked: &Statement, said: &Statement, angle: Angle) -> bool {
    let Some((letter, value)) = isolated(said) else {
        return false;
    };
    // With one letter alone a single solution would pass for all of them.
    if value.is_constant() || !(asked.left.variables().contains(&letter) || asked.right.variables().contains(&letter)) {
        return false;
    }
    let put = |side: &Expr| with(side, letter, value);
    let difference = Expr::Sum(vec![put(&asked.left), Expr::Negative(Box::new(put(&asked.right)))]);
    is_nought(&difference, angle) == Same::Equal
}

fn with(expr: &Expr, letter: char, value: &Expr) -> Expr {
    let inner = |expr: &Expr| with(expr, letter, value);
    let boxed = |expr: &Expr| Box::new(inner(expr));
    match expr {
        Expr::Variable(found) if *found == letter => value.clone(),
        Expr::Number(..) | Expr::Mixed(..) | Expr::Pi | Expr::Variable(_) => expr.clone(),
        Expr::Percent(part) => Expr::Percent(boxed(part)),
        Expr::Degrees(part) => Expr::Degrees(boxed(part)),
        Expr::Negative(part) => Expr::Negative(boxed(part)),
        Expr::PlusMinus(part) => Expr::PlusMinus(boxed(part)),
        Expr::Sum(terms) => Expr::Sum(terms.iter().map(inner).collect()),
        Expr::Product(factors) => Expr::Product(factors.iter().map(inner).collect()),
        Expr::Quotient(top, bottom) => Expr::Quotient(boxed(top), boxed(bottom)),
        Expr::Power(base, exponent) => Expr::Power(boxed(base), boxed(exponent)),
        Expr::Root(degree, part) => Expr::Root(*degree, boxed(part)),
        Expr::Call(function, part) => Expr::Call(*function, boxed(part)),
    }
}
