//! Exact numbers and expressions: fractions of polynomials over the rationals, in letters, in the square roots of primes, in π,
//! and in what has no simpler form (`sin 35°`).
//!
//! Square roots of different primes and their products are linearly independent over the rationals (Besicovitch 1940), and π is
//! transcendental (Lindemann 1882). So two expressions in which nothing else occurs are equal exactly where their difference
//! has no terms left.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Most terms of a polynomial, and most products of terms in one multiplication.
const TERMS_MAX: usize = 400;

/// Most bits of a numerator or denominator.
const BITS_MAX: u64 = 6_000;

/// Largest number whose square factors are looked for.
const FACTORED_MAX: u64 = 1_000_000_000;

/// Largest exponent of an expression in letters.
const POWER_MAX: u32 = 40;

/// What a term is a product of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// The square root of a prime.
    Radical(u64),
    /// π
    Pi,
    /// A letter.
    Variable(char),
    /// What has no simpler form, under a digest (FNV-1a, 128 bits) of what it is made of.
    Opaque(u128),
}

/// Why there is no exact form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inexact {
    /// Nought in a denominator, or the root of a negative number.
    Undefined,
    /// It would be too large.
    Large,
}

/// Atoms with their exponents.
pub type Monomial = BTreeMap<Atom, u32>;

/// A sum of products.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Poly(BTreeMap<Monomial, BigRational>);

impl Poly {
    /// A number.
    #[must_use]
    pub fn constant(value: BigRational) -> Self {
        let mut terms = BTreeMap::new();
        if !value.is_zero() {
            terms.insert(Monomial::new(), value);
        }
        Self(terms)
    }

    /// One atom.
    #[must_use]
    pub fn atom(atom: Atom) -> Self {
        Self(BTreeMap::from([(Monomial::from([(atom, 1)]), BigRational::one())]))
    }

    /// The terms.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &BigRational)> {
        self.0.iter()
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The rational number that it is; none where an atom stands in it.
    #[must_use]
    pub fn as_constant(&self) -> Option<BigRational> {
        match self.0.len() {
            0 => Some(BigRational::zero()),
            1 => self.0.get(&Monomial::new()).cloned(),
            _ => None,
        }
    }

    /// Whether an atom of this kind stands in it.
    pub fn has(&self, asked: impl Fn(&Atom) -> bool) -> bool {
        self.0.keys().any(|monomial| monomial.keys().any(&asked))
    }

    /// The sum.
    ///
    /// # Errors
    /// Where it would be too large.
    pub fn plus(&self, other: &Self) -> Result<Self, Inexact> {
        let mut terms = self.0.clone();
        for (monomial, value) in &other.0 {
            add(&mut terms, monomial.clone(), value.clone())?;
        }
        bounded(terms)
    }

    /// The opposite.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self(self.0.iter().map(|(monomial, value)| (monomial.clone(), -value)).collect())
    }

    /// The product.
    ///
    /// # Errors
    /// Where it would be too large.
    pub fn times(&self, other: &Self) -> Result<Self, Inexact> {
        if self.0.len().saturating_mul(other.0.len()) > TERMS_MAX * 4 {
            return Err(Inexact::Large);
        }
        let mut terms = BTreeMap::new();
        for (first, one) in &self.0 {
            for (second, two) in &other.0 {
                let mut value = one * two;
                let mut monomial = first.clone();
                for (atom, exponent) in second {
                    *monomial.entry(atom.clone()).or_insert(0) += exponent;
                }
                reduce(&mut monomial, &mut value);
                add(&mut terms, monomial, value)?;
            }
        }
        bounded(terms)
    }
}

/// The square of a prime's root is the prime.
fn reduce(monomial: &mut Monomial, value: &mut BigRational) {
    monomial.retain(|atom, exponent| {
        if let Atom::Radical(prime) = atom {
            while *exponent >= 2 {
                *exponent -= 2;
                *value *= BigRational::from_integer((*prime).into());
            }
        }
        *exponent > 0
    });
}

fn add(terms: &mut BTreeMap<Monomial, BigRational>, monomial: Monomial, value: BigRational) -> Result<(), Inexact> {
    if value.numer().bits() > BITS_MAX || value.denom().bits() > BITS_MAX {
        return Err(Inexact::Large);
    }
    let sum = terms.get(&monomial).map_or_else(|| value.clone(), |before| before + &value);
    if sum.is_zero() {
        terms.remove(&monomial);
    } else {
        terms.insert(monomial, sum);
    }
    Ok(())
}

fn bounded(terms: BTreeMap<Monomial, BigRational>) -> Result<Poly, Inexact> {
    if terms.len() > TERMS_MAX { Err(Inexact::Large) } else { Ok(Poly(terms)) }
}

/// A polynomial over another that is not nought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction {
    /// What is divided.
    pub top: Poly,
    /// What it is divided by.
    pub bottom: Poly,
}

impl Fraction {
    /// A number.
    #[must_use]
    pub fn constant(value: BigRational) -> Self {
        Self::from(Poly::constant(value))
    }

    /// The rational number that it is; none where an atom stands in it.
    #[must_use]
    pub fn as_constant(&self) -> Option<BigRational> {
        Some(self.top.as_constant()? / self.bottom.as_constant().filter(|bottom| !bottom.is_zero())?)
    }

    /// The sum.
    ///
    /// # Errors
    /// Where it would be too large.
    pub fn plus(&self, other: &Self) -> Result<Self, Inexact> {
        if self.bottom == other.bottom {
            return Self::new(self.top.plus(&other.top)?, self.bottom.clone());
        }
        let top = self.top.times(&other.bottom)?.plus(&other.top.times(&self.bottom)?)?;
        Self::new(top, self.bottom.times(&other.bottom)?)
    }

    /// The product.
    ///
    /// # Errors
    /// Where it would be too large.
    pub fn times(&self, other: &Self) -> Result<Self, Inexact> {
        Self::new(self.top.times(&other.top)?, self.bottom.times(&other.bottom)?)
    }

    /// The quotient.
    ///
    /// # Errors
    /// Where it would be too large, or divides by nought.
    pub fn over(&self, other: &Self) -> Result<Self, Inexact> {
        if other.top.is_zero() {
            return Err(Inexact::Undefined);
        }
        Self::new(self.top.times(&other.bottom)?, self.bottom.times(&other.top)?)
    }

    /// The opposite.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self { top: self.top.negative(), bottom: self.bottom.clone() }
    }

    /// This one to a whole power.
    ///
    /// # Errors
    /// Where it would be too large, or divides by nought.
    pub fn to_power(&self, exponent: &BigInt) -> Result<Self, Inexact> {
        let base = if exponent.is_negative() { Self::constant(BigRational::one()).over(self)? } else { self.clone() };
        let count = exponent.abs().to_u32().ok_or(Inexact::Large)?;
        if let Some(value) = base.as_constant() {
            let bits = value.numer().bits().max(value.denom().bits());
            // Powers of one and of nought stay small, whatever the exponent.
            if bits > 1 && bits.saturating_mul(count.into()) > BITS_MAX {
                return Err(Inexact::Large);
            }
            return Ok(Self::constant(num_traits::pow(value, count as usize)));
        }
        if count > POWER_MAX {
            return Err(Inexact::Large);
        }
        let mut power = Self::constant(BigRational::one());
        for _ in 0..count {
            power = power.times(&base)?;
        }
        Ok(power)
    }

    /// Divides out a denominator that is one term without roots, so that the same number has one form.
    fn new(top: Poly, bottom: Poly) -> Result<Self, Inexact> {
        if bottom.is_zero() {
            return Err(Inexact::Undefined);
        }
        match bottom.as_constant() {
            Some(divisor) => {
                let top = top.times(&Poly::constant(divisor.recip()))?;
                Ok(Self { top, bottom: Poly::constant(BigRational::one()) })
            }
            None => Ok(Self { top, bottom }),
        }
    }
}

impl From<Poly> for Fraction {
    fn from(top: Poly) -> Self {
        Self { top, bottom: Poly::constant(BigRational::one()) }
    }
}

/// The exact square root of a rational number: a rational multiple of roots of primes.
///
/// # Errors
/// Where the number is negative, or too large to be factored.
pub fn square_root(value: &BigRational) -> Result<Poly, Inexact> {
    if value.is_negative() {
        return Err(Inexact::Undefined);
    }
    if value.is_zero() {
        return Ok(Poly::default());
    }
    // √(p/q) = √(pq) / q
    let under = value.numer() * value.denom();
    let whole = under.sqrt();
    if &whole * &whole == under {
        return Ok(Poly::constant(BigRational::new(whole, value.denom().clone())));
    }
    let mut left = under.to_u64().filter(|under| *under <= FACTORED_MAX).ok_or(Inexact::Large)?;
    let mut outside = BigInt::one();
    let mut monomial = Monomial::new();
    let mut prime = 2_u64;
    while prime * prime <= left {
        let mut exponent = 0_u32;
        while left.is_multiple_of(prime) {
            left /= prime;
            exponent += 1;
        }
        outside *= num_traits::pow(BigInt::from(prime), (exponent / 2) as usize);
        if exponent % 2 == 1 {
            monomial.insert(Atom::Radical(prime), 1);
        }
        prime += if prime == 2 { 1 } else { 2 };
    }
    if left > 1 {
        monomial.insert(Atom::Radical(left), 1);
    }
    Ok(Poly(BTreeMap::from([(monomial, BigRational::new(outside, value.denom().clone()))])))
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::{Inexact, square_root};

    fn number(top: i64, bottom: i64) -> BigRational {
        BigRational::new(top.into(), bottom.into())
    }

    #[test]
    fn roots_have_one_form() {
        let root = |top, bottom| square_root(&number(top, bottom)).unwrap();
        assert_eq!(root(9, 4).as_constant(), Some(number(3, 2)));
        assert_eq!(root(75, 1), root(3, 1).times(&root(25, 1)).unwrap());
        assert_eq!(root(3, 1).times(&root(12, 1)).unwrap().as_constant(), Some(number(6, 1)));
        assert_eq!(root(6, 1), root(2, 1).times(&root(3, 1)).unwrap());
        assert_eq!(root(1, 2).times(&root(2, 1)).unwrap().as_constant(), Some(number(1, 1)));
        assert_eq!(square_root(&number(-1, 1)), Err(Inexact::Undefined));
    }
}
