//! Means of teaching that a teacher can ask for or rule out, and how they are recognised in plain words.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::words::{is_function_word, key, tokens};

/// A way of working.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Means {
    Whiteboards,
    Pairs,
    Groups,
    Alone,
    Visuals,
    Eal,
    NoComputers,
    Outdoors,
    Game,
    Movement,
    Talk,
    HandsOn,
    WorkedExample,
    Aloud,
    Written,
    Drama,
}

/// Words by which each is recognised, parted by bars. Several words stand next to each other in the text.
const WORDS: &[(Means, &str)] = &[
    (
        Means::Whiteboards,
        "mini whiteboard|mini-whiteboard|miniwhiteboard|whiteboards|show me board|mwb|abcd cards|\
         a b c d cards",
    ),
    (Means::Pairs, "pair|paired|partner|in twos|think pair share"),
    (Means::Groups, "group|team|small group|in threes|in fours|jigsaw|carousel"),
    (Means::Alone, "alone|individual|individually|quiet|silent|silently|calm|independent|independently"),
    (Means::Visuals, "visual|picture|diagram|drawing|draw|image|video|flowchart|bar model|number line|colour"),
    (Means::Eal, "eal|english as an additional language|language learner|new to english|translation"),
    (
        Means::NoComputers,
        "no computer|no laptop|no device|no screen|no tech|no technology|no ict|no ipad|no chromebook|\
         no internet|without computer|without laptop|without device|without screen|without technology|\
         without internet|unplugged|paper only|on paper|computers are down|laptops are away|offline",
    ),
    (Means::Outdoors, "outdoors|outdoor|outside|playground|in the school grounds|fresh air"),
    (Means::Game, "game|quiz|bingo|competition|competitive|gamify|playful|puzzle|escape room"),
    (
        Means::Movement,
        "movement|moving|move around|on the move|active|kinaesthetic|walk|standing|corners|\
         out of their seats",
    ),
    (Means::Talk, "discussion|discuss|debate|talk|conversation|oral|speaking"),
    (
        Means::HandsOn,
        "hands on|hands-on|practical|cards|counters|manipulatives|cut out|sorting|objects|experiment|\
         concrete",
    ),
    (
        Means::WorkedExample,
        "worked example|model answer|modelling|modelled|example on the board|demonstration|demonstrate",
    ),
    (Means::Aloud, "aloud|out loud|read out|read it out|say it"),
    (Means::Written, "written|in writing|write down|worksheet|jotter|exercise book|paragraph"),
    (Means::Drama, "role play|role-play|drama|act out|acting|act it out|hot seat|hot seating"),
];

/// Words that stand for a means.
type Phrase = (Means, Vec<String>);

/// The same as they are compared, by the first word of each: every sentence of the bank is looked through for all of them.
static PHRASES: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut by_first: HashMap<String, Vec<Phrase>> = HashMap::new();
    for (means, phrase) in WORDS.iter().flat_map(|(means, phrases)| phrases.split('|').map(move |one| (*means, one))) {
        let words: Vec<String> = tokens(phrase).into_iter().map(|token| token.key).collect();
        if let Some(first) = words.first() {
            by_first.entry(first.clone()).or_default().push((means, words));
        }
    }
    by_first
});

/// What turns a wish round when it stands a few words before.
const DENIALS: &[&str] = &[
    "no", "not", "never", "without", "avoid", "don", "dont", "less", "fewer", "instead", "hate", "dislike", "stop",
    "skip", "drop", "remove", "isn", "doesn",
];

/// What a text asks for and what it rules out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Preference {
    pub(crate) wants: BTreeSet<Means>,
    pub(crate) avoids: BTreeSet<Means>,
}

impl Preference {
    /// Reads a sentence or clause.
    pub(crate) fn of(text: &str) -> Self {
        let keys: Vec<String> = tokens(text).into_iter().map(|token| token.key).collect();
        let mut preference = Self::default();
        for (at, first) in keys.iter().enumerate() {
            let rest = keys.get(at..).unwrap_or_default();
            for (means, _) in PHRASES.get(first).into_iter().flatten().filter(|(_, wanted)| rest.starts_with(wanted)) {
                let into = if is_denied(&keys, at) { &mut preference.avoids } else { &mut preference.wants };
                into.insert(*means);
            }
        }
        preference
    }

    /// Reads prose sentence by sentence, so that a "no" reaches no further than its own sentence.
    pub(crate) fn of_prose(text: &str) -> Self {
        let mut all = Self::default();
        text.split(['.', '\n', ';', '!', '?']).map(Self::of).for_each(|one| all.add(one));
        all
    }

    /// Adds what another text says.
    pub(crate) fn add(&mut self, other: Self) {
        self.wants.extend(other.wants);
        self.avoids.extend(other.avoids);
    }

    /// What follows a list of things that do not work: everything in it is to be avoided.
    pub(crate) fn turned_round(self) -> Self {
        Self { wants: BTreeSet::new(), avoids: self.wants }
    }

    /// Takes this preference over an older one: the newer word counts.
    pub(crate) fn over(mut self, older: &Self) -> Self {
        self.wants.extend(older.wants.difference(&self.avoids).copied().collect::<Vec<_>>());
        self.avoids.extend(older.avoids.difference(&self.wants).copied().collect::<Vec<_>>());
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.wants.is_empty() && self.avoids.is_empty()
    }
}

fn is_denied(keys: &[String], at: usize) -> bool {
    // "not … to work in pairs": three words back is as far as a denial reaches without a comma.
    let before = keys.get(at.saturating_sub(3)..at).unwrap_or_default();
    before.iter().any(|word| DENIALS.iter().any(|denial| key(denial) == *word))
}

/// Whether a clause says nothing beyond the means that it names.
pub(crate) fn is_only_means(text: &str) -> bool {
    let known = |word: &String| PHRASES.values().flatten().any(|(_, phrase)| phrase.contains(word));
    tokens(text).iter().all(|token| {
        is_function_word(token.raw) || known(&token.key) || FILLERS.iter().any(|filler| key(filler) == token.key)
    })
}

/// Words around a wish that add nothing to it.
const FILLERS: &[&str] = &[
    "make", "use", "using", "please", "more", "much", "bit", "little", "very", "work", "working", "based", "style",
    "support", "friendly", "version", "format", "section", "part", "task", "activity", "change", "turn", "let",
    "pupils", "them", "do", "instead", "add", "include", "mini", "some", "show", "me", "can", "could", "we", "try",
    "as", "whole", "class", "small",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(text: &str) -> Vec<Means> {
        Preference::of(text).wants.into_iter().collect()
    }

    #[test]
    fn means_are_recognised_in_plain_words() {
        assert_eq!(wants("use mini-whiteboards please"), [Means::Whiteboards]);
        assert_eq!(wants("in pairs, with pictures"), [Means::Pairs, Means::Visuals]);
        assert_eq!(wants("no laptops on Friday"), [Means::NoComputers]);
        assert_eq!(wants("make it harder"), []);
    }

    #[test]
    fn a_denial_turns_a_wish_round() {
        let preference = Preference::of("they do not like group work");
        assert!(preference.wants.is_empty() && preference.avoids.contains(&Means::Groups), "{preference:?}");
        let prose = Preference::of_prose("No group work. Pairs are fine.");
        assert_eq!(prose.wants, BTreeSet::from([Means::Pairs]));
    }

    #[test]
    fn the_newer_word_counts() {
        let newer = Preference::of("no pairs");
        let merged = newer.over(&Preference::of("pairs and pictures"));
        assert_eq!(merged.wants, BTreeSet::from([Means::Visuals]));
    }
}
