//! Skills in three tiers: a line in the prompt, a body, reference files; inline references are expanded.

use std::collections::BTreeMap;

/// How deep references may refer.
pub const REFERENCE_DEPTH_MAX: usize = 5;
/// Bytes of an expanded text: references that multiply stop here.
pub const EXPANDED_BYTES_MAX: usize = 256 * 1024;
const OPEN: &str = "[skill:";

/// A skill of a plugin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skill {
    /// Its name, which is its directory's.
    pub name: String,
    /// Its line in the prompt.
    pub description: String,
    /// The text of `SKILL.md` below its front matter.
    pub body: String,
    /// Its reference files, by path below the skill.
    pub files: BTreeMap<String, String>,
}

/// A text as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// 2 for a body, 3 for a reference file.
    pub tier: u8,
    /// The text.
    pub text: String,
    /// References that could not be expanded; each stands in the text as well.
    pub problems: Vec<String>,
}

/// The text of `name` or `name/file`, with `[skill:name]` and `[skill:name/file]` in it expanded.
///
/// # Errors
/// A sentence that says what there is, where the reference names nothing.
pub fn read(skills: &BTreeMap<String, Skill>, reference: &str) -> Result<Expanded, String> {
    let reference = reference.trim().trim_start_matches("skills/").trim_end_matches('/');
    let (tier, text) = find(skills, reference)?;
    let mut expansion = Expansion { skills, path: vec![reference.to_owned()], problems: Vec::new(), bytes: text.len() };
    let text = expansion.expand(text);
    Ok(Expanded { tier, text, problems: expansion.problems })
}

fn find<'a>(skills: &'a BTreeMap<String, Skill>, reference: &str) -> Result<(u8, &'a str), String> {
    let (name, file) = reference.split_once('/').map_or((reference, None), |(name, file)| (name, Some(file)));
    let Some(skill) = skills.get(name) else {
        let names: Vec<&str> = skills.keys().map(String::as_str).collect();
        return Err(format!("there is no skill `{name}`; there are: {}", names.join(", ")));
    };
    match file {
        None | Some("SKILL.md") => Ok((2, &skill.body)),
        Some(file) => match skill.files.get(file) {
            Some(text) => Ok((3, text)),
            None if skill.files.is_empty() => Err(format!("the skill `{name}` has no reference files")),
            None => {
                let files: Vec<String> = skill.files.keys().map(|file| format!("{name}/{file}")).collect();
                Err(format!("the skill `{name}` has no file `{file}`; it has: {}", files.join(", ")))
            }
        },
    }
}

struct Expansion<'a> {
    skills: &'a BTreeMap<String, Skill>,
    path: Vec<String>,
    problems: Vec<String>,
    bytes: usize,
}

impl Expansion<'_> {
    fn expand(&mut self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(OPEN) {
            let (before, from) = rest.split_at(at);
            result.push_str(before);
            let inside = from.get(OPEN.len()..).unwrap_or_default();
            match inside.find([']', '\n']) {
                Some(end) if inside.get(end..=end) == Some("]") => {
                    result.push_str(&self.reference(inside.get(..end).unwrap_or_default().trim()));
                    rest = inside.get(end + 1..).unwrap_or_default();
                }
                _ => {
                    result.push_str(OPEN);
                    rest = inside;
                }
            }
        }
        result.push_str(rest);
        result
    }

    fn reference(&mut self, reference: &str) -> String {
        if self.path.iter().any(|open| open == reference) {
            return self
                .problem(&format!("{reference} refers back to itself: {} → {reference}", self.path.join(" → ")));
        }
        if self.path.len() > REFERENCE_DEPTH_MAX {
            return self.problem(&format!("{reference} lies deeper than {REFERENCE_DEPTH_MAX} references"));
        }
        match find(self.skills, reference) {
            Err(reason) => self.problem(&reason),
            Ok((_, text)) if self.bytes + text.len() > EXPANDED_BYTES_MAX => {
                self.problem(&format!("{reference} would make the text longer than {EXPANDED_BYTES_MAX} bytes"))
            }
            Ok((_, text)) => {
                self.bytes += text.len();
                self.path.push(reference.to_owned());
                let text = self.expand(text);
                self.path.pop();
                text.trim_end().to_owned()
            }
        }
    }

    fn problem(&mut self, reason: &str) -> String {
        self.problems.push(reason.to_owned());
        format!("[not expanded: {reason}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skills() -> BTreeMap<String, Skill> {
        let skill = |name: &str, body: &str, files: &[(&str, &str)]| {
            let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
            (name.to_owned(), Skill { name: name.into(), description: String::new(), body: body.into(), files })
        };
        BTreeMap::from([
            skill("a", "A [skill:b] end", &[("x.md", "X [skill:a]"), ("loop.md", "L [skill:a/loop.md]")]),
            skill("b", "B [skill:a/x.md]", &[]),
            skill("c", "C [skill:missing] [skill:a/none.md] [skill:open", &[]),
        ])
    }

    #[test]
    fn tiers_two_and_three() {
        let skills = skills();
        assert_eq!(read(&skills, "b").unwrap().tier, 2);
        assert_eq!(read(&skills, "a/x.md").unwrap().tier, 3);
        assert_eq!(read(&skills, "zzz").unwrap_err(), "there is no skill `zzz`; there are: a, b, c");
        assert_eq!(read(&skills, "a/y").unwrap_err(), "the skill `a` has no file `y`; it has: a/loop.md, a/x.md");
        assert_eq!(read(&skills, "b/y").unwrap_err(), "the skill `b` has no reference files");
    }

    #[test]
    fn references_are_expanded_and_cycles_reported() {
        let expanded = read(&skills(), "a").unwrap();
        assert_eq!(expanded.text, "A B X [not expanded: a refers back to itself: a → b → a/x.md → a] end");
        assert_eq!(expanded.problems.len(), 1);
        let own = read(&skills(), "a/loop.md").unwrap();
        assert!(own.text.contains("refers back to itself"));
    }

    #[test]
    fn what_is_missing_is_reported_in_the_text() {
        let expanded = read(&skills(), "c").unwrap();
        assert!(expanded.text.starts_with(
            "C [not expanded: there is no skill `missing`; there are: a, b, c] [not expanded: the skill `a` has no file"
        ));
        assert!(expanded.text.ends_with("[skill:open"));
        assert_eq!(expanded.problems.len(), 2);
    }

    #[test]
    fn depth_is_bounded() {
        let chain: BTreeMap<String, Skill> = (0..10)
            .map(|n| {
                let skill =
                    Skill { name: format!("s{n}"), body: format!("{n} [skill:s{}]", n + 1), ..Skill::default() };
                (format!("s{n}"), skill)
            })
            .collect();
        let text = read(&chain, "s0").unwrap().text;
        assert_eq!(text, "0 1 2 3 4 5 [not expanded: s6 lies deeper than 5 references]");
    }
}
