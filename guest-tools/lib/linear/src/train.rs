//! Logistic regression by stochastic gradient with a step of its own for each weight (AdaGrad), the order of the examples drawn from a
//! fixed seed. Only additions, multiplications, divisions and roots are used, which every machine does alike, so that the same
//! examples give the same bytes.

use crate::slot;

/// A list of features and what it is an example of.
#[derive(Debug, Clone)]
pub struct Example {
    /// Hashes; one that occurs twice counts twice.
    pub features: Vec<u32>,
    /// Whether the score is to be above nothing.
    pub yes: bool,
    /// How much it counts.
    pub weight: f64,
}

/// How to learn.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The table has two to this power of weights.
    pub bits: u32,
    /// How often every example is seen.
    pub epochs: usize,
    /// The first step.
    pub rate: f64,
    /// How strongly weights are drawn to nothing at each step.
    pub decay: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { bits: 16, epochs: 8, rate: 0.15, decay: 1e-6 }
    }
}

/// What was learned.
#[derive(Debug, Clone)]
pub struct Trained {
    weights: Vec<f64>,
}

/// Learns from examples.
#[must_use]
pub fn train(examples: &[Example], options: &Options) -> Trained {
    let mask = (1_usize << options.bits) - 1;
    let mut weights = vec![0.0_f64; mask + 1];
    let mut squares = vec![1e-3_f64; mask + 1];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = Random::new(20_261_123);
    for _ in 0..options.epochs {
        random.shuffle(&mut order);
        for example in order.iter().filter_map(|at| examples.get(*at)) {
            let scale = 1.0 / root(example.features.len());
            let at = |feature: &u32| slot(*feature, mask);
            let sum: f64 = example.features.iter().filter_map(|feature| weights.get(at(feature))).sum();
            let target = if example.yes { 1.0 } else { 0.0 };
            let slope = (sigmoid(sum * scale) - target) * example.weight * scale;
            for feature in &example.features {
                let (Some(weight), Some(square)) = (weights.get_mut(at(feature)), squares.get_mut(at(feature))) else {
                    continue;
                };
                let slope = slope + options.decay * *weight;
                *square += slope * slope;
                *weight -= options.rate * slope / square.sqrt();
            }
        }
    }
    Trained { weights }
}

impl Trained {
    /// The weights as signed bytes, behind the four bytes of their step; the few that are largest are cut off.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are cut to the range before")]
    pub fn bytes(&self) -> Vec<u8> {
        let mut sizes: Vec<f64> = self.weights.iter().map(|weight| weight.abs()).filter(|size| *size > 0.0).collect();
        sizes.sort_by(f64::total_cmp);
        let most = sizes.get(sizes.len().saturating_sub(1 + sizes.len() / 2_000)).copied().unwrap_or(1.0);
        let step = (most / 127.0 * 1e6).ceil().clamp(1.0, 1e9);
        let byte = |weight: &f64| ((weight * 1e6 / step).round().clamp(-127.0, 127.0) as i8).cast_unsigned();
        (step as u32).to_le_bytes().into_iter().chain(self.weights.iter().map(byte)).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "lists have hundreds of features")]
fn root(features: usize) -> f64 {
    (features.max(1) as f64).sqrt()
}

/// `1 / (1 + e^-x)`, with the power as ten squarings: a library's exponential differs from one system to the next.
fn sigmoid(x: f64) -> f64 {
    let x = x.clamp(-30.0, 30.0);
    let power = (0..10).fold(1.0 + x.abs() / 1024.0, |power, _| power * power);
    if x < 0.0 { 1.0 / (1.0 + power) } else { power / (1.0 + power) }
}

/// Numbers that look random and are the same each time (xorshift64*).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A sequence for each seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// A number below a limit; nothing below nothing.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        if limit == 0 { 0 } else { (drawn % limit as u64) as usize }
    }

    /// Whether something that happens so often in a hundred happens now.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several; none of none.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }

    /// Puts items into another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
