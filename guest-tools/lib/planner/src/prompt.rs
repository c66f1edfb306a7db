//! What of the system prompt's parts the planner uses, and the additions of pre-loop hooks in messages.

use crate::marked::{Found, Marked};
use crate::provider::Part;

/// A text that a hook added for this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Addition {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// What of the system prompt the planner uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prompt {
    /// Name of the agent at work; empty where the prompt names none.
    pub(crate) agent: String,
    /// Name of the command, such as `create-lesson`; empty where none was given.
    pub(crate) command: String,
    /// Files of the workspace that stand in the prompt: path and text.
    pub(crate) files: Vec<(String, String)>,
    /// What is remembered about the teacher and the class.
    pub(crate) memories: Vec<String>,
    /// Names of the skills on offer.
    pub(crate) skills: Vec<String>,
    pub(crate) additions: Vec<Addition>,
    /// Curriculum files that the prompt speaks of, for when directories cannot be listed.
    pub(crate) curriculum_paths: Vec<String>,
}

impl Prompt {
    /// Reads what it knows and leaves the rest: an unknown part is no error.
    pub(crate) fn read(parts: &[Part]) -> Self {
        let of = |kind: &'static str| {
            parts.iter().filter_map(move |part| Some((label(&part.name, kind)?, part.text.trim())))
        };
        let first = |kind| of(kind).next().map(|(label, _)| label.to_owned()).unwrap_or_default();
        Self {
            agent: first("agent"),
            command: first("command"),
            files: of("file").map(|(path, text)| (path.to_owned(), text.to_owned())).collect(),
            memories: ["teacher-memory", "class-memory"]
                .into_iter()
                .flat_map(of)
                .map(|(_, text)| text.to_owned())
                .filter(|text| !text.is_empty())
                .collect(),
            skills: of("skills").next().map(|(_, text)| skill_names(text)).unwrap_or_default(),
            additions: of("context")
                .map(|(title, text)| Addition { title: title.to_owned(), text: text.to_owned() })
                .collect(),
            curriculum_paths: paths(parts, "curriculum/"),
        }
    }

    /// The text of a workspace file that stands in the prompt.
    pub(crate) fn file(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|(name, _)| name == path).map(|(_, text)| text.as_str())
    }

    pub(crate) fn offers_skill(&self, name: &str) -> bool {
        self.skills.iter().any(|skill| skill == name)
    }
}

/// The additions of pre-loop hooks in a text.
pub(crate) fn additions(text: &str) -> Vec<Addition> {
    elements(text, "context")
        .iter()
        .map(|part| Addition {
            title: part.attribute("title").unwrap_or_default().to_owned(),
            text: part.inner.trim().to_owned(),
        })
        .collect()
}

/// A message of the person without what hooks put around it. Other elements stay, without their marks: digits among the
/// words of a request would be taken for a class or for minutes.
pub(crate) fn without_additions(text: &str) -> String {
    let text = without_elements(text, &["context"]);
    match Marked::read(&text).map(Marked::mark) {
        Some(mark) => text.replace(&format!("-{mark}"), ""),
        None => text,
    }
}

/// A text without the elements of these tags.
pub(crate) fn without_elements(text: &str, tags: &[&str]) -> String {
    let mut rest = text.to_owned();
    for tag in tags {
        while let Some((start, end)) = elements(&rest, tag).first().map(|part| (part.start, part.end)) {
            rest.replace_range(start..end, "");
        }
    }
    rest.trim().to_owned()
}

/// Which one of its kind a part is, such as the command's name; none for a part of another kind.
fn label<'a>(name: &'a str, kind: &str) -> Option<&'a str> {
    let rest = name.strip_prefix(kind)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// Paths of markdown files in the prompt's texts that begin in a directory.
fn paths(parts: &[Part], directory: &str) -> Vec<String> {
    let mut paths: Vec<String> = parts.iter().flat_map(|part| paths_in(&part.text, directory)).collect();
    paths.sort();
    paths.dedup();
    paths
}

fn paths_in(text: &str, directory: &str) -> Vec<String> {
    let path = |(at, _): (usize, &str)| {
        let rest = text.get(at..)?;
        let end = rest.find(".md")? + 3;
        rest.get(..end)
            .filter(|path| path.chars().all(|c| c.is_alphanumeric() || "/-_.".contains(c)))
            .map(str::to_owned)
    };
    text.match_indices(directory).filter_map(path).collect()
}

fn skill_names(manifest: &str) -> Vec<String> {
    manifest
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "))
        .filter_map(|item| item.split_once(':'))
        .map(|(name, _)| name.trim().trim_matches(['*', '`']).to_owned())
        .collect()
}

/// The elements with a tag in a text that the host has put together; none in any other.
pub(crate) fn elements<'a>(text: &'a str, tag: &str) -> Vec<Found<'a>> {
    Marked::read(text).map(|marked| marked.elements(tag)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, text: &str) -> Part {
        Part { name: name.into(), text: text.into() }
    }

    #[test]
    fn each_part_is_found_by_its_name() {
        let prompt = Prompt::read(&[
            part("identity", "I plan."),
            part("file teacher.md", "# Me\n- pairs\n"),
            part("class-memory memory/classes/3B/MEMORY.md", "3B likes boards.\n"),
            part("skills", "- differentiation: what to lend and when\n- backward-design: plan from the end"),
            part("command create-lesson", "Plan it from curriculum/maths.md."),
            part("commands", "- refine-lesson: x"),
            part("context Confirmed", "They mix up conditions."),
        ]);
        assert_eq!(prompt.command, "create-lesson");
        assert_eq!(prompt.file("teacher.md"), Some("# Me\n- pairs"));
        assert_eq!(prompt.memories, ["3B likes boards."]);
        assert_eq!(prompt.skills, ["differentiation", "backward-design"]);
        assert_eq!(prompt.additions[0].title, "Confirmed");
        assert_eq!(prompt.curriculum_paths, ["curriculum/maths.md"]);
        assert_eq!(Prompt::read(&[]), Prompt::default());
    }

    #[test]
    fn the_request_is_what_the_person_wrote() {
        let message =
            "<context-0123456789ab title=\"a\" source=\"b\">\nmore\n</context-0123456789ab>\n\niteration for 3B";
        assert_eq!(without_additions(message), "iteration for 3B");
    }
}
