//! A difference as people know it: lines taken out and put in, with a few around them.

/// Lines that stay the same and are shown before and after.
const AROUND: usize = 3;

/// The difference of two texts as one piece: everything from the first line that differs to the last.
pub(crate) fn unified(path: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let shortest = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(shortest).take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - last, new.len() - last);
    let from = first.saturating_sub(AROUND);
    let around = last.min(AROUND);
    let mut out = format!(
        "--- {path}\n+++ {path}\n@@ -{},{} +{},{} @@\n",
        from + 1,
        old_end - from + around,
        from + 1,
        new_end - from + around
    );
    let mut push = |mark: char, lines: Option<&[&str]>| {
        for line in lines.unwrap_or_default() {
            out.push(mark);
            out.push_str(line);
            out.push('\n');
        }
    };
    push(' ', old.get(from..first));
    push('-', old.get(first..old_end));
    push('+', new.get(first..new_end));
    push(' ', old.get(old_end..old_end + around));
    if first == old_end && first == new_end {
        out.push_str("\\ only the line break at the end changes\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn changed_lines_stand_between_lines_that_stay() {
        let (before, after) = ("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nE2\nf\ng\nh\n");
        assert_eq!(
            unified("x.md", before, after),
            "--- x.md\n+++ x.md\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n h\n"
        );
        assert_eq!(unified("x", "", "a\n"), "--- x\n+++ x\n@@ -1,0 +1,1 @@\n+a\n");
        assert_eq!(unified("x", "a\na\n", "a\n"), "--- x\n+++ x\n@@ -1,2 +1,1 @@\n a\n-a\n");
        assert!(unified("x", "a", "a\n").ends_with("only the line break at the end changes\n"));
    }
}
