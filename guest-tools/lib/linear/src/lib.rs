//! A linear model over hashed features, small enough to lie in a component: one signed byte for each slot.
//!
//! What is scored is a list of features, each a hash. A score is the sum of their weights, divided by the square root of their
//! number so that long and short texts compare: whole numbers only, so every machine comes to the same score. [`train`]
//! makes the weights; it runs when a developer asks for it, never in a component.

pub mod train;

/// Scores are in thousandths of the training's own unit, the logit.
pub const UNIT: i64 = 1000;

/// The weights of a model and what one step of a byte is worth.
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    /// Millionths of a logit that one step of a byte stands for.
    step: i64,
    weights: &'a [u8],
}

impl<'a> Model<'a> {
    /// Reads what [`train::Trained::bytes`] wrote: the step as four bytes, lowest first, then a power of two of weights.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let (step, weights) = bytes.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
        Self { step: i64::from(u32::from_le_bytes(*step)), weights }
    }

    /// The score of a list of features, in thousandths of a logit; no features score nothing.
    #[must_use]
    pub fn score(&self, features: &[u32]) -> i64 {
        let Some(mask) = self.weights.len().checked_sub(1) else { return 0 };
        let weight =
            |feature: &u32| self.weights.get(slot(*feature, mask)).map_or(0, |byte| i64::from(byte.cast_signed()));
        let sum: i64 = features.iter().map(weight).sum();
        let root = i64::try_from((features.len() * 10_000).isqrt()).unwrap_or(i64::MAX).max(1);
        sum * self.step / 10 / root
    }
}

/// Where a feature's weight stands in a table whose length is a power of two, given as that length less one.
pub(crate) const fn slot(feature: u32, mask: usize) -> usize {
    // The upper half of a product is well mixed where the lower bits of the hash itself are not.
    (feature.wrapping_mul(0x9E37_79B1) >> 7) as usize & mask
}

/// A hash that is built up piece by piece (FNV-1a, 32 bits).
#[derive(Debug, Clone, Copy)]
pub struct Hash(u32);

impl Hash {
    /// Begins with the letter of the feature's kind, so that kinds do not meet.
    #[must_use]
    pub const fn of(kind: u8) -> Self {
        Self((0x811C_9DC5 ^ kind as u32).wrapping_mul(0x0100_0193))
    }

    /// Adds bytes, and an end, so that "ab" and "c" differ from "a" and "bc".
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        text.bytes().fold(self, Self::byte).byte(0xFF)
    }

    /// Adds a byte.
    #[must_use]
    pub const fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u32).wrapping_mul(0x0100_0193))
    }

    /// The feature.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::train::{Example, Options, train};
    use super::{Hash, Model};

    fn features(text: &str) -> Vec<u32> {
        text.split(' ').map(|word| Hash::of(b'w').text(word).end()).collect()
    }

    #[test]
    fn what_is_learned_is_the_sign_of_the_score_and_the_same_each_time() {
        let texts = [("red apple", true), ("red cherry", true), ("green apple", false), ("green cherry", false)];
        let examples: Vec<Example> =
            texts.iter().map(|(text, yes)| Example { features: features(text), yes: *yes, weight: 1.0 }).collect();
        let bytes = train(&examples, &Options { bits: 10, epochs: 30, ..Options::default() }).bytes();
        assert_eq!(bytes, train(&examples, &Options { bits: 10, epochs: 30, ..Options::default() }).bytes());
        let model = Model::new(&bytes);
        assert!(model.score(&features("red pear")) > 300, "{}", model.score(&features("red pear")));
        assert!(model.score(&features("green pear")) < -300);
    }

    #[test]
    fn no_weights_and_no_features_score_nothing() {
        assert_eq!(Model::new(&[]).score(&[1, 2]), 0);
        assert_eq!(Model::new(&[1, 0, 0, 0, 5, 5]).score(&[]), 0);
    }
}
