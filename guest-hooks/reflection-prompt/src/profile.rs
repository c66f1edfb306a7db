//! What the questions need of a class profile: its needs, its period, and what does not work with it.

use crate::words::one_line;

/// Needs and lines that are read of one profile.
const NEEDS_MAX: usize = 40;
const LINES_MAX: usize = 1_000;

/// One need of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) group: String,
    pub(crate) need: String,
    pub(crate) support: String,
}

/// The profile; what is missing is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) class: Option<String>,
    pub(crate) period_minutes: Option<u32>,
    pub(crate) needs: Vec<Need>,
    /// Everything below headings such as "What does not", in lower case.
    pub(crate) works_not: String,
}

impl Profile {
    /// Reads a profile; what is not understood is left out.
    pub(crate) fn read(text: &str) -> Self {
        let mut profile = Self::default();
        let mut fences = 0;
        let mut below_not = false;
        for line in text.trim_start_matches('\u{feff}').lines().take(LINES_MAX) {
            if line.trim_end() == "---" && fences < 2 {
                fences += 1;
            } else if fences == 1 {
                profile.front(line);
            } else if line.starts_with('#') {
                below_not = line.to_lowercase().contains(" not");
            } else if below_not {
                profile.works_not.push_str(&line.to_lowercase());
                profile.works_not.push('\n');
            }
        }
        profile.needs.retain(|need| !need.group.is_empty());
        profile
    }

    fn front(&mut self, line: &str) {
        let rest = line.trim_start();
        let entry = rest.strip_prefix("- ");
        if entry.is_some() && self.needs.len() < NEEDS_MAX {
            self.needs.push(Need::default());
        }
        let Some((name, value)) = entry.unwrap_or(rest).split_once(':') else { return };
        let value = one_line(value).trim_matches(['"', '\'']).to_owned();
        match (name.trim(), self.needs.last_mut()) {
            ("period_minutes", _) => self.period_minutes = value.parse().ok(),
            ("group", Some(need)) => need.group = value,
            ("need", Some(need)) => need.need = value,
            ("support", Some(need)) => need.support = value,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn a_profile_is_read() {
        let profile = Profile::read(include_str!("../../../workspace/classes/3B.md"));
        assert_eq!((profile.period_minutes, profile.needs.len()), (Some(50), 3));
        assert_eq!(profile.needs[1].group, "one dyslexic pupil");
        assert_eq!(profile.needs[0].need, "reading long instructions");
        assert!(profile.works_not.contains("three written instructions") && !profile.works_not.contains("flowchart"));
        assert_eq!(Profile::read("# 3B\n"), Profile::default());
    }
}
