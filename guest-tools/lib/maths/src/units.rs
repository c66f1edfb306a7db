//! Units as learners write them, with what they measure and how large they are.

use num_rational::BigRational;

/// Powers of length, mass, time, money, angle, temperature and count.
pub type Dimension = [i32; 7];

/// A unit: its dimension and its size in metres, grams, seconds, pounds, degrees.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub dimension: Dimension,
    /// How many base units it is.
    pub size: BigRational,
    /// The name, where the table has no such unit: then only the same name is the same unit.
    pub name: Option<String>,
}

const LENGTH: Dimension = [1, 0, 0, 0, 0, 0, 0];
const VOLUME: Dimension = [3, 0, 0, 0, 0, 0, 0];
const AREA: Dimension = [2, 0, 0, 0, 0, 0, 0];
const MASS: Dimension = [0, 1, 0, 0, 0, 0, 0];
const TIME: Dimension = [0, 0, 1, 0, 0, 0, 0];
const SPEED: Dimension = [1, 0, -1, 0, 0, 0, 0];
const POUNDS: Dimension = [0, 0, 0, 1, 0, 0, 0];
const DOLLARS: Dimension = [0, 0, 0, 2, 0, 0, 0];
const EUROS: Dimension = [0, 0, 0, 3, 0, 0, 0];
const ANGLE: Dimension = [0, 0, 0, 0, 1, 0, 0];
const WARMTH: Dimension = [0, 0, 0, 0, 0, 1, 0];

/// Names, dimension, and size as a fraction of base units.
const UNITS: &[(&[&str], Dimension, i64, i64)] = &[
    (&["mm", "millimetre", "millimetres", "millimeter", "millimeters"], LENGTH, 1, 1000),
    (&["cm", "cms", "centimetre", "centimetres", "centimeter", "centimeters"], LENGTH, 1, 100),
    (&["m", "metre", "metres", "meter", "meters"], LENGTH, 1, 1),
    (&["km", "kms", "kilometre", "kilometres", "kilometer", "kilometers"], LENGTH, 1000, 1),
    (&["in", "inch", "inches"], LENGTH, 254, 10_000),
    (&["ft", "foot", "feet"], LENGTH, 3048, 10_000),
    (&["yd", "yard", "yards"], LENGTH, 9144, 10_000),
    (&["mi", "mile", "miles"], LENGTH, 1_609_344, 1000),
    (&["ha", "hectare", "hectares"], AREA, 10_000, 1),
    (&["ml", "millilitre", "millilitres", "milliliter", "milliliters", "cc"], VOLUME, 1, 1_000_000),
    (&["cl", "centilitre", "centilitres"], VOLUME, 1, 100_000),
    (&["l", "litre", "litres", "liter", "liters"], VOLUME, 1, 1000),
    (&["mg", "milligram", "milligrams"], MASS, 1, 1000),
    (&["g", "gram", "grams", "gramme", "grammes"], MASS, 1, 1),
    (&["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"], MASS, 1000, 1),
    (&["t", "tonne", "tonnes"], MASS, 1_000_000, 1),
    (&["ms", "millisecond", "milliseconds"], TIME, 1, 1000),
    (&["s", "sec", "secs", "second", "seconds"], TIME, 1, 1),
    (&["min", "mins", "minute", "minutes"], TIME, 60, 1),
    (&["h", "hr", "hrs", "hour", "hours"], TIME, 3600, 1),
    (&["day", "days"], TIME, 86_400, 1),
    (&["week", "weeks"], TIME, 604_800, 1),
    (&["mph"], SPEED, 1_609_344, 3_600_000),
    (&["kph", "kmh", "kmph"], SPEED, 1000, 3600),
    (&["mps"], SPEED, 1, 1),
    (&["p", "penny", "pence"], POUNDS, 1, 100),
    (&["pound", "pounds", "quid", "gbp"], POUNDS, 1, 1),
    (&["dollar", "dollars"], DOLLARS, 1, 1),
    (&["cent", "cents"], DOLLARS, 1, 100),
    (&["euro", "euros"], EUROS, 1, 1),
    (&["°", "degree", "degrees", "deg"], ANGLE, 1, 1),
];

/// What a currency sign before a number stands for.
#[must_use]
pub fn currency(sign: char) -> Option<Unit> {
    let dimension = match sign {
        '£' => POUNDS,
        '$' => DOLLARS,
        '€' => EUROS,
        _ => return None,
    };
    Some(Unit { dimension, size: ratio(1, 1), name: None })
}

/// A degree of an angle.
#[must_use]
pub fn degree() -> Unit {
    Unit { dimension: ANGLE, size: ratio(1, 1), name: None }
}

/// A degree Celsius.
#[must_use]
pub fn celsius() -> Unit {
    Unit { dimension: WARMTH, size: ratio(1, 1), name: None }
}

/// The unit that an option names, such as `cm^2`, `km/h`, `£`. One that the table does not have stands for itself.
#[must_use]
pub fn named(text: &str) -> Unit {
    let plain = crate::text::plain(text);
    let text = plain.trim();
    let sign = text.chars().next().filter(|_| text.chars().count() == 1).and_then(currency);
    let table = || match text {
        "°" => Some(degree()),
        "°C" | "°c" => Some(celsius()),
        _ => whole(text),
    };
    sign.or_else(table).unwrap_or_else(|| Unit {
        dimension: [0, 0, 0, 0, 0, 0, 1],
        size: ratio(1, 1),
        name: Some(text.to_lowercase()),
    })
}

/// A unit with its divisors, where nothing else stands in the text.
fn whole(text: &str) -> Option<Unit> {
    let (mut unit, mut rest) = read(text)?;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(unit);
        }
        let after = rest.strip_prefix('/').or_else(|| rest.strip_prefix("per "))?;
        let (below, after) = read(after.trim_start())?;
        unit = unit.per(&below)?;
        rest = after;
    }
}

/// Reads a unit at the start: `cm`, `cm2`, `cm^2`, `cm squared` (as `cm ^2`), `square cm`, `cubic metres`; and what follows it.
#[must_use]
pub fn read(text: &str) -> Option<(Unit, &str)> {
    let (word, after) = letters(text)?;
    let raised = match word.to_lowercase().as_str() {
        "square" | "sq" => Some(2),
        "cubic" | "cu" => Some(3),
        _ => None,
    };
    if let Some(power) = raised {
        let (word, after) = letters(after.trim_start_matches(['.', ' ']))?;
        return Some((simple(word)?.raised(power)?, after));
    }
    // `ms^-1` is metres per second, though `ms` alone is a millisecond.
    for (letters, name) in [("ms", "mps"), ("kmh", "kph")] {
        let below = after.strip_prefix("^-1").or_else(|| after.strip_prefix("^(-1)"));
        if let (true, Some(after)) = (word == letters, below) {
            return Some((simple(name)?, after));
        }
    }
    let unit = simple(word)?;
    let spaced = after.trim_start();
    for (written, power) in [("^2", 2), ("^3", 3), ("^(2)", 2), ("^(3)", 3)] {
        if let Some(after) = spaced.strip_prefix(written) {
            return Some((unit.raised(power)?, after));
        }
    }
    for (written, power) in [("2", 2), ("3", 3)] {
        if let Some(after) =
            after.strip_prefix(written).filter(|after| !after.starts_with(|next: char| next.is_ascii_digit()))
        {
            return Some((unit.raised(power)?, after));
        }
    }
    Some((unit, after))
}

fn letters(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    text.split_at_checked(end).filter(|(word, _)| !word.is_empty())
}

fn simple(word: &str) -> Option<Unit> {
    let lower = word.to_lowercase();
    let (_, dimension, top, bottom) = UNITS.iter().find(|(names, ..)| names.contains(&lower.as_str()))?;
    Some(Unit { dimension: *dimension, size: ratio(*top, *bottom), name: None })
}

impl Unit {
    /// The unit of an area or a volume from one of a length.
    fn raised(&self, power: i32) -> Option<Self> {
        let size = num_traits::pow(self.size.clone(), usize::try_from(power).ok()?);
        (self.dimension == LENGTH).then(|| Self {
            dimension: self.dimension.map(|part| part * power),
            size,
            name: None,
        })
    }

    /// This unit for each of another; none where one of them is not in the table, or too much is divided by.
    #[must_use]
    pub fn per(&self, other: &Self) -> Option<Self> {
        if self.name.is_some() || other.name.is_some() {
            return None;
        }
        let mut dimension = self.dimension;
        for (part, divisor) in dimension.iter_mut().zip(other.dimension) {
            *part = part.checked_sub(divisor).filter(|part| part.abs() <= 9)?;
        }
        Some(Self { dimension, size: &self.size / &other.size, name: None })
    }

    /// Whether it measures the same thing.
    #[must_use]
    pub fn like(&self, other: &Self) -> bool {
        self.dimension == other.dimension && self.name == other.name
    }
}

fn ratio(top: i64, bottom: i64) -> BigRational {
    BigRational::new(top.into(), bottom.into())
}

#[cfg(test)]
mod tests {
    use super::{named, ratio, read};

    #[test]
    fn spellings_of_one_unit_are_one_unit() {
        for (one, other) in [
            ("cm^2", "cm2"),
            ("cm^2", "square centimetres"),
            ("cm²", "sq cm"),
            ("km/h", "kph"),
            ("miles per hour", "mph"),
            ("£", "pounds"),
            ("°", "degrees"),
            ("l", "litres"),
        ] {
            assert_eq!(named(one), named(other), "{one}, {other}");
        }
    }

    #[test]
    fn sizes_are_exact_and_dimensions_apart() {
        assert_eq!(named("litre").size, named("cm^3").size * ratio(1000, 1));
        assert_eq!(named("km/h").size, ratio(5, 18));
        assert!(!named("cm").like(&named("cm^2")));
        assert!(named("p").like(&named("£")));
        assert!(!named("pupils").like(&named("apples")));
        assert!(read("dunno").is_none());
    }
}
