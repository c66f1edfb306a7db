//! What does not belong in front of pupils without need: gambling, alcohol, drugs, violence, sexual content, self-harm, and
//! things to buy.
//!
//! A word alone is no finding: a lesson on the First World War has guns, health education has alcohol, and probability
//! has dice. What decides is whether the lesson or the sentence is about such a thing in order to teach it.

use crate::check::{Class, Found, quoted};
use crate::text::{ForPupils, sentences};
use crate::year::Year;

/// One kind of content.
struct Topic {
    class: Class,
    /// Words and phrases; one that ends in `*` stands for all words that begin so.
    words: &'static [&'static str],
    /// What in the sentence shows that another thing is meant.
    unless: &'static [&'static str],
    /// What in the lesson's title or outcomes, or in the sentence, shows that it is taught about.
    taught: &'static [&'static str],
    /// What to do instead.
    remedy: &'static str,
}

const HEALTH: &[&str] = &[
    "health",
    "wellbeing",
    "safety",
    "risks",
    "harm",
    "harms",
    "harmful",
    "danger",
    "dangers",
    "law",
    "addict*",
    "prevent*",
    "substance*",
    "misuse",
    "first aid",
    "liver",
    "helpline",
    "advertis*",
];

const HISTORY: &[&str] = &[
    "war",
    "wars",
    "battle*",
    "history",
    "historical",
    "century",
    "army",
    "navy",
    "jacobite*",
    "viking*",
    "roman*",
    "empire",
    "treaty",
    "revolution",
    "rebellion",
    "holocaust",
    "slavery",
    "conflict",
    "novel",
    "poem",
    "macbeth",
    "shakespeare",
    "myth",
    "legend",
    "castle",
    "medieval",
    "citizen*",
    "modern studies",
];

const TOPICS: [Topic; 7] = [
    Topic {
        class: Class::Gambling,
        words: &[
            "gambl*",
            "casino*",
            "roulette",
            "poker",
            "blackjack",
            "bet",
            "betting",
            "bookmaker*",
            "bookie*",
            "slot machine*",
            "fruit machine*",
            "jackpot*",
            "place a bet",
            "places a bet",
            "bets",
            "a bet on",
            "lottery",
            "lotto",
            "scratchcard*",
            "scratch card*",
            "loot box*",
        ],
        unless: &["i bet", "you bet that", "best bet", "safe bet"],
        taught: &[
            "harm",
            "harms",
            "harmful",
            "risk of gambling",
            "addict*",
            "health",
            "wellbeing",
            "law",
            "advertis*",
            "problem gambling",
        ],
        remedy: "Take dice, spinners, counters or a prize draw without stakes.",
    },
    Topic {
        class: Class::Alcohol,
        words: &[
            "beer*",
            "wine",
            "wines",
            "vodka",
            "whisky",
            "whiskey",
            "gin",
            "rum",
            "lager*",
            "cocktail*",
            "pub",
            "pubs",
            "drunk",
            "alcohol*",
            "booze",
            "pint of",
            "pints of",
            "hangover*",
        ],
        unless: &[
            "pint of milk",
            "pints of milk",
            "pints of water",
            "pint of water",
            "cotton gin",
            "ginger",
            "pints of blood",
            "has drunk",
            "have drunk",
            "had drunk",
        ],
        taught: HEALTH,
        remedy: "Take juice, water or any other goods.",
    },
    Topic {
        class: Class::Drugs,
        words: &[
            "cocaine",
            "heroin",
            "cannabis",
            "marijuana",
            "ecstasy",
            "amphetamine*",
            "drug dealer*",
            "drug dealing",
            "drugs",
            "vape",
            "vapes",
            "vaping",
            "cigarette*",
            "tobacco",
            "cigar*",
            "smoking",
            "spliff*",
        ],
        unless: &["smoking gun", "smoking volcano", "non-smoking", "medicine", "medical", "antibiotic*"],
        taught: HEALTH,
        remedy: "Take another context: goods of a school shop, results of a survey of sports.",
    },
    Topic {
        class: Class::Violence,
        words: &[
            "gun",
            "guns",
            "pistol*",
            "rifle*",
            "shotgun*",
            "bullet",
            "bullets",
            "grenade*",
            "bomb",
            "bombs",
            "bombing*",
            "stab",
            "stabs",
            "stabbed",
            "stabbing*",
            "murder*",
            "tortur*",
            "behead*",
            "corpse*",
            "dead body",
            "dead bodies",
            "shoots",
            "shooting",
            "shot dead",
            "kill",
            "kills",
            "killed",
            "killer*",
            "killing",
            "slaughter*",
            "massacre*",
            "terrorist*",
            "machete*",
            "hostage*",
            "strangle*",
            "blood everywhere",
        ],
        unless: &[
            "bullet point*",
            "bulleted",
            "bullet list*",
            "glue gun*",
            "bath bomb*",
            "bomb calorimeter",
            "shooting star*",
            "shoots and",
            "roots and shoots",
            "photo*",
            "basket*",
            "goal*",
            "netball",
            "hoop*",
            "kill a process",
            "kill the process",
            "heat gun",
            "starting gun",
            "water bomb*",
            "new shoots",
            "germs",
            "bacteria",
            "seed code",
        ],
        taught: HISTORY,
        remedy: "Tell it without weapons and injuries, or choose another setting.",
    },
    Topic {
        class: Class::Sexual,
        words: &[
            "sexy",
            "sexual*",
            "porn*",
            "nude",
            "nudes",
            "naked",
            "erotic*",
            "orgasm*",
            "prostitut*",
            "rape",
            "raped",
            "condom*",
            "strip club*",
            "sexting",
            "sex with",
            "have sex",
            "having sex",
            "had sex",
        ],
        unless: &["naked eye", "sexual reproduction", "asexual", "rapeseed", "rape seed"],
        taught: &[
            "health",
            "consent",
            "reproduc*",
            "relationships",
            "puberty",
            "biology",
            "rshp",
            "contracept*",
            "online safety",
            "law",
            "wellbeing",
        ],
        remedy: "Leave it out.",
    },
    Topic {
        class: Class::SelfHarm,
        words: &[
            "suicide*",
            "suicidal",
            "self-harm*",
            "self harm*",
            "cut herself",
            "cut himself",
            "cut themselves",
            "cutting herself",
            "cutting himself",
            "kill herself",
            "kill himself",
            "kill themselves",
            "kills herself",
            "kills himself",
            "hanged himself",
            "hanged herself",
            "hangs himself",
            "overdose*",
            "anorexi*",
            "bulimi*",
            "starve yourself",
        ],
        unless: &[],
        taught: &[
            "helpline*",
            "childline",
            "samaritans",
            "wellbeing",
            "mental health",
            "get help",
            "trusted adult",
            "romeo",
            "ophelia",
        ],
        remedy: "Leave it out; where the topic is meant, plan it with pastoral staff and name where to get help.",
    },
    Topic {
        class: Class::Product,
        words: &[
            "tiktok",
            "snapchat",
            "instagram",
            "fortnite",
            "roblox",
            "call of duty",
            "grand theft auto",
            "coca-cola",
            "coca cola",
            "pepsi",
            "mcdonald's",
            "mcdonald’s",
            "kfc",
            "burger king",
            "red bull",
            "prime drink",
            "nike",
            "adidas",
            "in-app purchase*",
            "premium account",
            "premium version",
            "paid subscription",
            "buy the app",
            "free trial",
            "netflix",
        ],
        unless: &["advertis*", "logo*", "data protection", "privacy", "terms of", "age limit*", "online safety"],
        taught: &[
            "online safety",
            "advertis*",
            "media",
            "privacy",
            "social media",
            "marketing",
            "business",
            "cyber*",
            "internet safety",
        ],
        remedy: "Take a made-up name, and nothing that has to be bought.",
    },
];

/// Adds what does not belong. `frame` is what the lesson says it is about: title, class line and outcomes.
pub(crate) fn content(pupils: &ForPupils, frame: &str, year: Year, found: &mut Vec<Found>) {
    let frame = spaced(frame);
    let frame = Words::new(&frame);
    let taught: Vec<bool> = TOPICS.iter().map(|topic| topic.taught.iter().any(|word| frame.has(word))).collect();
    let passages = pupils.passages.iter().map(|passage| (&passage.section, passage.line, &passage.text));
    let definitions =
        pupils.definitions.iter().map(|definition| (&definition.section, definition.line, &definition.text));
    for (section, line, text) in passages.chain(definitions) {
        for sentence in sentences(text) {
            let folded = spaced(&sentence);
            let words = Words::new(&folded);
            for (topic, taught) in TOPICS.iter().zip(&taught) {
                let Some(word) = topic.words.iter().find(|word| words.has(word)) else { continue };
                let fine = *taught || topic.taught.iter().chain(topic.unless).any(|word| words.has(word));
                if !fine {
                    let word = word.trim_end_matches('*');
                    found.push(Found {
                        class: topic.class,
                        section: section.clone(),
                        line,
                        message: format!(
                            "{} (\"{word}\") in what pupils of {year} read, without the lesson being about it: {} {}",
                            topic.class.said(),
                            quoted(&sentence),
                            topic.remedy
                        ),
                    });
                }
            }
        }
    }
}

/// A text for looking for whole words: small letters, one space between words and at both ends.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars().flat_map(char::to_lowercase) {
        let c = if c == '’' { '\'' } else { c };
        let kept = c.is_alphanumeric() || matches!(c, '\'' | '-');
        if kept {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// The words of a spaced text. Nearly all entries are ruled out by their first word, which is found in a sorted list.
struct Words<'a> {
    text: &'a str,
    sorted: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        let mut sorted: Vec<&str> = text.split_ascii_whitespace().collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self { text, sorted }
    }

    fn has(&self, entry: &str) -> bool {
        let (entry, open) = entry.strip_suffix('*').map_or((entry, false), |entry| (entry, true));
        let (first, several) = entry.split_once(' ').map_or((entry, false), |(first, _)| (first, true));
        let at = self.sorted.partition_point(|word| *word < first);
        let found =
            self.sorted.get(at).is_some_and(|word| *word == first || (open && !several && word.starts_with(first)));
        if !found || !several {
            return found;
        }
        self.text.match_indices(entry).any(|(at, _)| {
            let before = self.text.get(..at).is_some_and(|before| before.ends_with(' '));
            let after = self.text.get(at + entry.len()..).is_some_and(|after| open || after.starts_with(' '));
            before && after
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Words, spaced};

    #[test]
    fn words_are_whole_words() {
        let text = spaced("A Pint of milk, in the public house; gambling!");
        let words = Words::new(&text);
        assert!(words.has("pint of") && words.has("gambl*") && words.has("a") && words.has("pint of mil*"));
        assert!(!words.has("pub") && !words.has("gin") && !words.has("gambl"));
    }
}
