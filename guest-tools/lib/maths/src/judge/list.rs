//! Several values: a set, or a list in its order, or values by name.

use super::{Case, Outcome, relation, value};
use crate::answer::{Item, Value};
use crate::expr::Expr;
use crate::form::Form;
use crate::parse::Quantity;
use crate::why::Reason;

pub(super) fn compare(case: &Case<'_>, expected: &[Item], given: &[Item]) -> Outcome {
    let given = &with_units(case, given);
    match (expected, given.as_slice()) {
        ([asked], [said]) => return one(case, asked, said),
        // `2, -3` for the point (2, -3).
        ([Item { value: Value::Point(parts), .. }], said) if said.len() == parts.len() => {
            return in_order(case, &as_items(parts), &in_order_of_axes(said));
        }
        (asked, [Item { value: Value::Point(parts), .. }]) if asked.len() > 1 && parts.len() == asked.len() => {
            let items = as_items(parts);
            return if by_name(asked) { in_order(case, asked, &items) } else { as_set(case, asked, &items) };
        }
        _ => {}
    }
    if case.options.form == Some(Form::Ordered) {
        return match in_order(case, expected, given) {
            Err(reason) if reason.is_wrong() && as_set(case, expected, given).is_ok() => Err(Reason::Order),
            outcome => outcome,
        };
    }
    if by_name(expected) {
        return named(case, expected, given);
    }
    as_set(case, expected, given)
}

/// Where a unit stands behind the last of several values alone, it is meant for all.
fn with_units(case: &Case<'_>, given: &[Item]) -> Vec<Item> {
    let unit_of = |item: &Item| match &item.value {
        Value::Quantity(quantity) => quantity.unit.clone(),
        Value::Point(_) | Value::Ratio(_) | Value::Statements(_) => None,
    };
    let mut items = given.to_vec();
    let Some((last, before)) = items.split_last_mut() else {
        return items;
    };
    if case.options.units.is_some() && before.iter().all(|item| unit_of(item).is_none()) {
        let unit = unit_of(last);
        for item in before {
            if let Value::Quantity(quantity) = &mut item.value {
                quantity.unit.clone_from(&unit);
            }
        }
    }
    items
}

fn as_items(parts: &[Expr]) -> Vec<Item> {
    let item = |expr: &Expr| Item {
        name: None,
        value: Value::Quantity(Quantity { expr: expr.clone(), unit: None, counted: false }),
    };
    parts.iter().map(item).collect()
}

/// `y = 3, x = 2` as coordinates.
fn in_order_of_axes(items: &[Item]) -> Vec<Item> {
    let mut items = items.to_vec();
    if items.iter().all(|item| item.name.is_some()) {
        items.sort_by(|one, other| one.name.cmp(&other.name));
    }
    items
}

/// Whether the values have different names, as the solutions of simultaneous equations have.
fn by_name(items: &[Item]) -> bool {
    let mut names: Vec<&String> = items.iter().filter_map(|item| item.name.as_ref()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    count > 1 && count == items.len() && names.len() == count
}

fn named(case: &Case<'_>, expected: &[Item], given: &[Item]) -> Outcome {
    if given.iter().all(|item| item.name.is_none()) {
        return in_order(case, expected, given);
    }
    for asked in expected {
        let same_name = |item: &&Item| {
            let names = item.name.as_ref().zip(asked.name.as_ref());
            names.is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
        };
        match given.iter().find(same_name) {
            Some(said) => one(case, asked, said)?,
            None => return Err(Reason::Missing),
        }
    }
    if given.len() > expected.len() { Err(Reason::Extra) } else { Ok(()) }
}

fn in_order(case: &Case<'_>, expected: &[Item], given: &[Item]) -> Outcome {
    for (asked, said) in expected.iter().zip(given) {
        one(case, asked, said)?;
    }
    match given.len().cmp(&expected.len()) {
        std::cmp::Ordering::Less => Err(Reason::Missing),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Reason::Extra),
    }
}

fn as_set(case: &Case<'_>, expected: &[Item], given: &[Item]) -> Outcome {
    let mut hits = vec![false; expected.len()];
    let mut extra = None;
    for said in given {
        let mut hit = false;
        let mut first = None;
        for (asked, found) in expected.iter().zip(hits.iter_mut()) {
            match one(case, asked, said) {
                Ok(()) => {
                    *found = true;
                    hit = true;
                }
                Err(reason) => first = first.or(Some(reason)),
            }
        }
        if !hit {
            extra = extra.or(first);
        }
    }
    match (hits.iter().all(|hit| *hit), extra) {
        (true, None) => Ok(()),
        (false, None) => Err(Reason::Missing),
        (_, Some(reason)) if !reason.is_wrong() => Err(reason),
        (true, Some(_)) => Err(Reason::Extra),
        (false, Some(_)) if hits.contains(&true) => Err(Reason::Partly),
        (false, Some(_)) => Err(Reason::Different),
    }
}

/// One value against another.
fn one(case: &Case<'_>, asked: &Item, said: &Item) -> Outcome {
    if other_name(asked, said) {
        return Err(Reason::Name);
    }
    if let Some(outcome) = relation::compare(case, asked, said) {
        return outcome;
    }
    match (&asked.value, &said.value) {
        (Value::Quantity(asked), Value::Quantity(said)) => value::compare(case, asked, said),
        (Value::Point(asked), Value::Point(said)) => in_order(case, &as_items(asked), &as_items(said)),
        (Value::Ratio(asked), Value::Ratio(said)) => value::ratio(case, asked, said),
        (Value::Ratio(_), _) => Err(Reason::NeedsRatio),
        (Value::Point(_), _) => Err(Reason::NeedsPoint),
        (_, Value::Statements(_)) => Err(Reason::NeedsValue),
        (_, Value::Point(_) | Value::Ratio(_)) => Err(Reason::NeedsValue),
        (Value::Statements(_), Value::Quantity(_)) => Err(Reason::NeedsEquation),
    }
}

/// Whether a short name was asked for and another one given: AB is not BC, and BA is AB.
fn other_name(asked: &Item, said: &Item) -> bool {
    let (Some(asked), Some(said)) = (&asked.name, &said.name) else {
        return false;
    };
    let (asked, said) = (asked.to_lowercase(), said.to_lowercase());
    asked.len() <= 3 && said.len() <= 3 && asked != said && asked != said.chars().rev().collect::<String>()
}
