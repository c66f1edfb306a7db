//! What a call would do to files, as hooks and the person see it.

use std::borrow::Cow;

use similar::{Algorithm, TextDiff};
use ta_core::files::Files;
use ta_core::hook::FileChange;
use ta_sandbox::StagedWrite;

/// Lines that stay the same and are shown around those that change.
const AROUND: usize = 3;
/// What a carriage return that ends no line is shown as.
const RETURN_SIGN: char = '\u{240d}';
/// Bytes of a difference that are shown; the change itself is what both digests say.
const SHOWN_BYTES_MAX: usize = 64 * 1024;

/// Each write as a change of the file as it is now, and the bytes of the files that are there.
pub(crate) fn changes(workspace: &dyn Files, writes: &[StagedWrite]) -> (Vec<FileChange>, Vec<Vec<u8>>) {
    let mut kept = Vec::new();
    let mut change = |write: &StagedWrite| {
        let StagedWrite { path, before, after, text } = write;
        let bytes = before.as_ref().and_then(|_| workspace.bytes(path).ok());
        let old = match (before, &bytes) {
            (None, _) => Some(""),
            (Some(_), bytes) => bytes.as_ref().and_then(|bytes| std::str::from_utf8(bytes).ok()),
        };
        let difference = match old {
            Some(old) => difference(path, (before.is_some(), old), text),
            None => no_text(path, text),
        };
        kept.extend(bytes);
        FileChange { path: path.clone(), before: before.clone(), after: after.clone(), difference }
    };
    (writes.iter().map(&mut change).collect(), kept)
}

/// What a file becomes that is no text now.
fn no_text(path: &str, text: &str) -> String {
    let shown = difference(path, (false, ""), text);
    format!("{shown}\\ the file as it is cannot be shown, since it is no text; all of it is replaced\n")
}

/// The difference of two texts in the unified form.
fn difference(path: &str, (is_there, before): (bool, &str), after: &str) -> String {
    // Alone it ends no line and shows nowhere, but a reader of the file may take it for an end.
    let (before, after) = (&*visible_returns(before), &*visible_returns(after));
    let compared = TextDiff::configure().algorithm(Algorithm::Patience).diff_lines(before, after);
    let mut shown = compared.unified_diff().context_radius(AROUND).header(path, path).to_string();
    let windows = |text: &str| text.contains("\r\n");
    if windows(before) != windows(after) && !before.is_empty() && !after.is_empty() {
        // They show nowhere else.
        let (then, now) = if windows(before) { ("Windows", "Unix") } else { ("Unix", "Windows") };
        shown.push_str(&format!("\\ the line ends change from those of {then} to those of {now}\n"));
    }
    if after.is_empty() {
        shown.push_str(if is_there { "\\ the file becomes empty\n" } else { "\\ the new file is empty\n" });
    }
    if shown.len() > SHOWN_BYTES_MAX {
        let cut = (0..=SHOWN_BYTES_MAX).rev().find(|at| shown.is_char_boundary(*at)).unwrap_or_default();
        let lines = shown.get(cut..).unwrap_or_default().lines().count();
        shown.truncate(cut);
        shown.push_str(&format!("\n\\ {lines} more lines of the difference are not shown\n"));
    }
    shown
}

/// The text with each carriage return that ends no line as the sign for it.
fn visible_returns(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let alone = character == '\r' && characters.peek() != Some(&'\n');
        shown.push(if alone { RETURN_SIGN } else { character });
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::{SHOWN_BYTES_MAX, no_text};

    fn difference(path: &str, before: &str, after: &str) -> String {
        super::difference(path, (!before.is_empty(), before), after)
    }

    #[test]
    fn what_shows_nowhere_is_said() {
        assert!(difference("x", "", "").contains("\\ the new file is empty\n"));
        assert!(difference("x", "a\n", "").ends_with("-a\n\\ the file becomes empty\n"));
        assert_eq!(difference("x", "a\n", "a\rb\r\n").matches('\u{240d}').count(), 1, "the line's own end is none");
        let shown = no_text("x", "a\n");
        assert!(shown.contains("\n+a\n") && shown.contains("it is no text"), "{shown}");
    }

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
