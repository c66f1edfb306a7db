//! A list of commits, read into the changes that people who use a program are told about.
//!
//! What is read is what `git log --format='%h %s%n%b'` writes: a line that begins with a commit's hash, then lines that
//! belong to it. Subjects may follow Conventional Commits (<https://www.conventionalcommits.org/en/v1.0.0/>), `feat(cli)!: text`;
//! for others the first word says what kind of change it is. This crate opens no file. Start reading at [`Changes::read`].

mod kinds;

use std::fmt::Write as _;

pub use kinds::Kind;

/// Fewest and most digits of a commit's hash: what git abbreviates to, and a whole SHA-256.
const HASH_DIGITS: std::ops::RangeInclusive<usize> = 6..=64;
/// Digits of a hash as notes show it.
pub const SHOWN_DIGITS: usize = 7;

/// A change of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Hashes of the commits that make it, as the list has them: more than one where the same subject stands twice.
    pub hashes: Vec<String>,
    /// What kind of change it is.
    pub kind: Kind,
    /// The part of the program that it is about, as `feat(cli)` says it.
    pub scope: Option<String>,
    /// What it does, as the subject says it.
    pub text: String,
    /// What stops working, where it breaks something: the text of `BREAKING CHANGE:`, else the subject's.
    pub breaking: Option<String>,
    /// The pull request or issue that the subject names, such as `#12`.
    pub reference: Option<String>,
}

/// A commit that makes no change of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its hash, as the list has it.
    pub hash: String,
    /// Why it is left out.
    pub why: String,
}

/// What a list of commits comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The changes, in the order of the list.
    pub changes: Vec<Change>,
    /// Commits that make none: merges, reverts and what they take back, and what the list has twice.
    pub left_out: Vec<LeftOut>,
    /// Lines before the first commit that are none, with their numbers, counted from 1.
    pub unread: Vec<(usize, String)>,
}

/// A commit as it stands in the list.
struct Commit {
    hash: String,
    subject: String,
    body: String,
}

impl Changes {
    /// Reads a list of commits. Whatever is no commit is kept under [`Changes::unread`], never dropped.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let (commits, unread) = commits(text);
        let mut changes = Self { unread, ..Self::default() };
        let reverted = reverts(&commits);
        for (index, commit) in commits.iter().enumerate() {
            let why = match reverted.iter().find(|(one, other)| *one == index || *other == index) {
                Some((by, _)) if *by == index => Some("it takes back another commit of this list".to_owned()),
                Some((by, _)) => Some(format!("it is taken back by {}", commits.get(*by).map_or("", Commit::shown))),
                None => is_merge(&commit.subject).then(|| "it merges others".to_owned()),
            };
            match why {
                Some(why) => changes.left_out.push(LeftOut { hash: commit.hash.clone(), why }),
                None => changes.take(commit),
            }
        }
        changes
    }

    /// Whether a hash, whole or abbreviated, is that of a commit of the list.
    #[must_use]
    pub fn has(&self, hash: &str) -> bool {
        let hash = hash.to_ascii_lowercase();
        let same = |own: &String| own.starts_with(&hash) || hash.starts_with(own.as_str());
        let left_out = self.left_out.iter().map(|it| &it.hash);
        self.changes.iter().flat_map(|change| &change.hashes).chain(left_out).any(same)
    }

    /// The changes of a kind, in order.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.kind == kind)
    }

    fn take(&mut self, commit: &Commit) {
        let change = Change::of(commit);
        let same = |known: &&mut Change| known.text == change.text && known.scope == change.scope;
        match self.changes.iter_mut().find(same) {
            Some(known) => {
                known.breaking = known.breaking.take().or(change.breaking);
                known.hashes.extend(change.hashes);
            }
            None => self.changes.push(change),
        }
    }
}

impl Change {
    fn of(commit: &Commit) -> Self {
        let (subject, reference) = without_reference(&commit.subject);
        let (kind, scope, marked, text) = kinds::of_subject(subject);
        let breaking = breaking(&commit.body).or_else(|| marked.then(|| text.to_owned()));
        Self {
            hashes: vec![commit.hash.clone()],
            kind,
            scope: scope.map(ToOwned::to_owned),
            text: text.to_owned(),
            breaking,
            reference: reference.map(ToOwned::to_owned),
        }
    }

    /// Where it stands in the list, as notes write it: `(#12, a1b2c3d)`.
    #[must_use]
    pub fn source(&self) -> String {
        let mut text = String::from("(");
        if let Some(reference) = &self.reference {
            let _ = write!(text, "{reference}, ");
        }
        let hashes: Vec<&str> = self.hashes.iter().map(|hash| shown(hash)).collect();
        text.push_str(&hashes.join(", "));
        text.push(')');
        text
    }
}

impl Commit {
    fn shown(&self) -> &str {
        shown(&self.hash)
    }
}

/// A hash as notes show it.
#[must_use]
pub fn shown(hash: &str) -> &str {
    hash.get(..SHOWN_DIGITS).unwrap_or(hash)
}

/// Whether a word is a commit's hash: hexadecimal digits, one of them a figure, since `decade` and `facade` are words.
#[must_use]
pub fn is_hash(word: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    HASH_DIGITS.contains(&word.len()) && word.chars().all(digits) && word.contains(|c: char| c.is_ascii_digit())
}

fn commits(text: &str) -> (Vec<Commit>, Vec<(usize, String)>) {
    let (mut commits, mut unread): (Vec<Commit>, _) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        // Lists are pasted with marks of their own: `* a1b2c3d text`, `- a1b2c3d text`.
        let bare = line.trim_start_matches(['*', '-', '|', '/', '\\', ' ']).trim_end();
        let head =
            bare.split_once(' ').map(|(hash, subject)| (hash.trim_start_matches('[').trim_end_matches(']'), subject));
        match head.filter(|(hash, _)| is_hash(&hash.to_ascii_lowercase())) {
            Some((hash, subject)) => {
                let (hash, subject) = (hash.to_ascii_lowercase(), subject.trim().to_owned());
                commits.push(Commit { hash, subject, body: String::new() });
            }
            None => match commits.last_mut() {
                Some(commit) => {
                    commit.body.push_str(line.trim());
                    commit.body.push('\n');
                }
                None if line.trim().is_empty() => {}
                None => unread.push((index + 1, line.trim().to_owned())),
            },
        }
    }
    (commits, unread)
}

/// Pairs of a commit that takes another back and that other, by their places. What is taken back and then put in again by a
/// revert of the revert stays a change: the revert that is about the most reverts counts first, whatever the order of the list.
fn reverts(commits: &[Commit]) -> Vec<(usize, usize)> {
    let mut by_depth: Vec<usize> = (0..commits.len()).collect();
    let depth = |index: &usize| commits.get(*index).map_or(0, |it| it.subject.matches("Revert \"").count());
    by_depth.sort_by_key(|index| std::cmp::Reverse(depth(index)));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for index in by_depth {
        let free = |place: usize| !pairs.iter().any(|(one, two)| *one == place || *two == place);
        let Some(commit) = commits.get(index).filter(|_| free(index)) else { continue };
        let Some(subject) = taken_back(&commit.subject) else { continue };
        let named = |(other, it): &(usize, &Commit)| {
            let same = it.subject == subject || commit.body.contains(&format!("reverts commit {}", it.hash));
            *other != index && free(*other) && same
        };
        let found = commits.iter().enumerate().find(named).map(|(other, _)| other);
        pairs.extend(found.map(|other| (index, other)));
    }
    pairs
}

/// The subject that a commit takes back: git writes `Revert "subject"`.
fn taken_back(subject: &str) -> Option<&str> {
    subject.strip_prefix("Revert \"").and_then(|rest| rest.strip_suffix('"'))
}

fn is_merge(subject: &str) -> bool {
    ["Merge branch ", "Merge pull request ", "Merge remote-tracking branch ", "Merge tag ", "Merge commit "]
        .iter()
        .any(|begin| subject.starts_with(begin))
}

/// A subject without the reference at its end, `text (#12)`.
fn without_reference(subject: &str) -> (&str, Option<&str>) {
    let found = subject.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let number = |text: &&str| {
        text.strip_prefix(['#', '!']).is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()))
    };
    match found {
        Some((before, reference)) if number(&reference) => (before.trim_end(), Some(reference)),
        _ => (subject, None),
    }
}

fn begins_breaking(line: &str) -> Option<&str> {
    line.strip_prefix("BREAKING CHANGE:").or_else(|| line.strip_prefix("BREAKING-CHANGE:"))
}

/// What a body says stops working: what stands behind `BREAKING CHANGE:`, to the end of its paragraph.
fn breaking(body: &str) -> Option<String> {
    let lines: Vec<&str> = body.lines().collect();
    let at = lines.iter().position(|line| begins_breaking(line).is_some())?;
    let paragraph = lines.iter().skip(at).take_while(|line| !line.trim().is_empty());
    let text: Vec<&str> = paragraph.map(|line| begins_breaking(line).unwrap_or(line).trim()).collect();
    Some(text.join(" ").trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
since v1.3.0
a1b2c3d feat(cli): add `--since` to list (#41)
b2c3d4e fix: a tab in a name no longer breaks the table

BREAKING CHANGE: names are quoted now,
which scripts may notice.

Signed-off-by: A
c3d4e5f Merge pull request #41 from someone/since
d4e5f6a refactor!: drop the old parser
e5f6a7b Revert \"perf: cache everything\"
f6a7b8c perf: cache everything
0a1b2c3 Speed up start by half
1b2c3d4 Speed up start by half
";

    #[test]
    fn a_list_comes_to_its_changes() {
        let read = Changes::read(LIST);
        let told: Vec<_> = read.changes.iter().map(|it| (it.kind, it.text.as_str(), it.source())).collect();
        assert_eq!(
            told,
            [
                (Kind::New, "add `--since` to list", "(#41, a1b2c3d)".to_owned()),
                (Kind::Fixed, "a tab in a name no longer breaks the table", "(b2c3d4e)".to_owned()),
                (Kind::Internal, "drop the old parser", "(d4e5f6a)".to_owned()),
                (Kind::Faster, "Speed up start by half", "(0a1b2c3, 1b2c3d4)".to_owned()),
            ]
        );
        assert_eq!(read.changes[0].scope.as_deref(), Some("cli"));
        assert_eq!(read.changes[1].breaking.as_deref(), Some("names are quoted now, which scripts may notice."));
        assert_eq!(read.changes[2].breaking.as_deref(), Some("drop the old parser"));
        let left: Vec<_> = read.left_out.iter().map(|it| (it.hash.as_str(), it.why.as_str())).collect();
        assert_eq!(
            left,
            [
                ("c3d4e5f", "it merges others"),
                ("e5f6a7b", "it takes back another commit of this list"),
                ("f6a7b8c", "it is taken back by e5f6a7b"),
            ]
        );
        assert_eq!(read.unread, [(1, "since v1.3.0".to_owned())]);
        assert!(["a1b2c3d", "A1B2C3D4E5", "f6a7b8", "1b2c3d4"].iter().all(|hash| read.has(hash)));
        assert!(!read.has("abcdef0"));
    }

    #[test]
    fn what_is_no_list_has_no_changes_and_says_so() {
        for text in ["", "\n\n", "decade by decade\nfacade first"] {
            let read = Changes::read(text);
            assert!(read.changes.is_empty() && read.left_out.is_empty(), "{text}");
            assert_eq!(read.unread.len(), text.lines().filter(|line| !line.is_empty()).count());
        }
    }

    #[test]
    fn a_revert_of_a_revert_stays() {
        let list = ["aaaaaa1 Revert \"Revert \"feat: tabs\"\"", "bbbbbb2 Revert \"feat: tabs\"", "cccccc3 feat: tabs"];
        let oldest_first: Vec<&str> = list.into_iter().rev().collect();
        for list in [list.join("\n"), oldest_first.join("\n")] {
            let read = Changes::read(&list);
            assert_eq!(read.changes.len(), 1, "{read:?}");
            assert_eq!(read.changes[0].text, "tabs");
        }
    }

    #[test]
    fn a_list_with_marks_and_windows_line_ends() {
        let read = Changes::read("* a1b2c3d4 fix: one\r\n- [b2c3d4e5] docs: two\r\n");
        assert_eq!(read.changes.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    }
}
