//! Texts made of templates, vocabularies and the lists of names; a fixed seed makes the same ones each time.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use ta_linear::train::Random;

use crate::Item;

const PERSONAL_EACH: usize = 60;
const CLEAN_EACH: usize = 60;

struct Source {
    groups: BTreeMap<String, Vec<String>>,
    given: Vec<String>,
    family: Vec<String>,
    random: Random,
}

pub(crate) fn texts(root: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let file = |name: &str| std::fs::read_to_string(root.join(name));
    let list = |name: &str| -> Result<Vec<String>, std::io::Error> {
        Ok(file(name)?.split_ascii_whitespace().map(str::to_owned).collect())
    };
    let words: std::collections::BTreeSet<String> = list("data/words.txt")?.into_iter().collect();
    let mut groups = BTreeMap::new();
    for line in file("training/vocabulary.txt")?.lines() {
        let Some((name, entries)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) else { continue };
        groups.insert(name.to_owned(), entries.split('|').map(str::to_owned).collect());
    }
    let not_word = |name: &String| !words.contains(name);
    let mut source = Source {
        groups,
        given: list("data/given.txt")?.into_iter().filter(not_word).collect(),
        family: list("data/family.txt")?.into_iter().filter(not_word).collect(),
        random: Random::new(11),
    };
    let mut items = Vec::new();
    for (name, personal, each) in [("personal.txt", true, PERSONAL_EACH), ("clean.txt", false, CLEAN_EACH)] {
        let templates: Vec<String> = file(&format!("training/{name}"))?.lines().map(str::to_owned).collect();
        for template in &templates {
            for _ in 0..each {
                let other = source.random.pick(&templates).cloned().unwrap_or_default();
                let both = if source.random.percent(25) { format!("{template} {other}") } else { template.clone() };
                items.push(source.filled(&both.replace("\\n", "\n"), personal));
            }
        }
    }
    Ok(items)
}

impl Source {
    fn filled(&mut self, template: &str, personal: bool) -> Item {
        let (mut text, mut names) = (String::new(), Vec::new());
        let mut rest = template.to_owned();
        while let Some(at) = rest.find(['{', '(', '<']) {
            text.push_str(&rest[..at]);
            let close = match rest.as_bytes()[at] {
                b'{' => '}',
                b'(' => ')',
                _ => '>',
            };
            let Some(end) = rest[at..].find(close).map(|length| at + length) else { break };
            let inner = rest[at + 1..end].to_owned();
            let after = rest[end + 1..].to_owned();
            match close {
                '>' => {
                    let start = text.len();
                    text.push_str(&self.name(&inner));
                    if personal {
                        names.push(start..text.len());
                    }
                    rest = after;
                }
                // A bracket without a choice is a bracket.
                ')' if !inner.contains('|') => {
                    text.push('(');
                    rest = format!("{inner}){after}");
                }
                ')' => {
                    let options: Vec<&str> = inner.split('|').collect();
                    rest = format!("{}{after}", self.random.pick(&options).copied().unwrap_or_default());
                }
                _ => {
                    let word = self.word(&inner);
                    rest = format!("{word}{after}");
                }
            }
        }
        text.push_str(&rest);
        Item { text, spans: names.clone(), names, group: "made".into() }
    }

    /// A word of a group, or a mixture where the group begins with a capital: with a capital letter.
    fn word(&mut self, group: &str) -> String {
        let lower = group.to_lowercase();
        let words = self.groups.get(&lower).map_or(&[][..], Vec::as_slice);
        let word = self.random.pick(words).cloned().unwrap_or_default();
        if group.starts_with(char::is_uppercase) { titled(&word) } else { word }
    }

    /// `given`, `family`, `full`, `given-l` (with a letter), after `lower` or `UPPER` in that case.
    fn name(&mut self, kind: &str) -> String {
        let (case, kind) = kind.split_once(' ').unwrap_or(("", kind));
        let kind = if case.is_empty() && kind == "FAMILY" { return self.family().to_uppercase() } else { kind };
        let given = self.given();
        let name = match kind {
            "given" => given,
            "family" => self.family(),
            "given-l" => format!("{given} {}", char::from(b'A' + u8::try_from(self.random.below(26)).unwrap_or(0))),
            _ if self.random.percent(35) => given,
            _ => format!("{given} {}", self.family()),
        };
        match case {
            "lower" => name.to_lowercase(),
            "UPPER" => name.to_uppercase(),
            _ => name,
        }
    }

    /// Now and then one that no list has, made of two that are there.
    fn given(&mut self) -> String {
        let name = self.random.pick(&self.given).cloned().unwrap_or_default();
        if !self.random.percent(25) {
            return titled(&name);
        }
        let other = self.random.pick(&self.given).cloned().unwrap_or_default();
        let head: String = name.chars().take(name.chars().count().div_ceil(2)).collect();
        let tail: String = other.chars().skip(other.chars().count() / 2).collect();
        titled(&format!("{head}{tail}"))
    }

    fn family(&mut self) -> String {
        let name = titled(&self.random.pick(&self.family).cloned().unwrap_or_default());
        match self.random.below(12) {
            0 => format!("Mac{}", name.to_lowercase()),
            1 => format!("O'{name}"),
            2 => format!("Mc{name}"),
            _ => name,
        }
    }
}

fn titled(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
