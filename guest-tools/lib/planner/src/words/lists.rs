//! Word lists, each a text with its words parted by spaces or bars, and the sets that are looked up.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::key;

/// Words that join others and carry no topic.
const FUNCTION_WORDS: &str = "a an and are as at be by for from his her how i in into is it its of on or our so some that the their \
    them then these they this to was we what when which who why will with would you your my me us if than \
    there do does can could should have has had not no all any de";

/// Words of asking for a lesson: they name no topic either.
const ASKING_WORDS: &str = "plan planning lesson lessons make create write prepare design draft give need want like please help \
    teach teaching class set group pupil pupils kids period periods minute minutes min mins hour hours half \
    double single long today tomorrow monday tuesday wednesday thursday friday morning afternoon last next \
    week first thing something anything about introduction introduce introducing intro topic session unit \
    new good nice quick fun engaging interesting simple easy hard short now again same also just let lets \
    get start starting begin cover do doing year level hello hi thanks thank ok okay could up s1 s2 s3 s4 s5 \
    s6 one another more time after before";

/// Words that go with every topic: they neither find an outcome nor speak against one.
const SOFT_WORDS: &str = "basic skill practice revision recap review problem question exercise vocabulary word idea concept \
    knowledge understanding work activity task example advanced beginner different various school life real \
    world everyday using use finding calculating solving working learn learning study studying explore \
    exploring out strategy method technique theory stuff part type kind key main important";

/// Words with the same meaning in class, so that a lesson on iteration prefers what the file says about loops.
/// They rank what belongs to an outcome already chosen; they never choose one.
const RINGS: &[&str] = &[
    "iteration loop repeat repetition repeats while",
    "while conditional until",
    "selection if condition decision branch logical nested",
    "array list index",
    "variable value store assignment",
    "function subprogram procedure parameter called",
    "percentage percent vat discount interest sale %",
    "fraction denominator numerator half quarter third",
    "decimal tenth hundredth",
    "probability chance likelihood likely dice spinner risk",
    "sequence pattern term nth",
    "equation unknown solve balance",
    "expression substitution simplify algebra",
    "angle degree parallel protractor",
    "trigonometry sine cosine tangent ratio",
    "area rectangle square",
    "volume cuboid solid cube",
    "negative zero integer temperature overdraft",
    "speed journey distance",
    "budget income wage saving",
    "database record field query key",
    "network packet router internet ip address",
    "binary bit 0s 1s",
    "processor cpu memory ram fetch execute",
    "phishing scam malware virus ransomware",
    "password authentication account",
    "source reliable reliability website",
    "copyright licence plagiarism",
    "spreadsheet formula cell",
    "test debug fault bug error",
    "search find",
    "sort order",
    "persuasion persuade argue argument persuasive",
    "paragraph sentence",
    "poetry poem verse stanza",
    "conversation talk dialogue",
    "cause reason consequence impact result",
];

type Words = LazyLock<HashSet<String>>;

pub(super) static FUNCTION: Words = LazyLock::new(|| FUNCTION_WORDS.split(' ').map(str::to_owned).collect());
pub(super) static ASKING: Words = LazyLock::new(|| ASKING_WORDS.split(' ').map(str::to_owned).collect());
pub(super) static SOFT: Words = LazyLock::new(|| SOFT_WORDS.split(' ').map(key).collect());
pub(super) static RELATIVES: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| RINGS.iter().map(|ring| ring.split(' ').map(key).collect()).collect());
