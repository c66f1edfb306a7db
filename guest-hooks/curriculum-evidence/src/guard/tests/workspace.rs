//! A workspace in memory, and short ways to ask the guard about an output.

use std::collections::BTreeMap;

use crate::guard::{Class, Context, Files, ReadError, Report, Text, check};
use ta_curriculum::level::Level;

pub(super) const COMPUTING: &str = "curriculum/cfe-computing.md";
pub(super) const MATHS: &str = "curriculum/cfe-maths.md";
pub(super) const LITERACY: &str = "curriculum/cfe-literacy.md";

/// Files by path, with a count of how often each was read.
pub(super) struct Workspace {
    files: BTreeMap<String, Result<String, ReadError>>,
    pub(super) reads: BTreeMap<String, usize>,
}

impl Workspace {
    pub(super) fn new() -> Self {
        let mut workspace = Self { files: BTreeMap::new(), reads: BTreeMap::new() };
        workspace.add(COMPUTING, include_str!("cfe-computing.md"));
        workspace.add(MATHS, include_str!("cfe-maths.md"));
        workspace.add(LITERACY, include_str!("cfe-literacy.md"));
        workspace.add("classes/3B.md", "# 3B\nThird level. Two pupils with English as an additional language.\n");
        workspace
    }

    pub(super) fn empty() -> Self {
        Self { files: BTreeMap::new(), reads: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, path: &str, text: &str) {
        self.files.insert(path.to_owned(), Ok(text.to_owned()));
    }

    pub(super) fn withhold(&mut self, path: &str, error: ReadError) {
        self.files.insert(path.to_owned(), Err(error));
    }
}

/// Digest enough for tests: the guard only compares them.
pub(super) fn digest(text: &str) -> String {
    format!("{:08x}", text.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))))
}

impl Files for Workspace {
    fn read(&mut self, path: &str) -> Result<Text, ReadError> {
        *self.reads.entry(path.to_owned()).or_default() += 1;
        if path.starts_with("..") || path.starts_with('/') || path.contains("://") {
            return Err(ReadError::Outside);
        }
        let text = self.files.get(path).cloned().unwrap_or(Err(ReadError::NotFound))?;
        Ok(Text { sha256: digest(&text), text })
    }

    fn curriculum_paths(&mut self) -> Vec<String> {
        self.files.keys().filter(|path| path.starts_with("curriculum/")).cloned().collect()
    }
}

/// 3B: third level, Curriculum for Excellence.
pub(super) fn class_3b() -> Context {
    Context { class_level: Some(Level::Third.into()), framework: Some("CfE".to_owned()), reads: Vec::new() }
}

pub(super) fn report(output: &str) -> Report {
    check(output, &class_3b(), &mut Workspace::new())
}

/// The findings of an output as `class code`.
pub(super) fn found(output: &str) -> Vec<String> {
    let show =
        |finding: crate::guard::Finding| format!("{} {}", finding.class.name(), finding.code.unwrap_or_default());
    report(output).findings.into_iter().map(show).collect()
}

/// The message of the only finding.
pub(super) fn message(output: &str) -> String {
    let findings = report(output).findings;
    assert_eq!(findings.len(), 1, "{output}\n{findings:#?}");
    findings[0].message.clone()
}

/// The line of a fixture that begins with a text, from 1.
fn line_of(file: &str, start: &str) -> usize {
    file.lines().position(|line| line.starts_with(start)).expect(start) + 1
}

/// A good pointer to a code's outcome.
pub(super) fn pointer(code: &str) -> String {
    pointer_named(code, code)
}

/// A good pointer to a code's outcome, with a text of its own.
pub(super) fn pointer_named(code: &str, text: &str) -> String {
    let (path, file) = match code.split(' ').next() {
        Some("TCH") => (COMPUTING, include_str!("cfe-computing.md")),
        Some("LIT" | "ENG") => (LITERACY, include_str!("cfe-literacy.md")),
        _ => (MATHS, include_str!("cfe-maths.md")),
    };
    let heading = line_of(file, &format!("## {code}"));
    let outcome =
        file.lines().skip(heading).position(|line| line.starts_with("- **Outcome:**")).expect(code) + heading + 1;
    let quote = file.lines().nth(outcome - 1).and_then(|line| line.split_once(":** ")).expect(code).1;
    format!("[{text}]({path}#L{outcome} \"{}\")", quote.replace('"', "\\\""))
}

/// Says that an output has exactly one finding of a class.
pub(super) fn assert_only(output: &str, class: Class) {
    let findings = report(output).findings;
    assert!(
        findings.len() == 1 && findings[0].class == class,
        "expected only {}:\n{output}\n{findings:#?}",
        class.name()
    );
}

/// Says that an output has no findings.
pub(super) fn assert_clean(output: &str) {
    let findings = report(output).findings;
    assert!(findings.is_empty(), "expected nothing:\n{output}\n{findings:#?}");
}
