//! The words that make a name a pupil's, and those that show that it is none.

/// Surnames of people whom lessons speak of; with one of them a name is theirs.
pub(crate) const FAMOUS: &str = "adams anning archimedes armstrong asimov attenborough austen babbage bach baird banksy bannister beckham beethoven \
    bell berners bolt bond bonaparte boole bowie branson bronte bruce burnell burns byron caesar carroll cartwright churchill \
    clark columbus connery conan cook copernicus curie dahl darwin davinci descartes dickens dijkstra disney doyle edison einstein \
    ennis euclid euler faraday farah fermat fibonacci finn fleming frank franklin freud gagarin galileo gandhi gates gauss germain goodall \
    grandin gray hamilton hardy hawking higgs hitler holmes hooke hooper hopper hume hutton jackson jemison jenner jobs johnson kahlo \
    keller kelvin kennedy kepler king knox lamarr leibniz lincoln linnaeus lister livingstone lochhead lovelace luther macdiarmid mackintosh mandela marx \
    maxwell mendel mendeleev messi mill milne mitchell monet morgan mozart musk murray napier napoleon newton nightingale noether nobel obama orwell \
    owen pan pankhurst parks pasteur pele peel picasso planck poe potter presley pullman pythagoras rashford ramanujan rembrandt roddick ronaldo \
    roosevelt rowling rutherford scott shakespeare shelley simpson smith somerville steinbeck stephenson stevenson stuart tesla thatcher thunberg \
    torvalds trump truman tudor turing twain venn verne wallace washington watt wells wilberforce wilde winfrey woolf wordsworth wright yousafzai zuckerberg";

/// Words that show that a made-up person of a story or an author is spoken of.
pub(crate) const LITERATURE: &str = "act author authors book chapter character characters drama essay extract fable fiction film hero heroine \
    king legend myth narrator novel novels painter play playwright poem poems poet poetry prince princess protagonist queen saint \
    scene shakespeare sonnet stanza story stories tale verse writer famous scientist inventor mathematician composer artist \
    theorem century historian explorer bible biblical quran gospel prophet emperor empress pope duke duchess lord lady";

/// Words of sums and word problems: with a number beside them a name is made up.
pub(crate) const PROBLEM: &str = "altogether apples average bakes bought buys calculate change collects cost costs cuts cycles counters cm dice \
    discount divides dozen draws drives each earns eats flour fraction gives grams half height how jogs km kilometres litres long longer mass \
    metres miles minutes money more much many older ounces pays paid pence per percent percentage picks pounds price prices probability ratio \
    rolls runs saves score scored scores sells share shares sold sold spends spent sweets taller than times total tosses travels twice walks weighs \
    width years";

/// Verbs and what may follow them where a pupil's difficulty or behaviour is told; `*` is any word or none.
pub(crate) const NEEDS: &[(&str, &str)] = &[
    ("struggles struggled", ""),
    (
        "is was",
        "struggling dyslexic dyspraxic autistic asthmatic diabetic epileptic deaf anxious withdrawn disruptive excluded absent bullied bullying fostered adopted eal adhd asd vulnerable nonverbal",
    ),
    (
        "has had",
        "dyslexia dyspraxia dyscalculia adhd add asd autism asperger epilepsy asthma diabetes anxiety eal asn iep ilp csp tourette stammer",
    ),
    ("sits sat", "next beside near alone at by with in"),
    ("refuses refused disrupts misbehaves truants", ""),
    ("cannot can't cant won't doesn't didn't", "cope sit read write concentrate focus settle see hear manage follow"),
    ("gets got", "upset anxious distracted overwhelmed frustrated angry extra help bullied confused"),
    (
        "needs need needed",
        "help support extra larger large more movement breaks time scaffolding scaffolds sentence reassurance easier harder simpler challenge stretch pushing watching glasses scribe reader",
    ),
    (
        "finds found",
        "it reading writing maths mathematics spelling everything algebra fractions school english things coding",
    ),
    ("forgot forgets lost", "homework jotter his her their"),
    ("hates loves", "reading writing maths working"),
];

/// Phrases of several words after a name.
pub(crate) const NEEDS_PHRASES: &[&str] = &[
    "is in my",
    "is in 3",
    "is on the spectrum",
    "is new to",
    "is behind",
    "is care experienced",
    "is a young carer",
    "is in care",
    "is in foster",
    "is moving",
    "has a hearing",
    "has a visual",
    "has a stammer",
    "has a support",
    "has an iep",
    "has an asn",
    "has a csp",
    "has a care",
    "has a social",
    "has special",
    "has additional",
    "has panic",
    "has behaviour",
    "has been diagnosed",
    "has been excluded",
    "has been moved",
    "is off",
    "was off",
    "has been off",
    "has been absent",
    "has been bullied",
    "is being",
    "needs to sit",
    "needs a scribe",
    "needs a reader",
    "needs a break",
    "needs a lot",
    "must sit",
    "should sit",
    "should not sit",
    "must not sit",
    "is ahead",
    "is hard of",
    "in my class",
    "from my class",
    "speaks no",
    "speaks little",
    "does not speak",
    "does not cope",
    "will not sit",
    "is my",
    "is one of my",
    "left early",
    "started late",
    "joined in",
    "is still on",
];

/// What a note beside a name says of a pupil.
pub(crate) const NEED_NOUNS: &str = "adhd anxiety anxious asd asn asthma autism autistic blind deaf diabetes dyscalculia dyslexia dyslexic dyspraxia eal \
    epilepsy iep struggles visual hearing wheelchair";

/// The words that those phrases begin with.
pub(crate) const PHRASE_WORDS: &str = "is has was needs must should in from speaks does will left started joined";

/// What belongs to a pupil at school: with `'s` before it, a name is a pupil's.
pub(crate) const SCHOOL_THINGS: &str = "adhd anxiety asn attainment attendance autism behaviour csp dyslexia eal exclusion guidance iep ilp \
    jotter medication needs pastoral report seat social stammer support target targets";

/// Whoever belongs to a pupil at home.
pub(crate) const KIN: &str = "auntie brother carer carers dad family father gran grandad granny guardian mother mum mums parent parents sister stepdad \
    stepmum home house";

/// Words before a name that show that it is a pupil's.
pub(crate) const PUPIL: &str = "pupil pupils student students learner learners child boy girl lad lass youngster";

/// Words before a name in a request or a seating plan.
pub(crate) const SEATS: &str = "beside group move moved seat separate sit sits pair paired swap keep put partner";

/// Words before a name in what a teacher asks for.
pub(crate) const ASKS: &str = "for except excluding including include help helps helping support supporting stretch challenge especially mainly like";

/// Capitalised words that are no name, though they follow what a name follows.
pub(crate) const NOT_NAMES: &str = "a additional an and any are as at because by council education english equity every everyone first for from \
    gaelic he her his how i if in is it its level maths national no not one or others our plus primary protection s scotland scottish secondary she so some \
    support that the their there they this those voice group class team player table question task step part set station box block stage section option answer \
    theorem figure point line angle triangle side vitamin plan grade row column room house key note unit lesson week day we what when where which who why with you your all both two three four five six each";

/// Capitalised words that begin a sentence after an initial.
pub(crate) const BEGINNINGS: &str = "give keep put move make use please can could do does may must should will would now then also after before \
    once next today ask let maybe perhaps however use read write sit stay work";

/// What a thing may need as well as a pupil: "Art needs time".
pub(crate) const OFTEN_THINGS: &str = "time more support scaffolding scaffolds sentence easier harder simpler challenge stretch it by at in with help read see hear follow";

/// Titles of grown-ups: a name after one is a colleague's or a parent's.
pub(crate) const TITLES: &str = "mr mrs ms miss mx dr sir madam lord lady king queen prince princess saint st pope president captain professor prof";

/// Headings under which names are a list of pupils.
pub(crate) const LISTS: &[&str] =
    &["class list", "seating plan", "register", "pupil list", "list of pupils", "class register"];

/// Whether a list, words separated by spaces, holds a word. Only small letters are compared.
pub(crate) fn holds(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else { return false };
    // Byte by byte: this is asked dozens of times of every name.
    let mut before = b' ';
    for (at, byte) in list.iter().enumerate() {
        if byte == first && before == b' ' {
            let rest = list.get(at..).and_then(|rest| rest.strip_prefix(word));
            if rest.is_some_and(|rest| rest.first().is_none_or(|next| *next == b' ')) {
                return true;
            }
        }
        before = *byte;
    }
    false
}

/// What a word says of the sentence that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Pupil,
    Literature,
    Problem,
    Number,
    /// `list`, `plan`, `register`: perhaps the heading of a list of pupils.
    List,
    /// `how`, perhaps with `many`.
    How,
    /// `lives`, `address`: a street is named.
    Lives,
}

/// The words that say something of their sentence, each with what: one search for all lists.
#[derive(Debug)]
pub(crate) struct Signs {
    words: Vec<(&'static str, Sign)>,
    /// Where the words begin that begin with each small letter, and where the last of them ends.
    starts: [usize; 27],
}

impl Signs {
    pub(crate) fn new() -> Self {
        let lists = [
            (PUPIL, Sign::Pupil),
            (LITERATURE, Sign::Literature),
            (PROBLEM, Sign::Problem),
            ("two three four five six seven eight nine ten dozen twice half", Sign::Number),
            ("list plan register", Sign::List),
            ("how", Sign::How),
            ("lives address postcode", Sign::Lives),
        ];
        let signs =
            lists.into_iter().flat_map(|(list, sign)| list.split_ascii_whitespace().map(move |word| (word, sign)));
        let mut signs: Vec<(&'static str, Sign)> = signs.collect();
        signs.sort_unstable_by_key(|(word, _)| *word);
        let starts = std::array::from_fn(|letter| {
            let letter = u8::try_from(letter).map_or(u8::MAX, |letter| b'a' + letter);
            signs.partition_point(|(word, _)| word.as_bytes().first().is_some_and(|first| *first < letter))
        });
        Self { words: signs, starts }
    }

    /// What a word says; a word that stands in several lists says several things.
    pub(crate) fn of<'s>(&'s self, word: &'s str) -> impl Iterator<Item = Sign> + 's {
        let letter = word.as_bytes().first().map_or(usize::MAX, |first| usize::from(first.wrapping_sub(b'a')));
        let start = self.starts.get(letter).copied().unwrap_or(usize::MAX);
        let end = self.starts.get(letter.saturating_add(1)).copied().unwrap_or(usize::MAX);
        let words = self.words.get(start..end).unwrap_or_default();
        let first = words.partition_point(|(entry, _)| *entry < word);
        words.iter().skip(first).take_while(move |(entry, _)| *entry == word).map(|(_, sign)| *sign)
    }
}

/// A list as it is looked up often.
#[derive(Debug)]
pub(crate) struct Set(Vec<&'static str>);

impl Set {
    pub(crate) fn new(words: impl Iterator<Item = &'static str>) -> Self {
        let mut words: Vec<&'static str> = words.collect();
        words.sort_unstable();
        Self(words)
    }

    pub(crate) fn of(list: &'static str) -> Self {
        Self::new(list.split_ascii_whitespace())
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.0.binary_search(&word).is_ok()
    }
}

/// A word in small letters without accents, as the lists have it.
pub(crate) fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else {
            out.extend(c.to_lowercase().map(plain));
        }
    }
    out
}

/// A small letter without its accent.
const fn plain(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ą' | 'ă' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ę' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'ı' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ł' => 'l',
        'ń' | 'ñ' => 'n',
        'ś' | 'ș' | 'ş' | 'š' => 's',
        'ż' | 'ź' | 'ž' => 'z',
        'ć' | 'ç' | 'č' => 'c',
        'ț' | 'ţ' => 't',
        '’' => '\'',
        other => other,
    }
}
