//! Codes in a paragraph whose lines were broken by a printer.

use crate::framework::{Found, Framework};

/// Codes found in a paragraph.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) found: Found,
    /// Whether it had to be joined over a line break.
    pub(crate) joined: bool,
    /// Whether it was written with letters of another alphabet.
    pub(crate) look_alike: bool,
}

/// A paragraph whose broken codes are whole, and the codes in it.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) text: String,
    pub(crate) hits: Vec<Hit>,
}

/// How many line breaks of one paragraph are tried as breaks within a code.
const BREAKS_MAX: usize = 2_000;

/// Finds the codes of a paragraph. A line break within a code is taken out where a code comes of it that was none before.
pub(crate) fn read(framework: &Framework, text: &str) -> Read {
    let mut text = text.to_owned();
    let mut mended: Vec<usize> = Vec::new();
    let mut from = 0;
    for _ in 0..BREAKS_MAX {
        let Some(at) = text.get(from..).and_then(|rest| rest.find('\n')).map(|at| from + at) else { break };
        match without_break(framework, &text, at) {
            Some((joined, start)) => {
                text = joined;
                mended.push(start);
                from = start;
            }
            None => from = at + 1,
        }
    }
    let hits = framework.find(&text).into_iter().map(|found| {
        let written = text.get(found.start..found.end).unwrap_or_default();
        let look_alike = written.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
        let joined = mended.contains(&found.start) || written.contains('\n');
        Hit { found, joined, look_alike }
    });
    let hits = hits.collect();
    Read { text, hits }
}

/// The text without one line break, and where the code begins that comes of it; none where no code comes of it.
fn without_break(framework: &Framework, text: &str, at: usize) -> Option<(String, usize)> {
    // Only what stands around the break decides, so only that is searched.
    let (head, tail) = (text.get(..at)?, text.get(at + 1..)?);
    let head = head.trim_end_matches([' ', '\r']);
    let tail = tail.trim_start_matches(' ');
    // A code has a digit on at least one side of any place where it may be broken, or a letter at its end.
    let near_digit =
        head.chars().rev().take(3).any(|c| c.is_ascii_digit()) || tail.chars().take(3).any(|c| c.is_ascii_digit());
    if !near_digit {
        return None;
    }
    let line_start = head.rfind('\n').map_or(0, |start| start + 1);
    let line_end = tail.find('\n').unwrap_or(tail.len());
    let (before, after) = (head.get(line_start..)?, tail.get(..line_end)?);
    let is_whole = |found: &Found| !found.codes.is_empty();
    let apart = framework.find(&format!("{before}\n{after}"));
    let together = framework.find(&format!("{before}{after}"));
    let seam = before.len();
    let over = together.iter().find(|found| is_whole(found) && found.start < seam && found.end > seam)?;
    let already = apart.iter().any(|found| is_whole(found) && found.start < seam && found.end > seam + 1);
    // "TCH 3-14" at the end of a line and "a" alone below it is a code; "a starter" below it is not.
    let ended = apart.iter().any(|found| is_whole(found) && found.start == over.start);
    if already || ended {
        return None;
    }
    Some((format!("{head}{tail}"), line_start + over.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_a_line_broke_are_found() {
        let framework = Framework::cfe();
        for (text, expected) in [
            ("uses loops TCH 3-\n14a", vec!["TCH 3-14a"]),
            ("uses loops TCH\n3-14a", vec!["TCH 3-14a"]),
            ("TCH 3-1\n4a and more", vec!["TCH 3-14a"]),
            ("TCH 3-14\na", vec!["TCH 3-14a"]),
            ("TCH 3-14a\nTCH 3-14b", vec!["TCH 3-14a", "TCH 3-14b"]),
            ("TCH 3-14a\nbegins here", vec!["TCH 3-14a"]),
        ] {
            let read = read(&framework, text);
            let codes: Vec<&str> =
                read.hits.iter().flat_map(|hit| &hit.found.codes).map(|code| code.text.as_str()).collect();
            assert_eq!(codes, expected, "{text}");
        }
        assert!(read(&framework, "TCH 3-\n14a").hits.iter().all(|hit| hit.joined));
    }
}
