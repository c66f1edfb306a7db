//! Parts of an output, and those of them that were accepted: put back byte for byte, whatever the model made of them.
//!
//! An accepted part belongs to one part of the new output at the most: to the one that still has its words, else to the
//! one of its title, else to the one of its id. What is left over goes where it stood before.

use ta_text::outline::Outline;

use crate::hook::Part;

/// The parts of an output, in order: what stands under each heading of the second level.
#[must_use]
pub fn read(output: &str) -> Vec<Part> {
    let part = |it: ta_text::outline::Section| Part {
        id: it.id,
        title: it.title,
        text: output.get(it.range).unwrap_or_default().to_owned(),
    };
    Outline::read(output).sections.into_iter().map(part).collect()
}

/// An output with its accepted parts in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The output.
    pub output: String,
    /// The accepted parts, each with the id that it has in this output.
    pub accepted: Vec<Part>,
    /// Titles of those that had been changed or left out.
    pub changed: Vec<String>,
}

/// Puts the accepted parts into a new output; `before` is the output that they were accepted in.
#[must_use]
pub fn restore(output: &str, accepted: &[Part], before: Option<&str>) -> Restored {
    let new = read(output);
    let length: usize = new.iter().map(|part| part.text.len()).sum();
    let preamble = output.get(..output.len().saturating_sub(length)).unwrap_or_default();
    let claims = claims(accepted, &new);
    let mut changed = Vec::new();
    let mut pieces: Vec<Piece<'_>> = new.iter().map(Piece::new).collect();
    let mut left_out = Vec::new();
    for (number, (part, claim)) in accepted.iter().zip(claims).enumerate() {
        let Some(piece) = claim.and_then(|at| pieces.get_mut(at)) else {
            left_out.push((number, part));
            changed.push(part.title.clone());
            continue;
        };
        piece.id = &part.id;
        piece.of = Some(number);
        // White space at its end belongs to the place where it stands.
        if piece.text.trim_end() != part.text.trim_end() {
            changed.push(part.title.clone());
            piece.put(&part.text);
        }
    }
    let order = before.map(read).unwrap_or_default();
    for (number, part) in left_out {
        let at = place(&pieces, &order, &part.id);
        let piece = Piece { of: Some(number), put_in: true, ..Piece::new(part) };
        pieces.insert(at, piece);
    }
    let output = joined(preamble, &pieces);
    let now = read(&output);
    let id_of = |number| pieces.iter().position(|piece| piece.of == Some(number)).and_then(|at| now.get(at));
    let accepted = accepted.iter().enumerate().map(|(number, part)| {
        let id = id_of(number).map_or_else(|| part.id.clone(), |now| now.id.clone());
        Part { id, ..part.clone() }
    });
    Restored { accepted: accepted.collect(), output, changed }
}

/// A part of the output that is put together.
struct Piece<'a> {
    /// The id that the output before knew it by, where it is an accepted one.
    id: &'a str,
    text: &'a str,
    /// Number of the accepted part that it is.
    of: Option<usize>,
    /// Whether it does not stand there in what the model answered.
    put_in: bool,
}

impl<'a> Piece<'a> {
    fn new(part: &'a Part) -> Self {
        Self { id: &part.id, text: &part.text, of: None, put_in: false }
    }

    fn put(&mut self, text: &'a str) {
        self.text = text;
        self.put_in = true;
    }
}

/// A way to tell that two parts are the same.
type Way<'a> = &'a dyn Fn(&Part, &Part) -> bool;

/// Which of the new parts each accepted part is; none where it was left out.
fn claims(accepted: &[Part], new: &[Part]) -> Vec<Option<usize>> {
    let mut claims = vec![None; accepted.len()];
    let same_text = |one: &Part, other: &Part| one.text.trim_end() == other.text.trim_end();
    let same_title = |one: &Part, other: &Part| one.title == other.title;
    let same_id = |one: &Part, other: &Part| one.id == other.id;
    let ways: [Way<'_>; 3] = [&same_text, &same_title, &same_id];
    for same in ways {
        for (number, part) in accepted.iter().enumerate() {
            if claims.get(number).is_some_and(Option::is_some) {
                continue;
            }
            let free = |at: &usize| !claims.contains(&Some(*at));
            let found = new.iter().enumerate().filter(|(_, it)| same(part, it)).map(|(at, _)| at).find(free);
            if let Some(claim) = claims.get_mut(number) {
                *claim = found;
            }
        }
    }
    claims
}

/// Behind the nearest part that stood before it in the output before; at the end where that output did not have it.
fn place(pieces: &[Piece<'_>], before: &[Part], id: &str) -> usize {
    let Some(index) = before.iter().position(|part| part.id == id) else { return pieces.len() };
    let earlier = before.iter().take(index).rev();
    let found = earlier.filter_map(|part| pieces.iter().position(|piece| piece.id == part.id)).next();
    found.map_or(0, |at| at.saturating_add(1))
}

/// A blank line stands before and behind what was put in, so that the next heading begins a line.
fn joined(preamble: &str, pieces: &[Piece<'_>]) -> String {
    let mut text = preamble.to_owned();
    let mut put_in = false;
    for piece in pieces {
        if (put_in || piece.put_in) && !text.is_empty() {
            let missing = 2_usize.saturating_sub(text.len() - text.trim_end_matches('\n').len());
            text.extend(std::iter::repeat_n('\n', missing));
        }
        text.push_str(piece.text);
        put_in = piece.put_in;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "# L\n\n## Starter (8 minutes)\n\nquiz\n\n## Main (30 minutes)\n\nloops\n\n## Plenary\n\nexit\n";

    /// The parts of an output that these ids name.
    fn accepted(output: &str, ids: &[&str]) -> Vec<Part> {
        read(output).into_iter().filter(|part| ids.contains(&part.id.as_str())).collect()
    }

    #[test]
    fn a_changed_part_is_put_back() {
        let new =
            "# L\n\n## Starter (5 minutes)\n\nshorter\n\n## Main (33 minutes)\n\nrewritten\n\n## Plenary\n\nexit\n";
        let restored = restore(new, &accepted(BEFORE, &["main"]), Some(BEFORE));
        assert_eq!(
            restored.output,
            "# L\n\n## Starter (5 minutes)\n\nshorter\n\n## Main (30 minutes)\n\nloops\n\n## Plenary\n\nexit\n"
        );
        assert_eq!(restored.changed, ["Main (30 minutes)"]);
    }

    #[test]
    fn a_missing_part_goes_where_it_stood() {
        let keep = accepted(BEFORE, &["main"]);
        let without = |text: &str| restore(text, &keep, Some(BEFORE)).output;
        let whole = "# L\n\n## Starter\n\nshorter\n\n## Main (30 minutes)\n\nloops\n\n## Plenary\n\nexit\n";
        assert_eq!(without("# L\n\n## Starter\n\nshorter\n\n## Plenary\n\nexit\n"), whole);
        assert_eq!(without("## Plenary\n\nexit"), "## Main (30 minutes)\n\nloops\n\n## Plenary\n\nexit");
        assert_eq!(without("nothing else"), "nothing else\n\n## Main (30 minutes)\n\nloops\n\n");
    }

    #[test]
    fn what_is_the_same_stays_untouched() {
        let keep = accepted(BEFORE, &["starter"]);
        let same = Restored { output: BEFORE.to_owned(), accepted: keep.clone(), changed: Vec::new() };
        assert_eq!(restore(BEFORE, &keep, None), same);
        let tight = "# L\n## Starter\nquiz\n## Main\nloops";
        assert_eq!(restore(tight, &accepted(tight, &["main"]), None).output, tight);
        assert_eq!(restore(tight, &[], Some(BEFORE)).output, tight);
    }

    const TWICE: &str = "## Task (9 minutes)\n\nsort\n\n## Talk\n\npairs\n\n## Task (12 minutes)\n\ncode\n";

    #[test]
    fn parts_of_one_title_are_told_apart() {
        let ids: Vec<String> = read(TWICE).into_iter().map(|part| part.id).collect();
        assert_eq!(ids, ["task", "talk", "task-2"]);
        let keep = accepted(TWICE, &["task", "task-2"]);
        let expected = "## Task (9 minutes)\n\nsort\n\n## Talk\n\nnew\n\n## Task (12 minutes)\n\ncode\n";
        for answer in [
            expected,
            "## Task\n\nother\n\n## Talk\n\nnew\n\n## Task\n\nwords\n",
            "## Talk\n\nnew\n",
            "## Talk\n\nnew\n\n## Task (12 minutes)\n\nwords\n",
        ] {
            let restored = restore(answer, &keep, Some(TWICE));
            assert_eq!(restored.output.trim_end(), expected.trim_end(), "{answer}");
            assert_eq!(restored.accepted, keep, "{answer}");
        }
    }

    #[test]
    fn parts_that_changed_places_keep_their_words() {
        let swapped = "## Task (12 minutes)\n\ncode\n\n## Talk\n\nnew\n\n## Task (9 minutes)\n\nsort\n";
        let restored = restore(swapped, &accepted(TWICE, &["task", "task-2"]), Some(TWICE));
        assert_eq!((restored.output.as_str(), restored.changed.len()), (swapped, 0));
        let ids: Vec<&str> = restored.accepted.iter().map(|part| part.id.as_str()).collect();
        assert_eq!(ids, ["task-2", "task"], "each has the id that it has in this output");
    }
}
