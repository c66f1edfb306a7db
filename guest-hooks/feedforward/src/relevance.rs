//! Whether a line bears on a request: whether they share a telling word.

/// Shortest word that tells anything.
const WORD_BYTES_MIN: usize = 4;

/// Words of a request that are read.
const WORDS_MAX: usize = 200;

/// The telling words of a request.
pub(crate) struct Request(Vec<String>);

impl Request {
    pub(crate) fn read(input: &str) -> Self {
        Self(words(input).filter(|word| !passed_over(word)).take(WORDS_MAX).collect())
    }

    /// How many of the request's words the text has, in any of their forms.
    pub(crate) fn shared(&self, text: &str) -> u32 {
        let text: Vec<String> = words(text).collect();
        let has = |word: &&String| text.iter().any(|other| same(word, other));
        u32::try_from(self.0.iter().filter(has).count()).unwrap_or(u32::MAX)
    }
}

/// Words long enough to tell anything, folded.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= WORD_BYTES_MIN);
    words.map(str::to_lowercase)
}

/// Words that every request has, whatever it is about; sorted.
const PASSED_OVER: [&str; 45] = [
    "about", "activity", "after", "before", "class", "create", "does", "draft", "each", "every", "from", "have",
    "into", "lesson", "like", "make", "minute", "need", "period", "plan", "please", "pupil", "some", "teach",
    "teacher", "that", "their", "them", "then", "they", "this", "topic", "unit", "want", "what", "when", "where",
    "which", "will", "with", "without", "work", "would", "year", "your",
];

fn passed_over(word: &str) -> bool {
    let listed = |word: &str| PASSED_OVER.binary_search(&word).is_ok();
    listed(word) || word.strip_suffix('s').is_some_and(listed)
}

/// `loop` and `loops`, `program` and `programming`: one is the beginning of the other, and not by chance, as in `works` and
/// `worksheet`.
fn same(one: &str, other: &str) -> bool {
    const ENDING_BYTES_MAX: usize = 3;
    const STEM_BYTES_MIN: usize = 6;
    let related = one.len().abs_diff(other.len()) <= ENDING_BYTES_MAX || one.len().min(other.len()) >= STEM_BYTES_MIN;
    related && (one.starts_with(other) || other.starts_with(one))
}

#[cfg(test)]
mod tests {
    use super::{PASSED_OVER, Request};

    #[test]
    fn the_words_passed_over_are_sorted() {
        assert!(PASSED_OVER.is_sorted());
    }

    #[test]
    fn a_line_bears_on_a_request_by_its_words() {
        let request = Request::read("3B iteration, no laptops, make a worksheet for the lesson");
        assert_eq!(request.shared("Laptops in a trolley, one for each pupil"), 1);
        assert_eq!(request.shared("Three different worksheets without a laptop"), 2);
        assert_eq!(request.shared("What works in this class"), 0);
        assert_eq!(request.shared("I like lessons that begin with remembering"), 0);
    }
}
