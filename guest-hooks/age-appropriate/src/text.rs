//! Which parts of a lesson are meant for pupils, and their sentences.
//!
//! Which these are says [`ta_curriculum::pupils`]. For measuring language, what stands in brackets and code is left out as well.

use ta_curriculum::markdown::{Block, Kind, blocks, heading, item, lines, part};
use ta_curriculum::outline::Outline;
use ta_curriculum::pupils::{Reading, answer_at, is_remark, opens_answers, speaks_to_teacher};

/// One stretch of text for pupils.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// The heading of its section, as it stands.
    pub(crate) section: String,
    /// Line of the output, from 1.
    pub(crate) line: u32,
    /// The text without marks and without what is for the teacher.
    pub(crate) text: String,
    /// Whether it is a numbered or bulleted item, and how far in it stands.
    pub(crate) item: Option<usize>,
    /// Whether it follows the passage before it in the same list.
    pub(crate) follows: bool,
    /// Whether the teacher is told its answer: then it is a question or an exercise of its own.
    pub(crate) answered: bool,
}

/// A keyword with its definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) section: String,
    pub(crate) line: u32,
    pub(crate) term: String,
    pub(crate) text: String,
}

/// What a lesson says to pupils.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ForPupils {
    pub(crate) passages: Vec<Passage>,
    pub(crate) definitions: Vec<Definition>,
}

/// Reads a lesson.
pub(crate) fn for_pupils(output: &str) -> ForPupils {
    let mut found = ForPupils::default();
    for section in Outline::read(output).sections {
        let reading = Reading::of(&section.title);
        if reading == Reading::Nothing {
            continue;
        }
        let text = part(output, section.range.clone());
        let lines = lines(text);
        let mut last_item_end = None;
        let mut answers = false;
        for block in blocks(&lines) {
            let shown = part(text, block.range.clone());
            if matches!(block.kind, Kind::Heading(_)) {
                answers = heading(shown).is_some_and(|(_, title)| opens_answers(title));
                last_item_end = None;
                continue;
            }
            if answers {
                continue;
            }
            let line = section.first_line + block.line - 1;
            if reading == Reading::Keywords {
                found.definitions.extend(definition(&section.title, line, shown));
                continue;
            }
            let follows = last_item_end.is_some();
            let Some(passage) = passage(&section.title, line, &block, shown, reading, follows) else {
                continue;
            };
            last_item_end = passage.item.is_some().then_some(());
            found.passages.push(passage);
        }
    }
    found
}

/// `- **term**: what it means`, or a row of a table.
fn definition(section: &str, line: u32, block: &str) -> Option<Definition> {
    let text = item(block).unwrap_or(block).trim().trim_start_matches('|').trim();
    let text = plain(text);
    let (term, text) = text
        .split_once(':')
        .or_else(|| text.split_once('|'))
        .or_else(|| text.split_once(" – "))
        .or_else(|| text.split_once(" — "))
        .or_else(|| text.split_once(" - "))?;
    let (term, text) = (term.trim(), text.trim().trim_end_matches('|').trim());
    let rule = text.chars().all(|c| matches!(c, '-' | ':' | ' ' | '|'));
    (!term.is_empty() && !rule && term.split_whitespace().count() <= 6).then(|| Definition {
        section: section.into(),
        line,
        term: term.into(),
        text: text.into(),
    })
}

fn passage(section: &str, line: u32, block: &Block, shown: &str, reading: Reading, follows: bool) -> Option<Passage> {
    let is_item = block.kind == Kind::Item;
    let is_row = block.kind == Kind::Row;
    let inner = if is_item { item(shown).unwrap_or(shown) } else { shown };
    let answered = answer_at(inner).is_some();
    let inner = answer_at(inner).and_then(|at| inner.get(..at)).unwrap_or(inner);
    let text = without_remarks(&without_brackets(&plain(inner)));
    let quoted = shown.trim_start().starts_with(['>', '“', '"']);
    let meant = match reading {
        Reading::Items => is_item,
        Reading::Tasks => is_item || is_row || quoted || !speaks_to_teacher(&text),
        Reading::All => true,
        Reading::Keywords | Reading::Nothing => false,
    };
    let rule = !text.chars().any(char::is_alphabetic);
    (meant && !rule).then(|| Passage {
        section: section.into(),
        line,
        text,
        item: is_item.then_some(block.indent),
        follows: follows && is_item,
        answered,
    })
}

/// The text without markdown's marks; of a link only its text, of code nothing.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut code = false;
    let mut target = 0_u32;
    let mut last = ' ';
    for c in text.chars() {
        match c {
            '`' => code = !code,
            _ if code => {}
            '(' if last == ']' => target = 1,
            '(' if target > 0 => target += 1,
            ')' if target > 0 => target -= 1,
            _ if target > 0 => {}
            '*' | '_' | '[' | ']' | '>' => {}
            '\n' | '\r' => out.push(' '),
            '|' => out.push_str(". "),
            c => out.push(c),
        }
        last = c;
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without what stands in brackets.
fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    let kept = text.chars().filter(|c| match c {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth > 0 => {
            depth -= 1;
            false
        }
        _ => depth == 0,
    });
    kept.collect()
}

fn without_remarks(text: &str) -> String {
    let kept = sentences(text).into_iter().filter(|sentence| !is_remark(sentence));
    kept.collect::<Vec<_>>().join(" ")
}

/// The sentences of a text. A colon or semicolon ends none.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut current = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        current.push(c);
        let next = characters.peek().copied();
        let closing = next.is_some_and(|next| matches!(next, '”' | '"' | '’' | '\''));
        if matches!(c, '.' | '!' | '?') && (next.is_none_or(char::is_whitespace) || closing) {
            if closing {
                current.extend(characters.next());
            }
            let sentence = current.trim();
            if !sentence.is_empty() {
                sentences.push(sentence.to_owned());
            }
            current.clear();
        }
    }
    if !current.trim().is_empty() {
        sentences.push(current.trim().to_owned());
    }
    sentences
}

/// The words of a text: letters with apostrophes inside. `x-axis` is two.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '’')))
        .map(|word| word.trim_matches(['\'', '’']))
        .filter(|word| !word.is_empty())
}
