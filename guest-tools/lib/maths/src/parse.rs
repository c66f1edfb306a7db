//! Tokens become a quantity: an expression with a unit where there is one.
//!
//! Start reading at [`quantity`]. Precedence is that of school: powers, products from left to right, sums. A product without a
//! sign binds as one with a sign; a function without brackets takes the product behind it (`sin 2x`).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use crate::expr::{Expr, Function};
use crate::token::{Setting, Token, Unreadable, tokens};
use crate::units::{self, Unit};

/// Deepest nesting of brackets, powers and functions.
const DEPTH_MAX: usize = 40;

/// An expression with its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The number, or the expression in letters.
    pub expr: Expr,
    /// The unit; none where none was written.
    pub unit: Option<Unit>,
    /// Whether a word for what is counted follows (`12 pupils`).
    pub counted: bool,
}

/// Reads `text` whole, as [`crate::text::plain`] has spelled it.
///
/// # Errors
/// Where it is no expression.
pub fn quantity(text: &str, setting: &Setting) -> Result<Quantity, Unreadable> {
    let tokens = tokens(text, setting)?;
    let mut reader = Reader { tokens: &tokens, at: 0, depth: 0, bare: 0 };
    let quantity = reader.quantity()?;
    if reader.peek().is_some() { Err(Unreadable::Form) } else { Ok(quantity) }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// How many functions without brackets are being read: their argument ends before another function.
    bare: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn sign(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Unreadable>) -> Result<T, Unreadable> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(Unreadable::Large);
        }
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn quantity(&mut self) -> Result<Quantity, Unreadable> {
        if let Some(found) = self.money()? {
            return Ok(found);
        }
        let mut expr = self.sum()?;
        let mut unit = match expr {
            Expr::Degrees(inner) => {
                expr = *inner;
                Some(units::degree())
            }
            _ => self.unit()?,
        };
        // `1 h 30 min`, `5 ft 3 in`: the parts are added in the first unit.
        while let (Some(first), Some(Token::Number(..))) = (&unit, self.peek()) {
            let (Token::Number(value, _), Some(first)) =
                (self.peek().cloned().unwrap_or(Token::Gap), Some(first.clone()))
            else {
                return Err(Unreadable::Form);
            };
            self.at += 1;
            // `2 pounds 50`: the pence need no word.
            let pence = units::currency('£')
                .filter(|pound| *pound == first && self.peek().is_none())
                .map(|_| units::named("p"));
            let part = pence
                .or(self.unit()?)
                .filter(|part| part.like(&first) && part.size < first.size)
                .ok_or(Unreadable::Form)?;
            let value = value * &part.size / &first.size;
            expr = Expr::Sum(vec![expr, Expr::Number(value, Some(0))]);
            unit = Some(first);
        }
        let counted = self.peek() == Some(&Token::Noun);
        while self.peek() == Some(&Token::Noun) {
            self.at += 1;
        }
        Ok(Quantity { expr, unit, counted })
    }

    /// `£3.50`, `-£3`, `£-3`; none where no currency sign stands first.
    fn money(&mut self) -> Result<Option<Quantity>, Unreadable> {
        let (negative, unit) = match self.tokens {
            [Token::Currency(unit), ..] => (false, unit.clone()),
            [Token::Sign('-'), Token::Currency(unit), ..] => (true, unit.clone()),
            _ => return Ok(None),
        };
        self.at = 1 + usize::from(negative);
        let expr = self.sum()?;
        let expr = if negative { Expr::Negative(Box::new(expr)) } else { expr };
        // `£3.50p` and `£4 million` are not read.
        Ok(Some(Quantity { expr, unit: Some(unit), counted: false }))
    }

    fn unit(&mut self) -> Result<Option<Unit>, Unreadable> {
        let Some(Token::Unit(unit)) = self.peek().cloned() else {
            return Ok(None);
        };
        self.at += 1;
        let mut unit = unit;
        // `km/h`; the word `per` is read as a division before this.
        while self.peek() == Some(&Token::Sign('/')) {
            let Some(Token::Unit(below)) = self.tokens.get(self.at + 1) else {
                return Err(Unreadable::Form);
            };
            unit = unit.per(below).ok_or(Unreadable::Form)?;
            self.at += 2;
        }
        // `m s^-1`
        if let [Token::Unit(below), Token::Sign('^'), rest @ ..] = self.tokens.get(self.at..).unwrap_or_default() {
            let one = |token: &Token| matches!(token, Token::Number(value, None) if *value == BigRational::from_integer(1.into()));
            let taken = match rest {
                [Token::Sign('-'), number, ..] if one(number) => 4,
                [Token::Sign('('), Token::Sign('-'), number, Token::Sign(')'), ..] if one(number) => 6,
                _ => return Err(Unreadable::Form),
            };
            unit = unit.per(below).ok_or(Unreadable::Form)?;
            self.at += taken;
        }
        Ok(Some(unit))
    }

    fn sum(&mut self) -> Result<Expr, Unreadable> {
        let mut terms = Vec::new();
        let negative = self.sign('-');
        if !negative {
            self.sign('+');
        }
        let first = if self.peek() == Some(&Token::PlusMinus) {
            self.at += 1;
            Expr::PlusMinus(Box::new(self.product()?))
        } else {
            self.product()?
        };
        terms.push(negated(first, negative));
        loop {
            if self.sign('+') {
                let term = self.product()?;
                terms.push(term);
            } else if self.sign('-') {
                let term = self.product()?;
                terms.push(negated(term, true));
            } else if self.peek() == Some(&Token::PlusMinus) {
                self.at += 1;
                let term = self.product()?;
                terms.push(Expr::PlusMinus(Box::new(term)));
            } else {
                break;
            }
        }
        Ok(one_or(terms, Expr::Sum))
    }

    fn product(&mut self) -> Result<Expr, Unreadable> {
        let first = self.signed()?;
        let mut factors = vec![first];
        loop {
            if self.sign('*') {
                let factor = self.signed()?;
                factors.push(factor);
            } else if self.peek() == Some(&Token::Sign('/')) && self.bare == 0 {
                self.at += 1;
                let divisor = self.signed()?;
                let top = one_or(std::mem::take(&mut factors), Expr::Product);
                factors.push(Expr::Quotient(Box::new(top), Box::new(divisor)));
            } else if self.begins_factor() {
                let factor = self.power()?;
                factors.push(factor);
            } else {
                break;
            }
        }
        Ok(one_or(factors, Expr::Product))
    }

    /// Whether a factor follows without a sign: `2x`, `5√3`, `2(a+b)`, but not `2 3`.
    fn begins_factor(&self) -> bool {
        match self.peek() {
            Some(Token::Variable(_) | Token::Pi | Token::Root(_) | Token::Fraction(..) | Token::Sign('(')) => true,
            Some(Token::Function(_)) => self.bare == 0,
            _ => false,
        }
    }

    fn signed(&mut self) -> Result<Expr, Unreadable> {
        if self.sign('-') {
            let inner = self.deeper(Self::signed)?;
            return Ok(negated(inner, true));
        }
        if self.sign('+') {
            return self.deeper(Self::signed);
        }
        self.power()
    }

    fn power(&mut self) -> Result<Expr, Unreadable> {
        let mut base = self.primary()?;
        loop {
            if self.sign('^') {
                let exponent = self.deeper(Self::signed_power)?;
                return Ok(Expr::Power(Box::new(base), Box::new(exponent)));
            }
            base = match self.peek() {
                Some(Token::Percent) => Expr::Percent(Box::new(base)),
                Some(Token::Degree) => Expr::Degrees(Box::new(base)),
                _ => return Ok(base),
            };
            self.at += 1;
        }
    }

    fn signed_power(&mut self) -> Result<Expr, Unreadable> {
        if self.sign('-') {
            return Ok(negated(self.deeper(Self::signed_power)?, true));
        }
        self.power()
    }

    fn primary(&mut self) -> Result<Expr, Unreadable> {
        let token = self.peek().cloned().ok_or(Unreadable::Form)?;
        self.at += 1;
        match token {
            Token::Number(value, None) => Ok(self.mixed(value)),
            Token::Number(value, decimals) => Ok(Expr::Number(value, decimals)),
            Token::Fraction(top, bottom) => Ok(quotient(top, bottom)),
            Token::Variable(letter) => Ok(Expr::Variable(letter)),
            Token::Pi => Ok(Expr::Pi),
            Token::Root(degree) => {
                let inner = self.deeper(Self::primary)?;
                Ok(Expr::Root(degree, Box::new(inner)))
            }
            Token::Function(function) => self.deeper(|reader| reader.call(function)),
            Token::Sign('(') => self.deeper(|reader| {
                let bare = std::mem::take(&mut reader.bare);
                let inner = reader.sum()?;
                reader.bare = bare;
                if reader.sign(')') { Ok(inner) } else { Err(Unreadable::Form) }
            }),
            Token::Sign('|') => self.deeper(|reader| {
                let inner = reader.sum()?;
                if reader.sign('|') { Ok(Expr::Call(Function::Abs, Box::new(inner))) } else { Err(Unreadable::Form) }
            }),
            _ => Err(Unreadable::Form),
        }
    }

    /// A whole number, with the fraction that makes it a mixed one: `2 1/2`, `2½`, `2 and 1/2` (read as a gap).
    fn mixed(&mut self, whole: BigRational) -> Expr {
        let parts = match self.tokens.get(self.at..).unwrap_or_default() {
            [Token::Fraction(top, bottom), ..] => Some((1, top.clone(), bottom.clone())),
            [Token::Gap, Token::Number(top, None), Token::Sign('/'), Token::Number(bottom, None), ..] => {
                Some((4, top.to_integer(), bottom.to_integer()))
            }
            _ => None,
        };
        match parts {
            Some((taken, top, bottom)) if !bottom.is_zero() => {
                self.at += taken;
                Expr::Mixed(whole.to_integer(), top, bottom)
            }
            _ => Expr::Number(whole, None),
        }
    }

    fn call(&mut self, function: Function) -> Result<Expr, Unreadable> {
        let mut function = function;
        let mut power = None;
        if self.sign('^') {
            let exponent = self.signed_power()?;
            // `sin^-1` is the angle, `sin^2` a square.
            if exponent == negated(Expr::whole(1), true) {
                function = inverse(function).ok_or(Unreadable::Form)?;
            } else {
                power = Some(exponent);
            }
        }
        let argument = if self.peek() == Some(&Token::Sign('(')) {
            self.primary()?
        } else {
            self.bare += 1;
            let argument = self.bare_argument()?;
            self.bare -= 1;
            argument
        };
        // `sin(30)°` means the angle too.
        let argument = if self.peek() == Some(&Token::Degree) && !matches!(argument, Expr::Degrees(_)) {
            self.at += 1;
            Expr::Degrees(Box::new(argument))
        } else {
            argument
        };
        let value = Expr::Call(function, Box::new(argument));
        Ok(match power {
            Some(exponent) => Expr::Power(Box::new(value), Box::new(exponent)),
            None => value,
        })
    }

    /// The product behind a function without brackets: `sin 2x`, `tan 35°`, `sin π/6`.
    fn bare_argument(&mut self) -> Result<Expr, Unreadable> {
        let mut factors = vec![self.signed()?];
        while matches!(self.peek(), Some(Token::Variable(_) | Token::Pi)) {
            let factor = self.power()?;
            factors.push(factor);
        }
        let product = one_or(factors, Expr::Product);
        let ends_in_pi = matches!(&product, Expr::Pi)
            || matches!(&product, Expr::Product(factors) if factors.last() == Some(&Expr::Pi));
        if ends_in_pi && self.sign('/') {
            let divisor = self.power()?;
            return Ok(Expr::Quotient(Box::new(product), Box::new(divisor)));
        }
        Ok(product)
    }
}

fn inverse(function: Function) -> Option<Function> {
    match function {
        Function::Sin => Some(Function::Asin),
        Function::Cos => Some(Function::Acos),
        Function::Tan => Some(Function::Atan),
        Function::Asin | Function::Acos | Function::Atan | Function::Abs | Function::Log | Function::Ln => None,
    }
}

fn negated(expr: Expr, negative: bool) -> Expr {
    if negative { Expr::Negative(Box::new(expr)) } else { expr }
}

fn quotient(top: BigInt, bottom: BigInt) -> Expr {
    let number = |value| Box::new(Expr::Number(BigRational::from_integer(value), None));
    Expr::Quotient(number(top), number(bottom))
}

fn one_or(mut parts: Vec<Expr>, many: impl FnOnce(Vec<Expr>) -> Expr) -> Expr {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, Some(last)) => {
            parts.push(last);
            many(parts)
        }
        (_, None) => many(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::quantity;
    use crate::text::plain;
    use crate::token::{Setting, Unreadable};

    fn read(text: &str) -> Result<super::Quantity, Unreadable> {
        quantity(&plain(text), &Setting::default())
    }

    #[test]
    fn spellings_of_one_expression_are_one_expression() {
        for (one, other) in [
            ("5√3", "5 root 3"),
            ("5√3", "$5\\sqrt{3}$"),
            ("2 1/2", "2½"),
            ("2½", "2\\frac{1}{2}"),
            ("2x10^3", "2*10^3"),
            ("14 sin 35", "14sin(35)"),
            ("12*tan(35°)", "12 tan 35°"),
            ("9 square metres", "9 m^2"),
            ("12cm squared", "12 cm²"),
            ("3 metres per second", "3 m/s"),
            ("3 m s^-1", "3 m/s"),
        ] {
            assert_eq!(read(one).unwrap(), read(other).unwrap(), "{one}, {other}");
        }
    }

    #[test]
    fn what_is_no_mathematics_is_not_read() {
        for text in
            ["", "dunno", "√", "(4,", "2x -- * 14", "cm^3", "%%", "±", "...", "???", "2 3", "1..2", "-", "5 bananas"]
        {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read(&"(".repeat(500)), Err(Unreadable::Large));
        assert_eq!(read(&"1".repeat(500)), Err(Unreadable::Large));
    }
}
