//! Which capability a request is for: signals are patterns and keywords, each with a confidence, and the best of those that are
//! found decides.
//!
//! Pure: it is given signals and a text, and answers in time that is linear in the text. It asks no model, and it does not know which
//! agent stands behind a capability.
//!
//! Start reading at [`Router`].

mod recent;
mod words;

use regex::bytes::{RegexBuilder, RegexSet, RegexSetBuilder};

pub use recent::Recent;
use words::Words;

/// The confidence from which on a request is taken as understood.
pub const SURE: f64 = 0.75;
/// Bytes of a request that are looked at: what somebody wants stands at its beginning, and a pasted document behind it.
pub const TEXT_BYTES_MAX: usize = 4096;
/// Bytes that one compiled pattern may take: `(a{1,100}){1,100}` is refused, and a long list of words is not.
pub const PATTERN_BYTES_MAX: usize = 256 * 1024;
/// Bytes that all compiled patterns together may take.
const PATTERNS_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Bytes that looking for patterns may take at any time. The engine gives states up where they do not fit, and still answers.
const SEARCH_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Words or a pattern that tell of a capability. At least one of both is there; either counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Signal {
    /// The capability.
    pub capability: String,
    /// A regular expression, found anywhere in the request; capitals do not count.
    pub pattern: Option<String>,
    /// Words, or several words in a row, found as whole words; capitals do not count.
    pub keywords: Vec<String>,
    /// How sure the capability is where this signal is found, from 0 to 1.
    pub confidence: f64,
}

/// Why a signal cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSignal {
    /// Its place in the list that the router was made from.
    pub at: usize,
    /// A stable word.
    pub code: &'static str,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// What a request is taken for.
#[derive(Debug, Clone, PartialEq)]
pub struct Routed<'a> {
    /// The capability of the best signal; none where no signal is found.
    pub capability: Option<&'a str>,
    /// Its confidence; 0 where no signal is found.
    pub confidence: f64,
    /// Other capabilities whose best signal is as good.
    pub tied: Vec<&'a str>,
}

impl Routed<'_> {
    /// Whether it may be acted on without asking: above the line, and no other capability is as good.
    #[must_use]
    pub fn sure(&self) -> bool {
        self.capability.is_some() && self.confidence >= SURE && self.tied.is_empty()
    }
}

/// Signals, ready to be looked for.
#[derive(Debug)]
pub struct Router {
    signals: Vec<Signal>,
    words: Words,
    /// Patterns that need nothing but ASCII's classes: the engine runs these in one pass, whatever the text is.
    plain: Patterns,
    /// Patterns with letters or classes beyond ASCII.
    unicode: Patterns,
}

/// Patterns that are looked for together.
#[derive(Debug)]
struct Patterns {
    set: RegexSet,
    /// The signal of each pattern.
    of: Vec<usize>,
}

impl Router {
    /// Makes signals ready.
    ///
    /// # Errors
    /// Every signal that cannot be used: `signal.pattern` for one that is no regular expression or too large, `signal.empty` for one
    /// with neither pattern nor keyword, `signal.confidence` for one outside 0 to 1.
    pub fn new(signals: Vec<Signal>) -> Result<Self, Vec<BadSignal>> {
        let mut bad = Vec::new();
        let (mut words, mut plain, mut unicode) = (Words::default(), Vec::new(), Vec::new());
        for (at, signal) in signals.iter().enumerate() {
            if let Err((code, message)) = checked(signal) {
                bad.push(BadSignal { at, code, message });
            }
            for keyword in &signal.keywords {
                words.add(keyword, at);
            }
            match signal.pattern.as_deref().map(|pattern| (pattern, compiles(pattern, false))) {
                None => {}
                Some((pattern, Ok(()))) if pattern.is_ascii() => plain.push(at),
                Some((pattern, _)) => match compiles(pattern, true) {
                    Ok(()) => unicode.push(at),
                    Err(message) => bad.push(BadSignal { at, code: "signal.pattern", message }),
                },
            }
        }
        if !bad.is_empty() {
            return Err(bad);
        }
        let of = |of: Vec<usize>, with| Patterns::of(&signals, of, with);
        let (plain, unicode) = (of(plain, false)?, of(unicode, true)?);
        Ok(Self { words, plain, unicode, signals })
    }

    /// The signals, in the order in which they were given.
    #[must_use]
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// What a request is taken for: the best signal that is found in it.
    #[must_use]
    pub fn route(&self, text: &str) -> Routed<'_> {
        let text = beginning(text).to_lowercase();
        let mut found = self.words.found(&text);
        found.extend(self.plain.found(&text));
        found.extend(self.unicode.found(&text));
        found.sort_unstable();
        found.dedup();
        let mut best = Routed { capability: None, confidence: 0.0, tied: Vec::new() };
        for signal in found.into_iter().filter_map(|at| self.signals.get(at)) {
            let (name, better) = (signal.capability.as_str(), steps(signal.confidence).cmp(&steps(best.confidence)));
            let known = best.capability == Some(name) || best.tied.contains(&name);
            match (best.capability, better) {
                (None, _) | (_, std::cmp::Ordering::Greater) => {
                    best = Routed { capability: Some(name), confidence: signal.confidence, tied: Vec::new() };
                }
                (_, std::cmp::Ordering::Equal) if !known => best.tied.push(name),
                _ => {}
            }
        }
        best
    }
}

impl Patterns {
    fn of(signals: &[Signal], of: Vec<usize>, unicode: bool) -> Result<Self, Vec<BadSignal>> {
        let patterns = of.iter().filter_map(|at| signals.get(*at)?.pattern.as_deref());
        let set = RegexSetBuilder::new(patterns)
            .case_insensitive(true)
            .unicode(unicode)
            .size_limit(PATTERNS_BYTES_MAX)
            .dfa_size_limit(SEARCH_BYTES_MAX)
            .build();
        match set {
            Ok(set) => Ok(Self { set, of }),
            Err(error) => {
                let at = of.last().copied().unwrap_or_default();
                let message = format!("all patterns together are too large: {}", one_line(&error.to_string()));
                Err(vec![BadSignal { at, code: "signal.pattern", message }])
            }
        }
    }

    fn found(&self, text: &str) -> impl Iterator<Item = usize> {
        self.set.matches(text.as_bytes()).into_iter().filter_map(|at| self.of.get(at).copied())
    }
}

/// Whether a signal is one at all; its pattern is looked at where it is compiled.
fn checked(signal: &Signal) -> Result<(), (&'static str, String)> {
    if !(0.0..=1.0).contains(&signal.confidence) {
        return Err(("signal.confidence", format!("the confidence {} is not between 0 and 1", signal.confidence)));
    }
    let no_word = |keyword: &&String| words::split(&keyword.to_lowercase()).next().is_none();
    if let Some(keyword) = signal.keywords.iter().find(no_word) {
        return Err(("signal.empty", format!("the keyword `{keyword}` holds no word")));
    }
    if signal.pattern.is_none() && signal.keywords.is_empty() {
        return Err(("signal.empty", "the signal has neither a pattern nor a keyword".to_owned()));
    }
    Ok(())
}

/// Whether a pattern can be compiled within its limit, and is no pattern that every text fits.
fn compiles(pattern: &str, unicode: bool) -> Result<(), String> {
    let mut builder = RegexBuilder::new(pattern);
    let built = builder.case_insensitive(true).unicode(unicode).size_limit(PATTERN_BYTES_MAX).build();
    match built {
        Err(regex::Error::CompiledTooBig(limit)) => {
            Err(format!("the pattern would take more than {limit} bytes: shorten what it repeats"))
        }
        Err(error) => Err(format!("the pattern is no regular expression: {}", one_line(&error.to_string()))),
        Ok(regex) if regex.is_match(b"") => Err("the pattern fits every text, also an empty one".to_owned()),
        Ok(_) => Ok(()),
    }
}

/// The last line of a message of the engine says what is wrong; the lines before it draw where.
fn one_line(text: &str) -> &str {
    text.lines().last().unwrap_or(text).trim_start_matches("error: ")
}

/// Confidences are compared in thousandths: two that look the same are the same.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a confidence lies between 0 and 1")]
fn steps(confidence: f64) -> u32 {
    (confidence * 1000.0).round() as u32
}

/// The beginning of a text, cut between two characters.
fn beginning(text: &str) -> &str {
    let end = (0..=TEXT_BYTES_MAX.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}
