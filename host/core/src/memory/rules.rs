//! What a plugin declares about memory: whose files there are, and what notes can be about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MemoryPath;
use crate::hook::Subject;

/// What a note is about where nothing else is said.
pub const KIND_DEFAULT: &str = "other";
/// The scope of a plugin that declares none: the owner's own files.
const SCOPE_DEFAULT: &str = "owner";

/// Whose files there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    /// Its name: that of the kind of subject that the files are about, or any word for the owner's own.
    pub name: String,
    /// Where the files of its subjects lie, below `memory`: `releases` for `memory/releases/1.4.0/MEMORY.md`. None for the owner's
    /// own files.
    pub directory: Option<String>,
}

/// What a note can be about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteKind {
    /// The word.
    pub name: String,
    /// Whether such notes are included before anything is weighed, and never leave.
    pub first: bool,
    /// Beginnings of words, or phrases, by which a line that a person typed is taken to be of this kind.
    pub words: Vec<String>,
}

/// What a plugin declares about memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryRules {
    /// Scopes in the order in which a prompt shows them.
    pub scopes: Vec<Scope>,
    /// Kinds in the order in which they count where room is short.
    pub kinds: Vec<NoteKind>,
}

impl Default for MemoryRules {
    fn default() -> Self {
        Self {
            scopes: vec![Scope { name: SCOPE_DEFAULT.to_owned(), directory: None }],
            kinds: vec![NoteKind { name: KIND_DEFAULT.to_owned(), first: false, words: Vec::new() }],
        }
    }
}

impl MemoryRules {
    /// What several plugins declare together, for a person who changes the files of all of them.
    #[must_use]
    pub fn together<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut rules = Self { scopes: Vec::new(), kinds: Vec::new() };
        for more in all {
            for scope in &more.scopes {
                if !rules.scopes.iter().any(|known| known.directory == scope.directory) {
                    rules.scopes.push(scope.clone());
                }
            }
            for kind in &more.kinds {
                if !rules.kinds.iter().any(|known| known.name == kind.name) {
                    rules.kinds.push(kind.clone());
                }
            }
        }
        if rules.scopes.is_empty() { Self::default() } else { rules }
    }

    /// Whether a kind is included before anything is weighed, and never leaves.
    #[must_use]
    pub fn first(&self, kind: &str) -> bool {
        self.kinds.iter().any(|it| it.first && it.name == kind)
    }

    /// A kind that was named.
    ///
    /// # Errors
    /// A sentence that says which kinds there are.
    pub fn kind(&self, word: &str) -> Result<String, String> {
        let known: Vec<&str> = self.kinds.iter().map(|kind| kind.name.as_str()).collect();
        if known.contains(&word) {
            return Ok(word.to_owned());
        }
        Err(format!("`{word}` is no kind of note; the kinds are: {}", known.join(", ")))
    }

    /// What a line that a person typed is about, from its words.
    #[must_use]
    pub fn guess(&self, line: &str) -> String {
        let line = line.to_lowercase();
        let mentions = |word: &String| {
            let begins = |it: &str| it.starts_with(word.as_str());
            line.split(|c: char| !c.is_alphanumeric()).any(begins) || word.contains(' ') && line.contains(word.as_str())
        };
        let found = self.kinds.iter().find(|kind| kind.words.iter().any(mentions));
        found.map_or_else(|| KIND_DEFAULT.to_owned(), |kind| kind.name.clone())
    }

    /// Whether a file may be at this place.
    ///
    /// # Errors
    /// A sentence that says which scopes there are.
    pub fn allows(&self, path: &MemoryPath) -> Result<(), String> {
        let directory = path.of.as_ref().map(|of| of.directory.as_str());
        if self.scopes.iter().any(|scope| scope.directory.as_deref() == directory) {
            return Ok(());
        }
        let places = self.scopes.iter().map(|scope| match &scope.directory {
            Some(directory) => format!("memory/{directory}/<{}>/", scope.name),
            None => "memory/".to_owned(),
        });
        Err(format!("`{path}` is in no scope of memory; the scopes are: {}", places.collect::<Vec<_>>().join(", ")))
    }

    /// The entry points that a run sees, each with the name of its scope: the owner's own, and those of what it is about.
    #[must_use]
    pub fn entries(&self, subject: Option<&Subject>) -> Vec<(String, MemoryPath)> {
        let entry = |scope: &Scope| {
            let path = match &scope.directory {
                None => MemoryPath::entry(None),
                Some(directory) => {
                    let subject = subject.filter(|subject| subject.kind == scope.name)?;
                    MemoryPath::entry(Some((directory, &subject.id)))
                }
            };
            Some((scope.name.clone(), path))
        };
        self.scopes.iter().filter_map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> MemoryRules {
        let kind = |name: &str, first, words: &[&str]| NoteKind {
            name: name.into(),
            first,
            words: words.iter().map(|word| (*word).to_owned()).collect(),
        };
        MemoryRules {
            scopes: vec![
                Scope { name: "owner".into(), directory: None },
                Scope { name: "release".into(), directory: Some("releases".into()) },
            ],
            kinds: vec![
                kind("risk", true, &["break", "data loss"]),
                kind("habit", false, &["always"]),
                kind("other", false, &[]),
            ],
        }
    }

    #[test]
    fn a_line_is_of_the_first_kind_that_one_of_its_words_names() {
        for (line, kind) in [
            ("Breaking changes need a note", "risk"),
            ("Always tag on a Monday", "habit"),
            ("There was data loss once", "risk"),
            ("Unbreakable", "other"),
        ] {
            assert_eq!(rules().guess(line), kind, "{line}");
        }
        assert_eq!(rules().kind("wish").unwrap_err(), "`wish` is no kind of note; the kinds are: risk, habit, other");
    }

    #[test]
    fn a_run_sees_the_scope_of_what_it_is_about_and_no_other_is_written_to() {
        let about = |kind: &str| Some(Subject { kind: kind.into(), id: "1.4".into() });
        let paths = |subject: Option<Subject>| {
            rules().entries(subject.as_ref()).into_iter().map(|(_, path)| path.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(paths(about("release")), ["memory/MEMORY.md", "memory/releases/1.4/MEMORY.md"]);
        assert_eq!(paths(about("person")), ["memory/MEMORY.md"]);
        assert_eq!(paths(None), ["memory/MEMORY.md"]);
        let refused = rules().allows(&"memory/people/ann/MEMORY.md".parse().unwrap()).unwrap_err();
        assert!(refused.ends_with("the scopes are: memory/, memory/releases/<release>/"), "{refused}");
        assert!(rules().allows(&"memory/releases/1.4/x.md".parse().unwrap()).is_ok());
    }

    #[test]
    fn what_plugins_declare_together_holds_each_once() {
        let together = MemoryRules::together([&rules(), &MemoryRules::default(), &rules()]);
        assert_eq!(together, rules());
        assert_eq!(MemoryRules::together([]), MemoryRules::default());
    }
}
