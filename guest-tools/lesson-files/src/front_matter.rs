//! A markdown file and its front matter, as the host takes it apart.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_saphyr::Spanned;

use crate::fields::{Field, Fields};

/// A markdown file taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Document<'a> {
    /// The fields of its front matter; none where it has no front matter.
    pub(crate) fields: Option<Fields>,
    /// The text below it.
    pub(crate) body: &'a str,
}

/// Takes a markdown file apart. Fences are lines of their own: a `---` within a value is none. None where the front matter does not
/// end or is no YAML: the host says so of every file before it asks anybody else.
pub(crate) fn markdown<'a>(file: &str, text: &'a str) -> Option<Document<'a>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let opens = lines.next().is_some_and(|line| line.trim_end() == "---");
    if !opens {
        return Some(Document { fields: None, body: text });
    }
    let mut offset = text.find('\n').map_or(text.len(), |at| at + 1);
    let start = offset;
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            let yaml = text.get(start..offset).unwrap_or_default();
            let body = text.get(offset + line.len()..).unwrap_or_default();
            return Some(Document { fields: Some(fields(file, yaml)?), body });
        }
        offset += line.len();
    }
    None
}

fn fields(file: &str, yaml: &str) -> Option<Fields> {
    let mut fields = Fields { file: file.to_owned(), ..Fields::default() };
    if yaml.trim().is_empty() {
        return Some(fields);
    }
    let parsed: BTreeMap<String, Spanned<Value>> = serde_saphyr::from_str(yaml).ok()?;
    for (name, spanned) in parsed {
        // The fence is line 1, so what YAML counts as line 1 is line 2 of the file.
        let line = usize::try_from(spanned.referenced.line()).unwrap_or(0) + 1;
        fields.fields.insert(name, Field { line, value: spanned.value });
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_know_their_lines() {
        let document =
            markdown("a.md", "---\nname: x\n\nquote: 'a --- b'\nlist: [1, two]\n---\nBody\n---\nmore\n").unwrap();
        let fields = document.fields.unwrap();
        let lines: Vec<(&str, usize)> = fields.fields.iter().map(|(name, field)| (name.as_str(), field.line)).collect();
        assert_eq!(lines, [("list", 5), ("name", 2), ("quote", 4)]);
        assert_eq!(document.body, "Body\n---\nmore\n");
        assert_eq!(markdown("a.md", "---\nname: x\n"), None);
        assert_eq!(markdown("a.md", "# just text").unwrap().fields, None);
    }
}
