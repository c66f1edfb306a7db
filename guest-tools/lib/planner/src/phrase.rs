//! Turning the wording of a curriculum file into sentences: small steps, each of which keeps the grammar.

use super::words::tokens;

/// The text with a capital at its beginning; one-letter names such as the variable in "n + 3" stay small.
pub(crate) fn capitalised(text: &str) -> String {
    let first = tokens(text).first().map(|token| token.raw.to_owned()).unwrap_or_default();
    let is_article = text.starts_with("a ") && !is_variable_a(text);
    let is_symbol = first.chars().count() == 1 && !is_article;
    let mut chars = text.chars();
    match chars.next() {
        Some(c) if c.is_lowercase() && !is_symbol => c.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// "a and a² are like terms" speaks of the letter, "a fixed loop" does not.
fn is_variable_a(text: &str) -> bool {
    ["a and ", "a is ", "a = ", "a + ", "a − ", "a - "].iter().any(|start| text.starts_with(start))
}

/// Names that school texts begin with; a name of two words keeps its capital by the second.
const NAMES: &[&str] = &[
    "Africa",
    "America",
    "American",
    "Arabic",
    "Britain",
    "British",
    "Christian",
    "Christmas",
    "Edinburgh",
    "England",
    "English",
    "Europe",
    "European",
    "French",
    "France",
    "Gaelic",
    "German",
    "Germany",
    "Glasgow",
    "God",
    "Highland",
    "Highlanders",
    "Irish",
    "Ireland",
    "Italian",
    "Jacobite",
    "Jacobites",
    "Jewish",
    "Jews",
    "Latin",
    "London",
    "Napoleon",
    "Parliament",
    "Polish",
    "Pythagoras",
    "Python",
    "Roman",
    "Romans",
    "Russia",
    "Russian",
    "Scotland",
    "Scots",
    "Scottish",
    "Scratch",
    "Spanish",
    "Tudor",
    "Ukrainian",
    "Viking",
    "Vikings",
    "Victorian",
    "Wallace",
    "Bruce",
];

/// The text with a small letter at its beginning, unless the word is a name, an abbreviation or "I".
pub(crate) fn uncapitalised(text: &str) -> String {
    let word = tokens(text).first().map(|token| token.raw.to_owned()).unwrap_or_default();
    let keeps = word == "I"
        || NAMES.contains(&word.as_str())
        || word.chars().skip(1).any(char::is_uppercase)
        || word.chars().count() == 1 && word != "A";
    let mut chars = text.chars();
    match chars.next() {
        Some(c) if c.is_uppercase() && !keeps => c.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// A sentence: capital at the beginning, one stop at the end.
pub(crate) fn sentence(text: &str) -> String {
    let text = capitalised(text.trim());
    if text.is_empty() || text.ends_with(['.', '!', '?', '…']) { text } else { format!("{text}.") }
}

/// The text without the stop at its end.
pub(crate) fn without_stop(text: &str) -> &str {
    text.trim().trim_end_matches(['.', ';', ',']).trim_end()
}

/// "a, b and c".
pub(crate) fn listed<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", init.join(", "), last.as_ref())
        }
    }
}

/// What an assessment item asks pupils to do, as a bare verb phrase: "complete a trace table".
/// None where the item does not begin with something one can do.
pub(crate) fn task(item: &str) -> Option<String> {
    const LEADS: &[&str] = &[
        "pupils can ",
        "pupils are able to ",
        "pupils should be able to ",
        "pupils ",
        "the pupil can ",
        "learners can ",
        "learners ",
        "the learner can ",
        "i can ",
        "can ",
        "able to ",
    ];
    let text = without_stop(item);
    let lower = text.to_lowercase();
    let lead = LEADS.iter().find(|lead| lower.starts_with(**lead)).map_or(0, |lead| lead.len());
    let bare = uncapitalised(text.get(lead..).unwrap_or(text).trim());
    let first = tokens(&bare).first().map(|token| token.raw.to_lowercase())?;
    let is_thing = ["a", "an", "the", "two", "three", "some", "all", "at", "in", "most"].contains(&first.as_str())
        || ["tion", "ment", "ness", "ity"].iter().any(|ending| first.ends_with(ending) && first != "mention")
        || (first.ends_with("ing") && !["bring", "sing", "string"].contains(&first.as_str()));
    (!is_thing).then_some(bare)
}

/// "I can complete a trace table": the item in a pupil's mouth.
pub(crate) fn i_can(item: &str) -> String {
    match task(item) {
        Some(task) => format!("I can {}.", in_own_voice(&task)),
        None => format!("I can show this: {}.", uncapitalised(without_stop(item))),
    }
}

fn in_own_voice(task: &str) -> String {
    let task = task.replace("their own", "my own").replace("into own words", "into my own words");
    let task = task.replace("in own words", "in my own words");
    let own = |word: &str| {
        match word {
            "you" => "I",
            "your" => "my",
            "yourself" => "myself",
            _ => return None,
        }
        .to_owned()
        .into()
    };
    let words = task.split(' ').map(|word| own(word).unwrap_or_else(|| word.to_owned()));
    words.collect::<Vec<String>>().join(" ")
}

/// What stands in "know that …" and "say that …": a statement that is true.
pub(crate) fn known_statement(item: &str) -> Option<&str> {
    const LEADS: &[&str] =
        &["know that ", "say that ", "explain that ", "recognise that ", "understand that ", "remember that "];
    let text = without_stop(item);
    LEADS.iter().find_map(|lead| {
        text.get(..lead.len()).filter(|start| start.eq_ignore_ascii_case(lead)).and(text.get(lead.len()..))
    })
}

/// The wrong idea itself, without "pupils think that"; None where the text describes a slip rather than an idea.
pub(crate) fn claim(text: &str) -> Option<&str> {
    const LEADS: &[&str] = &[
        "pupils think that ",
        "pupils believe that ",
        "pupils may think that ",
        "pupils think ",
        "thinking that ",
        "believing that ",
        "the belief that ",
        "the idea that ",
        "assuming that ",
    ];
    const SLIPS: &[&str] = &["confusing", "forgetting", "mixing", "muddling", "omitting", "ignoring", "not", "lack"];
    let text = without_stop(text);
    let lower = text.to_lowercase();
    let lead = LEADS.iter().find(|lead| lower.starts_with(**lead)).map_or(0, |lead| lead.len());
    let idea = text.get(lead..).unwrap_or(text);
    let first = tokens(idea).first().map(|token| token.raw.to_lowercase()).unwrap_or_default();
    (!SLIPS.contains(&first.as_str())).then_some(idea)
}

/// Wording as it may stand in a table cell or a heading: one line, no bars.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Spoken numbers up to twelve.
pub(crate) fn number_word(word: &str) -> Option<u32> {
    const WORDS: &[&str] =
        &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let lower = word.to_lowercase();
    let spoken = WORDS.iter().position(|name| *name == lower).and_then(|at| u32::try_from(at).ok());
    let tens = match lower.as_str() {
        "fifteen" => Some(15),
        "twenty" => Some(20),
        "thirty" => Some(30),
        "forty" => Some(40),
        "fifty" => Some(50),
        "sixty" => Some(60),
        _ => None,
    };
    lower.parse().ok().or(spoken).or(tens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_respect_symbols_and_abbreviations() {
        assert_eq!(capitalised("a fixed loop runs"), "A fixed loop runs");
        assert_eq!(capitalised("a and a² are like terms"), "a and a² are like terms");
        assert_eq!(capitalised("n is the start"), "n is the start");
        assert_eq!(uncapitalised("Name two"), "name two");
        assert_eq!(uncapitalised("VAT is added"), "VAT is added");
        assert_eq!(uncapitalised("I know"), "I know");
    }

    #[test]
    fn items_become_tasks_and_criteria() {
        assert_eq!(task("Pupils can name two sources.").as_deref(), Some("name two sources"));
        assert_eq!(task("a completed trace table"), None);
        assert_eq!(i_can("put a paragraph into own words"), "I can put a paragraph into my own words.");
        assert_eq!(i_can("say what you like in your town"), "I can say what I like in my town.");
        assert_eq!(i_can("Completion of a table"), "I can show this: completion of a table.");
    }

    #[test]
    fn ideas_and_slips_are_told_apart() {
        assert_eq!(claim("pupils think that 1 is prime"), Some("1 is prime"));
        assert_eq!(claim("confusing area with perimeter"), None);
        assert_eq!(known_statement("know that percent means out of a hundred"), Some("percent means out of a hundred"));
    }

    #[test]
    fn lists_and_sentences_read_well() {
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(sentence("count six"), "Count six.");
        assert_eq!(number_word("eight"), Some(8));
    }
}
