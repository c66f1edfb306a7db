//! The part of a lesson that is handed to pupils, as markdown.
//!
//! Which sections these are, and what in them is for the teacher, says [`ta_curriculum::pupils`]. Here the marks stay:
//! emphasis, formulas, code and tables are handed out as they are. Answers are looked for more strictly than for
//! measuring language, because a sheet with an answer on it is a lost exercise.

use ta_curriculum::markdown::{Kind, Line, heading, item, lines, part};
use ta_curriculum::outline::Outline;
use ta_curriculum::pupils::{Reading, answer_at, is_remark, opens_answers, speaks_to_teacher};

/// The part for pupils; nothing if there is none.
pub(crate) fn pupil_part(markdown: &str) -> Option<String> {
    let outline = Outline::read(markdown);
    let mut out = String::new();
    if let Some(title) = outline.preamble.as_ref().and_then(|it| title(part(markdown, it.range.clone()))) {
        out.push_str(&format!("# {title}\n"));
    }
    let mut found = false;
    for section in &outline.sections {
        let reading = Reading::of(&section.title);
        if reading == Reading::Nothing || gives_answers(&section.title) {
            continue;
        }
        let kept = section_for_pupils(part(markdown, section.range.clone()), reading);
        if !kept.trim().is_empty() {
            found = true;
            out.push_str(&format!("\n## {}\n{kept}", without_minutes(&section.title)));
        }
    }
    found.then_some(out)
}

fn title(preamble: &str) -> Option<&str> {
    let lines = lines(preamble);
    let first = lines.iter().find(|line| line.kind == Kind::Heading(1))?;
    heading(first.text).map(|(_, title)| title)
}

/// `Starter (8 minutes)` is `Starter` to a pupil.
fn without_minutes(title: &str) -> &str {
    match title.rfind('(') {
        Some(at) if title.to_lowercase().trim_end().ends_with("minutes)") => part(title, 0..at).trim_end(),
        _ => title,
    }
}

fn gives_answers(title: &str) -> bool {
    let lower = title.to_lowercase();
    opens_answers(title) || ["solution", "mark scheme", "marking", "teacher notes"].iter().any(|it| lower.contains(it))
}

/// A stretch of lines that is kept or left out as one: an item with what hangs below it, a paragraph, a table.
struct Stretch<'a> {
    kind: Kind,
    lines: Vec<&'a str>,
    /// Whether a blank line stands before it.
    apart: bool,
}

fn section_for_pupils(section: &str, reading: Reading) -> String {
    let mut out = String::new();
    let mut hidden: Option<u8> = None;
    // An item that is left out takes along what hangs below it.
    let mut dropped_indent: Option<usize> = None;
    for stretch in stretches(&lines(section)).iter().skip(1) {
        let text = stretch.lines.join("\n");
        if let Kind::Heading(level) = stretch.kind {
            let title = heading(&text).map(|(_, title)| title).unwrap_or_default();
            if hidden.is_none_or(|it| level <= it) {
                hidden = gives_answers(title).then_some(level);
            }
            if hidden.is_none() && reading != Reading::Items {
                out.push_str(&format!("\n{text}\n"));
            }
            dropped_indent = None;
            continue;
        }
        let indent = text.len() - text.trim_start().len();
        if hidden.is_some() || (indent > 0 && dropped_indent.is_some_and(|it| indent > it)) {
            continue;
        }
        dropped_indent = None;
        let Some(kept) = kept(stretch.kind, &text, reading) else {
            let answer = stretch.kind == Kind::Text && without_answer(&text).trim().is_empty();
            if stretch.kind == Kind::Item {
                dropped_indent = Some(indent);
            } else if answer && indent > 0 {
                // An answer below its question goes on until the next item.
                dropped_indent = Some(indent - 1);
            } else if answer && text.trim_end_matches(['*', '_', ' ']).ends_with(':') {
                // Nothing but the word: what follows are the answers, up to the next heading.
                hidden = Some(6);
            }
            continue;
        };
        if stretch.apart {
            out.push('\n');
        }
        out.push_str(&kept);
        out.push('\n');
    }
    out
}

/// The heading's own line is the first stretch.
fn stretches<'a>(lines: &[Line<'a>]) -> Vec<Stretch<'a>> {
    let mut all: Vec<Stretch<'a>> = Vec::new();
    let mut open = false;
    let mut apart = false;
    for line in lines {
        let goes_on = match line.kind {
            Kind::Blank | Kind::Comment => {
                open = false;
                apart = true;
                continue;
            }
            Kind::Text => open && all.last().is_some_and(|it| !matches!(it.kind, Kind::Heading(_) | Kind::Code)),
            kind @ (Kind::Row | Kind::Code) => open && all.last().is_some_and(|it| it.kind == kind),
            Kind::Item | Kind::Heading(_) => false,
        };
        match all.last_mut() {
            Some(last) if goes_on => last.lines.push(line.text),
            // Blank lines inside code belong to it.
            Some(last) if line.kind == Kind::Code && last.kind == Kind::Code && !open => {
                last.lines.extend(["", line.text]);
            }
            _ => {
                apart |= all.last().is_some_and(|it| it.kind != line.kind);
                all.push(Stretch { kind: line.kind, lines: vec![line.text], apart });
            }
        }
        open = true;
        apart = false;
    }
    all
}

/// What of a stretch is for pupils.
fn kept(kind: Kind, text: &str, reading: Reading) -> Option<String> {
    match kind {
        Kind::Code => (matches!(reading, Reading::Tasks | Reading::All)).then(|| text.to_owned()),
        Kind::Row => {
            let rows: Vec<String> = match reading {
                Reading::Items | Reading::Nothing => return None,
                Reading::Keywords => text.lines().map(str::to_owned).collect(),
                Reading::Tasks | Reading::All => without_answer_columns(text),
            };
            Some(rows.join("\n"))
        }
        _ => {
            let is_item = kind == Kind::Item;
            let quoted = text.trim_start().starts_with(['>', '“', '"']);
            let shown = without_answer(text);
            let meant = match reading {
                Reading::Items => is_item,
                Reading::Keywords => is_item || kind == Kind::Text,
                Reading::Tasks => is_item || quoted || !(speaks_to_teacher(text) || times_the_lesson(text)),
                Reading::All => true,
                Reading::Nothing => false,
            };
            let inner = item(&shown).unwrap_or(&shown);
            (meant && inner.chars().any(char::is_alphanumeric)).then_some(shown)
        }
    }
}

/// Paragraphs that run the lesson rather than set a task.
fn times_the_lesson(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["stop after", "while the questions run", "what works with", "look at three", "read out", "collect the"]
        .iter()
        .any(|it| lower.contains(it))
}

/// How answers are marked, in lower case.
const ANSWERS: [&str; 8] =
    ["answer:", "answers:", "solution:", "solutions:", "answer =", "model answer", "expected answer", "ans:"];

/// The text up to its answer, and without remarks to the teacher.
fn without_answer(text: &str) -> String {
    // Lower case of these letters has the same length, so offsets hold.
    let lower = text.to_ascii_lowercase();
    let strict = ANSWERS.iter().filter_map(|mark| begins_sentence(&lower, mark)).min();
    let at = [answer_at(text).filter(|_| !is_arrow_only(text)), strict].into_iter().flatten().min();
    let mut kept = at.and_then(|at| text.get(..at)).unwrap_or(text).trim_end().to_owned();
    for open in ["**", "*", "(", "["] {
        kept = kept.trim_end().strip_suffix(open).map(str::to_owned).unwrap_or(kept);
    }
    kept.truncate(kept.trim_end().len());
    // What was cut inside bold text is bold up to the cut.
    if at.is_some() && kept.matches("**").count() % 2 == 1 {
        kept.push_str("**");
    }
    without_remarks(&kept)
}

/// Where a word stands at the beginning of a sentence, a line or a bracket: "break their solution: …" is a task.
fn begins_sentence(text: &str, word: &str) -> Option<usize> {
    let begins = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let close = before.trim_end_matches([' ', '*', '_']);
        close.is_empty() || close.ends_with(['.', '?', '!', '(', '[', '\n', ';', '”', '…', '=', '$', '-', '>'])
    };
    text.match_indices(word).map(|(at, _)| at).find(|at| begins(*at))
}

/// An arrow inside a formula or between steps is no answer where answers are marked by their word.
fn is_arrow_only(text: &str) -> bool {
    text.contains('→') && (text.contains('$') || text.contains("\\("))
}

/// The text without sentences to the teacher; marks inside the rest stay.
fn without_remarks(text: &str) -> String {
    let mark = text.len() - item(text).map_or(text.trim_start(), |it| it).len();
    let (marker, body) = text.split_at_checked(mark).unwrap_or(("", text));
    let mut out = String::from(marker);
    let mut rest = body;
    while !rest.is_empty() {
        let end = sentence_end(rest);
        let (sentence, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !is_remark(sentence.trim_start_matches([' ', '\n', '*', '_'])) {
            out.push_str(sentence);
        }
        rest = after;
    }
    out.trim_end().to_owned()
}

fn sentence_end(text: &str) -> usize {
    let mut signs = text.char_indices().peekable();
    while let Some((_, c)) = signs.next() {
        if matches!(c, '.' | '!' | '?') {
            while signs.next_if(|(_, next)| matches!(next, '”' | '"' | '’' | '*' | ')')).is_some() {}
            match signs.peek() {
                Some((at, next)) if next.is_whitespace() => return *at,
                _ => {}
            }
        }
    }
    text.len()
}

/// The rows of a table without the columns that hold answers.
fn without_answer_columns(table: &str) -> Vec<String> {
    let rows: Vec<Vec<&str>> = table.lines().map(cells).collect();
    let head = rows.first().cloned().unwrap_or_default();
    let hidden: Vec<usize> = head
        .iter()
        .enumerate()
        .filter(|(_, title)| gives_answers(title) || title.to_lowercase().contains("teacher"))
        .map(|(index, _)| index)
        .collect();
    if hidden.is_empty() && without_answer(table) == table.trim_end() {
        return table.lines().map(str::to_owned).collect();
    }
    let row = |cells: &Vec<&str>| {
        let kept: Vec<String> = cells
            .iter()
            .enumerate()
            .filter(|(index, _)| !hidden.contains(index))
            .map(|(_, cell)| format!("{} ", without_answer(cell)))
            .collect();
        format!("|{}|", kept.join("|"))
    };
    if hidden.len() == head.len() { Vec::new() } else { rows.iter().map(row).collect() }
}

/// Cells of a row; `\|` separates none.
fn cells(row: &str) -> Vec<&str> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').filter(|it| !it.ends_with('\\')).unwrap_or(row);
    let mut cells = Vec::new();
    let mut begin = 0;
    let mut last = ' ';
    for (at, c) in row.char_indices() {
        if c == '|' && last != '\\' {
            cells.push(row.get(begin..at).unwrap_or_default());
            begin = at + 1;
        }
        last = c;
    }
    cells.push(row.get(begin..).unwrap_or_default());
    cells
}

#[cfg(test)]
mod tests;
