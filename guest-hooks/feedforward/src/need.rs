//! One entry of `needs` in a class profile, as lines of YAML that can be written back with another support.

use crate::shown::one_line;

/// One need of a group, never of a named pupil.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Need {
    /// Its lines, byte for byte.
    pub(crate) raw: String,
    pub(crate) group: String,
    pub(crate) need: String,
    pub(crate) support: String,
}

impl Need {
    /// Reads an entry from its lines, the first of which begins with `-`.
    pub(crate) fn read(raw: &str) -> Self {
        let mut need = Self { raw: raw.to_owned(), ..Self::default() };
        for (name, value) in fields(raw) {
            let place = match name.as_str() {
                "group" => &mut need.group,
                "need" => &mut need.need,
                "support" => &mut need.support,
                _ => continue,
            };
            *place = unquoted(&value);
        }
        need
    }

    /// The same lines with another support; without one it is added.
    pub(crate) fn with_support(&self, support: &str) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut replacing = false;
        let mut done = false;
        for line in self.raw.lines() {
            match key(line) {
                Some((indent, "support", _)) => {
                    (replacing, done) = (true, true);
                    lines.push(format!("{indent}support: {}", quoted(support)));
                }
                Some(_) => {
                    replacing = false;
                    lines.push(line.to_owned());
                }
                None if replacing => {}
                None => lines.push(line.to_owned()),
            }
        }
        if !done {
            let first = self.raw.lines().next().unwrap_or_default();
            let indent = first.len() - first.trim_start().len();
            lines.push(format!("{}support: {}", " ".repeat(indent + 2), quoted(support)));
        }
        lines.join("\n")
    }
}

/// Names and values, continuation lines joined.
fn fields(raw: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in raw.lines() {
        match (key(line), fields.last_mut()) {
            (Some((_, name, value)), _) => fields.push((name.to_owned(), value.trim().to_owned())),
            (None, Some((_, value))) => {
                value.push(' ');
                value.push_str(line.trim());
            }
            (None, None) => {}
        }
    }
    fields
}

/// What stands before the name (with the mark of the list), the name, and the value.
fn key(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.trim_start_matches([' ', '-']);
    let (name, value) = rest.split_once(':')?;
    let named = matches!(name, "group" | "need" | "support") && (value.is_empty() || value.starts_with([' ', '\r']));
    named.then(|| (line.get(..line.len() - rest.len()).unwrap_or_default(), name, value))
}

/// The value without its quotation marks or its mark of a block.
fn unquoted(value: &str) -> String {
    let value = one_line(value);
    let value =
        value.strip_prefix(['|', '>']).map_or(value.as_str(), |rest| rest.trim_start_matches(['-', '+']).trim());
    for mark in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)) {
            return inner.replace("\\\"", "\"").replace("''", "'");
        }
    }
    value.to_owned()
}

/// A value as YAML takes it: quoted where it would otherwise be read as something else.
pub(crate) fn quoted(value: &str) -> String {
    let value = one_line(value);
    let odd_start = value.starts_with(|c: char| !c.is_alphanumeric());
    let word = ["true", "false", "yes", "no", "on", "off", "null"].iter().any(|word| value.eq_ignore_ascii_case(word));
    let number = value.parse::<f64>().is_ok();
    if odd_start || word || number || value.contains(": ") || value.contains(" #") || value.ends_with(':') {
        return format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{Need, quoted};

    const RAW: &str = "  - group: two pupils with English as an additional language\n    need: reading long\n      instructions\n    \
                       support: keywords; \n      paired talk first";

    #[test]
    fn an_entry_is_read_and_written_back() {
        let need = Need::read(RAW);
        assert_eq!(need.group, "two pupils with English as an additional language");
        assert_eq!(
            (need.need.as_str(), need.support.as_str()),
            ("reading long instructions", "keywords; paired talk first")
        );
        assert_eq!(
            need.with_support("pictures: first"),
            "  - group: two pupils with English as an additional language\n    need: reading long\n      instructions\n    \
             support: \"pictures: first\""
        );
        let bare = Need::read("- group: \"a pair\"");
        assert_eq!(bare.group, "a pair");
        assert_eq!(bare.with_support("talk"), "- group: \"a pair\"\n  support: talk");
    }

    #[test]
    fn values_are_quoted_where_yaml_would_misread_them() {
        for (value, expected) in [
            ("sentence starters; talk", "sentence starters; talk"),
            ("- none", "\"- none\""),
            ("say \"why\": always", "\"say \\\"why\\\": always\""),
            ("no", "\"no\""),
            ("14", "\"14\""),
            ("a #b\nc", "\"a #b c\""),
            ("", ""),
        ] {
            assert_eq!(quoted(value), expected);
        }
    }
}
