//! Material files: what a lesson on one outcome is taught with, as a teacher writes and edits it.
//!
//! One file an outcome, `material/<subject>/<code>.md`, the code's blank a hyphen. It is no evidence for a claim: that is what the curriculum
//! file is for. Its sections are second headings, its items third ones, the fields of an item a list:
//!
//! ```text
//! ---
//! outcome: MNU 3-07a
//! subject: maths
//! ---
//! ## Worked examples
//! ### w1
//! Find 35% of £60.
//!
//! 1. 10% of £60 is £6.
//! 2. 30% is £18 and 5% is £3.
//!
//! - **Answer:** £21
//! - **Check:** expr 0.35*60 = 21
//!
//! ## Practice: first step
//! ### p1
//! Find 25% of £48.
//!
//! - **Answer:** £12
//! - **Reason:** 25% is a quarter, and 48 ÷ 4 is 12.
//! - **Check:** expr 0.25*48 = 12
//! ```
//!
//! The sections are `Worked examples`, `Sources` (what is read, heard or counted; its heading is `### s1: title`), `Recall`, `Practice: first
//! step`, `Practice: second step`, `Practice: third step`, `Exit questions` and `Misconceptions` (`### m1: the wrong idea`). Fields beside those
//! above: `Criterion` (the number of the item of `Assessment` that is exercised), `Topics` (for a file that covers several), `Uses` (the source
//! that is needed), and for a source `From` (a citation, or "Written for this lesson").
//!
//! Whoever plans takes what is whole and says what is not: [`parse`] gives both. Start reading there; [`Check`] is what a machine can find out
//! about an item.

mod faults;
mod read;

pub use read::parse;

/// Practice questions that a file has at least: about one for two minutes of the longest usual practice.
pub const PRACTICE_MIN: usize = 12;

/// Of each step at least.
pub const PRACTICE_OF_STEP_MIN: usize = 3;

/// Exit questions that a file has at least.
pub const EXIT_MIN: usize = 4;

/// Questions about what pupils should know already, at least.
pub const RECALL_MIN: usize = 3;

/// Steps of a worked example, at least.
pub const STEPS_MIN: usize = 2;

/// Steps of difficulty.
pub const LEVELS: u8 = 3;

/// Bytes of a file. A longer one would not fit beside the rest of what the planner is sent.
pub const BYTES_MAX: usize = 64_000;

/// How an answer can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// `left = right`, several parted by `;`: both sides come to the same, and the answer has the right one.
    Expr(Vec<(String, String)>),
    /// The Python of the question, and what stands here after it, prints what the answer has, line by line.
    Code(String),
    /// A form of French: `aller, nous = allons`, or `adjective, feminine plural = form`.
    Grammar(Vec<(String, String)>),
    /// Words that stand letter for letter in the source that is used, and in the answer.
    Quote(String),
    /// Nothing a machine can find out: somebody has to read it.
    Human,
}

/// A question with its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Unique in the file.
    pub id: String,
    /// The line of its heading, from 1.
    pub line: u32,
    /// 1 to 3 for practice, nothing elsewhere.
    pub step: Option<u8>,
    /// What follows the id in the heading: the wrong idea of a misconception, the title of a source.
    pub title: String,
    /// What is asked: markdown of one or more blocks.
    pub question: String,
    /// The steps of a worked example.
    pub steps: Vec<String>,
    /// The answer.
    pub answer: String,
    /// Why it is right; for a misconception what to say about it.
    pub reason: String,
    /// How the answer can be checked.
    pub check: Option<Check>,
    /// The number of the item of `Assessment` that is exercised, from 1.
    pub criterion: Option<usize>,
    /// What it is about, where the file covers more than one topic.
    pub topics: Vec<String>,
    /// The id of the source that is needed.
    pub uses: Option<String>,
    /// Where a source is from.
    pub from: String,
}

impl Item {
    /// The wording in front of the first block that is no paragraph, in one line, and the rest: code, a table, a quotation and what follows.
    #[must_use]
    pub fn parts(&self) -> (String, Option<String>) {
        let begins_block =
            |line: &str| line.starts_with(['|', '>', '`']) && !is_inline_code(line) || line.starts_with("- ");
        let lines: Vec<&str> = self.question.lines().collect();
        let at = lines.iter().position(|line| begins_block(line.trim_start())).unwrap_or(lines.len());
        let words = |lines: &[&str]| lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let rest = lines.get(at..).unwrap_or_default().join("\n");
        (words(lines.get(..at).unwrap_or_default()), (!rest.trim().is_empty()).then(|| rest.trim_end().to_owned()))
    }

    /// The Python of the question: its first fenced block of that language.
    #[must_use]
    pub fn python(&self) -> Option<String> {
        let mut lines = self.question.lines().skip_while(|line| line.trim() != "```python");
        lines.next()?;
        Some(lines.take_while(|line| line.trim() != "```").map(|line| format!("{line}\n")).collect())
    }
}

/// A line that begins with `code` and is no fence.
fn is_inline_code(line: &str) -> bool {
    line.starts_with('`') && !line.starts_with("```")
}

/// A file, as far as it is whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MaterialFile {
    /// The code of the outcome, as it is written.
    pub outcome: String,
    /// The subject, as the curriculum file names it.
    pub subject: String,
    /// Examples worked through; the first is shown, the second done together.
    pub worked: Vec<Item>,
    /// What is read, heard or counted: passages, sources, data.
    pub sources: Vec<Item>,
    /// Questions about what pupils should know already.
    pub recall: Vec<Item>,
    /// Practice questions, in the order of the file.
    pub practice: Vec<Item>,
    /// Questions for the end.
    pub exit: Vec<Item>,
    /// Wrong ideas, each with the question that shows it.
    pub misconceptions: Vec<Item>,
}

impl MaterialFile {
    /// Every item of every section.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        let lists = [&self.worked, &self.sources, &self.recall, &self.practice, &self.exit, &self.misconceptions];
        lists.into_iter().flatten()
    }

    /// The source of this id.
    #[must_use]
    pub fn source(&self, id: &str) -> Option<&Item> {
        self.sources.iter().find(|one| one.id == id)
    }
}

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

/// The path of the file of an outcome below the workspace.
#[must_use]
pub fn path(subject: &str, code: &str) -> String {
    format!("material/{subject}/{}.md", code.replace(' ', "-"))
}

#[cfg(test)]
mod tests;
