//! Random draws that anyone can make again: SHA-256 over the seed, what is drawn for, and a counter.
//!
//! No generator of a library stands behind them, whose next version might draw otherwise: a published assignment can be checked
//! years later with any language that has SHA-256. Block number `n` is `SHA-256("<seed>/<purpose>/<n>")`, read as four
//! unsigned 64-bit numbers, the most significant byte first.

use sha2::{Digest, Sha256};

/// Bytes of one number.
const NUMBER_BYTES: usize = 8;
/// Bits of a float's fraction: a number between 0 and 1 has no more.
const FRACTION_BITS: u32 = 53;

/// A sequence of draws.
#[derive(Debug, Clone)]
pub struct Draws {
    label: String,
    block: u64,
    left: Vec<u64>,
}

impl Draws {
    /// The draws of a seed for one purpose: what is drawn for another purpose is independent of them.
    #[must_use]
    pub fn new(seed: u64, purpose: &str) -> Self {
        Self { label: format!("{seed}/{purpose}"), block: 0, left: Vec::new() }
    }

    /// The next number, of all that 64 bits hold.
    pub fn number(&mut self) -> u64 {
        loop {
            if let Some(number) = self.left.pop() {
                return number;
            }
            let digest = Sha256::digest(format!("{}/{}", self.label, self.block));
            self.block = self.block.wrapping_add(1);
            let read = |bytes: &[u8]| bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            self.left = digest.as_slice().chunks(NUMBER_BYTES).rev().map(read).collect();
        }
    }

    /// A whole number from 0 to below `bound`, each as likely as the others; 0 where the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let Ok(bound) = u64::try_from(bound) else { return 0 };
        if bound == 0 {
            return 0;
        }
        // Numbers above the last whole multiple would make small results likelier: they are drawn again.
        let most = u64::MAX - u64::MAX % bound;
        loop {
            let number = self.number();
            if number < most {
                return usize::try_from(number % bound).unwrap_or(0);
            }
        }
    }

    /// Puts items into a random order, each order as likely as the others (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }

    /// A number from 0 to below 1.
    #[expect(clippy::cast_precision_loss, reason = "both numbers have no more bits than a float keeps")]
    pub fn unit(&mut self) -> f64 {
        (self.number() >> (u64::BITS - FRACTION_BITS)) as f64 / (1_u64 << FRACTION_BITS) as f64
    }

    /// A number of the standard normal distribution (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let (one, other) = (1.0 - self.unit(), self.unit());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
    }
}

/// A seed that nobody knows yet.
///
/// # Errors
/// Where the system gives no randomness.
pub fn fresh_seed() -> Result<u64, ta_runtime::RuntimeError> {
    let mut bytes = [0_u8; NUMBER_BYTES];
    fill(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}

/// Fills bytes with what nobody guesses.
///
/// # Errors
/// Where the system gives no randomness.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), ta_runtime::RuntimeError> {
    getrandom::fill(bytes).map_err(|error| {
        let message = format!("the system gives no randomness: {error}");
        ta_runtime::RuntimeError::environment("host.random", message, "look at the system")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with `hashlib` of Python: `int.from_bytes(sha256(b"7/order/0").digest()[:8])` and what follows it.
    #[test]
    fn draws_are_those_of_any_sha256() {
        let mut draws = Draws::new(7, "order");
        let drawn: Vec<u64> = (0..5).map(|_| draws.number()).collect();
        assert_eq!(drawn, DRAWN);
    }

    #[test]
    fn every_number_below_a_bound_is_drawn_about_as_often() {
        let mut draws = Draws::new(1, "below");
        let mut counts = [0_u32; 7];
        (0..7_000).for_each(|_| counts[draws.below(7)] += 1);
        assert!(counts.iter().all(|count| (880..1_120).contains(count)), "{counts:?}");
        assert_eq!(draws.below(0), 0);
    }

    #[test]
    fn normal_draws_have_mean_zero_and_variance_one() {
        let mut draws = Draws::new(1, "normal");
        let drawn: Vec<f64> = (0..20_000).map(|_| draws.normal()).collect();
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        let variance = drawn.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.04, "{mean} {variance}");
    }

    const DRAWN: [u64; 5] = [
        3_933_675_952_938_988_798,
        14_900_801_400_429_222_537,
        16_507_625_460_569_597_310,
        2_124_704_287_075_410_002,
        17_007_981_365_481_018_054,
    ];
}
