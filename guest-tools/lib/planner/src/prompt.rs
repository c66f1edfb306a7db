//! What the planner uses of the parts that the host put into the system prompt and into messages.

use ta_curriculum::code::{Code, find_codes};

use crate::provider::{Message, Part};

/// The title of the addition that says for which outcome the lesson is.
const OUTCOME: &str = "Outcome";

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
    /// The outcome that was made sure of before planning.
    pub(crate) outcome: Option<Code>,
    /// Curriculum files that the prompt speaks of, for when directories cannot be listed.
    pub(crate) curriculum_paths: Vec<String>,
}

impl Prompt {
    /// Reads what it knows and leaves the rest: an unknown part is no error.
    pub(crate) fn read(parts: &[Part]) -> Self {
        let of = |name: &'static str| parts.iter().filter(move |part| part.name == name);
        let (outcomes, additions): (Vec<_>, Vec<_>) =
            of("context").map(Addition::of).partition(|it| it.title == OUTCOME);
        let named = |name| of(name).next().map(|part| part.about("name").to_owned()).unwrap_or_default();
        Self {
            agent: named("agent"),
            command: named("command"),
            files: of("workspace/file").map(|file| (file.about("path").to_owned(), file.text.clone())).collect(),
            memories: ["teacher-memory", "class-memory"]
                .into_iter()
                .flat_map(of)
                .map(|part| part.text.trim().to_owned())
                .filter(|text| !text.is_empty())
                .collect(),
            skills: of("skills").next().map(|part| skill_names(&part.text)).unwrap_or_default(),
            additions,
            outcome: outcomes.iter().find_map(|it| first_code(&it.text)),
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

impl Addition {
    fn of(part: &Part) -> Self {
        Self { title: part.about("title").to_owned(), text: part.text.trim().to_owned() }
    }
}

/// The first code of an outcome that a text names.
pub(crate) fn first_code(text: &str) -> Option<Code> {
    find_codes(text).into_iter().find_map(|found| found.codes.into_iter().next())
}

/// The additions of pre-loop hooks in a message.
pub(crate) fn additions(message: &Message) -> Vec<Addition> {
    message.parts_of("context").map(Addition::of).collect()
}

/// A message of the person's side in words, without what hooks added and without parts of these names: what the host says in
/// an agent's place, such as a task, then what the person said.
pub(crate) fn words(message: &Message, without: &[&str]) -> String {
    let tag = |part: &Part| part.name.split('/').next().unwrap_or_default().to_owned();
    let parts = message.parts.iter().filter(|part| {
        let tag = tag(part);
        tag != "context" && !without.contains(&tag.as_str())
    });
    let texts = parts.map(|part| part.text.as_str()).chain([message.said.as_str()]);
    texts.map(str::trim).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Paths of markdown files in the prompt's texts that begin in a directory.
fn paths(parts: &[Part], directory: &str) -> Vec<String> {
    let texts = parts.iter().flat_map(|part| part.about.iter().map(|(_, value)| value).chain([&part.text]));
    let mut paths: Vec<String> = texts.flat_map(|text| paths_in(text, directory)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_found_by_its_name() {
        let prompt = Prompt::read(&[
            Part::new("identity", &[], "I plan."),
            Part::new("workspace", &[], ""),
            Part::new("workspace/file", &[("path", "teacher.md")], "# Me\n- pairs"),
            Part::new("class-memory", &[("path", "memory/classes/3B/MEMORY.md")], "3B likes boards.\n"),
            Part::new("skills", &[], "- differentiation: what to lend and when\n- backward-design: plan from the end"),
            Part::new("command", &[("name", "create-lesson")], "Plan it from curriculum/maths.md."),
            Part::new("commands", &[], "- refine-lesson: x"),
            Part::new("context", &[("title", "Confirmed"), ("source", "feedforward")], "They mix up conditions."),
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
    fn the_words_of_a_message_are_without_what_hooks_added() {
        let message = Message::user("iteration for 3B").with(Part::new("context", &[("title", "a")], "more"));
        assert_eq!(words(&message, &[]), "iteration for 3B");
        let handoff =
            Message::user("").with(Part::new("handoff", &[], "")).with(Part::new("handoff/reason", &[], "A quiz"));
        assert_eq!((words(&handoff, &[]), words(&handoff, &["handoff"])), ("A quiz".to_owned(), String::new()));
    }
}
