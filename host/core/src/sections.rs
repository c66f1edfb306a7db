//! Sections of an output that were accepted: put back byte for byte, whatever the model made of them.

use ta_curriculum::outline::Outline;

use crate::hook::Section;

/// Whether two headings name the same section: case, spaces and the minutes in brackets do not count.
#[must_use]
pub fn same_heading(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

fn plain(heading: &str) -> String {
    let heading = heading.trim().trim_end_matches('#').trim();
    let without = match heading.rfind('(') {
        Some(start) if heading.ends_with(')') => heading.get(..start).unwrap_or(heading),
        _ => heading,
    };
    without.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Puts the accepted sections into a new output, each in the place of its namesake; one that is missing goes where it
/// stood in the output before. Answers with the output and the headings that had been changed or left out.
#[must_use]
pub fn restore(output: &str, accepted: &[Section], before: Option<&str>) -> (String, Vec<String>) {
    let mut text = output.to_owned();
    let mut restored = Vec::new();
    for section in accepted {
        let outline = Outline::read(&text);
        // A heading may occur twice: a section that stands there word for word is the one that was meant.
        let same_text =
            |it: &&ta_curriculum::outline::Section| text.get(it.range.clone()) == Some(section.text.as_str());
        if outline.sections.iter().any(|it| same_text(&it)) {
            continue;
        }
        match outline.sections.iter().find(|it| same_heading(&it.title, &section.heading)) {
            Some(found) => {
                let last = found.range.end == text.len();
                let piece = if last { section.text.clone() } else { ended(&section.text) };
                // Only the blank lines at the end of the text may differ: that is no change worth a word.
                if text.get(found.range.clone()).map(str::trim_end) != Some(section.text.trim_end()) {
                    restored.push(section.heading.clone());
                }
                text.replace_range(found.range.clone(), &piece);
            }
            None => {
                let at = place_of(&outline, &section.heading, before).unwrap_or(text.len());
                let mut piece = ended(&section.text);
                if at > 0 && !text.get(..at).is_some_and(|head| head.ends_with('\n')) {
                    piece.insert(0, '\n');
                }
                text.insert_str(at, &piece);
                restored.push(section.heading.clone());
            }
        }
    }
    (text, restored)
}

fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n\n") }
}

/// Behind the nearest section that stood before it in the output before.
fn place_of(outline: &Outline, heading: &str, before: Option<&str>) -> Option<usize> {
    let before = Outline::read(before?);
    let index = before.sections.iter().position(|it| same_heading(&it.title, heading))?;
    let earlier = before.sections.get(..index)?;
    for candidate in earlier.iter().rev() {
        if let Some(found) = outline.sections.iter().find(|it| same_heading(&it.title, &candidate.title)) {
            return Some(found.range.end);
        }
    }
    outline.sections.first().map(|first| first.range.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "# L\n\n## Starter (8 minutes)\n\nquiz\n\n## Main (30 minutes)\n\nloops\n\n## Plenary\n\nexit\n";

    fn accepted(heading: &str, text: &str) -> Section {
        Section { heading: heading.into(), text: text.into() }
    }

    #[test]
    fn a_changed_section_is_put_back() {
        let new =
            "# L\n\n## Starter (5 minutes)\n\nshorter\n\n## Main (33 minutes)\n\nrewritten\n\n## Plenary\n\nexit\n";
        let keep = accepted("Main (30 minutes)", "## Main (30 minutes)\n\nloops\n\n");
        let (text, restored) = restore(new, &[keep], Some(BEFORE));
        assert_eq!(
            text,
            "# L\n\n## Starter (5 minutes)\n\nshorter\n\n## Main (30 minutes)\n\nloops\n\n## Plenary\n\nexit\n"
        );
        assert_eq!(restored, ["Main (30 minutes)"]);
    }

    #[test]
    fn a_missing_section_goes_where_it_stood() {
        let new = "# L\n\n## Starter\n\nshorter\n\n## Plenary\n\nexit\n";
        let keep = accepted("Main (30 minutes)", "## Main (30 minutes)\n\nloops\n\n");
        let (text, _) = restore(new, &[keep], Some(BEFORE));
        assert_eq!(text, "# L\n\n## Starter\n\nshorter\n\n## Main (30 minutes)\n\nloops\n\n## Plenary\n\nexit\n");
    }

    #[test]
    fn what_is_the_same_stays_untouched() {
        let keep = accepted("Starter", "## Starter (8 minutes)\n\nquiz\n\n");
        assert_eq!(restore(BEFORE, &[keep], None), (BEFORE.to_owned(), Vec::new()));
    }
}
