//! A request, taken apart into what it asks one after another.

use super::pattern::{PATTERNS, number};
use super::vocabulary::NOT_ASKED;

/// A word of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// In lower case and in English, without apostrophes.
    pub(super) text: String,
    /// Its number, where a pattern names it.
    pub(super) number: Option<u16>,
    /// Whether it was written with a capital first letter.
    pub(super) capital: bool,
}

/// One thing that is asked: a sentence, or a part of one that begins anew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) words: Vec<Word>,
    /// The number of words before what is asked, such as "please".
    pub(super) opening: usize,
    asks: bool,
}

/// Words before what is asked.
const OPENINGS: &str = "please now ok okay and then also just so first actually hi hello hey can could you would gonna kindly instead but well right";

/// Verbs that begin a new request after a comma or an "and".
const REQUESTS: &str = "write draft email send mark grade tell give ignore disregard forget reveal buy order book phone \
    message text reply fix debug show do score print override bypass pretend act";

/// Words that begin a new request after "and"; a bare "and" may go on with what pupils do: "plan and write a report".
const JOINS: &str = "then also";

/// How far before a lesson a word of [`NOT_ASKED`] may stand: "after my last lesson".
const NOT_ASKED_WORDS: usize = 3;

/// Scots words, each with the English one that the patterns are written in.
const SCOTS: &str = "aboot=about aff=off ah=i aw=all cannae=cant dae=do daein=doing disnae=doesnt doesnae=doesnt fae=from gie=give \
    gonnae=gonna hame=home isnae=isnt ma=my mair=more nae=no oor=our tae=to telt=told wi=with willnae=wont wis=was \
    ye=you yer=your yous=you";

/// Words that name nothing to plan.
const VAGUE_WORDS: &str = "a an anything can do example for good have help i idea ideas idk just know like me my need now \
    please quick some something stuff test testing the thing things this to today tomorrow try us want we what with yes you";

/// Words that begin a question.
const QUESTION_WORDS: &str =
    "what whats who whos when where why how hows is are can could do does did should would will which";

/// As these, where they ask somebody to do something.
const ASKING_WORDS: &str = "can could should would will";

/// Words that show a question to be about the teacher's own work.
const OWN_WORDS: &str = "i we my our us me it this that these them they pupils learners";

/// Words read of a request: it may have a whole text pasted under it, and what is asked stands before or soon after.
const WORDS_MAX: usize = 2000;

/// Takes a request apart; nothing remains of one without a word.
pub(super) fn clauses(request: &str) -> Vec<Clause> {
    let request = plain(request).replace(['\u{2019}', '\u{2018}', '\''], "").replace("-mail", "mail");
    let mut clauses = Vec::new();
    let mut left = WORDS_MAX;
    for sentence in request.split_inclusive(['.', '!', '?', ';', '\n']) {
        let mut clause = Clause { asks: sentence.ends_with('?'), ..Clause::default() };
        for phrase in sentence.split([',', ':']) {
            let words = phrase.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let words: Vec<Word> = words.take(left).map(Word::read).collect();
            left -= words.len();
            for (index, word) in words.into_iter().enumerate() {
                if clause.ends_before(&word, index == 0) {
                    let asks = clause.asks;
                    clauses.push(std::mem::replace(&mut clause, Clause { asks, ..Clause::default() }));
                }
                clause.words.push(word);
            }
        }
        clauses.push(clause);
    }
    clauses.retain(|clause| !clause.words.is_empty());
    for clause in &mut clauses {
        clause.opening = clause.words.iter().take_while(|word| is_one_of(&word.text, OPENINGS)).count();
    }
    clauses
}

/// Letters written apart are a word from this many on: "R E F E R E N C E", but not "part A B".
const SPACED_LETTERS_MIN: usize = 4;

/// The request as it is read aloud: without characters that are not shown, and with letters that stand apart joined.
fn plain(request: &str) -> String {
    let shown: String = request.chars().filter(|c| !is_ignorable(*c)).collect();
    let mut pieces: Vec<String> = Vec::new();
    let mut spaced = 0;
    for piece in shown.split(' ') {
        let mut chars = piece.chars();
        let letter = chars.next().filter(|c| c.is_alphabetic() && chars.next().is_none());
        match (letter, pieces.last_mut()) {
            (Some(letter), Some(word)) if spaced > 0 => {
                word.push(letter);
                spaced += 1;
                continue;
            }
            _ => part_again(&mut pieces, spaced),
        }
        spaced = usize::from(letter.is_some());
        pieces.push(piece.to_owned());
    }
    part_again(&mut pieces, spaced);
    pieces.join(" ")
}

/// Takes the last piece apart again when it was joined from too few letters to be a word.
fn part_again(pieces: &mut [String], spaced: usize) {
    if let Some(last) = pieces.last_mut().filter(|_| (2..SPACED_LETTERS_MIN).contains(&spaced)) {
        *last = last.chars().map(String::from).collect::<Vec<_>>().join(" ");
    }
}

/// Characters that change how others are shown and show nothing themselves.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}')
}

impl Word {
    fn read(word: &str) -> Self {
        let text = word.to_lowercase();
        let pairs = SCOTS.split(' ').filter_map(|pair| pair.split_once('='));
        let english = pairs.into_iter().find(|(scots, _)| *scots == text).map(|(_, english)| english.to_owned());
        let text = english.unwrap_or(text);
        Self { number: number(&text), text, capital: word.starts_with(char::is_uppercase) }
    }
}

impl Clause {
    /// Whether a word begins a new request: a verb of request after a comma, "also" after "and", or "I" after "so".
    fn ends_before(&self, word: &Word, after_comma: bool) -> bool {
        let joined = self.words.last().is_some_and(|last| last.text == "and") && is_one_of(&word.text, JOINS);
        let for_that = self.words.last().is_some_and(|last| last.text == "so") && is_one_of(&word.text, "i we");
        joined || for_that || (after_comma && !self.words.is_empty() && is_one_of(&word.text, REQUESTS))
    }

    /// Whether it names something to teach with or to plan.
    pub(super) fn is_about_lessons(&self) -> bool {
        PATTERNS.lesson.iter().any(|pattern| pattern.find(self).is_some())
    }

    /// The first word that asks for a lesson or something for one. "After my lesson" asks for none.
    pub(super) fn lesson_at(&self) -> Option<usize> {
        let asked = |at: &usize| {
            let before = self.words.iter().take(*at).rev().take(NOT_ASKED_WORDS);
            !before.into_iter().any(|word| is_one_of(&word.text, NOT_ASKED))
        };
        let begins = |at: &usize| PATTERNS.lesson.iter().any(|pattern| pattern.begins_at(self, *at));
        (0..self.words.len()).filter(asked).find(begins)
    }

    /// Whether it names a class or a stage: 3B, S2, P7, N5, Higher.
    pub(super) fn names_class(&self) -> bool {
        self.words.iter().any(|word| is_class(&word.text))
    }

    pub(super) fn is_vague(&self) -> bool {
        self.words.iter().all(|word| is_one_of(&word.text, VAGUE_WORDS))
    }

    /// Whether it is a question about the world. "Can you make it shorter?" asks for work, "How do I explain loops?" for a
    /// lesson.
    pub(super) fn wants_answer(&self) -> bool {
        let asks_for_work = self.words.first().is_some_and(|word| is_one_of(&word.text, ASKING_WORDS));
        let about = self.words.get(1).is_some_and(|word| is_one_of(&word.text, "about if"));
        let own = self.words.iter().any(|word| is_one_of(&word.text, OWN_WORDS));
        self.is_question() && !asks_for_work && !about && !own
    }

    /// Whether it is a sum and nothing else: "2+2".
    pub(super) fn is_sum(&self) -> bool {
        self.words.iter().all(|word| word.text.chars().all(char::is_numeric))
    }

    /// Whether it is a whole question, and not a topic put as one ("why do volcanoes erupt").
    pub(super) fn is_question(&self) -> bool {
        let first = self.words.first();
        self.asks && self.words.len() > 2 && first.is_some_and(|word| is_one_of(&word.text, QUESTION_WORDS))
    }
}

/// Whether a word is a class or a stage: `3b`, `3b1`, `s2`, `p7`, `n5`, also with the `s` of an owner.
pub(super) fn is_class(word: &str) -> bool {
    let word = if word.len() > 2 { word.strip_suffix('s').unwrap_or(word) } else { word };
    let mut letters = word.chars();
    let (first, second, third) = (letters.next(), letters.next(), letters.next());
    let named = match (first, second) {
        (Some('1'..='6'), Some('a'..='z')) => third.is_none_or(|c| c.is_ascii_digit()) && letters.next().is_none(),
        (Some('s' | 'p' | 'n'), Some('1'..='7')) => third.is_none(),
        _ => false,
    };
    named || is_one_of(word, "higher nat national bge nat5")
}

pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}
