//! Expressions as they were written, so that both their value and their form can be judged.

use num_bigint::BigInt;
use num_rational::BigRational;

/// What an angle without a degree sign is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Angle {
    /// A full turn is 360.
    Degrees,
    /// A full turn is 2π.
    Radians,
}

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Function {
    /// Sine of an angle.
    Sin,
    /// Cosine of an angle.
    Cos,
    /// Tangent of an angle.
    Tan,
    /// The angle with this sine.
    Asin,
    /// The angle with this cosine.
    Acos,
    /// The angle with this tangent.
    Atan,
    /// The distance from nought.
    Abs,
    /// Logarithm to base ten.
    Log,
    /// Natural logarithm.
    Ln,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A numeral, with the number of digits behind its point; none where it has no point.
    Number(BigRational, Option<usize>),
    /// A whole number and a fraction, `2 1/2`: whole, numerator, denominator.
    Mixed(BigInt, BigInt, BigInt),
    /// Hundredths.
    Percent(Box<Expr>),
    /// An angle with a degree sign.
    Degrees(Box<Expr>),
    /// The ratio of a circle's circumference to its diameter.
    Pi,
    /// A letter.
    Variable(char),
    /// The opposite number.
    Negative(Box<Expr>),
    /// Both signs: two values.
    PlusMinus(Box<Expr>),
    /// Terms that are added.
    Sum(Vec<Expr>),
    /// Factors that are multiplied.
    Product(Vec<Expr>),
    /// A division.
    Quotient(Box<Expr>, Box<Expr>),
    /// A power.
    Power(Box<Expr>, Box<Expr>),
    /// A root of this degree.
    Root(u32, Box<Expr>),
    /// A function's value.
    Call(Function, Box<Expr>),
}

impl Expr {
    /// A whole number.
    #[must_use]
    pub fn whole(value: i64) -> Self {
        Self::Number(BigRational::from_integer(value.into()), None)
    }

    /// The expressions that this one is made of.
    #[must_use]
    pub fn children(&self) -> Vec<&Self> {
        match self {
            Self::Number(..) | Self::Mixed(..) | Self::Pi | Self::Variable(_) => Vec::new(),
            Self::Percent(inner)
            | Self::Degrees(inner)
            | Self::Negative(inner)
            | Self::PlusMinus(inner)
            | Self::Root(_, inner)
            | Self::Call(_, inner) => vec![inner],
            Self::Sum(parts) | Self::Product(parts) => parts.iter().collect(),
            Self::Quotient(first, second) | Self::Power(first, second) => vec![first, second],
        }
    }

    /// Whether this expression or one that it is made of is as asked for.
    pub fn any(&self, asked: &dyn Fn(&Self) -> bool) -> bool {
        asked(self) || self.children().into_iter().any(|child| child.any(asked))
    }

    /// The letters in it, each once, in the order of the alphabet.
    #[must_use]
    pub fn variables(&self) -> Vec<char> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect(&self, found: &mut Vec<char>) {
        if let Self::Variable(letter) = self {
            found.push(*letter);
        }
        self.children().into_iter().for_each(|child| child.collect(found));
    }

    /// Whether it is a number: no letter stands in it.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        !self.any(&|part| matches!(part, Self::Variable(_)))
    }
}
