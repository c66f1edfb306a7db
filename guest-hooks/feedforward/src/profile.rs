//! The front matter of a class profile: its plain fields and its needs, each with its own lines.

use crate::need::Need;
use crate::shown::one_line;

/// Needs read of one profile.
const NEEDS_MAX: usize = 40;

/// Lines of front matter that are read.
const LINES_MAX: usize = 400;

/// A plain field with its line, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) raw: String,
}

/// What the front matter says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) fields: Vec<Field>,
    pub(crate) needs: Vec<Need>,
    /// Lines of front matter, fences included; 0 where there is none.
    pub(crate) lines: u32,
}

impl Profile {
    /// Reads the front matter of a class profile. What is not understood is left where it is.
    pub(crate) fn read(text: &str) -> Self {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A line end of Windows stays in what lies between two lines, so that the passage is found again byte for byte.
        let all: Vec<&str> = body.split('\n').take(LINES_MAX).collect();
        let fence = |line: &&str| line.trim_end() == "---";
        let end = all.iter().skip(1).position(fence);
        let (true, Some(end)) = (all.first().is_some_and(fence), end) else { return Self::default() };
        let mut profile = Self { lines: u32::try_from(end + 2).unwrap_or(u32::MAX), ..Self::default() };
        let mut in_needs = false;
        let mut entry: Vec<&str> = Vec::new();
        for line in all.iter().skip(1).take(end) {
            if !line.starts_with([' ', '-', '\t']) {
                profile.take_need(&mut entry);
                in_needs = line.trim_end() == "needs:";
                profile.fields.extend(field(line));
            } else if in_needs && line.trim_start().starts_with('-') {
                profile.take_need(&mut entry);
                entry.push(line);
            } else if !entry.is_empty() {
                entry.push(line);
            }
        }
        profile.take_need(&mut entry);
        profile
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn take_need(&mut self, entry: &mut Vec<&str>) {
        if !entry.is_empty() && self.needs.len() < NEEDS_MAX {
            let need = Need::read(entry.join("\n").trim_end_matches('\r'));
            if !need.group.is_empty() {
                self.needs.push(need);
            }
        }
        entry.clear();
    }
}

fn field(line: &str) -> Option<Field> {
    let (name, value) = line.split_once(':')?;
    let value = one_line(value.split(" #").next().unwrap_or_default());
    let value = value.trim_matches(['"', '\'', '[', ']']).to_owned();
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (plain && !value.is_empty()).then(|| Field {
        name: name.into(),
        value,
        raw: line.trim_end_matches('\r').to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn fields_and_needs_keep_their_lines() {
        let text = "---\nclass: 3B\nlevel: \"third\" # S3\nneeds:\n  - group: two pupils\n    need: reading\n    support: talk\n  \
                    - group: one pupil\nsubjects: [computing, maths]\n---\n# 3B\nlevel: x\n";
        let profile = Profile::read(text);
        let fields: Vec<_> = profile.fields.iter().map(|it| (it.name.as_str(), it.value.as_str())).collect();
        assert_eq!(fields, [("class", "3B"), ("level", "third"), ("subjects", "computing, maths")]);
        assert_eq!(profile.field("level").map(|it| it.raw.as_str()), Some("level: \"third\" # S3"));
        assert_eq!(profile.needs.len(), 2);
        assert_eq!(profile.needs[0].raw, "  - group: two pupils\n    need: reading\n    support: talk");
        assert_eq!(profile.lines, 10);
        let windows = text.replace('\n', "\r\n");
        let of_windows = Profile::read(&windows);
        assert_eq!(of_windows.needs.len(), 2);
        for raw in of_windows.needs.iter().map(|it| &it.raw).chain(of_windows.fields.iter().map(|it| &it.raw)) {
            assert!(windows.contains(&format!("\n{raw}\r\n")), "{raw:?}");
        }
        for text in ["", "# 3B\n", "---\nclass: 3B\n"] {
            assert_eq!(Profile::read(text), Profile::default(), "{text}");
        }
    }
}
