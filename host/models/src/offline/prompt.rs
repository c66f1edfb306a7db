//! Reading the system prompt as the host assembles it: parts in marked tags, and the additions of pre-loop hooks.

use ta_core::marked::{Found, Marked};

/// A text that a hook added for this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Addition {
    pub(crate) title: String,
    pub(crate) source: String,
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
    pub(crate) fn read(system: &str) -> Self {
        let first = |tag| elements(system, tag).into_iter().next();
        let name = |tag| first(tag).and_then(|part| part.attribute("name").map(str::to_owned)).unwrap_or_default();
        Self {
            agent: name("agent"),
            command: name("command"),
            files: (first("workspace").map(|part| part.elements("file")).unwrap_or_default().iter())
                .filter_map(|file| Some((file.attribute("path")?.to_owned(), file.inner.to_owned())))
                .collect(),
            memories: ["teacher-memory", "class-memory"]
                .iter()
                .flat_map(|tag| elements(system, tag))
                .map(|part| part.inner.trim().to_owned())
                .filter(|text| !text.is_empty())
                .collect(),
            skills: elements(system, "skills").first().map(|part| skill_names(part.inner)).unwrap_or_default(),
            additions: additions(system),
            curriculum_paths: paths(system, "curriculum/"),
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
            source: part.attribute("source").unwrap_or_default().to_owned(),
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

/// Paths of markdown files in a text that begin in a directory.
fn paths(text: &str, directory: &str) -> Vec<String> {
    let path = |(at, _): (usize, &str)| {
        let rest = text.get(at..)?;
        let end = rest.find(".md")? + 3;
        rest.get(..end)
            .filter(|path| path.chars().all(|c| c.is_alphanumeric() || "/-_.".contains(c)))
            .map(str::to_owned)
    };
    let mut paths: Vec<String> = text.match_indices(directory).filter_map(path).collect();
    paths.sort();
    paths.dedup();
    paths
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

    const SYSTEM: &str = "<identity-0123456789ab>\nI plan.\n</identity-0123456789ab>\n<workspace-0123456789ab>\n<file-0123456789ab path=\"teacher.md\">\n# Me\n- pairs\n</file-0123456789ab>\n</workspace-0123456789ab>\n\
        <class-memory-0123456789ab>\n3B likes boards.\n</class-memory-0123456789ab>\n<skills-0123456789ab>\n- differentiation: what to lend and when\n- backward-design: plan from the end\n</skills-0123456789ab>\n\
        <command-0123456789ab name=\"create-lesson\">\nPlan it.\n</command-0123456789ab>\n<commands-0123456789ab>\n- refine-lesson: x\n</commands-0123456789ab>\n\
        <context-0123456789ab title=\"Confirmed\" source=\"feedforward\">\nThey mix up conditions.\n</context-0123456789ab>";

    #[test]
    fn each_part_is_found_by_its_tag() {
        let prompt = Prompt::read(SYSTEM);
        assert_eq!(prompt.command, "create-lesson");
        assert_eq!(prompt.file("teacher.md"), Some("# Me\n- pairs"));
        assert_eq!(prompt.memories, ["3B likes boards."]);
        assert_eq!(prompt.skills, ["differentiation", "backward-design"]);
        assert_eq!(prompt.additions[0].title, "Confirmed");
    }

    #[test]
    fn an_empty_or_broken_prompt_gives_nothing() {
        assert_eq!(Prompt::read(""), Prompt::default());
        assert_eq!(Prompt::read("<command-0123456789ab name=\"x\"> never closed").command, "");
    }

    #[test]
    fn the_request_is_what_the_person_wrote() {
        let message =
            "<context-0123456789ab title=\"a\" source=\"b\">\nmore\n</context-0123456789ab>\n\niteration for 3B";
        assert_eq!(without_additions(message), "iteration for 3B");
    }
}
