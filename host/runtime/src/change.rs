//! What a call would do to files, as hooks and the person see it.

use similar::{Algorithm, TextDiff};
use ta_core::hook::FileChange;
use ta_sandbox::{StagedWrite, Workspace};

/// Lines that stay the same and are shown around those that change.
const AROUND: usize = 3;
/// Bytes of a difference that are shown; the change itself is what both digests say.
const SHOWN_BYTES_MAX: usize = 64 * 1024;

/// Each write as a change of the file as it is now.
pub(crate) fn changes(workspace: &Workspace, writes: &[StagedWrite]) -> Vec<FileChange> {
    let change = |write: &StagedWrite| {
        let before = match (&write.before, workspace.read(&write.path)) {
            (None, _) => Some(String::new()),
            (Some(_), Ok((text, _))) => Some(text),
            (Some(_), Err(_)) => None,
        };
        let difference = before.map_or_else(
            || "the file as it is cannot be shown: it is no text\n".to_owned(),
            |before| difference(&write.path, &before, &write.text),
        );
        FileChange { path: write.path.clone(), before: write.before.clone(), after: write.after.clone(), difference }
    };
    writes.iter().map(change).collect()
}

/// The difference of two texts in the unified form.
fn difference(path: &str, before: &str, after: &str) -> String {
    let compared = TextDiff::configure().algorithm(Algorithm::Patience).diff_lines(before, after);
    let mut shown = compared.unified_diff().context_radius(AROUND).header(path, path).to_string();
    let windows = |text: &str| text.contains("\r\n");
    if windows(before) != windows(after) && !before.is_empty() && !after.is_empty() {
        // They show nowhere else.
        let (then, now) = if windows(before) { ("Windows", "Unix") } else { ("Unix", "Windows") };
        shown.push_str(&format!("\\ the line ends change from those of {then} to those of {now}\n"));
    }
    if shown.len() > SHOWN_BYTES_MAX {
        let cut = (0..=SHOWN_BYTES_MAX).rev().find(|at| shown.is_char_boundary(*at)).unwrap_or_default();
        let lines = shown.get(cut..).unwrap_or_default().lines().count();
        shown.truncate(cut);
        shown.push_str(&format!("\n\\ {lines} more lines of the difference are not shown\n"));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{SHOWN_BYTES_MAX, difference};

    #[test]
    fn changed_lines_stand_between_lines_that_stay() {
        let (before, after) = ("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nE2\nf\ng\nh\n");
        assert_eq!(
            difference("x.md", before, after),
            "--- x.md\n+++ x.md\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n h\n"
        );
        assert_eq!(difference("x", "", "a\n"), "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n");
    }

    #[test]
    fn other_line_ends_are_said() {
        let shown = difference("x", "a\r\nb\r\n", "a\nc\n");
        assert!(shown.ends_with("\\ the line ends change from those of Windows to those of Unix\n"), "{shown}");
        assert!(!difference("x", "a\r\n", "b\r\n").contains("line ends"));
    }

    #[test]
    fn what_is_too_long_to_be_shown_is_counted() {
        let shown = difference("x", "", &"ü\n".repeat(SHOWN_BYTES_MAX));
        assert!(shown.len() < SHOWN_BYTES_MAX + 100 && shown.ends_with("more lines of the difference are not shown\n"));
    }
}
