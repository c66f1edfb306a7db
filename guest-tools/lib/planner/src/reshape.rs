//! Putting a text of somebody else into another form: for sections that the bank has no pattern for.

use super::phrase::{capitalised, one_line, sentence, uncapitalised, without_stop};

/// The points of a text: its list items, rows and sentences, without marks.
fn points(body: &str) -> Vec<String> {
    let mut points = Vec::new();
    for line in
        body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#') && !line.contains("---"))
    {
        let text = line
            .trim_start_matches(['-', '*', '|', ' '])
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start_matches(". ");
        let text = text.trim_start_matches("[ ] ").trim_end_matches('|').replace(" | ", ": ");
        if line.starts_with(['-', '*', '|']) || line.starts_with(|c: char| c.is_ascii_digit()) {
            points.push(one_line(&text));
        } else {
            points.extend(text.split_inclusive(". ").map(|sentence| one_line(sentence.trim())));
        }
    }
    points.retain(|point| !point.is_empty());
    points
}

/// Forms that a text can take; each differs from the others in what the reader does with it.
pub(crate) fn forms(body: &str) -> Vec<String> {
    let points = points(body);
    if points.is_empty() {
        return Vec::new();
    }
    let each = |form: &dyn Fn(usize, &str) -> String| {
        points.iter().enumerate().map(|(at, point)| form(at, point)).collect::<Vec<_>>().join("\n")
    };
    let rows = each(&|_, point| format!("| {} | |", point.replace('|', "/")));
    vec![
        format!("In this order:\n\n{}", each(&|at, point| format!("{}. {}", at + 1, sentence(point)))),
        format!("To tick off:\n\n{}", each(&|_, point| format!("- [ ] {}", uncapitalised(without_stop(point))))),
        format!("| What | Done by, when |\n|---|---|\n{rows}"),
        format!(
            "Ask yourself, point by point, whether this holds for your class:\n\n{}",
            each(&|_, point| format!("- {} Yes, no, or not this time?", sentence(point)))
        ),
        format!(
            "With a colleague: one reads, the other says what it would look like tomorrow.\n\n{}",
            each(&|_, point| format!("- {}", sentence(point)))
        ),
        format!(
            "In short: {}",
            points.iter().take(2).map(|point| sentence(&capitalised(point))).collect::<Vec<_>>().join(" ")
        ),
    ]
}

/// A shorter text: each list loses its last items, a text without lists its last sentences.
pub(crate) fn trimmed(body: &str) -> String {
    let is_item =
        |line: &str| line.starts_with("- ") || line.starts_with(|c: char| c.is_ascii_digit()) || line.starts_with('|');
    let items = body.lines().filter(|line| is_item(line)).count();
    let keep = items.div_ceil(2).max(1);
    if items >= 3 {
        let mut seen = 0;
        let kept = body.lines().filter(|line| {
            seen += usize::from(is_item(line));
            !is_item(line) || seen <= keep
        });
        return kept.collect::<Vec<_>>().join("\n");
    }
    let sentences: Vec<&str> = body.split_inclusive(". ").collect();
    let keep = sentences.len().div_ceil(2);
    sentences.into_iter().take(keep).collect::<String>().trim().to_owned()
}

/// The text without list items below others.
pub(crate) fn without_nested(body: &str) -> String {
    body.lines().filter(|line| !line.starts_with("  ")).collect::<Vec<_>>().join("\n")
}

/// Takes a question out of a practice in steps, numbers the rest through, and lets what names questions by their numbers follow; none
/// where the practice is not one, or has no such question.
pub(crate) fn without_question(body: &str, number: usize) -> Option<String> {
    let (lead, sheet) = body.split_at(body.find("**Step 1: ")?);
    let numbered = |line: &str| {
        let rest = line.strip_prefix("**Question ").unwrap_or(line);
        let (digits, after) = rest.split_once('.')?;
        let number: usize = digits.parse().ok()?;
        after.starts_with([' ', '*']).then_some(number)
    };
    let (mut out, mut inside, mut removed, mut in_code) = (Vec::new(), false, false, false);
    for line in sheet.lines() {
        let found = if in_code { None } else { numbered(line) };
        in_code ^= line.starts_with("```");
        inside = match found {
            Some(found) => found == number,
            None => inside && (in_code || !line.starts_with("**Step ")),
        };
        removed |= inside;
        match found.filter(|found| *found > number) {
            _ if inside => {}
            Some(found) => out.push(line.replacen(&found.to_string(), &(found - 1).to_string(), 1)),
            None => out.push(line.to_owned()),
        }
    }
    let lead: Vec<String> = lead
        .lines()
        .map(|line| if line.starts_with("- **") { shifted(line, number) } else { line.to_owned() })
        .collect();
    removed.then(|| format!("{}\n{}", lead.join("\n"), out.join("\n")))
}

/// The line with the numbers of questions behind the one that is gone lowered by one; the end of a span that it closed as well.
fn shifted(line: &str, gone: usize) -> String {
    let mut before = "";
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let digits = word.trim_end_matches([',', ';', '.']);
        let lower = digits.parse::<usize>().ok().filter(|it| *it > gone || *it == gone && before == "to");
        words.push(
            lower.map_or_else(|| word.to_owned(), |it| word.replacen(digits, &it.saturating_sub(1).to_string(), 1)),
        );
        before = word;
    }
    words.join(" ")
}

/// Takes out the list item with a number, counted over the whole text, and counts the numbered ones again.
pub(crate) fn without_item(body: &str, number: usize) -> Option<String> {
    let marker = |line: &str| {
        let digits = line.chars().take_while(char::is_ascii_digit).count();
        if digits > 0 && line.get(digits..).is_some_and(|rest| rest.starts_with(". ")) {
            Some(digits + 2)
        } else {
            line.starts_with("- ").then_some(2)
        }
    };
    let mut seen = 0;
    let mut removed = false;
    let mut inside_removed = false;
    let mut next = 1;
    let mut out: Vec<String> = Vec::new();
    for line in body.lines() {
        inside_removed &= line.starts_with("  ");
        if inside_removed {
            continue;
        }
        let Some(length) = marker(line) else {
            next = if line.trim().is_empty() { 1 } else { next };
            out.push(line.to_owned());
            continue;
        };
        seen += 1;
        if seen == number {
            (removed, inside_removed) = (true, true);
            continue;
        }
        if line.starts_with("- ") {
            out.push(line.to_owned());
        } else {
            out.push(format!("{next}. {}", line.get(length..).unwrap_or_default()));
            next += 1;
        }
    }
    removed.then(|| out.join("\n"))
}

/// The body of an alternative that was offered.
pub(crate) fn alternative(body: &str, number: usize) -> Option<String> {
    let head = format!("### Alternative {number}");
    let start = body.lines().position(|line| line.trim() == head)?;
    let lines = body.lines().skip(start + 1).take_while(|line| !line.starts_with("### Alternative "));
    let text = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_form_is_another_text() {
        let body = "- bring scissors\n- count the sheets";
        let forms = forms(body);
        assert_eq!(forms.len(), 6);
        assert_eq!(forms[0], "In this order:\n\n1. Bring scissors.\n2. Count the sheets.");
        assert!(forms.iter().all(|form| form != body));
    }

    #[test]
    fn items_are_taken_out_and_counted_again() {
        let body = "Do:\n\n1. a\n2. b\n3. c";
        assert_eq!(without_item(body, 2).as_deref(), Some("Do:\n\n1. a\n2. c"));
        assert_eq!(without_item(body, 9), None);
        assert_eq!(trimmed(body), "Do:\n\n1. a\n2. b");
        assert_eq!(trimmed("One. Two. Three."), "One. Two.");
    }

    #[test]
    fn an_alternative_is_taken_whole() {
        let body = "### Alternative 1\n\nfirst\n\n### Alternative 2\n\nsecond\nmore";
        assert_eq!(alternative(body, 2).as_deref(), Some("second\nmore"));
        assert_eq!(alternative(body, 3), None);
    }
}
