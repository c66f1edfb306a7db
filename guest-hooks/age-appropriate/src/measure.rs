//! How hard the text for pupils is to read and to follow: words, sentences, definitions, instructions.

use crate::check::{Class, Found, quoted};
use crate::familiar::Familiar;
use crate::text::{ForPupils, Passage, sentences, words};
use crate::year::{Limits, Year};

/// A share of fewer words says nothing.
const SHARE_WORDS_MIN: usize = 40;

/// A sentence whose words are to this share (in percent) unfamiliar, and at least so many, is named by itself.
const HARD_PERCENT: usize = 40;
const HARD_WORDS_MIN: usize = 5;

/// Sentences named for the same reason: the longest or hardest show what is meant.
const NAMED_MAX: usize = 5;

/// Unfamiliar words that a finding lists.
const LISTED_MAX: usize = 8;

/// Verbs of doing something with hands, mouse or keyboard. What begins with another verb ("Calculate", "Explain") is a
/// question of its own, and a page may have many of those.
const DOING: &str = "add ask attach bring build carry change choose circle clear click close collect colour compare connect copy count cover cut \
    delete discuss do drag draw drop enter exchange fetch fill find fold get give glue go hand hold insert join keep label leave lift light listen log look \
    make mark match measure mix move name open paste pick place point press print pull push put read record remove repeat return roll rotate \
    rub run save scroll select send set shade share shuffle sit sketch sort stand start step stick stop swap switch take tap tell test tick trace turn \
    type underline upload use wait walk watch weigh wipe work write";

/// What may stand before the verb of an instruction.
const LEADS: &str = "then now next first finally lastly afterwards and please carefully quickly quietly also again";

/// Adds what is too hard for the year.
pub(crate) fn measure(pupils: &ForPupils, year: Year, limits: &Limits, found: &mut Vec<Found>) {
    let terms: Vec<String> = pupils.definitions.iter().map(|definition| definition.term.clone()).collect();
    let familiar = Familiar::new(year.bands(), &terms);
    unfamiliar(pupils, year, limits, &familiar, found);
    long_sentences(pupils, year, limits, found);
    for definition in &pupils.definitions {
        let count = words(&definition.text).count();
        if count > limits.definition_words as usize {
            found.push(Found {
                class: Class::LongDefinition,
                section: definition.section.clone(),
                line: definition.line,
                message: format!(
                    "The definition of \"{}\" has {count} words; at most {} are for {year}: {} Say the one thing pupils need today, \
                     and leave the rest to the example.",
                    definition.term,
                    limits.definition_words,
                    quoted(&definition.text)
                ),
            });
        }
    }
    instructions(&pupils.passages, year, limits, found);
}

/// A sentence with how hard its words are.
struct Sentence<'a> {
    passage: &'a Passage,
    text: String,
    words: usize,
    unfamiliar: Vec<String>,
}

fn unfamiliar(pupils: &ForPupils, year: Year, limits: &Limits, familiar: &Familiar, found: &mut Vec<Found>) {
    let read = |passage| {
        let sentence = move |text: String| {
            let all = words(&text).count();
            Sentence { unfamiliar: unknown(&text, familiar), passage, words: all, text }
        };
        sentences_of(passage).into_iter().map(sentence).collect::<Vec<_>>()
    };
    let mut read: Vec<Sentence<'_>> = pupils.passages.iter().flat_map(read).collect();
    let all: usize = read.iter().map(|sentence| sentence.words).sum();
    let unknown: usize = read.iter().map(|sentence| sentence.unfamiliar.len()).sum();
    let percent = (unknown * 100).checked_div(all).unwrap_or(0);
    let over = percent > limits.unfamiliar_percent as usize && all >= SHARE_WORDS_MIN;
    let hard = |sentence: &Sentence<'_>| {
        sentence.unfamiliar.len() >= HARD_WORDS_MIN && sentence.unfamiliar.len() * 100 >= sentence.words * HARD_PERCENT
    };
    read.retain(|sentence| hard(sentence) || (over && sentence.unfamiliar.len() >= 3));
    read.sort_by_key(|sentence| std::cmp::Reverse(sentence.unfamiliar.len()));
    if over && read.is_empty() {
        let first = pupils.passages.first();
        found.push(Found {
            class: Class::UnfamiliarWords,
            section: first.map(|passage| passage.section.clone()).unwrap_or_default(),
            line: first.map_or(1, |passage| passage.line),
            message: format!(
                "{percent} of 100 words for pupils are unfamiliar to {year}. Use everyday words, or make them keywords."
            ),
        });
    }
    for sentence in read.iter().take(NAMED_MAX) {
        let share = if over {
            format!(
                " In all, {percent} of 100 words for pupils are unfamiliar ({} are the limit).",
                limits.unfamiliar_percent
            )
        } else {
            String::new()
        };
        found.push(Found {
            class: Class::UnfamiliarWords,
            section: sentence.passage.section.clone(),
            line: sentence.passage.line,
            message: format!(
                "Words that pupils of {year} may not know: {}. In {} Use everyday words, or define them under Keywords.{share}",
                sentence.unfamiliar.iter().take(LISTED_MAX).cloned().collect::<Vec<_>>().join(", "),
                quoted(&sentence.text)
            ),
        });
    }
}

/// The unfamiliar words of a sentence, in order. Words with a capital inside the sentence are names.
fn unknown(text: &str, familiar: &Familiar) -> Vec<String> {
    let mut unknown = Vec::new();
    for (index, word) in words(text).enumerate() {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        let name = capital && (index > 0 || word.chars().nth(1).is_some_and(char::is_uppercase));
        if !name && !familiar.knows(word) {
            unknown.push(word.to_lowercase());
        }
    }
    unknown
}

/// A label such as `Support:` at the beginning is not read as part of the sentence.
fn sentences_of(passage: &Passage) -> Vec<String> {
    let text = match passage.text.split_once(':') {
        Some((label, rest)) if label.split_whitespace().count() <= 3 => rest,
        _ => &passage.text,
    };
    sentences(text)
}

fn long_sentences(pupils: &ForPupils, year: Year, limits: &Limits, found: &mut Vec<Found>) {
    let mut long: Vec<(usize, &Passage, String)> = Vec::new();
    for passage in &pupils.passages {
        for sentence in sentences_of(passage) {
            // Parts that a semicolon sets apart, and the answers to choose from, are read one by one.
            let count = sentence.split([';', ':']).map(|part| words(part).count()).max().unwrap_or(0);
            if count > limits.sentence_words as usize {
                long.push((count, passage, sentence));
            }
        }
    }
    long.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    for (count, passage, sentence) in long.into_iter().take(NAMED_MAX) {
        found.push(Found {
            class: Class::LongSentence,
            section: passage.section.clone(),
            line: passage.line,
            message: format!(
                "A sentence of {count} words; at most {} are for {year}: {} Make two or three sentences of it, one thought each.",
                limits.sentence_words,
                quoted(&sentence)
            ),
        });
    }
}

/// Steps one below the other, and things to do in one item.
fn instructions(passages: &[Passage], year: Year, limits: &Limits, found: &mut Vec<Found>) {
    let mut run: Vec<&Passage> = Vec::new();
    for passage in passages {
        let at_once = things_to_do(&passage.text);
        if at_once > limits.at_once as usize {
            found.push(Found {
                class: Class::ManyInstructions,
                section: passage.section.clone(),
                line: passage.line,
                message: format!(
                    "{at_once} things to do in one go; pupils of {year} can follow about {}: {} Give each a line of its own, and let \
                     pupils finish one part before they read the next.",
                    limits.at_once,
                    quoted(&passage.text)
                ),
            });
        }
        let level = run.first().and_then(|first| first.item);
        if !passage.follows {
            steps(&run, year, limits, found);
            run.clear();
        } else if passage.item > level {
            // What stands further in belongs to the step above it.
            continue;
        }
        if passage.item.is_some() && !passage.answered && at_once > 0 {
            run.push(passage);
        }
    }
    steps(&run, year, limits, found);
}

fn steps(run: &[&Passage], year: Year, limits: &Limits, found: &mut Vec<Found>) {
    if let Some(first) = run.first().filter(|_| run.len() > limits.steps as usize) {
        found.push(Found {
            class: Class::ManyInstructions,
            section: first.section.clone(),
            line: first.line,
            message: format!(
                "{} steps to follow one after the other; about {} are for {year}. They begin with {} Cut the task into parts with \
                 a check after each.",
                run.len(),
                limits.steps,
                quoted(&first.text)
            ),
        });
    }
}

/// How many things a text tells its reader to do.
fn things_to_do(text: &str) -> usize {
    let clauses = text
        .split(['.', '!', ';', ':', ','])
        .flat_map(|clause| clause.split(" and "))
        .flat_map(|clause| clause.split(" then "));
    clauses.filter(|clause| !clause.ends_with('?') && is_instruction(clause)).count()
}

fn is_instruction(clause: &str) -> bool {
    let mut words =
        words(clause).map(str::to_lowercase).skip_while(|word| LEADS.split_whitespace().any(|lead| lead == word));
    let doing = words.next().is_some_and(|word| DOING.split_whitespace().any(|verb| verb == word));
    // `do you …`, `a name`, `work that …` are none.
    doing && words.next().is_none_or(|next| !["you", "is", "are", "that", "of", "we"].contains(&next.as_str()))
}
