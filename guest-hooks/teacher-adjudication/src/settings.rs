//! The configuration: what is asked and what has to be decided.

use std::str::FromStr;

use ta_guest::{Abort, setting};

/// Rounds of rework before the host stops: more than a teacher has patience for, fewer than a budget has money for.
const ROUNDS_DEFAULT: u32 = 10;

/// A heading that planners write for the reader's information; there is nothing to decide about it.
const SKIP_DEFAULT: &str = "About this draft";

/// What a decision is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Each section by itself.
    Sections,
    /// The lesson as a whole.
    Bundle,
}

impl FromStr for Mode {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "sections" => Ok(Self::Sections),
            "bundle" => Ok(Self::Bundle),
            _ => Err(()),
        }
    }
}

/// The configuration, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) mode: Mode,
    /// Headings that are not asked about.
    pub(crate) skip: Vec<String>,
    /// Whether nothing is finalised before everything has been decided.
    pub(crate) require_decisions: bool,
    /// Rounds of rework before the host stops.
    pub(crate) rounds: u32,
}

impl Settings {
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, Abort> {
        let skip = get("skip").unwrap_or_else(|| SKIP_DEFAULT.into());
        let rounds = setting("rounds", get("rounds"), ROUNDS_DEFAULT, "a whole number")?;
        Ok(Self {
            mode: setting("mode", get("mode"), Mode::Sections, "`sections` or `bundle`")?,
            skip: skip.split(',').map(str::trim).filter(|heading| !heading.is_empty()).map(str::to_owned).collect(),
            require_decisions: setting("require-decisions", get("require-decisions"), false, "`true` or `false`")?,
            rounds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, Settings};

    #[test]
    fn settings_have_defaults_and_nonsense_is_refused() {
        let settings = Settings::read(|_| None).unwrap();
        assert_eq!(settings.skip, ["About this draft"]);
        assert_eq!((settings.mode, settings.require_decisions, settings.rounds), (Mode::Sections, false, 10));

        let get = |name: &str| match name {
            "mode" => Some("bundle".into()),
            "skip" => Some(" Sources , ".into()),
            "require-decisions" => Some("true".into()),
            _ => Some("3".into()),
        };
        let settings = Settings::read(get).unwrap();
        assert_eq!(settings.skip, ["Sources"]);
        assert_eq!((settings.mode, settings.require_decisions, settings.rounds), (Mode::Bundle, true, 3));

        for name in ["mode", "rounds", "require-decisions"] {
            let abort = Settings::read(|asked| (asked == name).then(|| "perhaps".into())).unwrap_err();
            assert_eq!(abort.code, "configuration");
            assert!(abort.reason.contains(name), "{}", abort.reason);
        }
    }
}
