//! Which words of a text name a person of the school: by shape, by what stands around them, and by whether a list knows them.
//!
//! A name in a list says little: lessons are full of Sams who buy apples and of people whom history remembers. So lists are one sign
//! among others, and a linear model, learned from examples (`examples/train.rs`), weighs them all, word after word: what
//! was decided on the words before counts as well, since names stand in rows.

use std::ops::Range;

use ta_linear::{Hash, Model};

use crate::lists::Lists;
use crate::tokens::{Kind, Token};
use crate::words::{folded, holds};

/// The weights; `examples/train.rs` writes them.
static WEIGHTS: &[u8] = include_bytes!("../weights.bin");

/// What a word's score must reach in what a person asks for, and in a file, in thousandths of a logit.
pub(crate) const REQUEST_FROM: i64 = 200;
pub(crate) const FILE_FROM: i64 = 2_500;

/// The model in use.
pub(crate) fn model() -> Model<'static> {
    Model::new(WEIGHTS)
}

/// What is known of one token before its neighbours are looked at.
#[derive(Debug, Clone)]
struct Sign {
    /// In small letters without accents and without the owner's 's; a mark as it is.
    text: String,
    shape: u8,
    given: bool,
    family: bool,
    word: bool,
    owner: bool,
    groups: u8,
}

/// One sentence, ready to be judged.
pub(crate) struct Row<'t, 'a> {
    tokens: &'t [Token<'a>],
    signs: Vec<Sign>,
    /// What is said of the sentence as a whole.
    whole: Vec<u8>,
}

/// The words before, as far as they were judged.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Before {
    pub(crate) last: bool,
    pub(crate) second: bool,
    pub(crate) any: bool,
}

impl<'t, 'a> Row<'t, 'a> {
    /// Reads a sentence; `invented` says that the text speaks of made-up people.
    pub(crate) fn new(tokens: &'t [Token<'a>], lists: &Lists, invented: bool) -> Self {
        let signs: Vec<Sign> = tokens.iter().map(|token| sign(token, lists)).collect();
        let whole = whole(&signs, invented);
        Self { tokens, signs, whole }
    }

    /// Whether a token could be a name at all.
    pub(crate) fn may_name(&self, at: usize) -> bool {
        self.signs.get(at).is_some_and(|sign| {
            matches!(sign.shape, b'T' | b'U' | b'L' | b'M') && !(sign.shape == b'L' && sign.word && !sign.given)
        }) && self.tokens.get(at).is_some_and(|token| !token.code && token.text.len() > 1)
    }

    /// The features of a token.
    pub(crate) fn features(&self, at: usize, before: Before) -> Vec<u32> {
        let mut features = Vec::with_capacity(80);
        let Some(own) = self.signs.get(at) else { return features };
        let core = [
            own.shape,
            u8::from(own.given) + 2 * u8::from(own.family) + 4 * u8::from(own.word) + 8 * u8::from(own.owner),
            u8::from(at == 0),
        ];
        let start = |kind: u8| core.iter().fold(Hash::of(kind), |hash, byte| hash.byte(*byte));
        features.push(start(b'0').end());
        if own.word || own.groups != 0 {
            features.push(Hash::of(b'w').text(&own.text).byte(own.shape).end());
        }
        letters(&own.text, own.word, &mut features);
        for (kind, distance) in [(b'1', -1_isize), (b'2', -2), (b'3', 1), (b'4', 2), (b'5', -3), (b'6', 3)] {
            let near = at.checked_add_signed(distance).and_then(|at| self.signs.get(at));
            let (text, class) = near.map_or(("", 0), |sign| (sign.text.as_str(), sign.class()));
            if distance.abs() < 3 {
                features.push(start(kind).text(text).end());
                features.push(Hash::of(kind + 32).text(text).end());
            }
            features.push(start(kind + 64).byte(class).end());
            let groups = near.map_or(0, |sign| sign.groups);
            features.extend((0..8).filter(|bit| groups >> bit & 1 == 1).map(|bit| start(kind + 96).byte(bit).end()));
        }
        let (two, next) = (self.class(at, -1), self.class(at, 1));
        features.push(start(b'n').byte(two).byte(next).end());
        features.push(start(b'p').byte(self.class(at, -2)).byte(two).byte(next).byte(self.class(at, 2)).end());
        let behind = u8::from(before.last) + 2 * u8::from(before.second) + 4 * u8::from(before.any);
        features.push(start(b't').byte(behind).end());
        let link = at.checked_sub(1).and_then(|at| self.signs.get(at)).map_or("", |sign| sign.text.as_str());
        features.push(start(b'u').byte(behind).text(link).end());
        for sign in &self.whole {
            features.push(start(b'h').byte(*sign).end());
            features.push(Hash::of(b'H').byte(*sign).byte(own.shape).end());
        }
        features
    }

    fn class(&self, at: usize, distance: isize) -> u8 {
        at.checked_add_signed(distance).and_then(|at| self.signs.get(at)).map_or(0, Sign::class)
    }

    /// The tokens that name a person, one range of the text for each name; neighbours are one.
    pub(crate) fn names(
        &self,
        model: &Model<'_>,
        from: i64,
        known: &dyn Fn(&str) -> bool,
    ) -> Vec<(Range<usize>, String)> {
        let mut names: Vec<(Range<usize>, String)> = Vec::new();
        let mut before = Before::default();
        for (at, token) in self.tokens.iter().enumerate() {
            let Some(sign) = self.signs.get(at) else { continue };
            let is = self.may_name(at)
                && (model.score(&self.features(at, before)) >= from
                    || (sign.given && sign.shape != b'L' && known(&sign.text)));
            if is {
                let range = token.start..token.start + token.base().0.len();
                match names
                    .last_mut()
                    .filter(|(last, _)| before.last && last.end < range.start && range.start - last.end <= 1)
                {
                    Some((last, _)) => last.end = range.end,
                    None => names.push((range, sign.text.clone())),
                }
            }
            before = Before { second: before.last, last: is, any: before.any || is };
        }
        names
    }
}

impl Sign {
    /// What it is to its neighbours.
    fn class(&self) -> u8 {
        match self.shape {
            b'T' | b'U' | b'L' | b'M' => self.shape ^ (u8::from(self.given) * 64 + u8::from(self.word) * 128),
            shape => shape,
        }
    }
}

fn sign(token: &Token<'_>, lists: &Lists) -> Sign {
    let (base, owner) = token.base();
    let text = if token.kind == Kind::Word { folded(base) } else { token.text.to_owned() };
    let shape = match token.kind {
        Kind::Word => shape(base),
        Kind::Number => b'#',
        Kind::Mark(c) => u8::try_from(c).unwrap_or(b'~'),
    };
    let is_word = token.kind == Kind::Word;
    let groups = if is_word { lists.groups(&text) } else { 0 };
    let given = is_word && lists.is_given(&text);
    let word = is_word && lists.is_word(&text);
    // Only what may be a name is asked about as a family's.
    let family = is_word && !(shape == b'L' && word && !given) && lists.is_family(&text);
    Sign { given, family, word, text, shape, owner, groups }
}

/// `T`itle, `U`pper, `L`ower, `I`nitial, `M`ixed, `D` with digits.
fn shape(word: &str) -> u8 {
    let mut characters = word.chars();
    let first = characters.next().is_some_and(char::is_uppercase);
    let rest: Vec<char> = characters.collect();
    if word.chars().any(|c| c.is_ascii_digit()) {
        b'D'
    } else if rest.is_empty() {
        b'I'
    } else if rest.iter().all(|c| !c.is_uppercase()) {
        if first { b'T' } else { b'L' }
    } else if first && rest.iter().all(|c| !c.is_lowercase()) {
        b'U'
    } else {
        b'M'
    }
}

/// Letters of words that no list of words has: how names of many languages look.
fn letters(text: &str, word: bool, features: &mut Vec<u32>) {
    if word {
        return;
    }
    let letters: Vec<char> = std::iter::once('^').chain(text.chars().take(14)).chain(std::iter::once('$')).collect();
    for length in 2..=4 {
        for some in letters.windows(length) {
            let hash = some.iter().fold(Hash::of(b'c'), |hash, c| hash.byte((u32::from(*c) & 0xFF) as u8));
            features.push(hash.end());
        }
    }
}

/// How it is written, how many listed names stand in it, whether it is a sum or about books or made-up people.
fn whole(signs: &[Sign], invented: bool) -> Vec<u8> {
    let count = |is: &dyn Fn(&&Sign) -> bool| u8::try_from(signs.iter().filter(is).count().min(3)).unwrap_or(3);
    let titles = count(&|sign| sign.shape == b'T' && sign.given);
    let lower = count(&|sign| matches!(sign.shape, b'T' | b'M'));
    let upper = count(&|sign| sign.shape == b'U');
    let has = |bit: u8| signs.iter().any(|sign| sign.groups >> bit & 1 == 1);
    let numbers = count(&|sign| sign.shape == b'#');
    let quotes = signs.iter().any(|sign| matches!(sign.text.as_str(), "\"" | "“" | "”"));
    let own =
        signs.iter().any(|sign| sign.text.len() <= 4 && holds("he she him her his hers my i they them", &sign.text));
    let mut whole = vec![
        10 + titles,
        20 + lower,
        30 + upper,
        40 + u8::from(has(1)),
        44 + u8::from(has(2)),
        48 + u8::from(has(5)) + 2 * u8::from(has(0)),
    ];
    whole.push(52 + u8::from(has(6)) * 4 + numbers);
    whole.push(60 + u8::from(quotes));
    whole.push(64 + u8::from(own));
    whole.push(68 + u8::from(invented));
    whole
}

/// Whether a text says that its people are made up, or sets sums and exercises.
pub(crate) fn speaks_of_invented(tokens: &[Token<'_>]) -> bool {
    let words = "invented imaginary fictional fictitious made-up character characters problem problems dialogue textbook example database";
    // The shortest of them has seven letters.
    tokens
        .iter()
        .any(|token| token.kind == Kind::Word && token.text.len() >= 7 && holds(words, &token.text.to_lowercase()))
}

/// What a text teaches of whose names' bytes are known: for each word that could be a name its features and whether it is one.
pub(crate) fn examples(text: &str, named: &[Range<usize>]) -> Vec<(Vec<u32>, bool)> {
    let tokens = crate::tokens::tokens(text);
    let invented = speaks_of_invented(&tokens);
    let mut examples = Vec::new();
    let lists = Lists::new();
    for sentence in crate::tokens::sentences(&tokens) {
        let row = Row::new(sentence, &lists, invented);
        let mut before = Before::default();
        for (at, token) in sentence.iter().enumerate() {
            let is = named.iter().any(|name| token.start >= name.start && token.start < name.end)
                && token.kind == Kind::Word
                && !(matches!(token.text, "'s" | "’s"));
            if row.may_name(at) {
                examples.push((row.features(at, before), is));
            }
            before = Before { second: before.last, last: is && row.may_name(at), any: before.any || is };
        }
    }
    examples
}
