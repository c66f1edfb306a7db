//! Alternatives inside a section: `### Alternative 1`, `### Alternative 2`, …, each with its text.

use ta_curriculum::markdown::{Kind, Line, heading, lines};

/// One of the texts that may take a section's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alternative {
    /// Its heading, such as `Alternative 1: card sort`.
    pub(crate) label: String,
    /// Its text without that heading.
    pub(crate) body: String,
}

/// The alternatives of a section, in order; none when there are fewer than two, for then there is nothing to choose.
pub(crate) fn alternatives(section: &str) -> Vec<Alternative> {
    under_headings(section, 3)
}

/// Whole lessons side by side, each under a heading of the first level: `# Alternative 1`, `# Alternative 2`, …
pub(crate) fn alternatives_of_whole(output: &str) -> Vec<Alternative> {
    under_headings(output, 1)
}

fn under_headings(text: &str, level: u8) -> Vec<Alternative> {
    let lines = lines(text);
    let starts: Vec<_> = lines.iter().filter_map(|line| Some((line, alternative(line, level)?))).collect();
    if starts.len() < 2 {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).map(|(line, _)| line.start).chain([text.len()]);
    let texts = starts.iter().zip(ends).map(|((line, label), end)| Alternative {
        label: (*label).to_owned(),
        body: text.get(line.end()..end).unwrap_or_default().trim().to_owned(),
    });
    texts.collect()
}

/// The section with `body` under its heading, and with the white space that it ended in.
pub(crate) fn chosen(section: &str, body: &str) -> String {
    let first = section.split_inclusive('\n').next().unwrap_or_default();
    let line_break = if first.ends_with("\r\n") { "\r\n" } else { "\n" };
    let end = section.get(section.trim_end().len()..).unwrap_or_default();
    [first.trim_end(), line_break, line_break, body, end].concat()
}

/// The text of a heading line that begins an alternative.
fn alternative<'a>(line: &Line<'a>, level: u8) -> Option<&'a str> {
    let (_, text) = heading(line.text).filter(|_| line.kind == Kind::Heading(level))?;
    let (word, rest) = text.split_at_checked("alternative".len())?;
    let numbered = rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    (word.eq_ignore_ascii_case("alternative") && numbered).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{alternatives, chosen};

    #[test]
    fn alternatives_are_found_and_one_takes_the_place() {
        let section = "## Plenary (10 minutes)\n\nTwo ideas.\n\n### Alternative 1: exit ticket\n\nOne question.\n\n\
                       ### Materials\n\nPaper.\n\n### Alternative 2\nA quiz.\n\n\n";
        let found = alternatives(section);
        let labels: Vec<&str> = found.iter().map(|found| found.label.as_str()).collect();
        assert_eq!(labels, ["Alternative 1: exit ticket", "Alternative 2"]);
        assert_eq!(found[0].body, "One question.\n\n### Materials\n\nPaper.");
        assert_eq!(chosen(section, &found[1].body), "## Plenary (10 minutes)\n\nA quiz.\n\n\n");
        assert_eq!(chosen("## A\r\nx", "y"), "## A\r\n\r\ny");
    }

    #[test]
    fn what_only_looks_like_alternatives_is_none() {
        for section in [
            "## A\n\n### Alternative 1\n\nOnly one.\n",
            "## A\n\n### Alternatives\n\n### Alternative views 1\n",
            "## A\n\n```\n### Alternative 1\n### Alternative 2\n```\n",
            "## A\n\n#### Alternative 1\n\n#### Alternative 2\n",
        ] {
            assert!(alternatives(section).is_empty(), "{section}");
        }
    }
}
