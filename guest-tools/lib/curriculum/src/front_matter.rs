//! Plain fields of front matter, such as that of a class profile, for who needs one line of it and no more.

/// The value of a plain field of front matter, without quotation marks or the comment after it; none where it is missing or empty.
#[must_use]
pub fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    lines.next().filter(|line| line.trim_end() == "---")?;
    let value = lines
        .take_while(|line| line.trim_end() != "---")
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then_some(value)
}

/// The values of a field that holds a list on one line: `subjects: [maths, computing]`.
#[must_use]
pub fn list(text: &str, name: &str) -> Vec<String> {
    let values = field(text, name).unwrap_or_default().trim_matches(['[', ']']);
    let values = values.split(',').map(|value| value.trim().trim_matches(['"', '\'']).to_owned());
    values.filter(|value| !value.is_empty()).collect()
}

/// Where the profile of a class lies; none for a name that may not become part of a path.
#[must_use]
pub fn profile_path(class: &str) -> Option<String> {
    let plain = !class.is_empty() && class.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    plain.then(|| format!("classes/{class}.md"))
}

#[cfg(test)]
mod tests {
    use super::{field, list};

    const PROFILE: &str =
        "---\nclass: 3B\nlevel: \"third\" # S3\nsubjects: [computing, \"maths\"]\nempty:\n---\nyear: S1\n";

    #[test]
    fn a_field_is_read_between_the_fences_only() {
        assert_eq!(field(PROFILE, "level"), Some("third"));
        assert_eq!(
            (field(PROFILE, "empty"), field(PROFILE, "year"), field("level: third", "level")),
            (None, None, None)
        );
    }

    #[test]
    fn a_list_is_read_from_its_line() {
        assert_eq!(list(PROFILE, "subjects"), ["computing", "maths"]);
        assert!(list(PROFILE, "needs").is_empty());
    }
}
