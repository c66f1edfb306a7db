//! Configuration values that are refused rather than guessed at.

use std::str::FromStr;

use crate::types::Abort;

/// Parses the value of a configuration entry; none is the default.
///
/// # Errors
/// A value that does not parse, as the abort (code `configuration`) that a hook answers with: a guardrail that runs with
/// another setting than the one written down would mislead whoever relies on it. `expected` completes "expected …".
pub fn setting<T: FromStr>(name: &str, value: Option<String>, default: T, expected: &str) -> Result<T, Abort> {
    let Some(value) = value else { return Ok(default) };
    let reason =
        || format!("The configuration says {name} = \"{value}\"; expected {expected}. Mend it in the manifest.");
    value.trim().parse().map_err(|_| Abort::fault("configuration", reason()))
}

#[cfg(test)]
mod tests {
    use super::setting;

    #[test]
    fn nothing_is_the_default_and_nonsense_is_refused() {
        assert_eq!(setting("rounds", None, 10, "a whole number"), Ok(10));
        assert_eq!(setting("rounds", Some(" 3 ".into()), 10, "a whole number"), Ok(3));
        let abort = setting("rounds", Some("many".into()), 10, "a whole number").unwrap_err();
        assert_eq!(abort.code, "configuration");
        assert_eq!(
            abort.reason,
            "The configuration says rounds = \"many\"; expected a whole number. Mend it in the manifest."
        );
    }
}
