//! Words reduced to what they are about.
//!
//! Two texts are about the same thing when they share words, whatever their endings. Six letters of a word without its
//! ending are enough to tell subject words apart, fit a machine word, and cost no memory for a whole curriculum file.

use std::collections::HashSet;

/// A word without its ending, as up to six bytes.
pub(super) type Stem = u64;

/// Letters kept of a stem.
const STEM_BYTES: usize = 6;

/// Words that say nothing about a subject: they join, point and count.
const FUNCTION_WORDS: &str = "a about above across after again against all along already also although always am among an and another any anyone \
    anything are around as at away back based be because become been before begin begins being below beside best \
    better between beyond big both but by came can cannot cant come comes could day days did different do does doing \
    done down during each easy either else end ended ends enough especially etc even ever every everyone everything \
    far few find finds first for found from full further gave get gets getting give given gives go goes going good got \
    great had half hard has have having he help helps her here him his how however i if in indeed instead into is it \
    its itself just keep kind know known knows large last later least less let like likely little long lot lots made \
    main mainly make makes making many may me mean means might minus more most much must my near nearly need needed \
    needs never new next no nor not nothing now of off often on once one ones only or other others our out over own \
    part particular parts per perhaps place plus put rather really right said same say says second secure see seen set \
    several shall she should show shows similar simple simply since small so some something soon start started \
    starting starts still such take taken takes tell than that the their them themselves then there these they thing \
    things third this those though three through throughout thus time times to today together tomorrow too toward \
    towards tried tries try trying two under until up upon us use used useful user uses using usual usually various \
    very via want wants was way ways we week well went were what when where whether which while who whole whom whose \
    why will with within without would year years yes yet you your";

/// Words of teaching: they say what pupils and teachers do in any lesson, not what an outcome is about.
const TEACHING_WORDS: &str = "ability able achieve achieved activities activity address addressed addresses aim aims align aligned alignment \
    answer answers applied applies apply ask asks asn aspect assess assessed assessment benchmark board boards book \
    books bronze build building builds card cards cfe challenge challenging check checked checks circulate class \
    classes classroom clip code codes collect colour coloured colours complete completed completes confidence \
    confident confidently consolidate consolidates context core cover covered covers criteria criterion curriculum \
    demonstrate demonstrates describe described describes describing description desk desks develop developed \
    developing develops differentiated differentiation discuss discussed discusses discussion display draft drafts eal \
    early evidence evidenced example examples excellence exercise exercises exit expectation expectations experience \
    experiences explain explained explaining explains explanation explore explores extend extended extension fast \
    feedback finish finished finisher finishers finishes five focus focused focuses folder follow following follows \
    fourth friday gold group groups hand handout handouts hands homework hook identified identifies identify \
    increasing increasingly independence independent independently individual individually intention intentions \
    introduce introduced introduction jotter jotters key laptop laptops learn learned learner learners learning lesson \
    lessons level levels line lines link linked links listen look looking looks mark marking match meet meets mini \
    minute minutes monday observation observe outcome outcomes pace pack packs page pages pair paired pairs paper \
    papers partner partners peer peers period periods plan planned plans plenary pointer practice practise practised \
    predict print printed prints prior progress progression projector prompt pupil pupils question questions quiz read \
    reading reads ready recall recalls recap recognise recognised recognises reflect reflection reinforce reinforces \
    remember retrieval retrieve review revise revised revision revisit revisits scaffold scaffolded scaffolding seat \
    seats section sections self sentence share shared shares sheet short silver skill skills slide slides stage \
    starter starters step steps stretch student students success successful successfully support supported supporting \
    supports swap swaps talk talks targeted task tasks taught teach teacher teachers teaches teaching team teams ten \
    test think thinking thinks thursday ticket tickets topic tuesday tutor twenty understand understanding understands \
    understood unit verbal verbally version versions video videos watch wednesday whiteboard whiteboards work worked \
    working works worksheet worksheets write writes writing written";

/// Words for one idea that share no beginning: a lesson says "loops" where the outcome says "repetition".
const KIN: &[(Stem, Stem)] = &[
    (key(b"iterat"), key(b"loop")),
    (key(b"repeti"), key(b"loop")),
    (key(b"repeat"), key(b"loop")),
    (key(b"condit"), key(b"select")),
    (key(b"judg"), key(b"evalua")),
];

/// What a word says about a text's subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// Nothing.
    Function,
    /// That it is about teaching.
    Teaching,
    /// What the subject is.
    Content,
}

/// The two lists of words, ready to be asked.
pub(super) struct Weights {
    function: HashSet<&'static str>,
    teaching: HashSet<&'static str>,
}

impl Weights {
    pub(super) fn new() -> Self {
        Self { function: FUNCTION_WORDS.split(' ').collect(), teaching: TEACHING_WORDS.split(' ').collect() }
    }

    /// Sorts a word into one of the three kinds.
    pub(super) fn of(&self, word: &str) -> Weight {
        let word = word.to_lowercase();
        if self.function.contains(word.as_str()) || word.contains(|c: char| c.is_ascii_digit()) {
            Weight::Function
        } else if self.teaching.contains(word.as_str()) {
            Weight::Teaching
        } else {
            Weight::Content
        }
    }
}

/// The words of a text, in order, those of one letter left out.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1)
}

/// The stem of a word.
pub(super) fn stem(word: &str) -> Stem {
    // Longer words differ within these bytes, or not at all.
    let mut lower = [0_u8; 24];
    let length = word.len().min(lower.len());
    for (to, from) in lower.iter_mut().zip(word.bytes()) {
        *to = from.to_ascii_lowercase();
    }
    let word = without_ending(lower.get(..length).unwrap_or_default());
    let stem = key(word.get(..STEM_BYTES).unwrap_or(word));
    KIN.iter().find(|(from, _)| *from == stem).map_or(stem, |&(_, to)| to)
}

const fn key(mut word: &[u8]) -> Stem {
    let mut key = 0;
    while let [first, rest @ ..] = word {
        key = (key << 8) | *first as Stem;
        word = rest;
    }
    key
}

/// The stems that some descriptions ask for, with their first letters: most words of a file begin like none of them, and
/// are passed over without being reduced.
pub(super) struct Wanted {
    stems: Vec<Stem>,
    /// For each first letter, a bit for each second letter.
    openings: [u32; 26],
}

impl Wanted {
    pub(super) fn new(mut stems: Vec<Stem>) -> Self {
        stems.sort_unstable();
        stems.dedup();
        let mut openings = [0; 26];
        let kin = KIN.iter().filter(|(_, to)| stems.contains(to)).map(|(from, _)| from);
        for stem in stems.iter().chain(kin) {
            let bytes = stem.to_be_bytes();
            let mut letters = bytes.iter().skip_while(|&&byte| byte == 0);
            if let (Some(first), Some(second)) = (letters.next().and_then(letter), letters.next().and_then(letter))
                && let Some(seconds) = openings.get_mut(first)
            {
                *seconds |= 1 << second;
            }
        }
        Self { stems, openings }
    }

    pub(super) fn count(&self) -> usize {
        self.stems.len()
    }

    /// The place of a word among the stems.
    pub(super) fn place(&self, word: &str) -> Option<usize> {
        let mut letters = word.as_bytes().iter();
        let (first, second) = (letters.next().and_then(letter), letters.next().and_then(letter));
        let known =
            |first: usize, second: usize| self.openings.get(first).is_some_and(|seconds| seconds >> second & 1 == 1);
        // Letters of other alphabets are not in the table.
        let passed = first.zip(second).is_none_or(|(first, second)| known(first, second));
        if passed { self.place_of(stem(word)) } else { None }
    }

    /// The place of a stem.
    pub(super) fn place_of(&self, stem: Stem) -> Option<usize> {
        self.stems.binary_search(&stem).ok()
    }
}

/// The number of a letter of the alphabet, from 0.
fn letter(byte: &u8) -> Option<usize> {
    byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_lowercase() - b'a'))
}

/// The word without an ending of number, person or tense, and without a silent last letter.
fn without_ending(word: &[u8]) -> &[u8] {
    let word = match word {
        [stem @ .., b'i', b'e', b's' | b'd'] if stem.len() > 2 => word.get(..=stem.len()).unwrap_or(stem),
        [stem @ .., b'i', b'n', b'g'] if stem.len() > 2 => undoubled(stem),
        [stem @ .., b'e', b'd'] if stem.len() > 2 => undoubled(stem),
        [stem @ .., b's' | b'x' | b'z' | b'h', b'e', b's'] if stem.len() > 1 => word.get(..=stem.len()).unwrap_or(stem),
        [_, _, .., b's', b's'] => word,
        [stem @ .., b's'] if stem.len() > 2 => stem,
        _ => word,
    };
    match word {
        [stem @ .., b'e' | b'y' | b'i'] if stem.len() > 2 => stem,
        _ => word,
    }
}

/// "mapp" of "mapping" is "map".
fn undoubled(stem: &[u8]) -> &[u8] {
    match stem {
        [start @ .., a, b] if a == b && !matches!(b, b's' | b'l' | b'e') && start.len() > 1 => {
            stem.get(..=start.len()).unwrap_or(stem)
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_have_one_stem() {
        for forms in [
            "loop loops looping looped",
            "structure structures structured structuring",
            "identify identifies identified",
            "program programs programming programmed",
            "sequence sequences sequencing",
            "map maps mapping mapped",
            "represent represents representation representing",
            "process processes processing processed",
            "iteration iterates repetition loops repeating",
            "Fraction fractions",
            "copy copies copied",
        ] {
            let stems: Vec<Stem> = forms.split(' ').map(stem).collect();
            assert!(stems.iter().all(|s| *s == stems[0]), "{forms}: {stems:x?}");
        }
    }

    #[test]
    fn different_words_keep_different_stems() {
        let words =
            "layer language loop hardware software structure sequence network image angle area ratio class process";
        let mut stems: Vec<Stem> = words.split(' ').map(stem).collect();
        stems.sort_unstable();
        stems.dedup();
        assert_eq!(stems.len(), words.split(' ').count());
    }

    #[test]
    fn words_are_what_stands_between_marks_of_any_kind() {
        let text = "Loops→\u{201C}nested\u{201D}, a 3-way è—école; à l'heure\u{2026} x";
        assert_eq!(words(text).collect::<Vec<_>>(), ["Loops", "nested", "way", "è", "école", "à", "heure"]);
        assert_eq!(words("→ — …").count(), 0);
    }

    #[test]
    fn a_word_is_found_among_the_stems_that_are_wanted() {
        let wanted = Wanted::new(["hardware", "loops", "è", "école"].map(stem).to_vec());
        assert_eq!(wanted.count(), 4);
        for (word, form) in [("Hardware", "hardware"), ("iteration", "loop"), ("looping", "loop"), ("école", "école")]
        {
            assert!(wanted.place(word).is_some() && wanted.place(word) == wanted.place_of(stem(form)), "{word}");
        }
        for word in ["hard", "software", "look", "x", ""] {
            assert_eq!(wanted.place(word), None, "{word}");
        }
    }

    #[test]
    fn words_of_every_lesson_are_no_content() {
        let weights = Weights::new();
        assert_eq!(weights.of("the"), Weight::Function);
        assert_eq!(weights.of("Pupils"), Weight::Teaching);
        assert_eq!(weights.of("hardware"), Weight::Content);
        assert_eq!(weights.of("3B"), Weight::Function);
    }
}
