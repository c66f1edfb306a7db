//! Messages made from templates, and with slips of the keyboard in some.

use std::error::Error;
use std::path::Path;

use ta_linear::train::Random;

/// Messages made of one template; ordinary talk has more sides, and most messages are of it.
const fn drawn_of(label: &str) -> usize {
    if matches!(label.as_bytes(), b"none") { 48 } else { 24 }
}

/// Words of a sentence that is taken from what is taught.
const TAUGHT_WORDS: std::ops::RangeInclusive<usize> = 3..=20;

/// Messages of letters without sense.
const LETTERS_DRAWN: usize = 4_000;

/// The messages of all files: label and text.
pub(crate) fn messages(directory: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut random = Random::new(7);
    let mut found = Vec::new();
    for label in ["none", "distress", "harm", "contact"] {
        let text = std::fs::read_to_string(directory.join(format!("{label}.txt")))?;
        for template in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# ")) {
            for _ in 0..drawn_of(label) {
                let message = drawn(template, &mut random);
                let message = if random.percent(40) { slipped(&message, &mut random) } else { message };
                found.push((label.to_owned(), message));
            }
        }
    }
    found.extend((0..LETTERS_DRAWN).map(|_| ("none".to_owned(), letters(&mut random))));
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Letters without sense, as in the names of sides and points: that nobody has seen a word before says nothing about anybody.
fn letters(random: &mut Random) -> String {
    let lead = ["", "", "", "side ", "the side ", "triangle ", "angle ", "its ", "it is ", "from "];
    let mut text = random.pick(&lead).copied().unwrap_or_default().to_owned();
    for word in 0..=random.below(3) {
        if word > 0 {
            text.push(' ');
        }
        for _ in 0..=random.below(6) {
            text.extend(random.pick(b"abcdefghijklmnopqrstuvwxyz").copied().map(char::from));
        }
    }
    text
}

/// Sentences of what is taught, from the curriculum files and the topics of the tutors: hard words of a subject say nothing about
/// whoever uses them.
pub(crate) fn taught(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut found = Vec::new();
    for directory in ["workspace/curriculum", "plugins/tutor/skills/topics", "plugins/tutor-maths/skills/topics"] {
        for entry in std::fs::read_dir(root.join(directory))? {
            let text = std::fs::read_to_string(entry?.path())?;
            let pieces = text.split(['.', ';', ':', '|', '\n']).map(str::trim);
            let sentence = |piece: &&str| TAUGHT_WORDS.contains(&piece.split_whitespace().count());
            found.extend(pieces.filter(sentence).map(str::to_owned));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn drawn(template: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('(') {
        out.push_str(before);
        let (choices, after) = after.split_once(')').unwrap_or((after, ""));
        let choices: Vec<&str> = choices.split('|').collect();
        out.push_str(random.pick(&choices).copied().unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A letter left out, doubled, exchanged with the next, or a vowel changed.
fn slipped(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = random.below(letters.len().saturating_sub(1));
    match random.below(4) {
        0 if letters.len() > 8 => {
            letters.remove(at);
        }
        1 => {
            if let Some(letter) = letters.get(at).copied() {
                letters.insert(at, letter);
            }
        }
        2 if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => {
            let vowels = ['a', 'e', 'i', 'o', 'u'];
            if let Some(letter) = letters.get_mut(at).filter(|letter| vowels.contains(letter)) {
                *letter = random.pick(&vowels).copied().unwrap_or('e');
            }
        }
    }
    letters.into_iter().collect()
}
