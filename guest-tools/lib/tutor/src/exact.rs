//! Exact numbers: fractions of whole numbers, in lowest terms.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms, with a denominator above 0.
///
/// No operation overflows: what does not fit is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact {
    numerator: i128,
    denominator: i128,
}

/// The greatest common divisor; of two zeros, 0.
#[must_use]
pub const fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Exact {
    /// A whole number.
    #[must_use]
    pub const fn whole(value: i128) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    /// A fraction; none where the denominator is 0 or a part is too large.
    #[must_use]
    pub const fn new(numerator: i128, denominator: i128) -> Option<Self> {
        // Half of what fits, so that taking the opposite is always possible.
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let common = gcd(numerator, denominator);
        let sign = if denominator < 0 { -1 } else { 1 };
        Some(Self { numerator: sign * numerator / common, denominator: sign * denominator / common })
    }

    /// Reads `7`, `-3`, `2.75` or `3/4`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if let Some((above, below)) = text.split_once('/') {
            return Self::new(above.trim().parse().ok()?, below.trim().parse().ok()?);
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{decimals}");
        if text.ends_with('.') || decimals.starts_with(['+', '-']) {
            return None;
        }
        Self::new(digits.parse().ok()?, 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?)
    }

    /// What stands above the line.
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// What stands below the line.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// Whether it is a whole number.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.denominator == 1
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The product.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.numerator.checked_mul(other.numerator)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The opposite.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self { numerator: -self.numerator, denominator: self.denominator }
    }

    /// One over it; none for 0.
    #[must_use]
    pub const fn inverse(self) -> Option<Self> {
        Self::new(self.denominator, self.numerator)
    }

    /// A whole power, up to the hundredth.
    #[must_use]
    pub fn power(self, exponent: Self) -> Option<Self> {
        let times = exponent.is_whole().then_some(exponent.numerator)?;
        let base = if times < 0 { self.inverse()? } else { self };
        if times.abs() > 100 {
            return None;
        }
        (0..times.abs()).try_fold(Self::whole(1), |product, _| product.times(base))
    }

    /// The square root, where it is a fraction, too.
    #[must_use]
    pub fn root(self) -> Option<Self> {
        let of = |value: i128| (value >= 0).then(|| value.isqrt()).filter(|root| root * root == value);
        Self::new(of(self.numerator)?, of(self.denominator)?)
    }

    /// The largest whole number that is not above it.
    #[must_use]
    pub const fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// Rounded to decimal places; halves go away from 0, as schools round.
    #[must_use]
    pub fn rounded(self, places: u32) -> Option<Self> {
        let scale = Self::whole(10_i128.checked_pow(places)?);
        let scaled = self.absolute().times(scale)?.plus(Self::new(1, 2)?)?;
        let sign = if self.numerator < 0 { -1 } else { 1 };
        Self::whole(sign * scaled.floor()).times(scale.inverse()?)
    }

    /// Without its sign.
    #[must_use]
    pub const fn absolute(self) -> Self {
        Self { numerator: self.numerator.abs(), denominator: self.denominator }
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn real(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// As a decimal, where it ends within six places.
    #[must_use]
    pub fn decimal(self) -> Option<String> {
        let scaled = self.times(Self::whole(1_000_000))?;
        let text = scaled.is_whole().then(|| self.fixed(6))?;
        Some(match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        })
    }

    /// With exactly so many decimal places, rounded.
    #[must_use]
    pub fn fixed(self, places: u32) -> String {
        let scale = 10_i128.saturating_pow(places.min(12));
        let rounded = self.rounded(places.min(12)).unwrap_or(self).times(Self::whole(scale)).unwrap_or(self);
        let (sign, digits) = (if rounded.numerator < 0 { "-" } else { "" }, rounded.numerator.abs());
        match places {
            0 => format!("{sign}{digits}"),
            _ => format!("{sign}{}.{:0width$}", digits / scale, digits % scale, width = places.min(12) as usize),
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let difference = self.plus(other.opposite());
        difference.map_or_else(|| self.real().total_cmp(&other.real()), |it| it.numerator.cmp(&0))
    }
}

/// `7`, `2.75` or `2/3`.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimal() {
            Some(decimal) => f.write_str(&decimal),
            None => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::read(text).unwrap()
    }

    #[test]
    fn numbers_are_read_and_written() {
        for (text, written) in [("6/4", "1.5"), ("-2/6", "-1/3"), ("2.50", "2.5"), ("-0.05", "-0.05"), ("7", "7")] {
            assert_eq!(exact(text).to_string(), written);
        }
        for text in ["", "1/0", "x", "1.", "1.-5"] {
            assert_eq!(Exact::read(text), None, "{text}");
        }
    }

    #[test]
    fn arithmetic_is_exact_and_never_overflows() {
        assert_eq!(exact("1/3").plus(exact("1/6")), Some(exact("1/2")));
        assert_eq!(exact("2/3").power(exact("-2")), Some(exact("9/4")));
        assert_eq!(exact("9/16").root(), Some(exact("3/4")));
        assert_eq!(exact("2").root(), None);
        assert_eq!(Exact::whole(i128::MAX).times(Exact::whole(2)), None);
        assert_eq!(exact("-7/2").floor(), -4);
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        assert_eq!(exact("2.345").fixed(2), "2.35");
        assert_eq!(exact("-2.345").fixed(2), "-2.35");
        assert_eq!(exact("7").fixed(1), "7.0");
        assert_eq!(exact("0.96").fixed(1), "1.0");
        assert_eq!(exact("12.5").fixed(0), "13");
    }
}
