//! What a run can be about: kinds of things that a plugin declares, each a file of the workspace.
//!
//! A request names one by its id as a word of its own. Some kinds have ids of a shape, such as a digit and a letter: a word
//! of that shape in a place where such an id would stand, and that names nothing there is, is a mistake worth telling. That is
//! decided narrowly, since `4K screens` and `3D shapes` are words like any other.

/// A kind of thing that a plugin's runs can be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectRules {
    /// The kind, such as `release`.
    pub kind: String,
    /// Path of the file of each below the workspace, with `{id}` in its name, such as `releases/{id}.txt`.
    pub files: String,
    /// Shapes of an id, `9` for a digit and `A` for a letter; none where ids have no shape.
    pub shapes: Vec<String>,
    /// Words behind which an id stands, such as `for`.
    pub after: Vec<String>,
}

/// What stands for the id in the path of a file.
const ID: &str = "{id}";

/// Words that go on with a sentence and name nothing: an id may stand before them.
const GO_ON: [&str; 32] = [
    "about", "after", "again", "and", "at", "because", "before", "but", "by", "from", "if", "in", "next", "now", "on",
    "or", "please", "since", "so", "that", "this", "to", "today", "tomorrow", "using", "when", "where", "which", "who",
    "with", "without", "tonight",
];

impl SubjectRules {
    /// Whether the path of files can be used: it lies below the workspace and its name holds the id once.
    #[must_use]
    pub fn sound(&self) -> bool {
        let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
        let (directory, name) = self.split();
        let once = name.matches(ID).count() == 1 && !directory.contains(ID);
        once && (directory == "." || directory.split('/').all(plain)) && plain(name)
    }

    /// The directory of the files, below the workspace.
    #[must_use]
    pub fn directory(&self) -> &str {
        self.split().0
    }

    /// Path of the file of this id.
    #[must_use]
    pub fn path(&self, id: &str) -> String {
        self.files.replace(ID, id)
    }

    /// The id that a file of the directory stands for; none for another file.
    #[must_use]
    pub fn id_of<'a>(&self, name: &'a str) -> Option<&'a str> {
        let (before, after) = self.split().1.split_once(ID)?;
        name.strip_prefix(before)?.strip_suffix(after).filter(|id| !id.is_empty())
    }

    fn split(&self) -> (&str, &str) {
        self.files.rsplit_once('/').unwrap_or((".", &self.files))
    }

    /// A word of the request that has the shape of an id and stands where one would, whether or not there is such a thing:
    /// behind one of the words, or first before a colon, and where the sentence pauses or goes on.
    #[must_use]
    pub fn meant(&self, request: &str) -> Option<String> {
        let words: Vec<&str> = request.split_whitespace().collect();
        words.iter().enumerate().find_map(|(index, word)| {
            let bare = bare(word);
            let before = index.checked_sub(1).and_then(|index| words.get(index)).map(|word| word.to_lowercase());
            let placed = match before {
                Some(before) => self.after.contains(&before) && pauses(word, words.get(index + 1).copied()),
                None => word.ends_with(':'),
            };
            (placed && self.shaped(bare)).then(|| bare.to_uppercase())
        })
    }

    fn shaped(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let ordinal = ["st", "nd", "rd", "th"].iter().any(|end| lower.ends_with(end));
        let fits = |(sign, letter): (char, char)| match sign {
            '9' => letter.is_ascii_digit(),
            _ => letter.is_ascii_alphabetic(),
        };
        let same =
            |shape: &String| shape.chars().count() == word.chars().count() && shape.chars().zip(word.chars()).all(fits);
        !ordinal && self.shapes.iter().any(same)
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether a sentence pauses behind a word or goes on without naming more of the same thing: `for 9Z, please`, not `for 4K screens`.
fn pauses(word: &str, next: Option<&str>) -> bool {
    let ends = word.ends_with(|c: char| !c.is_alphanumeric());
    ends || next.is_none_or(|next| GO_ON.contains(&bare(next).to_lowercase().as_str()))
}

/// The id that a request names: the longest of those that stand in it by themselves, also within a path.
#[must_use]
pub fn named_in<'a>(request: &str, ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let request = request.to_lowercase();
    ids.filter(|id| stands_alone(&request, &id.to_lowercase())).max_by_key(|id| id.len())
}

fn stands_alone(text: &str, name: &str) -> bool {
    let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(name).any(|(at, found)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|it| it.chars().next());
        !name.is_empty() && outside(before) && outside(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(files: &str) -> SubjectRules {
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        SubjectRules {
            kind: "group".into(),
            files: files.into(),
            shapes: list(&["9A", "9AA"]),
            after: list(&["for", "with"]),
        }
    }

    #[test]
    fn ids_are_found_as_words() {
        let ids = ["1B", "3B", "1.4.0", "1.4"];
        let named = |request: &str| named_in(request, ids.into_iter());
        assert_eq!(named("iteration for 3b, tomorrow"), Some("3B"));
        assert_eq!(named("3B's next one"), Some("3B"));
        assert_eq!(named("a shorter start in plans/3B-iteration.md"), Some("3B"));
        assert_eq!(named("13B or 3Bs, not"), None);
        assert_eq!(named("the notes of 1.4.0, short"), Some("1.4.0"));
    }

    #[test]
    fn files_have_ids() {
        let rules = rules("releases/{id}.txt");
        assert!(rules.sound() && rules.directory() == "releases" && rules.path("1.4.0") == "releases/1.4.0.txt");
        assert_eq!(
            (rules.id_of("1.4.0.txt"), rules.id_of("notes.md"), rules.id_of(".txt")),
            (Some("1.4.0"), None, None)
        );
        for files in ["../{id}.md", "/x/{id}.md", "a//{id}", "{id}/x.md", "a/b.md", "{id}{id}", "a\\{id}"] {
            assert!(!super::tests::rules(files).sound(), "{files}");
        }
        assert!(super::tests::rules("{id}.md").sound());
    }

    #[test]
    fn a_mistaken_id_is_told_from_a_word() {
        let meant = |request: &str| rules("g/{id}.md").meant(request);
        assert_eq!(meant("loops for 9z, please").as_deref(), Some("9Z"));
        assert_eq!(meant("loops for 9Z").as_deref(), Some("9Z"));
        assert_eq!(meant("loops for 9Z please").as_deref(), Some("9Z"));
        assert_eq!(meant("4C: fractions").as_deref(), Some("4C"));
        for request in [
            "a summary for 4K screens",
            "2D shapes",
            "5G phones",
            "games with 3D figures",
            "loops for 4th years",
            "loops for 4th",
            "4K",
        ] {
            assert_eq!(meant(request), None, "{request}");
        }
    }
}
