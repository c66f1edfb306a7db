//! Text as it is published, made into text for a file: ligatures, broken lines, signs that show nothing.

use ta_curriculum::fold::Folded;
use ta_curriculum::markdown::part;

/// A text in plain letters, with one kind of dash and of space, that knows where each part of it stands.
#[derive(Debug)]
pub(crate) struct Folding {
    folded: Folded,
    plain: String,
    /// For each byte offset of the plain text where a character begins: its offset in the folded text.
    starts: Vec<(usize, usize)>,
}

impl Folding {
    pub(crate) fn new(text: &str) -> Self {
        let folded = Folded::new(text);
        let mut plain = String::with_capacity(folded.text().len());
        let mut starts = Vec::new();
        for (offset, c) in folded.text().char_indices() {
            starts.push((plain.len(), offset));
            plain.push(match c {
                '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}' => '-',
                c if c.is_whitespace() && c != '\n' => ' ',
                c => c,
            });
        }
        starts.push((plain.len(), folded.text().len()));
        Self { folded, plain, starts }
    }

    pub(crate) fn text(&self) -> &str {
        &self.plain
    }

    /// The offset in the original of an offset where something begins.
    pub(crate) fn original(&self, offset: usize) -> usize {
        self.folded.original(self.before(offset))
    }

    /// The offset in the original of an offset where something ends.
    pub(crate) fn original_end(&self, offset: usize) -> usize {
        self.folded.original(self.before(offset))
    }

    fn before(&self, offset: usize) -> usize {
        let after = self.starts.partition_point(|&(plain, _)| plain <= offset);
        after.checked_sub(1).and_then(|index| self.starts.get(index)).map_or(0, |&(_, folded)| folded)
    }
}

/// A text on one line, and the words that were joined where a line broke them.
pub(crate) fn on_one_line(text: &str) -> (String, Vec<String>) {
    let mut joined = Vec::new();
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n') {
        let line = cleaned(line);
        if line.is_empty() {
            continue;
        }
        let broken = out.ends_with('-')
            && out.chars().rev().nth(1).is_some_and(char::is_alphabetic)
            && line.starts_with(char::is_lowercase);
        if broken {
            let head = out.trim_end_matches('-').rsplit(' ').next().unwrap_or_default().to_owned();
            let tail = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            joined.push(format!("{head}-{tail}"));
            out.pop();
        } else if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&line);
    }
    (out, joined)
}

/// A line without what shows nothing, with ligatures taken apart and one space between words.
fn cleaned(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            'ﬀ' => out.push_str("ff"),
            'ﬁ' => out.push_str("fi"),
            'ﬂ' => out.push_str("fl"),
            'ﬃ' => out.push_str("ffi"),
            'ﬄ' => out.push_str("ffl"),
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            // Signs that turn or hide text, and those of private fonts, which are bullets as a rule.
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' => {}
            '\u{E000}'..='\u{F8FF}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

/// Without the marks that lists and tables leave at both ends of a text.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace()
            || matches!(c, '•' | '·' | '▪' | '◦' | '●' | '*' | '|' | '–' | '—' | ':' | ';' | ',' | '[' | ']')
    })
    .trim_start_matches(['-', '.', ')', '/'])
    .trim_end_matches(['(', '/', '-'])
    .trim()
}

/// A text made safe for a line of markdown: nothing of it opens a link, a tag or code.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '<' | '[' | ']' | '|') || (c == '*' || c == '_') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The beginning of a text, whole words of it, and a mark where it was cut.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else { return text.to_owned() };
    let head = part(text, 0..end);
    let head = head.rsplit_once(' ').map_or(head, |(head, _)| head);
    format!("{}…", head.trim_end_matches([',', ';', ':', '.', ' ']))
}

/// Words without case, marks and spaces: two texts that differ in these only are one.
pub(crate) fn essence(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A name for a file: letters, digits and hyphens.
pub(crate) fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.chars().take(60).collect::<String>().trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_one() {
        let (text, joined) = on_one_line("pupils use infor-\nmation of\u{a0} well-\nKnown  ﬁles\nand 3-\n14");
        assert_eq!(text, "pupils use information of well- Known files and 3- 14");
        assert_eq!(joined, ["infor-mation"]);
    }

    #[test]
    fn places_survive_folding() {
        let text = "é ＴＣＨ\u{2013}3";
        let folding = Folding::new(text);
        let at = folding.text().find("TCH-3").unwrap_or_default();
        assert_eq!(&text[folding.original(at)..folding.original_end(at + 5)], "ＴＣＨ\u{2013}3");
    }
}
