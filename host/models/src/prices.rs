//! What a call costs: a dated table that comes with the program, and a file of one's own above it.

use std::path::Path;

use serde::Deserialize;
use ta_core::message::Usage;

use crate::failure::{Failure, Kind};

mod litellm;

/// The table that comes with the program.
const TABLE: &str = include_str!("prices.toml");
/// The window of a model that the table does not know, in tokens: less than any model has that is in use for such work.
const WINDOW_UNKNOWN: u64 = 32_768;
const MILLION: f64 = 1_000_000.0;
/// Stands for every model of a provider.
const ANY: &str = "*";

/// The price of a model, in US dollars for a million tokens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Name of the provider.
    pub provider: String,
    /// The beginning of the model's name, or `*` for all.
    pub model: String,
    /// Tokens sent.
    pub input: f64,
    /// Tokens sent that the provider had in its cache; as the others where it is missing.
    pub cached_read: Option<f64>,
    /// Tokens sent that the provider put into its cache; as the others where it is missing.
    pub cache_write: Option<f64>,
    /// Tokens received.
    pub output: f64,
    /// Most tokens sent for which the price holds.
    pub input_max: Option<u64>,
    /// Tokens of the model's window: what is sent and what is received together.
    pub window: Option<u64>,
}

/// The prices at hand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The day they are of, as `2026-09-30`.
    pub date: String,
    /// Where they are from.
    pub source: String,
    #[serde(rename = "price", default)]
    prices: Vec<Price>,
}

impl Prices {
    /// The table that comes with the program.
    ///
    /// # Errors
    /// Never in a program that passed its tests.
    pub fn shipped() -> Result<Self, Failure> {
        parse(TABLE, "the shipped table")
    }

    /// The shipped table with the entries of a file above it: TOML of the same form, or the JSON that `LiteLLM` publishes.
    ///
    /// # Errors
    /// `model.prices` where the file cannot be read, is of another form, or has a price that is none.
    pub fn load(file: Option<&Path>) -> Result<Self, Failure> {
        let mut prices = Self::shipped()?;
        let Some(file) = file else { return Ok(prices) };
        let shown = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::new(Kind::Prices, format!("The price file {shown} cannot be read: {error}.")))?;
        let own = parse(&text, &shown)?;
        prices.date = format!("{}; your own of {}", prices.date, own.date);
        Ok(prices.with(own.prices))
    }

    /// The same with the entries of an operator above them.
    #[must_use]
    pub fn with(mut self, own: Vec<Price>) -> Self {
        self.prices.retain(|old| !own.iter().any(|new| new.provider == old.provider && new.model == old.model));
        self.prices.extend(own);
        self
    }

    /// The price of a model: the entry with the longest name that fits.
    #[must_use]
    pub fn of(&self, provider: &str, model: &str) -> Option<&Price> {
        let model = model.strip_prefix("models/").unwrap_or(model);
        let fitting = self.prices.iter().filter(|price| price.provider == provider && fits(&price.model, model));
        fitting.max_by_key(|price| if price.model == ANY { 0 } else { price.model.len() })
    }

    /// The window of a model in tokens, and no more of it than its price holds for.
    #[must_use]
    pub fn window(&self, provider: &str, model: &str) -> u64 {
        let Some(price) = self.of(provider, model) else { return WINDOW_UNKNOWN };
        let window = price.window.unwrap_or(WINDOW_UNKNOWN);
        price.input_max.map_or(window, |most| window.min(most))
    }

    /// What a call cost, in US dollars; `None` where no price is known.
    #[must_use]
    pub fn cost(&self, provider: &str, model: &str, usage: &Usage) -> Option<f64> {
        self.of(provider, model).map(|price| price.cost(usage))
    }

    /// The most that a call can cost, in US dollars: all of the input written to the cache, all of the output used.
    /// `None` where no price is known.
    #[must_use]
    pub fn worst_case(&self, provider: &str, model: &str, input_tokens: u64, output_tokens: u64) -> Option<f64> {
        let price = self.of(provider, model)?;
        let usage = Usage { input_tokens, output_tokens, ..Usage::default() };
        let written = Usage { cached_write_tokens: input_tokens, ..usage };
        Some(price.cost(&usage).max(price.cost(&written)))
    }
}

impl Price {
    /// What the provider's cache saved, in US dollars: what the tokens in it would have cost more without it, less what
    /// putting tokens into it cost more.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below the 52 bits that a float keeps")]
    pub fn saved(&self, usage: &Usage) -> f64 {
        if self.input_max.is_some_and(|most| usage.input_tokens > most) {
            return 0.0;
        }
        let read = usage.cached_read_tokens.min(usage.input_tokens);
        let written = usage.cached_write_tokens.min(usage.input_tokens - read);
        let saved = read as f64 * (self.input - self.cached_read.unwrap_or(self.input))
            + written as f64 * (self.input - self.cache_write.unwrap_or(self.input));
        saved / MILLION
    }

    /// What a call cost. What an input longer than the price holds for costs is not known, and surely not less: then all
    /// of it is reckoned with the dearest that is known.
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below the 52 bits that a float keeps")]
    fn cost(&self, usage: &Usage) -> f64 {
        if self.input_max.is_some_and(|most| usage.input_tokens > most) {
            let known = [self.cached_read, self.cache_write].into_iter().flatten();
            let dearest = known.fold(self.input, f64::max);
            return (usage.input_tokens as f64 * dearest + usage.output_tokens as f64 * self.output) / MILLION;
        }
        let read = usage.cached_read_tokens.min(usage.input_tokens);
        let written = usage.cached_write_tokens.min(usage.input_tokens - read);
        let plain = usage.input_tokens - read - written;
        let sum = plain as f64 * self.input
            + read as f64 * self.cached_read.unwrap_or(self.input)
            + written as f64 * self.cache_write.unwrap_or(self.input)
            + usage.output_tokens as f64 * self.output;
        sum / MILLION
    }
}

fn parse(text: &str, name: &str) -> Result<Prices, Failure> {
    let broken = |why: &str| Failure::new(Kind::Prices, format!("The prices of {name} cannot be used: {why}."));
    let prices: Prices = match text.trim_start().strip_prefix('{') {
        Some(_) => litellm::parse(text).map_err(|why| broken(&why))?,
        None => toml::from_str(text).map_err(|error| broken(error.message()))?,
    };
    let sound = |amount: f64| amount.is_finite() && amount >= 0.0;
    for price in &prices.prices {
        let amounts = [Some(price.input), price.cached_read, price.cache_write, Some(price.output)];
        if !amounts.into_iter().flatten().all(sound) {
            return Err(broken(&format!("an amount for `{}` is no price", price.model)));
        }
    }
    Ok(prices)
}

/// Whether an entry is for a model: the same name, or the name with a date or version behind it. `gpt-5.4` is not
/// `gpt-5.4-mini`, and `claude-opus-4` not `claude-opus-4-1`.
fn fits(entry: &str, model: &str) -> bool {
    const VERSION_DIGITS_MIN: usize = 3;
    if entry == ANY || entry == model {
        return true;
    }
    let Some(version) = model.strip_prefix(entry).and_then(|rest| rest.strip_prefix(['-', '@', ':'])) else {
        return false;
    };
    let digits = version.chars().take_while(char::is_ascii_digit).count();
    let rest_is_digits = version.chars().all(|char| char.is_ascii_digit() || char == '-');
    version == "latest" || (digits >= VERSION_DIGITS_MIN && rest_is_digits)
}
