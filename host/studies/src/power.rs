//! How likely a study of a design is to find an effect of a given size: by simulating that very design, seeded.

use serde::Serialize;

use crate::design::{Design, Sequence};
use crate::draws::Draws;

/// Studies that are simulated.
pub const SIMULATIONS: u32 = 2_000;

/// Which test decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// Student's t over the differences within participants who met both conditions.
    PairedT,
    /// Welch's t over the participants of two conditions.
    WelchT,
}

impl Test {
    /// The words in files.
    pub const NAMES: [&str; 2] = ["paired-t", "welch-t"];

    /// The test of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "paired-t" => Some(Self::PairedT),
            "welch-t" => Some(Self::WelchT),
            _ => None,
        }
    }
}

/// What is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Assumed {
    /// By how many standard deviations two conditions differ.
    pub effect: f64,
    /// Standard deviation of what is measured.
    pub sd: f64,
    /// Share of the variance that lies between participants, from 0 to below 1.
    pub icc: f64,
    /// Probability of an error of the first kind.
    pub alpha: f64,
    /// The test.
    pub test: Test,
}

impl Assumed {
    /// What a study that says nothing assumes.
    #[must_use]
    pub const fn usual(between: bool) -> Self {
        let test = if between { Test::WelchT } else { Test::PairedT };
        Self { effect: 0.8, sd: 1.0, icc: 0.5, alpha: 0.05, test }
    }
}

/// What came of the simulations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Power {
    /// What was assumed.
    #[serde(flatten)]
    pub assumed: Assumed,
    /// How many studies were simulated.
    pub simulations: u32,
    /// Participants on whose measurements the test rests in the two conditions that are compared, on average.
    pub participants_compared: f64,
    /// Share of the studies in which the test found the effect.
    pub power: f64,
    /// 95 % interval of that share (Wilson).
    pub interval: [f64; 2],
}

/// Simulates a study of that many participants: the first condition differs from the others by the effect, and is compared with the
/// second.
#[must_use]
pub fn power(design: &Design, participants: usize, assumed: Assumed, seed: u64) -> Power {
    let (mut found, mut compared) = (0_u32, 0.0);
    let sequences = design.sequences(participants, seed);
    for study in 0..SIMULATIONS {
        let mut draws = Draws::new(seed, &format!("simulation {study}"));
        // Another two conditions each time: in an incomplete design not all pairs are alike.
        let first = draws.below(design.conditions);
        let second = (first + 1 + draws.below(design.conditions - 1)) % design.conditions;
        let (one, other) = measured(&sequences, (first, second), &assumed, &mut draws);
        let p = match assumed.test {
            Test::PairedT => paired(&one, &other),
            Test::WelchT => welch(&values(&one), &values(&other)),
        };
        compared += count(one.iter().zip(&other).filter(|(one, other)| one.is_some() || other.is_some()).count());
        found += u32::from(p.is_some_and(|p| p < assumed.alpha));
    }
    let simulations = f64::from(SIMULATIONS);
    Power {
        assumed,
        simulations: SIMULATIONS,
        participants_compared: compared / simulations,
        power: f64::from(found) / simulations,
        interval: wilson(f64::from(found), simulations),
    }
}

/// A measurement of each participant in two conditions, where they met them.
fn measured(
    sequences: &[Sequence],
    (first, second): (usize, usize),
    assumed: &Assumed,
    draws: &mut Draws,
) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
    let (between, within) = (assumed.sd * assumed.icc.sqrt(), assumed.sd * (1.0 - assumed.icc).sqrt());
    let mut one = Vec::with_capacity(sequences.len());
    let mut other = Vec::with_capacity(sequences.len());
    for sequence in sequences {
        let person = draws.normal() * between;
        let (in_first, in_second) = (draws.normal() * within, draws.normal() * within);
        one.push(sequence.contains(&first).then_some(person + in_first + assumed.effect * assumed.sd));
        other.push(sequence.contains(&second).then_some(person + in_second));
    }
    (one, other)
}

fn values(measured: &[Option<f64>]) -> Vec<f64> {
    measured.iter().flatten().copied().collect()
}

/// A count as a float: participants are far fewer than its 52 bits hold.
#[expect(clippy::cast_precision_loss, reason = "participants are far fewer than 2^52")]
const fn count(number: usize) -> f64 {
    number as f64
}

fn mean_and_variance(values: &[f64]) -> Option<(f64, f64)> {
    let n = count(values.len());
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    Some((mean, values.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (n - 1.0)))
}

/// Two-sided p of the paired test; none where fewer than two participants met both.
fn paired(one: &[Option<f64>], other: &[Option<f64>]) -> Option<f64> {
    let differences: Vec<f64> = one.iter().zip(other).filter_map(|(one, other)| Some((*one)? - (*other)?)).collect();
    let (mean, variance) = mean_and_variance(&differences)?;
    let n = count(differences.len());
    Some(two_sided(mean / (variance / n).sqrt(), n - 1.0))
}

/// Two-sided p of Welch's test; none where a condition has fewer than two measurements.
fn welch(one: &[f64], other: &[f64]) -> Option<f64> {
    let ((mean_one, variance_one), (mean_other, variance_other)) = (mean_and_variance(one)?, mean_and_variance(other)?);
    let (share_one, share_other) = (variance_one / count(one.len()), variance_other / count(other.len()));
    let together = share_one + share_other;
    let degrees = together.powi(2)
        / (share_one.powi(2) / (count(one.len()) - 1.0) + share_other.powi(2) / (count(other.len()) - 1.0));
    Some(two_sided((mean_one - mean_other) / together.sqrt(), degrees))
}

/// Probability that Student's t of so many degrees of freedom is at least so far from 0.
fn two_sided(t: f64, degrees: f64) -> f64 {
    incomplete_beta(degrees / (degrees + t * t), degrees / 2.0, 0.5)
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8, evaluated after Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges quickly on one side of the mean alone.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..300 {
        let m = f64::from(step);
        for numerator in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / away(1.0 + numerator * d);
            c = away(1.0 + numerator / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * fraction
}

/// Logarithm of the gamma function of a positive number: Stirling's series, after the argument was moved above 10.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < 10.0 {
        below += x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1_260.0 - square / 1_680.0)));
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series - below
}

/// The interval of a share (E. B. Wilson, 1927), for 95 %.
fn wilson(hits: f64, all: f64) -> [f64; 2] {
    const Z: f64 = 1.959_963_984_540_054;
    let share = hits / all;
    let middle = share + Z * Z / (2.0 * all);
    let half = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let whole = 1.0 + Z * Z / all;
    [(middle - half) / whole, (middle + half) / whole]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Kind;

    /// Critical values as tables of Student's t print them (two-sided).
    #[test]
    fn p_values_are_those_of_the_tables() {
        for (t, degrees, p) in [
            (12.706, 1.0, 0.05),
            (2.262, 9.0, 0.05),
            (3.250, 9.0, 0.01),
            (2.042, 30.0, 0.05),
            (1.697, 30.0, 0.10),
            (1.980, 120.0, 0.05),
            (0.0, 5.0, 1.0),
        ] {
            assert!((two_sided(t, degrees) - p).abs() < 2e-4, "t {t}, {degrees}: {}", two_sided(t, degrees));
        }
    }

    /// Figures of power tables (Cohen 1988): paired, effect of the differences .8 with 15 pairs has .82; two groups of 26 have .81.
    #[test]
    fn power_is_that_of_the_tables() {
        let within = Design::new(Kind::Williams, 2, None, None).unwrap();
        // With half of the variance between participants, differences have the variance 2 * .5.
        let paired = power(&within, 15, Assumed::usual(false), 1);
        assert!((0.79..0.86).contains(&paired.power), "{paired:?}");
        let between = Design::new(Kind::PermutedBlocks, 2, None, None).unwrap();
        let welch = power(&between, 52, Assumed { icc: 0.0, ..Assumed::usual(true) }, 1);
        assert!((0.78..0.84).contains(&welch.power), "{welch:?}");
    }

    #[test]
    fn without_an_effect_the_share_is_alpha() {
        let design = Design::new(Kind::Bibd, 5, Some(3), None).unwrap();
        let none = power(&design, 20, Assumed { effect: 0.0, ..Assumed::usual(false) }, 3);
        assert!((0.035..0.065).contains(&none.power), "{none:?}");
        // Of 20, each meets three of five: six meet both of two conditions, and 18 at least one.
        assert!((none.participants_compared - 18.0).abs() < 1e-9, "{none:?}");
    }
}
