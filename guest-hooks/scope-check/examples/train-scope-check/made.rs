#![expect(clippy::indexing_slicing, reason = "it runs where weights are made, on text that lies beside it")]

//! Requests made of templates and vocabularies: plain, with a word before or after, misspelt, in Scots, shortened, several at
//! once, long. A fixed seed makes the same ones each time.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

use ta_linear::train::Random;

/// A made request.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) text: String,
    /// The bytes that ask for something else; none where all is in scope.
    pub(crate) out: Option<Range<usize>>,
    /// Whether only all of it together asks for something else: a disguise.
    pub(crate) together: bool,
}

const OUT_EACH: usize = 34;
const IN_EACH: usize = 44;
const MIXED: usize = 7_000;
const MIXED_IN: usize = 4_000;
const LONG: usize = 700;

struct Source {
    groups: BTreeMap<String, Vec<String>>,
    glue: BTreeMap<String, Vec<String>>,
    /// Templates with the heading that they stand under.
    inside: Vec<(String, String)>,
    outside: Vec<(String, String)>,
    random: Random,
}

/// Makes them from the files of a directory.
pub(crate) fn requests(directory: &Path) -> Result<Vec<Made>, Box<dyn Error>> {
    let file = |name: &str| std::fs::read_to_string(directory.join(name));
    let mut source = Source {
        groups: listed(&file("vocabulary.txt")?),
        glue: listed(&file("glue.txt")?),
        inside: templates(&file("in.txt")?),
        outside: templates(&file("out.txt")?),
        random: Random::new(7),
    };
    let mut made = Vec::new();
    let (inside, outside) = (source.inside.clone(), source.outside.clone());
    for (_, template) in &inside {
        for _ in 0..IN_EACH {
            let text = source.filled(template, 0);
            made.push(source.dressed(Made { text, out: None, together: false }));
        }
    }
    for (heading, template) in &outside {
        for _ in 0..OUT_EACH {
            let text = source.filled(template, 0);
            let together = heading == "disguise";
            made.push(source.dressed(Made { out: Some(0..text.len()), text, together }));
        }
    }
    for _ in 0..MIXED {
        made.push(source.mixed());
    }
    for _ in 0..MIXED_IN {
        let text = format!("{}{}{}", source.one_in(), source.join(), source.one_in());
        made.push(source.dressed(Made { text, out: None, together: false }));
    }
    for at in 0..LONG {
        made.push(source.long(at % 2 == 0));
    }
    Ok(made)
}

/// `[name] one|two` on each line.
fn listed(text: &str) -> BTreeMap<String, Vec<String>> {
    let line = |line: &str| {
        let (name, words) = line.strip_prefix('[')?.split_once("] ")?;
        Some((name.to_owned(), words.split('|').map(|word| word.replace("\\n", "\n")).collect()))
    };
    text.lines().filter_map(line).collect()
}

fn templates(text: &str) -> Vec<(String, String)> {
    let mut heading = String::new();
    let mut templates = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(name) => name.clone_into(&mut heading),
            None => templates.push((heading.clone(), line.to_owned())),
        }
    }
    templates
}

impl Source {
    /// A template with something for each group and each choice.
    fn filled(&mut self, template: &str, depth: usize) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '(']) {
            text.push_str(&rest[..at]);
            let is_group = rest[at..].starts_with('{');
            let Some(length) = (if is_group { rest[at..].find('}') } else { closing(&rest[at..]) }) else { break };
            let inner = &rest[at + 1..at + length];
            let chosen = if is_group { self.word_of(inner) } else { self.choice(inner) };
            text.push_str(&if depth < 4 { self.filled(&chosen, depth + 1) } else { chosen });
            rest = &rest[at + length + 1..];
        }
        text.push_str(rest);
        text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// A word of a group; a topic is sometimes one that no list has, since a lesson may be about anything.
    fn word_of(&mut self, group: &str) -> String {
        if group == "topic" && self.random.percent(22) {
            return self.invented();
        }
        let words = self.groups.get(group).map_or(&[][..], Vec::as_slice);
        self.random.pick(words).cloned().unwrap_or_default()
    }

    fn choice(&mut self, inner: &str) -> String {
        let mut options = vec![String::new()];
        let mut depth = 0;
        for c in inner.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            match options.last_mut() {
                _ if c == '|' && depth == 0 => options.push(String::new()),
                Some(option) => option.push(c),
                None => {}
            }
        }
        self.random.pick(&options).cloned().unwrap_or_default()
    }

    /// One to three words of syllables.
    fn invented(&mut self) -> String {
        const SYLLABLES: &[&str] = &[
            "ta", "mon", "ri", "cal", "ver", "no", "lith", "ster", "pha", "gra", "con", "sul", "de", "bra", "tion",
            "ism", "cy", "po", "lar", "the", "an", "mic", "ent", "ol", "qui", "fer", "hy", "dro", "am", "bri", "dge",
            "scot", "lan", "ic", "ure", "ar", "pho",
        ];
        let words = 1 + self.random.below(3);
        let word = |random: &mut Random| -> String {
            (0..2 + random.below(3)).filter_map(|_| random.pick(SYLLABLES).copied()).collect()
        };
        (0..words).map(|_| word(&mut self.random)).collect::<Vec<_>>().join(" ")
    }

    fn glue(&mut self, name: &str) -> String {
        let words = self.glue.get(name).map_or(&[][..], Vec::as_slice);
        self.random.pick(words).cloned().unwrap_or_default()
    }

    fn join(&mut self) -> String {
        let join = self.glue("join");
        if join.starts_with(['.', ';', ',', '\n']) || join.starts_with(' ') { join } else { format!(" {join}") }
    }

    fn one_in(&mut self) -> String {
        let template = self.random.pick(&self.inside).cloned().unwrap_or_default().1;
        self.filled(&template, 0)
    }

    /// Something else, but for a disguise.
    fn one_out(&mut self) -> String {
        loop {
            let (heading, template) = self.random.pick(&self.outside).cloned().unwrap_or_default();
            if heading != "disguise" {
                return self.filled(&template, 0);
            }
        }
    }

    /// A lesson, or two, and something else, in any order.
    fn mixed(&mut self) -> Made {
        let out = self.one_out();
        let out = self.noisy(&out);
        let mut parts: Vec<Option<String>> = vec![None];
        for _ in 0..1 + self.random.below(2) {
            let text = self.one_in();
            parts.push(Some(self.noisy(&text)));
        }
        self.random.shuffle(&mut parts);
        let (mut text, mut range) = (String::new(), 0..0);
        for part in parts {
            if !text.is_empty() {
                text.push_str(&self.join());
            }
            let start = text.len();
            text.push_str(part.as_deref().unwrap_or(&out));
            if part.is_none() {
                range = start..text.len();
            }
        }
        Made { text, out: Some(range), together: false }
    }

    /// Many sentences about lessons, perhaps with one that is out; or many that are out.
    fn long(&mut self, has_out: bool) -> Made {
        let mut sentences: Vec<(String, bool)> = Vec::new();
        for _ in 0..6 + self.random.below(22) {
            let text = self.one_in();
            sentences.push((self.noisy(&text), false));
        }
        if has_out {
            let text = self.one_out();
            let at = self.random.below(sentences.len() + 1);
            sentences.insert(at, (text, true));
        }
        let (mut text, mut range) = (String::new(), None);
        for (sentence, out) in sentences {
            let start = text.len();
            text.push_str(&sentence);
            if out {
                range = Some(start..text.len());
            }
            text.push_str(if self.random.percent(15) { ".\n" } else { ". " });
        }
        Made { text, out: range, together: false }
    }

    /// With a word before or after, and misspelt or in Scots.
    fn dressed(&mut self, made: Made) -> Made {
        let mut text = self.noisy(&made.text);
        if self.random.percent(25) {
            text = format!("{} {text}", self.glue("before"));
        }
        if self.random.percent(15) {
            text = format!("{text}, {}", self.glue("after"));
        }
        if self.random.percent(20) {
            text.push(if self.random.percent(30) { '?' } else { '.' });
        }
        Made { out: made.out.map(|_| 0..text.len()), text, together: made.together }
    }

    fn noisy(&mut self, text: &str) -> String {
        match self.random.below(100) {
            0..16 => self.replaced(text, "scots"),
            16..26 => self.replaced(text, "short"),
            26..50 => text.split(' ').map(|word| self.misspelt(word)).collect::<Vec<_>>().join(" "),
            _ => text.to_owned(),
        }
    }

    fn replaced(&mut self, text: &str, glue: &str) -> String {
        let pairs: Vec<String> = self.glue.get(glue).cloned().unwrap_or_default();
        let other = |word: &str| {
            let pair = pairs.iter().filter_map(|pair| pair.split_once('=')).find(|(plain, _)| *plain == word);
            pair.map_or(word, |(_, other)| other).to_owned()
        };
        text.split(' ').map(other).collect::<Vec<_>>().join(" ")
    }

    /// Now and then two letters exchanged, one left out or written twice.
    fn misspelt(&mut self, word: &str) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        if letters.len() < 4 || !self.random.percent(22) {
            return word.to_owned();
        }
        let at = 1 + self.random.below(letters.len() - 2);
        match self.random.below(3) {
            0 => letters.swap(at, at + 1),
            1 => drop(letters.remove(at)),
            _ => letters.insert(at, letters[at]),
        }
        letters.into_iter().collect()
    }
}

/// Where the bracket closes that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices()
        .find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0
        })
        .map(|(at, _)| at)
}
