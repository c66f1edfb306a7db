//! Expressions of a topic: arithmetic over what was drawn, comparisons, and a few functions.
//!
//! `a^2 + b^2`, `gcd(a, b) == 1 and a != b`, `fixed(12*tan(35), 1)`, `char(names, 2)`. Angles are in degrees. A number in
//! quotation marks is a text. Start reading at [`evaluate`].

use std::collections::BTreeMap;

use crate::exact::Exact;
use crate::functions;
use crate::value::Value;

/// Names and what they stand for.
pub type Names = BTreeMap<String, Value>;

/// How deep parentheses and calls may stand within each other: more than a problem needs, less than a stack holds.
const DEPTH_MAX: u32 = 40;

/// What an expression comes to.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn evaluate(text: &str, names: &Names) -> Result<Value, String> {
    let mut reader = Reader { rest: text, names, depth: 0 };
    let value = reader.either()?;
    match reader.skip().chars().next() {
        None => Ok(value),
        Some(c) => Err(format!("`{c}` makes no sense where it stands in `{text}`")),
    }
}

struct Reader<'a> {
    rest: &'a str,
    names: &'a Names,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.skip().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let ends = |rest: &&str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = self.skip().strip_prefix(word).filter(ends);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn either(&mut self) -> Result<Value, String> {
        let mut value = self.both()?;
        while self.takes_word("or") {
            let right = self.both()?;
            value = Value::truth(value.holds() || right.holds());
        }
        Ok(value)
    }

    fn both(&mut self) -> Result<Value, String> {
        let mut value = self.compared()?;
        while self.takes_word("and") {
            let right = self.compared()?;
            value = Value::truth(value.holds() && right.holds());
        }
        Ok(value)
    }

    fn compared(&mut self) -> Result<Value, String> {
        let left = self.sum()?;
        for sign in ["==", "!=", "<=", ">=", "<", ">"] {
            if self.takes(sign) {
                let right = self.sum()?;
                return compare(sign, &left, &right).map(Value::truth);
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Value, String> {
        let mut value = self.product()?;
        loop {
            if self.takes("+") {
                let right = self.product()?;
                value = add(&value, &right)?;
            } else if self.takes("-") {
                let right = negative(&self.product()?)?;
                value = add(&value, &right)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<Value, String> {
        let mut value = self.signed()?;
        loop {
            if self.takes("*") {
                let right = self.signed()?;
                value = multiply(&value, &right)?;
            } else if self.takes("/") {
                let right = self.signed()?;
                value = divide(&value, &right)?;
            } else if self.takes("%") {
                let (left, right) = (functions::whole(&value)?, functions::whole(&self.signed()?)?);
                value = left.checked_rem_euclid(right).map(Value::whole).ok_or("a division by 0")?;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<Value, String> {
        if self.takes("-") { negative(&self.signed()?) } else { self.power() }
    }

    fn power(&mut self) -> Result<Value, String> {
        let base = self.single()?;
        if !self.takes("^") {
            return Ok(base);
        }
        let exponent = self.signed()?;
        match (&base, &exponent) {
            (Value::Exact(base), Value::Exact(exponent)) => {
                base.power(*exponent).map(Value::Exact).ok_or_else(|| "a power that is too large".to_owned())
            }
            _ => Ok(Value::Real(real(&base)?.powf(real(&exponent)?))),
        }
    }

    fn single(&mut self) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err("an expression that is nested too deep".to_owned());
        }
        let value = self.unnested()?;
        self.depth -= 1;
        Ok(value)
    }

    fn unnested(&mut self) -> Result<Value, String> {
        if self.takes("(") {
            let value = self.either()?;
            return if self.takes(")") { Ok(value) } else { Err("a `)` is missing".to_owned()) };
        }
        if self.takes("'") {
            let (text, rest) = self.rest.split_once('\'').ok_or("a `'` is missing")?;
            self.rest = rest;
            return Ok(Value::Text(text.to_owned()));
        }
        let rest = self.skip();
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        if number > 0 {
            let (digits, rest) = rest.split_at(number);
            self.rest = rest;
            return Exact::read(digits).map(Value::Exact).ok_or_else(|| format!("`{digits}` is no number"));
        }
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, rest) = rest.split_at(word);
        self.rest = rest;
        if name.is_empty() {
            return Err(match self.rest.chars().next() {
                Some(c) => format!("`{c}` makes no sense where it stands"),
                None => "something is missing at the end".to_owned(),
            });
        }
        if self.takes("(") {
            let arguments = self.arguments()?;
            return functions::call(name, &arguments);
        }
        self.names.get(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = self.names.keys().map(String::as_str).collect();
            format!("there is no `{name}`; there are: {}", known.join(", "))
        })
    }

    fn arguments(&mut self) -> Result<Vec<Value>, String> {
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.either()?);
            if self.takes(")") {
                return Ok(arguments);
            }
            if !self.takes(",") {
                return Err("a `,` or a `)` is missing".to_owned());
            }
        }
    }
}

fn compare(sign: &str, left: &Value, right: &Value) -> Result<bool, String> {
    let order = match (left, right) {
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Exact(left), Value::Exact(right)) => left.cmp(right),
        _ => real(left)?.total_cmp(&real(right)?),
    };
    Ok(match sign {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<=" => order.is_le(),
        ">=" => order.is_ge(),
        "<" => order.is_lt(),
        _ => order.is_gt(),
    })
}

fn real(value: &Value) -> Result<f64, String> {
    value.real().ok_or_else(|| format!("`{value}` is no number"))
}

fn add(left: &Value, right: &Value) -> Result<Value, String> {
    match (left, right) {
        (Value::Exact(left), Value::Exact(right)) => left.plus(*right).map(Value::Exact).ok_or_else(too_large),
        (Value::Text(left), right) => Ok(Value::Text(format!("{left}{right}"))),
        (left, Value::Text(right)) => Ok(Value::Text(format!("{left}{right}"))),
        _ => Ok(Value::Real(real(left)? + real(right)?)),
    }
}

fn negative(value: &Value) -> Result<Value, String> {
    match value {
        Value::Exact(value) => Ok(Value::Exact(value.opposite())),
        _ => Ok(Value::Real(-real(value)?)),
    }
}

fn multiply(left: &Value, right: &Value) -> Result<Value, String> {
    match (left, right) {
        (Value::Exact(left), Value::Exact(right)) => left.times(*right).map(Value::Exact).ok_or_else(too_large),
        _ => Ok(Value::Real(real(left)? * real(right)?)),
    }
}

fn divide(left: &Value, right: &Value) -> Result<Value, String> {
    match (left, right) {
        (Value::Exact(left), Value::Exact(right)) => {
            let inverse = right.inverse().ok_or("a division by 0")?;
            left.times(inverse).map(Value::Exact).ok_or_else(too_large)
        }
        _ => Ok(Value::Real(real(left)? / real(right)?)),
    }
}

fn too_large() -> String {
    "a number that is too large".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let of = |(name, value): (&str, &str)| (name.to_owned(), Value::read(value));
        [("a", "3"), ("b", "4"), ("half", "1/2"), ("names", "PQR")].map(of).into_iter().collect()
    }

    fn shown(text: &str) -> String {
        evaluate(text, &names()).map_or_else(|error| error, |value| value.to_string())
    }

    #[test]
    fn arithmetic_and_its_order() {
        for (text, value) in [
            ("a^2 + b^2", "25"),
            ("sqrt(a^2 + b^2)", "5"),
            ("-a^2", "-9"),
            ("2 - a*b/6", "0"),
            ("half + 1/3", "5/6"),
            ("(a + b) % 4", "3"),
            ("a < b and gcd(a, b) == 1", "1"),
            ("a > b or a == 4", "0"),
            ("char(names, 1) + char(names, 3)", "PR"),
            ("if(a > b, 'more', 'less')", "less"),
            ("fixed(12*tan(35), 1)", "8.4"),
            ("round(2/3, 2)", "0.67"),
        ] {
            assert_eq!(shown(text), value, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, error) in [
            ("a +", "something is missing at the end"),
            ("c", "there is no `c`; there are: a, b, half, names"),
            ("a b", "`b` makes no sense where it stands in `a b`"),
            ("1/0", "a division by 0"),
            ("(a", "a `)` is missing"),
            ("sine(3)", "there is no function `sine`"),
        ] {
            assert!(shown(text).starts_with(error), "{text}: {}", shown(text));
        }
        assert!(shown(&"(".repeat(100)).contains("too deep"));
    }
}
