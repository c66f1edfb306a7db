//! What the planner takes from skills: how many questions a starter has, the checks before handing over, and advice for
//! the needs of the class. It takes sentences as they stand and names the file.

use super::needs::{Advice, kinship};
use super::phrase::{number_word, one_line, without_stop};
use super::profile::Need;
use super::words::says;
use super::words::{is_asking_word, is_soft, keys, overlap, tokens};

/// A skill's text, or one of its reference files.
#[derive(Debug, Clone)]
pub(crate) struct SkillText<'a> {
    /// As it is named to `read_skill`.
    pub(crate) name: String,
    pub(crate) text: &'a str,
}

/// "three to five questions": the larger number.
pub(crate) fn starter_questions_max(text: &str) -> Option<usize> {
    let words: Vec<String> = tokens(text).iter().map(|token| token.raw.to_lowercase()).collect();
    words.windows(4).find_map(|window| match window {
        [low, to, high, what] if to == "to" && what.starts_with("question") => {
            number_word(low)?;
            number_word(high).and_then(|number| usize::try_from(number).ok())
        }
        _ => None,
    })
}

/// The checks that a skill asks for: list items under a heading that speaks of checks.
pub(crate) fn checks(text: &str) -> Vec<String> {
    const CHECKS_MAX: usize = 3;
    let mut under = false;
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') {
            under = line.to_lowercase().contains("check");
        } else if let (true, Some(item)) = (under, line.strip_prefix("- ")) {
            found.push(item.to_owned());
        } else if let (true, true, Some(last)) =
            (under, line.starts_with(' ') && !line.trim().is_empty(), found.last_mut())
        {
            last.push(' ');
            last.push_str(line.trim());
        }
    }
    found.into_iter().take(CHECKS_MAX).collect()
}

/// Reference files of the differentiation skill that these needs call for, out of those that its text names.
pub(crate) fn references(text: &str, skill: &str, needs: &[Need]) -> Vec<String> {
    const FILES_MAX: usize = 3;
    let is_eal = |need: &Need| speaks_of_language(need);
    let mut wanted = Vec::new();
    for name in named_files(text, skill) {
        let for_language = says(&name, "eal|language|languages");
        let for_support = says(&name, "sen|asn|additional|support");
        let called_for =
            (for_language && needs.iter().any(is_eal)) || (for_support && needs.iter().any(|need| !is_eal(need)));
        if called_for && !wanted.contains(&name) {
            wanted.push(name);
        }
    }
    wanted.truncate(FILES_MAX);
    wanted
}

fn speaks_of_language(need: &Need) -> bool {
    says(&need.text(), "english as an additional language|eal|new to english|first language")
}

/// Names such as `differentiation/eal-strategies.md` in the text of a skill.
fn named_files(text: &str, skill: &str) -> Vec<String> {
    let lead = format!("{skill}/");
    text.match_indices(&lead)
        .filter_map(|(at, _)| {
            let rest = text.get(at..)?;
            let end = rest.find(".md")? + 3;
            rest.get(..end).filter(|name| !name.contains(char::is_whitespace)).map(str::to_owned)
        })
        .collect()
}

/// The piece of advice that suits a need best, if any; nothing that its support says already.
pub(crate) fn advice(files: &[SkillText<'_>], need: &Need) -> Option<Advice> {
    let mut best: Option<(usize, Advice)> = None;
    for file in files.iter().filter(|file| file.name.contains('/')) {
        // A file on language is no advice on reading in general, nor the other way round.
        if says(&file.name, "eal") != speaks_of_language(need) {
            continue;
        }
        for passage in passages(file.text) {
            let score = kinship(need, &passage.heading) * 4 + overlap(&passage.situation, &keys(&need.need)) * 3;
            // What somebody found out is evidence, not advice.
            let is_new =
                !repeats(&passage.text, need) && !passage.text.contains("(19") && !passage.text.contains("(20");
            if score >= 3 && is_new && best.as_ref().is_none_or(|(other, _)| score > *other) {
                best =
                    Some((score, Advice { source: file.name.clone(), text: without_stop(&passage.text).to_owned() }));
            }
        }
    }
    best.map(|(_, advice)| advice)
}

/// A third of the words in common is the same advice.
fn repeats(text: &str, need: &Need) -> bool {
    let telling =
        |text: &str| keys(text).into_iter().filter(|word| !is_asking_word(word) && !is_soft(word)).collect::<Vec<_>>();
    let (known, words) = (telling(&need.text()), telling(text));
    // "handed out" says the same as "hand out": four letters are enough to tell.
    let start = |word: &str| word.chars().take(4).collect::<String>();
    let shared = words.iter().filter(|word| known.iter().any(|other| start(other) == start(word))).count();
    words.is_empty() || shared * 3 >= words.len()
}

/// A piece of advice with what it is about.
struct Passage {
    heading: String,
    /// The first cell of a table's row: when the advice applies.
    situation: String,
    text: String,
}

/// What a reference file says to do: the pieces of "Do" lists, and rows of tables from their first to their last cell.
fn passages(text: &str) -> Vec<Passage> {
    const WORDS_MIN: usize = 4;
    let mut found = Vec::new();
    let mut heading = String::new();
    for line in joined_items(text) {
        if let Some(title) = line.strip_prefix('#') {
            heading = title.trim_start_matches('#').trim().to_owned();
        } else if let Some(list) = line.strip_prefix("- **Do:**") {
            let pieces =
                list.split(';').flat_map(|piece| piece.split(". ")).map(|piece| piece.trim().replace("**", ""));
            let pieces = pieces.filter(|piece| piece.split_whitespace().count() >= WORDS_MIN);
            found.extend(pieces.map(|text| Passage { heading: heading.clone(), situation: String::new(), text }));
        } else if line.starts_with('|') && !line.contains("---") {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            if let ([situation, .., to_do], true) = (cells.as_slice(), cells.len() >= 3) {
                let text = format!("{situation}: {to_do}");
                found.push(Passage { heading: heading.clone(), situation: (*situation).to_owned(), text });
            }
        }
    }
    found
}

/// Lines of a text, with list items that were broken over several lines in one.
fn joined_items(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let continues = line.starts_with("  ") && lines.last().is_some_and(|last| last.starts_with("- "));
        match lines.last_mut().filter(|_| continues) {
            Some(last) => {
                last.push(' ');
                last.push_str(line.trim());
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

/// A check as one line, without its marks.
pub(crate) fn check_line(check: &str) -> String {
    one_line(&check.replace("**", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Support\n\n### Seeing\n\n- **Gets hard at:** board.\n- **Do:** slides on the own screen beforehand; describe diagrams in an\n  order that stays the same; real objects.\n\n| look for | example | do |\n|---|---|---|\n| instructions of more than two steps | x | one step a line |\n";

    #[test]
    fn advice_is_found_by_what_it_is_about_and_says_something_new() {
        let need = Need {
            group: "one pupil with a visual impairment".into(),
            need: "reading the board".into(),
            support: "slides on own screen".into(),
            ..Need::default()
        };
        let files = [SkillText { name: "differentiation/sen-strategies.md".into(), text: FILE }];
        let advice = advice(&files, &need).unwrap();
        assert_eq!(advice.text, "describe diagrams in an order that stays the same");
        assert_eq!(advice.source, "differentiation/sen-strategies.md");
    }

    #[test]
    fn numbers_checks_and_files_are_taken_from_the_text() {
        assert_eq!(starter_questions_max("Write three to five questions in eight minutes."), Some(5));
        assert_eq!(
            checks("## Three checks\n\n- **Cover test.** Cover it.\n  Same?\n\n## More\n\n- no"),
            ["**Cover test.** Cover it. Same?"]
        );
        let need = Need { group: "two pupils with English as an additional language".into(), ..Need::default() };
        let text = "- `read_skill differentiation/sen-strategies.md`\n- `read_skill differentiation/eal-strategies.md`";
        assert_eq!(references(text, "differentiation", &[need]), ["differentiation/eal-strategies.md"]);
    }
}
